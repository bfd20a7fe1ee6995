/* SPDX-License-Identifier: MIT
 *
 * The window starts as it was left: the sidebar's settings, three plans, columns, page, colours and
 * size. It also starts from the settings of an older version, recorded/settings.ini. If the
 * settings change, that file stays unchanged, because people have such files. It was written by
 *
 *   tests/ui/run-on-screen.sh build/normal/tests/ui/test-remembers --record
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define PIPELINE "^gemm-bias-relu:"
#define COLUMN   "^Share \\(%\\)$"
#define WIDTH    1300
#define HEIGHT   900

static const struct {
  const char *name, *text;
} drop_downs[] = {
  { "^Math mode$", "BF16" },          { "^Storage$", "16 bits between kernels" },
  { "^Cache$", "Warm" },           { "^Input values$", "Normal" },
  { "^Compare with$", "FP64 reference" },
}, entries[] = {
  { "^Batch$", "6" },
  { "^Input features$", "16" },
  { "^Output features$", "48" },
  { "^Time budget", "2" },
  { "^Seed$", "7" },
};

static gboolean records;

static char *
get_recorded_path (void)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_TEST_RECORDED"), "settings.ini", NULL);
}

static int
get_width (void)
{
  return gtk_widget_get_width (GTK_WIDGET (ui_window ()));
}

/* The window's shadow takes some of the width. */
static gboolean
is_as_wide (gpointer data)
{
  return get_width () > WIDTH - 40 && get_width () <= WIDTH;
}

static void
run (void)
{
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see ("^Kernels$", GTK_TYPE_COLUMN_VIEW);
  ui_wait_for_run ();
}

static void
make_choices (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    ui_type (ui_see (entries[i].name, GTK_TYPE_ENTRY), entries[i].text);
  for (gsize i = 0; i < G_N_ELEMENTS (drop_downs); i++) {
    g_autofree char *pattern = g_strdup_printf ("^%s$", drop_downs[i].text);
    ui_choose (ui_see (drop_downs[i].name, GTK_TYPE_DROP_DOWN), pattern);
  }
  /* Nothing is launched on the CPU. */
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Launch mode$", GTK_TYPE_DROP_DOWN)));

  ui_click (ui_see_seam ('B', 1, "cut"));
  ui_see_seam ('B', 1, "fused");
  /* A third plan, which starts as a copy of B and is then changed. */
  ui_click (ui_see ("^Plan B: ", GTK_TYPE_MENU_BUTTON));
  ui_click (ui_see ("^Add plan C, ", GTK_TYPE_BUTTON));
  ui_see ("^Plan C: ", GTK_TYPE_MENU_BUTTON);
  ui_click (ui_see_seam ('C', 2, "fused"));
  ui_see_seam ('C', 2, "cut");

  run ();
  g_assert_true (gtk_widget_activate_action (ui_see ("^Kernels$", GTK_TYPE_COLUMN_VIEW),
                                             "columns.share", NULL));
  ui_miss (COLUMN, GTK_TYPE_LABEL);
  ui_activate ("app.color-scheme::dark");
  ui_press ("<Alt>2");
  ui_press ("F9");
  ui_miss (PIPELINE, GTK_TYPE_LIST_BOX_ROW);
  gtk_window_set_default_size (ui_window (), WIDTH, HEIGHT);
  ui_wait ("the new width", is_as_wide, NULL);
  ui_close ();
}

static void
assert_choices (void)
{
  ui_open (NULL);
  ui_wait ("the width that was left", is_as_wide, NULL);
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  ui_see ("^No outputs to compare yet$", GTK_TYPE_LABEL);
  g_assert_null (ui_find (PIPELINE, GTK_TYPE_LIST_BOX_ROW));
  ui_press ("F9");
  g_assert_true (
      gtk_list_box_row_is_selected (GTK_LIST_BOX_ROW (ui_see (PIPELINE, GTK_TYPE_LIST_BOX_ROW))));
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    g_assert_cmpstr (
        gtk_editable_get_text (GTK_EDITABLE (ui_see (entries[i].name, GTK_TYPE_ENTRY))), ==,
        entries[i].text);
  for (gsize i = 0; i < G_N_ELEMENTS (drop_downs); i++) {
    g_autofree char *text = ui_get_choice (ui_see (drop_downs[i].name, GTK_TYPE_DROP_DOWN));
    g_assert_cmpstr (text, ==, drop_downs[i].text);
  }

  ui_press ("<Alt>1");
  ui_see ("^Plan A: Unfused$", GTK_TYPE_MENU_BUTTON);
  ui_see_seam ('A', 1, "cut");
  ui_see_seam ('A', 2, "cut");
  ui_see_seam ('B', 1, "fused");
  ui_see_seam ('B', 2, "fused");
  ui_see_seam ('C', 1, "fused");
  ui_see_seam ('C', 2, "cut");
  run ();
  g_assert_null (ui_find (COLUMN, GTK_TYPE_LABEL));
  ui_close ();
}

static void
test_left (void)
{
  make_choices ();
  if (records) {
    g_autofree char *path = get_recorded_path ();
    ui_record_settings (path);
  }
  assert_choices ();
}

static void
test_recorded (void)
{
  g_autofree char *path = get_recorded_path ();

  ui_restore_settings (path);
  assert_choices ();
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--record") == 0) {
    records = TRUE;
    argc--;
    argv++;
  }
  ui_init (&argc, &argv);
  /* This test comes first, before any window has saved settings of its own. */
  if (!records)
    g_test_add_func ("/remembers/recorded", test_recorded);
  g_test_add_func ("/remembers/left", test_left);
  return ui_run ();
}
