/* SPDX-License-Identifier: MIT
 *
 * Drawing the sample plot, and its words. Where things lie: sequence-layout.c.
 */
#include "app/figure/sequence.h"

#include "app/base/text.h"
#include "app/compare/pairs.h"
#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/sequence-layout.h"

#include <math.h>
#include <string.h>

#define SLOWED 3.5 /* half a diamond */

typedef struct {
  SeamFigure base;
  SeamResult *result;
  SeamSequenceLayout *layout;
  int plans[2];
} Sequence;

static const SeamPlanResult *
get_plan (const Sequence *sequence, int lane)
{
  return &sequence->result->plans[sequence->plans[lane]];
}

static char
get_letter (const int *plans, int lane)
{
  return lane == 0 ? 'A' : seam_result_get_letter (plans[0], plans[1]);
}

static void
draw_marker (const Sequence *sequence, int lane, double x, double y, double size, cairo_t *cr,
             const SeamColor *color, const SeamPalette *palette)
{
  if (lane == 0) {
    SeamRect box = { x - size / 2, y - size / 2, size, size };

    /* Many small squares are filled: an outline would be all there is of them. */
    seam_paint_box (cr, &box, 0, size < 5 ? color : &palette->card, color, size < 5 ? 0 : 1.4);
  } else {
    seam_palette_set_source (cr, color);
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, size / 2, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

static void
draw_triangle (cairo_t *cr, const SeamColor *color, double x, double y, double way)
{
  seam_palette_set_source (cr, color);
  cairo_move_to (cr, x, y + way);
  cairo_line_to (cr, x + 3.5, y);
  cairo_line_to (cr, x - 3.5, y);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* A diamond under the lane, so that it is told from the strokes of a low clock by its shape. */
static void
draw_slowed (cairo_t *cr, const SeamPalette *palette, double x, double y)
{
  seam_palette_set_source (cr, &palette->caution);
  cairo_move_to (cr, x, y - SLOWED);
  cairo_line_to (cr, x + SLOWED, y);
  cairo_line_to (cr, x, y + SLOWED);
  cairo_line_to (cr, x - SLOWED, y);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
draw_heading (const Sequence *sequence, int index, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLane *lane = &sequence->layout->lanes[index];
  const SeamPlanResult *plan = get_plan (sequence, index);
  const char *name = plan->name != NULL ? plan->name : plan->notation;
  double y = lane->plot.y - 9, x = lane->plot.x;
  g_autofree char *time = seam_text_time (lane->median.median);
  g_autofree char *count = seam_text_count (lane->n_points);
  g_autofree char *detail = NULL, *fitted = NULL, *title = NULL;

  title = g_strdup_printf ("%c  %s", get_letter (sequence->plans, index),
                           lane->n_points > 0 ? time : SEAM_DASH);
  seam_paint_text (cr, &palette->text, title, x, y, SEAM_SIZE_TITLE, SEAM_BOLD, SEAM_ALIGN_START);
  x += seam_paint_measure (title, SEAM_SIZE_TITLE, SEAM_BOLD) + 12;
  if (isfinite (lane->median.low)) {
    SeamUnit unit = seam_unit_for_time (lane->median.median);
    g_autofree char *low = seam_text_fixed (lane->median.low / unit.scale, 3);
    g_autofree char *high = seam_text_fixed (lane->median.high / unit.scale, 3);

    detail = g_strdup_printf ("95 %% interval %s to %s %s · %s samples · %s", low, high, unit.name,
                              count, name != NULL ? name : "");
  } else {
    detail = g_strdup_printf ("%s sample%s, no interval under 6 · %s", count,
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
draw_scale (const Sequence *sequence, const SeamSequenceLane *lane, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamSequenceLayout *layout = sequence->layout;
  double right = lane->histogram.x + lane->histogram.width;

  if (isfinite (lane->low_y)) {
    SeamRect band = { lane->plot.x, lane->high_y, right - lane->plot.x,
                      MAX (1, lane->low_y - lane->high_y) };

    seam_paint_box (cr, &band, 0, &palette->selection_fill, NULL, 0);
  }
  for (int i = 0; i < layout->axis.n_ticks; i++) {
    double y = seam_sequence_layout_y (layout, lane, seam_axis_get_value (&layout->axis, i));
    g_autofree char *text = seam_axis_format_change (&layout->axis, i);

    seam_axis_draw_grid_y (cr, palette, y, lane->plot.x, lane->plot.x + lane->plot.width);
    seam_axis_draw_grid_y (cr, palette, y, lane->histogram.x, right);
    seam_axis_draw_y_number (cr, palette, text, lane->plot.x - 8, floor (y) + .5);
  }
  seam_paint_text_upwards (cr, &palette->dim_text, "% of the median", 10,
                           lane->plot.y + lane->plot.height / 2, SEAM_SIZE_SMALL, SEAM_REGULAR);
}

static void
draw_lane (const Sequence *sequence, int index, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLayout *layout = sequence->layout;
  const SeamSequenceLane *lane = &layout->lanes[index];
  double right = lane->histogram.x + lane->histogram.width, middle = floor (lane->median_y) + .5;
  double bottom = lane->plot.y + lane->plot.height;

  draw_heading (sequence, index, cr, palette);
  draw_scale (sequence, lane, cr, palette);
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
      draw_triangle (cr, &palette->text, point->x,
                     point->outside > 0 ? lane->plot.y + 1 : bottom - 1,
                     point->outside > 0 ? -6 : 6);
    else
      draw_marker (sequence, index, point->x, point->y, layout->marker, cr, &palette->text,
                   palette);
    if (point->slowed)
      draw_slowed (cr, palette, point->x, bottom + SLOWED + 1);
    if (point->low_clock)
      seam_paint_line (cr, &palette->caution, MAX (1.5, layout->marker / 2), point->x, bottom - 9,
                       point->x, bottom);
  }
}

static void
draw_clock (const Sequence *sequence, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLayout *layout = sequence->layout;
  const SeamAxis *axis = &layout->clock_axis;
  const SeamRect *strip = &layout->clock;
  double end = seam_axis_get_end (axis), size = CLAMP (layout->marker * .7, 2, 5);
  g_autofree char *title = g_strdup_printf (
      "%s after each sample (MHz)", seam_device_info_get_words (sequence->result->device)->clock);
  g_autofree char *low =
      g_strdup_printf ("over %g %% under the highest", 100 * SEAM_SEQUENCE_LOW_CLOCK);
  double x = strip->x;

  seam_paint_text (cr, &palette->text, title, x, strip->y - 9, SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_START);
  x += seam_paint_measure (title, SEAM_SIZE_AXIS, SEAM_BOLD) + 16;
  seam_paint_line (cr, &palette->caution, 3, x, strip->y - 17, x, strip->y - 8);
  seam_paint_text (cr, &palette->dim_text, low, x + 7, strip->y - 9, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  for (int i = 0; i < axis->n_ticks; i++) {
    double value = seam_axis_get_value (axis, i);
    double y = strip->y + strip->height * (1 - (value - axis->first) / (end - axis->first));
    g_autofree char *text = seam_axis_format_tick (axis, i);

    seam_axis_draw_grid_y (cr, palette, y, strip->x, strip->x + strip->width);
    seam_axis_draw_y_number (cr, palette, text, strip->x - 8, floor (y) + .5);
  }
  for (int l = 0; l < layout->n_lanes; l++)
    for (int i = 0; i < layout->lanes[l].n_points; i++) {
      const SeamSequencePoint *point = &layout->lanes[l].points[i];

      if (isfinite (point->clock_y))
        draw_marker (sequence, l, point->x, point->clock_y, size, cr,
                     point->low_clock ? &palette->caution : &palette->dim_text, palette);
    }
}

static void
draw_foot (const Sequence *sequence, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSequenceLayout *layout = sequence->layout;
  const SeamSequenceLane *lane = &layout->lanes[layout->n_lanes - 1];
  double top = layout->height - 22, bottom = layout->height - 6;
  double below_lane = lane->plot.y + lane->plot.height + 16;
  gint64 step = seam_axis_index_step (MAX (1, layout->n_slots), 6);
  g_autofree char *share = seam_text_percent (layout->largest_share);
  g_autofree char *largest = g_strdup_printf ("%s %% of samples", share);

  for (gint64 tick = 0; tick <= layout->n_slots; tick += step) {
    gint64 number = MAX (1, tick);
    g_autofree char *text = seam_text_count (number);

    seam_axis_draw_x_number (cr, palette, text, seam_sequence_layout_x (layout, (int)number - 1),
                             top);
  }
  seam_paint_text (cr, &palette->dim_text,
                   sequence->result->n_plans > layout->n_lanes
                       ? "sample, in the order they were taken; gaps: the other plans of the run"
                       : "sample, in the order they were taken",
                   lane->plot.x + lane->plot.width / 2, bottom, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, &palette->dim_text, "0", lane->histogram.x, below_lane, SEAM_SIZE_SMALL,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, largest, lane->histogram.x + lane->histogram.width,
                   below_lane, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_END);
}

static gboolean
sequence_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamSequenceLayout *layout = ((Sequence *)figure)->layout;
  const SeamSequencePoint *point;

  if (hit->kind != SEAM_HIT_SAMPLE || hit->plan < 0 || hit->plan >= layout->n_lanes
      || hit->index < 0 || hit->index >= layout->lanes[hit->plan].n_points)
    return FALSE;
  point = &layout->lanes[hit->plan].points[hit->index];
  if (!isfinite (point->percent))
    return FALSE;
  *rect = (SeamRect){ point->x - layout->marker / 2, point->y - layout->marker / 2, layout->marker,
                      layout->marker };
  return TRUE;
}

static void
sequence_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Sequence *sequence = (const Sequence *)figure;
  const SeamHit *const hits[] = { &figure->focus, &figure->hover };

  for (int l = 0; l < sequence->layout->n_lanes; l++)
    draw_lane (sequence, l, cr, palette);
  if (sequence->layout->has_clock)
    draw_clock (sequence, cr, palette);
  draw_foot (sequence, cr, palette);
  for (gsize i = 0; i < G_N_ELEMENTS (hits); i++) {
    SeamRect rect;

    if (!sequence_locate (figure, hits[i], &rect))
      continue;
    rect = seam_rect_inset (&rect, -5);
    seam_paint_ring (cr, palette, SEAM_RING_HOVER, &rect, rect.width / 2);
  }
}

/* The nearest sample within a few pixels. */
static gboolean
sequence_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamSequenceLayout *layout = ((Sequence *)figure)->layout;
  double best = 8 * 8;

  for (int l = 0; l < layout->n_lanes; l++)
    for (int i = 0; i < layout->lanes[l].n_points; i++) {
      const SeamSequencePoint *point = &layout->lanes[l].points[i];
      double dx = point->x - x, dy = point->y - y;

      if (isfinite (point->percent) && dx * dx + dy * dy < best) {
        best = dx * dx + dy * dy;
        *hit = (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = l, .index = i };
      }
    }
  return hit->kind != SEAM_HIT_NONE;
}

static char *
sequence_summarize (SeamFigure *figure)
{
  const Sequence *sequence = (const Sequence *)figure;
  GString *text = g_string_new ("All samples in the order they were taken, in percent of the "
                                "median of their plan.");
  g_autofree char *words =
      seam_sequence_describe (sequence->result, sequence->plans[0], sequence->plans[1]);

  for (int l = 0; l < sequence->layout->n_lanes; l++) {
    const SeamSequenceLane *lane = &sequence->layout->lanes[l];
    g_autofree char *time = seam_text_time (lane->median.median);

    g_string_append_printf (text, " %c: %d samples, median %s.", get_letter (sequence->plans, l),
                            lane->n_points, lane->n_points > 0 ? time : "unknown");
  }
  g_string_append_printf (text, " %s", words);
  return g_string_free (text, FALSE);
}

static void
sequence_finalize (SeamFigure *figure)
{
  Sequence *sequence = (Sequence *)figure;

  seam_sequence_layout_free (sequence->layout);
  seam_result_unref (sequence->result);
}

static const SeamFigureClass sequence_class = {
  .draw = sequence_draw,
  .pick = sequence_pick,
  .locate = sequence_locate,
  .summarize = sequence_summarize,
  .finalize = sequence_finalize,
};

SeamFigure *
seam_sequence_figure_new (SeamResult *result, int a, int b, double width)
{
  Sequence *sequence = g_new0 (Sequence, 1);

  sequence->base.klass = &sequence_class;
  sequence->result = seam_result_ref (result);
  sequence->plans[0] = a;
  sequence->plans[1] = b;
  sequence->layout = seam_sequence_layout_new (result, sequence->plans, b < 0 ? 1 : 2, width);
  sequence->base.width = sequence->layout->width;
  sequence->base.height = sequence->layout->height;
  return &sequence->base;
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
                     get_letter (plans, hit->plan), sample->order + 1, time);
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
  GString *text = g_string_new (NULL);

  if (b >= 0) {
    SeamPairs pairs;

    seam_pairs_count (&result->plans[a], &result->plans[b], &pairs);
    if (pairs.n > 0)
      g_string_append_printf (text, "A took longer in %d of %d pairs of neighbouring samples. ",
                              pairs.n_a_longer, pairs.n);
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
                              get_letter (plans, l));
    g_string_append (text, ". ");
  }
  for (int l = 0; l < layout->n_lanes; l++) {
    const SeamSequenceLane *lane = &layout->lanes[l];
    g_autofree char *reasons = seam_throttle_describe ((guint64)lane->throttle);

    if (lane->n_slowed > 0)
      g_string_append_printf (text, "Throttled after %d of %d samples of %c (◆): %s. ",
                              lane->n_slowed, lane->n_points, get_letter (plans, l), reasons);
  }
  if (result->throttle != NULL)
    g_string_append_printf (text, "Throttling at the end of the run: %s.", result->throttle);
  return g_strchomp (g_string_free (text, FALSE));
}
