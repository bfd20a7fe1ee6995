/* SPDX-License-Identifier: MIT
 *
 * What is known before running: memory, floor, and what the target makes of each plan and of each
 * of its seams. Asks the backend questions only; allocates no tensor.
 */
#include "app/runner/run-private.h"

void
seam_plan_estimate_clear (SeamPlanEstimate *plan)
{
  g_free (plan->text);
  g_free (plan->notation);
  g_free (plan->name);
  g_free (plan->message);
  for (int i = 0; i < plan->n_groups; i++)
    seam_support_clear (&plan->groups[i]);
  for (int i = 0; i < plan->n_seams; i++)
    g_free (plan->seams[i].reason);
}

void
seam_estimate_free (SeamEstimate *estimate)
{
  if (estimate == NULL)
    return;
  for (int i = 0; i < estimate->n_plans; i++)
    seam_plan_estimate_clear (&estimate->plans[i]);
  g_free (estimate->plans);
  g_free (estimate->floor_source);
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    g_free (estimate->pitfalls[i]);
  g_free (estimate);
}

double
seam_plan_estimate_get_copied_bytes (const SeamPlanEstimate *plan)
{
  double bytes = 0;

  for (int i = 0; i < plan->n_groups; i++)
    bytes += plan->groups[i].copied_bytes;
  return bytes;
}

gboolean
seam_plan_estimate_knows_copies (const SeamPlanEstimate *plan)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].level != SEAM_SUPPORT_NO && !plan->groups[i].knows_copies)
      return FALSE;
  return TRUE;
}

/* What toggling seam `seam` means. Cutting is always possible; fusing only where the target makes
 * one kernel or call of the group that comes of it, for anything else would be fusion in name. */
static void
estimate_seam (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
               const SeamPlan *plan, int seam, SeamPlanEstimate *estimate)
{
  gboolean fused = seam_plan_get_fused_seams (plan) >> seam & 1;

  estimate->seams[seam].fused = fused;
  estimate->seams[seam].can_toggle = TRUE;
  estimate->seams[seam].bytes = seam_plan_seam_bytes (problem, plan, seam);
  if (fused)
    return;
  g_autoptr (SeamPlan) toggled = seam_plan_toggle (plan, seam);
  SeamGroupSpec spec = { .problem = problem, .plan = toggled, .math_mode = mode };
  SeamSupport support = { 0 };
  while (toggled->groups[spec.group].last < seam)
    spec.group++;
  device->backend->supports (device, &spec, &support);
  if (support.level != SEAM_SUPPORT_YES) {
    estimate->seams[seam].can_toggle = FALSE;
    estimate->seams[seam].reason = g_strdup (
        support.reason != NULL ? support.reason : "These ops cannot be joined on this target.");
  }
  seam_support_clear (&support);
}

static void
estimate_plan (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
               const SeamRates *rates, SeamResolved *resolved, SeamPlanEstimate *estimate)
{
  SeamPlanLimit limit;

  seam_plan_limit (problem, resolved->plan, rates, &limit);
  estimate->text = g_strdup (resolved->text);
  estimate->notation = g_strdup (resolved->plan->notation);
  estimate->name = g_strdup (resolved->name);
  estimate->can_run = resolved->can_run;
  estimate->message = g_strdup (resolved->message);
  estimate->flop = limit.flop;
  estimate->floor_ns = limit.floor_ns;
  /* The answers move over: they are the resolved plan's no longer. */
  estimate->n_groups = resolved->n_groups;
  for (int i = 0; i < resolved->n_groups; i++) {
    estimate->groups[i] = resolved->groups[i];
    if (estimate->n_kernels < 0 || resolved->groups[i].n_kernels < 0)
      estimate->n_kernels = -1;
    else
      estimate->n_kernels += resolved->groups[i].n_kernels;
  }
  resolved->n_groups = 0;
  estimate->bytes = limit.bytes + seam_plan_estimate_get_copied_bytes (estimate);
  estimate->full_rate_ns =
      limit.full_rate_ns
      + (rates->bytes_per_s > 0 ? 1e9 * (estimate->bytes - limit.bytes) / rates->bytes_per_s : 0);
  estimate->n_seams = seam_plan_get_chain (resolved->plan)->n_ops - 1;
  for (int seam = 0; seam < estimate->n_seams; seam++)
    estimate_seam (device, problem, mode, resolved->plan, seam, estimate);
}

static gboolean
estimate_plans (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
                SeamEstimate *estimate, GError **error)
{
  SeamMathMode mode = seam_resolve_mode (device, request->settings.math_mode);
  gboolean with_fp64 = request->settings.against != NULL
                       && g_ascii_strcasecmp (request->settings.against, "fp64") == 0;
  SeamPlan *plans[SEAM_RUN_MAX_PLANS + 1];
  SeamResolved resolved[SEAM_RUN_MAX_PLANS + 1] = { 0 };
  guint n = g_strv_length (request->plans), n_resolved = 0;
  gboolean ok = TRUE;
  int n_plans = 0;

  estimate->plans = g_new0 (SeamPlanEstimate, n);
  for (guint i = 0; ok && i < n; i++) {
    ok = seam_resolve_listed (device, problem, request, mode, (int)i, &resolved[i], error);
    n_resolved += ok;
  }
  if (ok && request->settings.against != NULL && request->settings.against[0] != '\0'
      && !with_fp64) {
    ok = seam_resolve (device, problem, request, mode, request->settings.against, &resolved[n],
                       error);
    n_resolved += ok;
  }
  for (guint i = 0; ok && i < n_resolved; i++) {
    gboolean listed = FALSE;
    for (guint j = 0; i == n && j < n; j++)
      listed = listed || seam_plan_equal (resolved[i].plan, resolved[j].plan);
    if (resolved[i].can_run && !listed)
      plans[n_plans++] = resolved[i].plan;
  }
  if (ok)
    estimate->bytes_needed =
        seam_memory_needed (problem, plans, n_plans, device->info, mode, request->settings.cold,
                            with_fp64 && seam_truth_is_whole (problem, request->truth));
  for (guint i = 0; ok && i < n; i++)
    estimate_plan (device, problem, mode, &estimate->rates, &resolved[i],
                   &estimate->plans[estimate->n_plans++]);
  for (guint i = 0; i < n_resolved; i++)
    seam_resolved_clear (&resolved[i]);
  return ok;
}

SeamEstimate *
seam_run_estimate (SeamDevice *device, const SeamRunRequest *request, GError **error)
{
  g_autoptr (SeamDevice) opened = NULL;

  if (!seam_run_request_check (request, error))
    return NULL;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, error);
  if (problem == NULL)
    return NULL;
  if (device == NULL) {
    opened = seam_backend_open (request->target, error);
    if (opened == NULL)
      return NULL;
    device = opened;
  }
  g_autoptr (SeamEstimate) estimate = g_new0 (SeamEstimate, 1);
  const SeamDeviceInfo *info = device->info;
  seam_run_get_rates (device, request->settings.math_mode, request->settings.cold,
                      &estimate->rates);
  seam_ceiling (problem, &estimate->rates, &estimate->ceiling);
  estimate->floor = estimate->ceiling.floor;
  estimate->floor_source = g_strdup (info->rates_source);
  estimate->bytes_free = (double)device->backend->get_free_memory (device);
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    estimate->pitfalls[i] = seam_run_refuse_pitfall (device, request, SEAM_PITFALL_AT (i));
  if (!estimate_plans (device, problem, request, estimate, error))
    return NULL;
  return g_steal_pointer (&estimate);
}
