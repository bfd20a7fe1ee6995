/* SPDX-License-Identifier: MIT
 *
 * The ceiling, which is known before a run: it stands under the strips, follows every cut at once,
 * and can be exported without a run. The numbers are those of tests/core/test-ceiling.c.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define PIPELINE "^conv-bias-scale-sigmoid-groupnorm:"
#define CEILING  "^Before running: "
#define GAIN     "fusion saves at most ([0-9.]+)× in bytes\\."
#define FLOOR    "the floor of every plan is [0-9.]+ [mµn]?s: [0-9.]+ [a-zA-Z]+"

static char *
see_ceiling (const char *pattern)
{
  g_autofree char *whole = g_strconcat (CEILING ".*", pattern, NULL);

  return ui_get_name (ui_see (whole, 0));
}

static double
match_number (const char *pattern, int group)
{
  g_autofree char *name = see_ceiling (pattern);
  g_autofree char *number = ui_match (pattern, name, group);

  return g_ascii_strtod (number, NULL);
}

/* Bytes of a plan, as the figure names them. */
static double
get_bytes (char letter)
{
  g_autofree char *pattern = g_strdup_printf ("lan %c moves ([0-9.]+) kB", letter);

  return match_number (pattern, 1) * 1e3;
}

static gboolean
moves_more (gpointer bytes)
{
  return get_bytes ('B') > *(double *)bytes;
}

static gboolean
moves_as_much (gpointer bytes)
{
  return get_bytes ('B') == *(double *)bytes;
}

static void
test_says (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  g_assert_cmpfloat (match_number (GAIN, 1), >, 1);
  g_free (see_ceiling (FLOOR));
  g_free (see_ceiling ("(Memory|Compute) bound"));
  g_free (see_ceiling ("Rates: measured here"));
  g_assert_cmpfloat (get_bytes ('B'), <, get_bytes ('A'));
  ui_close ();
}

/* Cutting a seam of B costs bytes, at once; undoing it gives them back. */
static void
test_follows (void)
{
  double unfused, published;

  ui_open_at (PIPELINE, "^tiny$");
  unfused = get_bytes ('A');
  published = get_bytes ('B');
  ui_click (ui_see_seam ('B', 3, "fused"));
  ui_see_seam ('B', 3, "cut");
  ui_wait ("more bytes of B", moves_more, &published);
  g_assert_cmpfloat (get_bytes ('A'), ==, unfused);
  g_assert_true (ui_press ("<Control>z"));
  ui_wait ("the bytes of before", moves_as_much, &published);
  ui_close ();
}

/* Where there is a result the estimate is one line, which opens again. */
static void
test_folds (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "laptop-cpu-conv-relu-bias.seamscope", NULL);
  GtkWidget *line;

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  line =
      ui_see ("^Estimate: A 236 MB, B 40.9 MB · floor 4.83 ms \\(arithmetic\\)$", GTK_TYPE_LABEL);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (line))));
  ui_miss (CEILING, 0);
  ui_click (line);
  g_free (see_ceiling ("the floor of every plan is 4.83 ms"));
  ui_see ("^Estimate$", GTK_TYPE_LABEL);
  ui_close ();
}

static void
test_exports (void)
{
  static const char *const plans[] = { "unfused", "published" };
  g_autofree char *path = ui_path ("timing.png"), *action = NULL, *picture = NULL, *svg = NULL;

  ui_open_at (PIPELINE, "^tiny$");
  g_free (see_ceiling ("Rates: measured here"));
  ui_write_picture ("export-ceiling-to", "ceiling.png", 2000, 500);
  picture = ui_write ("export-ceiling-to", "ceiling.svg");
  g_assert_true (g_file_get_contents (picture, &svg, NULL, NULL));
  g_assert_nonnull (strstr (svg, "<svg"));
  g_autoptr (SeamCsv) rows = ui_write_table ("export-csv-estimate-to", "estimate.csv");
  g_assert_cmpint (seam_csv_get_n_rows (rows), ==, 2);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpstr (seam_csv_get (rows, i, "plan"), ==, plans[i]);
    /* The window rounds to ten bytes. */
    g_assert_cmpfloat_with_epsilon (seam_csv_get_number (rows, i, "modelled_bytes"),
                                    get_bytes ("AB"[i]), 10);
  }

  /* An export that needs a run says so. */
  action = g_strdup_printf ("win.export-timing-to::%s", path);
  ui_activate (action);
  ui_see ("press Run first", GTK_TYPE_LABEL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  ui_close ();
}

/* The window that the card opens can be closed by Escape. */
static void
test_calibration_closes (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_click (ui_see ("^Calibrate…$", GTK_TYPE_BUTTON));
  ui_see ("^Calibration$", GTK_TYPE_WINDOW);
  ui_turn_to ("Calibration");
  g_assert_true (ui_press ("Escape"));
  ui_miss ("^Calibration$", GTK_TYPE_WINDOW);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/ceiling-card/says", test_says);
  g_test_add_func ("/ceiling-card/follows", test_follows);
  g_test_add_func ("/ceiling-card/folds", test_folds);
  g_test_add_func ("/ceiling-card/exports", test_exports);
  g_test_add_func ("/ceiling-card/calibration-closes", test_calibration_closes);
  return ui_run ();
}
