/* SPDX-License-Identifier: MIT
 *
 * Theoretical occupancy: how many blocks of a kernel fit on a multiprocessor at once, from the
 * kernel's registers, shared memory and threads and the limits of the GPU's compute capability. A
 * counter measures the occupancy that a run reached (SeamKernel.occupancy_percent).
 */
#pragma once

#include <glib.h>

typedef enum {
  SEAM_OCCUPANCY_BY_WARPS,
  SEAM_OCCUPANCY_BY_BLOCKS,
  SEAM_OCCUPANCY_BY_REGISTERS,
  SEAM_OCCUPANCY_BY_SHARED,
  SEAM_N_OCCUPANCY_LIMITS
} SeamOccupancyLimit;

typedef struct {
  int blocks;          /* at once on a multiprocessor */
  gint64 shared_bytes; /* of a block, with what the system takes from each */
  double percent;      /* of the warps that fit on a multiprocessor */
  SeamOccupancyLimit limit;
  /* What each limit alone allows: blocks, and their warps in percent. Never more blocks than a
   * multiprocessor takes of any kernel; of shared memory as much as it can be given, where ncu
   * counts with what the driver gave it. */
  int by[SEAM_N_OCCUPANCY_LIMITS];
  double percents[SEAM_N_OCCUPANCY_LIMITS];
} SeamOccupancy;

/* `capability` as the driver names it ("9.0"); registers per thread, bytes of shared memory (static
 * and dynamic) and threads per block. FALSE if the capability is unknown or no block fits. */
gboolean seam_occupancy_compute (const char *capability, int registers, gint64 shared_bytes,
                                 gint64 threads, SeamOccupancy *occupancy);
/* "1 block fits on a multiprocessor (18.8 % of its warps, limited by shared memory)"; newly
 * allocated. */
char *seam_occupancy_describe (const SeamOccupancy *occupancy);
