/* SPDX-License-Identifier: MIT
 *
 * Results, differences, slices, checks and progress: all survive the way through a variant, and a
 * damaged or hostile variant does not crash the reader.
 */
#include "app/base/error.h"
#include "app/result/check.h"
#include "app/result/result.h"
#include "app/result/throttle.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static SeamDifference *
make_difference (void)
{
  SeamDifferenceSpec spec = { .rows = 5, .columns = 7, .plane = 3, .atol = 1e-4, .rtol = 2e-4 };

  seam_difference_choose_cells (&spec, 4);
  g_assert_cmpint (spec.rows_per_cell, ==, 2);
  g_assert_cmpint (spec.columns_per_cell, ==, 2);
  SeamDifference *difference = seam_difference_new (&spec);
  g_assert_cmpint (difference->n_elements, ==, 105);
  g_assert_cmpint (difference->n_cell_rows, ==, 3);
  g_assert_cmpint (difference->n_cell_columns, ==, 4);
  for (int i = 0; i < 12; i++) {
    difference->cells[i] = (float)i * 0.25f;
    difference->failing[i] = (guint32)(i % 3);
  }
  difference->cells[5] = NAN;
  difference->n_failing = 12;
  difference->n_nan_a = 1;
  difference->max_abs = 2.75;
  difference->worst_index = 104;
  difference->worst_a = 3;
  difference->worst_b = 0.25;
  difference->n_worst = 2;
  difference->worst[0] = (SeamWorstElement){ 104, 3, 0.25 };
  difference->worst[1] = (SeamWorstElement){ 46, 1.00000024, 1 };
  difference->histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
  difference->histogram[0] = 100;
  difference->histogram[SEAM_HISTOGRAM_BINS - 1] = 5;
  difference->ulps[0] = G_MAXUINT32;
  difference->histogram_ulps[SEAM_HISTOGRAM_ULPS - 1] = 7;
  difference->hits[0] = 1;
  seam_difference_finish_ulps (difference, 100, 8);
  return difference;
}

/* Limits of bins computed by hand: 2^-39 begins bin 2, 2^22 begins the last; 2^-14 begins
 * magnitude bin 1. */
static void
test_ulp_count (void)
{
  float third = 1.0f / 3;

  g_assert_cmpuint (seam_ulp_count (0, -0.0), ==, 0);
  g_assert_cmpuint (seam_ulp_count (third, nextafterf (third, 1)), ==, 1);
  g_assert_cmpuint (seam_ulp_count (1, 2), ==, 1 << 23);
  /* Numbers on both sides of zero; the smallest subnormal is one step away from it. */
  g_assert_cmpuint (seam_ulp_count (1e-45, -1e-45), ==, 2);
  g_assert_cmpuint (seam_ulp_count (3.4028234e38, -3.4028234e38), ==, 2u * 0x7f7fffffu);
  /* Doubles are rounded to FP32 first, also beyond the largest float. */
  g_assert_cmpuint (seam_ulp_count (third, 1.0 / 3), ==, 0);
  g_assert_cmpuint (seam_ulp_count (3.4028234e38, 1e300), ==, 1);

  g_assert_cmpint (seam_histogram_get_ulp_bin (0), ==, 0);
  g_assert_cmpint (seam_histogram_get_ulp_bin (G_MAXUINT32), ==, SEAM_HISTOGRAM_ULPS - 1);
  for (int i = 1; i < SEAM_HISTOGRAM_ULPS; i++) {
    g_assert_cmpint (seam_histogram_get_ulp_bin ((guint32)seam_histogram_get_ulp_start (i)), ==, i);
    g_assert_cmpint (seam_histogram_get_ulp_bin ((guint32)seam_histogram_get_ulp_start (i) - 1), ==,
                     i - 1);
  }
}

static void
test_histogram (void)
{
  g_assert_cmpint (seam_histogram_get_error_bin (0), ==, 0);
  g_assert_cmpint (seam_histogram_get_error_bin (4.9e-324), ==, 1);
  g_assert_cmpint (seam_histogram_get_error_bin (nextafter (ldexp (1, -39), 0)), ==, 1);
  g_assert_cmpint (seam_histogram_get_error_bin (ldexp (1, -39)), ==, 2);
  g_assert_cmpint (seam_histogram_get_error_bin (1), ==, 41);
  g_assert_cmpint (seam_histogram_get_error_bin (nextafter (2, 0)), ==, 41);
  g_assert_cmpint (seam_histogram_get_error_bin (4194304), ==, 63);
  g_assert_cmpint (seam_histogram_get_error_bin (1e300), ==, 63);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (0), ==, 0);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (nextafter (ldexp (1, -14), 0)), ==, 0);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (-ldexp (1, -14)), ==, 1);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (-1), ==, 8);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (3.999), ==, 8);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (4), ==, 9);
  g_assert_cmpint (seam_histogram_get_magnitude_bin (1e30), ==, 15);
  g_assert_cmpfloat (seam_histogram_get_error_start (0), ==, 0);
  for (int i = 2; i < SEAM_HISTOGRAM_ERRORS; i++)
    g_assert_cmpint (seam_histogram_get_error_bin (seam_histogram_get_error_start (i)), ==, i);
  for (int i = 1; i < SEAM_HISTOGRAM_MAGNITUDES; i++)
    g_assert_cmpint (seam_histogram_get_magnitude_bin (seam_histogram_get_magnitude_start (i)), ==,
                     i);
}

static void
test_ulps (void)
{
  g_assert_cmpint (seam_ulp_distance (1, 1), ==, 0);
  g_assert_cmpint (seam_ulp_distance (-0.0, 0), ==, 0);
  g_assert_cmpint (seam_ulp_distance (nextafterf (1, 2), 1), ==, 1);
  g_assert_cmpint (seam_ulp_distance (1, 2), ==, 1 << 23);
  g_assert_cmpint (seam_ulp_distance (-1e-45, 1e-45), ==, 2);
  /* A double is rounded to FP32 first. */
  g_assert_cmpint (seam_ulp_distance (1, 1 + 1e-9), ==, 0);
  g_assert_cmpint (seam_ulp_distance (3.4028234663852886e38, -3.4028234663852886e38), ==,
                   2 * (gint64)0x7f7fffff);
  g_assert_cmpint (seam_ulp_distance (NAN, 1), ==, -1);
  g_assert_cmpint (seam_ulp_distance (1, INFINITY), ==, -1);
}

static void
test_worst_row (void)
{
  g_autoptr (SeamDifference) difference = make_difference ();
  SeamWorstRow row;

  /* Index 104 of [5, 7, 3] is the last; 46 = (2 * 7 + 1) * 3 + 1. */
  seam_difference_get_worst (difference, 0, &row);
  g_assert_cmpint (row.row, ==, 4);
  g_assert_cmpint (row.column, ==, 6);
  g_assert_cmpint (row.element, ==, 2);
  g_assert_cmpfloat (row.error, ==, 2.75);
  g_assert_cmpfloat_with_epsilon (row.limit_ratio, 2.75 / 1.5e-4, 1e-6);
  seam_difference_get_worst (difference, 1, &row);
  g_assert_cmpint (row.row, ==, 2);
  g_assert_cmpint (row.column, ==, 1);
  g_assert_cmpint (row.element, ==, 1);
  g_assert_cmpint (row.n_ulps, ==, 2);

  difference->worst[1].a = NAN;
  seam_difference_get_worst (difference, 1, &row);
  g_assert_true (isnan (row.limit_ratio));
  g_assert_cmpint (row.n_ulps, ==, -1);
}

/* The abilities of a target reach the window, and files of older versions have a target without
 * them. */
static void
test_device (void)
{
  const SeamImplementation loops = { "loops", NULL, FALSE }, tiles = { "tiles", "In tiles", TRUE };
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autoptr (SeamPlan) good = seam_plan_parse (pipeline, "matmul@tiles|bias|relu", NULL);
  g_autoptr (SeamPlan) bad = seam_plan_parse (pipeline, "matmul|bias@cudnn|relu", NULL);
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("npu:0");
  g_autoptr (SeamDeviceInfo) old = seam_device_info_new ("cpu");
  g_autoptr (GPtrArray) infos = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  info->abilities = SEAM_ABILITY_GRAPHS | SEAM_ABILITY_STORAGE;
  seam_device_info_add_implementation (info, &loops);
  seam_device_info_add_implementation (info, &tiles);
  json = seam_record_to_json (&seam_device_info_type, info);
  g_assert_nonnull (strstr (json, "\"graphs\""));
  {
    /* What readers that keep numbers as doubles would round is text. */
    g_autoptr (GVariant) numbers = g_variant_ref_sink (
        g_variant_new_parsed ("{'a': <uint64 9007199254740992>, 'b': <uint64 9007199254740993>,"
                              " 'c': <int64 -9007199254740993>, 'd': <int64 -9007199254740992>,"
                              " 'f': <1e30>, 'g': <-2e-300>, 'h': <'1e+30.0 \\\"1e+30.0'>,"
                              " 'e': <[int64 9223372036854775807, -9223372036854775808, 7]>}"));
    g_autofree char *text = seam_variant_to_json (numbers);
    static const char *const expected[] = { "\"a\" : 9007199254740992,",
                                            "\"b\" : \"9007199254740993\"",
                                            "\"c\" : \"-9007199254740993\"",
                                            "\"d\" : -9007199254740992,",
                                            "\"f\" : 1e+30,",
                                            "\"g\" : -2.0000000000000001e-300,",
                                            "\"h\" : \"1e+30.0 \\\"1e+30.0\",",
                                            "\"9223372036854775807\",",
                                            "\"-9223372036854775808\",",
                                            " 7\n" };
    for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
      g_assert_nonnull (strstr (text, expected[i]));
  }
  g_assert_nonnull (strstr (json, "\"storage\""));
  g_assert_null (strstr (json, "\"tf32\""));

  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_device_info_type, info, TRUE));
  g_autoptr (SeamDeviceInfo) back = seam_device_info_from_variant (variant);
  g_assert_cmpuint (seam_device_info_get_abilities (back), ==, info->abilities);
  g_assert_false (seam_device_info_is_device (back));
  g_assert_cmpint (back->n_implementations, ==, 2);
  g_assert_cmpstr (back->implementations[1].title, ==, "In tiles");
  g_assert_true (back->implementations[1].groupnorm);
  g_assert_true (seam_device_info_check_plan (back, good, &error));
  g_assert_false (seam_device_info_check_plan (back, bad, &error));
  g_assert_cmpstr (error->message, ==,
                   "“@cudnn” is no implementation of the target npu:0, which has loops and tiles; "
                   "choose one of these, leave it out, or choose another target.");

  /* The copy that a result keeps has no implementations. */
  g_autoptr (SeamDeviceInfo) copy = seam_device_info_copy (back);
  g_assert_cmpint (copy->n_implementations, ==, 0);

  /* The defaults for a file without abilities. */
  g_assert_cmpuint (seam_device_info_get_abilities (old), ==,
                    SEAM_ABILITY_STORAGE | SEAM_ABILITY_TRACE);
  g_assert_cmpstr (seam_device_info_get_words (old)->clock, ==, "Clock");
  g_free (old->id);
  old->id = g_strdup ("cuda:1");
  g_assert_cmpuint (seam_device_info_get_abilities (old), ==, SEAM_ABILITY_ALL);
  g_assert_cmpstr (seam_device_info_get_words (old)->cache, ==, "L2");

  /* The first device other than the host is preferred to the host. */
  g_assert_null (seam_device_info_find_best (infos));
  g_ptr_array_add (infos, back);
  g_ptr_array_add (infos, old);
  g_assert_null (seam_device_info_find_best (infos));
  back->available = TRUE;
  g_assert_true (seam_device_info_find_best (infos) == back);
  old->available = TRUE;
  g_assert_true (seam_device_info_find_best (infos) == old);
}

static SeamResult *
make_result (void)
{
  SeamResult *result = seam_result_new (2);

  result->pipeline_id = g_strdup ("conv-relu-bias");
  result->pipeline_text = g_strdup ("[Pipeline]\n");
  result->shape = g_strdup ("batch=2,in_channels=3");
  result->shape_text = g_strdup ("N 2, C 3");
  result->values = g_memdup2 ((gint64[]){ 2, 3 }, 2 * sizeof (gint64));
  result->n_values = 2;
  result->settings.seed = G_MAXUINT64;
  result->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
  result->settings.math_mode = SEAM_MATH_TF32;
  result->settings.cold = TRUE;
  result->settings.atol = 1e-3;
  result->device = seam_device_info_new ("cuda:0");
  result->device->name = g_strdup ("NVIDIA H200");
  result->device->l2_bytes = 62914560;
  result->program_version = g_strdup ("0.1.0");
  result->against = 0;
  for (int i = 0; i < 2; i++) {
    SeamPlanResult *plan = &result->plans[i];
    plan->name = g_strdup (i == 0 ? "unfused" : "published");
    plan->notation = g_strdup (i == 0 ? "conv|relu" : "conv+relu");
    plan->state = SEAM_PLAN_MEASURED;
    plan->n_groups = 2 - i;
    plan->n_samples = 3;
    plan->samples = g_new0 (SeamSample, 3);
    for (int j = 0; j < 3; j++)
      plan->samples[j] = (SeamSample){ 1000.25 + j, j == 1 ? NAN : 1980, 2 * j + i };
    seam_plan_result_summarise (plan);
  }
  SeamPlanResult *plan = &result->plans[1];
  plan->tiles = g_new0 (SeamTile, 1);
  plan->tiles[0] = (SeamTile){ .kind = SEAM_TILE_BOX, .rows = 64, .columns = 128 };
  plan->difference = make_difference ();
  plan->n_kernels = 1;
  plan->kernels = g_new0 (SeamKernel, 1);
  plan->kernels[0].name = g_strdup ("void f<float>(int, \"x\")");
  plan->kernels[0].short_name = g_strdup ("conv2d");
  plan->kernels[0].last_op = 1;
  plan->kernels[0].median_ns = 480;
  plan->kernels[0].start_ns = 0;
  plan->kernels[0].bytes = NAN;
  plan->kernels[0].dram_bytes_read = 1.5e9;
  plan->kernels[0].dram_bytes_written = NAN;
  plan->kernels[0].n_samples = 2;
  plan->kernels[0].samples_ns = g_memdup2 ((double[]){ 470, 490 }, 2 * sizeof (double));
  plan->kernels[0].registers = 64;
  plan->kernels[0].shared_bytes = -1;
  plan->kernels[0].grid[0] = 132;
  return result;
}

static void
test_result_round_trip (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) back = seam_result_from_variant (variant, &error);

  g_assert_no_error (error);
  g_autoptr (GVariant) again = g_variant_ref_sink (seam_result_to_variant (back, TRUE));
  g_assert_cmpmem (g_variant_get_data (variant), g_variant_get_size (variant),
                   g_variant_get_data (again), g_variant_get_size (again));
  g_assert_true (back->settings.seed == G_MAXUINT64);
  g_assert_cmpint (back->plans[0].n_kernels, ==, -1);
  g_assert_null (back->plans[0].tiles);
  g_assert_cmpint (back->plans[1].tiles[0].kind, ==, SEAM_TILE_BOX);
  g_assert_cmpint (back->plans[1].tiles[0].columns, ==, 128);
  g_assert_cmpint (back->plans[1].samples[2].order, ==, 5);
  g_assert_true (isnan (back->plans[1].samples[1].clock_mhz));
  g_assert_true (isnan (back->plans[1].kernels[0].bytes));
  g_assert_cmpfloat (back->plans[1].kernels[0].dram_bytes_read, ==, 1.5e9);
  g_assert_true (isnan (back->plans[1].kernels[0].dram_bytes_written));
  g_assert_cmpfloat (back->plans[1].difference->cells[11], ==, 2.75f);
  g_assert_true (isnan (back->plans[1].difference->cells[5]));
  g_assert_cmpint (back->plans[1].difference->n_worst, ==, 2);
  g_assert_cmpint (back->plans[1].difference->worst[1].index, ==, 46);
  g_assert_cmpfloat (back->plans[1].difference->worst[0].b, ==, 0.25);
  g_assert_cmpint (back->plans[1].difference->histogram[SEAM_HISTOGRAM_BINS - 1], ==, 5);
  g_assert_cmpint (back->plans[1].difference->max_ulps, ==, G_MAXUINT32);
  g_assert_cmpfloat (back->plans[1].difference->mean_ulps, ==, 12.5);
  g_assert_cmpuint (back->plans[1].difference->ulps[0], ==, G_MAXUINT32);
  g_assert_cmpint (back->plans[1].difference->histogram_ulps[SEAM_HISTOGRAM_ULPS - 1], ==, 7);
  g_assert_cmpuint (back->plans[1].difference->hits[0], ==, 1);
  g_assert_cmpuint (back->plans[1].difference->hits[1], ==, 0);
  g_assert_cmpstr (back->device->name, ==, "NVIDIA H200");
}

/* A median and an interval that were stored give way to those of the samples, if there are any. */
static void
test_stored_median (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (SeamResult) back = NULL;
  g_autoptr (GVariant) variant = NULL;

  for (int i = 0; i < 2; i++) {
    result->plans[i].median_ns = 900;
    result->plans[i].ci_low_ns = 800;
  }
  g_clear_pointer (&result->plans[1].samples, g_free);
  result->plans[1].n_samples = 0;
  variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  back = seam_result_from_variant (variant, NULL);
  g_assert_cmpfloat (back->plans[0].median_ns, ==, 1001.25);
  g_assert_true (isnan (back->plans[0].ci_low_ns));
  g_assert_cmpfloat (back->plans[1].median_ns, ==, 900);
  g_assert_cmpfloat (back->plans[1].ci_low_ns, ==, 800);
}

static void
test_result_json (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autofree char *text = seam_record_to_json (&seam_result_type, result);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (json_parser_load_from_data (parser, text, -1, &error));
  g_assert_no_error (error);
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpstr (json_object_get_string_member (root, "pipeline"), ==, "conv-relu-bias");
  g_assert_cmpstr (json_object_get_string_member (root, "seed"), ==, "18446744073709551615");
  JsonArray *plans = json_object_get_array_member (root, "plans");
  g_assert_cmpint (json_array_get_length (plans), ==, 2);
  JsonObject *plan = json_array_get_object_element (plans, 0);
  g_assert_cmpfloat (json_object_get_double_member (plan, "elapsed_median_ns"), ==, 1001.25);
  g_assert_true (json_object_get_null_member (plan, "span_median_ns"));
  JsonObject *difference =
      json_object_get_object_member (json_array_get_object_element (plans, 1), "difference");
  g_assert_cmpint (json_object_get_int_member (difference, "n_failing"), ==, 12);
  g_assert_false (json_object_has_member (difference, "cells"));
  g_assert_false (json_object_has_member (difference, "histogram"));
  g_assert_false (json_object_has_member (difference, "hits"));
  g_assert_cmpint (json_object_get_int_member (difference, "max_ulps"), ==, G_MAXUINT32);
  g_assert_cmpint (
      json_array_get_int_element (json_object_get_array_member (difference, "worst_indices"), 1),
      ==, 46);
}

/* The output of --json reads back without grids. */
static void
test_result_without_grids (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (result, FALSE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) back = seam_result_from_variant (variant, &error);

  g_assert_no_error (error);
  g_assert_null (back->plans[1].difference->cells);
  g_assert_null (back->plans[1].difference->histogram);
  g_assert_cmpint (back->plans[1].difference->n_cell_rows, ==, 0);
  g_assert_cmpint (back->plans[1].difference->n_failing, ==, 12);
}

/* A copy of dictionary `dict` with member `key` replaced, or left out (`value` NULL). */
static GVariant *
replace (GVariant *dict, const char *key, GVariant *value)
{
  GVariantDict copy;

  g_variant_dict_init (&copy, dict);
  g_variant_dict_remove (&copy, key);
  if (value != NULL)
    g_variant_dict_insert_value (&copy, key, value);
  return g_variant_ref_sink (g_variant_dict_end (&copy));
}

/* The pipeline's text is parsed once. If it cannot be parsed, everything else is still read. */
static void
test_result_pipeline (void)
{
  g_autoptr (SeamResult) made = make_result ();
  g_autoptr (GVariant) bad = g_variant_ref_sink (seam_result_to_variant (made, TRUE));
  g_autoptr (GVariant) bare = replace (bad, "pipeline_text", NULL);
  g_autoptr (SeamPipeline) product = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autoptr (GVariant) good = replace (bad, "pipeline_text", g_variant_new_string (product->text));
  GVariant *variants[] = { good, bad, bare };

  for (int i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GError) again = NULL;
    g_autoptr (SeamResult) result = seam_result_from_variant (variants[i], &error);
    g_assert_no_error (error);
    SeamPipeline *pipeline = seam_result_get_pipeline (result, &error);
    g_autoptr (GVariant) back = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
    g_autoptr (GVariant) sent = g_variant_lookup_value (variants[i], "pipeline_text", NULL);
    g_autoptr (GVariant) kept = g_variant_lookup_value (back, "pipeline_text", NULL);

    g_assert_true (sent == NULL ? kept == NULL : kept != NULL && g_variant_equal (sent, kept));
    g_assert_true (pipeline == seam_result_get_pipeline (result, &again));
    if (i == 0) {
      g_assert_no_error (error);
      g_assert_cmpstr (pipeline->id, ==, "conv-relu-bias");
      g_assert_cmpstr (pipeline->title, ==, product->title);
      continue;
    }
    g_assert_null (pipeline);
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
    g_assert_cmpstr (error->message, ==, again->message);
    g_assert_nonnull (strstr (error->message, i == 1 ? "conv-relu-bias: " : "does not carry"));
  }
}

static void
assert_refused (GVariant *variant, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = seam_result_from_variant (variant, &error);

  g_assert_null (result);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_result_refused (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (GVariant) good = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  g_autoptr (GVariant) text = g_variant_ref_sink (g_variant_new_string ("x"));
  g_autoptr (GVariant) no_plans = replace (good, "plans", NULL);
  g_autoptr (GVariant) bad_plans = replace (good, "plans", g_variant_new_int32 (3));
  g_autoptr (GVariant) bad_shape = replace (good, "shape", g_variant_new_double (1));
  g_autoptr (GVariant) bad_against = replace (good, "reference", g_variant_new_int64 (2));
  g_autoptr (GVariant) bad_budget = replace (good, "budget_s", g_variant_new_string ("10"));

  assert_refused (NULL, "no dictionary");
  assert_refused (text, "no dictionary");
  assert_refused (no_plans, "\"plans\" is missing");
  assert_refused (bad_plans, "\"plans\"");
  assert_refused (bad_shape, "\"shape\"");
  assert_refused (bad_against, "\"reference\" is 2");
  assert_refused (bad_budget, "\"budget_s\"");
}

static void
assert_difference_refused (GVariant *variant)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDifference) difference =
      seam_record_new_from_variant (&seam_difference_type, variant, &error);

  g_assert_null (difference);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
test_difference_refused (void)
{
  g_autoptr (SeamDifference) difference = make_difference ();
  g_autoptr (GVariant) good =
      g_variant_ref_sink (seam_record_to_variant (&seam_difference_type, difference, TRUE));
  g_autoptr (GVariant) no_rows = replace (good, "rows", NULL);
  g_autoptr (GVariant) more_rows = replace (good, "rows", g_variant_new_int64 (50));
  g_autoptr (GVariant) zero_plane = replace (good, "plane", g_variant_new_int64 (0));
  g_autoptr (GVariant) huge = replace (more_rows, "columns", g_variant_new_int64 (G_MAXINT64 / 2));
  g_autoptr (GVariant) one_grid = replace (good, "failing", NULL);
  g_autoptr (GVariant) worst = replace (good, "worst_index", g_variant_new_int64 (105));
  g_autoptr (GVariant) failing = replace (good, "n_failing", g_variant_new_int64 (-1));
  gint64 outside[] = { 104, 105 }, counts[SEAM_HISTOGRAM_BINS] = { 100, 6 };
  g_autoptr (GVariant) worst_outside =
      replace (good, "worst_indices",
               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, outside, 2, sizeof (gint64)));
  g_autoptr (GVariant) worst_short = replace (good, "worst_values_b", NULL);
  g_autoptr (GVariant) worst_many = replace (good, "n_worst", g_variant_new_int64 (17));
  g_autoptr (GVariant) bins_short =
      replace (good, "histogram",
               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, counts, 7, sizeof (gint64)));
  g_autoptr (GVariant) bins_many =
      replace (good, "histogram",
               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, counts, SEAM_HISTOGRAM_BINS,
                                          sizeof (gint64)));
  g_autoptr (GVariant) ulps_short =
      replace (good, "ulps", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, counts, 8, 1));
  g_autoptr (GVariant) hits_short =
      replace (good, "hits", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, counts, 8, 1));
  g_autoptr (GVariant) no_hits = replace (good, "hits", NULL);
  /* As in a file of format 1.3. */
  g_autoptr (GVariant) no_ulps = replace (no_hits, "max_ulps", NULL);
  g_autoptr (SeamDifference) without =
      seam_record_new_from_variant (&seam_difference_type, no_ulps, NULL);
  /* As in a file of format 1.0: unknown, not an error. */
  g_autoptr (GVariant) no_bins = replace (good, "histogram", NULL);
  g_autoptr (GVariant) old = replace (no_bins, "n_worst", NULL);
  g_autoptr (SeamDifference) unknown =
      seam_record_new_from_variant (&seam_difference_type, old, NULL);

  g_assert_cmpint (unknown->n_worst, ==, -1);
  g_assert_null (unknown->histogram);
  g_assert_cmpint (without->max_ulps, ==, -1);
  g_assert_null (without->hits);
  assert_difference_refused (ulps_short);
  assert_difference_refused (hits_short);
  assert_difference_refused (worst_outside);
  assert_difference_refused (worst_short);
  assert_difference_refused (worst_many);
  assert_difference_refused (bins_short);
  assert_difference_refused (bins_many);
  assert_difference_refused (no_rows);
  assert_difference_refused (more_rows);
  assert_difference_refused (zero_plane);
  assert_difference_refused (huge);
  assert_difference_refused (one_grid);
  assert_difference_refused (worst);
  assert_difference_refused (failing);
}

static void
test_slice (void)
{
  g_autoptr (SeamSlice) slice = seam_slice_new (2, 3);
  slice->channel = 4;
  slice->first_row = 10;
  slice->a[5] = 1.5f;
  slice->b[0] = -INFINITY;
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_slice_type, slice, TRUE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSlice) back = seam_record_new_from_variant (&seam_slice_type, variant, &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->channel, ==, 4);
  g_assert_cmpint (back->n_columns, ==, 3);
  g_assert_cmpfloat (back->a[5], ==, 1.5f);
  g_assert_true (isinf (back->b[0]));

  g_autoptr (GVariant) longer = replace (variant, "n_rows", g_variant_new_int64 (3));
  g_assert_null (seam_record_new_from_variant (&seam_slice_type, longer, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
test_progress (void)
{
  SeamSample sample = { 12.5, NAN, 7 };
  SeamProgress progress = { .step = SEAM_STEP_MEASURE, .fraction = NAN, .plan = 1, .n_new = 1 };
  SeamProgress back;
  g_autoptr (GError) error = NULL;

  progress.new_plans = (int[]){ 1 };
  progress.new_samples = &sample;
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_progress_type, &progress, TRUE));
  g_assert_true (
      seam_record_from_variant (&seam_progress_type, variant, "progress", NULL, &back, &error));
  g_assert_cmpint (back.step, ==, SEAM_STEP_MEASURE);
  g_assert_true (isnan (back.fraction));
  g_assert_cmpint (back.n_new, ==, 1);
  g_assert_cmpint (back.new_plans[0], ==, 1);
  g_assert_cmpint (back.new_samples[0].order, ==, 7);
  g_assert_cmpfloat (back.new_samples[0].elapsed_ns, ==, 12.5);
  seam_record_clear (&seam_progress_type, &back);

  g_autoptr (GVariant) unequal =
      replace (variant, "new_order", g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, NULL, 0, 4));
  g_assert_false (
      seam_record_from_variant (&seam_progress_type, unequal, "progress", NULL, &back, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
test_checks (void)
{
  g_autoptr (GPtrArray) checks = seam_checks_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_FAILED, "No driver", "It is missing.", NULL));
  g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, "CPU", "8 threads", "none"));
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_checks_to_variant (checks));
  g_autoptr (GPtrArray) back = seam_checks_from_variant (variant, &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->len, ==, 2);
  SeamCheck *first = g_ptr_array_index (back, 0), *second = g_ptr_array_index (back, 1);
  g_assert_cmpint (first->state, ==, SEAM_CHECK_FAILED);
  g_assert_cmpstr (first->detail, ==, "It is missing.");
  g_assert_null (first->remedy);
  g_assert_cmpstr (second->remedy, ==, "none");
}

static void
test_provenance (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autofree char *line = seam_result_get_provenance (result);

  g_assert_cmpstr (line, ==,
                   "NVIDIA H200 · conv-relu-bias · N 2, C 3 · TF32 · cold cache · 3 samples each · "
                   "seed 18446744073709551615 · uniform · init framework · "
                   "Seamscope 0.1.0");
  for (int i = 0; i < result->n_plans; i++)
    result->plans[i].n_samples = 1;
  g_autofree char *single = seam_result_get_provenance (result);
  g_assert_nonnull (strstr (single, " · 1 sample each · "));
  result->settings.launch = SEAM_LAUNCH_GRAPH;
  g_autofree char *of_graph = seam_result_get_provenance (result);
  g_assert_nonnull (strstr (of_graph, " · cold cache · launched as a CUDA graph · "));
}

static void
test_throttle (void)
{
  static const struct {
    guint64 mask;
    const char *words;
  } known[] = {
    { 0x0, "none" },
    { 0x1, "none" }, /* idle, as between two samples */
    { 0x4, "SW power cap" },
    { 0x24, "SW thermal slowdown, SW power cap" },
    { 0x48, "HW thermal slowdown" },
    { 0x88, "HW power brake slowdown" },
    { 0x8, "HW slowdown" },
    { 0x2, "applications clocks setting" },
    { 0x110, "sync boost, display clock setting" },
    { 0x10004, "SW power cap, reason 0x10000" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autofree char *words = seam_throttle_describe (known[i].mask);
    g_assert_cmpstr (words, ==, known[i].words);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/device", test_device);
  g_test_add_func ("/result/round-trip", test_result_round_trip);
  g_test_add_func ("/result/stored-median", test_stored_median);
  g_test_add_func ("/result/json", test_result_json);
  g_test_add_func ("/result/without-grids", test_result_without_grids);
  g_test_add_func ("/result/pipeline", test_result_pipeline);
  g_test_add_func ("/result/refused", test_result_refused);
  g_test_add_func ("/result/difference-refused", test_difference_refused);
  g_test_add_func ("/result/histogram", test_histogram);
  g_test_add_func ("/result/ulp-count", test_ulp_count);
  g_test_add_func ("/result/ulps", test_ulps);
  g_test_add_func ("/result/worst-row", test_worst_row);
  g_test_add_func ("/result/slice", test_slice);
  g_test_add_func ("/result/progress", test_progress);
  g_test_add_func ("/result/checks", test_checks);
  g_test_add_func ("/result/provenance", test_provenance);
  g_test_add_func ("/result/throttle", test_throttle);
  return g_test_run ();
}
