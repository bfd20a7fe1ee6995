/* SPDX-License-Identifier: MIT
 *
 * Live samples: one lane for each plan, one scale for all lanes, true order along x. A sample far
 * outside the others is drawn at the lane's edge with its value, so that it does not flatten the
 * rest.
 */
#include "app/figure/samples.h"

#include "app/base/text.h"
#include "app/figure/sequence-layout.h"

#include <math.h>

#define LEFT      60.0
#define RIGHT     190.0 /* least width, for median and interval */
#define TOP       8.0
#define FOOT      24.0
#define LANE_GAP  26.0
#define MIN_SLOTS 40
#define MARKER    10.0
#define X_TICKS   4

typedef struct {
  char letter;
  int n_samples;
  SeamSample *samples;
  double *percent; /* deviation from the median */
  SeamMedian median;
  SeamRect plot;
  SeamAxis y; /* percent, the same for all lanes */
  char *label, *interval;
} Lane;

typedef struct {
  int n_lanes, running, n_slots, next;
  Lane *lanes;
  SeamAxis x;
  double right, marker;
} Samples;

/* A value outside the axis is drawn at its edge. */
static double
get_y (const Lane *lane, double percent)
{
  return seam_axis_get_px (&lane->y, CLAMP (percent, lane->y.from, lane->y.to));
}

static void
draw_outside (const Lane *lane, double x, double percent, gboolean with_value, cairo_t *cr,
              const SeamPalette *palette)
{
  gboolean above = percent > 0;
  double edge = lane->plot.y + (above ? 0 : lane->plot.height);

  seam_sequence_draw_outside (cr, palette, x, edge, above ? 1 : -1);
  if (with_value) {
    g_autofree char *number = seam_text_fixed (percent, fabs (percent) < 10 ? 1 : 0);
    g_autofree char *text = g_strdup_printf ("%s%s", above ? "+" : "", number);

    seam_paint_text (cr, &palette->dim_text, text, x + 8, edge + (above ? 11 : -3), SEAM_SIZE_SMALL,
                     SEAM_REGULAR, SEAM_ALIGN_START);
  }
}

static void
draw_lane (Samples *samples, int index, cairo_t *cr, const SeamPalette *palette)
{
  const Lane *lane = &samples->lanes[index];
  const SeamRect *plot = &lane->plot;
  double right = plot->x + plot->width, last_value_x = -INFINITY;
  double middle = get_y (lane, 0);

  if (isfinite (lane->median.low) && lane->median.median > 0) {
    double high = get_y (lane, 100 * (lane->median.high / lane->median.median - 1));
    double low = get_y (lane, 100 * (lane->median.low / lane->median.median - 1));
    SeamRect band = { plot->x, high, plot->width, MAX (1, low - high) };

    seam_paint_box (cr, &band, 0, &palette->selection_fill, NULL, 0);
  }
  seam_axis_draw_grid (&lane->y, plot, cr, palette);
  seam_axis_draw_numbers (&lane->y, plot, cr, palette);
  seam_paint_dashed (cr, &palette->dim_text, 1, plot->x, floor (middle) + .5, right,
                     floor (middle) + .5);

  if (samples->running >= 0 && samples->next < samples->n_slots) {
    double x = seam_axis_get_px (&samples->x, samples->next + .5);

    seam_paint_line (cr, &palette->selection, 1.5, x, plot->y, x, plot->y + plot->height);
    if (samples->running == index) {
      char text[] = "A is running";

      text[0] = lane->letter;
      seam_paint_text (cr, &palette->dim_text, text, x + 8, plot->y + 14, SEAM_SIZE_AXIS,
                       SEAM_REGULAR, SEAM_ALIGN_START);
    }
  }

  for (int i = 0; i < lane->n_samples; i++) {
    double x = seam_axis_get_px (&samples->x, lane->samples[i].order + 1);

    if (!isfinite (lane->percent[i]))
      continue;
    if (lane->percent[i] < lane->y.from || lane->percent[i] > lane->y.to) {
      gboolean with_value = x - last_value_x > 60 && x + 50 < right;

      draw_outside (lane, x, lane->percent[i], with_value, cr, palette);
      if (with_value)
        last_value_x = x;
    } else {
      seam_sequence_draw_mark (cr, palette, index % 2 == 0, x, get_y (lane, lane->percent[i]),
                               samples->marker, &palette->text);
    }
  }

  seam_paint_text (cr, &palette->text, lane->label, right + 14, middle - 3, 16, SEAM_HEAVY,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, lane->interval, right + 14, middle + 15, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
samples_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Samples *samples = figure->layout;
  double right = samples->x.end, y;
  const SeamRect *last;
  g_autoptr (GString) order = g_string_new ("sample, in the order ");

  for (int i = 0; i < samples->n_lanes; i++)
    draw_lane (samples, i, cr, palette);

  if (samples->n_lanes == 0)
    return;
  last = &samples->lanes[samples->n_lanes - 1].plot;
  y = last->y + last->height + SEAM_AXIS_NUMBER_BELOW;
  seam_axis_draw_numbers (&samples->x, last, cr, palette);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < samples->n_lanes; i++)
      g_string_append_printf (order, "%s%c", pass + i > 0 ? " " : "",
                              samples->lanes[pass == 0 ? i : samples->n_lanes - 1 - i].letter);
  if (seam_paint_measure (order->str, SEAM_SIZE_AXIS, SEAM_REGULAR) > samples->right - 16)
    g_string_assign (order, "sample");
  seam_paint_text (cr, &palette->dim_text, order->str, right + 14, y, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

static char *
summarize (const Samples *samples)
{
  GString *text = g_string_new ("Samples in percent of each plan's median.");

  for (int i = 0; i < samples->n_lanes; i++) {
    const Lane *lane = &samples->lanes[i];

    g_string_append_printf (text, " %s, %d sample%s, %s.", lane->label, lane->n_samples,
                            lane->n_samples == 1 ? "" : "s", lane->interval);
  }
  return g_string_free (text, FALSE);
}

static const SeamFigureClass samples_class = {
  .draw = samples_draw,
};

static void
set_lane (Samples *samples, Lane *lane, const SeamSamplesPlan *plan, double goal)
{
  g_autofree double *values = g_new (double, MAX (1, plan->n_samples));

  lane->letter = plan->letter;
  lane->n_samples = plan->n_samples;
  lane->samples = seam_keep (samples, g_new (SeamSample, MAX (1, plan->n_samples)));
  lane->percent = seam_keep (samples, g_new (double, MAX (1, plan->n_samples)));
  for (int i = 0; i < plan->n_samples; i++) {
    lane->samples[i] = plan->samples[i];
    values[i] = plan->samples[i].elapsed_ns;
  }
  lane->median = seam_median_of_series (values, plan->n_samples, .95);
  for (int i = 0; i < plan->n_samples; i++)
    lane->percent[i] = lane->median.median > 0 ? 100 * (values[i] / lane->median.median - 1) : NAN;

  if (plan->n_samples == 0) {
    lane->label = seam_keep_printf (samples, "%c %s", plan->letter, SEAM_DASH);
    lane->interval = seam_keep (samples, g_strdup ("no sample yet"));
    return;
  }
  g_autofree char *time = seam_text_time (lane->median.median);
  lane->label = seam_keep_printf (samples, "%c %s", plan->letter, time);
  if (isfinite (lane->median.low)) {
    g_autofree char *wide =
        seam_text_fixed (100 * (lane->median.high - lane->median.low) / lane->median.median, 2);
    g_autofree char *aim = seam_text_fixed (100 * goal, 2);

    lane->interval = seam_keep_printf (samples, "interval %s %% wide, goal %s %%", wide, aim);
  } else {
    lane->interval = seam_keep (samples, g_strdup ("no interval yet, needs 6 effective samples"));
  }
}

static void
choose_axis (Samples *samples)
{
  double low = -1, high = 1;
  SeamAxis axis;

  for (int l = 0; l < samples->n_lanes; l++)
    seam_sequence_widen (&samples->lanes[l].median, samples->lanes[l].percent,
                         samples->lanes[l].n_samples, &low, &high);
  axis = seam_axis_around (low, high, (SeamUnit){ NULL, 1 }, 3);
  seam_axis_decorate (&axis, "+", "");
  for (int l = 0; l < samples->n_lanes; l++) {
    Lane *lane = &samples->lanes[l];

    lane->y = axis;
    seam_axis_place_y (&lane->y, lane->plot.y + lane->plot.height, lane->plot.y);
  }
}

SeamFigure *
seam_samples_figure_new (const SeamSamplesPlan *plans, int n_plans, int running, double goal,
                         double width, double height)
{
  Samples *samples = seam_owner_new (Samples);
  SeamFigure *figure;
  double plot_width, lane_height;
  int last = -1;

  samples->n_lanes = MAX (0, n_plans);
  samples->running = running < n_plans ? running : -1;
  samples->lanes = seam_keep (samples, g_new0 (Lane, MAX (1, n_plans)));
  samples->right = RIGHT;
  for (int i = 0; i < samples->n_lanes; i++) {
    Lane *lane = &samples->lanes[i];

    set_lane (samples, lane, &plans[i], goal);
    samples->right = fmax (
        samples->right,
        16
            + ceil (fmax (seam_paint_measure (lane->label, 16, SEAM_HEAVY),
                          seam_paint_measure (lane->interval, SEAM_SIZE_AXIS, SEAM_REGULAR))));
  }
  width = MAX (width, LEFT + samples->right + 150);
  height = MAX (height, TOP + FOOT + samples->n_lanes * (60 + LANE_GAP));
  plot_width = floor (width - LEFT - samples->right);
  lane_height = floor ((height - TOP - FOOT + LANE_GAP) / MAX (1, n_plans) - LANE_GAP);

  for (int i = 0; i < samples->n_lanes; i++) {
    samples->lanes[i].plot =
        (SeamRect){ LEFT, TOP + i * (lane_height + LANE_GAP), plot_width, lane_height };
    for (int k = 0; k < plans[i].n_samples; k++)
      last = MAX (last, plans[i].samples[k].order);
  }
  samples->next = last + 1;
  /* The axis doubles when it is full, so that it rarely changes. */
  for (samples->n_slots = MIN_SLOTS; samples->n_slots < samples->next; samples->n_slots *= 2)
    ;
  samples->x = seam_axis_of_samples (samples->n_slots, X_TICKS);
  seam_axis_place_x (&samples->x, LEFT, LEFT + plot_width);
  samples->marker = CLAMP (plot_width / samples->n_slots * .7, 3, MARKER);
  choose_axis (samples);
  figure = seam_figure_new (&samples_class, samples, width, height, summarize (samples));
  for (int l = 0; l < samples->n_lanes; l++)
    for (int i = 0; i < samples->lanes[l].n_samples; i++) {
      const Lane *lane = &samples->lanes[l];
      SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = l, .index = i };

      if (isfinite (lane->percent[i]))
        seam_figure_add_point (figure, hit,
                               seam_axis_get_px (&samples->x, lane->samples[i].order + 1),
                               get_y (lane, lane->percent[i]));
    }
  return figure;
}
