/* SPDX-License-Identifier: MIT
 *
 * Two kernels side by side. Expected are numbers of the recorded runs, computed apart from the
 * program (Python, by hand), and what Nsight Compute 2025.3 said on an H200.
 */
#include "tests/core/recorded-run.h"

#include "app/base/csv-read.h"
#include "app/base/text.h"
#include "app/figure/limits-figure.h"
#include "app/report/kernel-details.h"

#include <math.h>

static SeamSessionRun *
load (const char *sample, const char *plan_b)
{
  const char *const plans[] = { "unfused", plan_b, NULL };
  g_autoptr (GError) error = NULL;
  SeamSessionRun *run = seam_lesson_load_run (sample, plans, &error);

  g_assert_no_error (error);
  return run;
}

static SeamKernelDetails *
make (const SeamResult *result, int a, int b)
{
  return seam_kernel_details_new (result, (int[]){ 0, 1 }, (int[]){ a, b });
}

static const SeamKernelDetail *
find (const SeamKernelDetails *details, const char *key)
{
  for (int i = 0; i < details->n_rows; i++)
    if (strcmp (details->rows[i].number.key, key) == 0)
      return &details->rows[i];
  return NULL;
}

static void
assert_row (const SeamKernelDetails *details, const char *key, double a, double b)
{
  const SeamKernelDetail *row = find (details, key);

  g_assert_nonnull (row);
  if (isnan (a))
    g_assert_true (isnan (row->number.a));
  else
    g_assert_cmpfloat_with_epsilon (row->number.a, a, fabs (a) * 1e-3 + .051);
  if (isnan (b))
    g_assert_true (isnan (row->number.b));
  else
    g_assert_cmpfloat_with_epsilon (row->number.b, b, fabs (b) * 1e-3 + .051);
  g_assert_true (isnan (row->delta) == (isnan (a) || isnan (b)));
}

static void
assert_rule (const SeamKernelDetails *details, int i, gboolean is_caution, const char *lead,
             const char *text)
{
  g_assert_cmpint (details->n_rules, >, i);
  g_assert_cmpstr (details->rules[i].lead, ==, lead);
  g_assert_cmpstr (details->rules[i].text, ==, text);
  g_assert_cmpint (details->rules[i].is_caution, ==, is_caution);
}

/* #57, TF32: cuDNN's convolution, which runs in FP32, beside the hand-written kernel. */
static void
test_pair (void)
{
  g_autoptr (SeamSessionRun) run = load ("h200-conv-relu-hardswish", "full");
  int partner = seam_kernel_details_find_partner (run->result, 0, 0, 1);
  g_autoptr (SeamKernelDetails) details = make (run->result, 0, partner);
  g_autofree char *text = seam_kernel_details_to_tsv (details);

  g_assert_cmpstr (details->kernels[0]->short_name, ==, "conv2d");
  g_assert_cmpstr (details->kernels[1]->short_name, ==, "conv2d … mul");
  assert_row (details, "median_ns", 663.7e3, 160.7e3);
  assert_row (details, "sm_percent", 73.1, 40.37);
  assert_row (details, "dram_percent", 17.96, 75.06);
  assert_row (details, "dram_bytes", 578.5e6, 577.8e6);
  assert_row (details, "l2_bytes", 1054.3e6, 968.8e6);
  assert_row (details, "l2_percent", 22.8, 82.7);
  assert_row (details, "l2_sm_bytes", 723.5e6, 669.5e6);
  /* 255 registers are 8192 a warp, of which 2 fit a quarter of 65536: 8 warps, 2 blocks of 4 warps
   * of
   * 64. 168 registers: 12 warps, 1 block of 12. ncu: 33,280 + 1,024 B. */
  assert_row (details, "theoretical_percent", 12.5, 18.75);
  assert_row (details, "occupancy_percent", 12.4, 18.5);
  assert_row (details, "registers", 255, 168);
  assert_row (details, "shared_bytes", 34304, 227840);
  assert_row (details, "n_threads", 128, 384);
  assert_row (details, "limit_registers", 2, 1);
  assert_row (details, "limit_shared_mem", 6, 1);
  assert_row (details, "limit_warps", 16, 5);
  assert_row (details, "limit_blocks", 32, 32);
  assert_row (details, "waves", find (details, "n_blocks")->number.a / (132 * 2),
              find (details, "n_blocks")->number.b / 132);
  /* 18.73 GFLOP in 663.7 µs are 28.2 TFLOP/s; FP32 was calibrated to 51.0. */
  assert_rule (details, 0, TRUE, "A: tensor pipe unused in a TF32 run.",
               "Judged against the FP32 roof: 28.2 TFLOP/s of 51.0 TFLOP/s, 55 %.");
  assert_rule (details, 1, FALSE, "A: occupancy limited by registers.",
               "255 registers a thread and 34.3 kB a block leave room for 2 blocks an SM, 12.5 %; "
               "shared memory alone would allow 6.");
  g_assert_null (details->missing);
  g_assert_nonnull (
      strstr (text, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"));
  /* What is copied: base units, no thousands separators, and unknown is empty, not a dash. */
  g_assert_true (g_str_has_prefix (text, "Number\tMetric\tA\tB\tΔ\nDuration (ns)\t"));
  g_assert_nonnull (strstr (text, "\nRegisters Per Thread\tlaunch__registers_per_thread\t255\t168"
                                  "\t-87\n"));
  g_assert_nonnull (strstr (text, "\nShared Memory Per Block (B)\tlaunch__shared_mem_per_block\t"
                                  "34304\t227840\t193536\n"));
  g_assert_nonnull (strstr (text, "\nL2 bytes of SMs (B)\tlts__t_sectors_srcunit_tex.sum × 32 B\t"
                                  "723497600\t669539552\t"));
  g_assert_null (strstr (text, "nan"));
  g_assert_null (strstr (text, SEAM_DASH));
  g_assert_null (find (details, "modelled_bytes"));
}

/* A kernel of B as the chosen one keeps A at the left; each op finds its kernel, and helpers stand
 * beside helpers. */
static void
test_partners (void)
{
  g_autoptr (SeamSessionRun) cut = load ("h200-conv-relu-hardswish", "published");
  g_autoptr (SeamSessionRun) copies = load ("h200-conv-relu-hardswish", "epilogue");
  const SeamPlanResult *there = &copies->result->plans[1];

  for (int i = 0; i < cut->result->plans[0].n_kernels; i++)
    g_assert_cmpint (seam_kernel_details_find_partner (cut->result, 0, i, 1), ==, i > 0);
  g_assert_cmpint (seam_kernel_details_find_partner (cut->result, 1, 0, 0), ==, 0);
  g_assert_cmpint (seam_kernel_details_find_partner (cut->result, 1, 1, 0), ==, 6);
  int partner = seam_kernel_details_find_partner (copies->result, 0, 0, 1);
  g_assert_false (there->kernels[partner].is_copy);
  g_assert_cmpint (there->kernels[partner].first_op, ==, 0);
  int n_kernels = there->n_kernels;
  copies->result->plans[1].n_kernels = -1;
  g_assert_cmpint (seam_kernel_details_find_partner (copies->result, 0, 0, 1), ==, -1);
  copies->result->plans[1].n_kernels = n_kernels; /* which are freed with the result */
}

/* Refused counters: 587.4 MB in 663.7 µs are 0.885 TB/s, 19.6 % of 4.51; in 160.7 µs 81.0 %. */
static void
test_refused (void)
{
  g_autoptr (SeamSessionRun) run = load ("h200-conv-relu-hardswish", "full");

  for (int plan = 0; plan < 2; plan++)
    for (int i = 0; i < run->result->plans[plan].n_kernels; i++) {
      SeamKernel *kernel = &run->result->plans[plan].kernels[i];
      kernel->dram_bytes_read = kernel->dram_bytes_written = kernel->l2_bytes = NAN;
      kernel->dram_percent = kernel->sm_percent = kernel->tensor_percent = NAN;
      kernel->occupancy_percent = NAN;
    }
  g_free (run->result->trace_note);
  run->result->trace_note =
      g_strdup ("Odd. Hardware counters were not read. The driver keeps them for administrators.");
  g_autoptr (SeamKernelDetails) details = make (run->result, 0, 0);
  /* What is copied of an unknown number is empty. */
  g_autofree char *text = seam_kernel_details_to_tsv (details);
  g_assert_nonnull (strstr (text, "\t\t\t\n"));
  g_assert_null (strstr (text, "nan"));
  g_assert_null (strstr (text, SEAM_DASH));
  assert_row (details, "modelled_dram_percent", 19.62, 81.0);
  assert_row (details, "modelled_bytes", 587.4e6, 587.4e6);
  g_assert_null (find (details, "dram_percent"));
  g_assert_null (find (details, "dram_bytes"));
  assert_row (details, "sm_percent", NAN, NAN);
  assert_row (details, "theoretical_percent", 12.5, 18.75);
  assert_rule (details, 0, FALSE, "A: which pipe multiplied is not known.",
               "28.2 TFLOP/s, modelled, is 55 % of the FP32 roof or 8 % of the TF32 roof.");
  g_assert_true (
      g_str_has_prefix (details->missing, "Hardware counters were not read. The driver"));

  g_assert_null (details->remedy); /* it names no command of ours */

  /* Nobody refused: they were left out. Or they did not fit the trace, which the note says. */
  g_free (g_steal_pointer (&run->result->trace_note));
  g_autoptr (SeamKernelDetails) left_out = make (run->result, 0, 0);
  g_assert_cmpstr (left_out->missing, ==,
                   "Hardware counters were left out of this run (--no-counters).");
  run->result->trace_note =
      g_strdup ("full: counters of 2 kernels for 1 traced ones; they were left out.");
  g_autoptr (SeamKernelDetails) unlike = make (run->result, 0, 0);
  g_assert_cmpstr (unlike->missing, ==, run->result->trace_note);
  run->result->plans[1].kernels[0].dram_bytes_read = 1;
  g_autoptr (SeamKernelDetails) counted = make (run->result, 0, 0);
  g_assert_null (counted->missing);

  /* One side measured: the other is unknown, never a model beside a measurement. */
  run->result->plans[0].kernels[0].dram_percent = 17.9;
  g_autoptr (SeamKernelDetails) half = make (run->result, 0, 0);
  assert_row (half, "dram_percent", 17.9, NAN);
  g_assert_null (find (half, "modelled_dram_percent"));
}

static void
test_others (void)
{
  g_autoptr (SeamSessionRun) norm = load ("h200-matmul-swish-bias-groupnorm-tf32", "full");
  g_autoptr (SeamSessionRun) fp32 = load ("h200-matmul-swish-bias-groupnorm-fp32", "full");
  g_autoptr (SeamSessionRun) cpu = load ("laptop-cpu-conv-relu-hardswish", "published");
  g_autoptr (SeamKernelDetails) memset = make (norm->result, 0, 0);
  g_autoptr (SeamKernelDetails) alone = make (norm->result, 1, -1);
  g_autoptr (SeamKernelDetails) relaxed = make (norm->result, 2, -1);
  g_autoptr (SeamKernelDetails) exact = make (fp32->result, 0, 0);
  g_autoptr (SeamKernelDetails) loops = make (cpu->result, 0, 0);
  const SeamKernel *kernel = loops->kernels[0];

  assert_rule (memset, 0, FALSE, "A:", "A memset has no counters.");
  /* 168 registers and 232,448 B: the tie that ncu shows, 1 and 1. */
  assert_rule (alone, 0, FALSE, "A: occupancy limited by registers and shared memory.",
               "168 registers a thread and 232 kB a block leave room for 1 block an SM, 18.8 %; "
               "shared memory alone would allow 1.");
  g_assert_cmpint (alone->n_rules, ==, 1);
  assert_row (alone, "registers", 168, NAN);
  assert_rule (relaxed, 0, FALSE, "", "Neither rule applies.");
  /* In FP32 an idle tensor pipe is no fault, and its roof is named. */
  g_assert_cmpstr (exact->rules[0].lead, ==, "A: executed in FP32.");
  g_assert_true (g_str_has_prefix (exact->rules[0].text, "Judged against the FP32 roof: "));
  g_assert_false (exact->rules[0].is_caution);

  g_assert_cmpint (loops->n_rules, ==, 0);
  g_assert_cmpint (loops->n_rows, ==, 3);
  assert_row (loops, "gb_per_s", kernel->bytes / kernel->median_ns,
              loops->kernels[1]->bytes / loops->kernels[1]->median_ns);
}

static void
test_csv (void)
{
  g_autoptr (SeamSessionRun) run = load ("h200-conv-relu-hardswish", "full");
  g_autofree char *text = seam_kernel_details_to_csv (run->result, 0, 1);
  g_autofree char *single = seam_kernel_details_to_csv (run->result, 1, -1);
  g_autoptr (SeamCsv) csv = seam_csv_parse (text, NULL);
  g_autoptr (SeamCsv) alone = seam_csv_parse (single, NULL);

  /* 7 kernels of A, 19 numbers each. */
  g_assert_cmpint (seam_csv_get_n_rows (csv), ==, 7 * 19);
  g_assert_cmpstr (seam_csv_get (csv, 0, "plan_b"), ==, "full");
  g_assert_cmpstr (seam_csv_get (csv, 0, "kernel_a"), ==, "conv2d");
  g_assert_cmpstr (seam_csv_get (csv, 0, "kernel_b"), ==, "conv2d … mul");
  g_assert_cmpstr (seam_csv_get (csv, 2, "number"), ==, "dram_percent");
  g_assert_cmpstr (seam_csv_get (csv, 2, "metric"), ==,
                   "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
  g_assert_cmpfloat_with_epsilon (seam_csv_get_number (csv, 2, "delta"), 57.097, .005);
  g_assert_cmpstr (seam_csv_get (csv, 3, "number"), ==, "l2_percent");
  g_assert_cmpfloat_with_epsilon (seam_csv_get_number (csv, 3, "a"), 22.783, .005);
  /* Unknown is empty. */
  g_assert_cmpstr (seam_csv_get (alone, 3, "b"), ==, "");
  g_assert_cmpint (seam_csv_get_n_rows (alone), ==, 19);
  g_assert_cmpstr (seam_csv_get (alone, 0, "kernel_b"), ==, "");
}

static void
test_limits (void)
{
  g_autoptr (SeamSessionRun) run = load ("h200-conv-relu-hardswish", "full");
  g_autoptr (SeamKernelDetails) details = make (run->result, 0, 0);
  g_autofree SeamLimitsLayout *layout = seam_limits_layout_new (details->occupancy, 500);
  g_autoptr (SeamFigure) figure =
      seam_limits_figure_new (details->occupancy, details->letters, 500);
  g_autofree char *words = seam_figure_summarize (figure);

  g_assert_cmpstr (layout->texts[0][0], ==, "2, the limit");
  g_assert_cmpstr (layout->texts[0][1], ==, "1, the limit");
  g_assert_cmpstr (layout->texts[1][0], ==, "6");
  g_assert_cmpstr (layout->texts[1][1], ==, "1, the limit");
  g_assert_cmpstr (layout->texts[2][1], ==, "5");
  /* 2 of 16 blocks are an eighth of the axis; 5 blocks of 12 warps are 60 of 64. */
  g_assert_cmpfloat_with_epsilon (layout->bars[0][0].width, layout->plot.width / 8, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout->bars[2][1].width, layout->plot.width * 60 / 64, 1e-9);
  /* 32 blocks would be more warps than fit. */
  g_assert_cmpfloat (layout->bars[3][1].width, ==, layout->plot.width);
  g_assert_nonnull (strstr (words, "Block Limit Registers: A 2 blocks, 12.5 percent, the limit."));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel-details/pair", test_pair);
  g_test_add_func ("/kernel-details/partners", test_partners);
  g_test_add_func ("/kernel-details/refused", test_refused);
  g_test_add_func ("/kernel-details/others", test_others);
  g_test_add_func ("/kernel-details/csv", test_csv);
  g_test_add_func ("/kernel-details/limits", test_limits);
  return g_test_run ();
}
