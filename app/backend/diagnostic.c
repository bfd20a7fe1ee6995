/* SPDX-License-Identifier: MIT
 *
 * Reads "group.c:12:5: error: text" (gcc, clang), "generated.cu(12): error: text" with a caret some
 * lines below (NVRTC), and "line 12, column 5: error: text".
 */
#include "app/backend/diagnostic.h"

#include "app/base/owner.h"

#include <string.h>

/* Takes a number of at most 9 digits; if there is none, returns 0 and leaves `*text` unchanged. */
static int
take_number (const char **text)
{
  const char *p = *text;
  int number = 0;

  while (g_ascii_isdigit (*p) && p - *text < 9)
    number = 10 * number + (*p++ - '0');
  if (g_ascii_isdigit (*p))
    return 0;
  *text = p;
  return number;
}

static gboolean
take (const char **text, const char *word)
{
  if (!g_str_has_prefix (*text, word))
    return FALSE;
  *text += strlen (word);
  return TRUE;
}

/* Takes "error: ", "fatal error: ", "warning: ", "error #20: ", "catastrophic error: ". */
static gboolean
take_severity (const char **text, gboolean *is_error)
{
  const char *colon = strstr (*text, ": ");
  g_autofree char *word = colon != NULL ? g_strndup (*text, (gsize)(colon - *text)) : NULL;
  char *number = word != NULL ? strstr (word, " #") : NULL;

  if (number != NULL)
    *number = '\0';
  if (word == NULL
      || (!g_str_equal (word, "warning") && !g_str_equal (word, "error")
          && !g_str_has_suffix (word, " error")))
    return FALSE;
  *is_error = !g_str_equal (word, "warning");
  *text = colon + 2;
  return TRUE;
}

/* Takes the text before the severity: the place, and the file if it is another one. */
static gboolean
take_place (const char **text, SeamDiagnostic *found, char **file)
{
  const char *p = *text, *end;

  if (take (&p, "line ") && (found->line = take_number (&p)) > 0) {
    if (take (&p, ", column "))
      found->column = take_number (&p);
    *text = p + strlen (": ");
    return take (&p, ": ");
  }
  /* A name without blanks ends with ":LINE" or "(LINE)". */
  for (end = *text; *end != '\0' && *end != ' '; end++) {
    p = end + 1;
    if ((*end == ':' || *end == '(') && g_ascii_isdigit (*p)
        && (found->line = take_number (&p)) > 0)
      break;
  }
  if (*end == '\0' || *end == ' ')
    return FALSE;
  *file = g_strndup (*text, (gsize)(end - *text));
  if (*end == ':' && *p == ':' && g_ascii_isdigit (p[1])) {
    p++;
    found->column = take_number (&p);
  } else if (*end == '(') {
    p += *p == ')' ? 1 : 0;
  }
  *text = p + strlen (": ");
  return take (&p, ": ");
}

static SeamDiagnostic *
parse_line (const char *line)
{
  SeamDiagnostic found = { 0 };
  g_autofree char *file = NULL;
  const char *text = line;

  if (!take_place (&text, &found, &file) || !take_severity (&text, &found.is_error)) {
    /* A linker, for instance, gives its own name ("collect2: error: …") and no line. */
    gsize name = strcspn (line, ": ");
    text = line;
    found.line = found.column = 0;
    if (!take_severity (&text, &found.is_error)) {
      text = line + name + strlen (": ");
      if (!g_str_has_prefix (line + name, ": ") || !take_severity (&text, &found.is_error))
        return NULL;
    }
    g_clear_pointer (&file, g_free);
  }
  SeamDiagnostic *diagnostic = seam_owner_new (SeamDiagnostic);
  *diagnostic = found;
  if (file == NULL || g_str_has_suffix (file, SEAM_DIAGNOSTIC_C_FILE)
      || g_str_has_suffix (file, SEAM_DIAGNOSTIC_CUDA_FILE)) {
    diagnostic->text = seam_keep (diagnostic, g_strdup (text));
  } else {
    diagnostic->text = seam_keep_printf (diagnostic, "%s, line %d: %s", file, found.line, text);
    diagnostic->line = diagnostic->column = 0;
  }
  return diagnostic;
}

GPtrArray *
seam_diagnostics_parse (const char *log)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autofree char *valid = g_utf8_make_valid (log != NULL ? log : "", -1);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);
  SeamDiagnostic *last = NULL;

  for (int i = 0; lines[i] != NULL; i++) {
    SeamDiagnostic *found = parse_line (lines[i]);
    gsize blanks = strspn (lines[i], " ");

    if (found != NULL) {
      g_ptr_array_add (list, found);
      last = found;
    } else if (last != NULL && last->line > 0 && last->column == 0 && blanks > 1
               && lines[i][blanks] == '^') {
      /* NVRTC quotes the line after two blanks and puts a caret below. */
      last->column = (int)blanks - 1;
    }
  }
  return list;
}

char *
seam_diagnostics_format (GPtrArray *diagnostics)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < diagnostics->len; i++) {
    const SeamDiagnostic *d = diagnostics->pdata[i];

    if (text->len > 0)
      g_string_append_c (text, '\n');
    if (d->line > 0)
      g_string_append_printf (text, "line %d", d->line);
    if (d->line > 0 && d->column > 0)
      g_string_append_printf (text, ", column %d", d->column);
    g_string_append_printf (text, "%s%s: %s", d->line > 0 ? ": " : "",
                            d->is_error ? "error" : "warning", d->text);
  }
  return g_string_free (text, FALSE);
}

char *
seam_diagnostics_explain (const char *head, const char *log)
{
  g_autoptr (GPtrArray) list = seam_diagnostics_parse (log);
  g_autofree char *text = seam_diagnostics_format (list);
  g_autofree char *valid = g_utf8_make_valid (log != NULL ? log : "", -1);
  gboolean has_error = FALSE;

  for (guint i = 0; i < list->len; i++)
    has_error = has_error || ((SeamDiagnostic *)list->pdata[i])->is_error;
  if (!has_error)
    return g_strdup_printf ("%s: %s", head, *valid != '\0' ? valid : "the compiler left no log.");
  return g_strdup_printf ("%s:\n%s", head, text);
}
