/* SPDX-License-Identifier: MIT
 *
 * A launch: one kernel of this program, or one library call (which may be several kernels), with
 * what a trace says of it. A prepared group is a list of them. Also the two libraries' launches
 * and the choice of the fastest of several.
 */
#pragma once

#include "app/backend/cuda/device.h"
#include "kernels/cuda/kernels.h"

G_BEGIN_DECLS

typedef struct Launch Launch;

struct Launch {
  gboolean (*enqueue) (CudaDevice *device, Launch *launch, GError **error);
  void (*clear) (Launch *launch); /* of `library`; may be NULL */
  int first_op, last_op;
  char *short_name; /* "conv2d", "groupnorm apply", "conv_bias + relu" */
  const char *implementation;
  gboolean is_copy;
  double bytes; /* modelled */

  SeamOpType type;             /* precompiled kernels */
  SeamCudaArguments arguments; /* precompiled and generated kernels */
  SeamCudaGeometry geometry;   /* generated kernels */
  cudaKernel_t kernel;         /* generated kernels; of a library that the group owns */
  gpointer library;            /* a Matmul or a Convolution */
};

void launch_free (Launch *launch);

struct SeamPrepared {
  int group;           /* of its plan */
  char *executed;      /* "cudnn + generated" */
  GPtrArray *launches; /* of Launch */
  GPtrArray *scratch;  /* device memory, freed with cudaFree */
  GPtrArray *modules;  /* cudaLibrary_t */
  SeamTile tile;       /* of the launch that writes the group's output: the last one that set it */
  struct CudaGraph *graph; /* of a plan that begins with this group, or NULL; owned */
};

/* Adds to an error of a launch which one it was. */
void launch_name_error (const Launch *launch, GError **error);

/* Times candidates 0…n-1 and returns the fastest's index, or -1 when none runs (`error` is then
 * the last one's, or CANCELLED). `run` enqueues candidate i. The answer is kept under `key`, so
 * that a worker tries a problem's algorithms once. */
int launch_choose_fastest (CudaDevice *device, const char *key, int n,
                           gboolean (*run) (CudaDevice *device, gpointer data, int i,
                                            GError **error),
                           gpointer data, SeamCancel *cancel, GError **error);

/* A choice kept under a key that is not one of the above; -1: none yet. */
int launch_get_choice (CudaDevice *device, const char *key);
void launch_set_choice (CudaDevice *device, const char *key, int choice);

/* y [N, K] = x [N, C] * w [K, C] transposed, with cuBLASLt; then + bias[K] when not NULL, then
 * relu. Chooses the fastest of the library's first proposals. */
gboolean matmul_prepare (CudaDevice *device, Launch *launch, const SeamDims *dims,
                         SeamMathMode math_mode, const float *x, const float *w, const float *bias,
                         gboolean relu, float *y, SeamCancel *cancel, GError **error);
/* The same of matrices in BF16, FP32 sums and result; for calibration. */
gboolean matmul_prepare_bf16 (CudaDevice *device, Launch *launch, const SeamDims *dims,
                              const void *x, const void *w, float *y, SeamCancel *cancel,
                              GError **error);
/* How many ops of the group, which starts with a matmul, its epilogue takes: 1 the matmul alone. */
int matmul_count_absorbed (const SeamPlan *plan, int group);

/* conv2d first_op … last_op of the launch (one op, or with elementwise ops that cuDNN's graph
 * takes along) on NCHW tensors, or with input, weight and output channels-last. `tensors` is
 * indexed by tensor number. SEAM_ERROR_UNSUPPORTED when cuDNN has nothing for it. */
gboolean convolution_prepare (CudaDevice *device, Launch *launch, const SeamProblem *problem,
                              const SeamPlan *plan, SeamMathMode math_mode, gboolean channels_last,
                              float *const *tensors, SeamCancel *cancel, GError **error);
/* Whether cuDNN proposes an engine for conv2d with the ops up to `last`, in either layout; the
 * answer is kept. FALSE with the sentence in `reason` (borrowed from the device). */
gboolean convolution_can_fuse (CudaDevice *device, const SeamProblem *problem, const SeamPlan *plan,
                               SeamMathMode math_mode, int first, int last, const char **reason);

G_END_DECLS
