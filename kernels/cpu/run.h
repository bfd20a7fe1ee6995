/* SPDX-License-Identifier: MIT
 *
 * The argument of a generated CPU function: a run of neighbouring elements. The program cuts
 * tensors into tiles and tiles into runs, with one thread a tile; the function applies the ops of
 * one stage to one run, reading each value once and keeping it in registers between ops.
 */
#ifndef SEAM_CPU_RUN_H
#define SEAM_CPU_RUN_H

#include <stdint.h>

#define SEAM_CPU_RUN_TENSORS 32

typedef struct {
  int64_t n; /* elements */
  /* Tensors, at the run's first element; a written one may be among those read. One of 16 bits
   * (kernels/operand.h) is cast to unsigned short. */
  const float *read[SEAM_CPU_RUN_TENSORS];
  float *write[SEAM_CPU_RUN_TENSORS];
  const float *vector[SEAM_CPU_RUN_TENSORS]; /* parameters of channels, from the first element's
                                              * channel on */
  const float *norms; /* mean and 1 / sqrt (variance + epsilon) of each normalisation group, from
                       * the group of the first element on */
} SeamCpuRun;

#endif
