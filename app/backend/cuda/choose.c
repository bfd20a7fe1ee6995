/* SPDX-License-Identifier: MIT
 *
 * Finds the fastest of several ways to run the same thing by trying them, because a library's own
 * ranking is a prediction. app/backend/choices.h keeps the choice.
 */
#include "app/backend/cuda/launch.h"

#define TRIES 3
/* A candidate that is slower than the best so far by this factor is not run again. */
#define HOPELESS 3.0

typedef gboolean (*RunFunc) (CudaDevice *device, gpointer data, int i, GError **error);

static gboolean
time_once (CudaDevice *device, RunFunc run, gpointer data, int i, float *ms, GError **error)
{
  return CUDA_TRY (cudaEventRecord (device->start, device->stream), error)
         && run (device, data, i, error)
         && CUDA_TRY (cudaEventRecord (device->end, device->stream), error)
         && CUDA_TRY (cudaEventSynchronize (device->end), error)
         && CUDA_TRY (cudaEventElapsedTime (ms, device->start, device->end), error);
}

/* The least of some times of a candidate; 0 if it cannot run, with `error`. */
static float
time_candidate (CudaDevice *device, RunFunc run, gpointer data, int i, float best_ms,
                GError **error)
{
  float fastest = 0;

  for (int attempt = 0; attempt <= TRIES; attempt++) {
    float ms = 0;

    if (!time_once (device, run, data, i, &ms, error))
      return 0;
    /* The first run loads code and is not counted. */
    if (attempt == 1 || (attempt > 1 && ms < fastest))
      fastest = ms;
    if (attempt == 1 && best_ms > 0 && ms > HOPELESS * best_ms)
      break;
  }
  return fastest;
}

static int
find_fastest (const float *times, int n)
{
  int best = -1;

  for (int i = 0; i < n; i++)
    if (times[i] > 0 && (best < 0 || times[i] < times[best]))
      best = i;
  return best;
}

gboolean
launch_choose_fastest (CudaDevice *device, const char *key, int n, RunFunc run, gpointer data,
                       int *chosen, const LaunchCheck *check, gboolean *shows, SeamCancel *cancel,
                       GError **error)
{
  g_autofree float *times = g_new0 (float, MAX (n, 1));
  int known = shows == NULL ? seam_choices_get (device->choices, key) : -1, best, n_wrong = 0;
  g_autoptr (GError) last = NULL;

  if (known >= 0 && known < n) {
    *chosen = known;
    return TRUE;
  }
  for (int i = 0; i < n; i++) {
    if (seam_cancel_check (cancel, error))
      return FALSE;
    g_clear_error (&last);
    best = find_fastest (times, i);
    times[i] = time_candidate (device, run, data, i, best >= 0 ? times[best] : 0, &last);
    /* A lost context answers every later call with the same error. */
    if (last != NULL && cudaStreamSynchronize (device->stream) != cudaSuccess) {
      g_propagate_error (error, g_steal_pointer (&last));
      return FALSE;
    }
  }
  while ((best = find_fastest (times, n)) >= 0) {
    gboolean agrees = TRUE, has_shown = TRUE;

    *chosen = best;
    if (seam_cancel_check (cancel, error)
        || (check != NULL && !check->compare (check->data, &agrees, &has_shown, error)))
      return FALSE;
    if (agrees) {
      if (shows != NULL)
        *shows = has_shown;
      else if (has_shown)
        seam_choices_set (device->choices, key, best);
      return TRUE;
    }
    times[best] = 0;
    n_wrong++;
  }
  /* The device still works, so these candidates are unusable. */
  if (n_wrong > 0)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The library computes %s wrongly: its output is not that of the ops one by one.",
                 key);
  else if (last != NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s", last->message);
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "There is no algorithm for %s.", key);
  return FALSE;
}
