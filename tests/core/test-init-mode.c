/* SPDX-License-Identifier: MIT
 *
 * How the parameters of a run are drawn: request, result and search carry the choice, stored data
 * without it means "framework", and a kernel that leaves out GroupNorm's weight and bias is called
 * wrong only if they are spread.
 */
#include "app/base/error.h"
#include "app/compare/run-comparison.h"
#include "app/explore/explore.h"
#include "app/explore/search-store.h"
#include "app/runner/runner-source.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamRunRequest *
make_request (const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  const SeamPreset *preset = seam_pipeline_get_preset (pipeline, "tiny", &error);
  SeamRunRequest *request = seam_run_request_new (pipeline);

  memcpy (request->values, preset->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = 0.01;
  return request;
}

static GVariant *
without_init (GVariant *variant)
{
  g_autoptr (GVariantDict) dict = g_variant_dict_new (variant);

  g_assert_true (g_variant_dict_remove (dict, "init"));
  return g_variant_ref_sink (g_variant_dict_end (dict));
}

static void
test_request (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#21");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (request->settings.init_mode, ==, SEAM_INIT_MODE_SPREAD);
  request->settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) back = seam_run_request_from_variant (variant, &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->settings.init_mode, ==, SEAM_INIT_MODE_FRAMEWORK);
  /* A client that does not choose gets the default. */
  g_autoptr (GVariant) silent = without_init (variant);
  g_autoptr (SeamRunRequest) usual = seam_run_request_from_variant (silent, &error);
  g_assert_cmpint (usual->settings.init_mode, ==, SEAM_INIT_MODE_SPREAD);

  g_autoptr (GVariantDict) dict = g_variant_dict_new (variant);
  g_variant_dict_insert (dict, "init", "s", "odd");
  g_autoptr (GVariant) bad = g_variant_ref_sink (g_variant_dict_end (dict));
  g_assert_null (seam_run_request_from_variant (bad, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "spread (weights around 1"));
  g_assert_nonnull (strstr (error->message, "“odd”"));
}

static SeamResult *
make_result (SeamInitMode mode)
{
  SeamResult *result = seam_result_new (1);

  result->plans[0].notation = g_strdup ("a|b");
  result->pipeline_id = g_strdup ("mine");
  result->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
  result->settings.seed = 1;
  result->device = seam_device_info_new ("cpu");
  result->settings.init_mode = mode;
  return result;
}

static void
test_result (void)
{
  g_autoptr (SeamResult) result = make_result (SEAM_INIT_MODE_SPREAD);
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) back = seam_result_from_variant (variant, &error);
  g_assert_no_error (error);
  g_autofree char *line = seam_result_get_provenance (back);
  g_autofree char *json = seam_record_to_json (&seam_result_type, back);

  g_assert_cmpint (back->settings.init_mode, ==, SEAM_INIT_MODE_SPREAD);
  g_assert_nonnull (strstr (line, " · seed 1 · uniform · init spread"));
  g_assert_nonnull (strstr (json, "\"init\" : \"spread\""));

  g_autoptr (GVariant) older = without_init (variant);
  g_autoptr (SeamResult) old = seam_result_from_variant (older, &error);
  g_assert_no_error (error);
  g_assert_cmpint (old->settings.init_mode, ==, SEAM_INIT_MODE_FRAMEWORK);
  g_autofree char *old_line = seam_result_get_provenance (old);
  g_assert_nonnull (strstr (old_line, " · seed 1 · uniform · init framework"));

  g_autoptr (GVariantDict) dict = g_variant_dict_new (variant);
  g_variant_dict_insert (dict, "init", "s", "odd");
  g_autoptr (GVariant) bad = g_variant_ref_sink (g_variant_dict_end (dict));
  g_assert_null (seam_result_from_variant (bad, &error));
  g_assert_nonnull (strstr (error->message, "“odd”"));
}

/* As with another seed, times can be compared, and the comparison names the difference. */
static void
test_comparison (void)
{
  g_autoptr (SeamResult) a = make_result (SEAM_INIT_MODE_FRAMEWORK);
  g_autoptr (SeamResult) b = make_result (SEAM_INIT_MODE_SPREAD);
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  gboolean found = FALSE;

  g_assert_null (comparison->obstacle);
  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];
    if (strcmp (condition->title, "Tensors") != 0)
      continue;
    found = TRUE;
    g_assert_cmpint (condition->state, ==, SEAM_CONDITION_DIFFERS);
    g_assert_cmpstr (condition->a, ==, "uniform, seed 1, init framework");
    g_assert_cmpstr (condition->b, ==, "uniform, seed 1, init spread");
  }
  g_assert_true (found);
}

/* Replaces the stored request by one without the member. */
static GVariant *
make_older (GVariant *stored)
{
  g_autoptr (GVariantDict) dict = g_variant_dict_new (stored);
  g_autoptr (GVariant) request = g_variant_dict_lookup_value (dict, "request", NULL);
  g_autoptr (GVariant) older = without_init (request);

  g_variant_dict_insert_value (dict, "request", older);
  return g_variant_ref_sink (g_variant_dict_end (dict));
}

static void
test_search (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#1");
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;

  search->device = seam_device_info_new ("cpu");
  search->math_mode = SEAM_MATH_FP32;
  g_autoptr (GVariant) stored = g_variant_ref_sink (seam_search_store (search));
  g_autoptr (SeamSearch) back = seam_search_restore (stored, &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->request->settings.init_mode, ==, SEAM_INIT_MODE_SPREAD);
  g_autofree char *line = seam_search_get_provenance (back);
  g_assert_nonnull (strstr (line, " · seed 1 · uniform · init spread · "));

  g_autoptr (GVariant) older = make_older (stored);
  g_autoptr (SeamSearch) old = seam_search_restore (older, &error);
  g_assert_no_error (error);
  g_assert_cmpint (old->request->settings.init_mode, ==, SEAM_INIT_MODE_FRAMEWORK);

  /* Resuming from a table uses the way in which its points were measured; a table without the
   * column means the framework's. */
  g_autofree char *table = seam_search_to_rows (search, SEAM_ROWS_CSV);
  g_assert_true (seam_search_merge_csv (search, table, &error));
  g_assert_false (seam_search_merge_csv (old, table, &error));
  g_assert_nonnull (strstr (error->message, "init “spread”, and now it is “framework”"));
  g_clear_error (&error);
  g_autofree char *without = g_strdup (table);
  memcpy (strstr (without, ",init,"), ",else,", 6);
  g_assert_true (seam_search_merge_csv (old, without, &error));
  g_assert_no_error (error);
  g_assert_false (seam_search_merge_csv (search, without, &error));
  g_assert_nonnull (
      strstr (error->message, "init of the parameters “framework”, and now it is “spread”"));
}

/* Runs `unfused` and, as an edit, `published` with a GroupNorm that has neither weight nor bias. */
static SeamResult *
run_without_affine (SeamRunner *runner, const char *id, SeamInitMode mode, const char *math)
{
  g_autoptr (SeamRunRequest) request = make_request (id);
  g_autoptr (GError) error = NULL;

  request->settings.init_mode = mode;
  g_assert_true (seam_math_mode_parse (math, &request->settings.math_mode, &error));
  g_autoptr (SeamCode) code = seam_runner_get_code (runner, request, &error);
  g_assert_no_error (error);
  const SeamSource *source = code->plans[1].groups[1].sources->pdata[0];
  g_autoptr (GString) text = g_string_new (source->text);
  g_assert_cmpuint (
      g_string_replace (text, "mean, rstd, v0, v1)", "mean, rstd, 1, 0)", 0)
          + g_string_replace (text, "mean, rstd, v0[i], v1[i])", "mean, rstd, 1, 0)", 0),
      ==, 1);
  seam_edits_set (&request->edits, 1, 1, text->str);
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result->settings.init_mode, ==, mode);
  g_assert_cmpint (result->plans[1].state, ==, SEAM_PLAN_MEASURED);
  return result;
}

static void
test_affine (void)
{
  static const char *const ids[] = { "#21", "#37" };
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    static const char *const modes[] = { "fp32", "bf16" };
    for (guint m = 0; m < G_N_ELEMENTS (modes); m++) {
      g_autoptr (SeamResult) caught =
          run_without_affine (runner, ids[i], SEAM_INIT_MODE_SPREAD, modes[m]);
      const SeamDifference *difference = caught->plans[1].difference;
      g_assert_nonnull (strstr (caught->plans[1].executed, "@edited"));
      g_assert_cmpint (difference->n_failing, >, difference->n_elements / 2);
    }
    g_autoptr (SeamResult) fooled =
        run_without_affine (runner, ids[i], SEAM_INIT_MODE_FRAMEWORK, "fp32");
    g_assert_cmpint (fooled->plans[1].difference->n_failing, ==, 0);
  }
}

/* A person's tensors may lack those of GroupNorm: they become ones and zeros, and the result
 * says so. */
static void
test_files (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#21");
  g_autofree char *folder = g_dir_make_tmp ("seam-XXXXXX", NULL);
  g_autofree char *weight = g_build_filename (folder, "group_norm.weight.npy", NULL);
  g_autoptr (GError) error = NULL;

  g_autoptr (SeamResult) made = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (seam_runner_save_tensors (runner, folder, &error));
  request->tensors_dir = g_strdup (folder);
  g_autoptr (SeamResult) whole = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (whole->plans[0].message == NULL
                 || strstr (whole->plans[0].message, ".npy") == NULL);
  g_assert_cmpint (g_unlink (weight), ==, 0);
  g_autoptr (SeamResult) part = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (part->settings.init_mode, ==, SEAM_INIT_MODE_FRAMEWORK);
  g_assert_nonnull (strstr (part->plans[0].message, "group_norm.weight.npy is not in the folder of "
                                                    "tensors: every element is 1."));
  g_assert_null (strstr (part->plans[0].message, "group_norm.bias.npy"));

  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/init-mode/request", test_request);
  g_test_add_func ("/init-mode/result", test_result);
  g_test_add_func ("/init-mode/comparison", test_comparison);
  g_test_add_func ("/init-mode/search", test_search);
  g_test_add_func ("/init-mode/affine", test_affine);
  g_test_add_func ("/init-mode/files", test_files);
  return g_test_run ();
}
