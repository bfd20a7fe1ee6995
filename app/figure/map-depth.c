/* SPDX-License-Identifier: MIT
 *
 * The planes of one sample and channel, small, beside each other: which of them fail, and the one
 * that the slice shows. All have the scale of the other maps.
 */
#include "app/figure/map-common.h"

#include "app/base/text.h"
#include "app/figure/paint.h"

#include <math.h>
#include <string.h>

#define PLANE       58.0
#define PLANE_LEAST 24.0
#define GAP         14.0
#define NUMBER      18.0 /* height of the number below a plane */
#define RING        3.0
#define MIN_PX      2.0 /* of a plane that is long and thin */

typedef struct {
  SeamMapGrid *grids; /* no picture: not among the elements at hand */
  gboolean *fails;
  gint64 first, n, chosen;
  const char *title, *subtitle, *foot;
} Depth;

static void
depth_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Depth *layout = figure->layout;
  double x = seam_paint_measure (layout->title, SEAM_SIZE_TITLE, SEAM_BOLD) + 10;

  seam_paint_text (cr, &palette->text, layout->title, 0, SEAM_MAP_TOP - 11, SEAM_SIZE_TITLE,
                   SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, layout->subtitle, x, SEAM_MAP_TOP - 11, 12.5,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  for (gint64 i = 0; i < layout->n; i++) {
    const SeamMapGrid *grid = &layout->grids[i];
    const SeamRect *area = &grid->area;
    const gboolean is_chosen = layout->first + i == layout->chosen;
    SeamRect ring = seam_rect_inset (area, -RING);
    g_autofree char *number = seam_text_count (layout->first + i);
    seam_map_grid_draw_cells (grid, cr, palette);
    if (is_chosen)
      seam_map_draw_frame (cr, palette, &ring);
    seam_paint_text (cr, layout->fails[i] || is_chosen ? &palette->text : &palette->dim_text,
                     number, area->x + area->width / 2, area->y + area->height + NUMBER - 3,
                     SEAM_SIZE_AXIS, is_chosen ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  }
  if (layout->foot != NULL)
    seam_paint_text (cr, &palette->dim_text, layout->foot, 0, figure->height - 6, SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_START);
}

/* Reads one plane, if the slice has all of it. */
static void
read_plane (Depth *layout, SeamMapGrid *grid, gint64 i, const SeamSlice *slice, gint64 first_row,
            const SeamMapOptions *options)
{
  gint64 n = grid->n_rows * grid->n_columns;
  g_autofree float *values = g_new0 (float, n);
  g_autofree guint8 *states = g_malloc ((gsize)n);
  double largest;

  memset (states, SEAM_CELL_NOT_LOOKED, (gsize)n);
  if (slice != NULL && slice->first_column == 0 && slice->n_columns == grid->n_columns
      && first_row >= slice->first_row
      && first_row + grid->n_rows <= slice->first_row + slice->n_rows)
    layout->fails[i] =
        seam_map_read_elements (slice, (first_row - slice->first_row) * slice->n_columns, n,
                                options, values, states, &largest)
        > 0;
  seam_map_grid_set_cells (grid, values, states, &options->scale);
}

SeamFigure *
seam_depth_figure_new (const SeamProblem *problem, const SeamSlice *planes, gint64 sample,
                       gint64 channel, gint64 depth, const SeamMapOptions *options)
{
  static const SeamFigureClass depth_class = { .draw = depth_draw };
  const SeamShapeView view = seam_problem_get_output_view (problem);
  Depth *layout = seam_owner_new (Depth);
  gint64 height = view.inner / view.depth / view.width, n_rows, n_fail = 0;

  if (planes != NULL && (planes->sample != sample || planes->channel != channel))
    planes = NULL;
  layout->chosen = depth;
  layout->first = depth / SEAM_DEPTH_PLANES * SEAM_DEPTH_PLANES;
  layout->n = MIN (SEAM_DEPTH_PLANES, view.depth - layout->first);
  layout->grids = seam_keep (layout, g_new0 (SeamMapGrid, layout->n));
  layout->fails = seam_keep (layout, g_new0 (gboolean, layout->n));
  n_rows = (layout->n + SEAM_DEPTH_ACROSS - 1) / SEAM_DEPTH_ACROSS;
  double foot = view.depth > SEAM_DEPTH_PLANES || !options->all_planes ? NUMBER : 0;
  double room = (options->height - SEAM_MAP_TOP - foot) / (double)n_rows - NUMBER - GAP / 2;
  double side = floor (CLAMP (
      MIN ((options->width - (SEAM_DEPTH_ACROSS - 1) * GAP - 2 * RING) / SEAM_DEPTH_ACROSS, room),
      PLANE_LEAST, PLANE));
  double cell = side / (double)MAX (height, view.width);
  SeamFigure *figure = seam_figure_new (
      &depth_class, layout, SEAM_DEPTH_ACROSS * side + (SEAM_DEPTH_ACROSS - 1) * GAP + 2 * RING,
      MAX (options->height, SEAM_MAP_TOP + foot + n_rows * (side + NUMBER + GAP / 2)), NULL);

  g_autofree char *sample_text = seam_text_count (sample),
                  *channel_text = seam_text_count (channel);
  layout->title = "Depth";
  layout->subtitle = seam_keep_printf (layout, "sample %s, channel %s", sample_text, channel_text);
  if (view.depth > SEAM_DEPTH_PLANES)
    layout->foot = seam_keep_printf (
        layout, "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " of 0 to %" G_GINT64_FORMAT,
        layout->first, layout->first + layout->n - 1, view.depth - 1);
  else if (!options->all_planes)
    layout->foot = "hatched: not in the file";
  for (gint64 i = 0; i < layout->n; i++) {
    SeamMapGrid *grid = &layout->grids[i];
    int across = (int)(i % SEAM_DEPTH_ACROSS), down = (int)(i / SEAM_DEPTH_ACROSS);
    SeamRect box = { RING + across * (side + GAP),
                     SEAM_MAP_TOP + RING + down * (side + NUMBER + GAP / 2), side, side };
    *grid = (SeamMapGrid){ .owner = layout, .n_rows = height, .n_columns = view.width };
    grid->area = (SeamRect){ box.x, box.y, MAX (floor (cell * (double)view.width), MIN_PX),
                             MAX (floor (cell * (double)height), MIN_PX) };
    grid->area.x += floor ((side - grid->area.width) / 2);
    grid->area.y += floor (side - grid->area.height);
    grid->cell_width = grid->area.width / (double)view.width;
    grid->cell_height = grid->area.height / (double)height;
    read_plane (layout, grid, i, planes, (layout->first + i) * height, options);
    n_fail += layout->fails[i];
    if (grid->looked != NULL && !options->all_planes)
      continue;
    box.height += NUMBER;
    seam_figure_add_spot (
        figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = down, .index = across }, box, 3);
  }
  figure->summary =
      g_strdup_printf ("Planes %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                       " of %s; elements fail in %" G_GINT64_FORMAT " of them.",
                       layout->first, layout->first + layout->n - 1, layout->subtitle, n_fail);
  return figure;
}
