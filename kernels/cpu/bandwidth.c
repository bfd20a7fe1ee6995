/* SPDX-License-Identifier: MIT
 *
 * Passes over memory that calibration times: reading alone, writing alone, copying. Writing and
 * copying are the C library's, which goes around the cache where that is faster; reading is a loop
 * in this file with eight independent sums, so that it waits for memory and not for additions.
 */
#include "kernels/cpu/cpu.h"

#include <string.h>

uint64_t
seam_cpu_read (const void *data, int64_t bytes, int64_t n_passes)
{
  const int64_t n = bytes / (int64_t)sizeof (uint64_t);
  uint64_t sums[8] = { 0 };

  for (int64_t pass = 0; pass < n_passes; pass++) {
    const uint64_t *words = data;

    /* Hides the pointer from the compiler, which could otherwise drop a pass as a repetition of the
     * one before. */
    __asm__ volatile("" : "+r"(words) : : "memory");
    for (int64_t i = 0; i + 8 <= n; i += 8)
      for (int j = 0; j < 8; j++)
        sums[j] += words[i + j];
  }
  return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

void
seam_cpu_write (void *data, int64_t bytes, int64_t n_passes)
{
  for (int64_t pass = 0; pass < n_passes; pass++) {
    memset (data, 0x3f - (int)(pass & 1), (size_t)bytes);
    __asm__ volatile("" : : "r"(data) : "memory");
  }
}

void
seam_cpu_copy (void *to, const void *from, int64_t bytes, int64_t n_passes)
{
  for (int64_t pass = 0; pass < n_passes; pass++) {
    memcpy (to, from, (size_t)bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
  }
}
