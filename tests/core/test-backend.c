/* SPDX-License-Identifier: MIT
 *
 * The registry of backends: names, targets, and the messages for a CUDA module that is missing or
 * damaged. A process opens the module only once, so those cases run in processes of their own.
 */
#include "app/backend/backend.h"
#include "app/base/npy.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_math_modes (void)
{
  g_autoptr (GError) error = NULL;
  SeamMathMode mode = SEAM_MATH_FP32;

  g_assert_true (seam_math_mode_parse ("tf32", &mode, &error));
  g_assert_cmpint (mode, ==, SEAM_MATH_TF32);
  g_assert_cmpstr (seam_math_mode_get_name (mode), ==, "tf32");
  g_assert_true (seam_math_mode_parse ("bf16", &mode, &error));
  g_assert_cmpint (seam_math_mode_get_operand (mode), ==, SEAM_OPERAND_BF16);
  g_assert_true (seam_math_mode_parse ("fp16", &mode, &error));
  g_assert_cmpint (seam_math_mode_get_operand (mode), ==, SEAM_OPERAND_FP16);
  g_assert_cmpint (seam_math_mode_get_operand (SEAM_MATH_TF32), ==, SEAM_OPERAND_FP32);
  g_assert_false (seam_math_mode_parse ("fp64", &mode, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "fp64"));
  g_assert_nonnull (strstr (error->message, "tf32"));
}

static void
test_unknown_target (void)
{
  static const char *const bad[] = { "", "gpu", "cpu:0", "CPU", "cuda" };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (seam_backend_open (bad[i], &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
    g_assert_nonnull (strstr (error->message, "cpu"));
  }
  seam_device_close (NULL);
}

static void
test_targets (void)
{
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (infos->len, >=, 2);
  const SeamDeviceInfo *cpu = infos->pdata[0];
  g_assert_cmpstr (cpu->id, ==, "cpu");
  g_assert_true (cpu->available);
  for (guint i = 1; i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    g_assert_nonnull (strchr (info->id, ':'));
    if (!info->available)
      g_assert_true (info->reason != NULL && g_str_has_suffix (info->reason, "."));
  }
  SeamDevice *best = seam_backend_open (NULL, &error);
  g_assert_no_error (error);
  seam_device_close (best);
}

/* The one target of the CUDA backend. */
static const SeamDeviceInfo *
find_cuda (const GPtrArray *infos)
{
  const SeamDeviceInfo *found = NULL;

  for (guint i = 0; i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    if (!g_str_has_prefix (info->id, "cuda:"))
      continue;
    g_assert_null (found);
    found = info;
  }
  g_assert_nonnull (found);
  return found;
}

/* Lists the targets with SEAMSCOPE_MODULEDIR pointing at `folder`. */
static void
check_without_module (const char *folder, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("SEAMSCOPE_MODULEDIR", folder, TRUE);
  g_autoptr (GPtrArray) infos = seam_backend_list_targets ();
  const SeamDeviceInfo *info = find_cuda (infos);
  g_assert_cmpstr (info->id, ==, "cuda:0");
  g_assert_false (info->available);
  g_assert_nonnull (strstr (info->reason, reason));
  g_assert_nonnull (info->remedy);

  g_autofree char *why = NULL;
  g_assert_null (seam_backend_find ("cuda", &why));
  g_assert_cmpstr (why, ==, info->reason);
  g_assert_null (seam_backend_open ("cuda:0", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, reason));

  /* The CPU is then the best target. */
  g_clear_error (&error);
  SeamDevice *best = seam_backend_open (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (best->info->id, ==, "cpu");
  seam_device_close (best);
}

static void
test_missing_module (void)
{
  if (g_test_subprocess ()) {
    check_without_module ("/nonexistent", "SEAMSCOPE_MODULEDIR");
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* Checks the messages for a module that is not a library, in a folder with these permissions. */
static void
check_damaged_module (int mode, const char *says)
{
  if (g_test_subprocess ()) {
    check_without_module (g_getenv ("DAMAGED_MODULE"), says);
    return;
  }
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("seamscope-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (folder, "libseamscope-cuda.so", NULL);
  g_assert_true (seam_file_write (path, "not a library", 13, &error));
  g_chmod (folder, mode);
  g_setenv ("DAMAGED_MODULE", folder, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_remove (path);
  g_rmdir (folder);
}

static void
test_damaged_module (void)
{
  check_damaged_module (0700, "could not be loaded");
}

/* A module where other users can write is not even opened. */
static void
test_foreign_module (void)
{
  check_damaged_module (0777, "Other users can write to");
}

/* A trace starts empty and owns its records, which another holder of them may keep. */
static void
test_trace (void)
{
  SeamTrace *trace = seam_trace_new ();
  g_autoptr (GArray) kept = g_array_ref (trace->records);
  SeamTraceRecord record = { .name = g_strdup ("a"),
                             .short_name = g_strdup ("b"),
                             .implementation = g_strdup ("c") };

  g_assert_cmpuint (trace->records->len, ==, 0);
  g_assert_null (trace->note);
  g_assert_cmpint (trace->n_launches + trace->n_records + trace->n_rejected + trace->n_dropped, ==,
                   0);
  g_array_append_val (trace->records, record);
  trace->note = g_strdup ("odd");
  seam_trace_free (trace);
  g_assert_cmpuint (kept->len, ==, 1);
  g_assert_cmpstr (g_array_index (kept, SeamTraceRecord, 0).name, ==, "a");
  g_assert_cmpstr (g_array_index (kept, SeamTraceRecord, 0).implementation, ==, "c");
  /* A record that was never filled is empty and is freed like the others. */
  g_array_set_size (kept, 2);
  g_assert_null (g_array_index (kept, SeamTraceRecord, 1).name);
  seam_trace_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backend/math-modes", test_math_modes);
  g_test_add_func ("/backend/unknown-target", test_unknown_target);
  g_test_add_func ("/backend/targets", test_targets);
  g_test_add_func ("/backend/missing-module", test_missing_module);
  g_test_add_func ("/backend/damaged-module", test_damaged_module);
  g_test_add_func ("/backend/foreign-module", test_foreign_module);
  g_test_add_func ("/backend/trace", test_trace);
  return g_test_run ();
}
