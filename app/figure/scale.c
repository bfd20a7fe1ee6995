/* SPDX-License-Identifier: MIT
 *
 * The scales of the maps: their ranges, ticks and tick texts.
 */
#include "app/figure/scale.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

double
seam_map_scale_position (const SeamMapScale *scale, double difference)
{
  double value = difference / scale->divisor;
  double t;

  if (!(value > scale->low))
    return 0;
  t = log (value / scale->low) / log (scale->high / scale->low);
  return MIN (t, 1.0);
}

/* Smallest (up) or largest (down) number with a short mantissa at or beyond `value`. */
static double
round_end (double value, gboolean up)
{
  static const double mantissas[] = { 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10 };
  double power = pow (10, floor (log10 (value)));
  double factor = value / power;
  double best = up ? 10 : 1;

  for (guint i = 0; i < G_N_ELEMENTS (mantissas); i++) {
    if (up && mantissas[i] >= factor * (1 - 1e-9))
      return mantissas[i] * power;
    if (!up && mantissas[i] <= factor * (1 + 1e-9))
      best = mantissas[i];
  }
  return best * power;
}

/* Difference maps of one run span few decades. A ratio of thirty uses the colours well, and nothing
 * below the tolerance needs one. */
#define SCALE_SPAN 30.0
/* Near zero a small difference is many ULP, so the ULP of one output span more. */
#define ULP_SPAN 1e6

static const char *const unit_names[SEAM_N_UNITS] = {
  [SEAM_UNIT_ABSOLUTE] = "abs",
  [SEAM_UNIT_RELATIVE] = "rel",
  [SEAM_UNIT_ULP] = "ulp",
  [SEAM_UNIT_BOUND] = "bound",
};

SeamMapUnit
seam_map_unit_for (const SeamDifference *difference, SeamMapUnit unit)
{
  gboolean has_bounds =
      difference->shares != NULL && seam_difference_is_by_bound (&difference->spec);

  return unit != SEAM_UNIT_BEST ? unit : has_bounds ? SEAM_UNIT_BOUND : SEAM_UNIT_ABSOLUTE;
}

gboolean
seam_map_unit_parse (const char *text, SeamMapUnit *unit, GError **error)
{
  for (int i = 0; i < SEAM_N_UNITS; i++)
    if (g_ascii_strcasecmp (text, unit_names[i]) == 0) {
      *unit = (SeamMapUnit)i;
      return TRUE;
    }
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "The unit of a map is abs, rel, ulp or bound, not “%s”.", text);
}

/* If the comparison did not count ULP (-1), estimates the largest from the worst elements. */
static double
get_largest_ulps (const SeamDifference *difference)
{
  gint64 most = difference->max_ulps;

  for (int i = 0; i < difference->n_worst && difference->max_ulps < 0; i++)
    most = MAX (most, seam_ulp_distance (difference->worst[i].a, difference->worst[i].b));
  return (double)most;
}

static SeamMapScale
make_ulp_scale (const SeamDifference *difference, SeamMapScale scale)
{
  double largest = get_largest_ulps (difference);

  scale.high = largest > 10 ? round_end (largest, TRUE) : 10;
  scale.low = MAX (1, round_end (scale.high / ULP_SPAN, FALSE));
  return scale;
}

/* Shares of the bound: up to it what is right, from it on what is wrong. */
#define LEAST_SHARE 1e-3
#define MOST_SHARE  1e4

static SeamMapScale
make_bound_scale (const SeamDifference *difference, SeamMapScale scale)
{
  /* What a person's tolerances refuse may be within its bound. */
  const gboolean to_bound = scale.empty || !seam_difference_is_by_bound (&difference->spec);
  const double largest = fmin (difference->max_bound_ratio, MOST_SHARE);

  scale.low = to_bound ? LEAST_SHARE : 1;
  scale.high = largest > 1 ? fmax (10, round_end (largest, TRUE)) : to_bound ? 1 : 10;
  return scale;
}

void
seam_map_get_extremes (const SeamDifference *difference, SeamMapUnit unit, double *largest,
                       double *mean)
{
  gboolean relative = unit == SEAM_UNIT_RELATIVE;

  *largest = isnan (seam_difference_get_largest (difference)) ? NAN
             : relative                                       ? difference->max_rel
                                                              : difference->max_abs;
  *mean = relative ? difference->mean_rel : difference->mean_abs;
  if (unit == SEAM_UNIT_ULP) {
    *largest = difference->max_ulps >= 0 ? (double)difference->max_ulps : NAN;
    *mean = difference->max_ulps >= 0 ? difference->mean_ulps : NAN;
  }
}

char *
seam_map_format_odd (const SeamDifference *difference)
{
  g_autofree char *nan = seam_text_count (difference->n_nan_a + difference->n_nan_b);
  g_autofree char *infinite = seam_text_count (difference->n_infinite_a + difference->n_infinite_b);

  return g_strdup_printf ("%s, %s", nan, infinite);
}

char *
seam_map_format_value (double value)
{
  if (isnan (value))
    return g_strdup (SEAM_DASH);
  if (isfinite (value) && value != 0 && (fabs (value) < 0.01 || fabs (value) >= 1e6))
    return seam_text_scientific (value);
  return seam_text_significant (value, 3);
}

char *
seam_map_format_largest (const SeamDifference *difference, SeamMapUnit unit)
{
  double value = unit == SEAM_UNIT_RELATIVE ? difference->max_rel : difference->max_abs;

  if (unit == SEAM_UNIT_BOUND)
    return seam_agreement_describe_bound (difference);
  if (unit == SEAM_UNIT_ULP) {
    g_autofree char *count = NULL;
    if (difference->max_ulps < 0)
      return NULL;
    count = difference->max_ulps < 100000 ? seam_text_count (difference->max_ulps)
                                          : seam_text_scientific ((double)difference->max_ulps);
    return g_strconcat (count, " ULP", NULL);
  }
  return seam_map_scale_format (value);
}

gboolean
seam_map_describe_agreement (const SeamDifference *difference, SeamMapUnit unit, char **title,
                             char **text)
{
  gboolean is_equal = !(difference->max_abs > 0);
  g_autofree char *count = NULL, *largest = NULL;

  if (difference->n_failing > 0 || difference->n_slices > 0)
    return FALSE;
  if (seam_difference_judge (difference) == SEAM_OUTPUTS_SHOWN_NOTHING) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
    *title = g_strdup (agreement->headline);
    *text = g_strdup (agreement->detail);
    return TRUE;
  }
  count = seam_text_count (difference->n_elements);
  largest = is_equal ? NULL : seam_map_format_largest (difference, unit);
  *title = g_strdup_printf ("All %s elements %s", count, is_equal ? "are equal" : "agree");
  *text = largest == NULL ? g_strdup_printf ("A map of what is %s would be empty.",
                                             SEAM_OUTSIDE (&difference->spec))
          : unit == SEAM_UNIT_BOUND
              ? g_strdup_printf ("At most %s: a map of what is over it would be empty.", largest)
              : g_strdup_printf (
                  "The largest difference, %s, is %s: a map of what is %s would be empty.", largest,
                  SEAM_WITHIN (&difference->spec), SEAM_OUTSIDE (&difference->spec));
  return TRUE;
}

SeamMapScale
seam_map_scale_for (const SeamDifference *difference, SeamMapUnit unit)
{
  gboolean relative = unit == SEAM_UNIT_RELATIVE;
  SeamMapScale scale = { .unit = unit,
                         .divisor = 1,
                         .sampled = difference->n_slices > 0,
                         .empty = difference->n_failing == 0 };
  double largest = difference->max_abs;
  double tolerance = difference->spec.atol;

  if (unit == SEAM_UNIT_ULP)
    return make_ulp_scale (difference, scale);
  if (unit == SEAM_UNIT_BOUND)
    return make_bound_scale (difference, scale);
  if (relative && isfinite (difference->max_abs_b) && difference->max_abs_b > 0)
    scale.divisor = difference->max_abs_b;
  largest /= scale.divisor;
  tolerance /= scale.divisor;

  if (!isfinite (largest) || !(largest > 0)) {
    scale.high = 1;
    scale.low = 1 / SCALE_SPAN;
    return scale;
  }
  scale.high = round_end (largest, TRUE);
  scale.low = round_end (scale.high / SCALE_SPAN, FALSE);
  if (tolerance > scale.low && tolerance < scale.high / 2)
    scale.low = tolerance;
  return scale;
}

SeamMapScale
seam_map_scale_within (const SeamDifference *difference, SeamMapUnit unit)
{
  SeamMapScale scale = seam_map_scale_for (difference, unit);

  if (unit == SEAM_UNIT_BOUND)
    scale.low = LEAST_SHARE;
  if (difference->max_abs > 0 && (scale.empty || unit == SEAM_UNIT_BOUND)) {
    scale.empty = FALSE;
    scale.within = TRUE;
  }
  return scale;
}

int
seam_map_scale_ticks (const SeamMapScale *scale, double *values, int max)
{
  static const double mantissas[] = { 5, 2, 1 };
  double power = pow (10, floor (log10 (scale->high)));
  /* Over many decades, only powers of ten. */
  guint first = scale->high / scale->low > 5e3 ? G_N_ELEMENTS (mantissas) - 1 : 0;
  int n = 0;

  if (max < 2)
    return 0;
  values[n++] = scale->high;
  for (; power * 5 > scale->low && n < max - 1; power /= 10)
    for (guint i = first; i < G_N_ELEMENTS (mantissas) && n < max - 1; i++) {
      double value = mantissas[i] * power;

      /* Ends have labels of their own, with which a tick close to them would collide. */
      if (value < scale->high * .8 && value > scale->low * 1.3)
        values[n++] = value;
    }
  values[n++] = scale->low;
  return n;
}

char *
seam_map_scale_format (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup (SEAM_DASH);
  if (value != 0 && (fabs (value) < .001 || fabs (value) >= 1e5)) {
    /* Ticks are round numbers: "2×10⁻⁸" and "10⁻⁷", not "2.0×10⁻⁸" and "1.0×10⁻⁷". */
    g_autofree char *text = seam_text_scientific (value);
    g_auto (GStrv) parts = g_strsplit (text, ".0" SEAM_TIMES, 2);

    if (g_strv_length (parts) != 2)
      return g_steal_pointer (&text);
    return strcmp (parts[0], "1") == 0 ? g_strdup (parts[1])
                                       : g_strconcat (parts[0], SEAM_TIMES, parts[1], NULL);
  }
  if (fabs (value) >= 1000)
    return seam_text_count ((gint64)llround (value));
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.3g", value));
}
