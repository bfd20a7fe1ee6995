/* SPDX-License-Identifier: MIT
 *
 * Hand-written fused kernels (kernels/cuda/hand) as implementations of groups: which versions there
 * are, which of them can execute how much of a group, and their launches. A version's device code
 * is text that NVRTC compiles together with the group's own elementwise ops (struct Tail) and the
 * numbers of the problem (struct Config).
 */
#pragma once

#include "app/backend/cuda/hand-choice.h"
#include "app/backend/cuda/prepare.h"

G_BEGIN_DECLS

/* The version for a group that starts with conv2d or matmul, by the implementation it asks for;
 * without one `reason` (newly allocated) says why, NULL when the group does not ask for any. */
void hand_choose (CudaDevice *device, const SeamGroupSpec *spec, HandChoice *choice, char **reason);

/* Lists of versions, best first, ended by an entry without functions. */
extern const HandVersion hand_matmul_versions[];      /* hand-matmul.c */
extern const HandVersion hand_convolution_versions[]; /* hand-convolution.c */

/* Tail: the elementwise ops of the problem as the source of `struct Tail`, and which tensors its
 * vectors are; GroupNorm's weight and bias follow them when it has one. */
typedef struct {
  char *source;
  int n_vectors; /* without GroupNorm's */
  int vectors[HAND_MAX_VECTORS + 2];
} HandTail;

void hand_tail_make (const HandProblem *problem, HandTail *tail);
void hand_tail_clear (HandTail *tail);

/* Compiles head comment, tail, `#include header` and `body` (Config and kernels); the module is the
 * prepared group's. `specific`: for this very architecture (wgmma, TMA). NULL with `error`. */
cudaLibrary_t hand_compile (Preparation *p, const HandProblem *problem, const HandTail *tail,
                            const char *header, const char *body, gboolean specific,
                            GError **error);

typedef struct {
  const char *function; /* in the module */
  char *short_name;     /* taken */
  int first_op, last_op;
  double bytes;
  gboolean is_copy;
  dim3 grid;
  unsigned int threads, cluster, shared_bytes; /* cluster: blocks along x, 0 or 1 for none */
} HandLaunchSpec;

/* Adds a launch of a function with one argument struct, which is copied. */
gboolean hand_add_launch (Preparation *p, cudaLibrary_t module, const HandLaunchSpec *spec,
                          const void *arguments, gsize size, GError **error);

/* Bytes of the group's input, parameters and output, each once: what a fused launch moves. */
double hand_fused_bytes (const Preparation *p, const HandProblem *problem);
/* Dynamic shared memory that one block may have. */
int hand_get_shared_limit (CudaDevice *device);

/* A tensor map of a row-major FP32 (or bf16) matrix for TMA; `map` is 128 bytes, 64-byte aligned.
 * SEAM_ERROR_UNSUPPORTED when the driver has no TMA. */
typedef struct {
  const void *data;
  gboolean bf16; /* else FP32, rounded to TF32 on load when `round` */
  gboolean round;
  guint rank;                   /* 2 … 5 */
  guint64 sizes[5], strides[4]; /* elements; bytes, of dimension 1 on */
  guint32 box[5];
  gboolean swizzle; /* 128 bytes */
} HandTensorMap;

gboolean hand_encode_map (const HandTensorMap *spec, void *map, GError **error);

G_END_DECLS
