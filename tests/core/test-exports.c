/* SPDX-License-Identifier: MIT
 *
 * Every product of the registry names its source. A product of a result that was made with a
 * pitfall says so in each row, text or figure, an honest one in none. The headers are read, so that
 * a way out of the library that is not in the registry is found.
 */
#include "figure-text.h"
#include "product-fixture.h"

#include "app/base/csv-read.h"
#include "app/export/chrome-trace.h"
#include "app/report/lab-cases.h"
#include "tests/core/csv-fixture.h"

#define NAMES "zeros,warm-l2"
#define WORDS "wrong on purpose: zeros as input, warm L2"

/* Functions that write what is given to them and make no product themselves. */
static const char *const no_products[] = { "seam_history_to_rows", "seam_record_to_json",
                                           "seam_variant_to_json" };

/* What the foot of every figure of such a source says. */
static const struct {
  guint of;
  const char *says[12];
} feet[] = {
  { SEAM_OF_RESULTS | SEAM_OF_COMPARISON,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "TF32", "cold cache",
      "20 samples each", "seed 1", "init framework", "2026-11-21T07:00:00Z", "Seamscope 0.1.0" } },
  { SEAM_OF_SEARCHES,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "TF32", "cold cache", "seed",
      "5 to 20 samples each", "2026-11-21T07:00:00Z", "Seamscope" } },
  { SEAM_OF_EXPLORE, { "partitions measured", "guess" } },
  { SEAM_OF_SWEEP, { "points measured" } },
  { SEAM_OF_ESTIMATE | SEAM_OF_WHY,
    { "Synthetic device", "driver 580", "conv-relu-hardswish", "FP32", "cold cache",
      "modelled, nothing was run", "Seamscope" } },
  { SEAM_OF_LAB,
    { "all but Honest is wrong on purpose", "Zeros as input", "Synthetic device", "TF32",
      "cold cache", "20 samples each", "2026-11-21T07:00:00Z", "Seamscope 0.1.0" } },
  { SEAM_OF_CALIBRATION, { "Synthetic device", "driver 580", "calibrated", "Seamscope 0.1.0" } },
};

/* The words that tell measured numbers from modelled ones in figures that have both. */
static const struct {
  const char *product, *says;
} numbers[] = {
  { "timing", "Memory traffic, modelled" },
  { "traffic", "modelled" },
  { "roofline", "modelled" },
  { "timeline", "Modelled (kB)" },
  { "samples", "sample" },
  { "difference", "difference" },
  { "numbers", "difference" },
  { "comparison", "elapsed median" },
};

/* Whether the product is of results, which may have been made with a pitfall. Explorations and
 * sweeps do not take pitfalls over from the request, and the lab names the pitfall of each row. For
 * all others nothing runs, or the probes make no mistakes. */
static gboolean
is_of_results (const SeamProduct *product)
{
  return (product->of & (SEAM_OF_RESULTS | SEAM_OF_COMPARISON)) != 0;
}

static char *
make_text (const SeamProduct *product, SeamResult *result, gboolean every_plan)
{
  g_autoptr (FixtureSource) fixture = fixture_source_new (product, result);
  g_autoptr (GError) error = NULL;
  char *text;

  if (every_plan)
    fixture->source.difference = NULL;
  text = seam_product_make_text (product, &fixture->source, &error);
  g_assert_no_error (error);
  return text;
}

static SeamFigure *
draw (const SeamProduct *product, SeamResult *result)
{
  g_autoptr (FixtureSource) fixture = fixture_source_new (product, result);
  g_autoptr (GError) error = NULL;
  SeamFigure *figure = seam_product_make_figure (product, &fixture->source, &error);

  g_assert_no_error (error);
  return figure;
}

/* ---- tests ---- */

/* Checks that every export function of a header is in `products`, the text of
 * app/report/products.c. */
static void
check_header (const char *path, const char *products, GHashTable *found)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("\\bseam_\\w+_(to_csv|to_json|to_rows|sheet_new)(?= \\()", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *function = g_match_info_fetch (match, 0);
    g_autofree char *word = g_strdup_printf ("\\b%s\\b", function);
    gboolean is_product = FALSE;

    for (gsize i = 0; i < G_N_ELEMENTS (no_products); i++)
      is_product = is_product || strcmp (no_products[i], function) == 0;
    if (!is_product && !g_regex_match_simple (word, products, 0, 0))
      g_error ("%s exports by %s(), of which no product of app/report/products.c is made.", path,
               function);
    g_hash_table_add (found, g_steal_pointer (&function));
  }
}

static void
test_all_are_products (void)
{
  const char *app = g_getenv ("SEAMSCOPE_TEST_APP");
  g_autofree char *registry = g_build_filename (app, "report", "products.c", NULL);
  g_autofree char *products = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *folder;

  g_assert_nonnull (app);
  g_assert_true (g_file_get_contents (registry, &products, NULL, NULL));
  dir = g_dir_open (app, 0, NULL);
  g_assert_nonnull (dir);
  while ((folder = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (app, folder, NULL);
    g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
    const char *name;

    while (files != NULL && (name = g_dir_read_name (files)) != NULL) {
      g_autofree char *header = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, ".h"))
        check_header (header, products, found);
    }
  }
  for (gsize i = 0; i < G_N_ELEMENTS (no_products); i++)
    g_assert_true (g_hash_table_contains (found, no_products[i]));
  g_assert_true (g_hash_table_contains (found, "seam_whys_to_rows"));
  g_assert_true (g_hash_table_contains (found, "seam_timing_sheet_new"));
}

/* Every row has the mark: rows are sorted, filtered and pasted elsewhere, one by one. */
static void
check_table (const SeamProduct *product, const char *csv, gboolean is_marked)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  guint n = g_strv_length (lines) - 1;

  g_assert_cmpuint (n, >, 1);
  g_assert_true (!is_of_results (product) || strstr (lines[0], "pitfalls") != NULL);
  for (guint i = 1; i < n; i++)
    if ((strstr (lines[i], "\"" NAMES "\"") != NULL) != is_marked)
      g_error ("%s, row %u: %s", product->name, i, lines[i]);
}

static void
check_texts (const SeamProduct *product, gboolean every_plan)
{
  g_autoptr (SeamResult) clean = fixture_product_result (NULL);
  g_autoptr (SeamResult) marked = fixture_product_result (NAMES);
  g_autofree char *without = make_text (product, clean, every_plan);
  g_autofree char *with = make_text (product, marked, every_plan);

  if (product->kind == SEAM_PRODUCT_TABLE) {
    check_table (product, without, FALSE);
    check_table (product, with, is_of_results (product));
    return;
  }
  g_assert_cmpint (without[0], ==, '{');
  g_assert_null (strstr (without, NAMES));
  g_assert_null (strstr (without, WORDS));
  if ((strstr (with, NAMES) != NULL || strstr (with, WORDS) != NULL) != is_of_results (product))
    g_error ("%s: %s", product->name, with);
}

static void
test_texts (void)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    if (product->kind == SEAM_PRODUCT_FIGURE)
      continue;
    g_test_message ("%s", product->name);
    check_texts (product, FALSE);
    /* Without a chosen comparison, the product is of every plan of the run. */
    if (product->of == SEAM_OF_RUN && product->compares)
      check_texts (product, TRUE);
  }
}

/* Wherever a product names the math mode, it also names 16-bit storage, in the words of the
 * figures. */
static void
test_storage (void)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    g_autoptr (SeamResult) result = fixture_product_result (NULL);

    if (!is_of_results (product))
      continue;
    result->settings.math_mode = SEAM_MATH_BF16;
    result->settings.storage = SEAM_STORAGE_BETWEEN;
    if (product->kind == SEAM_PRODUCT_TABLE) {
      g_autofree char *table = make_text (product, result, FALSE);
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamCsv) csv = seam_csv_parse (table, &error);

      g_assert_no_error (error);
      g_assert_cmpint (seam_csv_get_n_rows (csv), >, 0);
      for (int row = 0; row < seam_csv_get_n_rows (csv); row++)
        if (seam_csv_has_column (csv, "math_mode")
            && strcmp (seam_csv_get (csv, row, "storage"), "between") != 0)
          g_error ("%s, row %d: no storage", product->name, row + 1);
    } else if (product->kind == SEAM_PRODUCT_FIGURE) {
      g_autoptr (SeamFigure) figure = draw (product, result);
      g_autofree char *text = figure_get_text (figure);

      if (figure_text_count (text, "BF16 storage between kernels") < 1)
        g_error ("%s says “%s”", product->name, text);
    }
  }
}

/* In the trace each plan is a process, whose name has the mark. */
static void
test_trace (void)
{
  g_autoptr (SeamResult) clean = fixture_product_result (NULL),
                         marked = fixture_product_result (NAMES);
  g_autofree char *without = seam_trace_to_json (&clean, 1);
  g_autofree char *with = seam_trace_to_json (&marked, 1);

  g_assert_null (strstr (without, "wrong on purpose"));
  g_assert_nonnull (strstr (with, "unfused · conv-relu-hardswish · TF32 · ⚠ With pitfall, " WORDS));
  g_assert_nonnull (
      strstr (with, "published · conv-relu-hardswish · TF32 · ⚠ With pitfall, " WORDS));
}

static void
check_says (const SeamProduct *product, const char *text, const char *words)
{
  if (figure_text_count (text, words) < 1)
    g_error ("%s does not say “%s”: “%s”", product->name, words, text);
}

static void
test_figures (void)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    g_autoptr (SeamResult) clean = fixture_product_result (NULL);
    g_autoptr (SeamResult) marked = fixture_product_result (NAMES);
    g_autoptr (SeamFigure) without = NULL, with = NULL;
    g_autofree char *honest = NULL, *text = NULL;
    int n = 0;

    if (product->kind != SEAM_PRODUCT_FIGURE)
      continue;
    g_test_message ("%s", product->name);
    without = draw (product, clean);
    with = draw (product, marked);
    honest = figure_get_text (without);
    text = figure_get_text (with);
    for (gsize i = 0; i < G_N_ELEMENTS (feet); i++)
      for (int k = 0; (feet[i].of & product->of) != 0 && feet[i].says[k] != NULL; k++, n++)
        check_says (product, honest, feet[i].says[k]);
    g_assert_cmpint (n, >, 0);
    if (product->of != SEAM_OF_LAB)
      g_assert_cmpint (figure_text_count (honest, "on purpose"), ==, 0);
    /* The mark is under the title and in the line at the foot. */
    if (is_of_results (product)
        && (figure_text_count (text, "⚠") < 1 || figure_text_count (text, WORDS) < 2))
      g_error ("%s says “%s”", product->name, text);
  }
}

static void
test_numbers (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autoptr (SeamResult) result = fixture_product_result (NULL);
    const SeamProduct *product = seam_products_find (numbers[i].product);
    g_autoptr (SeamFigure) figure = draw (product, result);
    g_autofree char *text = figure_get_text (figure);

    check_says (product, text, numbers[i].says);
  }
}

/* Searches make no mistakes, even if the request asks for them. */
static void
test_searches_make_no_mistakes (void)
{
  g_autoptr (SeamRunRequest) request = fixture_request ();
  g_autoptr (SeamSearch) explored = fixture_search (request, SEAM_OF_EXPLORE);
  g_autoptr (SeamSearch) swept = fixture_search (request, SEAM_OF_SWEEP);

  g_assert_cmpuint (request->pitfalls, !=, 0);
  g_assert_cmpuint (explored->request->pitfalls, ==, 0);
  g_assert_cmpuint (swept->request->pitfalls, ==, 0);
}

/* A sheet shows a number over its sanity limit by a sign and in words, for two plans and for
 * one. */
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
      g_autoptr (SeamResult) result = fixture_product_result (NULL);
      g_autoptr (SeamFigure) figure = NULL;
      g_autofree char *text = NULL;

      if (cases[i].floor)
        result->floor_ns = 1.5 * result->plans[0].median_ns;
      if (cases[i].peak)
        result->plans[0].kernels[0].sm_percent = 130;
      figure = seam_timing_sheet_new (result, 0, second, 1200, NULL);
      text = figure_get_text (figure);
      g_assert_cmpint (figure_text_count (text, "⚠"), ==, cases[i].words != NULL);
      for (gsize k = 1; k < G_N_ELEMENTS (cases); k++)
        g_assert_cmpint (figure_text_count (text, cases[k].words), ==, k == i);
    }
}

static void
test_lab (void)
{
  g_autoptr (SeamRunRequest) request = fixture_request ();
  g_autoptr (SeamLab) lab = fixture_lab (request);
  g_autofree char *csv = seam_lab_to_csv (lab);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 2 * 2 + 1);
  for (int i = 1; i < 5; i++) {
    g_assert_true ((strstr (lines[i], ",zeros,") != NULL) == (i > 2));
    g_assert_true (csv_has (lines[i], ",fp32\r\n"));
  }
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exports/all-are-products", test_all_are_products);
  g_test_add_func ("/exports/texts", test_texts);
  g_test_add_func ("/exports/storage", test_storage);
  g_test_add_func ("/exports/trace", test_trace);
  g_test_add_func ("/exports/figures", test_figures);
  g_test_add_func ("/exports/numbers", test_numbers);
  g_test_add_func ("/exports/searches-make-no-mistakes", test_searches_make_no_mistakes);
  g_test_add_func ("/exports/exceeded", test_rails);
  g_test_add_func ("/exports/lab", test_lab);
  return g_test_run ();
}
