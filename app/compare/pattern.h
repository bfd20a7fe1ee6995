/* SPDX-License-Identifier: MIT
 *
 * Finds the pattern in a map of marked cells: a product of rows and columns, tiles of one size, or
 * diagonals. Knows nothing of outputs; app/compare/region.c puts what it finds into words.
 */
#pragma once

#include <glib.h>

typedef enum {
  SEAM_PATTERN_NONE,
  SEAM_PATTERN_PRODUCT,  /* rows and columns */
  SEAM_PATTERN_TILES,    /* some tiles of height x width, whole */
  SEAM_PATTERN_DIAGONAL, /* cells at some distances from a diagonal */
} SeamPatternKind;

/* Cells that are known, and those of them that are marked. */
typedef struct {
  gint64 n, marked;
} SeamMarked;

typedef struct {
  SeamPatternKind kind;
  gboolean is_noise;      /* nothing tells the cells from ones that were marked at random */
  guint8 *sides[2];       /* [n_rows], [n_columns]: 1 in the product; owned */
  gint64 height, width;   /* of a tile, in cells */
  SeamMarked parts;       /* tiles or diagonals, and those that are part of the pattern */
  double inside, outside; /* marked share of the cells in the pattern, and of all others */
  double gain;            /* nats */
} SeamPattern;

/* `steepness`: cells that the diagonal of the elements goes down for one across. */
void seam_pattern_find (SeamPattern *pattern, const SeamMarked *cells, /* [n_rows, n_columns] */
                        gint64 n_rows, gint64 n_columns, double steepness);
void seam_pattern_clear (SeamPattern *pattern);
