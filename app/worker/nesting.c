/* SPDX-License-Identifier: MIT
 *
 * A filter before jsonrpc-glib's input stream; see nesting.h. It reads the headers exactly as
 * jsonrpc-glib does, because both must agree on where a message begins.
 */
#include "app/worker/nesting.h"

#include <string.h>

static const char length_header[] = "Content-Length: ";
static const char type_header[] = "Content-Type: ";

static gboolean
starts_with (const char *line, const char *header)
{
  return g_ascii_strncasecmp (line, header, strlen (header)) == 0;
}

static void
end_header_line (SeamNesting *self)
{
  self->line[self->line_length] = '\0';
  if (starts_with (self->line, length_header))
    self->content_length = g_ascii_strtoll (self->line + strlen (length_header), NULL, 10);
  else if (starts_with (self->line, type_header))
    self->is_gvariant = self->is_gvariant || strstr (self->line, "application/gvariant") != NULL;
  else if (self->line_length == 0)
    self->n_left = MAX (self->content_length, 0);
  self->line_length = 0;
}

/* A line ends with a line feed, a carriage return or both. */
static char
filter_header (SeamNesting *self, char byte)
{
  if (byte == '\n' || byte == '\r')
    end_header_line (self);
  else if (self->line_length + 1 < sizeof self->line)
    self->line[self->line_length++] = byte;
  else
    return ' '; /* hides every byte that this filter does not check from jsonrpc-glib */
  self->after_cr = byte == '\r';
  return byte;
}

void
seam_nesting_filter (SeamNesting *self, char *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (self->after_cr && bytes[i] == '\n') {
      self->after_cr = FALSE;
    } else if (self->n_left == 0) {
      bytes[i] = filter_header (self, bytes[i]);
    } else {
      self->after_cr = FALSE;
      if (!self->is_gvariant)
        bytes[i] = seam_json_flatten (&self->json, bytes[i]);
      self->n_left--;
      if (self->n_left == 0)
        *self = (SeamNesting){ .n_left = 0 };
    }
  }
}

static gboolean
reaches (GVariant *value, int level)
{
  g_autoptr (GVariant) inner = NULL;
  const char *type = g_variant_get_type_string (value);

  if (*type == 'v') {
    inner = g_variant_get_variant (value);
    return reaches (inner, level);
  }
  if (!g_variant_is_container (value))
    return FALSE;
  /* An entry of a dictionary is not a level of its own. */
  if (*type != '{')
    level++;
  if (level >= SEAM_NESTING_LEVELS)
    return TRUE;
  /* An array of numbers or texts contains no further level. */
  if (*type == 'a' && g_variant_type_is_basic (g_variant_type_element (g_variant_get_type (value))))
    return FALSE;
  for (gsize i = 0; i < g_variant_n_children (value); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    if (reaches (child, level))
      return TRUE;
  }
  return FALSE;
}

gboolean
seam_nesting_is_too_deep (GVariant *params)
{
  return params != NULL && reaches (params, 1);
}

/* --- The filter as a stream --- */

G_DECLARE_FINAL_TYPE (SeamNestingStream, seam_nesting_stream, SEAM, NESTING_STREAM,
                      GFilterInputStream)

struct _SeamNestingStream {
  GFilterInputStream parent_instance;

  SeamNesting nesting;
};

G_DEFINE_FINAL_TYPE (SeamNestingStream, seam_nesting_stream, G_TYPE_FILTER_INPUT_STREAM)

static gssize
read_fn (GInputStream *stream, void *buffer, gsize count, GCancellable *cancellable, GError **error)
{
  SeamNestingStream *self = (SeamNestingStream *)stream;
  GInputStream *base = g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream));
  gssize n = g_input_stream_read (base, buffer, count, cancellable, error);

  if (n > 0)
    seam_nesting_filter (&self->nesting, buffer, (gsize)n);
  return n;
}

static void
seam_nesting_stream_class_init (SeamNestingStreamClass *class)
{
  G_INPUT_STREAM_CLASS (class)->read_fn = read_fn;
}

static void
seam_nesting_stream_init (SeamNestingStream *self)
{
}

GInputStream *
seam_nesting_stream_new (GInputStream *base)
{
  return g_object_new (seam_nesting_stream_get_type (), "base-stream", base, NULL);
}
