/* SPDX-License-Identifier: MIT
 *
 * Layout and drawing of the pitfall lab: rows of equal height on one scale from 0. The figure
 * itself says what is wrong on purpose.
 */
#include "app/figure/pitfalls-figure.h"

#include "app/figure/marks.h"
#include "app/figure/paint.h"

#include <math.h>

#define MIN_WIDTH    480.0
#define ROW_HEIGHT   30.0
#define TOP          4.0
#define LABEL_SIZE   13.0
#define LABEL_GAP    12.0
#define VALUE_WIDTH  74.0 /* right of the plot */
#define TICK_SPACING 70.0
#define RADIUS       5.0
#define CAP          4.0

/* Draws the value of a case with its interval. */
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
    row->value = seam_keep (layout, lab->n_plans > 1
                                        ? seam_text_ratio (value[0])
                                        : seam_text_fixed (value[0] / layout->axis.unit.scale, 3));
  } else {
    g_autofree char *note = seam_lab_describe (lab, index);

    row->note = seam_keep (
        layout, seam_paint_ellipsize (note, layout->plot.width, SEAM_SIZE_AXIS, SEAM_REGULAR));
  }
  layout->n_rows++;
}

SeamPitfallsLayout *
seam_pitfalls_layout_new (const SeamLab *lab, double width)
{
  SeamPitfallsLayout *layout = seam_owner_new (SeamPitfallsLayout);
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

/* ---- drawing ---- */

/* A line through all rows, with its interval as a faint band, for comparison with every other
 * row. */
static void
draw_honest (const SeamPitfallsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamPitfallsRow *row = &layout->rows[0];

  if (!isfinite (row->x))
    return;
  if (isfinite (row->low_x) && isfinite (row->high_x)) {
    SeamRect band = { row->low_x, 0, fmax (1, row->high_x - row->low_x), layout->plot.height };
    seam_paint_box (cr, &band, 0, &palette->soft, NULL, 0);
  }
  seam_paint_dashed (cr, &palette->text, 1.2, row->x, row->row.y, row->x, layout->plot.height);
}

static void
draw_value (const SeamPitfallsRow *row, gboolean honest, double y, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamColor *color = honest ? &palette->text : &palette->bad;

  seam_mark_draw_interval (cr, color, 2, row->low_x, y, row->high_x, y, CAP);
  seam_mark_draw (cr, SEAM_MARK_DISC, row->x, y, 2 * RADIUS, honest ? &palette->card : color, color,
                  2);
}

static void
draw_row (const SeamPitfallsLayout *layout, const SeamPitfallsRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  gboolean honest = row->index == SEAM_LAB_HONEST;
  double y = row->row.y + row->row.height / 2;

  seam_paint_text (cr, &palette->text, row->title, layout->plot.x - 12, y + SEAM_BASELINE (13), 13,
                   honest ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_END);
  if (row->value == NULL) {
    seam_paint_label (cr, palette, &palette->dim_text, row->note, layout->plot.x + 8,
                      y + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                      SEAM_ALIGN_START);
    return;
  }
  draw_value (row, honest, y, cr, palette);
  seam_paint_text (cr, honest ? &palette->text : &palette->bad, row->value, layout->width - 2,
                   y + SEAM_BASELINE (13), 13, SEAM_BOLD, SEAM_ALIGN_END);
}

static void
pitfalls_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamPitfallsLayout *layout = figure->layout;

  seam_axis_draw (&layout->axis, &layout->plot, layout->caption, cr, palette);
  if (isfinite (layout->one_x))
    seam_paint_line (cr, &palette->glyph, 1.5, layout->one_x, 0, layout->one_x,
                     layout->plot.height);
  draw_honest (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
}

static const SeamFigureClass pitfalls_class = { .draw = pitfalls_draw };

SeamFigure *
seam_pitfalls_figure_new (const SeamLab *lab, double width)
{
  SeamPitfallsLayout *layout = seam_pitfalls_layout_new (lab, width);
  SeamFigure *figure =
      seam_figure_new (&pitfalls_class, layout, layout->width, layout->height, NULL);
  GString *summary = g_string_new ("Measured honestly, and with mistakes made on purpose.");

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamPitfallsRow *row = &layout->rows[i];
    g_autofree char *finding = seam_lab_describe (lab, row->index);

    g_string_append_printf (summary, " %s: ", row->title);
    if (row->value != NULL)
      g_string_append_printf (summary, "%s%s%s. ", row->value,
                              layout->axis.unit.name != NULL ? " " : "",
                              layout->axis.unit.name != NULL ? layout->axis.unit.name : "");
    g_string_append (summary, finding);
    seam_figure_add_row (figure, (SeamHit){ .kind = SEAM_HIT_OP, .index = row->index }, row->row);
  }
  figure->summary = g_string_free (summary, FALSE);
  return figure;
}
