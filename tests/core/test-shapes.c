/* SPDX-License-Identifier: MIT
 *
 * A chain whose values differ in size, through plans, traffic, memory, the ledger and the strip.
 */
#include "app/figure/strip.h"
#include "app/plan/ledger.h"
#include "app/runner/run-private.h"

#include <string.h>

#define N 6
#define C 5
#define K 8

/* --- The chain --- */

static void
make_sum (SeamOp *op)
{
  op->type = SEAM_OP_REDUCE_SUM;
  op->params[0] = op->inputs[1] = -1;
  op->numbers[SEAM_NUMBER_AXES] = 1 << 1;
  op->numbers[SEAM_NUMBER_KEEPDIM] = TRUE;
}

/* #76 as matmul, bias, sum (`where` 2) or as matmul, sum, ReLU (`where` 1). */
static SeamPipeline *
make_pipeline (int where)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  SeamOp *op = &pipeline->chains[0].ops[where];

  g_assert_no_error (error);
  make_sum (op);
  pipeline->n_chains = 1; /* the exhibits have no sum */
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
  seam_memory_place (problem, unfused, FALSE, &placement);
  g_assert_cmpint (placement.n_slots, ==, 2);
  g_assert_cmpfloat ((double)placement.bytes[0], ==, first);
  g_assert_cmpfloat ((double)placement.bytes[1], ==, second);
  /* The output is [6, 1] in both, and so is what the sum in the middle writes. */
  g_assert_nonnull (strstr (sentence, "[6, 8]"));
  g_assert_nonnull (strstr (after, where == 2 ? "[6, 8]" : "[6, 1]"));
  g_assert_cmpfloat (figure->width, >=, 900);
}

static void
test_sum (gconstpointer data)
{
  g_autoptr (SeamPipeline) pipeline = make_pipeline (GPOINTER_TO_INT (data));
  g_autoptr (SeamProblem) problem = make_problem (pipeline);

  check_model (problem, GPOINTER_TO_INT (data));
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
  make_sum (&chain->ops[bias - 1]);
  pipeline->n_chains = 1; /* the exhibits have no sum */
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
