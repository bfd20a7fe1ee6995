/* SPDX-License-Identifier: MIT
 *
 * The FP64 reference: values worked out by hand, its two ways of dividing the work among threads,
 * NaN and infinity, progress, and Stop. The golden cases are in test-golden.c.
 */
#include "tests/core/cpu-fixture.h"

#include <omp.h>

static Fixture *
new_fixture (const char *id, const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (problem);
  fixture_fill (fixture, 5, SEAM_DISTRIBUTION_NORMAL);
  return fixture;
}

/* The input or a parameter by its name; an op may have the same name as one. */
static float *
get_tensor (const Fixture *fixture, const char *name)
{
  for (int i = 0; i < fixture->problem->n_tensors; i++)
    if (fixture->host[i] != NULL && strcmp (fixture->problem->tensors[i].name, name) == 0)
      return fixture->host[i];
  g_assert_not_reached ();
}

/* One 2 x 2 kernel over a 3 x 3 image, then + 0.5, relu, + bias: worked out on paper. */
static void
test_convolution (void)
{
  Fixture *fixture = new_fixture (
      "conv-relu-bias", "batch=1,in_channels=1,out_channels=2,height=3,width=3,kernel_size=2");
  const float image[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  const float weight[] = { 1, 0, 0, -1, 0, 1, 2, 0 };
  memcpy (get_tensor (fixture, "input"), image, sizeof image);
  memcpy (get_tensor (fixture, "conv.weight"), weight, sizeof weight);
  memcpy (get_tensor (fixture, "conv.bias"), (float[]){ 4.5f, 0.5f }, 2 * sizeof (float));
  memcpy (get_tensor (fixture, "bias"), (float[]){ 10, 20 }, 2 * sizeof (float));

  g_autofree double *output = fixture_reference (fixture);
  /* First channel: x[0] - x[4] = -4 everywhere, + 4.5, relu, + 10. Second: x[1] + 2 x[3] and so
   * on give 10, 13, 19, 22; then + 0.5, + 20. */
  const double expected[] = { 10.5, 10.5, 10.5, 10.5, 30.5, 33.5, 39.5, 42.5 };
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpfloat (output[i], ==, expected[i]);
  fixture_free (fixture);
}

static void
test_matmul (void)
{
  Fixture *fixture = new_fixture ("gemm-bias-relu", "batch=2,in_features=3,out_features=2");
  memcpy (get_tensor (fixture, "input"), (float[]){ 1, 2, 3, -1, 0, 1 }, 6 * sizeof (float));
  memcpy (get_tensor (fixture, "gemm.weight"), (float[]){ 1, 1, 1, 2, 0, -1 }, 6 * sizeof (float));
  memcpy (get_tensor (fixture, "bias"), (float[]){ 0.25f, 0.5f }, 2 * sizeof (float));

  g_autofree double *output = fixture_reference (fixture);
  const double expected[] = { 6.25, 0, 0.25, 0 }; /* 6, -1; 0, -3; + bias; relu */
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpfloat (output[i], ==, expected[i]);
  fixture_free (fixture);
}

/* Swish, bias and groupnorm of a matmul with the identity, so the values are chosen directly. */
static void
test_groupnorm (void)
{
  Fixture *fixture =
      new_fixture ("matmul-swish-bias-groupnorm", "batch=1,in_features=4,out_features=4,groups=2");
  const float identity[] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  const float x[] = { 0, 1, -2, 3 };
  const float weight[] = { 1, 2, 3, 4 }, bias[] = { 0, 0, 1, -1 }, second[] = { 0, 1, 0, 0 };
  memcpy (get_tensor (fixture, "matmul.weight"), identity, sizeof identity);
  memcpy (get_tensor (fixture, "input"), x, sizeof x);
  memset (get_tensor (fixture, "matmul.bias"), 0, sizeof x);
  memcpy (get_tensor (fixture, "bias"), second, sizeof second);
  memcpy (get_tensor (fixture, "group_norm.weight"), weight, sizeof weight);
  memcpy (get_tensor (fixture, "group_norm.bias"), bias, sizeof bias);

  g_autofree double *output = fixture_reference (fixture);
  for (int group = 0; group < 2; group++) {
    double y[2];
    for (int i = 0; i < 2; i++) {
      double value = x[2 * group + i];
      y[i] = value / (1 + exp (-value)) + second[2 * group + i];
    }
    /* The mean of two values lies in the middle, and the deviation is half their distance. */
    double half = (y[0] - y[1]) / 2;
    double unit = half / sqrt (half * half + 1e-5);
    for (int i = 0; i < 2; i++) {
      int k = 2 * group + i;
      double expected = (i == 0 ? unit : -unit) * weight[k] + bias[k];
      g_assert_cmpfloat_with_epsilon (output[k], expected, 1e-14);
    }
  }
  fixture_free (fixture);
}

/* Threads divide many samples by sample, and few by channel. The first samples of a long batch
 * have to equal those of a batch of one, bit by bit. */
static void
test_sharing (void)
{
  const char *id = "conv-bias-scale-sigmoid-groupnorm";
  Fixture *many = new_fixture (id, "batch=300,in_channels=3,out_channels=6,height=9,width=8,"
                                   "kernel_size=2,groups=3");
  Fixture *one = new_fixture (id, "batch=1,in_channels=3,out_channels=6,height=9,width=8,"
                                  "kernel_size=2,groups=3");
  for (int i = 0; i < one->problem->n_tensors; i++)
    if (one->host[i] != NULL)
      memcpy (one->host[i], many->host[i], (gsize)one->problem->tensors[i].bytes);
  g_autofree double *many_output = fixture_reference (many);
  g_autofree double *one_output = fixture_reference (one);
  g_assert_cmpmem (many_output, (gsize)fixture_n_outputs (one) * sizeof (double), one_output,
                   (gsize)fixture_n_outputs (one) * sizeof (double));
  for (gint64 i = 0; i < fixture_n_outputs (many); i++)
    g_assert_true (isfinite (many_output[i]));
  fixture_free (many);
  fixture_free (one);
}

/* A NaN or an infinity in the input has to reach the outputs that depend on it, and only those. */
static void
test_not_finite (void)
{
  Fixture *fixture = new_fixture ("gemm-bias-relu", "batch=3,in_features=4,out_features=5");
  float *x = get_tensor (fixture, "input");
  float *weight = get_tensor (fixture, "gemm.weight");
  for (int i = 0; i < 20; i++)
    weight[i] = 1;
  x[1 * 4 + 2] = NAN;
  x[2 * 4 + 0] = INFINITY;
  g_autofree double *output = fixture_reference (fixture);
  for (int k = 0; k < 5; k++) {
    g_assert_true (isfinite (output[k]));
    g_assert_true (isnan (output[5 + k]));
    g_assert_true (isinf (output[10 + k]));
  }
  fixture_free (fixture);
}

typedef struct {
  double last;
  int n_calls;
  SeamCancel *cancel;
} Progress;

static void
progress_cb (double fraction, gpointer data)
{
  Progress *progress = data;
  g_assert_cmpfloat (fraction, >=, progress->last);
  g_assert_cmpfloat (fraction, <=, 1);
  progress->last = fraction;
  progress->n_calls++;
  if (progress->cancel != NULL && progress->n_calls == 2)
    seam_cancel_raise (progress->cancel);
}

static void
test_progress (void)
{
  Fixture *fixture = new_fixture ("gemm-bias-relu", "batch=5000,in_features=4,out_features=5");
  g_autofree double *output = g_new (double, fixture_n_outputs (fixture));
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 };

  g_assert_true (seam_reference_run (fixture->problem, fixture->host, NULL, output, NULL, NULL,
                                     NULL, progress_cb, &progress, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (progress.last, ==, 1);

  /* Only the caller's thread reports progress; on a busy machine other threads may do all of the
   * work before it. */
  int n_threads = omp_get_max_threads ();
  omp_set_num_threads (1);
  progress = (Progress){ 0 };
  g_assert_true (seam_reference_run (fixture->problem, fixture->host, NULL, output, NULL, NULL,
                                     NULL, progress_cb, &progress, &error));
  g_assert_no_error (error);
  g_assert_cmpint (progress.n_calls, >, 2);

  SeamCancel cancel = { 0 };
  progress = (Progress){ .cancel = &cancel };
  g_assert_false (seam_reference_run (fixture->problem, fixture->host, NULL, output, NULL, NULL,
                                      &cancel, progress_cb, &progress, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_assert_cmpfloat (progress.last, <, 1);
  omp_set_num_threads (n_threads);
  fixture_free (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reference/convolution", test_convolution);
  g_test_add_func ("/reference/matmul", test_matmul);
  g_test_add_func ("/reference/groupnorm", test_groupnorm);
  g_test_add_func ("/reference/sharing", test_sharing);
  g_test_add_func ("/reference/not-finite", test_not_finite);
  g_test_add_func ("/reference/progress", test_progress);
  return g_test_run ();
}
