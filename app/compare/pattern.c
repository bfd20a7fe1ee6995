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
  const SeamMarked *cells;
  gint64 n[2]; /* rows, columns */
} Map;

static void
add (SeamMarked *sum, SeamMarked part)
{
  sum->n += part.n;
  sum->marked += part.marked;
}

static double
get_share (SeamMarked of)
{
  return of.n > 0 ? (double)of.marked / (double)of.n : 0;
}

/* The nats that say which ones are marked. */
static double
cost_of (SeamMarked of)
{
  double p = get_share (of);

  return p <= 0 || p >= 1 ? 0 : -(double)of.n * (p * log (p) + (1 - p) * log1p (-p));
}

/* Keeps `found`, with the sums of its parts, if it is better than `best`; takes its sides. `cost`:
 * the nats that say which sides of a product are marked. Tiles or diagonals that are nearly all
 * there are no place. */
static void
consider (SeamPattern *best, SeamPattern found, const SeamMarked *parts, gint64 n_parts,
          double cost)
{
  SeamMarked sums[2] = { 0 }, all = { 0 }; /* sums: outside, inside */

  for (gint64 i = 0; i < n_parts; i++) {
    gboolean is_marked = 2 * parts[i].marked > parts[i].n;
    add (&found.parts, (SeamMarked){ parts[i].n > 0, is_marked });
    add (&sums[is_marked], parts[i]);
    add (&all, parts[i]);
  }
  found.inside = get_share (sums[1]);
  found.outside = get_share (sums[0]);
  if (found.kind != SEAM_PATTERN_PRODUCT)
    cost = cost_of (found.parts);
  found.gain = cost_of (all) - cost_of (sums[0]) - cost_of (sums[1]) - cost - LEAST_GAIN;
  best->is_noise &= found.gain <= 0;
  found.gain /= found.kind == SEAM_PATTERN_TILES ? TILES_HANDICAP : 1;
  if (found.gain > best->gain && found.inside - found.outside >= CONTRAST
      && (found.kind == SEAM_PATTERN_PRODUCT || 16 * found.parts.marked <= 15 * found.parts.n)) {
    SeamPattern worse = *best;
    *best = found;
    found = worse;
  }
  seam_pattern_clear (&found);
}

/* Marks the rows (0) and columns (1) in turn: those with half of the most marks that one of them
 * has in the marked part of the others. With one round, the other side stays whole. */
static void
find_product (const Map *map, SeamPattern *best, int first, int n_rounds)
{
  const gint64 *n = map->n;
  SeamPattern found = { SEAM_PATTERN_PRODUCT,
                        .sides = { g_malloc ((gsize)n[0]), g_malloc ((gsize)n[1]) } };
  SeamMarked sides[2] = { { n[0], n[0] }, { n[1], n[1] } }, parts[2] = { 0 };

  memset (found.sides[0], 1, (gsize)n[0]);
  memset (found.sides[1], 1, (gsize)n[1]);
  for (int round = first; round < first + n_rounds; round++) {
    int side = round % 2;
    g_autofree SeamMarked *lines = g_new0 (SeamMarked, n[side]);
    double most = 0;
    for (gint64 i = 0; i < n[0]; i++)
      for (gint64 j = 0; j < n[1]; j++)
        if (found.sides[!side][side == 0 ? j : i] != 0)
          add (&lines[side == 0 ? i : j], map->cells[i * n[1] + j]);
    for (gint64 i = 0; i < n[side]; i++)
      most = fmax (most, get_share (lines[i]));
    sides[side].marked = 0;
    for (gint64 i = 0; i < n[side]; i++)
      sides[side].marked += found.sides[side][i] = 2 * get_share (lines[i]) >= most;
  }
  for (gint64 i = 0; i < n[0]; i++)
    for (gint64 j = 0; j < n[1]; j++)
      add (&parts[found.sides[0][i] & found.sides[1][j]], map->cells[i * n[1] + j]);
  consider (best, found, parts, 2, cost_of (sides[0]) + cost_of (sides[1]));
}

/* Parts are the cells at one distance from the diagonal through the first element (of the map
 * upside down, if it is rising). */
static void
find_diagonals (const Map *map, SeamPattern *best, double steepness, gboolean is_rising)
{
  double down = fmin (1, 1 / steepness), across = fmin (1, steepness);
  gint64 n_parts = map->n[0] + map->n[1] + 2;
  g_autofree SeamMarked *parts = g_new0 (SeamMarked, n_parts);

  for (gint64 i = 0; i < map->n[0]; i++)
    for (gint64 j = 0; j < map->n[1]; j++) {
      double row = (double)(is_rising ? map->n[0] - 1 - i : i) + .5, column = (double)j + .5;
      add (&parts[map->n[0] + (gint64)floor (column * across - row * down + .5)],
           map->cells[i * map->n[1] + j]);
    }
  consider (best, (SeamPattern){ SEAM_PATTERN_DIAGONAL }, parts, n_parts, 0);
}

/* The sums of tiles; how many there are comes back in `n`. */
static SeamMarked *
sum_tiles (const Map *map, gint64 height, gint64 width, gint64 n[2])
{
  n[0] = (map->n[0] - 1) / height + 1;
  n[1] = (map->n[1] - 1) / width + 1;
  SeamMarked *tiles = g_new0 (SeamMarked, n[0] * n[1]);
  for (gint64 i = 0; i < map->n[0]; i++)
    for (gint64 j = 0; j < map->n[1]; j++)
      add (&tiles[i / height * n[1] + j / width], map->cells[i * map->n[1] + j]);
  return tiles;
}

/* The next size that tiles have: a divisor of a side, or a power of two. */
static gint64
get_next_size (gint64 size, gint64 n)
{
  do
    size++;
  while (size < n && n % size != 0 && (size & (size - 1)) != 0);
  return size;
}

void
seam_pattern_find (SeamPattern *pattern, const SeamMarked *cells, gint64 n_rows, gint64 n_columns,
                   double steepness)
{
  const Map map = { cells, { n_rows, n_columns } };

  *pattern = (SeamPattern){ .is_noise = TRUE };
  for (int i = 0; i < 4; i++) {
    find_product (&map, pattern, i % 2, i < 2 ? 1 : 6);
    find_diagonals (&map, pattern, i % 2 == 0 ? steepness : (double)n_rows / (double)n_columns,
                    i < 2);
  }
  /* Tiles as wide or as high as the map are a product. */
  for (gint64 width = 1; width < n_columns; width = get_next_size (width, n_columns)) {
    Map strips;
    g_autofree SeamMarked *sums = sum_tiles (&map, 1, width, strips.n);
    strips.cells = sums;
    for (gint64 height = 1 + (width == 1); height < n_rows;
         height = get_next_size (height, n_rows)) {
      gint64 n[2];
      g_autofree SeamMarked *tiles = sum_tiles (&strips, height, 1, n);
      consider (pattern, (SeamPattern){ SEAM_PATTERN_TILES, .height = height, .width = width },
                tiles, n[0] * n[1], 0);
    }
  }
}

void
seam_pattern_clear (SeamPattern *pattern)
{
  g_clear_pointer (&pattern->sides[0], g_free);
  g_clear_pointer (&pattern->sides[1], g_free);
}
