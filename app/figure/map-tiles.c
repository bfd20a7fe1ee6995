/* SPDX-License-Identifier: MIT
 *
 * The borders of a kernel's tiles over a difference map. In a slice a border is where two
 * neighbouring elements are in different tiles, whatever the tiles' form; in the overview, whose
 * cells are blocks of elements, it is at the multiples of a tile's sides.
 */
#include "app/figure/map-common.h"

#include "app/figure/paint.h"

#include <math.h>
#include <string.h>

/* Least px between lines; closer ones would hide the map. */
#define MIN_SPACING 6.0
/* From this spacing on, lines have their full width. */
#define WIDE_SPACING 20.0

#define ONE_TILE "one tile"
#define TOO_FINE "tiles too fine to draw"

SeamTileView
seam_map_get_tile_view (const SeamProblem *problem)
{
  const SeamShapeView view = seam_problem_get_output_view (problem);

  return (SeamTileView){ view.outer, view.channels, view.inner / view.width, view.width };
}

char *
seam_map_describe_tile (const SeamTile *tile, const SeamProblem *problem, const char *name)
{
  SeamTileView view = seam_map_get_tile_view (problem);
  g_autofree char *words = seam_tile_describe (tile, &view);

  return seam_tile_is_known (tile) ? g_strdup_printf (
             "Lines: tiles of %s, as its last kernel writes them, %s.", name, words)
                                   : g_strdup_printf ("Tiles of %s: %s", name, words);
}

static void
add_line (SeamMapTiles *tiles, double x, double y, double width, double height)
{
  SeamRect line = { x, y, width, height };

  if (tiles->lines == NULL)
    tiles->lines = g_array_new (FALSE, FALSE, sizeof (SeamRect));
  g_array_append_val (tiles->lines, line);
}

static void
set_spacing (SeamMapTiles *tiles, double spacing)
{
  tiles->spacing = tiles->spacing > 0 ? fmin (tiles->spacing, spacing) : spacing;
}

/* Adds borders along one side of the overview: `n` elements, a border every `step`. Returns whether
 * they are too fine. */
static gboolean
find_along (SeamMapTiles *tiles, const SeamMapGrid *grid, gint64 step, gint64 n, gint64 per_cell,
            gboolean across)
{
  const SeamRect *area = &grid->area;
  double px = (across ? grid->cell_width : grid->cell_height) / (double)per_cell;

  if (step <= 0)
    return TRUE;
  if (step >= n)
    return FALSE;
  if ((double)step * px < MIN_SPACING)
    return TRUE;
  set_spacing (tiles, (double)step * px);
  for (gint64 at = step; at < n; at += step)
    add_line (tiles, area->x + (across ? (double)at * px : 0),
              area->y + (across ? 0 : (double)at * px), across ? 0 : area->width,
              across ? area->height : 0);
  return FALSE;
}

const char *
seam_map_tiles_find (SeamMapTiles *tiles, const SeamMapGrid *grid, const SeamTile *tile,
                     const SeamTileView *view, const SeamDifferenceSpec *spec)
{
  gint64 rows, columns;
  gboolean fine;

  seam_tile_get_steps (tile, view, &rows, &columns);
  fine = find_along (tiles, grid, columns, spec->columns, spec->columns_per_cell, TRUE);
  fine |= find_along (tiles, grid, rows, spec->rows, spec->rows_per_cell, FALSE);
  return tiles->lines != NULL ? NULL : fine ? TOO_FINE : ONE_TILE;
}

/* The tile numbers of a row of the slice. */
static void
read_row (gint64 *numbers, const SeamTile *tile, const SeamTileView *view, const SeamSlice *slice,
          gint64 row)
{
  gboolean is_matrix = view->height * view->width == 1;
  gint64 down = slice->first_row + row;

  for (gint64 i = 0; i < slice->n_columns; i++) {
    gint64 across = slice->first_column + i;
    numbers[i] =
        is_matrix ? seam_tile_get_number (tile, view, down, across, 0, 0)
                  : seam_tile_get_number (tile, view, slice->sample, slice->channel, down, across);
  }
}

/* Borders of each element: bit 0 at its left, bit 1 above it. */
static guint8 *
find_borders (const SeamTile *tile, const SeamTileView *view, const SeamSlice *slice,
              gint64 *n_left, gint64 *n_above)
{
  g_autofree gint64 *above = g_new (gint64, slice->n_columns);
  g_autofree gint64 *numbers = g_new (gint64, slice->n_columns);
  guint8 *borders = g_new0 (guint8, slice->n_rows * slice->n_columns);

  *n_left = *n_above = 0;
  for (gint64 row = 0; row < slice->n_rows; row++) {
    guint8 *line = borders + row * slice->n_columns;
    read_row (numbers, tile, view, slice, row);
    for (gint64 i = 0; i < slice->n_columns; i++) {
      gboolean left = i > 0 && numbers[i] != numbers[i - 1];
      gboolean up = row > 0 && numbers[i] != above[i];
      line[i] = (guint8)(left | up << 1);
      *n_left += left;
      *n_above += up;
    }
    memcpy (above, numbers, (gsize)slice->n_columns * sizeof *above);
  }
  return borders;
}

/* Joins the borders of one kind (`bit`) into lines: down the columns, or along the rows. */
static void
join (SeamMapTiles *tiles, const SeamMapGrid *grid, const guint8 *borders, gint64 n_rows,
      gint64 n_columns, guint8 bit)
{
  gboolean down = bit == 1;
  gint64 n_lines = down ? n_columns : n_rows, length = down ? n_rows : n_columns;

  for (gint64 line = 0; line < n_lines; line++)
    for (gint64 i = 0; i < length; i++) {
      gint64 first = i;
      while (i < length && (borders[down ? i * n_columns + line : line * n_columns + i] & bit) != 0)
        i++;
      if (i == first)
        continue;
      add_line (tiles, grid->area.x + (double)(down ? line : first) * grid->cell_width,
                grid->area.y + (double)(down ? first : line) * grid->cell_height,
                down ? 0 : (double)(i - first) * grid->cell_width,
                down ? (double)(i - first) * grid->cell_height : 0);
    }
}

const char *
seam_map_tiles_find_in_slice (SeamMapTiles *tiles, const SeamMapGrid *grid, const SeamTile *tile,
                              const SeamTileView *view, const SeamSlice *slice)
{
  gint64 n_left, n_above, n = slice->n_rows * slice->n_columns;
  g_autofree guint8 *borders = find_borders (tile, view, slice, &n_left, &n_above);
  double across = n_left > 0 ? (double)n / (double)n_left * grid->cell_width : 0;
  double down = n_above > 0 ? (double)n / (double)n_above * grid->cell_height : 0;

  if (across >= MIN_SPACING) {
    set_spacing (tiles, across);
    join (tiles, grid, borders, slice->n_rows, slice->n_columns, 1);
  }
  if (down >= MIN_SPACING) {
    set_spacing (tiles, down);
    join (tiles, grid, borders, slice->n_rows, slice->n_columns, 2);
  }
  return tiles->lines != NULL ? NULL : n_left + n_above > 0 ? TOO_FINE : ONE_TILE;
}

/* White between two dark edges, visible on every colour of the map and on uncoloured cells. */
void
seam_map_tiles_draw (const SeamMapTiles *tiles, cairo_t *cr, const SeamPalette *palette)
{
  gboolean wide = tiles->spacing >= WIDE_SPACING;

  for (int pass = 0; pass < 2 && tiles->lines != NULL; pass++) {
    SeamColor color = pass == 0 ? palette->ring_outer : palette->ring_inner;
    color.a = pass == 0 ? .6 : 1;
    for (guint i = 0; i < tiles->lines->len; i++) {
      const SeamRect *line = &g_array_index (tiles->lines, SeamRect, i);
      double x = floor (line->x) + (line->width > 0 ? 0 : .5);
      double y = floor (line->y) + (line->height > 0 ? 0 : .5);
      seam_paint_line (cr, &color, pass == 0 ? (wide ? 3 : 1.6) : (wide ? 1 : .6), x, y,
                       x + line->width, y + line->height);
    }
  }
}

void
seam_map_tiles_clear (SeamMapTiles *tiles)
{
  g_clear_pointer (&tiles->lines, g_array_unref);
}
