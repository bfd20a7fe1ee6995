/* SPDX-License-Identifier: MIT
 *
 * Every way out of the library for a result, in one table: a result that was made with a pitfall
 * says so in each, an honest one in none, and each figure says what it is of. The headers are read,
 * so that a way out which is not in the table is found.
 */
#include "figure-fixture.h"
#include "figure-text.h"

#include "app/base/csv-read.h"
#include "app/compare/comparison.h"
#include "app/explain/why.h"
#include "app/explore/explore.h"
#include "app/explore/pitfall-lab.h"
#include "app/explore/sweep.h"
#include "app/export/trace.h"
#include "app/figure/bandwidth.h"
#include "app/figure/comparison.h"
#include "app/figure/lattice.h"
#include "app/figure/pitfalls.h"
#include "app/figure/sweep.h"
#include "app/figure/why.h"
#include "app/report/products.h"
#include "app/runner/run.h"
#include "app/report/kernels.h"
#include "app/report/lab-cases.h"
#include "app/report/plans.h"

#define NAMES "zeros,warm-l2"
#define WORDS "wrong on purpose: zeros as input, warm L2"

static SeamResult *
make_result (const char *pitfalls)
{
  SeamResult *result = fixture_result ("conv-relu-hardswish", "tiny", "published");
  SeamDifference *difference = result->plans[1].difference;

  result->pitfalls = g_strdup (pitfalls);
  /* The fixture's counts are those of a larger shape. */
  memset (difference->histogram, 0, SEAM_HISTOGRAM_BINS * sizeof *difference->histogram);
  difference->histogram[8] = 5;
  difference->n_worst = 1;
  difference->worst[0] = (SeamWorstElement){ 0, 3, 1 };
  return result;
}

/* ---- of a result ---- */

/* A run, its first two plans and the comparison of their outputs; without `compares` nobody chose
 * one. */
static SeamProductSource
make_source (SeamResult *const *result, gboolean compares)
{
  return (SeamProductSource){
    .results = result,
    .n_results = 1,
    .second = 1,
    .difference = compares ? (*result)->plans[1].difference : NULL,
    .tested = 1,
  };
}

/* The honest one beside it: the side that is not must say so. */
static SeamComparison *
compare (SeamResult *result)
{
  g_autoptr (SeamResult) honest = make_result (NULL);

  return seam_comparison_new (honest, result);
}

static char *
make_comparison (SeamResult *result)
{
  g_autoptr (SeamComparison) comparison = compare (result);

  return seam_comparison_to_csv (&comparison, 1);
}

static char *
make_comparison_json (SeamResult *result)
{
  g_autoptr (SeamComparison) comparison = compare (result);

  return seam_comparison_to_json (&comparison, 1);
}

static SeamFigure *
draw_comparison (SeamResult *result)
{
  g_autoptr (SeamComparison) comparison = compare (result);

  return seam_comparison_page_new (comparison, 1200, NULL);
}

static const struct {
  const char *function;
  const char *product; /* of app/report/products.h that is made by it, or what makes it: */
  gboolean every_plan; /* of the run is in it; else one comparison */
  char *(*make_table) (SeamResult *result); /* a row of it says so by itself */
  char *(*make_text) (SeamResult *result);
  SeamFigure *(*draw) (SeamResult *result);
  const char *says; /* a figure: which of its numbers are measured and which are modelled */
} exporters[] = {
  { "seam_result_to_csv", "csv-plans" },
  { "seam_result_kernels_to_csv", "csv-kernels" },
  { "seam_result_samples_to_csv", "csv-samples" },
  { "seam_result_worst_to_csv", "csv-worst", .every_plan = TRUE },
  { "seam_result_histogram_to_csv", "csv-histogram", .every_plan = TRUE },
  { "seam_comparison_worst_to_csv", "csv-worst" },
  { "seam_comparison_histogram_to_csv", "csv-histogram" },
  { "seam_difference_to_csv", "csv-overview" },
  { "seam_ledger_to_csv", "csv-ledger" },
  { "seam_traffic_to_csv", "csv-traffic" },
  { "seam_waterfall_to_csv", "csv-waterfall" },
  { "seam_roofline_to_csv", "csv-roofline" },
  { "seam_comparison_to_csv", .make_table = make_comparison },
  { "seam_comparison_to_json", .make_text = make_comparison_json },
  { "seam_record_to_json", "json" },
  { "seam_trace_to_json", "trace" },
  { "seam_timing_page_new", "timing", .says = "Memory traffic, modelled" },
  { "seam_traffic_page_new", "traffic", .says = "modelled" },
  { "seam_roofline_page_new", "roofline", .says = "modelled" },
  { "seam_timeline_page_new", "timeline", .says = "Modelled (kB)" },
  { "seam_samples_page_new", "samples", .says = "sample" },
  { "seam_difference_page_new", "difference", .says = "difference" },
  { "seam_numbers_page_new", "numbers", .says = "difference" },
  { "seam_comparison_page_new", .draw = draw_comparison, .says = "elapsed median" },
};

static const SeamProduct *
get_product (gsize i)
{
  return exporters[i].product != NULL ? seam_products_find (exporters[i].product) : NULL;
}

static char *
make_of_kind (gsize i, SeamProductKind kind, SeamResult *result)
{
  const SeamProduct *product = get_product (i);
  SeamProductSource source = make_source (&result, !exporters[i].every_plan);
  char *(*make) (SeamResult *) =
      kind == SEAM_PRODUCT_TABLE ? exporters[i].make_table : exporters[i].make_text;

  if (product != NULL)
    return product->kind == kind ? seam_product_make_text (product, &source, NULL) : NULL;
  return make != NULL ? make (result) : NULL;
}

/* NULL where it is no table. */
static char *
make_table (gsize i, SeamResult *result)
{
  return make_of_kind (i, SEAM_PRODUCT_TABLE, result);
}

/* NULL where it is no figure. */
static SeamFigure *
draw (gsize i, SeamResult *result)
{
  const SeamProduct *product = get_product (i);
  SeamProductSource source = make_source (&result, TRUE);

  if (product != NULL)
    return product->kind == SEAM_PRODUCT_FIGURE ? seam_product_make_figure (product, &source, NULL)
                                                : NULL;
  return exporters[i].draw != NULL ? exporters[i].draw (result) : NULL;
}

/* ---- of other things ---- */

static SeamRunRequest *
make_request (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("conv-relu-hardswish", "tiny");
  SeamRunRequest *request = seam_run_request_new (problem->pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  request->pitfalls = SEAM_PITFALL_ZEROS | SEAM_PITFALL_WARM_L2;
  request->target = g_strdup ("cuda:0");
  return request;
}

static SeamDeviceInfo *
make_device (void)
{
  SeamDeviceInfo *device = seam_device_info_new ("cuda:0");

  device->name = g_strdup ("Synthetic device");
  device->driver = g_strdup ("580");
  return device;
}

/* As if it had been measured, some points longer than others. */
static void
fill_survey (SeamSurvey *survey)
{
  survey->device = make_device ();
  survey->math_mode = SEAM_MATH_TF32;
  for (int i = 0; i < survey->n_points; i++) {
    SeamPoint *point = &survey->points[i];

    point->state = SEAM_POINT_MEASURED;
    point->notation = g_strdup (point->plan);
    point->median_ns = point->reference_ns = 1e6;
    point->n_samples = i == 0 ? 5 : 20;
    point->measured_at = g_strdup ("2026-11-21T07:00:00Z");
  }
}

static SeamFigure *
draw_lattice (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSurvey) survey = seam_explore_new (request);

  fill_survey (survey);
  /* Its runs make no mistakes, whatever was asked for. */
  g_assert_cmpuint (survey->request->pitfalls, ==, 0);
  return seam_lattice_page_new (survey, 1400, NULL);
}

static SeamFigure *
draw_sweep (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSurvey) sweep = seam_sweep_new_from_texts (request, "batch=1:8:log2", NULL, NULL);

  fill_survey (sweep);
  g_assert_cmpuint (sweep->request->pitfalls, ==, 0);
  return seam_sweep_page_new (sweep, 1200, NULL);
}

static SeamFigure *
draw_ceiling (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("conv-relu-hardswish", "tiny");
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamDeviceInfo) device = make_device ();
  g_autofree char *provenance = seam_estimate_get_provenance (request, device, problem);
  SeamPlanEstimate plan = { .name = "unfused",
                            .notation = "conv|conv_bias|relu|add3|div6|clamp|mul" };
  SeamEstimate estimate = { .floor_source = "data sheet",
                            .rates = { .bytes_per_s = 4e12, .flop_per_s = 4e14, .cold = TRUE },
                            .n_plans = 1,
                            .plans = &plan };

  seam_ceiling (problem, &estimate.rates, &estimate.ceiling);
  return seam_ceiling_page_new (&estimate, problem, provenance, 1200, NULL);
}

static SeamFigure *
draw_why (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("conv-relu-hardswish", "tiny");
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamDeviceInfo) device = make_device ();
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "unfused");
  g_autofree char *provenance = seam_estimate_get_provenance (request, device, problem);
  g_autoptr (SeamWhy) why = seam_why_new (problem, plan, 0, TRUE, NULL, device);

  return seam_why_page_new (why, problem, provenance, 1200);
}

static SeamFigure *
draw_calibration (void)
{
  g_autoptr (SeamCalibration) calibration = seam_calibration_new ();

  calibration->device = g_strdup ("Synthetic device");
  calibration->driver = g_strdup ("580");
  calibration->target = g_strdup ("cuda:0");
  calibration->measured_at = g_strdup ("2026-11-21T07:00:00Z");
  calibration->program_version = g_strdup ("0.1.0");
  return seam_calibration_page_new (calibration, 1200);
}

/* Every case of it is of the same two plans. */
static SeamLab *
make_lab (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  SeamLab *lab = seam_lab_new (request, SEAM_PITFALL_ZEROS);
  SeamRunRequest *next;
  int index = -1;

  while ((next = seam_lab_next (lab, &index)) != NULL) {
    g_autoptr (SeamRunRequest) asked = next;
    g_autofree char *names = seam_pitfalls_format (asked->pitfalls);
    g_autoptr (SeamResult) result = make_result (names);

    g_assert_true (seam_lab_take (lab, index, result, NULL));
  }
  return lab;
}

static SeamFigure *
draw_lab (void)
{
  g_autoptr (SeamLab) lab = make_lab ();

  return seam_pitfalls_page_new (lab, 1200, NULL);
}

/* What every figure of a result says at its foot. */
static const char *const of_result[] = { "Synthetic device",
                                         "driver 580",
                                         "conv-relu-hardswish",
                                         "TF32",
                                         "cold L2",
                                         "20 samples each",
                                         "seed 1",
                                         "init framework",
                                         "2026-11-21T07:00:00Z",
                                         "Seamscope 0.1.0",
                                         NULL };

/* Those that cannot be of a result with a pitfall, and why; of figures, what they say instead. */
static const struct {
  const char *function, *reason;
  SeamFigure *(*draw) (void);
  const char *says[12];
} others[] = {
  { "seam_calibration_to_csv", "of a device, whose probes make no mistakes on purpose" },
  { "seam_calibration_to_json", "the same" },
  { "seam_calibration_page_new",
    "the same",
    draw_calibration,
    { "Synthetic device", "driver 580", "calibrated", "Seamscope 0.1.0" } },
  { "seam_estimate_to_csv", "modelled before anything is measured" },
  { "seam_ceiling_page_new",
    "the same",
    draw_ceiling,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "FP32", "cold L2",
      "modelled, nothing was run", "Seamscope" } },
  { "seam_why_append_csv", "the same" },
  { "seam_why_page_new",
    "the same",
    draw_why,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "FP32", "cold L2",
      "modelled, nothing was run", "Seamscope" } },
  { "seam_variant_to_json", "writes what others give it" },
  { "seam_survey_to_csv", "its runs take no pitfalls over from the request" },
  { "seam_lattice_page_new",
    "the same",
    draw_lattice,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "TF32", "cold L2", "seed",
      "5 to 20 samples each", "partitions measured", "at full rate", "2026-11-21T07:00:00Z",
      "Seamscope" } },
  { "seam_sweep_page_new",
    "the same",
    draw_sweep,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "TF32", "cold L2", "seed",
      "5 to 20 samples each", "points measured", "2026-11-21T07:00:00Z", "Seamscope" } },
  { "seam_lab_to_csv", "names the mistake of each row: test_lab()" },
  { "seam_pitfalls_page_new",
    "the same",
    draw_lab,
    { "all but Honest is wrong on purpose", "Zeros as input", "Synthetic device", "TF32", "cold L2",
      "20 samples each", "2026-11-21T07:00:00Z", "Seamscope 0.1.0" } },
};

/* ---- tests ---- */

static gboolean
is_listed (const char *function)
{
  for (gsize i = 0; i < G_N_ELEMENTS (exporters); i++)
    if (strcmp (exporters[i].function, function) == 0)
      return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].function, function) == 0)
      return TRUE;
  return FALSE;
}

static void
check_header (const char *path, GHashTable *found)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("\\bseam_\\w+_(to_csv|to_json|append_csv|page_new)(?= \\()", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *function = g_match_info_fetch (match, 0);

    if (!is_listed (function))
      g_error ("%s exports by %s(), which this test does not know: add it to a table.", path,
               function);
    g_hash_table_add (found, g_steal_pointer (&function));
  }
}

static void
test_all_are_listed (void)
{
  const char *app = g_getenv ("SEAMSCOPE_TEST_APP");
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *folder;

  g_assert_nonnull (app);
  dir = g_dir_open (app, 0, NULL);
  g_assert_nonnull (dir);
  while ((folder = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (app, folder, NULL);
    g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
    const char *name;

    while (files != NULL && (name = g_dir_read_name (files)) != NULL) {
      g_autofree char *header = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, ".h"))
        check_header (header, found);
    }
  }
  g_assert_cmpint (g_hash_table_size (found), ==, G_N_ELEMENTS (exporters) + G_N_ELEMENTS (others));
}

/* What commands and window write of a result is looked at here. */
static void
test_products_are_listed (void)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    gsize i = 0;

    while (i < G_N_ELEMENTS (exporters) && g_strcmp0 (exporters[i].product, product->name) != 0)
      i++;
    if ((product->of & SEAM_OF_RESULTS) != 0 && i == G_N_ELEMENTS (exporters))
      g_error ("The product %s is not in this test: add it to the table.", product->name);
  }
}

/* Every row has the mark, by itself: rows are sorted, filtered and pasted elsewhere. */
static void
check_table (const char *function, const char *csv, gboolean is_marked)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  guint n = g_strv_length (lines) - 1;

  g_assert_cmpuint (n, >, 1);
  g_assert_nonnull (strstr (lines[0], "pitfalls"));
  for (guint i = 1; i < n; i++)
    if ((strstr (lines[i], "\"" NAMES "\"") != NULL) != is_marked)
      g_error ("%s(), row %u: %s", function, i, lines[i]);
}

static void
test_texts (void)
{
  int n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (exporters); i++) {
    const char *function = exporters[i].function;
    g_autoptr (SeamResult) clean = make_result (NULL), marked = make_result (NAMES);

    g_autofree char *clean_table = make_table (i, clean);
    g_autofree char *marked_table = make_table (i, marked);
    g_autofree char *without = make_of_kind (i, SEAM_PRODUCT_JSON, clean);
    g_autofree char *with = make_of_kind (i, SEAM_PRODUCT_JSON, marked);

    if (clean_table != NULL) {
      check_table (function, clean_table, FALSE);
      check_table (function, marked_table, TRUE);
      n++;
    } else if (without != NULL) {
      n++;
      g_assert_null (strstr (without, NAMES));
      if (strstr (with, NAMES) == NULL)
        g_error ("%s() does not name the pitfalls.", function);
    }
  }
  g_assert_cmpint (n, ==, 16);
}

/* What was stored in 16 bits is told apart wherever the math mode is; as figures say it. */
static void
test_storage (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (exporters); i++) {
    const char *function = exporters[i].function;
    g_autoptr (SeamResult) result = make_result (NULL);

    result->settings.math_mode = SEAM_MATH_BF16;
    result->settings.storage = SEAM_STORAGE_BETWEEN;
    g_autofree char *table = make_table (i, result);
    g_autoptr (SeamFigure) figure = draw (i, result);
    if (table != NULL) {
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamCsv) csv = seam_csv_parse (table, &error);

      g_assert_no_error (error);
      g_assert_cmpint (seam_csv_get_n_rows (csv), >, 0);
      for (int row = 0; row < seam_csv_get_n_rows (csv); row++)
        if (seam_csv_has_column (csv, "math_mode")
            && strcmp (seam_csv_get (csv, row, "storage"), "between") != 0)
          g_error ("%s(), row %d: no storage", function, row + 1);
    } else if (figure != NULL) {
      g_autofree char *text = figure_get_text (figure);

      if (figure_text_count (text, "BF16 storage between kernels") < 1)
        g_error ("%s() says “%s”", function, text);
    }
  }
}

/* Each plan of a trace is a process of its own there, and its name is what stands beside it. */
static void
test_trace (void)
{
  g_autoptr (SeamResult) clean = make_result (NULL), marked = make_result (NAMES);
  g_autofree char *without = seam_trace_to_json (&clean, 1);
  g_autofree char *with = seam_trace_to_json (&marked, 1);

  g_assert_null (strstr (without, "wrong on purpose"));
  g_assert_nonnull (strstr (with, "unfused · conv-relu-hardswish · TF32 · ⚠ With pitfall, " WORDS));
  g_assert_nonnull (
      strstr (with, "published · conv-relu-hardswish · TF32 · ⚠ With pitfall, " WORDS));
}

static void
test_figures (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (exporters); i++) {
    const char *function = exporters[i].function;
    g_autoptr (SeamResult) clean = make_result (NULL), marked = make_result (NAMES);
    g_autoptr (SeamFigure) without = NULL, with = NULL;
    g_autofree char *honest = NULL, *text = NULL;

    without = draw (i, clean);
    with = draw (i, marked);
    g_assert_cmpint (without != NULL, ==, exporters[i].says != NULL);
    if (without == NULL)
      continue;
    honest = figure_get_text (without);
    text = figure_get_text (with);
    g_assert_cmpint (figure_text_count (honest, "on purpose"), ==, 0);
    /* Under the title and in the line at the foot. */
    if (figure_text_count (text, "⚠") < 1 || figure_text_count (text, WORDS) < 2)
      g_error ("%s() says “%s”", function, text);
    for (int k = 0; of_result[k] != NULL; k++)
      if (figure_text_count (honest, of_result[k]) < 1)
        g_error ("%s() does not say “%s”: “%s”", function, of_result[k], honest);
    if (figure_text_count (honest, exporters[i].says) < 1)
      g_error ("%s() does not say “%s”: “%s”", function, exporters[i].says, honest);
  }
}

/* A rail is seen on the sheet, too, by a sign and in words, for two plans and for one. */
static void
test_rails (void)
{
  const struct {
    gboolean floor, peak;
    const char *words;
  } cases[] = {
    { FALSE, FALSE, NULL },
    { TRUE, FALSE, SEAM_VERDICT_UNDER_FLOOR },
    { FALSE, TRUE, "over a peak of the device, which cannot be right" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int second = -1; second < 2; second += 2) {
      g_autoptr (SeamResult) result = make_result (NULL);
      g_autoptr (SeamFigure) figure = NULL;
      g_autofree char *text = NULL;

      if (cases[i].floor)
        result->floor_ns = 1.5 * result->plans[0].median_ns;
      if (cases[i].peak)
        result->plans[0].kernels[0].sm_percent = 130;
      figure = seam_timing_page_new (result, 0, second, 1200, NULL);
      text = figure_get_text (figure);
      g_assert_cmpint (figure_text_count (text, "⚠"), ==, cases[i].words != NULL);
      for (gsize k = 1; k < G_N_ELEMENTS (cases); k++)
        g_assert_cmpint (figure_text_count (text, cases[k].words), ==, k == i);
    }
}

/* Figures that are of no single result say what they are of, too. */
static void
test_other_figures (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (SeamFigure) figure = others[i].draw != NULL ? others[i].draw () : NULL;
    g_autofree char *text = NULL;

    if (figure == NULL) {
      g_assert_null (others[i].draw);
      continue;
    }
    text = figure_get_text (figure);
    for (int k = 0; others[i].says[k] != NULL; k++)
      if (figure_text_count (text, others[i].says[k]) < 1)
        g_error ("%s() does not say “%s”: “%s”", others[i].function, others[i].says[k], text);
  }
}

static void
test_lab (void)
{
  g_autoptr (SeamLab) lab = make_lab ();
  g_autofree char *csv = seam_lab_to_csv (lab);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 2 * 2 + 1);
  for (int i = 1; i < 5; i++) {
    g_assert_true ((strstr (lines[i], ",zeros,") != NULL) == (i > 2));
    g_assert_true (g_str_has_suffix (lines[i], ",fp32"));
  }
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exports/all-are-listed", test_all_are_listed);
  g_test_add_func ("/exports/products-are-listed", test_products_are_listed);
  g_test_add_func ("/exports/texts", test_texts);
  g_test_add_func ("/exports/storage", test_storage);
  g_test_add_func ("/exports/trace", test_trace);
  g_test_add_func ("/exports/figures", test_figures);
  g_test_add_func ("/exports/other-figures", test_other_figures);
  g_test_add_func ("/exports/rails", test_rails);
  g_test_add_func ("/exports/lab", test_lab);
  return g_test_run ();
}
