/* SPDX-License-Identifier: MIT
 *
 * What the diagnosis calls 200 patterns made at random, 25 of each kind, with and without
 * exceptions: as elements outside the tolerance among right ones, and as large errors among small
 * ones where every element fails. Outputs are matrices and batches of planes, cells single elements
 * and blocks of them. The differences are counted by the code that counts them in a run.
 */
#include "app/backend/difference-totals.h"
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

typedef enum { ROWS, COLUMNS, BLOCKS, TAILS, SAMPLES, GROUPS, DIAGONAL, NOISE, N_KINDS } Kind;
static const char *const kinds[] = { "rows",    "columns", "blocks",   "tails",
                                     "samples", "groups",  "diagonal", "noise" };

#define N_EACH     25
#define EXCEPTIONS 0.05

typedef struct {
  gint64 rows, columns, height, width, side; /* side: most cells */
  gboolean is_by_size;
} Case;

static const Case cases[] = {
  { 64, 48, 1, 1, 512, FALSE }, { 64, 48, 1, 1, 512, TRUE },  { 128, 192, 1, 1, 32, FALSE },
  { 128, 192, 1, 1, 32, TRUE }, { 24, 32, 5, 6, 512, FALSE }, { 24, 32, 5, 6, 512, TRUE },
  { 64, 128, 3, 4, 16, FALSE }, { 64, 128, 3, 4, 16, TRUE },
};

/* The numbers that make one pattern. */
typedef struct {
  Kind kind;
  const Case *c;
  guint8 rows[256], columns[256];
  gint64 row, column, n_rows, n_columns; /* of a block; of a tail or of samples, one side */
  gint64 n_groups;
  guint8 groups[256 * 64]; /* [rows, n_groups] */
  gboolean is_in_plane, is_square;
  double share;
} Pattern;

static void
draw_marks (GRand *random, guint8 *marks, gint64 n)
{
  double share = g_rand_double_range (random, .05, .5);

  for (gint64 i = 0; i < n; i++)
    marks[i] = g_rand_double (random) < share;
  marks[g_rand_int_range (random, 0, (gint32)n)] = 1;
}

static void
draw (Pattern *pattern, GRand *random, Kind kind, const Case *c, int number)
{
  *pattern = (Pattern){ .kind = kind, .c = c };
  draw_marks (random, pattern->rows, c->rows);
  draw_marks (random, pattern->columns, c->columns);
  pattern->n_rows = g_rand_int_range (random, (gint32)c->rows / 8, (gint32)c->rows / 2);
  pattern->n_columns = g_rand_int_range (random, (gint32)c->columns / 8, (gint32)c->columns / 2);
  pattern->row = g_rand_int_range (random, 0, (gint32)(c->rows - pattern->n_rows));
  pattern->column = g_rand_int_range (random, 0, (gint32)(c->columns - pattern->n_columns));
  pattern->is_in_plane = c->width > 1 && number % 4 < 2;
  pattern->n_groups = 4 << number % 2;
  pattern->share = g_rand_double_range (random, .2, .6);
  for (gint64 i = 0; i < c->rows * pattern->n_groups; i++)
    pattern->groups[i] = g_rand_double (random) < pattern->share;
  pattern->is_square = number % 2 == 0;
  pattern->share = g_rand_double_range (random, .05, .95);
}

static gboolean
is_in (const Pattern *pattern, GRand *random, gint64 i, gint64 j, gint64 x)
{
  const Case *c = pattern->c;
  double down = (double)i + .5, across = (double)j + .5;

  switch (pattern->kind) {
  case ROWS:
    return pattern->rows[i];
  case COLUMNS:
    return pattern->columns[j];
  case BLOCKS:
    return i >= pattern->row && i < pattern->row + pattern->n_rows && j >= pattern->column
           && j < pattern->column + pattern->n_columns;
  case TAILS:
    return pattern->is_in_plane ? x == c->width - 1 : j >= c->columns - pattern->n_columns / 2;
  case SAMPLES:
    return i >= pattern->row && i < pattern->row + pattern->n_rows;
  case GROUPS:
    return pattern->groups[i * pattern->n_groups + j * pattern->n_groups / c->columns];
  case DIAGONAL:
    if (pattern->is_square)
      return ABS (j - i) <= c->columns / 32;
    return fabs (across / (double)c->columns - down / (double)c->rows)
           <= 1.5 / (double)MIN (c->rows, c->columns);
  default:
    return g_rand_double (random) < pattern->share;
  }
}

static SeamDifference *
make (const Pattern *pattern, GRand *random, double exceptions)
{
  const Case *c = pattern->c;
  SeamDifferenceSpec spec = { .rows = c->rows,
                              .columns = c->columns,
                              .plane = c->height * c->width,
                              .plane_width = c->width,
                              .atol = 1e-4,
                              .rtol = 1e-4 };
  g_autofree SeamTotals *totals = g_new0 (SeamTotals, 1);

  seam_difference_choose_cells (&spec, c->side);
  SeamDifference *difference = seam_difference_new (&spec);
  gint64 n_cells = difference->n_cell_rows * difference->n_cell_columns;
  g_autofree guint8 *excepted = g_new (guint8, n_cells);
  for (gint64 i = 0; i < n_cells; i++)
    excepted[i] = g_rand_double (random) < exceptions;
  for (gint64 index = 0; index < difference->n_elements; index++) {
    gint64 line = index / spec.plane, i = line / spec.columns, j = line % spec.columns;
    gint64 cell = i / spec.rows_per_cell * difference->n_cell_columns + j / spec.columns_per_cell;
    gboolean is_large = is_in (pattern, random, i, j, index % c->width);
    /* Errors of a sum of roundings: many sizes around their own. */
    double error = exp (g_rand_double_range (random, -.7, .7));
    /* A cell knows its largest error only, so with sizes the exceptions are whole cells. */
    if (c->is_by_size ? excepted[cell] : g_rand_double (random) < exceptions)
      is_large = !is_large;
    error *= is_large ? .5 : pattern->c->is_by_size ? .05 : 1e-6;
    seam_totals_add_pair (totals, difference, cell, index, 1 + error, 1, NAN);
  }
  seam_totals_finish (totals, difference);
  return difference;
}

/* The name that a sentence gives: the kind, or -1 for none. */
static int
read_name (const SeamDifference *difference, const char *text)
{
  gboolean is_matrix = difference->spec.plane == 1;
  const char *row = is_matrix ? "row" : "sample", *column = is_matrix ? "column" : "channel";
  g_autofree char *of_rows = g_strdup_printf ("of every %s", row);
  g_autofree char *of_columns = g_strdup_printf ("of every %s", column);
  g_autofree char *same = g_strdup_printf ("The same %ss stand out", column);
  g_autofree char *whole = g_strdup_printf ("Whole %ss stand out", row);
  g_autofree char *in = g_strdup_printf (", in %s", column);
  g_autofree char *one_row = g_strdup_printf ("ostly blocks of %" G_GINT64_FORMAT " %s",
                                              difference->spec.rows_per_cell, row);

  if (strstr (text, "diagonal") != NULL)
    return DIAGONAL;
  if (strstr (text, one_row) != NULL)
    return GROUPS;
  if (strstr (text, "ostly blocks of ") != NULL)
    return BLOCKS;
  if (strstr (text, of_rows) != NULL || strstr (text, same) != NULL)
    return strstr (text, "In every") != NULL && strstr (text, same) == NULL ? -1 : COLUMNS;
  if (strstr (text, of_columns) != NULL || strstr (text, whole) != NULL)
    return ROWS;
  if (strstr (text, "every plane") != NULL)
    return TAILS;
  if (strstr (text, in) != NULL && strstr (text, "not all of them") == NULL)
    return BLOCKS;
  return -1;
}

static int
get_right_name (const Pattern *pattern)
{
  switch (pattern->kind) {
  case SAMPLES:
    return ROWS;
  case TAILS:
    return pattern->is_in_plane ? TAILS : COLUMNS;
  case NOISE:
    return -1;
  default:
    return (int)pattern->kind;
  }
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  int n_wrong = 0, n_unnamed = 0;

  for (int kind = 0; kind < N_KINDS; kind++)
    for (int number = 0; number < N_EACH; number++) {
      g_autoptr (GRand) random = g_rand_new_with_seed ((guint32)(1000 * kind + number));
      g_autofree Pattern *pattern = g_new (Pattern, 1);
      g_autofree char *cause = NULL, *region = NULL, *text = NULL;
      double exceptions = number % 2 == 0 ? 0 : EXCEPTIONS;
      int name, right;

      draw (pattern, random, (Kind)kind, c, number);
      g_autoptr (SeamDifference) difference = make (pattern, random, exceptions);
      region = seam_region_describe (difference, &cause);
      g_assert_nonnull (region);
      text = g_strdup_printf ("%s %s", region, cause != NULL ? cause : "");
      name = read_name (difference, text);
      right = get_right_name (pattern);
      if (kind != NOISE && strstr (text, "no pattern") != NULL)
        g_error ("%s, number %d, is told: %s", kinds[kind], number, text);
      if (name != right)
        g_test_message ("%s, number %d, %g exceptions: %s", kinds[kind], number, exceptions, text);
      n_wrong += name != right && name >= 0;
      n_unnamed += name != right && name < 0;
    }
  /* Exceptions all over the planes hide their last column, and in blocks of cells one narrow tail
   * in a hundred is lost; nothing is said of these. */
  g_assert_cmpint (n_wrong, <=, N_KINDS * N_EACH / 20);
  g_assert_cmpint (n_unnamed, <=, c->side < c->rows || c->width > 1 ? 26 : 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    g_autofree char *path = g_strdup_printf (
        "/region-patterns/%s/%s/%s", c->width > 1 ? "planes" : "matrix",
        c->side < c->rows ? "blocks" : "elements", c->is_by_size ? "sizes" : "failing");
    g_test_add_data_func (path, c, test_case);
  }
  return g_test_run ();
}
