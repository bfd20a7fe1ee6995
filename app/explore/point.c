/* SPDX-License-Identifier: MIT
 *
 * The life of a point, what it takes from a result, and its way between processes.
 */
#include "app/explore/point.h"

#include "app/compare/compare.h"
#include "app/result/variant.h"

#include <math.h>
#include <string.h>

const char *
seam_point_state_get_name (SeamPointState state)
{
  static const char *const names[SEAM_N_POINT_STATES] = {
    [SEAM_POINT_PENDING] = "pending",
    [SEAM_POINT_MEASURED] = "measured",
    [SEAM_POINT_IMPOSSIBLE] = "impossible",
    [SEAM_POINT_FAILED] = "failed",
  };

  return (guint)state < SEAM_N_POINT_STATES ? names[state] : names[SEAM_POINT_PENDING];
}

void
seam_point_init (SeamPoint *point)
{
  *point = (SeamPoint){
    .bytes = NAN,
    .flop = NAN,
    .full_rate_ns = NAN,
    .floor_ns = NAN,
    .n_kernels_expected = -1,
    .median_ns = NAN,
    .ci_low_ns = NAN,
    .ci_high_ns = NAN,
    .reference_ns = NAN,
    .kernels_sum_ns = NAN,
    .span_ns = NAN,
    .n_kernels = -1,
    .max_abs = NAN,
    .max_error_ratio = NAN,
    .stable = TRUE,
  };
}

void
seam_point_clear (SeamPoint *point)
{
  g_free (point->shape);
  g_free (point->plan);
  g_free (point->notation);
  g_free (point->message);
  g_free (point->executed);
  g_free (point->measured_at);
  seam_point_init (point);
}

static void
copy_text (char **to, const char *from)
{
  g_free (*to);
  *to = g_strdup (from);
}

void
seam_point_copy_measured (SeamPoint *point, const SeamPoint *from)
{
  point->state = from->state;
  copy_text (&point->message, from->message);
  point->median_ns = from->median_ns;
  point->ci_low_ns = from->ci_low_ns;
  point->ci_high_ns = from->ci_high_ns;
  point->n_samples = from->n_samples;
  point->reference_ns = from->reference_ns;
  point->kernels_sum_ns = from->kernels_sum_ns;
  point->span_ns = from->span_ns;
  point->n_kernels = from->n_kernels;
  point->max_abs = from->max_abs;
  point->max_error_ratio = from->max_error_ratio;
  point->n_failing = from->n_failing;
  point->stable = from->stable;
  copy_text (&point->executed, from->executed);
  copy_text (&point->measured_at, from->measured_at);
}

void
seam_point_measure (SeamPoint *point, const SeamResult *result, int index, int reference)
{
  const SeamPlanResult *plan = &result->plans[index];
  const SeamDifference *difference = plan->difference;

  copy_text (&point->message, plan->message);
  if (plan->n_samples < 1)
    return;
  point->state = SEAM_POINT_MEASURED;
  point->median_ns = plan->median_ns;
  point->ci_low_ns = plan->ci_low_ns;
  point->ci_high_ns = plan->ci_high_ns;
  point->n_samples = plan->n_samples;
  point->reference_ns = result->plans[reference].median_ns;
  point->kernels_sum_ns = plan->kernels_sum_median_ns;
  point->span_ns = plan->span_median_ns;
  point->n_kernels = plan->n_kernels;
  point->max_abs = difference != NULL ? difference->max_abs : index == reference ? 0 : NAN;
  point->max_error_ratio = difference != NULL   ? difference->max_error_ratio
                           : index == reference ? 0
                                                : NAN;
  point->n_failing = difference != NULL ? difference->n_failing : 0;
  point->stable = plan->stable;
  copy_text (&point->executed, plan->executed);
  copy_text (&point->measured_at, result->started_at);
}

gboolean
seam_point_is_ahead (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns)
{
  /* Intervals drift as their medians do. Comparisons with NaN are FALSE. */
  double high_ns = a->ci_high_ns * a_ns / a->median_ns;
  double low_ns = b->ci_low_ns * b_ns / b->median_ns;

  if (!(b_ns > a_ns * (1 + SEAM_CLAIMABLE)))
    return FALSE;
  if (!isnan (high_ns) && !isnan (low_ns))
    return high_ns < low_ns;
  return a->n_samples >= SEAM_POINT_FEW && b->n_samples >= SEAM_POINT_FEW
         && b_ns > SEAM_POINT_FEW_RATIO * (isnan (high_ns) ? a_ns : high_ns);
}

gboolean
seam_point_is_wrong (const SeamPoint *point)
{
  return point->state == SEAM_POINT_MEASURED && (point->n_failing > 0 || !point->stable);
}

GVariant *
seam_point_to_variant (const SeamPoint *point)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_array (&builder, "values", "x", sizeof (gint64), point->values, SEAM_MAX_FIELDS);
  seam_builder_string (&builder, "shape", point->shape);
  seam_builder_string (&builder, "plan", point->plan);
  seam_builder_string (&builder, "notation", point->notation);
  seam_builder_int64 (&builder, "fused_seams", point->fused_seams);
  seam_builder_int64 (&builder, "state", point->state);
  seam_builder_string (&builder, "message", point->message);
  seam_builder_double (&builder, "bytes", point->bytes);
  seam_builder_double (&builder, "flop", point->flop);
  seam_builder_double (&builder, "full_rate_ns", point->full_rate_ns);
  seam_builder_double (&builder, "floor_ns", point->floor_ns);
  seam_builder_int64 (&builder, "n_kernels_expected", point->n_kernels_expected);
  seam_builder_boolean (&builder, "is_split", point->is_split);
  seam_builder_boolean (&builder, "tensors_fit_cache", point->tensors_fit_cache);
  seam_builder_double (&builder, "median_ns", point->median_ns);
  seam_builder_double (&builder, "ci_low_ns", point->ci_low_ns);
  seam_builder_double (&builder, "ci_high_ns", point->ci_high_ns);
  seam_builder_int64 (&builder, "n_samples", point->n_samples);
  seam_builder_double (&builder, "reference_ns", point->reference_ns);
  seam_builder_double (&builder, "kernels_sum_ns", point->kernels_sum_ns);
  seam_builder_double (&builder, "span_ns", point->span_ns);
  seam_builder_int64 (&builder, "n_kernels", point->n_kernels);
  seam_builder_double (&builder, "max_abs", point->max_abs);
  seam_builder_double (&builder, "max_error_ratio", point->max_error_ratio);
  seam_builder_int64 (&builder, "n_failing", point->n_failing);
  seam_builder_boolean (&builder, "stable", point->stable);
  seam_builder_string (&builder, "executed", point->executed);
  seam_builder_string (&builder, "measured_at", point->measured_at);
  return g_variant_builder_end (&builder);
}

gboolean
seam_point_from_variant (GVariant *variant, SeamPoint *point, GError **error)
{
  SeamReader reader;
  gsize n;
  int state = SEAM_POINT_PENDING;
  gint64 fused = 0;

  seam_point_init (point);
  seam_reader_init (&reader, variant, "point");
  g_autofree gint64 *values = seam_reader_array (&reader, "values", "x", sizeof (gint64), &n);
  if (values != NULL)
    memcpy (point->values, values, sizeof (gint64) * MIN (n, SEAM_MAX_FIELDS));
  seam_reader_require (&reader, "plan");
  seam_reader_string (&reader, "shape", &point->shape);
  seam_reader_string (&reader, "plan", &point->plan);
  seam_reader_string (&reader, "notation", &point->notation);
  seam_reader_int64 (&reader, "fused_seams", 0, G_MAXUINT32, &fused);
  seam_reader_int (&reader, "state", 0, SEAM_N_POINT_STATES - 1, &state);
  seam_reader_text (&reader, "message", &point->message);
  seam_reader_double (&reader, "bytes", &point->bytes);
  seam_reader_double (&reader, "flop", &point->flop);
  seam_reader_double (&reader, "full_rate_ns", &point->full_rate_ns);
  seam_reader_double (&reader, "floor_ns", &point->floor_ns);
  seam_reader_int (&reader, "n_kernels_expected", -1, G_MAXINT, &point->n_kernels_expected);
  seam_reader_boolean (&reader, "is_split", &point->is_split);
  seam_reader_boolean (&reader, "tensors_fit_cache", &point->tensors_fit_cache);
  seam_reader_double (&reader, "median_ns", &point->median_ns);
  seam_reader_double (&reader, "ci_low_ns", &point->ci_low_ns);
  seam_reader_double (&reader, "ci_high_ns", &point->ci_high_ns);
  seam_reader_int (&reader, "n_samples", 0, G_MAXINT, &point->n_samples);
  seam_reader_double (&reader, "reference_ns", &point->reference_ns);
  seam_reader_double (&reader, "kernels_sum_ns", &point->kernels_sum_ns);
  seam_reader_double (&reader, "span_ns", &point->span_ns);
  seam_reader_int (&reader, "n_kernels", -1, G_MAXINT, &point->n_kernels);
  seam_reader_double (&reader, "max_abs", &point->max_abs);
  seam_reader_double (&reader, "max_error_ratio", &point->max_error_ratio);
  seam_reader_int64 (&reader, "n_failing", 0, G_MAXINT64, &point->n_failing);
  seam_reader_boolean (&reader, "stable", &point->stable);
  seam_reader_string (&reader, "executed", &point->executed);
  seam_reader_string (&reader, "measured_at", &point->measured_at);
  point->state = (SeamPointState)state;
  point->fused_seams = (guint32)fused;
  if (seam_reader_finish (&reader, error))
    return TRUE;
  seam_point_clear (point);
  return FALSE;
}
