/* SPDX-License-Identifier: MIT
 *
 * Each pattern divides the cells into parts and marks a part where most of its cells are marked.
 * The best pattern is the one that describes the map in the fewest nats: which parts are marked,
 * and which cells are exceptions (minimum description length; Rissanen 1978). Noise gains nothing
 * by any of them, so a few exceptions do not hide a pattern, and chance does not make one.
 */
#include "app/compare/pattern.h"

#include <math.h>
#include <string.h>

/* CONTRAST: a pattern is named from this difference of the marked shares in it and outside on; with
 * marks at a threshold, it is where the pattern explains half of the variance. LEAST_GAIN: nats
 * that some of the 200 or so patterns that are tried gain by chance. */
#define CONTRAST   0.5
#define LEAST_GAIN 8

/* Small tiles fit the exceptions of a simpler pattern, too: they have to gain so much more. */
#define TILES_HANDICAP 1.25

typedef struct {
  gint64 n, marked; /* known cells */
} Count;

typedef struct {
  const guint8 *cells;
  gint64 n_rows, n_columns;
  Count *sums; /* of all cells above and left of [n_rows + 1, n_columns + 1] */
  Count all;
  double best_gain;
  gboolean is_noise;
} Search;

/* The nats that say which `marked` of `n` it is. */
static double
cost_of (gint64 marked, gint64 n)
{
  double p = n > 0 ? (double)marked / (double)n : 0;

  return p <= 0 || p >= 1 ? 0 : -(double)n * (p * log (p) + (1 - p) * log1p (-p));
}

static Count
count_box (const Search *search, gint64 row, gint64 column, gint64 height, gint64 width)
{
  gint64 across = search->n_columns + 1;
  gint64 last_row = MIN (row + height, search->n_rows);
  gint64 last_column = MIN (column + width, search->n_columns);
  const Count *top = &search->sums[row * across], *bottom = &search->sums[last_row * across];

  return (Count){ bottom[last_column].n - bottom[column].n - top[last_column].n + top[column].n,
                  bottom[last_column].marked - bottom[column].marked - top[last_column].marked
                      + top[column].marked };
}

static void
sum_up (Search *search)
{
  gint64 across = search->n_columns + 1;

  search->sums = g_new0 (Count, (search->n_rows + 1) * across);
  for (gint64 i = 0; i < search->n_rows; i++) {
    Count row = { 0 };
    for (gint64 j = 0; j < search->n_columns; j++) {
      guint8 cell = search->cells[i * search->n_columns + j];
      Count *above = &search->sums[i * across + j + 1];
      row.n += cell != SEAM_PATTERN_UNKNOWN;
      row.marked += cell == 1;
      above[across] = (Count){ above->n + row.n, above->marked + row.marked };
    }
  }
  search->all = search->sums[search->n_rows * across + search->n_columns];
}

static gboolean
is_mostly_marked (Count part)
{
  return 2 * part.marked > part.n;
}

/* Keeps `found` if it is better than what `pattern` has; takes its rows and columns. */
static void
consider (Search *search, SeamPattern *pattern, SeamPattern *found, Count inside, double cost)
{
  Count outside = { search->all.n - inside.n, search->all.marked - inside.marked };
  double gain = cost_of (search->all.marked, search->all.n) - cost_of (inside.marked, inside.n)
                - cost_of (outside.marked, outside.n) - cost - LEAST_GAIN;

  if (inside.n > 0 && outside.n > 0 && gain > 0) {
    search->is_noise = FALSE;
    found->inside = (double)inside.marked / (double)inside.n;
    found->outside = (double)outside.marked / (double)outside.n;
    gain /= found->kind == SEAM_PATTERN_TILES ? TILES_HANDICAP : 1;
    if (gain > search->best_gain && found->inside - found->outside >= CONTRAST) {
      search->best_gain = gain;
      SeamPattern worse = *pattern;
      *pattern = *found;
      *found = worse;
    }
  }
  seam_pattern_clear (found);
}

/* Marks the rows (or columns) whose share of marked cells in the others' marked part is at least
 * `share`; a negative one stands for the middle of the shares. Returns how many. */
static gint64
mark_side (const Search *search, gboolean is_rows, const guint8 *others, double share,
           guint8 *marks)
{
  gint64 n = is_rows ? search->n_rows : search->n_columns, n_marked = 0;
  gint64 n_others = is_rows ? search->n_columns : search->n_rows;
  g_autofree double *shares = g_new (double, n);
  double low = 1, high = 0;

  for (gint64 i = 0; i < n; i++) {
    Count part = { 0 };
    for (gint64 j = 0; j < n_others; j++) {
      guint8 cell = search->cells[is_rows ? i * n_others + j : j * n + i];
      if (others[j] != 0 && cell != SEAM_PATTERN_UNKNOWN)
        part = (Count){ part.n + 1, part.marked + cell };
    }
    shares[i] = part.n > 0 ? (double)part.marked / (double)part.n : NAN;
    low = fmin (low, shares[i]);
    high = fmax (high, shares[i]);
  }
  for (gint64 i = 0; i < n; i++)
    n_marked += marks[i] = shares[i] >= (share < 0 ? (low + high) / 2 : share);
  return n_marked;
}

/* Rounds that mark the rows (1) and columns (0) in turn; the first two may look for the middle.
 * With one round, the other side stays whole. */
typedef struct {
  int n_rounds;
  gboolean rows_first;
  double first_share;
} ProductSearch;

static void
find_product (Search *search, SeamPattern *pattern, const ProductSearch *how)
{
  SeamPattern found = { .kind = SEAM_PATTERN_PRODUCT,
                        .rows = g_malloc ((gsize)search->n_rows),
                        .columns = g_malloc ((gsize)search->n_columns) };
  gint64 n[2] = { search->n_columns, search->n_rows };
  Count inside = { 0 };

  memset (found.rows, 1, (gsize)search->n_rows);
  memset (found.columns, 1, (gsize)search->n_columns);
  for (int round = 0; round < how->n_rounds; round++) {
    gboolean is_rows = (round % 2 == 0) == how->rows_first;
    n[is_rows] =
        mark_side (search, is_rows, is_rows ? found.columns : found.rows,
                   round < 2 ? how->first_share : .5, is_rows ? found.rows : found.columns);
  }
  for (gint64 i = 0; i < search->n_rows; i++)
    for (gint64 j = 0; j < search->n_columns; j++)
      if (found.rows[i] != 0 && found.columns[j] != 0) {
        guint8 cell = search->cells[i * search->n_columns + j];
        inside.n += cell != SEAM_PATTERN_UNKNOWN;
        inside.marked += cell == 1;
      }
  consider (search, pattern, &found, inside,
            cost_of (n[1], search->n_rows) + cost_of (n[0], search->n_columns));
}

static void
find_tiles (Search *search, SeamPattern *pattern, gint64 height, gint64 width)
{
  SeamPattern found = { .kind = SEAM_PATTERN_TILES, .height = height, .width = width };
  Count inside = { 0 };

  for (gint64 i = 0; i < search->n_rows; i += height)
    for (gint64 j = 0; j < search->n_columns; j += width) {
      Count tile = count_box (search, i, j, height, width);
      found.n_parts += tile.n > 0;
      if (!is_mostly_marked (tile))
        continue;
      found.n_marked++;
      inside = (Count){ inside.n + tile.n, inside.marked + tile.marked };
    }
  consider (search, pattern, &found, inside, cost_of (found.n_marked, found.n_parts));
}

/* Parts are the cells at one distance from the diagonal through the first element, of `steepness`
 * cells down for one across, or (0) from that between two corners; falling or rising. */
static void
find_diagonals (Search *search, SeamPattern *pattern, double steepness, gboolean is_rising)
{
  SeamPattern found = { .kind = SEAM_PATTERN_DIAGONAL };
  gint64 n_rows = search->n_rows, n_columns = search->n_columns, length = MIN (n_rows, n_columns);
  double down = steepness > 0 ? fmin (1, 1 / steepness) : (double)length / (double)n_rows;
  double across = steepness > 0 ? fmin (1, steepness) : (double)length / (double)n_columns;
  g_autofree Count *parts = g_new0 (Count, n_rows + n_columns + 2);
  Count inside = { 0 };

  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_columns; j++) {
      guint8 cell = search->cells[i * n_columns + j];
      double row = (double)(is_rising ? n_rows - 1 - i : i) + .5, column = (double)j + .5;
      Count *part = &parts[n_rows + (gint64)floor (column * across - row * down + .5)];
      part->n += cell != SEAM_PATTERN_UNKNOWN;
      part->marked += cell == 1;
    }
  for (gint64 i = 0; i < n_rows + n_columns + 2; i++) {
    found.n_parts += parts[i].n > 0;
    if (!is_mostly_marked (parts[i]))
      continue;
    found.n_marked++;
    inside = (Count){ inside.n + parts[i].n, inside.marked + parts[i].marked };
  }
  consider (search, pattern, &found, inside, cost_of (found.n_marked, found.n_parts));
}

/* Sizes that tiles have: divisors of a side, and powers of two. */
static gboolean
is_tile_size (gint64 size, gint64 n)
{
  return n % size == 0 || (size & (size - 1)) == 0;
}

void
seam_pattern_find (SeamPattern *pattern, const guint8 *cells, gint64 n_rows, gint64 n_columns,
                   double steepness)
{
  static const ProductSearch products[] = {
    { 1, TRUE, .5 },
    { 1, FALSE, .5 },
    { 6, TRUE, -1 },
    { 6, FALSE, -1 },
  };
  Search search = { .cells = cells, .n_rows = n_rows, .n_columns = n_columns, .is_noise = TRUE };

  *pattern = (SeamPattern){ 0 };
  sum_up (&search);
  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    find_product (&search, pattern, &products[i]);
  for (int i = 0; i < 4; i++)
    find_diagonals (&search, pattern, i % 2 == 0 ? steepness : 0, i / 2 == 0);
  /* Tiles as wide or as high as the map are a product. */
  for (gint64 height = 1; height < n_rows; height++)
    for (gint64 width = 1; is_tile_size (height, n_rows) && width < n_columns; width++)
      if (is_tile_size (width, n_columns) && height * width > 1)
        find_tiles (&search, pattern, height, width);
  pattern->is_noise = search.is_noise;
  g_free (search.sums);
}

void
seam_pattern_clear (SeamPattern *pattern)
{
  g_clear_pointer (&pattern->rows, g_free);
  g_clear_pointer (&pattern->columns, g_free);
}
