/* SPDX-License-Identifier: MIT
 *
 * What is known of the machine that the CPU backend runs on: names and sizes from /proc and /sys,
 * and its attainable rates, measured in under a tenth of a second when the target is opened.
 * Everything is "unknown" rather than wrong where the files are missing (another system, a
 * sandbox).
 */
#include "app/backend/backend-cpu.h"

#include <cblas.h>
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Taken for the flush of a cold run where the system does not tell: common for desktop parts. */
#define USUAL_CACHE_BYTES (32 * 1024 * 1024)
/* Of the copy that measures the memory rate: beyond the cache, but quick to touch. */
#define MIN_COPY_BYTES (48 * 1024 * 1024)
#define MAX_COPY_BYTES (128 * 1024 * 1024)

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

/* Bytes of every cache level that /sys lists for the first processor; the largest is the last. */
static guint64
read_sys_cache_bytes (void)
{
  guint64 largest = 0;

  for (int index = 0; index < 8; index++) {
    g_autofree char *path =
        g_strdup_printf ("/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    g_autofree char *text = NULL;
    if (!g_file_get_contents (path, &text, NULL, NULL))
      break;
    char *end;
    guint64 bytes = g_ascii_strtoull (text, &end, 10);
    bytes *= *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1;
    largest = MAX (largest, bytes);
  }
  return largest;
}

guint64
seam_cpu_get_cache_bytes (void)
{
  guint64 bytes = read_sys_cache_bytes ();
  return bytes > 0 ? bytes : USUAL_CACHE_BYTES;
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

/* "OpenBLAS 0.3.21" of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …". */
static char *
get_blas_version (void)
{
  g_auto (GStrv) words = g_strsplit (seam_cpu_blas_version (), " ", 3);
  if (words[0] == NULL || words[1] == NULL)
    return g_strdup ("OpenBLAS");
  return g_strdup_printf ("%s %s", words[0], words[1]);
}

/* The specification's version by its date, as _OPENMP gives it. */
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
  g_autofree char *blas = get_blas_version ();
  return g_strdup_printf ("%s (%s kernels), %s, %s loops", blas, openblas_get_corename (),
                          get_openmp_version (), seam_cpu_loops_get ()->name);
}

SeamDeviceInfo *
seam_cpu_info_new (void)
{
  SeamDeviceInfo *info = seam_device_info_new ("cpu");

  g_free (info->name);
  info->name = seam_cpu_get_model ();
  info->available = TRUE;
  info->libraries = seam_cpu_get_libraries ();
  info->n_processors = omp_get_max_threads ();
  info->memory_total = seam_cpu_get_memory (FALSE);
  info->memory_free = seam_cpu_get_memory (TRUE);
  info->l2_bytes = seam_cpu_get_cache_bytes ();
  info->can_trace = TRUE;
  return info;
}

/* --- Rates --- */

static double
now_s (void)
{
  return (double)g_get_monotonic_time () * 1e-6;
}

/* Bytes read and written a second by a copy beyond the cache, every thread its part. */
static double
measure_copy (const SeamCpuDevice *device)
{
  gint64 bytes = CLAMP (device->cache_bytes, MIN_COPY_BYTES, MAX_COPY_BYTES) / 2;
  void *memory;
  double best = 0;

  if (posix_memalign (&memory, 4096, 2 * (gsize)bytes) != 0)
    return 0;
  char *from = memory, *to = from + bytes;
  for (int round = 0; round < 4; round++) {
    double start = 0;
#pragma omp parallel num_threads(device->n_threads)
    {
      int n = omp_get_num_threads ();
      gint64 part = bytes / n / 4096 * 4096;
      gint64 first = part * omp_get_thread_num ();
      /* The first round only touches the pages, where this thread will use them. */
      if (round == 0)
        memset (from + first, 1, (gsize)part);
#pragma omp barrier
#pragma omp master
      start = now_s ();
#pragma omp barrier
      memcpy (to + first, from + first, (gsize)part);
    }
    double rate = 2.0 * (double)bytes / (now_s () - start);
    if (round > 0)
      best = MAX (best, rate);
  }
  free (memory);
  return best;
}

/* FP32 operations a second with every thread busy in registers: no kernel can be faster. */
static double
measure_flops (const SeamCpuDevice *device)
{
  double best = 0;

  for (int round = 0; round < 3; round++) {
    double flop = 0, start = 0;
#pragma omp parallel num_threads(device->n_threads) reduction(+ : flop)
    {
      float sink;
      /* Wakes the thread and its vector units before the clock starts. */
      device->loops->burn (20000, &sink);
#pragma omp barrier
#pragma omp master
      start = now_s ();
#pragma omp barrier
      flop += device->loops->burn (150000, &sink);
    }
    best = MAX (best, flop / (now_s () - start));
  }
  return best;
}

void
seam_cpu_measure_rates (SeamCpuDevice *device, SeamDeviceInfo *info)
{
  info->bytes_per_s = measure_copy (device);
  info->flop_fp32 = measure_flops (device);
  info->flop_tf32 = info->flop_fp32; /* the CPU has no TF32 and computes in FP32 instead */
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

void
seam_cpu_check (GPtrArray *checks)
{
  g_autofree char *model = seam_cpu_get_model ();
  g_autofree char *blas = get_blas_version ();
  g_autofree char *blas_path = get_library_path ((void *)cblas_sgemm);
  const SeamCpuLoops *loops = seam_cpu_loops_get ();
  const char *core = openblas_get_corename ();

  g_autofree char *cpu_detail = g_strdup_printf (
      "%s: %d threads (OMP_NUM_THREADS changes that), loops for %s, %.0f MB last-level cache.",
      model, omp_get_max_threads (), loops->name, (double)seam_cpu_get_cache_bytes () / 1048576.0);
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "CPU", cpu_detail, NULL));

  /* A library older than the processor falls back to kernels of half the width; which ones it took
   * is in the name. */
  gboolean is_narrow =
      loops->vector_width == 16 && (strcmp (core, "Haswell") == 0 || strcmp (core, "Zen") == 0);
  g_autofree char *blas_detail = g_strdup_printf (
      "%s in %s, using its %s kernels.%s", blas, blas_path, core,
      is_narrow ? " This OpenBLAS does not know the processor and leaves its AVX-512 unused; set "
                  "the variable before starting the program to change that."
                : "");
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "OpenBLAS", blas_detail,
                                           is_narrow ? "export OPENBLAS_CORETYPE=SkylakeX" : NULL));
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "OpenMP", get_openmp_version (), NULL));
}
