/* SPDX-License-Identifier: MIT
 *
 * The sources that generated kernels include, as strings made from the files themselves at build
 * time (embed.sh), so that what NVRTC compiles is what nvcc compiled.
 */
#pragma once

typedef struct {
  const char *name; /* as it is included: "kernels/ops.h" */
  const char *text;
} SeamCudaText;

#define SEAM_MAX_CUDA_TEXTS 32

extern const SeamCudaText seam_cuda_texts[];
extern const int seam_n_cuda_texts; /* at most SEAM_MAX_CUDA_TEXTS */
