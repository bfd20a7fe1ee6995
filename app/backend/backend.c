/* SPDX-License-Identifier: MIT
 *
 * The backends there are, by name: the CPU is linked in, CUDA is a module opened once, at run time,
 * so that a machine without NVIDIA's libraries runs the same program. Also the small helpers of the
 * types in backend.h.
 */
#include "app/backend/backend.h"

#include "app/base/text.h"
#include "seam-config.h"

#include <gmodule.h>
#include <string.h>

#define MODULE_FILE "libseamscope-cuda.so"
/* Where the module lies below a build folder, and how far up from a program that folder can be. */
#define MODULE_BUILD_PATH "app/backend/cuda"
#define MAX_BUILD_LEVELS  4

static const char *const math_mode_names[SEAM_N_MATH_MODES] = {
  [SEAM_MATH_FP32] = "fp32",
  [SEAM_MATH_TF32] = "tf32",
  [SEAM_MATH_FP16] = "fp16",
  [SEAM_MATH_BF16] = "bf16",
};

const char *
seam_math_mode_get_name (SeamMathMode mode)
{
  return mode >= 0 && mode < SEAM_N_MATH_MODES ? math_mode_names[mode] : "unknown";
}

SeamOperandType
seam_math_mode_get_operand (SeamMathMode mode)
{
  return mode == SEAM_MATH_FP16   ? SEAM_OPERAND_FP16
         : mode == SEAM_MATH_BF16 ? SEAM_OPERAND_BF16
                                  : SEAM_OPERAND_FP32;
}

gboolean
seam_math_mode_parse (const char *text, SeamMathMode *mode, GError **error)
{
  for (int i = 0; i < SEAM_N_MATH_MODES; i++)
    if (strcmp (text, math_mode_names[i]) == 0) {
      *mode = i;
      return TRUE;
    }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "“%s” is not a math mode; choose “fp32”, “tf32”, “fp16” or “bf16”.", text);
  return FALSE;
}

void
seam_support_clear (SeamSupport *support)
{
  g_clear_pointer (&support->executed, g_free);
  g_clear_pointer (&support->reason, g_free);
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

/* Appends folder/libseamscope-cuda.so; takes `folder`. */
static void
add_candidate (GPtrArray *paths, char *folder)
{
  if (folder != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, MODULE_FILE, NULL));
  g_free (folder);
}

/* The installed folder as seen from the running program, for an installation that was moved:
 * /opt/x/bin/seamscope-cli finds /opt/x/lib/…/seamscope. */
static char *
get_moved_module_folder (const char *program_folder)
{
  g_autofree char *prefix = g_path_get_dirname (SEAM_BINDIR);
  g_autofree char *moved_prefix = g_path_get_dirname (program_folder);

  if (!g_str_has_prefix (SEAM_MODULEDIR, prefix))
    return NULL;
  return g_strconcat (moved_prefix, SEAM_MODULEDIR + strlen (prefix), NULL);
}

/* Where the module may be, best first. A folder named by the person is the only one then. */
static GPtrArray *
list_candidates (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *chosen = g_getenv ("SEAMSCOPE_MODULEDIR");
  if (chosen != NULL && chosen[0] != '\0') {
    add_candidate (paths, g_strdup (chosen));
    return paths;
  }

  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program != NULL) {
    g_autofree char *program_folder = g_path_get_dirname (program);
    char *folder = g_strdup (program_folder);
    for (int level = 0; level < MAX_BUILD_LEVELS; level++) {
      add_candidate (paths, g_build_filename (folder, MODULE_BUILD_PATH, NULL));
      char *parent = g_path_get_dirname (folder);
      g_free (folder);
      folder = parent;
    }
    g_free (folder);
    add_candidate (paths, get_moved_module_folder (program_folder));
  }
  add_candidate (paths, g_strdup (SEAM_MODULEDIR));
  return paths;
}

static const SeamBackend *
load_cuda (char **reason)
{
  g_autoptr (GPtrArray) paths = list_candidates ();

  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    GModule *module = g_module_open (path, G_MODULE_BIND_LAZY);
    if (module == NULL) {
      *reason = g_strdup_printf ("The CUDA module could not be loaded: %s.", g_module_error ());
      return NULL;
    }
    /* CUDA libraries do not survive being unloaded. */
    g_module_make_resident (module);
    gpointer symbol = NULL;
    if (!g_module_symbol (module, SEAM_BACKEND_MODULE_SYMBOL, &symbol) || symbol == NULL) {
      *reason = g_strdup_printf ("%s is not a module of this program; build it again.", path);
      return NULL;
    }
    return ((const SeamBackend *(*)(void))symbol) ();
  }
  const char *chosen = g_getenv ("SEAMSCOPE_MODULEDIR");
  if (chosen != NULL && chosen[0] != '\0')
    *reason = g_strdup_printf ("There is no " MODULE_FILE " in %s, the folder that "
                               "SEAMSCOPE_MODULEDIR names.",
                               chosen);
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
  SeamDevice *device = open_target (target, error);

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
