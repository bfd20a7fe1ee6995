/* SPDX-License-Identifier: MIT
 *
 * Draws the histogram of errors and errors over magnitudes: see numbers.h. All scales are
 * logarithmic: errors span ten orders of magnitude, counts eight.
 */
#include "app/figure/numbers.h"

#include "app/base/text.h"
#include "app/figure/axis.h"

#include <math.h>

#define MIN_WIDTH     450.0
#define PLOT_HEIGHT   230.0
#define TOP           28.0
#define BOTTOM        42.0
#define LEFT          52.0
#define MAP_LEFT      62.0
#define MAP_SHARE     .42 /* of the plots' width */
#define GAP           28.0
#define ZERO_WIDTH    10.0
#define ZERO_GAP      6.0
#define MAX_TICKS     6
#define FIRST_BIN     2  /* the first with a lower limit */
#define ONE_BIN       41 /* errors from 1 to 2 */
#define REASON_HEIGHT 44.0
#define DEPTH_SHARE   .3 /* of the plots' width */
#define THREE_WIDTH   860.0
#define NUMBER_WIDTH  24.0 /* of a depth */

/* Elements by size: bin 0 has equal pairs, each other bin a power of two. */
typedef struct {
  gint64 counts[SEAM_HISTOGRAM_ERRORS], largest;
  int first, last; /* bins that are drawn, without that of zeros */
  int offset;      /* from bin numbers to log2 */
} Histogram;

typedef struct {
  SeamDifference *difference;
  SeamSideNames names;
  Histogram errors, shown; /* the bars are `shown`: the errors in the unit */
  SeamMapUnit unit;
  int first_magnitude, last_magnitude; /* magnitude bins that are drawn */
  gboolean any_error;                  /* some finite elements are not equal */
} Numbers;

const char *
seam_numbers_get_reason (const SeamDifference *difference)
{
  if (difference->histogram != NULL && difference->n_worst >= 0)
    return NULL;
  return "This comparison was recorded by a version that neither counted errors by size nor kept "
         "the worst elements. Run it again to see both.";
}

/* The bar of the equal ones stands left of the scale; its tick takes the place of one beside it. */
static void
add_zero_tick (SeamAxis *errors, double px)
{
  double half = seam_paint_measure ("0", SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;

  for (int i = 0; i < errors->n_ticks; i++) {
    SeamTick *tick = &errors->ticks[i];
    if (tick->px - tick->width / 2 < px + half + ZERO_GAP)
      *tick->text = '\0';
  }
  seam_axis_add_tick (errors, seam_axis_get_value (errors, px), "0");
}

/* Counts are logarithmic; a single element is seen, too. */
static SeamAxis
make_count_axis (const Histogram *histogram)
{
  double most = ceil (log10 ((double)MAX (histogram->largest, 10)));

  return seam_axis_log (pow (10, -.3), pow (10, most), (SeamUnit){ NULL, 1 }, MAX_TICKS);
}

static SeamAxis
make_error_axis (const Histogram *histogram)
{
  return seam_axis_log (exp2 (histogram->first - histogram->offset),
                        exp2 (histogram->last + 1 - histogram->offset), (SeamUnit){ NULL, 1 },
                        MAX_TICKS);
}

static void
draw_title (cairo_t *cr, const SeamPalette *palette, const char *title, const char *note, double x,
            double y)
{
  double width = seam_paint_measure (title, SEAM_SIZE_LABEL, SEAM_BOLD);

  seam_paint_text (cr, &palette->text, title, x, y, SEAM_SIZE_LABEL, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, note, x + width + 10, y, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

static void
draw_bars (const Numbers *numbers, cairo_t *cr, const SeamPalette *palette, const SeamRect *area)
{
  const Histogram *histogram = &numbers->shown;
  const gboolean by_bound = seam_difference_is_by_bound (&numbers->difference->spec);
  /* In ULP the tolerance depends on the magnitude, so there is no line for it. */
  double limit = numbers->unit == SEAM_UNIT_BOUND             ? 1
                 : numbers->unit == SEAM_UNIT_ULP || by_bound ? 0
                                                              : numbers->difference->spec.atol,
         x = area->x + ZERO_WIDTH + ZERO_GAP;
  double width = area->width - ZERO_WIDTH - ZERO_GAP, foot = area->y + area->height;
  double bin = width / (histogram->last + 1 - histogram->first);
  SeamAxis errors = make_error_axis (histogram), counts = make_count_axis (histogram);

  seam_axis_place_x (&errors, x, x + width);
  if (histogram->counts[0] > 0)
    add_zero_tick (&errors, area->x + ZERO_WIDTH / 2);
  seam_axis_place_y (&counts, foot, area->y);
  seam_axis_draw_grid (&counts, area, cr, palette);
  seam_axis_draw_numbers (&counts, area, cr, palette);
  for (int i = 0; i < SEAM_HISTOGRAM_ERRORS; i++) {
    double height = foot - seam_axis_get_px (&counts, (double)MAX (1, histogram->counts[i]));
    SeamRect bar = { x + (i - histogram->first) * bin + .5, foot - height, MAX (bin - 1, 1),
                     height };
    if (histogram->counts[i] == 0)
      continue;
    if (i == 0)
      bar = (SeamRect){ area->x, foot - height, ZERO_WIDTH, height };
    seam_paint_box (cr, &bar, 0,
                    i == 0 || (by_bound && numbers->difference->n_failing == 0)
                            || (limit > 0 && seam_histogram_get_error_start (i) < limit)
                        ? &palette->glyph
                        : &palette->selection,
                    NULL, 0);
  }
  seam_axis_draw_strokes (&errors, area, cr, palette);
  seam_axis_draw_numbers (&errors, area, cr, palette);
  seam_paint_line (cr, &palette->dim_text, 1, area->x, foot + .5, area->x + area->width, foot + .5);
  if (limit > 0) {
    double at = floor (seam_axis_get_px (&errors, CLAMP (limit, errors.from, errors.to))) + .5;
    seam_paint_dashed (cr, &palette->text, 1.5, at, area->y - 4, at, foot);
  }
  const SeamSideNames *names = &numbers->names;
  g_autofree char *error = seam_side_names_format_error (names);
  g_autofree char *axis =
      numbers->unit == SEAM_UNIT_ULP ? g_strdup_printf (
          "ULP of FP32 between %s and %s; 0: equal in FP32", names->against, names->tested)
      : numbers->unit == SEAM_UNIT_BOUND
          ? g_strconcat (error, " over its bound, dashed: 1; 0: exactly equal", NULL)
          : g_strconcat (error, limit > 0 ? ", dashed: atol" : "", "; 0: exactly equal", NULL);
  /* The title stands in the middle of the plot and may not leave it. */
  gboolean fits = seam_paint_measure (axis, SEAM_SIZE_AXIS, SEAM_REGULAR) <= area->width + LEFT;
  seam_axis_draw_title (&errors, area,
                        fits                               ? axis
                        : numbers->unit == SEAM_UNIT_ULP   ? "ULP of FP32"
                        : numbers->unit == SEAM_UNIT_BOUND ? "error over bound, dashed: 1"
                                                           : error,
                        cr, palette);
}

static void
draw_map (const Numbers *numbers, cairo_t *cr, const SeamPalette *palette, const SeamRect *area)
{
  const Histogram *errors = &numbers->errors;
  int n_columns = numbers->last_magnitude + 1 - numbers->first_magnitude;
  int n_rows = errors->last + 1 - errors->first;
  double width = area->width / n_columns, height = area->height / n_rows;
  double foot = area->y + area->height, scale = log10 ((double)MAX (errors->largest, 2));
  SeamAxis x = { .to = n_columns }, y = make_error_axis (errors);

  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++) {
      gint64 count =
          numbers->difference->histogram[(errors->first + row) * SEAM_HISTOGRAM_MAGNITUDES
                                         + numbers->first_magnitude + column];
      SeamColor color = seam_palette_viridis (CLAMP (log10 ((double)MAX (count, 1)) / scale, 0, 1));
      SeamRect cell = { area->x + column * width, foot - (row + 1) * height, width, height };
      if (count > 0)
        seam_paint_box (cr, &cell, 0, &color, NULL, 0);
    }
  seam_paint_box (cr, area, 0, NULL, &palette->border, 1);
  for (int i = 0; i <= n_columns; i++) {
    int every = 1 + (int)(56 / width), bin = numbers->first_magnitude + i;
    g_autofree char *text = NULL;
    if (i % every != 0 || bin >= SEAM_HISTOGRAM_MAGNITUDES)
      continue;
    text = bin < 1   ? g_strdup ("0")
           : bin < 5 ? seam_text_scientific (seam_histogram_get_magnitude_start (bin))
                     : seam_text_significant (seam_histogram_get_magnitude_start (bin), 2);
    seam_axis_add_tick (&x, i, text);
  }
  g_autofree char *axis = g_strdup_printf ("|%s|", numbers->names.against);
  seam_axis_place_x (&x, area->x, area->x + area->width);
  seam_axis_place_y (&y, foot, area->y);
  seam_axis_draw_numbers (&x, area, cr, palette);
  seam_axis_draw_numbers (&y, area, cr, palette);
  seam_axis_draw_title (&x, area, axis, cr, palette);
}

char *
seam_numbers_format_value (double value)
{
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "−∞");
  if (isnan (value))
    return g_strdup ("NaN");
  return value != 0 && fabs (value) < .001 ? seam_text_scientific (value)
                                           : seam_text_significant (value, 4);
}

/* The plot right of the bars, number `i` of `n`. */
static void
place_plots (double width, double height, gboolean by_depth, SeamRect *bars, SeamRect *depth,
             SeamRect *map)
{
  const gboolean has_map = !by_depth || width >= THREE_WIDTH;
  double map_width = has_map ? floor (width * (by_depth ? DEPTH_SHARE : MAP_SHARE)) : 0;
  double depth_width = by_depth ? floor (width * (has_map ? DEPTH_SHARE : MAP_SHARE)) : 0;

  *map = (SeamRect){ width - map_width + MAP_LEFT, TOP, map_width - MAP_LEFT - 14,
                     height - TOP - BOTTOM };
  *depth = (SeamRect){ width - map_width - depth_width + LEFT, TOP,
                       depth_width - LEFT - (has_map ? GAP : 14), height - TOP - BOTTOM };
  *bars =
      (SeamRect){ LEFT, TOP, width - map_width - depth_width - LEFT - GAP, height - TOP - BOTTOM };
}

static gboolean
has_depths (const SeamDifference *difference)
{
  return difference->depth_shares != NULL && difference->spec.depth > 1;
}

static void
draw_depths (const SeamDifference *difference, cairo_t *cr, const SeamPalette *palette,
             const SeamRect *area)
{
  const gint64 n = difference->spec.depth;
  const gint64 every = (gint64)ceil ((double)n * NUMBER_WIDTH / area->width);
  double step = area->width / (double)n, foot = area->y + area->height;
  double most = 0;

  for (gint64 i = 0; i < n; i++)
    most = fmax (most, 100 * difference->depth_shares[i]);
  SeamAxis x = { .to = (double)n }, y = seam_axis_from_zero (most, (SeamUnit){ NULL, 1 }, 4);

  for (gint64 i = 0; i < n; i += every) {
    g_autofree char *text = seam_text_count (i);
    seam_axis_add_tick (&x, (double)i + .5, text);
  }
  seam_axis_place_x (&x, area->x, area->x + area->width);
  seam_axis_place_y (&y, foot, area->y);
  seam_axis_draw_grid (&y, area, cr, palette);
  seam_axis_draw_numbers (&y, area, cr, palette);
  for (gint64 i = 0; i < n; i++) {
    double share = difference->depth_shares[i];
    double height = share > 0 ? fmax (100 * share / y.to * area->height, 1) : 0;
    double width = fmax (step - fmin (step * .3, 6), fmin (step, 1));
    SeamRect bar = { area->x + ((double)i + .5) * step - width / 2, foot - height, width, height };
    if (height > 0)
      seam_paint_box (cr, &bar, 0, &palette->selection, NULL, 0);
  }
  seam_paint_line (cr, &palette->dim_text, 1, area->x, foot + .5, area->x + area->width, foot + .5);
  seam_axis_draw_numbers (&x, area, cr, palette);
  seam_axis_draw_title (&x, area, "depth", cr, palette);
}

static void
numbers_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Numbers *numbers = figure->layout;
  const char *reason = seam_numbers_get_reason (numbers->difference);
  const gboolean by_depth = has_depths (numbers->difference);
  SeamRect bars, depth, map;

  place_plots (figure->width, figure->height, by_depth, &bars, &depth, &map);
  if (reason != NULL) {
    draw_title (cr, palette, "Errors by size", "", 0, 14);
    seam_paint_paragraph (cr, &palette->dim_text, reason, 0, 20, figure->width, SEAM_SIZE_AXIS,
                          SEAM_REGULAR, FALSE, 1);
    return;
  }
  draw_title (cr, palette, "Errors by size",
              by_depth ? "elements" : "elements in each power of two", 0, 14);
  draw_bars (numbers, cr, palette, &bars);
  if (by_depth) {
    draw_title (cr, palette, "By depth", "elements that fail, %", depth.x - LEFT + 14, 14);
    draw_depths (numbers->difference, cr, palette, &depth);
  }
  if (map.width <= 0)
    return;
  /* Equal elements have no place in the map, which would be an empty box. */
  draw_title (cr, palette, "Against magnitude",
              numbers->any_error                    ? "brighter: more"
              : numbers->difference->n_failing == 0 ? "none: all are equal"
                                                    : "none differs, or NaN",
              map.x - MAP_LEFT + 14, 14);
  if (numbers->any_error)
    draw_map (numbers, cr, palette, &map);
}

static char *
summarize (const Numbers *numbers)
{
  const char *reason = seam_numbers_get_reason (numbers->difference);
  g_autofree char *zeros = NULL, *a = NULL, *b = NULL, *ulps = NULL;
  SeamWorstRow row;

  if (reason != NULL)
    return g_strdup (reason);
  zeros = seam_text_count (numbers->errors.counts[0]);
  if (numbers->difference->n_worst == 0)
    return g_strdup_printf ("All finite elements are equal (%s).", zeros);
  seam_difference_get_worst (numbers->difference, 0, &row);
  a = seam_numbers_format_value (row.b);
  b = seam_numbers_format_value (row.a);
  ulps = row.n_ulps >= 0 ? seam_text_count (row.n_ulps) : g_strdup ("an unknown number of");
  return g_strdup_printf (
      "%s elements are exactly equal. The worst element has %s %s and %s %s, %s units in the last "
      "place of FP32 apart; %d are listed.",
      zeros, numbers->names.against, a, numbers->names.tested, b, ulps,
      numbers->difference->n_worst);
}

static void
add_to_bin (Histogram *histogram, int bin, gint64 count)
{
  histogram->counts[bin] += count;
  histogram->largest = MAX (histogram->largest, histogram->counts[bin]);
  if (bin == 0 || count == 0)
    return;
  histogram->first = MIN (histogram->first, bin);
  histogram->last = MAX (histogram->last, bin);
}

/* Sums up over magnitudes, and finds the bins with elements; a range around the limit of the unit
 * is always shown. */
static void
count_bins (Numbers *numbers)
{
  const SeamDifference *difference = numbers->difference;
  const gint64 *in_unit = numbers->unit == SEAM_UNIT_BOUND ? difference->histogram_shares
                          : numbers->unit == SEAM_UNIT_ULP ? difference->histogram_ulps
                                                           : NULL;
  double atol = difference->spec.atol;
  int around = seam_histogram_get_error_bin (atol > 0 ? atol : fmax (difference->max_abs, 0x1p-38));

  numbers->errors = (Histogram){ .first = MAX (around - 3, FIRST_BIN - 1),
                                 .last = MIN (around + 3, SEAM_HISTOGRAM_ERRORS - 1),
                                 .offset = ONE_BIN };
  numbers->first_magnitude = SEAM_HISTOGRAM_MAGNITUDES;
  for (int i = 0; i < SEAM_HISTOGRAM_BINS; i++) {
    gint64 count = difference->histogram[i];
    int magnitude = i % SEAM_HISTOGRAM_MAGNITUDES;
    if (count == 0)
      continue;
    add_to_bin (&numbers->errors, i / SEAM_HISTOGRAM_MAGNITUDES, count);
    numbers->any_error = numbers->any_error || i >= SEAM_HISTOGRAM_MAGNITUDES;
    numbers->first_magnitude = MIN (numbers->first_magnitude, magnitude);
    numbers->last_magnitude = MAX (numbers->last_magnitude, magnitude);
  }
  if (numbers->first_magnitude > numbers->last_magnitude)
    numbers->first_magnitude = numbers->last_magnitude = 8;
  numbers->shown =
      in_unit == NULL ? numbers->errors
      : numbers->unit == SEAM_UNIT_ULP
          ? (Histogram){ .first = 1, .last = 7, .offset = 1 }
          : (Histogram){ .first = ONE_BIN - 3, .last = ONE_BIN + 3, .offset = ONE_BIN };
  int n_bins = numbers->unit == SEAM_UNIT_ULP ? SEAM_HISTOGRAM_ULPS : SEAM_HISTOGRAM_ERRORS;
  for (int i = 0; in_unit != NULL && i < n_bins; i++)
    add_to_bin (&numbers->shown, i, in_unit[i]);
}

SeamFigure *
seam_numbers_figure_new (const SeamDifference *difference, const SeamSideNames *names,
                         SeamMapUnit unit, double width, double height)
{
  static const SeamFigureClass numbers_class = { .draw = numbers_draw };
  gboolean is_counted = seam_numbers_get_reason (difference) == NULL;
  Numbers *numbers = seam_owner_new (Numbers);

  numbers->difference =
      seam_keep_full (numbers, seam_record_dup (&seam_difference_type, difference),
                      (GDestroyNotify)seam_difference_free);
  numbers->names = *names;
  /* What was not counted has the histogram of the errors. */
  numbers->unit = (unit == SEAM_UNIT_ULP && difference->histogram_ulps != NULL)
                          || (unit == SEAM_UNIT_BOUND && difference->histogram_shares != NULL)
                      ? unit
                      : SEAM_UNIT_ABSOLUTE;
  if (is_counted)
    count_bins (numbers);
  SeamFigure *figure =
      seam_figure_new (&numbers_class, numbers, MAX (width, MIN_WIDTH),
                       is_counted ? MAX (PLOT_HEIGHT, height) : REASON_HEIGHT, summarize (numbers));
  if (is_counted && has_depths (difference)) {
    SeamRect bars, depth, map;
    place_plots (figure->width, figure->height, TRUE, &bars, &depth, &map);
    double step = depth.width / (double)difference->spec.depth;
    for (gint64 i = 0; i < difference->spec.depth; i++)
      seam_figure_add_row (
          figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = (int)i },
          (SeamRect){ depth.x + (double)i * step, depth.y, step, depth.height + BOTTOM / 2 });
  }
  return figure;
}
