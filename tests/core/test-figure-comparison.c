/* SPDX-License-Identifier: MIT
 *
 * Two sessions as bars: one scale for all, plans and kernels that only one side has, whole sheets
 * within their edges.
 */
#include "app/figure/comparison-figure.h"
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

static const double widths[] = { 640, 1000, 1600 };

/* B has another plan in place of "published", and takes 1.25 times as long. */
static SeamComparison *
make_comparison (SeamMathMode math_mode)
{
  g_autoptr (SeamResult) a = fixture_result ("21", "laptop", "published");
  g_autoptr (SeamResult) b = fixture_result ("21", "laptop", "epilogue");
  SeamPlanResult *plan = &b->plans[0];

  b->settings.math_mode = math_mode;
  plan->median_ns *= 1.25;
  plan->ci_low_ns *= 1.25;
  plan->ci_high_ns *= 1.25;
  /* Samples that do not depend on the sample before. */
  for (int i = 0; i < plan->n_samples; i++) {
    double noise = 1 + .0004 * ((i * 7) % 11 - 5);
    a->plans[0].samples[i].elapsed_ns = a->plans[0].median_ns * noise;
    plan->samples[i].elapsed_ns = plan->median_ns * noise;
  }
  g_free (plan->kernels[1].name);
  plan->kernels[1].name = g_strdup ("another version");
  return seam_comparison_new (a, b);
}

static void
test_layout (void)
{
  g_autoptr (SeamComparison) comparison = make_comparison (SEAM_MATH_TF32);
  g_assert_null (comparison->obstacle);
  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    SeamComparisonLayout *layout = seam_comparison_layout_new (comparison, widths[w]);
    double end = layout->axis.end, y = 0;
    int n_added = 0, n_removed = 0;

    g_assert_cmpint (comparison->n_plans, ==, 3);
    g_assert_cmpfloat (layout->axis.from, ==, 0);
    for (int i = 0; i < layout->n_rows; i++) {
      const SeamComparisonRow *row = &layout->rows[i];
      const SeamPlanPair *plan = &comparison->plans[row->plan];
      const SeamNumber *time = row->kernel < 0 ? plan->numbers : plan->kernels[row->kernel].numbers;

      /* One scale: every bar is as long as its time. */
      g_assert_cmpfloat_with_epsilon (row->row.y, y, 1e-9);
      y += row->row.height;
      for (int side = 0; side < 2; side++) {
        double ns = side == 0 ? time->a : time->b;
        g_assert_true (isnan (ns) == isnan (row->bars[side].width));
        if (isnan (ns))
          continue;
        g_assert_cmpfloat_with_epsilon (row->bars[side].width,
                                        ns * seam_axis_get_density (&layout->axis), 1e-9);
        g_assert_cmpfloat (row->bars[side].x + row->bars[side].width, <=, end + 1e-9);
        if (row->kernel < 0) {
          g_assert_cmpfloat (row->low[side], <=, row->bars[side].x + row->bars[side].width);
          g_assert_cmpfloat (row->high[side], >=, row->bars[side].x + row->bars[side].width);
        }
      }
      if (row->match == SEAM_MATCH_ADDED) {
        g_assert_cmpstr (row->change, ==, "added");
        g_assert_true (isnan (row->bars[0].width));
        n_added++;
      } else if (row->match == SEAM_MATCH_REMOVED) {
        g_assert_cmpstr (row->change, ==, "removed");
        g_assert_true (isnan (row->bars[1].width));
        n_removed++;
      }
    }
    g_assert_cmpint (n_added, ==, 1 + comparison->plans[2].n_kernels);
    g_assert_cmpint (n_removed, ==, 1 + comparison->plans[1].n_kernels);
    g_assert_cmpstr (layout->rows[0].verdict, ==, "1.25× slower");
    g_assert_nonnull (strstr (layout->rows[0].change, "1.25×"));
    g_assert_true (g_str_has_prefix (layout->rows[0].change, "+"));
    g_assert_cmpint (layout->rows[2].match, ==, SEAM_MATCH_CHANGED);
    seam_owner_free (layout);
  }
}

static void
test_figure (void)
{
  g_autoptr (SeamComparison) comparison = make_comparison (SEAM_MATH_TF32);

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (SeamFigure) figure = seam_comparison_figure_new (comparison, widths[w]);
    g_autoptr (SeamFigure) page = seam_comparison_sheet_new (comparison, widths[w], NULL);
    g_autofree char *summary = seam_figure_summarize (figure);

    ink_assert_inside (figure, "comparison");
    ink_assert_inside (page, "page of a comparison");
    g_assert_nonnull (strstr (summary, "1 slower; 1 plan added; 1 plan removed"));
    for (int p = 0; p < comparison->n_plans; p++)
      for (int k = -1; k < comparison->plans[p].n_kernels; k++) {
        SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = p, .index = k };
        g_autofree char *words = seam_comparison_describe_row (comparison, &hit);

        ink_assert_pick (figure, &hit, "row");
        const SeamPlanPair *plan = &comparison->plans[p];
        const SeamNumber *time = k < 0 ? &plan->numbers[0] : &plan->kernels[k].numbers[0];

        /* A side without this plan or kernel is not mentioned. */
        g_assert_cmpint (strstr (words, " in A, ") != NULL, ==, isfinite (time->a) != 0);
        g_assert_cmpint (strstr (words, " in B") != NULL, ==, isfinite (time->b) != 0);
        g_assert_null (strstr (words, SEAM_DASH));
      }
  }
  SeamHit outside = { .kind = SEAM_HIT_KERNEL, .plan = 3 };
  g_assert_null (seam_comparison_describe_row (comparison, &outside));
}

/* Runs of one pipeline in two math modes; and a pipeline that cannot be read. */
static void
test_odd (void)
{
  g_autoptr (SeamComparison) comparison = make_comparison (SEAM_MATH_FP32);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) reason = NULL;
  g_autoptr (SeamFigure) page = seam_comparison_sheet_new (comparison, 800, &error);

  g_assert_no_error (error);
  ink_assert_inside (page, "not comparable");
  g_autofree char *summary = seam_figure_summarize (page);
  g_assert_cmpstr (summary, ==, "Not comparable: math mode is TF32 in A and FP32 in B.");
  {
    g_autoptr (SeamFigure) figure = seam_comparison_figure_new (comparison, 800);
    ink_assert_inside (figure, "empty");
  }
  g_autoptr (SeamResult) unreadable = fixture_reread (comparison->a, "nonsense");
  g_autoptr (SeamComparison) of_unreadable = seam_comparison_new (unreadable, comparison->b);
  g_autoptr (SeamPipeline) none =
      seam_pipeline_parse ("nonsense", unreadable->pipeline_id, &reason);
  g_assert_null (none);
  g_assert_null (seam_comparison_sheet_new (of_unreadable, 800, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_cmpstr (error->message, ==, reason->message);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/comparison/layout", test_layout);
  g_test_add_func ("/figure/comparison/figure", test_figure);
  g_test_add_func ("/figure/comparison/odd", test_odd);
  return g_test_run ();
}
