/* SPDX-License-Identifier: MIT
 *
 * Where an output is wrong, in one sentence, and what such a place often means. The rule, in this
 * order, over the cells that were looked at:
 *
 *   a row of cells is wrong in the same columns as every other wrong one: a product of ranges
 *                      "columns 4,032 to 4,095 of every row", "rows 3 to 5 of every column",
 *                      "rows 3 to 5, in columns 0 to 9"
 *   a pattern with exceptions (app/compare/pattern.h)
 *                      "mostly columns 4,032 to 4,095 of every row", "mostly along a diagonal"
 *   all or most cells  "everywhere"; the pattern of the largest errors is named beside it
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
#include "app/compare/pattern.h"

#include <math.h>
#include <string.h>

/* More ranges than this are shown as a count, since nobody reads a list of twenty. */
#define MOST_RANGES 3
#define MOST_DEPTHS 8 /* which are few, and mostly single */

/* Where more than MOST_CELLS of the cells fail, the sizes of the errors decide. From NEARLY_ALL on
 * it is "nearly everywhere". */
#define MOST_CELLS 0.5
#define NEARLY_ALL 0.9

/* Marks of rows and columns tell the place if at least this share of what they enclose fails. */
#define NAMED_SHARE 0.8

/* A mean over a threshold by ISODATA rests after a few rounds. LEAST_STEP: log of the factor that
 * large errors are larger by; the rounding of a constant error has less. */
#define THRESHOLD_ROUNDS 10
#define LEAST_STEP       0.01

/* BAND_ELEMENTS: the fewest worst elements for which a band of rows is named. BAND_SHARE: the plane
 * is at least this many times as high as the band. */
#define BAND_ELEMENTS 8
#define BAND_SHARE    8

/* Rows (or columns) of cells: which were compared, and which contain a failing element. */
typedef struct {
  gboolean *hit, *looked;
  gint64 n, n_hit, n_looked, first; /* in cells */
  gint64 n_tail;                    /* compared ones from `first` on */
  gint64 per_cell, total;           /* elements of the output along this side */
  const char *name;                 /* "channels" */
} Side;

enum { N_SIDES = 5 };

typedef struct {
  const SeamDifference *difference;
  union {
    struct {
      Side rows, columns;
      Side depth, plane_rows, plane_columns; /* only if is_exact; for a matrix one of one */
    };
    Side sides[N_SIDES];
  };
  gboolean is_exact;      /* the sides consist of elements instead of cells */
  gint64 n_enclosed;      /* if is_exact: elements that the sides enclose */
  gint64 n_looked, n_hit; /* cells */
  gboolean is_product;    /* the cells that are hit are all those where a hit row meets a
                           * hit column */
  gboolean is_full;       /* every element of every hit cell fails */
  SeamPattern pattern;    /* of the cells that fail, or (is_by_size) of the largest errors;
                           * sought if the above does not tell the place */
  gboolean is_by_size;
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
  };
}

static void
side_count (Side *side)
{
  side->n_looked = side->n_hit = side->n_tail = 0;
  for (gint64 i = 0; i < side->n; i++) {
    side->n_looked += side->looked[i];
    if (side->hit[i] && side->n_hit++ == 0)
      side->first = i;
    side->n_tail += side->n_hit > 0 && side->looked[i];
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

/* The share of its elements that fail. */
static double
get_failing_share (const SeamDifference *difference, gint64 cell)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 row = cell / difference->n_cell_columns, column = cell % difference->n_cell_columns;
  gint64 height = MIN (spec->rows_per_cell, spec->rows - row * spec->rows_per_cell);
  gint64 width = MIN (spec->columns_per_cell, spec->columns - column * spec->columns_per_cell);
  double n = difference->looked != NULL ? difference->looked[cell]
                                        : (double)(height * width * spec->plane);

  return difference->failing[cell] / fmax (n, 1);
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
  const guint8 *hits = difference->hits;
  gboolean has_planes = seam_difference_has_plane_hits (spec);
  gint64 width = has_planes ? spec->plane_width : spec->plane;
  gint64 depth = seam_difference_get_depth (spec), height = spec->plane / width / depth;
  gint64 n[N_SIDES] = { spec->rows, spec->columns, depth, height, width };
  const char *names[] = { place->rows.name, place->columns.name, "depths", "rows", "columns" };

  place->n_enclosed = 1;
  for (int i = 0; i < N_SIDES; i++) {
    Side *side = &place->sides[i];
    g_free (side->hit);
    g_free (side->looked);
    side_init (side, n[i], 1, n[i], names[i]);
    for (gint64 j = 0; j < n[i]; j++)
      side->looked[j] = TRUE;
  }
  for (gint64 i = 0; i < spec->rows; i++)
    place->rows.hit[i] = *hits++;
  for (gint64 i = 0; i < spec->columns; i++)
    place->columns.hit[i] = *hits++;
  /* The rows of all planes of a channel follow each other. */
  for (gint64 i = 0; i < depth * height; i++)
    if (!has_planes || *hits++)
      place->depth.hit[i / height] = place->plane_rows.hit[i % height] = TRUE;
  for (gint64 i = 0; i < width; i++)
    place->plane_columns.hit[i] = has_planes ? *hits++ : TRUE;
  for (int i = 0; i < N_SIDES; i++) {
    side_count (&place->sides[i]);
    place->n_enclosed *= place->sides[i].n_hit;
  }
  /* As many elements fail as the sides enclose, so all of them fail. */
  place->is_full = difference->n_failing == place->n_enclosed;
  place->is_product = place->is_product || place->is_full;
  place->is_exact = TRUE;
}

static gboolean
is_whole_plane (const Place *place)
{
  return is_all (&place->depth) && is_all (&place->plane_rows) && is_all (&place->plane_columns);
}

/* Whether rows, columns and planes tell the place: most of what they enclose fails. */
static gboolean
is_named (const Place *place)
{
  if (is_all (&place->rows) && is_all (&place->columns) && is_whole_plane (place))
    return FALSE;
  return place->is_exact
             ? (double)place->difference->n_failing > NAMED_SHARE * (double)place->n_enclosed
             : place->is_product;
}

/* Replaces the rows (or columns) that are hit by those of the pattern. */
static void
side_use_pattern (Side *side, const guint8 *marks, gint64 per_mark)
{
  for (gint64 i = 0; i < side->n; i++)
    side->hit[i] = side->looked[i] && marks[i * side->per_cell / per_mark];
  side_count (side);
}

static void
place_use_product (Place *place)
{
  const SeamDifferenceSpec *spec = &place->difference->spec;

  side_use_pattern (&place->rows, place->pattern.sides[0], spec->rows_per_cell);
  side_use_pattern (&place->columns, place->pattern.sides[1], spec->columns_per_cell);
  place->is_product = TRUE;
}

/* Marks the cells of which most fails, as far as they fail: half as much as the usual one. */
static SeamMarked *
mark_failing (const SeamDifference *difference)
{
  gint64 n = difference->n_cell_rows * difference->n_cell_columns;
  SeamMarked *marks = g_new (SeamMarked, n);
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += difference->failing[i] * get_failing_share (difference, i);
  for (gint64 i = 0; i < n; i++)
    marks[i] =
        (SeamMarked){ is_looked_at (difference, i),
                      2 * get_failing_share (difference, i) * (double)difference->n_failing > sum };
  return marks;
}

/* Keeps the marks of cells with large errors: NaN and infinite ones, if there are some, else those
 * over a threshold that lies in the middle of the two means of log |a - b| that it divides (Ridler
 * and Calvard 1978). Keeps all of them if these means are nearly the same. */
static void
keep_large (const SeamDifference *difference, SeamMarked *marks)
{
  gint64 n = difference->n_cell_rows * difference->n_cell_columns;
  double threshold = -INFINITY, step = 0;
  gint64 n_odd = 0;

  for (gint64 i = 0; i < n; i++)
    n_odd += marks[i].marked && !isfinite (difference->cells[i]);
  for (int round = 0; round < THRESHOLD_ROUNDS && n_odd == 0; round++) {
    double sums[2] = { 0 }, counts[2] = { 0 };
    for (gint64 i = 0; i < n; i++) {
      double size = log (difference->cells[i]);
      if (marks[i].marked == 0 || !isfinite (size))
        continue;
      sums[size > threshold] += size;
      counts[size > threshold]++;
    }
    if (counts[0] > 0 && counts[1] > 0)
      step = sums[1] / counts[1] - sums[0] / counts[0];
    if (counts[1] > 0)
      threshold = (sums[1] / counts[1] + sums[counts[0] == 0] / counts[counts[0] == 0]) / 2;
  }
  for (gint64 i = 0; i < n; i++)
    if (n_odd > 0)
      marks[i].marked &= !isfinite (difference->cells[i]);
    else if (step > LEAST_STEP)
      marks[i].marked &= log (difference->cells[i]) > threshold;
}

static void
place_find_pattern (Place *place)
{
  const SeamDifference *difference = place->difference;
  gint64 n_rows = difference->n_cell_rows, n_columns = difference->n_cell_columns;
  g_autofree SeamMarked *marks = mark_failing (difference);
  double steepness =
      (double)difference->spec.columns_per_cell / (double)difference->spec.rows_per_cell;

  seam_pattern_find (&place->pattern, marks, n_rows, n_columns, steepness);
  if (place->pattern.kind == SEAM_PATTERN_PRODUCT)
    place_use_product (place);
  if (place->pattern.kind != SEAM_PATTERN_NONE
      || (double)place->n_hit <= MOST_CELLS * (double)place->n_looked)
    return;
  gboolean is_noise = place->pattern.is_noise;
  place->is_by_size = TRUE;
  keep_large (difference, marks);
  seam_pattern_find (&place->pattern, marks, n_rows, n_columns, steepness);
  place->pattern.is_noise &= is_noise;
}

static void
place_init (Place *place, const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  Side *rows = &place->rows, *columns = &place->columns;
  SeamPlaceAxis axes[SEAM_PLACE_AXES];
  int n_axes = seam_difference_find_place (spec, 0, axes);

  *place = (Place){ .difference = difference, .is_product = TRUE, .is_full = TRUE };
  side_init (rows, difference->n_cell_rows, spec->rows_per_cell, spec->rows,
             g_str_equal (axes[0].name, "row") ? "rows" : "samples");
  side_init (columns, difference->n_cell_columns, spec->columns_per_cell, spec->columns,
             n_axes < 2                              ? "columns"
             : g_str_equal (axes[1].name, "feature") ? "features"
             : g_str_equal (axes[1].name, "channel") ? "channels"
                                                     : "columns");
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
      place->is_full &= get_failing_share (difference, cell) >= 1;
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
  if (!is_named (place))
    place_find_pattern (place);
}

static void
place_clear (Place *place)
{
  seam_pattern_clear (&place->pattern);
  for (int i = 0; i < N_SIDES; i++) {
    g_free (place->sides[i].hit);
    g_free (place->sides[i].looked);
  }
}

static char *
format_range (gint64 first, gint64 last)
{
  g_autofree char *from = seam_text_count (first), *to = seam_text_count (last);

  return first == last ? g_steal_pointer (&from) : g_strdup_printf ("%s to %s", from, to);
}

/* "channels 4 to 7", "columns 0, 9 and 40 to 47", "213 of 512 columns"; if cells are wider than an
 * element, the blocks that contain them. Ranges continue over indices that were not compared. */
static char *
describe_side (const Side *side)
{
  g_auto (GStrv) ranges = g_new0 (char *, side->n_hit + 1);
  gint64 n_ranges = 0;

  for (gint64 i = 0; i < side->n; i++) {
    gint64 first = i, last = i;
    for (; i < side->n && (side->hit[i] || (i > first && !side->looked[i])); i++)
      last = side->hit[i] ? i : last;
    if (i > first)
      ranges[n_ranges++] = format_range (first * side->per_cell, last_element (side, last));
  }
  gboolean is_depth = g_str_equal (side->name, "depths");
  if (n_ranges > (is_depth ? MOST_DEPTHS : MOST_RANGES)) {
    g_autofree char *hit = seam_text_count (side->n_hit);
    g_autofree char *all = seam_text_count (side->n_looked);
    return g_strdup_printf ("%s of %s %s%s", hit, all, side->per_cell > 1 ? "blocks of " : "",
                            side->name);
  }
  /* All names are plurals that end with s; “depth 3 and 7” has none. */
  gboolean single =
      is_depth
      || (side->n_hit == 1 && last_element (side, side->first) == side->first * side->per_cell);
  g_autofree char *list = seam_text_list ((const char *const *)ranges);
  return g_strdup_printf ("%.*s %s", (int)strlen (side->name) - single, side->name, list);
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
  g_autofree char *rows = format_range (low, high);
  const char *name = low == high ? "row" : "rows";
  if (is_complete)
    g_string_append_printf (text, ", %s %s of the plane only", name, rows);
  else
    g_string_append_printf (text, "; the %d worst elements are all in %s %s of their planes", n,
                            name, rows);
}

/* Appends ", 97.31 % of these elements" if not all enclosed elements fail. */
static void
append_share (GString *text, const Place *place)
{
  if (!place->is_exact || place->is_full)
    return;
  g_autofree char *share =
      seam_agreement_format_share (place->difference->n_failing, place->n_enclosed);
  g_string_append_printf (text, ", %s %% of these elements", share);
}

/* Appends the failing part of the planes, "depth 3, rows 0 to 7, columns 124 to 125", between two
 * texts. */
static void
append_planes (GString *text, const Place *place, const char *before, const char *after)
{
  const Side *sides[] = { &place->depth, &place->plane_rows, &place->plane_columns };
  const char *between = before;
  gboolean any = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
    g_autofree char *part = describe_side (sides[i]);
    if (is_all (sides[i]))
      continue;
    g_string_append_printf (text, "%s%s", between, part);
    between = ", ";
    any = TRUE;
  }
  if (any)
    g_string_append (text, after);
}

/* "rows 3 to 5 of every column" */
static char *
describe_product (const Place *place)
{
  g_autofree char *rows = describe_side (&place->rows), *columns = describe_side (&place->columns);
  g_autofree char *a_row = get_singular (&place->rows), *a_column = get_singular (&place->columns);

  if (place->columns.total == 1)
    return g_steal_pointer (&rows);
  if (is_all (&place->rows))
    return g_strdup_printf ("%s of every %s", columns, a_row);
  if (is_all (&place->columns))
    return g_strdup_printf ("%s of every %s", rows, a_column);
  return g_strdup_printf ("%s, in %s", rows, columns);
}

/* "columns 4 to 7 of every row" (also without a pattern), "blocks of 1 row × 8 columns (131 of
 * 256)" */
static char *
describe_pattern (const Place *place)
{
  const SeamPattern *pattern = &place->pattern;
  const SeamDifferenceSpec *spec = &place->difference->spec;

  if (pattern->kind != SEAM_PATTERN_TILES)
    return pattern->kind == SEAM_PATTERN_DIAGONAL ? g_strdup ("cells along a diagonal")
                                                  : describe_product (place);
  g_autofree char *height = count_things (pattern->height * spec->rows_per_cell, &place->rows);
  g_autofree char *width = count_things (pattern->width * spec->columns_per_cell, &place->columns);
  g_autofree char *n = seam_text_count (pattern->parts.marked);
  g_autofree char *all = seam_text_count (pattern->parts.n);
  return g_strdup_printf ("blocks of %s × %s (%s of %s)", height, width, n, all);
}

static char *
describe_where (const Place *place)
{
  const Side *rows = &place->rows, *columns = &place->columns;
  gboolean has_pattern = place->pattern.kind != SEAM_PATTERN_NONE;
  gboolean all_sides = is_all (rows) && is_all (columns);
  gboolean is_nearly_all = (double)place->n_hit >= NEARLY_ALL * (double)place->n_looked;
  gboolean everywhere = place->n_hit == place->n_looked && all_sides;
  g_autofree char *hit = seam_text_count (place->n_hit), *all = seam_text_count (place->n_looked);
  g_autofree char *row_text = describe_side (rows), *column_text = describe_side (columns);
  g_autofree char *where = place->is_by_size ? describe_product (place) : describe_pattern (place);
  GString *text = g_string_new (NULL);

  if (has_pattern && !place->is_by_size) {
    g_autofree char *inside = seam_text_percent (place->pattern.inside);
    g_autofree char *outside = seam_text_percent (place->pattern.outside);
    g_string_append_printf (text, "Mostly %s: %s %% of the cells there, %s %% of all others.",
                            where, inside, outside);
    return g_string_free (text, FALSE);
  }
  if (everywhere && !is_whole_plane (place)) {
    append_planes (text, place, "Only ",
                   place->depth.total > 1 ? " of every sample and channel" : " of every plane");
    append_share (text, place);
  } else if (everywhere && place->is_full)
    g_string_append (text, "Everywhere");
  else if (everywhere && place->difference->spec.rows_per_cell == 1
           && place->difference->spec.columns_per_cell == 1) {
    g_autofree char *a_row = get_singular (rows), *a_column = get_singular (columns);
    g_string_append_printf (text, "In every %s of every %s, not in all elements", a_column, a_row);
  } else if (everywhere)
    g_string_append (text, "In every cell of the overview, not in all elements");
  else if (place->is_product)
    g_string_append_printf (text, "Only %s", where);
  else if (has_pattern || is_nearly_all)
    g_string_append_printf (text, "%s %s of %s cells", is_nearly_all ? "Nearly everywhere:" : "In",
                            hit, all);
  else if (all_sides) {
    g_string_append_printf (text, "Scattered: %s of %s cells", hit, all);
    if (place->pattern.is_noise)
      g_string_append_printf (text, ", no pattern of %s or %s", rows->name, columns->name);
  } else if (is_all (rows) || is_all (columns))
    g_string_append_printf (text, "Only %s, not in all %s alike",
                            is_all (rows) ? column_text : row_text,
                            is_all (rows) ? rows->name : columns->name);
  else
    g_string_append_printf (text, "Only %s, in %s, not all of them", row_text, column_text);
  append_exactness (text, place);
  if (!place->is_exact)
    append_band (text, place->difference);
  else if (!all_sides) {
    append_planes (text, place, ", ", place->depth.total > 1 ? " only" : " of their planes only");
    append_share (text, place);
  } else if (!everywhere)
    append_planes (text, place, "; all of it in ",
                   place->depth.total > 1 ? " of the samples and channels" : " of the planes");
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* Whether the hit part is a short tail, as whole tiles or vectors leave over. */
static gboolean
is_tail (const Side *side)
{
  return side->n_hit > 0 && side->n_hit == side->n_tail && side->n_hit * 4 <= side->n_looked;
}

static char *
guess_tail (const Side *rows, const Side *columns, const char *of)
{
  if (is_all (rows) && is_tail (columns))
    return g_strdup_printf ("The last %s%s: the remainder after whole vectors or tiles is a likely "
                            "cause.",
                            columns->name, of);
  if (is_all (columns) && is_tail (rows))
    return g_strdup_printf ("The last %s%s: the remainder after whole tiles is a likely cause.",
                            rows->name, of);
  return NULL;
}

/* Where a tile along an axis begins or ends, the same index of every tile fails: at least twice,
 * and at each one. At both ends of the axis only, what lies beyond them is read. */
static char *
guess_steps (const Side *side)
{
  g_autofree char *name = get_singular (side);
  gint64 second = side->first + 1, step;

  while (second < side->n && !side->hit[second])
    second++;
  step = second - side->first;
  if (side->n_hit == 2 && side->first == 0 && second == side->n - 1 && side->n > 3)
    return g_strdup_printf ("The first and the last %s: what lies beyond the edge, such as the "
                            "padding of a window, is a likely cause.",
                            name);
  if (side->n_hit < 2 || second == side->n || step < 2 || side->first >= step)
    return NULL;
  /* The last tile has no border behind it. */
  gboolean is_last = side->first == step - 1;
  gint64 n = (side->n - 1 - side->first) / step + 1;
  if (side->n_hit != n && !(is_last && side->n_hit == n - 1 && side->n % step == 0))
    return NULL;
  for (gint64 i = 0; i < side->n_hit; i++)
    if (!side->hit[side->first + i * step])
      return NULL;
  if (!is_last && side->first != 0)
    return NULL;
  g_autofree char *count = seam_text_count (step);
  return g_strdup_printf ("The %s of every %s along the %s%s: the border between tiles of %s is a "
                          "likely cause.",
                          is_last ? "last" : "first", count, name,
                          side->n_hit < n ? " that has another tile behind it" : "", count);
}

static char *
guess_cause (Place *place)
{
  const Side *rows = &place->rows, *columns = &place->columns;
  const SeamPattern *pattern = &place->pattern;

  if (place->is_by_size) {
    if (pattern->kind == SEAM_PATTERN_NONE)
      return NULL;
    if (pattern->kind == SEAM_PATTERN_PRODUCT)
      place_use_product (place);
    g_autofree char *where = describe_pattern (place);
    if (pattern->kind == SEAM_PATTERN_PRODUCT && is_all (columns))
      return g_strdup_printf ("Whole %s stand out, alike in all %s: something computed once for "
                              "each of the %s, such as an input or a statistic, is a likely cause.",
                              rows->name, columns->name, rows->name);
    if (pattern->kind != SEAM_PATTERN_PRODUCT || !is_all (rows))
      return g_strdup_printf ("The largest are mostly %s.", where);
  } else {
    char *steps = place->is_exact && is_all (rows) && is_all (columns)
                          && is_all (&place->plane_rows) && is_all (&place->plane_columns)
                      ? guess_steps (&place->depth)
                      : NULL;
    if (steps != NULL)
      return steps;
    if (place->is_full && is_all (rows) && is_all (columns) && is_tail (&place->depth))
      return g_strdup ("The last of the depth: the remainder after whole tiles is a likely cause.");
    if (place->is_full && is_all (rows) && is_all (columns) && is_all (&place->depth))
      return guess_tail (&place->plane_rows, &place->plane_columns, " of the planes");
    if (pattern->kind == SEAM_PATTERN_TILES && pattern->height == 1
        && place->difference->spec.rows_per_cell == 1)
      return g_strdup_printf ("Something computed once for a group of %s of one of the %s, such as "
                              "a statistic of GroupNorm, is a likely cause.",
                              columns->name, rows->name);
    if (!place->is_product || place->n_hit == place->n_looked)
      return NULL;
    char *tail = guess_tail (rows, columns, "");
    if (tail != NULL || !is_all (rows) || rows->n_looked == 1)
      return tail;
  }
  return g_strdup_printf ("The same %s%s in all %s: an operand with one value for each of the %s, "
                          "such as a bias or a scale, is a likely cause.",
                          columns->name, place->is_by_size ? " stand out" : "", rows->name,
                          columns->name);
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
