/* SPDX-License-Identifier: MIT
 *
 * Draws the sample plot and describes it in words. sequence-layout.c has the places.
 */
#include "app/figure/sequence.h"

#include "app/base/text.h"
#include "app/compare/pairs.h"
#include "app/figure/marks.h"
#include "app/figure/sequence-layout.h"

#include <math.h>

#define SLOWED 7.0 /* size of its diamond */
#define EDGE   1.4 /* of hollow squares */

void
seam_sequence_draw_mark (cairo_t *cr, const SeamPalette *palette, gboolean is_first, double x,
                         double y, double size, const SeamColor *color)
{
  gboolean hollow = is_first && size >= 5;

  seam_mark_draw (cr, is_first ? SEAM_MARK_SQUARE : SEAM_MARK_DISC, x, y,
                  hollow ? size - EDGE : size, hollow ? &palette->card : color,
                  hollow ? color : NULL, EDGE);
}

void
seam_sequence_draw_outside (cairo_t *cr, const SeamPalette *palette, double x, double edge,
                            int side)
{
  seam_mark_draw (cr, side > 0 ? SEAM_MARK_TRIANGLE : SEAM_MARK_TRIANGLE_DOWN, x, edge + 5 * side,
                  8, &palette->text, NULL, 0);
}

static void
draw_heading (const SeamSequenceLayout *layout, int index, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLane *lane = &layout->lanes[index];
  const char *name = lane->name;
  double y = lane->plot.y - 9, x = lane->plot.x;
  g_autofree char *time = seam_text_time (lane->median.median);
  g_autofree char *count = seam_text_count (lane->n_points);
  g_autofree char *detail = NULL, *fitted = NULL, *title = NULL;

  title = g_strdup_printf ("%c  %s", lane->letter, lane->n_points > 0 ? time : SEAM_DASH);
  seam_paint_text (cr, &palette->text, title, x, y, SEAM_SIZE_TITLE, SEAM_BOLD, SEAM_ALIGN_START);
  x += seam_paint_measure (title, SEAM_SIZE_TITLE, SEAM_BOLD) + 12;
  if (isfinite (lane->median.low)) {
    SeamUnit unit = seam_unit_for_time (lane->median.median);
    g_autofree char *low = seam_text_fixed (lane->median.low / unit.scale, 3);
    g_autofree char *high = seam_text_fixed (lane->median.high / unit.scale, 3);

    detail = g_strdup_printf ("95 %% interval %s to %s %s · %s samples · %s", low, high, unit.name,
                              count, name != NULL ? name : "");
  } else {
    detail = g_strdup_printf ("%s sample%s, no interval under 6 effective ones · %s", count,
                              lane->n_points == 1 ? "" : "s", name != NULL ? name : "");
  }
  if (lane->n_slowed > 0) {
    char *marked = g_strdup_printf ("◆ %d throttled · %s", lane->n_slowed, detail);

    g_free (detail);
    detail = marked;
  }
  fitted = seam_paint_ellipsize (detail, lane->histogram.x - x - 12, SEAM_SIZE_AXIS, SEAM_REGULAR);
  seam_paint_text (cr, &palette->dim_text, fitted, x, y, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  if (lane->n_over + lane->n_under > 0) {
    g_autofree char *outside =
        g_strdup_printf ("outside: %d over, %d under", lane->n_over, lane->n_under);

    seam_paint_text (cr, &palette->dim_text, outside, lane->histogram.x, y, SEAM_SIZE_SMALL,
                     SEAM_REGULAR, SEAM_ALIGN_START);
  }
}

static void
draw_scale (const SeamSequenceLane *lane, cairo_t *cr, const SeamPalette *palette)
{
  double right = lane->histogram.x + lane->histogram.width;

  if (isfinite (lane->low_y)) {
    SeamRect band = { lane->plot.x, lane->high_y, right - lane->plot.x,
                      MAX (1, lane->low_y - lane->high_y) };

    seam_paint_box (cr, &band, 0, &palette->selection_fill, NULL, 0);
  }
  seam_axis_draw_grid (&lane->y, &lane->histogram, cr, palette);
  seam_axis_draw (&lane->y, &lane->plot, "% of the median", cr, palette);
}

static void
draw_lane (const SeamSequenceLayout *layout, int index, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLane *lane = &layout->lanes[index];
  double right = lane->histogram.x + lane->histogram.width, middle = floor (lane->median_y) + .5;
  double bottom = lane->plot.y + lane->plot.height;

  draw_heading (layout, index, cr, palette);
  draw_scale (lane, cr, palette);
  for (int k = 0; k < lane->n_bins; k++)
    if (lane->counts[k] > 0) {
      SeamRect bar = lane->bars[k];

      bar.height = MAX (1, bar.height - 1);
      seam_paint_box (cr, &bar, 0, &palette->glyph, NULL, 0);
    }
  if (lane->n_points > 0)
    seam_paint_line (cr, &palette->selection, 1.5, lane->plot.x, middle, right, middle);
  for (int i = 0; i < lane->n_points; i++) {
    const SeamSequencePoint *point = &lane->points[i];

    if (!isfinite (point->percent))
      continue;
    if (point->outside != 0)
      seam_sequence_draw_outside (cr, palette, point->x, point->outside > 0 ? lane->plot.y : bottom,
                                  point->outside);
    else
      seam_sequence_draw_mark (cr, palette, index == 0, point->x, point->y, layout->marker,
                               &palette->text);
    /* Below the lane, and of another shape than the strokes of a low clock. */
    if (point->slowed)
      seam_mark_draw (cr, SEAM_MARK_DIAMOND, point->x, bottom + SLOWED / 2 + 1, SLOWED,
                      &palette->caution, NULL, 0);
    if (point->low_clock)
      seam_paint_line (cr, &palette->caution, MAX (1.5, layout->marker / 2), point->x, bottom - 9,
                       point->x, bottom);
  }
}

static void
draw_swatch (G_GNUC_UNUSED int what, const SeamRect *swatch, cairo_t *cr,
             const SeamPalette *palette)
{
  double x = swatch->x + swatch->width / 2;

  seam_paint_line (cr, &palette->caution, swatch->width, x, swatch->y + 1, x, swatch->y + 10);
}

static void
draw_clock (const SeamSequenceLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *strip = &layout->clock;
  double size = CLAMP (layout->marker * .7, 2, 5);

  seam_paint_text (cr, &palette->text, layout->clock_title, strip->x, strip->y - 9, SEAM_SIZE_AXIS,
                   SEAM_BOLD, SEAM_ALIGN_START);
  seam_legend_draw (&layout->legend, draw_swatch, cr, palette);
  seam_axis_draw_grid (&layout->clock_y, strip, cr, palette);
  seam_axis_draw_numbers (&layout->clock_y, strip, cr, palette);
  for (int l = 0; l < layout->n_lanes; l++)
    for (int i = 0; i < layout->lanes[l].n_points; i++) {
      const SeamSequencePoint *point = &layout->lanes[l].points[i];

      if (isfinite (point->clock_y))
        seam_sequence_draw_mark (cr, palette, l == 0, point->x, point->clock_y, size,
                                 point->low_clock ? &palette->caution : &palette->dim_text);
    }
}

static void
draw_foot (const SeamSequenceLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLane *lane = &layout->lanes[layout->n_lanes - 1];
  double bottom = layout->height - 6;
  double below_lane = lane->plot.y + lane->plot.height + 16;
  g_autofree char *share = seam_text_percent (layout->largest_share);
  g_autofree char *largest = g_strdup_printf ("%s %% of samples", share);

  seam_axis_draw_numbers (&layout->x, layout->has_clock ? &layout->clock : &lane->plot, cr,
                          palette);
  seam_paint_text (cr, &palette->dim_text,
                   layout->has_gaps
                       ? "sample, in the order they were taken; gaps: the other plans of the run"
                       : "sample, in the order they were taken",
                   lane->plot.x + lane->plot.width / 2, bottom, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, &palette->dim_text, "0", lane->histogram.x, below_lane, SEAM_SIZE_SMALL,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, largest, lane->histogram.x + lane->histogram.width,
                   below_lane, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_END);
}

static void
sequence_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLayout *layout = figure->layout;

  for (int l = 0; l < layout->n_lanes; l++)
    draw_lane (layout, l, cr, palette);
  if (layout->has_clock)
    draw_clock (layout, cr, palette);
  draw_foot (layout, cr, palette);
}

static const SeamFigureClass sequence_class = {
  .draw = sequence_draw,
};

static char *
describe (const SeamSequenceLayout *layout, const SeamResult *result, int a, int b)
{
  GString *text = g_string_new (NULL);

  if (b >= 0) {
    SeamPairs pairs;

    seam_pairs_count (&result->plans[a], &result->plans[b], &pairs);
    if (pairs.n > 0)
      g_string_append_printf (text, "%c took longer in %d of %d pairs of neighbouring samples. ",
                              layout->lanes[0].letter, pairs.n_a_longer, pairs.n);
  }
  if (!layout->has_clock) {
    g_string_append (text, "The clock was not recorded. ");
  } else {
    g_autofree char *highest = seam_text_count ((gint64)layout->highest_clock_mhz);

    g_string_append_printf (text, "Highest clock %s MHz; over %g %% under it:", highest,
                            100 * SEAM_SEQUENCE_LOW_CLOCK);
    for (int l = 0; l < layout->n_lanes; l++)
      g_string_append_printf (text, "%s %d of %d samples of %c", l > 0 ? "," : "",
                              layout->lanes[l].n_low_clock, layout->lanes[l].n_points,
                              layout->lanes[l].letter);
    g_string_append (text, ". ");
  }
  for (int l = 0; l < layout->n_lanes; l++) {
    const SeamSequenceLane *lane = &layout->lanes[l];
    g_autofree char *reasons = seam_throttle_describe ((guint64)lane->throttle);

    if (lane->n_slowed > 0)
      g_string_append_printf (text, "Throttled after %d of %d samples of %c (◆): %s. ",
                              lane->n_slowed, lane->n_points, layout->lanes[l].letter, reasons);
  }
  if (result->throttle != NULL)
    g_string_append_printf (text, "Throttling under load: %s.", result->throttle);
  return g_strchomp (g_string_free (text, FALSE));
}

SeamFigure *
seam_sequence_figure_new (SeamResult *result, int a, int b, double width)
{
  const int plans[] = { a, b };
  SeamSequenceLayout *layout = seam_sequence_layout_new (result, plans, b < 0 ? 1 : 2, width);
  SeamFigure *figure =
      seam_figure_new (&sequence_class, layout, layout->width, layout->height, NULL);
  GString *text = g_string_new ("All samples in the order they were taken, in percent of the "
                                "median of their plan.");
  g_autofree char *words = describe (layout, result, a, b);

  for (int l = 0; l < layout->n_lanes; l++) {
    const SeamSequenceLane *lane = &layout->lanes[l];
    g_autofree char *time = seam_text_time (lane->median.median);

    g_string_append_printf (text, " %c: %d sample%s, median %s.", lane->letter, lane->n_points,
                            lane->n_points == 1 ? "" : "s", lane->n_points > 0 ? time : "unknown");
    for (int i = 0; i < lane->n_points; i++)
      if (isfinite (lane->points[i].percent))
        seam_figure_add_point (figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = l, .index = i },
                               lane->points[i].x, lane->points[i].y);
  }
  g_string_append_printf (text, " %s", words);
  figure->summary = g_string_free (text, FALSE);
  return figure;
}

/* ---- words ---- */

char *
seam_sequence_describe_sample (const SeamResult *result, int a, int b, const SeamHit *hit)
{
  const int plans[] = { a, b };
  int index = hit->plan == 0 ? a : b;
  const SeamPlanResult *plan;
  const SeamSample *sample;
  double percent;
  GString *text;

  if (hit->kind != SEAM_HIT_SAMPLE || index < 0 || index >= result->n_plans || hit->index < 0
      || hit->index >= result->plans[index].n_samples || result->plans[index].samples == NULL)
    return NULL;
  plan = &result->plans[index];
  sample = &plan->samples[hit->index];
  percent = 100 * (sample->elapsed_ns / plan->median_ns - 1);
  text = g_string_new (NULL);
  {
    g_autofree char *time = seam_text_time (sample->elapsed_ns);
    g_autofree char *off = seam_text_fixed (fabs (percent), 2);

    g_string_printf (text, "Sample %d of %c, number %d of the run: %s", hit->index + 1,
                     seam_plan_get_letter (plans[hit->plan]), sample->order + 1, time);
    if (isfinite (percent))
      g_string_append_printf (text, ", %s %% %s the median", off, percent < 0 ? "under" : "over");
  }
  if (isfinite (sample->clock_mhz)) {
    g_autofree char *clock = seam_text_count ((gint64)sample->clock_mhz);

    g_string_append_printf (text, ", %s MHz after it", clock);
  }
  if (seam_throttle_is_slowed (sample->throttle)) {
    g_autofree char *reasons = seam_throttle_describe ((guint64)sample->throttle);

    g_string_append_printf (text, ", throttled: %s", reasons);
  }
  return g_string_free (text, FALSE);
}

char *
seam_sequence_describe (const SeamResult *result, int a, int b)
{
  const int plans[] = { a, b };
  g_autoptr (SeamSequenceLayout) layout =
      seam_sequence_layout_new (result, plans, b < 0 ? 1 : 2, 0);

  return describe (layout, result, a, b);
}
