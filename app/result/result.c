/* SPDX-License-Identifier: MIT
 *
 * The result of a run: its life, and the provenance line under every figure. Its way between
 * processes is in result-variant.c, its JSON in json.c, its CSV in app/compare/csv.c.
 */
#include "app/result/result.h"

#include "app/base/storage.h"

#include <math.h>
#include <string.h>

void
seam_kernel_clear_counters (SeamKernel *kernel)
{
  kernel->dram_bytes_read = kernel->dram_bytes_written = kernel->l2_bytes = NAN;
  kernel->dram_percent = kernel->sm_percent = kernel->tensor_percent = NAN;
  kernel->occupancy_percent = NAN;
}

static void
plan_result_init (SeamPlanResult *plan)
{
  plan->state = SEAM_PLAN_NOT_MEASURED;
  plan->median_ns = plan->ci_low_ns = plan->ci_high_ns = NAN;
  plan->span_median_ns = plan->kernels_sum_median_ns = NAN;
  plan->n_kernels = -1;
  plan->bytes = plan->flop = NAN;
  /* Only a second output that was compared can show that a plan is not. */
  plan->stable = TRUE;
}

static void
kernel_clear (SeamKernel *kernel)
{
  g_free (kernel->name);
  g_free (kernel->short_name);
  g_free (kernel->implementation);
  g_free (kernel->samples_ns);
}

static void
plan_result_clear (SeamPlanResult *plan)
{
  g_free (plan->name);
  g_free (plan->notation);
  g_free (plan->executed);
  g_free (plan->message);
  g_free (plan->tiles);
  g_free (plan->samples);
  for (int i = 0; i < plan->n_kernels; i++)
    kernel_clear (&plan->kernels[i]);
  g_free (plan->kernels);
  seam_difference_free (plan->difference);
}

SeamResult *
seam_result_new (int n_plans)
{
  SeamResult *result = g_new0 (SeamResult, 1);

  g_atomic_ref_count_init (&result->ref_count);
  result->atol = result->rtol = NAN;
  result->power_w = result->temperature_c = NAN;
  result->floor_ns = NAN;
  result->budget_s = result->duration_s = NAN;
  result->reference = -1;
  result->launch_mode = g_strdup (seam_launch_mode_get_name (SEAM_LAUNCH_STREAM));
  result->storage = g_strdup ("fp32");
  result->edits = seam_edits_new ();
  result->n_plans = n_plans;
  result->plans = g_new0 (SeamPlanResult, n_plans);
  for (int i = 0; i < n_plans; i++)
    plan_result_init (&result->plans[i]);
  return result;
}

SeamResult *
seam_result_ref (SeamResult *result)
{
  g_atomic_ref_count_inc (&result->ref_count);
  return result;
}

void
seam_result_unref (SeamResult *result)
{
  if (result == NULL || !g_atomic_ref_count_dec (&result->ref_count))
    return;
  g_free (result->pipeline_id);
  g_free (result->pipeline_text);
  g_free (result->shape);
  g_free (result->shape_text);
  g_free (result->values);
  g_free (result->preset);
  g_free (result->distribution);
  g_free (result->math_mode);
  g_free (result->storage);
  g_free (result->against);
  seam_device_info_free (result->device);
  g_free (result->program_version);
  g_free (result->started_at);
  g_free (result->trace_note);
  g_free (result->throttle);
  g_free (result->pitfalls);
  g_free (result->launch_mode);
  g_ptr_array_unref (result->edits);
  for (int i = 0; i < result->n_plans; i++)
    plan_result_clear (&result->plans[i]);
  g_free (result->plans);
  g_free (result);
}

static void
append_part (GString *line, const char *prefix, const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  if (line->len > 0)
    g_string_append (line, " · ");
  g_string_append (line, prefix);
  g_string_append (line, text);
}

/* "54 samples", "1 sample each", "54 and 60 samples": of the plans in order. */
static char *
describe_samples (const SeamResult *result)
{
  GString *text = g_string_new (NULL);
  gboolean same = TRUE;

  for (int i = 1; i < result->n_plans; i++)
    same = same && result->plans[i].n_samples == result->plans[0].n_samples;
  for (int i = 0; i < (same ? MIN (result->n_plans, 1) : result->n_plans); i++)
    g_string_append_printf (text, "%s%d",
                            i == 0                     ? ""
                            : i == result->n_plans - 1 ? " and "
                                                       : ", ",
                            result->plans[i].n_samples);
  if (text->len > 0)
    g_string_append_printf (text, " sample%s%s", same && result->plans[0].n_samples == 1 ? "" : "s",
                            same && result->n_plans > 1 ? " each" : "");
  return g_string_free (text, FALSE);
}

gboolean
seam_result_is_graph (const SeamResult *result)
{
  return strcmp (result->launch_mode, seam_launch_mode_get_name (SEAM_LAUNCH_GRAPH)) == 0;
}

char *
seam_result_get_provenance (const SeamResult *result)
{
  GString *line = g_string_new (NULL);
  const SeamDeviceInfo *device = result->device;
  g_autofree char *warning = seam_pitfalls_warn (result->pitfalls);

  /* First, so that a line that is cut short still says it. */
  append_part (line, "", warning);
  append_part (line, "", result->edits->len > 0 ? "with code edited by hand" : NULL);
  if (device != NULL) {
    append_part (line, "", device->name != NULL ? device->name : device->id);
    append_part (line, "driver ", device->driver);
    append_part (line, "", device->libraries);
  }
  append_part (line, "", result->pipeline_id);
  append_part (line, "", result->shape_text != NULL ? result->shape_text : result->shape);
  g_autofree char *mode = result->math_mode != NULL ? g_ascii_strup (result->math_mode, -1) : NULL;
  append_part (line, "", mode);
  append_part (line, "", seam_storage_describe (result->storage, result->math_mode));
  append_part (line, "", result->cold ? "cold L2" : "warm L2");
  append_part (line, "", seam_result_is_graph (result) ? "launched as a CUDA graph" : NULL);
  g_autofree char *samples = describe_samples (result);
  append_part (line, "", samples);
  if (g_strcmp0 (result->distribution, "files") == 0) {
    append_part (line, "", "tensors from files");
  } else {
    g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, result->seed);
    append_part (line, "seed ", seed);
    append_part (line, "", result->distribution);
    append_part (line, "init ", seam_init_mode_get_name (result->init_mode));
  }
  append_part (line,
               "throttling: ", g_strcmp0 (result->throttle, "none") == 0 ? NULL : result->throttle);
  append_part (line, "", result->stopped ? "stopped early" : NULL);
  append_part (line, "", result->started_at);
  append_part (line, "Seamscope ", result->program_version);
  return g_string_free (line, FALSE);
}
