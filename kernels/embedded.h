/* SPDX-License-Identifier: MIT
 *
 * The sources that generated code includes, as strings made from the files at build time
 * (embed.sh), so that NVRTC and the system's C compiler get the same sources that this program was
 * compiled from.
 */
#pragma once

typedef struct {
  const char *name; /* name in #include: "kernels/ops.h" */
  const char *text;
} SeamKernelText;

#define SEAM_MAX_CUDA_TEXTS 48

/* Headers for generated CUDA sources; defined in the CUDA module. */
extern const SeamKernelText seam_cuda_texts[];
extern const int seam_n_cuda_texts; /* at most SEAM_MAX_CUDA_TEXTS */

/* Headers for generated C sources. */
extern const SeamKernelText seam_cpu_texts[];
extern const int seam_n_cpu_texts;
