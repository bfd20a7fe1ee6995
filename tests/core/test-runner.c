/* SPDX-License-Identifier: MIT
 *
 * Whole runs on the CPU: every pipeline, named plans and exhibits, compared with a plan and with
 * FP64; refusals; tensors from files; and differences, slices and saved files that agree with a
 * direct computation. Stop: test-stop.c.
 */
#include "app/backend/cpu/backend-cpu.h"
#include "app/base/npy.h"
#include "app/compare/compare.h"
#include "app/runner/run-private.h"
#include "tests/core/remove-tree.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static SeamRunRequest *
make_request (const char *pipeline_name, const char *preset, const char *shape, const char *plans)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_name, &error);
  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, preset, shape, &error);
  g_assert_no_error (error);
  SeamRunRequest *request = seam_run_request_new (pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE;
  request->settings.budget_s = 0.05;
  return request;
}

static SeamResult *
run (SeamRunner *runner, const SeamRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return result;
}

static void
assert_refused (const SeamRunRequest *request, SeamError code, const char *says)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;
  SeamResult *partial = NULL;

  g_assert_null (seam_runner_run (runner, request, NULL, NULL, NULL, &partial, &error));
  g_assert_error (error, SEAM_ERROR, (int)code);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
  g_assert_null (partial);
}

/* --- edited code --- */

static void
no_step_cb (const SeamProgress *progress, gpointer data)
{
  g_error ("The run has begun its step “%s”.", seam_step_get_title (progress->step));
}

/* A mistake in edited code ends the run before its first step. */
static void
test_mistake (void)
{
  static const char text[] = "void stage_0 (void)\n{\n  return 0\n}\n";
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request =
      make_request ("conv-relu-hardswish", "tiny", NULL, "unfused,published");
  g_autoptr (GError) error = NULL;
  g_autofree char *place =
      seam_edit_name_group ("conv|conv_bias+relu+add3+div6+clamp+mul@edited", 1);

  if (seam_cpu_compiler_get () == NULL) {
    g_test_skip ("no C compiler here");
    return;
  }
  seam_edits_set (&request->edits, 1, 1, text);
  request->settings.against = g_strdup ("fp64");
  g_assert_null (seam_runner_run (runner, request, NULL, no_step_cb, NULL, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_true (g_str_has_prefix (error->message, place));
  g_assert_nonnull (strstr (error->message, "\nline 3, column "));

  /* The group of another plan has no code that could be edited. */
  seam_edits_set (&request->edits, 1, 1, NULL);
  seam_edits_set (&request->edits, 0, 0, text);
  assert_refused (request, SEAM_ERROR_UNSUPPORTED, "Group 1 of conv@edited|conv_bias|");

  /* The runner is as good as new. */
  seam_edits_set (&request->edits, 0, 0, NULL);
  g_autoptr (SeamResult) result = run (runner, request);
  g_assert_cmpint (result->plans[1].state, ==, SEAM_PLAN_MEASURED);
}

/* --- all pipelines --- */

static void
test_pipelines (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = seam_pipeline_list (&error);
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  g_assert_no_error (error);
  g_assert_cmpuint (pipelines->len, >, 0);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    g_auto (GStrv) names = seam_plan_list_names (pipeline);
    gboolean is_published = g_strv_contains ((const char *const *)names, "published");
    const char *plans = is_published ? "unfused,published,full" : "unfused,full";
    int n_plans = is_published ? 3 : 2;
    g_autoptr (SeamRunRequest) request =
        make_request (pipeline->id, pipeline->presets[0].name, NULL, plans);
    for (int against = 0; against < 2; against++) {
      g_free (request->settings.against);
      request->settings.against = g_strdup (against == 1 ? "fp64" : NULL);
      g_autoptr (SeamResult) result = run (runner, request);
      g_assert_cmpint (result->n_plans, ==, n_plans);
      g_assert_cmpint (result->against, ==, against == 1 ? -1 : 0);
      g_assert_cmpstr (result->preset, ==, pipeline->presets[0].name);
      g_assert_cmpint (result->settings.math_mode, ==, SEAM_MATH_FP32);
      for (int j = 0; j < n_plans; j++) {
        const SeamPlanResult *plan = &result->plans[j];
        g_assert_cmpint (plan->state, ==, SEAM_PLAN_MEASURED);
        g_assert_cmpint (plan->n_samples, >, 0);
        g_assert_cmpfloat (plan->median_ns, >, 0);
        g_assert_cmpfloat (plan->bytes, >, 0);
        g_assert_true (plan->stable);
        g_assert_nonnull (plan->tiles);
        for (int g = 0; g < plan->n_groups; g++)
          g_assert_true (seam_tile_is_known (&plan->tiles[g]));
        g_assert_true (strstr (plan->executed, "@cpu") != NULL
                       || strstr (plan->executed, "@generated") != NULL);
        g_assert_true ((plan->difference == NULL) == (j == result->against));
        if (plan->difference != NULL) {
          g_assert_cmpint (plan->difference->n_failing, ==, 0);
          g_assert_cmpint (plan->difference->n_nan_a, ==, 0);
          g_assert_cmpfloat (plan->difference->max_error_ratio, <, 5e-5);
        }
      }
      /* Compared with FP64, an error by FP32's rounding must remain. */
      if (against == 1)
        g_assert_cmpfloat (result->plans[0].difference->max_abs, >, 0);
      g_assert_cmpfloat (result->plans[0].bytes, >, result->plans[n_plans - 1].bytes);
      g_assert_cmpint (result->plans[0].n_groups, ==, pipeline->chains[0].n_ops);
    }
  }
}

static void
test_exhibit (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request (
      "matmul-swish-bias-groupnorm", "tiny", "batch=64,out_features=64", "unfused,as-published");
  g_autoptr (SeamResult) result = run (runner, request);
  const SeamPlanResult *plan = &result->plans[1];

  g_assert_true (plan->exhibit);
  g_assert_cmpfloat (plan->difference->max_abs, >, 0.5);
  g_assert_cmpfloat ((double)plan->difference->n_failing, >,
                     0.9 * (double)plan->difference->n_elements);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_WRONG);
  g_assert_true (g_str_has_prefix (verdict->detail, "Wrong on purpose"));
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (plan->difference);
  g_assert_false (agreement->agree);
  g_test_message ("%s", agreement->detail);
}

/* --- what outputs are compared with --- */

static void
test_against (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request =
      make_request ("conv-relu-bias", "tiny", NULL, "unfused,published");

  request->settings.against = g_strdup ("published");
  g_autoptr (SeamResult) listed = run (runner, request);
  g_assert_cmpint (listed->n_plans, ==, 2);
  g_assert_cmpint (listed->against, ==, 1);
  g_assert_nonnull (listed->plans[0].difference);
  g_assert_cmpstr (listed->settings.against, ==, listed->plans[1].notation);

  /* A plan to compare with that is not listed joins the run. */
  g_free (request->settings.against);
  request->settings.against = g_strdup ("conv+conv_bias|relu+bias");
  g_autoptr (SeamResult) added = run (runner, request);
  g_assert_cmpint (added->n_plans, ==, 3);
  g_assert_cmpint (added->against, ==, 2);
  g_assert_cmpint (added->plans[2].state, ==, SEAM_PLAN_MEASURED);

  /* A plan to compare with that cannot run is replaced, and a message says so. */
  g_free (request->settings.against);
  request->settings.against = g_strdup ("conv@cudnn|conv_bias+relu+bias");
  g_autoptr (SeamResult) replaced = run (runner, request);
  g_assert_cmpint (replaced->n_plans, ==, 3);
  g_assert_cmpint (replaced->against, ==, 0);
  g_assert_cmpint (replaced->plans[2].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_nonnull (strstr (replaced->plans[2].message, "compared with Unfused instead"));
  g_assert_null (replaced->plans[2].executed);
  g_assert_cmpint (replaced->plans[1].state, ==, SEAM_PLAN_MEASURED);
}

static void
test_tf32_on_cpu (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("gemm-bias-relu", "tiny", NULL, "unfused");

  request->settings.math_mode = SEAM_MATH_TF32;
  g_autoptr (SeamResult) result = run (runner, request);
  g_assert_cmpint (result->settings.math_mode, ==, SEAM_MATH_FP32);
  g_assert_nonnull (strstr (result->plans[0].message, "no TF32"));
}

/* --- refusals --- */

static void
test_refusals (void)
{
  g_autoptr (SeamRunRequest) huge =
      make_request ("gemm-bias-relu", "tiny", "batch=1000000,out_features=1000000", "unfused");
  assert_refused (huge, SEAM_ERROR_MEMORY, "This run needs 8.00 TB of memory, and cpu has ");

  g_autoptr (SeamRunRequest) unknown =
      make_request ("gemm-bias-relu", "tiny", NULL, "unfused,publishd");
  assert_refused (unknown, SEAM_ERROR_INPUT, "publish");

  g_autoptr (SeamRunRequest) zero = make_request ("conv-relu-bias", "tiny", NULL, "unfused");
  zero->values[seam_pipeline_get_field (zero->pipeline, "height")] = 0;
  assert_refused (zero, SEAM_ERROR_INPUT, "height");

  g_autoptr (SeamRunRequest) target = make_request ("conv-relu-bias", "tiny", NULL, "unfused");
  g_free (target->target);
  target->target = g_strdup ("abacus");
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;
  g_assert_null (seam_runner_run (runner, target, NULL, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "abacus"));

  /* Nothing has run, so there are no outputs. */
  g_clear_error (&error);
  g_assert_null (seam_runner_difference (runner, 0, 0, 0, 0, 512, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_false (seam_runner_save_tensors (runner, g_get_tmp_dir (), &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

/* If a plan cannot run, the result says so, and the others go on. */
static void
test_not_measured (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request (
      "conv-relu-bias", "tiny", NULL, "unfused,conv@cudnn|conv_bias+relu+bias,published");
  g_autoptr (SeamResult) result = run (runner, request);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (result->plans[0].state, ==, SEAM_PLAN_MEASURED);
  g_assert_cmpint (result->plans[1].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_cmpint (result->plans[2].state, ==, SEAM_PLAN_MEASURED);
  g_assert_nonnull (strstr (result->plans[1].message, "no implementation of the target cpu"));
  g_assert_true (isnan (result->plans[1].median_ns));
  g_assert_null (result->plans[1].difference);
  g_assert_null (seam_runner_difference (runner, 1, 0, 0, 0, 512, NULL, &error));
  g_assert_nonnull (strstr (error->message, "did not run"));
}

/* --- tensors from files --- */

static char *
get_golden (const char *pipeline, int number)
{
  const char *folder = g_getenv ("SEAMSCOPE_TEST_GOLDEN");
  g_autofree char *name = g_strdup_printf ("case%d", number);

  g_assert_nonnull (folder);
  return g_build_filename (folder, pipeline, name, NULL);
}

/* The golden case's shape from its case.json. */
static SeamRunRequest *
make_golden_request (const char *pipeline, int number)
{
  g_autofree char *folder = get_golden (pipeline, number);
  g_autofree char *path = g_build_filename (folder, "case.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  SeamRunRequest *request = make_request (pipeline, "tiny", NULL, "unfused,published,full");

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  JsonObject *shape =
      json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "shape");
  for (int i = 0; i < request->pipeline->n_fields; i++)
    request->values[i] = json_object_get_int_member (shape, request->pipeline->fields[i].key);
  request->tensors_dir = g_steal_pointer (&folder);
  return request;
}

static void
copy_folder (const char *from, const char *to)
{
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_mkdir_with_parents (to, 0777);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *source = g_build_filename (from, name, NULL);
    g_autofree char *target = g_build_filename (to, name, NULL);
    g_autofree char *data = NULL;
    gsize length;
    g_assert_true (g_file_get_contents (source, &data, &length, NULL));
    g_assert_true (g_file_set_contents (target, data, (gssize)length, NULL));
  }
}

static void
test_golden (void)
{
  static const char *const names[] = { "conv-relu-bias", "gemm-bias-relu",
                                       "matmul-swish-bias-groupnorm",
                                       "conv-bias-scale-sigmoid-groupnorm", "conv-relu-hardswish" };
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (SeamRunRequest) request = make_golden_request (names[i], 0);
    g_autoptr (SeamResult) result = run (runner, request);
    g_autofree char *expected_path =
        g_build_filename (request->tensors_dir, "output_f32.npy", NULL);
    g_autofree char *folder = g_dir_make_tmp ("seam-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "output.npy", NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamNpy) expected = seam_npy_read (expected_path, &error);
    g_assert_no_error (error);
    g_assert_cmpint (result->settings.distribution, ==, SEAM_DISTRIBUTION_FILES);
    for (int plan = 0; plan < 3; plan++) {
      g_assert_true (seam_runner_save_output (runner, plan, path, &error));
      g_autoptr (SeamNpy) output = seam_npy_read (path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (output->n_dims, ==, expected->n_dims);
      g_assert_cmpint (output->n_elements, ==, expected->n_elements);
      for (gint64 j = 0; j < output->n_elements; j++)
        g_assert_cmpfloat (fabsf (((float *)output->data)[j] - ((float *)expected->data)[j]), <,
                           1e-4f);
    }
    remove_tree (folder);
  }
}

static void
test_bad_tensors (void)
{
  g_autoptr (SeamRunRequest) request = make_golden_request ("matmul-swish-bias-groupnorm", 0);
  g_autofree char *folder = g_dir_make_tmp ("seam-XXXXXX", NULL);
  g_autofree char *weight = g_build_filename (folder, "matmul.weight.npy", NULL);
  g_autofree char *norm = g_build_filename (folder, "group_norm.weight.npy", NULL);
  g_autofree char *data = NULL;
  gsize length;

  copy_folder (request->tensors_dir, folder);
  g_free (request->tensors_dir);
  request->tensors_dir = g_strdup (folder);
  g_assert_true (g_file_get_contents (weight, &data, &length, NULL));

  /* GroupNorm's parameters may be left out. */
  g_remove (norm);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamResult) result = run (runner, request);
  g_assert_cmpint (result->plans[0].state, ==, SEAM_PLAN_MEASURED);

  g_assert_true (g_file_set_contents (weight, data, (gssize)length - 4, NULL));
  assert_refused (request, SEAM_ERROR_FILE, "matmul.weight.npy");
  g_remove (weight);
  assert_refused (request, SEAM_ERROR_FILE, "matmul.weight.npy does not exist");
  g_assert_true (g_file_set_contents (weight, "nonsense", -1, NULL));
  assert_refused (request, SEAM_ERROR_FILE, "matmul.weight.npy");
  g_assert_true (g_file_set_contents (weight, data, (gssize)length, NULL));
  int batch = seam_pipeline_get_field (request->pipeline, "batch");
  request->values[batch]++;
  assert_refused (request, SEAM_ERROR_FILE, "input.npy has the shape ");
  remove_tree (folder);
  assert_refused (request, SEAM_ERROR_FILE, "input.npy does not exist");
}

/* The saved tensors are those of the run: a run with them gives the same output. */
static void
test_save_tensors (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request =
      make_request ("conv-bias-scale-sigmoid-groupnorm", "tiny", NULL, "unfused");
  g_autofree char *parent = g_dir_make_tmp ("seam-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (parent, "new", NULL);
  g_autofree char *first = g_build_filename (parent, "first.npy", NULL);
  g_autofree char *second = g_build_filename (parent, "second.npy", NULL);
  g_autofree char *a = NULL, *b = NULL;
  gsize n_a, n_b;
  g_autoptr (GError) error = NULL;

  request->settings.seed = 12;
  g_autoptr (SeamResult) made = run (runner, request);
  g_assert_true (seam_runner_save_tensors (runner, folder, &error));
  g_assert_true (seam_runner_save_output (runner, 0, first, &error));
  request->settings.seed = 13;
  request->tensors_dir = g_strdup (folder);
  g_autoptr (SeamResult) read = run (runner, request);
  g_assert_true (seam_runner_save_output (runner, 0, second, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (first, &a, &n_a, NULL));
  g_assert_true (g_file_get_contents (second, &b, &n_b, NULL));
  g_assert_cmpmem (a, n_a, b, n_b);

  g_autofree char *nowhere = g_build_filename (first, "folder", NULL);
  g_assert_false (seam_runner_save_tensors (runner, nowhere, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  remove_tree (folder);
  remove_tree (parent);
}

/* --- differences and slices --- */

static float *
load_output (SeamRunner *runner, int plan, gint64 *n)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "output.npy", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_runner_save_output (runner, plan, path, &error));
  g_autoptr (SeamNpy) npy = seam_npy_read (path, &error);
  g_assert_no_error (error);
  remove_tree (folder);
  *n = npy->n_elements;
  return g_steal_pointer (&npy->data);
}

/* Checks the difference as its header defines it, computed from the saved outputs. */
static void
assert_difference (const SeamDifference *difference, const float *a, const float *b)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  g_autofree float *cells = g_new0 (float, difference->n_cell_rows * difference->n_cell_columns);
  g_autofree guint32 *failing =
      g_new0 (guint32, difference->n_cell_rows * difference->n_cell_columns);
  double max_abs = 0, sum = 0, scale = 0;
  gint64 n_failing = 0;

  for (gint64 i = 0; i < difference->n_elements; i++) {
    gint64 row = i / spec->plane / spec->columns, column = i / spec->plane % spec->columns;
    gint64 cell =
        row / spec->rows_per_cell * difference->n_cell_columns + column / spec->columns_per_cell;
    double d = fabs ((double)a[i] - (double)b[i]);
    gboolean fails = seam_element_fails (spec, a[i], b[i], NAN);
    n_failing += fails;
    failing[cell] += (guint32)fails;
    cells[cell] = MAX (cells[cell], (float)d);
    sum += d;
    max_abs = MAX (max_abs, d);
    scale = MAX (scale, fabs ((double)b[i]));
  }
  g_assert_cmpint (difference->n_failing, ==, n_failing);
  g_assert_cmpfloat_with_epsilon (difference->max_abs, max_abs, 1e-6 * max_abs);
  g_assert_cmpfloat_with_epsilon (difference->mean_abs, sum / (double)difference->n_elements,
                                  1e-6 * max_abs);
  g_assert_cmpfloat_with_epsilon (difference->max_rel, max_abs / scale, 1e-6);
  if (seam_difference_is_by_bound (spec))
    g_assert_cmpint (difference->worst_index, ==, difference->bound_index);
  else
    g_assert_cmpfloat_with_epsilon (
        fabs ((double)a[difference->worst_index] - (double)b[difference->worst_index]), max_abs,
        1e-6 * max_abs);
  for (gint64 i = 0; i < difference->n_cell_rows * difference->n_cell_columns; i++) {
    g_assert_cmpfloat_with_epsilon (difference->cells[i], cells[i], 1e-6 * max_abs);
    g_assert_cmpuint (difference->failing[i], ==, failing[i]);
  }
}

static void
test_difference (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request =
      make_request ("matmul-swish-bias-groupnorm", "tiny", "batch=37,out_features=60,groups=5",
                    "unfused,as-published");
  g_autoptr (SeamResult) result = run (runner, request);
  g_autoptr (GError) error = NULL;
  gint64 n;
  g_autofree float *a = load_output (runner, 1, &n);
  g_autofree float *b = load_output (runner, 0, &n);

  assert_difference (result->plans[1].difference, a, b);
  /* Other tolerances, and coarser cells. */
  g_autoptr (SeamDifference) coarse =
      seam_runner_difference (runner, 1, 0, 0.3, 0.2, 16, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (coarse->n_cell_rows, ==, 13);
  g_assert_cmpint (coarse->n_failing, >, 0);
  g_assert_cmpint (coarse->n_failing, <, result->plans[1].difference->n_failing);
  assert_difference (coarse, a, b);
  /* A plan compared with itself. */
  g_autoptr (SeamDifference) same = seam_runner_difference (runner, 1, 1, 0, 0, 512, NULL, &error);
  g_assert_cmpint (same->n_failing, ==, 0);
  g_assert_cmpint (same->worst_index, ==, -1);
  /* FP64, which is computed now. */
  g_autoptr (SeamDifference) reference =
      seam_runner_difference (runner, 0, -1, 1e-4, 1e-4, 512, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (reference->n_failing, ==, 0);
  g_assert_cmpfloat (reference->max_abs, >, 0);

  g_assert_null (seam_runner_difference (runner, 2, 0, 0, 0, 512, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (seam_runner_difference (runner, 1, 0, NAN, 0, 512, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
assert_slice (SeamRunner *runner, const SeamSlice *wanted, gint64 n_rows, gint64 n_columns,
              const float *a, gint64 first, gint64 pitch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSlice) slice = seam_runner_slice (runner, 1, 0, wanted, &error);

  g_assert_no_error (error);
  g_assert_cmpint (slice->n_rows, ==, n_rows);
  g_assert_cmpint (slice->n_columns, ==, n_columns);
  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_columns; j++)
      g_assert_cmpfloat (slice->a[i * n_columns + j], ==, a[first + i * pitch + j]);
}

static void
test_slice (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;
  gint64 n;
  g_autoptr (SeamRunRequest) matrix =
      make_request ("matmul-swish-bias-groupnorm", "tiny", "batch=37,out_features=60,groups=5",
                    "unfused,as-published");
  g_autoptr (SeamResult) first = run (runner, matrix);
  g_autofree float *rows = load_output (runner, 1, &n);
  assert_slice (runner,
                &(SeamSlice){ .first_row = 3, .first_column = 7, .n_rows = 4, .n_columns = 5 }, 4,
                5, rows, 3 * 60 + 7, 60);
  /* A slice that is clipped at the far corner; whole rows. */
  assert_slice (
      runner, &(SeamSlice){ .first_row = 35, .first_column = 50, .n_rows = 100, .n_columns = 100 },
      2, 10, rows, 35 * 60 + 50, 60);
  assert_slice (runner, &(SeamSlice){ .n_rows = 37, .n_columns = 60 }, 37, 60, rows, 0, 60);
  SeamSlice outside = { .first_row = 37, .n_rows = 1, .n_columns = 1 };
  g_assert_null (seam_runner_slice (runner, 1, 0, &outside, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);

  g_autoptr (SeamRunRequest) image = make_request (
      "conv-relu-hardswish", "tiny", "batch=2,out_channels=5,height=9,width=12", "unfused,full");
  g_autoptr (SeamResult) second = run (runner, image);
  g_autofree float *planes = load_output (runner, 1, &n);
  g_assert_cmpint (n, ==, 2 * 5 * 7 * 10);
  assert_slice (runner,
                &(SeamSlice){ .sample = 1,
                              .channel = 3,
                              .first_row = 2,
                              .first_column = 4,
                              .n_rows = 3,
                              .n_columns = 6 },
                3, 6, planes, (1 * 5 + 3) * 70 + 2 * 10 + 4, 10);
  SeamSlice channel = { .channel = 5, .n_rows = 1, .n_columns = 1 };
  g_assert_null (seam_runner_slice (runner, 1, 0, &channel, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);

  /* The reference's doubles arrive whole: the largest difference is that of the comparison. */
  g_autoptr (SeamDifference) difference =
      seam_runner_difference (runner, 1, -1, NAN, NAN, 512, NULL, &error);
  g_assert_no_error (error);
  double largest = 0;
  for (gint64 plane = 0; plane < difference->spec.rows * difference->spec.columns; plane++) {
    SeamSlice wanted = { .sample = plane / difference->spec.columns,
                         .channel = plane % difference->spec.columns,
                         .n_rows = 7,
                         .n_columns = 10 };
    g_autoptr (SeamSlice) reference = seam_runner_slice (runner, 1, -1, &wanted, &error);
    g_assert_no_error (error);
    for (int i = 0; i < 70; i++)
      largest = MAX (largest, fabs (reference->a[i] - seam_slice_get_b (reference, i)));
  }
  g_assert_cmpfloat (largest, >, 0);
  g_assert_cmpfloat_with_epsilon (largest, difference->max_abs, 1e-6 * largest);
}

/* --- progress --- */

typedef struct {
  int seen[SEAM_N_STEPS];
  int n_samples, n_backwards;
  SeamStep last;
} Watch;

static void
watch_cb (const SeamProgress *progress, gpointer data)
{
  Watch *watch = data;

  watch->seen[progress->step]++;
  watch->n_backwards += progress->step < watch->last;
  watch->last = progress->step;
  for (int i = 0; i < progress->n_new; i++)
    g_assert_cmpint (progress->new_plans[i], <, 3);
  watch->n_samples += progress->n_new;
}

static void
test_progress (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  /* The second plan cannot run; the third keeps its number all the same. */
  g_autoptr (SeamRunRequest) request = make_request (
      "conv-relu-bias", "tiny", NULL, "unfused,conv@cudnn|conv_bias+relu+bias,published");
  Watch watch = { 0 };
  g_autoptr (GError) error = NULL;

  request->settings.against = g_strdup ("fp64");
  request->settings.budget_s = 0.3;
  g_autoptr (SeamResult) result =
      seam_runner_run (runner, request, NULL, watch_cb, &watch, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < SEAM_N_STEPS; i++)
    if (i != SEAM_STEP_WARM_UP && i != SEAM_STEP_TRACE)
      g_assert_cmpint (watch.seen[i], >, 0);
  g_assert_cmpint (watch.n_backwards, ==, 0);
  g_assert_cmpint (watch.n_samples, ==, result->plans[0].n_samples + result->plans[2].n_samples);
  g_assert_false (result->stopped);
}

/* --- a backend that misbehaves --- */

static int n_runs, fail_from, fail_code;

static gboolean
failing_run (SeamDevice *device, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
             GError **error)
{
  if (++n_runs >= fail_from && fail_code >= 0) {
    g_set_error_literal (error, SEAM_ERROR, fail_code, "The device fell off the bus.");
    return FALSE;
  }
  return seam_backend_cpu.run (device, groups, n_groups, cancel, error);
}

/* Leaves the output as it was: poisoned. */
static gboolean
idle_run (SeamDevice *device, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
          GError **error)
{
  if (++n_runs == 2)
    return TRUE;
  return seam_backend_cpu.run (device, groups, n_groups, cancel, error);
}

/* With tolerances, for which nothing but the plans runs. */
static SeamRunRequest *
make_plain_request (void)
{
  SeamRunRequest *request = make_request ("conv-relu-bias", "tiny", NULL, "unfused,published");

  request->settings.atol = request->settings.rtol = 1e-4;
  return request;
}

static SeamBackend broken_backend;

static SeamRunner *
make_broken (gboolean (*run_function) (SeamDevice *, SeamPrepared *const *, int, SeamCancel *,
                                       GError **))
{
  SeamRunner *runner = seam_runner_new ();
  SeamDevice *device = seam_runner_open (runner, "cpu", NULL);

  broken_backend = seam_backend_cpu;
  broken_backend.run = run_function;
  device->backend = &broken_backend;
  n_runs = 0;
  return runner;
}

static void
test_device_lost (void)
{
  g_autoptr (SeamRunner) runner = make_broken (failing_run);
  g_autoptr (SeamRunRequest) request = make_plain_request ();
  g_autoptr (GError) error = NULL;
  SeamResult *partial = NULL;

  fail_from = 2;
  fail_code = SEAM_ERROR_DEVICE;
  g_assert_null (seam_runner_run (runner, request, NULL, NULL, NULL, &partial, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_DEVICE);
  g_assert_nonnull (partial);
  g_assert_cmpint (partial->plans[1].state, ==, SEAM_PLAN_FAULTED);
  g_assert_nonnull (strstr (partial->plans[1].message, "fell off the bus"));
  g_assert_cmpint (partial->plans[0].state, ==, SEAM_PLAN_NOT_MEASURED);
  seam_result_unref (partial);
}

static void
test_plan_fails (void)
{
  g_autoptr (SeamRunner) runner = make_broken (failing_run);
  g_autoptr (SeamRunRequest) request = make_plain_request ();

  fail_from = 2;
  fail_code = SEAM_ERROR_UNSUPPORTED;
  g_autoptr (SeamResult) result = run (runner, request);
  g_assert_cmpint (result->plans[1].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_nonnull (strstr (result->plans[1].message, "fell off the bus"));
}

/* The output of a plan that writes nothing is all NaN, and NaN fails. */
static void
test_poison (void)
{
  g_autoptr (SeamRunner) runner = make_broken (idle_run);
  g_autoptr (SeamRunRequest) request = make_plain_request ();
  g_autoptr (SeamResult) result = run (runner, request);
  const SeamDifference *difference = result->plans[1].difference;

  g_assert_cmpint (difference->n_failing, ==, difference->n_elements);
  g_assert_cmpint (difference->n_nan_a, ==, difference->n_elements);
  /* The second check finds another output. */
  g_assert_false (result->plans[1].stable);
  g_assert_true (result->plans[0].stable);
}

static void
test_doctor (void)
{
  g_autoptr (GPtrArray) checks = seam_run_doctor ();

  g_assert_cmpuint (checks->len, >, 0);
  for (guint i = 0; i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    g_assert_nonnull (check->title);
    g_assert_nonnull (check->detail);
    g_test_message ("%d %s: %s (%s)", check->state, check->title, check->detail, check->remedy);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner/mistake", test_mistake);
  g_test_add_func ("/runner/pipelines", test_pipelines);
  g_test_add_func ("/runner/exhibit", test_exhibit);
  g_test_add_func ("/runner/against", test_against);
  g_test_add_func ("/runner/tf32-on-cpu", test_tf32_on_cpu);
  g_test_add_func ("/runner/refusals", test_refusals);
  g_test_add_func ("/runner/not-measured", test_not_measured);
  g_test_add_func ("/runner/golden", test_golden);
  g_test_add_func ("/runner/bad-tensors", test_bad_tensors);
  g_test_add_func ("/runner/save-tensors", test_save_tensors);
  g_test_add_func ("/runner/difference", test_difference);
  g_test_add_func ("/runner/slice", test_slice);
  g_test_add_func ("/runner/progress", test_progress);
  g_test_add_func ("/runner/device-lost", test_device_lost);
  g_test_add_func ("/runner/plan-fails", test_plan_fails);
  g_test_add_func ("/runner/poison", test_poison);
  g_test_add_func ("/runner/doctor", test_doctor);
  return g_test_run ();
}
