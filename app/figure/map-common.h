/* SPDX-License-Identifier: MIT
 *
 * What overview and slice share: a grid of values as a picture of one pixel a cell, its place and
 * axes, and the frames drawn over it. Internal to app/figure/ and its test.
 */
#pragma once

#include "app/figure/scale.h"

G_BEGIN_DECLS

/* State of a cell, beside its value. */
typedef enum {
  SEAM_CELL_AGREES,
  SEAM_CELL_DIFFERS,
  SEAM_CELL_NOT_FINITE,
  SEAM_CELL_NOT_LOOKED, /* no element of it was compared: hatched */
} SeamCellState;

typedef struct {
  gint64 first, count; /* elements along the axis, and the number of the first */
  gint64 per_cell;
  char *title; /* "output feature (column), 8 a cell"; owned */
} SeamMapAxis;

typedef struct {
  gint64 n_rows, n_columns;       /* cells */
  double cell_width, cell_height; /* px; under 1: several cells a pixel, the worst one shown */
  SeamRect area;
  double width; /* of the figure */
  SeamMapAxis rows, columns;
  char *title, *subtitle, *corner; /* owned; subtitle and corner may be NULL */
  char *message[2];                /* over an empty map; owned; may be NULL */
  cairo_surface_t *image;
  cairo_surface_t *looked; /* opaque where cells were looked at; NULL: all were */
  int n_crosses;
  struct {
    double x, y;
  } * crosses; /* where not-finite cells are marked */
} SeamMapGrid;

/* Borders of tiles, as lines of the figure. */
typedef struct {
  GArray *lines;  /* of SeamRect: from x, y by width, height, one of which is 0; NULL: none */
  double spacing; /* px, the smallest mean distance of lines that are drawn */
} SeamMapTiles;

/* The output as tiles see it. */
SeamTileView seam_map_get_tile_view (const SeamProblem *problem);
/* Between the cells of the overview, or the elements of a slice. NULL, or why there is no line:
 * "one tile", "tiles too fine to draw". */
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

/* Chooses cell size and area for a figure of width x height. `whole_pixels`: 1, 2, 3, … whole
 * pixels a cell; else whole ones from 3 on, where a difference of one would be seen less than the
 * empty space it costs. */
void seam_map_grid_place (SeamMapGrid *grid, double width, double height, gboolean whole_pixels);
/* Shortens what does not fit a figure of width x height: the corner goes first, then the title is
 * `short_title`, then the subtitle goes; axis titles are cut. */
void seam_map_grid_fit_titles (SeamMapGrid *grid, double width, double height,
                               const char *short_title);
/* Paints the picture once; values [n_rows, n_columns]. */
void seam_map_grid_set_cells (SeamMapGrid *grid, const float *values, const guint8 *states,
                              const SeamMapScale *scale);
void seam_map_grid_draw (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette);
/* The words over a map that shows nothing, on a plate of their own: after lines, before pointers.
 * They stand in the middle; where a cell marked at `marked_y` would lie on them (NAN: none is), a
 * quarter away from it. */
void seam_map_grid_draw_message (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                 double marked_y);
void seam_map_grid_clear (SeamMapGrid *grid);

SeamRect seam_map_grid_get_cell (const SeamMapGrid *grid, gint64 row, gint64 column);
gboolean seam_map_grid_find_cell (const SeamMapGrid *grid, double x, double y, gint64 *row,
                                  gint64 *column);
/* Box around a cell; and lines from it to the edges of the map, drawn before the words. */
void seam_map_grid_draw_pointer (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                 gint64 row, gint64 column, gboolean dashed);
void seam_map_grid_draw_crosshair (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                                   gint64 row, gint64 column);
void seam_map_draw_frame (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect);
void seam_map_draw_cross (cairo_t *cr, const SeamPalette *palette, double x, double y, double size);

G_END_DECLS
