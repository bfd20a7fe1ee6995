/* SPDX-License-Identifier: MIT
 *
 * Layout of the bandwidth curve: sizes logarithmic, rates linear from 0, so that the step between
 * cache and memory is seen in proportion.
 */
#include "app/figure/bandwidth-layout.h"

#include "app/figure/paint.h"

#include <math.h>

#define LEFT       62.0 /* ticks and title of the upright axis */
#define RIGHT      14.0
#define TOP        38.0 /* two rows of labels of the posts */
#define BOTTOM     42.0
#define LABEL_ROW  16.0
#define MIN_WIDTH  320.0
#define MIN_HEIGHT 220.0
#define MAX_HEIGHT 360.0
#define ASPECT     .4
#define Y_STEPS    5

double
seam_bandwidth_layout_x (const SeamBandwidthLayout *layout, double bytes)
{
  double t = (log10 (bytes) - layout->x_low) / (layout->x_high - layout->x_low);

  return layout->plot.x + t * layout->plot.width;
}

double
seam_bandwidth_layout_y (const SeamBandwidthLayout *layout, double bytes_per_s)
{
  double t = bytes_per_s / layout->unit.scale / seam_axis_get_end (&layout->axis);

  return layout->plot.y + (1 - t) * layout->plot.height;
}

static void
choose_scales (SeamBandwidthLayout *layout, const SeamCalibration *calibration)
{
  double largest = 0, first = 1e6, last = 1e9;

  for (int i = 0; i < calibration->n_points; i++) {
    largest = fmax (largest, calibration->curve[i].rate.median);
    largest = fmax (largest, calibration->curve[i].rate.high);
  }
  if (calibration->n_points > 0) {
    first = calibration->curve[0].bytes;
    last = calibration->curve[calibration->n_points - 1].bytes;
  }
  layout->unit = seam_unit_for_rate (largest);
  layout->size = seam_unit_for_bytes (sqrt (first * last));
  layout->axis = seam_axis_from_zero (largest > 0 ? largest / layout->unit.scale : 1, Y_STEPS);
  /* A little room at both ends, so that no mark lies on the axis. */
  layout->x_low = log10 (first) - .06;
  layout->x_high = fmax (log10 (last) + .06, layout->x_low + .3);
}

/* 1, 2 and 5 times powers of ten. */
static void
place_x_ticks (SeamBandwidthLayout *layout)
{
  static const double steps[] = { 1, 2, 5 };
  double last_end = -INFINITY;

  for (double decade = floor (layout->x_low); decade <= layout->x_high; decade++)
    for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
      double bytes = steps[i] * pow (10, decade), position, half;
      g_autofree char *text = NULL;

      if (log10 (bytes) < layout->x_low || log10 (bytes) > layout->x_high
          || layout->n_x == SEAM_BANDWIDTH_MAX_TICKS)
        continue;
      text = g_strdup_printf ("%g", bytes / layout->size.scale);
      position = seam_bandwidth_layout_x (layout, bytes);
      half = seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;
      if (position - half < last_end + 6)
        continue;
      last_end = position + half;
      layout->x_ticks[layout->n_x++] = (SeamBandwidthTick){ position, g_steal_pointer (&text) };
    }
}

static void
place_y_ticks (SeamBandwidthLayout *layout)
{
  for (int i = 0; i < layout->axis.n_ticks && i < SEAM_BANDWIDTH_MAX_TICKS; i++) {
    double value = seam_axis_get_value (&layout->axis, i);

    layout->y_ticks[layout->n_y++] =
        (SeamBandwidthTick){ seam_bandwidth_layout_y (layout, value * layout->unit.scale),
                             g_strdup_printf ("%.*f", layout->axis.decimals, value) };
  }
}

static void
place_post (const SeamBandwidthLayout *layout, SeamBandwidthPost *post, double bytes, char *label,
            int row)
{
  double width = seam_paint_measure (label, SEAM_SIZE_AXIS, row == 0 ? SEAM_BOLD : SEAM_REGULAR);

  if (!(log10 (bytes) >= layout->x_low && log10 (bytes) <= layout->x_high)) {
    g_free (label);
    return;
  }
  post->shown = TRUE;
  post->label = label;
  post->x = seam_bandwidth_layout_x (layout, bytes);
  post->at_left = post->x + 5 + width > layout->width;
  post->label_x = MAX (0, post->at_left ? post->x - 5 - width : post->x + 5);
  post->label_y = layout->plot.y - TOP + 12 + row * LABEL_ROW;
}

static void
place_level (const SeamBandwidthLayout *layout, SeamBandwidthLevel *level, double rate, double x1,
             double x2, const char *name)
{
  g_autofree char *text = seam_text_rate (rate);
  double width;

  level->x1 = x1;
  level->x2 = x2;
  level->y = seam_bandwidth_layout_y (layout, rate);
  level->label = g_strdup_printf ("%s %s", name, text);
  width = seam_paint_measure (level->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  level->label_x = CLAMP ((x1 + x2 - width) / 2, layout->plot.x + 2,
                          layout->plot.x + layout->plot.width - width - 2);
  /* Under the line at the top of the plot, above it elsewhere; clear of the marks either way. */
  level->label_y = level->y - layout->plot.y > 34 ? level->y - 12 : level->y + 24;
}

/* The line of the knee goes down past the label of the other post, which then stands on the other
 * side of its own, or beyond the knee's where that side has no room. */
static void
keep_clear (const SeamBandwidthLayout *layout, SeamBandwidthPost *post, double line_x)
{
  double width = seam_paint_measure (post->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  double left = post->x - 5 - width, right = post->x + 5;

  if (line_x < post->label_x - 4 || line_x > post->label_x + width + 4)
    return;
  post->at_left = line_x > post->x && left >= 0;
  if (post->at_left)
    post->label_x = left;
  else if (line_x < post->x && right + width <= layout->width)
    post->label_x = right;
  else
    post->label_x =
        line_x > post->x ? MIN (line_x + 6, layout->width - width) : MAX (0, line_x - 6 - width);
}

SeamBandwidthLayout *
seam_bandwidth_layout_new (const SeamCalibration *calibration, double width, double height)
{
  SeamBandwidthLayout *layout = g_new0 (SeamBandwidthLayout, 1);
  SeamKnee knee;
  const SeamRect *plot = &layout->plot;

  layout->width = fmax (width, MIN_WIDTH);
  layout->height = height > 0 ? fmax (height, MIN_HEIGHT)
                              : CLAMP (ASPECT * layout->width, MIN_HEIGHT, MAX_HEIGHT);
  layout->plot =
      (SeamRect){ LEFT, TOP, layout->width - LEFT - RIGHT, layout->height - TOP - BOTTOM };
  choose_scales (layout, calibration);
  place_x_ticks (layout);
  place_y_ticks (layout);
  layout->n_marks = calibration->n_points;
  layout->marks = g_new0 (SeamBandwidthMark, MAX (1, layout->n_marks));
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamCurvePoint *point = &calibration->curve[i];

    layout->marks[i] = (SeamBandwidthMark){ seam_bandwidth_layout_x (layout, point->bytes),
                                            seam_bandwidth_layout_y (layout, point->rate.median),
                                            seam_bandwidth_layout_y (layout, point->rate.low),
                                            seam_bandwidth_layout_y (layout, point->rate.high) };
  }
  layout->has_knee = seam_calibration_find_knee (calibration, &knee);
  if (layout->has_knee) {
    g_autofree char *size = seam_text_bytes (knee.bytes);

    place_post (layout, &layout->knee, knee.bytes,
                g_strdup_printf ("the cache ends at about %s", size), 0);
    place_level (layout, &layout->levels[0], knee.cache_rate, plot->x, layout->knee.x, "cache");
    place_level (layout, &layout->levels[1], knee.memory_rate, layout->knee.x,
                 plot->x + plot->width, "memory");
  }
  if (calibration->cache_bytes > 0) {
    g_autofree char *size = seam_text_bytes (calibration->cache_bytes);

    place_post (layout, &layout->reported, calibration->cache_bytes,
                g_strdup_printf ("%s reported", size), 1);
    if (layout->knee.shown && layout->reported.shown)
      keep_clear (layout, &layout->reported, layout->knee.x);
  }
  return layout;
}

void
seam_bandwidth_layout_free (SeamBandwidthLayout *layout)
{
  if (layout == NULL)
    return;
  for (int i = 0; i < layout->n_x; i++)
    g_free (layout->x_ticks[i].text);
  for (int i = 0; i < layout->n_y; i++)
    g_free (layout->y_ticks[i].text);
  for (gsize i = 0; i < G_N_ELEMENTS (layout->levels); i++)
    g_free (layout->levels[i].label);
  g_free (layout->knee.label);
  g_free (layout->reported.label);
  g_free (layout->marks);
  g_free (layout);
}
