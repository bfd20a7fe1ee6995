/* SPDX-License-Identifier: MIT
 *
 * How a kernel divides the output of its group: the part that one thread block (on the CPU: one
 * task of a thread) writes at a time. Reported by a backend from the sizes that it launches with,
 * kept with the plan, drawn over the difference maps.
 */
#pragma once

#include "app/record/record.h"

typedef enum {
  SEAM_TILE_UNKNOWN, /* not recorded */
  SEAM_TILE_LIBRARY, /* a library's kernel, which does not say */
  SEAM_TILE_BOX,     /* rows x columns x (height x width of the plane) */
  SEAM_TILE_RUN,     /* rows x columns x a run of elements in the order of memory */
  SEAM_N_TILE_KINDS
} SeamTileKind;

/* A part of the output, seen as [rows, columns, plane] (seam_problem_get_output_view), a plane
 * being height x width; for a matrix the plane is 1 x 1. Every tile but the last ones has these
 * sizes. */
typedef struct {
  SeamTileKind kind;
  /* Sizes in one tile. A run with 0 rows or columns includes them in its own order (an index over
   * planes, or over everything). */
  gint64 rows, columns;
  gint64 column_period; /* tiles begin anew at multiples of this; 0: only at column 0 */
  gint64 height, width; /* box: part of the plane; 0: all of it. Run: strips of `width` columns, one
                         * after another; 0: a single strip */
  gint64 run;           /* elements of a run */
  gint64 pitch; /* elements from row to row in the order of a run, if more than the strip's width;
                 * 0: that width */
} SeamTile;

/* Sizes of an output. */
typedef struct {
  gint64 rows, columns, height, width;
} SeamTileView;

/* The number of the tile that contains an element: the same for all elements of a tile, different
 * for different tiles. `y` and `x` are positions in the plane, 0 in a matrix. Only for boxes and
 * runs. */
gint64 seam_tile_get_number (const SeamTile *tile, const SeamTileView *view, gint64 row,
                             gint64 column, gint64 y, gint64 x);
gboolean seam_tile_is_known (const SeamTile *tile);
/* Distance, in elements along rows and columns, after which the next tile begins, as far as whole
 * planes show it; 0: tiles do not end there, or not at multiples. */
void seam_tile_get_steps (const SeamTile *tile, const SeamTileView *view, gint64 *rows,
                          gint64 *columns);
/* "128 rows × 128 columns", "64 channels × 4 × 64 pixels of a sample", "a run of 1,024 elements",
 * or why it is unknown: "The library does not say how its kernel divides the output." Newly
 * allocated. */
char *seam_tile_describe (const SeamTile *tile, const SeamTileView *view);

extern const SeamRecordType seam_tile_type;
