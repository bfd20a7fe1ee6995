/* SPDX-License-Identifier: MIT
 *
 * The places of a plan's tensors in memory, and how much memory a run takes: one set of inputs and
 * parameters, one pool of intermediates that the plans share, one output a plan. Where memory is
 * short an output's place serves intermediates, too, which costs the check for elements that a plan
 * forgets to write.
 */
#include "app/runner/run-private.h"

#include "app/base/text.h"

/* A buffer of this many times the last-level cache flushes it (design, "Measuring"). */
#define FLUSH_CACHES 2.0

/* Memory that libraries and generated kernels take on a GPU beside the tensors: cuBLASLt's
 * workspace of 32 MB, cuDNN's handle and the code it loads, scratch of the two-pass groupnorm. A
 * convolution's workspace is not included, since algorithms that need more than is left are
 * skipped. */
#define GPU_LIBRARY_BYTES (256.0 * 1024 * 1024)

static double
get_allowance (const SeamDeviceInfo *info)
{
  return info != NULL && seam_device_info_is_device (info) ? GPU_LIBRARY_BYTES : 0;
}

/* The last group that reads `tensor`, or -1. */
static int
find_last_reader (const SeamPlan *plan, int tensor)
{
  int last = -1;

  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;
    seam_plan_get_group_tensors (plan, group, &tensors);
    for (int i = 0; i < tensors.n_inputs; i++)
      if (tensors.inputs[i] == tensor)
        last = group;
  }
  return last;
}

/* A tensor that a plan writes, and the groups from its writer to its last reader: no group works in
 * place. */
typedef struct {
  int tensor, first, last;
  gint64 bytes;
} Life;

/* The largest first, since a smaller one fits into its place; of one size the last first, since the
 * output has its place already. */
static int
compare_lives (const void *a, const void *b)
{
  const Life *x = a, *y = b;

  return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes) : y->first - x->first;
}

/* Whether the place of `slot` is free all the time. */
static gboolean
is_free (const SeamPlacement *placement, const Life *lives, int n, const Life *life, int slot)
{
  for (int i = 0; i < n; i++)
    if (&lives[i] != life && placement->slots[lives[i].tensor] == slot
        && lives[i].first <= life->last && life->first <= lives[i].last)
      return FALSE;
  return TRUE;
}

void
seam_memory_place (const SeamProblem *problem, const SeamPlan *plan, gboolean shares_output,
                   SeamPlacement *placement)
{
  const int output = SEAM_TENSOR_OUTPUT (seam_plan_get_chain (plan)->n_ops - 1);
  Life lives[SEAM_MAX_OPS];
  int n = 0;

  placement->n_slots = 0;
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    placement->slots[i] = SEAM_SLOT_NONE;
  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;
    seam_plan_get_group_tensors (plan, group, &tensors);
    for (int i = 0; i < tensors.n_outputs; i++) {
      const int tensor = tensors.outputs[i];
      lives[n++] = (Life){ tensor, group, MAX (find_last_reader (plan, tensor), group),
                           problem->tensors[tensor].bytes };
    }
  }
  placement->slots[output] = SEAM_SLOT_OUTPUT;
  qsort (lives, (size_t)n, sizeof *lives, compare_lives);
  for (int i = 0; i < n; i++) {
    const Life *life = &lives[i];
    int slot = 0;
    if (life->tensor == output)
      continue;
    if (shares_output && life->bytes <= problem->tensors[output].bytes
        && is_free (placement, lives, n, life, SEAM_SLOT_OUTPUT)) {
      placement->slots[life->tensor] = SEAM_SLOT_OUTPUT;
      continue;
    }
    while (slot < placement->n_slots && !is_free (placement, lives, n, life, slot))
      slot++;
    if (slot == placement->n_slots)
      placement->bytes[placement->n_slots++] = life->bytes;
    placement->slots[life->tensor] = slot;
  }
}

void
seam_memory_pool (const SeamPlacement *placement, SeamPlacement *pool)
{
  for (int i = 0; i < placement->n_slots; i++)
    pool->bytes[i] = MAX (i < pool->n_slots ? pool->bytes[i] : 0, placement->bytes[i]);
  pool->n_slots = MAX (pool->n_slots, placement->n_slots);
}

/* Bytes of the copies of a matrix op's input and weight in the type of the math mode: 16 bits for
 * each plan, since each may choose its own layout; on a target that multiplies in FP32, 32 bits
 * once. */
static double
get_operand_bytes (const SeamProblem *problem, int n_plans, const SeamDeviceInfo *info,
                   SeamMathMode mode)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  double elements = 0;

  if (seam_math_mode_get_product (mode) == SEAM_OPERAND_FP32)
    return 0;
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    if (seam_op_is_matrix (op))
      elements = MAX (
          elements, (double)problem->tensors[op->inputs[0]].n_elements
                        + (double)problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])]
                              .n_elements);
  }
  return (seam_device_info_get_abilities (info) & SEAM_ABILITY_TF32) == 0 ? 4 * elements
                                                                          : 2 * elements * n_plans;
}

double
seam_memory_needed (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                    const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                    gboolean with_fp64, gboolean shares_output)
{
  int n_ops = problem->pipeline->chains[0].n_ops;
  const SeamTensor *output = &problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)];
  double bytes = (double)problem->tensors[SEAM_TENSOR_INPUT].bytes;
  SeamPlacement pool = { 0 };

  for (int i = 0; i < problem->pipeline->n_params; i++)
    bytes += (double)problem->tensors[SEAM_TENSOR_PARAM (n_ops, i)].bytes;
  for (int i = 0; i < n_plans; i++) {
    SeamPlacement placement;
    seam_memory_place (problem, plans[i], shares_output, &placement);
    seam_memory_pool (&placement, &pool);
  }
  for (int i = 0; i < pool.n_slots; i++)
    bytes += (double)pool.bytes[i];
  bytes += (double)output->bytes * n_plans + get_operand_bytes (problem, n_plans, info, mode);
  /* With its bounds. On a CPU both are computed in a copy that takes the same memory again. */
  if (with_fp64)
    bytes += (double)(sizeof (double) + sizeof (float)) * (double)output->n_elements
             * (seam_device_info_is_device (info) ? 1 : 2);
  else if (n_plans > 1)
    bytes += (double)sizeof (float) * (double)output->n_elements; /* bounds for two plans */
  if (cold && info != NULL)
    bytes += FLUSH_CACHES * (double)info->l2_bytes;
  return bytes;
}

/* The largest preset that fits, or NULL. */
static const char *
find_preset (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
             const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold, gboolean with_fp64,
             double free)
{
  const char *best = NULL;
  double most = -1;

  for (int i = 0; i < problem->pipeline->n_presets; i++) {
    const SeamPreset *preset = &problem->pipeline->presets[i];
    g_autoptr (SeamProblem) smaller = seam_problem_new (problem->pipeline, preset->values, NULL);
    if (smaller == NULL)
      continue;
    seam_problem_set_storage (smaller, problem->storage, seam_math_mode_get_operand (mode));
    double bytes = seam_memory_needed (smaller, plans, n_plans, info, mode, cold, with_fp64, TRUE);
    if (bytes + get_allowance (info) <= free && bytes > most) {
      most = bytes;
      best = preset->name;
    }
  }
  return best;
}

gboolean
seam_memory_check (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                   const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold, gboolean with_fp64,
                   double free, gboolean *shares_output, GError **error)
{
  double needed;

  for (*shares_output = FALSE;; *shares_output = TRUE) {
    needed =
        get_allowance (info)
        + seam_memory_needed (problem, plans, n_plans, info, mode, cold, with_fp64, *shares_output);
    if (free <= 0 || needed <= free)
      return TRUE;
    if (*shares_output)
      break;
  }
  g_autofree char *needed_text = seam_text_bytes (needed);
  g_autofree char *free_text = seam_text_bytes (free);
  const char *preset = find_preset (problem, plans, n_plans, info, mode, cold, with_fp64, free);
  g_autofree char *hint = preset != NULL
                              ? g_strdup_printf ("a smaller batch, or the preset %s", preset)
                              : g_strdup ("a smaller batch, or fewer plans");
  return seam_fail (error, SEAM_ERROR_MEMORY,
                    "This run needs %s of memory, and %s has %s free: choose %s.", needed_text,
                    info != NULL && info->id != NULL ? info->id : "the target", free_text, hint);
}
