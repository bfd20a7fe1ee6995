/* SPDX-License-Identifier: MIT
 *
 * The waterfall figure: draws the layout of waterfall-layout.c and answers the pointer.
 */
#include "app/figure/waterfall.h"

#include "app/figure/paint.h"
#include "app/figure/waterfall-layout.h"

#include <math.h>

/* Less time is good, more is bad; what is not explained is neither, and hatched. */
static const SeamColor *
get_color (const SeamWaterfallRow *row, const SeamPalette *palette)
{
  switch (row->kind) {
  case SEAM_STEP_START:
  case SEAM_STEP_END:
    return &palette->text;
  case SEAM_STEP_REMAINDER:
    return &palette->dim_text;
  default:
    return row->sign < 0 ? &palette->good : (row->sign > 0 ? &palette->bad : &palette->dim_text);
  }
}

static void
draw_row (const SeamWaterfallRow *row, cairo_t *cr, const SeamPalette *palette,
          const SeamWaterfallLayout *layout)
{
  const SeamColor *color = get_color (row, palette);
  gboolean is_end = row->kind == SEAM_STEP_START || row->kind == SEAM_STEP_END;
  double middle = row->row.y + row->row.height / 2;

  seam_paint_text (cr, &palette->text, row->label, layout->left - 10, middle + SEAM_BASELINE (13),
                   13, is_end ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_END);
  if (row->kind == SEAM_STEP_REMAINDER) {
    seam_paint_box (cr, &row->bar, 0, &palette->card, NULL, 0);
    seam_paint_hatch (cr, palette, &row->bar);
    seam_paint_box (cr, &row->bar, 0, NULL, &palette->glyph, 1);
  } else {
    SeamColor fill = is_end ? seam_palette_mix (&palette->text, &palette->card, .78) : *color;

    seam_paint_box (cr, &row->bar, 2, &fill, NULL, 0);
  }
  seam_paint_label (cr, palette, color, row->value, row->value_x, middle + SEAM_BASELINE (13), 13,
                    SEAM_BOLD, SEAM_ALIGN_START);
}

static void
waterfall_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamWaterfallLayout *layout = figure->layout;

  SeamRect plot = { layout->left, 0, layout->axis.end - layout->left, layout->axis_y };

  seam_axis_draw (&layout->axis, &plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++) {
    const SeamWaterfallRow *row = &layout->rows[i];

    if (isfinite (row->join_x))
      seam_paint_line (cr, &palette->glyph, 1, row->join_x, row->bar.y + row->bar.height,
                       row->join_x, layout->rows[i + 1].bar.y);
  }
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (&layout->rows[i], cr, palette, layout);
}

static const SeamFigureClass waterfall_class = {
  .draw = waterfall_draw,
  .free_layout = (GDestroyNotify)seam_waterfall_layout_free,
};

SeamFigure *
seam_waterfall_figure_new (const SeamWaterfall *waterfall, double width)
{
  SeamWaterfallLayout *layout = seam_waterfall_layout_new (waterfall, width);
  SeamFigure *figure =
      seam_figure_new (&waterfall_class, layout, layout->width, layout->height, NULL);
  GString *summary = g_string_new (NULL);

  g_string_append_printf (summary, "From A to %c:", waterfall->letters[1]);
  for (int i = 0; i < layout->n_rows; i++) {
    g_string_append_printf (summary, "%s %s %s %s", i > 0 ? "," : "", waterfall->steps[i].label,
                            layout->rows[i].value, layout->axis.unit.name);
    seam_figure_add_row (figure, (SeamHit){ .kind = SEAM_HIT_OP, .index = i }, layout->rows[i].row);
  }
  g_string_append_c (summary, '.');
  if (waterfall->sentence != NULL)
    g_string_append_printf (summary, " %s", waterfall->sentence);
  figure->summary = g_string_free (summary, FALSE);
  return figure;
}
