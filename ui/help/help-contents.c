/* SPDX-License-Identifier: MIT */
#include "ui/help/help-contents.h"

#include "ui/class/class.h"

#include <string.h>

#define NEAR_ENOUGH 2 /* letters between a word that is not found and a word that may be meant */
#define SHORTEST    4 /* shortest word, in letters, for which another one is proposed */

struct _SeamHelpContents {
  GtkBox parent_instance;

  const GPtrArray *pages; /* of SeamHelpPage */
  const SeamHelpPage *page;
  GtkSearchEntry *entry;
  GtkLabel *found;
  GtkListBox *list;
  GHashTable *n_hits; /* SeamHelpPage: number of sections */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SeamHelpContents, seam_help_contents, GTK_TYPE_BOX)

/* --- Proposal for a word that is not found --- */

/* Number of letters to change, add or leave out to turn one word into the other; both are short. */
static int
measure_distance (const char *a, const char *b)
{
  gsize n = strlen (b);
  g_autofree int *row = g_new (int, n + 1);

  for (gsize j = 0; j <= n; j++)
    row[j] = (int)j;
  for (gsize i = 1; a[i - 1] != '\0'; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (gsize j = 1; j <= n; j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = MIN (change, MIN (row[j], row[j - 1]) + 1);
    }
  }
  return row[n];
}

/* Twice the distance; of words at the same distance, one of another length is further: letters are
 * swapped more often than two are missing. */
static int
measure_doubt (const char *typed, const char *word)
{
  return 2 * measure_distance (typed, word) + (strlen (typed) != strlen (word));
}

/* The most similar word of all pages, newly allocated, or NULL. */
static char *
find_meant (SeamHelpContents *self, const char *text)
{
  g_autofree char *word = g_utf8_strdown (text, -1);
  char *nearest = NULL;
  int best = 2 * (NEAR_ENOUGH + 1);

  if (strlen (word) < SHORTEST || strchr (word, ' ') != NULL)
    return NULL;
  for (guint i = 0; i < self->pages->len; i++) {
    const SeamHelpPage *page = self->pages->pdata[i];
    for (guint k = 0; k < page->sections->len; k++) {
      const SeamHelpSection *section = page->sections->pdata[k];
      g_autofree char *lower = g_utf8_strdown (section->words, -1);
      g_auto (GStrv) words = g_strsplit_set (lower, " ,.;:()“”|", -1);
      for (int w = 0; words[w] != NULL; w++) {
        int doubt = strlen (words[w]) >= SHORTEST ? measure_doubt (word, words[w]) : best;
        if (doubt < best) {
          best = doubt;
          g_free (nearest);
          nearest = g_strdup (words[w]);
        }
      }
    }
  }
  return nearest;
}

/* --- The list --- */

static GtkWidget *
make_row (const char *title, char *address, guint n_hits, gboolean is_section)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (title);
  g_autofree char *number = g_strdup_printf ("%u", n_hits);
  g_autofree char *name = n_hits > 0 ? g_strdup_printf ("%s, found in %u %s", title, n_hits,
                                                        n_hits == 1 ? "section" : "sections")
                                     : g_strdup (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (n_hits > 0) {
    GtkWidget *badge = gtk_label_new (number);
    gtk_widget_add_css_class (badge, "help-badge");
    gtk_box_append (GTK_BOX (box), badge);
  }
  gtk_widget_set_margin_start (box, is_section ? 14 : 0);
  if (is_section)
    gtk_widget_add_css_class (label, "small-text");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (row), "address", address, g_free);
  return row;
}

static void
fill (SeamHelpContents *self)
{
  GtkWidget *child;

  self->filling = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; i < self->pages->len; i++) {
    const SeamHelpPage *page = self->pages->pdata[i];
    GtkWidget *row = make_row (page->title, g_strdup (page->topic),
                               GPOINTER_TO_UINT (g_hash_table_lookup (self->n_hits, page)), FALSE);

    gtk_list_box_append (self->list, row);
    if (page != self->page)
      continue;
    gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (row));
    for (guint k = 0; k < page->sections->len; k++) {
      const SeamHelpSection *section = page->sections->pdata[k];
      if (section->level == 2)
        gtk_list_box_append (self->list,
                             make_row (section->title,
                                       g_strdup_printf ("%s#%s", page->topic, section->anchor), 0,
                                       TRUE));
    }
  }
  self->filling = FALSE;
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, SeamHelpContents *self)
{
  /* The row is freed when the page changes, so its address is copied. */
  g_autofree char *address = g_strdup (g_object_get_data (G_OBJECT (row), "address"));

  if (!self->filling)
    g_signal_emit_by_name (self, "go", address);
}

/* --- Searching --- */

static char *
describe_hits (SeamHelpContents *self, const char *text, guint n_hits)
{
  guint n_pages = g_hash_table_size (self->n_hits);
  g_autofree char *meant = n_hits == 0 ? find_meant (self, text) : NULL;

  if (n_hits > 0)
    return g_strdup_printf ("%u %s in %u %s", n_hits, n_hits == 1 ? "section" : "sections", n_pages,
                            n_pages == 1 ? "page" : "pages");
  return meant != NULL ? g_strdup_printf ("Nothing about “%s”. Did you mean “%s”?", text, meant)
                       : g_strdup_printf ("Nothing about “%s”.", text);
}

static void
search_changed_cb (GtkSearchEntry *entry, SeamHelpContents *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  g_autoptr (GPtrArray) hits = text[0] != '\0' ? seam_help_search (self->pages, text) : NULL;
  g_autofree char *words = NULL;
  const SeamHelpPage *first = NULL;

  g_hash_table_remove_all (self->n_hits);
  for (guint i = 0; hits != NULL && i < hits->len; i++) {
    const SeamHelpHit *hit = hits->pdata[i];
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->n_hits, hit->page));
    g_hash_table_insert (self->n_hits, (gpointer)hit->page, GUINT_TO_POINTER (n + 1));
    if (first == NULL)
      first = hit->page;
  }
  words = hits != NULL ? describe_hits (self, text, hits->len) : NULL;
  gtk_label_set_text (self->found, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->found), words != NULL);
  g_signal_emit_by_name (self, "search", text);
  /* Goes to the first page with the word, unless the current page has it. */
  if (first != NULL && g_hash_table_lookup (self->n_hits, self->page) == NULL)
    g_signal_emit_by_name (self, "go", first->topic);
  else
    fill (self);
}

static void
stop_search_cb (GtkSearchEntry *entry)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
}

void
seam_help_contents_set_page (SeamHelpContents *self, const SeamHelpPage *page)
{
  self->page = page;
  fill (self);
}

void
seam_help_contents_focus_search (SeamHelpContents *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

void
seam_help_contents_capture_keys (SeamHelpContents *self, GtkWidget *window)
{
  gtk_search_entry_set_key_capture_widget (self->entry, window);
}

static void
seam_help_contents_class_init (SeamHelpContentsClass *klass)
{
  SEAM_OWNS (klass, SeamHelpContents, g_hash_table_unref, n_hits);
  seam_signals_install (klass, G_TYPE_STRING, "go search");
}

static void
seam_help_contents_init (SeamHelpContents *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->n_hits = g_hash_table_new (NULL, NULL);
  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  self->found = GTK_LABEL (gtk_label_new (NULL));
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_widget_add_css_class (GTK_WIDGET (self), "help-contents");
  gtk_widget_set_size_request (GTK_WIDGET (self), 260, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Search the help", -1);
  g_object_set (self->entry, "placeholder-text", "Search the help", NULL);
  gtk_label_set_xalign (self->found, 0);
  gtk_label_set_wrap (self->found, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->found), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->found), "small-text");
  gtk_widget_set_visible (GTK_WIDGET (self->found), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Contents", -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->entry));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->found));
  gtk_box_append (GTK_BOX (self), scrolled);
  g_signal_connect (self->entry, "search-changed", G_CALLBACK (search_changed_cb), self);
  g_signal_connect (self->entry, "stop-search", G_CALLBACK (stop_search_cb), NULL);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
}

GtkWidget *
seam_help_contents_new (const GPtrArray *pages)
{
  SeamHelpContents *self = g_object_new (SEAM_TYPE_HELP_CONTENTS, NULL);

  self->pages = pages;
  fill (self);
  return GTK_WIDGET (self);
}
