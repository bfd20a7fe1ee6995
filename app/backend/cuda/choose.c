/* SPDX-License-Identifier: MIT
 *
 * Finds the fastest of several ways to run the same thing by trying them, because a library's own
 * ranking is a prediction. The choice is kept in the cache folder (choices.ini, a group for each
 * GPU with its driver and libraries), because trying takes seconds and a plan should run the same
 * way every time. Deleting the file makes the program try again.
 */
#include "app/backend/cuda/launch.h"

#include "app/base/npy.h"

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

static char *
get_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "seamscope", "choices.ini", NULL);
}

/* A name for a group of a GKeyFile, which must not contain brackets. */
static char *
get_group (const CudaDevice *device)
{
  const SeamDeviceInfo *info = device->base.info;
  char *group = g_strdup_printf ("%s, driver %s, %s", info->name, info->driver, info->libraries);

  return g_strdelimit (group, "[]\n", ' ');
}

static GKeyFile *
load_file (void)
{
  g_autofree char *path = get_path ();
  GKeyFile *file = g_key_file_new ();

  /* A missing or damaged file counts as empty. */
  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

int
launch_get_choice (CudaDevice *device, const char *key)
{
  int known = GPOINTER_TO_INT (g_hash_table_lookup (device->choices, key)) - 1;

  if (known < 0) {
    g_autoptr (GKeyFile) file = load_file ();
    g_autofree char *group = get_group (device);
    g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
    g_autoptr (GError) error = NULL;

    known = g_key_file_get_integer (file, group, name, &error);
    if (error != NULL || known < 0)
      return -1;
    g_hash_table_insert (device->choices, g_strdup (key), GINT_TO_POINTER (known + 1));
  }
  return known;
}

void
launch_set_choice (CudaDevice *device, const char *key, int choice)
{
  g_autoptr (GKeyFile) file = load_file ();
  g_autofree char *group = get_group (device), *path = get_path ();
  g_autofree char *folder = g_path_get_dirname (path), *text = NULL;
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  gsize length = 0;

  g_hash_table_insert (device->choices, g_strdup (key), GINT_TO_POINTER (choice + 1));
  g_key_file_set_integer (file, group, name, choice);
  g_key_file_set_comment (file, group, name, key, NULL);
  text = g_key_file_to_data (file, &length, NULL);
  /* If the cache cannot be written, the only loss is time. */
  if (g_mkdir_with_parents (folder, 0755) == 0)
    seam_file_write (path, text, length, NULL);
}

int
launch_choose_fastest (CudaDevice *device, const char *key, int n, RunFunc run, gpointer data,
                       SeamCancel *cancel, GError **error)
{
  int known = launch_get_choice (device, key);
  int best = -1;
  float best_ms = 0;
  g_autoptr (GError) last = NULL;

  if (known >= 0 && known < n)
    return known;
  for (int i = 0; i < n; i++) {
    float fastest = 0;

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
  if (best >= 0) {
    launch_set_choice (device, key, best);
    return best;
  }
  /* The device still works, so these candidates are unusable. */
  if (last != NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s", last->message);
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "There is no algorithm for %s.", key);
  return -1;
}
