/* SPDX-License-Identifier: MIT */
#include "ui/state/aside.h"

#include "app/base/error.h"

static void
cancelled_cb (GCancellable *cancellable, SeamWorkerClient *worker)
{
  seam_worker_client_cancel (worker);
}

static void
run_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (GTask) task = data;
  SeamModel *model = g_task_get_source_object (task);
  gulong *handler = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (SeamSessionRun) run = seam_worker_client_finish (async, &error);

  if (*handler != 0)
    g_cancellable_disconnect (g_task_get_cancellable (task), *handler);
  if (model->workers.here != NULL) {
    seam_measurement_set_busy (model->measurement, NULL);
    if (run != NULL)
      seam_history_entry_unref (seam_history_list_add_run (model->history, run));
  }
  if (run != NULL)
    g_task_return_pointer (task, seam_result_ref (run->result), (GDestroyNotify)seam_result_unref);
  else
    g_task_return_error (task, error);
}

void
seam_aside_run (SeamModel *model, const SeamRunRequest *request, GCancellable *cancellable,
                GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (model, cancellable, callback, data);
  const char *busy = seam_measurement_get_busy (model->measurement);

  if (busy != NULL || model->workers.here == NULL) {
    g_task_return_new_error (task, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s",
                             busy != NULL ? busy : "The window is closed.");
    return;
  }
  gulong *handler = g_new0 (gulong, 1);
  g_task_set_task_data (task, handler, g_free);
  if (cancellable != NULL)
    *handler =
        g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), model->workers.here, NULL);
  seam_measurement_forget_outputs (model->measurement);
  seam_measurement_set_busy (model->measurement,
                             "The presenter measures: wait for it, or leave it");
  seam_worker_client_call (model->workers.here, SEAM_METHOD_RUN,
                           seam_run_request_to_variant (request), NULL, run_cb,
                           g_steal_pointer (&task));
}
