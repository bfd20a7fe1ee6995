/* SPDX-License-Identifier: MIT
 *
 * The Difference tab for outputs of other ranks than four: depths and their keys, dots for one
 * number a sample, words of the shape. The outputs are wrong in known places: the code of a group
 * was edited.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define PLAN  "conv|conv_bias+mish+tanh"
#define SHAPE "batch=3,depth=14,height=14,width=16" /* the output is [3, 6, 12, 12, 14] */

static void
run_cli (const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *errors = NULL;
  int status;

  g_ptr_array_add (argv, (char *)g_getenv ("SEAMSCOPE_CLI"));
  for (int i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (char *)arguments[i]);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                &errors, &status, &error);
  g_assert_no_error (error);
  /* 1: outputs differ. */
  if (WEXITSTATUS (status) > 1)
    g_error ("%s: %s", arguments[0], errors);
}

/* Writes a session of a plan whose group adds 0.1 at depth 3, 7 and 11. */
static char *
write_session (void)
{
  g_autofree char *code = ui_path ("group.c"), *text = NULL;
  g_autofree char *edit = g_strdup_printf (PLAN ":2=%s", code);
  char *path = ui_path ("depths.seamscope");
  const char *source[] = { "source", "47", "--shape", SHAPE, "--preset", "tiny", "--target", "cpu",
                           "--plan", PLAN, "--group", "2",   "--output", code,   NULL };
  const char *run[] = { "run",      "47",  "--shape",  SHAPE,  "--preset", "tiny",
                        "--target", "cpu", "--budget", "0.02", "--plan",   "unfused",
                        "--edit",   edit,  "--save",   path,   NULL };

  run_cli (source);
  g_assert_true (g_file_get_contents (code, &text, NULL, NULL));
  g_auto (GStrv) parts = g_strsplit (text, "= after_tanh;", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  g_autofree char *wrong =
      g_strjoinv ("= after_tanh + (i / (12 * 14) % 4 == 3 ? 0.1f : 0);", parts);
  g_assert_true (g_file_set_contents (code, wrong, -1, NULL));
  run_cli (run);
  return path;
}

static double
get_depth (void)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (ui_see ("^Depth$", GTK_TYPE_SPIN_BUTTON)));
}

static gboolean
is_at_depth (gpointer depth)
{
  return get_depth () == GPOINTER_TO_INT (depth);
}

static void
wait_for_depth (int depth)
{
  g_autofree char *what = g_strdup_printf ("depth %d", depth);

  ui_wait (what, is_at_depth, GINT_TO_POINTER (depth));
}

/* A recorded run: the diagnosis, the axes, the table; the file holds one plane, and says so. */
static void
test_recorded (void)
{
  g_autofree char *path = write_session ();

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>2");
  ui_see ("^Outputs differ: .*, at sample \\d, channel \\d, depth (3|7|11)$", GTK_TYPE_LABEL);
  ui_see (
      "Only depth 3, 7 and 11 of every sample and channel\\. The last of every 4 along the depth",
      GTK_TYPE_LABEL);
  ui_see ("^Planes 0 to 11 of sample \\d, channel \\d; elements fail in 1 of them", 0);
  g_auto (GStrv) planes = ui_list_names ("^Depth \\d+ of 0 to 11, 168 of 168 elements fail$",
                                         GTK_ACCESSIBLE_ROLE_BUTTON);
  g_assert_cmpuint (g_strv_length (planes), ==, 1);
  g_auto (GStrv) bars = ui_list_names ("^Depth (3|7|11) of 0 to 11: 100 % of its elements fail$",
                                       GTK_ACCESSIBLE_ROLE_BUTTON);
  g_assert_cmpuint (g_strv_length (bars), ==, 3);
  g_autofree char *csv = ui_write ("export-csv-worst-to", "depths.csv"), *text = NULL;
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, ",pitfalls,limit,depth,height,width"));
  gtk_widget_grab_focus (ui_see ("^Slice at full resolution", 0));
  ui_press ("Page_Down");
  ui_see ("^The file holds no single elements of that place\\. Shown is what it holds: "
          "sample \\d, channel \\d, depth (3|7|11), rows 0 to 11, columns 0 to 13\\.$",
          GTK_TYPE_LABEL);
  ui_close ();
}

/* A run here: keys and clicks walk over the depths, and the slice follows. */
static void
test_keys (void)
{
  g_autofree char *path = ui_path ("here.seamscope");
  const char *run[] = { "run",       "47",       "--shape", SHAPE,      "--preset",
                        "tiny",      "--target", "cpu",     "--budget", "0.02",
                        "--against", "fp64",     "--save",  path,       NULL };
  GtkWidget *slice;

  run_cli (run);
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>2");
  ui_press ("<Control>r");
  ui_see ("^Measured here", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_type (ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY), "1e-9");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  slice = ui_see ("^Slice at full resolution from row 0, column 0: ", 0);
  gtk_widget_grab_focus (slice);
  g_object_set (ui_see ("^Depth$", GTK_TYPE_SPIN_BUTTON), "value", 4.0, NULL);
  ui_press ("Page_Down");
  wait_for_depth (5);
  ui_press ("Page_Up");
  ui_press ("Page_Up");
  wait_for_depth (3);
  ui_press ("d");
  ui_press ("<Shift>d");
  wait_for_depth (3);
  ui_click (ui_see ("^Depth 8 of 0 to 11, \\d+ of 168 elements fail$", 0));
  wait_for_depth (8);
  ui_press ("<Control>Right");
  ui_see ("^Planes 0 to 11 of sample \\d, channel [1-5]; elements fail in", 0);
  ui_close ();
}

/* A run judges by the tolerances that the page shows, here those of a recorded run. */
static void
test_tolerances (void)
{
  g_autofree char *path = ui_path ("tolerances.seamscope"), *recorded = NULL;
  const char *run[] = { "run",  "56",     "--preset", "tiny",   "--target", "cpu", "--budget",
                        "0.02", "--atol", "0.0625",   "--save", path,       NULL };
  GtkEditable *atol;

  run_cli (run);
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>2");
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);
  atol = GTK_EDITABLE (ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY));
  recorded = g_strdup (gtk_editable_get_text (atol));
  g_assert_cmpstr (recorded, !=, "");
  ui_press ("<Control>r");
  ui_see ("^Measured here", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  atol = GTK_EDITABLE (ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY));
  g_assert_cmpstr (gtk_editable_get_text (atol), ==, recorded);
  ui_close ();
}

/* One number a sample: dots, which the arrows walk over, and no maps. */
static void
test_dots (void)
{
  g_autofree char *path = ui_path ("dots.seamscope");
  const char *run[] = { "run",  "56",        "--preset", "tiny",   "--target", "cpu", "--budget",
                        "0.02", "--against", "fp64",     "--save", path,       NULL };
  GtkWidget *dots;

  run_cli (run);
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>2");
  dots =
      ui_see ("^[|]FP64 − B[|] of each sample as a multiple of the bound: 0 of 5 samples over", 0);
  ui_miss ("^Slice at full resolution", 0);
  ui_miss ("^What the slice shows", GTK_TYPE_DROP_DOWN);
  ui_see ("^Sample$", GTK_TYPE_LABEL);
  gtk_widget_grab_focus (dots);
  ui_press ("<Shift>Left");
  ui_see ("^0$", GTK_TYPE_LABEL);
  ui_press ("Right");
  ui_see ("^1$", GTK_TYPE_LABEL);
  ui_miss ("^In this slice$", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/depths/recorded", test_recorded);
  g_test_add_func ("/depths/keys", test_keys);
  g_test_add_func ("/depths/dots", test_dots);
  g_test_add_func ("/depths/tolerances", test_tolerances);
  return ui_run ();
}
