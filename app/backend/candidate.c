/* SPDX-License-Identifier: MIT
 *
 * The output of some ops run one by one, and how far a candidate may be from it.
 */
#include "app/backend/candidate.h"

#include "app/compare/compare.h"

#include <string.h>

/* Of a problem with more work only the first samples are compared: the simplest kernels of a GPU
 * are hundreds of times slower than the candidates, and this takes them about a second. */
#define MOST_FLOP 1e12
/* The tolerance is for an output and the truth; here both sides may be off. */
#define SIDES 2
/* Roundings of one map, and of what a library folds of its constants. */
#define MAP_ROUNDINGS (8 * 0x1p-24)
/* Cells of a side of the comparison's overview, which nothing reads; a backend shares out cells. */
#define N_CELLS 64

struct SeamCandidateCheck {
  SeamDevice *device;
  SeamBuffer *expected;
  SeamDifferenceSpec spec;
  double largest; /* magnitude of the expected output */
};

typedef struct {
  SeamGroupSpec spec; /* of one op after another */
  SeamBuffer *buffers[SEAM_MAX_TENSORS];
  double largest[SEAM_MAX_OPS], off[SEAM_MAX_OPS]; /* of each output: magnitude, possible error */
} Walk;

/* Leaves FP32 between the ops, and fewer samples if there is too much work. */
static void
simplify (SeamProblem *problem, const SeamPlan *plan, int last)
{
  SeamGroupCost cost;

  seam_group_cost (problem, plan, 0, &cost);
  if (cost.flop > MOST_FLOP)
    problem->dims.n = MAX (1, (gint64)((double)problem->dims.n * MOST_FLOP / cost.flop));
  for (int i = SEAM_TENSOR_INPUT; i <= SEAM_TENSOR_OUTPUT (last); i++) {
    SeamTensor *t = &problem->tensors[i];

    t->n_elements = t->n_elements / t->dims[0] * problem->dims.n;
    t->dims[0] = problem->dims.n;
    if (i != SEAM_TENSOR_INPUT && i != SEAM_TENSOR_OUTPUT (last))
      t->type = SEAM_OPERAND_FP32;
    t->bytes = t->n_elements * seam_storage_get_element_bytes (t->type);
  }
}

/* How far two right outputs of op `i` may be apart: sums of products by the tolerance of the math
 * mode for sums of that size; an op enlarges an error as it enlarges values. */
static double
get_error (const Walk *walk, int i)
{
  const SeamDims *d = &walk->spec.problem->dims;
  const int operand = seam_plan_get_chain (walk->spec.plan)->ops[i].operand;
  const double *largest = walk->largest, *off = walk->off;
  double tolerance, relative, gain;

  if (i == 0) {
    seam_tolerance_get_default (walk->spec.math_mode, d->c * d->r * d->r, 0, &tolerance, &relative);
    return SIDES * tolerance * largest[0];
  }
  gain = largest[i - 1] > 0 ? MAX (1, largest[i] / largest[i - 1]) : 1;
  return (operand >= 0 ? off[i - 1] * largest[operand] + off[operand] * largest[i - 1]
                       : off[i - 1] * gain)
         + MAP_ROUNDINGS * largest[i];
}

static gboolean
run_op (SeamCandidateCheck *check, Walk *walk, SeamCancel *cancel, GError **error)
{
  const SeamBackend *backend = check->device->backend;
  const int op = walk->spec.group;
  const SeamTensor *tensor = &walk->spec.problem->tensors[SEAM_TENSOR_OUTPUT (op)];
  SeamBuffer **output = &walk->buffers[SEAM_TENSOR_OUTPUT (op)];
  g_autoptr (SeamDifference) difference = NULL;
  SeamPrepared *prepared = NULL;
  gboolean good;

  check->spec.stored = tensor->type;
  difference = seam_difference_new (&check->spec);
  *output = backend->allocate (check->device, tensor->bytes, error);
  if (*output != NULL)
    prepared = backend->prepare (check->device, &walk->spec, walk->buffers, cancel, error);
  good = prepared != NULL && backend->run (check->device, &prepared, 1, cancel, error)
         && backend->compare (check->device, *output, *output, FALSE, difference, error);
  backend->free_prepared (check->device, prepared);
  walk->largest[op] = difference->max_abs_b;
  walk->off[op] = get_error (walk, op);
  return good;
}

/* Releases the outputs that no op after `now` reads. */
static void
release_read (const SeamCandidateCheck *check, Walk *walk, int now, int last)
{
  const SeamChain *chain = seam_plan_get_chain (walk->spec.plan);

  for (int op = 0; op <= now; op++) {
    gboolean is_read = FALSE;

    for (int reader = now + 1; reader <= last; reader++)
      is_read = is_read || reader == op + 1 || chain->ops[reader].operand == op;
    if (is_read)
      continue;
    check->device->backend->release (check->device, walk->buffers[SEAM_TENSOR_OUTPUT (op)]);
    walk->buffers[SEAM_TENSOR_OUTPUT (op)] = NULL;
  }
}

SeamCandidateCheck *
seam_candidate_check_new (SeamDevice *device, const SeamGroupSpec *spec, int last,
                          SeamBuffer *const *tensors, SeamCancel *cancel, GError **error)
{
  g_autoptr (SeamPlan) plan =
      seam_plan_new (spec->problem->pipeline, spec->plan->chain, 0); /* group i is op i */
  SeamCandidateCheck *check = g_new0 (SeamCandidateCheck, 1);
  SeamProblem problem = *spec->problem;
  Walk walk = { .spec = { &problem, plan, 0, spec->math_mode, .plainly = TRUE } };
  gboolean good = TRUE;

  memcpy (walk.buffers, tensors, (gsize)problem.n_tensors * sizeof *tensors);
  memset (&walk.buffers[SEAM_TENSOR_OUTPUT (0)], 0, (gsize)(last + 1) * sizeof *tensors);
  simplify (&problem, plan, last);
  check->device = device;
  seam_problem_get_output_view (&problem, &check->spec.rows, &check->spec.columns,
                                &check->spec.plane);
  seam_difference_choose_cells (&check->spec, N_CELLS);
  for (; walk.spec.group <= last && good; walk.spec.group++) {
    good = run_op (check, &walk, cancel, error);
    release_read (check, &walk, MIN (walk.spec.group, last - 1), last);
  }
  check->expected = g_steal_pointer (&walk.buffers[SEAM_TENSOR_OUTPUT (last)]);
  check->largest = walk.largest[last];
  check->spec.atol = walk.off[last];
  if (check->spec.stored != SEAM_OPERAND_FP32)
    check->spec.rtol = seam_tolerance_get_output (spec->math_mode);
  release_read (check, &walk, last, last);
  if (good)
    return check;
  seam_candidate_check_free (check);
  return NULL;
}

void
seam_candidate_check_free (SeamCandidateCheck *check)
{
  if (check == NULL)
    return;
  check->device->backend->release (check->device, check->expected);
  g_free (check);
}

gboolean
seam_candidate_check_output (SeamCandidateCheck *check, SeamBuffer *output, gboolean *agrees,
                             gboolean *shows, GError **error)
{
  g_autoptr (SeamDifference) d = seam_difference_new (&check->spec);

  if (!check->device->backend->compare (check->device, output, check->expected, FALSE, d, error))
    return FALSE;
  /* Where the ops overflow, a candidate may as well. */
  *agrees = d->n_failing <= d->n_nan_b + d->n_infinite_b;
  *shows = check->largest > 0;
  return TRUE;
}
