/* SPDX-License-Identifier: MIT
 *
 * Lines that belong together: see source-links.h.
 */
#include "ui/source/source-links.h"

#include "ui/class/class.h"
#include "ui/source/source-tint.h"

#include <string.h>

struct _SeamSourceLinks {
  GObject parent_instance;

  SeamSourceText *text;
  SeamSourceCodeView *code;
  GtkLabel *sentence;
  const SeamListing *listing; /* the listing in `code`; NULL: none */
  const char *word;
  gboolean is_from_listing; /* the cursor that chooses the lines is in the listing */
};

G_DEFINE_FINAL_TYPE (SeamSourceLinks, seam_source_links, G_TYPE_OBJECT)

static GtkTextView *
get_text_view (SeamSourceLinks *self)
{
  return GTK_TEXT_VIEW (
      seam_source_code_view_get_view (seam_source_text_get_code_view (self->text)));
}

static void
say (SeamSourceLinks *self, const char *text)
{
  gtk_label_set_text (self->sentence, text);
  gtk_widget_set_visible (GTK_WIDGET (self->sentence), TRUE);
}

static void
choose_both (SeamSourceLinks *self, guint source_line, const GArray *lines)
{
  guint line = source_line - 1;

  seam_source_choose_lines (get_text_view (self), &line, lines->len > 0 ? 1 : 0);
  seam_source_choose_lines (GTK_TEXT_VIEW (seam_source_code_view_get_view (self->code)),
                            (const guint *)(void *)lines->data, lines->len);
}

static void
link_from_text (SeamSourceLinks *self)
{
  SeamSourceCodeView *text_view = seam_source_text_get_code_view (self->text);
  guint line = seam_source_code_view_get_cursor_line (text_view) + 1;
  g_autoptr (GArray) lines = NULL;
  g_autofree char *text = NULL;

  self->is_from_listing = FALSE;
  if (self->listing == NULL)
    return;
  lines =
      seam_listing_find_lines (self->listing, seam_source_text_get_file_name (self->text), line);
  choose_both (self, line, lines);
  if (lines->len == 0)
    text = g_strdup_printf ("Line %u: no %s of its own.", line, self->word);
  else
    text = g_strdup_printf ("Line %u: %u line%s of %s, from line %u on.", line, lines->len,
                            lines->len == 1 ? "" : "s", self->word,
                            g_array_index (lines, guint, 0) + 1);
  say (self, text);
  if (lines->len > 0)
    seam_source_code_view_scroll_to_line (self->code, g_array_index (lines, guint, 0));
}

/* "line 4 of kernels/ops.h, inlined at line 14": the innermost place first. */
static char *
describe_places (const SeamListing *listing, const SeamListingPlace *places, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    const char *file = listing->files->pdata[places[i].file];
    g_string_append_printf (text, "%sline %u%s%s", i > 0 ? ", inlined at " : "",
                            places[i].source_line, *file != '\0' ? " of " : "", file);
  }
  return g_string_free (text, FALSE);
}

static void
link_from_listing (SeamSourceLinks *self)
{
  const char *file = seam_source_text_get_file_name (self->text);
  guint line = seam_source_code_view_get_cursor_line (self->code), n = 0, found = 0;
  const SeamListingPlace *places;
  g_autofree char *origin = NULL, *text = NULL;
  g_autoptr (GArray) lines = NULL;

  self->is_from_listing = TRUE;
  if (self->listing == NULL)
    return;
  places = seam_listing_get_places (self->listing, line, &n);
  while (found < n && strcmp (self->listing->files->pdata[places[found].file], file) != 0)
    found++;
  lines = found < n ? seam_listing_find_lines (self->listing, file, places[found].source_line)
                    : g_array_new (FALSE, FALSE, sizeof (guint));
  choose_both (self, found < n ? places[found].source_line : 1, lines);
  origin = describe_places (self->listing, places, n);
  text = n > 0 ? g_strdup_printf ("Line %u of %s comes from %s.", line + 1, self->word, origin)
               : g_strdup_printf ("Line %u of %s comes from no line of the text.", line + 1,
                                  self->word);
  say (self, text);
  if (found < n)
    seam_source_code_view_scroll_to_line (seam_source_text_get_code_view (self->text),
                                          places[found].source_line - 1);
}

void
seam_source_links_mark_again (SeamSourceLinks *self)
{
  if (self->is_from_listing)
    link_from_listing (self);
  else
    link_from_text (self);
}

void
seam_source_links_set_listing (SeamSourceLinks *self, const SeamListing *listing, const char *word)
{
  self->listing = listing;
  self->word = word;
  gtk_widget_set_visible (GTK_WIDGET (self->sentence), FALSE);
  if (listing == NULL)
    seam_source_choose_lines (get_text_view (self), NULL, 0);
  else
    link_from_text (self);
}

/* --- Object --- */

static void
seam_source_links_class_init (SeamSourceLinksClass *klass)
{
  SEAM_OWNS (klass, SeamSourceLinks, g_object_unref, sentence, code, text);
}

static void
seam_source_links_init (SeamSourceLinks *self)
{
}

SeamSourceLinks *
seam_source_links_new (SeamSourceText *text, SeamSourceCodeView *code, GtkLabel *sentence)
{
  SeamSourceLinks *self = g_object_new (SEAM_TYPE_SOURCE_LINKS, NULL);

  self->text = g_object_ref (text);
  self->code = g_object_ref (code);
  self->sentence = g_object_ref (sentence);
  g_signal_connect_object (seam_source_text_get_code_view (text), "moved",
                           G_CALLBACK (link_from_text), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (code, "moved", G_CALLBACK (link_from_listing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (code, "restyled", G_CALLBACK (seam_source_links_mark_again), self,
                           G_CONNECT_SWAPPED);
  return self;
}
