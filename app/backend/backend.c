/* SPDX-License-Identifier: MIT
 *
 * The list of backends: the CPU is linked in; CUDA is a module that is opened once, at run time, so
 * that the same program runs on a machine without NVIDIA's libraries. Also small helpers for the
 * types in backend.h.
 */
#include "app/backend/backend.h"

#include "app/base/own-file.h"
#include "app/base/scratch.h"
#include "app/base/text.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MODULE_FILE "libseamscope-%s.so"
/* The build's folder of the modules, relative to that of the engine's library. */
#define MODULE_BUILD_PATH "backend"
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
  { SEAM_FIELD (SeamSupport, implementation, TEXT) },
  { SEAM_FIELD (SeamSupport, executed, TEXT) },
  { SEAM_FIELD (SeamSupport, reason, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamSupport, n_kernels, INT), .initial = -1, .min = -1, .max = G_MAXINT },
  { SEAM_FIELD (SeamSupport, knows_copies, BOOLEAN) },
  { SEAM_FIELD (SeamSupport, copied_bytes, DOUBLE), .flags = SEAM_CLIPPED, .from_zero = TRUE },
  { SEAM_FIELD (SeamSupport, partial_bytes, DOUBLE), .flags = SEAM_CLIPPED, .from_zero = TRUE },
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
  trace->clock_mhz = NAN;
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

/* --- Backends --- */

/* A backend. The ids of its targets are its name, or begin with it and a colon. */
typedef struct {
  const char *name;
  const SeamBackend *linked; /* NULL: a module, opened at run time, with the fields below */
  const char *title;         /* "The CUDA module …" */
  const char *device;        /* name of its targets if the module is missing */
  const char *install;       /* remedy if this build has no module */
} Backend;

/* The first is the host, which every machine has. */
static const Backend backends[] = {
  { "cpu", &seam_backend_cpu, NULL, NULL, NULL },
  { "cuda", NULL, "CUDA", "NVIDIA GPU",
    "Install the CUDA toolkit with cuDNN, then build again: app/run" },
};

/* The folder of the engine's own library, or of the program that it is linked into; newly
 * allocated, or NULL. */
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

/* Possible paths of a module: in the folder that the person names, else beside the engine's library
 * (installed), or in the build's folder. */
static GPtrArray *
list_candidates (const char *name, const char *file)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *engine = get_engine_folder ();
  const char *chosen = g_getenv (MODULE_SWITCH);

  if (chosen != NULL && chosen[0] != '\0') {
    g_ptr_array_add (paths, g_build_filename (chosen, file, NULL));
  } else if (engine != NULL) {
    g_ptr_array_add (paths, g_build_filename (engine, file, NULL));
    g_ptr_array_add (paths, g_build_filename (engine, MODULE_BUILD_PATH, name, file, NULL));
  }
  return paths;
}

/* Loads the file of the descriptor, which was checked, instead of another file of the same name.
 * The descriptor stays open, because the loader knows the module by its number. */
static const SeamBackend *
load_module (int fd, const char *path, const char *title, char **reason)
{
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
  /* Some libraries, such as CUDA's, cannot be unloaded safely. */
  void *module = dlopen (name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  const SeamBackend *(*get_backend) (void) = NULL;

  if (module == NULL) {
    g_autoptr (GString) said = g_string_new (dlerror ());
    g_string_replace (said, name, path, 0);
    *reason = g_strdup_printf ("The %s module could not be loaded: %s.", title, said->str);
    return NULL;
  }
  void *symbol = dlsym (module, SEAM_BACKEND_MODULE_SYMBOL);
  if (symbol == NULL) {
    *reason = g_strdup_printf ("%s is not a module of this program; build it again.", path);
    return NULL;
  }
  /* C does not convert a data pointer to a function pointer; POSIX gives both the same form. */
  memcpy (&get_backend, &symbol, sizeof get_backend);
  return get_backend ();
}

static const SeamBackend *
find_module (const Backend *backend, char **reason)
{
  g_autofree char *file = g_strdup_printf (MODULE_FILE, backend->name);
  g_autoptr (GPtrArray) paths = list_candidates (backend->name, file);
  const char *chosen = g_getenv (MODULE_SWITCH);

  for (guint i = 0; i < paths->len; i++) {
    g_autoptr (GError) error = NULL;
    const char *path = paths->pdata[i];

    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    int fd = seam_own_file_open (path, &error);
    if (fd >= 0)
      return load_module (fd, path, backend->title, reason);
    *reason = g_strdup_printf ("The %s module is not used: %s", backend->title, error->message);
    return NULL;
  }
  if (chosen != NULL && chosen[0] != '\0')
    *reason = g_strdup_printf ("There is no %s in %s, the folder that " MODULE_SWITCH " names.",
                               file, chosen);
  else
    *reason = g_strdup_printf ("This build has no %s module (%s).", backend->title, file);
  return NULL;
}

/* NULL if the module cannot be opened; `reason` (may be NULL) is borrowed. */
static const SeamBackend *
open_backend (const Backend *backend, const char **reason)
{
  static struct {
    const SeamBackend *backend;
    char *reason;
    gsize is_open;
  } opened[G_N_ELEMENTS (backends)];
  gsize i = (gsize)(backend - backends);

  if (g_once_init_enter (&opened[i].is_open)) {
    opened[i].backend =
        backend->linked != NULL ? backend->linked : find_module (backend, &opened[i].reason);
    g_once_init_leave (&opened[i].is_open, 1);
  }
  if (reason != NULL)
    *reason = opened[i].reason;
  return opened[i].backend;
}

static const char *
get_remedy (const Backend *backend, const char *reason)
{
  if (strstr (reason, "could not be loaded") != NULL)
    return "Install the library that the message names, then start the program again";
  if (strstr (reason, "is not used") != NULL)
    return "Put that right or build again with app/run, then start the program again";
  return backend->install;
}

const SeamBackend *
seam_backend_find (const char *name, char **reason)
{
  for (gsize i = 0; i < G_N_ELEMENTS (backends); i++)
    if (strcmp (backends[i].name, name) == 0) {
      const char *why = NULL;
      const SeamBackend *backend = open_backend (&backends[i], &why);
      if (reason != NULL)
        *reason = g_strdup (why);
      return backend;
    }
  g_return_val_if_reached (NULL);
}

void
seam_backend_check_all (GPtrArray *checks)
{
  for (gsize i = 0; i < G_N_ELEMENTS (backends); i++) {
    const char *reason = NULL;
    const SeamBackend *backend = open_backend (&backends[i], &reason);

    if (backend != NULL) {
      backend->check (checks);
      continue;
    }
    g_autofree char *title = g_strdup_printf ("The %s module cannot be opened", backends[i].title);
    g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_FAILED, title, reason,
                                             get_remedy (&backends[i], reason)));
  }
}

/* --- Targets --- */

/* A target that stands for a backend whose module is missing. */
static SeamDeviceInfo *
describe_absent (const Backend *backend, const char *reason)
{
  g_autofree char *id = g_strconcat (backend->name, ":0", NULL);
  SeamDeviceInfo *info = seam_device_info_new (id);

  g_free (info->name);
  info->name = g_strdup (backend->device);
  info->available = FALSE;
  info->reason = g_strdup (reason);
  info->remedy = g_strdup (get_remedy (backend, reason));
  return info;
}

GPtrArray *
seam_backend_list_targets (void)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_device_info_free);

  for (gsize i = 0; i < G_N_ELEMENTS (backends); i++) {
    const char *reason = NULL;
    const SeamBackend *backend = open_backend (&backends[i], &reason);

    if (backend != NULL)
      backend->probe (infos);
    else
      g_ptr_array_add (infos, describe_absent (&backends[i], reason));
  }
  return infos;
}

/* The backend of a target: its id is the backend's name for the CPU, which has one target, else the
 * name, a colon and a number. */
static const Backend *
find_backend (const char *target)
{
  for (gsize i = 0; i < G_N_ELEMENTS (backends); i++) {
    const char *name = backends[i].name;
    if (i == 0 ? strcmp (target, name) == 0
               : g_str_has_prefix (target, name) && target[strlen (name)] == ':')
      return &backends[i];
  }
  return NULL;
}

/* Opens the best target: the first device beside the host that really opens, else the host. */
static SeamDevice *
open_best (GError **error)
{
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();

  for (guint i = 0; i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    if (!info->available || !seam_device_info_is_device (info))
      continue;
    SeamDevice *device = open_backend (find_backend (info->id), NULL)->open (info->id, NULL);
    if (device != NULL)
      return device;
  }
  return backends[0].linked->open (backends[0].name, error);
}

static void
set_unknown_target (const char *target, GError **error)
{
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();
  g_autoptr (GPtrArray) ids = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (guint i = 0; i < infos->len; i++)
    if (((SeamDeviceInfo *)infos->pdata[i])->available)
      g_ptr_array_add (ids, ((SeamDeviceInfo *)infos->pdata[i])->id);
  g_autofree char *list = seam_text_list ((const char *const *)ids->pdata);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "There is no target “%s”; this computer has: %s.", target, list);
}

static SeamDevice *
open_target (const char *target, GError **error)
{
  if (target == NULL)
    return open_best (error);
  const Backend *backend = find_backend (target);
  if (backend == NULL) {
    set_unknown_target (target, error);
    return NULL;
  }
  const char *reason = NULL;
  const SeamBackend *opened = open_backend (backend, &reason);
  if (opened == NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "%s %s.", reason,
                           get_remedy (backend, reason));
  return opened->open (target, error);
}

SeamDevice *
seam_backend_open (const char *target, GError **error)
{
  seam_scratch_clean ();
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
