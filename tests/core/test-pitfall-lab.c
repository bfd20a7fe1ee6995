/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab: the order of its runs, how it evaluates their samples, and its figure.
 */
#include "figure-fixture.h"
#include "figure-ink.h"

#include "app/report/lab-cases.h"
#include "app/figure/pitfalls-figure.h"
#include "tests/core/csv-fixture.h"

#include <string.h>

#define N_SAMPLES 12

/* A result in which plan p takes `ms[p]`, within 0.1 %. */
static SeamResult *
make_result (const SeamRunRequest *request, double ms_a, double ms_b)
{
  int n_plans = (int)g_strv_length (request->plans);
  SeamResult *result = seam_result_new (n_plans);

  result->pipeline_id = g_strdup (request->pipeline->id);
  result->pitfalls = seam_pitfalls_format (request->pitfalls);
  for (int p = 0; p < n_plans; p++) {
    SeamPlanResult *plan = &result->plans[p];
    double ns = 1e6 * (p == 0 ? ms_a : ms_b);

    plan->state = SEAM_PLAN_MEASURED;
    plan->n_samples = N_SAMPLES;
    plan->samples = g_new0 (SeamSample, N_SAMPLES);
    for (int i = 0; i < N_SAMPLES; i++)
      plan->samples[i] =
          (SeamSample){ .elapsed_ns = ns * (1 + 1e-4 * (i - 5)), .order = n_plans * i + p };
    plan->median_ns = ns;
  }
  return result;
}

static SeamLab *
make_lab (const char *plans, guint wanted)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("conv-relu-hardswish", "tiny");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (problem->pipeline);

  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
  request->settings.budget_s = 14;
  return seam_lab_new (request, wanted);
}

/* The effect of each pitfall on an imaginary machine, where the honest ratio is 2. */
static void
get_times (guint pitfalls, double *ms_a, double *ms_b)
{
  *ms_a = 4;
  *ms_b = 2;
  if (pitfalls == SEAM_PITFALL_NO_WARM_UP)
    *ms_a = 8;
  if (pitfalls == SEAM_PITFALL_FLUSH_INSIDE)
    *ms_a = 12, *ms_b = 10;
  if (pitfalls == SEAM_PITFALL_WARM_L2)
    *ms_a = 2, *ms_b = 1;
}

static void
run_all (SeamLab *lab)
{
  SeamRunRequest *next;
  int index = -1;

  while ((next = seam_lab_next (lab, &index)) != NULL) {
    g_autoptr (SeamRunRequest) request = next;
    g_autoptr (SeamResult) result = NULL;
    double a, b;

    get_times (request->pitfalls, &a, &b);
    result = make_result (request, a, b);
    g_assert_true (seam_lab_take (lab, index, result, NULL));
  }
}

static void
test_order (void)
{
  g_autoptr (SeamLab) lab = make_lab ("unfused,published,full", G_MAXUINT);
  const guint expected[] = { 0, 1, 2, 4, 16, 32, 0, 32, 16, 4, 2, 1 };
  int index, n_done, n_all;

  g_assert_cmpint (lab->n_plans, ==, 2);
  seam_lab_refuse (lab, SEAM_PITFALL_HIDDEN_TF32, g_strdup ("The CPU has no TF32."));
  seam_lab_refuse (lab, SEAM_PITFALL_ZEROS, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (SeamRunRequest) request = seam_lab_next (lab, &index);
    g_autoptr (SeamResult) result = NULL;

    g_assert_nonnull (request);
    g_assert_cmpuint (request->pitfalls, ==, expected[i]);
    g_assert_cmpuint (g_strv_length (request->plans), ==, 2);
    /* A share of 14 s, for two rounds of six cases. */
    g_assert_cmpfloat_with_epsilon (request->settings.budget_s, 14. / 12, 1e-9);
    result = make_result (request, 4, 2);
    g_assert_true (seam_lab_take (lab, index, result, NULL));
    seam_lab_count (lab, &n_done, &n_all);
    g_assert_cmpint (n_done, ==, (int)i + 1);
    g_assert_cmpint (n_all, ==, 12);
  }
  g_assert_null (seam_lab_next (lab, &index));
}

static void
check_says (const SeamLab *lab, SeamPitfall pitfall, const char *says)
{
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].pitfall == pitfall) {
      g_autofree char *words = seam_lab_describe (lab, i);
      if (strstr (words, says) == NULL)
        g_error ("“%s” is not in “%s”", says, words);
    }
}

static void
test_words (void)
{
  g_autoptr (SeamLab) lab = make_lab ("unfused,published", G_MAXUINT & ~(guint)SEAM_PITFALL_ZEROS);
  SeamLabNumbers numbers;

  check_says (lab, 0, "Not measured yet.");
  seam_lab_refuse (lab, SEAM_PITFALL_HIDDEN_TF32, g_strdup ("The CPU has no TF32."));
  run_all (lab);
  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &numbers);
  g_assert_cmpint (numbers.n_samples[1], ==, 2 * N_SAMPLES);
  g_assert_cmpfloat_with_epsilon (numbers.ratio, 2, .01);
  g_assert_cmpfloat (numbers.ratio_low, <, 2);
  g_assert_cmpfloat (numbers.ratio_high, >, 2);
  check_says (lab, 0, "A takes 2.00× as long as B");
  check_says (lab, SEAM_PITFALL_ZEROS, "Not asked for.");
  check_says (lab, SEAM_PITFALL_NO_WARM_UP, "B against A looks 2.00× faster than it is.");
  check_says (lab, SEAM_PITFALL_FLUSH_INSIDE, "B against A looks 1.67× slower than it is.");
  check_says (lab, SEAM_PITFALL_WARM_L2, "A looks 2.00× faster than it is, but the ratio");
  check_says (lab, SEAM_PITFALL_HOST_TIMER, "No effect");
  check_says (lab, SEAM_PITFALL_HIDDEN_TF32, "no TF32");
}

/* The lab goes on after a case that fails; Stop, a lost device and a failure of the honest run
 * end it. */
static void
test_failures (void)
{
  const struct {
    SeamError code;
    guint pitfalls;
    gboolean goes_on;
  } cases[] = {
    { SEAM_ERROR_MEMORY, SEAM_PITFALL_ZEROS, TRUE },
    { SEAM_ERROR_DEVICE, SEAM_PITFALL_ZEROS, FALSE },
    { SEAM_ERROR_CANCELLED, SEAM_PITFALL_ZEROS, FALSE },
    { SEAM_ERROR_MEMORY, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamLab) lab = make_lab ("unfused", G_MAXUINT);
    g_autoptr (GError) failure = g_error_new (SEAM_ERROR, (int)cases[i].code, "It broke.");
    int index = 0;

    for (;;) {
      g_autoptr (SeamRunRequest) request = seam_lab_next (lab, &index);
      g_autoptr (SeamResult) result = NULL;

      if (request->pitfalls == cases[i].pitfalls)
        break;
      result = make_result (request, 4, 2);
      g_assert_true (seam_lab_take (lab, index, result, NULL));
    }
    g_assert_true (seam_lab_take (lab, index, NULL, failure) == cases[i].goes_on);
    check_says (lab, (SeamPitfall)cases[i].pitfalls, "It broke.");
  }
}

static void
test_csv (void)
{
  g_autoptr (SeamLab) lab = make_lab ("unfused,published", SEAM_PITFALL_WARM_L2);
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  SeamResult *honest;

  run_all (lab);
  honest = lab->cases[SEAM_LAB_HONEST].rounds[0];
  honest->shape = g_strdup ("batch=1");
  honest->program_version = g_strdup ("0.1.0");
  honest->settings.storage = SEAM_STORAGE_BETWEEN;
  honest->device = seam_device_info_new ("cuda:0");
  honest->device->name = g_strdup ("A, B");
  csv = seam_lab_to_csv (lab);
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 4 + 1);
  g_assert_true (csv_has (
      csv, "pipeline,plan,target,device,math_mode,l2_state,shape,pitfalls,possible,"
           "n_samples,elapsed_median_ns,elapsed_ci_low_ns,elapsed_ci_high_ns,"
           "honest_median_ns,speedup,speedup_ci_low,speedup_ci_high,honest_speedup,finding,"
           "program_version,storage\r\n"));
  g_assert_true (g_str_has_prefix (lines[1], "conv-relu-hardswish,unfused,cuda:0,\"A, B\",fp32,"
                                             "cold,batch=1,,yes,24,4000200,3999200,4001200,"
                                             "4000200,2,"));
  g_assert_true (g_str_has_prefix (lines[4], "conv-relu-hardswish,published,cuda:0,\"A, B\",fp32,"
                                             "cold,batch=1,warm-l2,yes,24,1000050,999800,1000300,"
                                             "2000100,2,"));
  g_assert_true (csv_has (csv, " its interval.\",0.1.0,between\r\n"));
}

/* All times have the unit of the honest times. With one plan alone there is nothing to compare. */
static void
test_table (void)
{
  g_autoptr (SeamLab) lab = make_lab ("unfused,published", SEAM_PITFALL_WARM_L2);
  g_autoptr (SeamLab) alone = make_lab ("unfused", SEAM_PITFALL_WARM_L2);
  g_autoptr (SeamTable) table = NULL;
  g_autoptr (SeamTable) of_one = NULL;
  g_autofree char *ratio = NULL;
  int column;

  run_all (lab);
  run_all (alone);
  table = seam_lab_table_make (lab);
  of_one = seam_lab_table_make (alone);
  column = seam_table_get_column_index (table, "ratio");
  ratio = seam_table_format_cell (table, 0, column);
  g_assert_cmpint (seam_table_get_n_rows (table), ==, 2);
  g_assert_cmpstr (ratio, ==, "2.00×");
  g_assert_cmpint (seam_table_get_row (table, 0)->cells[column].tone, ==, SEAM_TONE_PLAIN);
  g_assert_cmpint (seam_table_get_row (table, 1)->cells[column].tone, ==, SEAM_TONE_BAD);
  g_assert_true (seam_table_is_shown (table, column, SEAM_SHOWN_ON_SHEET));
  g_assert_false (seam_table_is_shown (of_one, column, SEAM_SHOWN_ON_SHEET));
}

static void
test_layout (void)
{
  for (int n_plans = 1; n_plans <= 2; n_plans++) {
    g_autoptr (SeamLab) lab = make_lab (n_plans == 1 ? "unfused" : "unfused,published", G_MAXUINT);
    SeamPitfallsLayout *layout;
    double zero;

    seam_lab_refuse (lab, SEAM_PITFALL_HIDDEN_TF32, g_strdup ("The CPU has no TF32."));
    run_all (lab);
    layout = seam_pitfalls_layout_new (lab, 900);
    zero = seam_axis_get_px (&layout->axis, 0);
    g_assert_cmpint (layout->n_rows, ==, SEAM_LAB_N_CASES);
    g_assert_cmpfloat (zero, ==, layout->plot.x);
    for (int i = 0; i < layout->n_rows; i++) {
      const SeamPitfallsRow *row = &layout->rows[i];
      double a, b;

      get_times ((guint)lab->cases[row->index].pitfall, &a, &b);
      if (lab->cases[row->index].pitfall == SEAM_PITFALL_HIDDEN_TF32) {
        g_assert_null (row->value);
        g_assert_true (g_str_has_prefix (row->note, "The CPU"));
        continue;
      }
      /* On a single scale, distances from zero are proportional to the values. */
      g_assert_cmpfloat_with_epsilon ((row->x - zero) / (layout->rows[0].x - zero),
                                      n_plans == 2 ? a / b / 2 : a / 4, .01);
      g_assert_cmpfloat (row->low_x, <, row->high_x);
      g_assert_cmpfloat (row->high_x, <=, layout->plot.x + layout->plot.width);
    }
    seam_owner_free (layout);
  }
}

static void
test_figure (void)
{
  static const double widths[] = { 300, 640, 1200 };

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++)
    for (int n_plans = 1; n_plans <= 2; n_plans++) {
      g_autoptr (SeamLab) lab =
          make_lab (n_plans == 1 ? "unfused" : "unfused,published", G_MAXUINT);
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamFigure) page = NULL;
      g_autoptr (SeamFigure) empty = seam_pitfalls_figure_new (lab, widths[w]);
      g_autoptr (SeamFigure) figure = NULL;
      g_autofree char *summary = NULL;

      ink_assert_inside (empty, "empty");
      g_assert_null (seam_pitfalls_sheet_new (lab, widths[w], &error));
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
      g_clear_error (&error);
      run_all (lab);
      figure = seam_pitfalls_figure_new (lab, widths[w]);
      page = seam_pitfalls_sheet_new (lab, widths[w], &error);
      g_assert_no_error (error);
      ink_assert_inside (figure, "figure");
      ink_assert_inside (page, "page");
      summary = seam_figure_summarize (page);
      g_assert_nonnull (strstr (summary, "mistakes made on purpose"));
      for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
        SeamHit hit = { .kind = SEAM_HIT_OP, .index = i };
        ink_assert_pick (figure, &hit, "row");
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pitfall-lab/order", test_order);
  g_test_add_func ("/pitfall-lab/words", test_words);
  g_test_add_func ("/pitfall-lab/failures", test_failures);
  g_test_add_func ("/pitfall-lab/csv", test_csv);
  g_test_add_func ("/pitfall-lab/table", test_table);
  g_test_add_func ("/pitfall-lab/layout", test_layout);
  g_test_add_func ("/pitfall-lab/figure", test_figure);
  return g_test_run ();
}
