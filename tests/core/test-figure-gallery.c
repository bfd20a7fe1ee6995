/* SPDX-License-Identifier: MIT
 *
 * Draws every figure in light, dark and high contrast and checks that none is blank. With
 * SEAMSCOPE_GALLERY=FOLDER the pictures are also written there, for a person to look at.
 */
#include "tests/core/figure-fixture.h"

#include "app/figure/ceiling-figure.h"
#include "app/figure/class-figure.h"
#include "app/explore/sweep.h"
#include "app/figure/figure.h"
#include "app/figure/prediction-figure.h"

typedef struct {
  const char *name;
  SeamFigure *(*make) (void);
} Entry;

static SeamFigure *
make_strip (const char *pipeline, const char *text, double width, double left, gboolean compact,
            SeamHit hover, SeamHit selected, SeamHit focus, gboolean locked)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline, "kernelbench");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, text);
  SeamSupport groups[SEAM_MAX_OPS] = { 0 };
  SeamSeamEstimate seams[SEAM_MAX_OPS] = { 0 };
  SeamPlanEstimate estimate = { .can_run = TRUE, .n_kernels = 7, .groups = groups, .seams = seams };
  SeamStripOptions options = { .width = width, .left = left, .letter = 'B', .compact = compact };
  guint32 fused = seam_plan_get_fused_seams (plan);
  SeamFigure *figure;

  estimate.n_groups = plan->n_groups;
  for (int i = 0; i < plan->n_groups; i++) {
    groups[i].level = SEAM_SUPPORT_YES;
    groups[i].executed = (char *)(i == 0 ? "cudnn" : "generated");
  }
  estimate.n_seams = seam_plan_get_chain (plan)->n_ops - 1;
  for (int i = 0; i < estimate.n_seams; i++) {
    seams[i].fused = fused >> i & 1;
    seams[i].can_toggle = !(locked && (i == 0 || i == 2));
  }
  figure = seam_strip_figure_new (problem, plan, &estimate, &options);
  figure->hover = hover;
  figure->selected = selected;
  figure->focus = focus;
  return figure;
}

#define NOTHING                                                                                    \
  (SeamHit)                                                                                        \
  {                                                                                                \
    .kind = SEAM_HIT_NONE                                                                          \
  }
#define HIT(what, number)                                                                          \
  (SeamHit)                                                                                        \
  {                                                                                                \
    .kind = what, .index = number                                                                  \
  }

static SeamFigure *
strip_unfused (void)
{
  return make_strip ("21", "unfused", 1228, 178, FALSE, NOTHING, NOTHING, NOTHING, FALSE);
}

static SeamFigure *
strip_published (void)
{
  return make_strip ("21", "published", 1036, 0, FALSE, HIT (SEAM_HIT_SEAM, 0),
                     HIT (SEAM_HIT_OP, 3), NOTHING, FALSE);
}

static SeamFigure *
strip_compact (void)
{
  return make_strip ("21", "published", 812, 0, TRUE, NOTHING, NOTHING, HIT (SEAM_HIT_SEAM, 2),
                     FALSE);
}

static SeamFigure *
strip_hardswish (void)
{
  return make_strip ("57", "unfused", 1036, 0, FALSE, NOTHING, NOTHING, HIT (SEAM_HIT_SEAM, 1),
                     TRUE);
}

static SeamFigure *
strip_swish_cut (void)
{
  return make_strip ("37", "matmul+matmul_bias|sigmoid|mul+bias|groupnorm", 1036, 0, FALSE,
                     HIT (SEAM_HIT_SEAM, 3), NOTHING, NOTHING, TRUE);
}

/* A group that becomes several launches, and one that cannot run. */
static SeamFigure *
strip_not_fused (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "kernelbench");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "conv+conv_bias+bias|scale+sigmoid|groupnorm");
  SeamStripOptions options = { .width = 1036 };
  SeamSupport groups[] = {
    { .level = SEAM_SUPPORT_SPLIT, .executed = (char *)"cudnn + generated", .n_kernels = 2 },
    { .level = SEAM_SUPPORT_NO, .n_kernels = -1 },
    { .level = SEAM_SUPPORT_NO, .n_kernels = -1 },
  };
  SeamPlanEstimate estimate = {
    .can_run = FALSE, .n_groups = G_N_ELEMENTS (groups), .groups = groups, .n_kernels = -1
  };

  return seam_strip_figure_new (problem, plan, &estimate, &options);
}

static SeamFigure *
strip_gemm_wide (void)
{
  return make_strip ("76", "epilogue", 1800, 0, FALSE, NOTHING, NOTHING, NOTHING, FALSE);
}

static SeamFigure *
chain (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "kernelbench");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "as-published");

  return seam_chain_figure_new (problem->pipeline, plan, 26, 14);
}

static SeamFigure *
chain_sidebar (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("57", "tiny");

  return seam_chain_figure_new (problem->pipeline, NULL, 14, 8);
}

static SeamFigure *
kind_legend (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "tiny");

  return seam_kind_legend_figure_new (problem->pipeline, 900);
}

static SeamFigure *
make_bars (SeamResult *result, double width, gboolean compact)
{
  const int plans[] = { 0, 1 };
  SeamBarsOptions options = { .width = width, .compact = compact };

  return seam_bars_figure_new (result, plans, 2, &options);
}

static SeamFigure *
bars (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamFigure *figure = make_bars (result, 1228, FALSE);

  figure->selected = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = 1, .index = 2 };
  return figure;
}

static SeamFigure *
bars_compact (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamFigure *figure = make_bars (result, 970, TRUE);

  figure->hover = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = 0, .index = 1 };
  figure->focus = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = 0, .index = 0 };
  return figure;
}

static SeamFigure *
bars_slower_noisy (void)
{
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "full");
  SeamPlanResult *plan = &result->plans[1];

  plan->median_ns = result->plans[0].median_ns * 1.4;
  plan->ci_low_ns = plan->median_ns * .93;
  plan->ci_high_ns = plan->median_ns * 1.06;
  return make_bars (result, 1000, FALSE);
}

/* Mock-up 16. */
static SeamFigure *
make_capped (double width, gboolean compact)
{
  static const double times_ns[] = { 796e3, 252e3, 254e3, 370e3, 253e3, 274e3 };
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "full");

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];
    double sum_ns = 0;

    for (int i = 0; i < plan->n_kernels; i++) {
      plan->kernels[i].median_ns = p == 0 ? times_ns[i % 6] : 749e3;
      plan->kernels[i].start_ns = sum_ns + 1e3 * i;
      sum_ns += plan->kernels[i].median_ns;
    }
    plan->kernels_sum_median_ns = sum_ns;
    plan->span_median_ns = sum_ns + 1.4e3 * (plan->n_kernels - 1);
    plan->median_ns = p == 0 ? plan->span_median_ns - 52e3 : 845e3;
    plan->ci_low_ns = .987 * plan->median_ns;
    plan->ci_high_ns = 1.018 * plan->median_ns;
    plan->guess_ns = p == 0 ? 2.28e6 : .78e6;
    plan->trace_clock_mhz = p == 0 ? 1340 : 1620;
    for (int i = 0; i < plan->n_samples; i++)
      plan->samples[i].clock_mhz = 1440;
  }
  result->device->launch_ns = 2e3;
  result->device->bytes_per_s = 4.5e12;
  return make_bars (result, width, compact);
}

static SeamFigure *
bars_not_traced (void)
{
  return make_capped (1200, FALSE);
}

static SeamFigure *
bars_not_traced_narrow (void)
{
  return make_capped (480, TRUE);
}

static SeamFigure *
bars_busy_machine (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "laptop", "published");

  for (int i = 0; i < 2; i++) {
    SeamPlanResult *plan = &result->plans[i];

    plan->median_ns *= .6;
    plan->ci_low_ns = plan->median_ns * .7;
    plan->ci_high_ns = plan->median_ns * 1.5;
  }
  return make_bars (result, 1100, FALSE);
}

static SeamFigure *
bars_not_measured (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");

  fixture_untrace (&result->plans[0]);
  result->plans[0].state = SEAM_PLAN_STOPPED_EARLY;
  result->plans[1].n_samples = 0;
  result->plans[1].state = SEAM_PLAN_FAULTED;
  result->plans[1].median_ns = NAN;
  return make_bars (result, 1128, FALSE);
}

static SeamFigure *
samples (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  const SeamSamplesPlan plans[] = {
    { 'A', result->plans[0].samples, 11 },
    { 'B', result->plans[1].samples, 11 },
  };

  result->plans[1].samples[1].elapsed_ns *= 3;
  return seam_samples_figure_new (plans, 2, 1, .005, 1228, 300);
}

static SeamFigure *
make_overview (const char *pipeline, const char *preset, double size, gboolean with_nan)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline, preset);
  g_autoptr (SeamDifference) difference = fixture_difference (problem, size, with_nan);
  SeamMapOptions options = { .width = 492,
                             .height = 470,
                             .scale = seam_map_scale_for (difference, FALSE),
                             .spec = { .atol = 1e-3, .rtol = 1e-3 } };

  if (difference->spec.plane == 1) {
    options.frame_row = difference->spec.rows / 2;
    options.frame_rows = MIN (128, difference->spec.rows / 2);
    options.frame_column = MIN (128, difference->spec.columns / 4);
    options.frame_columns = MIN (128, difference->spec.columns / 2);
  }
  return seam_overview_figure_new (problem, difference, &options);
}

static SeamFigure *
overview (void)
{
  return make_overview ("37", "kernelbench", 3.3, FALSE);
}

static SeamFigure *
overview_conv (void)
{
  return make_overview ("21", "kernelbench", .02, TRUE);
}

static SeamFigure *
overview_agree (void)
{
  return make_overview ("37", "kernelbench", 1e-6, FALSE);
}

static SeamFigure *
make_slice (const char *pipeline, const char *preset, double size)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline, preset);
  g_autoptr (SeamDifference) difference = fixture_difference (problem, size, FALSE);
  gint64 n_rows, n_columns, rows, columns, plane;
  g_autoptr (SeamSlice) slice = NULL;
  SeamFigure *figure;
  SeamMapOptions options = { .width = 492,
                             .height = 470,
                             .scale = seam_map_scale_for (difference, FALSE),
                             .spec = { .atol = 1e-3, .rtol = 1e-3 },
                             .n_groups = seam_problem_get_n_groups (problem) };

  const SeamShapeView view = seam_problem_get_output_view (problem);
  rows = view.outer;
  columns = view.channels;
  plane = view.inner;
  seam_slice_choose_size (492, 470, plane > 1 ? view.inner / view.width : rows,
                          plane > 1 ? view.width : columns, 128, &n_rows, &n_columns);
  slice = fixture_slice (problem, n_rows, n_columns, size);
  figure = seam_slice_figure_new (problem, slice, &options);
  figure->hover = (SeamHit){ .kind = SEAM_HIT_CELL,
                             .row = slice->first_row + n_rows / 2,
                             .column = slice->first_column + n_columns / 4 };
  return figure;
}

static SeamFigure *
slice_matrix (void)
{
  return make_slice ("37", "kernelbench", 3.3);
}

static SeamFigure *
slice_conv (void)
{
  return make_slice ("21", "tiny", .02);
}

static SeamFigure *
map_legend (void)
{
  SeamMapScale scale = { .low = .1, .high = 3.5, .divisor = 1 };

  SeamSideNames names = { .against = "A", .tested = "B" };

  return seam_map_legend_figure_new (&scale, &names, 110, 440);
}

static SeamFigure *
page_timing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamFigure *figure = seam_timing_sheet_new (result, 0, 1, 1260, &error);

  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
make_page_traffic (const char *pipeline, const char *plan_b, double width, double measured)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result (pipeline, "kernelbench", plan_b);
  SeamFigure *figure;

  result->device->bytes_per_s = 4.3e12;
  result->device->rates_source = g_strdup ("synthetic");
  result->device->l2_bytes = 60000000;
  for (int i = 0; i < 2 && measured > 0; i++)
    for (int k = 0; k < result->plans[i].n_kernels; k++) {
      SeamKernel *kernel = &result->plans[i].kernels[k];

      kernel->dram_bytes_read = kernel->bytes * measured * (k == 0 ? 1.09 : .6);
      kernel->dram_bytes_written = kernel->bytes * (k == 0 ? 0 : .4);
    }
  result->plans[1].median_ns -= 20e3;
  figure = seam_traffic_sheet_new (result, 0, 1, width, &error);
  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_traffic (void)
{
  return make_page_traffic ("21", "published", 1260, 0);
}

static SeamFigure *
page_traffic_measured (void)
{
  return make_page_traffic ("57", "full", 1260, .98);
}

static SeamFigure *
page_traffic_narrow (void)
{
  return make_page_traffic ("76", "published", 700, 0);
}

static SeamFigure *
make_page_roofline (const char *pipeline, const char *plan_b, double width, gboolean measured)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result (pipeline, "kernelbench", plan_b);
  SeamFigure *figure;

  result->device->bytes_per_s = 4.3e12;
  result->device->flop_tf32 = 495e12;
  result->device->flop_fp32 = 67e12;
  result->device->rates_source =
      g_strdup ("bandwidth measured here just now, arithmetic from the data sheet");
  for (int k = 0; measured && k < result->plans[1].n_kernels; k++) {
    result->plans[1].kernels[k].dram_bytes_read = result->plans[1].kernels[k].bytes * .6;
    result->plans[1].kernels[k].dram_bytes_written = result->plans[1].kernels[k].bytes * .35;
  }
  figure = seam_roofline_sheet_new (result, 0, 1, width, &error);
  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_roofline (void)
{
  return make_page_roofline ("21", "published", 1260, FALSE);
}

static SeamFigure *
page_roofline_measured (void)
{
  return make_page_roofline ("37", "full", 900, TRUE);
}

static SeamFigure *
page_timing_one (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("57", "laptop", "published");
  SeamFigure *figure = seam_timing_sheet_new (result, 1, -1, 1100, &error);

  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_timing_wrong (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "kernelbench");
  SeamFigure *figure;

  seam_difference_free (result->plans[1].difference);
  result->plans[1].difference = fixture_difference (problem, 3.3, FALSE);
  figure = seam_timing_sheet_new (result, 0, 1, 1000, &error);
  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_difference (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "kernelbench");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 3.3, FALSE);
  g_autoptr (SeamSlice) slice = fixture_slice (problem, 128, 128, 3.3);
  SeamFigure *figure =
      seam_difference_sheet_new (result, 1, 0, difference, slice, NULL, 1260, &error);

  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_sweep_predicted (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) problem = fixture_problem ("57", "kernelbench");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (problem->pipeline);
  g_autoptr (SeamSearch) search = NULL;
  SeamFigure *figure;

  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,published,full", ",", -1);
  search = seam_sweep_new_from_texts (request, "batch=1:64:log2", "height+width=16,32,64", &error);
  g_assert_no_error (error);
  for (int i = 0; i < search->n_points; i++) {
    SeamPoint *point = &search->points[i];

    point->guess_ns = 1e4 * (double)point->values[0] / (i % 3 + 1) + (i % 3 == 2 ? 5e4 : 0);
    point->tensors_fit_cache = point->values[0] < 4;
  }
  figure = seam_sweep_sheet_new (search, 900, &error);
  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
page_difference_agree (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("57", "laptop", "published");
  g_autoptr (SeamProblem) problem = fixture_problem ("57", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 1e-6, FALSE);
  SeamFigure *figure = seam_difference_sheet_new (
      result, 1, -1, difference, NULL, &(SeamMapLook){ .unit = SEAM_UNIT_RELATIVE }, 1000, &error);

  g_assert_no_error (error);
  return figure;
}

static SeamFigure *
make_ceiling (const char *pipeline, const char *plan_b, double width, gboolean compact)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline, "kernelbench");
  const char *const names[] = { "unfused", plan_b };
  SeamRates rates = { 4.3e12, 495e12, 60e6, TRUE };
  SeamCeilingOptions options = { .width = width, .left = 178, .compact = compact };
  SeamCeilingPlan plans[2];
  SeamCeiling ceiling;

  seam_ceiling (problem, &rates, &ceiling);
  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamPlan) plan = fixture_plan (problem, names[i]);

    plans[i] = (SeamCeilingPlan){ .letter = (char)('A' + i), .title = i ? "Published" : "Unfused" };
    seam_plan_limit (problem, plan, &rates, &plans[i].limit);
  }
  return seam_ceiling_figure_new (
      &ceiling, "bandwidth measured here just now, arithmetic from the data sheet", plans, 2,
      &options);
}

static SeamFigure *
ceiling_memory (void)
{
  return make_ceiling ("21", "published", 1228, FALSE);
}

static SeamFigure *
ceiling_compute (void)
{
  return make_ceiling ("76", "full", 1036, FALSE);
}

static SeamFigure *
ceiling_compact (void)
{
  return make_ceiling ("21", "published", 812, TRUE);
}

static SeamFigure *
make_prediction (gboolean covered)
{
  static const double bands[] = { 1.1, 1.5, 2 };
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = {
    .width = 1100,
    .result = result,
    .b = 1,
    .covered = covered,
    .yours_ns = result->plans[1].median_ns / 1.85,
    .guess_ns = result->plans[1].median_ns / 1.02,
    .guess_low_ns = result->plans[1].median_ns / 1.1,
    .guess_high_ns = result->plans[1].median_ns * 1.07,
    .range_ns = NAN,
    .bands = bands,
    .n_bands = 3,
    .yours_words = "1.85× too small",
    .guess_words = "1.02× too small",
  };

  return seam_prediction_figure_new (&options);
}

static SeamFigure *
prediction_covered (void)
{
  return make_prediction (TRUE);
}

static SeamFigure *
prediction_open (void)
{
  return make_prediction (FALSE);
}

static SeamFigure *
make_class (gboolean covered, int n_choices)
{
  static const double values[] = { .25, .3, .35, .4,  .4, .45, .5, .5, .5, .5,  .5,  .55, .6,
                                   .6,  .7, .7,  .75, .8, .9,  .9, 1,  1,  1.2, 1.5, 1.6, 2 };
  static const char *const choices[] = { "it saves most bytes", "it launches fewer kernels",
                                         "both kernels are short" };
  static const int counts[] = { 15, 8, 3 };
  SeamClassOptions options = {
    .width = 1000,
    .height = 260,
    .unit = { "ms", 1 },
    .values = values,
    .n_values = G_N_ELEMENTS (values),
    .a = 2.27,
    .range = NAN,
    .covered = covered,
    .measured = .923,
    .measured_low = .922,
    .measured_high = .924,
    .guess = .913,
    .near = 1.1,
    .choices = choices,
    .counts = counts,
    .n_choices = n_choices,
  };

  return seam_class_figure_new (&options);
}

static SeamFigure *
class_covered (void)
{
  return make_class (TRUE, 0);
}

static SeamFigure *
class_open (void)
{
  return make_class (FALSE, 0);
}

static SeamFigure *
class_choice (void)
{
  return make_class (FALSE, 3);
}

static const Entry entries[] = {
  { "strip-unfused", strip_unfused },
  { "strip-published", strip_published },
  { "strip-compact", strip_compact },
  { "strip-hardswish", strip_hardswish },
  { "strip-swish-cut", strip_swish_cut },
  { "strip-not-fused", strip_not_fused },
  { "strip-gemm-wide", strip_gemm_wide },
  { "chain", chain },
  { "chain-sidebar", chain_sidebar },
  { "kind-legend", kind_legend },
  { "bars", bars },
  { "bars-compact", bars_compact },
  { "bars-slower-noisy", bars_slower_noisy },
  { "bars-not-traced", bars_not_traced },
  { "bars-not-traced-narrow", bars_not_traced_narrow },
  { "bars-busy-machine", bars_busy_machine },
  { "bars-not-measured", bars_not_measured },
  { "prediction-covered", prediction_covered },
  { "prediction-open", prediction_open },
  { "class-covered", class_covered },
  { "class-open", class_open },
  { "class-choice", class_choice },
  { "ceiling-memory", ceiling_memory },
  { "ceiling-compute", ceiling_compute },
  { "ceiling-compact", ceiling_compact },
  { "samples", samples },
  { "overview", overview },
  { "overview-conv", overview_conv },
  { "overview-agree", overview_agree },
  { "slice-matrix", slice_matrix },
  { "slice-conv", slice_conv },
  { "map-legend", map_legend },
  { "page-timing", page_timing },
  { "page-timing-one", page_timing_one },
  { "page-roofline", page_roofline },
  { "page-roofline-measured", page_roofline_measured },
  { "page-traffic", page_traffic },
  { "page-traffic-measured", page_traffic_measured },
  { "page-traffic-narrow", page_traffic_narrow },
  { "page-timing-wrong", page_timing_wrong },
  { "page-difference", page_difference },
  { "page-sweep-predicted", page_sweep_predicted },
  { "page-difference-agree", page_difference_agree },
};

static const struct {
  const char *name;
  gboolean dark, high_contrast;
} looks[] = {
  { "light", FALSE, FALSE },
  { "dark", TRUE, FALSE },
  { "contrast", FALSE, TRUE },
  { "contrast-dark", TRUE, TRUE },
};

/* Share of pixels that are not the card's colour. */
static double
get_ink (SeamFigure *figure, const SeamPalette *palette)
{
  int width = (int)ceil (figure->width), height = (int)ceil (figure->height), inked = 0;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  const guint32 *first;
  guint32 card;

  seam_palette_set_source (cr, &palette->card);
  cairo_paint (cr);
  cairo_surface_flush (surface);
  card = *(const guint32 *)(const void *)cairo_image_surface_get_data (surface);
  seam_figure_draw (figure, cr, palette);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++) {
    first = (const guint32 *)(const void *)(cairo_image_surface_get_data (surface)
                                            + (gsize)y * cairo_image_surface_get_stride (surface));
    for (int x = 0; x < width; x++)
      inked += (first[x] & 0xffffff) != (card & 0xffffff);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return (double)inked / width / height;
}

static void
test_entry (gconstpointer data)
{
  const Entry *entry = data;
  const char *folder = g_getenv ("SEAMSCOPE_GALLERY");

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++) {
    const SeamPalette *palette = seam_palette_get (looks[i].dark, looks[i].high_contrast);
    g_autoptr (SeamFigure) figure = entry->make ();
    g_autofree char *summary = seam_figure_summarize (figure);

    g_assert_cmpfloat (get_ink (figure, palette), >, .01);
    g_assert_nonnull (summary);
    g_assert_cmpuint (strlen (summary), >, 8);
    if (folder != NULL && *folder != '\0') {
      g_autoptr (GError) error = NULL;
      g_autofree char *name = g_strdup_printf ("%s-%s.png", entry->name, looks[i].name);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_mkdir_with_parents (folder, 0755);
      seam_figure_export (figure, palette, path, &error);
      g_assert_no_error (error);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autofree char *path = g_strdup_printf ("/figure/gallery/%s", entries[i].name);

    g_test_add_data_func (path, &entries[i], test_entry);
  }
  return g_test_run ();
}
