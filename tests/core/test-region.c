/* SPDX-License-Identifier: MIT
 *
 * The sentence that says where an output is wrong, against patterns made at random: a pattern that
 * is a product of ranges is named with its numbers, wherever it lies; no other pattern is; elements
 * that were not compared change nothing.
 */
#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

#define N_TRIALS 300

static SeamDifference *
make (gint64 rows, gint64 columns, gint64 plane, gint64 side)
{
  SeamDifferenceSpec spec = { .rows = rows, .columns = columns, .plane = plane };

  seam_difference_choose_cells (&spec, side);
  SeamDifference *difference = seam_difference_new (&spec);
  difference->n_worst = 0;
  return difference;
}

/* Makes one element fail, as a comparison would count it. */
static void
fail_element (SeamDifference *difference, gint64 row, gint64 column)
{
  gint64 cell = row / difference->spec.rows_per_cell * difference->n_cell_columns
                + column / difference->spec.columns_per_cell;

  difference->cells[cell] = 1;
  difference->failing[cell]++;
  difference->n_failing++;
}

static void
assert_region (const SeamDifference *difference, const char *sentence)
{
  g_autofree char *region = seam_region_describe (difference, NULL);

  g_assert_cmpstr (region, ==, sentence);
}

typedef struct {
  gint64 first, last;
} Range;

static Range
draw_range (GRand *random, gint64 n)
{
  Range range = { g_rand_int_range (random, 0, (gint32)n), 0 };

  range.last = g_rand_int_range (random, (gint32)range.first, (gint32)n);
  return range;
}

static char *
say (const char *name, Range range)
{
  g_autofree char *from = seam_text_count (range.first), *to = seam_text_count (range.last);

  if (range.first == range.last)
    return g_strdup_printf ("%.*s %s", (int)strlen (name) - 1, name, from);
  return g_strdup_printf ("%s %s to %s", name, from, to);
}

/* A rectangle of an output whose cells are single elements is named with exact numbers. */
static void
test_rectangles (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  int n_kinds[4] = { 0 };

  for (int trial = 0; trial < N_TRIALS; trial++) {
    gint64 n_rows = 2 + g_rand_int_range (random, 0, 30),
           n_columns = 2 + g_rand_int_range (random, 0, 30);
    g_autoptr (SeamDifference) difference = make (n_rows, n_columns, 1, 512);
    Range rows = draw_range (random, n_rows), columns = draw_range (random, n_columns);
    gboolean all_rows, all_columns;

    if (trial % 3 == 0)
      rows = (Range){ 0, n_rows - 1 };
    if (trial % 5 == 0)
      columns = (Range){ 0, n_columns - 1 };
    all_rows = rows.last - rows.first + 1 == n_rows;
    all_columns = columns.last - columns.first + 1 == n_columns;
    for (gint64 i = rows.first; i <= rows.last; i++)
      for (gint64 j = columns.first; j <= columns.last; j++)
        fail_element (difference, i, j);

    g_autofree char *row_text = say ("rows", rows), *column_text = say ("columns", columns);
    g_autofree char *expected = all_rows && all_columns ? g_strdup ("Everywhere.")
                                : all_rows ? g_strdup_printf ("Only %s of every row.", column_text)
                                : all_columns
                                    ? g_strdup_printf ("Only %s of every column.", row_text)
                                    : g_strdup_printf ("Only %s, in %s.", row_text, column_text);
    assert_region (difference, expected);
    n_kinds[all_rows * 2 + all_columns]++;
  }
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (n_kinds[i], >, 5);
}

/* A rectangle with a missing element inside is not a product of ranges. */
static void
test_holes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (12);

  for (int trial = 0; trial < N_TRIALS; trial++) {
    g_autoptr (SeamDifference) difference = make (20, 24, 1, 512);
    gint64 hole_row = g_rand_int_range (random, 0, 20), hole = g_rand_int_range (random, 0, 24);

    for (gint64 i = 0; i < 20; i++)
      for (gint64 j = 0; j < 24; j++)
        if (i != hole_row || j != hole)
          fail_element (difference, i, j);
    assert_region (difference, "Nearly everywhere: 479 of 480 cells.");
  }
}

/* All but one diagonal, and all but two neighbours, are not along a diagonal, nor in tiles. */
static void
test_nearly_everywhere (void)
{
  g_autoptr (SeamDifference) diagonal = make (64, 64, 1, 512), pair = make (64, 64, 1, 512);

  for (gint64 i = 0; i < 64; i++)
    for (gint64 j = 0; j < 64; j++) {
      if (i != j)
        fail_element (diagonal, i, j);
      if (i != 7 || j / 2 != 3)
        fail_element (pair, i, j);
    }
  assert_region (diagonal, "Nearly everywhere: 4,032 of 4,096 cells.");
  assert_region (pair, "Nearly everywhere: 4,094 of 4,096 cells.");
}

static char *
describe_sizes (const SeamDifference *difference)
{
  g_autofree char *cause = NULL, *region = seam_region_describe (difference, &cause);

  return g_strdup_printf ("%s %s", region, cause != NULL ? cause : "");
}

/* The rounding of one constant error is no pattern; NaN is larger than any number. */
static void
test_sizes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (14);
  g_autoptr (SeamDifference) difference = make (32, 32, 1, 512);

  for (gint64 i = 0; i < 32; i++)
    for (gint64 j = 0; j < 32; j++) {
      fail_element (difference, i, j);
      difference->cells[i * 32 + j] = (float)(0.1 + 1e-7 * (j % 3) + 1e-8 * g_rand_double (random));
    }
  g_autofree char *constant = describe_sizes (difference);
  g_assert_cmpstr (constant, ==, "Everywhere. ");
  for (gint64 i = 0; i < 32; i++)
    difference->cells[i * 32 + 7] = NAN;
  g_autofree char *column = describe_sizes (difference);
  g_assert_nonnull (strstr (column, "The same columns stand out"));
}

static void
test_scattered (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (13);

  for (int trial = 0; trial < N_TRIALS / 10; trial++) {
    g_autoptr (SeamDifference) difference = make (64, 64, 1, 512);

    for (int i = 0; i < 2000; i++)
      fail_element (difference, g_rand_int_range (random, 0, 64), g_rand_int_range (random, 0, 64));
    g_autofree char *cause = NULL;
    g_autofree char *region = seam_region_describe (difference, &cause);
    g_assert_true (g_str_has_prefix (region, "Scattered: "));
    g_assert_null (cause);
  }
}

/* Makes an element fail and marks it, as a comparison does. */
static void
fail_and_mark (SeamDifference *difference, gint64 row, gint64 column, gint64 at)
{
  fail_element (difference, row, column);
  seam_difference_mark (difference,
                        (row * difference->spec.columns + column) * difference->spec.plane + at);
}

static SeamDifference *
make_planes (gint64 rows, gint64 columns, gint64 height, gint64 width, gint64 side)
{
  SeamDifferenceSpec spec = {
    .rows = rows, .columns = columns, .plane = height * width, .plane_width = width
  };

  seam_difference_choose_cells (&spec, side);
  SeamDifference *difference = seam_difference_new (&spec);
  difference->n_worst = 0;
  return difference;
}

/* Marks make the ranges exact however coarse the cells are: boxes at random places in planes. */
static void
test_marks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (14);

  for (int trial = 0; trial < N_TRIALS; trial++) {
    g_autoptr (SeamDifference) difference = make_planes (9, 40, 11, 13, 1 + trial % 8);
    Range rows = draw_range (random, 9), columns = draw_range (random, 40);
    Range down = draw_range (random, 11), across = draw_range (random, 13);
    g_autofree char *planes = NULL, *expected = NULL;
    gboolean hole = trial % 4 == 0;

    if (rows.last - rows.first == 8 || columns.last - columns.first == 39 || down.first == 0
        || across.first == 0)
      continue;
    if (trial % 3 == 0)
      down = (Range){ 0, 10 };
    hole = hole && rows.last > rows.first && columns.last > columns.first && down.last > down.first;
    for (gint64 i = rows.first; i <= rows.last; i++)
      for (gint64 j = columns.first; j <= columns.last; j++)
        for (gint64 y = down.first; y <= down.last; y++)
          for (gint64 x = across.first; x <= across.last; x++)
            if (!hole || i != rows.first || j != columns.first || y != down.first)
              fail_and_mark (difference, i, j, y * 13 + x);

    g_autofree char *row_text = say ("samples", rows), *column_text = say ("channels", columns);
    g_autofree char *down_text = say ("rows", down), *across_text = say ("columns", across);
    planes = trial % 3 == 0 ? g_strdup (across_text)
                            : g_strdup_printf ("%s, %s", down_text, across_text);
    expected =
        g_strdup_printf ("Only %s, in %s, %s of their planes only", row_text, column_text, planes);
    g_autofree char *region = seam_region_describe (difference, NULL);
    g_assert_true (g_str_has_prefix (region, expected));
    g_assert_cmpint (strstr (region, "% of these elements") != NULL, ==, hole);
    if (!hole)
      g_assert_cmpuint (strlen (region), ==, strlen (expected) + 1);
  }
}

static void
test_plane_edges (void)
{
  g_autoptr (SeamDifference) tail = make_planes (4, 8, 10, 126, 512);
  g_autoptr (SeamDifference) row = make_planes (4, 8, 254, 254, 2);
  g_autoptr (SeamDifference) half = make_planes (4, 8, 10, 100, 1);
  g_autoptr (SeamDifference) point = make_planes (1, 1, 20, 30, 512);
  g_autofree char *cause = NULL, *region = NULL;

  for (gint64 i = 0; i < 4; i++)
    for (gint64 j = 0; j < 8; j++) {
      for (gint64 y = 0; y < 10; y++) {
        fail_and_mark (tail, i, j, y * 126 + 124);
        fail_and_mark (tail, i, j, y * 126 + 125);
        fail_and_mark (half, i, j, y * 100 + 7);
        if ((i + j) % 2 == 0)
          fail_and_mark (half, i, j, y * 100 + 8);
      }
      if (j >= 4)
        for (gint64 x = 0; x < 254; x++)
          fail_and_mark (row, i, j, 253 * 254 + x);
    }
  region = seam_region_describe (tail, &cause);
  g_assert_cmpstr (region, ==, "Only columns 124 to 125 of every plane.");
  g_assert_nonnull (strstr (cause, "remainder after whole vectors"));
  assert_region (row, "Only channels 4 to 7 of every sample, row 253 of their planes only.");
  assert_region (half, "Only columns 7 to 8 of every plane, 75.00 % of these elements.");
  /* It is only one cell, but still a place. */
  fail_and_mark (point, 0, 0, 4 * 30 + 9);
  assert_region (point, "Only row 4, column 9 of every plane.");
}

/* In a matrix with coarse cells, the columns are exact to the element. */
static void
test_marked_matrix (void)
{
  g_autoptr (SeamDifference) difference = make (1024, 8192, 1, 512);

  for (gint64 i = 0; i < 1024; i++)
    for (gint64 j = 4033; j < 4095; j++)
      if (j != 4050)
        fail_and_mark (difference, i, j, 0);
  assert_region (difference, "Only columns 4,033 to 4,049 and 4,051 to 4,094 of every row.");
}

/* Cells of several elements: exact if they fail as a whole, else the sentence says how coarse
 * the answer is. */
static void
test_coarse (void)
{
  g_autoptr (SeamDifference) whole = make (1024, 8192, 1, 512);
  g_autoptr (SeamDifference) part = make (1024, 8192, 1, 512);

  for (gint64 i = 0; i < 1024; i++)
    for (gint64 j = 4032; j < 4096; j++) {
      fail_element (whole, i, j);
      if (j != 4050)
        fail_element (part, i, j);
    }
  assert_region (whole, "Only columns 4,032 to 4,095 of every row.");
  assert_region (part,
                 "Only columns 4,032 to 4,095 of every row (to the cell, which is 2 rows × 16 "
                 "columns).");
}

static void
test_channels (void)
{
  g_autoptr (SeamDifference) difference = make (128, 32, 64516, 512);

  for (gint64 i = 0; i < 128; i++)
    for (gint64 j = 4; j < 8; j++)
      fail_element (difference, i, j);
  assert_region (difference, "Only channels 4 to 7 of every sample.");

  /* Without marks, as in a file of format 1.3, the known worst elements tell in which rows of
   * the planes the errors lie. */
  g_clear_pointer (&difference->hits, g_free);
  difference->spec.plane_width = 254;
  difference->n_worst = SEAM_DIFFERENCE_WORST;
  for (int i = 0; i < SEAM_DIFFERENCE_WORST; i++)
    difference->worst[i].index = ((gint64)i * 32 + 4) * 64516 + (252 + i % 2) * 254 + i;
  assert_region (difference,
                 "Only channels 4 to 7 of every sample; the 16 worst elements are all in "
                 "rows 252 to 253 of their planes.");
  /* Errors spread over the plane: the sentence names no rows. */
  difference->worst[3].index -= 100 * 254;
  assert_region (difference, "Only channels 4 to 7 of every sample.");
  /* If all failing elements are known, the sentence covers all of them. */
  g_autoptr (SeamDifference) few = make (8, 16, 64516, 512);
  g_clear_pointer (&few->hits, g_free);
  few->spec.plane_width = 254;
  fail_element (few, 3, 9);
  few->n_worst = 1;
  few->worst[0].index = (3 * 16 + 9) * 64516 + 253 * 254;
  assert_region (few, "Only sample 3, in channel 9, row 253 of the plane only.");
}

/* Ranges may contain elements that were not compared; shares count only those that were. */
static void
test_sampled (void)
{
  g_autoptr (SeamDifference) difference = make (100, 32, 1, 512);

  difference->n_slices = 10;
  difference->n_looked = 320;
  difference->looked = g_new0 (guint32, 3200);
  for (gint64 i = 0; i < 100; i += 10)
    for (gint64 j = 0; j < 32; j++)
      difference->looked[i * 32 + j] = 1;
  for (gint64 i = 0; i < 100; i += 10)
    for (gint64 j = 28; j < 32; j++)
      fail_element (difference, i, j);
  g_autofree char *cause = NULL;
  g_autofree char *region = seam_region_describe (difference, &cause);
  g_assert_cmpstr (region, ==, "Only columns 28 to 31 of every row.");
  g_assert_nonnull (strstr (cause, "remainder"));
  for (gint64 i = 0; i < 100; i += 10)
    for (gint64 j = 0; j < 28; j++)
      fail_element (difference, i, j);
  assert_region (difference, "Everywhere.");
}

static void
test_nothing (void)
{
  g_autoptr (SeamDifference) equal = make (8, 8, 1, 512), single = make (8, 8, 1, 1);

  g_assert_null (seam_region_describe (equal, NULL));
  /* With a single cell there is no place to name. */
  fail_element (single, 3, 3);
  g_assert_null (seam_region_describe (single, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region/rectangles", test_rectangles);
  g_test_add_func ("/region/holes", test_holes);
  g_test_add_func ("/region/nearly-everywhere", test_nearly_everywhere);
  g_test_add_func ("/region/sizes", test_sizes);
  g_test_add_func ("/region/scattered", test_scattered);
  g_test_add_func ("/region/coarse", test_coarse);
  g_test_add_func ("/region/channels", test_channels);
  g_test_add_func ("/region/marks", test_marks);
  g_test_add_func ("/region/plane-edges", test_plane_edges);
  g_test_add_func ("/region/marked-matrix", test_marked_matrix);
  g_test_add_func ("/region/sampled", test_sampled);
  g_test_add_func ("/region/nothing", test_nothing);
  return g_test_run ();
}
