/* SPDX-License-Identifier: MIT
 *
 * The ceiling against the floor table of the field notes, and two invariants of every partition of
 * every pipeline: no plan is under the floor, and fusing never raises a limit.
 */
#include "app/plan/ceiling.h"

#include <math.h>

/* An H200 with the rates of the field notes, and without a cache, which that table does not
 * model. */
static const SeamRates h200_tf32 = { .bytes_per_s = 4.3e12, .flop_per_s = 495e12, .cold = TRUE };
static const SeamRates h200_fp32 = { .bytes_per_s = 4.3e12, .flop_per_s = 67e12, .cold = TRUE };

static SeamProblem *
make_problem (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (name, &error);
  SeamProblem *problem;

  g_assert_no_error (error);
  problem = seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  g_assert_no_error (error);
  return problem;
}

static void
test_table (void)
{
  /* Floors (ms), the limit that binds in TF32, and bytes of the unfused plan over the fewest
   * bytes: field notes, section 2; #37 with the corrected 6.59 GB. */
  static const struct {
    const char *pipeline;
    double tf32_ms, fp32_ms;
    gboolean tf32_memory;
    double gain_bytes;
  } rows[] = {
    { "conv-relu-bias", 0.605, 4.47, FALSE, 7.82 / 1.578 },
    { "gemm-bias-relu", 0.278, 2.05, FALSE, 0.47 / 0.336 },
    { "matmul-swish-bias-groupnorm", 0.555, 4.10, FALSE, 6.59 / 0.688 },
    { "conv-bias-scale-sigmoid-groupnorm", 0.308, 0.568, TRUE, 12.95 / 1.325 },
    { "conv-relu-hardswish", 0.137, 0.280, TRUE, 7.35 / 0.587 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (SeamProblem) problem = make_problem (rows[i].pipeline);
    SeamCeiling tf32, fp32;

    g_test_message ("%s", rows[i].pipeline);
    seam_ceiling (problem, &h200_tf32, &tf32);
    seam_ceiling (problem, &h200_fp32, &fp32);
    g_assert_cmpfloat_with_epsilon (tf32.floor.floor_ns / 1e6, rows[i].tf32_ms, 0.001);
    g_assert_cmpfloat_with_epsilon (fp32.floor.floor_ns / 1e6, rows[i].fp32_ms, 0.01);
    g_assert_cmpfloat (fmax (tf32.memory_ns, tf32.compute_ns), ==, tf32.floor.floor_ns);
    g_assert_true (tf32.floor.memory_bound == rows[i].tf32_memory);
    g_assert_true (tf32.floor.memory_bound == (tf32.memory_ns > tf32.compute_ns));
    g_assert_false (fp32.floor.memory_bound);
    g_assert_cmpfloat_with_epsilon (tf32.gain_bytes, rows[i].gain_bytes, .02 * rows[i].gain_bytes);
    /* The bytes are the same in every mode; the longer the arithmetic takes, the less fusion can
     * gain. */
    g_assert_cmpfloat (fp32.gain_bytes, ==, tf32.gain_bytes);
  }
}

/* Worked out by hand. */
static void
test_unfused (void)
{
  g_autoptr (SeamProblem) memory = make_problem ("#21");
  g_autoptr (SeamProblem) compute = make_problem ("#1");
  SeamCeiling ceiling;

  seam_ceiling (memory, &h200_tf32, &ceiling);
  g_assert_cmpfloat_with_epsilon (ceiling.unfused_ns / 1e6, 12.95 / 4.3, .01);

  /* The convolution takes 0.605 ms; then come three passes of 2 x 1.04 GB. */
  seam_ceiling (compute, &h200_tf32, &ceiling);
  g_assert_cmpfloat_with_epsilon (ceiling.unfused_ns / 1e6, .605 + 6.2426 / 4.3, .01);
}

static void
test_plans (void)
{
  g_autoptr (GPtrArray) list = seam_pipeline_list (NULL);
  static const double caches[] = { 0, 60e6, 1e12 };

  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    const char *largest = pipeline->presets[pipeline->n_presets - 1].name;
    g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, largest, NULL, NULL);
    int n_seams = pipeline->chains[0].n_ops - 1;

    for (guint32 fused = 0; fused < 1u << n_seams; fused++)
      for (guint c = 0; c < 2 * G_N_ELEMENTS (caches); c++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, fused);
        SeamRates rates = h200_tf32;
        SeamPlanLimit limit;
        SeamPlanCost cost;
        SeamCeiling ceiling;

        rates.cache_bytes = caches[c / 2];
        rates.cold = c % 2 == 0;
        seam_ceiling (problem, &rates, &ceiling);
        seam_plan_limit (problem, plan, &rates, &limit);
        seam_plan_cost (problem, plan, &cost);
        g_assert_cmpfloat (limit.bytes, ==, cost.bytes);
        g_assert_cmpfloat (limit.flop, ==, cost.flop);
        g_assert_cmpfloat (limit.floor_ns, <=, limit.full_rate_ns * (1 + 1e-12));
        g_assert_cmpfloat (limit.full_rate_ns, <=, ceiling.unfused_ns);
        /* No plan is under the floor of the problem, whatever the cache may hold between its
         * groups, and with a cold cache the fused plan meets that floor. */
        g_assert_cmpfloat (limit.floor_ns, >=, ceiling.floor.floor_ns);
        if (rates.cold && fused == (1u << n_seams) - 1)
          g_assert_cmpfloat_with_epsilon (limit.floor_ns, ceiling.floor.floor_ns,
                                          1e-9 * ceiling.floor.floor_ns);
      }
  }
}

/* Plan "published" of #21, with re-reads from the cache and with 60 MB that it keeps between the
 * groups and at the end. */
static void
test_cache (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#21");
  g_autoptr (SeamPlan) plan = seam_plan_parse (problem->pipeline, "published", NULL);
  const double input = 268435456, tensor = 1057030144, weight = 9216, vectors = 5 * 128;
  SeamRates rates = h200_tf32;
  SeamPlanLimit limit;
  SeamCeiling ceiling;

  seam_plan_limit (problem, plan, &rates, &limit);
  g_assert_cmpfloat_with_epsilon (limit.full_rate_ns / 1e6,
                                  (input + weight + 4 * tensor + vectors) / 4.3e9, 1e-6);
  g_assert_cmpfloat_with_epsilon (limit.floor_ns / 1e6,
                                  (input + weight + 3 * tensor + vectors) / 4.3e9, 1e-6);
  g_assert_true (limit.memory_bound);

  rates.cache_bytes = 60e6;
  seam_plan_limit (problem, plan, &rates, &limit);
  g_assert_cmpfloat_with_epsilon (limit.full_rate_ns / 1e6,
                                  (input + weight + 4 * tensor + vectors) / 4.3e9, 1e-6);
  g_assert_cmpfloat_with_epsilon (limit.floor_ns / 1e6,
                                  (input + weight + 3 * tensor + vectors - 180e6) / 4.3e9, 1e-6);
  seam_ceiling (problem, &rates, &ceiling);
  g_assert_false (ceiling.tensors_fit_cache);
  g_assert_cmpfloat_with_epsilon (ceiling.memory_ns / 1e6,
                                  (input + weight + tensor + vectors - 60e6) / 4.3e9, 1e-6);
  g_assert_cmpfloat (ceiling.memory_ns, ==, ceiling.floor.floor_ns);
  g_assert_cmpfloat_with_epsilon (ceiling.memory_bytes, input + weight + tensor + vectors - 60e6,
                                  1);
  rates.cache_bytes = tensor;
  seam_ceiling (problem, &rates, &ceiling);
  g_assert_true (ceiling.tensors_fit_cache);
}

/* An unknown rate or size is not guessed. */
static void
test_unknown (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#21");
  g_autoptr (SeamPlan) plan = seam_plan_parse (problem->pipeline, "unfused", NULL);
  SeamRates rates = { .bytes_per_s = 4.3e12, .cold = TRUE };
  SeamCeiling ceiling;
  SeamPlanLimit limit;

  seam_ceiling (problem, &rates, &ceiling);
  seam_plan_limit (problem, plan, &rates, &limit);
  g_assert_false (isnan (ceiling.floor.floor_ns));
  g_assert_true (isnan (ceiling.compute_ns));
  g_assert_true (isnan (limit.full_rate_ns));
  g_assert_cmpfloat_with_epsilon (ceiling.gain_bytes, 9.77, .01);

  rates = (SeamRates){ .flop_per_s = 495e12 };
  seam_ceiling (problem, &rates, &ceiling);
  seam_plan_limit (problem, plan, &rates, &limit);
  g_assert_true (isnan (ceiling.memory_ns));
  g_assert_true (isnan (limit.full_rate_ns));
  g_assert_cmpfloat_with_epsilon (limit.floor_ns, ceiling.compute_ns, 1e-6);

  rates = (SeamRates){ 0 };
  seam_plan_limit (problem, plan, &rates, &limit);
  g_assert_true (isnan (limit.floor_ns));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ceiling/table", test_table);
  g_test_add_func ("/ceiling/unfused", test_unfused);
  g_test_add_func ("/ceiling/plans", test_plans);
  g_test_add_func ("/ceiling/cache", test_cache);
  g_test_add_func ("/ceiling/unknown", test_unknown);
  return g_test_run ();
}
