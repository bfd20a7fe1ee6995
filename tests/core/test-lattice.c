/* SPDX-License-Identifier: MIT
 *
 * The arithmetic on the lattice of partitions, on times whose answers are known by construction,
 * and the CSV in which its points are kept.
 */
#include "app/base/csv-read.h"
#include "app/base/csv-text.h"
#include "app/base/error.h"
#include "app/explore/lattice.h"

#include <math.h>
#include <string.h>

#define N_SEAMS 4
#define N_NODES (1 << N_SEAMS)

/* Every seam saves its own amount, whatever the others do. */
static void
fill_additive (double *times, const double *saved)
{
  for (int node = 0; node < N_NODES; node++) {
    times[node] = 100;
    for (int seam = 0; seam < N_SEAMS; seam++)
      if (node >> seam & 1)
        times[node] -= saved[seam];
  }
}

static void
test_additive (void)
{
  static const double saved[N_SEAMS] = { 30, 5, 0, -2 };
  double times[N_NODES];
  guint32 path[N_SEAMS + 1];

  fill_additive (times, saved);
  for (int i = 0; i < N_SEAMS; i++) {
    SeamSeamWorth worth;
    seam_lattice_get_worth (N_SEAMS, times, NULL, i, &worth);
    g_assert_cmpint (worth.n_contexts, ==, N_NODES / 2);
    g_assert_cmpfloat_with_epsilon (worth.alone, saved[i], 1e-12);
    g_assert_cmpfloat_with_epsilon (worth.mean, saved[i], 1e-12);
    g_assert_cmpfloat_with_epsilon (worth.in_company, saved[i], 1e-12);
    g_assert_cmpfloat_with_epsilon (worth.least, saved[i], 1e-12);
    g_assert_cmpfloat_with_epsilon (worth.most, saved[i], 1e-12);
    for (int j = 0; j < N_SEAMS; j++)
      if (i != j)
        g_assert_cmpfloat_with_epsilon (seam_lattice_get_interaction (N_SEAMS, times, i, j), 0,
                                        1e-12);
  }
  g_assert_true (isnan (seam_lattice_get_interaction (N_SEAMS, times, 1, 1)));
  /* The seam that saves most first, the one that costs last. */
  g_assert_true (seam_lattice_find_path (N_SEAMS, times, N_NODES - 1, path));
  g_assert_cmpuint (path[0], ==, 0);
  g_assert_cmpuint (path[1], ==, 1);
  g_assert_cmpuint (path[2], ==, 3);
  g_assert_cmpuint (path[3], ==, 7);
  g_assert_cmpuint (path[4], ==, 15);
  /* A path to a node between both ends fuses none of the other seams. */
  g_assert_true (seam_lattice_find_path (N_SEAMS, times, 10, path));
  g_assert_cmpuint (path[0], ==, 0);
  g_assert_cmpuint (path[1], ==, 2);
  g_assert_cmpuint (path[2], ==, 10);
  g_assert_cmpint (seam_lattice_find_best (N_NODES, times), ==, 3);
}

/* Half of an interval of a mean: the root of the sum of squares over their number, here by hand. In
 * 20,000 draws with NumPy such intervals held the true mean in 95 of 100. */
static void
test_interval (void)
{
  static const double saved[N_SEAMS] = { 30, 5, 0, -2 };
  double times[N_NODES], halves[N_NODES];
  SeamSeamWorth worth;

  fill_additive (times, saved);
  for (int node = 0; node < N_NODES; node++)
    halves[node] = node + 1;
  for (int seam = 0; seam < N_SEAMS; seam++) {
    seam_lattice_get_worth (N_SEAMS, times, halves, seam, &worth);
    g_assert_cmpfloat_with_epsilon (worth.half, sqrt (1496) / 8, 1e-12); /* 1 + 4 + … + 256 */
  }
  /* Without node 7, node 5 has no partner either: 36 and 64 are gone. */
  times[7] = NAN;
  seam_lattice_get_worth (N_SEAMS, times, halves, 1, &worth);
  g_assert_cmpfloat_with_epsilon (worth.half, sqrt (1396) / 7, 1e-12);
  /* Nothing is known of an interval of which a part is unknown. */
  halves[4] = NAN;
  seam_lattice_get_worth (N_SEAMS, times, halves, 1, &worth);
  g_assert_cmpfloat_with_epsilon (worth.mean, 5, 1e-12);
  g_assert_true (isnan (worth.half));
}

/* Seams 0 and 1 save 10 more where both are fused. */
static void
test_interaction (void)
{
  static const double saved[N_SEAMS] = { 4, 3, 2, 1 };
  double times[N_NODES];
  SeamSeamWorth worth;

  fill_additive (times, saved);
  for (int node = 0; node < N_NODES; node++)
    if ((node & 3) == 3)
      times[node] -= 10;
  g_assert_cmpfloat_with_epsilon (seam_lattice_get_interaction (N_SEAMS, times, 0, 1), 10, 1e-12);
  g_assert_cmpfloat_with_epsilon (seam_lattice_get_interaction (N_SEAMS, times, 1, 0), 10, 1e-12);
  g_assert_cmpfloat_with_epsilon (seam_lattice_get_interaction (N_SEAMS, times, 0, 2), 0, 1e-12);
  seam_lattice_get_worth (N_SEAMS, times, NULL, 0, &worth);
  g_assert_cmpfloat_with_epsilon (worth.alone, 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (worth.mean, 9, 1e-12); /* half of the contexts have seam 1 */
  g_assert_cmpfloat_with_epsilon (worth.in_company, 14, 1e-12);
  g_assert_cmpfloat_with_epsilon (worth.least, 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (worth.most, 14, 1e-12);
}

/* An unknown time is left out and gives no made-up numbers. */
static void
test_unknown (void)
{
  static const double saved[N_SEAMS] = { 4, 3, 2, 1 };
  double times[N_NODES];
  guint32 path[N_SEAMS + 1];
  SeamSeamWorth worth;

  fill_additive (times, saved);
  times[1] = NAN;
  seam_lattice_get_worth (N_SEAMS, times, NULL, 0, &worth);
  g_assert_true (isnan (worth.alone));
  g_assert_cmpint (worth.n_contexts, ==, N_NODES / 2 - 1);
  g_assert_cmpfloat_with_epsilon (worth.mean, 4, 1e-12);
  g_assert_true (seam_lattice_find_path (N_SEAMS, times, N_NODES - 1, path));
  g_assert_cmpuint (path[1], ==, 2); /* the second-best first step */

  times[N_NODES - 1] = NAN;
  g_assert_false (seam_lattice_find_path (N_SEAMS, times, N_NODES - 1, path));
  for (int i = 0; i < N_NODES; i++)
    times[i] = NAN;
  g_assert_cmpint (seam_lattice_find_best (N_NODES, times), ==, -1);
  seam_lattice_get_worth (N_SEAMS, times, NULL, 2, &worth);
  g_assert_cmpint (worth.n_contexts, ==, 0);
  g_assert_true (isnan (worth.mean) && isnan (worth.in_company) && isnan (worth.most));
  g_assert_true (isnan (seam_lattice_get_interaction (N_SEAMS, times, 0, 1)));
  /* A chain of one op has one node and no seam. */
  times[0] = 7;
  g_assert_true (seam_lattice_find_path (0, times, 0, path));
  g_assert_cmpuint (path[0], ==, 0);
}

static void
test_pareto (void)
{
  /* time, kernels, bytes, error */
  static const double objectives[][SEAM_N_OBJECTIVES] = {
    { 10, 5, 100, 0 },                  /* the most exact: no entry is as exact and better
                                         * elsewhere */
    { 4, 2, 40, 1 },                    /* dominated by the last but one */
    { 3, 2, 40, 1 },   { 3, 2, 40, 1 }, /* equal to each other: neither dominates */
    { 2, 3, 60, 1 },                    /* fastest */
    { 1, NAN, 1, 0 },                   /* unknown: not marked, dominates no entry */
    { 3, 3, 60, 1 },
  };
  gboolean is_pareto[G_N_ELEMENTS (objectives)];
  static const gboolean expected[] = { TRUE, FALSE, TRUE, TRUE, TRUE, FALSE, FALSE };

  seam_lattice_mark_pareto (G_N_ELEMENTS (objectives), objectives, is_pareto);
  for (gsize i = 0; i < G_N_ELEMENTS (objectives); i++)
    g_assert_cmpint (is_pareto[i], ==, expected[i]);
}

static void
test_csv (void)
{
  static const char *const names[] = { "text", "number", "count", NULL };
  static const char *const texts[] = { "plain", "a, \"b\"\r\nc", "" };
  g_autoptr (GString) text = g_string_new ("\xef\xbb\xbf");
  g_autoptr (GError) error = NULL;

  seam_csv_add_header (text, names);
  for (int i = 0; i < 3; i++) {
    seam_csv_add_text (text, texts[i]);
    seam_csv_add_number (text, i == 1 ? NAN : 1.0 / (3 + i));
    seam_csv_add_integer (text, i - 1);
    seam_csv_end_row (text);
  }
  g_autoptr (SeamCsv) csv = seam_csv_parse (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpint (seam_csv_get_n_rows (csv), ==, 3);
  g_assert_true (seam_csv_has_column (csv, "count"));
  g_assert_false (seam_csv_has_column (csv, "counts"));
  for (int i = 0; i < 3; i++)
    g_assert_cmpstr (seam_csv_get (csv, i, "text"), ==, texts[i]);
  g_assert_cmpfloat (seam_csv_get_number (csv, 0, "number"), ==, 1.0 / 3);
  g_assert_true (isnan (seam_csv_get_number (csv, 1, "number")));
  g_assert_true (isnan (seam_csv_get_number (csv, 0, "text")));
  g_assert_cmpint (seam_csv_get_integer (csv, 0, "count", 0, -9), ==, -9);
  g_assert_cmpint (seam_csv_get_integer (csv, 2, "count", 0, -9), ==, 1);
  g_assert_cmpstr (seam_csv_get (csv, 7, "text"), ==, "");
}

static void
test_bad_csv (void)
{
  static const struct {
    const char *text, *says;
  } bad[] = {
    { "", "empty" },
    { "a,b\n1,2\n3\n", "Line 3" },
    { "a,b\n1,\"2\n3\n", "line 2" },
    { "a,b\n1,\xff\n", "UTF-8" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (seam_csv_parse (bad[i].text, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
    g_assert_nonnull (strstr (error->message, bad[i].says));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lattice/additive", test_additive);
  g_test_add_func ("/lattice/interval", test_interval);
  g_test_add_func ("/lattice/interaction", test_interaction);
  g_test_add_func ("/lattice/unknown", test_unknown);
  g_test_add_func ("/lattice/pareto", test_pareto);
  g_test_add_func ("/csv/round-trip", test_csv);
  g_test_add_func ("/csv/bad", test_bad_csv);
  return g_test_run ();
}
