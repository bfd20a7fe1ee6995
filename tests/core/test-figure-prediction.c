/* SPDX-License-Identifier: MIT
 *
 * A prediction beside guess and measurement: nothing moves when the covers open, and before that
 * nothing of plan B is in the figure.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"

#include "app/figure/prediction-figure.h"

static const double bands[] = { 1.1, 1.5, 2 };
static const double widths[] = { 320, 600, 970, 1228, 1900 };

static SeamPredictionOptions
make_options (SeamResult *result, double width, gboolean covered)
{
  return (SeamPredictionOptions){
    .width = width,
    .result = result,
    .a = 0,
    .b = 1,
    .covered = covered,
    .yours_ns = result->plans[1].median_ns / 1.85,
    .guess_ns = result->plans[1].median_ns / 1.01,
    .guess_low_ns = NAN,
    .guess_high_ns = NAN,
    .range_ns = NAN,
    .bands = bands,
    .n_bands = 3,
    .yours_words = "1.85× too small",
    .guess_words = "1.01× too small",
  };
}

static SeamRect
locate (SeamFigure *figure, SeamHitKind kind, int plan, int index)
{
  SeamHit hit = { .kind = kind, .plan = plan, .index = index };
  SeamRect rect;

  g_assert_true (seam_figure_locate (figure, &hit, &rect));
  return rect;
}

static gboolean
is_there (SeamFigure *figure, SeamHitKind kind, int plan, int index)
{
  SeamHit hit = { .kind = kind, .plan = plan, .index = index };
  SeamRect rect;

  return seam_figure_locate (figure, &hit, &rect);
}

static double
get_middle (SeamFigure *figure, int mark)
{
  SeamRect rect = locate (figure, SEAM_HIT_SAMPLE, 0, mark);

  return rect.x + rect.width / 2;
}

static void
assert_same (SeamRect a, SeamRect b)
{
  g_assert_cmpfloat (a.x, ==, b.x);
  g_assert_cmpfloat (a.y, ==, b.y);
  g_assert_cmpfloat (a.width, ==, b.width);
  g_assert_cmpfloat (a.height, ==, b.height);
}

static void
test_nothing_moves (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
    SeamPredictionOptions before = make_options (result, widths[w], TRUE);
    SeamPredictionOptions after = make_options (result, widths[w], FALSE);
    g_autoptr (SeamFigure) covered = seam_prediction_figure_new (&before);
    g_autoptr (SeamFigure) open = seam_prediction_figure_new (&after);

    g_assert_cmpfloat (covered->width, ==, open->width);
    g_assert_cmpfloat (covered->height, ==, open->height);
    assert_same (locate (covered, SEAM_HIT_SAMPLE, 0, 0), locate (open, SEAM_HIT_SAMPLE, 0, 0));
    for (int k = 0; k < result->plans[0].n_kernels; k++)
      assert_same (locate (covered, SEAM_HIT_KERNEL, 0, k), locate (open, SEAM_HIT_KERNEL, 0, k));
    ink_assert_inside (covered, "covered prediction");
    ink_assert_inside (open, "prediction");
  }
}

static void
test_covered_tells_nothing (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = make_options (result, 1100, TRUE);
  const SeamPlanResult *b = &result->plans[1];
  g_autoptr (SeamFigure) figure = seam_prediction_figure_new (&options), open = NULL;
  g_autofree char *summary = seam_figure_summarize (figure), *opened = NULL;
  g_autofree char *drawn = figure_get_text (figure), *shown = NULL;
  g_autofree char *measured = seam_text_time (b->median_ns), *guess = NULL, *yours = NULL;

  guess = seam_text_time (options.guess_ns);
  yours = seam_text_time (options.yours_ns);
  options.covered = FALSE;
  open = seam_prediction_figure_new (&options);
  opened = seam_figure_summarize (open);
  shown = figure_get_text (open);

  g_assert_cmpint (figure_text_count (drawn, measured), ==, 0);
  g_assert_cmpint (figure_text_count (drawn, guess), ==, 0);
  g_assert_cmpint (figure_text_count (drawn, yours), ==, 1);
  g_assert_cmpint (figure_text_count (drawn, "floor"), ==, 0);
  g_assert_cmpint (figure_text_count (drawn, "point"), ==, 0);
  g_assert_cmpint (figure_text_count (drawn, "too small"), ==, 0);
  g_assert_cmpint (figure_text_count (drawn, "covered:"), ==, 3);
  g_assert_null (strstr (summary, measured));
  g_assert_null (strstr (summary, guess));
  g_assert_null (strstr (summary, "too small"));
  g_assert_null (strstr (summary, "faster"));
  g_assert_false (is_there (figure, SEAM_HIT_SAMPLE, 0, 1));
  g_assert_false (is_there (figure, SEAM_HIT_SAMPLE, 0, 2));
  g_assert_false (is_there (figure, SEAM_HIT_KERNEL, 1, 0));

  /* The same words are there once it is open, so that the search above can find them. */
  g_assert_cmpint (figure_text_count (shown, measured), ==, 2);
  g_assert_cmpint (figure_text_count (shown, guess), ==, 1);
  g_assert_cmpint (figure_text_count (shown, "3 points"), ==, 1);
  g_assert_cmpint (figure_text_count (shown, "2 points"), ==, 2);
  g_assert_cmpint (figure_text_count (shown, "too small"), ==, 2);
  g_assert_cmpint (figure_text_count (shown, "covered:"), ==, 0);
  g_assert_nonnull (strstr (opened, measured));
  g_assert_nonnull (strstr (opened, guess));
  g_assert_nonnull (strstr (opened, "faster"));
  g_assert_true (is_there (open, SEAM_HIT_KERNEL, 1, 0));
}

/* What hides B must not follow from B: a figure with another B is the same one. */
static void
test_covered_reads_nothing (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = make_options (result, 1000, TRUE);
  g_autoptr (SeamFigure) figure = seam_prediction_figure_new (&options), other = NULL;
  g_autofree char *summary = seam_figure_summarize (figure), *changed = NULL;
  g_autofree char *drawn = figure_get_text (figure), *redrawn = NULL;

  result->plans[1].median_ns *= 400;
  result->plans[1].ci_high_ns = result->plans[1].ci_low_ns = NAN;
  result->plans[1].state = SEAM_PLAN_FAULTED;
  other = seam_prediction_figure_new (&options);
  changed = seam_figure_summarize (other);
  redrawn = figure_get_text (other);
  g_assert_cmpstr (summary, ==, changed);
  g_assert_cmpstr (drawn, ==, redrawn);
  assert_same (locate (figure, SEAM_HIT_SAMPLE, 0, 0), locate (other, SEAM_HIT_SAMPLE, 0, 0));
}

static void
test_marks (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = make_options (result, 1100, FALSE);
  g_autoptr (SeamFigure) figure = seam_prediction_figure_new (&options);

  for (int mark = 0; mark < 3; mark++) {
    const double values[] = { options.yours_ns, options.guess_ns, result->plans[1].median_ns };

    g_assert_cmpfloat_with_epsilon (
        seam_prediction_figure_get_time (figure, get_middle (figure, mark)), values[mark], 1);
    ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = mark }, "mark");
  }
  g_assert_true (isnan (seam_prediction_figure_get_time (figure, 3)));
  g_assert_true (isnan (seam_prediction_figure_get_time (figure, 1099)));
}

/* A prediction beyond the axis stands at its end and says its value. */
static void
test_beyond (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (int covered = 0; covered < 2; covered++) {
      SeamPredictionOptions options = make_options (result, widths[w], covered);
      g_autoptr (SeamFigure) figure = NULL;
      g_autofree char *drawn = NULL;

      options.yours_ns = 5e9;
      options.yours_words = "900× too large";
      figure = seam_prediction_figure_new (&options);
      drawn = figure_get_text (figure);
      g_assert_true (strstr (drawn, "5,000ms") != NULL || strstr (drawn, "5000ms") != NULL);
      ink_assert_inside (figure, "beyond");
    }
}

static void
test_range (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = make_options (result, 1100, TRUE);
  g_autoptr (SeamFigure) plain = seam_prediction_figure_new (&options), wide = NULL, huge = NULL;

  options.range_ns = 2 * result->plans[0].median_ns;
  wide = seam_prediction_figure_new (&options);
  options.range_ns = 1e12;
  huge = seam_prediction_figure_new (&options);
  g_assert_cmpfloat (get_middle (wide, 0), <, get_middle (plain, 0));
  g_assert_cmpfloat (get_middle (huge, 0), ==, get_middle (wide, 0));
}

static void
test_states (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPredictionOptions options = make_options (result, 1000, FALSE);
  g_autoptr (SeamFigure) looked = NULL, running = NULL, before = NULL;
  g_autofree char *words = NULL, *notes = NULL, *none = NULL;

  options.yours_ns = NAN;
  options.looked = TRUE;
  looked = seam_prediction_figure_new (&options);
  words = figure_get_text (looked);
  g_assert_cmpint (figure_text_count (words, "You looked first"), ==, 1);
  g_assert_false (is_there (looked, SEAM_HIT_SAMPLE, 0, 0));

  options.covered = TRUE;
  options.cover_note = "measuring…";
  running = seam_prediction_figure_new (&options);
  notes = figure_get_text (running);
  g_assert_cmpint (figure_text_count (notes, "measuring…"), ==, 2);

  options.result = NULL;
  options.yours_ns = 3e6;
  options.looked = FALSE;
  options.range_ns = 5e6;
  before = seam_prediction_figure_new (&options);
  none = figure_get_text (before);
  g_assert_cmpint (figure_text_count (none, "not measured"), ==, 1);
  g_assert_cmpint (figure_text_count (none, "3.00 ms"), ==, 1);
  ink_assert_inside (before, "before a run");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/prediction/nothing-moves", test_nothing_moves);
  g_test_add_func ("/figure/prediction/covered-tells-nothing", test_covered_tells_nothing);
  g_test_add_func ("/figure/prediction/covered-reads-nothing", test_covered_reads_nothing);
  g_test_add_func ("/figure/prediction/marks", test_marks);
  g_test_add_func ("/figure/prediction/beyond", test_beyond);
  g_test_add_func ("/figure/prediction/range", test_range);
  g_test_add_func ("/figure/prediction/states", test_states);
  return g_test_run ();
}
