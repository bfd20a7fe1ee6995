/* SPDX-License-Identifier: MIT
 *
 * The points of a search: adding and predicting them, and questions about them. Measuring is in
 * search-run.c, the file in search-csv.c.
 */
#include "app/explore/search.h"

#include "app/base/doubles.h"
#include "app/base/text.h"
#include "app/explore/sweep.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

/* Plans in one estimate, a limit of the runner. */
#define MAX_PLANS_AT_ONCE 32
/* Executions that a point needs beside its ten samples: checks before and after, and traces. */
#define SAMPLES 10
#define CHECKS  2
#define TRACES  3
/* The rest of the time to measure goes to warm-up (app/measure/measure.c). */
#define SAMPLES_SHARE 0.8
/* A flush writes twice the last-level cache, which a CPU reads first, and writes at half the rate.
 */
#define FLUSH_CACHES 8.0

/* What else a search takes, where code is in the cache; in ns. Five pipelines at tiny, laptop and
 * kernelbench, 2-core EPYC and H200, 2026-11-30. */
typedef struct {
  double flush;   /* the first flush gets its memory from the system: for a byte of the cache */
  double shape;   /* the first batch of a shape fills its tensors, and finds the bounds: for an
                   * element of the output */
  double fill;    /* and for one of the input and the parameters */
  double plan;    /* preparing a plan */
  double compare; /* comparing its outputs before and after: for an element */
} Costs;

static const Costs cpu_costs = { 3, 30, 0, 2e6, 11 }, gpu_costs = { 0, 0, 5, 2.5e7, 1.8 };

SeamSearch *
seam_search_new (SeamSearchKind kind, const SeamRunRequest *request, const char *against,
                 int max_batch)
{
  SeamSearch *search = g_new0 (SeamSearch, 1);

  search->kind = kind;
  search->math_mode = SEAM_N_MATH_MODES;
  search->request = seam_run_request_copy (request);
  /* Hardware counters of bytes would double the time of every batch. */
  search->request->counters = FALSE;
  search->request->pitfalls = 0;
  search->against = g_strdup (against);
  search->max_batch = CLAMP (max_batch, 1, MAX_PLANS_AT_ONCE - 1);
  search->n_fixed = -1;
  return search;
}

void
seam_search_free (SeamSearch *search)
{
  if (search == NULL)
    return;
  for (int i = 0; i < search->n_points; i++)
    seam_record_clear (&seam_point_type, &search->points[i]);
  g_free (search->points);
  g_free (search->order);
  g_free (search->against);
  g_free (search->varied);
  seam_sweep_free (search->sweep);
  g_clear_pointer (&search->request, seam_run_request_free);
  g_clear_pointer (&search->device, seam_device_info_free);
  g_free (search->floor_source);
  g_free (search);
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
seam_search_add (SeamSearch *search, const gint64 *values, const char *plan)
{
  if (search->n_points == search->n_allocated) {
    search->n_allocated = MAX (64, 2 * search->n_allocated);
    search->points = g_renew (SeamPoint, search->points, search->n_allocated);
    search->order = g_renew (int, search->order, search->n_allocated);
  }
  search->order[search->n_points] = search->n_points;
  SeamPoint *point = &search->points[search->n_points++];
  seam_record_init (&seam_point_type, point);
  memcpy (point->values, values, sizeof point->values);
  point->shape = format_shape (search->request->pipeline, values);
  point->plan = g_strdup (plan);
}

/* --- prediction --- */

/* Unknown times come last; the order of equal times is kept. */
static int
compare_predicted (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamPoint *points = data;
  double x = points[*(const int *)a].guess_ns, y = points[*(const int *)b].guess_ns;

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

/* Replaces the prediction and keeps the measurement: in a resumed search only the model is new. */
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
  point->guess_ns = plan->guess_ns;
  point->guess_low_ns = plan->guess_low_ns;
  point->guess_high_ns = plan->guess_high_ns;
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

/* The index after the last point of the shape of point `first`. */
static int
find_shape_end (const SeamSearch *search, int first)
{
  int last = first + 1;

  while (last < search->n_points && has_same_shape (&search->points[first], &search->points[last]))
    last++;
  return last;
}

/* Predicts the points `first` to `last` - 1, all of one shape. */
static gboolean
predict_points (SeamSearch *search, SeamRunner *runner, int first, int last, GError **error)
{
  char *plans[MAX_PLANS_AT_ONCE + 1] = { NULL };
  SeamRunRequest request = *search->request;
  g_autoptr (GError) failure = NULL;

  memcpy (request.values, search->points[first].values, sizeof request.values);
  request.plans = plans;
  request.settings.against = NULL;
  /* A shape out of range is one impossible point of a sweep, not an error of the sweep. */
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (&request, &failure);
  if (problem == NULL) {
    for (int i = first; i < last; i++)
      if (search->points[i].state == SEAM_POINT_PENDING) {
        search->points[i].state = SEAM_POINT_IMPOSSIBLE;
        set_message (&search->points[i], failure->message);
      }
    return TRUE;
  }
  for (int i = first; i < last; i++)
    plans[i - first] = search->points[i].plan;
  g_autoptr (SeamEstimate) estimate = seam_runner_estimate (runner, &request, error);
  if (estimate == NULL)
    return FALSE;
  for (int i = first; i < last; i++)
    predict_point (&search->points[i], &estimate->plans[i - first], estimate, request.pipeline);
  if (first == 0)
    search->ceiling = estimate->ceiling;
  g_free (search->floor_source);
  search->floor_source = g_strdup (estimate->floor_source);
  return TRUE;
}

static gboolean
predict_all (SeamSearch *search, SeamRunner *runner, const SeamDeviceInfo *info, GError **error)
{
  int last;

  for (int first = 0; first < search->n_points; first = last) {
    last = MIN (find_shape_end (search, first), first + MAX_PLANS_AT_ONCE);
    if (!predict_points (search, runner, first, last, error))
      return FALSE;
  }
  seam_device_info_free (search->device);
  search->device = seam_device_info_copy (info);
  return TRUE;
}

gboolean
seam_search_renew (SeamSearch *search, SeamRunner *runner)
{
  SeamDevice *device = seam_runner_open (runner, search->request->target, NULL);
  const SeamDeviceInfo *known = search->device;

  if (device == NULL || known == NULL
      || (device->info->bytes_per_s == known->bytes_per_s
          && device->info->flop_fp32 == known->flop_fp32
          && device->info->flop_tf32 == known->flop_tf32
          && device->info->flop_bf16 == known->flop_bf16
          && device->info->launch_ns == known->launch_ns))
    return FALSE;
  return predict_all (search, runner, device->info, NULL);
}

gboolean
seam_search_predict (SeamSearch *search, SeamRunner *runner, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, search->request->target, error);

  if (device == NULL || !seam_run_request_check_target (search->request, device->info, error)
      || !predict_all (search, runner, device->info, error))
    return FALSE;
  if (search->n_fixed >= 0) /* g_qsort_with_data() keeps the order of equal ones */
    g_qsort_with_data (search->order + search->n_fixed, search->n_points - search->n_fixed,
                       sizeof *search->order, compare_predicted, search->points);
  search->math_mode = seam_resolve_mode (device, search->request->settings.math_mode);
  return TRUE;
}

/* --- what is known of the points --- */

int
seam_search_count (const SeamSearch *search, SeamPointState state)
{
  int n = 0;

  for (int i = 0; i < search->n_points; i++)
    n += search->points[i].state == state;
  return n;
}

/* Elements of a point's output, and `given`, of input and parameters; NaN: its shape is refused. */
static double
count_elements (const SeamSearch *search, const SeamPoint *point, double *given)
{
  SeamRunRequest request = *search->request;
  int last = request.pipeline->chains[0].n_ops - 1;

  memcpy (request.values, point->values, sizeof request.values);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (&request, NULL);
  *given = NAN;
  if (problem == NULL)
    return NAN;
  *given = (double)problem->tensors[SEAM_TENSOR_INPUT].n_elements;
  for (int i = SEAM_TENSOR_PARAM (last + 1, 0); i < problem->n_tensors; i++)
    *given += (double)problem->tensors[i].n_elements;
  return (double)problem->tensors[SEAM_TENSOR_OUTPUT (last)].n_elements;
}

static const Costs *
get_costs (const SeamSearch *search)
{
  return search->device != NULL && seam_device_info_is_device (search->device) ? &gpu_costs
                                                                               : &cpu_costs;
}

/* What a point needs in a batch, in ns; *beside_ns: of this, without warm-up and samples. */
static double
get_point_ns (const SeamSearch *search, const SeamPoint *point, double *beside_ns)
{
  const SeamDeviceInfo *device = search->device;
  const Costs *costs = get_costs (search);
  /* A guess is more often too low than too high. */
  double once_ns = point->guess_high_ns > 0 ? point->guess_high_ns : point->floor_ns;
  double flushed_ns = once_ns, given;

  if (search->request->settings.cold && device != NULL && device->bytes_per_s > 0)
    flushed_ns += 1e9 * FLUSH_CACHES * (double)device->l2_bytes / device->bytes_per_s;
  *beside_ns = costs->plan + costs->compare * count_elements (search, point, &given)
               + CHECKS * once_ns + TRACES * flushed_ns;
  return *beside_ns + SAMPLES / SAMPLES_SHARE * flushed_ns;
}

static const SeamPoint *
find_against (const SeamSearch *search, const SeamPoint *point)
{
  for (int i = 0; i < search->n_points; i++)
    if (has_same_shape (&search->points[i], point)
        && strcmp (search->points[i].plan, search->against) == 0)
      return &search->points[i];
  return point;
}

double
seam_search_get_batch_s (const SeamSearch *search, const int *points, int n, double *beside_s)
{
  const SeamPoint *first = &search->points[points[0]], *against = find_against (search, first);
  const Costs *costs = get_costs (search);
  double sum_ns = 0, beside_ns = 0, part_ns, given;

  for (int i = 0; i < n; i++) {
    sum_ns += get_point_ns (search, &search->points[points[i]], &part_ns);
    beside_ns += part_ns;
  }
  if (against != first) {
    sum_ns += get_point_ns (search, against, &part_ns);
  } else {
    part_ns = costs->shape * count_elements (search, first, &given);
    part_ns += costs->fill * given;
    sum_ns += part_ns;
  }
  *beside_s = (beside_ns + part_ns) / 1e9;
  return sum_ns / 1e9;
}

double
seam_search_get_first_s (const SeamSearch *search)
{
  const SeamDeviceInfo *device = search->device;

  return search->request->settings.cold && device != NULL
             ? get_costs (search)->flush * (double)device->l2_bytes / 1e9
             : 0;
}

double
seam_search_get_needed_s (const SeamSearch *search)
{
  g_autofree int *points = g_new (int, search->max_batch);
  double sum_s = 0, beside_s;
  int n = 0;

  /* The plan compared with is the first point of its shape. */
  for (int i = 0; i < search->n_points; i++) {
    if (search->points[i].state == SEAM_POINT_PENDING)
      points[n++] = i;
    if (n > 0 && (n == search->max_batch || i + 1 == find_shape_end (search, i))) {
      sum_s += seam_search_get_batch_s (search, points, n, &beside_s);
      n = 0;
    }
  }
  return sum_s;
}

char *
seam_search_describe_needs (const SeamSearch *search, double budget_s)
{
  int n = seam_search_count (search, SEAM_POINT_PENDING);
  double needed_s = seam_search_get_first_s (search) + seam_search_get_needed_s (search);
  g_autofree char *each = seam_text_significant (budget_s / n, 2);
  g_autofree char *needed = seam_text_time (1e9 * needed_s);

  g_return_val_if_fail (n > 0, NULL);
  if (!isfinite (needed_s))
    return g_strdup_printf ("there are %s s for each", each);
  if (needed_s > budget_s)
    return g_strdup_printf ("all need about %s, so the budget of %g s ends first", needed,
                            budget_s);
  return g_strdup_printf ("all need about %s, and there are %s s for each", needed, each);
}

/* The median of the times of the plan compared with in all batches of a shape; NaN: none. */
static double
get_against_time (const SeamSearch *search, int first, int last)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (int i = first; i < last; i++)
    if (search->points[i].against_ns > 0)
      g_array_append_val (times, search->points[i].against_ns);
  if (times->len == 0)
    return NAN;
  g_array_sort (times, seam_compare_doubles);
  return (g_array_index (times, double, (times->len - 1) / 2)
          + g_array_index (times, double, times->len / 2))
         / 2;
}

void
seam_search_get_times (const SeamSearch *search, double *times_ns)
{
  int last;

  for (int first = 0; first < search->n_points; first = last) {
    last = find_shape_end (search, first);
    double against_ns = get_against_time (search, first, last);
    for (int i = first; i < last; i++) {
      const SeamPoint *point = &search->points[i];
      times_ns[i] = point->state == SEAM_POINT_MEASURED ? point->median_ns : NAN;
      if (point->against_ns > 0)
        times_ns[i] *= against_ns / point->against_ns;
    }
  }
}

/* Points of one batch have the same time of the plan compared with. */
char *
seam_search_describe_drift (const SeamSearch *search)
{
  double low_ns = INFINITY, high_ns = 0;

  for (int i = 0; i < find_shape_end (search, 0); i++)
    if (search->points[i].against_ns > 0) {
      low_ns = fmin (low_ns, search->points[i].against_ns);
      high_ns = fmax (high_ns, search->points[i].against_ns);
    }
  if (!(low_ns < high_ns))
    return NULL;
  g_autofree char *low = seam_text_time (low_ns), *high = seam_text_time (high_ns);
  return g_strdup_printf (
      "Each batch measures %s again, which took %s to %s. This drift of the machine is taken out "
      "of all times shown, so that times of earlier batches change a little when a batch is added.",
      search->against, low, high);
}

/* The largest share of the processor's time that other programs used, as a text for people, over
 * the `n` points that were measured on a busy machine; NULL: none was. */
static char *
format_load (const SeamSearch *search, int *n)
{
  double most = 0;

  *n = 0;
  for (int i = 0; i < search->n_points; i++) {
    double load = search->points[i].foreign_load;

    if (!(load >= SEAM_BUSY_LOAD))
      continue;
    most = fmax (most, load);
    (*n)++;
  }
  return *n > 0 ? g_strdup_printf ("%.0f %%", 100 * most) : NULL;
}

char *
seam_search_describe_load (const SeamSearch *search)
{
  int n;
  g_autofree char *most = format_load (search, &n);
  const SeamSearchWords *words = &seam_search_words[search->kind];

  if (most == NULL)
    return NULL;
  return g_strdup_printf ("Other programs used up to %s of the processor’s time while %d of %d %s "
                          "were measured, so these times are longer and vary more.",
                          most, n, search->n_points, words->points);
}

char *
seam_search_progress_describe_time (const SeamSearchProgress *progress)
{
  double left_s = fmax (0, progress->budget_s - progress->elapsed_s);

  /* The first report comes before the first batch is allocated and compiled. */
  if (progress->elapsed_s < .5)
    return g_strdup ("preparing…");
  g_autofree char *now =
      g_strdup_printf ("%.0f of %.0f s", progress->elapsed_s, progress->budget_s);

  if (!isfinite (progress->expected_s))
    return g_steal_pointer (&now);
  if (progress->expected_s <= left_s)
    return g_strdup_printf ("%s, about %.0f s more", now, progress->expected_s);
  return g_strdup_printf ("%s; all the rest would take about %.0f s, so the budget ends first", now,
                          progress->expected_s);
}

SeamVerdict *
seam_search_judge (const SeamSearch *search, int index)
{
  const SeamPoint *point = &search->points[index], *first = point;

  while (first > search->points && has_same_shape (first - 1, point))
    first--;
  if (first == point || first->state != SEAM_POINT_MEASURED || point->state != SEAM_POINT_MEASURED)
    return NULL;
  /* Without the drift: in times of the plan compared with. */
  return seam_point_judge (first, first->median_ns / first->against_ns, point,
                           point->median_ns / point->against_ns);
}

void
seam_search_mark_fastest (const SeamSearch *search, gboolean *is_fastest)
{
  g_autofree double *times_ns = g_new (double, search->n_points);
  int last;

  seam_search_get_times (search, times_ns);
  for (int first = 0; first < search->n_points; first = last) {
    int best = -1;

    last = find_shape_end (search, first);
    for (int i = first; i < last; i++) {
      is_fastest[i] = FALSE;
      if (!isnan (times_ns[i]) && !seam_point_is_wrong (&search->points[i])
          && (best < 0 || times_ns[i] < times_ns[best]))
        best = i;
    }
    if (best >= 0)
      is_fastest[best] = TRUE;
  }
}

/* " · 5 to 40 samples each": the range over the measured points. */
static void
append_samples (GString *line, const SeamSearch *search)
{
  int least = G_MAXINT, most = 0;

  for (int i = 0; i < search->n_points; i++) {
    const SeamPoint *point = &search->points[i];

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

/* The words for the math mode that the target really computes in. */
static char *
describe_settings (const SeamSearch *search)
{
  g_autofree char *work = NULL, *tensors = NULL;
  SeamSettings settings;

  seam_record_copy (&seam_settings_type, &settings, &search->request->settings);
  settings.math_mode = search->math_mode;
  work = seam_settings_describe (&settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS, " · ");
  tensors = seam_settings_describe (&settings, SEAM_CONCERN_TENSORS, " · ");
  seam_record_clear (&seam_settings_type, &settings);
  return g_strdup_printf ("%s · %s", work, tensors);
}

char *
seam_search_get_provenance (const SeamSearch *search)
{
  const SeamRunRequest *request = search->request;
  const SeamDeviceInfo *device = search->device;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, NULL);
  g_autofree char *settings = NULL, *shape = NULL, *load = NULL;
  const char *measured_at = NULL;
  int n_busy;

  if (device == NULL)
    return g_strdup ("");
  shape = problem != NULL ? seam_problem_describe_shape (problem)
                          : format_shape (request->pipeline, request->values);
  settings = describe_settings (search);
  GString *line = g_string_new (seam_device_info_get_name (device));
  if (device->driver != NULL)
    g_string_append_printf (line, " · driver %s", device->driver);
  if (device->libraries != NULL)
    g_string_append_printf (line, " · %s", device->libraries);
  g_string_append_printf (line, " · %s · %s", request->pipeline->id, shape);
  if (search->varied != NULL)
    g_string_append_printf (line, " with %s varied", search->varied);
  g_string_append_printf (line, " · %s · %d of %d %s measured", settings,
                          seam_search_count (search, SEAM_POINT_MEASURED), search->n_points,
                          seam_search_words[search->kind].points);
  append_samples (line, search);
  load = format_load (search, &n_busy);
  if (load != NULL)
    g_string_append_printf (line, " · other programs up to %s", load);
  for (int i = 0; i < search->n_points; i++)
    if (g_strcmp0 (search->points[i].measured_at, measured_at) > 0)
      measured_at = search->points[i].measured_at;
  if (measured_at != NULL)
    g_string_append_printf (line, " · %s", measured_at);
  g_string_append_printf (line, " · Seamscope %s", seam_version ());
  return g_string_free (line, FALSE);
}
