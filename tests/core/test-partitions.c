/* SPDX-License-Identifier: MIT
 *
 * Partitions of every pipeline (extent.h) on the CPU against the unfused plan and the FP64
 * reference, on random odd shapes: not only the output, but every tensor a plan puts into memory.
 * All tensors hold NaN before the run, so that an unwritten element fails. The exhibit has to be
 * wrong.
 */
#include "tests/core/cpu-fixture.h"
#include "tests/core/extent.h"

#include "app/backend/cpu/backend-cpu.h"

#include <omp.h>

/* On all threads, however small the groups are. */
static Fixture *
new_fixture (SeamProblem *problem)
{
  Fixture *fixture = fixture_new (problem);
  SeamCpuDevice *device = (SeamCpuDevice *)fixture->device;

  device->thread_bytes = device->thread_flop = 1;
  return fixture;
}

static gint64
random_between (gint64 low, gint64 high)
{
  return g_test_rand_int_range ((gint32)low, (gint32)high + 1);
}

static void
add_field (GString *shape, const char *key, gint64 value)
{
  g_string_append_printf (shape, "%s%s=%" G_GINT64_FORMAT, shape->len > 0 ? "," : "", key, value);
}

/* A random shape of the pipeline. With `size` 0, planes and rows have a few elements, with 1 a
 * tile or less, with 2 several tiles; with 3 a convolution has a single output pixel. */
static char *
random_shape (const SeamPipeline *pipeline, int size)
{
  static const gint64 sides[] = { 6, 24, 75, 1 };
  gboolean has_groups = seam_pipeline_get_field (pipeline, "groups") >= 0;
  gint64 groups = has_groups ? random_between (1, 5) : 1;
  GString *shape = g_string_new (NULL);

  if (seam_pipeline_get_field (pipeline, "in_features") >= 0) {
    add_field (shape, "batch", random_between (1, size == 2 ? 300 : 20));
    add_field (shape, "in_features", random_between (1, size == 2 ? 90 : 20));
    add_field (shape, "out_features", groups * random_between (1, size == 2 ? 400 : 30));
  } else {
    gint64 kernel = random_between (1, 5);
    add_field (shape, "batch", random_between (1, 4));
    add_field (shape, "in_channels", random_between (1, 9));
    add_field (shape, "out_channels", groups * random_between (1, 7));
    add_field (shape, "height", kernel - 1 + (size == 3 ? 1 : random_between (1, sides[size])));
    add_field (shape, "width", kernel - 1 + (size == 3 ? 1 : random_between (1, sides[size])));
    add_field (shape, "kernel_size", kernel);
  }
  if (has_groups)
    add_field (shape, "groups", groups);
  return g_string_free (shape, FALSE);
}

static Fixture *
new_random (const char *id, int size, SeamDistribution distribution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  g_autofree char *shape = random_shape (pipeline, size);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape, &error);
  g_assert_no_error (error);
  Fixture *fixture = new_fixture (problem);
  fixture_fill (fixture, (guint64)g_test_rand_int (), distribution);
  return fixture;
}

/* Runs a plan and downloads the output of every op that is in memory; the others stay NULL. */
static void
run_all (Fixture *fixture, const SeamPlan *plan, float **values)
{
  const SeamBackend *backend = fixture->device->backend;
  gint64 n = fixture_n_outputs (fixture);
  g_autoptr (GError) error = NULL;
  Execution execution;

  execution_init (&execution, fixture, plan, NULL);
  backend->run (fixture->device, execution.groups, execution.n_groups, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < fixture->n_ops; i++) {
    SeamBuffer *buffer = execution.buffers[SEAM_TENSOR_OUTPUT (i)];
    values[i] = NULL;
    if (buffer == NULL)
      continue;
    values[i] = g_new (float, n);
    g_assert_true (backend->download (fixture->device, values[i], buffer, 0,
                                      n * (gint64)sizeof (float), &error));
  }
  execution_clear (&execution, fixture);
}

static void
free_all (Fixture *fixture, float **values)
{
  for (int i = 0; i < fixture->n_ops; i++)
    g_free (values[i]);
}

static double
max_distance (const float *a, const float *b, gint64 n)
{
  double largest = 0;
  for (gint64 i = 0; i < n; i++) {
    double distance = fabs ((double)a[i] - (double)b[i]);
    if (!(distance <= largest))
      largest = isnan (distance) ? INFINITY : distance;
  }
  return largest;
}

static void
check_shape (const char *id, int size, SeamDistribution distribution)
{
  Fixture *fixture = new_random (id, size, distribution);
  const SeamChain *chain = &fixture->problem->pipeline->chains[0];
  g_autofree char *shape = seam_problem_format_shape (fixture->problem);
  g_autofree float *before_norm = fixture_before_norm (fixture, 0);
  double bounds[SEAM_MAX_OPS];
  g_autofree double *reference = fixture_reference (fixture);
  gint64 n = fixture_n_outputs (fixture);
  g_autoptr (SeamPlan) unfused = seam_plan_new (fixture->problem->pipeline, 0, 0);
  float *expected[SEAM_MAX_OPS];
  double bound, worst = 0;

  fixture_error_bounds (fixture, chain, before_norm, bounds);
  bound = bounds[chain->n_ops - 1];
  run_all (fixture, unfused, expected);
  for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
    if (!extent_takes (fixture->problem->pipeline, chain->n_ops, seams))
      continue;
    g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, 0, seams);
    float *values[SEAM_MAX_OPS];
    run_all (fixture, plan, values);
    for (int i = 0; i < chain->n_ops; i++) {
      if (values[i] == NULL)
        continue;
      /* Both sides are rounded. A groupnorm of one value forgets every error before it, so that
       * the last bound says nothing of the ops before. */
      double distance = max_distance (values[i], expected[i], n);
      if (!(distance <= 2 * bounds[i]))
        g_error ("%s (%s), plan %s: “%s” is off by %g from the unfused plan, bound %g", id, shape,
                 plan->notation, chain->ops[i].name, distance, 2 * bounds[i]);
    }
    double distance = fixture_max_difference (values[chain->n_ops - 1], reference, n);
    if (!(distance <= bound))
      g_error ("%s (%s), plan %s: off by %g from the reference, bound %g", id, shape,
               plan->notation, distance, bound);
    worst = MAX (worst, distance);
    free_all (fixture, values);
  }
  g_test_message ("%s: off by at most %.3g, bound %.3g", shape, worst, bound);
  free_all (fixture, expected);
  fixture_free (fixture);
}

static void
test_random (gconstpointer id)
{
  static const int sizes[] = { 0, 1, 2, 2, 3 };
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    check_shape (id, sizes[i], i % 2 == 0 ? SEAM_DISTRIBUTION_UNIFORM : SEAM_DISTRIBUTION_NORMAL);
}

/* The same without the wide loops, so that convolutions go through oneDNN. */
static void
test_narrow (gconstpointer id)
{
  fixture_close_device ();
  g_setenv ("SEAMSCOPE_CPU_LOOPS", "baseline", TRUE);
  test_random (id);
  fixture_close_device ();
  g_unsetenv ("SEAMSCOPE_CPU_LOOPS");
}

/* Fusing must not change the arithmetic: a convolution sums in the same order whatever the
 * tiles, so that without groupnorm every partition gives the same bits. */
static void
test_same_bits (void)
{
  Fixture *fixture = new_random ("conv-relu-hardswish", 2, SEAM_DISTRIBUTION_UNIFORM);
  const SeamChain *chain = &fixture->problem->pipeline->chains[0];
  g_autoptr (SeamPlan) unfused = seam_plan_new (fixture->problem->pipeline, 0, 0);
  g_autofree float *expected = fixture_run (fixture, unfused);

  for (guint32 seams = 1; seams < (1u << (chain->n_ops - 1)); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, 0, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    g_assert_cmpmem (output, (gsize)fixture_n_outputs (fixture) * sizeof (float), expected,
                     (gsize)fixture_n_outputs (fixture) * sizeof (float));
  }
  fixture_free (fixture);
}

/* The number of threads decides which thread computes a tile, never the result: one thread finishes
 * bundles alone, seven share them, and the bits are the same. */
static void
test_threads (void)
{
  static const int counts[] = { 1, 2, 3, 7 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_find ("conv-bias-scale-sigmoid-groupnorm", &error);
  g_assert_no_error (error);
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "full", &error);
  g_assert_no_error (error);
  int n_threads = omp_get_max_threads ();
  float *first = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++) {
    fixture_close_device ();
    omp_set_num_threads (counts[i]);
    SeamProblem *problem = seam_problem_new_from_text (
        pipeline, NULL,
        "batch=3,in_channels=5,out_channels=12,height=61,width=83,kernel_size=3,groups=3", &error);
    g_assert_no_error (error);
    Fixture *fixture = new_fixture (problem);
    g_assert_cmpint (fixture->device->info->n_processors, ==, counts[i]);
    fixture_fill (fixture, 11, SEAM_DISTRIBUTION_NORMAL);
    for (int round = 0; round < 3; round++) {
      float *output = fixture_run (fixture, plan);
      if (first == NULL)
        first = g_steal_pointer (&output);
      else
        g_assert_cmpmem (first, (gsize)fixture_n_outputs (fixture) * sizeof (float), output,
                         (gsize)fixture_n_outputs (fixture) * sizeof (float));
      g_free (output);
    }
    fixture_free (fixture);
  }
  g_free (first);
  fixture_close_device ();
  omp_set_num_threads (n_threads);
}

/* As many threads as pay: none waits for another in a group of microseconds. */
static void
test_work (void)
{
  static const struct {
    const char *shape;
    int n_threads[4]; /* of 4, of conv, conv_bias, relu and bias */
  } cases[] = {
    { "batch=2,in_channels=3,out_channels=8,height=14,width=12,kernel_size=3", { 1, 1, 1, 1 } },
    /* 33 MFLOP; 2 x 0.46 MB */
    { "batch=2,in_channels=16,out_channels=64,height=32,width=32,kernel_size=3", { 4, 1, 1, 1 } },
    /* 23 MFLOP; 2 x 1.7 MB */
    { "batch=2,in_channels=3,out_channels=64,height=60,width=60,kernel_size=3", { 2, 3, 3, 3 } },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-bias", &error);
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "unfused", NULL);
  int n_threads = omp_get_max_threads ();

  fixture_close_device ();
  omp_set_num_threads (4);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    Fixture *fixture =
        fixture_new (seam_problem_new_from_text (pipeline, NULL, cases[i].shape, &error));

    g_assert_no_error (error);
    ((SeamCpuDevice *)fixture->device)->thread_bytes = SEAM_THREAD_BYTES;
    ((SeamCpuDevice *)fixture->device)->thread_flop = SEAM_THREAD_FLOP;
    for (int group = 0; group < 4; group++) {
      SeamGroupSpec spec = { fixture->problem, plan, group, SEAM_MATH_FP32 };
      SeamPrepared outline;

      seam_cpu_outline (fixture->device, &spec, &outline);
      g_test_message ("%s, group %d: %d", cases[i].shape, group, outline.n_threads);
      g_assert_cmpint (outline.n_threads, ==, cases[i].n_threads[group]);
    }
    fixture_free (fixture);
  }
  fixture_close_device ();
  omp_set_num_threads (n_threads);
}

/* The published fusion of #37 adds the bias before the swish. It has to run, and to be wrong. */
static void
test_exhibit (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("matmul-swish-bias-groupnorm", &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (
      pipeline, NULL, "batch=64,in_features=100,out_features=256,groups=4", &error);
  g_assert_no_error (error);
  Fixture *fixture = new_fixture (problem);
  fixture_fill (fixture, 7, SEAM_DISTRIBUTION_UNIFORM);
  g_autofree double *reference = fixture_reference (fixture);
  gint64 n = fixture_n_outputs (fixture);

  g_autoptr (SeamPlan) wrong = seam_plan_parse (pipeline, "as-published", &error);
  g_assert_no_error (error);
  g_assert_cmpint (wrong->chain, >, 0);
  g_autofree float *wrong_output = fixture_run (fixture, wrong);
  double distance = fixture_max_difference (wrong_output, reference, n);
  g_assert_true (isfinite (distance));
  g_assert_cmpfloat (distance, >, 0.1);

  /* All cuts of the exhibit are wrong in the same way. */
  const SeamChain *chain = &pipeline->chains[wrong->chain];
  g_autofree float *before_norm = fixture_before_norm (fixture, wrong->chain);
  double bound = fixture_error_bound (fixture, chain, before_norm);
  for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, wrong->chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    g_assert_cmpfloat (max_distance (output, wrong_output, n), <=, 2 * bound);
  }

  g_autoptr (SeamPlan) right = seam_plan_parse (pipeline, "published", &error);
  g_assert_no_error (error);
  g_autofree float *right_output = fixture_run (fixture, right);
  g_assert_cmpfloat (fixture_max_difference (right_output, reference, n), <, 1e-4);
  fixture_free (fixture);
}

/* A custom pipeline may read a value from before the groupnorm after it. The value then has to
 * outlive the statistics inside one group. */
static void
test_product_over_norm (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_parse (fixture_product_over_norm, "residual", &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_assert_no_error (error);
  Fixture *fixture = new_fixture (problem);
  fixture_fill (fixture, 3, SEAM_DISTRIBUTION_NORMAL);
  g_autofree double *reference = fixture_reference (fixture);
  g_autofree float *before_norm = fixture_before_norm (fixture, 0);
  double bound = fixture_error_bound (fixture, &pipeline->chains[0], before_norm);

  for (guint32 seams = 0; seams < 16; seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    g_assert_cmpfloat (fixture_max_difference (output, reference, fixture_n_outputs (fixture)), <=,
                       bound);
  }
  g_assert_cmpfloat (bound, <, 0.05); /* values are of order 1 to 10 */
  fixture_free (fixture);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = NULL;

  g_test_init (&argc, &argv, NULL);
  pipelines = seam_pipeline_list (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    g_autofree char *path = g_strdup_printf ("/partitions/random/%s", pipeline->id);
    g_test_add_data_func (path, pipeline->id, test_random);
  }
  g_test_add_data_func ("/partitions/blas/conv-relu-bias", "conv-relu-bias", test_narrow);
  g_test_add_data_func ("/partitions/blas/conv-bias-scale-sigmoid-groupnorm",
                        "conv-bias-scale-sigmoid-groupnorm", test_narrow);
  g_test_add_func ("/partitions/same-bits", test_same_bits);
  g_test_add_func ("/partitions/threads", test_threads);
  g_test_add_func ("/partitions/work", test_work);
  g_test_add_func ("/partitions/exhibit", test_exhibit);
  g_test_add_func ("/partitions/product-over-norm", test_product_over_norm);
  return g_test_run ();
}
