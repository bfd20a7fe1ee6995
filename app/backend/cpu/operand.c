/* SPDX-License-Identifier: MIT
 *
 * Input and weight of a convolution or matmul on the CPU. They are used as they are, or in math
 * modes fp16, bf16 and tf32x as copies that are rounded before the first tile of every execution;
 * tf32x first scales each sample of the input and each filter of the weight by its own power of
 * two. If they already have the type in memory, the copies are the same numbers in FP32. Products
 * and sums are FP32 in every mode, so the numbers are those of the mode, but not the speed.
 */
#include "app/backend/cpu/backend-cpu.h"

#include <stdlib.h>

/* Elements of an operand that a thread copies at a time: 64 KB. */
#define COPY_ELEMENTS 16384

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

gboolean
seam_cpu_has_matrix (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);

  return seam_op_is_matrix (&chain->ops[spec->plan->groups[spec->group].first]);
}

/* Input (0) and weight (1) of the group's matrix op. */
static const SeamTensor *
get_factor (const SeamGroupSpec *spec, int which)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamOp *op = &chain->ops[spec->plan->groups[spec->group].first];

  return &spec->problem->tensors[which == 0 ? op->inputs[0]
                                            : SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])];
}

/* An exhibit with sums in FP16 uses its factors as they are, here as on a GPU. */
gboolean
seam_cpu_rounds_operands (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);

  return seam_cpu_has_matrix (spec)
         && chain->ops[spec->plan->groups[spec->group].first].defect != SEAM_DEFECT_HALF_SUMS
         && seam_math_mode_get_product (spec->math_mode) != SEAM_OPERAND_FP32;
}

/* The loops read only FP32, so other types need copies. */
gboolean
seam_cpu_copies_operands (const SeamGroupSpec *spec)
{
  return seam_cpu_rounds_operands (spec)
         || (seam_cpu_has_matrix (spec)
             && (get_factor (spec, 0)->type != SEAM_OPERAND_FP32
                 || get_factor (spec, 1)->type != SEAM_OPERAND_FP32));
}

double
seam_cpu_get_copied_bytes (const SeamGroupSpec *spec)
{
  double bytes = 0;

  if (!seam_cpu_copies_operands (spec))
    return 0;
  /* The copies are FP32. */
  for (int i = 0; i < 2; i++)
    bytes += (double)get_factor (spec, i)->bytes
             + (double)get_factor (spec, i)->n_elements * sizeof (float);
  return bytes;
}

gboolean
seam_cpu_reserve_operands (SeamPrepared *g, GError **error)
{
  SeamCpuDevice *device = g->device;
  gint64 n = g->has_copies ? g->n_input + g->n_weight : 0;
  void *memory = NULL;

  if (n <= device->n_operands)
    return TRUE;
  free (device->operands);
  device->operands = NULL;
  device->n_operands = 0;
  if (posix_memalign (&memory, SEAM_CPU_ALIGNMENT, (gsize)n * sizeof (float)) != 0)
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is not enough memory for copies of input and weight of “%s”; choose a "
                      "smaller shape, or math mode fp32.",
                      g->name);
  device->operands = memory;
  device->n_operands = n;
  return TRUE;
}

const float *
seam_cpu_get_input (const SeamPrepared *g)
{
  return g->has_copies ? g->device->operands : g->input;
}

const float *
seam_cpu_get_weight (const SeamPrepared *g)
{
  return g->has_copies ? g->device->operands + g->n_input : g->weight;
}

/* All threads share the pieces, which have COPY_ELEMENTS elements or are one row each. */
void
seam_cpu_copy_operands (SeamPrepared *g, SeamCancel *cancel, SeamCancel *also)
{
  const gint64 input_piece = g->is_scaled ? g->n_input / g->n : COPY_ELEMENTS;
  const gint64 weight_piece = g->is_scaled ? g->n_weight / g->weight_rows : COPY_ELEMENTS;
  const gint64 n_input = divide_up (g->n_input, input_piece);
  const gint64 n_pieces = n_input + divide_up (g->n_weight, weight_piece);

#pragma omp parallel for schedule(static) num_threads(g->n_threads)
  for (gint64 i = 0; i < n_pieces; i++) {
    gboolean is_input = i < n_input;
    gint64 first = is_input ? i * input_piece : (i - n_input) * weight_piece;
    gint64 n =
        is_input ? MIN (input_piece, g->n_input - first) : MIN (weight_piece, g->n_weight - first);

    if (seam_cancel_check (cancel, NULL) || seam_cancel_check (also, NULL))
      continue;
    const void *source = is_input ? g->input : g->weight;
    float *target = g->device->operands + (is_input ? 0 : g->n_input) + first;
    const SeamOperandType type = g->factors[is_input ? 0 : 1];
    if (type != SEAM_OPERAND_FP32)
      g->device->loops->unpack (type, target, (const unsigned short *)source + first, n);
    else if (g->is_scaled)
      g->device->loops->round_scaled_row (target, (const float *)source + first, n);
    else
      g->device->loops->round_operand (g->operand, target, (const float *)source + first, n);
  }
}
