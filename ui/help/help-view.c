/* SPDX-License-Identifier: MIT */
#include "ui/help/help-view.h"

#include "ui/class/class.h"
#include "ui/help/help-markup.h"
#include "ui/widgets/gtk-repairs.h"

#include <string.h>

#define BLOCK_SPACING 12
#define PICTURE_MAX   420 /* px: taller pictures are scaled down */

struct _SeamHelpView {
  GtkBox parent_instance;

  char *folder, *sought;
  GHashTable *headings; /* anchor → widget, borrowed */
  GPtrArray *marks;     /* GtkWidget, borrowed: the label of each sought word */
};

G_DEFINE_FINAL_TYPE (SeamHelpView, seam_help_view, GTK_TYPE_BOX)

static void append_blocks (SeamHelpView *self, GtkBox *box, const SeamMarkdown *node);

/* --- Text --- */

static gboolean
activate_link_cb (GtkLabel *label, const char *address, SeamHelpView *self)
{
  g_signal_emit_by_name (self, "follow", address);
  return TRUE;
}

/* Makes a label of `markup`, which it takes, with that many sought words. */
static GtkWidget *
make_label (SeamHelpView *self, char *markup, guint n_marks, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* Tab moves from link to link, not from paragraph to paragraph. */
  if (strstr (markup, "<a ") == NULL)
    gtk_widget_set_focusable (label, FALSE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  g_signal_connect_object (label, "activate-link", G_CALLBACK (activate_link_cb), self, 0);
  for (guint i = 0; i < n_marks; i++)
    g_ptr_array_add (self->marks, label);
  g_free (markup);
  return label;
}

static GtkWidget *
make_inline_label (SeamHelpView *self, const SeamMarkdown *node, const char *css_class)
{
  guint n_marks = 0;
  char *markup = seam_help_markup_make (node, self->sought, &n_marks);

  return make_label (self, markup, n_marks, css_class);
}

/* --- Blocks --- */

static GtkWidget *
make_heading (SeamHelpView *self, const SeamMarkdown *node)
{
  static const char *const classes[] = { "title-1", "title-3", "heading" };
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING,
                                   "wrap", TRUE, "xalign", 0.0f, NULL);
  guint n_marks = 0;
  g_autofree char *markup = seam_help_markup_make (node, self->sought, &n_marks);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_widget_add_css_class (label, classes[CLAMP (node->level, 1, 3) - 1]);
  gtk_widget_set_margin_top (label, node->level > 1 ? BLOCK_SPACING : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                  node->level, -1);
  for (guint i = 0; i < n_marks; i++)
    g_ptr_array_add (self->marks, label);
  if (node->text != NULL)
    g_hash_table_insert (self->headings, g_strdup (node->text), label);
  return label;
}

static void
copy_cb (GtkButton *button, const char *code)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), code);
}

static GtkWidget *
make_code (SeamHelpView *self, const SeamMarkdown *node)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  char *code = g_strchomp (g_strdup (node->text));
  guint n_marks = 0;
  char *markup = seam_help_markup_escape (code, self->sought, &n_marks);
  GtkWidget *label = make_label (self, markup, n_marks, "monospace");

  /* Lines of code are not wrapped. */
  gtk_label_set_wrap (GTK_LABEL (label), FALSE);
  seam_gtk_scroll_across (GTK_SCROLLED_WINDOW (scrolled), 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_add_css_class (box, "help-code");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (button, "Copy");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Copy these lines", -1);
  g_signal_connect_data (button, "clicked", G_CALLBACK (copy_cb), code,
                         (GClosureNotify)(GCallback)g_free, 0);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

static GtkWidget *
make_list (SeamHelpView *self, const SeamMarkdown *node)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (guint i = 0; i < node->children->len; i++) {
    g_autofree char *number =
        node->number > 0 ? g_strdup_printf ("%d.", node->number + (int)i) : g_strdup ("•");
    GtkWidget *bullet = gtk_label_new (number);
    GtkWidget *item = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

    gtk_widget_set_valign (bullet, GTK_ALIGN_START);
    gtk_label_set_xalign (GTK_LABEL (bullet), 1);
    gtk_widget_set_margin_start (bullet, 10);
    append_blocks (self, GTK_BOX (item), seam_markdown_get_child (node, i));
    gtk_widget_set_hexpand (item, TRUE);
    gtk_grid_attach (GTK_GRID (grid), bullet, 0, (int)i, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), item, 1, (int)i, 1, 1);
  }
  return grid;
}

static GtkWidget *
make_cell (SeamHelpView *self, const SeamMarkdown *node, gboolean is_header)
{
  static const float aligns[] = {
    [SEAM_MARKDOWN_LEFT] = 0, [SEAM_MARKDOWN_CENTER] = 0.5f, [SEAM_MARKDOWN_RIGHT] = 1
  };
  GtkWidget *label = make_inline_label (self, node, is_header ? "help-header" : "help-cell");

  gtk_label_set_xalign (GTK_LABEL (label), aligns[node->number]);
  gtk_label_set_width_chars (GTK_LABEL (label), 4);
  gtk_widget_set_valign (label, GTK_ALIGN_FILL);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  return label;
}

static GtkWidget *
make_table (SeamHelpView *self, const SeamMarkdown *node)
{
  GtkWidget *grid =
      g_object_new (GTK_TYPE_GRID, "accessible-role", GTK_ACCESSIBLE_ROLE_TABLE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  g_autofree char *titles = seam_markdown_get_words (seam_markdown_get_child (node, 0));

  gtk_widget_add_css_class (grid, "help-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, titles, -1);
  for (guint i = 0; i < node->children->len; i++) {
    const SeamMarkdown *row = seam_markdown_get_child (node, i);
    for (guint k = 0; k < row->children->len; k++)
      gtk_grid_attach (GTK_GRID (grid), make_cell (self, seam_markdown_get_child (row, k), i == 0),
                       (int)k, (int)i, 1, 1);
  }
  seam_gtk_scroll_across (GTK_SCROLLED_WINDOW (scrolled), 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  return scrolled;
}

static GtkWidget *
make_quote (SeamHelpView *self, const SeamMarkdown *node)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-information-symbolic");
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (box, "help-note");
  append_blocks (self, GTK_BOX (content), node);
  gtk_widget_set_hexpand (content, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), content);
  return box;
}

/* A picture from the page's folder; without the file, its description takes its place. */
static GtkWidget *
make_picture (SeamHelpView *self, const SeamMarkdown *node)
{
  g_autofree char *path = g_build_filename (self->folder, node->address, NULL);
  g_autofree char *words = seam_markdown_get_words (node);
  GtkWidget *picture;

  if (strstr (node->address, "://") != NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return make_label (self, g_markup_escape_text (words, -1), 0, "dim-label");
  picture = gtk_picture_new_for_filename (path);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), words);
  gtk_widget_set_size_request (picture, -1, PICTURE_MAX);
  gtk_widget_set_tooltip_text (picture, words);
  return picture;
}

static GtkWidget *
make_paragraph (SeamHelpView *self, const SeamMarkdown *node)
{
  const SeamMarkdown *only = node->children->len == 1 ? seam_markdown_get_child (node, 0) : NULL;

  GtkWidget *label;

  if (only != NULL && only->kind == SEAM_MARKDOWN_IMAGE)
    return make_picture (self, only);
  label = make_inline_label (self, node, NULL);
  /* A term of the glossary has an anchor of its name. */
  if (node->children->len > 0 && seam_markdown_get_child (node, 0)->kind == SEAM_MARKDOWN_STRONG) {
    g_autofree char *words = seam_markdown_get_words (seam_markdown_get_child (node, 0));
    char *anchor = g_ascii_strdown (words, -1);
    g_hash_table_insert (self->headings, g_strdelimit (anchor, " ", '-'), label);
  }
  return label;
}

static GtkWidget *
make_block (SeamHelpView *self, const SeamMarkdown *node)
{
  switch (node->kind) {
  case SEAM_MARKDOWN_HEADING:
    return make_heading (self, node);
  case SEAM_MARKDOWN_CODE_BLOCK:
    return make_code (self, node);
  case SEAM_MARKDOWN_LIST:
    return make_list (self, node);
  case SEAM_MARKDOWN_TABLE:
    return make_table (self, node);
  case SEAM_MARKDOWN_QUOTE:
    return make_quote (self, node);
  case SEAM_MARKDOWN_RULE:
    return gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  default:
    return make_paragraph (self, node);
  }
}

static void
append_blocks (SeamHelpView *self, GtkBox *box, const SeamMarkdown *node)
{
  for (guint i = 0; i < node->children->len; i++)
    gtk_box_append (box, make_block (self, seam_markdown_get_child (node, i)));
}

/* --- The page --- */

void
seam_help_view_show (SeamHelpView *self, const SeamMarkdown *tree, const char *folder,
                     const char *sought)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->marks, 0);
  g_hash_table_remove_all (self->headings);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), child);
  g_free (self->folder);
  g_free (self->sought);
  self->folder = g_strdup (folder);
  self->sought = sought != NULL ? g_strstrip (g_strdup (sought)) : NULL;
  append_blocks (self, GTK_BOX (self), tree);
}

GtkWidget *
seam_help_view_find_heading (SeamHelpView *self, const char *anchor)
{
  return g_hash_table_lookup (self->headings, anchor);
}

guint
seam_help_view_get_n_marks (SeamHelpView *self)
{
  return self->marks->len;
}

GtkWidget *
seam_help_view_get_mark (SeamHelpView *self, guint i)
{
  return i < self->marks->len ? self->marks->pdata[i] : NULL;
}

static void
seam_help_view_class_init (SeamHelpViewClass *klass)
{
  SEAM_OWNS (klass, SeamHelpView, g_free, folder, sought);
  SEAM_OWNS (klass, SeamHelpView, g_hash_table_unref, headings);
  SEAM_OWNS (klass, SeamHelpView, g_ptr_array_unref, marks);
  seam_signals_install (klass, G_TYPE_STRING, "follow");
}

static void
seam_help_view_init (SeamHelpView *self)
{
  self->headings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->marks = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), BLOCK_SPACING);
  gtk_widget_add_css_class (GTK_WIDGET (self), "help-page");
}

GtkWidget *
seam_help_view_new (void)
{
  return g_object_new (SEAM_TYPE_HELP_VIEW, NULL);
}
