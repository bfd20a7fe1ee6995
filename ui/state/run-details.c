/* SPDX-License-Identifier: MIT */
#include "ui/state/run-details.h"

#include "app/explain/read-result.h"
#include "app/figure/map.h"
#include "app/runner/runner-source.h"

#include <string.h>

typedef struct {
  SeamWorkerClient *worker; /* reference */
  SeamSessionRun *run;
  SeamProblem *problem; /* NULL: not known */
  gboolean has_outputs;
  int plan; /* asked for now */
  gboolean asked_code;
} Details;

static void
details_free (gpointer data)
{
  Details *details = data;

  g_object_unref (details->worker);
  seam_session_run_unref (details->run);
  seam_problem_free (details->problem);
  g_free (details);
}

static void fetch_next (GTask *task);

static void
slice_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Details *details = g_task_get_task_data (task);
  SeamSlice *slice = seam_worker_client_finish (result, NULL);

  /* Without it the run is whole but for these elements, and the tab will say so. */
  if (slice != NULL)
    seam_session_run_add_slice (details->run, details->plan, details->run->result->against, slice);
  details->plan++;
  fetch_next (task);
}

static void
code_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Details *details = g_task_get_task_data (task);
  g_autoptr (SeamCode) code = seam_worker_client_finish (result, NULL);

  /* A target that shows no code is no reason not to keep the run. */
  if (code != NULL)
    seam_session_run_set_code (details->run, seam_code_to_variant (code));
  fetch_next (task);
}

/* What the run asked for, as far as the code depends on it. */
static SeamRunRequest *
make_request (const Details *details)
{
  const SeamResult *result = details->run->result;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (details->problem->pipeline);

  memcpy (request->values, result->values,
          sizeof *request->values * (gsize)details->problem->pipeline->n_fields);
  g_strfreev (request->plans);
  request->plans = g_new0 (char *, result->n_plans + 1);
  for (int i = 0; i < result->n_plans; i++)
    request->plans[i] = g_strdup (result->plans[i].name != NULL ? result->plans[i].name
                                                                : result->plans[i].notation);
  request->target = g_strdup (result->device->id);
  seam_record_copy (&seam_edits_type, &request->edits, &result->edits);
  seam_settings_adopt (&request->settings, &result->settings);
  return g_steal_pointer (&request);
}

static gboolean
fetch_code (GTask *task)
{
  Details *details = g_task_get_task_data (task);
  g_autoptr (SeamRunRequest) request = NULL;

  if (details->asked_code)
    return FALSE;
  details->asked_code = TRUE;
  request = make_request (details);
  seam_worker_client_call (details->worker, SEAM_METHOD_SOURCE,
                           seam_run_request_to_variant (request), NULL, code_cb,
                           g_object_ref (task));
  return TRUE;
}

static gboolean
fetch_slice (GTask *task)
{
  Details *details = g_task_get_task_data (task);
  const SeamResult *result = details->run->result;

  for (; details->has_outputs && details->plan < result->n_plans; details->plan++) {
    const SeamDifference *difference = result->plans[details->plan].difference;
    SeamSlice wanted;
    if (difference == NULL || difference->cells == NULL)
      continue;
    seam_slice_choose_worst (details->problem, difference, &wanted);
    seam_worker_client_call (details->worker, SEAM_METHOD_SLICE,
                             seam_worker_params_slice (details->plan, result->against, &wanted),
                             NULL, slice_cb, g_object_ref (task));
    return TRUE;
  }
  return FALSE;
}

static void
fetch_next (GTask *task)
{
  Details *details = g_task_get_task_data (task);

  if (details->problem != NULL && seam_worker_client_is_alive (details->worker)
      && !g_cancellable_is_cancelled (g_task_get_cancellable (task))
      && (fetch_slice (task) || fetch_code (task)))
    return;
  g_task_return_pointer (task, seam_session_run_ref (details->run),
                         (GDestroyNotify)seam_session_run_unref);
}

void
seam_run_details_fetch (SeamWorkerClient *worker, SeamSessionRun *run, gboolean has_outputs,
                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (worker, cancellable, callback, data);
  Details *details = g_new0 (Details, 1);

  details->worker = g_object_ref (worker);
  details->run = seam_session_run_ref (run);
  details->problem = seam_explain_read_problem (run->result, NULL);
  details->has_outputs = has_outputs;
  g_task_set_task_data (task, details, details_free);
  g_task_set_check_cancellable (task, FALSE);
  fetch_next (task);
}

SeamSessionRun *
seam_run_details_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
