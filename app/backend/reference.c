/* SPDX-License-Identifier: MIT
 *
 * The reference that errors are measured against: every op in double precision, one after another,
 * as its definition reads, over one sample at a time. Nothing here is tuned beyond the order of
 * loops and the use of all threads, so that it can be checked by reading it.
 */
#define SEAM_REAL           double
#define SEAM_MATH(function) __builtin_##function

#include "app/backend/backend.h"
#include "app/backend/bound.h"
#include "app/backend/matrix.h"
#include "app/base/text.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const SeamProblem *problem;
  const SeamChain *chain;
  int last;            /* op */
  SeamMatrixDims dims; /* of the matrix op */
  float *const *tensors;
  gint64 first_channel, k;        /* computed channels of one sample's output */
  gint64 first_row, n_rows;       /* computed rows of their planes */
  gint64 plane;                   /* pixels of those rows */
  gboolean in_channels;           /* threads share the channels of a sample, since there are few
                                   * samples */
  gboolean is_kept[SEAM_MAX_OPS]; /* read by a later op than the next one */
  const SeamBoundRule *rule;      /* NULL: no bounds */
  SeamReferenceUse *use;          /* NULL: not counted */
  const SeamReferenceSums *given; /* of the matrix op, instead of the input; NULL: none */
  SeamCancel *cancel;
} Reference;

/* One sample: values[i] is op i's output [k, plane], bounds[i] its bounds (NULL without a rule);
 * freed after their last reader. */
typedef struct {
  double *values[SEAM_MAX_OPS], *bounds[SEAM_MAX_OPS];
} Sample;

static const float *
get_param (const Reference *ref, const SeamOp *op, int j)
{
  return ref->tensors[SEAM_TENSOR_PARAM (ref->chain->n_ops, op->params[j])];
}

/* y[q] += w * row[q]; with a rule also squares[q] += (w * row[q])^2, by the sizes that count. */
static void
add_row (const SeamBoundRule *rule, gint64 n, double w, const float *row, double *y,
         double *squares)
{
  const double size = rule != NULL ? seam_bound_get_size (rule, w) : 0;

#pragma omp simd
  for (gint64 q = 0; q < n; q++)
    y[q] += w * (double)row[q];
  if (rule == NULL)
    return;
#pragma omp simd
  for (gint64 q = 0; q < n; q++) {
    const double product = size * seam_bound_get_size (rule, (double)row[q]);
    squares[q] += product * product;
  }
}

/* y[p, q] = sum over c, r, s of x[c, p + r, q + s] * weight[c, r, s], for `n_rows` rows of one
 * output channel; and the sum of the squares, if there is a rule. */
static void
convolve_channel (const SeamMatrixDims *d, const float *x, const float *weight, gint64 first_row,
                  gint64 n_rows, double *y, const SeamBoundRule *rule, double *squares)
{
  memset (y, 0, (gsize)(n_rows * d->q) * sizeof (double));
  if (rule != NULL)
    memset (squares, 0, (gsize)(n_rows * d->q) * sizeof (double));
  for (gint64 c = 0; c < d->c; c++)
    for (gint64 r = 0; r < d->r; r++)
      for (gint64 s = 0; s < d->r; s++) {
        double w = weight[(c * d->r + r) * d->r + s];
        for (gint64 p = 0; p < n_rows; p++) {
          const float *row = x + (c * d->h + first_row + p + r) * d->w + s;
          add_row (rule, d->q, w, row, y + p * d->q, squares + p * d->q);
        }
      }
}

/* Replaces each of n_rows x width numbers by the largest of itself and its neighbours; `above` and
 * `below` are the rows around them (NULL: none). */
static void
take_neighbours (gint64 n_rows, gint64 width, const double *above, const double *below,
                 double *squares)
{
  g_autofree double *room = g_new0 (double, 2 * width);
  double *before = room, *now = room + width;

  if (above != NULL)
    memcpy (before, above, (gsize)width * sizeof *before);
  for (gint64 p = 0; p < n_rows; p++) {
    double *row = squares + p * width, left = 0;
    const double *next = p + 1 < n_rows ? row + width : below;
    memcpy (now, row, (gsize)width * sizeof *now);
    for (gint64 q = 0; q < width; q++)
      row[q] = MAX (MAX (before[q], now[q]), next != NULL ? next[q] : 0);
    for (gint64 q = 0; q < width; q++) {
      const double middle = row[q], right = q + 1 < width ? row[q + 1] : 0;
      row[q] = MAX (MAX (left, middle), right);
      left = middle;
    }
    double *swapped = before;
    before = now;
    now = swapped;
  }
}

/* The same of a channel's rows, for which the rows around them are computed. */
static void
take_neighbours_of_rows (const Reference *ref, const float *input, const float *weight,
                         double *squares)
{
  const SeamMatrixDims *d = &ref->dims;
  const gint64 rows[] = { ref->first_row - 1, ref->first_row + ref->n_rows };
  g_autofree double *room = g_new (double, 3 * d->q);
  double *around[] = { NULL, NULL };

  for (int i = 0; i < 2; i++)
    if (rows[i] >= 0 && rows[i] < d->p) {
      around[i] = room + (i + 1) * d->q;
      convolve_channel (d, input, weight, rows[i], 1, room, ref->rule, around[i]);
    }
  take_neighbours (ref->n_rows, d->q, around[0], around[1], squares);
}

static double
multiply_row (gint64 n, const float *x, const float *weight)
{
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (gint64 i = 0; i < n; i++)
    sum += (double)x[i] * (double)weight[i];
  return sum;
}

/* The sum of the squares. */
static double
multiply_squares (const SeamBoundRule *rule, gint64 n, const float *x, const float *weight)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gint64 i = 0; i < n; i++) {
    const double product =
        seam_bound_get_size (rule, (double)x[i]) * seam_bound_get_size (rule, (double)weight[i]);
    sum += product * product;
  }
  return sum;
}

static gint64
get_group_channels (const Reference *ref)
{
  return seam_problem_get_output_view (ref->problem).channels
         / seam_problem_get_n_groups (ref->problem);
}

/* Mean and biased variance of one computed group, which is whole, in two passes, then the affine
 * step. */
static void
normalize_group (const Reference *ref, Sample *sample, int i, gint64 group)
{
  const SeamOp *op = &ref->chain->ops[i];
  const double *x = sample->values[i - 1], *e = sample->bounds[i - 1];
  double *y = sample->values[i];
  gint64 channels = get_group_channels (ref);
  gint64 first = group * channels * ref->plane;
  gint64 n = channels * ref->plane;
  const float *weight = get_param (ref, op, 0);
  const float *bias = get_param (ref, op, 1);

  double mean = 0;
  for (gint64 j = first; j < first + n; j++)
    mean += x[j];
  mean /= (double)n;
  double variance = 0;
  for (gint64 j = first; j < first + n; j++)
    variance += (x[j] - mean) * (x[j] - mean);
  variance /= (double)n;
  double rstd = 1.0 / sqrt (variance + SEAM_GROUPNORM_EPSILON);
  SeamBoundNorm norm;
  if (ref->rule != NULL)
    seam_bound_norm_init (&norm, n, x + first, e + first, mean, rstd);
  for (gint64 j = first; j < first + n; j++) {
    gint64 k = ref->first_channel + j / ref->plane;
    y[j] = seam_op_normalize (x[j], mean, rstd, weight[k], bias[k]);
    if (ref->rule != NULL)
      sample->bounds[i][j] = seam_bound_normalize (
          mean, rstd, norm.mean_bound, norm.deviation_bound, x[j], e[j], weight[k], y[j]);
  }
}

/* Adds how many of n inputs of op `i` are below a, and above b. Threads share the counts. */
static void
count_parts (const Reference *ref, int i, gint64 n, const double *x)
{
  const SeamOp *op = &ref->chain->ops[i];
  gint64 below = 0, above = 0;

  if (seam_op_get_info (op)->attributes->parts[0] == NULL)
    return;
  for (gint64 p = 0; p < n; p++) {
    below += x[p] < op->scalars[0];
    above += x[p] > op->scalars[1];
  }
  __atomic_fetch_add (&ref->use->parts[i][0], below, __ATOMIC_RELAXED);
  __atomic_fetch_add (&ref->use->parts[i][1], above, __ATOMIC_RELAXED);
}

/* Takes `n` of the matrix op's outputs `y`, and the sums of squares, from element `first` on. */
static void
take_sums (const SeamReferenceSums *given, gint64 first, gint64 n, double *y, double *squares)
{
  for (gint64 p = 0; p < n; p++) {
    y[p] = given->sums[first + p];
    squares[p] = given->squares[first + p] * given->unscale * given->unscale;
  }
}

/* Op `i` (any op but groupnorm) for `n_channels` channels of sample number `n`, from `k` on:
 * several only if that is no matrix op that is computed here, and of planes of one pixel. `input`
 * is the sample's. */
static void
run_channels (const Reference *ref, Sample *sample, gint64 n, int i, const float *input, gint64 k,
              gint64 n_channels)
{
  const SeamOp *op = &ref->chain->ops[i];
  const SeamMatrixDims *d = &ref->dims;
  gint64 channel = ref->first_channel + k;
  const gint64 first = k * ref->plane, n_elements = n_channels * ref->plane;
  double *y = sample->values[i] + first;
  double *bounds = ref->rule != NULL ? sample->bounds[i] + first : NULL;

  if (seam_op_is_matrix (op)) {
    const float *weight =
        ref->given != NULL ? NULL : get_param (ref, op, 0) + channel * d->c * d->r * d->r;
    if (ref->given != NULL)
      take_sums (ref->given, n * ref->k * ref->plane + first, n_elements, y, bounds);
    else if (op->type == SEAM_OP_CONV2D)
      convolve_channel (d, input, weight, ref->first_row, ref->n_rows, y, ref->rule, bounds);
    else {
      y[0] = multiply_row (d->c, input, weight);
      if (bounds != NULL)
        bounds[0] = multiply_squares (ref->rule, d->c, input, weight);
    }
    if (bounds != NULL && ref->rule->reach > 0 && ref->given != NULL)
      take_neighbours (ref->n_rows, d->q, NULL, NULL, bounds);
    else if (bounds != NULL && ref->rule->reach > 0)
      take_neighbours_of_rows (ref, input, weight, bounds);
    for (gint64 p = 0; bounds != NULL && p < n_elements; p++)
      bounds[p] = seam_bound_sum (&ref->rule->sum, y[p], sqrt (bounds[p]));
  } else {
    const int operand = op->operand < 0 ? i - 1 : op->operand;
    const double *x = sample->values[i - 1] + first, *t = sample->values[operand] + first;
    const float *v = op->params[0] < 0 ? NULL : get_param (ref, op, 0) + channel;
    seam_bound_run_map (op, n_elements, x, bounds != NULL ? sample->bounds[i - 1] + first : NULL, v,
                        n_channels > 1, t, bounds != NULL ? sample->bounds[operand] + first : NULL,
                        y, bounds);
    if (ref->use != NULL)
      count_parts (ref, i, n_elements, x);
  }
}

static void
run_op (const Reference *ref, Sample *sample, gint64 n, int i, const float *input)
{
  const SeamOp *op = &ref->chain->ops[i];

  if (seam_op_is_normalisation (op)) {
#pragma omp parallel for schedule(dynamic) if (ref->in_channels)
    for (gint64 group = 0; group < ref->k / get_group_channels (ref); group++)
      normalize_group (ref, sample, i, group);
    return;
  }
  if (ref->plane == 1 && (ref->given != NULL || !seam_op_is_matrix (op))) {
    run_channels (ref, sample, n, i, input, 0, ref->k);
    return;
  }
#pragma omp parallel for schedule(dynamic) if (ref->in_channels)
  for (gint64 k = 0; k < ref->k; k++)
    if (!seam_cancel_check (ref->cancel, NULL))
      run_channels (ref, sample, n, i, input, k, 1);
}

/* The whole chain for sample number `n`, into `output` (NULL: not) and `bounds` (NULL without a
 * rule) [k, n_rows, Q]. FALSE: no memory. */
static gboolean
run_sample (const Reference *ref, gint64 n, const float *input, double *output, float *bounds)
{
  gsize elements = (gsize)(ref->k * ref->plane);
  const int last = ref->last;
  Sample sample = { 0 };
  gboolean is_complete = TRUE;

  for (int i = 0; i <= last && is_complete; i++) {
    sample.values[i] = i == last && output != NULL ? output : g_try_new (double, elements);
    if (ref->rule != NULL)
      sample.bounds[i] = g_try_new (double, elements);
    is_complete = sample.values[i] != NULL && (ref->rule == NULL || sample.bounds[i] != NULL);
    if (is_complete)
      run_op (ref, &sample, n, i, input);
    for (gsize j = 0; is_complete && ref->rule != NULL && j < elements; j++)
      sample.bounds[i][j] =
          seam_bound_store (ref->rule->stored[i], sample.values[i][j], sample.bounds[i][j]);
    if (i > 0 && !ref->is_kept[i - 1]) {
      g_clear_pointer (&sample.values[i - 1], g_free);
      g_clear_pointer (&sample.bounds[i - 1], g_free);
    }
  }
  for (gsize j = 0; is_complete && ref->rule != NULL && j < elements; j++)
    bounds[j] = (float)sample.bounds[last][j];
  for (int i = 0; i <= last; i++) {
    if (sample.values[i] != output)
      g_free (sample.values[i]);
    g_free (sample.bounds[i]);
  }
  return is_complete;
}

static void
init_reference (Reference *ref, const SeamProblem *problem, const SeamChain *chain,
                float *const *tensors, const SeamBoundRule *rule, SeamReferenceUse *use,
                SeamCancel *cancel)
{
  const SeamShapeView view = seam_problem_get_output_view (problem);

  *ref = (Reference){
    .problem = problem,
    .chain = chain,
    .last = chain->n_ops - 1,
    .dims = seam_matrix_get_dims (problem, 0),
    .tensors = tensors,
    .k = view.channels,
    .n_rows = view.inner / view.width,
    .plane = view.inner,
    .rule = rule,
    .use = use,
    .cancel = cancel,
  };
  for (int i = 0; i < chain->n_ops; i++)
    if (chain->ops[i].operand >= 0)
      ref->is_kept[chain->ops[i].operand] = TRUE;
}

static gboolean
fail_memory (GError **error)
{
  return seam_fail (error, SEAM_ERROR_MEMORY,
                    "There is not enough memory for the FP64 reference; choose a smaller "
                    "shape, or compare against a plan.");
}

gboolean
seam_reference_run_part (const SeamProblem *problem, float *const *tensors, const float *input,
                         const SeamReferencePart *part, const SeamBoundRule *rule, double *values,
                         float *bounds, SeamReferenceUse *use, SeamCancel *cancel, GError **error)
{
  Reference ref;

  init_reference (&ref, problem, &problem->pipeline->chains[0], tensors, rule, use, cancel);
  ref.first_channel = part->first_channel;
  ref.k = part->n_channels;
  ref.first_row = part->first_row;
  ref.n_rows = part->n_rows;
  ref.plane = part->n_rows * seam_problem_get_output_view (problem).width;
  ref.in_channels = TRUE;
  if (use != NULL)
    use->n += ref.k * ref.plane;
  gboolean is_complete = run_sample (&ref, part->sample, input, values, bounds);
  if (seam_cancel_check (cancel, error))
    return FALSE;
  return is_complete || fail_memory (error);
}

/* All samples; `output` NULL: only bounds. */
static gboolean
run_samples (Reference *ref, double *output, float *bounds,
             void (*progress) (double fraction, gpointer data), gpointer progress_data,
             GError **error)
{
  const SeamMatrixDims *d = &ref->dims;
  gint64 n_samples = d->n, n_done = 0, elements = d->k * d->p * d->q;
  gint is_short = 0;

  ref->in_channels = n_samples < 4 * omp_get_max_threads ();
#pragma omp parallel for schedule(dynamic) if (!ref->in_channels)
  for (gint64 n = 0; n < n_samples; n++) {
    if (seam_cancel_check (ref->cancel, NULL) || g_atomic_int_get (&is_short))
      continue;
    if (!run_sample (ref, n,
                     ref->given != NULL ? NULL
                                        : ref->tensors[SEAM_TENSOR_INPUT] + n * d->c * d->h * d->w,
                     output != NULL ? output + n * elements : NULL,
                     ref->rule != NULL ? bounds + n * elements : NULL))
      g_atomic_int_set (&is_short, 1);
    gint64 done;
#pragma omp atomic capture
    done = ++n_done;
    /* The caller's thread is thread 0; progress functions expect to be called there. */
    if (progress != NULL && omp_get_thread_num () == 0)
      progress ((double)done / (double)n_samples, progress_data);
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
  Reference ref;

  init_reference (&ref, problem, &problem->pipeline->chains[0], tensors, rule, use, cancel);
  if (use != NULL)
    use->n += problem->tensors[SEAM_TENSOR_OUTPUT (0)].n_elements;
  return run_samples (&ref, output, bounds, progress, progress_data, error);
}

gboolean
seam_reference_bound (const SeamProblem *problem, const SeamChain *chain, int last,
                      float *const *tensors, const SeamBoundRule *rule,
                      const SeamReferenceSums *given, float *bounds, SeamCancel *cancel,
                      GError **error)
{
  Reference ref;

  init_reference (&ref, problem, chain, tensors, rule, NULL, cancel);
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
      if (part != NULL && use->parts[i][k] == 0)
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
