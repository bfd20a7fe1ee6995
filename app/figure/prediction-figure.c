/* SPDX-License-Identifier: MIT
 *
 * Three rows of marks over the bars of two plans, on the axis of the bars. What is covered is not
 * in the layout at all.
 */
#include "app/figure/prediction-figure.h"

#include "app/base/text.h"
#include "app/figure/bars-layout.h"
#include "app/figure/cover.h"

#include <math.h>

#define MARKS_TOP   17.0 /* below the names of the bands */
#define ROW_HEIGHT  26.0
#define COVER_INSET 2.0
#define BARS_GAP    8.0
#define MARK_SIZE   15.0
#define DISC_SIZE   13.0
#define LABEL_SIZE  13.5
#define GAP         12.0 /* between a mark and its label */
#define MAX_BANDS   4
#define WIDEST      2.0 /* of the axis, in times of plan A */

typedef enum { ROW_YOURS, ROW_GUESS, ROW_MEASURED, N_ROWS } RowKind;

static const char *const row_titles[N_ROWS] = { "Your prediction", "Model’s guess", "Measured" };
static const SeamValueMark row_marks[N_ROWS] = { SEAM_VALUE_PREDICTED, SEAM_VALUE_GUESSED,
                                                 SEAM_VALUE_MEASURED };

typedef struct {
  double y; /* middle */
  double x; /* of the mark, on the axis; NaN: none */
  gboolean beyond;
  double low_x, high_x;      /* interval; NaN: none */
  const char *label, *words; /* NULL: none */
  double label_x, words_x;   /* starts */
  const char *cover;         /* NULL: none */
} Row;

/* The part of the axis where a prediction has some number of points. */
typedef struct {
  int points;
  double x1, x2;
} Band;

typedef struct {
  double bars_y;
  SeamRect plot; /* of the marks */
  Row rows[N_ROWS];
  int n_bands;
  Band bands[MAX_BANDS]; /* the widest first */
  SeamBarsLayout *bars;
} Prediction;

/* ---- layout ---- */

static gboolean
is_known (const SeamPlanResult *plan)
{
  return plan->n_samples > 0 && plan->median_ns > 0 && isfinite (plan->median_ns);
}

/* Label and words beside the mark, where they stay in the figure and do not lie on the line from
 * the mark to the measured value at `other_x` (NaN: none). */
static void
place_texts (const Prediction *prediction, Row *row, double other_x)
{
  double left = fmin (fmin (row->x, row->low_x), other_x); /* fmin() ignores NaN */
  double right = fmax (fmax (row->x, row->high_x), other_x);
  double label = seam_paint_measure (row->label, LABEL_SIZE, SEAM_BOLD);
  double words =
      row->words != NULL ? seam_paint_measure (row->words, SEAM_SIZE_AXIS, SEAM_REGULAR) : 0;
  double between = words > 0 ? 8 : 0, both = label + between + words;
  double start = prediction->plot.x, end = prediction->bars->width;

  left -= GAP;
  right += GAP + (row->beyond ? MARK_SIZE / 2 : 0);
  if (row->x < other_x && left - label >= start && right + words <= end) {
    row->label_x = left - label;
    row->words_x = right;
    return;
  }
  row->label_x = right + both <= end ? right : fmax (start, left - both);
  row->words_x = row->label_x + label + between;
}

static void
place_mark (Prediction *prediction, Row *row, double ns)
{
  const SeamAxis *axis = &prediction->bars->axis;

  row->beyond = ns > axis->to;
  row->x = seam_axis_get_px (axis, fmin (ns, axis->to));
  row->label = seam_keep (prediction, seam_unit_format (axis->unit, ns, 3));
}

static void
place_interval (const Prediction *prediction, Row *row, double low, double high)
{
  const SeamAxis *axis = &prediction->bars->axis;

  if (!isfinite (low) || !isfinite (high) || low > axis->to)
    return;
  row->low_x = seam_axis_get_px (axis, fmax (low, 0));
  row->high_x = seam_axis_get_px (axis, fmin (high, axis->to));
}

static void
place_bands (Prediction *prediction, const SeamPredictionOptions *options,
             const SeamPlanResult *plan)
{
  const SeamAxis *axis = &prediction->bars->axis;
  double low = isfinite (plan->ci_low_ns) ? plan->ci_low_ns : plan->median_ns;
  double high = isfinite (plan->ci_high_ns) ? plan->ci_high_ns : plan->median_ns;

  prediction->n_bands = options->bands != NULL ? CLAMP (options->n_bands, 0, MAX_BANDS) : 0;
  for (int i = 0; i < prediction->n_bands; i++) {
    double ratio = options->bands[prediction->n_bands - 1 - i];
    Band *band = &prediction->bands[i];

    band->points = i + 1;
    band->x1 = seam_axis_get_px (axis, fmin (low / ratio, axis->to));
    band->x2 = seam_axis_get_px (axis, fmin (high * ratio, axis->to));
  }
}

static void
place_yours (Prediction *prediction, const SeamPredictionOptions *options, double measured_x)
{
  Row *row = &prediction->rows[ROW_YOURS];

  if (!(options->yours_ns > 0))
    return;
  place_mark (prediction, row, options->yours_ns);
  row->words = options->covered ? "drag it, or type"
                                : seam_keep (prediction, g_strdup (options->yours_words));
  place_texts (prediction, row, measured_x);
}

static void
place_revealed (Prediction *prediction, const SeamPredictionOptions *options,
                const SeamPlanResult *plan)
{
  Row *guess = &prediction->rows[ROW_GUESS], *measured = &prediction->rows[ROW_MEASURED];

  if (options->guess_ns > 0) {
    place_mark (prediction, guess, options->guess_ns);
    place_interval (prediction, guess, options->guess_low_ns, options->guess_high_ns);
    guess->words = seam_keep (prediction, g_strdup (options->guess_words));
    place_texts (prediction, guess, NAN);
  }
  if (!is_known (plan))
    return;
  place_mark (prediction, measured, plan->median_ns);
  place_interval (prediction, measured, plan->ci_low_ns, plan->ci_high_ns);
  if (isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns)) {
    double scale = prediction->bars->axis.unit.scale;
    g_autofree char *low = seam_text_significant (plan->ci_low_ns / scale, 3);
    g_autofree char *high = seam_text_significant (plan->ci_high_ns / scale, 3);

    measured->words = seam_keep_printf (prediction, "95 %% interval %s to %s", low, high);
  }
  place_texts (prediction, measured, NAN);
  place_bands (prediction, options, plan);
}

static void
cover_rows (Prediction *prediction, const SeamPredictionOptions *options)
{
  const char *note = options->cover_note;

  prediction->rows[ROW_GUESS].cover = options->guess_ns > 0
                                          ? "covered: the model has made its guess already"
                                          : "covered: the model’s guess";
  prediction->rows[ROW_MEASURED].cover =
      note != NULL ? seam_keep (prediction, g_strdup (note)) : "covered: what was measured";
}

static double
get_least (const SeamPredictionOptions *options, const SeamResult *result)
{
  const SeamPlanResult *a = &result->plans[options->a];

  if (!(options->range_ns > 0))
    return 0;
  return is_known (a) ? fmin (options->range_ns, WIDEST * a->median_ns) : options->range_ns;
}

static Prediction *
layout_new (const SeamPredictionOptions *options, const SeamResult *result)
{
  Prediction *prediction = seam_owner_new (Prediction);
  const SeamPlanResult *b = &result->plans[options->b];
  const int plans[] = { options->a, options->b };
  g_autofree char *cover = g_strdup_printf ("covered: plan %c’s kernels and its time",
                                            seam_plan_get_letter (options->b));
  SeamBarsOptions bars = {
    .width = options->width,
    .least_ns = get_least (options, result),
    .cover = !options->covered             ? NULL
             : options->cover_note != NULL ? options->cover_note
                                           : cover,
    .steady = TRUE,
  };
  double measured_x = NAN;

  prediction->bars =
      seam_keep_full (prediction, seam_bars_layout_new (result, plans, 2, &bars), seam_owner_free);
  prediction->plot = (SeamRect){ prediction->bars->plot.x, MARKS_TOP, prediction->bars->plot.width,
                                 N_ROWS * ROW_HEIGHT };
  prediction->bars_y = MARKS_TOP + N_ROWS * ROW_HEIGHT + BARS_GAP;
  for (int i = 0; i < N_ROWS; i++) {
    Row *row = &prediction->rows[i];

    row->y = MARKS_TOP + (i + .5) * ROW_HEIGHT;
    row->x = row->low_x = row->high_x = NAN;
  }
  if (options->covered) {
    cover_rows (prediction, options);
  } else {
    place_revealed (prediction, options, b);
    measured_x = prediction->rows[ROW_MEASURED].x;
  }
  place_yours (prediction, options, measured_x);
  return prediction;
}

/* ---- drawing ---- */

static char *
name_points (int points)
{
  return g_strdup_printf ("%d point%s", points, points == 1 ? "" : "s");
}

static void
draw_bracket (const SeamRect *rect, cairo_t *cr, const SeamPalette *palette)
{
  double foot = rect->y + rect->height;

  for (int side = 0; side < 2; side++) {
    double x = rect->x + side * rect->width, inwards = side == 0 ? 5 : -5;

    seam_paint_line (cr, &palette->text, 2, x, rect->y, x, foot);
    seam_paint_line (cr, &palette->text, 2, x, rect->y, x + inwards, rect->y);
    seam_paint_line (cr, &palette->text, 2, x, foot, x + inwards, foot);
  }
}

/* The name of a band, centred between x1 and x2 if it fits there. */
static void
draw_band_name (const Band *band, double x1, double x2, cairo_t *cr, const SeamPalette *palette)
{
  g_autofree char *name = name_points (band->points);

  if (seam_paint_measure (name, SEAM_SIZE_SMALL, SEAM_REGULAR) + 4 > x2 - x1)
    return;
  seam_paint_text (cr, &palette->dim_text, name, (x1 + x2) / 2, MARKS_TOP - 5, SEAM_SIZE_SMALL,
                   SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
}

static void
draw_bands (const Prediction *prediction, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; i < prediction->n_bands; i++) {
    const Band *band = &prediction->bands[i], *inner = band + 1;
    SeamRect rect = { band->x1, prediction->plot.y, band->x2 - band->x1, prediction->plot.height };
    gboolean best = i == prediction->n_bands - 1;

    if (palette->high_contrast)
      draw_bracket (&rect, cr, palette);
    else
      seam_paint_box (cr, &rect, 0, best ? &palette->selection_fill : &palette->soft, NULL, 0);
    if (best) {
      g_autofree char *name = name_points (band->points);
      double half = seam_paint_measure (name, SEAM_SIZE_SMALL, SEAM_REGULAR) / 2 + 2;
      double middle = (band->x1 + band->x2) / 2;

      /* The best band is named even if it is narrower than its name. */
      draw_band_name (band, middle - half - 3, middle + half + 3, cr, palette);
    } else {
      draw_band_name (band, band->x1, inner->x1, cr, palette);
      draw_band_name (band, inner->x2, band->x2, cr, palette);
    }
  }
}

static void
draw_row (const Prediction *prediction, RowKind kind, cairo_t *cr, const SeamPalette *palette)
{
  const Row *row = &prediction->rows[kind];
  const SeamRect *plot = &prediction->plot;
  double measured_x = prediction->rows[ROW_MEASURED].x;
  double baseline = row->y + SEAM_BASELINE (LABEL_SIZE);

  seam_paint_text (cr, &palette->text, row_titles[kind], 0, row->y + SEAM_BASELINE (12.5), 12.5,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  if (row->cover != NULL) {
    SeamRect cover = { plot->x, row->y - ROW_HEIGHT / 2 + COVER_INSET, plot->width,
                       ROW_HEIGHT - 2 * COVER_INSET };

    seam_cover_draw (cr, palette, &cover, row->cover, SEAM_COVER_TEXT);
    return;
  }
  if (isnan (row->x)) {
    seam_paint_text (cr, &palette->dim_text, row->words, plot->x + 8, baseline, SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_START);
    return;
  }
  if (kind == ROW_YOURS && isfinite (measured_x))
    seam_paint_line (cr, &palette->dim_text, 1.4, row->x, row->y, measured_x, row->y);
  seam_mark_draw_interval (cr, &palette->text, 1.6, row->low_x, row->y,
                           fmax (row->high_x, row->low_x + .1), row->y, 4);
  if (row->beyond)
    seam_value_mark_draw_beyond (cr, palette, row_marks[kind], plot->x + plot->width, row->y,
                                 MARK_SIZE);
  else
    seam_value_mark_draw (cr, palette, row_marks[kind], row->x, row->y,
                          kind == ROW_MEASURED ? DISC_SIZE : MARK_SIZE);
  seam_paint_text (cr, &palette->text, row->label, row->label_x, baseline, LABEL_SIZE, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, row->words, row->words_x, baseline, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
prediction_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Prediction *prediction = figure->layout;
  const SeamBarRow *bar = &prediction->bars->rows[1];
  const Row *measured = &prediction->rows[ROW_MEASURED];

  seam_axis_draw_grid (&prediction->bars->axis, &prediction->plot, cr, palette);
  draw_bands (prediction, cr, palette);
  /* Below the bars, so that it crosses none of their texts. */
  if (isfinite (measured->x) && !measured->beyond)
    seam_paint_dashed (cr, &palette->text, 1.6, measured->x, measured->y + DISC_SIZE / 2,
                       measured->x, prediction->bars_y + bar->y + prediction->bars->bar_height);
  cairo_save (cr);
  cairo_translate (cr, 0, prediction->bars_y);
  seam_bars_layout_draw (prediction->bars, cr, palette);
  cairo_restore (cr);
  for (int i = 0; i < N_ROWS; i++)
    draw_row (prediction, i, cr, palette);
}

/* ---- words ---- */

static char *
summarize (const Prediction *prediction, const SeamResult *result)
{
  static const char *const sentences[N_ROWS] = { "You predicted", "The model guessed",
                                                 "Measured:" };
  GString *text = g_string_new (NULL);
  g_autofree char *bars = seam_bars_layout_summarize (result, prediction->bars);

  for (int i = 0; i < N_ROWS; i++) {
    const Row *row = &prediction->rows[i];

    if (row->cover != NULL)
      g_string_append_printf (text, "%s %s. ", row_titles[i], row->cover);
    else if (row->label != NULL && i == ROW_YOURS && prediction->rows[ROW_MEASURED].cover != NULL)
      g_string_append_printf (text, "%s %s. ", sentences[i], row->label);
    else if (row->label != NULL)
      g_string_append_printf (text, "%s %s%s%s. ", sentences[i], row->label,
                              row->words != NULL ? ", " : "", row->words != NULL ? row->words : "");
    else if (row->words != NULL)
      g_string_append_printf (text, "%s. ", row->words);
  }
  g_string_append (text, bars);
  return g_string_free (text, FALSE);
}

static const SeamFigureClass prediction_class = { .draw = prediction_draw };

SeamFigure *
seam_prediction_figure_new (const SeamPredictionOptions *given)
{
  SeamPredictionOptions options = *given;
  g_autoptr (SeamResult) none = NULL;
  SeamFigure *figure;
  Prediction *prediction;

  /* Before the first run there are two plans of which nothing is known. */
  if (options.result == NULL) {
    options.result = none = seam_result_new (2);
    options.a = 0;
    options.b = 1;
  }
  prediction = layout_new (&options, options.result);
  if (isnan (prediction->rows[ROW_YOURS].x))
    prediction->rows[ROW_YOURS].words = options.looked    ? "You looked first"
                                        : options.covered ? "none yet"
                                                          : "none";
  figure = seam_figure_new (&prediction_class, prediction, prediction->bars->width,
                            ceil (prediction->bars_y + prediction->bars->height),
                            summarize (prediction, options.result));
  for (int i = 0; i < N_ROWS; i++)
    if (isfinite (prediction->rows[i].x))
      seam_figure_add_point (figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = i },
                             prediction->rows[i].x, prediction->rows[i].y);
  seam_bars_layout_add_spots (prediction->bars, figure, prediction->bars_y);
  return figure;
}

double
seam_prediction_figure_get_time (SeamFigure *figure, double x)
{
  const Prediction *prediction = figure->layout;
  const SeamRect *plot = &prediction->plot;

  if (x < plot->x || x > plot->x + plot->width)
    return NAN;
  return seam_axis_get_value (&prediction->bars->axis, x);
}
