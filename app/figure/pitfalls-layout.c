/* SPDX-License-Identifier: MIT
 *
 * Layout of the pitfall lab: rows of equal height, one scale from 0.
 */
#include "app/figure/pitfalls-layout.h"

#include "app/figure/paint.h"

#include <math.h>

#define MIN_WIDTH    480.0
#define ROW_HEIGHT   30.0
#define TOP          4.0
#define LABEL_SIZE   13.0
#define LABEL_GAP    12.0
#define VALUE_WIDTH  74.0 /* right of the plot */
#define TICK_SPACING 70.0

/* The value of a case with its interval. */
static void
get_value (const SeamLab *lab, int index, double value[3])
{
  SeamLabNumbers numbers;

  seam_lab_get_numbers (lab, index, &numbers);
  value[0] = lab->n_plans > 1 ? numbers.ratio : numbers.time_ns[0];
  value[1] = lab->n_plans > 1 ? numbers.ratio_low : numbers.low_ns[0];
  value[2] = lab->n_plans > 1 ? numbers.ratio_high : numbers.high_ns[0];
}

static double
get_largest (const SeamLab *lab)
{
  double largest = lab->n_plans > 1 ? 1 : 0;

  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    double value[3];

    get_value (lab, i, value);
    for (int k = 0; k < 3; k++)
      largest = value[k] > largest ? value[k] : largest;
  }
  return largest;
}

static void
set_row (SeamPitfallsLayout *layout, const SeamLab *lab, int index)
{
  SeamPitfallsRow *row = &layout->rows[layout->n_rows];
  double value[3];

  get_value (lab, index, value);
  row->index = index;
  row->title = seam_lab_get_title (lab, index);
  row->row = (SeamRect){ 0, TOP + layout->n_rows * ROW_HEIGHT, layout->width, ROW_HEIGHT };
  row->x = seam_axis_get_px (&layout->axis, value[0]);
  row->low_x = seam_axis_get_px (&layout->axis, value[1]);
  row->high_x = seam_axis_get_px (&layout->axis, value[2]);
  if (isfinite (value[0])) {
    row->value = lab->n_plans > 1 ? seam_text_ratio (value[0])
                                  : seam_text_fixed (value[0] / layout->axis.unit.scale, 3);
  } else {
    g_autofree char *note = seam_lab_describe (lab, index);

    row->note = seam_paint_ellipsize (note, layout->plot.width, SEAM_SIZE_AXIS, SEAM_REGULAR);
  }
  layout->n_rows++;
}

SeamPitfallsLayout *
seam_pitfalls_layout_new (const SeamLab *lab, double width)
{
  SeamPitfallsLayout *layout = g_new0 (SeamPitfallsLayout, 1);
  gboolean pair = lab->n_plans > 1;
  double largest = get_largest (lab), label = 0;

  layout->width = fmax (width, MIN_WIDTH);
  layout->caption = pair ? "time of A over time of B" : "time of A";
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    label = fmax (label, seam_paint_measure (seam_lab_get_title (lab, i), LABEL_SIZE, SEAM_BOLD));
  layout->plot.x = ceil (label) + LABEL_GAP;
  layout->plot.width = layout->width - layout->plot.x - VALUE_WIDTH;
  layout->axis = seam_axis_from_zero (
      largest, pair ? (SeamUnit){ NULL, 1 } : seam_unit_for_time (largest > 0 ? largest : 1),
      CLAMP ((int)(layout->plot.width / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->plot.x, layout->plot.x + layout->plot.width);
  layout->one_x = pair ? seam_axis_get_px (&layout->axis, 1) : NAN;
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].wanted)
      set_row (layout, lab, i);
  layout->plot.height = TOP + layout->n_rows * ROW_HEIGHT + 2;
  layout->height = layout->plot.height + 40;
  return layout;
}

void
seam_pitfalls_layout_free (SeamPitfallsLayout *layout)
{
  if (layout == NULL)
    return;
  for (int i = 0; i < layout->n_rows; i++) {
    g_free (layout->rows[i].value);
    g_free (layout->rows[i].note);
  }
  g_free (layout);
}
