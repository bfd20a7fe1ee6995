/* SPDX-License-Identifier: MIT
 *
 * A launch: one kernel of this program, or one library call (which may be several kernels), with
 * its names and bytes for traces. A prepared group is a list of launches. Also the launches of the
 * two libraries, and the choice of the fastest of several.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"
#include "app/backend/matrix.h"
#include "kernels/cuda/kernels.h"

typedef struct Launch Launch;

struct Launch {
  gboolean (*enqueue) (CudaDevice *device, Launch *launch, GError **error);
  void (*clear) (Launch *launch); /* clears `library`; NULL: g_free() does */
  int first_op, last_op;
  char *short_name; /* "conv2d", "groupnorm apply", "conv_bias + relu" */
  const char *implementation;
  gboolean is_copy;
  double bytes; /* modelled */

  SeamOpType type;             /* precompiled kernels */
  SeamOperandType operand;     /* changes of type and layout: the side that need not be FP32 */
  SeamOperandType first;       /* changes of layout: type of the side with channels first */
  SeamCudaArguments arguments; /* precompiled and generated kernels */
  SeamCudaGeometry geometry;   /* generated kernels */
  cudaKernel_t kernel;         /* generated kernels; from a library that the group owns */
  gpointer library;            /* a Matmul or a Convolution */
  char *key;                   /* under which its algorithm is kept (choices.h); NULL: has none */
  int number;                  /* the algorithm */
};

void launch_free (Launch *launch);

struct SeamPrepared {
  int group;           /* index of the group in its plan */
  char *executed;      /* "cudnn + generated" */
  char *note;          /* facts found in preparing that supports() did not know, a sentence; NULL */
  GPtrArray *launches; /* of Launch */
  GPtrArray *scratch;  /* device memory, freed with cudaFree */
  GPtrArray *modules;  /* cudaLibrary_t */
  SeamTile tile;       /* of the launch that writes the group's output: the last one that set it */
  struct CudaGraph *graph; /* graph of a plan that begins with this group, or NULL; owned */
};

/* Adds to an error which launch it was. */
void launch_name_error (const Launch *launch, GError **error);

/* Times candidates 0…n-1, which are `numbers` as choices under `key`, and returns the index of the
 * fastest that is not refused, or -1 if none runs (`error` is then that of the last one, or
 * CANCELLED). `run` enqueues candidate i. A kept one is returned at once; keeping one is up to the
 * caller. */
int launch_choose_fastest (CudaDevice *device, const char *key, const int *numbers, int n,
                           gboolean (*run) (CudaDevice *device, gpointer data, int i,
                                            GError **error),
                           gpointer data, SeamCancel *cancel, GError **error);

/* y [N, K] = x [N, C] * w [K, C] transposed, with cuBLASLt; then + bias[K] unless it is NULL, then
 * relu. Chooses the fastest of the library's first proposals, in the launch's `number`. x and w
 * have the operand type of the math mode, y has type `output`: FP32 or (without a bias) the operand
 * type. All else, including sums, is FP32. */
gboolean matmul_prepare (CudaDevice *device, Launch *launch, const SeamMatrixDims *dims,
                         SeamMathMode math_mode, const void *x, const void *w, const float *bias,
                         gboolean relu, SeamOperandType output, void *y, SeamCancel *cancel,
                         GError **error);
/* How many ops of the group, which starts with a matmul, its epilogue takes; 1: only the matmul. A
 * bias must have the output's type, and vectors are FP32. */
int matmul_count_absorbed (const SeamProblem *problem, const SeamPlan *plan, int group);

/* Layout and types of a convolution's tensors. In math modes fp16 and bf16, input and weight have
 * that type. If no engine stores FP32 then, the output can have it as well: it is rounded once
 * more. */
typedef enum {
  CONVOLUTION_CHANNELS_FIRST,
  CONVOLUTION_CHANNELS_LAST,
  CONVOLUTION_ROUNDED_FIRST, /* channels first, output of the operands' type */
  CONVOLUTION_ROUNDED_LAST,
  N_CONVOLUTION_FORMS
} ConvolutionForm;

gboolean convolution_form_is_last (ConvolutionForm form);
gboolean convolution_form_is_rounded (ConvolutionForm form);
/* Number of forms in a math mode: all if its operands have 16 bits. */
int convolution_count_forms (SeamMathMode math_mode);
/* The form of a launch's `number`, which has an engine besides. -1: -1. */
int convolution_get_form (int number);

/* conv2d first_op … last_op of the launch (one op, or with elementwise ops in cuDNN's graph) on
 * tensors of that form; tensors that are not FP32 are cast. `tensors` is indexed by tensor number.
 * SEAM_ERROR_UNSUPPORTED if cuDNN has no engine for it. Chooses the fastest of its engines, in the
 * launch's `number`. */
gboolean convolution_prepare (CudaDevice *device, Launch *launch, const SeamProblem *problem,
                              const SeamPlan *plan, SeamMathMode math_mode, ConvolutionForm form,
                              float *const *tensors, SeamCancel *cancel, GError **error);
/* Text that distinguishes convolutions with ops after them: the key of answers and choices. */
char *convolution_make_key (const SeamProblem *problem, const SeamPlan *plan,
                            SeamMathMode math_mode, int first, int last);
/* Whether cuDNN proposes an engine for conv2d with the ops up to `last`, in either layout; the
 * answer is kept. FALSE with the sentence in `reason` (borrowed from the device). */
gboolean convolution_can_fuse (CudaDevice *device, const SeamProblem *problem, const SeamPlan *plan,
                               SeamMathMode math_mode, int first, int last, const char **reason);
