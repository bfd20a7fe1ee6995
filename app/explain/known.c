/* SPDX-License-Identifier: MIT
 *
 * Collects the times of groups from results.
 */
#include "app/explain/known.h"

#include "app/base/doubles.h"
#include "app/base/error.h"
#include "app/base/series.h"
#include "app/explain/bounds.h"
#include "app/explain/pieces.h"
#include "app/explain/read-result.h"

#include <math.h>
#include <string.h>

/* Operations of a matrix product that a device does in the time of one operation of a map. Of the
 * ten samples in data/samples, any nine give 6 to 9: 7 TOP/s on an H200, 70 GOP/s on two threads of
 * an EPYC. */
#define PRODUCTS_PER_OPERATION 7
/* A run whose interval is wider than this share of its median, or whose trace is so far from it, is
 * noisy: of the samples none has over 0.27 and 0.125. So is one of few samples; samples that a
 * power cap makes follow each other may have no interval, and are none the noisier for it. */
#define WIDE_INTERVAL .3
#define FAR_TRACE     .2

static char *
make_problem_key (const char *pipeline, const gint64 *values, int n_values)
{
  GString *key = g_string_new (pipeline);

  for (int i = 0; i < n_values; i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT, values[i]);
  return g_string_free (key, FALSE);
}

/* Launch mode and budget do not change a kernel's time. */
static char *
make_settings_key (const SeamSettings *settings)
{
  return seam_settings_make_key (settings, SEAM_CONCERN_CODE | SEAM_CONCERN_CACHE);
}

SeamKnown *
seam_known_new (const SeamDeviceInfo *device, const SeamProblem *problem,
                const SeamSettings *settings, const SeamRates *rates)
{
  const SeamMathMode base = seam_math_mode_get_base (settings->math_mode);
  SeamKnown *known = seam_owner_new (SeamKnown);

  if (rates != NULL)
    known->rates = *rates;
  else
    seam_device_info_get_rates (device, settings->math_mode, settings->cold, &known->rates);
  known->flop_fp32 = device->flop_fp32;
  known->plain_flop_per_s = settings->math_mode == SEAM_MATH_FP32 ? device->flop_fp32
                            : settings->math_mode == base
                                ? known->rates.flop_per_s
                                : seam_device_info_get_flop_rate (device, base);
  known->plain = seam_keep_printf (known, " (%s)", seam_math_modes[base].title);
  known->scalar_per_s = device->flop_fp32 / PRODUCTS_PER_OPERATION;
  known->launch_ns = MAX (device->launch_ns, 0);
  known->is_device = seam_device_info_is_device (device);
  known->n_threads = known->is_device ? 0 : device->n_processors;
  known->device =
      seam_keep_full (known, seam_device_info_copy (device), (GDestroyNotify)seam_device_info_free);
  known->problem = seam_keep (known, make_problem_key (problem->pipeline->id, problem->values,
                                                       problem->pipeline->n_fields));
  known->settings = seam_keep (known, make_settings_key (settings));
  known->groups = seam_keep_array (known, seam_owner_free);
  known->results = seam_keep_array (known, (GDestroyNotify)seam_result_unref);
  return known;
}

SeamKnown *
seam_known_new_for_result (const SeamResult *result, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  SeamRates rates;

  if (problem == NULL)
    return NULL;
  if (!seam_bounds_get_rates (result, problem, &rates))
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "The result does not say on which device it was measured.");
  return seam_known_new (result->device, problem, &result->settings, &rates);
}

static gboolean
fits (const SeamKnown *known, const SeamResult *result)
{
  g_autofree char *problem = NULL, *settings = NULL;

  if (result->pitfalls != NULL || result->device == NULL
      || !seam_device_info_is_same (result->device, known->device) || result->values == NULL)
    return FALSE;
  problem = make_problem_key (result->pipeline_id, result->values, result->n_values);
  settings = make_settings_key (&result->settings);
  return strcmp (problem, known->problem) == 0 && strcmp (settings, known->settings) == 0;
}

char *
seam_known_name_ops (const SeamPlan *plan, int first, int last)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  for (int op = first; op <= last; op++)
    g_string_append_printf (text, "%s%s", op > first ? "+" : "", chain->ops[op].name);
  return g_string_free (text, FALSE);
}

double
seam_known_count_operations (const SeamProblem *problem, const SeamPlan *plan, int first, int last)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  double operations = 0;

  for (int op = first; op <= last; op++)
    operations += seam_op_count_operations (problem, chain, op);
  return operations;
}

char **
seam_known_split_executed (const char *executed, const SeamPlan *plan)
{
  if (executed == NULL)
    return NULL;
  g_auto (GStrv) groups = g_strsplit (executed, "|", -1);
  if (g_strv_length (groups) != (guint)plan->n_groups)
    return NULL;
  for (int i = 0; i < plan->n_groups; i++) {
    const char *at = strchr (groups[i], '@');
    if (at == NULL)
      return NULL;
    memmove (groups[i], at + 1, strlen (at));
  }
  return g_steal_pointer (&groups);
}

const SeamKnownGroup *
seam_known_find (const SeamKnown *known, const char *ops, const char *implementation)
{
  for (guint i = 0; i < known->groups->len; i++) {
    const SeamKnownGroup *group = known->groups->pdata[i];
    if (strcmp (group->ops, ops) == 0
        && (implementation == NULL || g_strcmp0 (group->implementation, implementation) == 0))
      return group;
  }
  return NULL;
}

const SeamResult *
seam_known_find_run (const SeamKnown *known, const char *notation, int *plan, double *guess_ns)
{
  const SeamResult *newest = NULL;

  *guess_ns = NAN;
  for (guint i = 0; i < known->results->len; i++) {
    const SeamResult *result = known->results->pdata[i];

    for (int k = 0; k < result->n_plans; k++) {
      if (g_strcmp0 (result->plans[k].notation, notation) != 0
          || !isfinite (result->plans[k].median_ns))
        continue;
      if (newest == NULL)
        *plan = k;
      newest = newest != NULL ? newest : result;
      if (isfinite (result->plans[k].guess_ns))
        *guess_ns = result->plans[k].guess_ns;
    }
  }
  return newest;
}

/* The time of all kernels of a group, copies included; NaN: not traced. */
static double
get_group_ns (const SeamPlanResult *result, int group, int n_groups)
{
  double ns = 0;

  for (int i = 0; i < result->n_kernels; i++)
    if (result->kernels[i].group == group)
      ns += result->kernels[i].median_ns;
  if (result->n_kernels < 1 && n_groups == 1)
    return result->median_ns;
  return ns > 0 ? ns : NAN;
}

static gboolean
add_group (SeamKnown *known, const SeamProblem *problem, const SeamPlan *plan, int index,
           const char *implementation, double ns, const char *started_at)
{
  const SeamGroup *range = &plan->groups[index];
  const SeamChain *chain = seam_plan_get_chain (plan);
  g_autofree char *ops = seam_known_name_ops (plan, range->first, range->last);
  SeamGroupTensors tensors;
  SeamGroupCost cost;
  SeamKnownGroup *group = (SeamKnownGroup *)seam_known_find (known, ops, implementation);

  if (group != NULL) {
    g_array_append_val (group->times_ns, ns);
    g_array_sort (group->times_ns, seam_compare_doubles);

    const double *times = (const double *)(void *)group->times_ns->data;
    guint n = group->times_ns->len;
    group->ns = (times[(n - 1) / 2] + times[n / 2]) / 2;
    return FALSE;
  }
  seam_group_cost (problem, plan, index, &cost);
  seam_plan_get_group_tensors (plan, index, &tensors);
  group = seam_owner_new (SeamKnownGroup);
  group->ops = seam_keep (group, g_steal_pointer (&ops));
  group->implementation = seam_keep (group, g_strdup (implementation));
  group->ns = ns;
  group->times_ns =
      seam_keep_full (group, g_array_new (FALSE, FALSE, sizeof ns), (GDestroyNotify)g_array_unref);
  g_array_append_val (group->times_ns, ns);
  group->started_at = started_at;
  group->n_ops = range->last - range->first + 1;
  group->n_outputs = tensors.n_outputs;
  group->n_tensors = tensors.n_inputs + tensors.n_outputs;
  group->is_matrix = seam_op_is_matrix (&chain->ops[range->first]);
  for (int op = range->first; op <= range->last; op++)
    group->is_reduced = group->is_reduced || seam_op_is_normalisation (&chain->ops[op]);
  group->bytes = cost.bytes_read + cost.bytes_written;
  group->operations = seam_known_count_operations (problem, plan, range->first, range->last);
  g_ptr_array_add (known->groups, group);
  return TRUE;
}

static gboolean
is_noisy (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];
  SeamPieces pieces;

  seam_pieces_init (&pieces, result, index);
  return plan->state != SEAM_PLAN_MEASURED || result->foreign_load >= SEAM_BUSY_LOAD
         || plan->n_samples < SEAM_SERIES_LEAST
         || plan->ci_high_ns - plan->ci_low_ns > WIDE_INTERVAL * plan->median_ns
         || fabs (pieces.share) > FAR_TRACE
         || (isfinite (result->floor_ns) && plan->median_ns < result->floor_ns);
}

static int
add_plan (SeamKnown *known, const SeamProblem *problem, const SeamResult *result, int index)
{
  const SeamPlanResult *plan_result = &result->plans[index];
  g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, NULL);
  int n = 0;

  if (plan == NULL || plan->chain != 0 || plan_result->exhibit || is_noisy (result, index))
    return 0;
  g_auto (GStrv) implementations = seam_known_split_executed (plan_result->executed, plan);
  for (int i = 0; implementations != NULL && i < plan->n_groups; i++) {
    double ns = get_group_ns (plan_result, i, plan->n_groups);
    if (ns > 0 && strstr (implementations[i], "edited") == NULL)
      n += add_group (known, problem, plan, i, implementations[i], ns, result->started_at);
  }
  return n;
}

int
seam_known_add (SeamKnown *known, const SeamResult *result, int index)
{
  int n = 0;

  if (!fits (known, result))
    return 0;
  g_ptr_array_add (known->results, seam_result_ref ((SeamResult *)result));
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, NULL);
  for (int i = 0; problem != NULL && i < result->n_plans; i++)
    if (index < 0 || i == index)
      n += add_plan (known, problem, result, i);
  return n;
}
