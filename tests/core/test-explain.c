/* SPDX-License-Identifier: MIT
 *
 * The ledger of two plans with and without counters, and the waterfall between their times: entries
 * worked out by hand, sums that must be exact for every named plan, and unknown numbers that must
 * stay unknown.
 */
#include "tests/core/figure-fixture.h"

#include "app/base/error.h"
#include "app/explain/occupancy.h"
#include "app/explain/traffic-ledger.h"
#include "app/explain/waterfall.h"

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

/* The ledger of a result's plans 0 and 1. */
static SeamTrafficLedger *
make_ledger (const SeamResult *result)
{
  g_autoptr (SeamProblem) problem = fixture_problem (result->pipeline_id, result->preset);
  g_autoptr (SeamPlan) a = fixture_plan (problem, result->plans[0].notation);
  g_autoptr (SeamPlan) b = fixture_plan (problem, result->plans[1].notation);

  return seam_traffic_ledger_new (problem, a, b, result, 0, 1, NULL);
}

static const SeamLedgerRow *
find_row (const SeamTrafficLedger *ledger, const char *label)
{
  for (int i = 0; i < ledger->n_rows; i++)
    if (strcmp (ledger->rows[i].label, label) == 0)
      return &ledger->rows[i];
  g_error ("no row %s", label);
}

#define assert_gb(bytes, gb) g_assert_cmpfloat_with_epsilon ((bytes) / 1e9, gb, .005)

/* The rows follow from the shapes. */
static void
test_rows (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
  const SeamLedgerRow *row = find_row (ledger, "conv2d");
  g_autofree char *text = seam_traffic_ledger_describe (ledger);

  assert_gb (ledger->modelled[0], 12.95);
  assert_gb (ledger->modelled[1], 4.50);
  assert_gb (row->bytes, 1.06);
  g_assert_cmpstr (row->shape, ==, "[128, 32, 254, 254]");
  assert_gb (row->sides[0].written, 1.06);
  assert_gb (row->sides[0].read + row->sides[0].reread, 1.06);
  assert_gb (row->sides[1].read + row->sides[1].reread, 2.11);
  assert_gb (row->sums[1] - row->sums[0], 1.06);
  row = find_row (ledger, "sigmoid");
  assert_gb (row->sides[0].read + row->sides[0].reread, 2.11);
  assert_gb (row->sums[1] - row->sums[0], -3.17);
  g_assert_true (seam_ledger_is_gone (row->sides[0].written, row->sides[1].written));
  row = find_row (ledger, "groupnorm");
  g_assert_cmpfloat (row->sums[0], ==, row->sums[1]);
  g_assert_false (seam_ledger_is_gone (row->sides[0].written, row->sides[1].written));
  row = find_row (ledger, "6 parameters");
  g_assert_cmpfloat (row->sums[0], ==, 9216 + 5 * 128);
  g_assert_cmpint (ledger->n_rows, ==, 1 + 6 + 1);

  g_assert_nonnull (strstr (text, "Struck through"));
  g_assert_nonnull (strstr (text, "B moves more of conv2d (+)."));
  g_assert_nonnull (strstr (text, "B reads conv2d twice"));
  g_assert_nonnull (strstr (text, "A reads sigmoid twice"));
  g_assert_nonnull (strstr (text, "DRAM counters: not measured."));
}

static void
test_no_counters (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = NULL;
  g_autofree char *text = NULL;

  result->device->abilities = SEAM_ABILITY_ALL & ~SEAM_ABILITY_COUNTERS;
  ledger = make_ledger (result);
  text = seam_traffic_ledger_describe (ledger);
  g_assert_nonnull (strstr (text, "DRAM counters: this target has none."));
}

/* Beside the first plan of a run, its third is called C. */
static void
test_letters (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "kernelbench");
  g_autoptr (SeamPlan) a = fixture_plan (problem, "unfused");
  g_autoptr (SeamPlan) c = fixture_plan (problem, "published");
  g_autoptr (SeamTrafficLedger) ledger = seam_traffic_ledger_new (problem, a, c, NULL, 0, 2, NULL);
  g_autofree char *text = seam_traffic_ledger_describe (ledger);

  g_assert_nonnull (strstr (text, "in C it stays on the chip"));
  g_assert_nonnull (strstr (text, "C moves more of conv2d (+)."));
  g_assert_nonnull (strstr (text, "C reads conv2d twice"));
  g_assert_nonnull (strstr (text, "A reads sigmoid twice"));
  /* A letter is a place in the run, whichever side the plan is on. */
  g_autoptr (SeamTrafficLedger) turned = seam_traffic_ledger_new (problem, c, a, NULL, 2, 0, NULL);
  g_assert_cmpint (turned->letters[0], ==, 'C');
  g_assert_cmpint (turned->letters[1], ==, 'A');
  g_assert_cmpint (seam_plan_get_letter (1), ==, 'B');
  g_assert_cmpint (seam_plan_get_letter (25), ==, 'Z');
  g_assert_cmpint (seam_plan_get_letter (26), ==, '?');
}

/* For every pipeline and named plan: rows and groups both add up to the model of the plan, which
 * is within 3 % of the field notes' table if the table has the plan. */
static void
test_totals (void)
{
  static const double gb[][2] = {
    { 7.82, 3.66 }, { .47, .40 }, { 6.59, 1.76 }, { 12.95, 4.50 }, { 7.35, 1.63 },
  };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], "kernelbench");
    g_auto (GStrv) names = seam_plan_list_names (problem->pipeline);

    for (int k = 0; names[k] != NULL; k++) {
      g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", names[k]);
      g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);

      for (int side = 0; side < 2; side++) {
        double by_row = 0, by_group = 0;

        for (int i = 0; i < ledger->n_rows; i++)
          by_row += ledger->rows[i].sums[side];
        for (int i = 0; i < ledger->n_groups; i++)
          if (ledger->groups[i].side == side)
            by_group += seam_transfers_sum (&ledger->groups[i].modelled);
        g_assert_cmpfloat_with_epsilon (by_row, result->plans[side].bytes, 1);
        g_assert_cmpfloat_with_epsilon (by_group, result->plans[side].bytes, 1);
        g_assert_cmpfloat_with_epsilon (ledger->modelled[side], result->plans[side].bytes, 1);
      }
      g_assert_cmpfloat_with_epsilon (ledger->modelled[0] / 1e9, gb[p][0], .03 * gb[p][0]);
      if (strcmp (names[k], "published") == 0)
        g_assert_cmpfloat_with_epsilon (ledger->modelled[1] / 1e9, gb[p][1], .03 * gb[p][1]);
    }
  }
}

/* Large parameters have rows of their own. */
static void
test_parameters (void)
{
  g_autoptr (SeamResult) result = fixture_result ("76", "kernelbench", "full");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
  const SeamLedgerRow *row = find_row (ledger, "parameter gemm.weight");

  g_assert_cmpint (row->kind, ==, SEAM_LEDGER_PARAMETER);
  g_assert_cmpfloat (row->sums[0], ==, 8192. * 8192 * 4);
  g_assert_cmpfloat (find_row (ledger, "parameter bias")->sums[1], ==, 8192 * 4);
}

static void
set_counters (SeamPlanResult *plan, const SeamTrafficLedger *ledger, int side, double factor)
{
  for (int i = 0; i < ledger->n_groups; i++) {
    const SeamLedgerGroup *group = &ledger->groups[i];
    int n = 0;

    if (group->side != side)
      continue;
    for (int k = 0; k < plan->n_kernels; k++)
      n += plan->kernels[k].group == group->group;
    for (int k = 0; k < plan->n_kernels; k++)
      if (plan->kernels[k].group == group->group) {
        plan->kernels[k].dram_bytes_read =
            factor * (group->modelled.read + group->modelled.reread) / n;
        plan->kernels[k].dram_bytes_written = factor * group->modelled.written / n;
      }
  }
}

static void
test_counters (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) before = make_ledger (result);

  for (int i = 0; i < before->n_groups; i++) {
    g_assert_true (isnan (before->groups[i].apart));
    g_assert_null (before->groups[i].remark);
    g_assert_cmpfloat (before->groups[i].time_ns, >, 0);
  }
  g_assert_true (isnan (before->measured[0]));
  result->device->l2_bytes = 60000000;
  set_counters (&result->plans[0], before, 0, .98);
  set_counters (&result->plans[1], before, 1, .98);
  {
    g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
    g_autofree char *text = seam_traffic_ledger_describe (ledger);

    g_assert_cmpfloat_with_epsilon (ledger->measured[0], .98 * ledger->modelled[0], 1);
    g_assert_cmpfloat_with_epsilon (ledger->measured[1], .98 * ledger->modelled[1], 1);
    for (int i = 0; i < ledger->n_groups; i++) {
      g_assert_cmpfloat_with_epsilon (ledger->groups[i].apart, -.02, 1e-9);
      g_assert_null (ledger->groups[i].remark);
    }
    g_assert_nonnull (strstr (text, "Both plans agree with the counters within 5 %."));
  }

  /* One kernel of B moves too much, one too little: each is marked with its reason. */
  result->plans[1].kernels[0].dram_bytes_read *= 1.5;
  result->plans[1].kernels[1].dram_bytes_read *= .5;
  {
    g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
    const SeamLedgerGroup *conv = &ledger->groups[6], *rest = &ledger->groups[7];
    g_autofree char *text = seam_traffic_ledger_describe (ledger);

    g_assert_cmpint (conv->side, ==, 1);
    g_assert_cmpfloat (conv->apart, >, SEAM_LEDGER_APART);
    g_assert_nonnull (strstr (conv->remark, "more moved than modelled"));
    g_assert_nonnull (strstr (conv->remark, "more than once"));
    g_assert_cmpfloat (rest->apart, <, -SEAM_LEDGER_APART);
    g_assert_nonnull (strstr (rest->remark, "(60.0 MB)"));
    g_assert_nonnull (strstr (rest->remark, "first pass"));
    g_assert_nonnull (strstr (text, "B, conv2d: "));
  }

  /* One kernel has no counters: its group and its plan are unknown, not smaller. */
  result->plans[1].kernels[1].dram_bytes_written = NAN;
  {
    g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);

    g_assert_true (isnan (ledger->groups[7].apart));
    g_assert_null (ledger->groups[7].remark);
    g_assert_true (isnan (ledger->measured[1]));
    g_assert_false (isnan (ledger->measured[0]));
  }

  /* A memset has no counters and is no kernel: the group has the numbers of its other kernels. */
  result->plans[1].kernels[1].is_copy = TRUE;
  result->plans[1].kernels[1].grid[0] = 0;
  {
    g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);

    g_assert_false (isnan (ledger->groups[7].apart));
    g_assert_false (isnan (ledger->measured[1]));
  }
}

/* Launches that move bytes beyond the plan's own model have a row and count in the total. */
static void
test_copies (void)
{
  g_autoptr (SeamResult) result = fixture_result ("1", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = NULL;
  const SeamLedgerRow *row;

  result->plans[1].bytes += 2e9;
  ledger = make_ledger (result);
  row = find_row (ledger, "operand, layout copies");
  g_assert_cmpfloat (row->sums[0], ==, 0);
  g_assert_cmpfloat_with_epsilon (row->sums[1], 2e9, 1);
  g_assert_cmpfloat_with_epsilon (ledger->modelled[1], result->plans[1].bytes, 1);
}

/* The exhibit has the ops in another order: tensors are matched by the op that writes them. */
static void
test_exhibit (void)
{
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "as-published");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);

  g_assert_cmpfloat (find_row (ledger, "matmul")->sums[1], >, 0);
  g_assert_cmpfloat (find_row (ledger, "groupnorm")->sums[1], ==,
                     find_row (ledger, "groupnorm")->sums[0]);
  g_assert_cmpfloat (find_row (ledger, "bias")->sums[1], ==, 0);
}

/* One plan without a result: the ledger has the model alone. */
static void
test_model_alone (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("57", "laptop");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "unfused");
  g_autoptr (SeamTrafficLedger) ledger =
      seam_traffic_ledger_new (problem, plan, NULL, NULL, -1, -1, NULL);
  SeamPlanCost cost;

  seam_plan_cost (problem, plan, &cost);
  g_assert_cmpint (ledger->n_sides, ==, 1);
  g_assert_cmpfloat (ledger->modelled[0], ==, cost.bytes);
  g_assert_cmpint (ledger->n_groups, ==, 7);
  g_assert_cmpint (ledger->groups[0].n_kernels, ==, -1);
  g_assert_true (isnan (ledger->groups[0].time_ns));
}

/* ---- waterfall ---- */

static SeamWaterfall *
make_waterfall (const SeamResult *result)
{
  g_autoptr (GError) error = NULL;
  SeamWaterfall *waterfall = seam_waterfall_new (result, 0, 1, &error);

  g_assert_no_error (error);
  return waterfall;
}

static const SeamWaterfallStep *
find_step (const SeamWaterfall *waterfall, const char *label)
{
  for (int i = 0; i < waterfall->n_steps; i++)
    if (strcmp (waterfall->steps[i].label, label) == 0)
      return &waterfall->steps[i];
  g_error ("no step %s", label);
}

static void
assert_adds_up (const SeamWaterfall *waterfall, const SeamResult *result)
{
  const SeamWaterfallStep *steps = waterfall->steps;
  int last = waterfall->n_steps - 1;

  g_assert_cmpint (steps[0].kind, ==, SEAM_STEP_START);
  g_assert_cmpfloat (steps[0].to_ns, ==, result->plans[0].median_ns);
  for (int i = 1; i < last; i++)
    g_assert_cmpfloat (steps[i].from_ns, ==, steps[i - 1].to_ns);
  g_assert_cmpint (steps[last - 1].kind, ==, SEAM_STEP_REMAINDER);
  g_assert_cmpfloat_with_epsilon (steps[last - 1].to_ns, result->plans[1].median_ns, 1e-3);
  g_assert_cmpint (steps[last].kind, ==, SEAM_STEP_END);
  g_assert_cmpfloat (steps[last].from_ns, ==, 0);
  g_assert_cmpfloat (steps[last].to_ns, ==, result->plans[1].median_ns);
}

static void
test_waterfall_sums (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], "tiny");
    g_auto (GStrv) names = seam_plan_list_names (problem->pipeline);

    for (int k = 0; names[k] != NULL; k++) {
      g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", names[k]);
      g_autoptr (SeamWaterfall) forth = make_waterfall (result);
      g_autoptr (SeamWaterfall) back = seam_waterfall_new (result, 1, 0, NULL);
      double groups_a = 0, groups_b = 0;

      assert_adds_up (forth, result);
      g_assert_true (forth->traced);
      /* Every kernel of A is in one step, every kernel of B in one. */
      for (int i = 0; i < forth->n_steps; i++) {
        groups_a += forth->steps[i].group_a >= 0;
        groups_b += forth->steps[i].group_b >= 0;
      }
      g_assert_cmpfloat (groups_a, ==, result->plans[0].n_groups);
      g_assert_cmpfloat (groups_b, ==, result->plans[1].n_groups);
      /* In the other direction, the steps that were gone are added. */
      for (int i = 0; i < forth->n_steps; i++)
        if (forth->steps[i].kind == SEAM_STEP_GONE) {
          const SeamWaterfallStep *added = find_step (back, forth->steps[i].label);

          g_assert_cmpint (added->kind, ==, SEAM_STEP_ADDED);
          g_assert_cmpfloat_with_epsilon (added->to_ns - added->from_ns,
                                          forth->steps[i].from_ns - forth->steps[i].to_ns, 1e-3);
        }
    }
  }
}

static void
test_waterfall_steps (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamWaterfall) waterfall = NULL;
  const SeamWaterfallStep *step;

  /* B's fused kernels take 30 µs more than A's groupnorm. */
  result->device->bytes_per_s = 3.9e12;
  result->device->rates_source = g_strdup ("measured");
  result->plans[1].kernels[2].median_ns += 30e3;
  result->plans[1].kernels_sum_median_ns += 30e3;
  result->plans[1].span_median_ns += 30e3;
  waterfall = make_waterfall (result);
  assert_adds_up (waterfall, result);
  step = find_step (waterfall, "conv_bias");
  g_assert_cmpint (step->kind, ==, SEAM_STEP_GONE);
  g_assert_cmpfloat_with_epsilon (step->to_ns - step->from_ns,
                                  -result->plans[0].kernels[1].median_ns, 1e-3);
  step = find_step (waterfall, "conv2d");
  g_assert_cmpint (step->kind, ==, SEAM_STEP_CHANGED);
  g_assert_cmpfloat (step->to_ns, ==, step->from_ns);
  step = find_step (waterfall, "groupnorm, with 4 ops more");
  g_assert_cmpint (step->kind, ==, SEAM_STEP_CHANGED);
  g_assert_cmpint (step->op_kind, ==, SEAM_KIND_NORMALISATION);
  g_assert_cmpfloat_with_epsilon (step->to_ns - step->from_ns, 30e3, 1e3);
  step = find_step (waterfall, "gaps");
  g_assert_cmpfloat_with_epsilon (step->to_ns - step->from_ns, -4 * FIXTURE_GAP_NS, 1e-3);
  /* The elapsed median does not contain those 30 µs: they are left over, not hidden. */
  step = find_step (waterfall, "not traced");
  g_assert_cmpfloat_with_epsilon (step->to_ns - step->from_ns, -30e3, 2e3);

  /* As in mock-up 04: four kernels, 8.46 GB. */
  g_assert_cmpint (waterfall->n_gone, ==, 4);
  assert_gb (waterfall->gone_bytes, 8.46);
  g_assert_nonnull (strstr (waterfall->sentence, "4 kernels are gone"));
  g_assert_nonnull (strstr (waterfall->sentence, "8.46 GB at 3.90 TB/s, 100 % of"));
  g_assert_null (strstr (waterfall->sentence, "past the mark"));

  /* If no kernel accounts for a tenth of the time, the words say so, too. */
  result->plans[1].median_ns += .1 * result->plans[0].median_ns;
  {
    g_autoptr (SeamWaterfall) noisy = make_waterfall (result);

    assert_adds_up (noisy, result);
    g_assert_nonnull (strstr (noisy->sentence, "4 kernels are gone"));
    /* B has a tenth of A more than its trace. */
    g_assert_nonnull (strstr (noisy->sentence, " In ms: A 0.008 not traced: reason not known"));
    g_assert_nonnull (strstr (noisy->sentence, " B 0.4"));
  }
}

/* A kernel that does everything is compared with the convolution in it. */
static void
test_waterfall_full (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "full");
  g_autoptr (SeamWaterfall) waterfall = make_waterfall (result);

  g_assert_cmpint (find_step (waterfall, "conv2d, with 5 ops more")->kind, ==, SEAM_STEP_CHANGED);
  g_assert_cmpint (find_step (waterfall, "groupnorm")->kind, ==, SEAM_STEP_GONE);
}

static void
test_waterfall_unknown (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (GError) error = NULL;

  fixture_untrace (&result->plans[1]);
  {
    g_autoptr (SeamWaterfall) waterfall = make_waterfall (result);

    g_assert_false (waterfall->traced);
    g_assert_null (waterfall->sentence);
    g_assert_cmpint (waterfall->n_steps, ==, 3);
    g_assert_cmpstr (waterfall->steps[1].label, ==, "kernels not traced");
    assert_adds_up (waterfall, result);
  }
  g_autoptr (SeamResult) bare = fixture_reread (result, NULL);
  g_assert_null (seam_waterfall_new (bare, 0, 1, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_cmpstr (error->message, ==,
                   "The result does not carry its pipeline, so its figure cannot be drawn.");
  g_clear_error (&error);
  result->plans[1].median_ns = NAN;
  g_assert_null (seam_waterfall_new (result, 0, 1, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "was not timed"));
  g_clear_error (&error);
  g_assert_null (seam_waterfall_new (result, 0, 7, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

/* The values of NVIDIA's occupancy calculator. */
static void
test_occupancy (void)
{
  static const struct {
    const char *capability;
    int registers, shared, threads, blocks;
    double percent;
    SeamOccupancyLimit limit;
  } cases[] = {
    { "9.0", 32, 0, 256, 8, 100, SEAM_OCCUPANCY_BY_WARPS },
    { "9.0", 40, 0, 256, 6, 75, SEAM_OCCUPANCY_BY_REGISTERS },
    { "9.0", 64, 0, 256, 4, 50, SEAM_OCCUPANCY_BY_REGISTERS },
    { "9.0", 168, 100, 384, 1, 18.75, SEAM_OCCUPANCY_BY_REGISTERS },
    { "9.0", 64, 232448, 384, 1, 18.75, SEAM_OCCUPANCY_BY_SHARED },
    { "9.0", 16, 0, 32, 32, 50, SEAM_OCCUPANCY_BY_BLOCKS },
    { "8.6", 32, 49152, 256, 2, 100 / 3.0, SEAM_OCCUPANCY_BY_SHARED },
    { "7.5", 32, 16384, 128, 4, 50, SEAM_OCCUPANCY_BY_SHARED },
  };
  SeamOccupancy found;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_true (seam_occupancy_compute (cases[i].capability, cases[i].registers, cases[i].shared,
                                           cases[i].threads, &found));
    g_assert_cmpint (found.blocks, ==, cases[i].blocks);
    g_assert_cmpfloat_with_epsilon (found.percent, cases[i].percent, 1e-9);
    g_assert_cmpint (found.limit, ==, cases[i].limit);
  }
  /* What ncu 2025.3 says of kernels on an H200: launch__occupancy_limit_registers, _warps and
   * _blocks, launch__shared_mem_per_block, sm__maximum_warps_per_active_cycle_pct. Its _shared_mem
   * is what the carve-out allows that the driver chose: the whole only for the large one. */
  static const struct {
    int registers, shared, threads, by_registers, by_warps, by_blocks, by_shared,
        shared_with_driver;
    double percent;
  } of_ncu[] = {
    { 32, 0, 256, 8, 8, 32, 228, 1024, 100 },
    { 27, 0, 256, 8, 8, 32, 228, 1024, 100 },
    { 40, 0, 256, 6, 8, 32, 228, 1024, 75 },
    { 52, 0, 256, 4, 8, 32, 228, 1024, 50 },
    { 168, 231424, 384, 1, 5, 32, 1, 232448, 18.75 },
    { 255, 33792, 128, 2, 16, 32, 6, 34816, 12.5 },
    { 28, 0, 128, 16, 16, 32, 228, 1024, 100 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (of_ncu); i++) {
    SeamOccupancy o;

    g_assert_true (seam_occupancy_compute ("9.0", of_ncu[i].registers, of_ncu[i].shared,
                                           of_ncu[i].threads, &o));
    g_assert_cmpint (o.by[SEAM_OCCUPANCY_BY_REGISTERS], ==, of_ncu[i].by_registers);
    g_assert_cmpint (o.by[SEAM_OCCUPANCY_BY_WARPS], ==, of_ncu[i].by_warps);
    g_assert_cmpint (o.by[SEAM_OCCUPANCY_BY_BLOCKS], ==, of_ncu[i].by_blocks);
    g_assert_cmpint (o.by[SEAM_OCCUPANCY_BY_SHARED], ==, of_ncu[i].by_shared);
    g_assert_cmpint (o.shared_bytes, ==, of_ncu[i].shared_with_driver);
    g_assert_cmpfloat (o.percent, ==, of_ncu[i].percent);
    g_assert_cmpfloat (o.percents[o.limit], ==, of_ncu[i].percent);
  }
  /* A block of one warp: each limit alone, as ncu states it, and the SM's is the least of them. */
  SeamOccupancy small;
  g_assert_true (seam_occupancy_compute ("9.0", 16, 0, 32, &small));
  g_assert_cmpint (small.by[SEAM_OCCUPANCY_BY_WARPS], ==, 64);
  g_assert_cmpint (small.by[SEAM_OCCUPANCY_BY_REGISTERS], ==, 128);
  g_assert_cmpint (small.by[SEAM_OCCUPANCY_BY_BLOCKS], ==, 32);
  g_assert_cmpint (small.blocks, ==, 32);
  g_assert_cmpfloat (small.percents[SEAM_OCCUPANCY_BY_REGISTERS], ==, 100);
  g_autofree char *text = seam_occupancy_describe (&found);
  g_assert_cmpstr (text, ==,
                   "4 blocks fit on a multiprocessor at once (50.0 % of its warps, limited by "
                   "shared memory)");
  g_assert_false (seam_occupancy_compute (NULL, 32, 0, 256, &found));
  g_assert_false (seam_occupancy_compute ("6.1", 32, 0, 256, &found));
  g_assert_false (seam_occupancy_compute ("9.0", 32, 1 << 20, 256, &found));
  g_assert_false (seam_occupancy_compute ("9.0", -1, 0, 256, &found));
  g_assert_false (seam_occupancy_compute ("9.0", 255, 0, 0, &found));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explain/ledger/rows", test_rows);
  g_test_add_func ("/explain/ledger/no-counters", test_no_counters);
  g_test_add_func ("/explain/ledger/letters", test_letters);
  g_test_add_func ("/explain/ledger/totals", test_totals);
  g_test_add_func ("/explain/ledger/parameters", test_parameters);
  g_test_add_func ("/explain/ledger/counters", test_counters);
  g_test_add_func ("/explain/ledger/copies", test_copies);
  g_test_add_func ("/explain/ledger/exhibit", test_exhibit);
  g_test_add_func ("/explain/ledger/model-alone", test_model_alone);
  g_test_add_func ("/explain/occupancy", test_occupancy);
  g_test_add_func ("/explain/waterfall/sums", test_waterfall_sums);
  g_test_add_func ("/explain/waterfall/steps", test_waterfall_steps);
  g_test_add_func ("/explain/waterfall/full", test_waterfall_full);
  g_test_add_func ("/explain/waterfall/unknown", test_waterfall_unknown);
  return g_test_run ();
}
