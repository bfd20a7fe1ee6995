/* SPDX-License-Identifier: MIT
 *
 * A launch: one kernel of this program, or one library call (which may be several kernels), with
 * what a trace says of it. A prepared group is a list of them. Also the two libraries' launches
 * and the choice of the fastest of several.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"
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
  SeamOperandType operand;     /* changes of type and layout: the side that may not be FP32 */
  SeamOperandType first;       /* changes of layout: the side with channels first */
  SeamCudaArguments arguments; /* precompiled and generated kernels */
  SeamCudaGeometry geometry;   /* generated kernels */
  cudaKernel_t kernel;         /* generated kernels; of a library that the group owns */
  gpointer library;            /* a Matmul or a Convolution */
};

void launch_free (Launch *launch);

struct SeamPrepared {
  int group;           /* of its plan */
  char *executed;      /* "cudnn + generated" */
  char *note;          /* what preparing found that supports() did not know, a sentence; NULL */
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
 * relu. Chooses the fastest of the library's first proposals. x and w hold the operand type of the
 * math mode, y holds `output`, FP32 or (without a bias) that type; sums and all else are FP32. */
gboolean matmul_prepare (CudaDevice *device, Launch *launch, const SeamDims *dims,
                         SeamMathMode math_mode, const void *x, const void *w, const float *bias,
                         gboolean relu, SeamOperandType output, void *y, SeamCancel *cancel,
                         GError **error);
/* How many ops of the group, which starts with a matmul, its epilogue takes: 1 the matmul alone. A
 * bias has to have the output's type, and vectors are FP32. */
int matmul_count_absorbed (const SeamProblem *problem, const SeamPlan *plan, int group);

/* How a convolution's tensors lie. In math modes fp16 and bf16 input and weight are of that type;
 * where no engine stores FP32 then, the output can be too: it is rounded once more. */
typedef enum {
  CONVOLUTION_CHANNELS_FIRST,
  CONVOLUTION_CHANNELS_LAST,
  CONVOLUTION_ROUNDED_FIRST, /* channels first, output of the operands' type */
  CONVOLUTION_ROUNDED_LAST,
  N_CONVOLUTION_FORMS
} ConvolutionForm;

gboolean convolution_form_is_last (ConvolutionForm form);
gboolean convolution_form_is_rounded (ConvolutionForm form);
/* Forms that there are in a math mode: all where its operands have 16 bits. */
int convolution_count_forms (SeamMathMode math_mode);

/* conv2d first_op … last_op of the launch (one op, or with elementwise ops that cuDNN's graph
 * takes along) on tensors of that form; those that are not FP32 by a cast. `tensors` is indexed
 * by tensor number. SEAM_ERROR_UNSUPPORTED when cuDNN has nothing for it. */
gboolean convolution_prepare (CudaDevice *device, Launch *launch, const SeamProblem *problem,
                              const SeamPlan *plan, SeamMathMode math_mode, ConvolutionForm form,
                              float *const *tensors, SeamCancel *cancel, GError **error);
/* Whether cuDNN proposes an engine for conv2d with the ops up to `last`, in either layout; the
 * answer is kept. FALSE with the sentence in `reason` (borrowed from the device). */
gboolean convolution_can_fuse (CudaDevice *device, const SeamProblem *problem, const SeamPlan *plan,
                               SeamMathMode math_mode, int first, int last, const char **reason);

G_END_DECLS
