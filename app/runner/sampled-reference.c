/* SPDX-License-Identifier: MIT
 *
 * The FP64 reference of an output that is too large to be computed whole: values of the sampled
 * slices (reference-choice.c), comparisons of outputs with them, and the reference of any rectangle
 * that a person looks at, computed on demand.
 */
#include "app/runner/run-private.h"

#include "app/backend/difference-totals.h"
#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Most multiply-adds of one rectangle, for which a person waits. */
#define RECTANGLE_MACS 2e9

struct SeamSampledReference {
  SeamReferenceChoice choice;
  double *values[SEAM_REFERENCE_SLICES]; /* of each part; owned */
  float *bounds[SEAM_REFERENCE_SLICES];  /* of each of these values; owned */
  float *params[SEAM_MAX_TENSORS]; /* on the host, by tensor number; the input is NULL; owned */
};

void
seam_sampled_reference_free (SeamSampledReference *sampled)
{
  if (sampled == NULL)
    return;
  for (int i = 0; i < SEAM_REFERENCE_SLICES; i++) {
    g_free (sampled->values[i]);
    g_free (sampled->bounds[i]);
  }
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    g_free (sampled->params[i]);
  g_free (sampled);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSampledReference, seam_sampled_reference_free)

static gboolean
fetch_params (SeamRunner *runner, SeamSampledReference *sampled, SeamCancel *cancel, GError **error)
{
  for (int i = 0; i < runner->problem->n_tensors; i++) {
    gint64 n = runner->problem->tensors[i].n_elements;
    if (runner->tensors[i] == NULL || i == SEAM_TENSOR_INPUT)
      continue;
    sampled->params[i] = seam_runner_host_memory (n * (gint64)sizeof (float), error);
    if (sampled->params[i] == NULL
        || !seam_runner_read_given (runner, i, 0, n, sampled->params[i], cancel, error))
      return FALSE;
  }
  return TRUE;
}

static gint64
count_part (const SeamProblem *problem, const SeamReferencePart *part)
{
  return part->n_channels * part->n_rows * seam_problem_get_output_view (problem).width;
}

/* The reference of one part and its `bounds`, newly allocated; NULL with an error. Adds to `use`
 * (may be NULL). */
static double *
compute_part (SeamRunner *runner, float *const *params, const SeamReferencePart *part,
              float **bounds, SeamReferenceUse *use, SeamCancel *cancel, GError **error)
{
  const SeamTensor *x = &runner->problem->tensors[SEAM_TENSOR_INPUT];
  SeamReferenceNeed need;
  seam_reference_get_need (runner->problem, part, &need);
  const gint64 each = x->n_elements / x->shape.dims[0], n = each * need.n_samples;
  g_autofree float *input = seam_runner_host_memory (n * (gint64)sizeof (float), error);

  if (input == NULL)
    return NULL;
  gint64 n_values = count_part (runner->problem, part);
  g_autofree double *values = seam_runner_host_memory (n_values * (gint64)sizeof (double), error);
  SeamBoundRule rule;

  seam_bound_rule_init (&rule, runner->problem, runner->mode, 1);
  if (values != NULL)
    *bounds = seam_runner_host_memory (n_values * (gint64)sizeof (float), error);
  if (values == NULL || *bounds == NULL
      || !seam_runner_read_given (runner, SEAM_TENSOR_INPUT, need.first_sample * each, n, input,
                                  cancel, error)
      || !seam_reference_run_part (runner->problem, params, input, part, &rule, values, *bounds,
                                   use, cancel, error))
    return NULL;
  return g_steal_pointer (&values);
}

SeamSampledReference *
seam_sampled_reference_new (SeamRunner *runner, guint64 seed, SeamCancel *cancel,
                            void (*progress) (double fraction, gpointer data),
                            gpointer progress_data, GError **error)
{
  g_autoptr (SeamSampledReference) sampled = g_new0 (SeamSampledReference, 1);

  seam_reference_choose (runner->problem, seed, &sampled->choice);
  if (!fetch_params (runner, sampled, cancel, error))
    return NULL;
  for (int i = 0; i < sampled->choice.n_parts; i++) {
    if (seam_cancel_check (cancel, error))
      return NULL;
    sampled->values[i] = compute_part (runner, sampled->params, &sampled->choice.parts[i],
                                       &sampled->bounds[i], &runner->use, cancel, error);
    if (sampled->values[i] == NULL)
      return NULL;
    progress ((i + 1.0) / sampled->choice.n_parts, progress_data);
  }
  return g_steal_pointer (&sampled);
}

/* Adds the elements of a part, which are contiguous in the output. */
static void
add_part (SeamDifference *difference, SeamTotals *totals, gint64 first, gint64 n, const float *a,
          const double *b, const float *bounds)
{
  const SeamDifferenceSpec *spec = &difference->spec;

  for (gint64 i = 0; i < n; i++) {
    gint64 line = (first + i) / spec->plane;
    gint64 cell = line / spec->columns / spec->rows_per_cell * difference->n_cell_columns
                  + line % spec->columns / spec->columns_per_cell;
    seam_totals_add_pair (totals, difference, cell, first + i, a[i], b[i], bounds[i]);
    seam_totals_add_bound (totals, &difference->shares[cell], first + i, a[i], b[i], bounds[i]);
    difference->looked[cell] += difference->looked[cell] < G_MAXUINT32;
  }
}

gboolean
seam_sampled_reference_compare (SeamRunner *runner, const SeamSampledReference *sampled,
                                SeamBuffer *output, SeamDifference *difference, GError **error)
{
  SeamOperandType type = seam_runner_get_output (runner)->type;
  gsize n_cells = (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
  const SeamShapeView view = seam_problem_get_output_view (runner->problem);
  SeamTotals totals = { 0 };

  difference->looked = g_new0 (guint32, n_cells);
  seam_difference_add_shares (difference);
  for (int i = 0; i < sampled->choice.n_parts; i++) {
    const SeamReferencePart *part = &sampled->choice.parts[i];
    gint64 n = count_part (runner->problem, part);
    gint64 first = (part->sample * view.channels + part->first_channel) * view.inner
                   + part->first_row * view.width;
    g_autofree float *values = seam_runner_host_memory (n * (gint64)sizeof (float), error);
    if (values == NULL
        || !seam_runner_download_values (runner, values, output, type, first, n, NULL, error))
      return FALSE;
    add_part (difference, &totals, first, n, values, sampled->values[i], sampled->bounds[i]);
  }
  difference->n_looked = sampled->choice.n_elements;
  difference->n_slices = sampled->choice.n_parts;
  seam_totals_finish (&totals, difference);
  seam_totals_finish_bound (&totals, difference);
  return TRUE;
}

static gboolean
check_rectangle (const SeamProblem *problem, const SeamReferencePart *part, gint64 n_parts,
                 GError **error)
{
  SeamReferenceNeed need;

  seam_reference_get_need (problem, part, &need);
  const double macs = need.macs * (double)n_parts;
  if (macs <= RECTANGLE_MACS)
    return TRUE;
  g_autofree char *text = seam_text_scientific (macs);
  return seam_fail (
      error, SEAM_ERROR_UNSUPPORTED,
      "The FP64 reference of these elements takes %s multiply-adds, which is too long to wait "
      "for: make the window smaller, or look at the worst elements.",
      text);
}

gboolean
seam_sampled_reference_read (SeamRunner *runner, const SeamSampledReference *sampled,
                             SeamSlice *slice, GError **error)
{
  const SeamProblem *problem = runner->problem;
  const SeamShapeView view = seam_problem_get_output_view (problem);
  gboolean is_plane = view.inner > 1;
  gint64 width = view.width, n_parts = is_plane ? 1 : slice->n_rows;

  for (gint64 i = 0; i < n_parts; i++) {
    SeamReferencePart part = is_plane
                                 ? (SeamReferencePart){ slice->sample, slice->channel, 1,
                                                        slice->first_row, slice->n_rows }
                                 : (SeamReferencePart){ slice->first_row + i, slice->first_column,
                                                        slice->n_columns, 0, 1 };
    if (i == 0 && !check_rectangle (problem, &part, n_parts, error))
      return FALSE;
    g_autofree float *bounds = NULL;
    g_autofree double *whole =
        compute_part (runner, sampled->params, &part, &bounds, NULL, NULL, error);
    if (whole == NULL)
      return FALSE;
    for (gint64 row = 0; row < (is_plane ? slice->n_rows : 1); row++) {
      const gint64 line = (slice->channel - part.first_channel) * part.n_rows + slice->first_row
                          - part.first_row + row;
      const gint64 from =
          is_plane ? line * width + slice->first_column : slice->first_column - part.first_channel;
      for (gint64 j = 0; j < slice->n_columns; j++) {
        const gint64 to = (i + row) * slice->n_columns + j;
        seam_slice_set_b (slice, to, whole[from + j]);
        slice->bounds[to] = bounds[from + j];
      }
    }
  }
  return TRUE;
}
