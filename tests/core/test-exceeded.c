/* SPDX-License-Identifier: MIT
 *
 * Sanity limits: rates over their peak are found, named once, and appear in the tables. Unknown
 * numbers, rates at the peak and rates of targets without a known peak raise nothing.
 */
#include "app/compare/compare.h"
#include "app/compare/exceeded.h"
#include "app/report/kernels-table.h"
#include "app/report/plans.h"
#include "tests/core/csv-fixture.h"

#include <math.h>
#include <string.h>

/* A product of 400 GFLOP in 1 ms (400 TFLOP/s) and a kernel that moves 4 GB in 1 ms (4 TB/s). */
static SeamResult *
make_result (void)
{
  SeamResult *result = seam_result_new (1);
  SeamPlanResult *plan = &result->plans[0];

  result->pipeline_id = g_strdup ("test");
  result->settings.math_mode = SEAM_MATH_TF32;
  result->device = seam_device_info_new ("cuda:0");
  result->device->bytes_per_s = 4.3e12;
  result->device->flop_tf32 = 495e12;
  result->device->flop_fp32 = 67e12;
  result->device->rates_source = g_strdup ("calibrated 21 Nov 2026");
  plan->name = g_strdup ("unfused");
  plan->notation = g_strdup ("gemm|bias");
  plan->flop = 400e9;
  plan->n_kernels = 2;
  plan->kernels = g_new0 (SeamKernel, 2);
  for (int i = 0; i < 2; i++) {
    seam_kernel_init (&plan->kernels[i]);
    plan->kernels[i].short_name = g_strdup (i == 0 ? "gemm" : "bias");
    plan->kernels[i].group = plan->kernels[i].first_op = plan->kernels[i].last_op = i;
    plan->kernels[i].median_ns = 1e6;
    plan->kernels[i].bytes = 1e9;
  }
  plan->kernels[1].dram_bytes_read = plan->kernels[1].dram_bytes_written = 2e9;
  return result;
}

static void
assert_one (const SeamResult *result, SeamExceededKind kind, int kernel, double fraction,
            const char *says)
{
  g_autoptr (GPtrArray) list = seam_exceeded_list (result, 0);
  const SeamExceeded *exceeded;
  g_autofree char *of_other = NULL, *of_kernel = NULL;

  g_assert_cmpuint (list->len, ==, 1);
  exceeded = list->pdata[0];
  g_assert_cmpint (exceeded->kind, ==, kind);
  g_assert_cmpint (exceeded->kernel, ==, kernel);
  g_assert_cmpfloat_with_epsilon (exceeded->fraction, fraction, 1e-9);
  g_test_message ("%s", exceeded->sentence);
  g_assert_nonnull (strstr (exceeded->sentence, says));
  of_kernel = seam_exceeded_describe (list, kernel);
  g_assert_cmpstr (of_kernel, ==, exceeded->sentence);
  of_other = seam_exceeded_describe (list, 1 - kernel);
  g_assert_null (of_other);
}

static void
assert_none (const SeamResult *result)
{
  g_autoptr (GPtrArray) list = seam_exceeded_list (result, 0);
  g_autofree char *words = seam_exceeded_describe (list, -1);

  g_assert_cmpuint (list->len, ==, 0);
  g_assert_null (words);
}

static void
test_rails (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamKernel *kernels = result->plans[0].kernels;

  assert_none (result);
  /* Exactly the peak, and a rate that is rounded to 100 %. */
  result->device->bytes_per_s = 4e12;
  assert_none (result);
  result->device->bytes_per_s = 4e12 / 1.004;
  assert_none (result);
  /* A rate a little over a probe shows that the probe was low; a rate over a data sheet's peak
   * is impossible. */
  result->device->bytes_per_s = 4e12 / 1.09;
  assert_none (result);
  result->device->peak_bytes_per_s = 4e12 / 1.09;
  assert_one (result, SEAM_EXCEEDED_DRAM, 1, 1.09, "109 % of the peak of 3.67 TB/s (data sheet)");
  result->device->peak_bytes_per_s = 0;
  result->device->bytes_per_s = 3.2e12;
  assert_one (result, SEAM_EXCEEDED_DRAM, 1, 1.25, "bias moved 4.00 TB/s");
  assert_one (result, SEAM_EXCEEDED_DRAM, 1, 1.25,
              "125 % of the peak of 3.20 TB/s (calibrated 21 Nov 2026)");
  /* The rate that copies attain is no peak if the data sheet's is known. */
  result->device->peak_bytes_per_s = 4.1e12;
  assert_none (result);
  result->device->peak_bytes_per_s = 3.2e12;
  assert_one (result, SEAM_EXCEEDED_DRAM, 1, 1.25, "125 % of the peak of 3.20 TB/s (data sheet)");
  result->device->peak_bytes_per_s = 0;
  /* No peak is known, and nothing was counted. */
  result->device->bytes_per_s = 0;
  assert_none (result);
  result->device->bytes_per_s = 3.2e12;
  kernels[1].dram_bytes_read = kernels[1].dram_bytes_written = NAN;
  assert_none (result);

  kernels[1].dram_percent = 103;
  assert_one (result, SEAM_EXCEEDED_DRAM, 1, 1.03, "103 % of the peak of memory");
  kernels[1].dram_percent = 99;
  kernels[0].tensor_percent = 120;
  assert_one (result, SEAM_EXCEEDED_TENSOR, 0, 1.2, "tensor cores");
  kernels[0].tensor_percent = NAN;
  kernels[0].sm_percent = 101;
  assert_one (result, SEAM_EXCEEDED_SM, 0, 1.01, "multiprocessors");
}

/* The peak is that of the math mode. Kernels that copy for the matrix op or help it are not its
 * product. */
static void
test_matrix (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamKernel *kernels = result->plans[0].kernels;

  kernels[0].median_ns = .5e6; /* 800 TFLOP/s */
  assert_one (result, SEAM_EXCEEDED_MATRIX, 0, 800. / 495, "800 TFLOP/s");
  result->device->flop_tf32 = 900e12;
  assert_none (result);
  result->device->flop_tf32 = 495e12;
  result->device->peak_flop_tf32 = 900e12;
  assert_none (result);
  result->device->peak_flop_tf32 = 0;
  result->device->flop_tf32 = 900e12;
  /* In FP32, three BF16 products are as accurate: the peak is two thirds of 900 TFLOP/s. */
  result->settings.math_mode = SEAM_MATH_FP32;
  assert_one (result, SEAM_EXCEEDED_MATRIX, 0, 800. / 600, "133 %");
  /* Without tensor cores, or by a library that uses none, the peak is FP32's, in every mode. */
  for (int i = 0; i < 4; i++) {
    result->settings.math_mode = i % 2 == 0 ? SEAM_MATH_FP32 : SEAM_MATH_TF32;
    kernels[0].tensor_percent = i < 2 ? .03 : NAN;
    g_free (result->plans[0].executed);
    result->plans[0].executed = g_strdup (i == 2   ? "gemm@cublaslt|bias@hand"
                                          : i == 3 ? "gemm@hand-simt|bias@hand"
                                                   : NULL);
    kernels[0].median_ns = 5e6; /* 80 TFLOP/s */
    assert_one (result, SEAM_EXCEEDED_MATRIX, 0, 80. / 67, "119 % of the peak of 67.0 TFLOP/s");
    kernels[0].median_ns = 6e6;
    assert_none (result);
  }
  kernels[0].median_ns = .5e6;
  g_clear_pointer (&result->plans[0].executed, g_free);
  result->settings.math_mode = SEAM_MATH_FP32;
  kernels[0].is_copy = TRUE;
  assert_none (result);
  kernels[0].is_copy = FALSE;
  kernels[1].first_op = 0;
  kernels[1].median_ns = 2e6;
  assert_none (result);
}

static void
test_tables (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autofree char *plans = NULL, *kernels = NULL, *clean = seam_result_to_csv (result);

  result->device->bytes_per_s = 2e12;
  plans = seam_result_to_csv (result);
  kernels = seam_result_kernels_to_csv (result);
  g_assert_null (strstr (clean, "of the peak"));
  g_assert_true (csv_has (clean, ",over_peak,launch_mode,storage,init,foreign_load\r\n"));
  g_assert_nonnull (strstr (plans, "200 % of the peak"));
  g_assert_true (csv_has (kernels, ",over_peak,launch_mode,storage,init\r\n"));
  g_assert_nonnull (strstr (kernels, "200 % of the peak"));
  /* Only the row of that kernel has the mark. */
  g_assert_null (strstr (strstr (kernels, "of the peak") + 1, "of the peak"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exceeded/counters", test_rails);
  g_test_add_func ("/exceeded/matrix", test_matrix);
  g_test_add_func ("/exceeded/tables", test_tables);
  return g_test_run ();
}
