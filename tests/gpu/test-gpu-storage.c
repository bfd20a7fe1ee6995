/* SPDX-License-Identifier: MIT
 *
 * Tensors of 16 bits in memory on the GPU: every partition of every pipeline against FP64 within
 * the tolerance that a run states, and group by group against the CPU backend with the same numbers
 * that the GPU's group read. Without a GPU every case is skipped with the reason. `--quick` runs
 * fewer partitions, and each storage in one type.
 */
#include "app/settings/settings.h"
#include "app/backend/matrix.h"
#include "app/compare/compare.h"
#include "app/runner/runner.h"
#include "tests/core/bound-fixture.h"
#include "tests/gpu/gpu-fixture.h"

#define N_GOLDEN 4

/* The tensors that a plan has in memory, with their raw bytes; NULL: not in memory. `split`:
 * groups of more than one kernel, which round inside. */
typedef struct {
  char *raw[SEAM_MAX_TENSORS];
  gboolean split[SEAM_MAX_OPS];
} Memory;

static void
memory_clear (Memory *memory)
{
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    g_clear_pointer (&memory->raw[i], g_free);
}

/* Element `at` of a tensor, as a double. */
static double
get_element (const SeamTensor *tensor, const char *raw, gint64 at)
{
  return tensor->type == SEAM_OPERAND_FP32
             ? (double)((const float *)(gconstpointer)raw)[at]
             : (double)seam_operand_unpack (tensor->type,
                                            ((const unsigned short *)(gconstpointer)raw)[at]);
}

/* Prepares and runs the plan on the GPU, after poisoning every tensor that it writes. */
static void
run_plan (const Fixture *f, const SeamPlan *plan, Memory *memory)
{
  const SeamBackend *backend = gpu->backend;
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  SeamPrepared *groups[SEAM_MAX_OPS] = { NULL };
  g_autoptr (GError) error = NULL;

  *memory = (Memory){ 0 };
  for (int i = 0; i < f->problem->n_tensors; i++)
    if (seam_plan_is_materialised (plan, i)) {
      buffers[i] = backend->allocate (gpu, f->problem->tensors[i].bytes, &error);
      g_assert_no_error (error);
      if (!fixture_is_op_output (f, i)) {
        g_autofree void *data = fixture_pack (f, i);
        g_assert_true (
            backend->upload (gpu, buffers[i], 0, data, f->problem->tensors[i].bytes, &error));
      }
    }
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupSpec spec = { f->problem, plan, i, f->math_mode };
    SeamSupport support = { 0 };

    backend->supports (gpu, &spec, &support);
    if (support.level == SEAM_SUPPORT_NO)
      g_error ("plan %s, group %d: %s", plan->notation, i, support.reason);
    memory->split[i] = support.level == SEAM_SUPPORT_SPLIT;
    g_assert_true (support.level == SEAM_SUPPORT_YES || support.reason != NULL);
    seam_support_clear (&support);
    groups[i] = backend->prepare (gpu, &spec, buffers, NULL, &error);
    if (groups[i] == NULL)
      g_error ("plan %s, group %d: %s", plan->notation, i, error->message);
  }
  for (int i = 0; i < f->problem->n_tensors; i++)
    if (fixture_is_op_output (f, i) && buffers[i] != NULL)
      g_assert_true (backend->poison (gpu, buffers[i], NULL, &error));
  if (!backend->run (gpu, groups, plan->n_groups, NULL, &error))
    g_error ("plan %s: %s", plan->notation, error->message);
  for (int i = 0; i < f->problem->n_tensors; i++) {
    const gint64 bytes = f->problem->tensors[i].bytes;

    if (buffers[i] == NULL)
      continue;
    memory->raw[i] = g_malloc ((gsize)bytes);
    g_assert_true (backend->download (gpu, memory->raw[i], buffers[i], 0, bytes, &error));
  }
  for (int i = 0; i < plan->n_groups; i++)
    backend->free_prepared (gpu, groups[i]);
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    backend->release (gpu, buffers[i]);
}

/* One unit in the last place of a tensor's numbers around `value`, which is twice the rounding
 * error: two sums that differ by little may lie on different sides of a tie. */
static double
get_unit (const SeamTensor *tensor, double value)
{
  const int bits = tensor->type == SEAM_OPERAND_FP16 ? 11 : 8;
  const double least = tensor->type == SEAM_OPERAND_FP16 ? 0x1p-24 : 0x1p-133;

  if (tensor->type == SEAM_OPERAND_FP32)
    return 0;
  return MAX (ldexp (1, ilogb (MAX (fabs (value), 1e-300)) - bits + 1), least);
}

/* The same partition with the CPU backend's own loops, which need no compiler. */
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

/* Checks every group that is a single kernel against the CPU, which gets the input of the GPU's
 * group: `bounds` is FP32's error of each op. */
static void
check_groups (Fixture *f, const SeamPlan *plan, const Memory *memory, const double *bounds,
              const char *what)
{
  const SeamBackend *backend = f->device->backend;
  g_autoptr (SeamPlan) loops = choose_loops (plan);
  g_autoptr (GError) error = NULL;
  Execution execution;

  execution_init (&execution, f, loops, NULL);
  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;

    seam_plan_get_group_tensors (plan, group, &tensors);
    if (memory->split[group])
      continue;
    for (int i = 0; i < tensors.n_inputs; i++)
      g_assert_true (backend->upload (f->device, execution.buffers[tensors.inputs[i]], 0,
                                      memory->raw[tensors.inputs[i]],
                                      f->problem->tensors[tensors.inputs[i]].bytes, &error));
    backend->run (f->device, &execution.groups[group], 1, NULL, &error);
    g_assert_no_error (error);
    for (int i = 0; i < tensors.n_outputs; i++) {
      const SeamTensor *tensor = &f->problem->tensors[tensors.outputs[i]];
      const double bound = 2 * bounds[tensors.outputs[i] - SEAM_TENSOR_OUTPUT (0)];
      g_autofree char *raw = g_malloc ((gsize)tensor->bytes);

      g_assert_true (backend->download (f->device, raw, execution.buffers[tensors.outputs[i]], 0,
                                        tensor->bytes, &error));
      for (gint64 j = 0; j < tensor->n_elements; j++) {
        const double on_cpu = get_element (tensor, raw, j);
        const double on_gpu = get_element (tensor, memory->raw[tensors.outputs[i]], j);
        const double limit = bound + get_unit (tensor, fabs (on_cpu) + bound);

        if (!(fabs (on_gpu - on_cpu) <= limit))
          g_error ("%s, plan %s: element %" G_GINT64_FORMAT " of “%s” is %.9g, on the CPU %.9g; "
                   "limit %g",
                   what, plan->notation, j, tensor->name, on_gpu, on_cpu, limit);
      }
    }
  }
  execution_clear (&execution, f);
}

/* Largest |a - b| divided by the bound; infinity with a NaN. */
static double
get_error_ratio (const SeamTensor *tensor, const char *raw, const double *reference,
                 const float *limits)
{
  double largest = 0;

  for (gint64 i = 0; i < tensor->n_elements; i++) {
    double ratio = fabs (get_element (tensor, raw, i) - reference[i]) / (double)limits[i];
    if (!(ratio <= largest))
      largest = isnan (ratio) ? INFINITY : ratio;
  }
  return largest;
}

/* The values and bounds for a fixture's plans. */
typedef struct {
  Fixture *f;
  char *what;
  double *reference;           /* FP64, for the tensors as they are in memory */
  double bounds[SEAM_MAX_OPS]; /* FP32's error of each op */
  float *limits;               /* the bound of each output */
  double largest;              /* the largest part of it that was found */
} Check;

/* Takes ownership of the fixture, whose tensors get the storage. */
static void
check_init (Check *check, Fixture *f, SeamMathMode mode, SeamStorage storage, const char *shape)
{
  const SeamPipeline *pipeline = f->problem->pipeline;
  const char *name = seam_math_mode_get_name (mode);
  g_autofree float *before_norm = NULL;

  f->math_mode = mode;
  *check = (Check){ .f = f };
  check->what = g_strdup_printf ("%s %s, %s, storage %s", pipeline->id, shape, name,
                                 seam_choice_get_name (seam_storages, storage));
  before_norm = fixture_before_norm (f, 0);
  fixture_error_bounds (f, &pipeline->chains[0], before_norm, check->bounds);
  /* A library's convolution may sum transformed values, and tensor cores truncate. */
  for (int i = 0; i < f->n_ops; i++)
    check->bounds[i] *= 10;
  check->reference = fixture_reference (f);
  seam_problem_set_storage (f->problem, storage, seam_math_mode_get_operand (mode));
  check->limits = bound_new (f, mode, 1);
}

static void
check_plan (Check *check, const SeamPlan *plan)
{
  const int output = SEAM_TENSOR_OUTPUT (check->f->n_ops - 1);
  Memory memory;
  double ratio;

  run_plan (check->f, plan, &memory);
  check_groups (check->f, plan, &memory, check->bounds, check->what);
  ratio = get_error_ratio (&check->f->problem->tensors[output], memory.raw[output],
                           check->reference, check->limits);
  if (!(ratio <= 1))
    g_error ("%s, plan %s: %g of the bound from FP64", check->what, plan->notation, ratio);
  check->largest = MAX (check->largest, ratio);
  memory_clear (&memory);
}

static void
check_clear (Check *check)
{
  g_test_message ("%s: from FP64 at most %.2g of the bound", check->what, check->largest);
  g_free (check->limits);
  fixture_free (check->f);
  g_free (check->what);
  g_free (check->reference);
}

/* Checks libraries and generated kernels. Takes ownership of the fixture. */
static void
check_partitions (Fixture *f, SeamMathMode mode, SeamStorage storage, guint32 step,
                  const char *shape)
{
  SeamPipeline *pipeline = f->problem->pipeline;
  const guint32 n = 1u << (f->n_ops - 1);
  Check check;

  check_init (&check, f, mode, storage, shape);
  for (guint32 seams = 0; seams < n; seams += seams == 0 || seams + step < n ? step : 1) {
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, seams);

    plan->groups[0].implementation = SEAM_IMPLEMENTATION_LIBRARY;
    check_plan (&check, plan);
  }
  check_clear (&check);
}

typedef struct {
  const char *pipeline;
  SeamMathMode mode;
  SeamStorage storage;
} Case;

/* Element counts that are multiples of 8, of 4, of 2, and odd, in planes, rows and groups: 16-bit
 * vectors of 8, of 4 and single numbers; GroupNorm in one pass and in two. */
static const struct {
  const char *pipeline, *shape;
} shapes[] = {
  { "conv-relu-bias", "batch=2,in_channels=3,out_channels=7,height=9,width=11,kernel_size=2" },
  { "conv-relu-bias", "batch=2,in_channels=8,out_channels=16,height=10,width=10,kernel_size=3" },
  { "conv-relu-bias", "batch=3,in_channels=8,out_channels=8,height=8,width=6,kernel_size=3" },
  { "gemm-bias-relu", "batch=5,in_features=7,out_features=13" },
  { "gemm-bias-relu", "batch=7,in_features=16,out_features=1028" },
  { "gemm-bias-relu", "batch=9,in_features=10,out_features=264" },
  { "matmul-swish-bias-groupnorm", "batch=9,in_features=31,out_features=256,groups=4" },
  { "matmul-swish-bias-groupnorm", "batch=7,in_features=17,out_features=105,groups=3" },
  { "matmul-swish-bias-groupnorm", "batch=5,in_features=17,out_features=36,groups=3" },
  { "matmul-swish-bias-groupnorm", "batch=2,in_features=5,out_features=20002,groups=2" },
  { "matmul-swish-bias-groupnorm", "batch=2,in_features=8,out_features=16400,groups=2" },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=2,in_channels=8,out_channels=8,height=70,width=70,kernel_size=3,groups=2" },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=3,in_channels=2,out_channels=10,height=12,width=12,kernel_size=5,groups=2" },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=1,in_channels=3,out_channels=6,height=103,width=67,kernel_size=2,groups=2" },
  { "conv-relu-hardswish",
    "batch=2,in_channels=8,out_channels=16,height=33,width=21,kernel_size=3" },
  { "conv-relu-hardswish",
    "batch=1,in_channels=5,out_channels=3,height=18,width=20,kernel_size=3" },
};

static void
test_shapes (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = NULL;
    Fixture *f;

    if (!g_str_equal (shapes[i].pipeline, c->pipeline))
      continue;
    pipeline = seam_pipeline_find (c->pipeline, &error);
    g_assert_no_error (error);
    f = fixture_new (seam_problem_new_from_text (pipeline, NULL, shapes[i].shape, &error));
    g_assert_no_error (error);
    fixture_fill (f, i + 1, SEAM_DISTRIBUTION_UNIFORM);
    check_partitions (f, c->mode, c->storage, quick ? 7 : 1, shapes[i].shape);
  }
}

static void
test_golden (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (int number = 0; number < (quick ? 1 : N_GOLDEN); number++) {
    g_autofree double *expected = NULL;
    g_autofree char *shape = g_strdup_printf ("golden case %d", number);
    Fixture *f = fixture_new_golden (c->pipeline, number, &expected);

    g_assert_nonnull (f);
    check_partitions (f, c->mode, c->storage, quick ? 5 : 1, shape);
  }
}

/* Hand-written kernels whose output has 16 bits in memory: columns that are a multiple of 16 (the
 * matmul for Hopper then stores 4 at a time), of 2, and odd; few rows, for which that matmul swaps
 * its operands; even and odd planes. */
static const struct {
  const char *pipeline, *shape, *plan;
} hand_plans[] = {
  { "gemm-bias-relu", "batch=70,in_features=64,out_features=144", "matmul+bias@hand|relu" },
  { "gemm-bias-relu", "batch=70,in_features=64,out_features=150", "matmul@hand|bias+relu" },
  { "gemm-bias-relu", "batch=70,in_features=64,out_features=149", "matmul+bias@hand|relu" },
  { "gemm-bias-relu", "batch=5,in_features=64,out_features=144", "matmul+bias@hand|relu" },
  { "gemm-bias-relu", "batch=70,in_features=33,out_features=148",
    "matmul+bias@hand-portable|relu" },
  { "gemm-bias-relu", "batch=7,in_features=34,out_features=37", "matmul+bias@hand-portable|relu" },
  { "matmul-swish-bias-groupnorm", "batch=37,in_features=64,out_features=256,groups=4",
    "matmul+matmul_bias+sigmoid+mul+bias@hand|groupnorm" },
  { "matmul-swish-bias-groupnorm", "batch=37,in_features=64,out_features=256,groups=4",
    "matmul+matmul_bias+sigmoid+mul+bias+groupnorm@hand" },
  { "gemm-bias-relu", "batch=70,in_features=64,out_features=144", "matmul+bias+relu@hand" },
  { "conv-relu-bias", "batch=2,in_channels=8,out_channels=16,height=13,width=12,kernel_size=3",
    "conv+conv_bias@hand-portable|relu+bias" },
  { "conv-relu-hardswish", "batch=1,in_channels=3,out_channels=7,height=9,width=11,kernel_size=3",
    "conv+conv_bias+relu@hand-portable|add3+div6+clamp+mul" },
  { "conv-relu-bias", "batch=2,in_channels=20,out_channels=128,height=13,width=22,kernel_size=3",
    "conv+conv_bias@hand|relu+bias" },
  { "conv-relu-bias", "batch=1,in_channels=24,out_channels=70,height=11,width=35,kernel_size=2",
    "conv+conv_bias@hand|relu+bias" },
  { "conv-relu-bias", "batch=2,in_channels=32,out_channels=128,height=13,width=22,kernel_size=3",
    "conv+conv_bias+relu+bias@hand" },
  { "conv-relu-hardswish", "batch=2,in_channels=5,out_channels=12,height=33,width=21,kernel_size=3",
    "conv+conv_bias+relu@hand|add3+div6+clamp+mul" },
  { "conv-relu-hardswish", "batch=1,in_channels=8,out_channels=64,height=19,width=22,kernel_size=3",
    "conv+conv_bias+relu+add3+div6+clamp+mul@hand" },
  { "conv-relu-hardswish", "batch=2,in_channels=3,out_channels=8,height=9,width=301,kernel_size=2",
    "conv+conv_bias+relu+add3+div6+clamp+mul@hand" },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=3,in_channels=8,out_channels=32,height=21,width=37,kernel_size=3,groups=8",
    "conv+conv_bias+bias+scale+sigmoid+groupnorm@hand-resident" },
  { "conv-bias-scale-sigmoid-groupnorm",
    "batch=2,in_channels=7,out_channels=40,height=23,width=34,kernel_size=3,groups=4",
    "conv+conv_bias+bias+scale+sigmoid+groupnorm@hand-recompute" },
};

static void
test_hand (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (hand_plans); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (hand_plans[i].pipeline, &error);
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, hand_plans[i].plan, &error);
    Fixture *f;
    Check check;

    g_assert_no_error (error);
    /* The portable kernels read FP32. */
    if (c->storage == SEAM_STORAGE_ALL && strstr (hand_plans[i].plan, "portable") != NULL)
      continue;
    f = fixture_new (seam_problem_new_from_text (pipeline, NULL, hand_plans[i].shape, &error));
    g_assert_no_error (error);
    fixture_fill (f, i + 1, SEAM_DISTRIBUTION_UNIFORM);
    check_init (&check, f, c->mode, c->storage, hand_plans[i].shape);
    check_plan (&check, plan);
    check_clear (&check);
  }
}

/* Exhibits are wrong in the same elements as on the CPU. */
static void
test_exhibits (gconstpointer data)
{
  const Case *c = data;

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (all_pipelines[i], &error);

    g_assert_no_error (error);
    for (int chain = 1; chain < pipeline->n_chains; chain++) {
      const guint32 n = 1u << (pipeline->chains[chain].n_ops - 1);
      const guint32 cuts[] = { 0, (n - 1) & ~1u };

      for (guint j = 0; j < G_N_ELEMENTS (cuts); j++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, cuts[j]);
        g_autoptr (SeamPlan) loops = choose_loops (plan);
        Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", NULL, &error));
        const SeamTensor *output = &f->problem->tensors[SEAM_TENSOR_OUTPUT (f->n_ops - 1)];
        g_autofree float *limits = NULL;
        Execution execution;
        Memory memory;
        g_autofree char *raw = NULL;

        g_assert_no_error (error);
        fixture_fill (f, 3, SEAM_DISTRIBUTION_NORMAL);
        f->math_mode = c->mode;
        seam_problem_set_storage (f->problem, c->storage, seam_math_mode_get_operand (c->mode));
        limits = bound_new (f, c->mode, 2);
        run_plan (f, plan, &memory);
        execution_init (&execution, f, loops, NULL);
        f->device->backend->run (f->device, execution.groups, execution.n_groups, NULL, &error);
        g_assert_no_error (error);
        raw = g_malloc ((gsize)output->bytes);
        g_assert_true (f->device->backend->download (
            f->device, raw, execution.buffers[SEAM_TENSOR_OUTPUT (f->n_ops - 1)], 0, output->bytes,
            &error));
        for (gint64 k = 0; k < output->n_elements; k++) {
          const double a = get_element (output, memory.raw[SEAM_TENSOR_OUTPUT (f->n_ops - 1)], k);
          const double b = get_element (output, raw, k);

          /* Unwritten elements hold the poison on both. */
          if (!(isnan (a) && isnan (b)) && !(fabs (a - b) <= limits[k]))
            g_error ("%s, plan %s: element %" G_GINT64_FORMAT " is %g, on the CPU %g",
                     pipeline->chains[chain].name, plan->notation, k, a, b);
        }
        execution_clear (&execution, f);
        memory_clear (&memory);
        fixture_free (f);
      }
    }
  }
}

/* Which kernels support 16-bit storage, and the refusals of the others; sources name the type. */
static void
test_supports (void)
{
  static const struct {
    const char *pipeline, *plan;
    int group;
    SeamSupportLevel level;
    const char *words;  /* in the name of the implementation, or in the refusal */
    const char *source; /* in the text of the group's first kernel */
    SeamStorage storage;
  } rows[] = {
    { "gemm-bias-relu", "unfused", 0, SEAM_SUPPORT_YES, "cublaslt", "output CUDA_R_16BF" },
    { "gemm-bias-relu", "unfused", 1, SEAM_SUPPORT_YES, "generated",
      "stored_inputs = 1u, stored_outputs = 1u" },
    { "gemm-bias-relu", "unfused", 2, SEAM_SUPPORT_YES, "generated",
      "stored_inputs = 1u, stored_outputs = 0u" },
    { "gemm-bias-relu", "epilogue", 0, SEAM_SUPPORT_YES, "cublaslt", "output CUDA_R_32F" },
    { "gemm-bias-relu", "matmul+bias@library|relu", 0, SEAM_SUPPORT_SPLIT, "cublaslt + generated",
      "Output: matmul [6, 12] in BF16" },
    { "gemm-bias-relu", "matmul+bias@cublaslt|relu", 0, SEAM_SUPPORT_NO,
      "bias of the output's type", NULL },
    { "gemm-bias-relu", "matmul|bias|relu@hand", 2, SEAM_SUPPORT_NO, "has 16 bits in memory",
      NULL },
    { "conv-relu-bias", "unfused", 0, SEAM_SUPPORT_YES, "cudnn", "in BF16" },
    { "gemm-bias-relu", "unfused", 0, SEAM_SUPPORT_YES, "cublaslt", "gemm.weight [12, 16] in BF16",
      SEAM_STORAGE_ALL },
    { "gemm-bias-relu", "unfused", 2, SEAM_SUPPORT_YES, "generated",
      "stored_inputs = 1u, stored_outputs = 1u", SEAM_STORAGE_ALL },
    { "gemm-bias-relu", "epilogue", 0, SEAM_SUPPORT_SPLIT, "cublaslt + generated",
      "output CUDA_R_16BF", SEAM_STORAGE_ALL },
    { "gemm-bias-relu", "matmul+bias+relu@hand", 0, SEAM_SUPPORT_YES, "hand", "output = 2",
      SEAM_STORAGE_ALL },
    { "gemm-bias-relu", "matmul+bias+relu@hand-portable", 0, SEAM_SUPPORT_NO,
      "reads an FP32 input and weight", NULL, SEAM_STORAGE_ALL },
  };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (rows[i].pipeline, &error);
    g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, rows[i].plan, &error);
    SeamSupport support = { 0 };

    g_assert_no_error (error);
    seam_problem_set_storage (problem, MAX (rows[i].storage, SEAM_STORAGE_BETWEEN),
                              SEAM_OPERAND_BF16);
    {
      SeamGroupSpec spec = { problem, plan, rows[i].group, SEAM_MATH_BF16 };
      g_autoptr (GPtrArray) list = NULL;

      gpu->backend->supports (gpu, &spec, &support);
      g_test_message ("%s, group %d: %s: %s", rows[i].plan, rows[i].group, support.executed,
                      support.reason != NULL ? support.reason : "");
      g_assert_cmpint (support.level, ==, rows[i].level);
      if (rows[i].level == SEAM_SUPPORT_NO) {
        g_assert_nonnull (strstr (support.reason, rows[i].words));
      } else {
        g_assert_cmpstr (support.executed, ==, rows[i].words);
        list = gpu->backend->get_source (gpu, &spec, &error);
        g_assert_no_error (error);
        if (strstr (((SeamSource *)list->pdata[0])->text, rows[i].source) == NULL)
          g_error ("“%s” is not in:\n%s", rows[i].source, ((SeamSource *)list->pdata[0])->text);
      }
    }
    seam_support_clear (&support);
  }
}

/* A whole run: compared within the stated tolerance, and its description. */
static void
test_run (void)
{
  static const char *const plans[] = { "unfused", "published", "full", "missing-tail", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamResult) result = NULL;
  g_autofree char *provenance = NULL;

  if (skip_without_gpu ())
    return;
  memcpy (request->values, seam_pipeline_get_preset (pipeline, "tiny", &error)->values,
          sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cuda:0");
  request->settings.budget_s = 0.05;
  request->settings.math_mode = SEAM_MATH_FP16;
  request->settings.storage = SEAM_STORAGE_BETWEEN;
  result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  provenance = seam_result_get_provenance (result);
  g_assert_nonnull (strstr (provenance, "FP16 storage between kernels"));
  for (int i = 0; i < result->n_plans; i++) {
    if (result->plans[i].state != SEAM_PLAN_MEASURED)
      g_error ("%s: %s", plans[i], result->plans[i].message);
    g_assert_true (result->plans[i].stable);
  }
  g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  g_assert_cmpint (result->plans[2].difference->n_failing, ==, 0);
  g_assert_cmpint (result->plans[3].difference->n_failing, >, 0);
}

int
main (int argc, char **argv)
{
  static const SeamMathMode modes[] = { SEAM_MATH_FP16, SEAM_MATH_BF16 };
  static Case cases[SEAM_N_STORAGES][G_N_ELEMENTS (modes)][G_N_ELEMENTS (all_pipelines)];
  int status;

  open_gpu (&argc, &argv);
  for (SeamStorage storage = SEAM_STORAGE_BETWEEN; storage < SEAM_N_STORAGES; storage++)
    for (guint m = 0; m < G_N_ELEMENTS (modes); m++) {
      g_autofree char *folder =
          g_strdup_printf ("/gpu/storage/%s/%s", seam_choice_get_name (seam_storages, storage),
                           seam_math_mode_get_name (modes[m]));

      /* One type for each storage. */
      if (quick && (storage == SEAM_STORAGE_BETWEEN) != (modes[m] == SEAM_MATH_FP16))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
        g_autofree char *golden = g_strdup_printf ("%s/golden/%s", folder, all_pipelines[i]);
        g_autofree char *odd = g_strdup_printf ("%s/shapes/%s", folder, all_pipelines[i]);

        cases[storage][m][i] = (Case){ all_pipelines[i], modes[m], storage };
        g_test_add_data_func (golden, &cases[storage][m][i], test_golden);
        g_test_add_data_func (odd, &cases[storage][m][i], test_shapes);
      }
      {
        g_autofree char *exhibits = g_strdup_printf ("%s/exhibits", folder);
        g_autofree char *hand = g_strdup_printf ("%s/hand", folder);
        g_test_add_data_func (exhibits, &cases[storage][m][0], test_exhibits);
        g_test_add_data_func (hand, &cases[storage][m][0], test_hand);
      }
    }
  g_test_add_func ("/gpu/storage/supports", test_supports);
  g_test_add_func ("/gpu/storage/run", test_run);
  status = g_test_run ();
  close_gpu ();
  return status;
}
