/* SPDX-License-Identifier: MIT
 *
 * The sources that generated code includes, as strings made from the files themselves at build time
 * (embed.sh), so that what NVRTC or the system's C compiler is given is what this program was
 * compiled from.
 */
#pragma once

typedef struct {
  const char *name; /* as it is included: "kernels/ops.h" */
  const char *text;
} SeamKernelText;

#define SEAM_MAX_CUDA_TEXTS 32

/* What generated CUDA includes; in the CUDA module. */
extern const SeamKernelText seam_cuda_texts[];
extern const int seam_n_cuda_texts; /* at most SEAM_MAX_CUDA_TEXTS */

/* What generated C includes. */
extern const SeamKernelText seam_cpu_texts[];
extern const int seam_n_cpu_texts;
