/* SPDX-License-Identifier: MIT
 *
 * The outputs of plans: execution on poisoned memory, the FP64 reference, and comparisons.
 * Correctness comes before any timing (design, "Measuring", point 1).
 */
#include "app/runner/run-private.h"

#include "app/compare/compare.h"
#include "app/plan/fuse.h"

#include <string.h>

/* Size of the pieces in which an output is copied to the host for hashing. */
#define HASH_PIECE_BYTES ((gint64)16 << 20)
/* Most parts in which the failing elements of a depth are counted: enough for every thread. */
#define DEPTH_ROWS 256

const SeamTensor *
seam_runner_get_output (const SeamRunner *runner)
{
  return &runner->problem
              ->tensors[SEAM_TENSOR_OUTPUT (runner->problem->pipeline->chains[0].n_ops - 1)];
}

/* Four independent chains of multiply and rotate, so that memory limits the speed and not the
 * multiplier. The hash only tells whether two outputs have the same bits; it is not
 * cryptographic. */
static void
hash_words (guint64 lanes[4], const guint32 *words, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint64 h = (lanes[i % 4] ^ words[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
    lanes[i % 4] = h << 29 | h >> 35;
  }
}

gboolean
seam_runner_hash (SeamRunner *runner, SeamBuffer *output, SeamCancel *cancel, guint64 *hash,
                  GError **error)
{
  SeamDevice *device = runner->device;
  gint64 bytes = seam_runner_get_output (runner)->bytes;
  guint64 lanes[4] = { 1, 2, 3, 4 };
  g_autofree guint32 *words = seam_runner_host_memory (MIN (bytes + 3, HASH_PIECE_BYTES), error);

  if (words == NULL)
    return FALSE;
  for (gint64 offset = 0; offset < bytes; offset += HASH_PIECE_BYTES) {
    gint64 piece = MIN (HASH_PIECE_BYTES, bytes - offset);
    if (seam_cancel_check (cancel, error)
        || !device->backend->download (device, words, output, offset, piece, error))
      return FALSE;
    /* An odd number of 16-bit elements ends in half a word. */
    if (piece % 4 != 0)
      memset ((char *)words + piece, 0, (gsize)(4 - piece % 4));
    hash_words (lanes, words, (gsize)(piece + 3) / sizeof (guint32));
  }
  *hash = 0;
  for (int i = 0; i < 4; i++)
    *hash = (*hash ^ lanes[i]) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return TRUE;
}

/* Poisons the memory first: an element that the plan forgets to write is then NaN, and NaN fails.
 * Intermediates are poisoned, too, so that no plan uses what another left in the shared pool. */
gboolean
seam_runner_execute (SeamRunner *runner, SeamRunnerPlan *plan, SeamCancel *cancel, guint64 *hash,
                     GError **error)
{
  SeamDevice *device = plan->device;
  const SeamBackend *backend = device->backend;
  const gboolean is_away = device != runner->device;
  const SeamTensor *output = seam_runner_get_output (runner);
  SeamBuffer *made = is_away ? plan->away[output - runner->problem->tensors] : plan->output;

  plan->has_output = FALSE;
  for (int i = 0; i < (is_away ? SEAM_MAX_TENSORS : plan->placement.n_slots); i++) {
    SeamBuffer *buffer = !is_away                        ? runner->slots[i]
                         : plan->placement.slots[i] >= 0 ? plan->away[i]
                                                         : NULL;
    if (buffer != NULL
        && (seam_cancel_check (cancel, error) || !backend->poison (device, buffer, cancel, error)))
      return FALSE;
  }
  if (seam_cancel_check (cancel, error) || !backend->poison (device, made, cancel, error)
      || !backend->run (device, plan->prepared, plan->n_prepared, cancel, error)
      || (is_away
          && !seam_runner_carry (runner, plan->output, device, made, output->bytes, TRUE, cancel,
                                 error))
      || !seam_runner_hash (runner, plan->output, cancel, hash, error))
    return FALSE;
  plan->has_output = TRUE;
  return TRUE;
}

/* Gives back what seam_runner_allocate() gave; accepts NULL. */
static void
release (SeamRunner *runner, SeamBuffer *buffer, gint64 bytes)
{
  if (buffer == NULL)
    return;
  runner->device->backend->release (runner->device, buffer);
  runner->bytes_held -= (double)bytes;
}

/* Uploads `bytes` bytes of `data` into a buffer that the runner keeps as `*kept`. */
static gboolean
keep (SeamRunner *runner, const void *data, gint64 bytes, SeamBuffer **kept, SeamCancel *cancel,
      GError **error)
{
  SeamBuffer *buffer = seam_runner_allocate (runner, bytes, error);

  if (buffer == NULL)
    return FALSE;
  if (!seam_runner_upload (runner, buffer, 0, data, bytes, cancel, error)) {
    release (runner, buffer, bytes);
    return FALSE;
  }
  *kept = buffer;
  return TRUE;
}

/* Input and parameters on the host; the caller frees them, also after a failure. */
static gboolean
read_all_given (SeamRunner *runner, float **tensors, SeamCancel *cancel, GError **error)
{
  for (int i = 0; i < runner->problem->n_tensors; i++) {
    const gint64 n = runner->problem->tensors[i].n_elements;
    if (runner->tensors[i] == NULL)
      continue;
    tensors[i] = seam_runner_host_memory (n * (gint64)sizeof (float), error);
    if (tensors[i] == NULL || !seam_runner_read_given (runner, i, 0, n, tensors[i], cancel, error))
      return FALSE;
  }
  return TRUE;
}

/* Whether the device computes the FP64 reference itself, from the tensors as they are in memory. */
static gboolean
has_reference (const SeamRunner *runner)
{
  return runner->device->backend->reference != NULL;
}

/* The bounds of a difference of two plans, by the FP64 reference. */
static gboolean
make_pair_bounds (SeamRunner *runner, const SeamBoundRule *rule, SeamBuffer *bounds,
                  SeamCancel *cancel, GError **error)
{
  const gint64 bytes = seam_runner_get_output (runner)->n_elements * (gint64)sizeof (float);

  if (has_reference (runner))
    return seam_device_reference (runner->device, runner->problem, runner->tensors, rule, NULL,
                                  bounds, NULL, cancel, NULL, NULL, error);
  float *tensors[SEAM_MAX_TENSORS] = { NULL };
  g_autofree float *values = seam_runner_host_memory (bytes, error);
  const gboolean ok = values != NULL && read_all_given (runner, tensors, cancel, error)
                      && seam_reference_run (runner->problem, tensors, rule, NULL, values, NULL,
                                             cancel, NULL, NULL, error)
                      && seam_runner_upload (runner, bounds, 0, values, bytes, cancel, error);

  for (int i = 0; i < runner->problem->n_tensors; i++)
    g_free (tensors[i]);
  return ok;
}

static gboolean
take_samples (SeamRunner *runner, SeamCancel *cancel,
              void (*progress) (double fraction, gpointer data), gpointer progress_data,
              GError **error)
{
  runner->sampled =
      seam_sampled_reference_new (runner, runner->seed, cancel, progress, progress_data, error);
  return runner->sampled != NULL;
}

/* The whole reference and its bounds, computed by the device. */
static gboolean
take_device_reference (SeamRunner *runner, SeamCancel *cancel,
                       void (*progress) (double fraction, gpointer data), gpointer progress_data,
                       GError **error)
{
  const gint64 n = seam_runner_get_output (runner)->n_elements;
  const gint64 bytes = n * (gint64)sizeof (double), bound_bytes = n * (gint64)sizeof (float);
  SeamBuffer *output = seam_runner_allocate (runner, bytes, error);
  SeamBuffer *bounds = g_steal_pointer (&runner->bounds);
  SeamBoundRule rule;

  seam_bound_rule_init (&rule, runner->problem, runner->mode, 1);
  if (output != NULL && bounds == NULL)
    bounds = seam_runner_allocate (runner, bound_bytes, error);
  if (output != NULL && bounds != NULL
      && seam_device_reference (runner->device, runner->problem, runner->tensors, &rule, output,
                                bounds, &runner->use, cancel, progress, progress_data, error)) {
    runner->fp64 = output;
    runner->bounds = bounds;
    return TRUE;
  }
  release (runner, output, bytes);
  release (runner, bounds, bound_bytes);
  return FALSE;
}

gboolean
seam_runner_ensure_fp64 (SeamRunner *runner, SeamCancel *cancel,
                         void (*progress) (double fraction, gpointer data), gpointer progress_data,
                         GError **error)
{
  const SeamProblem *problem = runner->problem;
  float *tensors[SEAM_MAX_TENSORS] = { NULL };
  gint64 n_elements = seam_runner_get_output (runner)->n_elements;
  gint64 bytes = n_elements * (gint64)sizeof (double);
  gint64 bound_bytes = n_elements * (gint64)sizeof (float);
  SeamBoundRule rule;
  gboolean ok = TRUE;

  if (runner->fp64 != NULL || runner->sampled != NULL)
    return TRUE;
  if (!seam_reference_is_whole (problem, runner->reference_extent, runner->device->reference_macs))
    return take_samples (runner, cancel, progress, progress_data, error);
  if (has_reference (runner)) {
    g_autoptr (GError) local = NULL;
    if (take_device_reference (runner, cancel, progress, progress_data, &local))
      return TRUE;
    if (runner->reference_extent == SEAM_REFERENCE_AUTO
        && g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY))
      return take_samples (runner, cancel, progress, progress_data, error);
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  g_autofree double *output = seam_runner_host_memory (bytes, error);
  if (output == NULL)
    return FALSE;
  g_autofree float *bounds = seam_runner_host_memory (bound_bytes, error);
  if (bounds == NULL)
    return FALSE;
  seam_bound_rule_init (&rule, problem, runner->mode, 1);
  runner->use = (SeamReferenceUse){ 0 };
  ok = read_all_given (runner, tensors, cancel, error)
       && seam_reference_run (problem, tensors, &rule, output, bounds, &runner->use, cancel,
                              progress, progress_data, error);
  for (int i = 0; i < problem->n_tensors; i++)
    g_free (tensors[i]);
  return ok
         && (runner->bounds != NULL
             || keep (runner, bounds, bound_bytes, &runner->bounds, cancel, error))
         && keep (runner, output, bytes, &runner->fp64, cancel, error);
}

gboolean
seam_runner_ensure_pair_bounds (SeamRunner *runner, SeamCancel *cancel, GError **error)
{
  const SeamProblem *problem = runner->problem;
  const SeamChain *chain = &problem->pipeline->chains[0];
  const gint64 bytes = seam_runner_get_output (runner)->n_elements * (gint64)sizeof (float);
  SeamBoundRule rule;

  if (runner->pair_bounds != NULL)
    return TRUE;
  SeamBuffer *bounds = seam_runner_allocate (runner, bytes, error);
  if (bounds == NULL)
    return FALSE;
  seam_bound_rule_init (&rule, problem, runner->mode, 2);
  /* Where the tensors are, if one kernel could have the whole chain. */
  const gboolean is_joined = seam_op_is_matrix (&chain->ops[0])
                             && seam_ops_can_fuse (problem, chain, 0, chain->n_ops - 1, NULL);
  g_autoptr (GError) local = NULL;
  gboolean good = is_joined
                  && seam_device_bound (runner->device, problem, chain, 0, chain->n_ops - 1,
                                        runner->tensors, &rule, FALSE, bounds, cancel, &local);
  if (!good && (local == NULL || g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)))
    good = make_pair_bounds (runner, &rule, bounds, cancel, error);
  else if (!good)
    g_propagate_error (error, g_steal_pointer (&local));
  if (!good) {
    release (runner, bounds, bytes);
    return FALSE;
  }
  runner->pair_bounds = bounds;
  return TRUE;
}

/* Compares the outputs, seen as `spec` says. */
static SeamDifference *
compare_as (SeamRunner *runner, int a, int b, const SeamDifferenceSpec *spec, GError **error)
{
  g_autoptr (SeamDifference) difference = seam_difference_new (spec);
  SeamBuffer *output = runner->plans[a].output;
  gboolean is_sampled = b < 0 && runner->sampled != NULL;

  if (is_sampled
          ? !seam_sampled_reference_compare (runner, runner->sampled, output, difference, error)
          : !runner->device->backend->compare (
              runner->device, output, b < 0 ? runner->fp64 : runner->plans[b].output, b < 0,
              b < 0 ? runner->bounds : runner->pair_bounds, difference, error))
    return NULL;
  return g_steal_pointer (&difference);
}

/* Counts what fails at each depth: in an overview whose columns are the depths. */
static gboolean
count_depths (SeamRunner *runner, int a, int b, SeamDifference *difference, GError **error)
{
  const gint64 depth = difference->spec.depth;
  SeamDifferenceSpec spec = difference->spec;

  if (depth < 2 || difference->n_failing == 0)
    return TRUE;
  spec.rows *= spec.columns;
  spec.columns = depth;
  spec.plane /= depth;
  spec.depth = 1;
  seam_difference_choose_cells (&spec, DEPTH_ROWS);
  spec.columns_per_cell = 1;
  g_autoptr (SeamDifference) by_depth = compare_as (runner, a, b, &spec, error);
  if (by_depth == NULL)
    return FALSE;
  difference->depth_shares = g_new0 (float, depth);
  for (gint64 i = 0; i < depth; i++) {
    double failing = 0, looked = 0;
    for (gint64 cell = i; cell < by_depth->n_cell_rows * depth; cell += depth) {
      gint64 first = cell / depth * spec.rows_per_cell;
      failing += by_depth->failing[cell];
      looked += by_depth->looked != NULL
                    ? by_depth->looked[cell]
                    : (double)(MIN (spec.rows_per_cell, spec.rows - first) * spec.plane);
    }
    difference->depth_shares[i] = (float)(failing / looked);
  }
  return TRUE;
}

SeamDifference *
seam_runner_compare (SeamRunner *runner, int a, int b, double atol, double rtol, gint64 max_side,
                     GError **error)
{
  const SeamShapeView view = seam_problem_get_output_view (runner->problem);
  SeamDifferenceSpec spec = seam_difference_spec_for (&view);

  spec.atol = atol;
  spec.rtol = rtol;
  spec.stored = seam_runner_get_output (runner)->type;
  seam_difference_choose_cells (&spec, max_side);
  g_autoptr (SeamDifference) difference = compare_as (runner, a, b, &spec, error);
  if (difference == NULL || !count_depths (runner, a, b, difference, error))
    return NULL;
  difference->region = seam_region_describe (difference, NULL);
  if (b < 0)
    difference->untested = seam_reference_describe_use (runner->problem, &runner->use);
  difference->shows_nothing = seam_agreement_describe_nothing (difference);
  return g_steal_pointer (&difference);
}
