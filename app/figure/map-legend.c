/* SPDX-License-Identifier: MIT
 *
 * The legend that overview and slice share: the scale with its ticks, what has no colour, what is
 * not a number.
 */
#include "app/figure/map-common.h"

#include "app/base/text.h"
#include "app/figure/paint.h"

#include <math.h>

#define BAR_X     2.0
#define BAR_WIDTH 18.0
#define BAR_TOP   44.0
#define FOOT      70.0
#define FOOT_ROW  22.0 /* more, for what was not looked at */
#define MAX_TICKS 12
#define TICK_ROW  16.0 /* px between two labels at least */

typedef struct {
  SeamFigure base;
  SeamMapScale scale;
  SeamSideNames names;
  double atol;
} Legend;

static const char *const unit_titles[SEAM_N_UNITS] = {
  [SEAM_UNIT_ABSOLUTE] = "absolute",
  [SEAM_UNIT_RELATIVE] = "of largest", /* |A| */
  [SEAM_UNIT_ULP] = "in ULP of FP32",
};

static const char *const unit_words[SEAM_N_UNITS] = {
  [SEAM_UNIT_ABSOLUTE] = "absolute",
  [SEAM_UNIT_RELATIVE] = "relative to the largest", /* |A| */
  [SEAM_UNIT_ULP] = "in units in the last place of FP32",
};

/* The words of the unit, with the trusted side where they are of it. */
static char *
name_unit (const Legend *legend, const char *const *words)
{
  SeamMapUnit unit = legend->scale.unit;

  return unit == SEAM_UNIT_RELATIVE
             ? g_strdup_printf ("%s |%s|", words[unit], legend->names.trusted)
             : g_strdup (words[unit]);
}

static double
get_bar_height (const Legend *legend)
{
  return legend->base.height - BAR_TOP - FOOT - (legend->scale.sampled ? FOOT_ROW : 0);
}

static double
get_y (const Legend *legend, double value)
{
  double height = get_bar_height (legend);
  double t = log (value / legend->scale.low) / log (legend->scale.high / legend->scale.low);

  return BAR_TOP + height * (1 - CLAMP (t, 0, 1));
}

static void
draw_ticks (const Legend *legend, cairo_t *cr, const SeamPalette *palette)
{
  double values[MAX_TICKS], last_y = -INFINITY;
  int n = seam_map_scale_ticks (&legend->scale, values, MAX_TICKS);
  double low_y = get_y (legend, legend->scale.low);

  for (int i = 0; i < n; i++) {
    double y = get_y (legend, values[i]);
    gboolean last = i == n - 1;
    g_autofree char *number = seam_map_scale_format (values[i]);
    g_autofree char *text = last ? g_strdup_printf ("≤ %s", number) : g_strdup (number);

    if (!last && (y < last_y + TICK_ROW || (i > 0 && y > low_y - TICK_ROW)))
      continue;
    seam_paint_line (cr, &palette->dim_text, 1, BAR_X + BAR_WIDTH, floor (y) + .5,
                     BAR_X + BAR_WIDTH + 5, floor (y) + .5);
    seam_paint_text (cr, &palette->text, text, BAR_X + BAR_WIDTH + 9,
                     y + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_START);
    last_y = y;
  }
}

static void
draw_gradient (cairo_t *cr, const SeamRect *bar)
{
  cairo_pattern_t *gradient = cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y);

  for (int i = 0; i <= 10; i++) {
    SeamColor color = seam_palette_viridis (i / 10.0);

    cairo_pattern_add_color_stop_rgb (gradient, i / 10.0, color.r, color.g, color.b);
  }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  cairo_pattern_destroy (gradient);
}

static void
draw_scale (const Legend *legend, cairo_t *cr, const SeamPalette *palette, const SeamRect *bar)
{
  draw_gradient (cr, bar);
  draw_ticks (legend, cr, palette);
}

static void
legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Legend *legend = (Legend *)figure;
  double height = get_bar_height (legend), y = BAR_TOP + height;
  SeamRect bar = { BAR_X, BAR_TOP, BAR_WIDTH, height }, swatch;
  g_autofree char *title = seam_side_names_format_error (&legend->names);
  g_autofree char *unit = name_unit (legend, unit_titles);

  seam_paint_text (cr, &palette->text, title, 0, 12, 12.5, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, unit, 0, 28, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  /* Where nothing is coloured a scale would be made up. */
  if (legend->scale.empty)
    y = BAR_TOP - 18;
  else
    draw_scale (legend, cr, palette, &bar);

  swatch = (SeamRect){ BAR_X, y + 18, BAR_WIDTH, 12 };
  seam_paint_box (cr, &swatch, 0, &palette->card, &palette->dim_text, 1);
  seam_paint_text (cr, &palette->text, "agrees", BAR_X + BAR_WIDTH + 9, y + 28, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  swatch.y += 22;
  seam_paint_box (cr, &swatch, 0, &palette->nan, NULL, 0);
  seam_map_draw_cross (cr, palette, swatch.x + swatch.width / 2, swatch.y + swatch.height / 2, 7);
  seam_paint_text (cr, &palette->text, "NaN or ∞", BAR_X + BAR_WIDTH + 9, y + 50, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  if (!legend->scale.sampled)
    return;
  swatch.y += FOOT_ROW;
  seam_paint_box (cr, &swatch, 0, &palette->card, &palette->dim_text, 1);
  seam_paint_hatch (cr, palette, &swatch);
  seam_paint_text (cr, &palette->text, "not looked at", BAR_X + BAR_WIDTH + 9, y + 50 + FOOT_ROW,
                   SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
}

static char *
legend_summarize (SeamFigure *figure)
{
  Legend *legend = (Legend *)figure;
  g_autofree char *low = seam_map_scale_format (legend->scale.low);
  g_autofree char *high = seam_map_scale_format (legend->scale.high);

  g_autofree char *title = seam_side_names_format_error (&legend->names);
  g_autofree char *unit = name_unit (legend, unit_words);
  const char *sampled = legend->scale.sampled ? " Hatched parts were not looked at." : "";

  if (legend->scale.empty)
    return g_strdup_printf ("No element is outside tolerance, so none has a colour.%s", sampled);
  return g_strdup_printf ("Colour scale of %s, %s, logarithmic from %s to %s; elements within "
                          "tolerance have no colour.%s",
                          title, unit, low, high, sampled);
}

static const SeamFigureClass legend_class = {
  .draw = legend_draw,
  .summarize = legend_summarize,
};

SeamFigure *
seam_map_legend_figure_new (const SeamMapScale *scale, const SeamSideNames *names, double atol,
                            double width, double height)
{
  Legend *legend = g_new0 (Legend, 1);

  legend->base.klass = &legend_class;
  legend->base.width = MAX (width, 90);
  legend->base.height = MAX (height, BAR_TOP + FOOT + 60 + (scale->sampled ? FOOT_ROW : 0));
  legend->scale = *scale;
  legend->names = *names;
  legend->atol = atol;
  return &legend->base;
}

/* ---- values of both sides ---- */

typedef struct {
  SeamFigure base;
  double low, high;
} ValueLegend;

static void
value_legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const ValueLegend *legend = (const ValueLegend *)figure;
  SeamRect bar = { BAR_X, BAR_TOP, BAR_WIDTH, figure->height - BAR_TOP - FOOT }, swatch;
  SeamAxis axis = seam_axis_around (legend->low, legend->high, 5);

  seam_paint_text (cr, &palette->text, "Values", 0, 12, 12.5, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, "one scale for both", 0, 28, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  draw_gradient (cr, &bar);
  for (int i = 0; i < axis.n_ticks; i++) {
    double value = seam_axis_get_value (&axis, i);
    double y = bar.y + bar.height * (1 - (value - legend->low) / (legend->high - legend->low));
    g_autofree char *text = seam_text_fixed (value, axis.decimals);

    if (y < bar.y || y > bar.y + bar.height)
      continue;
    seam_paint_line (cr, &palette->dim_text, 1, BAR_X + BAR_WIDTH, floor (y) + .5,
                     BAR_X + BAR_WIDTH + 5, floor (y) + .5);
    seam_paint_text (cr, &palette->text, text, BAR_X + BAR_WIDTH + 9,
                     y + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  swatch = (SeamRect){ BAR_X, bar.y + bar.height + 18, BAR_WIDTH, 12 };
  seam_paint_box (cr, &swatch, 0, &palette->nan, NULL, 0);
  seam_map_draw_cross (cr, palette, swatch.x + swatch.width / 2, swatch.y + swatch.height / 2, 7);
  seam_paint_text (cr, &palette->text, "NaN or ∞", BAR_X + BAR_WIDTH + 9, swatch.y + 10,
                   SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
}

static char *
value_legend_summarize (SeamFigure *figure)
{
  const ValueLegend *legend = (const ValueLegend *)figure;
  g_autofree char *low = seam_text_significant (legend->low, 3);
  g_autofree char *high = seam_text_significant (legend->high, 3);

  return g_strdup_printf ("Colour scale of the values of both sides, linear from %s to %s.", low,
                          high);
}

static const SeamFigureClass value_legend_class = {
  .draw = value_legend_draw,
  .summarize = value_legend_summarize,
};

SeamFigure *
seam_value_legend_figure_new (double low, double high, double width, double height)
{
  ValueLegend *legend = g_new0 (ValueLegend, 1);

  legend->base.klass = &value_legend_class;
  legend->base.width = MAX (width, 90);
  legend->base.height = MAX (height, BAR_TOP + FOOT + 60);
  legend->low = low;
  legend->high = high;
  return &legend->base;
}
