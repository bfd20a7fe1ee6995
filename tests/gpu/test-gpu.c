/* SPDX-License-Identifier: MIT
 *
 * The CUDA backend against the FP64 reference, PyTorch's golden outputs and the CPU backend: every
 * partition of every pipeline, every math mode, odd shapes. Without a GPU every case is skipped
 * with the reason. `--quick` runs fewer shapes and partitions, for compute-sanitizer.
 */
#include "app/measure/calibrate.h"
#include "app/backend/matrix.h"
#include "tests/gpu/gpu-fixture.h"

#define N_GOLDEN 4

/* The FP32 bound of cpu-fixture.h; in TF32 both factors of every product are rounded to 11 bits, so
 * a sum of L products errs by 2^-10 of its magnitudes besides the L 2^-24 of the summation. All
 * later ops scale the error of the first at most as they scale the bound. The matrix op of a
 * library may also sum transformed values (Winograd), which costs FP32 a factor of ten; so may
 * tensor cores, which truncate. In FP16 and BF16 the reference is that of rounded operands. */
static double
find_bound (const Fixture *f, const SeamChain *chain, const float *before_norm,
            SeamMathMode math_mode)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  double length = (double)(d->c * d->r * d->r);
  double bound = fixture_error_bound (f, chain, before_norm);

  if (seam_math_mode_get_base (math_mode) == SEAM_MATH_TF32)
    return bound * (1 + ldexp (1, 14) / length);
  return d->r > 1 || math_mode != SEAM_MATH_FP32 ? bound * 10 : bound;
}

/* Runs partitions of chain `chain` and compares each with `expected`: libraries and generated
 * kernels; test-gpu-hand checks the hand-written ones. `generated`: single ops too go through the
 * generator. */
/* Like fixture_max_difference(), but elements that must stay unwritten have to hold the poison. */
static double
max_difference (const float *a, const double *b, gint64 n)
{
  double largest = 0;

  for (gint64 i = 0; i < n; i++) {
    if (isnan (b[i]) && isnan (a[i]))
      continue;
    largest = MAX (largest, fixture_max_difference (a + i, b + i, 1));
  }
  return largest;
}

static void
check_partitions (Fixture *f, int chain, const double *expected, SeamMathMode math_mode,
                  gboolean generated, guint32 step, const char *what)
{
  const SeamChain *ops = &f->problem->pipeline->chains[chain];
  g_autofree float *before_norm = fixture_before_norm (f, chain);
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  const double sum_length = (double)(d->c * d->r * d->r);
  double bound = find_bound (f, ops, before_norm, math_mode), largest = 0, allowed;
  guint32 n = 1u << (ops->n_ops - 1);
  int n_rounded = 0;

  for (guint32 seams = 0; seams < n; seams += seams == 0 || seams + step < n ? step : 1) {
    g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, chain, seams);
    g_autofree float *output = NULL;
    double distance;

    for (int i = 0; i < plan->n_groups; i++) {
      SeamOpType type = ops->ops[plan->groups[i].first].type;
      if (type == SEAM_OP_CONV2D || type == SEAM_OP_MATMUL)
        plan->groups[i].implementation = SEAM_IMPLEMENTATION_LIBRARY;
      else if (generated)
        plan->groups[i].implementation = SEAM_IMPLEMENTATION_GENERATED;
    }
    output = run_on_gpu (f, plan, math_mode);
    distance = max_difference (output, expected, fixture_n_outputs (f));
    /* Like one rounding of a factor, to which the bound adds L times 2^-24 of the sum's
     * magnitude. */
    allowed = output_was_rounded
                  ? bound * ldexp (1, math_mode == SEAM_MATH_BF16 ? 16 : 13) / sum_length
                  : bound;
    if (!(distance <= MAX (allowed, bound)))
      fail_output (what, plan, math_mode, output, expected, fixture_n_outputs (f), distance,
                   MAX (allowed, bound));
    largest = MAX (largest, distance);
    n_rounded += output_was_rounded;
  }
  if (n_rounded > 0)
    g_test_message ("%s: %d outputs of a convolution were rounded to %s.", what, n_rounded,
                    seam_math_mode_get_name (math_mode));
  g_test_message ("%s, %s: off by at most %.3g, bound %.3g", what,
                  seam_math_mode_get_name (math_mode), largest, bound);
}

typedef struct {
  const char *pipeline;
  SeamMathMode math_mode;
} Case;

/* A mode that rounds both operands has another reference. */
static void
use_operands (Fixture *f, SeamMathMode math_mode, double **expected)
{
  if (seam_math_mode_get_operand (math_mode) == SEAM_OPERAND_FP32)
    return;
  g_free (*expected);
  *expected = fixture_reference_of_operands (f, math_mode);
}

static void
test_golden (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (int number = 0; number < (quick ? 2 : N_GOLDEN); number++) {
    g_autofree double *expected = NULL;
    g_autofree char *what = g_strdup_printf ("%s case %d", c->pipeline, number);
    Fixture *f = fixture_new_golden (c->pipeline, number, &expected);

    g_assert_nonnull (f);
    use_operands (f, c->math_mode, &expected);
    check_partitions (f, 0, expected, c->math_mode, FALSE, quick ? 7 : 1, what);
    fixture_free (f);
  }
}

/* Shapes that reach every path of the kernels: planes and rows not divisible by 4, one sample, one
 * channel, and groups of one channel, of one value, of a warp, of a block, and of several tiles. */
static const struct {
  const char *pipeline, *shape;
  gboolean slow;
} shapes[] = {
  { "conv-relu-bias", "batch=1,in_channels=3,out_channels=7,height=9,width=11,kernel_size=2",
    FALSE },
  { "conv-relu-bias", "batch=3,in_channels=16,out_channels=32,height=34,width=34,kernel_size=3",
    FALSE },
  { "conv-relu-bias", "batch=2,in_channels=4,out_channels=5,height=97,width=131,kernel_size=7",
    TRUE },
  { "conv-relu-bias", "batch=2,in_channels=1,out_channels=1,height=3,width=3,kernel_size=3",
    FALSE },
  { "gemm-bias-relu", "batch=1,in_features=1,out_features=1", FALSE },
  { "gemm-bias-relu", "batch=5,in_features=7,out_features=13", FALSE },
  { "gemm-bias-relu", "batch=33,in_features=64,out_features=1028", FALSE },
  { "gemm-bias-relu", "batch=130,in_features=129,out_features=2051", TRUE },
  { "matmul-swish-bias-groupnorm", "batch=9,in_features=31,out_features=64,groups=64", FALSE },
  { "matmul-swish-bias-groupnorm", "batch=9,in_features=31,out_features=256,groups=4", FALSE },
  { "matmul-swish-bias-groupnorm", "batch=7,in_features=17,out_features=105,groups=3", FALSE },
  { "matmul-swish-bias-groupnorm", "batch=3,in_features=5,out_features=1200,groups=3", FALSE },
  { "matmul-swish-bias-groupnorm", "batch=2,in_features=5,out_features=16384,groups=2", TRUE },
  { "matmul-swish-bias-groupnorm", "batch=2,in_features=5,out_features=20002,groups=2", FALSE },
  { "matmul-swish-bias-groupnorm", "batch=3,in_features=5,out_features=50000,groups=2", TRUE },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=2,in_channels=8,out_channels=8,height=70,width=70,kernel_size=3,groups=2", FALSE },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=1,in_channels=3,out_channels=6,height=105,width=67,kernel_size=3,groups=2", TRUE },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=3,in_channels=2,out_channels=10,height=12,width=12,kernel_size=5,groups=10", FALSE },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=2,in_channels=2,out_channels=12,height=8,width=8,kernel_size=7,groups=3", FALSE },
  { "conv-relu-hardswish", "batch=2,in_channels=8,out_channels=16,height=33,width=21,kernel_size=3",
    FALSE },
  { "conv-relu-hardswish", "batch=1,in_channels=5,out_channels=3,height=66,width=130,kernel_size=3",
    TRUE },
};

static void
test_shapes (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autoptr (SeamPipeline) pipeline = NULL;
    g_autoptr (GError) error = NULL;
    g_autofree double *expected = NULL;
    SeamProblem *problem;
    Fixture *f;

    if (!g_str_equal (shapes[i].pipeline, c->pipeline) || (quick && shapes[i].slow))
      continue;
    pipeline = seam_pipeline_find (c->pipeline, &error);
    g_assert_no_error (error);
    problem = seam_problem_new_from_text (pipeline, NULL, shapes[i].shape, &error);
    g_assert_no_error (error);
    f = fixture_new (problem);
    /* New random numbers every time; GLib prints the seed. */
    fixture_fill (f, (guint64)g_test_rand_int (), SEAM_DISTRIBUTION_UNIFORM);
    expected = fixture_reference (f);
    use_operands (f, c->math_mode, &expected);
    check_partitions (f, 0, expected, c->math_mode, i % 2 == 0, quick ? 13 : 3, shapes[i].shape);
    fixture_free (f);
  }
}

/* No engine of cuDNN stores FP32 for 16-bit operands, which the stand-ins can imitate. The note
 * says so, the output is rounded once more, and the numbers are right but for that. */
static void
test_rounded_output (void)
{
  static const SeamMathMode modes[] = { SEAM_MATH_FP16, SEAM_MATH_BF16 };

  if (skip_without_gpu ())
    return;
  if (g_getenv ("SEAMSCOPE_EMULATE_FOLDER") == NULL) {
    g_test_skip ("Only the stand-ins for the libraries can be asked to have no such engine.");
    return;
  }
  g_setenv ("SEAMSCOPE_EMULATE_NO_FP32_OUTPUT", "1", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
    SeamProblem *problem = seam_problem_new_from_text (
        pipeline, NULL, "batch=2,in_channels=8,out_channels=16,height=12,width=23,kernel_size=3",
        &error);
    g_autofree double *expected = NULL;
    Fixture *f;

    g_assert_no_error (error);
    f = fixture_new (problem);
    fixture_fill (f, 9, SEAM_DISTRIBUTION_UNIFORM);
    expected = fixture_reference_of_operands (f, modes[i]);
    check_partitions (f, 0, expected, modes[i], FALSE, 7, "rounded output");
    g_assert_true (output_was_rounded);
    fixture_free (f);
  }
  g_unsetenv ("SEAMSCOPE_EMULATE_NO_FP32_OUTPUT");
}

/* Shapes in which exhibits have an effect: rows that are not whole vectors, over 32,768
 * elements, groups that are normalised in one pass and in two. */
static const struct {
  const char *pipeline, *shape;
} exhibit_shapes[] = {
  { "conv-relu-bias", NULL },
  { "conv-relu-bias", "batch=4,height=50,width=42" },
  { "gemm-bias-relu", "batch=19,in_features=70,out_features=37" },
  { "matmul-swish-bias-groupnorm", NULL },
  { "matmul-swish-bias-groupnorm", "batch=9,out_features=105,groups=3" },
  { "matmul-swish-bias-groupnorm", "batch=4,out_features=20002,groups=2" },
  { "conv-bias-scale-sigmoid-groupnorm", NULL },
  { "conv-bias-scale-sigmoid-groupnorm", "batch=2,height=70,width=70,groups=2" },
  { "conv-relu-hardswish", NULL },
  { "conv-relu-hardswish", "in_channels=9,height=12,width=25" },
};

/* Every exhibit against the same order of ops on the CPU: wrong in the same way. */
static void
test_exhibits (void)
{
  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (exhibit_shapes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (exhibit_shapes[i].pipeline, &error);

    g_assert_no_error (error);
    for (int chain = 1; chain < pipeline->n_chains; chain++) {
      SeamProblem *problem =
          seam_problem_new_from_text (pipeline, "tiny", exhibit_shapes[i].shape, &error);
      g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, 0);
      g_autofree float *on_cpu = NULL;
      g_autofree double *expected = NULL;
      Fixture *f;

      g_assert_no_error (error);
      f = fixture_new (problem);
      fixture_fill (f, 3, SEAM_DISTRIBUTION_NORMAL);
      on_cpu = fixture_run (f, plan);
      expected = g_new (double, fixture_n_outputs (f));
      for (gint64 j = 0; j < fixture_n_outputs (f); j++)
        expected[j] = on_cpu[j];
      check_partitions (f, chain, expected, SEAM_MATH_FP32, FALSE, quick ? 7 : 1,
                        pipeline->chains[chain].name);
      fixture_free (f);
    }
  }
}

/* A one-pass variance loses digits in a way that differs on each target. The loss is there,
 * while the right plan stays right. */
static void
test_one_pass_variance (void)
{
  static const char *const group_shapes[] = { "batch=16,out_features=256,groups=4",
                                              "batch=2,out_features=20002,groups=2" };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (group_shapes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#37", &error);
    SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", group_shapes[i], &error);
    g_autoptr (SeamPlan) wrong = seam_plan_parse (pipeline, "one-pass-variance", &error);
    g_autoptr (SeamPlan) right = seam_plan_parse (pipeline, "published", &error);
    g_autofree float *wrong_output = NULL, *right_output = NULL;
    g_autofree double *reference = NULL;
    Fixture *f;

    g_assert_no_error (error);
    f = fixture_new (problem);
    fixture_fill (f, 3, SEAM_DISTRIBUTION_OFFSET);
    reference = fixture_reference (f);
    wrong_output = run_on_gpu (f, wrong, SEAM_MATH_FP32);
    right_output = run_on_gpu (f, right, SEAM_MATH_FP32);
    g_assert_cmpfloat (fixture_max_difference (right_output, reference, fixture_n_outputs (f)), <,
                       1e-4);
    g_assert_cmpfloat (fixture_max_difference (wrong_output, reference, fixture_n_outputs (f)), >,
                       1e-3);
    fixture_free (f);
  }
}

/* The same bits from two executions, and from two preparations. */
static void
test_repeatable (void)
{
  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (all_pipelines[i], &error);
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "full", &error);
    Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", NULL, &error));
    g_autofree float *first = NULL, *second = NULL;

    g_assert_no_error (error);
    fixture_fill (f, 11, SEAM_DISTRIBUTION_UNIFORM);
    first = run_on_gpu (f, plan, SEAM_MATH_FP32);
    second = run_on_gpu (f, plan, SEAM_MATH_FP32);
    g_assert_cmpmem (first, fixture_n_outputs (f) * sizeof (float), second,
                     fixture_n_outputs (f) * sizeof (float));
    fixture_free (f);
  }
}

static void
test_memory (void)
{
  g_autoptr (GError) error = NULL;
  float data[1000], back[1000];
  SeamBuffer *buffer;

  if (skip_without_gpu ())
    return;
  for (int i = 0; i < 1000; i++)
    data[i] = (float)i - 0.5f;
  buffer = gpu->backend->allocate (gpu, sizeof data, &error);
  g_assert_no_error (error);
  g_assert_true (gpu->backend->poison (gpu, buffer, NULL, &error));
  g_assert_true (gpu->backend->upload (gpu, buffer, 400, data, 1200, &error));
  g_assert_true (gpu->backend->download (gpu, back, buffer, 0, sizeof back, &error));
  for (int i = 0; i < 1000; i++) {
    if (i >= 100 && i < 400)
      g_assert_cmpfloat (back[i], ==, data[i - 100]);
    else
      g_assert_true (isnan (back[i]));
  }
  g_assert_false (gpu->backend->upload (gpu, buffer, 3999, data, 4, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  g_clear_error (&error);
  gpu->backend->release (gpu, buffer);
  gpu->backend->release (gpu, NULL);

  g_assert_null (gpu->backend->allocate (gpu, G_GINT64_CONSTANT (1) << 50, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY);
  g_clear_error (&error);
  /* The device still works after the refusal. */
  buffer = gpu->backend->allocate (gpu, 64, &error);
  g_assert_no_error (error);
  gpu->backend->release (gpu, buffer);
}

/* The values in the form of a tensor of type `stored`, newly allocated. */
static void *
pack (const float *values, gint64 n, SeamOperandType stored)
{
  unsigned short *packed = g_new (unsigned short, n);

  if (stored == SEAM_OPERAND_FP32) {
    g_free (packed);
    return g_memdup2 (values, (gsize)n * sizeof (float));
  }
  for (gint64 i = 0; i < n; i++)
    packed[i] = seam_operand_pack (stored, values[i]);
  return packed;
}

/* One comparison on both backends. `spoil`: some values are NaN and infinity. */
static void
compare_both (SeamDevice *cpu, gint64 rows, gint64 columns, gint64 plane, gint64 max_side,
              gboolean b_is_double, gboolean spoil, SeamOperandType stored)
{
  const double atol = g_test_rand_bit () ? NAN : 1e-4; /* NaN: the bounds judge */
  SeamDifferenceSpec spec = { rows, columns, plane, 1, 1, atol, 1e-3, .stored = stored };
  gint64 n = rows * columns * plane, a_bytes = n * seam_storage_get_element_bytes (stored);
  gsize b_bytes = (gsize)n * (b_is_double ? sizeof (double) : sizeof (float));
  g_autofree void *stored_a = NULL, *stored_b = NULL;
  g_autofree float *a = g_new (float, n), *bounds = g_new (float, n);
  g_autofree char *b = g_malloc (b_bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDifference) on_gpu = NULL, on_cpu = NULL;

  for (gint64 i = 0; i < n; i++) {
    a[i] = (float)g_test_rand_double_range (-2, 2);
    bounds[i] = (float)g_test_rand_double_range (1e-3, 1);
    double value = a[i] + (g_test_rand_bit () ? 0 : g_test_rand_double_range (-.02, .02));
    if (spoil && g_test_rand_int_range (0, 50) == 0)
      a[i] = g_test_rand_bit () ? NAN : g_test_rand_bit () ? INFINITY : -INFINITY;
    if (spoil && g_test_rand_int_range (0, 50) == 0)
      value = g_test_rand_bit () ? NAN : INFINITY;
    if (b_is_double)
      ((double *)b)[i] = value;
    else
      ((float *)b)[i] = (float)value;
  }
  stored_a = pack (a, n, stored);
  stored_b = b_is_double ? g_memdup2 (b, b_bytes) : pack ((float *)b, n, stored);
  if (!b_is_double)
    b_bytes = (gsize)a_bytes;
  seam_difference_choose_cells (&spec, max_side);
  spec.plane_width = plane > 1 ? (gint64)sqrt ((double)plane) : 0;
  on_gpu = seam_difference_new (&spec);
  on_cpu = seam_difference_new (&spec);
  const void *const data[] = { stored_a, stored_b, bounds };
  const gint64 bytes[] = { a_bytes, (gint64)b_bytes, n * (gint64)sizeof *bounds };
  for (int side = 0; side < 2; side++) {
    SeamDevice *device = side == 0 ? gpu : cpu;
    SeamBuffer *buffers[3];
    for (int k = 0; k < 3; k++) {
      buffers[k] = device->backend->allocate (device, bytes[k], &error);
      g_assert_true (device->backend->upload (device, buffers[k], 0, data[k], bytes[k], &error));
    }
    g_assert_true (device->backend->compare (device, buffers[0], buffers[1], b_is_double,
                                             buffers[2], side == 0 ? on_gpu : on_cpu, &error));
    for (int k = 0; k < 3; k++)
      device->backend->release (device, buffers[k]);
  }
  g_assert_cmpint (on_gpu->n_elements, ==, n);
  g_assert_cmpint (on_gpu->n_failing, ==, on_cpu->n_failing);
  g_assert_cmpint (on_gpu->n_nan_a, ==, on_cpu->n_nan_a);
  g_assert_cmpint (on_gpu->n_nan_b, ==, on_cpu->n_nan_b);
  g_assert_cmpint (on_gpu->n_infinite_a, ==, on_cpu->n_infinite_a);
  g_assert_cmpint (on_gpu->n_infinite_b, ==, on_cpu->n_infinite_b);
  g_assert_cmpfloat (on_gpu->max_abs, ==, on_cpu->max_abs);
  g_assert_cmpfloat (on_gpu->max_abs_b, ==, on_cpu->max_abs_b);
  g_assert_cmpfloat (on_gpu->max_error_ratio, ==, on_cpu->max_error_ratio);
  g_assert_cmpfloat (on_gpu->max_rel, ==, on_cpu->max_rel);
  g_assert_cmpfloat (on_gpu->max_bound_ratio, ==, on_cpu->max_bound_ratio);
  g_assert_cmpint (on_gpu->bound_index, ==, on_cpu->bound_index);
  /* Both sum doubles, but in another order. */
  g_assert_cmpfloat (fabs (on_gpu->mean_abs - on_cpu->mean_abs), <=, 1e-12 * on_cpu->mean_abs);
  g_assert_cmpint (on_gpu->worst_index, ==, on_cpu->worst_index);
  g_assert_cmpmem (&on_gpu->worst_a, sizeof (double), &on_cpu->worst_a, sizeof (double));
  g_assert_cmpmem (&on_gpu->worst_b, sizeof (double), &on_cpu->worst_b, sizeof (double));
  g_assert_cmpmem (on_gpu->histogram, SEAM_HISTOGRAM_BINS * 8, on_cpu->histogram,
                   SEAM_HISTOGRAM_BINS * 8);
  g_assert_cmpmem (on_gpu->histogram_shares, SEAM_HISTOGRAM_ERRORS * 8, on_cpu->histogram_shares,
                   SEAM_HISTOGRAM_ERRORS * 8);
  g_assert_cmpint (on_gpu->n_worst, ==, on_cpu->n_worst);
  g_assert_cmpmem (on_gpu->worst, (gsize)on_gpu->n_worst * sizeof *on_gpu->worst, on_cpu->worst,
                   (gsize)on_cpu->n_worst * sizeof *on_cpu->worst);
  for (gint64 i = 0; i < on_cpu->n_cell_rows * on_cpu->n_cell_columns; i++) {
    g_assert_true (on_gpu->cells[i] == on_cpu->cells[i]
                   || (isnan (on_gpu->cells[i]) && isnan (on_cpu->cells[i])));
    g_assert_cmpuint (on_gpu->failing[i], ==, on_cpu->failing[i]);
    g_assert_cmpuint (on_gpu->ulps[i], ==, on_cpu->ulps[i]);
    g_assert_cmpfloat (on_gpu->shares[i], ==, on_cpu->shares[i]);
  }
  g_assert_cmpint (on_gpu->max_ulps, ==, on_cpu->max_ulps);
  g_assert_cmpfloat (on_gpu->mean_ulps, ==, on_cpu->mean_ulps);
  g_assert_cmpmem (on_gpu->histogram_ulps, SEAM_HISTOGRAM_ULPS * 8, on_cpu->histogram_ulps,
                   SEAM_HISTOGRAM_ULPS * 8);
  g_assert_cmpmem (on_gpu->hits, seam_difference_count_hits (&spec), on_cpu->hits,
                   seam_difference_count_hits (&spec));
}

static void
test_compare (void)
{
  static const gint64 sizes[][4] = {
    { 1, 1, 1, 512 },   { 5, 7, 1, 512 },     { 130, 1028, 1, 64 }, { 300, 515, 1, 37 },
    { 3, 5, 49, 512 },  { 17, 9, 196, 4 },    { 2, 3, 40000, 512 }, { 9, 33, 1024, 8 },
    { 700, 4, 1, 512 }, { 1, 20000, 1, 512 },
  };

  g_autoptr (GError) error = NULL;
  SeamDevice *cpu;

  if (skip_without_gpu ())
    return;
  cpu = seam_backend_open ("cpu", &error); /* once: opening measures its rates each time */
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gint64 *s = sizes[i];
    compare_both (cpu, s[0], s[1], s[2], s[3], FALSE, FALSE, SEAM_OPERAND_FP32);
    compare_both (cpu, s[0], s[1], s[2], s[3], TRUE, FALSE, SEAM_OPERAND_FP32);
    compare_both (cpu, s[0], s[1], s[2], s[3], i % 2 == 0, TRUE, SEAM_OPERAND_FP32);
    compare_both (cpu, s[0], s[1], s[2], s[3], FALSE, i % 2 == 0, SEAM_OPERAND_FP16);
    compare_both (cpu, s[0], s[1], s[2], s[3], i % 2 == 0, TRUE, SEAM_OPERAND_BF16);
  }
  seam_device_close (cpu);
}

/* Fills `bytes` on the GPU with numbers from 1 to 2 that depend on the seed. With different
 * seeds for both sides every element fails, which is the most work for a comparison. */
static void
fill_side (SeamBuffer *buffer, gint64 bytes, guint32 seed)
{
  const gint64 piece = 1 << 24;
  g_autofree float *values = g_new (float, piece);
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < piece; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = 1 + (float)(seed >> 9) * 0x1p-23f;
  }
  for (gint64 at = 0; at < bytes; at += piece * 4)
    g_assert_true (
        gpu->backend->upload (gpu, buffer, at, values, MIN (piece * 4, bytes - at), &error));
}

/* The map of a 1 GB output appears without noticeable delay: under 50 ms from the question to
 * the grid on the host. */
static void
test_overview_time (void)
{
  static const gint64 sizes[][3] = { { 128, 32, 64516 }, { 32768, 8192, 1 } };

  if (skip_without_gpu ())
    return;
  if (quick) {
    g_test_skip ("takes 2 GB and is left out of the quick set");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    SeamDifferenceSpec spec = {
      .rows = sizes[i][0],
      .columns = sizes[i][1],
      .plane = sizes[i][2],
      .plane_width = sizes[i][2] > 1 ? 254 : 0,
    };
    const gint64 bytes = 4 * sizes[i][0] * sizes[i][1] * sizes[i][2];
    g_autoptr (GError) error = NULL;
    SeamBuffer *a = gpu->backend->allocate (gpu, bytes, &error);
    SeamBuffer *b = gpu->backend->allocate (gpu, bytes, &error);
    double best = INFINITY;

    g_assert_no_error (error);
    seam_difference_choose_cells (&spec, 512);
    fill_side (a, bytes, 1);
    fill_side (b, bytes, 2);
    for (int attempt = 0; attempt < 5; attempt++) {
      g_autoptr (SeamDifference) difference = seam_difference_new (&spec);
      const gint64 started = g_get_monotonic_time ();

      g_assert_true (gpu->backend->compare (gpu, a, b, FALSE, NULL, difference, &error));
      best = MIN (best, (double)(g_get_monotonic_time () - started) / 1000.0);
      g_assert_cmpint (difference->n_failing, >, bytes / 4 - bytes / 4096);
      g_assert_cmpint (difference->n_failing, ==, bytes / 4 - difference->histogram_ulps[0]);
    }
    g_test_message ("overview of %.2f GB in %.2f ms", (double)bytes / 1e9, best);
    g_assert_cmpfloat (best, <, 50.0);
    gpu->backend->release (gpu, a);
    gpu->backend->release (gpu, b);
  }
}

static void
test_time (void)
{
  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    Ready r;

    ready_init (&r, all_pipelines[i], "tiny", "unfused");
    for (int cold = 0; cold < 2; cold++) {
      g_autoptr (GError) error = NULL;
      SeamSample sample = { .elapsed_ns = NAN, .clock_mhz = NAN };
      g_assert_true (gpu->backend->time (gpu, r.groups, r.plan->n_groups,
                                         cold ? SEAM_TIMING_COLD : 0, &sample, &error));
      g_assert_no_error (error);
      /* More than nothing and less than a tenth of a second: the work takes microseconds. */
      g_assert_cmpfloat (sample.elapsed_ns, >, 0);
      g_assert_cmpfloat (sample.elapsed_ns, <, 1e8);
    }
    ready_clear (&r);
  }
}

static void
test_trace (void)
{
  if (skip_without_gpu ())
    return;
  if (!gpu->info->can_trace) {
    g_test_skip (gpu->info->trace_reason);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamTrace) trace = NULL;
    gboolean seen[SEAM_MAX_OPS] = { FALSE };
    double end = 0, sum = 0, last_start = 0;
    Ready r;

    ready_init (&r, all_pipelines[i], "tiny", "unfused");
    trace = gpu->backend->trace (gpu, r.groups, r.plan->n_groups, TRUE, &error);
    g_assert_no_error (error);
    g_test_message ("%s: %d launches, %d records, %s", all_pipelines[i], trace->n_launches,
                    trace->n_records, trace->note != NULL ? trace->note : "nothing odd");
    g_assert_cmpint (trace->n_rejected, ==, 0);
    g_assert_cmpint (trace->n_dropped, ==, 0);
    g_assert_cmpint (trace->n_records, ==, trace->n_launches);
    g_assert_cmpint (trace->n_launches, >=, r.plan->n_groups);
    g_assert_cmpint ((int)trace->records->len, >=, trace->n_records);
    for (guint j = 0; j < trace->records->len; j++) {
      const SeamTraceRecord *record = &g_array_index (trace->records, SeamTraceRecord, j);
      g_assert_cmpfloat (record->duration_ns, >, 0);
      g_assert_cmpfloat (record->start_ns, >=, last_start);
      g_assert_cmpstr (record->short_name, !=, "");
      g_assert_cmpint (record->first_op, >=, r.plan->groups[record->group].first);
      g_assert_cmpint (record->last_op, <=, r.plan->groups[record->group].last);
      for (int op = record->first_op; op <= record->last_op; op++)
        seen[op] = TRUE;
      last_start = record->start_ns;
      end = MAX (end, record->start_ns + record->duration_ns);
      sum += record->duration_ns;
    }
    for (int op = 0; op < r.f->n_ops; op++)
      g_assert_true (seen[op]);
    g_assert_cmpfloat (fabs (trace->span_ns - end), <=, 1);
    g_assert_cmpfloat (fabs (trace->sum_ns - sum), <=, 1);
    /* Tracing is off again: another execution leaves no records. */
    g_assert_true (gpu->backend->run (gpu, r.groups, r.plan->n_groups, NULL, &error));
    ready_clear (&r);
  }
}

/* If a group can run, its code can be shown, text after text for all its ops; kernels come with
 * every file that they include. */
static void
check_source (const SeamGroupSpec *spec, SeamSupportLevel level)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = gpu->backend->get_source (gpu, spec, &error);
  int next = group->first;

  if (level == SEAM_SUPPORT_NO) {
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
    g_assert_null (list);
    return;
  }
  g_assert_no_error (error);
  for (guint i = 0; i < list->len; i++) {
    const SeamSource *source = list->pdata[i];
    gboolean is_code = strcmp (source->language, "cuda") == 0;
    gboolean has_ops = FALSE;

    g_assert_cmpint (source->first_op, ==, next);
    next = source->last_op + 1;
    for (guint k = 0; k < source->includes->len; k++)
      has_ops =
          has_ops
          || strcmp (((SeamSourceFile *)source->includes->pdata[k])->name, "kernels/ops.h") == 0;
    g_assert_true (is_code == has_ops);
    g_assert_true (is_code == (strstr (source->text, "#include \"kernels/") != NULL));
  }
  g_assert_cmpint (next, ==, group->last + 1);
}

/* A group that cannot run is refused in a sentence; an implementation that is asked for by name
 * runs. */
static void
test_supports (void)
{
  static const struct {
    const char *pipeline, *plan;
    int group;
    SeamSupportLevel level;
    const char *executed; /* or a part of the reason */
  } rows[] = {
    { "gemm-bias-relu", "epilogue", 0, SEAM_SUPPORT_YES, "cublaslt" },
    { "gemm-bias-relu", "matmul|bias+relu", 1, SEAM_SUPPORT_YES, "generated" },
    { "gemm-bias-relu", "matmul|bias|relu", 1, SEAM_SUPPORT_YES, "hand" },
    { "gemm-bias-relu", "matmul|bias|relu@generated", 2, SEAM_SUPPORT_YES, "generated" },
    { "gemm-bias-relu", "matmul|bias+relu@hand", 1, SEAM_SUPPORT_NO, "hand-written" },
    { "gemm-bias-relu", "matmul|bias+relu@cudnn", 1, SEAM_SUPPORT_NO, "start with a convolution" },
    { "gemm-bias-relu", "matmul@generated|bias|relu", 0, SEAM_SUPPORT_NO, "elementwise" },
    { "gemm-bias-relu", "matmul@cpu|bias|relu", 0, SEAM_SUPPORT_NO,
      "no implementation of the target cuda:0" },
    { "gemm-bias-relu", "matmul@hand-made|bias|relu", 0, SEAM_SUPPORT_NO, "hand-portable" },
    { "matmul-swish-bias-groupnorm", "matmul+matmul_bias+sigmoid+mul+bias+groupnorm@library", 0,
      SEAM_SUPPORT_SPLIT, "cublaslt + generated" },
    { "conv-bias-scale-sigmoid-groupnorm", "unfused", 0, SEAM_SUPPORT_YES, "cudnn" },
  };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (rows[i].pipeline, &error);
    g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
    g_autoptr (SeamPlan) plan = NULL;
    SeamSupport support = { 0 };

    g_assert_no_error (error);
    plan = seam_plan_parse (pipeline, rows[i].plan, &error);
    g_assert_no_error (error);
    {
      SeamGroupSpec spec = { problem, plan, rows[i].group, SEAM_MATH_TF32 };
      gpu->backend->supports (gpu, &spec, &support);
      check_source (&spec, support.level);
    }
    g_test_message ("%s: %s: %s", rows[i].plan, support.executed,
                    support.reason != NULL ? support.reason : "");
    g_assert_cmpint (support.level, ==, rows[i].level);
    if (rows[i].level == SEAM_SUPPORT_NO)
      g_assert_nonnull (strstr (support.reason, rows[i].executed));
    else
      g_assert_cmpstr (support.executed, ==, rows[i].executed);
    seam_support_clear (&support);
  }
}

/* The microbenchmarks do what they promise and leave the device in order. */
static void
test_calibrate (void)
{
  const SeamCalibrateOptions options = { .budget_s = SEAM_CALIBRATE_LEAST_S };
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_gpu ())
    return;
  for (SeamRateKind kind = SEAM_RATE_COPY; kind <= SEAM_RATE_WRITE; kind++)
    for (gint64 bytes = 4096; bytes <= 1 << 20; bytes = bytes * 3 + 64) {
      double amount = 0, time_ns = 0;

      gpu->backend->benchmark (gpu, kind, bytes, &amount, &time_ns, &error);
      g_assert_no_error (error);
      /* The whole working set at least once, and enough to keep each multiprocessor busy. */
      g_assert_cmpfloat (amount, >=, (double)bytes - 32);
      g_assert_cmpfloat (amount, >=, 32e6 * gpu->info->n_processors);
      g_assert_cmpfloat (time_ns, >, 0);
    }
  calibration = seam_calibrate (gpu, &options, &error);
  g_assert_no_error (error);
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++) {
    g_autofree char *text = seam_rate_format (kind, calibration->rates[kind].median);

    g_test_message ("%s: %s", seam_rate_get_title (kind), text);
    if (kind == SEAM_RATE_FP64)
      g_assert_nonnull (calibration->notes[kind].reason);
    else
      g_assert_cmpfloat (calibration->rates[kind].median, >, 1);
  }
  g_assert_cmpint (calibration->n_points, >=, 6);
  g_assert_true (g_str_has_prefix (calibration->identity, calibration->device));
  g_assert_nonnull (strstr (calibration->identity, " GPU-"));
}

int
main (int argc, char **argv)
{
  static Case cases[G_N_ELEMENTS (all_pipelines) * SEAM_N_MATH_MODES];
  int status;

  open_gpu (&argc, &argv);
  g_test_add_func ("/gpu/memory", test_memory);
  g_test_add_func ("/gpu/compare", test_compare);
  g_test_add_func ("/gpu/overview-time", test_overview_time);
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    for (int mode = 0; mode < SEAM_N_MATH_MODES; mode++) {
      Case *c = &cases[i * SEAM_N_MATH_MODES + (guint)mode];
      const char *name = seam_math_mode_get_name (mode);
      g_autofree char *golden = g_strdup_printf ("/gpu/golden/%s/%s", all_pipelines[i], name);
      g_autofree char *odd = g_strdup_printf ("/gpu/shapes/%s/%s", all_pipelines[i], name);

      c->pipeline = all_pipelines[i];
      c->math_mode = mode;
      g_test_add_data_func (golden, c, test_golden);
      g_test_add_data_func (odd, c, test_shapes);
    }
  }
  g_test_add_func ("/gpu/exhibits", test_exhibits);
  g_test_add_func ("/gpu/one-pass-variance", test_one_pass_variance);
  g_test_add_func ("/gpu/repeatable", test_repeatable);
  g_test_add_func ("/gpu/rounded-output", test_rounded_output);
  g_test_add_func ("/gpu/supports", test_supports);
  g_test_add_func ("/gpu/calibrate", test_calibrate);
  g_test_add_func ("/gpu/time", test_time);
  g_test_add_func ("/gpu/trace", test_trace);
  gpu_edit_add_tests (gpu, no_gpu);
  gpu_graph_add_tests (gpu, no_gpu);
  status = g_test_run ();
  close_gpu ();
  return status;
}
