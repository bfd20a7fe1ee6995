/* SPDX-License-Identifier: MIT
 *
 * Chooses the widest loops (loops.c) that this processor runs, and holds the arithmetic that all of
 * them share. Compiled for every processor.
 */
#include "kernels/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

extern const SeamCpuLoops seam_cpu_loops_baseline;
#ifdef SEAM_CPU_HAVE_AVX2
extern const SeamCpuLoops seam_cpu_loops_avx2;
#endif
#ifdef SEAM_CPU_HAVE_AVX512
extern const SeamCpuLoops seam_cpu_loops_avx512;
#endif

const SeamCpuLoops *
seam_cpu_loops_find (const char *isa)
{
  /* Checks all features of a level: -march=x86-64-v3 and -v4 allow the compiler to use any of
   * them. */
#ifdef SEAM_CPU_HAVE_AVX2
  __builtin_cpu_init ();
  if (strcmp (isa, "avx2") == 0)
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma")
                   && __builtin_cpu_supports ("bmi") && __builtin_cpu_supports ("bmi2")
               ? &seam_cpu_loops_avx2
               : NULL;
#endif
#ifdef SEAM_CPU_HAVE_AVX512
  if (strcmp (isa, "avx512") == 0)
    return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
                   && __builtin_cpu_supports ("avx512cd") && __builtin_cpu_supports ("avx512dq")
                   && __builtin_cpu_supports ("avx512vl") && seam_cpu_loops_find ("avx2") != NULL
               ? &seam_cpu_loops_avx512
               : NULL;
#endif
  return strcmp (isa, "baseline") == 0 ? &seam_cpu_loops_baseline : NULL;
}

const SeamCpuLoops *
seam_cpu_loops_get (void)
{
  const char *wanted = getenv ("SEAMSCOPE_CPU_LOOPS");
  const SeamCpuLoops *loops = wanted == NULL ? NULL : seam_cpu_loops_find (wanted);
  if (loops == NULL)
    loops = seam_cpu_loops_find ("avx512");
  if (loops == NULL)
    loops = seam_cpu_loops_find ("avx2");
  return loops != NULL ? loops : &seam_cpu_loops_baseline;
}

int64_t
seam_cpu_sets_count_units (const SeamSets *sets)
{
  const int64_t *n = sets->sizes;

  if (n[5] > 1 || n[4] == 1)
    return n[0] * n[2] * n[4];
  return n[0] * n[2] * ((n[4] + SEAM_CPU_COLUMNS - 1) / SEAM_CPU_COLUMNS);
}

void
seam_cpu_moments_merge (SeamCpuMoments *a, const SeamCpuMoments *b)
{
  if (b->count == 0)
    return;
  if (a->count == 0) {
    *a = *b;
    return;
  }
  double count = a->count + b->count;
  double distance = b->mean - a->mean;
  a->mean += distance * (b->count / count);
  a->m2 += b->m2 + distance * distance * (a->count * b->count / count);
  a->count = count;
}
