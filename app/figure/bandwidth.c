/* SPDX-License-Identifier: MIT
 *
 * The bandwidth curve: draws the layout of bandwidth-layout.c, answers the pointer, and says the
 * same in sentences.
 */
#include "app/figure/bandwidth.h"

#include "app/figure/axis.h"
#include "app/figure/bandwidth-layout.h"
#include "app/figure/paint.h"

#include <math.h>

#define MARK_RADIUS 3.5
#define HIT_RADIUS  9.0

typedef struct {
  SeamFigure base;
  SeamBandwidthLayout *layout;
  char *summary;
} Bandwidth;

static void
draw_axes (const SeamBandwidthLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *plot = &layout->plot;
  double bottom = plot->y + plot->height;
  g_autofree char *y_title = g_strdup_printf ("Read bandwidth (%s)", layout->unit.name);
  g_autofree char *x_title = g_strdup_printf ("Working set (%s)", layout->size.name);

  for (int i = 0; i < layout->n_y; i++) {
    double y = layout->y_ticks[i].position;

    seam_axis_draw_grid_y (cr, palette, y, plot->x, plot->x + plot->width);
    seam_axis_draw_y_number (cr, palette, layout->y_ticks[i].text, plot->x - 7, floor (y) + .5);
  }
  for (int i = 0; i < layout->n_x; i++) {
    double x = layout->x_ticks[i].position;

    seam_axis_draw_grid_x (cr, palette, x, plot->y, bottom);
    seam_axis_draw_x_number (cr, palette, layout->x_ticks[i].text, floor (x) + .5, bottom + 16);
  }
  seam_axis_draw_titles (cr, palette, plot, x_title, y_title);
}

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
  double width = seam_paint_measure (level->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  SeamRect plate = { level->label_x - 3, level->label_y - 12, width + 6, 16 };

  seam_paint_dashed (cr, &palette->text, 1.2, level->x1, level->y, level->x2, level->y);
  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_text (cr, &palette->text, level->label, level->label_x, level->label_y, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
}

static SeamRect
get_hit_rect (const SeamBandwidthMark *mark)
{
  return (SeamRect){ mark->x - HIT_RADIUS, mark->y - HIT_RADIUS, 2 * HIT_RADIUS, 2 * HIT_RADIUS };
}

static SeamHit
make_hit (int index)
{
  return (SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = index };
}

static void
draw_curve (const SeamBandwidthLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  seam_palette_set_source (cr, &palette->kinds[SEAM_KIND_MATRIX]);
  cairo_set_line_width (cr, 1.8);
  cairo_new_path (cr);
  for (int i = 0; i < layout->n_marks; i++)
    cairo_line_to (cr, layout->marks[i].x, layout->marks[i].y);
  cairo_stroke (cr);
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamBandwidthMark *mark = &layout->marks[i];

    if (!isnan (mark->low_y) && !isnan (mark->high_y))
      seam_paint_line (cr, &palette->text, 1.2, mark->x, mark->low_y, mark->x, mark->high_y);
    cairo_new_path (cr);
    cairo_arc (cr, mark->x, mark->y, MARK_RADIUS, 0, 2 * G_PI);
    seam_palette_set_source (cr, &palette->card);
    cairo_fill_preserve (cr);
    seam_palette_set_source (cr, &palette->kinds[SEAM_KIND_MATRIX]);
    cairo_set_line_width (cr, 1.8);
    cairo_stroke (cr);
  }
}

static void
bandwidth_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamBandwidthLayout *layout = ((Bandwidth *)figure)->layout;

  draw_axes (layout, cr, palette);
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
  draw_curve (layout, cr, palette);
  for (int i = 0; i < layout->n_marks; i++) {
    SeamHit hit = make_hit (i);
    SeamRect rect = get_hit_rect (&layout->marks[i]);

    if (seam_hit_equal (&figure->hover, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &rect, HIT_RADIUS);
    if (seam_hit_equal (&figure->focus, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &rect, HIT_RADIUS);
  }
}

/* The nearest mark: at small widths they are close together. */
static gboolean
bandwidth_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamBandwidthLayout *layout = ((Bandwidth *)figure)->layout;
  double nearest = HIT_RADIUS;

  for (int i = 0; i < layout->n_marks; i++) {
    double distance = hypot (x - layout->marks[i].x, y - layout->marks[i].y);

    if (distance <= nearest) {
      nearest = distance;
      *hit = make_hit (i);
    }
  }
  return hit->kind == SEAM_HIT_SAMPLE;
}

static gboolean
bandwidth_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamBandwidthLayout *layout = ((Bandwidth *)figure)->layout;

  if (hit->kind != SEAM_HIT_SAMPLE || hit->index < 0 || hit->index >= layout->n_marks)
    return FALSE;
  *rect = get_hit_rect (&layout->marks[hit->index]);
  return TRUE;
}

static char *
bandwidth_summarize (SeamFigure *figure)
{
  return g_strdup (((Bandwidth *)figure)->summary);
}

static void
bandwidth_finalize (SeamFigure *figure)
{
  Bandwidth *self = (Bandwidth *)figure;

  seam_bandwidth_layout_free (self->layout);
  g_free (self->summary);
}

static const SeamFigureClass bandwidth_class = {
  .draw = bandwidth_draw,
  .pick = bandwidth_pick,
  .locate = bandwidth_locate,
  .summarize = bandwidth_summarize,
  .finalize = bandwidth_finalize,
};

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
  Bandwidth *self = g_new0 (Bandwidth, 1);
  g_autofree char *words = seam_calibration_describe_knee (calibration);

  self->base.klass = &bandwidth_class;
  self->layout = seam_bandwidth_layout_new (calibration, width, height);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  self->summary = g_strdup_printf ("Read bandwidth over the working set, %d sizes. %s",
                                   calibration->n_points, words);
  return &self->base;
}
