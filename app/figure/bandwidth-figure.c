/* SPDX-License-Identifier: MIT
 *
 * Layout, drawing and texts of the bandwidth curve. Sizes are logarithmic, rates linear from 0, so
 * that the step between cache and memory appears in proportion.
 */
#include "app/figure/bandwidth-figure.h"

#include "app/figure/paint.h"

#include <math.h>

#define LEFT        62.0 /* ticks and title of the upright axis */
#define RIGHT       14.0
#define TOP         38.0 /* two rows of labels of the posts */
#define BOTTOM      42.0
#define LABEL_ROW   16.0
#define MIN_WIDTH   320.0
#define MIN_HEIGHT  220.0
#define MAX_HEIGHT  360.0
#define ASPECT      .4
#define Y_STEPS     5
#define X_TICKS     24
#define END_ROOM    1.15
#define MARK_RADIUS 3.5
/* The labels of the levels: height, distance from their line, and how far they are moved away. */
#define LEVEL_HEIGHT 16.0
#define LEVEL_GAP    12.0
#define LEVEL_STEP   10.0
#define LEVEL_ROWS   8

static void
choose_axes (SeamBandwidthLayout *layout, const SeamCalibration *calibration)
{
  const SeamRect *plot = &layout->plot;
  double largest = 0, first = 1e6, last = 1e9;

  for (int i = 0; i < calibration->n_points; i++) {
    largest = fmax (largest, calibration->curve[i].rate.median);
    largest = fmax (largest, calibration->curve[i].rate.high);
  }
  if (calibration->n_points > 0) {
    first = calibration->curve[0].bytes;
    last = calibration->curve[calibration->n_points - 1].bytes;
  }
  layout->y = seam_axis_from_zero (largest, seam_unit_for_rate (largest), Y_STEPS);
  seam_axis_place_y (&layout->y, plot->y + plot->height, plot->y);
  /* A little room at both ends, so that no mark lies on the axis. */
  layout->x = seam_axis_log (first / END_ROOM, fmax (last * END_ROOM, 2 * first / END_ROOM),
                             seam_unit_for_bytes (sqrt (first * last)), X_TICKS);
  seam_axis_place_x (&layout->x, plot->x, plot->x + plot->width);
}

static void
place_post (SeamBandwidthLayout *layout, SeamBandwidthPost *post, double bytes, char *label,
            int row)
{
  double width = seam_paint_measure (label, SEAM_SIZE_AXIS, row == 0 ? SEAM_BOLD : SEAM_REGULAR);

  if (!(bytes >= layout->x.from && bytes <= layout->x.to)) {
    g_free (label);
    return;
  }
  post->shown = TRUE;
  post->label = seam_keep (layout, label);
  post->x = seam_axis_get_px (&layout->x, bytes);
  post->at_left = post->x + 5 + width > layout->width;
  post->label_x = MAX (0, post->at_left ? post->x - 5 - width : post->x + 5);
  post->label_y = layout->plot.y - TOP + 12 + row * LABEL_ROW;
}

static void
place_level (SeamBandwidthLayout *layout, SeamBandwidthLevel *level, double rate, double x1,
             double x2, const char *name)
{
  g_autofree char *text = seam_text_rate (rate);
  double width;

  level->x1 = x1;
  level->x2 = x2;
  level->y = seam_axis_get_px (&layout->y, rate);
  level->label = seam_keep_printf (layout, "%s %s", name, text);
  width = seam_paint_measure (level->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  level->label_x = CLAMP ((x1 + x2 - width) / 2, layout->plot.x + 2,
                          layout->plot.x + layout->plot.width - width - 2);
  level->label_y = level->y - LEVEL_GAP;
}

static SeamRect
get_level_rect (const SeamBandwidthLevel *level, double width)
{
  return (SeamRect){ level->label_x - 3, level->label_y - LEVEL_HEIGHT + 3, width + 6,
                     LEVEL_HEIGHT };
}

/* Whether the label of a level lies over nothing: curve, posts, or the label of the level before.
 */
static gboolean
is_clear (const SeamBandwidthLayout *layout, int index, const SeamRect *rect)
{
  const SeamRect *plot = &layout->plot;
  double bottom = plot->y + plot->height;

  if (rect->x < plot->x || rect->x + rect->width > plot->x + plot->width || rect->y < plot->y
      || rect->y + rect->height > bottom)
    return FALSE;
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamSeriesPoint *mark = &layout->marks[i], *next = mark + (i + 1 < layout->n_marks);
    SeamRect around = { rect->x - MARK_RADIUS, rect->y - MARK_RADIUS, rect->width + 2 * MARK_RADIUS,
                        rect->height + 2 * MARK_RADIUS };

    if (seam_rect_is_crossed (&around, mark->x, mark->y, next->x, next->y)
        || (isfinite (mark->low_y)
            && seam_rect_is_crossed (&around, mark->x, mark->low_y, mark->x, mark->high_y)))
      return FALSE;
  }
  if (seam_rect_is_crossed (rect, layout->knee.x, plot->y, layout->knee.x, bottom)
      || (layout->reported.shown
          && seam_rect_is_crossed (rect, layout->reported.x, plot->y, layout->reported.x, bottom)))
    return FALSE;
  for (int i = 0; i < index; i++) {
    const SeamBandwidthLevel *other = &layout->levels[i];
    double width = seam_paint_measure (other->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
    SeamRect taken = get_level_rect (other, width);

    if (rect->x < taken.x + taken.width && taken.x < rect->x + rect->width
        && rect->y < taken.y + taken.height && taken.y < rect->y + rect->height)
      return FALSE;
  }
  return TRUE;
}

/* Moves the label of a level to the nearest place beside its line where it lies over nothing, above
 * before below; if there is none, it stays above the middle. */
static void
clear_level (SeamBandwidthLayout *layout, int index)
{
  SeamBandwidthLevel *level = &layout->levels[index];
  double width = seam_paint_measure (level->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  double middle = level->label_x;

  for (int row = 0; row < LEVEL_ROWS; row++)
    for (double by = 0; by <= level->x2 - level->x1; by += LEVEL_STEP)
      for (int place = 0; place < 4; place++) {
        double side = place % 2 == 0 ? -1 : 1, away = LEVEL_GAP + row * LEVEL_STEP;
        SeamRect rect;

        level->label_x = middle + side * by;
        level->label_y = place < 2 ? level->y - away : level->y + away + LEVEL_HEIGHT - 3;
        rect = get_level_rect (level, width);
        if (rect.x + rect.width / 2 >= level->x1 && rect.x + rect.width / 2 <= level->x2
            && is_clear (layout, index, &rect))
          return;
      }
  level->label_x = middle;
  level->label_y = level->y - LEVEL_GAP;
}

/* The line of the knee runs past the label of the other post. That label then moves to the other
 * side of its post, or beyond the knee's label if there is no room. */
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
  SeamBandwidthLayout *layout = seam_owner_new (SeamBandwidthLayout);
  SeamKnee knee;
  const SeamRect *plot = &layout->plot;

  layout->width = fmax (width, MIN_WIDTH);
  layout->height = height > 0 ? fmax (height, MIN_HEIGHT)
                              : CLAMP (ASPECT * layout->width, MIN_HEIGHT, MAX_HEIGHT);
  layout->plot =
      (SeamRect){ LEFT, TOP, layout->width - LEFT - RIGHT, layout->height - TOP - BOTTOM };
  choose_axes (layout, calibration);
  layout->n_marks = calibration->n_points;
  layout->marks = seam_keep (layout, g_new0 (SeamSeriesPoint, MAX (1, layout->n_marks)));
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamCurvePoint *point = &calibration->curve[i];

    layout->marks[i] = (SeamSeriesPoint){ seam_axis_get_px (&layout->x, point->bytes),
                                          seam_axis_get_px (&layout->y, point->rate.median),
                                          seam_axis_get_px (&layout->y, point->rate.low),
                                          seam_axis_get_px (&layout->y, point->rate.high) };
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
  for (int i = 0; layout->has_knee && i < (int)G_N_ELEMENTS (layout->levels); i++)
    clear_level (layout, i);
  return layout;
}

/* ---- drawing ---- */

static void
draw_post (const SeamBandwidthLayout *layout, const SeamBandwidthPost *post, cairo_t *cr,
           const SeamPalette *palette, gboolean is_measured)
{
  const SeamColor *color = is_measured ? &palette->accent : &palette->dim_text;
  double x = floor (post->x) + .5, bottom = layout->plot.y + layout->plot.height;

  if (!post->shown)
    return;
  if (is_measured)
    seam_paint_line (cr, color, 2, x, post->label_y - 10, x, bottom);
  else
    seam_paint_dashed (cr, color, 1.2, x, post->label_y - 10, x, bottom);
  seam_paint_text (cr, is_measured ? &palette->text : color, post->label, post->label_x,
                   post->label_y, SEAM_SIZE_AXIS, is_measured ? SEAM_BOLD : SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

static void
draw_level (const SeamBandwidthLevel *level, cairo_t *cr, const SeamPalette *palette)
{
  seam_paint_dashed (cr, &palette->text, 1.2, level->x1, level->y, level->x2, level->y);
  seam_paint_label (cr, palette, &palette->text, level->label, level->label_x, level->label_y,
                    SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
bandwidth_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamBandwidthLayout *layout = figure->layout;
  const SeamSeriesStyle curve = {
    SEAM_MARK_DISC, 2 * MARK_RADIUS, 1.8, &palette->kinds[SEAM_KIND_MATRIX], &palette->card, 0
  };

  seam_axis_draw (&layout->x, &layout->plot, "Working set", cr, palette);
  seam_axis_draw (&layout->y, &layout->plot, "Read bandwidth", cr, palette);
  if (layout->n_marks == 0) {
    seam_paint_text (
        cr, &palette->dim_text, "not measured", layout->plot.x + layout->plot.width / 2,
        layout->plot.y + layout->plot.height / 2, SEAM_SIZE_LABEL, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
    return;
  }
  draw_post (layout, &layout->reported, cr, palette, FALSE);
  draw_post (layout, &layout->knee, cr, palette, TRUE);
  for (gsize i = 0; layout->has_knee && i < G_N_ELEMENTS (layout->levels); i++)
    draw_level (&layout->levels[i], cr, palette);
  seam_series_draw (layout->marks, layout->n_marks, &curve, cr, palette);
}

static const SeamFigureClass bandwidth_class = { .draw = bandwidth_draw };

char *
seam_bandwidth_describe_point (const SeamCalibration *calibration, int point)
{
  const SeamCurvePoint *p = &calibration->curve[point];
  g_autofree char *bytes = seam_text_bytes (p->bytes);
  g_autofree char *median = seam_text_rate (p->rate.median);
  g_autofree char *least = seam_text_rate (p->rate.least);
  g_autofree char *most = seam_text_rate (p->rate.most);
  g_autofree char *low = seam_text_rate (p->rate.low);
  g_autofree char *high = seam_text_rate (p->rate.high);
  g_autofree char *interval = isnan (p->rate.low)
                                  ? g_strdup ("")
                                  : g_strdup_printf (", 95 %% interval %s to %s", low, high);

  return g_strdup_printf ("%s read again and again: %s%s; %d samples from %s to %s.", bytes, median,
                          interval, p->rate.n, least, most);
}

SeamFigure *
seam_bandwidth_figure_new (const SeamCalibration *calibration, double width, double height)
{
  SeamBandwidthLayout *layout = seam_bandwidth_layout_new (calibration, width, height);
  g_autofree char *words = seam_calibration_describe_knee (calibration);
  SeamFigure *figure =
      seam_figure_new (&bandwidth_class, layout, layout->width, layout->height,
                       g_strdup_printf ("Read bandwidth over the working set, %d sizes. %s",
                                        calibration->n_points, words));

  for (int i = 0; i < layout->n_marks; i++)
    seam_figure_add_point (figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = i },
                           layout->marks[i].x, layout->marks[i].y);
  return figure;
}
