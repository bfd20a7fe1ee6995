/* SPDX-License-Identifier: MIT
 *
 * Sanity limits: measured rates that no device can have, because they are over its peak (that of
 * the data sheet, else what calibration measured). The time, the bytes or the peak is wrong, and
 * the number is shown in red with the sentence. A rate may exceed the peak by a little: up to
 * SEAM_RAIL times the data sheet's, SEAM_RAIL_MEASURED times a measured one. The other limit, a
 * time under the floor, is result->floor_ns.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_RAIL_DRAM,   /* counted bytes over the kernel's time, or the counter's own percentage */
  SEAM_RAIL_MATRIX, /* operations of the matrix product over its kernel's time */
  SEAM_RAIL_SM,     /* the counters' percentages */
  SEAM_RAIL_TENSOR,
} SeamRailKind;

typedef struct {
  SeamRailKind kind;
  int kernel;      /* of the plan */
  double fraction; /* of the peak; over SEAM_RAIL */
  char *sentence;  /* "conv2d moved 5.1 TB/s, 119 % of the 4.30 TB/s …" */
} SeamRail;

/* What one plan exceeds, in the order of its kernels; array of SeamRail, often empty. */
GPtrArray *seam_rails_new (const SeamResult *result, int plan);
/* All sentences, or those of one kernel (`kernel` -1: all), joined by a blank; NULL when there is
 * none. Newly allocated. */
char *seam_rails_describe (const GPtrArray *rails, int kernel);

G_END_DECLS
