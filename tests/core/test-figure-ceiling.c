/* SPDX-License-Identifier: MIT
 *
 * The ceiling figure: bars true to scale from one 0, the fewest bytes where they belong, nothing
 * outside, no overlaps, and its words.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/figure/ceiling-figure.h"
#include "app/figure/paint.h"

static const SeamRates rates = {
  .bytes_per_s = 4.3e12, .flop_per_s = 495e12, .cache_bytes = 60e6, .cold = TRUE
};

typedef struct {
  SeamCeiling ceiling;
  SeamCeilingPlan plans[2];
} Input;

static void
fill (Input *input, const char *pipeline, const char *preset, const char *b)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline, preset);
  const char *const names[] = { "unfused", b };

  seam_ceiling (problem, &rates, &input->ceiling);
  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamPlan) plan = fixture_plan (problem, names[i]);

    input->plans[i].letter = (char)('A' + i);
    input->plans[i].title = i == 0 ? "Unfused" : "conv|conv_bias+bias+scale|sigmoid+groupnorm";
    seam_plan_limit (problem, plan, &rates, &input->plans[i].limit);
    /* Only B has a guess. */
    input->plans[i].guess_ns = i == 0 ? NAN : 2.6e6;
    input->plans[i].guess_low_ns = 2.36e6;
    input->plans[i].guess_high_ns = 3.08e6;
  }
}

static void
test_layout (void)
{
  static const double widths[] = { 300, 620, 980, 1228, 2400 };
  static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < 2 * G_N_ELEMENTS (widths); w++) {
      Input input;
      SeamCeilingOptions options = { .width = widths[w / 2], .left = 178, .compact = w % 2 };
      SeamCeilingLayout *layout;
      const SeamCeilingRow *rows;
      double facts_left;

      fill (&input, pipelines[p], "kernelbench", "full");
      layout = seam_ceiling_layout_new (&input.ceiling, "data sheet", input.plans, 2, &options);
      rows = layout->rows;
      g_assert_cmpfloat (rows[0].bar.x, ==, rows[1].bar.x);
      g_assert_cmpfloat_with_epsilon (rows[0].bar.width / rows[1].bar.width,
                                      input.plans[0].limit.bytes / input.plans[1].limit.bytes,
                                      1e-6);
      /* The fully fused plan moves the fewest bytes: its bar ends at the line. */
      g_assert_cmpfloat_with_epsilon (rows[1].bar.x + rows[1].bar.width, layout->axis.mark_px,
                                      1e-6);
      facts_left = layout->facts[0].y < rows[0].bar.y ? layout->facts[0].x : layout->width;
      for (int i = 0; i < 2; i++) {
        double end = rows[i].label_x + seam_paint_measure (rows[i].label, 13, SEAM_BOLD);

        g_assert_cmpfloat (end, <=, facts_left + .5);
        g_assert_cmpfloat (rows[i].label_x, >, rows[i].bar.x + rows[i].bar.width);
      }
      for (int i = 0; i < layout->n_facts; i++)
        g_assert_cmpfloat (layout->facts[i].x + layout->facts[i].width, <=, layout->width + 20);
      seam_owner_free (layout);
    }
}

static void
test_inside (void)
{
  static const double widths[] = { 340, 620, 980, 1228, 2400 };

  for (guint w = 0; w < 2 * G_N_ELEMENTS (widths); w++) {
    Input input;
    SeamCeilingOptions options = { .width = widths[w / 2], .left = 178, .compact = w % 2 };
    g_autoptr (SeamFigure) figure = NULL;

    fill (&input, "21", "kernelbench", "published");
    figure = seam_ceiling_figure_new (
        &input.ceiling, "bandwidth measured here just now, arithmetic from the data sheet",
        input.plans, 2, &options);
    ink_assert_inside (figure, "ceiling");
  }
}

static void
test_words (void)
{
  Input input;
  SeamCeilingOptions options = { .width = 1200, .left = 178 };
  g_autofree char *text = NULL, *summary = NULL, *line = NULL, *other = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  SeamCeilingLayout *layout;

  fill (&input, "21", "kernelbench", "published");
  text = seam_ceiling_describe (&input.ceiling, "data sheet");
  g_assert_nonnull (strstr (text, "13.0 GB"));
  g_assert_nonnull (strstr (text, "1.33 GB"));
  g_assert_nonnull (strstr (text, "9.77× in bytes"));
  g_assert_null (strstr (text, "in time"));
  g_assert_nonnull (strstr (text,
                            "Memory bound: the floor of every plan is 294 µs: 1.27 GB beyond the "
                            "cache at 4.30 TB/s."));
  g_assert_nonnull (strstr (text, "Rates: data sheet."));
  g_assert_null (strstr (text, "fits"));

  figure = seam_ceiling_figure_new (&input.ceiling, "data sheet", input.plans, 2, &options);
  summary = seam_figure_summarize (figure);
  g_assert_nonnull (strstr (summary, "Before running: plan A moves 12.95 GB"));
  g_assert_nonnull (strstr (summary, "plan A moves 12.95 GB · at least 2.61 ms"));
  g_assert_nonnull (strstr (summary, "Plan B moves 4.50 GB · about 2.60 ms (2.36 to 3.08)"));
  line = seam_ceiling_summarize (&input.ceiling, input.plans, 2);
  g_assert_cmpstr (line, ==, "A 13.0 GB, B about 2.60 ms (2.36 to 3.08) · floor 294 µs (memory)");

  layout = seam_ceiling_layout_new (&input.ceiling, "data sheet", input.plans, 2, &options);
  g_assert_cmpstr (layout->facts[0].value, ==, "9.77× in bytes");
  g_assert_cmpstr (layout->facts[1].caption, ==, "Floor, memory bound");
  g_assert_cmpstr (layout->facts[1].value, ==, "0.294 ms");
  g_assert_cmpint (layout->n_facts, ==, 2);
  g_assert_cmpstr (layout->axis.mark_text, ==, "fewest 1.33");
  seam_owner_free (layout);

  fill (&input, "1", "kernelbench", "published");
  other = seam_ceiling_describe (&input.ceiling, NULL);
  g_assert_nonnull (strstr (other, "Compute bound: the floor"));
  g_assert_nonnull (strstr (other, "GFLOP at 495 TFLOP/s."));
  g_assert_null (strstr (other, "Rates"));
}

/* Without a known rate, only bytes are shown, and no NaN. */
static void
test_unknown (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "laptop");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "unfused");
  SeamCeilingPlan row = { .letter = 'A', .title = "Unfused" };
  SeamRates none = { .cold = TRUE, .cache_bytes = 1e9 };
  SeamCeilingOptions options = { .width = 900, .left = 178 };
  g_autoptr (SeamFigure) figure = NULL;
  g_autofree char *summary = NULL;
  SeamCeiling ceiling;

  seam_ceiling (problem, &none, &ceiling);
  seam_plan_limit (problem, plan, &none, &row.limit);
  figure = seam_ceiling_figure_new (&ceiling, NULL, &row, 1, &options);
  ink_assert_inside (figure, "no rates");
  summary = seam_figure_summarize (figure);
  g_assert_null (strstr (summary, "nan"));
  g_assert_null (strstr (summary, SEAM_DASH));
  g_assert_nonnull (strstr (summary, "fits in this device"));
}

/* Names that differ at their ends only are told apart. */
static void
test_ends (void)
{
  Input input;
  SeamCeilingOptions options = { .width = 900, .left = 178 };

  fill (&input, "21", "kernelbench", "full");
  input.plans[0].title = "Full @hand-reload";
  input.plans[1].title = "Full @hand-recompute";
  SeamCeilingLayout *layout =
      seam_ceiling_layout_new (&input.ceiling, "data sheet", input.plans, 2, &options);
  g_assert_true (g_str_has_prefix (layout->rows[1].title, "Full"));
  g_assert_true (g_str_has_suffix (layout->rows[1].title, "pute"));
  g_assert_cmpstr (layout->rows[0].title, !=, layout->rows[1].title);
  g_assert_cmpfloat (seam_paint_measure (layout->rows[1].title, 12.5, SEAM_REGULAR), <=, 96);
  seam_owner_free (layout);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/ceiling/layout", test_layout);
  g_test_add_func ("/figure/ceiling/inside", test_inside);
  g_test_add_func ("/figure/ceiling/words", test_words);
  g_test_add_func ("/figure/ceiling/unknown", test_unknown);
  g_test_add_func ("/figure/ceiling/ends", test_ends);
  return g_test_run ();
}
