/* SPDX-License-Identifier: MIT
 *
 * A drop-down of the searches of one kind in the open file. A search's name says how it differs
 * from the others.
 */
#include "ui/search/search-choice.h"

#include "ui/class/class.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"

#define NAME_CHARS 34 /* the line also holds other widgets */

struct _SeamSearchChoice {
  AdwBin parent_instance;

  SeamSessionFile *file;
  SeamSearchKind kind;
  GtkDropDown *drop_down;
  char *listed; /* names in the drop-down, one on each line */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SeamSearchChoice, seam_search_choice, ADW_TYPE_BIN)

static gboolean
differs (GPtrArray *searches, const char *key)
{
  for (guint i = 1; i < searches->len; i++)
    if (g_strcmp0 (seam_session_search_get_text (searches->pdata[0], key),
                   seam_session_search_get_text (searches->pdata[i], key))
        != 0)
      return TRUE;
  return FALSE;
}

/* "2: TF32, over batch". */
static char *
name_search (GPtrArray *searches, guint i)
{
  static const struct {
    const char *key, *before;
  } parts[] = {
    { "pipeline", "" },
    { "varied", "over " },
    { "math_mode", "" },
    { "measured_at", "" },
  };
  const SeamSessionSearch *search = searches->pdata[i];
  const char *note = seam_session_search_get_note (search);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%u:", i + 1);
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++) {
    const char *part = seam_session_search_get_text (search, parts[k].key);

    /* The time of the measurement is shown only if nothing else differs. */
    if (part != NULL && differs (searches, parts[k].key)
        && (k + 1 < G_N_ELEMENTS (parts) || g_str_has_suffix (text->str, ":")))
      g_string_append_printf (text, "%s %s%s", g_str_has_suffix (text->str, ":") ? "" : ",",
                              parts[k].before, part);
  }
  if (note != NULL) {
    g_autofree char *shown = seam_text_show (note);
    g_string_append_printf (text, " %s", shown);
  }
  return g_string_free (text, FALSE);
}

static void
update (SeamSearchChoice *self)
{
  g_autoptr (GPtrArray) searches = seam_session_file_list_searches (self->file, self->kind);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  int shown = seam_session_file_get_search (self->file, self->kind);

  for (guint i = 0; i < searches->len; i++) {
    g_autofree char *name = name_search (searches, i);

    gtk_string_list_append (names, name);
    g_string_append_printf (lines, "%s\n", name);
  }
  self->filling = TRUE;
  /* The person may be choosing from the list right now: an unchanged list must not be rebuilt. */
  if (g_strcmp0 (lines->str, self->listed) != 0) {
    g_free (self->listed);
    self->listed = g_strdup (lines->str);
    gtk_drop_down_set_model (self->drop_down, G_LIST_MODEL (names));
  }
  if (shown >= 0)
    gtk_drop_down_set_selected (self->drop_down, (guint)shown);
  self->filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), searches->len > 1 && shown >= 0);
}

static void
selected_cb (SeamSearchChoice *self)
{
  guint selected = gtk_drop_down_get_selected (self->drop_down);

  if (!self->filling && self->file != NULL && selected != GTK_INVALID_LIST_POSITION)
    seam_session_file_show_search (self->file, self->kind, (int)selected);
}

void
seam_search_choice_set_file (SeamSearchChoice *self, SeamSessionFile *file, SeamSearchKind kind)
{
  g_return_if_fail (self->file == NULL);
  self->file = g_object_ref (file);
  self->kind = kind;
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
      kind == SEAM_SEARCH_SWEEP ? "Sweep of the session" : "Exploration of the session", -1);
  g_signal_connect_object (file, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
seam_search_choice_class_init (SeamSearchChoiceClass *klass)
{
  SEAM_OWNS (klass, SeamSearchChoice, g_object_unref, file);
  SEAM_OWNS (klass, SeamSearchChoice, g_free, listed);
}

/* The button shortens a name; the list shows all of it. */
static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));

  gtk_label_set_text (label, gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = seam_label_new (NULL, NULL, SEAM_LABEL_SHORTENS);

  gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS / 2);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_list_item_set_child (item, label);
}

static void
seam_search_choice_init (SeamSearchChoice *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->drop_down = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_drop_down_set_factory (self->drop_down, factory);
  gtk_widget_set_valign (GTK_WIDGET (self->drop_down), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->drop_down), "Which one of the session is shown");
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->drop_down));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
