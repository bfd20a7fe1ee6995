/* SPDX-License-Identifier: MIT
 *
 * Shared by the parts of prepare(): cuda-prepare.c goes from a group's scheme to its segments,
 * prepare-library.c adds the launches of a library call, prepare-kernels.c those of this program's
 * kernels.
 */
#pragma once

#include "app/backend/cuda/cuda-groups.h"
#include "app/backend/cuda/launch.h"

/* State of prepare() from segment to segment. */
typedef struct Preparation {
  CudaDevice *device;
  const SeamGroupSpec *spec;
  const SeamChain *chain;
  const GroupScheme *scheme;
  SeamCancel *cancel;
  SeamPrepared *prepared;
  SeamBuffer *const *buffers;       /* as in prepare() */
  float *tensors[SEAM_MAX_TENSORS]; /* device addresses; NULL until needed */
  gboolean only_code;               /* compiles a person's text, and makes no launch */
  Launch *call;                     /* of the library */
} Preparation;

/* Defines the `enqueue` of a launch that is one call of this program's kernels. */
#define ENQUEUE(name, call)                                                                        \
  static gboolean enqueue_##name (CudaDevice *device, Launch *launch, GError **error)              \
  {                                                                                                \
    return CUDA_TRY (call, error);                                                                 \
  }

/* Allocates device memory that the prepared group owns. */
float *preparation_take_scratch (Preparation *p, gint64 bytes, GError **error);
/* Adds a launch at the end of the group; takes the name. */
Launch *preparation_add_launch (Preparation *p, int first, int last, char *short_name,
                                const char *implementation, double bytes);
double preparation_tensor_bytes (const Preparation *p, int tensor);
/* The tensor number of an op's parameter `which`. */
int preparation_param_tensor (const Preparation *p, int op, int which);

/* The address of a matrix op's operand: the tensor itself if it has the math mode's operand type,
 * else a copy in that type, in scratch memory of the group, with a launch that makes it, drawn as a
 * copy: "input to bf16". NULL: `error`. */
void *preparation_get_operand (Preparation *p, int op, int tensor, GError **error);
/* Copies of input and weight of the matmul `op` in FP16, with each row times a power of two, from
 * one launch; NULL: `error`. Valid as long as the group. */
const SeamCudaScaling *preparation_add_scaling (Preparation *p, int op, GError **error);
/* Powers of two of the samples and filters of the convolution `op`, from a launch before it; NULL:
 * `error`. Valid as long as the group. With `before`, of the same op, the launch finds those of
 * samples exactly if a kernel found that numbers left the range, and else does nothing. */
const SeamCudaGuess *preparation_add_guess (Preparation *p, int op, const SeamCudaGuess *before,
                                            GError **error);
/* The reverse: the tensor itself if it is FP32, else a copy in FP32. */
const float *preparation_get_fp32 (Preparation *p, int op, int tensor, GError **error);
/* Adds a launch that rounds `from`, FP32, into a 16-bit tensor, drawn as a copy. */
void preparation_add_narrowing (Preparation *p, int op, int tensor, const float *from);
gboolean preparation_add_matmul (Preparation *p, const SeamSegment *s, GError **error);
gboolean preparation_add_convolution (Preparation *p, const SeamSegment *s, GError **error);
gboolean preparation_add_precompiled (Preparation *p, const SeamSegment *s, GError **error);
/* Adds an exhibit's library op, with sums in FP16. */
gboolean preparation_add_half_sums (Preparation *p, const SeamSegment *s, GError **error);
gboolean preparation_add_generated (Preparation *p, const SeamSegment *s, GError **error);
/* Adds the kernels of one op of any class. */
gboolean preparation_add_nest (Preparation *p, const SeamSegment *s, GError **error);
