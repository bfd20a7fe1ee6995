/* SPDX-License-Identifier: MIT
 *
 * The difference of outputs of one number a sample: see map.h.
 */
#include "app/figure/map-common.h"

#include "app/base/text.h"
#include "app/figure/axis.h"
#include "app/figure/marks.h"

#include <math.h>

#define TOP        30.0
#define LEFT       58.0
#define RIGHT      56.0 /* with the name of the limit */
#define BOTTOM     46.0
#define LANE       30.0 /* height of the rows of NaN and of 0 */
#define DOT        7.0
#define MOST_DOTS  2048
#define TICKS      6
#define MIN_HEIGHT 200.0

/* What a dot shows: its error over its limit; -1: equal; infinite: not finite, or of no limit. */
typedef struct {
  double ratio, x, y;
  gint64 sample;
  gboolean fails;
} Dot;

typedef struct {
  Dot *dots;
  gint64 n;
  gboolean has_odd;
  SeamRect plot; /* without the rows of NaN and of 0 */
  SeamAxis x, y;
  const char *title, *subtitle, *limit;
} Dots;

static const Dot *
find_dot (const Dots *layout, gint64 sample)
{
  const Dot *found = NULL;

  for (gint64 i = 0; i < layout->n && layout->dots[i].sample <= sample; i++)
    found = &layout->dots[i];
  return found;
}

static void
draw_pointer (const Dots *layout, const SeamHit *hit, gboolean dashed, cairo_t *cr,
              const SeamPalette *palette)
{
  const Dot *dot = hit->kind == SEAM_HIT_CELL ? find_dot (layout, hit->row) : NULL;

  if (dot == NULL)
    return;
  SeamRect ring = { dot->x - 7, dot->y - 7, 14, 14 };
  seam_map_draw_frame (cr, palette, &ring);
  ring = seam_rect_inset (&ring, -3);
  if (dashed)
    seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &ring, 0);
}

static void
dots_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Dots *layout = figure->layout;
  const SeamRect *plot = &layout->plot;
  SeamRect whole = { plot->x, TOP, plot->width, figure->height - TOP - BOTTOM };
  double foot = whole.y + whole.height, end = plot->x + plot->width;
  double limit = floor (seam_axis_get_px (&layout->y, 1)) + .5;

  seam_paint_text (cr, &palette->text, layout->title, LEFT, TOP - 13, SEAM_SIZE_TITLE, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, layout->subtitle,
                   LEFT + 10 + seam_paint_measure (layout->title, SEAM_SIZE_TITLE, SEAM_BOLD),
                   TOP - 13, 12.5, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_axis_draw_grid (&layout->y, plot, cr, palette);
  seam_axis_draw_numbers (&layout->y, plot, cr, palette);
  seam_paint_text (cr, &palette->dim_text, "0", plot->x - 8,
                   foot - LANE / 2 + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_END);
  if (layout->has_odd)
    seam_paint_text (cr, &palette->dim_text, "NaN, ∞", plot->x - 8,
                     TOP + LANE / 2 + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_END);
  seam_paint_box (cr, &whole, 0, NULL, &palette->border, 1);
  seam_axis_draw_strokes (&layout->x, &whole, cr, palette);
  seam_axis_draw_numbers (&layout->x, &whole, cr, palette);
  seam_axis_draw_title (&layout->x, &whole, "sample", cr, palette);
  seam_paint_dashed (cr, &palette->text, 1.5, plot->x, limit, end, limit);
  for (gint64 i = 0; i < layout->n; i++) {
    const Dot *dot = &layout->dots[i];
    if (isinf (dot->ratio))
      seam_map_draw_cross (cr, palette, dot->x, dot->y, DOT);
    else
      seam_mark_draw (cr, SEAM_MARK_DISC, dot->x, dot->y, DOT,
                      dot->fails ? &palette->text : &palette->card,
                      dot->fails ? &palette->text : &palette->dim_text, 1.3);
  }
  seam_paint_text (cr, &palette->text, layout->limit, end + 8,
                   limit + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_START);
  draw_pointer (layout, &figure->selected, FALSE, cr, palette);
  draw_pointer (layout, &figure->focus, TRUE, cr, palette);
  draw_pointer (layout, &figure->hover, FALSE, cr, palette);
}

static gboolean
dots_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const Dot *dot = hit->kind == SEAM_HIT_CELL ? find_dot (figure->layout, hit->row) : NULL;

  if (dot != NULL)
    *rect = (SeamRect){ dot->x - DOT / 2, dot->y - DOT / 2, DOT, DOT };
  return dot != NULL;
}

/* The dot nearest to the pointer along the samples. */
static gboolean
dots_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const Dots *layout = figure->layout;
  const SeamRect *plot = &layout->plot;
  const Dot *nearest = NULL;

  if (x < plot->x || x > plot->x + plot->width || y < TOP || y > figure->height - BOTTOM)
    return FALSE;
  for (gint64 i = 0; i < layout->n; i++)
    if (nearest == NULL || fabs (layout->dots[i].x - x) < fabs (nearest->x - x))
      nearest = &layout->dots[i];
  if (nearest != NULL)
    *hit = (SeamHit){ .kind = SEAM_HIT_CELL, .row = nearest->sample };
  return nearest != NULL;
}

static Dot
read_dot (const SeamSlice *slice, gint64 i, const SeamDifferenceSpec *spec)
{
  double a = slice->a[i], b = seam_slice_get_b (slice, i), bound = seam_slice_get_bound (slice, i);
  double error = fabs (a - b), limit = seam_difference_get_limit (spec, b, bound);

  return (Dot){ .ratio = a == b          ? -1
                         : !(limit > 0)  ? INFINITY
                         : isnan (error) ? INFINITY
                                         : error / limit,
                .sample = slice->first_row + i,
                .fails = seam_element_fails (spec, a, b, bound) };
}

/* Reads the dots; where there are many, the worst of each pixel. */
static void
read_dots (Dots *layout, const SeamSlice *slice, const SeamDifferenceSpec *spec, gint64 n_places)
{
  gint64 n = slice->n_rows;

  if (n <= MOST_DOTS)
    n_places = n;
  layout->dots = seam_keep (layout, g_new (Dot, MAX (n, 1)));
  for (gint64 i = 0, last = -1; i < n; i++) {
    Dot dot = read_dot (slice, i, spec), *kept;
    if (i * n_places / n != last)
      layout->dots[layout->n++] = dot;
    last = i * n_places / n;
    kept = &layout->dots[layout->n - 1];
    if (dot.ratio > kept->ratio)
      *kept = dot;
  }
}

static void
place_dots (Dots *layout, double width, double height)
{
  double low = .5, high = 2, top = TOP;

  for (gint64 i = 0; i < layout->n; i++) {
    double ratio = layout->dots[i].ratio;
    layout->has_odd |= isinf (ratio) != 0;
    if (ratio > 0 && isfinite (ratio)) {
      low = fmin (low, ratio);
      high = fmax (high, ratio);
    }
  }
  top += layout->has_odd ? LANE : 0;
  layout->plot = (SeamRect){ LEFT, top, width - LEFT - RIGHT, height - BOTTOM - LANE - top };
  layout->y =
      seam_axis_log (fmax (pow (10, floor (log10 (low))), 1e-12),
                     fmin (pow (10, ceil (log10 (high))), 1e12), (SeamUnit){ NULL, 1 }, TICKS);
  seam_axis_place_y (&layout->y, layout->plot.y + layout->plot.height, layout->plot.y);
  seam_axis_place_x (&layout->x, LEFT, width - RIGHT);
  for (gint64 i = 0; i < layout->n; i++) {
    Dot *dot = &layout->dots[i];
    dot->x = seam_axis_get_px (&layout->x, (double)dot->sample + .5);
    dot->y = dot->ratio < 0 ? height - BOTTOM - LANE / 2
             : isinf (dot->ratio)
                 ? TOP + LANE / 2
                 : seam_axis_get_px (&layout->y, CLAMP (dot->ratio, layout->y.from, layout->y.to));
  }
}

SeamFigure *
seam_dots_figure_new (const SeamSlice *slice, const SeamSideNames *names,
                      const SeamMapOptions *options)
{
  static const SeamFigureClass dots_class = { .draw = dots_draw,
                                              .pick = dots_pick,
                                              .locate = dots_locate };
  const SeamDifferenceSpec *spec = &options->spec;
  Dots *layout = seam_owner_new (Dots);
  double width = MAX (options->width, 220), height = MAX (options->height, MIN_HEIGHT);
  g_autofree char *error = seam_side_names_format_error (names);
  gint64 n_failing = seam_slice_count_failing (slice, spec, 0, slice->n_rows);

  layout->limit = seam_difference_is_by_bound (spec) ? "bound" : "limit";
  layout->title = "Samples";
  layout->subtitle = seam_keep_printf (layout, "%s as a multiple of the %s", error, layout->limit);
  layout->x = seam_axis_of_elements (slice->first_row, slice->n_rows, TICKS);
  read_dots (layout, slice, spec, (gint64)(width - LEFT - RIGHT));
  place_dots (layout, width, height);
  g_autofree char *failing = seam_text_count (n_failing), *all = seam_text_count (slice->n_rows);
  return seam_figure_new (&dots_class, layout, width, height,
                          g_strdup_printf ("%s of each sample as a multiple of the %s: %s of %s "
                                           "samples %s.",
                                           error, layout->limit, failing, all,
                                           SEAM_OUTSIDE (spec)));
}
