/* SPDX-License-Identifier: MIT
 *
 * The verdict on two outputs in words: counts, and where an error lies, from overviews that fit one
 * cause and no other.
 */
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

static SeamDifference *
make (gint64 rows, gint64 columns, gint64 plane, gint64 side)
{
  SeamDifferenceSpec spec = { .rows = rows, .columns = columns, .plane = plane };

  seam_difference_choose_cells (&spec, side);
  return seam_difference_new (&spec);
}

static void
fail_cell (SeamDifference *difference, gint64 row, gint64 column, float value)
{
  gint64 cell = row * difference->n_cell_columns + column;

  difference->cells[cell] = value;
  difference->failing[cell]++;
  difference->n_failing++;
  if (value > difference->max_abs) {
    difference->max_abs = value;
    difference->worst_index = (row * difference->spec.rows_per_cell * difference->spec.columns
                               + column * difference->spec.columns_per_cell)
                              * difference->spec.plane;
  }
}

static void
assert_says (SeamDifference *difference, const char *headline, const char *detail)
{
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);

  g_assert_cmpint (agreement->agree, ==, difference->n_failing == 0);
  g_assert_cmpstr (agreement->headline, ==, headline);
  if (strstr (agreement->detail, detail) == NULL)
    g_error ("\"%s\" is not in \"%s\"", detail, agreement->detail);
}

static void
test_agree (void)
{
  g_autoptr (SeamDifference) difference = make (128, 256, 16, 512);

  assert_says (difference, "Outputs agree", "All 524,288 elements are equal.");
  difference->max_abs = 1.4e-6;
  assert_says (difference, "Outputs agree", "largest difference 1.4×10⁻⁶");
}

static void
test_counts (void)
{
  g_autoptr (SeamDifference) one = make (1000, 1000, 1, 512);
  fail_cell (one, 3, 4, 0.5f);
  assert_says (one, "Outputs differ in < 0.01 % of elements",
               "1 of 1,000,000 outside tolerance. Largest difference 0.50, at row 6, column 8.");

  g_autoptr (SeamDifference) most = make (4, 4, 1, 512);
  for (int i = 0; i < 16; i++)
    fail_cell (most, i / 4, i % 4, 1);
  assert_says (most, "Outputs differ in all elements", "16 of 16");
  most->spec.plane = 10000;
  most->n_elements = most->n_looked = 160000;
  most->n_failing = 159999;
  assert_says (most, "Outputs differ in > 99.99 % of elements", "159,999 of 160,000");
}

static void
test_nan (void)
{
  g_autoptr (SeamDifference) difference = make (4, 4, 1, 512);

  fail_cell (difference, 1, 1, 0.5f);
  difference->n_nan_a = 12;
  difference->n_infinite_b = 1;
  difference->worst_a = NAN;
  assert_says (difference, "Outputs differ in 6.25 % of elements",
               "12 elements of this plan are NaN (not written");
  assert_says (difference, "Outputs differ in 6.25 % of elements",
               "1 element of the output compared with is infinite.");
}

static void
test_places (void)
{
  /* Errors in channels 4 to 7 of every sample. */
  g_autoptr (SeamDifference) channels = make (8, 32, 100, 512);
  for (int i = 0; i < 8; i++)
    for (int j = 4; j < 8; j++)
      fail_cell (channels, i, j, 1);
  assert_says (channels, "Outputs differ in 0.12 % of elements",
               "Only channels 4 to 7 of every sample. The same channels in all samples: an "
               "operand with one value for each of the channels");

  /* Errors in the last columns. */
  g_autoptr (SeamDifference) tail = make (8, 1024, 1, 512);
  for (int i = 0; i < 8; i++)
    for (int j = 510; j < 512; j++)
      fail_cell (tail, i, j, 1);
  assert_says (tail, "Outputs differ in 0.20 % of elements",
               "Only columns 1,020 to 1,023 of every row (to the cell, which is 1 row × 2 "
               "columns). The last columns: the remainder");

  /* Errors in two rows. */
  g_autoptr (SeamDifference) rows = make (8, 16, 1, 512);
  for (int j = 0; j < 16; j++) {
    fail_cell (rows, 2, j, 1);
    fail_cell (rows, 5, j, 1);
  }
  assert_says (rows, "Outputs differ in 25.00 % of elements", "Only rows 2 and 5 of every column.");

  /* Errors in one spot. */
  g_autoptr (SeamDifference) spot = make (8, 16, 9, 512);
  fail_cell (spot, 3, 9, 1);
  assert_says (spot, "Outputs differ in 0.09 % of elements", "Only sample 3, in channel 9.");

  /* Errors in every column, but some in a few rows only: too many ranges to list. */
  g_autoptr (SeamDifference) scattered = make (8, 64, 1, 512);
  for (int j = 0; j < 64; j += 2)
    fail_cell (scattered, j % 8, j, 1);
  assert_says (scattered, "Outputs differ in 6.25 % of elements",
               "Only 4 of 8 rows, in 32 of 64 columns, not all of them.");
}

/* All elements differ. The size of the differences shows which operand is wrong. */
static void
test_patterns (void)
{
  g_autoptr (SeamDifference) columns = make (16, 32, 1, 512);
  g_autoptr (SeamDifference) rows = make (16, 32, 1, 512);
  g_autoptr (SeamDifference) noise = make (16, 32, 1, 512);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 32; j++) {
      float wobble = (float)g_rand_double_range (random, 0.9, 1.1);
      fail_cell (columns, i, j, wobble * (float)(1 + j * 7 % 32));
      fail_cell (rows, i, j, wobble * (float)(1 + i * 5 % 16));
      fail_cell (noise, i, j, (float)g_rand_double_range (random, 0.1, 10));
    }
  assert_says (columns, "Outputs differ in all elements",
               "The same columns stand out in all rows: an operand with one value for each of the "
               "columns");
  assert_says (rows, "Outputs differ in all elements", "Whole rows stand out");
  assert_says (noise, "Outputs differ in all elements", "Everywhere.");
}

/* Totals without an overview (from JSON) still make a sentence. */
static void
test_without_grid (void)
{
  g_autoptr (SeamDifference) difference = make (4, 4, 1, 512);

  fail_cell (difference, 1, 1, 0.5f);
  g_clear_pointer (&difference->cells, g_free);
  g_clear_pointer (&difference->failing, g_free);
  difference->n_cell_rows = difference->n_cell_columns = 0;
  assert_says (difference, "Outputs differ in 6.25 % of elements", "1 of 16 outside tolerance.");
}

/* Values under the tolerance show nothing, unless they are equal; one value over it does. */
static void
test_nothing (void)
{
  g_autoptr (SeamDifference) difference = make (4, 4, 1, 512);

  difference->spec.atol = 2e-5;
  difference->max_abs_b = 3.2e-6;
  g_assert_null (seam_agreement_describe_nothing (difference));
  assert_says (difference, "Outputs agree", "All 16 elements are equal.");
  difference->max_abs = 3.2e-6;
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
  g_autofree char *nothing = seam_agreement_describe_nothing (difference);
  g_assert_false (agreement->agree);
  g_assert_cmpstr (agreement->headline, ==, "This comparison shows nothing");
  g_assert_cmpstr (nothing, ==,
                   "This comparison shows nothing: the largest value, 3.2×10⁻⁶, is below the "
                   "tolerance 2.0×10⁻⁵.");
  difference->max_abs_b = 2.1e-5;
  assert_says (difference, "Outputs agree", "All 16 elements agree");
  difference->max_abs_b = 3.2e-6;
  difference->n_infinite_b = 1;
  assert_says (difference, "Outputs agree", "All 16 elements agree");
}

static void
assert_title (const SeamDifference *difference, const char *title)
{
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);

  g_assert_cmpstr (agreement->title, ==, title);
}

/* The title names the worst part of a bound and its place, where bounds judge. */
static void
test_title (void)
{
  g_autoptr (SeamDifference) difference = make (4, 4, 1, 512);

  difference->max_abs = 1e-3;
  difference->max_bound_ratio = .43;
  difference->bound_index = 7;
  assert_title (difference, "Outputs agree");
  difference->spec.atol = difference->spec.rtol = NAN;
  assert_title (difference, "Outputs agree: at most 0.43 of the bound, at row 1, column 3");
  difference->n_failing = 1;
  difference->max_bound_ratio = 12.34;
  assert_title (difference, "Outputs differ: up to 12.3 times the bound, at row 1, column 3");
  difference->max_bound_ratio = 1e30;
  assert_title (difference, "Outputs differ: over 10⁴ times the bound, at row 1, column 3");
  /* A number where the chain makes NaN has no bound. */
  difference->max_bound_ratio = .5;
  assert_title (difference, "Outputs differ in 6.25 % of elements");
  difference->worst_a = NAN;
  difference->worst_index = 9;
  assert_title (difference, "Outputs differ in 6.25 % of elements: NaN at row 2, column 1");
}

/* Where bounds judge: nothing judged shows nothing, the rest is counted, and a right plan may be
 * less precise. */
static void
test_bound (void)
{
  g_autoptr (SeamDifference) a = make (4, 4, 1, 512), b = make (4, 4, 1, 512);

  b->spec.atol = b->spec.rtol = NAN;
  b->max_abs_b = 1;
  b->n_unjudged = 16;
  g_autoptr (SeamAgreement) nothing = seam_agreement_new (b);
  g_assert_cmpstr (nothing->headline, ==, "This comparison shows nothing");
  g_assert_true (g_str_has_prefix (nothing->detail, "No element could be judged."));
  b->n_unjudged = 3;
  assert_says (b, "Outputs agree", "3 elements are not judged: ");
  b->n_unjudged = 0;
  b->n_nan_b = 1;
  assert_says (b, "Outputs agree", "1 element is NaN on both sides");
  b->n_nan_b = 0;
  b->max_abs_b = 0;
  assert_says (b, "Outputs agree", "is 0: this shows little.");
  b->max_abs_b = 1e-40;
  b->n_shown = 0;
  assert_says (b, "Outputs agree", "an output of zeros would agree, too: this shows little.");
  b->n_shown = 1;
  g_assert_null (seam_agreement_describe_limits (b));

  a->rms_abs = 1e-7;
  a->rms_b = b->rms_b = 1;
  b->rms_abs = 3.9e-7;
  g_assert_null (seam_agreement_describe_precision (a, b));
  b->rms_abs = 4.7e-6;
  g_autofree char *less = seam_agreement_describe_precision (a, b);
  g_assert_nonnull (strstr (less, "47 times that of the plan compared with"));
  /* Not below half a unit in the last place of the output. */
  a->rms_abs = 0;
  b->rms_abs = 2e-7;
  g_assert_null (seam_agreement_describe_precision (a, b));
}

/* Sentences about one difference never contradict each other, whatever its numbers are. */
static void
test_contradictions (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (45);
  int n_seen[3] = { 0 };

  for (int trial = 0; trial < 2000; trial++) {
    g_autoptr (SeamDifference) difference = make (8, 8, 1, 512);
    int kind = g_rand_int_range (random, 0, 4);
    int n = kind == 0 ? 64 : kind == 1 ? 0 : g_rand_int_range (random, 0, 65);
    gboolean is_nan = g_rand_boolean (random);

    difference->spec.atol = 1e-3;
    difference->max_abs_b = g_rand_boolean (random) ? 1 : 1e-4;
    for (int i = 0; i < n; i++)
      fail_cell (difference, i / 8, i % 8, is_nan ? NAN : 1);
    if (is_nan && n > 0) {
      difference->n_nan_a = n;
      difference->worst_index = 0;
      difference->worst_a = NAN;
    } else if (n == 0 && g_rand_boolean (random)) {
      difference->max_abs = 1e-5;
      difference->worst_index = 0;
    }
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
    g_autofree char *text = g_strdup_printf ("%s. %s", agreement->headline, agreement->detail);
    n_seen[agreement->outputs]++;
    if (difference->n_nan_a > 0) {
      g_assert_true (isnan (seam_difference_get_largest (difference)));
      g_assert_null (strstr (text, "largest difference"));
      g_assert_null (strstr (text, "Largest difference"));
    }
    if (strstr (text, "differ in all") != NULL)
      g_assert_null (strstr (text, "All other"));
    else if (is_nan && n > 0)
      g_assert_nonnull (strstr (text, "All other elements are equal."));
    g_assert_cmpint (agreement->outputs == SEAM_OUTPUTS_SHOWN_NOTHING, ==,
                     strstr (text, "shows nothing") != NULL);
    g_assert_cmpint (strstr (text, "agree") != NULL || strstr (text, "are equal") != NULL, ==,
                     agreement->agree || strstr (text, "All other") != NULL);
  }
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (n_seen[i], >, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agreement/agree", test_agree);
  g_test_add_func ("/agreement/counts", test_counts);
  g_test_add_func ("/agreement/nan", test_nan);
  g_test_add_func ("/agreement/places", test_places);
  g_test_add_func ("/agreement/patterns", test_patterns);
  g_test_add_func ("/agreement/nothing", test_nothing);
  g_test_add_func ("/agreement/bound", test_bound);
  g_test_add_func ("/agreement/title", test_title);
  g_test_add_func ("/agreement/contradictions", test_contradictions);
  g_test_add_func ("/agreement/without-grid", test_without_grid);
  return g_test_run ();
}
