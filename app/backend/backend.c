/* SPDX-License-Identifier: MIT
 *
 * The backends there are, by name: the CPU is linked in, CUDA is a module opened once, at run time,
 * so that a machine without NVIDIA's libraries runs the same program. Also the small helpers of the
 * types in backend.h.
 */
#include "app/backend/backend.h"

#include "app/base/own-file.h"
#include "app/base/scratch.h"
#include "app/base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MODULE_FILE "libseamscope-cuda.so"
/* Where a build puts the module, seen from the folder of the engine's library. */
#define MODULE_BUILD_PATH "backend/cuda"
#define MODULE_SWITCH     "SEAMSCOPE_MODULEDIR"

static const SeamChoice support_levels[] = {
  [SEAM_SUPPORT_YES] = { "yes" },
  [SEAM_SUPPORT_SPLIT] = { "split" },
  [SEAM_SUPPORT_NO] = { "no" },
  { NULL },
};

static const SeamField support_fields[] = {
  { SEAM_FIELD (SeamSupport, level, CHOICE), .flags = SEAM_LENIENT, .initial = SEAM_SUPPORT_NO,
    .choices = support_levels },
  { SEAM_FIELD (SeamSupport, implementation, CHOICE), .flags = SEAM_LENIENT,
    .choices = seam_implementations },
  { SEAM_FIELD (SeamSupport, executed, TEXT) },
  { SEAM_FIELD (SeamSupport, reason, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamSupport, n_kernels, INT), .initial = -1, .min = -1, .max = G_MAXINT },
  { SEAM_FIELD (SeamSupport, knows_copies, BOOLEAN) },
  { SEAM_FIELD (SeamSupport, copied_bytes, DOUBLE), .flags = SEAM_CLIPPED, .from_zero = TRUE },
  { NULL },
};

const SeamRecordType seam_support_type = {
  .name = "group",
  .size = sizeof (SeamSupport),
  .fields = support_fields,
  .max = SEAM_MAX_OPS,
};

void
seam_support_clear (SeamSupport *support)
{
  seam_record_clear (&seam_support_type, support);
}

static void
clear_record (gpointer data)
{
  SeamTraceRecord *record = data;
  g_free (record->name);
  g_free (record->short_name);
  g_free (record->implementation);
}

SeamTrace *
seam_trace_new (void)
{
  SeamTrace *trace = g_new0 (SeamTrace, 1);
  trace->records = g_array_new (FALSE, TRUE, sizeof (SeamTraceRecord));
  g_array_set_clear_func (trace->records, clear_record);
  return trace;
}

void
seam_trace_free (SeamTrace *trace)
{
  if (trace == NULL)
    return;
  g_array_unref (trace->records);
  g_free (trace->note);
  g_free (trace);
}

/* --- The CUDA module --- */

/* The folder of the engine's own library, which is that of the program where it is linked in;
 * newly allocated, or NULL. */
static char *
get_engine_folder (void)
{
  static const char here;
  Dl_info found;
  char *resolved, *folder = NULL;

  if (dladdr (&here, &found) == 0 || found.dli_fname == NULL)
    return NULL;
  resolved = realpath (found.dli_fname, NULL);
  if (resolved != NULL)
    folder = g_path_get_dirname (resolved);
  free (resolved);
  return folder;
}

/* Where the module may be: in the folder that the person names, else beside the engine's library,
 * where it is installed, or where the build puts it. */
static GPtrArray *
list_candidates (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *engine = get_engine_folder ();
  const char *chosen = g_getenv (MODULE_SWITCH);

  if (chosen != NULL && chosen[0] != '\0') {
    g_ptr_array_add (paths, g_build_filename (chosen, MODULE_FILE, NULL));
  } else if (engine != NULL) {
    g_ptr_array_add (paths, g_build_filename (engine, MODULE_FILE, NULL));
    g_ptr_array_add (paths, g_build_filename (engine, MODULE_BUILD_PATH, MODULE_FILE, NULL));
  }
  return paths;
}

/* Loads what was checked: the descriptor, not another file of that name. It stays open, because the
 * loader knows the module by its number. */
static const SeamBackend *
load_module (int fd, const char *path, char **reason)
{
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
  /* CUDA libraries do not survive being unloaded. */
  void *module = dlopen (name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  const SeamBackend *(*get_backend) (void) = NULL;
  void *symbol;

  if (module == NULL) {
    g_autoptr (GString) said = g_string_new (dlerror ());
    g_string_replace (said, name, path, 0);
    *reason = g_strdup_printf ("The CUDA module could not be loaded: %s.", said->str);
    return NULL;
  }
  symbol = dlsym (module, SEAM_BACKEND_MODULE_SYMBOL);
  if (symbol == NULL) {
    *reason = g_strdup_printf ("%s is not a module of this program; build it again.", path);
    return NULL;
  }
  /* A pointer to data is not one to a function in C; POSIX makes them the same. */
  memcpy (&get_backend, &symbol, sizeof get_backend);
  return get_backend ();
}

static const SeamBackend *
load_cuda (char **reason)
{
  g_autoptr (GPtrArray) paths = list_candidates ();
  const char *chosen = g_getenv (MODULE_SWITCH);

  for (guint i = 0; i < paths->len; i++) {
    g_autoptr (GError) error = NULL;
    const char *path = paths->pdata[i];
    int fd;

    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    fd = seam_own_file_open (path, &error);
    if (fd >= 0)
      return load_module (fd, path, reason);
    *reason = g_strdup_printf ("The CUDA module is not used: %s", error->message);
    return NULL;
  }
  if (chosen != NULL && chosen[0] != '\0')
    *reason = g_strdup_printf (
        "There is no " MODULE_FILE " in %s, the folder that " MODULE_SWITCH " names.", chosen);
  else
    *reason = g_strdup ("This build has no CUDA module (" MODULE_FILE ").");
  return NULL;
}

const SeamBackend *
seam_backend_get_cuda (char **reason)
{
  static const SeamBackend *cuda;
  static char *why_not;
  static gsize is_loaded = 0;

  if (g_once_init_enter (&is_loaded)) {
    cuda = load_cuda (&why_not);
    g_once_init_leave (&is_loaded, 1);
  }
  if (reason != NULL)
    *reason = cuda == NULL ? g_strdup (why_not) : NULL;
  return cuda;
}

/* --- Targets --- */

const char *
seam_backend_get_cuda_remedy (const char *reason)
{
  if (strstr (reason, "could not be loaded") != NULL)
    return "Install the library that the message names, then start the program again";
  if (strstr (reason, "is not used") != NULL)
    return "Put that right or build again with app/run, then start the program again";
  return "Install the CUDA toolkit with cuDNN, then build again: app/run";
}

GPtrArray *
seam_backend_list_targets (void)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_device_info_free);
  g_autofree char *reason = NULL;
  const SeamBackend *cuda = seam_backend_get_cuda (&reason);

  seam_backend_cpu.probe (infos);
  guint n_cpu = infos->len;
  if (cuda != NULL)
    cuda->probe (infos);
  if (infos->len == n_cpu) {
    SeamDeviceInfo *info = seam_device_info_new ("cuda:0");
    g_free (info->name);
    info->name = g_strdup ("NVIDIA GPU");
    info->available = FALSE;
    info->reason = cuda != NULL ? g_strdup ("No NVIDIA GPU was found.") : g_strdup (reason);
    info->remedy = cuda != NULL ? NULL : g_strdup (seam_backend_get_cuda_remedy (reason));
    g_ptr_array_add (infos, info);
  }
  return infos;
}

/* The best there is: the first GPU that really opens, else the CPU. */
static SeamDevice *
open_best (GError **error)
{
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();

  for (guint i = 0; i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    if (!info->available || !g_str_has_prefix (info->id, "cuda:"))
      continue;
    SeamDevice *device = seam_backend_get_cuda (NULL)->open (info->id, NULL);
    if (device != NULL)
      return device;
  }
  return seam_backend_cpu.open ("cpu", error);
}

static void
set_unknown_target (const char *target, GError **error)
{
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < infos->len; i++)
    if (((SeamDeviceInfo *)infos->pdata[i])->available)
      g_ptr_array_add (ids, ((SeamDeviceInfo *)infos->pdata[i])->id);
  g_ptr_array_add (ids, NULL);
  g_autofree char *list = seam_text_list ((const char *const *)ids->pdata);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "There is no target “%s”; this computer has: %s.", target, list);
}

static SeamDevice *
open_target (const char *target, GError **error)
{
  if (target == NULL)
    return open_best (error);
  if (strcmp (target, "cpu") == 0)
    return seam_backend_cpu.open (target, error);
  if (!g_str_has_prefix (target, "cuda:")) {
    set_unknown_target (target, error);
    return NULL;
  }

  g_autofree char *reason = NULL;
  const SeamBackend *cuda = seam_backend_get_cuda (&reason);
  if (cuda == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s %s.", reason,
                 seam_backend_get_cuda_remedy (reason));
    return NULL;
  }
  return cuda->open (target, error);
}

SeamDevice *
seam_backend_open (const char *target, GError **error)
{
  SeamDevice *device;

  seam_scratch_clean ();
  device = open_target (target, error);
  if (device != NULL) {
    device->uncalibrated = seam_device_info_copy (device->info);
    seam_calibration_apply_stored (device->info);
  }
  return device;
}

void
seam_device_close (SeamDevice *device)
{
  if (device == NULL)
    return;
  g_clear_pointer (&device->uncalibrated, seam_device_info_free);
  device->backend->close (device);
}
