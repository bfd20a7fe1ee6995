/* SPDX-License-Identifier: MIT
 *
 * NVRTC and the disk cache. An entry is a line "seamscope-kernel 1 SHA256 of the code", then the
 * code; its name is the SHA-256 of everything that decides the code. A damaged entry is compiled
 * again and replaced. An entry that another user may have written is not used
 * (app/base/own-file.h). If the cache cannot be written, the only loss is time.
 */
#include "app/backend/cuda/compiler.h"

#include "app/backend/diagnostic.h"
#include "app/base/own-file.h"
#include "kernels/embedded.h"

#include <string.h>

#define ENTRY_MAGIC "seamscope-kernel 1 "

char *
compiler_get_version (void)
{
  int major = 0, minor = 0;
  if (nvrtcVersion (&major, &minor) != NVRTC_SUCCESS)
    return g_strdup ("unknown");
  return g_strdup_printf ("%d.%d", major, minor);
}

/* "sm_90" if NVRTC knows it; else "compute_NN" of the newest architecture that it knows, which the
 * driver then translates. `specific`: with the instructions that only this architecture has
 * ("sm_90a"). */
static char *
choose_architecture (int major, int minor, gboolean specific, GError **error)
{
  int wanted = major * 10 + minor, newest = 0, n = 0;

  if (!NVRTC_TRY (nvrtcGetNumSupportedArchs (&n), error))
    return NULL;
  g_autofree int *known = g_new0 (int, n + 1);
  if (!NVRTC_TRY (nvrtcGetSupportedArchs (known), error))
    return NULL;
  for (int i = 0; i < n; i++) {
    if (known[i] == wanted)
      return g_strdup_printf ("--gpu-architecture=sm_%d%s", wanted, specific ? "a" : "");
    if (known[i] < wanted)
      newest = MAX (newest, known[i]);
  }
  if (newest == 0)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                           "This GPU has compute capability %d.%d, which the NVRTC library here no "
                           "longer compiles for; choose the target cpu.",
                           major, minor);
  return g_strdup_printf ("--gpu-architecture=compute_%d", newest);
}

/* Newly allocated; NULL: there is no cache. */
static char *
get_entry_path (const char *source, const char *const *options, guint n_options)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *version = compiler_get_version ();
  g_autofree char *folder = seam_own_cache_get_folder ("kernels");

  if (folder == NULL)
    return NULL;
  /* The terminating 0 is part of the input, so that no two keys are confused. */
  g_checksum_update (checksum, (const guchar *)version, strlen (version) + 1);
  for (guint i = 0; i < n_options; i++)
    g_checksum_update (checksum, (const guchar *)options[i], strlen (options[i]) + 1);
  for (int i = 0; i < seam_n_cuda_texts; i++)
    g_checksum_update (checksum, (const guchar *)seam_cuda_texts[i].text,
                       strlen (seam_cuda_texts[i].text) + 1);
  g_checksum_update (checksum, (const guchar *)source, strlen (source) + 1);
  g_autofree char *name = g_strconcat (g_checksum_get_string (checksum), ".bin", NULL);
  return g_build_filename (folder, name, NULL);
}

static GBytes *
read_entry (const char *path)
{
  const gsize head = strlen (ENTRY_MAGIC) + 64 + 1;
  g_autoptr (GBytes) entry = seam_own_file_read (path, NULL);
  gsize length;

  if (entry == NULL || g_bytes_get_size (entry) <= head)
    return NULL;
  const guchar *data = g_bytes_get_data (entry, &length);
  g_autofree char *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, data + head, length - head);
  if (memcmp (data, ENTRY_MAGIC, strlen (ENTRY_MAGIC)) != 0
      || memcmp (data + strlen (ENTRY_MAGIC), sum, 64) != 0)
    return NULL;
  return g_bytes_new (data + head, length - head);
}

static void
write_entry (const char *path, GBytes *code)
{
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, code);
  g_autoptr (GByteArray) entry = g_byte_array_new ();

  g_byte_array_append (entry, (const guint8 *)ENTRY_MAGIC, strlen (ENTRY_MAGIC));
  g_byte_array_append (entry, (const guint8 *)sum, 64);
  g_byte_array_append (entry, (const guint8 *)"\n", 1);
  g_byte_array_append (entry, g_bytes_get_data (code, NULL), g_bytes_get_size (code));
  seam_own_cache_write (path, entry->data, entry->len);
}

static gboolean
read_code (nvrtcProgram program, gboolean ptx, GBytes **code, GError **error)
{
  g_autofree char *data = NULL;
  gsize length = 0;

  if (ptx) {
    if (!NVRTC_TRY (nvrtcGetPTXSize (program, &length), error))
      return FALSE;
    data = g_malloc (length);
    if (!NVRTC_TRY (nvrtcGetPTX (program, data), error))
      return FALSE;
  } else {
    if (!NVRTC_TRY (nvrtcGetCUBINSize (program, &length), error))
      return FALSE;
    data = g_malloc (length);
    if (!NVRTC_TRY (nvrtcGetCUBIN (program, data), error))
      return FALSE;
  }
  *code = g_bytes_new_take (g_steal_pointer (&data), length);
  return TRUE;
}

/* The compiler's messages without the last line feeds; NULL: none. */
static char *
read_log (nvrtcProgram program)
{
  char *log = NULL;
  size_t length = 0;

  if (nvrtcGetProgramLogSize (program, &length) == NVRTC_SUCCESS && length > 1) {
    log = g_malloc0 (length + 1);
    nvrtcGetProgramLog (program, log);
    g_strchomp (log);
  }
  return log;
}

static GBytes *
compile (const char *source, const char *const *options, guint n_options, gboolean ptx,
         CompilerListing *listing, GError **error)
{
  const char *names[SEAM_MAX_CUDA_TEXTS], *headers[SEAM_MAX_CUDA_TEXTS];
  nvrtcProgram program = NULL;
  GBytes *code = NULL;

  g_assert (seam_n_cuda_texts <= SEAM_MAX_CUDA_TEXTS);
  for (int i = 0; i < seam_n_cuda_texts; i++) {
    names[i] = seam_cuda_texts[i].name;
    headers[i] = seam_cuda_texts[i].text;
  }
  if (!NVRTC_TRY (nvrtcCreateProgram (&program, source, SEAM_DIAGNOSTIC_CUDA_FILE,
                                      seam_n_cuda_texts, headers, names),
                  error))
    return NULL;
  nvrtcResult result = nvrtcCompileProgram (program, (int)n_options, options);
  if (result == NVRTC_ERROR_COMPILATION) {
    g_autofree char *log = read_log (program);
    g_autofree char *message = seam_diagnostics_explain ("NVRTC could not compile the code", log);
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, message);
  } else if (NVRTC_TRY (result, error)) {
    read_code (program, ptx, &code, error);
    if (code != NULL && listing != NULL && !ptx && !read_code (program, TRUE, &listing->ptx, error))
      g_clear_pointer (&code, g_bytes_unref);
    if (listing != NULL)
      listing->log = read_log (program);
  }
  nvrtcDestroyProgram (&program);
  return code;
}

/* One compilation. It cannot be interrupted, so it has its own thread, and the waiting thread may
 * give up: the last of the two frees this. */
typedef struct {
  gatomicrefcount ref_count;
  char *source, *architecture, *path;
  CompilerFlags flags;
  gboolean lists;
  GMutex lock;
  GCond done;
  gboolean is_done;
  GBytes *code;
  CompilerListing listing;
  GError *error;
} Job;

void
compiler_listing_clear (CompilerListing *listing)
{
  g_clear_pointer (&listing->ptx, g_bytes_unref);
  g_clear_pointer (&listing->cubin, g_bytes_unref);
  g_clear_pointer (&listing->log, g_free);
  g_clear_pointer (&listing->architecture, g_free);
}

static void
job_unref (Job *job)
{
  if (!g_atomic_ref_count_dec (&job->ref_count))
    return;
  g_free (job->source);
  g_free (job->architecture);
  g_free (job->path);
  g_mutex_clear (&job->lock);
  g_cond_clear (&job->done);
  g_clear_pointer (&job->code, g_bytes_unref);
  compiler_listing_clear (&job->listing);
  g_clear_error (&job->error);
  g_free (job);
}

/* No fast mathematics: a generated kernel has to compute the same as the single ops. Headers shared
 * with the host have functions without __device__. */
#define N_OPTIONS      5
#define N_LIST_OPTIONS 3 /* added for a listing; they do not change the instructions */

static void
set_options (const char *options[N_OPTIONS], const char *architecture, CompilerFlags flags)
{
  options[0] = architecture;
  options[1] = "--std=c++17";
  options[2] = "--fmad=true";
  options[3] = "--device-as-default-execution-space";
  options[4] = flags & COMPILER_FLUSH ? "--ftz=true" : "--ftz=false";
}

/* The number of options: from 13.0 on NVRTC has a cache of its own, which the last option
 * disables. */
static guint
count_list_options (void)
{
  int major = 0, minor = 0;

  return nvrtcVersion (&major, &minor) == NVRTC_SUCCESS && major >= 13 ? N_LIST_OPTIONS
                                                                       : N_LIST_OPTIONS - 1;
}

static gpointer
job_thread (gpointer data)
{
  Job *job = data;
  const char *options[N_OPTIONS + N_LIST_OPTIONS] = {
    [N_OPTIONS] = "--generate-line-info",
    [N_OPTIONS + 1] = "--ptxas-options=-v",
    [N_OPTIONS + 2] = "--no-cache", /* ptxas gives no messages for cached code */
  };
  guint n_list = job->lists ? count_list_options () : 0;
  gboolean ptx = strstr (job->architecture, "compute_") != NULL;
  GError *error = NULL;
  GBytes *code;

  set_options (options, job->architecture, job->flags);
  code = compile (job->source, options, N_OPTIONS + n_list, ptx, job->lists ? &job->listing : NULL,
                  &error);
  if (code != NULL && job->path != NULL)
    write_entry (job->path, code);
  if (code != NULL && job->lists)
    *(ptx ? &job->listing.ptx : &job->listing.cubin) = g_bytes_ref (code);
  g_mutex_lock (&job->lock);
  job->code = code;
  job->error = error;
  job->is_done = TRUE;
  g_cond_signal (&job->done);
  g_mutex_unlock (&job->lock);
  job_unref (job);
  return NULL;
}

#define POLL_US 20000

static GBytes *
job_wait (Job *job, SeamCancel *cancel, GError **error)
{
  GBytes *code = NULL;
  gboolean stopped = FALSE;

  g_mutex_lock (&job->lock);
  while (!job->is_done && !(stopped = seam_cancel_check (cancel, error)))
    g_cond_wait_until (&job->done, &job->lock, g_get_monotonic_time () + POLL_US);
  if (!stopped && job->code != NULL)
    code = g_bytes_ref (job->code);
  else if (!stopped)
    g_propagate_error (error, g_steal_pointer (&job->error));
  g_mutex_unlock (&job->lock);
  return code;
}

static Job *
job_start (const char *source, const char *architecture, const char *path, CompilerFlags flags,
           gboolean lists, GError **error)
{
  g_autoptr (GError) local = NULL;
  Job *job = g_new0 (Job, 1);
  GThread *thread;

  g_atomic_ref_count_init (&job->ref_count);
  g_atomic_ref_count_inc (&job->ref_count); /* the thread's reference */
  job->source = g_strdup (source);
  job->architecture = g_strdup (architecture);
  job->path = g_strdup (path);
  job->lists = lists;
  job->flags = flags;
  g_mutex_init (&job->lock);
  g_cond_init (&job->done);
  thread = g_thread_try_new ("nvrtc", job_thread, job, &local);
  if (thread == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                 "The system gives the compiler no thread: %s.", local->message);
    job_unref (job);
    job_unref (job);
    return NULL;
  }
  g_thread_unref (thread);
  return job;
}

GBytes *
compiler_compile (const char *source, int major, int minor, CompilerFlags flags, SeamCancel *cancel,
                  GError **error)
{
  g_autofree char *architecture =
      choose_architecture (major, minor, (flags & COMPILER_SPECIFIC) != 0, error);
  const char *options[N_OPTIONS];

  if (architecture == NULL)
    return NULL;
  set_options (options, architecture, flags);
  g_autofree char *path = get_entry_path (source, options, N_OPTIONS);
  GBytes *code = path != NULL ? read_entry (path) : NULL;
  if (code != NULL)
    return code;
  Job *job = job_start (source, architecture, path, flags, FALSE, error);
  if (job == NULL)
    return NULL;
  code = job_wait (job, cancel, error);
  job_unref (job);
  return code;
}

gboolean
compiler_list (const char *source, int major, int minor, CompilerFlags flags, SeamCancel *cancel,
               CompilerListing *listing, GError **error)
{
  g_autofree char *architecture =
      choose_architecture (major, minor, (flags & COMPILER_SPECIFIC) != 0, error);

  *listing = (CompilerListing){ 0 };
  if (architecture == NULL)
    return FALSE;
  Job *job = job_start (source, architecture, NULL, flags, TRUE, error);
  if (job == NULL)
    return FALSE;
  GBytes *code = job_wait (job, cancel, error);
  if (code != NULL) {
    *listing = job->listing;
    job->listing = (CompilerListing){ 0 };
    listing->architecture = g_strdup (strchr (architecture, '=') + 1);
    g_bytes_unref (code);
  }
  job_unref (job);
  return code != NULL;
}
