/* SPDX-License-Identifier: MIT
 *
 * The FP64 reference on sampled slices: which slices are chosen; their values equal those of the
 * whole reference, bit for bit; a comparison with them counts only the elements in them; and any
 * rectangle can be shown.
 */
#include "app/compare/compare.h"
#include "app/backend/matrix.h"
#include "app/runner/run-private.h"

#include <math.h>
#include <string.h>

static SeamProblem *
make_problem (const char *name, const char *preset, const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (name, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, preset, shape, &error);

  g_assert_no_error (error);
  return problem;
}

static void
assert_choice (const SeamProblem *problem, const SeamReferenceChoice *choice)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem, 0), *d = &sizes;
  gint64 step = seam_reference_get_channel_step (problem), n_elements = 0;
  const SeamReferencePart *last = &choice->parts[choice->n_parts - 1];

  g_assert_cmpint (choice->n_parts, >, 0);
  g_assert_cmpint (choice->n_parts, <=, SEAM_REFERENCE_SLICES);
  for (int i = 0; i < choice->n_parts; i++) {
    const SeamReferencePart *part = &choice->parts[i];
    g_assert_cmpint (part->sample, >=, 0);
    g_assert_cmpint (part->sample, <, d->n);
    g_assert_cmpint (part->n_channels, >, 0);
    g_assert_cmpint (part->first_channel + part->n_channels, <=, d->k);
    g_assert_cmpint (part->first_channel % step, ==, 0);
    g_assert_cmpint (part->n_channels % step, ==, 0);
    g_assert_cmpint (part->n_rows, >, 0);
    g_assert_cmpint (part->first_row + part->n_rows, <=, d->p);
    /* Each slice is contiguous in the output. */
    g_assert_true (part->n_rows == d->p || part->n_channels == 1);
    if (step > 1)
      g_assert_cmpint (part->n_rows, ==, d->p);
    for (int j = 0; j < i; j++)
      g_assert_true (choice->parts[j].sample != part->sample
                     || choice->parts[j].first_channel != part->first_channel);
    n_elements += part->n_channels * part->n_rows * d->q;
  }
  g_assert_cmpint (n_elements, ==, choice->n_elements);
  /* The slices include both ends of the output: the remainders of tiles lie at the second end. */
  g_assert_cmpint (choice->parts[0].sample + choice->parts[0].first_channel, ==, 0);
  if (choice->n_parts > 1) {
    g_assert_cmpint (last->sample, ==, d->n - 1);
    g_assert_cmpint (last->first_channel + last->n_channels, ==, d->k);
    g_assert_cmpint (last->first_row + last->n_rows, ==, d->p);
  }
}

static void
test_choice (void)
{
  g_autoptr (GPtrArray) pipelines = seam_pipeline_list (NULL);

  for (guint i = 0; i < pipelines->len; i++)
    for (int k = 0; k < ((SeamPipeline *)pipelines->pdata[i])->n_presets; k++) {
      const SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
      const char *preset = pipeline->presets[k].name;
      g_autoptr (SeamProblem) problem = make_problem (pipeline->id, preset, NULL);
      SeamReferenceChoice one, same, other;

      seam_reference_choose (problem, 1, &one);
      seam_reference_choose (problem, 1, &same);
      seam_reference_choose (problem, 2, &other);
      assert_choice (problem, &one);
      assert_choice (problem, &other);
      g_assert_cmpmem (&one, sizeof one, &same, sizeof same);
      /* With preset `kernelbench` all are too large for the whole reference. */
      if (strcmp (preset, "kernelbench") == 0) {
        g_assert_false (seam_reference_is_whole (problem, SEAM_REFERENCE_AUTO, 0));
        g_assert_cmpint (one.n_parts, ==, SEAM_REFERENCE_SLICES);
        g_assert_true (memcmp (&one, &other, sizeof one) != 0);
        /* This takes seconds, not minutes. */
        g_assert_cmpfloat ((double)one.n_elements
                               * (double)seam_op_get_reach (problem, &pipeline->chains[0], 0),
                           <=, 2.001e9);
      }
      if (strcmp (preset, "tiny") == 0)
        g_assert_true (seam_reference_is_whole (problem, SEAM_REFERENCE_AUTO, 0));
      g_assert_true (seam_reference_is_whole (problem, SEAM_REFERENCE_WHOLE, 0));
      g_assert_false (seam_reference_is_whole (problem, SEAM_REFERENCE_SAMPLED, 0));
    }
}

/* Planes so large that a slice is a band of one plane: still a single piece, and at both ends. */
static void
test_bands (void)
{
  g_autoptr (SeamProblem) problem =
      make_problem ("conv-relu-bias", "kernelbench",
                    "batch=2,in_channels=64,out_channels=4,height=2000,width=2000");
  SeamReferenceChoice choice;

  seam_reference_choose (problem, 1, &choice);
  assert_choice (problem, &choice);
  g_assert_cmpint (choice.n_parts, ==, 8);
  g_assert_cmpint (choice.parts[0].n_rows, <, seam_matrix_get_dims (problem, 0).p);
}

/* --- values --- */

static SeamRunRequest *
make_request (const char *name, const char *shape, const char *plans,
              SeamReferenceExtent reference_extent)
{
  g_autoptr (SeamProblem) problem = make_problem (name, "tiny", shape);
  SeamRunRequest *request = seam_run_request_new (problem->pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.against = g_strdup ("fp64");
  request->settings.cold = FALSE;
  request->settings.budget_s = 0.02;
  request->reference_extent = reference_extent;
  return request;
}

static SeamResult *
run (SeamRunner *runner, const SeamRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static SeamSlice *
get_slice (SeamRunner *runner, const SeamSlice *wanted)
{
  g_autoptr (GError) error = NULL;
  SeamSlice *slice = seam_runner_slice (runner, 0, -1, wanted, &error);

  g_assert_no_error (error);
  return slice;
}

/* Every pipeline, with outputs larger than the slices: the reference is the same through any
 * window. */
static void
test_values (void)
{
  static const struct {
    const char *name, *shape;
  } cases[] = {
    { "conv-relu-bias", "batch=20,out_channels=12" },
    { "gemm-bias-relu", "batch=100" },
    { "matmul-swish-bias-groupnorm", "batch=100" },
    { "conv-bias-scale-sigmoid-groupnorm", "batch=40" },
    { "conv-relu-hardswish", "batch=20,out_channels=12" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamRunner) whole = seam_runner_new (), sampled = seam_runner_new ();
    g_autoptr (SeamRunRequest) all =
        make_request (cases[i].name, cases[i].shape, "unfused", SEAM_REFERENCE_WHOLE);
    g_autoptr (SeamRunRequest) some =
        make_request (cases[i].name, cases[i].shape, "unfused", SEAM_REFERENCE_SAMPLED);
    g_autoptr (SeamResult) result_all = run (whole, all), result_some = run (sampled, some);
    const SeamDifference *a = result_all->plans[0].difference;
    const SeamDifference *b = result_some->plans[0].difference;
    gint64 rows, columns, plane;

    g_assert_cmpint (a->n_slices, ==, 0);
    g_assert_cmpint (a->n_looked, ==, a->n_elements);
    g_assert_null (a->looked);
    g_assert_cmpint (b->n_slices, >, 1);
    g_assert_cmpint (b->n_looked, <=, b->n_elements);
    g_assert_cmpint (b->n_elements, ==, a->n_elements);
    g_assert_cmpint (b->n_failing, ==, 0);
    g_assert_cmpfloat (b->max_abs, >, 0);
    g_assert_cmpfloat (b->max_abs, <=, a->max_abs);
    gint64 n_counted = 0, n_looked = 0;
    for (int bin = 0; bin < SEAM_HISTOGRAM_BINS; bin++)
      n_counted += b->histogram[bin];
    g_assert_cmpint (n_counted, ==, b->n_looked);
    for (gint64 cell = 0; cell < b->n_cell_rows * b->n_cell_columns; cell++) {
      n_looked += b->looked[cell];
      g_assert_cmpfloat (b->cells[cell], <=, a->cells[cell]);
    }
    g_assert_cmpint (n_looked, ==, b->n_looked);

    const SeamShapeView view = seam_problem_get_output_view (whole->problem);
    rows = view.outer;
    columns = view.channels;
    plane = view.inner;
    SeamSlice wanted = { .first_row = 1, .first_column = 2, .n_rows = 5, .n_columns = 3 };
    if (plane > 1)
      wanted.sample = rows - 2, wanted.channel = columns - 2;
    g_autoptr (SeamSlice) slice_all = get_slice (whole, &wanted);
    g_autoptr (SeamSlice) slice_some = get_slice (sampled, &wanted);
    g_assert_cmpint (slice_some->n_rows, ==, 5);
    g_assert_cmpmem (slice_all->b, 15 * sizeof (float), slice_some->b, 15 * sizeof (float));
    g_assert_cmpmem (slice_all->a, 15 * sizeof (float), slice_some->a, 15 * sizeof (float));
  }
}

/* A difference is found in the slices, and the sentence says that they are a sample. */
static void
test_exhibit (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request (
      "matmul-swish-bias-groupnorm", "batch=1000", "unfused,as-published", SEAM_REFERENCE_SAMPLED);
  g_autoptr (SeamResult) result = run (runner, request);
  const SeamDifference *right = result->plans[0].difference;
  const SeamDifference *wrong = result->plans[1].difference;
  g_autoptr (SeamAgreement) good = seam_agreement_new (right);
  g_autoptr (SeamAgreement) bad = seam_agreement_new (wrong);
  g_autofree char *extent = seam_agreement_describe_extent (wrong);

  g_assert_cmpint (wrong->n_slices, ==, 64);
  g_assert_cmpint (wrong->n_looked, ==, 64 * wrong->spec.columns);
  g_assert_cmpstr (extent, ==, "64 sampled slices, 6.40 % of the elements");
  g_assert_true (good->agree);
  g_assert_cmpstr (good->headline, ==, "Outputs agree where sampled");
  g_assert_nonnull (strstr (good->detail, "the others were not looked at"));
  g_assert_false (bad->agree);
  g_assert_nonnull (strstr (bad->headline, "sampled elements"));
  g_assert_cmpint (wrong->n_failing, >, wrong->n_looked / 2);
  /* File and pipe keep all of it. */
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_difference_type, wrong, TRUE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDifference) back =
      seam_record_new_from_variant (&seam_difference_type, variant, &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->n_slices, ==, 64);
  g_assert_cmpint (back->n_looked, ==, wrong->n_looked);
  gsize bytes = (gsize)(wrong->n_cell_rows * wrong->n_cell_columns) * sizeof (guint32);
  g_assert_cmpmem (back->looked, bytes, wrong->looked, bytes);
}

static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  SeamReferenceExtent extent = SEAM_REFERENCE_AUTO;

  g_assert_true (seam_choice_parse (seam_reference_extents, SEAM_N_REFERENCE_EXTENTS, "Sampled",
                                    "FP64 reference", (int *)&extent, &error));
  g_assert_cmpint (extent, ==, SEAM_REFERENCE_SAMPLED);
  g_assert_false (seam_choice_parse (seam_reference_extents, SEAM_N_REFERENCE_EXTENTS, "some",
                                     "FP64 reference", (int *)&extent, &error));
  g_assert_nonnull (strstr (error->message, ", whole or sampled, not"));
}

/* The rate that reference-choice.c assumes, for 64 rows of a matmul; printed, not checked. */
static void
test_rate (void)
{
  g_autoptr (SeamProblem) problem =
      make_problem ("gemm-bias-relu", "tiny", "batch=64,in_features=2048,out_features=2048");
  float *tensors[SEAM_MAX_TENSORS] = { NULL };
  g_autofree double *values = g_new (double, 2048);
  SeamReferencePart part = { 0, 0, 2048, 0, 1 };

  for (int i = 0; i < problem->n_tensors; i++) {
    if (i >= SEAM_TENSOR_OUTPUT (0) && i <= SEAM_TENSOR_OUTPUT (2))
      continue;
    tensors[i] = g_new (float, problem->tensors[i].n_elements);
    seam_problem_fill_tensor (problem, i, 1, SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_SPREAD,
                              tensors[i]);
  }
  gint64 start_us = g_get_monotonic_time ();
  for (part.sample = 0; part.sample < 64; part.sample++) {
    const float *input = tensors[SEAM_TENSOR_INPUT] + part.sample * 2048;
    g_assert_true (seam_reference_run_part (problem, tensors, input, &part, NULL, values, NULL,
                                            NULL, NULL, NULL));
    g_assert_cmpfloat (values[0], >=, 0);
  }
  g_test_message ("%.2g multiply-adds a second",
                  64.0 * 2048 * 2048 / (double)(g_get_monotonic_time () - start_us) * 1e6);
  for (int i = 0; i < problem->n_tensors; i++)
    g_free (tensors[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sampled-reference/choice", test_choice);
  g_test_add_func ("/sampled-reference/bands", test_bands);
  g_test_add_func ("/sampled-reference/values", test_values);
  g_test_add_func ("/sampled-reference/exhibit", test_exhibit);
  g_test_add_func ("/sampled-reference/names", test_names);
  g_test_add_func ("/sampled-reference/rate", test_rate);
  return g_test_run ();
}
