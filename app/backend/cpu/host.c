/* SPDX-License-Identifier: MIT
 *
 * Examines the machine that the CPU backend runs on: names and sizes from /proc and /sys, and its
 * attainable rates, measured in about a tenth of a second when the target is opened. If the files
 * are missing (another system, a sandbox), values are "unknown" rather than wrong.
 */
#include "app/backend/cpu/onednn.h"

#include "app/base/text.h"

#include <dlfcn.h>
#include <dnnl.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Caches if the system does not say how large they are: common for desktop parts. */
#define USUAL_L1_BYTES   (32 * 1024)
#define USUAL_CORE_BYTES (1024 * 1024)
#define USUAL_LAST_BYTES (32 * 1024 * 1024)
/* Bytes of the copy that measures the memory rate, both sides together: beyond the cache, but quick
 * to touch. A virtual machine may see only a part of the cache. Then the rate is too high and the
 * floor too low, so that the program claims too little, never too much. */
#define COPY_CACHES    2
#define MIN_COPY_BYTES ((gint64)48 * 1024 * 1024)
#define MAX_COPY_BYTES ((gint64)128 * 1024 * 1024)
#define COPY_NS        3e7
/* A burst takes about 0.2 ms on a wide processor, 1 ms on a narrow one, so it is rarely
 * interrupted. */
#define FLOP_ITERATIONS 200000
#define FLOP_ROUNDS     16

/* The value of the first line "key : value" (or "key: value kB") of a /proc file, or NULL. */
static char *
read_proc_value (const char *path, const char *key)
{
  FILE *file = fopen (path, "r");
  char line[512];
  char *value = NULL;

  if (file == NULL)
    return NULL;
  while (value == NULL && fgets (line, sizeof line, file) != NULL) {
    char *colon = strchr (line, ':');
    if (colon == NULL)
      continue;
    *colon = '\0';
    if (strcmp (g_strchomp (line), key) == 0)
      value = g_strdup (g_strstrip (colon + 1));
  }
  fclose (file);
  return value;
}

char *
seam_cpu_get_model (void)
{
  static const char *const keys[] = { "model name", "Model", "cpu model", "Processor" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    char *model = read_proc_value ("/proc/cpuinfo", keys[i]);
    if (model != NULL && model[0] != '\0')
      return model;
    g_free (model);
  }
  return g_strdup ("CPU");
}

/* The first line of the file that begins with `key`, however long it is, or NULL. */
static char *
read_long_line (const char *path, const char *key)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  for (line = text; line != NULL && !g_str_has_prefix (line, key);) {
    line = strchr (line, '\n');
    line = line != NULL ? line + 1 : NULL;
  }
  return line != NULL ? g_strndup (line, strcspn (line, "\n")) : NULL;
}

char *
seam_cpu_get_flags (void)
{
  g_autofree char *model = seam_cpu_get_model ();
  g_autofree char *flags = read_long_line ("/proc/cpuinfo", "flags");

  if (flags == NULL)
    flags = read_long_line ("/proc/cpuinfo", "Features");
  return g_strconcat (model, ": ", flags != NULL ? flags : "", NULL);
}

/* What /sys says about cache `index` of the first processor, or NULL. */
static char *
read_cache (int index, const char *what)
{
  g_autofree char *path =
      g_strdup_printf ("/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strchomp (text) : NULL;
}

void
seam_cpu_get_caches (SeamCpuCaches *caches)
{
  *caches = (SeamCpuCaches){ 0 };
  for (int index = 0; index < 8; index++) {
    g_autofree char *size = read_cache (index, "size"), *type = read_cache (index, "type");
    g_autofree char *level = read_cache (index, "level");
    char *end;

    if (size == NULL || type == NULL || level == NULL)
      break;
    if (strcmp (type, "Instruction") == 0)
      continue;
    gint64 bytes = g_ascii_strtoll (size, &end, 10);
    bytes *= *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1;
    if (strcmp (level, "1") == 0)
      caches->l1 = bytes;
    if (bytes > caches->last) {
      caches->core = caches->last;
      caches->last = bytes;
    } else if (bytes < caches->last) {
      caches->core = MAX (caches->core, bytes);
    }
  }
  if (caches->last == 0)
    caches->last = USUAL_LAST_BYTES;
  if (caches->core == 0)
    caches->core = MIN (caches->last, USUAL_CORE_BYTES);
  if (caches->l1 == 0)
    caches->l1 = USUAL_L1_BYTES;
}

guint64
seam_cpu_get_memory (gboolean free_now)
{
  g_autofree char *text = read_proc_value ("/proc/meminfo", free_now ? "MemAvailable" : "MemTotal");
  return text == NULL ? 0 : g_ascii_strtoull (text, NULL, 10) * 1024;
}

double
seam_cpu_get_clock_mhz (void)
{
  g_autofree char *text = read_proc_value ("/proc/cpuinfo", "cpu MHz");
  double mhz = text == NULL ? NAN : g_ascii_strtod (text, NULL);
  return mhz > 0 ? mhz : NAN;
}

/* The version of the OpenMP specification for its date, which _OPENMP contains. */
static const char *
get_openmp_version (void)
{
  switch (_OPENMP) {
  case 201107:
    return "OpenMP 3.1";
  case 201307:
    return "OpenMP 4.0";
  case 201511:
    return "OpenMP 4.5";
  case 201811:
    return "OpenMP 5.0";
  case 202011:
    return "OpenMP 5.1";
  default:
    return "OpenMP";
  }
}

char *
seam_cpu_get_libraries (void)
{
  return g_strdup_printf ("%s (%s kernels), %s, %s loops", seam_onednn_get_version (),
                          seam_onednn_get_isa (), get_openmp_version (),
                          seam_cpu_loops_get ()->name);
}

SeamDeviceInfo *
seam_cpu_info_new (void)
{
  SeamDeviceInfo *info = seam_device_info_new ("cpu");
  SeamCpuCaches caches;

  g_free (info->name);
  info->name = seam_cpu_get_model ();
  info->available = TRUE;
  info->libraries = seam_cpu_get_libraries ();
  info->n_processors = omp_get_max_threads ();
  info->memory_total = seam_cpu_get_memory (FALSE);
  info->memory_free = seam_cpu_get_memory (TRUE);
  seam_cpu_get_caches (&caches);
  info->l2_bytes = (guint64)caches.last;
  info->can_trace = TRUE;
  info->abilities = SEAM_ABILITY_STORAGE | SEAM_ABILITY_TRACE;
  if (seam_onednn_has_bf16 ())
    info->abilities |= SEAM_ABILITY_BF16;
  seam_cpu_list_implementations (info);
  info->identity = g_strdup_printf ("%s, %d threads", info->name, info->n_processors);
  return info;
}

/* --- Rates --- */

double
seam_cpu_now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Bytes per second beyond the cache, by copying and by reading (a comparison of equal data reads
 * both sides to their end), with a part for every thread: the sum of each thread's best round of
 * either while the others work, too. Other programs can only make a round slower, and no thread
 * waits for another, which would cost more than the copy on a busy machine. */
static double
measure_memory (const SeamCpuDevice *device)
{
  gint64 bytes = CLAMP (COPY_CACHES * device->caches.last, MIN_COPY_BYTES, MAX_COPY_BYTES) / 2;
  gint64 part = bytes / device->n_threads / 4096 * 4096;
  void *memory;
  double sum = 0;

  if (part == 0 || posix_memalign (&memory, 4096, 2 * (gsize)bytes) != 0)
    return 0;
#pragma omp parallel num_threads(device->n_threads) reduction(+ : sum)
  {
    char *from = (char *)memory + part * omp_get_thread_num ();
    char *to = from + bytes;
    double best_ns = INFINITY;
    /* Touches the pages on the thread that will use them. */
    memset (from, 1, (gsize)part);
    memset (to, 1, (gsize)part);
    double end = seam_cpu_now_ns () + COPY_NS;
    for (int round = 0; round < 3 || seam_cpu_now_ns () < end; round++) {
      double start = seam_cpu_now_ns ();
      memcpy (to, from, (gsize)part);
      double copied = seam_cpu_now_ns ();
      /* The sides cannot differ; the test keeps the compiler from leaving out the comparison. */
      if (memcmp (to, from, (gsize)part) != 0)
        continue;
      best_ns = fmin (best_ns, fmin (copied - start, seam_cpu_now_ns () - copied));
    }
    sum += 2e9 * (double)part / best_ns;
  }
  free (memory);
  return sum;
}

/* FP32 operations per second with every thread busy in registers: no kernel can be faster. The sum
 * of each thread's best burst while the others work, too. */
static double
measure_flops (const SeamCpuDevice *device)
{
  double sum = 0;

#pragma omp parallel num_threads(device->n_threads) reduction(+ : sum)
  {
    double best = 0;
    for (int round = 0; round < FLOP_ROUNDS; round++) {
      float sink;
      double start = seam_cpu_now_ns ();
      double flop = device->loops->burn (FLOP_ITERATIONS, &sink);
      double duration = seam_cpu_now_ns () - start;
      if (duration > 0)
        best = MAX (best, 1e9 * flop / duration);
    }
    sum += best;
  }
  return sum;
}

/* A device that is opened again has the rates from before, so that what is predicted from them is
 * one number wherever it is shown; a device that has rates is measured again, and the best ones
 * count.
 */
void
seam_cpu_measure_rates (SeamCpuDevice *device)
{
  static GMutex mutex;
  static double bytes_per_s, flop_per_s, start_ns = INFINITY;
  SeamDeviceInfo *info = device->device.info;

  g_mutex_lock (&mutex);
  if (bytes_per_s <= 0 || info->bytes_per_s > 0) {
    bytes_per_s = fmax (info->bytes_per_s, measure_memory (device));
    flop_per_s = fmax (info->flop_fp32, measure_flops (device));
    start_ns = fmin (start_ns, seam_cpu_measure_start (device));
  }
  info->bytes_per_s = bytes_per_s;
  info->flop_fp32 = info->flop_tf32 = flop_per_s; /* no TF32: it computes in FP32 instead */
  info->launch_ns = start_ns;
  g_mutex_unlock (&mutex);
  if (info->calibrated != NULL) /* a calibrated device names its calibration instead */
    return;
  g_free (info->rates_source);
  info->rates_source = g_strdup ("measured here just now");
}

/* --- Doctor --- */

static char *
get_library_path (void *symbol)
{
  Dl_info found;
  if (dladdr (symbol, &found) == 0 || found.dli_fname == NULL)
    return g_strdup ("linked into the program");
  return g_strdup (found.dli_fname);
}

static void
check_compiler (GPtrArray *checks)
{
  const char *compiler = seam_cpu_compiler_get ();
  g_autofree char *detail =
      compiler == NULL
          ? g_strdup ("None was found (cc, gcc or clang), so fused groups run on the loops of this "
                      "program, op after op, and cannot be edited.")
          : g_strdup_printf ("%s compiles the code that is generated for fused groups.", compiler);

  g_ptr_array_add (checks, seam_check_new (compiler == NULL ? SEAM_CHECK_UNKNOWN : SEAM_CHECK_OK,
                                           "C compiler", detail,
                                           compiler == NULL ? "sudo apt install gcc" : NULL));
}

void
seam_cpu_check (GPtrArray *checks)
{
  g_autofree char *model = seam_cpu_get_model ();
  g_autofree char *path = get_library_path ((void *)dnnl_version);
  const SeamCpuLoops *loops = seam_cpu_loops_get ();

  int n_threads = omp_get_max_threads ();
  SeamCpuCaches caches;
  seam_cpu_get_caches (&caches);
  g_autofree char *l1 = seam_text_bytes ((double)caches.l1);
  g_autofree char *core = seam_text_bytes ((double)caches.core);
  g_autofree char *cache = seam_text_bytes ((double)caches.last);
  g_autofree char *cpu_detail = g_strdup_printf (
      "%s: %d thread%s (OMP_NUM_THREADS changes that), loops for %s, caches of %s (L1) and %s for "
      "each core, %s last-level cache.",
      model, n_threads, n_threads == 1 ? "" : "s", loops->name, l1, core, cache);
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "CPU", cpu_detail, NULL));

  g_autofree char *detail = g_strdup_printf ("%s in %s, using %s.", seam_onednn_get_version (),
                                             path, seam_onednn_get_isa ());
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "oneDNN", detail, NULL));
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "OpenMP", get_openmp_version (), NULL));
  check_compiler (checks);
}
