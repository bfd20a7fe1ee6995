/* SPDX-License-Identifier: MIT */
#include "ui/sidebar/history-panel.h"

#include "app/base/text.h"
#include "ui/class/class.h"
#include "ui/state/watch.h"
#include "ui/widgets/label.h"

#include <string.h>

#define MAX_ROWS 100

struct _SeamHistoryPanel {
  AdwBin parent_instance;

  SeamHistoryList *list;
  GtkListBox *rows;
  GtkLabel *room;
};

G_DEFINE_FINAL_TYPE (SeamHistoryPanel, seam_history_panel, ADW_TYPE_BIN)

/* --- A row --- */

static void
append_item (GMenu *menu, const char *label, const char *action, gint64 id)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "x", id);
  g_menu_append_item (menu, item);
}

static GMenu *
make_menu (const SeamHistoryEntry *entry)
{
  GMenu *menu = g_menu_new ();

  append_item (menu, "Show", "win.history-open", entry->id);
  if (entry->kind == SEAM_ENTRY_RUN || entry->kind == SEAM_ENTRY_LAB)
    append_item (menu, "Compare with what is shown", "win.compare-entry", entry->id);
  append_item (menu, entry->pinned ? "Unpin" : "Pin", "win.history-pin", entry->id);
  append_item (menu, "Name…", "win.history-name", entry->id);
  append_item (menu, "Remove", "win.history-remove", entry->id);
  return menu;
}

static void
unparent_later_cb (gpointer popover)
{
  gtk_widget_unparent (popover);
  g_object_unref (popover);
}

/* The chosen action is activated after this. */
static void
closed_cb (GtkWidget *popover)
{
  g_idle_add_once (unparent_later_cb, g_object_ref (popover));
}

static void
show_menu (SeamHistoryPanel *self, GtkWidget *row)
{
  const gint64 *id = g_object_get_data (G_OBJECT (row), "id");
  const SeamHistoryEntry *entry = seam_history_list_find (self->list, *id);
  GtkWidget *popover;

  if (entry == NULL)
    return;
  g_autoptr (GMenu) menu = make_menu (entry);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (popover, row);
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (row, "destroy", G_CALLBACK (gtk_widget_unparent), popover,
                           G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static SeamHistoryPanel *
find_panel (GtkWidget *row)
{
  return SEAM_HISTORY_PANEL (gtk_widget_get_ancestor (row, SEAM_TYPE_HISTORY_PANEL));
}

static void
menu_clicked_cb (GtkButton *button, GtkWidget *row)
{
  show_menu (find_panel (row), row);
}

static void
pressed_cb (GtkGestureClick *click, int n, double x, double y, GtkWidget *row)
{
  show_menu (find_panel (row), row);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        GtkWidget *row)
{
  const gint64 *id = g_object_get_data (G_OBJECT (row), "id");

  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
    show_menu (find_panel (row), row);
  else if (key == GDK_KEY_Delete)
    gtk_widget_activate_action (row, "win.history-remove", "x", *id);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static GtkWidget *
make_label (const char *text, const char *classes, PangoEllipsizeMode mode)
{
  GtkWidget *label = seam_label_new (text, classes, 0);

  gtk_label_set_ellipsize (GTK_LABEL (label), mode);
  return label;
}

/* The whole entry in words, for the tooltip and assistive technologies. */
static char *
describe (SeamHistoryList *list, const SeamHistoryEntry *entry)
{
  g_autofree char *name = seam_history_list_describe (entry);
  g_autofree char *outcome = seam_history_entry_describe (entry);
  GString *text = g_string_new (name);

  g_string_append_printf (text, ": %s", outcome);
  if (entry->name != NULL) {
    g_autofree char *time = seam_text_when (entry->ended_at);
    g_string_append_printf (text, "\n%s%s%s", entry->pipeline != NULL ? entry->pipeline : "",
                            entry->pipeline != NULL ? ", " : "", time);
  }
  g_string_append_printf (text, "\n%s", entry->detail);
  if (entry->device != NULL)
    g_string_append_printf (text, "\n%s", entry->device);
  if (seam_history_list_is_lost (list, entry->id))
    g_string_append (text, "\nNot on the disk: save it before you close the window");
  else if (entry->pinned)
    g_string_append (text, "\nPinned: it is never removed to make room");
  return g_string_free (text, FALSE);
}

/* All that a row shows; a row with the same look need not be made again. */
static char *
describe_look (SeamHistoryPanel *self, const SeamHistoryEntry *entry)
{
  g_autofree char *time = seam_text_when (entry->ended_at);
  g_autofree char *words = describe (self->list, entry);

  return g_strdup_printf ("%s\n%s\n%s\n%d%d", time, words,
                          entry->pipeline != NULL ? entry->pipeline : "", entry->pinned,
                          entry->wrong);
}

static GtkWidget *
make_row (SeamHistoryPanel *self, const SeamHistoryEntry *entry)
{
  GtkWidget *row = gtk_list_box_row_new (), *grid = gtk_grid_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("view-more-symbolic");
  GtkEventController *click = GTK_EVENT_CONTROLLER (gtk_gesture_click_new ());
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autofree char *time = seam_text_when (entry->ended_at);
  g_autofree char *words = describe (self->list, entry);
  g_autofree char *title = seam_history_list_describe (entry);
  g_autofree char *menu_name = g_strdup_printf ("Menu of %s", title);
  g_autofree char *second = g_strdup_printf (
      "%s%s%s", entry->name != NULL ? entry->name : "", entry->name != NULL ? " · " : "",
      entry->pipeline != NULL ? entry->pipeline : entry->detail);
  g_autofree char *found = seam_history_entry_describe (entry);
  GtkWidget *outcome = make_label (found, "pipeline-name", PANGO_ELLIPSIZE_END);
  GtkWidget *when = make_label (time, "note", PANGO_ELLIPSIZE_NONE);
  GtkWidget *what = make_label (second, "note", PANGO_ELLIPSIZE_MIDDLE);
  /* Tells two runs of one pipeline apart. */
  GtkWidget *detail =
      entry->pipeline != NULL ? make_label (entry->detail, "note", PANGO_ELLIPSIZE_END) : NULL;
  gint64 *id = g_new (gint64, 1);

  *id = entry->id;
  g_object_set_data_full (G_OBJECT (row), "id", id, g_free);
  g_object_set_data_full (G_OBJECT (row), "look", describe_look (self, entry), g_free);
  /* The row's own name says all of it. */
  gtk_accessible_update_state (GTK_ACCESSIBLE (outcome), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (when), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (what), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_widget_add_css_class (when, "dim-label");
  gtk_widget_add_css_class (what, "dim-label");
  if (entry->wrong || seam_history_list_is_lost (self->list, entry->id))
    gtk_widget_add_css_class (outcome, "error");
  gtk_widget_set_hexpand (outcome, TRUE);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "small-button");
  gtk_widget_add_css_class (button, "dim-label");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  /* The list is one stop of the Tab key: the Menu key opens the menu of a row. */
  gtk_widget_set_focusable (button, FALSE);
  gtk_widget_set_tooltip_text (button, "Compare, pin, name or remove (Menu key or Shift+F10)");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, menu_name,
                                  -1);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_attach (GTK_GRID (grid), outcome, 0, 0, 1, 1);
  if (entry->pinned) {
    GtkWidget *pin = gtk_image_new_from_icon_name ("view-pin-symbolic");
    gtk_widget_add_css_class (pin, "dim-label");
    gtk_grid_attach (GTK_GRID (grid), pin, 1, 0, 1, 1);
  }
  gtk_grid_attach (GTK_GRID (grid), when, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), what, 0, 1, 3, 1);
  if (detail != NULL) {
    gtk_accessible_update_state (GTK_ACCESSIBLE (detail), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
    gtk_widget_add_css_class (detail, "dim-label");
    gtk_grid_attach (GTK_GRID (grid), detail, 0, 2, 3, 1);
  }
  gtk_grid_attach (GTK_GRID (grid), button, 3, 0, 1, detail != NULL ? 3 : 2);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  gtk_widget_set_tooltip_text (row, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), row);
  gtk_widget_add_controller (row, click);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), row);
  gtk_widget_add_controller (row, keys);
  g_signal_connect (button, "clicked", G_CALLBACK (menu_clicked_cb), row);
  return row;
}

/* --- The list --- */

static void
show_room (SeamHistoryPanel *self, GPtrArray *entries)
{
  g_autofree char *room = seam_history_format_room (entries);
  g_autofree char *text = entries->len > MAX_ROWS ? g_strdup_printf ("The newest %d of %u, %s",
                                                                     MAX_ROWS, entries->len, room)
                                                  : g_strdup (room);

  gtk_label_set_text (self->room, text);
}

/* The entries that have a row, the pinned ones first. */
static GPtrArray *
choose_entries (GPtrArray *entries)
{
  GPtrArray *chosen = g_ptr_array_new ();

  for (int pinned = 1; pinned >= 0; pinned--)
    for (guint i = 0; i < entries->len && chosen->len < MAX_ROWS; i++) {
      SeamHistoryEntry *entry = entries->pdata[i];
      if (entry->pinned == (pinned == 1))
        g_ptr_array_add (chosen, entry);
    }
  return chosen;
}

/* The rows that still show what they are about, by id; the others are removed. The focus is on
 * entry `focused` if it was on one of these. */
static GHashTable *
sort_out_rows (SeamHistoryPanel *self, GPtrArray *chosen, gint64 *focused)
{
  GHashTable *rows = g_hash_table_new (g_int64_hash, g_int64_equal);
  GHashTable *looks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  GtkWidget *next;

  for (guint i = 0; i < chosen->len; i++) {
    SeamHistoryEntry *entry = chosen->pdata[i];
    g_hash_table_insert (looks, &entry->id, describe_look (self, entry));
  }
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows)); row != NULL;
       row = next) {
    gint64 *id = g_object_get_data (G_OBJECT (row), "id");
    const char *look = g_object_get_data (G_OBJECT (row), "look");

    next = gtk_widget_get_next_sibling (row);
    if (g_strcmp0 (look, g_hash_table_lookup (looks, id)) == 0) {
      g_hash_table_insert (rows, id, row);
    } else {
      if (gtk_widget_get_focus_child (GTK_WIDGET (self->rows)) == row)
        *focused = *id;
      gtk_list_box_remove (self->rows, row);
    }
  }
  g_hash_table_unref (looks);
  return rows;
}

/* Moves `row` to place `index`, or adds it there. */
static void
place_row (SeamHistoryPanel *self, GtkWidget *row, int index)
{
  if (gtk_widget_get_parent (row) != NULL
      && gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) == index)
    return;
  g_object_ref_sink (row);
  if (gtk_widget_get_parent (row) != NULL)
    gtk_list_box_remove (self->rows, row);
  gtk_list_box_insert (self->rows, row, index);
  g_object_unref (row);
}

/* Another window may add an entry at any time, so the rows that stay the same also stay in place:
 * an open menu, the focus and the part that is scrolled to are not lost. */
static void
update (SeamHistoryPanel *self)
{
  GPtrArray *entries = seam_history_list_get (self->list);
  g_autoptr (GPtrArray) chosen = choose_entries (entries);
  gint64 focused = 0;
  g_autoptr (GHashTable) rows = sort_out_rows (self, chosen, &focused);

  for (guint i = 0; i < chosen->len; i++) {
    SeamHistoryEntry *entry = chosen->pdata[i];
    GtkWidget *row = g_hash_table_lookup (rows, &entry->id);

    if (row == NULL)
      row = make_row (self, entry);
    place_row (self, row, (int)i);
    if (focused != 0 && entry->id == focused)
      gtk_widget_grab_focus (row);
  }
  show_room (self, entries);
  gtk_widget_set_visible (GTK_WIDGET (self), entries->len > 0);
}

static void
row_activated_cb (GtkListBox *rows, GtkListBoxRow *row, SeamHistoryPanel *self)
{
  const gint64 *id = g_object_get_data (G_OBJECT (row), "id");

  gtk_widget_activate_action (GTK_WIDGET (self), "win.history-open", "x", *id);
}

char *
seam_history_panel_describe_pipeline (SeamHistoryList *list, const SeamPipeline *pipeline,
                                      char **words)
{
  const SeamHistoryEntry *entry = seam_history_list_find_run (list, pipeline);

  if (entry == NULL)
    return NULL;
  const char *times = entry->outcome != NULL ? strstr (entry->outcome, "×") : NULL;
  gboolean unsaved = seam_history_list_is_fresh (list, entry->id) && !entry->saved;
  g_autofree char *time = seam_text_when (entry->ended_at);
  g_autofree char *outcome = seam_history_entry_describe (entry);

  *words = g_strdup_printf ("Last run, %s: %s%s", time, outcome,
                            unsaved ? "; no session file holds it" : "");
  if (entry->wrong || times == NULL)
    return g_strdup_printf ("%s%s", entry->wrong ? "✗" : "✓", unsaved ? " •" : "");
  /* The ratio alone does not say which plan is faster. */
  g_autofree char *ratio =
      g_strndup (entry->outcome, (gsize)(times - entry->outcome) + strlen ("×"));
  const char *how = strstr (entry->outcome, "slower") != NULL ? " slower" : "";
  return g_strdup_printf ("✓ %s%s%s", ratio, how, unsaved ? " •" : "");
}

void
seam_history_panel_set_list (SeamHistoryPanel *self, SeamHistoryList *list)
{
  g_return_if_fail (self->list == NULL);
  self->list = g_object_ref (list);
  seam_watch (self, G_CALLBACK (update), list, "entries", NULL);
  update (self);
}

static void
seam_history_panel_class_init (SeamHistoryPanelClass *klass)
{
  SEAM_OWNS (klass, SeamHistoryPanel, g_object_unref, list);
}

static void
seam_history_panel_init (SeamHistoryPanel *self)
{
  GtkWidget *title = make_label ("Runs", "heading", PANGO_ELLIPSIZE_NONE);

  self->rows = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);
  self->room = GTK_LABEL (make_label (NULL, "note dim-label", PANGO_ELLIPSIZE_END));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->room),
                               "The history keeps at most " SEAM_HISTORY_MAX_WORDS
                               ". Beyond that, the oldest entries "
                               "that are not pinned are removed.");
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "navigation-sidebar");
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "pipeline-list");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  title, NULL, -1);
  g_signal_connect (self->rows, "row-activated", G_CALLBACK (row_activated_cb), self);
  GtkWidget *heading =
      seam_box_new (GTK_ORIENTATION_HORIZONTAL, 6, "sidebar-heading", title, self->room, NULL);
  adw_bin_set_child (ADW_BIN (self),
                     seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, heading, self->rows, NULL));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
