/* SPDX-License-Identifier: MIT
 *
 * The shared half of overview and slice. Paints the cells into an image once; a redraw only scales
 * it with the nearest filter, which takes equally long for one cell and for a million.
 */
#include "app/figure/map-common.h"

#include "app/figure/axis.h"

#include <math.h>
#include <string.h>

#define TICKS         4
#define MIN_SIDE      48.0 /* px: a thinner map could not be pointed at */
#define CROSS_SPACING 12.0
#define MAX_CROSSES   400
#define SVG_SCALE     4 /* pixels of the embedded picture for each px of the figure */

void
seam_map_grid_place (SeamMapGrid *grid, double width, double height, gboolean whole_pixels)
{
  double room_x = floor (MAX (40, width - SEAM_MAP_LEFT - SEAM_MAP_RIGHT));
  double room_y = floor (MAX (40, height - SEAM_MAP_TOP - SEAM_MAP_BOTTOM));
  double side = MIN (room_x / grid->n_columns, room_y / grid->n_rows);

  grid->width = width;
  if (side >= (whole_pixels ? 1 : 3))
    side = floor (side);

  grid->cell_width = grid->cell_height = side;
  if (grid->n_columns * side < MIN_SIDE)
    grid->cell_width = MIN (room_x, MIN_SIDE) / grid->n_columns;
  if (grid->n_rows * side < MIN_SIDE)
    grid->cell_height = MIN (room_y, MIN_SIDE) / grid->n_rows;
  grid->area = (SeamRect){ SEAM_MAP_LEFT, SEAM_MAP_TOP, floor (grid->n_columns * grid->cell_width),
                           floor (grid->n_rows * grid->cell_height) };
  grid->cell_width = grid->area.width / grid->n_columns;
  grid->cell_height = grid->area.height / grid->n_rows;
}

static guint32
pack (const SeamColor *color)
{
  return 0xff000000u | (guint32)lround (color->r * 255) << 16
         | (guint32)lround (color->g * 255) << 8 | (guint32)lround (color->b * 255);
}

/* Pixels along a side of the image: one for each cell, or, if cells are smaller, for each device
 * pixel of the map. */
static int
get_image_side (gint64 n_cells, double cell_side, double area_side)
{
  return cell_side >= 1 ? (int)n_cells : MAX (1, (int)area_side);
}

static void
add_cross (SeamMapGrid *grid, GHashTable *taken, gint64 row, gint64 column)
{
  SeamRect cell = seam_map_grid_get_cell (grid, row, column);
  double x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
  gpointer key;

  if (grid->n_crosses >= MAX_CROSSES)
    return;
  if (MIN (cell.width, cell.height) < CROSS_SPACING) {
    key = GINT_TO_POINTER (1 + (int)(x / CROSS_SPACING) + 65536 * (int)(y / CROSS_SPACING));
    if (!g_hash_table_add (taken, key))
      return;
  }
  grid->crosses[grid->n_crosses].x = x;
  grid->crosses[grid->n_crosses++].y = y;
}

/* The cells [*first, *last) whose middles lie in pixel `pixel` of `n_pixels`. So every cell is
 * in exactly one pixel, where the pointer finds it; a pixel between two middles takes the next
 * cell. */
static void
get_range (gint64 n_cells, int n_pixels, int pixel, gint64 *first, gint64 *last)
{
  *first = (2 * n_cells * pixel + n_pixels - 1) / (2 * n_pixels);
  *last = (2 * n_cells * (pixel + 1) + n_pixels - 1) / (2 * n_pixels);
  *first = MIN (*first, n_cells - 1);
  *last = MAX (*first + 1, *last);
}

static cairo_surface_t *
create_image (SeamMapGrid *grid, int width, int height)
{
  return seam_keep_full (grid->owner,
                         cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height),
                         (GDestroyNotify)cairo_surface_destroy);
}

void
seam_map_grid_set_cells (SeamMapGrid *grid, const float *values, const guint8 *states,
                         const SeamMapScale *scale)
{
  int width = get_image_side (grid->n_columns, grid->cell_width, grid->area.width);
  int height = get_image_side (grid->n_rows, grid->cell_height, grid->area.height);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  SeamColor nan_color = seam_palette_get (FALSE, FALSE)->nan;
  guint32 nan_pixel = pack (&nan_color);
  unsigned char *data;
  guint32 *mask = NULL;
  int stride;

  grid->image = create_image (grid, width, height);
  if (cairo_surface_status (grid->image) != CAIRO_STATUS_SUCCESS)
    return;
  grid->crosses = seam_keep (grid->owner, g_malloc_n (MAX_CROSSES, sizeof *grid->crosses));
  cairo_surface_flush (grid->image);
  data = cairo_image_surface_get_data (grid->image);
  stride = cairo_image_surface_get_stride (grid->image);
  if (memchr (states, SEAM_CELL_NOT_LOOKED, (gsize)(grid->n_rows * grid->n_columns)) != NULL) {
    grid->looked = create_image (grid, width, height);
    cairo_surface_flush (grid->looked);
    mask = (guint32 *)(gpointer)cairo_image_surface_get_data (grid->looked);
  }

  for (int y = 0; y < height; y++) {
    guint32 *pixels = (guint32 *)(gpointer)(data + (gsize)y * stride);
    gint64 row1, row2;

    get_range (grid->n_rows, height, y, &row1, &row2);
    for (int x = 0; x < width; x++) {
      SeamCellState state = SEAM_CELL_NOT_LOOKED;
      float worst = 0;
      gint64 column1, column2;

      get_range (grid->n_columns, width, x, &column1, &column2);
      for (gint64 row = row1; row < row2; row++)
        for (gint64 column = column1; column < column2; column++) {
          gint64 i = row * grid->n_columns + column;

          if (states[i] == SEAM_CELL_NOT_LOOKED)
            continue;
          if (state == SEAM_CELL_NOT_LOOKED)
            state = SEAM_CELL_AGREES;
          if (states[i] == SEAM_CELL_NOT_FINITE) {
            if (state != SEAM_CELL_NOT_FINITE)
              add_cross (grid, taken, row, column);
            state = SEAM_CELL_NOT_FINITE;
          } else if (states[i] == SEAM_CELL_DIFFERS && state != SEAM_CELL_NOT_FINITE) {
            state = SEAM_CELL_DIFFERS;
            worst = MAX (worst, values[i]);
          }
        }
      if (state == SEAM_CELL_NOT_FINITE) {
        pixels[x] = nan_pixel;
      } else if (state == SEAM_CELL_DIFFERS) {
        SeamColor color = seam_palette_viridis (seam_map_scale_position (scale, worst));

        pixels[x] = pack (&color);
      } else {
        pixels[x] = 0;
      }
      if (mask != NULL)
        mask[(gsize)y * (gsize)(stride / 4) + (gsize)x] =
            state == SEAM_CELL_NOT_LOOKED ? 0 : 0xff000000u;
    }
  }
  cairo_surface_mark_dirty (grid->image);
  if (grid->looked != NULL)
    cairo_surface_mark_dirty (grid->looked);
}

SeamRect
seam_map_grid_get_cell (const SeamMapGrid *grid, gint64 row, gint64 column)
{
  return (SeamRect){ grid->area.x + column * grid->cell_width,
                     grid->area.y + row * grid->cell_height, grid->cell_width, grid->cell_height };
}

gboolean
seam_map_grid_find_cell (const SeamMapGrid *grid, double x, double y, gint64 *row, gint64 *column)
{
  if (!seam_rect_contains (&grid->area, x, y))
    return FALSE;
  *row = CLAMP ((gint64)((y - grid->area.y) / grid->cell_height), 0, grid->n_rows - 1);
  *column = CLAMP ((gint64)((x - grid->area.x) / grid->cell_width), 0, grid->n_columns - 1);
  return TRUE;
}

static void
draw_axis (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette, gboolean along_x)
{
  const SeamMapAxis *shown = along_x ? &grid->columns : &grid->rows;
  const SeamRect *area = &grid->area;
  double length = along_x ? area->width : area->height;
  SeamAxis axis = seam_axis_of_elements (shown->first, shown->count, length < 150 ? 2 : TICKS);

  /* The last cell may have fewer elements than the others. */
  axis.to = axis.from + MAX (1, (along_x ? grid->n_columns : grid->n_rows) * shown->per_cell);
  if (along_x)
    seam_axis_place_x (&axis, area->x, area->x + length);
  else
    seam_axis_place_y (&axis, area->y, area->y + length);
  seam_axis_draw_strokes (&axis, area, cr, palette);
  seam_axis_draw_numbers (&axis, area, cr, palette);
}

static double
measure_titles (const SeamMapGrid *grid)
{
  return seam_paint_measure (grid->title, SEAM_SIZE_TITLE, SEAM_BOLD)
         + (grid->subtitle != NULL ? 10 + seam_paint_measure (grid->subtitle, 12.5, SEAM_REGULAR)
                                   : 0)
         + (grid->corner != NULL ? 14 + seam_paint_measure (grid->corner, 12.5, SEAM_REGULAR) : 0);
}

static void
cut (SeamMapGrid *grid, const char **text, double width)
{
  *text = seam_keep (grid->owner, seam_paint_ellipsize (*text, width, 12.5, SEAM_REGULAR));
}

const char *
seam_side_get_name (int index)
{
  static const char letters[] = "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0"
                                "N\0O\0P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z";

  if (index < 0)
    return "FP64";
  return index < 26 ? &letters[2 * index] : "B";
}

char *
seam_side_names_format_error (const SeamSideNames *names)
{
  return g_strdup_printf ("|%s " SEAM_MINUS " %s|", names->against, names->tested);
}

void
seam_map_grid_fit_titles (SeamMapGrid *grid, double width, double height, const char *short_title)
{
  double room = width - SEAM_MAP_LEFT - 2;

  if (measure_titles (grid) > room)
    grid->corner = NULL;
  if (measure_titles (grid) > room)
    grid->title = seam_keep (grid->owner, g_strdup (short_title));
  if (measure_titles (grid) > room)
    grid->subtitle = NULL;
  cut (grid, &grid->columns.title, width - (SEAM_MAP_LEFT - 40) - 2);
  cut (grid, &grid->rows.title, height - 4);
}

static void
draw_titles (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *area = &grid->area;
  double x = area->x, end;

  seam_paint_text (cr, &palette->text, grid->title, x, area->y - 11, SEAM_SIZE_TITLE, SEAM_BOLD,
                   SEAM_ALIGN_START);
  x += seam_paint_measure (grid->title, SEAM_SIZE_TITLE, SEAM_BOLD) + 10;
  if (grid->subtitle != NULL) {
    seam_paint_text (cr, &palette->dim_text, grid->subtitle, x, area->y - 11, 12.5, SEAM_REGULAR,
                     SEAM_ALIGN_START);
    x += seam_paint_measure (grid->subtitle, 12.5, SEAM_REGULAR) + 14;
  }
  if (grid->corner != NULL)
    x += seam_paint_measure (grid->corner, 12.5, SEAM_REGULAR);
  end = MAX (area->x + area->width, x);
  if (grid->corner != NULL)
    seam_paint_text (cr, &palette->dim_text, grid->corner, end, area->y - 11, 12.5, SEAM_REGULAR,
                     SEAM_ALIGN_END);
  {
    double width = seam_paint_measure (grid->columns.title, 12.5, SEAM_REGULAR);
    /* On a narrow map a longer axis title starts at the left end of the map. */
    double middle = MAX (area->x + area->width / 2, area->x - 40 + width / 2);

    middle = MIN (middle, grid->width - 2 - width / 2);

    seam_paint_text (cr, &palette->text, grid->columns.title, middle,
                     area->y + area->height + SEAM_AXIS_TITLE_BELOW, 12.5, SEAM_REGULAR,
                     SEAM_ALIGN_MIDDLE);
  }
  {
    double length = seam_paint_measure (grid->rows.title, 12.5, SEAM_REGULAR);
    double middle = MAX (area->y + area->height / 2, length / 2 + 2);

    seam_paint_text_upwards (cr, &palette->text, grid->rows.title, 10, middle, 12.5, SEAM_REGULAR);
  }
}

/* The picture with several pixels for each cell, for files whose viewers would otherwise smooth it:
 * Cairo's SVG cannot say that an image must not be interpolated. */
static cairo_surface_t *
enlarge (cairo_surface_t *image, const SeamRect *area)
{
  cairo_surface_t *large = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, (int)(area->width * SVG_SCALE), (int)(area->height * SVG_SCALE));
  cairo_t *cr = cairo_create (large);

  cairo_scale (
      cr, (double)cairo_image_surface_get_width (large) / cairo_image_surface_get_width (image),
      (double)cairo_image_surface_get_height (large) / cairo_image_surface_get_height (image));
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  return large;
}

/* Draws a picture over the map. `color`: uses that colour for opaque pixels, instead of the
 * picture's. */
static void
draw_image (const SeamMapGrid *grid, cairo_t *cr, cairo_surface_t *picture, const SeamColor *color)
{
  const SeamRect *area = &grid->area;
  cairo_surface_t *image;
  cairo_pattern_t *pattern;

  if (picture == NULL || cairo_surface_status (picture) != CAIRO_STATUS_SUCCESS)
    return;
  if (cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_SVG)
    image = enlarge (picture, area);
  else
    image = cairo_surface_reference (picture);

  cairo_save (cr);
  cairo_rectangle (cr, area->x, area->y, area->width, area->height);
  cairo_clip (cr);
  cairo_translate (cr, area->x, area->y);
  cairo_scale (cr, area->width / cairo_image_surface_get_width (image),
               area->height / cairo_image_surface_get_height (image));
  pattern = cairo_pattern_create_for_surface (image);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  if (color != NULL) {
    seam_palette_set_source (cr, color);
    cairo_mask (cr, pattern);
  } else {
    cairo_set_source (cr, pattern);
    cairo_paint (cr);
  }
  cairo_pattern_destroy (pattern);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

void
seam_map_grid_draw_cells (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *area = &grid->area;

  seam_paint_box (cr, area, 0, &palette->card, NULL, 0);
  if (grid->looked != NULL) {
    seam_paint_hatch (cr, palette, area);
    draw_image (grid, cr, grid->looked, &palette->card);
  }
  draw_image (grid, cr, grid->image, NULL);
  for (int i = 0; i < grid->n_crosses; i++)
    seam_map_draw_cross (cr, palette, grid->crosses[i].x, grid->crosses[i].y,
                         CLAMP (MIN (grid->cell_width, grid->cell_height) - 2, 7, 14));
  {
    SeamRect edge = { area->x - 1, area->y - 1, area->width + 2, area->height + 2 };

    seam_paint_box (cr, &edge, 0, NULL, &palette->border, 1);
  }
}

void
seam_map_grid_draw (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette)
{
  seam_map_grid_draw_cells (grid, cr, palette);
  draw_axis (grid, cr, palette, TRUE);
  draw_axis (grid, cr, palette, FALSE);
  draw_titles (grid, cr, palette);
}

void
seam_map_grid_draw_message (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                            double marked_y)
{
  const SeamRect *area = &grid->area;
  double first_y = area->y + area->height / 2;

  if (area->height > 180 && fabs (marked_y - (first_y + 10)) < 32)
    first_y += (marked_y > first_y + 10 ? -1 : 1) * area->height / 4;
  for (int i = 0; i < 2; i++)
    if (grid->message[i] != NULL) {
      double size = i == 0 ? SEAM_SIZE_TITLE : 12.5, x = area->x + area->width / 2;
      double y = first_y + i * 20;
      int weight = i == 0 ? SEAM_BOLD : SEAM_REGULAR;
      double width = MIN (seam_paint_measure (grid->message[i], size, weight) + 12, area->width);
      SeamRect plate = { x - width / 2, MAX (y - 10, area->y), width, MIN (20, area->height) };

      seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
      seam_paint_text (cr, i == 0 ? &palette->text : &palette->dim_text, grid->message[i], x, y,
                       size, weight, SEAM_ALIGN_MIDDLE);
    }
}

void
seam_map_draw_cross (cairo_t *cr, const SeamPalette *palette, double x, double y, double size)
{
  double half = size / 2;

  for (int pass = 0; pass < 2; pass++) {
    const SeamColor *color = pass == 0 ? &palette->nan : &palette->ring_inner;
    double width = pass == 0 ? 4 : 1.6;

    seam_paint_line (cr, color, width, x - half, y - half, x + half, y + half);
    seam_paint_line (cr, color, width, x + half, y - half, x - half, y + half);
  }
}

void
seam_map_draw_frame (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect)
{
  SeamRect outer = seam_rect_inset (rect, -1);

  seam_paint_box (cr, &outer, 0, NULL, &palette->ring_outer, 4);
  seam_paint_box (cr, rect, 0, NULL, &palette->ring_inner, 2);
}

static SeamRect
get_box (const SeamRect *cell)
{
  return (SeamRect){ cell->x - 4, cell->y - 4, cell->width + 8, cell->height + 8 };
}

void
seam_map_grid_draw_crosshair (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                              gint64 row, gint64 column)
{
  SeamRect cell = seam_map_grid_get_cell (grid, row, column), box = get_box (&cell);
  const SeamRect *area = &grid->area;
  double x = floor (cell.x + cell.width / 2) + .5, y = floor (cell.y + cell.height / 2) + .5;

  for (int pass = 0; pass < 2; pass++) {
    SeamColor color = pass == 0 ? palette->ring_outer : palette->ring_inner;
    double width = pass == 0 ? 3 : 1;

    if (pass == 0)
      color.a = .35;
    seam_paint_line (cr, &color, width, x, area->y, x, MAX (area->y, box.y));
    seam_paint_line (cr, &color, width, x, MIN (box.y + box.height, area->y + area->height), x,
                     area->y + area->height);
    seam_paint_line (cr, &color, width, area->x, y, MAX (area->x, box.x), y);
    seam_paint_line (cr, &color, width, MIN (box.x + box.width, area->x + area->width), y,
                     area->x + area->width, y);
  }
}

void
seam_map_grid_draw_pointer (const SeamMapGrid *grid, cairo_t *cr, const SeamPalette *palette,
                            gint64 row, gint64 column, gboolean dashed)
{
  SeamRect cell = seam_map_grid_get_cell (grid, row, column), box = get_box (&cell);

  seam_map_draw_frame (cr, palette, &box);
  if (dashed) {
    SeamRect outer = seam_rect_inset (&box, -3);

    seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &outer, 0);
  }
}
