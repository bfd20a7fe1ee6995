/* SPDX-License-Identifier: MIT
 *
 * Layout of the waterfall: one scale from 0 for ends and steps.
 */
#include "app/figure/waterfall-layout.h"

#include "app/figure/paint.h"

#include <math.h>

#define ROW_HEIGHT   30.0
#define BAR_HEIGHT   20.0
#define TOP          2.0
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
seam_waterfall_layout_new (const SeamWaterfall *waterfall, double width)
{
  SeamWaterfallLayout *layout = g_new0 (SeamWaterfallLayout, 1);
  double largest = 0, label_width = 0, value_width = 0, plot;
  SeamUnit unit;

  layout->width = fmax (width, 300);
  layout->n_rows = waterfall->n_steps;
  layout->rows = g_new0 (SeamWaterfallRow, MAX (1, waterfall->n_steps));
  for (int i = 0; i < waterfall->n_steps; i++)
    largest = fmax (largest, fmax (waterfall->steps[i].from_ns, waterfall->steps[i].to_ns));
  unit = seam_unit_for_time (largest > 0 ? largest : 1);
  for (int i = 0; i < waterfall->n_steps; i++) {
    const SeamWaterfallStep *step = &waterfall->steps[i];

    layout->rows[i].value = format_value (step, unit);
    value_width =
        fmax (value_width, seam_paint_measure (layout->rows[i].value, VALUE_SIZE, SEAM_BOLD));
    label_width =
        fmax (label_width, seam_paint_measure (step->label, LABEL_SIZE, get_weight (step->kind)));
  }
  label_width = fmin (label_width, LABEL_SHARE * layout->width);
  layout->left = ceil (label_width) + LABEL_GAP;
  plot = fmax (60, layout->width - layout->left - value_width - VALUE_GAP - 4);
  /* The longest bar ends where its value begins, and the axis with it. */
  layout->axis = seam_axis_between (0, largest, unit, CLAMP ((int)(plot / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->left, layout->left + plot);

  for (int i = 0; i < waterfall->n_steps; i++) {
    const SeamWaterfallStep *step = &waterfall->steps[i];
    SeamWaterfallRow *row = &layout->rows[i];
    double y = TOP + i * ROW_HEIGHT;
    double x1 = seam_axis_get_px (&layout->axis, fmin (step->from_ns, step->to_ns));
    double x2 = seam_axis_get_px (&layout->axis, fmax (step->from_ns, step->to_ns));

    row->kind = step->kind;
    row->sign = step->to_ns > step->from_ns ? 1 : (step->to_ns < step->from_ns ? -1 : 0);
    row->row = (SeamRect){ 0, y, layout->width, ROW_HEIGHT };
    row->bar = (SeamRect){ x1, y + (ROW_HEIGHT - BAR_HEIGHT) / 2, fmax (1, x2 - x1), BAR_HEIGHT };
    row->label =
        seam_paint_ellipsize (step->label, label_width + 1, LABEL_SIZE, get_weight (step->kind));
    row->value_x = row->bar.x + row->bar.width + VALUE_GAP;
    row->join_x = i + 1 < waterfall->n_steps ? seam_axis_get_px (&layout->axis, step->to_ns) : NAN;
  }
  layout->axis_y = TOP + waterfall->n_steps * ROW_HEIGHT + 2;
  layout->height = layout->axis_y + 22;
  return layout;
}

void
seam_waterfall_layout_free (SeamWaterfallLayout *layout)
{
  if (layout == NULL)
    return;
  for (int i = 0; i < layout->n_rows; i++) {
    g_free (layout->rows[i].label);
    g_free (layout->rows[i].value);
  }
  g_free (layout->rows);
  g_free (layout);
}
