/* SPDX-License-Identifier: MIT
 *
 * The clock of a multiprocessor while a hand-written kernel runs. Preloaded into seamscope-cli
 * (LD_PRELOAD), it looks into every kernel module that the program loads for `seam_clock`, which
 * clock.py writes into a kernel's text (run --edit): the start and the end of a block of each
 * launch, as clock64 and globaltimer counted them. When the module goes, it prints what they say.
 * Nothing of the program knows of it.
 *
 *   gcc -shared -fPIC -I/usr/local/cuda/include -o clock.so tests/gpu/clock.c -ldl
 */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LAUNCHES 4096 /* as in clock.py */

typedef struct {
  unsigned long long start_cycle, start_ns, end_cycle, end_ns;
} Launch;

static struct {
  unsigned long long n;
  Launch launches[MAX_LAUNCHES];
} record;

/* The program's own CUDA runtime, which it loads with its CUDA module. */
static void *
find (const char *name)
{
  void *runtime = dlopen ("libcudart.so.13", RTLD_LAZY | RTLD_NOLOAD);
  void *function = runtime != NULL ? dlsym (runtime, name) : NULL;

  if (function == NULL) {
    fprintf (stderr, "clock: no %s in the CUDA runtime\n", name);
    exit (1);
  }
  return function;
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The quantile `part` of n sorted numbers. */
static double
get_part (const double *sorted, unsigned int n, double part)
{
  return sorted[(unsigned int)(part * (n - 1) + 0.5)];
}

static void
report (void)
{
  static double ghz[MAX_LAUNCHES], cycles[MAX_LAUNCHES], us[MAX_LAUNCHES];
  const unsigned int n = record.n < MAX_LAUNCHES ? (unsigned int)record.n : MAX_LAUNCHES;
  unsigned int good = 0;

  for (unsigned int i = 0; i < n; i++) {
    const Launch *l = &record.launches[i];
    const double c = (double)(l->end_cycle - l->start_cycle), t = (double)(l->end_ns - l->start_ns);
    if (l->end_cycle <= l->start_cycle || l->end_ns <= l->start_ns)
      continue;
    cycles[good] = c;
    us[good] = t / 1e3;
    ghz[good++] = c / t;
  }
  if (good == 0)
    return;
  qsort (ghz, good, sizeof *ghz, compare);
  qsort (cycles, good, sizeof *cycles, compare);
  qsort (us, good, sizeof *us, compare);
  fprintf (stderr,
           "clock: %u launches; GHz 10 %% %.4f, median %.4f, 90 %% %.4f; cycles median %.0f, least "
           "%.0f; us median %.2f, least %.2f\n",
           good, get_part (ghz, good, 0.1), get_part (ghz, good, 0.5), get_part (ghz, good, 0.9),
           get_part (cycles, good, 0.5), cycles[0], get_part (us, good, 0.5), us[0]);
}

cudaError_t
cudaLibraryUnload (cudaLibrary_t library)
{
  cudaError_t (*get_global) (void **, size_t *, cudaLibrary_t, const char *) =
      find ("cudaLibraryGetGlobal");
  cudaError_t (*copy) (void *, const void *, size_t, enum cudaMemcpyKind) = find ("cudaMemcpy");
  cudaError_t (*last) (void) = find ("cudaGetLastError");
  cudaError_t (*unload) (cudaLibrary_t) = find ("cudaLibraryUnload");
  void *at = NULL;
  size_t bytes = 0;

  if (get_global (&at, &bytes, library, "seam_clock") == cudaSuccess && bytes == sizeof record
      && copy (&record, at, bytes, cudaMemcpyDeviceToHost) == cudaSuccess)
    report ();
  last ();
  return unload (library);
}
