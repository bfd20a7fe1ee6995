/* SPDX-License-Identifier: MIT
 *
 * A problem: a pipeline with every shape field filled in and checked, so that every tensor has a
 * size. Tensors are NCHW contiguous, FP32 unless the storage says otherwise. All sizes are 64-bit
 * and their products checked.
 */
#pragma once

#include "app/settings/settings.h"
#include "app/pipeline/pipeline.h"

/* Tensor numbers within a chain: 0 is the input, 1..n_ops the ops' outputs (op i writes 1 + i),
 * then the parameters (parameter j is 1 + n_ops + j). The same for every chain of a pipeline. */
#define SEAM_TENSOR_INPUT           0
#define SEAM_TENSOR_OUTPUT(op)      (1 + (op))
#define SEAM_TENSOR_PARAM(n_ops, j) (1 + (n_ops) + (j))
#define SEAM_MAX_TENSORS            (1 + SEAM_MAX_OPS + SEAM_MAX_PARAMS)

/* The op whose output a tensor is, or -1. */
static inline int
seam_tensor_get_op (const SeamChain *chain, int tensor)
{
  return tensor >= SEAM_TENSOR_OUTPUT (0) && tensor <= chain->n_ops ? tensor - 1 : -1;
}

typedef struct {
  char name[64]; /* "input", op name, or parameter name */
  SeamShape shape;
  gint64 n_elements;
  SeamOperandType type; /* type in memory */
  gint64 bytes;         /* bytes of n_elements of this type */
} SeamTensor;

typedef struct {
  SeamPipeline *pipeline; /* owned reference */
  gint64 values[SEAM_MAX_FIELDS];
  int n_tensors; /* 1 + n_ops + n_params */
  SeamTensor tensors[SEAM_MAX_TENSORS];
  SeamStorage storage;
  gboolean running_statistics; /* of BatchNorms; else the batch's */
  gboolean is_open;            /* without settings: what depends on them is not checked */
  double dropout;              /* share of every dropout; NaN: as in the pipeline file */
} SeamProblem;

/* Checks every field against its range, every op against the shapes that it reads, and 64-bit
 * overflow; SEAM_ERROR_INPUT names the field or the op and what is allowed. */
SeamProblem *seam_problem_new (SeamPipeline *pipeline, const gint64 *values, GError **error);
/* `preset` may be NULL (the default preset); `shape` is "key=value,key=value" or NULL. */
SeamProblem *seam_problem_new_from_text (SeamPipeline *pipeline, const char *preset,
                                         const char *shape, GError **error);
/* From the values in results and requests. SEAM_ERROR_INPUT also if storage and math mode do not go
 * together. */
SeamProblem *seam_problem_new_with_storage (SeamPipeline *pipeline, const gint64 *values,
                                            const SeamSettings *settings, GError **error);
/* Gives every tensor its type and size in memory; `type` is the 16-bit type of a storage with 16
 * bits. */
void seam_problem_set_storage (SeamProblem *problem, SeamStorage storage, SeamOperandType type);
/* Leaves the first `n` samples. */
void seam_problem_take_samples (SeamProblem *problem, gint64 n);
void seam_problem_free (SeamProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamProblem, seam_problem_free)

/* "batch=128,in_channels=8,…": the canonical text in CSV, JSON and provenance; newly allocated. */
char *seam_problem_format_shape (const SeamProblem *problem);
/* "N 128, C 8→K 32, 256×256, k 3, 8 groups": for people. */
char *seam_problem_describe_shape (const SeamProblem *problem);

/* The value of the shape field with that key; `otherwise` if the pipeline has none. */
gint64 seam_problem_get_value (const SeamProblem *problem, const char *key, gint64 otherwise);
/* The shape of a tensor. */
const SeamShape *seam_problem_get_shape (const SeamProblem *problem, int tensor);
/* The shape of the output of the main chain's last op, as a view. */
SeamShapeView seam_problem_get_output_view (const SeamProblem *problem);
/* Groups of the last GroupNorm, if the output has its channels; else 1. */
gint64 seam_problem_get_n_groups (const SeamProblem *problem);
/* The number of groups of the GroupNorm among the ops first … last; 1 if there is none. */
gint64 seam_chain_get_n_groups (const SeamProblem *problem, const SeamChain *chain, int first,
                                int last);
/* Of op number `op` of a chain of the pipeline: its case, with the output's shape; the shape of its
 * parameter number `i`, which it must have; how its output reads x, by axis of x; how many elements
 * of x one element of the output reads, which for a matrix op are the products in a sum;
 * multiplications and additions of a matrix op, 0 for others. */
void seam_op_get_case (const SeamProblem *problem, const SeamChain *chain, int op, SeamOpCase *c);
SeamShape seam_op_get_param_shape (const SeamProblem *problem, const SeamChain *chain, int op,
                                   int i);
void seam_op_get_axes (const SeamProblem *problem, const SeamChain *chain, int op,
                       SeamAxisNeed axes[SEAM_MAX_DIMS]);
gint64 seam_op_get_reach (const SeamProblem *problem, const SeamChain *chain, int op);
double seam_op_get_flop (const SeamProblem *problem, const SeamChain *chain, int op);
/* Operations without those products: of each output of a map, of each input of others. */
double seam_op_count_operations (const SeamProblem *problem, const SeamChain *chain, int op);
/* A small second line for an op's block: "+ [32]", "× [32,1,1]", "σ(x)", "max(x, 0)", "8 groups",
 * "k 3 · 8→32". The op's `block` is a template with names in braces: {a} and {b} are its numbers,
 * {+a} is a number that is added, {v} the shape of its vector, {t} the label of the value that it
 * reads, {in} the channels of x, {axes} the axes that it works on, and any other name the whole
 * number with that key; newly allocated. */
char *seam_op_describe (const SeamProblem *problem, const SeamChain *chain, int op);
/* "relu: y = max(x, 0)", from the op's `formula`, a template like `block`; newly allocated. */
char *seam_op_explain (const SeamProblem *problem, const SeamChain *chain, int op);

/* The mean of SEAM_DISTRIBUTION_OFFSET: far from 0 for a spread of 1, but small enough that FP32
 * keeps it to 1.5e-5, so that right plans agree within the tolerance of a GroupNorm (1e-4). */
#define SEAM_DISTRIBUTION_MEAN 200.0

/* Fills tensor `index` (the input or a parameter; not an op's output) from seed, distribution and
 * init mode. `data` holds tensors[index].n_elements floats. Parameters follow the init of the
 * pipeline file. Only SEAM_DISTRIBUTION_OFFSET changes some of them, and SEAM_INIT_MODE_SPREAD only
 * ones and zeros: ones are drawn uniformly from [0.5, 1.5), zeros from [-0.5, 0.5), or as fan-in
 * for the matrix op's weight. */
void seam_problem_fill_tensor (const SeamProblem *problem, int index, guint64 seed,
                               SeamDistribution distribution, SeamInitMode init_mode, float *data);
/* The same for its elements first .. first + n - 1, into data[0..n); `first` is a multiple of 4. */
void seam_problem_fill_part (const SeamProblem *problem, int index, guint64 seed,
                             SeamDistribution distribution, SeamInitMode init_mode, gint64 first,
                             gint64 n, float *data);
/* The largest weight of a GroupNorm, which also multiplies the errors before it: 1.5 if it is
 * spread, 1 if it is not or unknown; 0 without a GroupNorm. */
double seam_problem_get_norm_scale (const SeamProblem *problem, SeamInitMode init_mode);
/* The share of a dropout whose mask the parameter is. */
double seam_problem_get_dropout (const SeamProblem *problem, int param);
/* Whether all elements of a parameter are the same number in SEAM_INIT_MODE_FRAMEWORK. */
gboolean seam_problem_is_constant (const SeamProblem *problem, int index);
