/* SPDX-License-Identifier: MIT
 *
 * 16-bit storage between kernels: names and refusals, the bytes of every model, and on the CPU
 * every partition of every pipeline, group by group: what a group stores is the nearest 16-bit
 * number to what FP64 makes of the numbers that it read, but for FP32's own error. All tensors hold
 * NaN before.
 */
#include "tests/core/cpu-fixture.h"

#include "app/base/storage.h"
#include "app/compare/compare.h"
#include "app/plan/ledger.h"
#include "app/runner/run.h"

static const SeamMathMode modes[] = { SEAM_MATH_FP16, SEAM_MATH_BF16 };

static SeamProblem *
make_problem (const char *id, const char *shape, SeamStorage storage, SeamMathMode mode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape, &error);

  g_assert_no_error (error);
  seam_problem_set_storage (problem, storage, seam_math_mode_get_operand (mode));
  return problem;
}

/* --- Names, and where it does not go --- */

static void
test_names (void)
{
  SeamStorage storage = SEAM_STORAGE_FP32;
  g_autoptr (GError) wrong = NULL;

  for (int i = 0; i < SEAM_N_STORAGES; i++) {
    g_assert_true (seam_storage_parse (seam_storage_get_name ((SeamStorage)i), &storage, NULL));
    g_assert_cmpint (storage, ==, i);
    for (int j = 0; j < i; j++)
      g_assert_cmpstr (seam_storage_get_title ((SeamStorage)i), !=,
                       seam_storage_get_title ((SeamStorage)j));
  }
  g_assert_false (seam_storage_parse ("half", &storage, &wrong));
  for (int i = 0; i < SEAM_N_STORAGES; i++)
    g_assert_nonnull (strstr (wrong->message, seam_storage_get_name ((SeamStorage)i)));
  for (SeamMathMode mode = 0; mode < SEAM_N_MATH_MODES; mode++) {
    const char *name = seam_math_mode_get_name (mode);
    gboolean has_type = seam_math_mode_get_operand (mode) != SEAM_OPERAND_FP32;

    g_assert_cmpint (seam_storage_get_type (name), ==, seam_math_mode_get_operand (mode));
    g_assert_null (seam_storage_refuse (SEAM_STORAGE_FP32, name));
    g_assert_null (seam_storage_describe ("fp32", name));
    g_assert_null (seam_storage_describe ("half", name));
    for (SeamStorage small = SEAM_STORAGE_BETWEEN; small < SEAM_N_STORAGES; small++) {
      g_autoptr (GError) error = NULL;

      g_assert_true (seam_storage_check (small, name, &error) == has_type);
      if (!has_type) {
        g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
        g_assert_nonnull (strstr (error->message, "choose math mode fp16 or bf16"));
      }
      g_assert_true ((seam_storage_describe (seam_storage_get_name (small), name) != NULL)
                     == has_type);
    }
  }
  g_assert_null (seam_storage_refuse_target (SEAM_STORAGE_FP32, "cpu"));
  g_assert_null (seam_storage_refuse_target (SEAM_STORAGE_FP32, "cuda:0"));
  g_assert_null (seam_storage_refuse_target (SEAM_STORAGE_BETWEEN, "cpu"));
  g_assert_cmpstr (seam_storage_describe ("between", "bf16"), ==, "BF16 storage between kernels");
  g_assert_cmpstr (seam_storage_describe ("all", "fp16"), ==,
                   "FP16 storage of all tensors but vectors");
}

static void
test_request (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);

  g_assert_no_error (error);
  g_assert_cmpint (request->storage, ==, SEAM_STORAGE_FP32);
  request->storage = SEAM_STORAGE_BETWEEN;
  request->math_mode = SEAM_MATH_BF16;
  g_autoptr (GVariant) sent = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) received = seam_run_request_from_variant (sent, &error);
  g_assert_no_error (error);
  g_assert_cmpint (received->storage, ==, SEAM_STORAGE_BETWEEN);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (received, &error);
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_OUTPUT (0)].type, ==, SEAM_OPERAND_BF16);

  request->math_mode = SEAM_MATH_TF32;
  g_autoptr (GVariant) wrong = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_assert_null (seam_run_request_from_variant (wrong, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "choose math mode fp16 or bf16"));
}

/* --- Bytes --- */

static void
test_bytes (void)
{
  static const char shape[] = "batch=6,in_features=10,out_features=8";
  const double x = 6 * 10, w = 8 * 10, b = 8, y = 6 * 8;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) wide =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_FP32, SEAM_MATH_FP16);
  g_autoptr (SeamProblem) narrow =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_BETWEEN, SEAM_MATH_FP16);
  g_autoptr (SeamPlan) unfused = seam_plan_parse (narrow->pipeline, "unfused", &error);
  g_autoptr (SeamPlan) full = seam_plan_parse (narrow->pipeline, "full", &error);
  SeamLedger ledger;
  SeamPlanCost cost;
  SeamFloor floors[2];

  /* Two tensors between three kernels, each written and read once. */
  seam_plan_cost (narrow, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y) + 2 * 2 * 2 * y);
  g_assert_cmpfloat (cost.bytes_allocated, ==, 4 * (x + w + b + y) + 2 * 2 * y);
  seam_ledger_fill (narrow, unfused, &ledger);
  SeamTransfers total = seam_ledger_get_total (&ledger);
  g_assert_cmpfloat (seam_transfers_sum (&total), ==, cost.bytes);
  SeamTransfers between = seam_ledger_get_tensor (&ledger, SEAM_TENSOR_OUTPUT (1));
  g_assert_cmpfloat (between.written, ==, 2 * y);
  g_assert_cmpfloat (between.read, ==, 2 * y);
  seam_plan_cost (wide, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y) + 2 * 2 * 4 * y);
  g_assert_cmpfloat (seam_plan_seam_bytes (narrow, unfused, 0), ==, 4 * y);
  /* Nothing lies between where all is one kernel, and no plan moves fewer. */
  seam_plan_cost (narrow, full, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y));
  seam_problem_get_floor (wide, 0, TRUE, 1e9, 0, &floors[0]);
  seam_problem_get_floor (narrow, 0, TRUE, 1e9, 0, &floors[1]);
  g_assert_cmpfloat (floors[0].bytes, ==, floors[1].bytes);
  /* With `all` only the vector is FP32. */
  g_autoptr (SeamProblem) all =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_ALL, SEAM_MATH_BF16);
  seam_plan_cost (all, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 2 * (x + w + y) + 4 * b + 2 * 2 * 2 * y);
  g_assert_cmpfloat (cost.bytes_allocated, ==, 2 * (x + w + y) + 4 * b + 2 * 2 * y);
  seam_ledger_fill (all, unfused, &ledger);
  total = seam_ledger_get_total (&ledger);
  g_assert_cmpfloat (seam_transfers_sum (&total), ==, cost.bytes);
  seam_plan_cost (all, full, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 2 * (x + w + y) + 4 * b);
  seam_problem_get_floor (all, 0, TRUE, 1e9, 0, &floors[1]);
  g_assert_cmpfloat (floors[1].bytes, ==, cost.bytes);
  g_assert_cmpfloat (floors[1].floor_ns, ==, cost.bytes);
  for (int i = 0; i < all->n_tensors; i++) {
    gboolean is_vector = i == SEAM_TENSOR_PARAM (3, 1);
    g_assert_cmpint (all->tensors[i].type, ==, is_vector ? SEAM_OPERAND_FP32 : SEAM_OPERAND_BF16);
    g_assert_cmpint (all->tensors[i].bytes, ==, wide->tensors[i].bytes / (is_vector ? 1 : 2));
  }
  seam_problem_set_storage (all, SEAM_STORAGE_FP32, SEAM_OPERAND_BF16);
  g_assert_cmpmem (all->tensors, sizeof all->tensors, wide->tensors, sizeof wide->tensors);
  /* Back to what it was. */
  seam_problem_set_storage (narrow, SEAM_STORAGE_FP32, SEAM_OPERAND_FP16);
  g_assert_cmpmem (narrow->tensors, sizeof narrow->tensors, wide->tensors, sizeof wide->tensors);
}

/* --- The CPU --- */

/* Everything that a plan puts into memory, as doubles; NULL: not materialised. */
static void
run_all (Fixture *f, const SeamPlan *plan, double **values)
{
  const SeamBackend *backend = f->device->backend;
  g_autoptr (GError) error = NULL;
  Execution execution;

  execution_init (&execution, f, plan, NULL);
  backend->run (f->device, execution.groups, execution.n_groups, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < f->problem->n_tensors; i++) {
    const SeamTensor *tensor = &f->problem->tensors[i];
    values[i] = NULL;
    if (execution.buffers[i] == NULL)
      continue;
    g_autofree char *raw = g_malloc ((gsize)tensor->bytes);
    values[i] = g_new (double, tensor->n_elements);
    g_assert_true (
        backend->download (f->device, raw, execution.buffers[i], 0, tensor->bytes, &error));
    for (gint64 j = 0; j < tensor->n_elements; j++)
      values[i][j] =
          tensor->type == SEAM_OPERAND_FP32
              ? (double)((const float *)raw)[j]
              : (double)seam_operand_unpack (tensor->type, ((const unsigned short *)raw)[j]);
  }
  execution_clear (&execution, f);
}

static void
free_all (double **values)
{
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    g_clear_pointer (&values[i], g_free);
}

/* The convolution or matmul of operands that are rounded to the mode's type. */
static double
sum_products (const Fixture *f, const double *input, const double *weight, gint64 n, gint64 k,
              gint64 pixel)
{
  const SeamDims *d = &f->problem->dims;
  const SeamOperandType type = seam_math_mode_get_operand (f->math_mode);
  const gint64 y = pixel / d->q, x = pixel % d->q;
  double sum = 0;

  for (gint64 c = 0; c < d->c; c++)
    for (gint64 i = 0; i < d->r; i++)
      for (gint64 j = 0; j < d->r; j++) {
        double a = input[((n * d->c + c) * d->h + y + i) * d->w + x + j];
        double b = weight[((k * d->c + c) * d->r + i) * d->r + j];
        sum += (double)seam_operand_round (type, (float)a)
               * (double)seam_operand_round (type, (float)b);
      }
  return sum;
}

static void
normalize (const Fixture *f, const SeamOp *op, double *const *values, const double *from,
           double *to)
{
  const SeamDims *d = &f->problem->dims;
  const gint64 plane = d->p * d->q, size = d->k / d->groups * plane;
  const double *weight = values[SEAM_TENSOR_PARAM (f->n_ops, op->params[0])];
  const double *bias = values[SEAM_TENSOR_PARAM (f->n_ops, op->params[1])];

  for (gint64 first = 0; first < d->n * d->k * plane; first += size) {
    double mean = 0, variance = 0;
    for (gint64 i = first; i < first + size; i++)
      mean += from[i] / (double)size;
    for (gint64 i = first; i < first + size; i++)
      variance += (from[i] - mean) * (from[i] - mean) / (double)size;
    for (gint64 i = first; i < first + size; i++) {
      gint64 k = i / plane % d->k;
      to[i] = (from[i] - mean) / sqrt (variance + SEAM_GROUPNORM_EPSILON) * weight[k] + bias[k];
    }
  }
}

/* What op `index` makes of exact values. */
static void
compute (const Fixture *f, int index, double *const *values, double *const *exact, double *to)
{
  const SeamDims *d = &f->problem->dims;
  const SeamOp *op = &f->problem->pipeline->chains[0].ops[index];
  const gint64 plane = d->p * d->q, n = d->n * d->k * plane;
  const double *from = index > 0 ? exact[index - 1] : values[SEAM_TENSOR_INPUT];
  const double *vector =
      op->params[0] >= 0 ? values[SEAM_TENSOR_PARAM (f->n_ops, op->params[0])] : NULL;

  if (op->type == SEAM_OP_GROUPNORM) {
    normalize (f, op, values, from, to);
    return;
  }
  for (gint64 i = 0; i < n; i++) {
    gint64 k = i / plane % d->k;
    switch (op->type) {
    case SEAM_OP_CONV2D:
    case SEAM_OP_MATMUL:
      to[i] = sum_products (f, from, vector, i / plane / d->k, k, i % plane);
      break;
    case SEAM_OP_ADD_CHANNEL:
      to[i] = from[i] + vector[k];
      break;
    case SEAM_OP_MULTIPLY_CHANNEL:
      to[i] = from[i] * vector[k];
      break;
    case SEAM_OP_ADD_SCALAR:
      to[i] = from[i] + op->scalars[0];
      break;
    case SEAM_OP_DIVIDE_SCALAR:
      to[i] = from[i] / op->scalars[0];
      break;
    case SEAM_OP_CLAMP:
      to[i] = CLAMP (from[i], op->scalars[0], op->scalars[1]);
      break;
    case SEAM_OP_RELU:
      to[i] = MAX (from[i], 0);
      break;
    case SEAM_OP_SIGMOID:
      to[i] = 1 / (1 + exp (-from[i]));
      break;
    case SEAM_OP_MULTIPLY_TENSOR:
      to[i] = from[i] * exact[op->operand][i];
      break;
    default:
      g_assert_not_reached ();
    }
  }
}

/* Half a unit in the last place of the 16-bit numbers around `value`. */
static double
get_half_unit (SeamOperandType type, double value)
{
  const int bits = type == SEAM_OPERAND_FP16 ? 11 : 8;
  const double least = type == SEAM_OPERAND_FP16 ? 0x1p-25 : 0x1p-134;

  return MAX (ldexp (1, ilogb (MAX (fabs (value), 1e-300)) - bits), least);
}

/* Every group of the plan by itself: `bounds` is FP32's error of each op. */
static void
check_groups (const Fixture *f, const SeamPlan *plan, double *const *values, const double *bounds,
              const char *what)
{
  const gint64 n = fixture_n_outputs (f);
  double *exact[SEAM_MAX_OPS] = { NULL };

  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;

    seam_plan_get_group_tensors (plan, group, &tensors);
    /* A group reads what is in memory, rounded; what it keeps inside is not. */
    for (int i = 0; i < f->n_ops; i++) {
      g_clear_pointer (&exact[i], g_free);
      if (i < plan->groups[group].first && values[SEAM_TENSOR_OUTPUT (i)] != NULL)
        exact[i] = g_memdup2 (values[SEAM_TENSOR_OUTPUT (i)], (gsize)n * sizeof (double));
    }
    for (int i = plan->groups[group].first; i <= plan->groups[group].last; i++) {
      exact[i] = g_new (double, n);
      compute (f, i, values, exact, exact[i]);
    }
    for (int j = 0; j < tensors.n_outputs; j++) {
      int op = tensors.outputs[j] - SEAM_TENSOR_OUTPUT (0);
      const SeamTensor *tensor = &f->problem->tensors[tensors.outputs[j]];

      for (gint64 i = 0; i < n; i++) {
        double value = exact[op][i], limit = 2 * bounds[op];
        if (tensor->type != SEAM_OPERAND_FP32)
          limit += get_half_unit (tensor->type, fabs (value) + limit);
        if (!(fabs (values[tensors.outputs[j]][i] - value) <= limit))
          g_error ("%s, plan %s: element %" G_GINT64_FORMAT " of “%s” is %.9g, not %.9g within %g",
                   what, plan->notation, i, tensor->name, values[tensors.outputs[j]][i], value,
                   limit);
      }
    }
  }
  for (int i = 0; i < f->n_ops; i++)
    g_free (exact[i]);
}

/* The same partition by the program's own loops. */
static SeamPlan *
choose_loops (const SeamPlan *plan)
{
  SeamPlan *chosen = seam_plan_ref ((SeamPlan *)plan);

  for (int i = 0; i < plan->n_groups; i++) {
    SeamPlan *next = seam_plan_choose (chosen, i, SEAM_IMPLEMENTATION_CPU);
    seam_plan_unref (chosen);
    chosen = next;
  }
  return chosen;
}

/* Largest |a - b| over 1 + |b|. */
static double
get_error_ratio (const double *a, const double *b, gint64 n)
{
  double largest = 0;

  for (gint64 i = 0; i < n; i++) {
    double ratio = fabs (a[i] - b[i]) / (1 + fabs (b[i]));
    if (!(ratio <= largest))
      largest = isnan (ratio) ? INFINITY : ratio;
  }
  return largest;
}

static void
check_partitions (const char *id, const char *shape, SeamMathMode mode)
{
  Fixture *f = fixture_new (make_problem (id, shape, SEAM_STORAGE_FP32, mode));
  const SeamPipeline *pipeline = f->problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  const char *name = seam_math_mode_get_name (mode);
  g_autofree char *what = g_strdup_printf ("%s %s, %s", id, shape, name);
  const int output = SEAM_TENSOR_OUTPUT (f->n_ops - 1);
  const gint64 n = fixture_n_outputs (f);
  double bounds[SEAM_MAX_OPS], atol, rtol, largest = 0, least = INFINITY, apart = 0;
  g_autofree double *first = NULL;
  gboolean has_norm;

  fixture_fill (f, 5, SEAM_DISTRIBUTION_UNIFORM);
  f->math_mode = mode;
  g_autofree double *truth = fixture_reference (f);
  g_autofree float *before_norm = fixture_before_norm (f, 0);
  has_norm = before_norm != NULL;
  fixture_error_bounds (f, chain, before_norm, bounds);
  seam_tolerance_get_default (
      name, f->problem->tensors[SEAM_TENSOR_PARAM (f->n_ops, 0)].n_elements / f->problem->dims.k,
      has_norm, &atol, &rtol);
  atol += seam_tolerance_get_storage (name, f->n_ops - 1, has_norm);
  seam_problem_set_storage (f->problem, SEAM_STORAGE_BETWEEN, seam_math_mode_get_operand (mode));

  for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
    g_autoptr (SeamPlan) generated = seam_plan_new ((SeamPipeline *)pipeline, 0, seams);
    g_autoptr (SeamPlan) loops = choose_loops (generated);
    const SeamPlan *plans[] = { generated, loops };

    for (gsize i = 0; i < G_N_ELEMENTS (plans); i++) {
      double *values[SEAM_MAX_TENSORS] = { NULL };
      double ratio;

      run_all (f, plans[i], values);
      check_groups (f, plans[i], values, bounds, what);
      ratio = get_error_ratio (values[output], truth, n);
      if (!(ratio <= atol))
        g_error ("%s, plan %s: %g over 1 + |b| from FP64, tolerance %g", what, plans[i]->notation,
                 ratio, atol);
      largest = MAX (largest, ratio);
      least = MIN (least, ratio);
      if (first == NULL)
        first = g_steal_pointer (&values[output]);
      else
        apart = MAX (apart, get_error_ratio (values[output], first, n));
      free_all (values);
    }
  }
  g_test_message ("%s: from FP64 %.2g to %.2g, tolerance %.2g", what, least, largest, atol);
  /* It did round between kernels: plans with other cuts round otherwise, by more than a tenth of
   * the 16-bit type's unit roundoff. */
  g_assert_cmpfloat (apart, >, 0.1 * seam_tolerance_get_storage (name, 1, FALSE));
  fixture_free (f);
}

static void
test_partitions (gconstpointer data)
{
  static const struct {
    const char *id, *shape;
  } cases[] = {
    { "conv-relu-bias", "batch=2,in_channels=5,out_channels=7,height=19,width=41,kernel_size=3" },
    { "conv-relu-bias", "batch=3,in_channels=3,out_channels=6,height=5,width=4,kernel_size=3" },
    { "conv-relu-bias", "batch=5,in_channels=3,out_channels=9,height=3,width=3,kernel_size=3" },
    { "gemm-bias-relu", "batch=37,in_features=131,out_features=75" },
    { "gemm-bias-relu", "batch=150,in_features=3,out_features=601" },
    { "matmul-swish-bias-groupnorm", "batch=21,in_features=67,out_features=96,groups=3" },
    { "matmul-swish-bias-groupnorm", "batch=3,in_features=5,out_features=5000,groups=2" },
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=2,in_channels=3,out_channels=12,height=23,width=45,kernel_size=3,groups=4" },
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=3,in_channels=2,out_channels=6,height=12,width=75,kernel_size=2,groups=1" },
    { "conv-relu-hardswish",
      "batch=2,in_channels=4,out_channels=9,height=18,width=37,kernel_size=5" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    check_partitions (cases[i].id, cases[i].shape, *(const SeamMathMode *)data);
}

/* Without the wide loops convolutions go through OpenBLAS. */
static void
test_narrow (gconstpointer data)
{
  g_setenv ("SEAMSCOPE_CPU_LOOPS", "baseline", TRUE);
  test_partitions (data);
  g_unsetenv ("SEAMSCOPE_CPU_LOOPS");
}

/* A person's own chain: a product over a GroupNorm that is not the last op, so that values have to
 * outlive the statistics inside a group whose output has 16 bits. */
static void
test_own_pipeline (gconstpointer data)
{
  const SeamMathMode mode = *(const SeamMathMode *)data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_parse (fixture_product_over_norm, "residual", &error);
  double bounds[SEAM_MAX_OPS];

  g_assert_no_error (error);
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", NULL, &error));
  g_assert_no_error (error);
  fixture_fill (f, 3, SEAM_DISTRIBUTION_NORMAL);
  f->math_mode = mode;
  g_autofree float *before_norm = fixture_before_norm (f, 0);
  fixture_error_bounds (f, &pipeline->chains[0], before_norm, bounds);
  seam_problem_set_storage (f->problem, SEAM_STORAGE_BETWEEN, seam_math_mode_get_operand (mode));
  for (guint32 seams = 0; seams < 16; seams++) {
    g_autoptr (SeamPlan) generated = seam_plan_new (pipeline, 0, seams);
    g_autoptr (SeamPlan) loops = choose_loops (generated);
    double *values[SEAM_MAX_TENSORS] = { NULL };

    run_all (f, generated, values);
    check_groups (f, generated, values, bounds, "residual, generated");
    free_all (values);
    run_all (f, loops, values);
    check_groups (f, loops, values, bounds, "residual, loops");
    free_all (values);
  }
  fixture_free (f);
}

/* --- Comparing --- */

static SeamBuffer *
make_buffer (SeamDevice *device, const void *data, gint64 bytes)
{
  g_autoptr (GError) error = NULL;
  SeamBuffer *buffer = device->backend->allocate (device, bytes, &error);

  g_assert_no_error (error);
  g_assert_true (device->backend->upload (device, buffer, 0, data, bytes, &error));
  return buffer;
}

/* Outputs of 16 bits differ by what the numbers that they stand for differ by. */
static void
test_compare (void)
{
  enum { ROWS = 7, COLUMNS = 5, PLANE = 401, N = ROWS * COLUMNS * PLANE };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDevice) device = seam_backend_open ("cpu", &error);
  g_autofree float *values = g_new (float, 2 * N);
  g_autofree double *exact = g_new (double, N);
  g_autofree unsigned short *packed = g_new (unsigned short, 2 * N);

  g_assert_no_error (error);
  for (gsize m = 0; m < G_N_ELEMENTS (modes); m++) {
    SeamDifferenceSpec spec = { ROWS, COLUMNS, PLANE, 2, 3, 1e-3, 1e-3 };
    SeamOperandType type = seam_math_mode_get_operand (modes[m]);
    GRand *random = g_rand_new_with_seed (7);

    for (int i = 0; i < 2 * N; i++) {
      double value = i < N ? g_rand_double_range (random, -3, 3) : values[i - N] * 1.02;
      packed[i] = seam_operand_pack (type, i == 1000 ? NAN : (float)value);
      values[i] = seam_operand_unpack (type, packed[i]);
      if (i < N)
        exact[i] = g_rand_double_range (random, -3, 3);
    }
    g_rand_free (random);
    for (int against = 0; against < 2; against++) {
      const void *other = against == 0 ? (const void *)(values + N) : exact;
      SeamBuffer *wide[] = { make_buffer (device, values, N * 4),
                             make_buffer (device, other, N * (against == 0 ? 4 : 8)) };
      SeamBuffer *narrow[] = { make_buffer (device, packed, N * 2),
                               against == 0 ? make_buffer (device, packed + N, N * 2) : wide[1] };

      spec.stored = SEAM_OPERAND_FP32;
      g_autoptr (SeamDifference) expected = seam_difference_new (&spec);
      g_assert_true (
          seam_backend_cpu.compare (device, wide[0], wide[1], against, expected, &error));
      spec.stored = type;
      g_autoptr (SeamDifference) found = seam_difference_new (&spec);
      g_assert_true (
          seam_backend_cpu.compare (device, narrow[0], narrow[1], against, found, &error));
      g_assert_cmpint (expected->n_failing, >, N / 2);
      g_assert_cmpint (found->n_failing, ==, expected->n_failing);
      g_assert_cmpint (found->n_nan_a, ==, 1);
      g_assert_cmpfloat (found->max_abs, ==, expected->max_abs);
      g_assert_cmpfloat (found->mean_abs, ==, expected->mean_abs);
      g_assert_cmpint (found->worst_index, ==, 1000);
      g_assert_cmpfloat (found->worst[1].a, ==, expected->worst[1].a);
      g_assert_cmpfloat (found->worst[1].b, ==, expected->worst[1].b);
      gsize cells = (gsize)found->n_cell_rows * (gsize)found->n_cell_columns;
      g_assert_cmpmem (found->cells, cells * 4, expected->cells, cells * 4);
      g_assert_cmpmem (found->failing, cells * 4, expected->failing, cells * 4);
      /* Half of what FP32 takes is enough, and less is not. */
      spec.rows++;
      g_autoptr (SeamDifference) large = seam_difference_new (&spec);
      spec.rows--;
      g_assert_false (
          seam_backend_cpu.compare (device, narrow[0], narrow[1], against, large, &error));
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
      g_clear_error (&error);
      for (int i = 0; i < 2; i++)
        seam_backend_cpu.release (device, wide[i]);
      seam_backend_cpu.release (device, narrow[0]);
      if (against == 0)
        seam_backend_cpu.release (device, narrow[1]);
    }
  }
}

/* --- A whole run --- */

static void
test_run (void)
{
  static const char *const plans[] = { "unfused", "published", "full", "missing-tail", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamProblem) tiny = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  g_assert_no_error (error);
  memcpy (request->values, tiny->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  request->budget_s = 0.05;
  request->math_mode = SEAM_MATH_FP16;
  request->storage = SEAM_STORAGE_BETWEEN;
  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result->storage, ==, "between");
  g_autofree char *provenance = seam_result_get_provenance (result);
  g_assert_nonnull (strstr (provenance, " · FP16 · FP16 storage between kernels · "));
  g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  g_assert_cmpint (result->plans[2].difference->n_failing, ==, 0);
  g_assert_cmpfloat (result->plans[2].difference->max_abs, >, 1e-5);
  g_assert_cmpint (result->plans[3].difference->n_failing, >, 0);
  for (int i = 0; i < 4; i++) {
    g_assert_cmpint (result->plans[i].state, ==, SEAM_PLAN_MEASURED);
    g_assert_true (result->plans[i].stable);
  }

  /* What is sent and kept; a result without it is of FP32. */
  g_autoptr (GVariant) sent = g_variant_ref_sink (seam_result_to_variant (result, FALSE));
  g_autoptr (SeamResult) received = seam_result_from_variant (sent, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (received->storage, ==, "between");
  g_autoptr (GVariantDict) dict = g_variant_dict_new (sent);
  g_variant_dict_remove (dict, "storage");
  g_autoptr (GVariant) older = g_variant_ref_sink (g_variant_dict_end (dict));
  g_autoptr (SeamResult) old = seam_result_from_variant (older, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (old->storage, ==, "fp32");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/storage/names", test_names);
  g_test_add_func ("/storage/request", test_request);
  g_test_add_func ("/storage/bytes", test_bytes);
  g_test_add_data_func ("/storage/partitions/fp16", &modes[0], test_partitions);
  g_test_add_data_func ("/storage/partitions/bf16", &modes[1], test_partitions);
  g_test_add_data_func ("/storage/partitions/blas", &modes[0], test_narrow);
  g_test_add_data_func ("/storage/own-pipeline/fp16", &modes[0], test_own_pipeline);
  g_test_add_data_func ("/storage/own-pipeline/bf16", &modes[1], test_own_pipeline);
  g_test_add_func ("/storage/compare", test_compare);
  g_test_add_func ("/storage/run", test_run);
  return g_test_run ();
}
