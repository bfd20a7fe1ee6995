/* SPDX-License-Identifier: MIT
 *
 * The bandwidth curve: draws the layout of bandwidth-layout.c, answers the pointer, and says the
 * same in sentences.
 */
#include "app/figure/bandwidth.h"

#include "app/figure/bandwidth-layout.h"
#include "app/figure/paint.h"

#include <math.h>

#define MARK_RADIUS 3.5

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

static const SeamFigureClass bandwidth_class = {
  .draw = bandwidth_draw,
  .free_layout = (GDestroyNotify)seam_bandwidth_layout_free,
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
