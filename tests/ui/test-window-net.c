/* SPDX-License-Identifier: MIT
 *
 * A safety net for the window: all texts of every page in every state, the main menu, and every
 * key, compared with the texts in recorded/. After a change that is wanted:
 *
 *   meson test -C build/normal window-net --test-args=--record
 *
 * and the commit says each difference in a sentence.
 */
#include "tests/ui/window-fixture.h"

#include <stdio.h>
#include <string.h>

#define PIPELINE "^gemm-bias-relu"

static const char *const pages[] = { "timing",   "difference", "traffic", "explore",
                                     "timeline", "source",     "sweep" };

static gboolean records;

/* A state without a recording is final when it has not changed for this long. */
#define STABLE_US 500000

typedef struct {
  char *(*describe) (void);
  const char *expected; /* NULL: the test records */
  char *found;
  gint64 changed_us;
} Picture;

static gboolean
is_as_expected (gpointer data)
{
  Picture *picture = data;
  char *found = picture->describe ();
  gint64 now_us = g_get_monotonic_time ();

  if (g_strcmp0 (found, picture->found) != 0)
    picture->changed_us = now_us;
  g_free (picture->found);
  picture->found = found;
  if (picture->expected != NULL && strcmp (found, picture->expected) == 0)
    return TRUE;
  return now_us - picture->changed_us
         > (picture->expected != NULL ? UI_PATIENCE_S * G_USEC_PER_SEC / 4 : STABLE_US);
}

static void
show_difference (const char *path, const char *found)
{
  g_autofree char *found_path = ui_path ("found.txt");
  const char *command[] = { "diff", "-u", path, found_path, NULL };
  g_autofree char *output = NULL;

  g_assert_true (g_file_set_contents (found_path, found, -1, NULL));
  g_spawn_sync (NULL, (char **)command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL,
                NULL);
  g_printerr ("%.6000s\n", output != NULL ? output : "(diff is missing)");
}

/* Waits until the window agrees with the recording of this name; if it never does, shows the
 * differences. */
static void
compare (const char *name, char *(*describe) (void))
{
  g_autofree char *base = g_strdup_printf ("%s.txt", name);
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_TEST_RECORDED"), base, NULL);
  g_autofree char *expected = NULL;
  Picture picture = { .describe = describe };

  if (!records) {
    g_file_get_contents (path, &expected, NULL, NULL);
    picture.expected = expected != NULL ? expected : "";
  }
  ui_wait (name, is_as_expected, &picture);
  if (records) {
    g_assert_true (g_file_set_contents (path, picture.found, -1, NULL));
  } else if (strcmp (picture.expected, picture.found) != 0) {
    show_difference (path, picture.found);
    g_test_message ("%s differs from what was recorded (see above)", base);
    g_test_fail ();
  }
  g_free (picture.found);
}

static char *
describe_window (void)
{
  return ui_describe (GTK_WIDGET (ui_window ()));
}

static char *
describe_page (void)
{
  GtkWidget *stack = ui_see (NULL, ADW_TYPE_VIEW_STACK);

  return ui_describe (adw_view_stack_get_visible_child (ADW_VIEW_STACK (stack)));
}

/* The whole window with its first page, then the other pages alone. */
static void
compare_pages (const char *state)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autofree char *action = g_strdup_printf ("win.page::%s", pages[i]);
    g_autofree char *name = g_strdup_printf ("%s-%s", state, pages[i]);

    ui_activate (action);
    compare (name, i == 0 ? describe_window : describe_page);
  }
  ui_activate ("win.page::timing");
}

static void
test_start (void)
{
  ui_open (NULL);
  /* The recordings are read in a thread. */
  ui_see ("^gemm-bias-relu: A unfused", GTK_TYPE_LIST_BOX_ROW);
  compare ("start", describe_window);
  ui_close ();
}

static void
test_run (void)
{
  ui_leave_start_page ();
  ui_open (NULL);
  ui_click (ui_see (PIPELINE, GTK_TYPE_LIST_BOX_ROW));
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_wait_for_run ();
  compare_pages ("empty");

  ui_hold (TRUE);
  ui_activate ("win.run");
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  compare_pages ("running");
  ui_hold (FALSE);
  ui_wait_for_run ();
  compare_pages ("finished");
  ui_close ();
}

/* The window after its worker has ended. */
static void
test_failed (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  /* The target has answered for all plans, with estimates: none arrives during a run. */
  ui_see ("^Memory [0-9]", GTK_TYPE_LABEL);
  ui_see ("^Before running: plan A moves [0-9.]+ kB · about ", 0);
  /* Enough for the warm-up and some samples. */
  ui_hold_after (2000);
  ui_activate ("win.run");
  compare ("sampling", describe_window);
  ui_kill_worker ();
  ui_see ("^A new worker is ready", GTK_TYPE_LABEL);
  ui_hold (FALSE);
  ui_miss ("^A new worker is ready", GTK_TYPE_LABEL);
  compare ("failed", describe_window);
  ui_close ();
}

static char *
find_sample (const char *name)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", name, NULL);
}

static void
test_stored (void)
{
  g_autofree char *path = find_sample ("h200-gemm-bias-relu.seamscope");
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_see ("h200-gemm-bias-relu", GTK_TYPE_LABEL);
  compare_pages ("stored");
  ui_close ();
}

/* --- Other windows --- */

static const char *other_title; /* NULL: the window with the shortcuts, which has no title */

static GType
get_other_type (void)
{
  return other_title != NULL ? GTK_TYPE_WINDOW : GTK_TYPE_SHORTCUTS_WINDOW;
}

static char *
describe_other (void)
{
  return ui_describe (ui_see (other_title, get_other_type ()));
}

static void
compare_other (const char *name, const char *title)
{
  other_title = title;
  compare (name, describe_other);
  gtk_window_close (GTK_WINDOW (ui_see (title, get_other_type ())));
  ui_miss (title, get_other_type ());
}

static void
test_other_windows (void)
{
  g_autofree char *a = find_sample ("h200-conv-relu-bias.seamscope");
  g_autofree char *b = find_sample ("laptop-cpu-conv-relu-bias.seamscope");
  const char *files[] = { a, b, NULL };

  ui_leave_start_page ();
  ui_open (NULL);
  ui_activate ("win.calibrate");
  compare_other ("calibration", "^Calibration$");
  ui_activate ("win.pitfalls");
  compare_other ("pitfalls", "^Pitfall lab$");
  ui_activate ("win.show-help-overlay");
  compare_other ("shortcuts", NULL);
  ui_activate_with ("win.compare-files", g_variant_new_strv (files, -1));
  compare_other ("comparison", "^Compare runs$");
  ui_close ();
}

/* --- Menus and keys --- */

static void
describe_menu (GString *text, GMenuModel *menu, int depth)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuLinkIter) links = g_menu_model_iterate_item_links (menu, i);
    g_autoptr (GMenuModel) linked = NULL;
    g_autofree char *label = NULL, *action = NULL, *target_text = NULL;
    g_autoptr (GVariant) target =
        g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    const char *link;

    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
    target_text = target != NULL ? g_variant_print (target, FALSE) : NULL;
    g_string_append_printf (text, "%*s%s%s%s%s%s\n", 2 * depth, "", label != NULL ? label : "--",
                            action != NULL ? " = " : "", action != NULL ? action : "",
                            target_text != NULL ? " " : "", target_text != NULL ? target_text : "");
    while (g_menu_link_iter_get_next (links, &link, &linked)) {
      describe_menu (text, linked, depth + 1);
      g_clear_object (&linked);
    }
  }
}

static char *
describe_menus (void)
{
  GString *text = g_string_new (NULL);
  GtkWidget *button = ui_see ("^Main menu", GTK_TYPE_MENU_BUTTON);

  describe_menu (text, gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)), 0);
  /* Samples lie wherever the program is. */
  g_string_replace (text, g_getenv ("SEAMSCOPE_DATADIR"), "/DATA", 0);
  return g_string_free (text, FALSE);
}

/* Collects the shortcuts of a widget and of those below it, without GTK's own, which move the
 * focus or send other signals. */
static void
collect_keys (GHashTable *keys, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

    for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                      && k < g_list_model_get_n_items (G_LIST_MODEL (controller));
         k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
      g_autofree char *trigger =
          gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));
      g_autofree char *action = gtk_shortcut_action_to_string (gtk_shortcut_get_action (shortcut));

      if (!g_str_has_prefix (action, "signal(") && !g_str_has_prefix (action, "mnemonic"))
        g_hash_table_add (keys, g_strdup_printf ("%s: %s%s%s", G_OBJECT_TYPE_NAME (widget), trigger,
                                                 strstr (action, "0x") == NULL ? " = " : "",
                                                 strstr (action, "0x") == NULL ? action : ""));
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_keys (keys, child);
}

/* The shortcuts of the application, and of every class of widget in the window. */
static char *
describe_keys (void)
{
  GString *text = g_string_new (NULL);
  GtkApplication *application = gtk_window_get_application (ui_window ());
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GList *sorted;

  for (int i = 0; actions[i] != NULL; i++) {
    g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, actions[i]);
    g_autofree char *joined = g_strjoinv (", ", accels);
    g_string_append_printf (text, "%s: %s\n", actions[i], joined);
  }
  collect_keys (keys, GTK_WIDGET (ui_window ()));
  sorted = g_list_sort (g_hash_table_get_keys (keys), (GCompareFunc)strcmp);
  for (GList *item = sorted; item != NULL; item = item->next)
    g_string_append_printf (text, "%s\n", (const char *)item->data);
  g_list_free (sorted);
  return g_string_free (text, FALSE);
}

static void
test_menus_and_keys (void)
{
  ui_leave_start_page ();
  ui_open (NULL);
  /* A table has no cells until it is shown. */
  ui_activate ("win.page::traffic");
  compare ("menus", describe_menus);
  compare ("keys", describe_keys);
  ui_close ();
}

int
main (int argc, char **argv)
{
  /* The option follows the arguments of the test runner. */
  if (strcmp (argv[argc - 1], "--record") == 0) {
    records = TRUE;
    argv[--argc] = NULL;
  }
  ui_init (&argc, &argv);
  g_test_add_func ("/window/start", test_start);
  g_test_add_func ("/window/run", test_run);
  g_test_add_func ("/window/failed", test_failed);
  g_test_add_func ("/window/stored", test_stored);
  g_test_add_func ("/window/other-windows", test_other_windows);
  g_test_add_func ("/window/menus-and-keys", test_menus_and_keys);
  return ui_run ();
}
