/* SPDX-License-Identifier: MIT
 *
 * Layout and drawing of the limits of the occupancy.
 */
#include "app/figure/limits-figure.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"

#include <math.h>

#define LEFT  236.0 /* names and metrics */
#define RIGHT 84.0  /* of “32, the limit” */
#define ROW   34.0
#define BAR   9.0

static const struct {
  SeamOccupancyLimit limit;
  const char *title, *metric;
} rows[SEAM_N_OCCUPANCY_LIMITS] = {
  { SEAM_OCCUPANCY_BY_REGISTERS, "Block Limit Registers", "launch__occupancy_limit_registers" },
  { SEAM_OCCUPANCY_BY_SHARED, "Block Limit Shared Mem", "launch__occupancy_limit_shared_mem" },
  { SEAM_OCCUPANCY_BY_WARPS, "Block Limit Warps", "launch__occupancy_limit_warps" },
  { SEAM_OCCUPANCY_BY_BLOCKS, "Block Limit SM", "launch__occupancy_limit_blocks" },
};

SeamLimitsLayout *
seam_limits_layout_new (const SeamOccupancy *const occupancy[2], double width)
{
  SeamLimitsLayout *layout = g_new0 (SeamLimitsLayout, 1);

  layout->width = fmax (width, LEFT + 2 * RIGHT);
  layout->plot = (SeamRect){ LEFT, 0, layout->width - LEFT - RIGHT, SEAM_N_OCCUPANCY_LIMITS * ROW };
  for (int row = 0; row < SEAM_N_OCCUPANCY_LIMITS; row++)
    for (int side = 0; side < 2; side++)
      if (occupancy[side] != NULL) {
        int blocks = occupancy[side]->by[rows[row].limit];
        double percent = occupancy[side]->percents[rows[row].limit];

        layout->is_limit[row][side] = blocks == occupancy[side]->blocks;
        layout->bars[row][side] = (SeamRect){ LEFT, row * ROW + 4 + side * (BAR + 4),
                                              layout->plot.width * percent / 100, BAR };
        g_snprintf (layout->texts[row][side], sizeof layout->texts[row][side], "%d%s", blocks,
                    layout->is_limit[row][side] ? ", the limit" : "");
      }
  return layout;
}

static void
limits_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamLimitsLayout *layout = figure->layout;
  SeamAxis axis = seam_axis_between (0, 100, (SeamUnit){ "%", 1 }, 2);

  seam_axis_place_x (&axis, layout->plot.x, layout->plot.x + layout->plot.width);
  seam_axis_draw (&axis, &layout->plot, NULL, cr, palette);
  for (int row = 0; row < SEAM_N_OCCUPANCY_LIMITS; row++) {
    seam_paint_text (cr, &palette->text, rows[row].title, 0, row * ROW + 13, 13, SEAM_REGULAR,
                     SEAM_ALIGN_START);
    seam_paint_text (cr, &palette->dim_text, rows[row].metric, 0, row * ROW + 27, SEAM_SIZE_SMALL,
                     SEAM_REGULAR, SEAM_ALIGN_START);
    for (int side = 0; side < 2; side++) {
      const SeamRect *bar = &layout->bars[row][side];
      gboolean is_limit = layout->is_limit[row][side];

      if (layout->texts[row][side][0] == '\0')
        continue;
      seam_paint_box (cr, bar, 2, side == 0 ? &palette->card : &palette->text, &palette->text,
                      is_limit ? 2 : 1);
      seam_paint_label (cr, palette, &palette->text, layout->texts[row][side],
                        bar->x + bar->width + 6, bar->y + BAR, SEAM_SIZE_SMALL,
                        is_limit ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
    }
  }
}

static const SeamFigureClass limits_class = { .draw = limits_draw, .free_layout = g_free };

SeamFigure *
seam_limits_figure_new (const SeamOccupancy *const occupancy[2], const char letters[2],
                        double width)
{
  SeamLimitsLayout *layout = seam_limits_layout_new (occupancy, width);
  GString *summary = g_string_new ("What limits the occupancy.");

  for (int row = 0; row < SEAM_N_OCCUPANCY_LIMITS; row++)
    for (int side = 0; side < 2; side++)
      if (occupancy[side] != NULL)
        g_string_append_printf (summary, " %s: %c %d blocks, %.1f percent%s.", rows[row].title,
                                letters[side], occupancy[side]->by[rows[row].limit],
                                occupancy[side]->percents[rows[row].limit],
                                layout->is_limit[row][side] ? ", the limit" : "");
  return seam_figure_new (&limits_class, layout, layout->width, SEAM_LIMITS_HEIGHT,
                          g_string_free (summary, FALSE));
}
