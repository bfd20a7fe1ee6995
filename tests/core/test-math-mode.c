/* SPDX-License-Identifier: MIT
 *
 * Math modes fp16, bf16 and tf32x: every 16-bit number and the roundings around it, the powers of
 * two of rows, and on the CPU every partition of every pipeline against FP64 of operands that were
 * rounded before, within FP32's own error. This proves that a mode computes what it promises.
 */
#include "tests/core/cpu-fixture.h"

static const SeamMathMode modes[] = { SEAM_MATH_FP16, SEAM_MATH_BF16, SEAM_MATH_TF32X };

/* --- Rounding --- */

/* Checks the packing of two successive positive numbers of a 16-bit type, and of the floats
 * around their middle. */
static void
check_neighbours (SeamOperandType type, unsigned short low)
{
  const unsigned short infinite = type == SEAM_OPERAND_FP16 ? 0x7c00 : 0x7f80;
  double a = (double)seam_operand_unpack (type, low), b;
  unsigned short even = low % 2 == 0 ? low : (unsigned short)(low + 1);

  /* Beyond the largest number, rounding works as if the range had one more step. */
  b = low + 1 < infinite ? (double)seam_operand_unpack (type, (unsigned short)(low + 1))
                         : a + (a - (double)seam_operand_unpack (type, (unsigned short)(low - 1)));
  float middle = (float)((a + b) / 2);
  /* FP32 has more bits than either type, but it cannot hold the middle of two of bf16's
   * subnormals. */
  if ((double)middle != (a + b) / 2)
    return;
  g_assert_cmphex (seam_operand_pack (type, middle), ==, even);
  g_assert_cmphex (seam_operand_pack (type, nextafterf (middle, 0)), ==, low);
  g_assert_cmphex (seam_operand_pack (type, nextafterf (middle, INFINITY)), ==, low + 1);
  g_assert_cmphex (seam_operand_pack (type, -middle), ==, even | 0x8000);
}

static void
test_rounding (void)
{
  for (SeamOperandType type = SEAM_OPERAND_FP16; type < SEAM_N_OPERAND_TYPES; type++) {
    const unsigned int infinite = type == SEAM_OPERAND_FP16 ? 0x7c00 : 0x7f80;

    for (unsigned int bits = 0; bits <= infinite; bits++) {
      float value = seam_operand_unpack (type, (unsigned short)bits);

      g_assert_cmpfloat (seam_operand_round (type, value), ==, value);
      g_assert_cmphex (seam_operand_pack (type, value), ==, bits);
      g_assert_cmphex (seam_operand_pack (type, -value), ==, bits | 0x8000);
      if (bits < infinite)
        check_neighbours (type, (unsigned short)bits);
    }
    g_assert_true (isinf (seam_operand_unpack (type, (unsigned short)infinite)));
    for (unsigned int bits = infinite + 1; bits < 0x8000; bits++) {
      g_assert_true (isnan (seam_operand_unpack (type, (unsigned short)bits)));
      g_assert_true (isnan (seam_operand_round (
          type, seam_operand_unpack (SEAM_OPERAND_BF16, (unsigned short)(bits | 0x7f80)) * NAN)));
    }
    g_assert_true (isnan (seam_operand_unpack (type, seam_operand_pack (type, NAN))));
  }
  /* Bounds and halves, worked out by hand. */
  g_assert_cmpfloat (seam_operand_round_fp16 (65519.0f), ==, 65504.0f);
  g_assert_true (isinf (seam_operand_round_fp16 (65520.0f)));
  g_assert_cmpfloat (seam_operand_round_fp16 (0x1p-25f), ==, 0);
  g_assert_cmpfloat (seam_operand_round_bf16 (1.00390625f), ==, 1.0f);
  g_assert_cmpfloat (seam_operand_round_bf16 (1.01171875f), ==, 1.015625f);
  g_assert_true (isinf (seam_operand_round_bf16 (3.4e38f)));
}

/* Every exponent that a row's largest number can have: the scaled row reaches FP16's last
 * binades, and scaling back is exact. */
static void
test_scales (void)
{
  for (int exponent = -149; exponent <= 127; exponent++) {
    const float largest = ldexpf (exponent < -126 ? 1.0f : 1.5f, exponent);
    const float scale = seam_operand_get_scale (seam_operand_get_size (largest));
    const float inverse = seam_operand_invert_scale (scale), scaled = -largest * scale;

    g_assert_cmpfloat (scale * inverse, ==, 1);
    g_assert_true (isnormal (scale) && isnormal (inverse));
    g_assert_cmpfloat (scaled * inverse, ==, -largest);
    g_assert_cmpfloat (seam_operand_round_fp16 (scaled), ==, scaled);
    if (exponent >= -112)
      g_assert_cmpfloat (scaled, ==, -1.5f * 0x1p14f);
  }
  /* A row of nothing but zeros, infinity and NaN. */
  g_assert_cmphex (seam_operand_get_size (INFINITY), ==, 0);
  g_assert_cmphex (seam_operand_get_size (-NAN), ==, 0);
  g_assert_true (isnormal (seam_operand_get_scale (0)));

  /* Sums come back right, however large the numbers of one row are and however small those of
   * the other. */
  const float large = seam_operand_invert_scale (seam_operand_get_scale (0x7f7fffffu));
  const float small = seam_operand_invert_scale (seam_operand_get_scale (0x00800000u));
  g_assert_cmpfloat (large, ==, 0x1p113f);
  g_assert_cmpfloat (small, ==, 0x1p-126f);
  g_assert_cmpfloat (seam_operand_unscale (0x1p40f, large, small), ==, 0x1p27f);
  g_assert_cmpfloat (seam_operand_unscale (0x1p40f, small, large), ==, 0x1p27f);
  g_assert_cmpfloat (seam_operand_unscale (0x1p28f, 0x1p-74f, 0x1p-74f), ==, 0x1p-120f);
  g_assert_cmpfloat (seam_operand_unscale (0, large, large), ==, 0);
}

/* The errors of a dot product, relative to its sum of |x w|, with both rows rounded to TF32, and
 * to FP16 after scaling by powers of two. In double precision, so that only the operands are
 * rounded. */
static void
find_dot_errors (const float *x, const float *w, int n, double *tf32, double *scaled)
{
  g_autofree float *x16 = g_memdup2 (x, (gsize)n * sizeof *x);
  g_autofree float *w16 = g_memdup2 (w, (gsize)n * sizeof *w);
  double sum = 0, size = 0, of_tf32 = 0, of_scaled = 0;

  fixture_scale_row (x16, n);
  fixture_scale_row (w16, n);
  for (int i = 0; i < n; i++) {
    const SeamOperandBits xs = { x[i] }, ws = { w[i] };
    SeamOperandBits xr, wr;

    xr.bits = (xs.bits + 0xfffu + (xs.bits >> 13 & 1u)) & 0xffffe000u;
    wr.bits = (ws.bits + 0xfffu + (ws.bits >> 13 & 1u)) & 0xffffe000u;
    sum += (double)x[i] * w[i];
    size += fabs ((double)x[i] * w[i]);
    of_tf32 += (double)xr.value * wr.value;
    of_scaled += (double)x16[i] * w16[i];
  }
  *tf32 = fabs (of_tf32 - sum) / size;
  *scaled = fabs (of_scaled - sum) / size;
}

/* The operands are the same numbers as TF32's, bit by bit, while a row's numbers are within 2^28
 * of its largest. Beyond that, if large numbers meet weights of 0, the mode is less accurate: its
 * only limit, which its description names. */
static void
test_accuracy (void)
{
  enum { DEPTH = 512 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (26);
  float x[DEPTH], w[DEPTH];
  double largest_tf32 = 0, largest_scaled = 0, tf32, scaled;

  for (int spread = 0; spread < 28; spread += 3)
    for (int repeat = 0; repeat < 50; repeat++) {
      for (int i = 0; i < DEPTH; i++) {
        x[i] = (float)ldexp (g_rand_double_range (rand, 1, 2), g_rand_int_range (rand, -spread, 1));
        w[i] =
            (float)ldexp (g_rand_double_range (rand, -2, -1), g_rand_int_range (rand, -spread, 1));
      }
      find_dot_errors (x, w, DEPTH, &tf32, &scaled);
      g_assert_cmpfloat (scaled, ==, tf32);
    }
  for (int repeat = 0; repeat < 200; repeat++) {
    for (int i = 0; i < DEPTH; i++) {
      x[i] = (float)g_rand_double_range (rand, 1, 2) * (i % 2 ? 0x1p-30f : 1);
      w[i] = i % 2 ? (float)g_rand_double_range (rand, 0.5, 1) : 0;
    }
    find_dot_errors (x, w, DEPTH, &tf32, &scaled);
    largest_tf32 = MAX (largest_tf32, tf32);
    largest_scaled = MAX (largest_scaled, scaled);
  }
  g_test_message ("numbers 2^-30 of those whose weights are 0: TF32 errs by %.3g, tf32x by %.3g",
                  largest_tf32, largest_scaled);
  g_assert_cmpfloat (largest_scaled, >, 1.5 * largest_tf32);
}

/* --- The CPU --- */

static void
check_partitions (const char *id, const char *shape, SeamMathMode mode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape, &error);
  const SeamChain *chain = &pipeline->chains[0];
  double largest = 0, to_fp32 = 0;

  g_assert_no_error (error);
  Fixture *f = fixture_new (problem);
  fixture_fill (f, 11, SEAM_DISTRIBUTION_UNIFORM);
  f->math_mode = mode;
  g_autofree double *reference = fixture_reference_of_operands (f, mode);
  g_autofree double *unrounded = fixture_reference (f);
  g_autofree float *before_norm = fixture_before_norm (f, 0);
  double bound = fixture_error_bound (f, chain, before_norm);

  for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, seams);
    g_autofree float *output = fixture_run (f, plan);
    double distance = fixture_max_difference (output, reference, fixture_n_outputs (f));

    if (!(distance <= bound))
      g_error ("%s %s, plan %s, %s: off by %g, bound %g", id, shape, plan->notation,
               seam_math_mode_get_name (mode), distance, bound);
    largest = MAX (largest, distance);
    to_fp32 = MAX (to_fp32, fixture_max_difference (output, unrounded, fixture_n_outputs (f)));
  }
  g_test_message ("%s %s, %s: off by at most %.3g, bound %.3g; from FP32's reference %.3g", id,
                  shape, seam_math_mode_get_name (mode), largest, bound, to_fp32);
  /* The mode did round its operands. */
  g_assert_cmpfloat (to_fp32, >, 4 * largest);
  fixture_free (f);
}

static void
test_cpu (gconstpointer data)
{
  static const struct {
    const char *id, *shape;
  } cases[] = {
    { "conv-relu-bias", "batch=2,in_channels=5,out_channels=7,height=19,width=41,kernel_size=3" },
    { "conv-relu-bias", "batch=3,in_channels=3,out_channels=6,height=5,width=4,kernel_size=3" },
    { "gemm-bias-relu", "batch=37,in_features=131,out_features=75" },
    { "matmul-swish-bias-groupnorm", "batch=21,in_features=67,out_features=96,groups=3" },
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=2,in_channels=3,out_channels=12,height=23,width=45,kernel_size=3,groups=4" },
    { "conv-relu-hardswish",
      "batch=2,in_channels=4,out_channels=9,height=18,width=37,kernel_size=5" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    check_partitions (cases[i].id, cases[i].shape, *(const SeamMathMode *)data);
}

/* The copies of operands have a record of their own, and the target says that it makes them. */
static void
test_records (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", NULL, &error));
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "published", &error);
  gint64 n;
  Execution execution;
  SeamSupport support;

  g_assert_no_error (error);
  fixture_fill (f, 3, SEAM_DISTRIBUTION_UNIFORM);
  f->math_mode = SEAM_MATH_BF16;
  SeamGroupSpec spec = { f->problem, plan, 0, SEAM_MATH_BF16 };
  seam_backend_cpu.supports (f->device, &spec, &support);
  g_assert_cmpint (support.level, ==, SEAM_SUPPORT_YES);
  g_assert_cmpint (support.n_kernels, ==, 2);
  g_assert_nonnull (strstr (support.reason, "BF16"));
  seam_support_clear (&support);
  spec.group = 1;
  seam_backend_cpu.supports (f->device, &spec, &support);
  g_assert_cmpint (support.n_kernels, ==, 1);
  g_assert_null (support.reason);
  seam_support_clear (&support);

  execution_init (&execution, f, plan, NULL);
  g_autoptr (SeamTrace) trace =
      seam_backend_cpu.trace (f->device, execution.groups, execution.n_groups, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (trace->n_records, ==, 3);
  const SeamTraceRecord *copy = &g_array_index (trace->records, SeamTraceRecord, 0);
  n = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements
      + f->problem->tensors[SEAM_TENSOR_PARAM (f->n_ops, 0)].n_elements;
  g_assert_true (copy->is_copy);
  g_assert_cmpstr (copy->short_name, ==, "round operands");
  g_assert_cmpfloat (copy->bytes, ==, 8.0 * (double)n);
  g_assert_false (g_array_index (trace->records, SeamTraceRecord, 1).is_copy);
  execution_clear (&execution, f);
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/math-mode/rounding", test_rounding);
  g_test_add_data_func ("/math-mode/cpu/fp16", &modes[0], test_cpu);
  g_test_add_data_func ("/math-mode/cpu/bf16", &modes[1], test_cpu);
  g_test_add_data_func ("/math-mode/cpu/tf32x", &modes[2], test_cpu);
  g_test_add_func ("/math-mode/scales", test_scales);
  g_test_add_func ("/math-mode/accuracy", test_accuracy);
  g_test_add_func ("/math-mode/records", test_records);
  return g_test_run ();
}
