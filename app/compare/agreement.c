/* SPDX-License-Identifier: MIT
 *
 * The verdict on two outputs, in words: how many elements are outside tolerance, and where, as far
 * as the overview shows it. Where an error lies often tells what it is: a column's operand, the
 * remainder of a tile, a sample that was never written.
 */
#include "app/compare/compare.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* More ranges than this are a count: nobody reads a list of twenty. */
#define MOST_RANGES 3

/* Share of the variance of log |a - b| over the cells that the columns (rows) must explain before
 * the pattern is called theirs, and how little the other side may. */
#define PATTERN_SHARE 0.5
#define OTHER_SHARE   0.2

/* Which rows (or columns) of cells hold a failing element. */
typedef struct {
  gboolean *hit;
  gint64 n, n_hit, first, last; /* in cells */
  gint64 per_cell, total;       /* elements of the output along this side */
  const char *name;             /* "channels" */
} Side;

static void
side_init (Side *side, gint64 n, gint64 per_cell, gint64 total, const char *name)
{
  *side = (Side){
    .hit = g_new0 (gboolean, n), .n = n, .per_cell = per_cell, .total = total, .name = name
  };
}

static void
side_count (Side *side)
{
  side->first = -1;
  for (gint64 i = 0; i < side->n; i++)
    if (side->hit[i]) {
      side->n_hit++;
      side->last = i;
      if (side->first < 0)
        side->first = i;
    }
}

static gint64
last_element (const Side *side, gint64 cell)
{
  return MIN ((cell + 1) * side->per_cell, side->total) - 1;
}

static void
append_range (GString *text, const Side *side, gint64 first, gint64 last)
{
  g_autofree char *from = seam_text_count (first * side->per_cell);
  g_autofree char *to = seam_text_count (last_element (side, last));

  if (g_str_equal (from, to))
    g_string_append (text, from);
  else
    g_string_append_printf (text, "%s to %s", from, to);
}

/* "channels 4 to 7", "columns 0, 9 and 40 to 47", "213 of 512 columns"; when cells are wider than
 * an element, the blocks that hold them. */
static char *
describe_side (const Side *side)
{
  GString *text = g_string_new (NULL);
  gint64 n_ranges = 0, done = 0;

  for (gint64 i = 0; i < side->n; i++)
    n_ranges += side->hit[i] && (i == 0 || !side->hit[i - 1]);
  if (n_ranges > MOST_RANGES) {
    g_autofree char *hit = seam_text_count (side->n_hit);
    g_autofree char *all = seam_text_count (side->n);
    g_string_printf (text, "%s of %s %s%s", hit, all, side->per_cell > 1 ? "blocks of " : "",
                     side->name);
    return g_string_free (text, FALSE);
  }
  /* The names are plurals in s. */
  gboolean single =
      side->n_hit == 1 && last_element (side, side->first) == side->first * side->per_cell;
  g_string_append_len (text, side->name, (gssize)strlen (side->name) - single);
  g_string_append_c (text, ' ');
  for (gint64 i = 0; i < side->n; i++) {
    if (!side->hit[i])
      continue;
    gint64 first = i;
    while (i + 1 < side->n && side->hit[i + 1])
      i++;
    if (done > 0)
      g_string_append (text, done == n_ranges - 1 ? " and " : ", ");
    append_range (text, side, first, i);
    done++;
  }
  return g_string_free (text, FALSE);
}

/* Whether the hit part is a short tail: what is left over after whole tiles or vectors. */
static gboolean
is_tail (const Side *side)
{
  return side->n_hit < side->n && side->first == side->n - side->n_hit
         && side->n_hit * 4 <= side->n;
}

/* Whether every row of cells that has a failing element has them in the same columns. */
static gboolean
same_columns (const SeamDifference *difference, const Side *rows, const Side *columns)
{
  for (gint64 i = 0; i < rows->n; i++)
    for (gint64 j = 0; j < columns->n; j++)
      if (rows->hit[i] && columns->hit[j] != (difference->failing[i * columns->n + j] > 0))
        return FALSE;
  return TRUE;
}

/* How much of the variance of log |a - b| over the cells the column's and the row's mean explain
 * (two-way analysis of variance). FALSE where there is no variance, or cells that are 0 or NaN. */
static gboolean
explain_pattern (const SeamDifference *difference, double *by_columns, double *by_rows)
{
  gint64 n_rows = difference->n_cell_rows, n_columns = difference->n_cell_columns;
  g_autofree double *row_sums = g_new0 (double, n_rows);
  g_autofree double *column_sums = g_new0 (double, n_columns);
  double sum = 0, squares = 0, n = (double)n_rows * (double)n_columns;

  if (n_rows < 4 || n_columns < 4)
    return FALSE;
  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_columns; j++) {
      float cell = difference->cells[i * n_columns + j];
      if (!(cell > 0) || !isfinite (cell))
        return FALSE;
      double value = log (cell);
      sum += value;
      squares += value * value;
      row_sums[i] += value;
      column_sums[j] += value;
    }
  double mean = sum / n, variance = squares / n - mean * mean;
  if (!(variance > 1e-6))
    return FALSE;
  *by_columns = *by_rows = 0;
  for (gint64 j = 0; j < n_columns; j++) {
    double deviation = column_sums[j] / (double)n_rows - mean;
    *by_columns += deviation * deviation / (double)n_columns;
  }
  for (gint64 i = 0; i < n_rows; i++) {
    double deviation = row_sums[i] / (double)n_columns - mean;
    *by_rows += deviation * deviation / (double)n_rows;
  }
  *by_columns /= variance;
  *by_rows /= variance;
  return TRUE;
}

/* Every row and every column of cells has failing elements: what is left is how large they are. */
static void
append_pattern (GString *detail, const SeamDifference *difference, const char *row_name,
                const char *column_name)
{
  double by_columns, by_rows;

  if (explain_pattern (difference, &by_columns, &by_rows)) {
    if (by_columns >= PATTERN_SHARE && by_rows <= OTHER_SHARE) {
      g_string_append_printf (detail,
                              " The same %s stand out in all %s: an operand with one value for "
                              "each of the %s, such as a bias or a scale, is the likely cause.",
                              column_name, row_name, column_name);
      return;
    }
    if (by_rows >= PATTERN_SHARE && by_columns <= OTHER_SHARE) {
      g_string_append_printf (
          detail,
          " Whole %s stand out, alike in all %s: something computed once for "
          "each of the %s, such as an input or a statistic, is the likely cause.",
          row_name, column_name, row_name);
      return;
    }
  }
  g_string_append (detail, " They are spread over the whole output.");
}

static void
append_place (GString *detail, const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gboolean matrix = spec->plane == 1;
  Side rows, columns;

  if (difference->failing == NULL || difference->cells == NULL)
    return;
  side_init (&rows, difference->n_cell_rows, spec->rows_per_cell, spec->rows,
             matrix ? "rows" : "samples");
  side_init (&columns, difference->n_cell_columns, spec->columns_per_cell, spec->columns,
             matrix ? "columns" : "channels");
  for (gint64 i = 0; i < rows.n; i++)
    for (gint64 j = 0; j < columns.n; j++)
      if (difference->failing[i * columns.n + j] > 0)
        rows.hit[i] = columns.hit[j] = TRUE;
  side_count (&rows);
  side_count (&columns);
  g_autofree char *row_text = describe_side (&rows);
  g_autofree char *column_text = describe_side (&columns);
  gboolean all_rows = rows.n_hit == rows.n, all_columns = columns.n_hit == columns.n;

  if (rows.n_hit == 0 || (rows.n == 1 && columns.n == 1)) {
    /* One cell is the whole output: it shows no place. */
  } else if (all_rows && all_columns) {
    append_pattern (detail, difference, rows.name, columns.name);
  } else if (all_rows && is_tail (&columns)) {
    g_string_append_printf (detail,
                            " Only the last %s (%s): the remainder after whole tiles or vectors is "
                            "the likely cause.",
                            columns.name, column_text);
  } else if (all_columns && is_tail (&rows)) {
    g_string_append_printf (detail,
                            " Only the last %s (%s): the remainder after whole tiles is the likely "
                            "cause.",
                            rows.name, row_text);
  } else if (all_rows && rows.n > 1 && same_columns (difference, &rows, &columns)) {
    g_string_append_printf (
        detail,
        " All %s, always in the same %s (%s): an operand with one value for each "
        "of the %s, such as a bias or a scale, is the likely cause.",
        rows.name, columns.name, column_text, columns.name);
  } else if (all_rows) {
    g_string_append_printf (detail, " Only %s.", column_text);
  } else if (all_columns) {
    g_string_append_printf (detail, " Only %s.", row_text);
  } else {
    g_string_append_printf (detail, " Only %s, in %s.", row_text, column_text);
  }
  g_free (rows.hit);
  g_free (columns.hit);
}

/* Counts one sort of value that no output should hold. */
static void
append_odd (GString *detail, gint64 n, const char *what, const char *where)
{
  if (n == 0)
    return;
  g_autofree char *count = seam_text_count (n);
  g_string_append_printf (detail, " %s element%s of %s %s %s.", count, n == 1 ? "" : "s", where,
                          n == 1 ? "is" : "are", what);
}

static void
append_worst (GString *detail, const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;

  if (difference->worst_index < 0)
    return;
  g_autofree char *largest = seam_text_scientific (difference->max_abs);
  gint64 line = difference->worst_index / spec->plane;
  g_autofree char *row = seam_text_count (line / spec->columns);
  g_autofree char *column = seam_text_count (line % spec->columns);
  g_string_append_printf (detail, " Largest difference %s", largest);
  /* With NaN or infinity about, the worst element is one of those and not the largest number. */
  if (isfinite (difference->worst_a) && isfinite (difference->worst_b))
    g_string_append_printf (detail, ", at %s %s, %s %s", spec->plane == 1 ? "row" : "sample", row,
                            spec->plane == 1 ? "column" : "channel", column);
  g_string_append_c (detail, '.');
}

char *
seam_agreement_format_share (gint64 n, gint64 n_elements)
{
  double percent = 100 * (double)n / (double)MAX (n_elements, 1);

  if (n == n_elements || n == 0)
    return g_strdup (n == 0 ? "0" : "100");
  return percent > 99.99 ? g_strdup ("> 99.99") : seam_text_fixed (percent, 2);
}

SeamAgreement *
seam_agreement_new (const SeamDifference *difference)
{
  SeamAgreement *agreement = g_new0 (SeamAgreement, 1);
  GString *detail = g_string_new (NULL);
  g_autofree char *all = seam_text_count (difference->n_elements);

  agreement->agree = difference->n_failing == 0;
  if (agreement->agree) {
    agreement->headline = g_strdup ("Outputs agree");
    if (difference->max_abs == 0) {
      g_string_append_printf (detail, "All %s elements are equal.", all);
    } else {
      g_autofree char *largest = seam_text_scientific (difference->max_abs);
      g_string_append_printf (detail, "All %s elements agree; largest difference %s.", all,
                              largest);
    }
  } else {
    g_autofree char *failing = seam_text_count (difference->n_failing);
    g_autofree char *share =
        seam_agreement_format_share (difference->n_failing, difference->n_elements);
    agreement->headline = difference->n_failing == difference->n_elements
                              ? g_strdup ("Outputs differ in all elements")
                              : g_strdup_printf ("Outputs differ in %s %% of elements", share);
    g_string_append_printf (detail, "%s of %s outside tolerance.", failing, all);
    append_worst (detail, difference);
    append_odd (detail, difference->n_nan_a, "NaN (not written, or computed from such)",
                "this plan");
    append_odd (detail, difference->n_infinite_a, "infinite", "this plan");
    append_odd (detail, difference->n_nan_b, "NaN", "the reference");
    append_odd (detail, difference->n_infinite_b, "infinite", "the reference");
    append_place (detail, difference);
  }
  agreement->detail = g_string_free (detail, FALSE);
  return agreement;
}

void
seam_agreement_free (SeamAgreement *agreement)
{
  if (agreement == NULL)
    return;
  g_free (agreement->headline);
  g_free (agreement->detail);
  g_free (agreement);
}
