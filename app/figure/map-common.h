/* SPDX-License-Identifier: MIT
 *
 * Shared by overview and slice: a grid of values as a picture with one pixel for each cell, its
 * place and axes, and the frames over it. Internal to app/figure/ and its test.
 */
#pragma once

#include "app/base/owner.h"
#include "app/figure/scale.h"

/* State of a cell, beside its value. */
typedef enum {
  SEAM_CELL_AGREES,
  SEAM_CELL_DIFFERS,
  SEAM_CELL_NOT_FINITE,
  SEAM_CELL_NOT_LOOKED, /* none of its elements was compared: hatched */
} SeamCellState;

typedef struct {
  gint64 first, count; /* number of the first element, and elements along the axis */
  gint64 per_cell;
  const char *title; /* "output feature (column), 8 a cell" */
} SeamMapAxis;

typedef struct {
  gpointer owner;                 /* keeps texts and pictures (app/base/owner.h) */
  gint64 n_rows, n_columns;       /* cells */
  double cell_width, cell_height; /* px; under 1: several cells in a pixel, the worst is shown */
  SeamRect area;
  double width; /* of the figure */
  SeamMapAxis rows, columns;
  const char *title, *subtitle, *corner; /* subtitle and corner may be NULL */
  const char *message[2];                /* text over an empty map; may be NULL */
  cairo_surface_t *image;
  cairo_surface_t *looked; /* opaque in compared cells; NULL: all were compared */
  int n_crosses;
  struct {
    double x, y;
  } * crosses; /* marks of cells that are not finite */
} SeamMapGrid;

/* Borders of tiles, as lines in the figure. */
typedef struct {
  GArray *lines;  /* of SeamRect: from x, y by width, height, one of which is 0; NULL: none */
  double spacing; /* px, the smallest mean distance between drawn lines */
} SeamMapTiles;

/* The sizes of the output that tiles refer to. */
SeamTileView seam_map_get_tile_view (const SeamProblem *problem);
/* Finds borders between the cells of an overview, or the elements of a slice. Returns NULL, or why
 * there are no lines: "one tile", "tiles too fine to draw". */
const char *seam_map_tiles_find (SeamMapTiles *tiles, const SeamMapGrid *grid, const SeamTile *tile,
                                 const SeamTileView *view, const SeamDifferenceSpec *spec);
const char *seam_map_tiles_find_in_slice (SeamMapTiles *tiles, const SeamMapGrid *grid,
                                          const SeamTile *tile, const SeamTileView *view,
                                          const SeamSlice *slice);
void seam_map_tiles_draw (const SeamMapTiles *tiles, cairo_t *cr, const SeamPalette *palette);
void seam_map_tiles_clear (SeamMapTiles *tiles);

/* Margins around the map. */
#define SEAM_MAP_LEFT   72.0
#define SEAM_MAP_TOP    26.0
#define SEAM_MAP_RIGHT  20.0
#define SEAM_MAP_BOTTOM 44.0

/* Chooses cell size and area for a figure of width x height. `whole_pixels`: cells have 1, 2, 3, …
 * whole pixels. Without it only cells from 3 pixels on have whole pixels: with smaller cells,
 * rounding would leave too much empty space. */
void seam_map_grid_place (SeamMapGrid *grid, double width, double height, gboolean whole_pixels);
/* Shortens titles that do not fit a figure of width x height: first it drops the corner, then it
 * uses `short_title`, then it drops the subtitle; axis titles are cut. */
void seam_map_grid_fit_titles (SeamMapGrid *grid, double width, double height,
                               const char *short_title);
/* Paints the picture, once; values [n_rows, n_columns]. */
void seam_map_grid_set_cells (SeamMapGrid *grid, const float *values, const guint8 *states,
                              const SeamMapScale *scale);
void seam_map_grid_draw (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette);
/* Only the picture. */
void seam_map_grid_draw_cells (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette);
/* Reads the differences of `n` elements of a slice from number `first` on, and their states;
 * returns how many fail. `largest`: the largest difference, in the unit of the scale. */
gint64 seam_map_read_elements (const SeamSlice *slice, gint64 first, gint64 n,
                               const SeamMapOptions *options, float *values, guint8 *states,
                               double *largest);
/* Draws the words over an empty map, on a plate: call it after the lines and before pointers. They
 * are in the middle, or a quarter away from it if the cell marked at `marked_y` (NAN: none) would
 * lie on them. */
void seam_map_grid_draw_message (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                 double marked_y);

SeamRect seam_map_grid_get_cell (const SeamMapGrid *grid, gint64 row, gint64 column);
gboolean seam_map_grid_find_cell (const SeamMapGrid *grid, double x, double y, gint64 *row,
                                  gint64 *column);
/* Draw a box around a cell, and lines from it to the edges of the map, which come before the
 * words. */
void seam_map_grid_draw_pointer (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                 gint64 row, gint64 column, gboolean dashed);
void seam_map_grid_draw_crosshair (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                   gint64 row, gint64 column);
void seam_map_draw_frame (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect);
void seam_map_draw_cross (cairo_t *cr, const SeamPalette *palette, double x, double y, double size);
