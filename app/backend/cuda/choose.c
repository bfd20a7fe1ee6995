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

int
launch_choose_fastest (CudaDevice *device, const char *key, const int *numbers, int n, RunFunc run,
                       gpointer data, SeamCancel *cancel, GError **error)
{
  int known = seam_choices_get (device->choices, key);
  int best = -1;
  float best_ms = 0;
  g_autoptr (GError) last = NULL;

  for (int i = 0; i < n; i++)
    if (numbers[i] == known)
      return i;
  for (int i = 0; i < n; i++) {
    float fastest = 0;

    if (seam_choices_is_refused (device->choices, key, numbers[i]))
      continue;
    if (seam_cancel_check (cancel, error))
      return -1;
    g_clear_error (&last);
    for (int attempt = 0; attempt <= TRIES; attempt++) {
      float ms = 0;

      if (!time_once (device, run, data, i, &ms, &last))
        break;
      /* The first run loads code and is not counted. */
      if (attempt == 1 || (attempt > 1 && ms < fastest))
        fastest = ms;
      if (attempt == 1 && best >= 0 && ms > HOPELESS * best_ms)
        break;
    }
    if (last != NULL) {
      /* A lost context answers every later call with the same error. */
      if (cudaStreamSynchronize (device->stream) != cudaSuccess) {
        g_propagate_error (error, g_steal_pointer (&last));
        return -1;
      }
      continue;
    }
    if (fastest > 0 && (best < 0 || fastest < best_ms)) {
      best = i;
      best_ms = fastest;
    }
  }
  if (best >= 0)
    return best;
  /* The device still works, so these candidates are unusable. */
  if (seam_choices_is_refused (device->choices, key, -1))
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The library computes %s wrongly: its output is not that of the ops one by one.",
                 key);
  else if (last != NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s", last->message);
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "There is no algorithm for %s.", key);
  return -1;
}
