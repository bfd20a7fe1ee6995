/* SPDX-License-Identifier: MIT
 *
 * The hand-written versions that need no Hopper, as entries of the lists of hand.h: portable
 * (compute capability 8.0 and newer) and SIMT (plain FP32).
 */
#pragma once

#include "app/backend/cuda/hand.h"

#define HAND_PORTABLE_MATMUL_FILE      "kernels/cuda/hand/matmul-portable.cuh"
#define HAND_SIMT_MATMUL_FILE          "kernels/cuda/hand/matmul-simt.cuh"
#define HAND_PORTABLE_CONVOLUTION_FILE "kernels/cuda/hand/convolution-portable.cuh"
#define HAND_SIMT_CONVOLUTION_FILE     "kernels/cuda/hand/convolution-simt.cuh"

/* The `mode` of versions that are SIMT, not portable. */
#define HAND_SIMT TRUE

gboolean hand_fits_portable_matmul (const CudaDevice *device, const HandProblem *problem, int simt,
                                    char **reason);
void hand_write_portable_matmul (const CudaDevice *device, const HandProblem *problem, int simt,
                                 GString *text);
gboolean hand_add_portable_matmul (Preparation *p, const HandProblem *problem, int simt,
                                   const HandTail *tail, cudaLibrary_t module, GError **error);
gboolean hand_fits_portable_convolution (const CudaDevice *device, const HandProblem *problem,
                                         int simt, char **reason);
void hand_write_portable_convolution (const CudaDevice *device, const HandProblem *problem,
                                      int simt, GString *text);
gboolean hand_add_portable_convolution (Preparation *p, const HandProblem *problem, int simt,
                                        const HandTail *tail, cudaLibrary_t module, GError **error);

/* Whether the shape fits in ints; if not, `reason` is a sentence. */
gboolean hand_check_sizes (const HandProblem *problem, char **reason);
