/* SPDX-License-Identifier: MIT
 *
 * The tables of searches: seams, pairs of seams, shapes and points, from numbers set by hand.
 */
#include "app/report/search-tables.h"

static SeamRunRequest *
make_request (const char *plans)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#1", NULL);
  SeamRunRequest *request = seam_run_request_new (pipeline);

  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
  return request;
}

static void
measure (SeamPoint *point, double median_ns)
{
  point->state = SEAM_POINT_MEASURED;
  point->median_ns = median_ns;
  point->ci_low_ns = .99 * median_ns;
  point->ci_high_ns = 1.01 * median_ns;
  point->n_samples = 9;
}

static void
assert_cell (const SeamTable *table, int row, int column, const char *expected)
{
  g_autofree char *text = seam_table_format_cell (table, row, column);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_title (const SeamTable *table, int column, const char *expected)
{
  g_autofree char *title = seam_table_format_title (table, column);

  g_assert_cmpstr (title, ==, expected);
}

/* An exploration in which seam 0 saves 1 ms, seam 1 saves 2, seam 2 saves 4, and the first two
 * together 0.5 more. */
static SeamSearch *
make_exploration (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("unfused");
  SeamSearch *search = seam_explore_new (request, NULL);

  g_assert_cmpint (search->n_points, ==, 8);
  for (int mask = 0; mask < 8; mask++) {
    double ms = 10 - (mask & 1 ? 1 : 0) - (mask & 2 ? 2 : 0) - (mask & 4 ? 4 : 0);

    measure (&search->points[mask], 1e6 * (ms - ((mask & 3) == 3 ? .5 : 0)));
    search->points[mask].full_rate_ns = 8e6 - 1e6 * mask;
  }
  return search;
}

static void
test_worth (void)
{
  /* Least, most and so on; the interval of the mean is one of eight points whose times are known to
   * 1 %: √(10² + 9² + 8² + 6.5² + 6² + 5² + 4² + 2.5²) · 0.01 / 4 = 0.048. */
  static const char *const expected[3][6] = {
    { "1.000", "1.250", "1.000", "1.500", "1.500", "1.000" },
    { "2.000", "2.250", "2.000", "2.500", "2.500", "2.000" },
    { "4.000", "4.000", "4.000", "4.000", "4.000", "4.000" },
  };
  g_autoptr (SeamSearch) search = make_exploration ();
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  g_autoptr (SeamTable) table = seam_worth_table_make (search, view);

  g_assert_cmpint (seam_table_get_n_rows (table), ==, 3);
  assert_cell (table, 0, 0, "1  conv2d | conv_bias");
  assert_title (table, 6, "Best with, best without");
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 6; k++)
      assert_cell (table, row, k < 2 ? k + 1 : k + 2, expected[row][k]);
  assert_cell (table, 0, 3, "1.202 to 1.298");
  /* A card in the window has no room for the range. */
  g_assert_false (seam_table_is_shown (table, 3, SEAM_SHOWN_IN_WINDOW));
  g_assert_true (seam_table_is_shown (table, 3, SEAM_SHOWN_ON_TERMINAL));
}

/* Every pair appears once. */
static void
test_pairs (void)
{
  g_autoptr (SeamSearch) search = make_exploration ();
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  g_autoptr (SeamTable) table = seam_pairs_table_make (search, view);

  g_assert_cmpint (seam_table_get_n_columns (table), ==, 3);
  g_assert_cmpint (seam_table_get_n_rows (table), ==, 2);
  assert_title (table, 2, "with 3");
  assert_cell (table, 0, 1, "0.500");
  assert_cell (table, 0, 2, "0.000");
  assert_cell (table, 1, 1, "");
  assert_cell (table, 1, 2, "0.000");
  g_assert_cmpstr (seam_table_get_column (table, 2)->name, ==, "s3");
}

/* A sweep of two shapes; the second plan is wrong at the second shape. */
static SeamSearch *
make_sweep (const char *y)
{
  g_autoptr (SeamRunRequest) request = make_request ("unfused,published");
  g_autoptr (GError) error = NULL;
  SeamSearch *search = seam_sweep_new_from_texts (request, "batch=1,2000", y, &error);

  g_assert_no_error (error);
  measure (&search->points[0], 3e3);
  measure (&search->points[1], 2e3);
  measure (&search->points[2], 40e3);
  measure (&search->points[3], 10e3);
  for (int i = 0; i < 4; i++)
    search->points[i].against_ns = search->points[i / 2 * 2].median_ns;
  search->points[1].max_abs = 2e-6;
  search->points[1].bytes = 5000;
  search->points[3].n_failing = 1;
  return search;
}

static void
test_points (void)
{
  static const char *const expected[] = { "1", "published", "2.000", "1.50×",    "–",
                                          "–", "–",         "5.00",  "2.0×10⁻⁶", "9" };
  g_autoptr (SeamSearch) search = make_sweep (NULL);
  g_autoptr (SeamTable) table = seam_points_table_make (search->sweep);
  int marks = seam_table_get_n_columns (table) - 1;

  g_assert_cmpint (seam_table_get_n_rows (table), ==, 4);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_cell (table, 1, (int)i, expected[i]);
  assert_title (table, 0, "batch");
  assert_title (table, 2, "Median (µs)");
  assert_title (table, 3, "Against unfused");
  assert_cell (table, 2, 0, "2,000");
  assert_cell (table, 3, marks, "wrong");
  g_assert_cmpint (seam_table_get_row (table, 3)->cells[marks].tone, ==, SEAM_TONE_BAD);
  g_assert_cmpint (seam_table_get_row (table, 3)->index, ==, 3);
}

/* A second direction is one more column, and an unmeasured point has no time. */
static void
test_map (void)
{
  g_autoptr (SeamSearch) search = make_sweep ("height+width=16,32");
  g_autoptr (SeamTable) points = seam_points_table_make (search->sweep);
  g_autoptr (SeamTable) shapes = seam_shapes_table_make (search->sweep);

  g_assert_cmpint (seam_table_get_n_rows (points), ==, 8);
  g_assert_cmpstr (seam_table_get_column (points, 1)->name, ==, "y");
  assert_title (points, 1, "height+width");
  assert_cell (points, 7, 0, "2,000");
  assert_cell (points, 7, 1, "32");
  assert_cell (points, 7, 3, "–");
  assert_cell (points, 7, seam_table_get_n_columns (points) - 1, "pending");

  g_assert_cmpint (seam_table_get_n_rows (shapes), ==, 4);
  assert_title (shapes, 2, "unfused (µs)");
  assert_cell (shapes, 0, 2, "3.000");
  assert_cell (shapes, 0, 4, "published");
  assert_cell (shapes, 0, 5, "1.50×");
  assert_cell (shapes, 1, 4, "unfused ?"); /* the only right plan */
  assert_cell (shapes, 1, 6, "–");
  assert_cell (shapes, 1, 7, "published is wrong");
  assert_cell (shapes, 3, 3, "pending");
  assert_cell (shapes, 3, 4, "–");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search-tables/worth", test_worth);
  g_test_add_func ("/search-tables/pairs", test_pairs);
  g_test_add_func ("/search-tables/points", test_points);
  g_test_add_func ("/search-tables/map", test_map);
  return g_test_run ();
}
