/* SPDX-License-Identifier: MIT
 *
 * The legend that overview and slice share, and the legend of values: the scale with its ticks, and
 * the entries for cells without a colour and cells that are not finite.
 */
#include "app/figure/map-common.h"

#include "app/base/text.h"
#include "app/figure/legend.h"

#include <math.h>

#define BAR_X     2.0
#define BAR_WIDTH 18.0
#define BAR_TOP   44.0
#define BAR_MIN   60.0
#define MIN_WIDTH 90.0
#define STROKE    5.0
#define TEXT_GAP  9.0
#define SWATCHES  12.0 /* under the bar */

typedef enum { SWATCH_AGREES, SWATCH_NOT_FINITE, SWATCH_NOT_LOOKED } Swatch;

typedef struct {
  const char *title, *unit;
  SeamAxis axis; /* no ticks: nothing has a colour */
  SeamRect bar;
  SeamLegend legend;
} Layout;

static const char *const unit_titles[SEAM_N_UNITS] = {
  [SEAM_UNIT_ABSOLUTE] = "absolute",
  [SEAM_UNIT_RELATIVE] = "of largest", /* |A| */
  [SEAM_UNIT_ULP] = "in ULP of FP32",
  [SEAM_UNIT_BOUND] = "over its bound",
};

static const char *const unit_words[SEAM_N_UNITS] = {
  [SEAM_UNIT_ABSOLUTE] = "absolute",
  [SEAM_UNIT_RELATIVE] = "relative to the largest", /* |A| */
  [SEAM_UNIT_ULP] = "in units in the last place of FP32",
  [SEAM_UNIT_BOUND] = "over the bound of each element",
};

/* The words of the unit, with the side compared with if they refer to it. */
static char *
name_unit (const SeamMapScale *scale, const SeamSideNames *names, const char *const *words)
{
  return scale->unit == SEAM_UNIT_RELATIVE
             ? g_strdup_printf ("%s |%s|", words[scale->unit], names->against)
             : g_strdup (words[scale->unit]);
}

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  if (what == SWATCH_NOT_FINITE) {
    seam_paint_box (cr, swatch, 0, &palette->nan, NULL, 0);
    seam_map_draw_cross (cr, palette, swatch->x + swatch->width / 2, swatch->y + swatch->height / 2,
                         7);
    return;
  }
  seam_paint_box (cr, swatch, 0, &palette->card, &palette->dim_text, 1);
  if (what == SWATCH_NOT_LOOKED)
    seam_paint_hatch (cr, palette, swatch);
}

static void
legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Layout *layout = figure->layout;
  double right = layout->bar.x + layout->bar.width;

  seam_paint_text (cr, &palette->text, layout->title, 0, 12, 12.5, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, layout->unit, 0, 28, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  if (layout->axis.n_ticks > 0)
    seam_legend_draw_bar (&layout->axis, &layout->bar, FALSE, cr);
  for (int i = 0; i < layout->axis.n_ticks; i++) {
    const SeamTick *tick = &layout->axis.ticks[i];
    double y = floor (tick->px) + .5;

    if (*tick->text == '\0')
      continue;
    seam_paint_line (cr, &palette->dim_text, 1, right, y, right + STROKE, y);
    seam_paint_text (cr, &palette->text, tick->text, right + TEXT_GAP,
                     y + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  seam_legend_draw (&layout->legend, draw_swatch, cr, palette);
}

static const SeamFigureClass legend_class = { .draw = legend_draw };

/* Takes the layout and the summary. */
static SeamFigure *
make_figure (Layout *layout, double width, double height, char *summary)
{
  double foot;

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  seam_legend_add (&layout->legend, SWATCH_NOT_FINITE, BAR_WIDTH, "NaN or ∞");
  seam_legend_place (&layout->legend, BAR_X, 0, 0);
  foot = SWATCHES + layout->legend.area.height;
  height = fmax (height, BAR_TOP + BAR_MIN + foot);
  layout->bar = (SeamRect){ BAR_X, BAR_TOP, BAR_WIDTH, height - BAR_TOP - foot };
  seam_axis_place_y (&layout->axis, layout->bar.y + layout->bar.height, layout->bar.y);
  /* If no cell is coloured, there is no scale to show. */
  seam_legend_place (&layout->legend, BAR_X,
                     layout->axis.n_ticks > 0 ? height - layout->legend.area.height : BAR_TOP - 4,
                     0);
  return seam_figure_new (&legend_class, layout, fmax (width, MIN_WIDTH), height, summary);
}

SeamFigure *
seam_map_legend_figure_new (const SeamMapScale *scale, const SeamSideNames *names, double width,
                            double height)
{
  Layout *layout = seam_owner_new (Layout);
  g_autofree char *low = seam_map_scale_format (scale->low);
  g_autofree char *high = seam_map_scale_format (scale->high);
  g_autofree char *unit = name_unit (scale, names, unit_words);
  const char *sampled = scale->sampled ? " Hatched parts were not looked at." : "";
  char *summary;

  layout->title = seam_keep (layout, seam_side_names_format_error (names));
  layout->unit = seam_keep (layout, name_unit (scale, names, unit_titles));
  if (scale->empty) {
    summary = g_strdup_printf ("No element is over its limit, so none has a colour.%s", sampled);
  } else {
    summary =
        g_strdup_printf ("Colour scale of %s, %s, logarithmic from %s to %s; %s have no "
                         "colour.%s",
                         layout->title, unit, low, high,
                         scale->within ? "equal elements" : "elements within their limit", sampled);
    layout->axis = seam_axis_of_scale (scale, (SeamUnit){ NULL, 1 });
    /* The last colour also stands for all smaller values. */
    for (int i = 0; i < layout->axis.n_ticks; i++) {
      SeamTick *tick = &layout->axis.ticks[i];
      if (scale->unit == SEAM_UNIT_BOUND && tick->value == 1)
        g_strlcpy (tick->text, "1 bound", sizeof tick->text);
      else if (tick->value <= scale->low)
        g_snprintf (tick->text, sizeof tick->text, "≤ %s", low);
    }
  }
  seam_legend_add (&layout->legend, SWATCH_AGREES, BAR_WIDTH, scale->within ? "equal" : "agrees");
  if (scale->sampled)
    seam_legend_add (&layout->legend, SWATCH_NOT_LOOKED, BAR_WIDTH, "not looked at");
  return make_figure (layout, width, height, summary);
}

SeamFigure *
seam_value_legend_figure_new (double low, double high, double width, double height)
{
  Layout *layout = seam_owner_new (Layout);
  g_autofree char *from = seam_text_significant (low, 3);
  g_autofree char *to = seam_text_significant (high, 3);

  layout->title = "Values";
  layout->unit = "one scale for both";
  layout->axis = seam_axis_between (low, high, (SeamUnit){ NULL, 1 }, 5);
  return make_figure (
      layout, width, height,
      g_strdup_printf ("Colour scale of the values of both sides, linear from %s to %s.", from,
                       to));
}
