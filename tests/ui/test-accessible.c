/* SPDX-License-Identifier: MIT
 *
 * What a person hears who does not see the window, and where Tab goes: every widget that assistive
 * technology knows has one name, which is not that of its class; a list or a table is one Tab stop.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define PIPELINE   "^gemm-bias-relu"
#define MAX_STOPS  300
#define CLASS_NAME "^(Gtk|Adw|Seam)[A-Z][A-Za-z]*$"

static const char *const pages[] = { "timing",   "difference", "traffic", "explore",
                                     "timeline", "source",     "sweep" };

/* --- Names --- */

static gboolean
has_role (GtkWidget *widget, const GtkAccessibleRole *roles, gsize n)
{
  GtkAccessibleRole role = gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget));

  for (gsize i = 0; i < n; i++)
    if (roles[i] == role)
      return TRUE;
  return FALSE;
}

/* Containers, which are not spoken themselves. */
static gboolean
is_container (GtkWidget *widget)
{
  static const GtkAccessibleRole roles[] = { GTK_ACCESSIBLE_ROLE_WIDGET,
                                             GTK_ACCESSIBLE_ROLE_GENERIC, GTK_ACCESSIBLE_ROLE_GROUP,
                                             GTK_ACCESSIBLE_ROLE_SEARCH,
                                             GTK_ACCESSIBLE_ROLE_SEPARATOR };

  return has_role (widget, roles, G_N_ELEMENTS (roles));
}

/* Widgets that assistive technology does not know, nor what is in them. */
static gboolean
is_hidden (GtkWidget *widget)
{
  static const GtkAccessibleRole roles[] = { GTK_ACCESSIBLE_ROLE_NONE,
                                             GTK_ACCESSIBLE_ROLE_PRESENTATION };

  return has_role (widget, roles, G_N_ELEMENTS (roles));
}

/* Whether a name is said twice, as in "Batch Batch". */
static gboolean
is_doubled (const char *name)
{
  gsize half = strlen (name) / 2;

  return half > 0 && strlen (name) % 2 == 1 && name[half] == ' '
         && strncmp (name, name + half + 1, half) == 0;
}

/* An empty label, which is the title of a column without one. */
static gboolean
is_blank (GtkWidget *widget)
{
  GtkAccessibleRole role = gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget));

  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget))[0] == '\0';
  if (role != GTK_ACCESSIBLE_ROLE_COLUMN_HEADER)
    return FALSE;
  g_autoptr (GPtrArray) labels = ui_list (widget, NULL, GTK_TYPE_LABEL);
  return labels->len == 1 && is_blank (labels->pdata[0]);
}

/* What is wrong with the name of a widget; NULL: nothing. */
static const char *
judge_name (GtkWidget *widget)
{
  g_autofree char *name = NULL;

  if (is_blank (widget))
    return NULL;
  /* The text inside an entry has the focus, but is not known to assistive technology. */
  if (GTK_IS_TEXT (widget))
    widget = gtk_widget_get_parent (widget);
  name = ui_get_spoken_name (widget);
  if (name == NULL)
    return "has no name";
  if (g_regex_match_simple (CLASS_NAME, name, 0, 0))
    return "has the name of a class";
  if (g_regex_match_simple ("(^| )_[A-Za-z0-9]", name, 0, 0))
    return "has the mark of a mnemonic in its name";
  return is_doubled (name) ? "has its name twice" : NULL;
}

static void
report (GtkWidget *widget, const char *what, const char *where)
{
  g_autofree char *name = ui_get_spoken_name (widget);
  g_autoptr (GString) path = g_string_new (NULL);

  for (GtkWidget *above = widget; above != NULL; above = gtk_widget_get_parent (above)) {
    g_autofree char *above_name = ui_get_name (above);
    g_string_append_printf (path, " < %s%s%s", G_OBJECT_TYPE_NAME (above),
                            above_name != NULL ? " " : "", above_name != NULL ? above_name : "");
  }
  g_test_message ("%s: “%s” %s:%s", where, name != NULL ? name : "", what, path->str);
  g_test_fail ();
}

static void
check_names_below (GtkWidget *widget, const char *where)
{
  const char *wrong;

  if (!gtk_widget_get_mapped (widget) || is_hidden (widget))
    return;
  wrong = is_container (widget) ? NULL : judge_name (widget);
  if (wrong != NULL)
    report (widget, wrong, where);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_names_below (child, where);
}

/* A figure's name describes its content, as soon as that has been computed. */
static gboolean
are_figures_named (gpointer data)
{
  g_autoptr (GPtrArray) widgets = ui_list (NULL, NULL, 0);

  for (guint i = 0; i < widgets->len; i++)
    if (gtk_accessible_get_accessible_role (widgets->pdata[i]) == GTK_ACCESSIBLE_ROLE_IMG) {
      g_autofree char *name = ui_get_spoken_name (widgets->pdata[i]);
      if (name == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Checks the names in every window and every open popover. */
static void
check_names (const char *where)
{
  g_autoptr (GPtrArray) windows = ui_list (NULL, NULL, GTK_TYPE_WINDOW);

  ui_wait ("names of all figures", are_figures_named, NULL);
  for (guint i = 0; i < windows->len; i++)
    check_names_below (windows->pdata[i], where);
}

static gboolean
is_in_window (gpointer widget)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
  graphene_rect_t bounds;

  return gtk_widget_compute_bounds (widget, window, &bounds) && bounds.size.height > 0
         && bounds.origin.y >= 0
         && bounds.origin.y + bounds.size.height <= gtk_widget_get_height (window);
}

/* GTK cannot place the list of a drop-down that is out of the window, and it scrolls to the focus
 * only with one of the next frames. */
static void
bring_in_sight (GtkWidget *widget)
{
  gtk_widget_grab_focus (widget);
  ui_wait ("a widget in sight", is_in_window, widget);
  ui_wait_for_frames (widget);
}

/* Checks drop-downs while they are open and their items are visible. */
static void
check_drop_downs (const char *where)
{
  g_autoptr (GPtrArray) drop_downs = ui_list (NULL, NULL, GTK_TYPE_DROP_DOWN);

  g_assert_cmpint ((int)drop_downs->len, >, 0);
  /* The page first comes to rest where Tab was. */
  ui_wait_for_frames (drop_downs->pdata[0]);
  for (guint i = 0; i < drop_downs->len; i++) {
    GtkWidget *button = gtk_widget_get_first_child (drop_downs->pdata[i]);
    g_autofree char *name = ui_get_spoken_name (drop_downs->pdata[i]);
    g_autofree char *heard = ui_get_spoken_name (button);
    g_autofree char *heard_choice = ui_get_description (button);
    g_autofree char *choice = ui_get_choice (drop_downs->pdata[i]);

    /* The button inside has the focus. */
    g_assert_cmpstr (heard, ==, name);
    if (choice != NULL)
      g_assert_cmpstr (heard_choice, ==, choice);
    if (!gtk_widget_is_sensitive (button))
      continue;
    bring_in_sight (button);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    ui_settle ();
    check_names (where);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
    ui_settle ();
  }
}

/* --- Tab --- */

static void
press_tab (GtkDirectionType direction)
{
  g_signal_emit_by_name (ui_window (), "move-focus", direction);
  ui_settle ();
}

/* The list or table that this is a row of, if its rows hold nothing that can have the focus. */
static GtkWidget *
get_list (GtkWidget *row)
{
  GtkWidget *parent = gtk_widget_get_parent (row);

  return parent != NULL && (GTK_IS_LIST_BOX (parent) || GTK_IS_LIST_VIEW (parent)) ? parent : NULL;
}

/* Walks from the window's first Tab stop to its last. Some of them may disappear during the
 * walk. */
static GPtrArray *
walk (GtkDirectionType direction)
{
  GPtrArray *stops = g_ptr_array_new_with_free_func (g_object_unref);

  gtk_root_set_focus (GTK_ROOT (ui_window ()), NULL);
  for (int i = 0; i < MAX_STOPS; i++) {
    GtkWidget *focus;
    press_tab (direction);
    focus = gtk_root_get_focus (GTK_ROOT (ui_window ()));
    if (focus == NULL || g_ptr_array_find (stops, focus, NULL))
      return stops;
    g_ptr_array_add (stops, g_object_ref (focus));
  }
  g_error ("Tab comes to no end.");
}

/* Whether Tab goes through controls in the rows of this list. */
static gboolean
has_controls (GtkWidget *list, GPtrArray *stops)
{
  for (guint i = 0; i < stops->len; i++)
    if (gtk_widget_is_ancestor (stops->pdata[i], list) && get_list (stops->pdata[i]) != list)
      return TRUE;
  return FALSE;
}

static void
check_stops (GtkDirectionType direction, const char *where)
{
  g_autoptr (GPtrArray) stops = walk (direction);
  g_autoptr (GHashTable) lists = g_hash_table_new (NULL, NULL);

  g_assert_cmpint ((int)stops->len, >=, 5);
  for (guint i = stops->len; i > 0; i--)
    if (gtk_widget_get_root (stops->pdata[i - 1]) == NULL)
      g_ptr_array_remove_index (stops, i - 1);
  for (guint i = 0; i < stops->len; i++) {
    GtkWidget *stop = stops->pdata[i], *list = get_list (stop);
    const char *wrong = judge_name (stop);

    if (wrong != NULL)
      report (stop, wrong, where);
    if (list != NULL && !has_controls (list, stops) && !g_hash_table_add (lists, list))
      report (stop, "is one more Tab stop of its list", where);
  }
}

/* --- The tests --- */

static void
check_after (const char *action, const char *where)
{
  ui_activate (action);
  /* A page is built when it comes to the front, and its figures with the next frame. */
  ui_move_pointer (GTK_WIDGET (ui_window ()), 0.5, 0.5, NULL);
  check_names (where);
  check_stops (GTK_DIR_TAB_FORWARD, where);
  check_stops (GTK_DIR_TAB_BACKWARD, where);
  check_drop_downs (where);
}

static void
check_page (const char *state, const char *page)
{
  g_autofree char *action = g_strdup_printf ("win.page::%s", page);
  g_autofree char *where = g_strdup_printf ("%s, %s", page, state);

  check_after (action, where);
}

static void
test_pages (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    check_page ("before a run", pages[i]);
  ui_activate ("win.page::timing");
  ui_activate ("win.run");
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    check_page ("after a run", pages[i]);
  ui_close ();
}

static void
test_start (void)
{
  ui_open (NULL);
  check_names ("start");
  check_stops (GTK_DIR_TAB_FORWARD, "start");
  check_after ("win.pipelines", "all pipelines");
  ui_close ();
}

/* A plan's list opens with the keys at the chosen plan, and Tab does not stay in the source. */
static void
test_keys (void)
{
  GtkWidget *button, *focus;

  ui_open_at (PIPELINE, "^tiny$");
  button = ui_see ("^Plan B: Published$", GTK_TYPE_MENU_BUTTON);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_settle ();
  focus = gtk_root_get_focus (GTK_ROOT (ui_window ()));
  g_assert_true (GTK_IS_LIST_BOX_ROW (focus));
  g_assert_true (focus == ui_see ("^Published$", GTK_TYPE_LIST_BOX_ROW));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  ui_settle ();

  ui_activate ("win.page::source");
  g_assert_false (
      gtk_text_view_get_accepts_tab (GTK_TEXT_VIEW (ui_see ("^Source$", GTK_TYPE_TEXT_VIEW))));
  ui_close ();
}

static char *
find_sample (const char *name)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", name, NULL);
}

static void
check_other (const char *title, GType type)
{
  check_names (g_type_name (G_OBJECT_TYPE (ui_see (title, type))));
  gtk_window_close (GTK_WINDOW (ui_see (title, type)));
  ui_miss (title, type);
}

static void
test_other_windows (void)
{
  g_autofree char *a = find_sample ("h200-conv-relu-bias.seamscope");
  g_autofree char *b = find_sample ("laptop-cpu-conv-relu-bias.seamscope");
  const char *files[] = { a, b, NULL };

  ui_open_at (PIPELINE, "^tiny$");
  gtk_menu_button_popup (GTK_MENU_BUTTON (ui_see ("^Main menu", GTK_TYPE_MENU_BUTTON)));
  ui_see (NULL, GTK_TYPE_POPOVER_MENU);
  check_names ("main menu");
  gtk_menu_button_popdown (GTK_MENU_BUTTON (ui_see ("^Main menu", GTK_TYPE_MENU_BUTTON)));
  ui_activate ("win.calibrate");
  check_other ("^Calibration$", GTK_TYPE_WINDOW);
  ui_activate ("win.pitfalls");
  check_other ("^Pitfall lab$", GTK_TYPE_WINDOW);
  ui_activate ("win.help-at::measuring");
  check_other ("^Help$", GTK_TYPE_WINDOW);
  ui_activate ("win.show-help-overlay");
  check_other (NULL, GTK_TYPE_SHORTCUTS_WINDOW);
  ui_activate_with ("win.compare-files", g_variant_new_strv (files, -1));
  ui_see ("^Compare runs$", GTK_TYPE_WINDOW);
  ui_turn_to ("Compare runs");
  check_drop_downs ("Compare runs");
  check_other ("^Compare runs$", GTK_TYPE_WINDOW);
  ui_close ();
}

/* The table of kernels: Tab enters at the selected row and leaves again; keys go from row to row.
 */
static void
test_table (void)
{
  GtkWindow *window;
  GtkWidget *table, *list, *titles, *rows[3], *outside;
  g_autoptr (GPtrArray) found = NULL;

  ui_open_at (PIPELINE, "^tiny$");
  ui_activate ("win.run");
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  window = ui_window ();
  table = ui_see ("^Kernels$", GTK_TYPE_COLUMN_VIEW);
  list = gtk_widget_get_last_child (table);
  titles = gtk_widget_get_first_child (table);
  rows[0] = gtk_widget_get_first_child (list);
  rows[1] = gtk_widget_get_next_sibling (rows[0]);
  rows[2] = gtk_widget_get_last_child (list);
  g_assert_true (rows[1] != NULL && rows[1] != rows[2]);

  /* Arrow keys move the focus and the selection. */
  gtk_widget_grab_focus (rows[0]);
  g_assert_true (ui_press ("Down"));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == rows[1]);
  g_assert_true (gtk_widget_get_state_flags (rows[1]) & GTK_STATE_FLAG_SELECTED);
  g_assert_true (ui_press ("End"));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == rows[2]);
  g_assert_true (ui_press ("Home"));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == rows[0]);
  g_assert_true (ui_press ("Page_Down"));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == rows[2]);

  /* In both directions: out of the table, and back in at the selected row. */
  for (int i = 0; i < 2; i++) {
    GtkDirectionType away = i == 0 ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD;
    GtkDirectionType back = i == 0 ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD;

    gtk_widget_grab_focus (rows[0]);
    g_assert_true (ui_press ("Down"));
    press_tab (away);
    outside = gtk_root_get_focus (GTK_ROOT (window));
    /* Before the rows come the titles, all of them one stop. */
    if (away == GTK_DIR_TAB_BACKWARD) {
      g_assert_true (gtk_widget_get_parent (outside) == titles);
      press_tab (away);
      outside = gtk_root_get_focus (GTK_ROOT (window));
    }
    g_assert_true (outside == NULL || !gtk_widget_is_ancestor (outside, table));
    press_tab (back);
    if (away == GTK_DIR_TAB_BACKWARD) {
      g_assert_true (gtk_widget_get_parent (gtk_root_get_focus (GTK_ROOT (window))) == titles);
      press_tab (back);
    }
    g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == rows[1]);
  }

  /* Return in a title sorts by its column, and again the other way round. */
  gtk_widget_grab_focus (gtk_widget_get_first_child (titles));
  for (int i = 0; i < 2; i++) {
    g_autofree char *first = NULL;

    g_assert_true (ui_press ("Return"));
    first = ui_get_spoken_name (gtk_widget_get_first_child (list));
    g_assert_true (g_str_has_prefix (first, i == 0 ? "A, " : "B, "));
  }

  /* A row is spoken with its contents, the numbers with their columns' titles. */
  g_autofree char *name = ui_get_spoken_name (rows[1]);
  g_assert_true (
      g_regex_match_simple ("^[AB], [^,]+, [^,]+, Median \\([^)]+\\) [0-9.]+, ", name, 0, 0));
  ui_close ();
}

/* Tab finds a control in a list whose other rows hold nothing to focus, and those after it. */
static void
test_controls_in_rows (void)
{
  GtkWidget *list, *buttons[2];
  GtkWindow *window;

  ui_open (NULL);
  window = ui_window ();
  list = gtk_list_box_new ();
  for (int i = 0; i < 5; i++) {
    GtkWidget *row = gtk_list_box_row_new ();
    GtkWidget *child = i % 2 == 1 ? (buttons[i / 2] = gtk_button_new_with_label ("Copy"))
                                  : gtk_label_new ("ready");

    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
    gtk_widget_set_focusable (row, FALSE);
    gtk_list_box_append (GTK_LIST_BOX (list), row);
  }
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), list);
  ui_settle ();
  for (int i = 0; i < 2; i++) {
    gtk_root_set_focus (GTK_ROOT (window), NULL);
    for (int k = 0; k < 2; k++) {
      press_tab (i == 0 ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
      g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == buttons[i == 0 ? k : 1 - k]);
    }
  }
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/accessible/start", test_start);
  g_test_add_func ("/accessible/pages", test_pages);
  g_test_add_func ("/accessible/keys", test_keys);
  g_test_add_func ("/accessible/other-windows", test_other_windows);
  g_test_add_func ("/accessible/table", test_table);
  g_test_add_func ("/accessible/controls-in-rows", test_controls_in_rows);
  return ui_run ();
}
