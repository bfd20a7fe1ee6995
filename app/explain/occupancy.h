/* SPDX-License-Identifier: MIT
 *
 * How many blocks of a kernel fit on a multiprocessor at once, from its registers, shared memory
 * and threads and what the GPU's compute capability has of each: theoretical occupancy. How much of
 * it a run reached is a counter's matter (SeamKernel.occupancy_percent).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  SEAM_OCCUPANCY_BY_WARPS,
  SEAM_OCCUPANCY_BY_BLOCKS,
  SEAM_OCCUPANCY_BY_REGISTERS,
  SEAM_OCCUPANCY_BY_SHARED,
} SeamOccupancyLimit;

typedef struct {
  int blocks;     /* at once on a multiprocessor */
  double percent; /* of the warps that it has room for */
  SeamOccupancyLimit limit;
} SeamOccupancy;

/* `capability` as the driver names it ("9.0"); registers a thread, bytes of shared memory (static
 * and dynamic) and threads a block. FALSE where the capability is not known or no block fits. */
gboolean seam_occupancy_compute (const char *capability, int registers, gint64 shared_bytes,
                                 gint64 threads, SeamOccupancy *occupancy);
/* "1 block fits on a multiprocessor (18.8 % of its warps, limited by shared memory)"; newly
 * allocated. */
char *seam_occupancy_describe (const SeamOccupancy *occupancy);

G_END_DECLS
