/* SPDX-License-Identifier: MIT
 *
 * CSV of results, read back by a small RFC 4180 reader of the test's own: columns in their promised
 * order, quoting, empty where unknown, C locale whatever the process has.
 */
#include "app/compare/compare.h"
#include "app/report/kernels-table.h"
#include "app/report/plans.h"
#include "app/report/worst.h"
#include "tests/core/csv-fixture.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* The rows of a CSV, each an array of fields (GPtrArray of GPtrArray of char *); fails the test
 * on anything malformed. */
static GPtrArray *
read_csv (const char *text)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  const char *p = text;

  while (*p != '\0') {
    GPtrArray *row = g_ptr_array_new_with_free_func (g_free);
    gboolean more = TRUE;
    while (more) {
      GString *field = g_string_new (NULL);
      if (*p == '"') {
        for (p++; *p != '\0' && (*p != '"' || p[1] == '"'); p++) {
          if (*p == '"')
            p++;
          g_string_append_c (field, *p);
        }
        g_assert_true (*p == '"');
        p++;
      } else {
        while (*p != '\0' && *p != ',' && *p != '\r') {
          g_assert_true (*p != '"' && *p != '\n');
          g_string_append_c (field, *p++);
        }
      }
      g_ptr_array_add (row, g_string_free (field, FALSE));
      more = *p == ',';
      p += more;
    }
    g_assert_true (p[0] == '\r' && p[1] == '\n');
    p += 2;
    g_ptr_array_add (rows, row);
  }
  return rows;
}

static const char *
get (GPtrArray *rows, guint row, const char *column)
{
  GPtrArray *header = g_ptr_array_index (rows, 0), *fields = g_ptr_array_index (rows, row);

  g_assert_cmpuint (header->len, ==, fields->len);
  for (guint i = 0; i < header->len; i++)
    if (g_str_equal (g_ptr_array_index (header, i), column))
      return g_ptr_array_index (fields, i);
  g_error ("no column %s", column);
}

static SeamResult *
make_result (void)
{
  SeamResult *result = seam_result_new (3);
  SeamDifferenceSpec spec = {
    .rows = 2, .columns = 2, .plane = 1, .rows_per_cell = 1, .columns_per_cell = 1
  };

  result->pipeline_id = g_strdup ("conv-relu-bias");
  result->shape = g_strdup ("batch=2,in_channels=3");
  result->settings.math_mode = SEAM_MATH_TF32;
  result->settings.cold = TRUE;
  result->settings.seed = 18446744073709551615u;
  result->device = seam_device_info_new ("cuda:0");
  result->device->name = g_strdup ("The \"big\" GPU, 2nd");
  result->settings.against = g_strdup ("conv|relu");
  result->floor_ns = 0.1;
  result->against = 0;
  for (int i = 0; i < 3; i++) {
    SeamPlanResult *plan = &result->plans[i];
    plan->notation = g_strdup (i == 0 ? "conv|relu" : i == 1 ? "conv+relu" : "swap:relu@cpu|conv");
    plan->state = SEAM_PLAN_MEASURED;
    plan->median_ns = 1234567.5 / (i + 1);
    plan->ci_low_ns = plan->median_ns * 0.999;
    plan->ci_high_ns = plan->median_ns * 1.001;
    plan->n_samples = 40;
    plan->samples = g_new0 (SeamSample, 40);
    for (int j = 0; j < 40; j++)
      plan->samples[j] = (SeamSample){ plan->median_ns, NAN, 3 * j + i };
  }
  result->plans[0].name = g_strdup ("unfused");
  result->plans[2].exhibit = TRUE;
  result->plans[1].message = g_strdup ("one\r\ntwo");
  for (int i = 1; i < 3; i++)
    result->plans[i].difference = seam_difference_new (&spec);
  result->plans[1].difference->max_abs = 1e-7;
  result->plans[2].difference->n_failing = 3;
  result->plans[2].difference->cells[1] = NAN;
  result->plans[2].difference->failing[1] = 3;
  SeamPlanResult *plan = &result->plans[2];
  plan->n_kernels = 1;
  plan->kernels_sum_median_ns = 400000;
  plan->kernels = g_new0 (SeamKernel, 1);
  plan->kernels[0] = (SeamKernel){ .name = g_strdup ("void k<float, 4>(int)"),
                                   .short_name = g_strdup ("conv2d"),
                                   .first_op = 1,
                                   .last_op = 1,
                                   .group = 1,
                                   .median_ns = 200000,
                                   .start_ns = NAN,
                                   .bytes = 4e8,
                                   .dram_bytes_read = 3e8,
                                   .dram_bytes_written = NAN,
                                   .n_samples = 10,
                                   .registers = -1,
                                   .shared_bytes = 0,
                                   .grid = { 132, 0, 0 } };
  return result;
}

static void
test_plans (void)
{
  static const char *const promised[] = { "pipeline",
                                          "plan",
                                          "target",
                                          "device",
                                          "math_mode",
                                          "l2_state",
                                          "shape",
                                          "seed",
                                          "n_samples",
                                          "elapsed_median_ns",
                                          "elapsed_ci_low_ns",
                                          "elapsed_ci_high_ns",
                                          "span_median_ns",
                                          "kernels_sum_median_ns",
                                          "n_kernels",
                                          "max_abs_error",
                                          "max_rel_error",
                                          "n_failing",
                                          "verdict" };
  g_autoptr (SeamResult) result = make_result ();
  g_autofree char *csv = seam_result_to_csv (result);
  g_autoptr (GPtrArray) rows = read_csv (csv);

  g_assert_cmpuint (rows->len, ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (promised); i++)
    g_assert_cmpstr (g_ptr_array_index ((GPtrArray *)g_ptr_array_index (rows, 0), i), ==,
                     promised[i]);
  g_assert_cmpstr (get (rows, 1, "plan"), ==, "unfused");
  g_assert_cmpstr (get (rows, 2, "plan"), ==, "conv+relu");
  g_assert_cmpstr (get (rows, 1, "device"), ==, "The \"big\" GPU, 2nd");
  g_assert_cmpstr (get (rows, 1, "shape"), ==, "batch=2,in_channels=3");
  g_assert_cmpstr (get (rows, 1, "seed"), ==, "18446744073709551615");
  g_assert_cmpstr (get (rows, 1, "elapsed_median_ns"), ==, "1234567.5");
  g_assert_cmpstr (get (rows, 1, "span_median_ns"), ==, "");
  g_assert_cmpstr (get (rows, 1, "n_kernels"), ==, "");
  g_assert_cmpstr (get (rows, 3, "n_kernels"), ==, "1");
  g_assert_cmpstr (get (rows, 1, "n_failing"), ==, "");
  g_assert_cmpstr (get (rows, 2, "n_failing"), ==, "0");
  g_assert_cmpstr (get (rows, 2, "max_abs_error"), ==, "1e-07");
  g_assert_cmpstr (get (rows, 1, "verdict"), ==, "reference");
  g_assert_cmpstr (get (rows, 2, "verdict"), ==, "faster");
  g_assert_cmpstr (get (rows, 3, "verdict"), ==, "wrong");
  g_assert_cmpstr (get (rows, 3, "exhibit"), ==, "yes");
  g_assert_cmpstr (get (rows, 2, "message"), ==, "one\r\ntwo");
  g_assert_cmpstr (get (rows, 1, "floor_ns"), ==, "0.1");
  g_assert_cmpstr (get (rows, 1, "launch_mode"), ==, "stream");
  result->settings.launch = SEAM_LAUNCH_GRAPH;
  g_autofree char *of_graph = seam_result_to_csv (result);
  g_autoptr (GPtrArray) graph_rows = read_csv (of_graph);
  g_assert_cmpstr (get (graph_rows, 1, "launch_mode"), ==, "graph");
}

/* If plans are compared with FP64, times are compared with those of the first plan, unless that
 * plan is wrong. */
static void
test_against_fp64 (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamDifferenceSpec spec = { 2, 2, 1, 1, 1, 0, 0 };

  result->against = -1;
  result->plans[0].difference = seam_difference_new (&spec);
  g_autofree char *csv = seam_result_to_csv (result);
  g_autoptr (GPtrArray) rows = read_csv (csv);
  g_assert_cmpstr (get (rows, 1, "verdict"), ==, "reference");
  g_assert_cmpstr (get (rows, 1, "n_failing"), ==, "0");
  g_assert_cmpstr (get (rows, 2, "verdict"), ==, "faster");

  result->plans[0].difference->n_failing = 1;
  g_autofree char *worse = seam_result_to_csv (result);
  g_autoptr (GPtrArray) again = read_csv (worse);
  g_assert_cmpstr (get (again, 1, "verdict"), ==, "wrong");
  g_assert_cmpstr (get (again, 2, "verdict"), ==, "none");
  g_assert_cmpstr (get (again, 3, "verdict"), ==, "wrong");
}

static void
test_kernels (void)
{
  g_autoptr (SeamResult) result = make_result ();
  static const char *const empty[] = { "index",     "group",          "ops",
                                       "n_samples", "modelled_bytes", "bytes_per_s",
                                       "registers", "grid_x",         "dram_bytes_read" };
  g_autofree char *csv = seam_result_kernels_to_csv (result);
  g_autoptr (GPtrArray) rows = read_csv (csv);

  g_assert_cmpuint (rows->len, ==, 3);
  g_assert_cmpstr (get (rows, 1, "kind"), ==, "kernel");
  /* Elapsed 411,522.5 ns, traced 200,000: what is not traced has neither index nor bytes. */
  g_assert_cmpstr (get (rows, 2, "kind"), ==, "rest");
  g_assert_cmpstr (get (rows, 2, "short_name"), ==, "not traced");
  g_assert_cmpstr (get (rows, 2, "median_ns"), ==, "211522.5");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (get (rows, 2, "share"), NULL), 0.513999, 1e-5);
  for (gsize i = 0; i < G_N_ELEMENTS (empty); i++)
    g_assert_cmpstr (get (rows, 2, empty[i]), ==, "");
  g_assert_cmpstr (get (rows, 1, "name"), ==, "void k<float, 4>(int)");
  g_assert_cmpstr (get (rows, 1, "ops"), ==, "conv");
  g_assert_cmpstr (get (rows, 1, "bytes_per_s"), ==, "2000000000000");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (get (rows, 1, "share"), NULL), 0.486000, 1e-5);
  g_assert_cmpstr (get (rows, 1, "start_ns"), ==, "");
  g_assert_cmpstr (get (rows, 1, "registers"), ==, "");
  g_assert_cmpstr (get (rows, 1, "shared_bytes"), ==, "0");
  g_assert_cmpstr (get (rows, 1, "grid_x"), ==, "132");
  g_assert_cmpstr (get (rows, 1, "grid_y"), ==, "");
  g_assert_cmpstr (get (rows, 1, "dram_bytes_read"), ==, "300000000");
  g_assert_cmpstr (get (rows, 1, "dram_bytes_written"), ==, "");
}

static void
test_samples_and_difference (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autofree char *samples = seam_result_samples_to_csv (result);
  g_autoptr (GPtrArray) rows = read_csv (samples);
  g_assert_cmpuint (rows->len, ==, 1 + 3 * 40);

  result->plans[2].difference->cells[2] = 0.5;
  result->plans[2].difference->max_abs_b = 2;
  result->plans[2].difference->ulps[2] = 4000000000u;
  g_autofree char *grid = seam_difference_to_csv (result->plans[2].difference, "zeros");
  g_assert_cmpstr (grid, ==,
                   "row,column,max_abs,n_failing,pitfalls,max_rel,max_ulps,max_share\r\n"
                   "0,0,0,0,zeros,0,0,\r\n0,1,nan,3,zeros,nan,0,\r\n"
                   "1,0,0.5,0,zeros,0.25,4000000000,\r\n1,1,0,0,zeros,0,0,\r\n");
  seam_difference_add_shares (result->plans[2].difference);
  result->plans[2].difference->shares[2] = 0.125f;
  g_autofree char *shares = seam_difference_to_csv (result->plans[2].difference, "zeros");
  g_assert_true (csv_has (shares, "1,0,0.5,0,zeros,0.25,4000000000,0.125\r\n"));

  /* Without known worst elements the table has only a header. */
  SeamDifference *difference = result->plans[2].difference;
  g_autofree char *none = seam_result_worst_to_csv (result, -1, -1, NULL);
  g_autoptr (GPtrArray) no_rows = read_csv (none);
  g_assert_cmpuint (no_rows->len, ==, 1);
  difference->spec.atol = 1;
  difference->spec.rtol = 0;
  difference->n_worst = 2;
  difference->worst[0] =
      (SeamWorstElement){ difference->spec.columns * difference->spec.plane, NAN, 1 };
  difference->worst[1] = (SeamWorstElement){ 0, 3, 1 };
  difference->histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
  difference->histogram[8] = 5;
  difference->histogram[SEAM_HISTOGRAM_BINS - 1] = 6;
  g_clear_pointer (&difference->histogram_ulps, g_free);
  g_autofree char *without = seam_result_histogram_to_csv (result, -1, -1, NULL);
  g_assert_null (strstr (without, ",ulp,"));
  difference->histogram_ulps = g_new0 (gint64, SEAM_HISTOGRAM_ULPS);
  difference->histogram_ulps[0] = 2;
  difference->histogram_ulps[3] = 7;
  difference->histogram_ulps[SEAM_HISTOGRAM_ULPS - 1] = 1;
  g_autofree char *worst = seam_result_worst_to_csv (result, -1, -1, NULL);
  g_assert_true (csv_has (worst, ",1,0,0,nan,1,nan,,,unfused,,1\r\n"));
  g_assert_true (csv_has (worst, ",2,0,0,0,0,3,1,2,2,12582912,unfused,,1\r\n"));
  difference->histogram_shares[0] = 3;
  difference->histogram_shares[40] = 4;
  g_autofree char *histogram = seam_result_histogram_to_csv (result, -1, -1, NULL);
  g_assert_true (csv_has (histogram, ",0,0,,,3,unfused,,bound,,\r\n"));
  g_assert_true (csv_has (histogram, ",0.5,1,,,4,unfused,,bound,,\r\n"));
  g_assert_true (csv_has (histogram, ",0,0,1,4,5,unfused,,abs,,\r\n"));
  g_assert_true (csv_has (histogram, ",4194304,,16384,,6,unfused,,abs,,\r\n"));
  /* In ULP: equal elements, those 4 to 7 apart, and the last bin, which has no upper end. */
  g_assert_true (csv_has (histogram, ",,,,,2,unfused,,ulp,0,0\r\n"));
  g_assert_true (csv_has (histogram, ",,,,,7,unfused,,ulp,4,8\r\n"));
  g_assert_true (csv_has (histogram, ",,,,,1,unfused,,ulp,2147483648,\r\n"));
  /* A single comparison, with another side. */
  g_autofree char *one = seam_result_worst_to_csv (result, 1, -1, difference);
  g_autoptr (GPtrArray) one_rows = read_csv (one);
  g_assert_cmpuint (one_rows->len, ==, 1 + 2);
  g_assert_true (csv_has (one, ",2,0,0,0,0,3,1,2,2,12582912,fp64,,1\r\n"));
  g_autofree char *bins = seam_result_histogram_to_csv (result, 1, 0, difference);
  g_assert_true (csv_has (bins, ",0,0,1,4,5,unfused,,abs,,\r\n"));
  g_assert_true (csv_has (bins, ",,,,,7,unfused,,ulp,4,8\r\n"));
}

/* With a comma as decimal separator, every row would have too many fields. */
static void
test_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "da_DK.UTF-8" };
  const char *chosen = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names) && chosen == NULL; i++)
    chosen = setlocale (LC_ALL, names[i]);
  if (chosen == NULL) {
    g_test_skip ("no locale with a decimal comma is installed");
    return;
  }
  test_plans ();
  test_kernels ();
  setlocale (LC_ALL, "C");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv/plans", test_plans);
  g_test_add_func ("/csv/against-fp64", test_against_fp64);
  g_test_add_func ("/csv/kernels", test_kernels);
  g_test_add_func ("/csv/samples-and-difference", test_samples_and_difference);
  g_test_add_func ("/csv/locale", test_locale);
  return g_test_run ();
}
