/* SPDX-License-Identifier: MIT
 *
 * The hand-written versions that need no Hopper, as entries of the lists of hand.h: portable
 * (compute capability 8.0 and newer) and SIMT (plain FP32).
 */
#pragma once

#include "app/backend/cuda/hand.h"

G_BEGIN_DECLS

#define HAND_PORTABLE_MATMUL_FILE      "kernels/cuda/hand/matmul-portable.cuh"
#define HAND_SIMT_MATMUL_FILE          "kernels/cuda/hand/matmul-simt.cuh"
#define HAND_PORTABLE_CONVOLUTION_FILE "kernels/cuda/hand/convolution-portable.cuh"
#define HAND_SIMT_CONVOLUTION_FILE     "kernels/cuda/hand/convolution-simt.cuh"

#define HAND_DECLARE_VERSION(name)                                                                 \
  gboolean hand_##name##_fits (const CudaDevice *device, const HandProblem *problem,               \
                               char **reason);                                                     \
  void hand_##name##_write (const CudaDevice *device, const HandProblem *problem, GString *text);  \
  gboolean hand_##name##_add (Preparation *p, const HandProblem *problem, const HandTail *tail,    \
                              cudaLibrary_t module, GError **error);

HAND_DECLARE_VERSION (portable_matmul)
HAND_DECLARE_VERSION (simt_matmul)
HAND_DECLARE_VERSION (portable_convolution)
HAND_DECLARE_VERSION (simt_convolution)

/* Whether the shape fits in ints; if not, `reason` is a sentence. */
gboolean hand_check_sizes (const HandProblem *problem, char **reason);

G_END_DECLS
