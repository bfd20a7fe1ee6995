/* SPDX-License-Identifier: MIT
 *
 * Layout of the sample plot. Values are in percent of the median of their plan, so that plans of
 * different duration share one scale, on which a percent is equally high for all.
 */
#include "app/figure/sequence-layout.h"

#include "app/base/doubles.h"

#include <math.h>
#include <stdlib.h>

#define MIN_WIDTH  480.0
#define LEFT       64.0
#define RIGHT      10.0
#define HEADING    36.0 /* above a lane */
#define LANE       150.0
#define HISTOGRAM  150.0
#define BETWEEN    18.0
#define CLOCK      64.0
#define FOOT       40.0 /* ticks and their title */
#define X_TICKS    6
#define MIN_BINS   8
#define MAX_BINS   30
#define MAX_MARKER 8.0
#define MIN_MARKER 3.0

/* A value outside the axis is drawn at its edge. */
static double
get_y (const SeamAxis *axis, double percent)
{
  return seam_axis_get_px (axis, CLAMP (percent, axis->from, axis->to));
}

static double
get_percent (const SeamMedian *median, double ns)
{
  return median->median > 0 && ns > 0 ? 100 * (ns / median->median - 1) : NAN;
}

static void
set_values (SeamSequenceLayout *layout, SeamSequenceLane *lane, const SeamPlanResult *plan)
{
  lane->n_points = plan->samples != NULL ? plan->n_samples : 0;
  lane->points = seam_keep (layout, g_new0 (SeamSequencePoint, MAX (1, lane->n_points)));
  lane->median = (SeamMedian){ plan->median_ns, plan->ci_low_ns, plan->ci_high_ns, lane->n_points };
  for (int i = 0; i < lane->n_points; i++)
    lane->points[i].percent = get_percent (&lane->median, plan->samples[i].elapsed_ns);
}

void
seam_sequence_widen (const SeamMedian *median, const double *percent, int n, double *low,
                     double *high)
{
  g_autofree double *sorted = g_new (double, MAX (1, n));
  int n_finite = 0, skip;

  for (int i = 0; i < n; i++)
    if (isfinite (percent[i]))
      sorted[n_finite++] = percent[i];
  if (n_finite == 0)
    return;
  qsort (sorted, n_finite, sizeof *sorted, seam_compare_doubles);
  /* A few samples are all shown, unless they are far out. */
  skip = n_finite >= 8 ? MAX (1, n_finite / 20) : 0;
  double least = sorted[skip], most = sorted[n_finite - 1 - skip], spread = 2 * (most - least);
  for (int i = 0; i < n_finite; i++)
    if (sorted[i] >= least - spread && sorted[i] <= most + spread) {
      *low = fmin (*low, sorted[i]);
      *high = fmax (*high, sorted[i]);
    }
  if (isfinite (median->low)) {
    *low = fmin (*low, get_percent (median, median->low));
    *high = fmax (*high, get_percent (median, median->high));
  }
}

static void
choose_axis (SeamSequenceLayout *layout)
{
  double low = -.5, high = .5;
  SeamAxis axis;

  for (int l = 0; l < layout->n_lanes; l++) {
    const SeamSequenceLane *lane = &layout->lanes[l];
    g_autofree double *percent = g_new (double, MAX (1, lane->n_points));

    for (int i = 0; i < lane->n_points; i++)
      percent[i] = lane->points[i].percent;
    seam_sequence_widen (&lane->median, percent, lane->n_points, &low, &high);
  }
  axis = seam_axis_around (low, high, (SeamUnit){ NULL, 1 }, 4);
  seam_axis_decorate (&axis, "+", "");
  for (int l = 0; l < layout->n_lanes; l++) {
    SeamSequenceLane *lane = &layout->lanes[l];

    lane->y = axis;
    seam_axis_place_y (&lane->y, lane->plot.y + lane->plot.height, lane->plot.y);
  }
}

static void
place_lane (SeamSequenceLayout *layout, SeamSequenceLane *lane, const SeamPlanResult *plan)
{
  lane->median_y = get_y (&lane->y, 0);
  lane->low_y = lane->high_y = NAN;
  if (isfinite (lane->median.low) && lane->median.median > 0) {
    lane->low_y = get_y (&lane->y, get_percent (&lane->median, lane->median.low));
    lane->high_y = get_y (&lane->y, get_percent (&lane->median, lane->median.high));
  }
  for (int i = 0; i < lane->n_points; i++) {
    SeamSequencePoint *point = &lane->points[i];
    double clock = plan->samples[i].clock_mhz;

    point->x = seam_axis_get_px (&layout->x, plan->samples[i].order + 1);
    point->clock_y = NAN;
    point->outside = point->percent > lane->y.to ? 1 : point->percent < lane->y.from ? -1 : 0;
    point->y = get_y (&lane->y, isfinite (point->percent) ? point->percent : 0);
    lane->n_over += point->outside > 0;
    lane->n_under += point->outside < 0;
    point->slowed = seam_throttle_is_slowed (plan->samples[i].throttle);
    lane->n_slowed += point->slowed;
    lane->throttle |= plan->samples[i].throttle;
    if (!layout->has_clock || !isfinite (clock))
      continue;
    point->clock_y = seam_axis_get_px (&layout->clock_y, clock);
    point->low_clock = clock < (1 - SEAM_SEQUENCE_LOW_CLOCK) * layout->highest_clock_mhz;
    lane->n_low_clock += point->low_clock;
  }
}

/* Bins of one height for all lanes (Rice's rule for the largest number of samples); a value on a
 * border belongs to the bin above it. */
static void
count_bins (SeamSequenceLayout *layout, SeamSequenceLane *lane, int n_bins)
{
  lane->n_bins = n_bins;
  lane->counts = seam_keep (layout, g_new0 (int, n_bins));
  lane->bars = seam_keep (layout, g_new0 (SeamRect, n_bins));
  for (int i = 0; i < lane->n_points; i++) {
    const SeamSequencePoint *point = &lane->points[i];

    if (!isfinite (point->percent) || point->outside != 0)
      continue;
    int bin = (int)floor (seam_axis_get_share (&lane->y, point->percent) * n_bins);
    lane->counts[n_bins - 1 - CLAMP (bin, 0, n_bins - 1)]++;
  }
  for (int k = 0; k < n_bins; k++)
    if (lane->n_points > 0)
      layout->largest_share =
          fmax (layout->largest_share, (double)lane->counts[k] / lane->n_points);
}

static void
place_bars (const SeamSequenceLayout *layout, SeamSequenceLane *lane)
{
  double height = lane->histogram.height / lane->n_bins;

  for (int k = 0; k < lane->n_bins; k++) {
    double share = lane->n_points > 0 ? (double)lane->counts[k] / lane->n_points : 0;

    lane->bars[k] = (SeamRect){
      lane->histogram.x, lane->histogram.y + k * height,
      layout->largest_share > 0 ? lane->histogram.width * share / layout->largest_share : 0, height
    };
  }
}

static void
choose_clock (SeamSequenceLayout *layout, const SeamResult *result)
{
  double low = INFINITY, high = -INFINITY;

  for (int l = 0; l < layout->n_lanes; l++) {
    const SeamPlanResult *plan = &result->plans[layout->lanes[l].plan];

    for (int i = 0; i < layout->lanes[l].n_points; i++)
      if (isfinite (plan->samples[i].clock_mhz)) {
        low = fmin (low, plan->samples[i].clock_mhz);
        high = fmax (high, plan->samples[i].clock_mhz);
      }
  }
  layout->has_clock = high > 0;
  layout->highest_clock_mhz = layout->has_clock ? high : NAN;
  /* A constant clock is a line in the middle, instead of noise of one MHz on its own scale. */
  if (layout->has_clock)
    layout->clock_y =
        seam_axis_around (fmin (low, .97 * high), 1.005 * high, (SeamUnit){ NULL, 1 }, 2);
}

SeamSequenceLayout *
seam_sequence_layout_new (const SeamResult *result, const int *plans, int n_plans, double width)
{
  SeamSequenceLayout *layout = seam_owner_new (SeamSequenceLayout);
  g_autofree char *low_clock = NULL;
  int largest = 0, n_bins;
  double y = 0;

  layout->width = MAX (width, MIN_WIDTH);
  layout->n_lanes = n_plans;
  layout->lanes = seam_keep (layout, g_new0 (SeamSequenceLane, MAX (1, n_plans)));
  for (int l = 0; l < n_plans; l++) {
    SeamSequenceLane *lane = &layout->lanes[l];
    const SeamPlanResult *plan = &result->plans[plans[l]];
    double plot_width = layout->width - LEFT - BETWEEN - HISTOGRAM - RIGHT;

    lane->plan = plans[l];
    lane->letter = seam_plan_get_letter (plans[l]);
    lane->name = seam_keep (layout, g_strdup (plan->name != NULL ? plan->name : plan->notation));
    set_values (layout, lane, plan);
    for (int i = 0; i < lane->n_points; i++)
      layout->n_slots = MAX (layout->n_slots, plan->samples[i].order + 1);
    largest = MAX (largest, lane->n_points);
    y += HEADING;
    lane->plot = (SeamRect){ LEFT, y, plot_width, LANE };
    lane->histogram = (SeamRect){ LEFT + plot_width + BETWEEN, y, HISTOGRAM, LANE };
    y += LANE;
  }
  layout->has_gaps = result->n_plans > n_plans;
  layout->x = seam_axis_of_samples (layout->n_slots, X_TICKS);
  seam_axis_place_x (&layout->x, LEFT, LEFT + layout->lanes[0].plot.width);
  choose_axis (layout);
  choose_clock (layout, result);
  if (layout->has_clock) {
    y += HEADING;
    layout->clock = (SeamRect){ LEFT, y, layout->lanes[0].plot.width, CLOCK };
    layout->clock_title = seam_keep_printf (layout, "%s after each sample (MHz)",
                                            seam_device_info_get_words (result->device)->clock);
    seam_axis_place_y (&layout->clock_y, y + CLOCK, y);
    low_clock = g_strdup_printf ("over %g %% under the highest", 100 * SEAM_SEQUENCE_LOW_CLOCK);
    seam_legend_add (&layout->legend, 0, 3, low_clock);
    seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
    seam_legend_place (
        &layout->legend,
        LEFT + seam_paint_measure (layout->clock_title, SEAM_SIZE_AXIS, SEAM_BOLD) + 16, y - 23, 0);
    y += CLOCK;
  }
  layout->height = y + FOOT;
  layout->marker =
      CLAMP (layout->lanes[0].plot.width / MAX (1, layout->n_slots) * .8, MIN_MARKER, MAX_MARKER);
  n_bins = CLAMP ((int)ceil (2 * cbrt (largest)), MIN_BINS, MAX_BINS);
  for (int l = 0; l < n_plans; l++) {
    place_lane (layout, &layout->lanes[l], &result->plans[plans[l]]);
    count_bins (layout, &layout->lanes[l], n_bins);
  }
  for (int l = 0; l < n_plans; l++)
    place_bars (layout, &layout->lanes[l]);
  return layout;
}
