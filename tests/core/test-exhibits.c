/* SPDX-License-Identifier: MIT
 *
 * The mistakes of kernels/defects.h on the CPU backend: every partition of an exhibit is wrong
 * exactly where its mistake says, with the values that a plain computation of the mistake gives,
 * and right elsewhere. Also the arithmetic of the mistakes alone, and error messages for pipeline
 * files.
 */
#include "app/base/text.h"
#include "app/backend/matrix.h"
#include "app/pipeline/defect.h"
#include "tests/core/cpu-fixture.h"

static Fixture *
new_fixture (const char *id, const char *shape, SeamDistribution distribution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", shape, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (problem);
  fixture_fill (fixture, 9, distribution);
  return fixture;
}

static SeamSettings
make_settings (SeamDistribution distribution, SeamInitMode init_mode)
{
  return (SeamSettings){ .distribution = distribution, .init_mode = init_mode };
}

static int
find_chain (const Fixture *fixture, const char *name)
{
  const SeamPipeline *pipeline = fixture->problem->pipeline;
  for (int i = 1; i < pipeline->n_chains; i++)
    if (strcmp (pipeline->chains[i].name, name) == 0)
      return i;
  g_error ("%s has no exhibit %s", pipeline->id, name);
}

/* The output of the pipeline with every seam cut. */
static float *
run_right (Fixture *fixture)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, 0, 0);
  return fixture_run (fixture, plan);
}

/* --- Arithmetic --- */

static void
test_half (void)
{
  static const struct {
    float x, expected;
  } cases[] = {
    { 0, 0 },
    { 1, 1 },
    { 1 + 0x1p-11f, 1 },              /* half way, to even */
    { 1 + 0x1.8p-10f, 1 + 0x1p-9f },  /* half way, to even, upwards */
    { 1 + 0x1.2p-11f, 1 + 0x1p-10f }, /* over half way */
    { -0.1f, -0x1.998p-4f },          /* 0.0999755859375 */
    { 2049, 2048 },
    { 2051, 2052 },
    { 65504, 65504 },
    { 65519, 65504 },
    { 65520, INFINITY },
    { -1e9f, -INFINITY },
    { 0x1p-24f, 0x1p-24f }, /* the smallest subnormal */
    { 0x1p-25f, 0 },        /* half of the smallest subnormal, to even */
    { -0x1.8p-24f, -0x1p-23f },
    { 0x1.ff8p-15f, 0x1.ff8p-15f },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (seam_operand_round_fp16 (cases[i].x), ==, cases[i].expected);
  g_assert_true (isnan (seam_operand_round_fp16 (NAN)));
  g_assert_true (isinf (seam_operand_round_fp16 (INFINITY)));
  /* Adding 1 stops at 2048, where FP16 has no odd numbers. */
  float sum = 0;
  for (int i = 0; i < 5000; i++)
    sum = seam_defect_add_half (sum, 1, 1);
  g_assert_cmpfloat (sum, ==, 2048);
}

static void
test_lost_parts (void)
{
  int n_lost = 0, seen[8] = { 0 };

  for (int group = 0; group < 4096; group++) {
    int part = seam_defect_lost_part (group, 8);
    g_assert_cmpint (part, >=, -1);
    g_assert_cmpint (part, <, 8);
    if (part < 0)
      continue;
    n_lost++;
    seen[part]++;
  }
  /* Seven groups of eight lose a part, each part about as often. */
  g_assert_cmpint (ABS (n_lost - 3584), <, 120);
  for (int i = 0; i < 8; i++)
    g_assert_cmpint (ABS (seen[i] - 448), <, 100);
  /* The parts cover a group whatever its size, without gap or overlap. */
  for (gint64 size = 1; size < 40; size++) {
    g_assert_cmpint (seam_defect_part_start (size, 0, 8), ==, 0);
    g_assert_cmpint (seam_defect_part_start (size, 8, 8), ==, size);
    for (int part = 0; part < 8; part++)
      g_assert_cmpint (seam_defect_part_start (size, part, 8), <=,
                       seam_defect_part_start (size, part + 1, 8));
  }
}

/* --- Stores --- */

/* Every partition: the elements for which `writes` is false hold the poison, all others the right
 * values, bit by bit. Returns how many are unwritten. */
static gint64
check_stores (const char *id, const char *exhibit, const char *shape,
              gboolean (*writes) (gint64 index, gint64 row))
{
  Fixture *fixture = new_fixture (id, shape, SEAM_DISTRIBUTION_NORMAL);
  SeamPipeline *pipeline = fixture->problem->pipeline;
  int chain = find_chain (fixture, exhibit), n_ops = pipeline->chains[chain].n_ops;
  const SeamTensor *tensor = &fixture->problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)];
  gint64 row = tensor->shape.dims[tensor->shape.n_dims - 1], n_left = 0;
  g_autofree float *right = run_right (fixture);

  for (guint32 seams = 0; seams < 1u << (n_ops - 1); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    n_left = 0;
    for (gint64 i = 0; i < tensor->n_elements; i++) {
      if (writes (i, row)) {
        g_assert_cmpfloat (output[i], ==, right[i]);
      } else {
        n_left++;
        if (!isnan (output[i]))
          g_error ("%s (%s): element %d of a row of %d was written", plan->notation, shape,
                   (int)(i % row), (int)row);
      }
    }
  }
  /* The sentence about the shape tells how many elements are wrong. */
  g_autofree char *sentence = NULL;
  g_autofree char *count = seam_text_count (n_left);
  SeamSettings settings = make_settings (SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_SPREAD);
  gboolean shows = seam_exhibit_shows (fixture->problem, chain, &settings, &sentence);
  g_assert_cmpint (shows, ==, n_left > 0);
  g_assert_nonnull (sentence);
  if (strcmp (exhibit, "missing-tail") == 0 && shows)
    g_assert_nonnull (strstr (sentence, count));
  fixture_free (fixture);
  return n_left;
}

static gboolean
is_in_whole_vector (gint64 index, gint64 row)
{
  return index % row < row / 4 * 4;
}

static void
test_missing_tail (void)
{
  g_assert_cmpint (check_stores ("#57", "missing-tail", "width=9", is_in_whole_vector), ==,
                   2 * 8 * 8 * 3);
  g_assert_cmpint (check_stores ("#57", "missing-tail", "width=40,height=30", is_in_whole_vector),
                   ==, 2 * 8 * 28 * 2);
  /* 36 columns are whole vectors: nothing is wrong, and the sentence says so. */
  g_assert_cmpint (check_stores ("#57", "missing-tail", "width=38", is_in_whole_vector), ==, 0);
  /* Rows shorter than a vector, and an output of one pixel. */
  check_stores ("#57", "missing-tail", "width=5", is_in_whole_vector);
  check_stores ("#57", "missing-tail", "width=3,height=3", is_in_whole_vector);
}

static gboolean
is_below_overflow (gint64 index, gint64 row)
{
  return index < 32768;
}

static gboolean
is_always (gint64 index, gint64 row)
{
  return TRUE;
}

static void
test_index_overflow (void)
{
  /* 2 x 8 x 50 x 50 = 40,000 elements. */
  g_assert_cmpint (
      check_stores ("#1", "index-overflow-16-bit", "width=52,height=52", is_below_overflow), ==,
      40000 - 32768);
  g_assert_cmpint (check_stores ("#1", "index-overflow-16-bit", "width=52", is_below_overflow), ==,
                   0);
  g_assert_cmpint (check_stores ("#1", "index-overflow", "width=52", is_always), ==, 0);
}

/* A tensor over 2^31 elements. Only the sentence can be checked here. */
static void
test_large_overflow (void)
{
  Fixture *fixture = new_fixture ("#1", "batch=1", SEAM_DISTRIBUTION_UNIFORM);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) large =
      seam_problem_new_from_text (fixture->problem->pipeline, "kernelbench", "batch=1200", &error);
  g_autofree char *sentence = NULL;

  g_assert_no_error (error);
  SeamSettings settings = make_settings (SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_SPREAD);
  g_assert_true (
      seam_exhibit_shows (large, find_chain (fixture, "index-overflow"), &settings, &sentence));
  g_assert_nonnull (strstr (sentence, "2,147,483,648"));
  g_assert_false (seam_defect_writes (SEAM_DEFECT_INDEX_OVERFLOW, 31, G_MAXINT32 + 1ll, 126));
  g_assert_true (seam_defect_writes (SEAM_DEFECT_INDEX_OVERFLOW, 31, G_MAXINT32, 126));
  fixture_free (fixture);
}

/* --- Statistics --- */

/* GroupNorm of `values` in double precision, one part of a group's values counted as 0. */
static double *
normalize_with_lost_parts (const Fixture *fixture, int chain, const float *values)
{
  const SeamChain *ops = &fixture->problem->pipeline->chains[chain];
  gint64 n, k, plane;
  const SeamShapeView view = seam_problem_get_output_view (fixture->problem);
  n = view.outer;
  k = view.channels;
  plane = view.inner;
  gint64 groups = seam_problem_get_n_groups (fixture->problem), size = k / groups * plane;
  const SeamOp *norm = &ops->ops[ops->n_ops - 1];
  const float *weight = fixture->host[SEAM_TENSOR_PARAM (ops->n_ops, norm->params[0])];
  const float *bias = fixture->host[SEAM_TENSOR_PARAM (ops->n_ops, norm->params[1])];
  double *output = g_new (double, n *k *plane);

  for (gint64 group = 0; group < n * groups; group++) {
    int part = seam_defect_lost_part (group, 8);
    double sum = 0, squares = 0;
    for (gint64 i = 0; i < size; i++) {
      gboolean is_lost = part >= 0 && i >= size * part / 8 && i < size * (part + 1) / 8;
      double x = is_lost ? 0 : values[group * size + i];
      sum += x;
      squares += x * x;
    }
    double mean = sum / (double)size, variance = squares / (double)size - mean * mean;
    for (gint64 i = 0; i < size; i++) {
      gint64 channel = group % groups * (k / groups) + i / plane;
      output[group * size + i] = (values[group * size + i] - mean)
                                     / sqrt (variance + SEAM_GROUPNORM_EPSILON) * weight[channel]
                                 + bias[channel];
    }
  }
  return output;
}

static void
check_race (const char *id, const char *shape)
{
  Fixture *fixture = new_fixture (id, shape, SEAM_DISTRIBUTION_UNIFORM);
  SeamPipeline *pipeline = fixture->problem->pipeline;
  int chain = find_chain (fixture, "race-in-reduction"), n_ops = pipeline->chains[chain].n_ops;
  gint64 n = fixture_n_outputs (fixture);
  g_autofree float *before = fixture_before_norm (fixture, chain);
  g_autofree double *expected = normalize_with_lost_parts (fixture, chain, before);
  g_autofree float *right = run_right (fixture);

  for (guint32 seams = 0; seams < 1u << (n_ops - 1); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    double distance = fixture_max_difference (output, expected, n);
    if (!(distance < 5e-4))
      g_error ("%s (%s): off by %g from the lost update's values", plan->notation, shape, distance);
  }
  g_assert_cmpfloat (fixture_max_difference (right, expected, n), >, 0.05);
  fixture_free (fixture);
}

static void
test_race (void)
{
  check_race ("#37", "batch=40,out_features=256,groups=4");
  check_race ("#37", "batch=9,out_features=96,groups=8");
  check_race ("#21", "batch=3,height=37,width=70");
  check_race ("#21", "batch=2,height=12,width=60,out_channels=12,groups=6");
}

static double
measure_one_pass (SeamDistribution distribution, gboolean honest)
{
  Fixture *fixture =
      new_fixture ("#37", "batch=64,in_features=64,out_features=512,groups=8", distribution);
  SeamPipeline *pipeline = fixture->problem->pipeline;
  int chain = honest ? 0 : find_chain (fixture, "one-pass-variance");
  g_autofree double *reference = fixture_reference (fixture);
  double worst = 0;

  for (guint32 seams = 0; seams < 1u << 5; seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    worst = MAX (worst, fixture_max_difference (output, reference, fixture_n_outputs (fixture)));
  }
  SeamSettings settings = make_settings (distribution, SEAM_INIT_MODE_SPREAD);
  g_assert_cmpint (seam_exhibit_shows (fixture->problem, find_chain (fixture, "one-pass-variance"),
                                       &settings, NULL),
                   ==, distribution == SEAM_DISTRIBUTION_OFFSET);
  fixture_free (fixture);
  return worst;
}

/* 1e-4: more than FP32 rounds in a GroupNorm after short sums. */
static void
test_one_pass (void)
{
  g_assert_cmpfloat (measure_one_pass (SEAM_DISTRIBUTION_UNIFORM, FALSE), <, 1e-4);
  g_assert_cmpfloat (measure_one_pass (SEAM_DISTRIBUTION_OFFSET, TRUE), <, 1e-4);
  g_assert_cmpfloat (measure_one_pass (SEAM_DISTRIBUTION_OFFSET, FALSE), >, 1e-3);
}

/* --- Parameters --- */

/* The chain without the GroupNorm's weight and bias: with ones and zeros for them it is the right
 * output bit by bit, and otherwise (y - bias) / weight of it. */
static void
check_without_affine (const char *id, const char *shape)
{
  Fixture *fixture = new_fixture (id, shape, SEAM_DISTRIBUTION_UNIFORM);
  SeamPipeline *pipeline = fixture->problem->pipeline;
  int chain = find_chain (fixture, "without-affine"), n_ops = pipeline->chains[chain].n_ops;
  const SeamOp *norm = &pipeline->chains[chain].ops[n_ops - 1];
  float *weight = fixture->host[SEAM_TENSOR_PARAM (n_ops, norm->params[0])];
  float *bias = fixture->host[SEAM_TENSOR_PARAM (n_ops, norm->params[1])];
  gint64 n = fixture_n_outputs (fixture);
  const gint64 k = seam_problem_get_output_view (fixture->problem).channels;
  g_autofree double *expected = g_new (double, n);
  SeamSettings settings = make_settings (SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_SPREAD);

  for (gint64 i = 0; i < k; i++) {
    weight[i] = 1;
    bias[i] = 0;
  }
  g_autofree float *identity = run_right (fixture);
  for (gint64 i = 0; i < n; i++)
    expected[i] = identity[i];
  for (gint64 i = 0; i < k; i++) {
    weight[i] = 0.5f + (float)i / (float)k;
    bias[i] = 0.25f;
  }
  g_autofree float *right = run_right (fixture);
  for (guint32 seams = 0; seams < 1u << (n_ops - 1); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    double distance = fixture_max_difference (output, expected, n);
    if (!(distance < 1e-4))
      g_error ("%s (%s): off by %g from a GroupNorm without weight and bias", plan->notation, shape,
               distance);
  }
  g_assert_cmpfloat (fixture_max_difference (right, expected, n), >, 0.2);
  g_assert_true (seam_exhibit_shows (fixture->problem, chain, &settings, NULL));
  g_assert_true (seam_exhibit_shows (fixture->problem, chain, NULL, NULL));
  settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  g_assert_false (seam_exhibit_shows (fixture->problem, chain, &settings, NULL));
  fixture_free (fixture);
}

static void
test_without_affine (void)
{
  check_without_affine ("#37", "batch=9,out_features=96,groups=8");
  check_without_affine ("#21", "batch=3,height=37,width=70");
}

/* --- Sums --- */

/* One output of the matrix op with a half sum in the order c, r, s. */
static float
sum_in_half (const Fixture *fixture, const float *input, const float *weight, gint64 index)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (fixture->problem, 0), *d = &sizes;
  gint64 x = index % d->q, y = index / d->q % d->p, k = index / (d->p * d->q) % d->k;
  gint64 n = index / (d->p * d->q * d->k);
  gboolean is_conv = fixture->problem->pipeline->chains[0].ops[0].type == SEAM_OP_CONV2D;
  float sum = 0;

  for (gint64 c = 0; c < d->c; c++)
    for (gint64 r = 0; r < d->r; r++)
      for (gint64 s = 0; s < d->r; s++) {
        gint64 at = is_conv ? ((n * d->c + c) * d->h + y + r) * d->w + x + s : n * d->c + c;
        sum = seam_defect_add_half (sum, weight[((k * d->c + c) * d->r + r) * d->r + s], input[at]);
      }
  return sum;
}

static void
check_half_sums (const char *id, const char *shape)
{
  Fixture *fixture = new_fixture (id, shape, SEAM_DISTRIBUTION_UNIFORM);
  SeamPipeline *pipeline = fixture->problem->pipeline;
  int chain = find_chain (fixture, "half-sums"), n_ops = pipeline->chains[chain].n_ops;
  gint64 n = fixture_n_outputs (fixture);
  g_autoptr (SeamPlan) cut = seam_plan_new (pipeline, chain, 0);
  g_autoptr (GError) error = NULL;
  g_autofree float *sums = g_new (float, n);
  const float *weight =
      fixture->host[SEAM_TENSOR_PARAM (n_ops, pipeline->chains[0].ops[0].params[0])];
  g_autofree float *wrong = fixture_run (fixture, cut), *right = run_right (fixture);
  Execution execution;
  double largest = 0;

  execution_init (&execution, fixture, cut, NULL);
  g_assert_true (
      fixture->device->backend->run (fixture->device, execution.groups, 1, NULL, &error));
  g_assert_true (fixture->device->backend->download (fixture->device, sums,
                                                     execution.buffers[SEAM_TENSOR_OUTPUT (0)], 0,
                                                     n * (gint64)sizeof (float), &error));
  execution_clear (&execution, fixture);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (sums[i], ==,
                       sum_in_half (fixture, fixture->host[SEAM_TENSOR_INPUT], weight, i));
  for (guint32 seams = 1; seams < 1u << (n_ops - 1); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
    g_autofree float *output = fixture_run (fixture, plan);
    g_assert_cmpmem (output, (gsize)n * sizeof (float), wrong, (gsize)n * sizeof (float));
  }
  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, fabs ((double)wrong[i] - (double)right[i]));
  g_assert_cmpfloat (largest, >, 1e-4);
  fixture_free (fixture);
}

static void
test_half_sums (void)
{
  check_half_sums ("#76", "batch=33,in_features=300,out_features=150");
  check_half_sums ("#76", "batch=5,in_features=128,out_features=7");
  check_half_sums ("#57", "height=20,width=31");
  check_half_sums ("#57", "kernel_size=1");
  check_half_sums ("#57", "height=3,width=3");
}

/* --- Files --- */

static void
assert_refused (const char *from, const char *to, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) good = seam_pipeline_find ("#37", &error);
  g_auto (GStrv) parts = g_strsplit (good->text, from, 2);
  g_autofree char *text = g_strconcat (parts[0], to, parts[1], NULL);
  g_autoptr (SeamPipeline) bad = seam_pipeline_parse (text, "bad", &error);

  g_assert_null (bad);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, expected) == NULL)
    g_error ("“%s” does not say “%s”", error->message, expected);
}

static void
test_files (void)
{
  assert_refused ("defect.groupnorm=lost-update:8", "defect.groupnorm=lost", "one-pass-variance");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.groupnorm=lost-update:1", "2");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.groupnorm=lost-update:", "number");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.mul=lost-update", "of a groupnorm");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.matmul=missing-tail",
                  "a map or a groupnorm");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.mul=half-sums", "conv2d or matmul");
  assert_refused ("defect.groupnorm=one-pass-variance", "defect.groupnorm=one-pass-variance:3",
                  "no number");
  assert_refused ("defect.groupnorm=lost-update:8", "defect.nothing=lost-update", "defect.nothing");
  /* Only exhibits may have a mistake. */
  assert_refused ("operand=matmul_bias", "operand=matmul_bias\ndefect=missing-tail", "defect");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exhibits/half", test_half);
  g_test_add_func ("/exhibits/lost-parts", test_lost_parts);
  g_test_add_func ("/exhibits/without-affine", test_without_affine);
  g_test_add_func ("/exhibits/missing-tail", test_missing_tail);
  g_test_add_func ("/exhibits/index-overflow", test_index_overflow);
  g_test_add_func ("/exhibits/large-overflow", test_large_overflow);
  g_test_add_func ("/exhibits/race", test_race);
  g_test_add_func ("/exhibits/one-pass", test_one_pass);
  g_test_add_func ("/exhibits/half-sums", test_half_sums);
  g_test_add_func ("/exhibits/files", test_files);
  return g_test_run ();
}
