/* SPDX-License-Identifier: MIT
 *
 * A survey's points: what is added, predicted and known of them. Measuring is survey-run.c, the
 * file survey-csv.c.
 */
#include "app/explore/survey.h"

#include "app/base/doubles.h"
#include "app/explore/sweep.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

/* Plans that one estimate takes; the runner's own limit. */
#define MAX_PLANS_AT_ONCE 32
/* Executions that a point needs at least: checked before and after, warmed up, ten samples for an
 * interval, one traced. */
#define LEAST_EXECUTIONS 15

SeamSurvey *
seam_survey_new (SeamSurveyKind kind, const SeamRunRequest *request, const char *reference,
                 int max_batch)
{
  SeamSurvey *survey = g_new0 (SeamSurvey, 1);

  survey->kind = kind;
  survey->math_mode = SEAM_N_MATH_MODES;
  survey->request = seam_run_request_copy (request);
  /* Bytes by counters would double the time of every batch. */
  survey->request->counters = FALSE;
  survey->request->pitfalls = 0;
  survey->reference = g_strdup (reference);
  survey->max_batch = CLAMP (max_batch, 1, MAX_PLANS_AT_ONCE - 1);
  survey->n_fixed = -1;
  return survey;
}

void
seam_survey_free (SeamSurvey *survey)
{
  if (survey == NULL)
    return;
  for (int i = 0; i < survey->n_points; i++)
    seam_record_clear (&seam_point_type, &survey->points[i]);
  g_free (survey->points);
  g_free (survey->order);
  g_free (survey->reference);
  g_free (survey->varied);
  seam_sweep_free (survey->sweep);
  g_clear_pointer (&survey->request, seam_run_request_free);
  g_clear_pointer (&survey->device, seam_device_info_free);
  g_free (survey->floor_source);
  g_free (survey);
}

static char *
format_shape (const SeamPipeline *pipeline, const gint64 *values)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < pipeline->n_fields; i++)
    g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, i > 0 ? "," : "",
                            pipeline->fields[i].key, values[i]);
  return g_string_free (text, FALSE);
}

void
seam_survey_add (SeamSurvey *survey, const gint64 *values, const char *plan)
{
  SeamPoint *point;

  if (survey->n_points == survey->n_allocated) {
    survey->n_allocated = MAX (64, 2 * survey->n_allocated);
    survey->points = g_renew (SeamPoint, survey->points, survey->n_allocated);
    survey->order = g_renew (int, survey->order, survey->n_allocated);
  }
  survey->order[survey->n_points] = survey->n_points;
  point = &survey->points[survey->n_points++];
  seam_record_init (&seam_point_type, point);
  memcpy (point->values, values, sizeof point->values);
  point->shape = format_shape (survey->request->pipeline, values);
  point->plan = g_strdup (plan);
}

/* --- prediction --- */

/* Unknown times last; the order of equal ones is kept. */
static int
compare_predicted (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamPoint *points = data;
  double x = points[*(const int *)a].full_rate_ns, y = points[*(const int *)b].full_rate_ns;

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return (x > y) - (x < y);
}

static void
set_message (SeamPoint *point, const char *message)
{
  g_free (point->message);
  point->message = g_strdup (message);
}

/* What was measured stays: on a resumed survey only the model is new. */
static void
predict_point (SeamPoint *point, const SeamPlanEstimate *plan, const SeamEstimate *estimate,
               SeamPipeline *pipeline)
{
  g_autoptr (SeamPlan) parsed = seam_plan_parse (pipeline, plan->notation, NULL);

  g_free (point->notation);
  point->notation = g_strdup (plan->notation);
  point->fused_seams = parsed != NULL ? seam_plan_get_fused_seams (parsed) : 0;
  point->bytes = plan->bytes;
  point->flop = plan->flop;
  point->full_rate_ns = plan->full_rate_ns;
  point->floor_ns = plan->floor_ns;
  point->n_kernels_expected = plan->n_kernels;
  point->tensors_fit_cache = estimate->ceiling.tensors_fit_cache;
  point->is_split = FALSE;
  for (int i = 0; i < plan->n_groups; i++)
    point->is_split = point->is_split || plan->groups[i].level == SEAM_SUPPORT_SPLIT;
  if (point->state != SEAM_POINT_PENDING)
    return;
  set_message (point, plan->message);
  if (!plan->can_run)
    point->state = SEAM_POINT_IMPOSSIBLE;
}

static gboolean
has_same_shape (const SeamPoint *a, const SeamPoint *b)
{
  return memcmp (a->values, b->values, sizeof a->values) == 0;
}

/* Behind the last point of the shape of point `first`. */
static int
find_shape_end (const SeamSurvey *survey, int first)
{
  int last = first + 1;

  while (last < survey->n_points && has_same_shape (&survey->points[first], &survey->points[last]))
    last++;
  return last;
}

/* Points `first` to `last` - 1, all of one shape. */
static gboolean
predict_points (SeamSurvey *survey, SeamRunner *runner, int first, int last, GError **error)
{
  char *plans[MAX_PLANS_AT_ONCE + 1] = { NULL };
  SeamRunRequest request = *survey->request;
  g_autoptr (SeamEstimate) estimate = NULL;
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (GError) failure = NULL;

  memcpy (request.values, survey->points[first].values, sizeof request.values);
  request.plans = plans;
  request.settings.against = NULL;
  /* A shape out of range is one point of a sweep, not the end of it. */
  problem = seam_run_request_new_problem (&request, &failure);
  if (problem == NULL) {
    for (int i = first; i < last; i++)
      if (survey->points[i].state == SEAM_POINT_PENDING) {
        survey->points[i].state = SEAM_POINT_IMPOSSIBLE;
        set_message (&survey->points[i], failure->message);
      }
    return TRUE;
  }
  for (int i = first; i < last; i++)
    plans[i - first] = survey->points[i].plan;
  estimate = seam_runner_estimate (runner, &request, error);
  if (estimate == NULL)
    return FALSE;
  for (int i = first; i < last; i++)
    predict_point (&survey->points[i], &estimate->plans[i - first], estimate, request.pipeline);
  if (first == 0)
    survey->ceiling = estimate->ceiling;
  g_free (survey->floor_source);
  survey->floor_source = g_strdup (estimate->floor_source);
  return TRUE;
}

gboolean
seam_survey_predict (SeamSurvey *survey, SeamRunner *runner, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, survey->request->target, error);
  int last;

  if (device == NULL || !seam_run_request_check_target (survey->request, device->info, error))
    return FALSE;
  for (int first = 0; first < survey->n_points; first = last) {
    last = MIN (find_shape_end (survey, first), first + MAX_PLANS_AT_ONCE);
    if (!predict_points (survey, runner, first, last, error))
      return FALSE;
  }
  if (survey->n_fixed >= 0) /* g_qsort_with_data() keeps the order of equal ones */
    g_qsort_with_data (survey->order + survey->n_fixed, survey->n_points - survey->n_fixed,
                       sizeof *survey->order, compare_predicted, survey->points);
  g_clear_pointer (&survey->device, seam_device_info_free);
  survey->device = seam_device_info_copy (device->info);
  survey->math_mode = seam_resolve_mode (device, survey->request->settings.math_mode);
  return TRUE;
}

/* --- what is known of the points --- */

int
seam_survey_count (const SeamSurvey *survey, SeamPointState state)
{
  int n = 0;

  for (int i = 0; i < survey->n_points; i++)
    n += survey->points[i].state == state;
  return n;
}

double
seam_survey_get_least_s (const SeamSurvey *survey)
{
  double sum_ns = 0;

  for (int i = 0; i < survey->n_points; i++)
    if (survey->points[i].state == SEAM_POINT_PENDING)
      sum_ns += LEAST_EXECUTIONS * survey->points[i].full_rate_ns;
  return sum_ns / 1e9;
}

/* The median of the reference's times in the batches of a shape; NaN: none. */
static double
get_reference_time (const SeamSurvey *survey, int first, int last)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (int i = first; i < last; i++)
    if (survey->points[i].reference_ns > 0)
      g_array_append_val (times, survey->points[i].reference_ns);
  if (times->len == 0)
    return NAN;
  g_array_sort (times, seam_compare_doubles);
  return (g_array_index (times, double, (times->len - 1) / 2)
          + g_array_index (times, double, times->len / 2))
         / 2;
}

void
seam_survey_get_times (const SeamSurvey *survey, double *times_ns)
{
  int last;

  for (int first = 0; first < survey->n_points; first = last) {
    last = find_shape_end (survey, first);
    double reference_ns = get_reference_time (survey, first, last);
    for (int i = first; i < last; i++) {
      const SeamPoint *point = &survey->points[i];
      times_ns[i] = point->state == SEAM_POINT_MEASURED ? point->median_ns : NAN;
      if (point->reference_ns > 0)
        times_ns[i] *= reference_ns / point->reference_ns;
    }
  }
}

void
seam_survey_mark_fastest (const SeamSurvey *survey, gboolean *is_fastest)
{
  g_autofree double *times_ns = g_new (double, survey->n_points);
  int last;

  seam_survey_get_times (survey, times_ns);
  for (int first = 0; first < survey->n_points; first = last) {
    int best = -1;

    last = find_shape_end (survey, first);
    for (int i = first; i < last; i++) {
      is_fastest[i] = FALSE;
      if (!isnan (times_ns[i]) && !seam_point_is_wrong (&survey->points[i])
          && (best < 0 || times_ns[i] < times_ns[best]))
        best = i;
    }
    if (best >= 0)
      is_fastest[best] = TRUE;
  }
}

/* " · 5 to 40 samples each": of the points that were measured. */
static void
append_samples (GString *line, const SeamSurvey *survey)
{
  int least = G_MAXINT, most = 0;

  for (int i = 0; i < survey->n_points; i++) {
    const SeamPoint *point = &survey->points[i];

    if (point->state != SEAM_POINT_MEASURED)
      continue;
    least = MIN (least, point->n_samples);
    most = MAX (most, point->n_samples);
  }
  if (most > 0 && least < most)
    g_string_append_printf (line, " · %d to %d samples each", least, most);
  else if (most > 0)
    g_string_append_printf (line, " · %d sample%s each", most, most == 1 ? "" : "s");
}

/* In the math mode that the target really computes in. */
static char *
describe_settings (const SeamSurvey *survey)
{
  g_autofree char *work = NULL, *tensors = NULL;
  SeamSettings settings;

  seam_record_copy (&seam_settings_type, &settings, &survey->request->settings);
  settings.math_mode = survey->math_mode;
  work = seam_settings_describe (&settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS, " · ");
  tensors = seam_settings_describe (&settings, SEAM_CONCERN_TENSORS, " · ");
  seam_record_clear (&seam_settings_type, &settings);
  return g_strdup_printf ("%s · %s", work, tensors);
}

char *
seam_survey_get_provenance (const SeamSurvey *survey)
{
  const SeamRunRequest *request = survey->request;
  const SeamDeviceInfo *device = survey->device;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, NULL);
  g_autofree char *settings = NULL, *shape = NULL;
  const char *measured_at = NULL;
  GString *line;

  if (device == NULL)
    return g_strdup ("");
  shape = problem != NULL ? seam_problem_describe_shape (problem)
                          : format_shape (request->pipeline, request->values);
  settings = describe_settings (survey);
  line = g_string_new (device->name != NULL ? device->name : device->id);
  if (device->driver != NULL)
    g_string_append_printf (line, " · driver %s", device->driver);
  if (device->libraries != NULL)
    g_string_append_printf (line, " · %s", device->libraries);
  g_string_append_printf (line, " · %s · %s", request->pipeline->id, shape);
  if (survey->varied != NULL)
    g_string_append_printf (line, " with %s varied", survey->varied);
  g_string_append_printf (line, " · %s · %d of %d %s measured", settings,
                          seam_survey_count (survey, SEAM_POINT_MEASURED), survey->n_points,
                          seam_survey_words[survey->kind].points);
  append_samples (line, survey);
  for (int i = 0; i < survey->n_points; i++)
    if (g_strcmp0 (survey->points[i].measured_at, measured_at) > 0)
      measured_at = survey->points[i].measured_at;
  if (measured_at != NULL)
    g_string_append_printf (line, " · %s", measured_at);
  g_string_append_printf (line, " · Seamscope %s", seam_version ());
  return g_string_free (line, FALSE);
}
