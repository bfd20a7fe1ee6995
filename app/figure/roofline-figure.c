/* SPDX-License-Identifier: MIT
 *
 * The roofline figure: draws the layout of roofline-layout.c, answers the pointer, and describes
 * the figure in sentences.
 */
#include "app/figure/roofline-figure.h"

#include "app/figure/marks.h"
#include "app/figure/roofline-layout.h"

#include <math.h>

#define HIT_MARGIN 4.0

/* ---- drawing ---- */

/* A bound in force is solid, the cache's thin; a bound of another way to compute is dashed and
 * dim. */
static void
draw_line (const SeamRooflineLine *line, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = line->in_force ? &palette->text : &palette->dim_text;

  if (line->in_force)
    seam_paint_line (cr, color, line->is_cache ? 1.2 : 2, line->x1, line->y1, line->x2, line->y2);
  else
    seam_paint_dashed (cr, color, 1.2, line->x1, line->y1, line->x2, line->y2);
}

static void
draw_line_label (const SeamRooflineLine *line, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = line->in_force ? &palette->text : &palette->dim_text;
  SeamRect plate = { -line->label_width / 2 - 2, -11, line->label_width + 4, 14 };

  cairo_save (cr);
  cairo_translate (cr, line->label_x, line->label_y);
  cairo_rotate (cr, line->label_angle);
  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_text (cr, color, line->label, 0, 0, SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  cairo_restore (cr);
}

/* A: square, B: disc; for L2 bytes a triangle that points up for A and down for B. */
static SeamMark
get_shape (int side, gboolean is_cache)
{
  if (is_cache)
    return side == 0 ? SEAM_MARK_TRIANGLE : SEAM_MARK_TRIANGLE_DOWN;
  return side == 0 ? SEAM_MARK_SQUARE : SEAM_MARK_DISC;
}

/* A halo of card colour separates a mark from lines and other marks. */
static void
draw_mark (cairo_t *cr, const SeamPalette *palette, SeamMark mark, const SeamColor *color, double x,
           double y, double size, gboolean filled)
{
  seam_mark_draw (cr, mark, x, y, size + 3, &palette->card, NULL, 0);
  seam_mark_draw (cr, mark, x, y, size, filled ? color : NULL, color, 2);
}

static const SeamColor *
get_color (const SeamRooflineMark *mark, const SeamPalette *palette)
{
  if (mark->over)
    return &palette->bad;
  return mark->kernel < 0 ? &palette->text : &palette->kinds[mark->op_kind];
}

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  gboolean filled = what == SEAM_ROOFLINE_MEASURED || what == SEAM_ROOFLINE_CACHE;

  draw_mark (cr, palette, get_shape (what == SEAM_ROOFLINE_B, what == SEAM_ROOFLINE_CACHE),
             &palette->dim_text, swatch->x + swatch->width / 2, swatch->y + swatch->height / 2,
             what == SEAM_ROOFLINE_LARGE ? 14 : 9, filled);
}

static void
roofline_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRooflineLayout *layout = figure->layout;

  seam_axis_draw (&layout->x, &layout->plot, "Operations a byte", cr, palette);
  seam_axis_draw (&layout->y, &layout->plot, "Operations a second", cr, palette);
  for (int i = 0; i < layout->n_lines; i++)
    draw_line_label (&layout->lines[i], cr, palette);
  for (int i = 0; i < layout->n_lines; i++)
    draw_line (&layout->lines[i], cr, palette);
  if (layout->has_join)
    seam_paint_line (cr, &palette->accent, 2, layout->join[0], layout->join[1], layout->join[2],
                     layout->join[3]);
  /* Small marks come first, and then plans, so that no plan hides behind a kernel. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = layout->n_marks - 1; i >= 0; i--) {
      const SeamRooflineMark *mark = &layout->marks[i];

      if ((mark->kernel < 0) == (pass == 1))
        draw_mark (cr, palette, get_shape (mark->side, mark->is_cache), get_color (mark, palette),
                   mark->x, mark->y, mark->size, mark->measured);
    }
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamRooflineMark *mark = &layout->marks[i];

    seam_paint_text (cr, mark->over ? &palette->bad : &palette->text, mark->label, mark->label_x,
                     mark->label_y, SEAM_SIZE_AXIS, mark->kernel < 0 ? SEAM_BOLD : SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  seam_legend_draw (&layout->legend, draw_swatch, cr, palette);
}

static const SeamFigureClass roofline_class = {
  .draw = roofline_draw,
};

/* ---- in words ---- */

char *
seam_roofline_describe_point (const SeamRoofline *roofline, const SeamRooflinePoint *point)
{
  GString *text = g_string_new (NULL);
  g_autofree char *rate = seam_text_flop_rate (point->rate);
  g_autofree char *intensity = seam_text_significant (point->intensity, 3);
  g_autofree char *bytes = seam_text_bytes (point->bytes);
  g_autofree char *time = seam_text_time (point->time_ns);
  g_autofree char *bandwidth = seam_text_rate (point->bytes / point->time_ns * 1e9);

  if (point->kernel < 0)
    g_string_append_printf (text, "Plan %c, %s", roofline->letters[point->side], point->label);
  else
    g_string_append_printf (text, "%s of %c", point->label, roofline->letters[point->side]);
  g_string_append_printf (text, ": %s at %s operations a byte; %s (%s%s) in %s are %s.", rate,
                          intensity, bytes, point->measured ? "measured" : "modelled",
                          point->is_cache ? ", through the cache" : "", time, bandwidth);
  if (!isnan (point->attainable)) {
    g_autofree char *percent = seam_text_fixed (100 * point->rate / point->attainable, 0);

    if (point->rate > point->attainable)
      g_string_append_printf (text, " %s %% of the bound: %s.", percent,
                              point->measured ? "a rate is wrong"
                                              : "part of the modelled bytes stayed in the cache, "
                                                "or a rate is wrong");
    else
      g_string_append_printf (text, " %s %% of what is attainable there.", percent);
    if (point->multiplies && point->arithmetic != roofline->mode)
      g_string_append_printf (text, " It was executed in %s, whose bound this is.",
                              roofline->bounds[point->arithmetic].label);
  }
  return g_string_free (text, FALSE);
}

char *
seam_roofline_describe (const SeamRoofline *roofline, const char *rates_source)
{
  GString *text = g_string_new (NULL);
  gboolean has_cache_bound = FALSE, has_cache_point = FALSE, is_counted = FALSE;
  int n_over = 0;

  for (int i = 0; i < roofline->n_points; i++) {
    has_cache_point = has_cache_point || roofline->points[i].is_cache;
    is_counted = is_counted || roofline->points[i].measured;
    n_over += roofline->points[i].rate > roofline->points[i].attainable;
  }
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, "Bounds: %s.", rates_source);
  else
    g_string_append (text, "The rates of this device are not known, so there are no bounds.");
  for (int i = 0; i < roofline->n_bounds; i++)
    has_cache_bound = has_cache_bound || roofline->bounds[i].is_cache;
  if (!has_cache_bound)
    g_string_append (text, " The bound of the last-level cache is drawn once this device is "
                           "calibrated.");
  else if (!has_cache_point)
    g_string_append (text, " The bytes that the last-level cache moved are not known: no point "
                           "stands against its bound.");
  if (!is_counted && roofline->n_points > 0 && roofline->mode != roofline->fp32)
    g_string_append (text, " Without counters bytes are modelled, and every kernel is compared "
                           "with the bound of the math mode.");
  g_string_append (text, " All operations: those of the matrix product (FLOP in other tables), and "
                         "1 an element for an elementwise op, clamp 2, sigmoid 4, groupnorm 8.");
  if (n_over > 0)
    g_string_append_printf (text,
                            " %d %s above the bound (red): modelled bytes that stayed in the "
                            "cache, or a rate that is wrong.",
                            n_over, n_over == 1 ? "point lies" : "points lie");
  if (roofline->n_left_out > 0)
    g_string_append_printf (text, " %d %s bytes or operations are not known.", roofline->n_left_out,
                            roofline->n_left_out == 1 ? "kernel has no place here: its"
                                                      : "kernels have no place here: their");
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_roofline_figure_new (const SeamRoofline *roofline, double width, double height)
{
  SeamRooflineLayout *layout = seam_roofline_layout_new (roofline, width, height);
  SeamFigure *figure =
      seam_figure_new (&roofline_class, layout, layout->width, layout->height, NULL);
  GString *summary = g_string_new ("Roofline:");
  int n_kernels = 0;

  for (int i = 0; i < roofline->n_points; i++) {
    n_kernels += roofline->points[i].kernel >= 0 && !roofline->points[i].is_cache;
    if (roofline->points[i].kernel < 0) {
      g_autofree char *sentence = seam_roofline_describe_point (roofline, &roofline->points[i]);

      g_string_append_printf (summary, " %s", sentence);
    }
  }
  g_string_append_printf (summary, " %d kernel%s.", n_kernels, n_kernels == 1 ? "" : "s");
  figure->summary = g_string_free (summary, FALSE);
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamRooflineMark *mark = &layout->marks[i];
    double size = mark->size + 2 * HIT_MARGIN;
    SeamHit hit = {
      .kind = SEAM_HIT_SAMPLE, .plan = mark->side, .index = mark->kernel + 1, .row = mark->is_cache
    };

    seam_figure_add_spot (figure, hit,
                          (SeamRect){ mark->x - size / 2, mark->y - size / 2, size, size }, 5);
  }
  return figure;
}
