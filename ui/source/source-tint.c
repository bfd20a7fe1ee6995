/* SPDX-License-Identifier: MIT
 *
 * Tints are tags of the buffer and errors marks of it, so that both move with the text as it is
 * edited.
 */
#include "ui/source/source-tint.h"

#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"

#include "app/figure/palette.h"

#include <adwaita.h>
#include <string.h>

#define TINT_LIGHT    0.16 /* opacity of an op's colour behind its lines: text keeps its contrast */
#define TINT_DARK     0.18
#define CHOSEN        0.42f
#define MARK_CATEGORY "seamscope-error"
#define KEY_LINE      "seam-line"
#define MAX_ERRORS    6 /* number of shown errors: the first ones cause the others */

static const SeamPalette *
get_palette (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  return seam_palette_get (adw_style_manager_get_dark (style),
                           adw_style_manager_get_high_contrast (style));
}

void
seam_source_set_scheme (GtkSourceBuffer *buffer)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();
  GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
      manager, get_palette ()->dark ? "Adwaita-dark" : "Adwaita");

  if (scheme != NULL)
    gtk_source_buffer_set_style_scheme (buffer, scheme);
}

void
seam_source_set_language (GtkSourceBuffer *buffer, const SeamSource *source)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  GtkSourceLanguage *language = NULL;

  if (source != NULL) {
    const char *const *ids = seam_language_find (source->language)->highlights;

    for (int i = 0; language == NULL && i < 2 && ids[i] != NULL; i++)
      language = gtk_source_language_manager_get_language (manager, ids[i]);
  }
  gtk_source_buffer_set_language (buffer, language);
}

/* --- Tints --- */

static void
tint_line (GtkTextBuffer *buffer, int line, const SeamColor *color, double amount)
{
  const GdkRGBA tint = { (float)color->r, (float)color->g, (float)color->b, (float)amount };
  GtkTextTag *tag =
      gtk_text_buffer_create_tag (buffer, NULL, "paragraph-background-rgba", &tint, NULL);
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_line (buffer, &start, line);
  end = start;
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
}

static void
collect_tag_cb (GtkTextTag *tag, gpointer data)
{
  g_ptr_array_add (data, tag);
}

void
seam_source_clear_tint (GtkSourceBuffer *buffer)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (GTK_TEXT_BUFFER (buffer));
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();

  gtk_text_tag_table_foreach (table, collect_tag_cb, tags);
  for (guint i = 0; i < tags->len; i++) {
    gboolean ours = FALSE;
    /* Tags of the highlighting are not removed. */
    g_object_get (tags->pdata[i], "paragraph-background-set", &ours, NULL);
    if (ours)
      gtk_text_tag_table_remove (table, tags->pdata[i]);
  }
}

void
seam_source_tint (GtkSourceBuffer *buffer, const SeamSource *source, const char *text,
                  const SeamChain *chain, GtkLabel *legend)
{
  const SeamPalette *palette = get_palette ();
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree int *marks = NULL;
  gboolean seen[SEAM_MAX_OPS] = { FALSE };
  int n = 0;

  if (source != NULL) {
    SeamSource shown = *source;
    shown.text = (char *)text;
    marks = seam_source_mark_lines (&shown, chain, &n);
  }
  for (int i = 0; i < n; i++) {
    if (marks[i] < 0)
      continue;
    SeamOpKind kind = seam_op_get_kind (&chain->ops[marks[i]]);
    tint_line (GTK_TEXT_BUFFER (buffer), i, &palette->kinds[kind],
               palette->dark ? TINT_DARK : TINT_LIGHT);
    seen[marks[i]] = TRUE;
  }
  for (int op = 0; source != NULL && op < chain->n_ops; op++) {
    const SeamOp *which = &chain->ops[op];
    const SeamColor *color = &palette->kinds[seam_op_get_kind (which)];
    g_autofree char *name = g_markup_escape_text (which->label, -1);

    if (seen[op])
      g_string_append_printf (names, "%s<span color=\"#%02x%02x%02x\">■</span> %s",
                              names->len > 0 ? "   " : "", (guint)(255 * color->r),
                              (guint)(255 * color->g), (guint)(255 * color->b), name);
  }
  gtk_label_set_markup (legend, names->str);
  gtk_widget_set_visible (GTK_WIDGET (legend), names->len > 0);
}

/* --- Lines that belong together --- */

#define CHOSEN_TAG "seam-chosen"

void
seam_source_choose_lines (GtkTextView *view, const guint *lines, guint n)
{
  const SeamColor *color = &get_palette ()->selection;
  const GdkRGBA shade = { (float)color->r, (float)color->g, (float)color->b, CHOSEN };
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (buffer);
  GtkTextTag *tag = gtk_text_tag_table_lookup (table, CHOSEN_TAG);
  GtkTextIter start, end;

  /* Replaces the tag, so that it lies over the tints and has the current colours. */
  if (tag != NULL)
    gtk_text_tag_table_remove (table, tag);
  if (n == 0)
    return;
  tag = gtk_text_buffer_create_tag (buffer, CHOSEN_TAG, "paragraph-background-rgba", &shade, NULL);
  /* Adjacent lines are marked together. */
  for (guint i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && lines[next] == lines[next - 1] + 1;)
      next++;
    gtk_text_buffer_get_iter_at_line (buffer, &start, (int)lines[i]);
    gtk_text_buffer_get_iter_at_line (buffer, &end, (int)lines[next - 1]);
    gtk_text_iter_forward_line (&end);
    gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
  }
}

/* --- Errors --- */

void
seam_source_go_to_line (GtkTextView *view, int line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter at;

  if (line <= 0)
    return;
  gtk_text_buffer_get_iter_at_line (buffer, &at, line - 1);
  gtk_text_buffer_place_cursor (buffer, &at);
  gtk_text_view_scroll_to_iter (view, &at, 0, TRUE, 0, 0.3);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, GtkTextView *view)
{
  seam_source_go_to_line (view, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), KEY_LINE)));
}

void
seam_source_prepare_errors (GtkSourceView *view, GtkListBox *list)
{
  g_autoptr (GtkSourceMarkAttributes) attributes = gtk_source_mark_attributes_new ();
  const GdkRGBA red = { 0.88f, 0.11f, 0.14f, 0.22f };

  gtk_source_mark_attributes_set_icon_name (attributes, "dialog-error-symbolic");
  gtk_source_mark_attributes_set_background (attributes, &red);
  gtk_source_view_set_mark_attributes (view, MARK_CATEGORY, attributes, 1);
  g_signal_connect_object (list, "row-activated", G_CALLBACK (row_activated_cb), view, 0);
}

static char *
format_error (const SeamDiagnostic *diagnostic)
{
  const char *kind = diagnostic->is_error ? "error" : "warning";

  return diagnostic->line > 0
             ? g_strdup_printf ("Line %d: %s: %s", diagnostic->line, kind, diagnostic->text)
             : g_strdup_printf ("%s: %s", kind, diagnostic->text);
}

static GtkWidget *
make_row (const SeamDiagnostic *diagnostic)
{
  g_autofree char *text = format_error (diagnostic);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                              seam_label_new (text, NULL, SEAM_LABEL_WRAPS));
  g_object_set_data (G_OBJECT (row), KEY_LINE, GINT_TO_POINTER (diagnostic->line));
  seam_list_row_set_texts (row, text, NULL);
  return row;
}

static void
show_marks (GtkSourceView *view, GPtrArray *diagnostics, guint n)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end, at;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (buffer), &start, &end, MARK_CATEGORY);
  for (guint i = 0; i < n; i++) {
    const SeamDiagnostic *diagnostic = diagnostics->pdata[i];
    if (diagnostic->line <= 0 || !diagnostic->is_error)
      continue;
    gtk_text_buffer_get_iter_at_line (buffer, &at, diagnostic->line - 1);
    gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (buffer), NULL, MARK_CATEGORY, &at);
  }
}

void
seam_source_show_errors (GtkSourceView *view, GtkListBox *list, GPtrArray *diagnostics)
{
  guint n = diagnostics != NULL ? MIN (diagnostics->len, MAX_ERRORS) : 0;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  show_marks (view, diagnostics, n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, g_object_ref_sink (make_row (diagnostics->pdata[i])));
  seam_list_rows_fill (list, rows);
  gtk_source_view_set_show_line_marks (view, n > 0);
  gtk_widget_set_visible (GTK_WIDGET (list), n > 0);
}
