/* SPDX-License-Identifier: MIT
 *
 * A chain whose values differ in size, through plans, traffic, memory, a run, the comparison, the
 * ledger and the strip. Its sum over the features is an op that only this test knows, and so is the
 * device that executes it, with plain loops.
 */
#include "app/figure/strip.h"
#include "app/plan/ledger.h"
#include "app/runner/run-private.h"

#include <math.h>
#include <string.h>

#define N 6
#define C 5
#define K 8

static void
infer_sum (const SeamShape *x, const SeamShape *param, SeamShape *y)
{
  *y = (SeamShape){ 2, { x->dims[0], 1 } };
}

static void
get_sum_axes (const SeamShape *x, const SeamShape *param, gint64 n_groups, SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_ALL, x->dims[1] };
}

static const SeamOpAttributes sum_attributes = { .block = "Σ",
                                                 .infer = infer_sum,
                                                 .axes = get_sum_axes };

static const SeamOpInfo sum_info = {
  .name = "sum",
  .op_class = SEAM_CLASS_REDUCE,
  .kind = SEAM_KIND_NORMALISATION,
  .operations = 1,
  .attributes = &sum_attributes,
};

/* --- The device --- */

struct SeamPrepared {
  const SeamProblem *problem;
  const SeamChain *chain;
  int first, last;
  SeamBuffer *tensors[SEAM_MAX_TENSORS];
};

static const SeamBackend *cpu;

static void
fake_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support)
{
  *support = (SeamSupport){ .level = SEAM_SUPPORT_YES,
                            .implementation = g_strdup ("plain"),
                            .executed = g_strdup ("plain"),
                            .n_kernels = 1 };
}

static SeamPrepared *
fake_prepare (SeamDevice *device, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
              SeamCancel *cancel, GError **error)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  SeamPrepared *prepared = g_new0 (SeamPrepared, 1);

  prepared->problem = spec->problem;
  prepared->chain = seam_plan_get_chain (spec->plan);
  prepared->first = group->first;
  prepared->last = group->last;
  memcpy (prepared->tensors, tensors, sizeof *tensors * (gsize)spec->problem->n_tensors);
  return prepared;
}

static void
fake_free (SeamDevice *device, SeamPrepared *prepared)
{
  g_free (prepared);
}

static const char *
fake_get_executed (SeamPrepared *prepared)
{
  return "plain";
}

/* The numbers of a tensor; newly allocated. */
static float *
fetch (SeamDevice *device, const SeamPrepared *p, int tensor)
{
  const SeamTensor *t = &p->problem->tensors[tensor];
  float *values = g_new (float, t->n_elements);

  g_assert_true (cpu->download (device, values, p->tensors[tensor], 0, t->bytes, NULL));
  return values;
}

static float *
execute_op (SeamDevice *device, const SeamPrepared *p, int op, const float *x)
{
  const SeamOp *o = &p->chain->ops[op];
  const SeamShape *in = seam_problem_get_shape (p->problem, SEAM_TENSOR_OUTPUT (op - 1));
  const SeamTensor *out = &p->problem->tensors[SEAM_TENSOR_OUTPUT (op)];
  const gint64 depth = in->dims[1], width = out->shape.dims[1];
  g_autofree float *param =
      o->params[0] >= 0 ? fetch (device, p, SEAM_TENSOR_PARAM (p->chain->n_ops, o->params[0]))
                        : NULL;
  float *y = g_new0 (float, out->n_elements);

  for (gint64 i = 0; i < out->n_elements; i++) {
    const float *row = x + i / width * depth;

    if (o->type == SEAM_OP_MATMUL)
      for (gint64 c = 0; c < depth; c++)
        y[i] += row[c] * param[i % width * depth + c];
    else if (o->type == SEAM_N_OP_TYPES)
      for (gint64 c = 0; c < depth; c++)
        y[i] += row[c];
    else if (o->type == SEAM_OP_ADD_CHANNEL)
      y[i] = x[i] + param[i % width];
    else
      y[i] = fmaxf (x[i], 0);
  }
  return y;
}

static gboolean
fake_run (SeamDevice *device, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
          GError **error)
{
  for (int g = 0; g < n_groups; g++) {
    const SeamPrepared *p = groups[g];
    float *x = fetch (device, p, SEAM_TENSOR_OUTPUT (p->first - 1));

    for (int op = p->first; op <= p->last; op++) {
      SeamBuffer *kept = p->tensors[SEAM_TENSOR_OUTPUT (op)];
      float *y = execute_op (device, p, op, x);

      if (kept != NULL)
        g_assert_true (cpu->upload (device, kept, 0, y,
                                    p->problem->tensors[SEAM_TENSOR_OUTPUT (op)].bytes, error));
      g_free (x);
      x = y;
    }
    g_free (x);
  }
  return TRUE;
}

static gboolean
fake_time (SeamDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
           SeamSample *sample, GError **error)
{
  sample->elapsed_ns = 1000.0 * n_groups;
  return fake_run (device, groups, n_groups, NULL, error);
}

static SeamTrace *
fake_trace (SeamDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
            GError **error)
{
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "No records here.");
  return NULL;
}

/* --- The chain --- */

/* #76 as matmul, bias, sum (`where` 2) or as matmul, sum, ReLU (`where` 1). */
static SeamPipeline *
make_pipeline (int where)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  SeamOp *op = &pipeline->chains[0].ops[where];

  g_assert_no_error (error);
  seam_op_set_extra (&sum_info);
  op->type = SEAM_N_OP_TYPES;
  op->params[0] = -1;
  return pipeline;
}

static SeamProblem *
make_problem (SeamPipeline *pipeline)
{
  g_autoptr (GError) error = NULL;
  SeamProblem *problem = seam_problem_new_from_text (
      pipeline, NULL,
      "batch=" G_STRINGIFY (N) ",in_features=" G_STRINGIFY (C) ",out_features=" G_STRINGIFY (K),
      &error);

  g_assert_no_error (error);
  return problem;
}

/* What the plans say of the chain, in bytes. */
static void
check_model (const SeamProblem *problem, int where)
{
  const double x = 4 * N * C, w = 4 * K * C, b = where == 2 ? 4 * K : 0, large = 4 * N * K,
               small = 4 * N;
  const double first = large, second = where == 2 ? large : small;
  g_autoptr (SeamPlan) unfused = seam_plan_new (problem->pipeline, 0, 0);
  g_autoptr (SeamPlan) full = seam_plan_new (problem->pipeline, 0, 3);
  g_autofree char *sentence = seam_strip_describe_seam (problem, unfused, NULL, where == 2 ? 1 : 0);
  g_autofree char *after = seam_strip_describe_seam (problem, unfused, NULL, 1);
  const SeamStripOptions options = { .width = 900, .letter = 'A' };
  g_autoptr (SeamFigure) figure = seam_strip_figure_new (problem, unfused, NULL, &options);
  SeamPlanCost cost;
  SeamPlacement placement;
  SeamLedger ledger;
  SeamTransfers total;

  seam_plan_cost (problem, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, x + w + b + 2 * first + 2 * second + small);
  /* All parameters are there, also one that no op reads: one number for the output's channel. */
  g_assert_cmpfloat (cost.bytes_allocated, ==,
                     x + w + (where == 2 ? b : 4) + first + second + small);
  g_assert_cmpfloat (cost.flop, ==, 2 * N * K * C);
  seam_ledger_fill (problem, unfused, &ledger);
  total = seam_ledger_get_total (&ledger);
  g_assert_cmpfloat (total.written, ==, first + second + small);
  g_assert_cmpfloat (seam_ledger_get_tensor (&ledger, SEAM_TENSOR_OUTPUT (1)).written, ==, second);
  g_assert_cmpfloat (seam_plan_seam_bytes (problem, unfused, 1), ==, 2 * second);
  seam_plan_cost (problem, full, &cost);
  g_assert_cmpfloat (cost.bytes, ==, x + w + b + small);
  seam_memory_place (problem, unfused, &placement);
  g_assert_cmpint (placement.n_slots, ==, 2);
  g_assert_cmpfloat ((double)placement.bytes[0], ==, first);
  g_assert_cmpfloat ((double)placement.bytes[1], ==, second);
  /* The output is [6, 1] in both, and so is what the sum in the middle writes. */
  g_assert_nonnull (strstr (sentence, "[6, 8]"));
  g_assert_nonnull (strstr (after, where == 2 ? "[6, 8]" : "[6, 1]"));
  g_assert_cmpfloat (figure->width, >=, 900);
}

static void
check_outputs (SeamRunner *runner, const SeamRunRequest *request, int where)
{
  const SeamProblem *problem = runner->problem;
  float x[N * C], w[K * C], b[K], y[2][N];

  for (int i = 0; i < 3; i++)
    seam_problem_fill_tensor (problem, i == 0 ? SEAM_TENSOR_INPUT : SEAM_TENSOR_PARAM (3, i - 1),
                              request->settings.seed, request->settings.distribution,
                              request->settings.init_mode,
                              i == 0   ? x
                              : i == 1 ? w
                                       : b);
  for (int plan = 0; plan < 2; plan++)
    g_assert_true (seam_runner_download_values (runner, y[plan], runner->plans[plan].output,
                                                SEAM_OPERAND_FP32, 0, N, NULL, NULL));
  for (int n = 0; n < N; n++) {
    double sum = 0;

    for (int k = 0; k < K; k++) {
      sum += where == 2 ? (double)b[k] : 0;
      for (int c = 0; c < C; c++)
        sum += (double)x[n * C + c] * (double)w[k * C + c];
    }
    g_assert_cmpfloat_with_epsilon (y[0][n], where == 2 ? sum : fmax (sum, 0), 1e-5);
    g_assert_cmpfloat (y[1][n], ==, y[0][n]);
  }
}

static void
test_sum (gconstpointer data)
{
  const int where = GPOINTER_TO_INT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = make_pipeline (where);
  g_autoptr (SeamProblem) problem = make_problem (pipeline);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  SeamBackend fake;
  const SeamDifference *difference;

  check_model (problem, where);
  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,full", ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = 0.02;
  request->settings.atol = request->settings.rtol = 1e-5; /* the sum has no bound */
  runner->device = seam_backend_open ("cpu", &error);
  runner->asked = g_strdup ("cpu");
  g_assert_no_error (error);
  cpu = runner->device->backend;
  fake = *cpu;
  fake.supports = fake_supports;
  fake.prepare = fake_prepare;
  fake.free_prepared = fake_free;
  fake.get_executed = fake_get_executed;
  fake.get_tile = NULL;
  fake.get_note = NULL;
  fake.run = fake_run;
  fake.time = fake_time;
  fake.trace = fake_trace;
  runner->device->backend = &fake;

  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  check_outputs (runner, request, where);
  g_assert_cmpint (result->plans[0].n_groups, ==, 3);
  g_assert_cmpint (result->plans[1].n_groups, ==, 1);
  g_assert_cmpfloat (result->plans[0].median_ns, ==, 3000);
  difference = result->plans[1].difference;
  g_assert_cmpint (difference->spec.rows, ==, N);
  g_assert_cmpint (difference->spec.columns, ==, 1);
  g_assert_cmpint (difference->n_elements, ==, N);
  g_assert_cmpint (difference->n_failing, ==, 0);
  g_assert_cmpfloat (difference->max_abs_b, >, 0.01);
  seam_runner_release (runner);
}

/* A vector behind the sum has one element, for the one channel that the sum leaves. */
static void
test_params (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("matmul-swish-bias-groupnorm", &error);
  SeamChain *chain = &pipeline->chains[0];
  g_autoptr (SeamProblem) problem = NULL;
  g_autofree char *text = NULL;
  SeamShape shape;
  int bias = -1;

  g_assert_no_error (error);
  for (int i = 0; i < chain->n_ops; i++)
    if (chain->ops[i].type == SEAM_OP_ADD_CHANNEL)
      bias = i;
  g_assert_cmpint (bias, >, 1);
  seam_op_set_extra (&sum_info);
  chain->ops[bias - 1].type = SEAM_N_OP_TYPES;
  problem = seam_problem_new_from_text (pipeline, NULL,
                                        "batch=6,in_features=5,out_features=8,groups=1", &error);
  g_assert_no_error (error);
  shape = seam_op_get_param_shape (problem, chain, 0, 0);
  g_assert_cmpint (shape.n_dims, ==, 2);
  g_assert_cmpint (shape.dims[0], ==, K);
  g_assert_cmpint (shape.dims[1], ==, C);
  shape = seam_op_get_param_shape (problem, chain, bias, 0);
  g_assert_cmpint (shape.n_dims, ==, 1);
  g_assert_cmpint (shape.dims[0], ==, 1);
  g_assert_cmpint (
      problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[bias].params[0])].bytes, ==, 4);
  text = seam_op_describe (problem, chain, bias);
  g_assert_cmpstr (text, ==, "+ [1]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shapes/params", test_params);
  g_test_add_data_func ("/shapes/sum-at-the-end", GINT_TO_POINTER (2), test_sum);
  g_test_add_data_func ("/shapes/sum-between", GINT_TO_POINTER (1), test_sum);
  return g_test_run ();
}
