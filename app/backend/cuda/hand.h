/* SPDX-License-Identifier: MIT
 *
 * Hand-written fused kernels (kernels/cuda/hand) as implementations of groups: the lists of
 * versions, the choice of a version and of the ops that it executes, and their launches. A
 * version's device code is text that NVRTC compiles together with the group's own elementwise ops
 * (struct Tail) and the numbers of the problem (struct Config).
 */
#pragma once

#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/hand-choice.h"
#include "app/backend/cuda/cuda-prepare.h"

/* Chooses the version for a group that starts with conv2d or matmul, by the implementation that the
 * group asks for. If there is none, `reason` (newly allocated) says why; NULL if the group does not
 * ask for any. */
void hand_choose (const CudaDevice *device, const SeamGroupSpec *spec, HandChoice *choice,
                  char **reason);

/* Lists of versions, best first, ended by an entry without functions. */
extern const HandVersion hand_matmul_versions[];      /* hand-matmul.c */
extern const HandVersion hand_convolution_versions[]; /* hand-convolution.c */

/* The whole text that NVRTC compiles for a choice: comment, the kernel's file, tail, config,
 * entries; newly allocated. Launches nothing and needs no GPU: it reads only the numbers in
 * `device`. */
char *hand_write_source (const CudaDevice *device, const HandChoice *choice);
/* Whether a person's text is an edited hand-written kernel, and which one (its first line says so);
 * `name` may be NULL, and is borrowed from the version. */
gboolean hand_read_name (const char *edit, const char **name);
/* Appends the versions to the implementations that plans can name. */
void hand_list_implementations (SeamDeviceInfo *info);
/* Whether this name in a plan means hand-written kernels. */
gboolean hand_is_name (const char *name);
/* The text that NVRTC compiles if `edit` (NULL: none) replaces the shown text. Config and entries
 * stay those of this problem, because they have to fit the launch. */
char *hand_write_compiled (const CudaDevice *device, const HandChoice *choice, const char *edit,
                           GError **error);
/* How the chosen version multiplies in math modes fp32 and tf32x, which allow several ways: "FP32",
 * "FP16x3", "TF32", …; NULL in other modes. */
const char *hand_get_split (const HandChoice *choice);
CompilerFlags hand_get_flags (const HandChoice *choice);
/* Compiles the choice and adds its launches. */
gboolean preparation_add_hand (Preparation *p, const HandChoice *choice, GError **error);

typedef struct {
  const char *function; /* name in the module */
  char *short_name;     /* ownership is taken */
  int first_op, last_op;
  double bytes;
  gboolean is_copy;
  dim3 grid;
  unsigned int threads, cluster, shared_bytes; /* cluster: blocks along x, 0 or 1 for none */
  gboolean cooperative;                        /* all blocks must run at once */
  void *fill; /* device memory whose bytes become 0xff before each launch, or NULL */
  gsize fill_bytes;
} HandLaunchSpec;

/* A struct of ints that is written as the source of `struct NAME`: each is a static constexpr
 * int. */
typedef struct {
  const char *name;
  gsize offset; /* offset of the int in the C struct */
} HandField;

#define HAND_FIELD(Type, member)                                                                   \
  {                                                                                                \
#member, G_STRUCT_OFFSET(Type, member)                                                         \
  }

void hand_append_config (GString *text, const char *name, const void *values,
                         const HandField *fields, gsize n_fields);
/* Appends the extern "C" kernel NAME, which calls `call`<Config…> with `type` as its argument. */
void hand_append_kernel (GString *text, const char *name, const char *type, const char *bounds,
                         const char *call);

/* Adds a launch of a function with one argument struct, which it copies. */
gboolean hand_add_launch (Preparation *p, cudaLibrary_t module, const HandLaunchSpec *spec,
                          const void *arguments, gsize size, GError **error);

/* Bytes of the group's input, parameters and output, each once, which is what a fused launch
 * moves. */
double hand_fused_bytes (const Preparation *p, const HandProblem *problem);
/* Device addresses of the group: input, weight of the matrix op, output, vector of the tail. */
float *hand_get_weight (const Preparation *p, const HandProblem *problem);
float *hand_get_output (const Preparation *p, const HandProblem *problem);
void hand_set_vectors (const Preparation *p, const HandProblem *problem, const HandTail *tail,
                       const float **vectors);
/* The types that the kernel reads (x and weight), and that it stores. */
SeamOperandType hand_get_input_type (const HandProblem *problem);
SeamOperandType hand_get_output_type (const HandProblem *problem);
/* Whether input and weight are FP32 in memory; if not, `reason` says that the kernel reads no other
 * type. */
gboolean hand_check_reads_fp32 (const HandProblem *problem, char **reason);
/* Number of the tail's vectors, including those of GroupNorm. */
int hand_count_vectors (const HandProblem *problem);
/* Whether the tail's results lie from -1 to 1, in Hopper's versions. */
gboolean hand_has_bounded_tail (const HandProblem *problem);
/* Whether the device has Hopper's instructions; if not, `reason` is a sentence. */
gboolean hand_check_hopper (const CudaDevice *device, char **reason);
/* Makes a tensor map of a row-major matrix for TMA; `map` is 128 bytes, 64-byte aligned.
 * SEAM_ERROR_UNSUPPORTED if the driver has no TMA. */
typedef struct {
  const void *data;
  SeamOperandType type;
  gboolean round;               /* FP32 to TF32, on load */
  guint rank;                   /* 2 … 5 */
  guint64 sizes[5], strides[4]; /* elements; bytes, from dimension 1 on */
  guint32 box[5];
  gboolean swizzle; /* 128 bytes */
  gboolean narrow;  /* L2 fetches 128 bytes at a time, not 256 */
} HandTensorMap;

gboolean hand_encode_map (const HandTensorMap *spec, void *map, GError **error);
