/* SPDX-License-Identifier: MIT
 *
 * Asks the target for the code of every group of every plan.
 */
#include "app/runner/runner-source.h"

#include "app/runner/run-private.h"

void
seam_code_truncate (SeamCode *code, int n)
{
  while (code->n_plans > MAX (n, 0)) {
    SeamPlanCode *plan = &code->plans[--code->n_plans];

    for (int g = 0; g < plan->n_groups; g++) {
      g_free (plan->groups[g].executed);
      g_free (plan->groups[g].message);
      g_clear_pointer (&plan->groups[g].sources, g_ptr_array_unref);
    }
    g_free (plan->text);
    g_free (plan->notation);
    g_free (plan->name);
  }
}

void
seam_code_free (SeamCode *code)
{
  if (code == NULL)
    return;
  seam_code_truncate (code, 0);
  g_free (code->plans);
  g_free (code);
}

/* FALSE if the device failed. If a group cannot run, its message says so. */
static gboolean
fill_group (SeamDevice *device, const SeamGroupSpec *spec, const SeamSupport *support,
            SeamGroupCode *group, GError **error)
{
  g_autoptr (GError) local = NULL;

  group->first = spec->plan->groups[spec->group].first;
  group->last = spec->plan->groups[spec->group].last;
  group->executed = g_strdup (support->executed);
  group->message = g_strdup (support->reason);
  if (support->level != SEAM_SUPPORT_NO)
    group->sources = device->backend->get_source (device, spec, &local);
  if (g_error_matches (local, SEAM_ERROR, SEAM_ERROR_DEVICE)) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (local != NULL) {
    g_free (group->message);
    group->message = g_strdup (local->message);
  }
  if (group->sources == NULL)
    group->sources = seam_source_list_new ();
  return TRUE;
}

/* The device and the problem of the request; NULL with an error. */
static SeamDevice *
open_device (SeamRunner *runner, const SeamRunRequest *request, SeamProblem **problem,
             GError **error)
{
  if (!seam_run_request_check (request, error))
    return NULL;
  *problem = seam_run_request_new_problem (request, error);
  SeamDevice *device = *problem != NULL ? seam_runner_open (runner, request->target, error) : NULL;
  if (device != NULL
      && (device->backend->get_source == NULL || device->backend->get_listing == NULL))
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "The target “%s” shows no code.",
                           device->info->id);
  return device;
}

SeamCode *
seam_runner_get_code (SeamRunner *runner, const SeamRunRequest *request, GError **error)
{
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (SeamCode) code = g_new0 (SeamCode, 1);
  SeamDevice *device = open_device (runner, request, &problem, error);
  gboolean good = TRUE;

  if (device == NULL)
    return NULL;
  code->plans = g_new0 (SeamPlanCode, g_strv_length (request->plans));
  for (int i = 0; good && request->plans[i] != NULL; i++) {
    SeamPlanCode *plan = &code->plans[code->n_plans];
    SeamResolved resolved;

    if (!seam_resolve_listed (device, problem, request, request->settings.math_mode, i, &resolved,
                              error))
      return NULL;
    code->n_plans++;
    plan->text = g_strdup (request->plans[i]);
    plan->notation = g_strdup (resolved.plan->notation);
    plan->name = g_strdup (resolved.name);
    plan->chain = resolved.plan->chain;
    plan->n_groups = resolved.plan->n_groups;
    for (int g = 0; good && g < plan->n_groups; g++) {
      const SeamGroupSpec spec = { problem, resolved.plan, g,
                                   seam_resolve_mode (device, request->settings.math_mode),
                                   resolved.edits[g] };
      good = fill_group (device, &spec, &resolved.groups[g], &plan->groups[g], error);
    }
    seam_resolved_clear (&resolved);
  }
  return good ? g_steal_pointer (&code) : NULL;
}

SeamListing *
seam_runner_get_listing (SeamRunner *runner, const SeamRunRequest *request, int plan, int group,
                         int part, SeamListingKind kind, SeamCancel *cancel, GError **error)
{
  g_autoptr (SeamProblem) problem = NULL;
  SeamDevice *device = open_device (runner, request, &problem, error);
  SeamListing *listing = NULL;
  SeamResolved resolved;

  if (device == NULL)
    return NULL;
  if (plan < 0 || plan >= (int)g_strv_length (request->plans))
    return seam_fail_null (error, SEAM_ERROR_INPUT, "The request has no plan %d.", plan + 1);
  if (!seam_resolve_listed (device, problem, request, request->settings.math_mode, plan, &resolved,
                            error))
    return NULL;
  if (group < 0 || group >= resolved.plan->n_groups) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "There is no group %d; the plan “%s” has %d.",
                 group + 1, resolved.plan->notation, resolved.plan->n_groups);
  } else {
    const SeamGroupSpec spec = { problem, resolved.plan, group,
                                 seam_resolve_mode (device, request->settings.math_mode),
                                 resolved.edits[group] };
    listing = device->backend->get_listing (device, &spec, part, kind, cancel, error);
  }
  seam_resolved_clear (&resolved);
  return listing;
}
