/* SPDX-License-Identifier: MIT
 *
 * Live samples: one lane a plan, one scale for all lanes, true order along x. A sample far outside
 * the others is drawn at the lane's edge with its value, so that it cannot flatten the rest.
 */
#include "app/figure/samples.h"

#include "app/base/text.h"
#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/scale.h"
#include "app/measure/statistics.h"

#include <math.h>
#include <stdlib.h>

#define LEFT      60.0
#define RIGHT     190.0 /* at least, for median and interval */
#define TOP       8.0
#define FOOT      30.0
#define LANE_GAP  26.0
#define MIN_SLOTS 40
#define MARKER    10.0

typedef struct {
  char letter;
  char *title;
  int n_samples;
  SeamSample *samples;
  double *percent; /* deviation from the median */
  SeamMedian median;
  double y; /* top of the lane */
  char *label, *interval;
} Lane;

typedef struct {
  SeamFigure base;
  int n_lanes, running, n_slots, next;
  Lane *lanes;
  SeamAxis axis;
  double lane_height, plot_width, right;
} Samples;

static double
get_x (const Samples *samples, int order)
{
  return LEFT + (order + .5) * samples->plot_width / samples->n_slots;
}

static double
get_y (const Samples *samples, const Lane *lane, double percent)
{
  double end = seam_axis_get_end (&samples->axis);
  double t = (percent - samples->axis.first) / (end - samples->axis.first);

  return lane->y + samples->lane_height * (1 - CLAMP (t, 0, 1));
}

static gboolean
is_outside (const Samples *samples, double percent)
{
  return percent < samples->axis.first || percent > seam_axis_get_end (&samples->axis);
}

static double
get_marker_size (const Samples *samples)
{
  return CLAMP (samples->plot_width / samples->n_slots * .7, 3, MARKER);
}

static void
draw_marker (const Samples *samples, int lane, double x, double y, cairo_t *cr,
             const SeamPalette *palette)
{
  double size = get_marker_size (samples);
  SeamRect box = { x - size / 2, y - size / 2, size, size };

  if (lane % 2 == 0) {
    seam_paint_box (cr, &box, 1, &palette->card, &palette->text, MIN (1.8, size / 3));
  } else {
    seam_palette_set_source (cr, &palette->text);
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, size / 2, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

/* A triangle at the lane's edge, pointing out. */
static void
draw_outside (const Samples *samples, const Lane *lane, double x, double percent, cairo_t *cr,
              const SeamPalette *palette, gboolean with_value)
{
  gboolean above = percent > 0;
  double y = above ? lane->y + 2 : lane->y + samples->lane_height - 2, way = above ? 7 : -7;

  seam_palette_set_source (cr, &palette->text);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + 4.5, y + way);
  cairo_line_to (cr, x - 4.5, y + way);
  cairo_close_path (cr);
  cairo_fill (cr);
  if (with_value) {
    g_autofree char *number = seam_text_fixed (percent, fabs (percent) < 10 ? 1 : 0);
    g_autofree char *text = g_strdup_printf ("%s%s", percent > 0 ? "+" : "", number);

    seam_paint_text (cr, &palette->dim_text, text, x + 8, y + (above ? 9 : -1), SEAM_SIZE_SMALL,
                     SEAM_REGULAR, SEAM_ALIGN_START);
  }
}

static void
draw_grid (const Samples *samples, const Lane *lane, cairo_t *cr, const SeamPalette *palette)
{
  double right = LEFT + samples->plot_width;

  for (int i = 0; i < samples->axis.n_ticks; i++) {
    double value = seam_axis_get_value (&samples->axis, i);
    double y = floor (get_y (samples, lane, value)) + .5;
    g_autofree char *text = seam_axis_format_change (&samples->axis, i);

    if (fabs (value) < samples->axis.step / 2)
      seam_paint_dashed (cr, &palette->dim_text, 1, LEFT, y, right, y);
    else
      seam_axis_draw_grid_y (cr, palette, y, LEFT, right);
    seam_axis_draw_y_number (cr, palette, text, LEFT - 8, y);
  }
}

static void
draw_lane (Samples *samples, int index, cairo_t *cr, const SeamPalette *palette)
{
  const Lane *lane = &samples->lanes[index];
  double right = LEFT + samples->plot_width, last_value_x = -INFINITY;
  double middle = get_y (samples, lane, 0);

  if (isfinite (lane->median.low) && lane->median.median > 0) {
    double high = get_y (samples, lane, 100 * (lane->median.high / lane->median.median - 1));
    double low = get_y (samples, lane, 100 * (lane->median.low / lane->median.median - 1));
    SeamRect band = { LEFT, high, samples->plot_width, MAX (1, low - high) };

    seam_paint_box (cr, &band, 0, &palette->selection_fill, NULL, 0);
  }
  draw_grid (samples, lane, cr, palette);

  if (samples->running >= 0 && samples->next < samples->n_slots) {
    double x = LEFT + samples->next * samples->plot_width / samples->n_slots;

    seam_paint_line (cr, &palette->selection, 1.5, x, lane->y, x, lane->y + samples->lane_height);
    if (samples->running == index) {
      char text[] = "A is running";

      text[0] = lane->letter;
      seam_paint_text (cr, &palette->dim_text, text, x + 8, lane->y + 14, SEAM_SIZE_AXIS,
                       SEAM_REGULAR, SEAM_ALIGN_START);
    }
  }

  for (int i = 0; i < lane->n_samples; i++) {
    double x = get_x (samples, lane->samples[i].order);
    SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = index, .index = i };

    if (!isfinite (lane->percent[i]))
      continue;
    if (is_outside (samples, lane->percent[i])) {
      gboolean with_value = x - last_value_x > 60 && x + 50 < right;

      draw_outside (samples, lane, x, lane->percent[i], cr, palette, with_value);
      if (with_value)
        last_value_x = x;
    } else {
      draw_marker (samples, index, x, get_y (samples, lane, lane->percent[i]), cr, palette);
    }
    if (seam_hit_equal (&samples->base.hover, &hit)
        || seam_hit_equal (&samples->base.focus, &hit)) {
      SeamRect ring = { x - 9, get_y (samples, lane, lane->percent[i]) - 9, 18, 18 };

      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &ring, 9);
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
  Samples *samples = (Samples *)figure;
  gint64 step = seam_axis_index_step (samples->n_slots, 4);
  double y = figure->height - 8, right = LEFT + samples->plot_width;
  g_autoptr (GString) order = g_string_new ("sample, in the order ");

  for (int i = 0; i < samples->n_lanes; i++)
    draw_lane (samples, i, cr, palette);

  for (gint64 tick = 0; tick <= samples->n_slots; tick += step) {
    gint64 number = MAX (1, tick);
    g_autofree char *text = seam_text_count (number);

    seam_axis_draw_x_number (cr, palette, text, get_x (samples, (int)number - 1), y);
  }
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < samples->n_lanes; i++)
      g_string_append_printf (order, "%s%c", pass + i > 0 ? " " : "",
                              samples->lanes[pass == 0 ? i : samples->n_lanes - 1 - i].letter);
  if (seam_paint_measure (order->str, SEAM_SIZE_AXIS, SEAM_REGULAR) > samples->right - 16)
    g_string_assign (order, "sample");
  seam_paint_text (cr, &palette->dim_text, order->str, right + 14, y, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

static gboolean
samples_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  Samples *samples = (Samples *)figure;
  const Lane *lane;
  double x, y;

  if (hit->kind != SEAM_HIT_SAMPLE || hit->plan < 0 || hit->plan >= samples->n_lanes)
    return FALSE;
  lane = &samples->lanes[hit->plan];
  if (hit->index < 0 || hit->index >= lane->n_samples || !isfinite (lane->percent[hit->index]))
    return FALSE;
  x = get_x (samples, lane->samples[hit->index].order);
  y = get_y (samples, lane, lane->percent[hit->index]);
  *rect = (SeamRect){ x - MARKER / 2, y - MARKER / 2, MARKER, MARKER };
  return TRUE;
}

/* The nearest sample within a few pixels. */
static gboolean
samples_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  Samples *samples = (Samples *)figure;
  double best = 8 * 8;

  for (int l = 0; l < samples->n_lanes; l++) {
    const Lane *lane = &samples->lanes[l];

    for (int i = 0; i < lane->n_samples; i++) {
      double dx = get_x (samples, lane->samples[i].order) - x;
      double dy = get_y (samples, lane, lane->percent[i]) - y;

      if (isfinite (lane->percent[i]) && dx * dx + dy * dy < best) {
        best = dx * dx + dy * dy;
        *hit = (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = l, .index = i };
      }
    }
  }
  return hit->kind != SEAM_HIT_NONE;
}

static char *
samples_summarize (SeamFigure *figure)
{
  Samples *samples = (Samples *)figure;
  GString *text = g_string_new ("Samples in percent of each plan's median.");

  for (int i = 0; i < samples->n_lanes; i++) {
    const Lane *lane = &samples->lanes[i];

    g_string_append_printf (text, " %s, %d sample%s, %s.", lane->label, lane->n_samples,
                            lane->n_samples == 1 ? "" : "s", lane->interval);
  }
  return g_string_free (text, FALSE);
}

static void
samples_finalize (SeamFigure *figure)
{
  Samples *samples = (Samples *)figure;

  for (int i = 0; i < samples->n_lanes; i++) {
    g_free (samples->lanes[i].title);
    g_free (samples->lanes[i].samples);
    g_free (samples->lanes[i].percent);
    g_free (samples->lanes[i].label);
    g_free (samples->lanes[i].interval);
  }
  g_free (samples->lanes);
}

static const SeamFigureClass samples_class = {
  .draw = samples_draw,
  .pick = samples_pick,
  .locate = samples_locate,
  .summarize = samples_summarize,
  .finalize = samples_finalize,
};

static void
set_lane (Lane *lane, const SeamSamplesPlan *plan, double goal)
{
  g_autofree double *values = g_new (double, MAX (1, plan->n_samples));

  lane->letter = plan->letter;
  lane->title = g_strdup (plan->title);
  lane->n_samples = plan->n_samples;
  lane->samples = g_new (SeamSample, MAX (1, plan->n_samples));
  lane->percent = g_new (double, MAX (1, plan->n_samples));
  for (int i = 0; i < plan->n_samples; i++) {
    lane->samples[i] = plan->samples[i];
    values[i] = plan->samples[i].elapsed_ns;
  }
  lane->median = seam_median (values, plan->n_samples, .95);
  for (int i = 0; i < plan->n_samples; i++)
    lane->percent[i] = lane->median.median > 0 ? 100 * (values[i] / lane->median.median - 1) : NAN;

  if (plan->n_samples == 0) {
    lane->label = g_strdup_printf ("%c %s", plan->letter, SEAM_DASH);
    lane->interval = g_strdup ("no sample yet");
    return;
  }
  {
    g_autofree char *time = seam_text_time (lane->median.median);

    lane->label = g_strdup_printf ("%c %s", plan->letter, time);
  }
  if (isfinite (lane->median.low)) {
    g_autofree char *wide =
        seam_text_fixed (100 * (lane->median.high - lane->median.low) / lane->median.median, 2);
    g_autofree char *aim = seam_text_fixed (100 * goal, 2);

    lane->interval = g_strdup_printf ("interval %s %% wide, goal %s %%", wide, aim);
  } else {
    lane->interval = g_strdup ("no interval yet, needs 6 samples");
  }
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* All intervals and the middle nine tenths of the samples of every lane, zero included. */
static void
choose_axis (Samples *samples)
{
  double low = -1, high = 1;

  for (int l = 0; l < samples->n_lanes; l++) {
    const Lane *lane = &samples->lanes[l];
    g_autofree double *sorted = g_new (double, MAX (1, lane->n_samples));
    int n = 0, skip;

    for (int i = 0; i < lane->n_samples; i++)
      if (isfinite (lane->percent[i]))
        sorted[n++] = lane->percent[i];
    qsort (sorted, n, sizeof *sorted, compare_doubles);
    /* A few samples are all shown unless they are far out. */
    skip = n >= 8 ? MAX (1, n / 20) : 0;
    if (n > 0) {
      double spread = sorted[n - 1 - skip] - sorted[skip];

      low = fmin (low, sorted[0] >= sorted[skip] - 2 * spread ? sorted[0] : sorted[skip]);
      high = fmax (high, sorted[n - 1] <= sorted[n - 1 - skip] + 2 * spread ? sorted[n - 1]
                                                                            : sorted[n - 1 - skip]);
    }
    if (isfinite (lane->median.low) && lane->median.median > 0) {
      low = fmin (low, 100 * (lane->median.low / lane->median.median - 1));
      high = fmax (high, 100 * (lane->median.high / lane->median.median - 1));
    }
  }
  samples->axis = seam_axis_around (low, high, 3);
}

SeamFigure *
seam_samples_figure_new (const SeamSamplesPlan *plans, int n_plans, int running, double goal,
                         double width, double height)
{
  Samples *samples = g_new0 (Samples, 1);
  int last = -1;

  samples->base.klass = &samples_class;
  samples->n_lanes = MAX (0, n_plans);
  samples->running = running < n_plans ? running : -1;
  samples->lanes = g_new0 (Lane, MAX (1, n_plans));
  samples->right = RIGHT;
  for (int i = 0; i < samples->n_lanes; i++) {
    Lane *lane = &samples->lanes[i];

    set_lane (lane, &plans[i], goal);
    samples->right = fmax (
        samples->right,
        16
            + ceil (fmax (seam_paint_measure (lane->label, 16, SEAM_HEAVY),
                          seam_paint_measure (lane->interval, SEAM_SIZE_AXIS, SEAM_REGULAR))));
  }
  samples->base.width = MAX (width, LEFT + samples->right + 150);
  samples->base.height = MAX (height, TOP + FOOT + samples->n_lanes * (60 + LANE_GAP));
  samples->plot_width = floor (samples->base.width - LEFT - samples->right);
  samples->lane_height =
      floor ((samples->base.height - TOP - FOOT + LANE_GAP) / MAX (1, n_plans) - LANE_GAP);

  for (int i = 0; i < samples->n_lanes; i++) {
    samples->lanes[i].y = TOP + i * (samples->lane_height + LANE_GAP);
    for (int k = 0; k < plans[i].n_samples; k++)
      last = MAX (last, plans[i].samples[k].order);
  }
  samples->next = last + 1;
  /* The axis doubles when it is full, so that it seldom moves. */
  for (samples->n_slots = MIN_SLOTS; samples->n_slots < samples->next; samples->n_slots *= 2)
    ;
  choose_axis (samples);
  return &samples->base;
}
