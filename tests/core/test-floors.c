/* SPDX-License-Identifier: MIT
 *
 * One floor and one FLOP, wherever they are said: of each recorded run of the H200 the same number
 * in the result, in the ceiling (which the estimate, its figure and the window show), in the CSV of
 * plans, and in the facts of lessons. What is expected comes from tables that others computed
 * (fewest bytes and FLOP of each pipeline, in field notes) and from the rates of the recorded
 * device, by the formula of the glossary.
 */
#include "tests/core/recorded-run.h"

#include "app/base/csv-read.h"
#include "app/explain/bounds.h"
#include "app/explain/read-result.h"
#include "app/explain/roofline.h"
#include "app/report/plans.h"

#include <math.h>

/* At preset kernelbench. A cold run may leave the end of the output in the L2. `others`: operations
 * an element of the output, by the ops other than the matrix op. */
static const struct {
  const char *sample;
  double fewest_gb, gflop, elements, others;
} cases[] = {
  { "h200-conv-relu-bias", 1.578, 299.7, 128. * 128 * 126 * 126, 3 },
  { "h200-matmul-swish-bias-groupnorm-tf32", .688, 274.9, 32768. * 4096, 1 + 4 + 1 + 1 + 8 },
  { "h200-matmul-swish-bias-groupnorm-fp32", .688, 274.9, 32768. * 4096, 1 + 4 + 1 + 1 + 8 },
  { "h200-gemm-bias-relu", .336, 137.4, 1024. * 8192, 2 },
  { "h200-conv-bias-scale-sigmoid-groupnorm", 1.325, 38.05, 264257536., 3 + 4 + 8 },
  { "h200-conv-relu-hardswish", .587, 18.73, 128. * 64 * 126 * 126, 7 },
};

static void
assert_near (double value, double expected, const char *what, const char *where)
{
  if (!(fabs (value / expected - 1) < .003))
    g_error ("%s of %s: %g, not %g", where, what, value, expected);
}

static void
test_everywhere (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *sample = cases[i].sample;
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSessionRun) run = seam_lesson_load_run (sample, recorded_plans, &error);
    g_assert_no_error (error);
    const SeamResult *result = run->result;
    const SeamDeviceInfo *device = result->device;
    g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, &error);
    g_autoptr (SeamRoofline) roofline = seam_roofline_new (result, 0, 1, &error);
    g_autofree char *csv = seam_result_to_csv (result);
    g_autofree char *floor = recorded_fill (sample, "{floor()|ms}");
    g_autofree char *memory = recorded_fill (sample, "{memory_time()|ms}");
    double bytes_ns =
        (cases[i].fewest_gb * 1e9 - fmin ((double)device->l2_bytes, 4 * cases[i].elements))
        / device->bytes_per_s;
    double flop_ns = cases[i].gflop
                     / (result->settings.math_mode == SEAM_MATH_TF32 ? device->flop_tf32
                                                                     : device->flop_bf16 / 3);
    double expected = 1e9 * fmax (bytes_ns, 1e9 * flop_ns);
    SeamCeiling ceiling;
    SeamRates rates;

    g_assert_no_error (error);
    g_assert_true (seam_bounds_get_rates (result, problem, &rates));
    seam_ceiling (problem, &rates, &ceiling);
    assert_near (result->floor_ns, expected, sample, "result");
    assert_near (ceiling.floor.floor_ns, result->floor_ns, sample, "ceiling");
    assert_near (ceiling.memory_ns, 1e9 * bytes_ns, sample, "memory of the ceiling");
    g_assert_cmpint (ceiling.floor.memory_bound, ==, bytes_ns > 1e9 * flop_ns);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (floor, NULL), result->floor_ns / 1e6,
                                    result->floor_ns / 1e6 * .005);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (memory, NULL), ceiling.memory_ns / 1e6,
                                    ceiling.memory_ns / 1e6 * .005);
    g_autoptr (SeamCsv) rows = seam_csv_parse (csv, NULL);
    for (int row = 0; row < seam_csv_get_n_rows (rows); row++) {
      g_assert_cmpfloat (seam_csv_get_number (rows, row, "floor_ns"), ==, result->floor_ns);
      assert_near (seam_csv_get_number (rows, row, "modelled_flop"), 1e9 * cases[i].gflop, sample,
                   "FLOP of plans");
    }
    /* “All operations” are another name for another number. */
    g_assert_cmpint (roofline->points[0].kernel, ==, -1);
    assert_near (roofline->points[0].operations - result->plans[0].flop,
                 cases[i].others * cases[i].elements, sample, "operations beside the FLOP");
  }
}

/* The two times that stood for #57, 116 and 130 µs, differ by what the cache holds: no text may
 * divide the fewest bytes by the bandwidth and call it what memory needs. */
static void
test_texts (void)
{
  static const struct {
    const char *file, *says;
  } texts[] = {
    { "help/glossary.md", "(fewest bytes − what the last-level cache holds) ÷ memory bandwidth" },
    { "help/lessons.md", "`memory_time()` | the fewest bytes, less what the cache holds" },
    { "lessons/2-the-ceiling.md", "{memory_time()|ms} for the fewest bytes beyond the cache" },
  };
  g_autofree char *folder = g_build_filename (seam_data_dir (), "lessons", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *path = g_build_filename (seam_data_dir (), texts[i].file, NULL);
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    if (strstr (text, texts[i].says) == NULL)
      g_error ("%s does not say “%s”", texts[i].file, texts[i].says);
  }
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    if (strstr (text, "fewest_bytes() / rate()") != NULL)
      g_error ("%s divides the fewest bytes by the bandwidth", name);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/floors/everywhere", test_everywhere);
  g_test_add_func ("/floors/texts", test_texts);
  return g_test_run ();
}
