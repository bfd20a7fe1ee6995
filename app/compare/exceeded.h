/* SPDX-License-Identifier: MIT
 *
 * Sanity limits: measured rates that no device can have, because they are over its peak (that of
 * the data sheet, else what calibration measured). The time, the bytes or the peak is wrong, and
 * the number is shown in red with the sentence. A rate may exceed the peak by a little: up to
 * SEAM_PEAK_SLACK times the data sheet's, SEAM_PEAK_SLACK_MEASURED times a measured one. The other
 * limit, a time under the floor, is result->floor_ns.
 */
#pragma once

#include "app/result/result.h"

typedef enum {
  SEAM_EXCEEDED_DRAM,   /* counted bytes over the kernel's time, or the counter's own percentage */
  SEAM_EXCEEDED_MATRIX, /* operations of the matrix product over its kernel's time */
  SEAM_EXCEEDED_SM,     /* the counters' percentages */
  SEAM_EXCEEDED_TENSOR,
} SeamExceededKind;

typedef struct {
  SeamExceededKind kind;
  int kernel;      /* index in the plan */
  double fraction; /* of the peak; over SEAM_PEAK_SLACK */
  char *sentence;  /* "conv2d moved 5.1 TB/s, 119 % of the 4.30 TB/s …" */
} SeamExceeded;

/* The limits that a plan exceeds, in the order of its kernels; array of SeamExceeded, often
 * empty. */
GPtrArray *seam_exceeded_list (const SeamResult *result, int plan);
/* All sentences, or those of one kernel (`kernel` -1: all), separated by blanks; NULL if there are
 * none. Newly allocated. */
char *seam_exceeded_describe (const GPtrArray *list, int kernel);
