/* SPDX-License-Identifier: MIT */
#include "tests/ui/window-fixture.h"

#include "ui/application.h"
#include "ui/state/remembered.h"

#include <ftw.h>
#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Between looks at a condition that changes without an event in this process, such as a file. */
#define ROUND_MS 10

static char *folder;
static SeamApplication *application;
static GtkWindow *front; /* NULL: the first window */

/* --- Life --- */

char *
ui_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
set_folder (const char *variable, const char *name)
{
  g_autofree char *path = ui_path (name);

  g_mkdir (path, 0700);
  g_setenv (variable, path, TRUE);
}

static GSettings *
get_settings (void)
{
  static GSettings *settings;

  if (settings == NULL)
    settings = g_settings_new ("io.github.seamscope.Seamscope");
  return settings;
}

/* Restores the settings of a first start, except the size of the window, which fits the screen. */
static void
forget_settings (void)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  g_object_get (get_settings (), "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (int i = 0; keys[i] != NULL; i++)
    g_settings_reset (get_settings (), keys[i]);
  g_settings_set_int (get_settings (), "window-width", 1400);
  g_settings_set_int (get_settings (), "window-height", 940);
}

static void
forget_history (void)
{
  static const char *const endings[] = { "", "-wal", "-shm" };

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *name = g_strconcat ("state/seamscope/history.db", endings[i], NULL);
    g_autofree char *path = ui_path (name);
    g_unlink (path);
  }
}

void
ui_init (int *argc, char ***argv)
{
  /* None of these needs a session bus, which the test does not have. */
  static const char *const environment[][2] = {
    { "DBUS_SESSION_BUS_ADDRESS", "disabled:" },
    { "GDK_BACKEND", "x11" },
    { "GSETTINGS_BACKEND", "keyfile" },
    { "GSK_RENDERER", "cairo" },
    { "GTK_A11Y", "test" },
    { "ADW_DISABLE_PORTAL", "1" },
    /* For the worker: it has no GPU, and its times and roundings are the same on every computer. */
    { "TEST_MACHINE", "clock idle" },
    { "OMP_NUM_THREADS", "1" },
    { "ONEDNN_MAX_CPU_ISA", "SSE41" },
    { "SEAMSCOPE_CPU_LOOPS", "baseline" },
    { "SEAMSCOPE_MODULEDIR", "/no-modules" },
  };

  if (g_getenv ("DISPLAY") == NULL) {
    printf ("1..0 # SKIP There is no screen: run-on-screen.sh gives it one.\n");
    exit (77);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (environment); i++)
    g_setenv (environment[i][0], environment[i][1], TRUE);
  g_setenv ("LD_PRELOAD", g_getenv ("SEAMSCOPE_TEST_MACHINE"), TRUE);
  folder = g_dir_make_tmp ("seamscope-window-XXXXXX", NULL);
  g_assert_nonnull (folder);
  set_folder ("XDG_CONFIG_HOME", "config");
  set_folder ("XDG_CACHE_HOME", "cache");
  set_folder ("XDG_DATA_HOME", "data");
  set_folder ("XDG_STATE_HOME", "state");
  set_folder ("XDG_RUNTIME_DIR", "runtime");
  g_autofree char *hold = ui_path ("hold");
  g_setenv ("TEST_MACHINE_HOLD", hold, TRUE);
  g_test_init (argc, argv, NULL);
  forget_settings ();
}

static int
remove_cb (const char *path, const struct stat *status, int type, struct FTW *place)
{
  remove (path);
  return 0;
}

int
ui_run (void)
{
  int status = g_test_run ();

  nftw (folder, remove_cb, 16, FTW_DEPTH | FTW_PHYS);
  return status;
}

void
ui_hold (gboolean hold)
{
  g_autofree char *path = ui_path ("hold");

  if (hold)
    ui_hold_after (0);
  else
    g_unlink (path);
}

void
ui_hold_after (int n_groups)
{
  g_autofree char *path = ui_path ("hold"), *text = g_strdup_printf ("%d", n_groups);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
signal_workers (int number)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int)getpid ());
  g_autofree char *text = NULL;
  g_auto (GStrv) children = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  children = g_strsplit (text, " ", -1);
  for (int i = 0; children[i] != NULL; i++)
    if (children[i][0] != '\0')
      kill ((pid_t)g_ascii_strtoll (children[i], NULL, 10), number);
}

void
ui_kill_worker (void)
{
  signal_workers (SIGKILL);
}

void
ui_freeze_worker (gboolean freeze)
{
  signal_workers (freeze ? SIGSTOP : SIGCONT);
}

GtkWindow *
ui_window (void)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  /* The last in the list is the window that was opened first. */
  windows = g_list_last (windows);
  return windows != NULL ? windows->data : NULL;
}

static GtkWindow *
get_front (void)
{
  return front != NULL && gtk_widget_get_mapped (GTK_WIDGET (front)) ? front : ui_window ();
}

void
ui_turn_to (const char *title)
{
  g_autofree char *pattern = g_strdup_printf ("^%s$", title);

  g_set_weak_pointer (&front, GTK_WINDOW (ui_see (pattern, GTK_TYPE_WINDOW)));
}

static gboolean
can_run (gpointer data)
{
  GtkWidget *run = ui_find ("^Run", GTK_TYPE_BUTTON);

  return run != NULL && gtk_widget_is_sensitive (run);
}

void
ui_wait_for_run (void)
{
  ui_wait ("Run to be ready", can_run, NULL);
}

/* The machine is named on the start page and in the sidebar. If the sidebar is hidden, Run
 * becomes possible. A lesson is in the sidebar's place, and may keep Run back. */
static gboolean
knows_machine (gpointer data)
{
  return ui_find ("Test processor", GTK_TYPE_LABEL) != NULL || can_run (NULL)
         || ui_find ("^Step [0-9]+ of ", GTK_TYPE_LABEL) != NULL;
}

void
ui_open (const char *const *files)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (application);
  application = seam_application_new (g_get_monotonic_time ());
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  if (files == NULL) {
    g_application_activate (G_APPLICATION (application));
  } else {
    g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_object_unref);
    for (int i = 0; files[i] != NULL; i++)
      g_ptr_array_add (list, g_file_new_for_path (files[i]));
    g_application_open (G_APPLICATION (application), (GFile **)list->pdata, (int)list->len, "");
  }
  ui_wait ("a machine that has been described", knows_machine, NULL);
  if (g_strcmp0 (g_getenv ("SEAMSCOPE_TEST_LOOK"), "dark") == 0)
    ui_activate ("app.color-scheme::dark");
  ui_settle ();
}

void
ui_open_at (const char *pipeline, const char *preset)
{
  forget_settings ();
  forget_history ();
  ui_leave_start_page ();
  ui_open (NULL);
  ui_click (ui_see (pipeline, GTK_TYPE_LIST_BOX_ROW));
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), preset);
  ui_type (ui_see ("^Time budget", GTK_TYPE_ENTRY), "1");
  ui_wait_for_run ();
}

static gboolean
is_gone (gpointer data)
{
  return ui_window () == NULL;
}

void
ui_close (void)
{
  ui_draw (get_front (), "the end");
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  ui_wait ("the window's end", is_gone, NULL);
  ui_settle ();
  g_clear_object (&application);
}

void
ui_leave_start_page (void)
{
  seam_remembered_set_boolean ("start-page-seen", TRUE);
}

/* --- Settings --- */

static char *
get_settings_path (void)
{
  return ui_path ("config/glib-2.0/settings/keyfile");
}

static gboolean
are_restored (gpointer data)
{
  const char *group = "io/github/seamscope/Seamscope";
  g_auto (GStrv) keys = g_key_file_get_keys (data, group, NULL, NULL);

  g_assert_nonnull (keys);
  for (int i = 0; keys[i] != NULL; i++) {
    g_autoptr (GVariant) value = g_settings_get_value (get_settings (), keys[i]);
    g_autofree char *found = g_variant_print (value, FALSE);
    g_autofree char *expected = g_key_file_get_value (data, group, keys[i], NULL);
    if (strcmp (found, expected) != 0)
      return FALSE;
  }
  return TRUE;
}

void
ui_restore_settings (const char *recorded)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = get_settings_path ();

  g_key_file_load_from_file (file, recorded, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  g_key_file_save_to_file (file, path, &error);
  g_assert_no_error (error);
  /* GLib notices the file's change. */
  ui_wait ("the settings of the file", are_restored, file);
}

void
ui_record_settings (const char *recorded)
{
  g_autofree char *path = get_settings_path ();
  g_autofree char *text = NULL;

  g_settings_sync ();
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (recorded, text, -1, NULL));
}

/* --- Waiting --- */

void
ui_settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* The button that starts or stops measuring, whose tooltip says why nothing can start. */
static char *
describe_run (void)
{
  GtkWidget *button = ui_find ("^(Run|Measure|Stop|Stopping)", GTK_TYPE_BUTTON);

  return button != NULL ? g_strchomp (ui_describe (button)) : g_strdup ("no button to run");
}

static void
fail (const char *what)
{
  g_autofree char *run = describe_run ();
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    g_autofree char *text = ui_describe (window);
    g_printerr ("%s", text);
  }
  /* At the end, where a log that is cut still has it. */
  g_error ("Not within %d s: %s. There is: %s", UI_PATIENCE_S, what, run);
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* A look at the window costs more than most events, so those that have arrived are handled
 * first. */
void
ui_wait (const char *what, gboolean (*condition) (gpointer data), gpointer data)
{
  gint64 now = g_get_monotonic_time (), end = now + UI_PATIENCE_S * G_USEC_PER_SEC;
  guint round = g_timeout_add (ROUND_MS, wake_cb, NULL);

  for (; !condition (data); now = g_get_monotonic_time ()) {
    if (now > end)
      fail (what);
    g_main_context_iteration (NULL, TRUE);
    while (g_get_monotonic_time () < now + 1000 * ROUND_MS
           && g_main_context_iteration (NULL, FALSE))
      ;
  }
  g_source_remove (round);
}

/* --- Acting --- */

static void
painted_cb (GdkFrameClock *clock, gboolean *painted)
{
  *painted = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *)data;
}

void
ui_wait_for_frames (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean painted;
  gulong id = g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), &painted);

  for (int frame = 0; frame < 2; frame++) {
    ui_settle ();
    painted = FALSE;
    gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
    ui_wait ("a frame", is_true, &painted);
  }
  g_signal_handler_disconnect (clock, id);
}

/* Finds the first controller of this type for the primary button, at the widget or above it.
 * Translates the place to that widget, which replaces *widget. */
static GtkEventController *
find_controller (GtkWidget **widget, GType type, double *x, double *y)
{
  for (GtkWidget *listener = *widget; listener != NULL;
       listener = gtk_widget_get_parent (listener)) {
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (listener);

    for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (!g_type_is_a (G_OBJECT_TYPE (controller), type)
          || (GTK_IS_GESTURE_SINGLE (controller)
              && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller))
                     > GDK_BUTTON_PRIMARY))
        continue;
      g_assert_true (gtk_widget_translate_coordinates (*widget, listener, *x, *y, x, y));
      *widget = listener;
      /* The widget owns the controller. */
      return controller;
    }
  }
  return NULL;
}

void
ui_point (GtkWidget *widget, double across, double down)
{
  double x, y;
  GtkEventController *motion;

  ui_wait_for_frames (widget);
  x = across * gtk_widget_get_width (widget);
  y = down * gtk_widget_get_height (widget);
  motion = find_controller (&widget, GTK_TYPE_EVENT_CONTROLLER_MOTION, &x, &y);
  g_assert_nonnull (motion);
  g_signal_emit_by_name (motion, "motion", x, y);
  ui_settle ();
}

void
ui_click_at (GtkWidget *widget, double across, double down)
{
  double x, y;
  GtkEventController *click;

  ui_wait_for_frames (widget);
  x = across * gtk_widget_get_width (widget);
  y = down * gtk_widget_get_height (widget);
  click = find_controller (&widget, GTK_TYPE_GESTURE_CLICK, &x, &y);
  g_assert_nonnull (click);
  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_signal_emit_by_name (click, "released", 1, x, y);
  ui_settle ();
}

/* A picture of the window that the widget is in, before that does something. */
static void
draw_before (const char *act, GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  g_autofree char *name = ui_get_name (widget);
  g_autofree char *before = g_strdup_printf ("%s %s", act, name != NULL ? name : "");

  if (GTK_IS_WINDOW (root))
    ui_draw (GTK_WINDOW (root), before);
}

/* Selects the row of a table that the widget is in, which takes the focus; FALSE: it is in none. */
static gboolean
select_row (GtkWidget *widget)
{
  if (!gtk_widget_activate_action (widget, "listitem.select", "(bb)", FALSE, FALSE))
    return FALSE;
  while (!gtk_widget_grab_focus (widget))
    widget = gtk_widget_get_parent (widget);
  return TRUE;
}

void
ui_click (GtkWidget *widget)
{
  draw_before ("click", widget);
  if (GTK_IS_MENU_BUTTON (widget))
    widget = gtk_widget_get_first_child (widget);
  g_assert_true (gtk_widget_is_sensitive (widget));
  gtk_widget_grab_focus (widget);
  /* A button that is activated, as by a key, looks pressed for a quarter of a second before it
   * acts. Other widgets are activated; then the row of a table around one is selected; then its
   * middle is clicked. */
  if (GTK_IS_BUTTON (widget))
    g_signal_emit_by_name (widget, "clicked");
  else if (!gtk_widget_activate (widget) && !select_row (widget))
    ui_click_at (widget, 0.5, 0.5);
  ui_settle ();
}

void
ui_type (GtkWidget *entry, const char *text)
{
  g_assert_true (GTK_IS_EDITABLE (entry) && gtk_widget_is_sensitive (entry));
  draw_before ("type", entry);
  gtk_widget_grab_focus (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  if (GTK_IS_SPIN_BUTTON (entry))
    gtk_spin_button_update (GTK_SPIN_BUTTON (entry));
  gtk_widget_activate (entry);
  ui_settle ();
}

static char *
get_item_text (gpointer item)
{
  char *text = NULL;

  if (GTK_IS_STRING_OBJECT (item))
    return g_strdup (gtk_string_object_get_string (item));
  for (const char *const *name = (const char *const[]){ "title", "name", "text", "label", NULL };
       *name != NULL; name++)
    if (g_object_class_find_property (G_OBJECT_GET_CLASS (item), *name) != NULL) {
      g_object_get (item, *name, &text, NULL);
      return text;
    }
  return NULL;
}

void
ui_choose (GtkWidget *drop_down, const char *pattern)
{
  g_autoptr (GListModel) model = NULL;

  draw_before ("choose", drop_down);
  g_object_get (drop_down, "model", &model, NULL);
  g_assert_nonnull (model);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (GObject) item = g_list_model_get_item (model, i);
    g_autofree char *text = get_item_text (item);
    if (text != NULL && g_regex_match_simple (pattern, text, 0, 0)) {
      g_object_set (drop_down, "selected", i, NULL);
      ui_settle ();
      return;
    }
  }
  g_error ("The list has no item “%s”.", pattern);
}

char *
ui_get_choice (GtkWidget *drop_down)
{
  g_autoptr (GObject) item = NULL;

  g_object_get (drop_down, "selected-item", &item, NULL);
  return item != NULL ? get_item_text (item) : NULL;
}

void
ui_activate_with (const char *action, GVariant *parameter)
{
  g_autoptr (GVariant) sunk = parameter != NULL ? g_variant_ref_sink (parameter) : NULL;

  ui_draw (get_front (), action);
  if (!gtk_widget_activate_action_variant (GTK_WIDGET (get_front ()), action, sunk))
    g_error ("There is no action %s.", action);
  ui_settle ();
}

void
ui_activate (const char *detailed_action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;

  g_action_parse_detailed_name (detailed_action, &name, &target, &error);
  g_assert_no_error (error);
  ui_activate_with (name, target);
}

static gboolean
is_file (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

char *
ui_write (const char *action, const char *name)
{
  char *path = ui_path (name);
  g_autofree char *detailed = g_strdup_printf ("win.%s::%s", action, path);

  g_assert_false (is_file (path));
  ui_activate (detailed);
  ui_wait (name, is_file, path);
  return path;
}

void
ui_write_picture (const char *action, const char *name, int width, int height)
{
  g_autofree char *path = ui_write (action, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (path, &error);
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  g_autofree guint32 *pixels = NULL;
  gsize n_pixels;

  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), >, width);
  g_assert_cmpint (gdk_texture_get_height (texture), >, height);
  n_pixels = (gsize)gdk_texture_get_width (texture) * (gsize)gdk_texture_get_height (texture);
  pixels = g_new (guint32, n_pixels);
  gdk_texture_download (texture, (guchar *)pixels, 4 * (gsize)gdk_texture_get_width (texture));
  for (gsize i = 0; i < n_pixels; i++)
    if (i == 0 || pixels[i] != pixels[i - 1])
      g_hash_table_add (colours, GUINT_TO_POINTER (pixels[i]));
  g_assert_cmpint (g_hash_table_size (colours), >, 50);
}

static gboolean
is_trigger (GtkShortcutTrigger *trigger, guint key, GdkModifierType modifiers)
{
  if (GTK_IS_ALTERNATIVE_TRIGGER (trigger)) {
    GtkAlternativeTrigger *both = GTK_ALTERNATIVE_TRIGGER (trigger);
    return is_trigger (gtk_alternative_trigger_get_first (both), key, modifiers)
           || is_trigger (gtk_alternative_trigger_get_second (both), key, modifiers);
  }
  return GTK_IS_KEYVAL_TRIGGER (trigger)
         && gdk_keyval_to_lower (gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)))
                == gdk_keyval_to_lower (key)
         && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers;
}

static gboolean
offer_key (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    gboolean taken = FALSE;

    if (GTK_IS_EVENT_CONTROLLER_KEY (controller)) {
      g_signal_emit_by_name (controller, "key-pressed", key, 0, modifiers, &taken);
      if (taken)
        return TRUE;
    }
    /* The manager of a window lists shortcuts of other widgets, which have their own turn. */
    if (!GTK_IS_SHORTCUT_CONTROLLER (controller)
        || g_str_has_prefix (gtk_event_controller_get_name (controller) != NULL
                                 ? gtk_event_controller_get_name (controller)
                                 : "",
                             "gtk-shortcut-manager"))
      continue;
    for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);

      if (is_trigger (gtk_shortcut_get_trigger (shortcut), key, modifiers)
          && gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                           gtk_shortcut_get_arguments (shortcut)))
        return TRUE;
    }
  }
  return FALSE;
}

/* An open menu or popover gets the keys, whether or not something in it has the focus. */
static GtkWidget *
get_key_widget (GtkWindow *window)
{
  g_autoptr (GPtrArray) popovers = ui_list (GTK_WIDGET (window), NULL, GTK_TYPE_POPOVER);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  for (guint i = popovers->len; i > 0; i--)
    if (gtk_popover_get_autohide (popovers->pdata[i - 1])
        && (focus == NULL || !gtk_widget_is_ancestor (focus, popovers->pdata[i - 1])))
      return popovers->pdata[i - 1];
  return focus != NULL ? focus : GTK_WIDGET (window);
}

gboolean
ui_press (const char *key)
{
  g_auto (GStrv) actions =
      gtk_application_get_actions_for_accel (GTK_APPLICATION (application), key);
  GtkWidget *widget;
  GdkModifierType modifiers;
  gboolean taken = FALSE;
  guint keyval;

  g_assert_true (gtk_accelerator_parse (key, &keyval, &modifiers));
  /* The focus leaves removed widgets with the next frame. */
  ui_wait_for_frames (GTK_WIDGET (get_front ()));
  ui_draw (get_front (), key);
  widget = get_key_widget (get_front ());
  /* The widget that takes the key may destroy itself and its window. */
  while (!(taken = offer_key (widget, keyval, modifiers))
         && (widget = gtk_widget_get_parent (widget)) != NULL)
    ;
  if (!taken && actions[0] != NULL) {
    ui_activate (actions[0]);
    taken = TRUE;
  }
  ui_settle ();
  return taken;
}

static void
read_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(char **)data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  g_assert_no_error (error);
}

static gboolean
has_text (gpointer data)
{
  return *(char **)data != NULL;
}

char *
ui_paste (void)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (ui_window ()));
  char *text = NULL;

  gdk_clipboard_read_text_async (clipboard, NULL, read_cb, &text);
  ui_wait ("the text in the clipboard", has_text, &text);
  return text;
}

/* --- The pointer itself --- */

void
ui_move_pointer (GtkWidget *widget, double across, double down, const char *then)
{
  GtkNative *native = gtk_widget_get_native (widget);
  g_autofree char *command = NULL;
  g_autoptr (GError) error = NULL;
  graphene_rect_t bounds;
  double x, y;
  int status;

  ui_wait_for_frames (widget);
  gtk_native_get_surface_transform (native, &x, &y);
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (native), &bounds));
  x += graphene_rect_get_x (&bounds) + across * graphene_rect_get_width (&bounds);
  y += graphene_rect_get_y (&bounds) + down * graphene_rect_get_height (&bounds);
  g_assert_true (x >= 0 && x < gtk_widget_get_width (GTK_WIDGET (native)));
  g_assert_true (y >= 0 && y < gtk_widget_get_height (GTK_WIDGET (native)));
  command = g_strdup_printf ("xdotool mousemove --window %lu %.0f %.0f %s",
                             gdk_x11_surface_get_xid (gtk_native_get_surface (native)), floor (x),
                             floor (y), then != NULL ? then : "");
  g_spawn_command_line_sync (command, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  ui_settle ();
}
