/* SPDX-License-Identifier: MIT
 *
 * The element under the pointer: see difference-reading.h.
 */
#include "ui/difference/difference-reading.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

/* Of a value; values of FP32 that differ do so in nine digits. */
#define LEAST_DIGITS 4
#define MOST_DIGITS  9

/* -- Reading ----------------------------------------------------------------------------------- */

int
seam_difference_find_pointed (SeamDifferenceNavigator *navigator)
{
  SeamDifferenceSubject *subject = seam_difference_navigator_get_subject (navigator);
  const SeamDifference *difference =
      seam_difference_source_get_difference (seam_difference_subject_get_source (subject));
  const SeamDifferencePlace *place = seam_difference_navigator_get_place (navigator);
  SeamDifferenceElement element = { seam_difference_navigator_get_sample (navigator),
                                    seam_difference_navigator_get_channel (navigator),
                                    seam_difference_navigator_get_depth (navigator), place->row,
                                    place->column };
  gint64 index =
      seam_difference_shape_get_index (seam_difference_subject_get_shape (subject), &element);

  if (difference == NULL || place->row < 0)
    return -1;
  for (int i = 0; i < difference->n_worst; i++)
    if (difference->worst[i].index == index)
      return i;
  return -1;
}

/* For the worst elements the values are known without a slice, and for an FP64 reference to the
 * last digit. */
static gboolean
find_values (SeamDifferenceNavigator *navigator, SeamDifferenceSource *source,
             const SeamDifferenceShape *shape, SeamDifferenceReading *reading)
{
  const SeamDifference *difference = seam_difference_source_get_difference (source);
  const SeamSlice *slice = seam_difference_source_get_slice (source);
  int worst = seam_difference_find_pointed (navigator);
  gint64 row, column;

  if (worst >= 0) {
    reading->tested = difference->worst[worst].a;
    reading->against = difference->worst[worst].b;
    reading->bound = difference->worst[worst].bound;
    return TRUE;
  }
  if (slice == NULL || reading->row < 0
      || !seam_difference_shape_is_of (shape, slice, reading->sample, reading->channel,
                                       seam_difference_navigator_get_depth (navigator)))
    return FALSE;
  row = reading->row - seam_difference_shape_get_row (shape, slice);
  column = reading->column - slice->first_column;
  if (row < 0 || row >= slice->n_rows || column < 0 || column >= slice->n_columns)
    return FALSE;
  reading->bound = seam_slice_get_bound (slice, row * slice->n_columns + column);
  reading->tested = slice->a[row * slice->n_columns + column];
  reading->against = seam_slice_get_b (slice, row * slice->n_columns + column);
  return TRUE;
}

static gint64
find_group (const SeamDifferenceShape *shape, const SeamDifferenceReading *reading)
{
  gint64 channel = reading->has_planes ? reading->channel : reading->column;

  if (shape->n_groups < 2)
    return -1;
  return channel < 0 ? 0 : channel / (shape->columns / shape->n_groups);
}

/* Fills in the difference and the limit by which both values are judged. */
static void
judge (SeamDifferenceReading *reading, SeamDifferenceSubject *subject,
       const SeamDifference *difference)
{
  const SeamDifferenceSpec spec = seam_difference_subject_get_limits (subject);
  double divisor = 1;

  if (reading->unit == SEAM_UNIT_RELATIVE && difference != NULL && difference->max_abs_b > 0)
    divisor = difference->max_abs_b;
  reading->difference = fabs (reading->tested - reading->against) / divisor;
  reading->limit = seam_difference_get_limit (&spec, reading->against, reading->bound) / divisor;
  reading->by_bound = seam_difference_is_by_bound (&spec);
  reading->fails = seam_element_fails (&spec, reading->tested, reading->against, reading->bound);
  reading->verdict = reading->fails ? SEAM_OUTSIDE (&spec) : SEAM_WITHIN (&spec);
}

SeamDifferenceReading
seam_difference_reading_take (SeamDifferenceNavigator *navigator, SeamMapUnit unit)
{
  SeamDifferenceSubject *subject = seam_difference_navigator_get_subject (navigator);
  SeamDifferenceSource *source = seam_difference_subject_get_source (subject);
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (subject);
  const SeamDifferencePlace *place = seam_difference_navigator_get_place (navigator);
  SeamDifferenceReading reading = {
    .has_planes = seam_difference_shape_has_planes (shape),
    .sample = seam_difference_navigator_get_sample (navigator),
    .channel = seam_difference_navigator_get_channel (navigator),
    .row = place->row,
    .column = place->column,
    .names = seam_difference_subject_get_names (subject),
    .unit = unit,
  };

  SeamDifferenceElement element = { reading.sample, reading.channel,
                                    seam_difference_navigator_get_depth (navigator),
                                    MAX (place->row, 0), MAX (place->column, 0) };
  reading.n_axes = seam_difference_find_place (
      &shape->spec, seam_difference_shape_get_index (shape, &element), reading.axes);
  reading.group = find_group (shape, &reading);
  reading.has_values = find_values (navigator, source, shape, &reading);
  if (reading.has_values)
    judge (&reading, subject, seam_difference_source_get_difference (source));
  return reading;
}

/* -- Writing ----------------------------------------------------------------------------------- */

static char *
format_value (double value, int digits)
{
  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value < 0 ? SEAM_MINUS "∞" : "∞");
  return seam_text_significant (value, digits);
}

void
seam_difference_reading_format_values (const SeamDifferenceReading *reading, char **against,
                                       char **tested)
{
  for (int digits = LEAST_DIGITS;; digits++) {
    *against = format_value (reading->against, digits);
    *tested = format_value (reading->tested, digits);
    if (digits == MOST_DIGITS || strcmp (*against, *tested) != 0 || !(reading->difference > 0))
      return;
    g_free (*against);
    g_free (*tested);
  }
}

static char *
format_ulps (double a, double b)
{
  gint64 n_ulps = seam_ulp_distance (a, b);

  return n_ulps >= 0 ? seam_text_count (n_ulps) : NULL;
}

char *
seam_difference_reading_format_difference (const SeamDifferenceReading *reading)
{
  double difference = reading->difference;
  gboolean is_relative = reading->unit == SEAM_UNIT_RELATIVE;

  if (!reading->has_values)
    return NULL;
  if (reading->unit == SEAM_UNIT_ULP)
    return format_ulps (reading->against, reading->tested);
  return isfinite (difference) && (is_relative || (difference > 0 && difference < 0.001))
             ? seam_text_scientific (difference)
             : format_value (difference, LEAST_DIGITS);
}

/* In ULP: the number of steps between the value of `against` and the last one within the limit. */
char *
seam_difference_reading_format_limit (const SeamDifferenceReading *reading)
{
  double limit = reading->limit;

  if (!reading->has_values)
    return NULL;
  if (reading->unit == SEAM_UNIT_ULP)
    return format_ulps (reading->against, reading->against + copysign (limit, reading->against));
  return limit < 0.001 ? seam_text_scientific (limit) : seam_text_significant (limit, 2);
}

/* Without a limit, or without numbers, there is no ratio. */
char *
seam_difference_reading_format_ratio (const SeamDifferenceReading *reading)
{
  gboolean has_limit = reading->has_values && reading->limit > 0;
  double ratio = has_limit ? reading->difference / reading->limit : NAN;

  if (!isfinite (ratio))
    return reading->fails ? g_strdup ("fails") : NULL;
  g_autofree char *number = seam_text_times (ratio);
  return g_strdup_printf ("%s %s %s", number, SEAM_TIMES, reading->by_bound ? "bound" : "limit");
}

char *
seam_difference_reading_describe (const SeamDifferenceReading *reading)
{
  g_autoptr (GString) where = g_string_new (NULL);
  g_autofree char *tested = NULL, *against = NULL, *difference = NULL;

  if (reading->row < 0)
    return g_strdup ("No element is pointed at.");
  for (int i = 0; i < reading->n_axes; i++) {
    g_autofree char *at = seam_text_count (reading->axes[i].at);
    g_string_append_printf (where, "%s%s %s", i > 0 ? ", " : "", reading->axes[i].name, at);
  }
  where->str[0] = g_ascii_toupper (where->str[0]);
  if (!reading->has_values)
    return g_strdup_printf ("%s.", where->str);
  seam_difference_reading_format_values (reading, &against, &tested);
  difference = format_value (fabs (reading->tested - reading->against), LEAST_DIGITS);
  return g_strdup_printf ("%s: %s %s, %s %s, difference %s, %s.", where->str,
                          reading->names.against, against, reading->names.tested, tested,
                          difference, reading->verdict);
}
