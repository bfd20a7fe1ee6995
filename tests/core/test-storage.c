/* SPDX-License-Identifier: MIT
 *
 * 16-bit storage: names and refusals, the bytes of every model, the comparison of outputs, and
 * whole runs with their records, files and FP64 reference. Every partition on the CPU is in
 * test-storage-cpu.c.
 */
#include "tests/core/cpu-fixture.h"

#include "app/settings/settings.h"
#include "app/compare/compare.h"
#include "app/plan/ledger.h"
#include "app/runner/run-private.h"

#include <glib/gstdio.h>

static const SeamMathMode modes[] = { SEAM_MATH_FP16, SEAM_MATH_BF16 };

static SeamProblem *
make_problem (const char *id, const char *shape, SeamStorage storage, SeamMathMode mode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape, &error);

  g_assert_no_error (error);
  seam_problem_set_storage (problem, storage, seam_math_mode_get_operand (mode));
  return problem;
}

/* --- Names, and where it does not go --- */

static void
test_names (void)
{
  SeamStorage storage = SEAM_STORAGE_FP32;
  g_autoptr (GError) wrong = NULL;

  for (int i = 0; i < SEAM_N_STORAGES; i++) {
    g_assert_true (seam_choice_parse (seam_storages, SEAM_N_STORAGES, seam_storages[i].name,
                                      "storage", (int *)&storage, NULL));
    g_assert_cmpint (storage, ==, i);
    for (int j = 0; j < i; j++)
      g_assert_cmpstr (seam_storages[i].title, !=, seam_storages[j].title);
  }
  g_assert_false (seam_choice_parse (seam_storages, SEAM_N_STORAGES, "half", "storage",
                                     (int *)&storage, &wrong));
  for (int i = 0; i < SEAM_N_STORAGES; i++)
    g_assert_nonnull (
        strstr (wrong->message, seam_choice_get_name (seam_storages, (SeamStorage)i)));
  for (SeamMathMode mode = 0; mode < SEAM_N_MATH_MODES; mode++) {
    gboolean has_type = seam_math_mode_get_operand (mode) != SEAM_OPERAND_FP32;

    SeamSettings settings = { .math_mode = mode, .storage = SEAM_STORAGE_FP32 };
    const char *why;

    g_assert_null (seam_settings_find_refused (&settings, SEAM_ABILITY_ALL, &why));
    g_assert_null (seam_storage_describe (SEAM_STORAGE_FP32, mode));
    g_assert_null (seam_storage_describe (SEAM_N_STORAGES, mode));
    for (SeamStorage small = SEAM_STORAGE_BETWEEN; small < SEAM_N_STORAGES; small++) {
      settings.storage = small;
      g_assert_true ((seam_settings_find_refused (&settings, SEAM_ABILITY_ALL, &why) == NULL)
                     == has_type);
      g_assert_true ((why == NULL) == has_type);
      g_assert_true (has_type || strstr (why, "choose math mode fp16 or bf16") != NULL);
      g_assert_true ((seam_storage_describe (small, mode) != NULL) == has_type);
    }
  }
  g_assert_cmpstr (seam_storage_describe (SEAM_STORAGE_BETWEEN, SEAM_MATH_BF16), ==,
                   "BF16 storage between kernels");
  g_assert_cmpstr (seam_storage_describe (SEAM_STORAGE_ALL, SEAM_MATH_FP16), ==,
                   "FP16 storage of all tensors but vectors");
}

static void
test_request (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);

  g_assert_no_error (error);
  g_assert_cmpint (request->settings.storage, ==, SEAM_STORAGE_FP32);
  request->settings.storage = SEAM_STORAGE_BETWEEN;
  request->settings.math_mode = SEAM_MATH_BF16;
  g_autoptr (GVariant) sent = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) received = seam_run_request_from_variant (sent, &error);
  g_assert_no_error (error);
  g_assert_cmpint (received->settings.storage, ==, SEAM_STORAGE_BETWEEN);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (received, &error);
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_OUTPUT (0)].type, ==, SEAM_OPERAND_BF16);

  request->settings.math_mode = SEAM_MATH_TF32;
  g_autoptr (GVariant) wrong = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_assert_null (seam_run_request_from_variant (wrong, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "choose math mode fp16 or bf16"));
}

/* --- Bytes --- */

static void
test_bytes (void)
{
  static const char shape[] = "batch=6,in_features=10,out_features=8";
  const double x = 6 * 10, w = 8 * 10, b = 8, y = 6 * 8;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) wide =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_FP32, SEAM_MATH_FP16);
  g_autoptr (SeamProblem) narrow =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_BETWEEN, SEAM_MATH_FP16);
  g_autoptr (SeamPlan) unfused = seam_plan_parse (narrow->pipeline, "unfused", &error);
  g_autoptr (SeamPlan) full = seam_plan_parse (narrow->pipeline, "full", &error);
  SeamLedger ledger;
  SeamPlanCost cost;
  SeamFloor floors[2];

  /* Two tensors between three kernels, each written and read once. */
  seam_plan_cost (narrow, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y) + 2 * 2 * 2 * y);
  g_assert_cmpfloat (cost.bytes_allocated, ==, 4 * (x + w + b + y) + 2 * 2 * y);
  seam_ledger_fill (narrow, unfused, &ledger);
  SeamTransfers total = seam_ledger_get_total (&ledger);
  g_assert_cmpfloat (seam_transfers_sum (&total), ==, cost.bytes);
  SeamTransfers between = seam_ledger_get_tensor (&ledger, SEAM_TENSOR_OUTPUT (1));
  g_assert_cmpfloat (between.written, ==, 2 * y);
  g_assert_cmpfloat (between.read, ==, 2 * y);
  seam_plan_cost (wide, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y) + 2 * 2 * 4 * y);
  g_assert_cmpfloat (seam_plan_seam_bytes (narrow, unfused, 0), ==, 4 * y);
  /* No tensor lies between kernels if there is one kernel, and no plan moves fewer bytes. */
  seam_plan_cost (narrow, full, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 4 * (x + w + b + y));
  seam_problem_get_floor (wide, 0, TRUE, 1e9, 0, &floors[0]);
  seam_problem_get_floor (narrow, 0, TRUE, 1e9, 0, &floors[1]);
  g_assert_cmpfloat (floors[0].bytes, ==, floors[1].bytes);
  /* With `all`, only the vector is FP32. */
  g_autoptr (SeamProblem) all =
      make_problem ("gemm-bias-relu", shape, SEAM_STORAGE_ALL, SEAM_MATH_BF16);
  seam_plan_cost (all, unfused, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 2 * (x + w + y) + 4 * b + 2 * 2 * 2 * y);
  g_assert_cmpfloat (cost.bytes_allocated, ==, 2 * (x + w + y) + 4 * b + 2 * 2 * y);
  seam_ledger_fill (all, unfused, &ledger);
  total = seam_ledger_get_total (&ledger);
  g_assert_cmpfloat (seam_transfers_sum (&total), ==, cost.bytes);
  seam_plan_cost (all, full, &cost);
  g_assert_cmpfloat (cost.bytes, ==, 2 * (x + w + y) + 4 * b);
  seam_problem_get_floor (all, 0, TRUE, 1e9, 0, &floors[1]);
  g_assert_cmpfloat (floors[1].bytes, ==, cost.bytes);
  g_assert_cmpfloat (floors[1].floor_ns, ==, cost.bytes);
  for (int i = 0; i < all->n_tensors; i++) {
    gboolean is_vector = i == SEAM_TENSOR_PARAM (3, 1);
    g_assert_cmpint (all->tensors[i].type, ==, is_vector ? SEAM_OPERAND_FP32 : SEAM_OPERAND_BF16);
    g_assert_cmpint (all->tensors[i].bytes, ==, wide->tensors[i].bytes / (is_vector ? 1 : 2));
  }
  seam_problem_set_storage (all, SEAM_STORAGE_FP32, SEAM_OPERAND_BF16);
  g_assert_cmpmem (all->tensors, sizeof all->tensors, wide->tensors, sizeof wide->tensors);
  /* FP32 storage restores the problem. */
  seam_problem_set_storage (narrow, SEAM_STORAGE_FP32, SEAM_OPERAND_FP16);
  g_assert_cmpmem (narrow->tensors, sizeof narrow->tensors, wide->tensors, sizeof wide->tensors);
}

/* --- Comparing --- */

static SeamBuffer *
make_buffer (SeamDevice *device, const void *data, gint64 bytes)
{
  g_autoptr (GError) error = NULL;
  SeamBuffer *buffer = device->backend->allocate (device, bytes, &error);

  g_assert_no_error (error);
  g_assert_true (device->backend->upload (device, buffer, 0, data, bytes, &error));
  return buffer;
}

/* 16-bit outputs are compared as the numbers that they represent. */
static void
test_compare (void)
{
  enum { ROWS = 7, COLUMNS = 5, PLANE = 401, N = ROWS * COLUMNS * PLANE };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDevice) device = seam_backend_open ("cpu", &error);
  g_autofree float *values = g_new (float, 2 * N);
  g_autofree double *exact = g_new (double, N);
  g_autofree unsigned short *packed = g_new (unsigned short, 2 * N);

  g_assert_no_error (error);
  for (gsize m = 0; m < G_N_ELEMENTS (modes); m++) {
    SeamDifferenceSpec spec = { ROWS, COLUMNS, PLANE, 2, 3, 1e-3, 1e-3 };
    SeamOperandType type = seam_math_mode_get_operand (modes[m]);
    GRand *random = g_rand_new_with_seed (7);

    for (int i = 0; i < 2 * N; i++) {
      double value = i < N ? g_rand_double_range (random, -3, 3) : values[i - N] * 1.02;
      packed[i] = seam_operand_pack (type, i == 1000 ? NAN : (float)value);
      values[i] = seam_operand_unpack (type, packed[i]);
      if (i < N)
        exact[i] = g_rand_double_range (random, -3, 3);
    }
    g_rand_free (random);
    for (int against = 0; against < 2; against++) {
      const void *other = against == 0 ? (const void *)(values + N) : exact;
      SeamBuffer *wide[] = { make_buffer (device, values, N * 4),
                             make_buffer (device, other, N * (against == 0 ? 4 : 8)) };
      SeamBuffer *narrow[] = { make_buffer (device, packed, N * 2),
                               against == 0 ? make_buffer (device, packed + N, N * 2) : wide[1] };

      spec.stored = SEAM_OPERAND_FP32;
      g_autoptr (SeamDifference) expected = seam_difference_new (&spec);
      g_assert_true (
          seam_backend_cpu.compare (device, wide[0], wide[1], against, NULL, expected, &error));
      spec.stored = type;
      g_autoptr (SeamDifference) found = seam_difference_new (&spec);
      g_assert_true (
          seam_backend_cpu.compare (device, narrow[0], narrow[1], against, NULL, found, &error));
      g_assert_cmpint (expected->n_failing, >, N / 2);
      g_assert_cmpint (found->n_failing, ==, expected->n_failing);
      g_assert_cmpint (found->n_nan_a, ==, 1);
      g_assert_cmpfloat (found->max_abs, ==, expected->max_abs);
      g_assert_cmpfloat (found->mean_abs, ==, expected->mean_abs);
      g_assert_cmpint (found->worst_index, ==, 1000);
      g_assert_cmpfloat (found->worst[1].a, ==, expected->worst[1].a);
      g_assert_cmpfloat (found->worst[1].b, ==, expected->worst[1].b);
      gsize cells = (gsize)found->n_cell_rows * (gsize)found->n_cell_columns;
      g_assert_cmpmem (found->cells, cells * 4, expected->cells, cells * 4);
      g_assert_cmpmem (found->failing, cells * 4, expected->failing, cells * 4);
      /* Half the buffer of FP32 is enough, and a smaller one is not. */
      spec.rows++;
      g_autoptr (SeamDifference) large = seam_difference_new (&spec);
      spec.rows--;
      g_assert_false (
          seam_backend_cpu.compare (device, narrow[0], narrow[1], against, NULL, large, &error));
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
      g_clear_error (&error);
      for (int i = 0; i < 2; i++)
        seam_backend_cpu.release (device, wide[i]);
      seam_backend_cpu.release (device, narrow[0]);
      if (against == 0)
        seam_backend_cpu.release (device, narrow[1]);
    }
  }
}

/* --- A whole run --- */

static void
test_run (void)
{
  static const char *const plans[] = { "unfused", "published", "full", "missing-tail", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamProblem) tiny = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  g_assert_no_error (error);
  memcpy (request->values, tiny->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE; /* flushing takes longer than everything else */
  request->settings.budget_s = 0.05;
  request->settings.math_mode = SEAM_MATH_FP16;
  request->settings.storage = SEAM_STORAGE_BETWEEN;
  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result->settings.storage, ==, SEAM_STORAGE_BETWEEN);
  g_autofree char *provenance = seam_result_get_provenance (result);
  g_assert_nonnull (strstr (provenance, " · FP16 · FP16 storage between kernels · "));
  g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  g_assert_cmpint (result->plans[2].difference->n_failing, ==, 0);
  g_assert_cmpfloat (result->plans[2].difference->max_abs, >, 1e-5);
  g_assert_cmpint (result->plans[3].difference->n_failing, >, 0);
  for (int i = 0; i < 4; i++) {
    g_assert_cmpint (result->plans[i].state, ==, SEAM_PLAN_MEASURED);
    g_assert_true (result->plans[i].stable);
  }

  /* The setting in stored and sent results; a result without it has FP32 storage. */
  g_autoptr (GVariant) sent = g_variant_ref_sink (seam_result_to_variant (result, FALSE));
  g_autoptr (SeamResult) received = seam_result_from_variant (sent, &error);
  g_assert_no_error (error);
  g_assert_cmpint (received->settings.storage, ==, SEAM_STORAGE_BETWEEN);
  g_autoptr (GVariantDict) dict = g_variant_dict_new (sent);
  g_variant_dict_remove (dict, "storage");
  g_autoptr (GVariant) older = g_variant_ref_sink (g_variant_dict_end (dict));
  g_autoptr (SeamResult) old = seam_result_from_variant (older, &error);
  g_assert_no_error (error);
  g_assert_cmpint (old->settings.storage, ==, SEAM_STORAGE_FP32);
}

static SeamRunRequest *
make_all_request (SeamStorage storage, SeamMathMode mode, SeamReferenceExtent reference_extent)
{
  static const char *const plans[] = { "unfused", "full", "half-sums", "missing-tail", NULL };
  /* A sample of the input and the whole output have an odd number of elements. */
  g_autoptr (SeamProblem) problem =
      make_problem ("conv-relu-hardswish",
                    "batch=3,in_channels=3,out_channels=5,height=23,width=35,kernel_size=3",
                    SEAM_STORAGE_FP32, mode);
  SeamRunRequest *request = seam_run_request_new (problem->pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  request->settings.against = g_strdup ("fp64");
  request->settings.cold = FALSE; /* flushing takes longer than everything else */
  request->settings.budget_s = 0.05;
  request->settings.math_mode = mode;
  request->settings.storage = storage;
  request->reference_extent = reference_extent;
  return request;
}

#define ROWS    21
#define COLUMNS 33

/* The last plane of plan 1's output, and that of the reference. */
static SeamSlice *
get_plane (SeamRunner *runner)
{
  const SeamSlice wanted = { .sample = 2, .channel = 4, .n_rows = ROWS, .n_columns = COLUMNS };
  g_autoptr (GError) error = NULL;
  SeamSlice *slice = seam_runner_slice (runner, 1, -1, &wanted, &error);

  g_assert_no_error (error);
  g_assert_cmpint (slice->n_rows * slice->n_columns, ==, ROWS * COLUMNS);
  return slice;
}

static SeamResult *
run (SeamRunner *runner, const SeamRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

/* Checks that the estimate before a run has the same bytes as the result, including copies of
 * operands. */
static void
check_forecast (const SeamRunRequest *request, const SeamResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamEstimate) estimate = seam_run_estimate (NULL, request, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (estimate->n_plans, ==, result->n_plans);
  for (int i = 0; i < estimate->n_plans; i++) {
    const SeamPlanEstimate *plan = &estimate->plans[i];
    const SeamKernel *first = &result->plans[i].kernels[0];

    g_assert_true (seam_plan_estimate_knows_copies (plan));
    g_assert_cmpfloat (seam_plan_estimate_get_copied_bytes (plan), ==,
                       first->is_copy ? first->bytes : 0);
    g_assert_cmpfloat (plan->bytes, ==, result->plans[i].bytes);
  }
}

/* The reference is of the numbers that the run was given, from the seed or from files, whatever
 * their type in memory. */
static void
test_run_all (gconstpointer data)
{
  const SeamMathMode mode = *(const SeamMathMode *)data;
  const SeamOperandType type = seam_math_mode_get_operand (mode);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunner) wide = seam_runner_new ();
  g_autoptr (SeamRunRequest) first =
      make_all_request (SEAM_STORAGE_FP32, mode, SEAM_REFERENCE_WHOLE);
  g_autoptr (SeamResult) expected = run (wide, first);
  g_autoptr (SeamSlice) reference = get_plane (wide);
  g_autofree char *folder = g_dir_make_tmp ("seamscope-storage-XXXXXX", &error);
  g_autofree char *output = g_build_filename (folder, "output.npy", NULL);
  const double n_factors = 3 * 3 * 23 * 35 + 5 * 3 * 3 * 3, n_outputs = 3 * 5 * ROWS * COLUMNS;

  g_assert_no_error (error);
  for (int i = 0; i < 3; i++) {
    g_autoptr (SeamRunner) runner = seam_runner_new ();
    g_autoptr (SeamRunRequest) request = make_all_request (
        SEAM_STORAGE_ALL, mode, i == 0 ? SEAM_REFERENCE_WHOLE : SEAM_REFERENCE_SAMPLED);

    if (i == 2)
      request->tensors_dir = g_strdup (folder);
    g_autoptr (SeamResult) result = run (runner, request);
    g_assert_cmpint (result->settings.storage, ==, SEAM_STORAGE_ALL);
    g_autofree char *provenance = seam_result_get_provenance (result);
    g_assert_nonnull (strstr (provenance, "storage of all tensors but vectors"));
    g_assert_true (isnan (result->settings.atol) && isnan (result->settings.rtol));
    g_assert_cmpint (result->plans[0].difference->n_failing, ==, 0);
    g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
    g_assert_cmpint (result->plans[3].difference->n_failing, >, 0);
    for (int plan = 0; plan < 4; plan++) {
      g_assert_cmpint (result->plans[plan].state, ==, SEAM_PLAN_MEASURED);
      g_assert_true (result->plans[plan].stable);
      g_assert_nonnull (strstr (result->plans[plan].message, "storage of all tensors but vectors"));
      const SeamKernel *copy = &result->plans[plan].kernels[0];
      g_assert_true (copy->is_copy);
      g_assert_cmpstr (copy->short_name, ==, "widen operands");
      g_assert_cmpfloat (copy->bytes, ==, (2 + 4) * n_factors);
    }
    check_forecast (first, expected);
    check_forecast (request, result);
    /* Half the bytes, except for the vector of 5; and the copies, which are FP32. */
    g_assert_cmpfloat (expected->plans[1].bytes, ==,
                       4 * (n_factors + n_outputs + 5) + 8 * n_factors);
    g_assert_cmpfloat (result->plans[1].bytes, ==,
                       2 * (n_factors + n_outputs) + 4 * 5 + 6 * n_factors);

    g_autoptr (SeamSlice) slice = get_plane (runner);
    for (int j = 0; j < ROWS * COLUMNS; j++) {
      g_assert_cmpfloat (slice->b[j], ==, reference->b[j]);
      g_assert_cmpfloat (slice->a[j], ==, seam_operand_round (type, reference->a[j]));
    }
    /* The saved tensors are the given ones, and a run with them gives the same result. */
    if (i == 0)
      g_assert_true (seam_runner_save_tensors (runner, folder, &error));
    g_assert_true (seam_runner_save_output (runner, 1, output, &error));
    g_autoptr (SeamNpy) saved = seam_npy_read (output, &error);
    g_assert_no_error (error);
    const float *values = saved->data;
    for (gint64 j = 0; j < saved->n_elements; j++)
      g_assert_cmpfloat (values[j], ==, seam_operand_round (type, values[j]));
    g_assert_cmpmem (values + saved->n_elements - ROWS * COLUMNS, ROWS * COLUMNS * sizeof (float),
                     slice->a, ROWS * COLUMNS * sizeof (float));

    /* The hash covers all of the output, including its last element. */
    guint64 before, after;
    SeamBuffer *buffer = runner->plans[1].output;
    g_assert_cmpint (saved->n_elements % 2, ==, 1);
    g_assert_true (seam_runner_hash (runner, buffer, NULL, &before, &error));
    g_assert_true (seam_runner_upload_values (runner, buffer, type, saved->n_elements - 1,
                                              &(float){ 1234 }, 1, NULL, &error));
    g_assert_true (seam_runner_hash (runner, buffer, NULL, &after, &error));
    g_assert_true (before != after);
  }
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
  g_test_add_func ("/storage/names", test_names);
  g_test_add_func ("/storage/request", test_request);
  g_test_add_func ("/storage/bytes", test_bytes);
  g_test_add_func ("/storage/compare", test_compare);
  g_test_add_func ("/storage/run", test_run);
  g_test_add_data_func ("/storage/run-all/fp16", &modes[0], test_run_all);
  g_test_add_data_func ("/storage/run-all/bf16", &modes[1], test_run_all);
  return g_test_run ();
}
