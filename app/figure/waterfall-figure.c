/* SPDX-License-Identifier: MIT
 *
 * Layout and drawing of the waterfall: one scale from 0 for ends and steps.
 */
#include "app/figure/waterfall-figure.h"

#include "app/figure/paint.h"

#include <math.h>

#define ROW_HEIGHT   30.0
#define LEAST_ROW    20.0
#define BAR_SHARE    (2 / 3.0) /* of a row */
#define TOP          2.0
#define AXIS         22.0 /* numbers below the bars */
#define LABEL_SIZE   13.0
#define VALUE_SIZE   13.0
#define VALUE_GAP    7.0
#define LABEL_GAP    10.0
#define LABEL_SHARE  .38 /* of the width, at most */
#define TICK_SPACING 55.0

static int
get_weight (SeamWaterfallKind kind)
{
  return kind == SEAM_STEP_START || kind == SEAM_STEP_END ? SEAM_BOLD : SEAM_REGULAR;
}

static char *
format_value (const SeamWaterfallStep *step, SeamUnit unit)
{
  double change = (step->to_ns - step->from_ns) / unit.scale;
  gboolean is_end = step->kind == SEAM_STEP_START || step->kind == SEAM_STEP_END;

  return is_end ? seam_text_fixed (change, 3) : seam_text_change (change, 3);
}

SeamWaterfallLayout *
seam_waterfall_layout_new (const SeamWaterfall *waterfall, double width, double height)
{
  SeamWaterfallLayout *layout = seam_owner_new (SeamWaterfallLayout);
  double largest = 0, label_width = 0, value_width = 0, row_height = ROW_HEIGHT;
  SeamUnit unit;

  layout->width = fmax (width, 300);
  layout->n_rows = waterfall->n_steps;
  layout->rows = seam_keep (layout, g_new0 (SeamWaterfallRow, MAX (1, waterfall->n_steps)));
  for (int i = 0; i < waterfall->n_steps; i++)
    largest = fmax (largest, fmax (waterfall->steps[i].from_ns, waterfall->steps[i].to_ns));
  unit = seam_unit_for_time (largest > 0 ? largest : 1);
  for (int i = 0; i < waterfall->n_steps; i++) {
    const SeamWaterfallStep *step = &waterfall->steps[i];

    layout->rows[i].value = seam_keep (layout, format_value (step, unit));
    value_width =
        fmax (value_width, seam_paint_measure (layout->rows[i].value, VALUE_SIZE, SEAM_BOLD));
    label_width =
        fmax (label_width, seam_paint_measure (step->label, LABEL_SIZE, get_weight (step->kind)));
  }
  label_width = fmin (label_width, LABEL_SHARE * layout->width);
  layout->plot.x = ceil (label_width) + LABEL_GAP;
  layout->plot.width = fmax (60, layout->width - layout->plot.x - value_width - VALUE_GAP - 4);
  /* The longest bar, and the axis, end where its value begins. */
  layout->axis =
      seam_axis_between (0, largest, unit, CLAMP ((int)(layout->plot.width / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->plot.x, layout->plot.x + layout->plot.width);

  if (height > 0)
    row_height =
        CLAMP (floor ((height - TOP - 2 - AXIS) / waterfall->n_steps), LEAST_ROW, ROW_HEIGHT);
  for (int i = 0; i < waterfall->n_steps; i++) {
    const SeamWaterfallStep *step = &waterfall->steps[i];
    SeamWaterfallRow *row = &layout->rows[i];
    double y = TOP + i * row_height;
    double x1 = seam_axis_get_px (&layout->axis, fmin (step->from_ns, step->to_ns));
    double x2 = seam_axis_get_px (&layout->axis, fmax (step->from_ns, step->to_ns));

    row->kind = step->kind;
    row->sign = step->to_ns > step->from_ns ? 1 : (step->to_ns < step->from_ns ? -1 : 0);
    row->row = (SeamRect){ 0, y, layout->width, row_height };
    row->bar = (SeamRect){ x1, y + row_height * (1 - BAR_SHARE) / 2, fmax (1, x2 - x1),
                           row_height * BAR_SHARE };
    row->label = seam_keep (layout, seam_paint_ellipsize (step->label, label_width + 1, LABEL_SIZE,
                                                          get_weight (step->kind)));
    row->value_x = row->bar.x + row->bar.width + VALUE_GAP;
    row->join_x = i + 1 < waterfall->n_steps ? seam_axis_get_px (&layout->axis, step->to_ns) : NAN;
  }
  layout->plot.height = TOP + waterfall->n_steps * row_height + 2;
  layout->height = layout->plot.height + AXIS;
  return layout;
}

/* ---- drawing ---- */

/* Less time is good, more is bad; an unexplained step is neither, and hatched. */
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

  seam_paint_text (cr, &palette->text, row->label, layout->plot.x - 10, middle + SEAM_BASELINE (13),
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

  seam_axis_draw (&layout->axis, &layout->plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++) {
    const SeamWaterfallRow *row = &layout->rows[i];

    if (isfinite (row->join_x))
      seam_paint_line (cr, &palette->glyph, 1, row->join_x, row->bar.y + row->bar.height,
                       row->join_x, layout->rows[i + 1].bar.y);
  }
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (&layout->rows[i], cr, palette, layout);
}

static const SeamFigureClass waterfall_class = { .draw = waterfall_draw };

SeamFigure *
seam_waterfall_figure_new (const SeamWaterfall *waterfall, double width, double height)
{
  SeamWaterfallLayout *layout = seam_waterfall_layout_new (waterfall, width, height);
  SeamFigure *figure =
      seam_figure_new (&waterfall_class, layout, layout->width, layout->height, NULL);
  GString *summary = g_string_new (NULL);

  g_string_append_printf (summary, "From %c to %c:", waterfall->letters[0], waterfall->letters[1]);
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
