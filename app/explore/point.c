/* SPDX-License-Identifier: MIT
 *
 * The fields of a point, and how a result fills them.
 */
#include "app/explore/point.h"

#include "app/base/text.h"
#include "app/compare/pairs.h"
#include "app/explain/guess.h"

#include <math.h>

static const SeamChoice states[] = {
  [SEAM_POINT_PENDING] = { "pending" },
  [SEAM_POINT_MEASURED] = { "measured" },
  [SEAM_POINT_IMPOSSIBLE] = { "impossible" },
  [SEAM_POINT_FAILED] = { "failed" },
  { NULL },
};

const char *
seam_point_state_get_name (SeamPointState state)
{
  return states[(guint)state < SEAM_N_POINT_STATES ? state : SEAM_POINT_PENDING].name;
}

char *
seam_point_describe_prediction (const SeamPoint *point)
{
  g_autofree char *guess =
      seam_guess_format (point->guess_ns, point->guess_low_ns, point->guess_high_ns);
  g_autofree char *floor = seam_text_time (point->floor_ns);

  if (isnan (point->floor_ns))
    return g_steal_pointer (&guess);
  if (isnan (point->guess_ns))
    return g_strdup_printf ("at least %s", floor);
  return g_strdup_printf ("%s, at least %s", guess, floor);
}

/* What is measured, and not predicted. */
#define MEASURED SEAM_MARKED

static gboolean
is_measured (gconstpointer record)
{
  return ((const SeamPoint *)record)->state == SEAM_POINT_MEASURED;
}

#define TEXT(m, f, w)                                                                              \
  {                                                                                                \
    SEAM_FIELD (SeamPoint, m, TEXT), .flags = f, .words = w                                        \
  }
#define REAL(m, c, f, w)                                                                           \
  {                                                                                                \
    SEAM_FIELD (SeamPoint, m, DOUBLE), .column = c, .flags = f, .words = w                         \
  }

static const SeamField fields[] = {
  TEXT (shape, 0, "key=value,..."),
  { SEAM_FIELD (SeamPoint, values, NUMBERS), .flags = SEAM_LENIENT, .length = SEAM_MAX_FIELDS,
    .words = "shape fields in the order of the pipeline file" },
  TEXT (plan, SEAM_REQUIRED, "as asked for"),
  TEXT (notation, 0, "that the target runs"),
  { SEAM_FIELD (SeamPoint, fused_seams, INT64), .max = G_MAXUINT32,
    .words = "bit i: seam i is fused" },
  { SEAM_FIELD (SeamPoint, state, CHOICE), .flags = SEAM_AS_NUMBER | MEASURED, .choices = states,
    .words = "0 pending, 1 measured, 2 impossible, 3 failed" },
  TEXT (message, SEAM_LONG | MEASURED, "what the person should know"),
  REAL (bytes, "modelled_bytes", 0, "modelled traffic"),
  REAL (flop, "modelled_flop", 0, "modelled operations"),
  REAL (full_rate_ns, NULL, 0, "at the full rates of the device, ns"),
  REAL (floor_ns, NULL, 0, "ns"),
  { SEAM_FIELD (SeamPoint, n_kernels_expected, INT), .column = "expected_kernels",
    .flags = SEAM_OPTIONAL, .initial = -1, .min = -1, .max = G_MAXINT,
    .words = "launches; -1: unknown" },
  { SEAM_FIELD (SeamPoint, is_split, BOOLEAN), .words = "some group runs in several launches" },
  { SEAM_FIELD (SeamPoint, tensors_fit_cache, BOOLEAN),
    .words = "an intermediate tensor fits the last-level cache" },
  REAL (median_ns, "elapsed_median_ns", MEASURED, "elapsed, ns"),
  REAL (ci_low_ns, "elapsed_ci_low_ns", MEASURED, "95 % interval of the median, ns"),
  REAL (ci_high_ns, "elapsed_ci_high_ns", MEASURED, "95 % interval of the median, ns"),
  { SEAM_FIELD (SeamPoint, n_samples, INT), .flags = MEASURED, .max = G_MAXINT,
    .is_known = is_measured, .words = "" },
  { SEAM_AT (SeamPoint, against_ns, DOUBLE), .name = "reference_ns", .flags = MEASURED,
    .column = "reference_median_ns", .words = "median of the plan compared with in its batch, ns" },
  REAL (kernels_sum_ns, NULL, MEASURED, "ns"),
  REAL (span_ns, NULL, MEASURED, "ns"),
  { SEAM_FIELD (SeamPoint, n_kernels, INT), .flags = SEAM_OPTIONAL | MEASURED, .initial = -1,
    .min = -1, .max = G_MAXINT, .words = "launches of one execution; -1: not traced" },
  REAL (max_abs, "max_abs_error", MEASURED, "largest difference from the plan compared with"),
  REAL (max_error_ratio, NULL, MEASURED, "largest |a - b| / max(1, |b|)"),
  { SEAM_FIELD (SeamPoint, n_failing, INT64), .flags = MEASURED, .max = G_MAXINT64,
    .is_known = is_measured, .words = "elements over their limit" },
  { SEAM_FIELD (SeamPoint, stable, BOOLEAN), .flags = MEASURED, .initial = TRUE,
    .is_known = is_measured, .words = "the output after timing is the output before" },
  TEXT (executed, MEASURED, "notation with every implementation"),
  TEXT (measured_at, MEASURED, "ISO 8601, UTC"),
  REAL (foreign_load, NULL, MEASURED | SEAM_AS_MEMBER | SEAM_OMITTED,
        "share of a CPU's time that other programs used while its batch was measured"),
  REAL (ratio_low, "speedup_ci_low", MEASURED | SEAM_AS_MEMBER | SEAM_OMITTED,
        "95 % interval of how many times faster it is than the plan compared with …"),
  REAL (ratio_high, "speedup_ci_high", MEASURED | SEAM_AS_MEMBER | SEAM_OMITTED, "… and its end"),
  REAL (guess_ns, NULL, SEAM_AS_MEMBER | SEAM_OMITTED, "the model's guess, ns"),
  REAL (guess_low_ns, NULL, SEAM_AS_MEMBER | SEAM_OMITTED,
        "9 of 10 measurements lie between this …, ns"),
  REAL (guess_high_ns, NULL, SEAM_AS_MEMBER | SEAM_OMITTED, "… and this, ns"),
  { SEAM_FIELD (SeamPoint, shows_nothing, BOOLEAN),
    .flags = MEASURED | SEAM_AS_MEMBER | SEAM_OMITTED, .is_known = is_measured,
    .words = "the comparison of its output shows nothing" },
  { NULL },
};

const SeamRecordType seam_point_type = {
  .name = "point",
  .size = sizeof (SeamPoint),
  .fields = fields,
  .max = 4097,
};

void
seam_point_copy_measured (SeamPoint *point, const SeamPoint *from)
{
  SEAM_FOR_EACH_FIELD (field, &seam_point_type)
  if ((field->flags & MEASURED) != 0)
    seam_field_copy (field, point, from);
}

static void
copy_text (char **to, const char *from)
{
  g_free (*to);
  *to = g_strdup (from);
}

void
seam_point_measure (SeamPoint *point, const SeamResult *result, int index, int against)
{
  const SeamPlanResult *plan = &result->plans[index];
  const SeamDifference *difference = plan->difference;
  double none = index == against ? 0 : NAN;

  copy_text (&point->message, plan->message);
  if (plan->n_samples < 1)
    return;
  point->state = SEAM_POINT_MEASURED;
  point->median_ns = plan->median_ns;
  point->ci_low_ns = plan->ci_low_ns;
  point->ci_high_ns = plan->ci_high_ns;
  point->n_samples = plan->n_samples;
  point->against_ns = result->plans[against].median_ns;
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, against, index);
  point->ratio_low = index == against ? 1 : verdict->ratio_low;
  point->ratio_high = index == against ? 1 : verdict->ratio_high;
  point->kernels_sum_ns = plan->kernels_sum_median_ns;
  point->span_ns = plan->span_median_ns;
  point->n_kernels = plan->n_kernels;
  point->max_abs = difference != NULL ? seam_difference_get_largest (difference) : none;
  point->max_error_ratio = difference != NULL ? difference->max_error_ratio : none;
  point->n_failing = difference != NULL ? difference->n_failing : 0;
  point->shows_nothing = seam_difference_judge (difference) == SEAM_OUTPUTS_SHOWN_NOTHING;
  point->stable = plan->stable;
  copy_text (&point->executed, plan->executed);
  copy_text (&point->measured_at, result->started_at);
  point->foreign_load = result->foreign_load;
}

/* Both ends of an interval drift in proportion to the median. */
static SeamPlanResult
make_timed (const SeamPoint *point, double ns)
{
  double ratio = point->against_ns / point->median_ns;
  gboolean knows_ratio = point->ratio_low > 0 && point->ratio_high > 0;

  return (SeamPlanResult){
    .median_ns = ns,
    /* Rounding may put an end that is the median itself beyond it. NaN stays NaN. */
    .ci_low_ns = MIN (
        ns, ns * (knows_ratio ? ratio / point->ratio_high : point->ci_low_ns / point->median_ns)),
    .ci_high_ns = MAX (
        ns, ns * (knows_ratio ? ratio / point->ratio_low : point->ci_high_ns / point->median_ns)),
    .n_samples = point->n_samples,
    /* The interval holds what a place in memory does, and `ns` may be a share of another time. */
    .n_places = SEAM_PLACES_ENOUGH,
  };
}

double
seam_point_get_half (const SeamPoint *point, double ns)
{
  SeamPlanResult timed = make_timed (point, ns);

  return (timed.ci_high_ns - timed.ci_low_ns) / 2;
}

SeamVerdict *
seam_point_judge (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns)
{
  SeamPlanResult plans[] = { make_timed (a, a_ns), make_timed (b, b_ns) };
  SeamResult result = { .plans = plans, .n_plans = 2, .floor_ns = NAN };

  return seam_verdict_new (&result, 0, 1);
}

char *
seam_point_describe_verdict (const SeamVerdict *verdict, const char *against)
{
  g_autofree char *ratio = seam_verdict_describe_ratio (verdict->ratio);
  const char *doubt = verdict->kind == SEAM_VERDICT_SAME      ? "same within 1 %: "
                      : verdict->kind == SEAM_VERDICT_UNCLEAR ? "unclear: "
                                                              : "";

  return g_strdup_printf ("%s than %s (%s%s)", ratio, against, doubt, verdict->detail);
}

gboolean
seam_point_is_ahead (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns)
{
  g_autoptr (SeamVerdict) verdict = seam_point_judge (b, b_ns, a, a_ns);
  double high_ns = make_timed (a, a_ns).ci_high_ns;

  if (isfinite (verdict->ratio_low))
    return verdict->kind == SEAM_VERDICT_FASTER;
  return a->n_samples >= SEAM_POINT_FEW && b->n_samples >= SEAM_POINT_FEW
         && b_ns > SEAM_POINT_FEW_RATIO * (isnan (high_ns) ? a_ns : high_ns);
}

const char *
seam_point_get_fault (const SeamPoint *point)
{
  return point->state != SEAM_POINT_MEASURED      ? NULL
         : point->n_failing > 0 || !point->stable ? "wrong"
         : point->shows_nothing                   ? "not shown to be right"
                                                  : NULL;
}

gboolean
seam_point_is_wrong (const SeamPoint *point)
{
  return seam_point_get_fault (point) != NULL;
}
