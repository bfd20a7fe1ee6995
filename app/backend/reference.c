/* SPDX-License-Identifier: MIT
 *
 * The reference that errors are measured against: every op in double precision, one after another,
 * as its definition reads. Computes a box of the output: walking from there to the input finds the
 * box of each value that is needed, and nothing more is computed. Knows classes of ops and no
 * pipeline. Nothing here is tuned beyond the order of loops and the use of all threads, so that it
 * can be checked by reading it; reference-ops.c has the ops.
 */
#include "app/backend/reference.h"

#include "app/base/text.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Values of a chain: its input, and the outputs of its ops. */
#define N_VALUES (1 + SEAM_MAX_OPS)

typedef struct {
  const SeamProblem *problem;
  const SeamChain *chain;
  int first, last; /* ops; before `first` the values are given */
  float *const *tensors;
  const SeamBoundRule *rule;      /* NULL: no bounds */
  SeamReferenceUse *use;          /* NULL: not counted */
  const SeamReferenceSums *given; /* of the first op, instead of its input; NULL: none */
  gint64 first_sample;            /* of those that the input in `tensors` has */
  gboolean in_parts;              /* threads share the work on a box, since there are few boxes */
  SeamCancel *cancel;
} Reference;

/* --- Boxes --- */

static gint64
count_box (const SeamShape *shape, const SeamBox *box)
{
  gint64 n = 1;

  for (int i = 0; i < shape->n_dims; i++)
    n *= box->count[i];
  return n;
}

/* Grows `box` so that it contains `more`, too. */
static void
unite (const SeamShape *shape, SeamBox *box, gboolean *is_needed, const SeamBox *more)
{
  for (int i = 0; i < shape->n_dims && *is_needed; i++) {
    const gint64 end = MAX (box->first[i] + box->count[i], more->first[i] + more->count[i]);
    box->first[i] = MIN (box->first[i], more->first[i]);
    box->count[i] = end - box->first[i];
  }
  if (!*is_needed)
    *box = *more;
  *is_needed = TRUE;
}

/* The part of a matrix op's output with its neighbours, which share sums with it. */
static SeamBox
add_neighbours (const SeamShape *shape, const SeamBox *box, gint64 reach)
{
  SeamBox more = *box;

  for (int i = 2; i < shape->n_dims && box->count[i] > 0; i++) {
    const gint64 end = MIN (box->first[i] + box->count[i] + reach, shape->dims[i]);
    more.first[i] = MAX (box->first[i] - reach, 0);
    more.count[i] = end - more.first[i];
  }
  return more;
}

/* From the box of the last op's output to those of all values, by tensor number. */
static void
find_boxes (const Reference *ref, const SeamBox *out, SeamBox boxes[N_VALUES],
            gboolean is_needed[N_VALUES])
{
  memset (boxes, 0, N_VALUES * sizeof *boxes);
  memset (is_needed, 0, N_VALUES * sizeof *is_needed);
  boxes[SEAM_TENSOR_OUTPUT (ref->last)] = *out;
  is_needed[SEAM_TENSOR_OUTPUT (ref->last)] = TRUE;
  for (int i = ref->last; i >= ref->first; i--) {
    SeamOpCase c;
    SeamBox box = boxes[SEAM_TENSOR_OUTPUT (i)];

    /* An op whose sums are given reads no input. */
    if (!is_needed[SEAM_TENSOR_OUTPUT (i)] || (i == ref->first && ref->given != NULL))
      continue;
    seam_op_get_case (ref->problem, ref->chain, i, &c);
    seam_op_infer (&c, NULL);
    if (ref->rule != NULL && seam_op_is_matrix (c.op))
      box = add_neighbours (&c.out, &box, ref->rule->reach[i]);
    for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
      const int tensor = c.op->inputs[j];
      SeamBox need;
      if (tensor < 0 || tensor >= N_VALUES || tensor > ref->chain->n_ops)
        continue;
      seam_op_need (&c, j, &box, &need);
      unite (&c.in[j], &boxes[tensor], &is_needed[tensor], &need);
    }
  }
}

/* --- Values --- */

static gboolean
allocate (SeamPart *part, gboolean has_bounds)
{
  const gsize n = (gsize)MAX (count_box (&part->shape, &part->box), 1);

  part->values = g_try_new (double, n);
  part->bounds = has_bounds ? g_try_new0 (double, n) : NULL;
  return part->values != NULL && (!has_bounds || part->bounds != NULL);
}

static void
clear (SeamPart *part)
{
  g_clear_pointer (&part->values, g_free);
  g_clear_pointer (&part->bounds, g_free);
}

static void
set_strides (SeamPart *part)
{
  gint64 stride = 1;

  for (int i = part->shape.n_dims - 1; i >= 0; i--) {
    part->strides[i] = stride;
    stride *= part->box.count[i];
  }
}

/* Takes a box of a tensor that is given, whose first sample is number `first_sample`. */
static void
take_given (SeamPart *part, const float *data, gint64 first_sample)
{
  const SeamShape *shape = &part->shape;
  const int last = shape->n_dims - 1;
  const gint64 width = last >= 0 ? part->box.count[last] : 1;
  const gint64 n_rows = width > 0 ? count_box (shape, &part->box) / width : 0;

  for (gint64 row = 0; row < n_rows; row++) {
    gint64 rest = row, offset = 0, stride = 1;
    for (int i = last; i >= 0; i--) {
      const gint64 count = i == last ? 1 : part->box.count[i];
      const gint64 at = part->box.first[i] - (i == 0 ? first_sample : 0);
      offset += (at + rest % count) * stride;
      rest /= count;
      stride *= shape->dims[i];
    }
    for (gint64 j = 0; j < width; j++)
      part->values[row * width + j] = (double)data[offset + j];
  }
}

static gboolean
is_input (const Reference *ref, int tensor)
{
  const SeamParam *params = ref->problem->pipeline->params;

  return params[tensor - SEAM_TENSOR_PARAM (ref->chain->n_ops, 0)].role == SEAM_PARAM_INPUT;
}

/* What maps read of an input that is stored in 16 bits; a matrix op rounds it anyway. */
static void
store_given (const Reference *ref, SeamPart *part)
{
  const gint64 n = count_box (&part->shape, &part->box);

  for (gint64 i = 0; i < n; i++)
    part->bounds[i] = seam_bound_store (ref->rule->given, part->values[i], 0);
}

/* Takes what the matrix op made of the operands; the squares take the place of bounds. */
static void
take_sums (const SeamReferenceSums *given, gint64 first, SeamPart *part)
{
  const gint64 n = count_box (&part->shape, &part->box);

  for (gint64 i = 0; i < n; i++) {
    part->values[i] = given->sums[first + i];
    part->bounds[i] = given->squares[first + i] * given->unscale * given->unscale;
  }
}

/* Adds how many inputs of op `i` are below a, and above b. Threads share the counts. */
static void
count_parts (const Reference *ref, int i, const SeamPart *x)
{
  const SeamOp *op = &ref->chain->ops[i];
  const gint64 n = count_box (&x->shape, &x->box);
  gint64 below = 0, above = 0;

  if (ref->use == NULL || seam_op_get_info (op)->attributes->parts[0] == NULL)
    return;
  for (gint64 p = 0; p < n; p++) {
    below += x->values[p] < op->scalars[0];
    above += x->values[p] > op->scalars[1];
  }
  __atomic_fetch_add (&ref->use->parts[i][0], below, __ATOMIC_RELAXED);
  __atomic_fetch_add (&ref->use->parts[i][1], above, __ATOMIC_RELAXED);
}

/* Computes op `i` into its part. `parts` by tensor number. FALSE: no memory. */
static gboolean
run_op (const Reference *ref, int i, SeamPart *parts, SeamPart *out)
{
  SeamReferenceOp o = {
    .rule = ref->rule, .index = i, .in_parts = ref->in_parts, .cancel = ref->cancel
  };

  seam_op_get_case (ref->problem, ref->chain, i, &o.c);
  seam_op_infer (&o.c, NULL);
  for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
    if (o.c.op->params[j] >= 0)
      o.params[j] = ref->tensors[SEAM_TENSOR_PARAM (ref->chain->n_ops, o.c.op->params[j])];
  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++)
    if (o.c.op->inputs[j] >= 0)
      o.in[j] = &parts[o.c.op->inputs[j]];
  if (i == ref->first && ref->given != NULL) {
    const gint64 sample = seam_shape_count (&out->shape) / out->shape.dims[0];
    take_sums (ref->given, out->box.first[0] * sample, out);
    seam_reference_finish_sums (&o, out);
    return TRUE;
  }
  if (!seam_reference_run_op (&o, out))
    return FALSE;
  count_parts (ref, i, o.in[0]);
  return TRUE;
}

/* The box `out` of the last op's output, into `part`, which the caller clears. FALSE: no memory. */
static gboolean
run_box (const Reference *ref, const SeamBox *out, SeamPart *part)
{
  SeamBox boxes[N_VALUES];
  gboolean is_needed[N_VALUES], is_complete = TRUE;
  g_autofree SeamPart *parts = g_new0 (SeamPart, SEAM_MAX_TENSORS);
  const int last = SEAM_TENSOR_OUTPUT (ref->last);

  find_boxes (ref, out, boxes, is_needed);
  /* Inputs, also the further ones, as they are given; then op after op. */
  for (int i = 0; i < ref->problem->n_tensors && is_complete; i++) {
    const gboolean is_value = i <= ref->chain->n_ops;
    const gboolean is_given = !is_value || i < SEAM_TENSOR_OUTPUT (ref->first);

    parts[i].shape = ref->problem->tensors[i].shape;
    parts[i].box = is_value ? boxes[i] : seam_shape_box (&parts[i].shape);
    set_strides (&parts[i]);
    if (!is_given || (is_value && !is_needed[i]) || ref->tensors[i] == NULL)
      continue;
    if (!is_value && !seam_chain_reads (ref->chain, ref->first, ref->last, i))
      continue;
    is_complete = allocate (&parts[i], ref->rule != NULL);
    if (is_complete)
      take_given (&parts[i], ref->tensors[i], i == 0 ? ref->first_sample : 0);
    if (is_complete && ref->rule != NULL
        && (i == SEAM_TENSOR_INPUT || (!is_value && is_input (ref, i))))
      store_given (ref, &parts[i]);
  }
  for (int i = ref->first; i <= ref->last && is_complete; i++) {
    SeamPart *y = &parts[SEAM_TENSOR_OUTPUT (i)];

    if (!is_needed[SEAM_TENSOR_OUTPUT (i)] || seam_cancel_check (ref->cancel, NULL))
      continue;
    /* An axis of which nothing is needed: between the places that a transposed kernel reaches. */
    is_complete = allocate (y, ref->rule != NULL)
                  && (count_box (&y->shape, &y->box) == 0 || run_op (ref, i, parts, y));
    const gint64 n = count_box (&y->shape, &y->box);
    for (gint64 j = 0; is_complete && ref->rule != NULL && j < n; j++)
      y->bounds[j] = seam_bound_store (ref->rule->stored[i], y->values[j], y->bounds[j]);
    for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
      const int tensor = ref->chain->ops[i].inputs[j];
      if (tensor >= 0 && tensor != last && !seam_chain_reads (ref->chain, i + 1, ref->last, tensor))
        clear (&parts[tensor]);
    }
  }
  *part = parts[last];
  parts[last] = (SeamPart){ 0 };
  for (int i = 0; i < ref->problem->n_tensors; i++)
    clear (&parts[i]);
  return is_complete;
}

static gboolean
fail_memory (GError **error)
{
  return seam_fail (error, SEAM_ERROR_MEMORY,
                    "There is not enough memory for the FP64 reference; choose a smaller "
                    "shape, or compare against a plan.");
}

/* Computes a box and copies its elements from `skip` on, if the box is complete. */
static gboolean
copy_box (const Reference *ref, const SeamBox *box, gint64 skip, gint64 n, double *values,
          float *bounds)
{
  SeamPart part = { 0 };
  const gboolean is_complete = run_box (ref, box, &part) && part.values != NULL;

  if (is_complete && values != NULL)
    memcpy (values, part.values + skip, (gsize)n * sizeof *values);
  for (gint64 i = 0; is_complete && ref->rule != NULL && i < n; i++)
    bounds[i] = (float)part.bounds[skip + i];
  clear (&part);
  return is_complete;
}

/* --- Parts of the output --- */

/* The box of an output that has a part: rows of planes whose axes before the last lie one behind
 * another. `skip`: elements of the box before the part. */
static SeamBox
get_part_box (const SeamShape *shape, const SeamReferencePart *part, gint64 *skip)
{
  const SeamShapeView view = seam_shape_view (shape);
  SeamBox box = seam_shape_box (shape);
  gint64 below = view.inner / view.width;

  box.first[0] = part->sample;
  box.count[0] = 1;
  box.first[1] = part->first_channel;
  box.count[1] = shape->n_dims > 1 ? part->n_channels : 0;
  *skip = part->first_row * view.width;
  /* The axes of the rows, the slowest first: one index of an axis, or some whole ones. */
  for (int i = 2; i + 1 < shape->n_dims; i++) {
    below /= shape->dims[i];
    const gint64 first = part->first_row / below;
    const gint64 end = (part->first_row + part->n_rows - 1) / below + 1;
    const gint64 index = first % shape->dims[i];
    const gint64 count = end - first;

    box.first[i] = count >= shape->dims[i] ? 0 : index;
    box.count[i] = MIN (count, shape->dims[i]);
    if (count > 1) {
      *skip = (part->first_row - first * below) * view.width;
      break;
    }
    *skip = 0;
  }
  return box;
}

static void
init_reference (Reference *ref, const SeamProblem *problem, const SeamChain *chain,
                float *const *tensors, const SeamBoundRule *rule, SeamReferenceUse *use,
                SeamCancel *cancel)
{
  *ref = (Reference){
    .problem = problem,
    .chain = chain,
    .last = chain->n_ops - 1,
    .tensors = tensors,
    .rule = rule,
    .use = use,
    .cancel = cancel,
  };
}

void
seam_reference_get_need (const SeamProblem *problem, const SeamReferencePart *part,
                         SeamReferenceNeed *need)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const SeamShape *shape = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (chain->n_ops - 1));
  SeamBox boxes[N_VALUES];
  gboolean is_needed[N_VALUES];
  gint64 skip;
  Reference ref;

  init_reference (&ref, problem, chain, NULL, NULL, NULL, NULL);
  const SeamBox box = get_part_box (shape, part, &skip);
  find_boxes (&ref, &box, boxes, is_needed);
  *need = (SeamReferenceNeed){ 0 };
  if (is_needed[SEAM_TENSOR_INPUT]) {
    need->first_sample = boxes[SEAM_TENSOR_INPUT].first[0];
    need->n_samples = boxes[SEAM_TENSOR_INPUT].count[0];
  }
  for (int i = 0; i < chain->n_ops; i++)
    if (is_needed[SEAM_TENSOR_OUTPUT (i)] && seam_op_is_matrix (&chain->ops[i]))
      need->macs += (double)count_box (seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (i)),
                                       &boxes[SEAM_TENSOR_OUTPUT (i)])
                    * (double)seam_op_get_reach (problem, chain, i);
}

gboolean
seam_reference_run_part (const SeamProblem *problem, float *const *tensors, const float *input,
                         const SeamReferencePart *part, const SeamBoundRule *rule, double *values,
                         float *bounds, SeamReferenceUse *use, SeamCancel *cancel, GError **error)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const SeamShape *shape = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (chain->n_ops - 1));
  const gint64 n = part->n_channels * part->n_rows * seam_shape_view (shape).width;
  float *with_input[SEAM_MAX_TENSORS];
  SeamReferenceNeed need;
  gint64 skip;
  Reference ref;

  memcpy (with_input, tensors, (gsize)problem->n_tensors * sizeof *with_input);
  with_input[SEAM_TENSOR_INPUT] = (float *)input;
  init_reference (&ref, problem, chain, with_input, rule, use, cancel);
  seam_reference_get_need (problem, part, &need);
  ref.first_sample = need.first_sample;
  ref.in_parts = TRUE;
  if (use != NULL)
    use->n += n;
  const SeamBox box = get_part_box (shape, part, &skip);
  const gint64 in_box = count_box (shape, &box) / MAX (part->n_channels, 1);
  const gint64 each = n / part->n_channels;
  gboolean is_complete = TRUE;
  if (in_box == each || part->n_channels == 1) {
    is_complete = copy_box (&ref, &box, skip, n, values, bounds);
  } else {
    /* Rows that are a part of their box, channel after channel. */
    for (gint64 k = 0; k < part->n_channels && is_complete; k++) {
      SeamBox one = box;
      one.first[1] = part->first_channel + k;
      one.count[1] = 1;
      is_complete = copy_box (&ref, &one, skip, each, values + k * each,
                              bounds != NULL ? bounds + k * each : NULL);
    }
  }
  if (seam_cancel_check (cancel, error))
    return FALSE;
  return is_complete || fail_memory (error);
}

/* Whether each sample of the last op's output needs only its own sample of the values before. */
static gboolean
has_separate_samples (const Reference *ref)
{
  const SeamShape *shape = seam_problem_get_shape (ref->problem, SEAM_TENSOR_OUTPUT (ref->last));
  SeamBox boxes[N_VALUES], box = seam_shape_box (shape);
  gboolean is_needed[N_VALUES], is_separate = shape->dims[0] > 1;

  box.first[0] = shape->dims[0] - 1;
  box.count[0] = 1;
  find_boxes (ref, &box, boxes, is_needed);
  for (int i = ref->first; i <= ref->last && is_separate; i++)
    is_separate = !is_needed[SEAM_TENSOR_OUTPUT (i)]
                  || (boxes[SEAM_TENSOR_OUTPUT (i)].count[0] == 1
                      && boxes[SEAM_TENSOR_OUTPUT (i)].first[0] == shape->dims[0] - 1);
  return is_separate;
}

gboolean
seam_reference_has_separate_samples (const SeamProblem *problem)
{
  Reference ref;

  init_reference (&ref, problem, &problem->pipeline->chains[0], NULL, NULL, NULL, NULL);
  return has_separate_samples (&ref);
}

/* All samples; `output` NULL: only bounds. */
static gboolean
run_samples (Reference *ref, double *output, float *bounds,
             void (*progress) (double fraction, gpointer data), gpointer progress_data,
             GError **error)
{
  const SeamShape *shape = seam_problem_get_shape (ref->problem, SEAM_TENSOR_OUTPUT (ref->last));
  const gint64 n_boxes = has_separate_samples (ref) ? shape->dims[0] : 1;
  const gint64 elements = seam_shape_count (shape) / n_boxes;
  gint64 n_done = 0;
  gint is_short = 0;

  ref->in_parts = n_boxes < 4 * omp_get_max_threads ();
#pragma omp parallel for schedule(dynamic) if (!ref->in_parts)
  for (gint64 n = 0; n < n_boxes; n++) {
    SeamBox box = seam_shape_box (shape);

    if (seam_cancel_check (ref->cancel, NULL) || g_atomic_int_get (&is_short))
      continue;
    if (n_boxes > 1) {
      box.first[0] = n;
      box.count[0] = 1;
    }
    if (!copy_box (ref, &box, 0, elements, output != NULL ? output + n * elements : NULL,
                   ref->rule != NULL ? bounds + n * elements : NULL)
        && !seam_cancel_check (ref->cancel, NULL))
      g_atomic_int_set (&is_short, 1);
    gint64 done;
#pragma omp atomic capture
    done = ++n_done;
    /* The caller's thread is thread 0; progress functions expect to be called there. */
    if (progress != NULL && omp_get_thread_num () == 0)
      progress ((double)done / (double)n_boxes, progress_data);
  }

  if (seam_cancel_check (ref->cancel, error))
    return FALSE;
  if (is_short)
    return fail_memory (error);
  if (progress != NULL)
    progress (1.0, progress_data);
  return TRUE;
}

gboolean
seam_reference_run (const SeamProblem *problem, float *const *tensors, const SeamBoundRule *rule,
                    double *output, float *bounds, SeamReferenceUse *use, SeamCancel *cancel,
                    void (*progress) (double fraction, gpointer data), gpointer progress_data,
                    GError **error)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  Reference ref;

  init_reference (&ref, problem, chain, tensors, rule, use, cancel);
  if (use != NULL)
    use->n += problem->tensors[SEAM_TENSOR_OUTPUT (chain->n_ops - 1)].n_elements;
  return run_samples (&ref, output, bounds, progress, progress_data, error);
}

gboolean
seam_reference_bound (const SeamProblem *problem, const SeamChain *chain, int matrix, int last,
                      float *const *tensors, const SeamBoundRule *rule,
                      const SeamReferenceSums *given, float *bounds, SeamCancel *cancel,
                      GError **error)
{
  Reference ref;

  init_reference (&ref, problem, chain, tensors, rule, NULL, cancel);
  ref.first = matrix;
  ref.last = last;
  ref.given = given;
  return run_samples (&ref, NULL, bounds, NULL, NULL, error);
}

char *
seam_reference_describe_use (const SeamProblem *problem, const SeamReferenceUse *use)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  GString *text = g_string_new (NULL);

  for (int i = 0; i < chain->n_ops; i++)
    for (int k = 0; k < SEAM_N_OP_PARTS; k++) {
      const char *part = seam_op_get_info (&chain->ops[i])->attributes->parts[k];
      /* A clamp may have one bound only. */
      if (part != NULL && use->parts[i][k] == 0 && !isinf (chain->ops[i].scalars[k]))
        g_string_append_printf (text, "%s%s’s %s", text->len > 0 ? " or " : "", chain->ops[i].label,
                                part);
    }
  if (text->len == 0) {
    g_string_free (text, TRUE);
    return NULL;
  }
  g_autofree char *n = seam_text_count (use->n);
  g_string_prepend (text, "This input does not test ");
  g_string_append_printf (text, ": 0 of %s elements.", n);
  return g_string_free (text, FALSE);
}
