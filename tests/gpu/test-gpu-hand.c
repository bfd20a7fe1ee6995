/* SPDX-License-Identifier: MIT
 *
 * The hand-written kernels against FP64: every version and math mode of every pipeline over odd and
 * random shapes, fresh inputs at several scales, golden cases, prefixes of the chain, exhibits, the
 * same bits every time. Without a GPU every case is skipped with the reason; a version that refuses
 * a shape has to give a reason. `--quick` takes fewer shapes, for compute-sanitizer.
 */
#include "tests/gpu/gpu-fixture.h"

typedef struct {
  const char *pipeline, *version;
  SeamMathMode math_mode;
} Case;

/* The error that tanh.approx, off by at most e = 8.0e-6 (an H200, approximations.cu, every float),
 * adds to a result w N + b of a GroupNorm, N = (x - mean) / sqrt (s^2 + 4 epsilon) with x = tanh
 * and its deviation s. x - mean is off by at most 2 e and s, a norm, by e, so the result by at most
 *   w 2 e / sqrt (s^2 + 4 epsilon) + w N s e / (s^2 + 4 epsilon).
 * The first term is at most w e / sqrt (epsilon), at s = 0, which inputs x 0.01 come near; in the
 * second w N is at most |result| + |b|, and the rest e / (4 sqrt (epsilon)), at s^2 = 4 epsilon.
 * hand-resident keeps x in 16 bits, off by at most q = 2.04e-5 (convolution-few-store.cuh), but
 * takes mean and s from exact numbers: at most w q / (2 sqrt (epsilon)) more. Over
 * max (1, |result|): */
static double
find_tanh_error (const Fixture *f, gboolean parks)
{
  const SeamChain *chain = &f->problem->pipeline->chains[0];
  const SeamOp *norm = &chain->ops[chain->n_ops - 1];
  const double weight = fixture_max_abs (f, SEAM_TENSOR_PARAM (chain->n_ops, norm->params[0]));
  const double bias = fixture_max_abs (f, SEAM_TENSOR_PARAM (chain->n_ops, norm->params[1]));

  g_assert (norm->type == SEAM_OP_GROUPNORM);
  return (8.0e-6 * (weight + (1 + bias) / 4) + (parks ? 2.04e-5 / 2 * weight : 0))
         / sqrt (SEAM_GROUPNORM_EPSILON);
}

/* The error that the versions promise, |a - b| over max (1, |b|). TF32 promises it for inputs up to
 * 1: rounding the operands errs in proportion to the inputs, however exact the sum; tf32x promises
 * the same, whether it multiplies FP16 (test_scaled() is of the numbers alone) or TF32. In FP16 and
 * BF16 the reference is that of rounded operands, which leaves the error of FP32 sums on tensor
 * cores and, where Hopper's versions normalise planes, that of tanh.approx in the sigmoid before
 * it. */
static double
find_promise (const Fixture *f, const Case *c)
{
  const gboolean normalises_planes = g_str_equal (c->pipeline, "conv-bias-scale-sigmoid-groupnorm");
  const gboolean exact =
      g_str_equal (c->version, "hand-portable") || g_str_equal (c->version, "hand-simt");
  const double largest = MAX (fixture_max_abs (f, SEAM_TENSOR_INPUT), 1);

  if (c->math_mode == SEAM_MATH_FP32) /* of hand-simt; the others: find_fp32_promise() */
    return 5e-5;
  if (seam_math_mode_get_base (c->math_mode) != SEAM_MATH_TF32)
    return 1e-4 * largest
           + (normalises_planes && !exact
                  ? find_tanh_error (f, g_str_equal (c->version, "hand-resident"))
                  : 0);
  return (normalises_planes ? 5e-3 : 1e-3) * largest;
}

static double
find_error (const float *a, const double *b, gint64 n)
{
  double worst = 0;

  for (gint64 i = 0; i < n; i++) {
    double error = fabs (a[i] - b[i]) / MAX (fabs (b[i]), 1);
    if (!(error <= worst))
      worst = isnan (error) ? INFINITY : error;
  }
  return worst;
}

/* Whether the first group of the plan is executed as a whole by the version that its notation
 * names. */
static gboolean
is_supported (Fixture *f, const SeamPlan *plan, SeamMathMode math_mode, char **reason)
{
  SeamGroupSpec spec = { f->problem, plan, 0, math_mode };
  SeamSupport support = { 0 };
  gboolean good;

  gpu->backend->supports (gpu, &spec, &support);
  good = support.level != SEAM_SUPPORT_NO;
  g_assert_true (good || support.reason != NULL);
  *reason = g_strdup (support.reason);
  seam_support_clear (&support);
  return good;
}

/* In fp32 a version may err twice as much as FP32 products that are added one by one, and two units
 * in the last place of the largest result more, because the largest error of a few outputs is a
 * matter of chance. test-gpu-fp32.c looks at many. */
static double
find_fp32_promise (Fixture *f, const char *text, const double *expected)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = g_strsplit (text, "@", 2);
  const char *rest = strchr (parts[1], '|');
  g_autofree char *simple = g_strconcat (parts[0], "@hand-simt", rest, NULL);
  g_autoptr (SeamPlan) plan = seam_plan_parse (f->problem->pipeline, simple, &error);
  g_autofree float *output = NULL;
  double most = 1;

  g_assert_no_error (error);
  output = run_on_gpu (f, plan, SEAM_MATH_FP32);
  for (gint64 i = 0; i < fixture_n_outputs (f); i++)
    most = MAX (most, fabs (expected[i]));
  return 2 * find_error (output, expected, fixture_n_outputs (f)) + 0x1p-22 * most;
}

/* Runs one plan; FALSE if the version refuses the shape. */
static gboolean
check_plan (Fixture *f, const Case *c, const char *text, const double *expected, double promise,
            const char *what, double *largest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (f->problem->pipeline, text, &error);
  g_autofree char *reason = NULL;
  g_autofree float *output = NULL;
  double found;

  g_assert_no_error (error);
  if (!is_supported (f, plan, c->math_mode, &reason)) {
    g_test_message ("%s, %s: %s", what, plan->notation, reason);
    return FALSE;
  }
  /* A kernel that faults ends the program; this message tells which one it was. */
  g_test_message ("%s, %s", what, plan->notation);
  output = run_on_gpu (f, plan, c->math_mode);
  found = find_error (output, expected, fixture_n_outputs (f));
  if (c->math_mode == SEAM_MATH_FP32 && !g_str_equal (c->version, "hand-simt"))
    promise = find_fp32_promise (f, text, expected);
  if (!(found <= promise))
    fail_output (what, plan, c->math_mode, output, expected, fixture_n_outputs (f), found, promise);
  *largest = MAX (*largest, found);
  return TRUE;
}

/* "conv+conv_bias+relu@hand|add3+…" with the first `n` ops in the group. */
static char *
write_prefix (const SeamPipeline *pipeline, int n, const char *version)
{
  const SeamChain *chain = &pipeline->chains[0];
  GString *text = g_string_new (NULL);

  for (int op = 0; op < chain->n_ops; op++) {
    if (op > 0)
      g_string_append_c (text, op == n ? '|' : '+');
    g_string_append (text, chain->ops[op].name);
    if (op + 1 == n)
      g_string_append_printf (text, "@%s", version);
  }
  return g_string_free (text, FALSE);
}

static void
scale_input (Fixture *f, double scale)
{
  for (gint64 i = 0; i < f->problem->tensors[SEAM_TENSOR_INPUT].n_elements; i++)
    f->host[SEAM_TENSOR_INPUT][i] *= (float)scale;
}

static const char *const convolution_shapes[] = {
  "batch=1,in_channels=8,out_channels=64,height=20,width=20,kernel_size=3",
  "batch=2,in_channels=8,out_channels=32,height=35,width=129,kernel_size=3",
  "batch=3,in_channels=5,out_channels=12,height=33,width=21,kernel_size=3",
  "batch=1,in_channels=16,out_channels=72,height=23,width=131,kernel_size=5",
  "batch=2,in_channels=64,out_channels=128,height=13,width=127,kernel_size=3",
  "batch=1,in_channels=1,out_channels=4,height=7,width=7,kernel_size=7",
  "batch=1,in_channels=40,out_channels=132,height=18,width=34,kernel_size=1",
  /* rows that fill tiles of 256 pixels, five of them in the last tile */
  "batch=2,in_channels=17,out_channels=44,height=13,width=32,kernel_size=1",
  "batch=2,in_channels=3,out_channels=8,height=9,width=300,kernel_size=2",
  /* rows of 4 n + 2 pixels, an odd number of them in a tile */
  "batch=1,in_channels=8,out_channels=64,height=8,width=128,kernel_size=3",
  /* #21 parks tiles of 2, 1 and 4 rows packed, in the first of them with the pixels after a tile as
   * 8 more columns of its product */
  "batch=3,in_channels=8,out_channels=32,height=20,width=48,kernel_size=3",
  "batch=1,in_channels=3,out_channels=20,height=9,width=34,kernel_size=3",
  "batch=2,in_channels=8,out_channels=64,height=20,width=40,kernel_size=3",
  "batch=3,in_channels=5,out_channels=12,height=22,width=36,kernel_size=3",
};

static const char *const matmul_shapes[] = {
  "batch=1,in_features=4,out_features=64",      "batch=130,in_features=100,out_features=192",
  "batch=129,in_features=256,out_features=320", "batch=300,in_features=33,out_features=128",
  "batch=17,in_features=1028,out_features=576", "batch=1,in_features=7,out_features=320",
  "batch=355,in_features=324,out_features=448",
};

/* Adds the number of groups if the pipeline has a GroupNorm. */
static char *
complete_shape (const char *pipeline, const char *shape)
{
  if (g_str_equal (pipeline, "conv-bias-scale-sigmoid-groupnorm"))
    return g_strconcat (shape, ",groups=4", NULL);
  if (g_str_equal (pipeline, "matmul-swish-bias-groupnorm")) {
    const char *columns = strstr (shape, "out_features=") + strlen ("out_features=");
    return g_strdup_printf ("%s,groups=%d", shape, (int)(g_ascii_strtoll (columns, NULL, 10) / 64));
  }
  return g_strdup (shape);
}

/* A random shape; GLib prints the seed. */
static char *
make_shape (const char *pipeline)
{
  int taps = g_test_rand_int_range (1, 8);

  if (g_str_equal (pipeline, "gemm-bias-relu"))
    return g_strdup_printf ("batch=%d,in_features=%d,out_features=%d",
                            g_test_rand_int_range (1, 400), g_test_rand_int_range (1, 500),
                            g_test_rand_int_range (1, 700));
  if (g_str_equal (pipeline, "matmul-swish-bias-groupnorm")) {
    int width = 8 << g_test_rand_int_range (0, 5), groups = g_test_rand_int_range (1, 8);
    return g_strdup_printf ("batch=%d,in_features=%d,out_features=%d,groups=%d",
                            g_test_rand_int_range (1, 400), g_test_rand_int_range (1, 500),
                            width * groups, groups);
  }
  if (g_str_equal (pipeline, "conv-bias-scale-sigmoid-groupnorm")) {
    int groups = g_test_rand_int_range (1, 9);
    return g_strdup_printf (
        "batch=%d,in_channels=%d,out_channels=%d,height=%d,width=%d,kernel_size=%d,groups=%d",
        g_test_rand_int_range (1, 4), g_test_rand_int_range (1, 13),
        groups * g_test_rand_int_range (1, 7), g_test_rand_int_range (taps + 3, 60),
        g_test_rand_int_range (taps + 3, 90), taps, groups);
  }
  return g_strdup_printf (
      "batch=%d,in_channels=%d,out_channels=%d,height=%d,width=%d,kernel_size=%d",
      g_test_rand_int_range (1, 4), g_test_rand_int_range (1, 30), g_test_rand_int_range (1, 90),
      g_test_rand_int_range (taps, 50), g_test_rand_int_range (taps, 90), taps);
}

static void
check_shape (const Case *c, SeamPipeline *pipeline, const char *shape, double scale, int prefix,
             int *n_run, double *largest)
{
  g_autoptr (GError) error = NULL;
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", shape, &error);
  g_autofree char *what = g_strdup_printf ("%s, input x %g", shape, scale);
  g_autofree char *text = write_prefix (pipeline, prefix, c->version);
  g_autofree double *expected = NULL;
  Fixture *f;

  g_assert_no_error (error);
  f = fixture_new (problem);
  fixture_fill (f, (guint64)g_test_rand_int (), SEAM_DISTRIBUTION_UNIFORM);
  scale_input (f, scale);
  expected = fixture_reference_of_operands (f, seam_math_mode_get_base (c->math_mode));
  *n_run += check_plan (f, c, text, expected, find_promise (f, c), what, largest);
  fixture_free (f);
}

static void
test_shapes (gconstpointer data)
{
  static const double scales[] = { 1, 3, 0.01, -1 };
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = NULL;
  gboolean convolution = g_str_has_prefix (c->pipeline, "conv");
  const char *const *shapes = convolution ? convolution_shapes : matmul_shapes;
  int n = convolution ? G_N_ELEMENTS (convolution_shapes) : G_N_ELEMENTS (matmul_shapes);
  int n_ops, n_run = 0;
  double largest = 0;

  if (skip_without_gpu ())
    return;
  pipeline = seam_pipeline_find (c->pipeline, &error);
  g_assert_no_error (error);
  n_ops = pipeline->chains[0].n_ops;
  /* The quick shapes cover both kinds of convolution, bulk stores and parked tiles. */
  for (int i = quick ? 1 : 0; i < (quick ? MIN (11, n) : n); i += quick ? 3 : 1) {
    g_autofree char *shape = complete_shape (c->pipeline, shapes[i]);
    /* Every third shape has less than the whole chain in the group. */
    int prefix = i % 3 == 2 ? 1 + (i + n_ops / 2) % n_ops : n_ops;

    check_shape (c, pipeline, shape, scales[i % 4], prefix, &n_run, &largest);
  }
  for (int i = 0; i < (quick ? 1 : 3); i++) {
    g_autofree char *shape = make_shape (c->pipeline);
    check_shape (c, pipeline, shape, scales[(i + 1) % 4], n_ops, &n_run, &largest);
  }
  g_test_message ("%s @%s, %s: %d shapes, off by at most %.3g", c->pipeline, c->version,
                  seam_math_mode_get_name (c->math_mode), n_run, largest);
  g_assert_cmpint (n_run, >, 0);
}

static void
test_golden (gconstpointer data)
{
  const Case *c = data;
  double largest = 0;
  int n_run = 0;

  if (skip_without_gpu ())
    return;
  /* Case 0 alone has rows of whole 16 bytes, which hand-first needs. */
  for (int number = quick && !g_str_equal (c->version, "hand-first") ? 1 : 0; number < 4;
       number += quick ? 2 : 1) {
    g_autofree double *expected = NULL;
    g_autofree char *text = NULL, *what = g_strdup_printf ("%s case %d", c->pipeline, number);
    Fixture *f = fixture_new_golden (c->pipeline, number, &expected);

    g_assert_nonnull (f);
    if (seam_math_mode_get_operand (c->math_mode) != SEAM_OPERAND_FP32) {
      g_free (expected);
      expected = fixture_reference_of_operands (f, seam_math_mode_get_base (c->math_mode));
    }
    text = write_prefix (f->problem->pipeline, f->n_ops, c->version);
    n_run += check_plan (f, c, text, expected, find_promise (f, c), what, &largest);
    fixture_free (f);
  }
  g_test_message ("%s @%s, %s: %d golden cases, off by at most %.3g", c->pipeline, c->version,
                  seam_math_mode_get_name (c->math_mode), n_run, largest);
  g_assert_cmpint (n_run, >, 0);
}

/* A problem of `shape` with uniform inputs, and the plan with its whole chain in one group. */
static Fixture *
make_whole (const Case *c, const char *shape, guint64 seed, SeamPlan **plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (c->pipeline, &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", shape, &error);
  g_autofree char *text = write_prefix (pipeline, pipeline->chains[0].n_ops, c->version);
  Fixture *f;

  *plan = seam_plan_parse (pipeline, text, &error);
  g_assert_no_error (error);
  f = fixture_new (problem);
  fixture_fill (f, seed, SEAM_DISTRIBUTION_UNIFORM);
  return f;
}

/* One input over 65504 is infinite in FP16: the outputs that it reaches are infinite with the sign
 * of its weight or, after relu, zero; all others do not change. (hand-portable pads odd taps with
 * weights of 0 and makes such an output NaN.) */
static void
test_overflow (void)
{
  static const struct {
    const char *pipeline, *shape;
  } cases[] = {
    { "conv-relu-bias", "batch=2,in_channels=8,out_channels=64,height=12,width=20,kernel_size=3" },
    { "conv-relu-bias",
      "batch=2,in_channels=20,out_channels=128,height=12,width=20,kernel_size=3" },
    { "conv-relu-bias", "batch=2,in_channels=5,out_channels=40,height=9,width=20,kernel_size=1" },
    { "gemm-bias-relu", "batch=70,in_features=64,out_features=144" },
  };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case c = { cases[i].pipeline, "hand", SEAM_MATH_FP16 };
    g_autoptr (SeamPlan) plan = NULL;
    g_autofree double *expected = NULL;
    g_autofree float *output = NULL;
    Fixture *f = make_whole (&c, cases[i].shape, 23, &plan);
    double promise = find_promise (f, &c);
    gint64 n_infinite = 0;

    f->host[SEAM_TENSOR_INPUT][f->problem->tensors[SEAM_TENSOR_INPUT].n_elements / 2] = -1e5f;
    expected = fixture_reference_of_operands (f, SEAM_MATH_FP16);
    output = run_on_gpu (f, plan, SEAM_MATH_FP16);
    for (gint64 at = 0; at < fixture_n_outputs (f); at++) {
      n_infinite += isinf (expected[at]) != 0;
      if (isinf (expected[at]) ? output[at] != (float)expected[at]
                               : !(find_error (&output[at], &expected[at], 1) <= promise))
        g_error ("%s, %s, element %" G_GINT64_FORMAT " is %g, not %g", cases[i].shape,
                 plan->notation, at, output[at], expected[at]);
    }
    g_assert_cmpint (n_infinite, >, 0);
    g_assert_cmpint (n_infinite, <, fixture_n_outputs (f));
    fixture_free (f);
  }
}

/* What a version does in math mode tf32x: its words, its launches, and shapes. */
typedef struct {
  const char *executed;
  int n_kernels;
  const char *shapes[4];
} Scaled;

static const Scaled *
find_scaled (const Case *c)
{
  static const Scaled rows = {
    "hand (FP16, scaled rows)",
    2,
    { "batch=130,in_features=1000,out_features=192", "batch=77,in_features=8,out_features=64",
      "batch=129,in_features=1032,out_features=320", "batch=40,in_features=8200,out_features=128" },
  };
  static const Scaled samples = {
    "hand (FP16, scaled samples)",
    3,
    { "batch=3,in_channels=40,out_channels=72,height=12,width=20,kernel_size=3",
      "batch=12,in_channels=64,out_channels=128,height=30,width=33,kernel_size=3",
      "batch=2,in_channels=64,out_channels=128,height=40,width=128,kernel_size=3",
      "batch=5,in_channels=17,out_channels=60,height=19,width=300,kernel_size=2" },
  };

  return g_str_has_prefix (c->pipeline, "conv") ? &samples : &rows;
}

static gboolean
ends_with_groupnorm (const Fixture *f)
{
  return f->problem->pipeline->chains[0].ops[f->n_ops - 1].type == SEAM_OP_GROUPNORM;
}

/* The tensor number of the matrix op's weight. */
static int
get_weight (const Fixture *f)
{
  return SEAM_TENSOR_PARAM (f->n_ops, f->problem->pipeline->chains[0].ops[0].params[0]);
}

/* Draws numbers for math mode tf32x. The outputs agree with FP64 of the same rounded rows (samples,
 * filters), within the errors of FP32 sums, whatever the scale of a row, also with rows of zeros
 * and of subnormal numbers (weights are positive, so that no sum is far below its products).
 * `outside` is the case that the mode is not made for: numbers that meet a weight of 0 are 2^29
 * larger than the others. The error is then larger than TF32's, as the mode's definition says. */
static void
fill_rows (Fixture *f, int tensor, gboolean outside)
{
  const SeamTensor *t = &f->problem->tensors[tensor];
  const gint64 n = t->n_elements / t->shape.dims[0];
  const gint64 channel = n / t->shape.dims[1]; /* numbers of a channel; 1 for a matmul */
  const gboolean is_weight = tensor != SEAM_TENSOR_INPUT;
  /* GroupNorm squares its input, so the numbers stay smaller; without it some sums need two
   * steps of scaling back. */
  const float large = ends_with_groupnorm (f) ? 0x1p16f : is_weight ? 0x1p4f : 0x1p105f;

  for (gint64 i = 0; i < t->n_elements; i++) {
    const int row = (int)(i / n);
    const gboolean odd = i / channel % 2 != 0;
    float *x = &f->host[tensor][i];

    if (outside) {
      *x *= is_weight ? (float)odd : odd ? 1 : 0x1p29f;
      continue;
    }
    *x = fabsf (*x);
    if (row % 5 == 1)
      *x *= is_weight ? 0x1p-60f : large;
    else if (row % 5 == 2)
      *x *= is_weight ? large : 0x1p-50f;
    else if (row % 11 == 3)
      *x = 0;
    else if (row % 11 == 8 && !is_weight)
      *x *= 0x1p-135f;
  }
}

static void
test_scaled (gconstpointer data)
{
  const Case *c = data;
  const Scaled *scaled = find_scaled (c);
  /* A convolution guesses the scale of a sample, so that it rounds numbers that are far below
   * others to other values than the reference: test_too_small(). */
  const int n_kinds = g_str_has_prefix (c->pipeline, "conv") ? 1 : 2;
  double largest = 0;

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < (quick ? 1 : G_N_ELEMENTS (scaled->shapes)); i++)
    for (int outside = 0; outside < n_kinds; outside++) {
      g_autoptr (SeamPlan) plan = NULL;
      g_autofree double *expected = NULL, *unrounded = NULL;
      g_autofree float *output = NULL;
      g_autofree char *shape = complete_shape (c->pipeline, scaled->shapes[i]);
      Fixture *f = make_whole (c, shape, 31 + i, &plan);
      const int weight = get_weight (f);
      double error_of_sums = 0, of_rounding = 0;
      SeamGroupSpec spec = { f->problem, plan, 0, c->math_mode };
      SeamSupport support = { 0 };

      gpu->backend->supports (gpu, &spec, &support);
      g_assert_cmpstr (support.executed, ==, scaled->executed);
      g_assert_null (support.reason);
      g_assert_cmpint (support.n_kernels, ==, scaled->n_kernels);
      /* A matmul writes and reads copies of both operands; a convolution has none. */
      g_assert_cmpfloat (support.copied_bytes, ==,
                         n_kinds == 1
                             ? 0
                             : 4.0
                                   * (double)(f->problem->tensors[SEAM_TENSOR_INPUT].n_elements
                                              + f->problem->tensors[weight].n_elements));
      seam_support_clear (&support);
      fill_rows (f, SEAM_TENSOR_INPUT, outside);
      fill_rows (f, weight, outside);
      expected = fixture_reference_of_operands (f, c->math_mode);
      unrounded = fixture_reference (f);
      output = run_on_gpu (f, plan, c->math_mode);
      for (gint64 at = 0; at < fixture_n_outputs (f); at++) {
        const double size = MAX (fabs (expected[at]), 1);
        const double error = fabs (output[at] - expected[at]) / size;

        if (!(error <= 1e-4))
          g_error ("%s, %s, element %" G_GINT64_FORMAT " is %g, not %g", shape,
                   outside ? "outside" : "inside", at, output[at], expected[at]);
        error_of_sums = MAX (error_of_sums, error);
        of_rounding = MAX (of_rounding, fabs (output[at] - unrounded[at]) / size);
      }
      largest = MAX (largest, error_of_sums);
      g_assert_true (!outside || of_rounding > 1e-4);
      g_test_message ("%s, %s: off by %.3g from rounded rows, %.3g from others", shape,
                      outside ? "outside" : "inside", error_of_sums, of_rounding);
      fixture_free (f);
    }
  g_test_message ("%s @%s, %s: scaled rows, off by at most %.3g", c->pipeline, c->version,
                  seam_math_mode_get_name (c->math_mode), largest);
}

/* What the convolution over many channels is not made for, and does not notice: numbers that meet a
 * weight of 0 are 2^29 times as large as those that decide the sums. These lose bits, more than in
 * a matmul, because the guess leaves room for numbers larger than those it saw. The error passes
 * the mode's tolerance, 1e-3, which TF32 keeps. data/help/math-modes.md says so. */
static void
test_too_small (void)
{
  const Case c = { "conv-relu-bias", "hand", SEAM_MATH_TF32X };
  g_autoptr (SeamPlan) plan = NULL;
  g_autofree double *expected = NULL;
  g_autofree float *output = NULL, *tf32 = NULL;
  double error, of_tf32;
  Fixture *f;

  if (skip_without_gpu ())
    return;
  f = make_whole (&c, find_scaled (&c)->shapes[0], 31, &plan);
  fill_rows (f, SEAM_TENSOR_INPUT, TRUE);
  fill_rows (f, get_weight (f), TRUE);
  expected = fixture_reference (f);
  output = run_on_gpu (f, plan, SEAM_MATH_TF32X);
  tf32 = run_on_gpu (f, plan, SEAM_MATH_TF32);
  error = find_error (output, expected, fixture_n_outputs (f));
  of_tf32 = find_error (tf32, expected, fixture_n_outputs (f));
  g_test_message ("numbers 2^-29 of those whose weights are 0: off by %.3g, tf32 by %.3g", error,
                  of_tf32);
  g_assert_cmpfloat (of_tf32, <=, 1e-3);
  g_assert_cmpfloat (error, >, 1e-3);
  g_assert_cmpfloat (error, <, 4e-3);
  fixture_free (f);
}

/* The convolution over many channels guesses the scale of a sample from a part of it. One number
 * that is 2^20 times as large as the others leaves FP16's range if the guess did not see it. Then
 * the outputs are those of math mode tf32, bit for bit; else they are as close to the reference. */
static void
test_exceeded (void)
{
  const Case c = { "conv-relu-bias", "hand", SEAM_MATH_TF32X };
  int n_same = 0;

  if (skip_without_gpu ())
    return;
  for (int i = 0; i < (quick ? 2 : 6); i++) {
    const char *shape = "batch=2,in_channels=40,out_channels=72,height=24,width=40,kernel_size=3";
    g_autoptr (SeamPlan) plan = NULL;
    g_autofree double *expected = NULL;
    g_autofree float *output = NULL, *tf32 = NULL;
    Fixture *f = make_whole (&c, shape, 41, &plan);
    const gint64 n = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;
    gboolean same;

    f->host[SEAM_TENSOR_INPUT][n / 2 + (i + 2) % 6 * n / 13 + 5] = 0x1p20f;
    expected = fixture_reference (f);
    output = run_on_gpu (f, plan, SEAM_MATH_TF32X);
    tf32 = run_on_gpu (f, plan, SEAM_MATH_TF32);
    same = memcmp (output, tf32, (gsize)fixture_n_outputs (f) * sizeof *output) == 0;
    n_same += same;
    g_test_message ("outlier %d: off by %.3g, tf32 by %.3g%s", i,
                    find_error (output, expected, fixture_n_outputs (f)),
                    find_error (tf32, expected, fixture_n_outputs (f)),
                    same ? ", the same bits" : "");
    g_assert_cmpfloat (find_error (output, expected, fixture_n_outputs (f)), <=, 1e-3);
    fixture_free (f);
  }
  g_assert_cmpint (n_same, >, 0);
}

/* tf32x is as accurate as tf32 in every version that scales: over uniform inputs of several
 * sizes, the largest error against FP64 is at most a tenth larger (sums are added in another
 * order). */
static void
test_accuracy (gconstpointer data)
{
  static const double scales[] = { 1, 1e-6, 300, 1e-30, -1e6 };
  const Case *c = data;
  const Scaled *scaled = find_scaled (c);

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < (quick ? 2 : G_N_ELEMENTS (scales)); i++) {
    g_autoptr (SeamPlan) plan = NULL;
    g_autofree double *expected = NULL;
    g_autofree float *output = NULL, *tf32 = NULL;
    g_autofree char *shape =
        complete_shape (c->pipeline, scaled->shapes[i % G_N_ELEMENTS (scaled->shapes)]);
    Fixture *f = make_whole (c, shape, 51 + i, &plan);
    const int weight = get_weight (f);
    double error, of_tf32;

    scale_input (f, scales[i]);
    /* Keeps the sums in the range in which the errors matter. */
    for (gint64 at = 0; at < f->problem->tensors[weight].n_elements; at++)
      f->host[weight][at] /= (float)scales[i];
    expected = fixture_reference (f);
    output = run_on_gpu (f, plan, c->math_mode);
    tf32 = run_on_gpu (f, plan, SEAM_MATH_TF32);
    error = find_error (output, expected, fixture_n_outputs (f));
    of_tf32 = find_error (tf32, expected, fixture_n_outputs (f));
    g_test_message ("%s @%s, %s, input x %g: off by at most %.3g, tf32 by %.3g", c->pipeline,
                    c->version, shape, scales[i], error, of_tf32);
    g_assert_cmpfloat (error, <=, 1.1 * of_tf32);
    fixture_free (f);
  }
}

/* One input is NaN: all outputs that it reaches are NaN, despite relu, clamps and statistics, and
 * no others change, except where a version multiplies it by a weight of 0 of its own (32 filters or
 * fewer in `hand`, odd taps in `hand-portable`; not in these shapes). */
static void
test_nan (gconstpointer data)
{
  static const char *const convolutions[] = {
    "batch=2,in_channels=8,out_channels=64,height=12,width=40,kernel_size=3",
    "batch=2,in_channels=64,out_channels=128,height=12,width=20,kernel_size=3",
  };
  static const char *const portable_convolutions[] = {
    "batch=2,in_channels=8,out_channels=64,height=12,width=40,kernel_size=2",
    "batch=2,in_channels=64,out_channels=128,height=12,width=20,kernel_size=4",
  };
  static const char *const matmuls[] = {
    "batch=70,in_features=64,out_features=192",
    "batch=140,in_features=100,out_features=320",
  };
  /* hand-resident takes a result with all bits set for an unwritten one. An x86 CPU, unlike a GPU,
   * keeps the bits of a NaN, so the emulator gets the usual NaN. */
  guint32 bits = g_getenv ("SEAMSCOPE_EMULATE_HAND") != NULL ? 0x7fc00000u : 0xffffffffu;
  const Case *c = data;
  const char *const *shapes = !g_str_has_prefix (c->pipeline, "conv")     ? matmuls
                              : g_str_equal (c->version, "hand-portable") ? portable_convolutions
                                                                          : convolutions;
  int n_run = 0;

  if (skip_without_gpu ())
    return;
  for (int i = 0; i < 2; i++) {
    g_autofree char *shape = complete_shape (c->pipeline, shapes[i]);
    g_autoptr (SeamPlan) plan = NULL;
    g_autofree double *expected = NULL;
    g_autofree float *output = NULL;
    g_autofree char *reason = NULL;
    Fixture *f = make_whole (c, shape, 29, &plan);
    gint64 n_nan = 0, n_elements = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;
    double promise = find_promise (f, c);

    memcpy (&f->host[SEAM_TENSOR_INPUT][n_elements / 4], &bits, sizeof bits);
    if (!is_supported (f, plan, c->math_mode, &reason)) {
      g_test_message ("%s, %s: %s", shape, plan->notation, reason);
      fixture_free (f);
      continue;
    }
    expected = fixture_reference_of_operands (f, seam_math_mode_get_base (c->math_mode));
    g_test_message ("%s, %s", shape, plan->notation);
    output = run_on_gpu (f, plan, c->math_mode);
    for (gint64 at = 0; at < fixture_n_outputs (f); at++) {
      n_nan += isnan (expected[at]);
      if (isnan (expected[at]) ? !isnan (output[at])
                               : !(find_error (&output[at], &expected[at], 1) <= promise))
        g_error ("%s, %s, element %" G_GINT64_FORMAT " is %g, not %g", shape, plan->notation, at,
                 output[at], expected[at]);
    }
    g_assert_cmpint (n_nan, >, 0);
    g_assert_cmpint (n_nan, <, fixture_n_outputs (f));
    n_run++;
    fixture_free (f);
  }
  g_assert_cmpint (n_run, >, 0);
}

/* The same bits from two preparations, also with another group's results in the cache. */
static void
test_repeatable (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = NULL;
  g_autofree float *first = NULL;
  g_autofree char *text = NULL;
  g_autoptr (SeamPlan) plan = NULL;
  Fixture *f;

  if (skip_without_gpu ())
    return;
  pipeline = seam_pipeline_find (c->pipeline, &error);
  g_assert_no_error (error);
  text = write_prefix (pipeline, pipeline->chains[0].n_ops, c->version);
  plan = seam_plan_parse (pipeline, text, &error);
  g_assert_no_error (error);
  f = fixture_new (seam_problem_new_from_text (pipeline, quick ? "tiny" : "laptop", NULL, &error));
  g_assert_no_error (error);
  fixture_fill (f, 17, SEAM_DISTRIBUTION_NORMAL);
  first = run_on_gpu (f, plan, c->math_mode);
  for (int i = 0; i < (quick ? 2 : 6); i++) {
    g_autofree float *again = run_on_gpu (f, plan, c->math_mode);
    g_assert_cmpmem (first, fixture_n_outputs (f) * sizeof (float), again,
                     fixture_n_outputs (f) * sizeof (float));
  }
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  static const char *const pipelines[] = {
    "conv-relu-bias",
    "gemm-bias-relu",
    "matmul-swish-bias-groupnorm",
    "conv-bias-scale-sigmoid-groupnorm",
    "conv-relu-hardswish",
  };
  static const char *const versions[] = { "hand",        "hand-portable",  "hand-simt",
                                          "hand-reload", "hand-recompute", "hand-resident",
                                          "hand-first" };
  static Case cases[G_N_ELEMENTS (pipelines)][G_N_ELEMENTS (versions)][SEAM_N_MATH_MODES];
  int status;

  open_gpu (&argc, &argv);
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint v = 0; v < G_N_ELEMENTS (versions); v++)
      for (int mode = 0; mode < SEAM_N_MATH_MODES; mode++) {
        Case *c = &cases[p][v][mode];
        const char *name = seam_math_mode_get_name (mode);
        g_autofree char *golden =
            g_strdup_printf ("/gpu-hand/golden/%s/%s/%s", pipelines[p], versions[v], name);
        g_autofree char *odd =
            g_strdup_printf ("/gpu-hand/shapes/%s/%s/%s", pipelines[p], versions[v], name);
        g_autofree char *nan =
            g_strdup_printf ("/gpu-hand/nan/%s/%s/%s", pipelines[p], versions[v], name);
        g_autofree char *same =
            g_strdup_printf ("/gpu-hand/repeatable/%s/%s/%s", pipelines[p], versions[v], name);

        /* The plain FP32 version exists in no other mode but TF32, where it is the same; the
         * strategies are for GroupNorm after conv2d; the first lesson is a matmul in TF32. */
        if ((v == 2 && mode != SEAM_MATH_FP32)
            || (v >= 3 && v <= 5
                && !g_str_equal (pipelines[p], "conv-bias-scale-sigmoid-groupnorm"))
            || (v == 6 && (mode != SEAM_MATH_TF32 || g_str_has_prefix (pipelines[p], "conv"))))
          continue;
        *c = (Case){ pipelines[p], versions[v], mode };
        g_test_add_data_func (golden, c, test_golden);
        g_test_add_data_func (nan, c, test_nan);
        if (g_strcmp0 (g_getenv ("SEAMSCOPE_EMULATE_HAND"), "golden") == 0)
          continue; /* the rest takes a CPU half an hour: SEAMSCOPE_EMULATE_HAND=all */
        g_test_add_data_func (odd, c, test_shapes);
        g_test_add_data_func (same, c, test_repeatable);
      }
  g_test_add_func ("/gpu-hand/overflow", test_overflow);
  g_test_add_func ("/gpu-hand/exceeded", test_exceeded);
  g_test_add_func ("/gpu-hand/too-small", test_too_small);
  for (guint p = 0; p <= 2; p++) { /* the pipelines that have a kernel for this mode */
    g_autofree char *scaled = g_strdup_printf ("/gpu-hand/scaled/%s", pipelines[p]);
    g_autofree char *accuracy = g_strdup_printf ("/gpu-hand/accuracy/%s", pipelines[p]);
    const Case *c = &cases[p][0][SEAM_MATH_TF32X];

    g_test_add_data_func (scaled, c, test_scaled);
    g_test_add_data_func (accuracy, c, test_accuracy);
  }
  status = g_test_run ();
  close_gpu ();
  return status;
}
