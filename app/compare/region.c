/* SPDX-License-Identifier: MIT
 *
 * Where an output is wrong, in one sentence, and what such a place often means. The rule, in this
 * order, over the cells that were looked at:
 *
 *   all cells          "everywhere"; how large the errors are may still follow rows or columns
 *   a row of cells is wrong in the same columns as every other wrong one: a product of ranges
 *                      "columns 4,032 to 4,095 of every row", "rows 3 to 5 of every column",
 *                      "rows 3 to 5, in columns 0 to 9"
 *   else, over all rows and all columns
 *                      "scattered: 12 of 4,096 cells, no pattern of rows or columns"
 *   else               the rows and the columns that hold all of it, "not all of them"
 *
 * Ranges are exact where the comparison marked every row and column that holds a failing element
 * (SeamDifference's `hits`), rows and columns of planes too. What they enclose fails in all its
 * elements when it has as many elements as fail; else the sentence says which share does. Without
 * marks (files up to format 1.3, sampled slices) a range is that of cells, which is exact where a
 * cell is one element wide along the sides that are named, or where every wrong cell is wrong in
 * all its elements; else the sentence says how large a cell is.
 */
#include "app/compare/compare.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* More ranges than this are shown as a count, since nobody reads a list of twenty. */
#define MOST_RANGES 3

/* PATTERN_SHARE: the share of the variance of log |a - b| over the cells that the columns (or rows)
 * must explain to be called the pattern. OTHER_SHARE: the most that the other side may explain. */
#define PATTERN_SHARE 0.5
#define OTHER_SHARE   0.2

/* BAND_ELEMENTS: the fewest worst elements for which a band of rows is named. BAND_SHARE: the plane
 * is at least this many times as high as the band. */
#define BAND_ELEMENTS 8
#define BAND_SHARE    8

/* Rows (or columns) of cells: which were compared, and which contain a failing element. */
typedef struct {
  gboolean *hit, *looked;
  gint64 n, n_hit, n_looked, first, last; /* in cells */
  gint64 per_cell, total;                 /* elements of the output along this side */
  const char *name;                       /* "channels" */
} Side;

typedef struct {
  const SeamDifference *difference;
  Side rows, columns;
  Side plane_rows, plane_columns; /* only if is_exact; for a matrix one of one */
  gboolean is_exact;              /* the sides consist of elements instead of cells */
  double share;                   /* if is_exact: failing share of the elements that the sides
                                   * enclose, 0..1 */
  gint64 n_looked, n_hit;         /* cells */
  gboolean is_product;            /* the cells that are hit are all those where a hit row meets a
                                   * hit column */
  gboolean is_full;               /* every element of every hit cell fails */
} Place;

static gboolean
is_looked_at (const SeamDifference *difference, gint64 cell)
{
  return difference->looked == NULL || difference->looked[cell] > 0;
}

static void
side_init (Side *side, gint64 n, gint64 per_cell, gint64 total, const char *name)
{
  *side = (Side){
    .hit = g_new0 (gboolean, n),
    .looked = g_new0 (gboolean, n),
    .n = n,
    .per_cell = per_cell,
    .total = total,
    .name = name,
    .first = -1,
  };
}

static void
side_clear (Side *side)
{
  g_free (side->hit);
  g_free (side->looked);
}

static void
side_count (Side *side)
{
  for (gint64 i = 0; i < side->n; i++) {
    side->n_looked += side->looked[i];
    if (!side->hit[i])
      continue;
    side->n_hit++;
    side->last = i;
    if (side->first < 0)
      side->first = i;
  }
}

static gboolean
is_all (const Side *side)
{
  return side->n_hit == side->n_looked;
}

static gint64
last_element (const Side *side, gint64 cell)
{
  return MIN ((cell + 1) * side->per_cell, side->total) - 1;
}

static gint64
count_elements (const SeamDifference *difference, gint64 row, gint64 column)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 cell = row * difference->n_cell_columns + column;
  gint64 height = MIN (spec->rows_per_cell, spec->rows - row * spec->rows_per_cell);
  gint64 width = MIN (spec->columns_per_cell, spec->columns - column * spec->columns_per_cell);

  return difference->looked != NULL ? (gint64)difference->looked[cell]
                                    : height * width * spec->plane;
}

/* Fills a side of elements from its marks. */
static void
side_init_exact (Side *side, const guint8 *hits, gint64 n, const char *name)
{
  side_init (side, n, 1, n, name);
  for (gint64 i = 0; i < n; i++) {
    side->looked[i] = TRUE;
    side->hit[i] = hits == NULL || hits[i] != 0;
  }
  side_count (side);
}

static gboolean
has_marks (const SeamDifference *difference)
{
  return difference->hits != NULL && difference->n_slices == 0
         && memchr (difference->hits, 1, seam_difference_count_hits (&difference->spec)) != NULL;
}

/* Replaces the sides of cells by those of elements. */
static void
place_make_exact (Place *place)
{
  const SeamDifference *difference = place->difference;
  const SeamDifferenceSpec *spec = &difference->spec;
  const guint8 *hits = difference->hits, *planes = hits + spec->rows + spec->columns;
  gboolean has_planes = seam_difference_has_plane_hits (spec);
  gint64 width = has_planes ? spec->plane_width : spec->plane, height = spec->plane / width;
  const char *row_name = place->rows.name, *column_name = place->columns.name;

  side_clear (&place->rows);
  side_clear (&place->columns);
  side_init_exact (&place->rows, hits, spec->rows, row_name);
  side_init_exact (&place->columns, hits + spec->rows, spec->columns, column_name);
  side_init_exact (&place->plane_rows, has_planes ? planes : NULL, height, "rows");
  side_init_exact (&place->plane_columns, has_planes ? planes + height : NULL, width, "columns");
  place->share = (double)difference->n_failing / (double)place->rows.n_hit
                 / (double)place->columns.n_hit / (double)place->plane_rows.n_hit
                 / (double)place->plane_columns.n_hit;
  /* As many elements fail as the sides enclose, so all of them fail. */
  place->is_full = difference->n_failing
                   == place->rows.n_hit * place->columns.n_hit * place->plane_rows.n_hit
                          * place->plane_columns.n_hit;
  place->is_product = place->is_product || place->is_full;
  place->is_exact = TRUE;
}

static void
place_init (Place *place, const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  Side *rows = &place->rows, *columns = &place->columns;
  gboolean matrix = spec->plane == 1;

  *place = (Place){ .difference = difference, .is_product = TRUE, .is_full = TRUE };
  side_init (rows, difference->n_cell_rows, spec->rows_per_cell, spec->rows,
             matrix ? "rows" : "samples");
  side_init (columns, difference->n_cell_columns, spec->columns_per_cell, spec->columns,
             matrix ? "columns" : "channels");
  for (gint64 i = 0; i < rows->n; i++)
    for (gint64 j = 0; j < columns->n; j++) {
      gint64 cell = i * columns->n + j;
      if (!is_looked_at (difference, cell))
        continue;
      place->n_looked++;
      rows->looked[i] = columns->looked[j] = TRUE;
      if (difference->failing[cell] == 0)
        continue;
      place->n_hit++;
      rows->hit[i] = columns->hit[j] = TRUE;
      if ((gint64)difference->failing[cell] < count_elements (difference, i, j))
        place->is_full = FALSE;
    }
  side_count (rows);
  side_count (columns);
  for (gint64 i = 0; i < rows->n; i++)
    for (gint64 j = 0; j < columns->n; j++)
      if (rows->hit[i] && columns->hit[j] && is_looked_at (difference, i * columns->n + j)
          && difference->failing[i * columns->n + j] == 0)
        place->is_product = FALSE;
  if (has_marks (difference))
    place_make_exact (place);
}

static void
place_clear (Place *place)
{
  side_clear (&place->rows);
  side_clear (&place->columns);
  side_clear (&place->plane_rows);
  side_clear (&place->plane_columns);
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

/* The next compared index after `i`; n: none. Ranges continue over indices that were not
 * compared. */
static gint64
get_next_looked (const Side *side, gint64 i)
{
  do
    i++;
  while (i < side->n && !side->looked[i]);
  return i;
}

static gint64
get_range_end (const Side *side, gint64 first)
{
  gint64 last = first;

  for (gint64 next = get_next_looked (side, first); next < side->n && side->hit[next];
       next = get_next_looked (side, next))
    last = next;
  return last;
}

/* "channels 4 to 7", "columns 0, 9 and 40 to 47", "213 of 512 columns"; if cells are wider than an
 * element, the blocks that contain them. */
static char *
describe_side (const Side *side)
{
  GString *text = g_string_new (NULL);
  gint64 n_ranges = 0, done = 0;

  for (gint64 i = 0; i < side->n; i++)
    if (side->hit[i]) {
      n_ranges++;
      i = get_range_end (side, i);
    }
  if (n_ranges > MOST_RANGES) {
    g_autofree char *hit = seam_text_count (side->n_hit);
    g_autofree char *all = seam_text_count (side->n_looked);
    g_string_printf (text, "%s of %s %s%s", hit, all, side->per_cell > 1 ? "blocks of " : "",
                     side->name);
    return g_string_free (text, FALSE);
  }
  /* All names are plurals that end with s. */
  gboolean single =
      side->n_hit == 1 && last_element (side, side->first) == side->first * side->per_cell;
  g_string_append_len (text, side->name, (gssize)strlen (side->name) - single);
  g_string_append_c (text, ' ');
  for (gint64 i = 0; i < side->n; i++) {
    if (!side->hit[i])
      continue;
    gint64 last = get_range_end (side, i);
    if (done > 0)
      g_string_append (text, done == n_ranges - 1 ? " and " : ", ");
    append_range (text, side, i, last);
    i = last;
    done++;
  }
  return g_string_free (text, FALSE);
}

static char *
get_singular (const Side *side)
{
  return g_strndup (side->name, strlen (side->name) - 1);
}

static char *
count_things (gint64 n, const Side *side)
{
  g_autofree char *count = seam_text_count (n);

  return g_strdup_printf ("%s %.*s", count, (int)strlen (side->name) - (n == 1), side->name);
}

/* Appends " (to the cell, which is 8 rows × 4 columns)" if the ranges may contain elements that do
 * not fail. */
static void
append_exactness (GString *text, const Place *place)
{
  const Side *rows = &place->rows, *columns = &place->columns;
  gboolean rows_exact = rows->per_cell == 1 || is_all (rows);
  gboolean columns_exact = columns->per_cell == 1 || is_all (columns);

  if (place->is_full || place->is_exact || (rows_exact && columns_exact))
    return;
  g_autofree char *height = count_things (rows->per_cell, rows);
  g_autofree char *width = count_things (columns->per_cell, columns);
  g_string_append_printf (text, " (to the cell, which is %s × %s)", height, width);
}

/* Appends a narrow band of rows that contains the worst elements of their planes: "; the 16 worst
 * elements are in rows 253 to 254 of their planes". If few elements fail, these are all of them. */
static void
append_band (GString *text, const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 width = spec->plane_width, n_rows, low = G_MAXINT64, high = -1;
  gboolean is_complete = difference->n_failing <= difference->n_worst;

  if (spec->plane == 1 || width < 1 || difference->n_worst < 1
      || (!is_complete && difference->n_worst < BAND_ELEMENTS))
    return;
  n_rows = spec->plane / width;
  int n = (int)MIN (difference->n_failing, difference->n_worst);
  for (int i = 0; i < n; i++) {
    gint64 row = difference->worst[i].index % spec->plane / width;
    low = MIN (low, row);
    high = MAX (high, row);
  }
  if (high - low + 1 > MAX (n_rows / BAND_SHARE, 1) || n_rows < 2)
    return;
  g_autofree char *from = seam_text_count (low), *to = seam_text_count (high);
  g_autofree char *rows =
      low == high ? g_strdup_printf ("row %s", from) : g_strdup_printf ("rows %s to %s", from, to);
  if (is_complete)
    g_string_append_printf (text, ", %s of the plane only", rows);
  else
    g_string_append_printf (text, "; the %d worst elements are all in %s of their planes", n, rows);
}

static gboolean
is_whole_plane (const Place *place)
{
  return !place->is_exact || (is_all (&place->plane_rows) && is_all (&place->plane_columns));
}

/* The place in the planes: "row 253", "rows 0 to 7, columns 124 to 125". */
static char *
describe_in_plane (const Place *place)
{
  g_autofree char *rows = describe_side (&place->plane_rows);
  g_autofree char *columns = describe_side (&place->plane_columns);

  if (is_all (&place->plane_columns))
    return g_steal_pointer (&rows);
  return is_all (&place->plane_rows) ? g_steal_pointer (&columns)
                                     : g_strdup_printf ("%s, %s", rows, columns);
}

/* Appends ", 97.31 % of these elements" if not all enclosed elements fail. */
static void
append_share (GString *text, const Place *place)
{
  double percent = 100 * place->share;

  if (!place->is_exact || place->is_full)
    return;
  g_autofree char *number = seam_text_fixed (percent, 2);
  g_string_append_printf (text, ", %s %% of these elements",
                          percent > 99.99  ? "over 99.99"
                          : percent < 0.01 ? "under 0.01"
                                           : number);
}

/* Appends the failing part of the planes: of all planes (`first`), or of those of some rows and
 * columns. */
static void
append_planes (GString *text, const Place *place, gboolean first)
{
  g_autofree char *where = NULL;

  if (is_whole_plane (place))
    return;
  where = describe_in_plane (place);
  if (first)
    g_string_append_printf (text, "Only %s of every plane", where);
  else
    g_string_append_printf (text, ", %s of their planes only", where);
}

static char *
describe_where (const Place *place)
{
  const Side *rows = &place->rows, *columns = &place->columns;
  g_autofree char *row_text = describe_side (rows);
  g_autofree char *column_text = describe_side (columns);
  g_autofree char *a_row = get_singular (rows), *a_column = get_singular (columns);
  GString *text = g_string_new (NULL);
  gboolean everywhere =
      place->n_hit == place->n_looked && (!place->is_exact || (is_all (rows) && is_all (columns)));

  if (everywhere && !is_whole_plane (place)) {
    append_planes (text, place, TRUE);
    append_share (text, place);
  } else if (everywhere) {
    if (place->is_full)
      g_string_append (text, "Everywhere");
    else if (place->difference->spec.rows_per_cell == 1
             && place->difference->spec.columns_per_cell == 1)
      g_string_append_printf (text, "In every %s of every %s, not in all elements", a_column,
                              a_row);
    else
      g_string_append (text, "In every cell of the overview, not in all elements");
  } else if (place->is_product && is_all (rows)) {
    g_string_append_printf (text, "Only %s of every %s", column_text, a_row);
  } else if (place->is_product && is_all (columns)) {
    g_string_append_printf (text, "Only %s of every %s", row_text, a_column);
  } else if (place->is_product) {
    g_string_append_printf (text, "Only %s, in %s", row_text, column_text);
  } else if (is_all (rows) && is_all (columns)) {
    g_autofree char *hit = seam_text_count (place->n_hit);
    g_autofree char *all = seam_text_count (place->n_looked);
    g_string_append_printf (text, "Scattered: %s of %s cells, no pattern of %s or %s", hit, all,
                            rows->name, columns->name);
  } else if (is_all (rows)) {
    g_string_append_printf (text, "Only %s, not in all %s alike", column_text, rows->name);
  } else if (is_all (columns)) {
    g_string_append_printf (text, "Only %s, not in all %s alike", row_text, columns->name);
  } else {
    g_string_append_printf (text, "Only %s, in %s, not all of them", row_text, column_text);
  }
  append_exactness (text, place);
  if (!place->is_exact)
    append_band (text, place->difference);
  else if (!everywhere && !(is_all (rows) && is_all (columns))) {
    append_planes (text, place, FALSE);
    append_share (text, place);
  } else if (!everywhere && !is_whole_plane (place)) {
    g_autofree char *where = describe_in_plane (place);
    g_string_append_printf (text, "; all of it in %s of the planes", where);
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* Whether the hit part is a short tail, as whole tiles or vectors leave over. */
static gboolean
is_tail (const Side *side)
{
  return side->n_hit < side->n_looked && get_range_end (side, side->first) == side->last
         && get_next_looked (side, side->last) == side->n && side->n_hit * 4 <= side->n_looked;
}

static gboolean
is_whole_row (const SeamDifference *difference, gint64 row)
{
  for (gint64 j = 0; j < difference->n_cell_columns; j++)
    if (!is_looked_at (difference, row * difference->n_cell_columns + j))
      return FALSE;
  return TRUE;
}

/* How much of the variance of log |a - b| over the cells the means of columns and of rows explain
 * (two-way analysis of variance), using only rows of cells that were compared in all columns. FALSE
 * if there is no variance, there are too few rows, or cells are 0 or NaN. */
static gboolean
explain_pattern (const SeamDifference *difference, double *by_columns, double *by_rows)
{
  gint64 n_rows = 0, n_columns = difference->n_cell_columns;
  g_autofree double *row_sums = g_new0 (double, difference->n_cell_rows);
  g_autofree double *column_sums = g_new0 (double, n_columns);
  double sum = 0, squares = 0;

  for (gint64 i = 0; i < difference->n_cell_rows; i++) {
    if (!is_whole_row (difference, i))
      continue;
    for (gint64 j = 0; j < n_columns; j++) {
      float cell = difference->cells[i * n_columns + j];
      if (!(cell > 0) || !isfinite (cell))
        return FALSE;
      double value = log (cell);
      sum += value;
      squares += value * value;
      row_sums[n_rows] += value;
      column_sums[j] += value;
    }
    n_rows++;
  }
  if (n_rows < 4 || n_columns < 4)
    return FALSE;
  double n = (double)n_rows * (double)n_columns;
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

/* Every cell has failing elements, so only the size of the errors can show a pattern. */
static char *
guess_from_size (const Place *place)
{
  const char *row_name = place->rows.name, *column_name = place->columns.name;
  double by_columns, by_rows;

  if (!explain_pattern (place->difference, &by_columns, &by_rows))
    return NULL;
  if (by_columns >= PATTERN_SHARE && by_rows <= OTHER_SHARE)
    return g_strdup_printf ("The same %s stand out in all %s: an operand with one value for each "
                            "of the %s, such as a bias or a scale, is a likely cause.",
                            column_name, row_name, column_name);
  if (by_rows >= PATTERN_SHARE && by_columns <= OTHER_SHARE)
    return g_strdup_printf ("Whole %s stand out, alike in all %s: something computed once for each "
                            "of the %s, such as an input or a statistic, is a likely cause.",
                            row_name, column_name, row_name);
  return NULL;
}

static char *
guess_cause (const Place *place)
{
  const Side *rows = &place->rows, *columns = &place->columns;

  if (place->is_exact && is_all (rows) && is_all (columns) && place->is_full
      && is_all (&place->plane_rows) && is_tail (&place->plane_columns))
    return g_strdup ("The last columns of the planes: the remainder after whole vectors or tiles "
                     "is a likely cause.");
  if (place->is_exact && is_all (rows) && is_all (columns) && place->is_full
      && is_all (&place->plane_columns) && is_tail (&place->plane_rows))
    return g_strdup ("The last rows of the planes: the remainder after whole tiles is a likely "
                     "cause.");
  if (place->n_hit == place->n_looked)
    return guess_from_size (place);
  if (!place->is_product)
    return NULL;
  if (is_all (rows) && is_tail (columns))
    return g_strdup_printf ("The last %s: the remainder after whole tiles or vectors is a likely "
                            "cause.",
                            columns->name);
  if (is_all (columns) && is_tail (rows))
    return g_strdup_printf ("The last %s: the remainder after whole tiles is a likely cause.",
                            rows->name);
  if (is_all (rows) && rows->n_looked > 1)
    return g_strdup_printf ("The same %s in all %s: an operand with one value for each of the %s, "
                            "such as a bias or a scale, is a likely cause.",
                            columns->name, rows->name, columns->name);
  return NULL;
}

char *
seam_region_describe (const SeamDifference *difference, char **cause)
{
  char *where = NULL;
  Place place;

  if (cause != NULL)
    *cause = NULL;
  /* If one cell is the whole output, it shows no place; only marks do. */
  if (difference->n_failing == 0 || difference->cells == NULL || difference->failing == NULL
      || (difference->n_cell_rows * difference->n_cell_columns < 2 && !has_marks (difference)))
    return NULL;
  place_init (&place, difference);
  if (place.n_hit > 0) {
    where = describe_where (&place);
    if (cause != NULL)
      *cause = guess_cause (&place);
  }
  place_clear (&place);
  return where;
}
