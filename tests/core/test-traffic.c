/* SPDX-License-Identifier: MIT
 *
 * The byte and operation model against the table of the field notes (computed there by hand from
 * the shapes), and its invariants over every partition of every pipeline.
 */
#include "app/plan/traffic.h"

#include <math.h>

static double
get_gb (const SeamProblem *problem, const char *plan_text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (problem->pipeline, plan_text, &error);
  SeamPlanCost cost;

  g_assert_no_error (error);
  seam_plan_cost (problem, plan, &cost);
  return cost.bytes / 1e9;
}

/* Equal when both are rounded to the two decimals of the table. */
#define assert_gb(actual, expected) g_assert_cmpfloat_with_epsilon (actual, expected, 0.0050001)

static void
test_table (void)
{
  /* Unfused, published, full (GB) and the operations (GFLOP), field notes section 2. Of #37 unfused
   * the notes say 6.06; twelve passes over the 0.537 GB tensor and 0.151 GB of input and weight are
   * 6.59, which is what its ops read and write. */
  static const struct {
    const char *pipeline;
    double unfused, published, full, gflop;
  } rows[] = {
    { "conv-relu-bias", 7.82, 3.66, 1.58, 299.7 },
    { "gemm-bias-relu", 0.47, 0.40, 0.34, 137.4 },
    { "matmul-swish-bias-groupnorm", 6.59, 1.76, 0.69, 274.9 },
    { "conv-bias-scale-sigmoid-groupnorm", 12.95, 4.50, 1.33, 38.05 },
    { "conv-relu-hardswish", 7.35, 1.63, 0.59, 18.73 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (rows[i].pipeline, &error);
    g_autoptr (SeamProblem) problem = NULL;
    SeamFloor floor;
    g_assert_no_error (error);
    problem = seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
    g_assert_no_error (error);
    g_test_message ("%s", rows[i].pipeline);
    assert_gb (get_gb (problem, "unfused"), rows[i].unfused);
    assert_gb (get_gb (problem, "published"), rows[i].published);
    assert_gb (get_gb (problem, "full"), rows[i].full);
    seam_problem_get_floor (problem, 0, TRUE, 4.3e12, 495e12, &floor);
    assert_gb (floor.bytes / 1e9, rows[i].full);
    g_assert_cmpfloat_with_epsilon (floor.flop / 1e9, rows[i].gflop, 0.0005 * rows[i].gflop);
  }
}

static void
test_floor (void)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#1", NULL);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, NULL);
  SeamFloor floor;

  /* Field notes, section 2: 0.605 ms by compute in TF32, 4.47 ms in FP32. */
  seam_problem_get_floor (problem, 0, TRUE, 4.3e12, 495e12, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 0.605e6, 0.001e6);
  g_assert_false (floor.memory_bound);
  seam_problem_get_floor (problem, 0, TRUE, 4.3e12, 67e12, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 4.47e6, 0.01e6);
  seam_problem_get_floor (problem, 0, TRUE, 4.3e12, 0, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 1.578e9 / 4.3e12 * 1e9, 1e3);
  g_assert_true (floor.memory_bound);
  seam_problem_get_floor (problem, 0, TRUE, 0, 67e12, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 4.47e6, 0.01e6);
  g_assert_false (floor.memory_bound);
  seam_problem_get_floor (problem, 0, TRUE, 0, 0, &floor);
  g_assert_true (isnan (floor.floor_ns));

  /* A cache of 100 MB keeps as much of the output of a cold run, and everything of a small warm
   * one. */
  seam_problem_get_floor (problem, 100e6, TRUE, 4.3e12, 0, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 1.478e9 / 4.3e12 * 1e9, 1e3);
  g_assert_cmpfloat_with_epsilon (floor.bytes, 1.578e9, 1e6);
  seam_problem_get_floor (problem, 1e12, TRUE, 4.3e12, 0, &floor);
  g_assert_cmpfloat_with_epsilon (floor.floor_ns, 0.5372e9 / 4.3e12 * 1e9, 1e3);
  seam_problem_get_floor (problem, 1e12, FALSE, 4.3e12, 0, &floor);
  g_assert_cmpfloat (floor.floor_ns, ==, 0);
}

/* A large groupnorm reads its input twice, a small one once; an operand that is used only after the
 * statistics is read once. */
static void
test_passes (void)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#21", NULL);
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "epilogue", NULL);
  g_autoptr (SeamProblem) large = seam_problem_new_from_text (
      pipeline, NULL, "batch=2,in_channels=3,out_channels=4,height=130,width=66,groups=4", NULL);
  g_autoptr (SeamProblem) larger = seam_problem_new_from_text (
      pipeline, NULL, "batch=2,in_channels=3,out_channels=4,height=130,width=67,groups=4", NULL);
  SeamGroupCost cost;

  /* 128 x 64 = 8192 elements a group: still one pass. */
  seam_group_cost (large, plan, 1, &cost);
  g_assert_cmpint (cost.n_passes, ==, 1);
  g_assert_cmpfloat (cost.bytes_read, ==, 4.0 * (2 * 4 * 8192 + 2 * 4));
  g_assert_cmpfloat (cost.bytes_written, ==, 4.0 * 2 * 4 * 8192);
  seam_group_cost (larger, plan, 1, &cost);
  g_assert_cmpint (cost.n_passes, ==, 2);
  g_assert_cmpfloat (cost.bytes_read, ==, 4.0 * (2 * 2 * 4 * 128 * 65 + 2 * 4));
}

static void
test_invariants (void)
{
  g_autoptr (GPtrArray) list = seam_pipeline_list (NULL);

  g_assert_nonnull (list);
  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    const SeamPreset *largest = &pipeline->presets[pipeline->n_presets - 1];
    g_autoptr (SeamProblem) problem =
        seam_problem_new_from_text (pipeline, largest->name, NULL, NULL);
    int n_seams = pipeline->chains[0].n_ops - 1;
    SeamFloor floor;
    seam_problem_get_floor (problem, 0, TRUE, 0, 0, &floor);
    for (guint32 fused = 0; fused < 1u << n_seams; fused++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, fused);
      SeamPlanCost cost;
      seam_plan_cost (problem, plan, &cost);
      g_assert_cmpfloat (cost.bytes, >=, floor.bytes);
      g_assert_cmpfloat (cost.flop, ==, floor.flop);
      g_assert_cmpfloat (cost.bytes_allocated, >=, floor.bytes);
      for (int seam = 0; seam < n_seams; seam++) {
        g_autoptr (SeamPlan) other = seam_plan_toggle (plan, seam);
        SeamPlanCost other_cost;
        seam_plan_cost (problem, other, &other_cost);
        g_assert_cmpfloat (seam_plan_seam_bytes (problem, plan, seam), ==,
                           fabs (other_cost.bytes - cost.bytes));
        /* Fusing one more seam never costs traffic in these pipelines. */
        if (fused >> seam & 1)
          g_assert_cmpfloat (other_cost.bytes, >=, cost.bytes);
      }
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traffic/table", test_table);
  g_test_add_func ("/traffic/floor", test_floor);
  g_test_add_func ("/traffic/passes", test_passes);
  g_test_add_func ("/traffic/invariants", test_invariants);
  return g_test_run ();
}
