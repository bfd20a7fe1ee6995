/* SPDX-License-Identifier: MIT
 *
 * 16-bit storage on the CPU: partitions of pipelines (extent.h), group by group. But for FP32's own
 * error, a group stores the 16-bit number that is nearest to the FP64 result of the numbers that it
 * read; the whole chain is within the tolerance. All tensors hold NaN before the run.
 */
#include "tests/core/bound-fixture.h"
#include "tests/core/extent.h"

#include "app/compare/compare.h"
#include "app/backend/matrix.h"

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

/* The values of every tensor that a plan has in memory, as doubles; NULL: not in memory. */
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

/* The convolution or matmul of operands that are rounded to the mode's type, [N, K, P, Q]. It is
 * the same for every plan and storage, and by far the longest sum: computed once a fixture. */
static double *
make_products (const Fixture *f)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  const SeamOperandType type = seam_math_mode_get_operand (f->math_mode);
  const float *weight = f->host[SEAM_TENSOR_PARAM (f->n_ops, 0)];
  const gint64 plane = d->p * d->q, n_inputs = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;
  g_autofree double *input = g_new (double, n_inputs);
  double *products = g_new0 (double, fixture_n_outputs (f));

  for (gint64 i = 0; i < n_inputs; i++)
    input[i] = (double)seam_operand_round (type, f->host[SEAM_TENSOR_INPUT][i]);
  for (gint64 channel = 0; channel < d->n * d->k; channel++)
    for (gint64 tap = 0; tap < d->c * d->r * d->r; tap++) {
      const gint64 c = tap / (d->r * d->r), i = tap / d->r % d->r, j = tap % d->r;
      const double *from = input + ((channel / d->k * d->c + c) * d->h + i) * d->w + j;
      const double b =
          (double)seam_operand_round (type, weight[channel % d->k * d->c * d->r * d->r + tap]);
      double *to = products + channel * plane;

      for (gint64 pixel = 0; pixel < plane; pixel++)
        to[pixel] += from[pixel / d->q * d->w + pixel % d->q] * b;
    }
  return products;
}

static void
normalize (const Fixture *f, const SeamOp *op, double *const *values, const double *from,
           double *to)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
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

/* The exact result of op `index` for exact values; `products` are those of the matrix op. */
static void
compute (const Fixture *f, int index, double *const *values, const double *products,
         double *const *exact, double *to)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  const SeamOp *op = &f->problem->pipeline->chains[0].ops[index];
  const gint64 plane = d->p * d->q, n = d->n * d->k * plane;
  const double *from = index > 0 ? exact[index - 1] : values[SEAM_TENSOR_INPUT];
  const double *vector =
      op->params[0] >= 0 ? values[SEAM_TENSOR_PARAM (f->n_ops, op->params[0])] : NULL;

  if (op->type == SEAM_OP_GROUPNORM) {
    normalize (f, op, values, from, to);
    return;
  }
  if (op->type == SEAM_OP_CONV2D || op->type == SEAM_OP_MATMUL) {
    memcpy (to, products, (gsize)n * sizeof *to);
    return;
  }
  for (gint64 i = 0; i < n; i++) {
    gint64 k = i / plane % d->k;
    switch (op->type) {
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
      to[i] = from[i] * exact[op->inputs[1] - 1][i];
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

/* Checks every group of the plan by itself: `bounds` is FP32's error of each op. */
static void
check_groups (const Fixture *f, const SeamPlan *plan, double *const *values, const double *products,
              const double *bounds, const char *what)
{
  const gint64 n = fixture_n_outputs (f);
  double *exact[SEAM_MAX_OPS] = { NULL };

  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;

    seam_plan_get_group_tensors (plan, group, &tensors);
    /* A group reads tensors from memory, which are rounded; values that it keeps inside are not. */
    for (int i = 0; i < f->n_ops; i++) {
      g_clear_pointer (&exact[i], g_free);
      if (i < plan->groups[group].first && values[SEAM_TENSOR_OUTPUT (i)] != NULL)
        exact[i] = g_memdup2 (values[SEAM_TENSOR_OUTPUT (i)], (gsize)n * sizeof (double));
    }
    for (int i = plan->groups[group].first; i <= plan->groups[group].last; i++) {
      exact[i] = g_new (double, n);
      compute (f, i, values, products, exact, exact[i]);
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

/* The same partition, executed by the program's own loops. */
static SeamPlan *
choose_loops (const SeamPlan *plan)
{
  SeamPlan *chosen = seam_plan_ref ((SeamPlan *)plan);

  for (int i = 0; i < plan->n_groups; i++) {
    SeamPlan *next = seam_plan_choose (chosen, i, "cpu");
    seam_plan_unref (chosen);
    chosen = next;
  }
  return chosen;
}

/* The largest error as a part of its bound; `bounds` NULL: of 1 + |b|. */
static double
get_share (const double *a, const double *b, gint64 n, const float *bounds)
{
  double largest = 0;

  for (gint64 i = 0; i < n; i++) {
    double share = fabs (a[i] - b[i]) / (bounds != NULL ? (double)bounds[i] : 1 + fabs (b[i]));
    if (!(share <= largest))
      largest = isnan (share) ? INFINITY : share;
  }
  return largest;
}

/* Compared with `between`, `all` changes only the output, by one rounding: the math mode rounds
 * input and weight in any case. */
static void
check_all (const Fixture *f, const SeamPlan *plan, double *const *between, double *const *all,
           const char *what)
{
  for (int i = 0; i < f->problem->n_tensors; i++) {
    const SeamTensor *tensor = &f->problem->tensors[i];

    g_assert_true ((all[i] != NULL) == (between[i] != NULL));
    for (gint64 j = 0; all[i] != NULL && j < tensor->n_elements; j++) {
      float expected = seam_operand_round (tensor->type, (float)between[i][j]);

      if ((float)all[i][j] != expected)
        g_error ("%s, plan %s: element %" G_GINT64_FORMAT " of “%s” is %.9g with storage all, "
                 "not %.9g",
                 what, plan->notation, j, tensor->name, all[i][j], (double)expected);
    }
  }
}

/* Partitions by generated code and by the program's loops, in both storages; `reference` is of
 * numbers that were not rounded. Takes ownership of the fixture. */
static void
check_partitions (Fixture *f, SeamMathMode mode, const double *reference, const char *what)
{
  const SeamPipeline *pipeline = f->problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  const char *name = seam_math_mode_get_name (mode);
  const SeamOperandType type = seam_math_mode_get_operand (mode);
  const int output = SEAM_TENSOR_OUTPUT (f->n_ops - 1);
  const gint64 n = fixture_n_outputs (f);
  double bounds[SEAM_MAX_OPS], shares[SEAM_N_STORAGES] = { 0 }, apart = 0;
  float *limits[SEAM_N_STORAGES] = { NULL };
  g_autofree double *first = NULL;

  f->math_mode = mode;
  g_autofree float *before_norm = fixture_before_norm (f, 0);
  g_autofree double *products = make_products (f);
  fixture_error_bounds (f, chain, before_norm, bounds);
  for (SeamStorage s = SEAM_STORAGE_BETWEEN; s < SEAM_N_STORAGES; s++) {
    seam_problem_set_storage (f->problem, s, type);
    limits[s] = bound_new (f, mode, 1);
  }

  for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
    if (!extent_takes (pipeline, chain->n_ops, seams))
      continue;
    g_autoptr (SeamPlan) generated = seam_plan_new ((SeamPipeline *)pipeline, 0, seams);
    g_autoptr (SeamPlan) loops = choose_loops (generated);
    const SeamPlan *plans[] = { generated, loops };

    for (gsize i = 0; i < G_N_ELEMENTS (plans); i++) {
      double *values[SEAM_N_STORAGES][SEAM_MAX_TENSORS] = { { NULL } };

      for (SeamStorage s = SEAM_STORAGE_BETWEEN; s < SEAM_N_STORAGES; s++) {
        seam_problem_set_storage (f->problem, s, type);
        run_all (f, plans[i], values[s]);
        check_groups (f, plans[i], values[s], products, bounds, what);
        double share = get_share (values[s][output], reference, n, limits[s]);
        if (!(share <= 1))
          g_error ("%s, plan %s, %s: %g of the bound from FP64", what, plans[i]->notation,
                   seam_choice_get_name (seam_storages, s), share);
        shares[s] = MAX (shares[s], share);
      }
      check_all (f, plans[i], values[SEAM_STORAGE_BETWEEN], values[SEAM_STORAGE_ALL], what);
      if (first == NULL)
        first = g_memdup2 (values[SEAM_STORAGE_BETWEEN][output], (gsize)n * sizeof (double));
      apart = MAX (apart, get_share (values[SEAM_STORAGE_BETWEEN][output], first, n, NULL));
      for (SeamStorage s = SEAM_STORAGE_BETWEEN; s < SEAM_N_STORAGES; s++)
        free_all (values[s]);
    }
  }
  g_test_message ("%s, %s: from FP64 at most %.2f of the bound between, %.2f all", what, name,
                  shares[SEAM_STORAGE_BETWEEN], shares[SEAM_STORAGE_ALL]);
  /* Values were rounded between kernels: plans with other cuts round at other places, and differ
   * by more than a tenth of the 16-bit type's unit roundoff if there are enough elements. */
  if (n > 1000)
    g_assert_cmpfloat (apart, >, 0.1 * (type == SEAM_OPERAND_BF16 ? 0x1p-8 : 0x1p-11));
  for (SeamStorage s = SEAM_STORAGE_BETWEEN; s < SEAM_N_STORAGES; s++)
    g_free (limits[s]);
  fixture_free (f);
}

static void
check_cases (SeamMathMode mode, gboolean only_convolutions)
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
    /* groups of one channel, of two and of three */
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=2,in_channels=3,out_channels=10,height=12,width=10,kernel_size=3,groups=10" },
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=2,in_channels=3,out_channels=64,height=12,width=10,kernel_size=3,groups=32" },
    { "conv-bias-scale-sigmoid-groupnorm",
      "batch=2,in_channels=3,out_channels=96,height=12,width=10,kernel_size=3,groups=32" },
    { "conv-relu-hardswish",
      "batch=2,in_channels=4,out_channels=9,height=18,width=37,kernel_size=5" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    if (only_convolutions && !g_str_has_prefix (cases[i].id, "conv"))
      continue;
    /* Sanitizers look at accesses: a small case of each kind has all of them. */
    if (EXTENT_IS_SANITIZED && i % 4 != 2)
      continue;
    g_autofree char *what = g_strdup_printf ("%s %s", cases[i].id, cases[i].shape);
    Fixture *f = fixture_new (make_problem (cases[i].id, cases[i].shape, SEAM_STORAGE_FP32, mode));

    fixture_fill (f, 5, SEAM_DISTRIBUTION_UNIFORM);
    g_autofree double *reference = fixture_reference (f);
    check_partitions (f, mode, reference, what);
  }
}

static void
test_partitions (gconstpointer data)
{
  check_cases (*(const SeamMathMode *)data, FALSE);
}

/* The same for the golden cases, with PyTorch's FP64 output as the reference. */
static void
test_golden (gconstpointer data)
{
  const SeamMathMode mode = *(const SeamMathMode *)data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) golden = g_dir_open (g_getenv ("SEAMSCOPE_TEST_GOLDEN"), 0, &error);
  const char *id;
  int n_cases = 0;

  g_assert_no_error (error);
  while ((id = g_dir_read_name (golden)) != NULL) {
    int number;

    for (number = 0;; number++) {
      g_autofree char *what = g_strdup_printf ("%s, golden case %d", id, number);
      g_autofree double *reference = NULL;
      Fixture *f = fixture_new_golden (id, number, &reference);

      if (f == NULL)
        break;
      check_partitions (f, mode, reference, what);
    }
    n_cases += number;
  }
  g_assert_cmpint (n_cases, >=, 20);
}

/* Without the wide loops convolutions go through oneDNN. */
static void
test_narrow (gconstpointer data)
{
  fixture_close_device ();
  g_setenv ("SEAMSCOPE_CPU_LOOPS", "baseline", TRUE);
  check_cases (*(const SeamMathMode *)data, TRUE);
  fixture_close_device ();
  g_unsetenv ("SEAMSCOPE_CPU_LOOPS");
}

/* A custom chain with a product after a GroupNorm that is not the last op: values have to
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
  g_autofree double *products = make_products (f);
  fixture_error_bounds (f, &pipeline->chains[0], before_norm, bounds);
  for (guint32 seams = 0; seams < 16; seams++) {
    g_autoptr (SeamPlan) generated = seam_plan_new (pipeline, 0, seams);
    g_autoptr (SeamPlan) loops = choose_loops (generated);
    double *values[SEAM_MAX_TENSORS] = { NULL };

    for (SeamStorage s = SEAM_STORAGE_BETWEEN; s < SEAM_N_STORAGES; s++) {
      seam_problem_set_storage (f->problem, s, seam_math_mode_get_operand (mode));
      run_all (f, generated, values);
      check_groups (f, generated, values, products, bounds, "residual, generated");
      free_all (values);
      run_all (f, loops, values);
      check_groups (f, loops, values, products, bounds, "residual, loops");
      free_all (values);
    }
  }
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/storage-cpu/partitions/fp16", &modes[0], test_partitions);
  g_test_add_data_func ("/storage-cpu/partitions/bf16", &modes[1], test_partitions);
  g_test_add_data_func ("/storage-cpu/partitions/blas", &modes[0], test_narrow);
  g_test_add_data_func ("/storage-cpu/golden/fp16", &modes[0], test_golden);
  g_test_add_data_func ("/storage-cpu/golden/bf16", &modes[1], test_golden);
  g_test_add_data_func ("/storage-cpu/own-pipeline/fp16", &modes[0], test_own_pipeline);
  g_test_add_data_func ("/storage-cpu/own-pipeline/bf16", &modes[1], test_own_pipeline);
  return g_test_run ();
}
