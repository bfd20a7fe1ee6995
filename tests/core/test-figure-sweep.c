/* SPDX-License-Identifier: MIT
 *
 * The sweep figure: lines true to their scales, spans that change with the winner, cells at their
 * places, nothing outside.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"

#include "app/figure/paint.h"
#include "app/figure/sweep-layout.h"

/* Plan p takes 8 + v / (p + 1) ms at value v: the more fused, the better it scales. */
static SeamSearch *
make_sweep (const char *x, const char *y, int n_measured)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("57", "kernelbench");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (problem->pipeline);
  SeamSweepAxis axes[2];
  g_autoptr (GError) error = NULL;
  SeamSearch *search;

  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,published,full", ",", -1);
  g_assert_true (seam_sweep_axis_parse (problem->pipeline, x, &axes[0], &error));
  if (y != NULL)
    g_assert_true (seam_sweep_axis_parse (problem->pipeline, y, &axes[1], &error));
  search = seam_sweep_new (request, axes, y != NULL ? 2 : 1, &error);
  g_assert_no_error (error);
  search->device = seam_device_info_new ("cuda:0");
  search->device->name = g_strdup ("NVIDIA H200");
  search->device->l2_bytes = 60000000;
  search->math_mode = SEAM_MATH_FP32;
  for (int i = 0; i < MIN (n_measured, search->n_points); i++) {
    SeamPoint *point = &search->points[i];
    double value = (double)point->values[search->sweep->axes[0].fields[0]];

    point->state = SEAM_POINT_MEASURED;
    point->median_ns = (i % 3 == 2 ? 12e6 : 8e6) + 1e6 * value / (i % 3 + 1);
    point->ci_low_ns = .99 * point->median_ns;
    point->ci_high_ns = 1.01 * point->median_ns;
    point->against_ns = 8e6 + 1e6 * value;
    point->span_ns = point->median_ns;
    point->kernels_sum_ns = value <= 2 ? 1e6 : point->median_ns;
    point->n_samples = 20;
    point->tensors_fit_cache = value <= 4;
    point->measured_at = g_strdup ("2026-01-01T00:00:00Z");
  }
  return search;
}

static void
test_lines (void)
{
  static const double widths[] = { 480, 900, 1200, 2000 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (SeamSearch) search = make_sweep ("batch=1:64:log2", NULL, 1000);
    SeamSweepLayout *layout = seam_sweep_layout_new (search->sweep, widths[w]);
    const SeamSweepPanel *times = &layout->panels[0], *ratios = &layout->panels[1];

    g_assert_cmpint (layout->n_panels, ==, 2);
    /* Each doubling is one step wide. */
    for (int x = 2; x < layout->n_x; x++)
      g_assert_cmpfloat_with_epsilon (layout->x.ticks[x].px - layout->x.ticks[x - 1].px,
                                      layout->x.ticks[1].px - layout->x.ticks[0].px, 1e-6);
    for (int i = 0; i < 3 * layout->n_x; i++) {
      const SeamSeriesPoint *mark = &times->marks[i];
      g_assert_cmpfloat (mark->y, >=, times->plot.y);
      g_assert_cmpfloat (mark->y, <=, times->plot.y + times->plot.height);
      g_assert_cmpfloat (mark->low_y, >, mark->y);
      g_assert_cmpfloat (mark->high_y, <, mark->y);
      g_assert_cmpfloat (ratios->marks[i].y, >=, ratios->plot.y);
    }
    /* Divided by itself, A is 1, which is one tick of the linear axis from 0. */
    double zero_y = ratios->plot.y + ratios->plot.height;
    g_assert_cmpfloat_with_epsilon (ratios->y.ticks[0].px, zero_y, 1e-6);
    /* The title of the values keeps clear of the rows below. */
    g_assert_cmpfloat (layout->rows[0].y, >, zero_y + SEAM_AXIS_TITLE_BELOW + 8);
    for (int x = 0; x < layout->n_x; x++) {
      double value = (double)search->sweep->axes[0].values[x];
      double expected = (8 + value) / (8 + value / 2);
      double one = zero_y - ratios->marks[x].y;
      g_assert_cmpfloat_with_epsilon ((zero_y - ratios->marks[layout->n_x + x].y) / one, expected,
                                      1e-6);
    }
    /* B wins until C scales better: 8 + v/2 = 12 + v/3 at v = 24. */
    g_assert_cmpint (layout->rows[0].n_spans, ==, 2);
    g_assert_cmpint (layout->rows[0].spans[0].plan, ==, 1);
    g_assert_cmpint (layout->rows[0].spans[1].plan, ==, 2);
    g_assert_cmpfloat_with_epsilon (layout->rows[0].spans[0].x2,
                                    (layout->x.ticks[4].px + layout->x.ticks[5].px) / 2, 1e-6);
    g_assert_cmpint (layout->rows[1].n_spans, ==, 1);
    g_assert_cmpfloat_with_epsilon (layout->rows[1].spans[0].x2,
                                    (layout->x.ticks[2].px + layout->x.ticks[3].px) / 2, 1e-6);
    g_assert_cmpint (layout->rows[2].n_spans, ==, 1);
    g_assert_cmpfloat_with_epsilon (layout->rows[2].spans[0].x2,
                                    (layout->x.ticks[1].px + layout->x.ticks[2].px) / 2, 1e-6);
    seam_owner_free (layout);
  }
}

/* Before the first measurement, the figure shows the prediction and labels it as such; the first
 * measured point replaces it. */
/* Plans of the sidebar keep its letters, also where the sweep has them in other places. */
static void
test_letters (void)
{
  g_autoptr (SeamSearch) search = make_sweep ("batch=1,2", NULL, 0);
  SeamPipeline *pipeline = search->request->pipeline;
  g_autoptr (SeamPlan) unfused = seam_plan_parse (pipeline, "unfused", NULL);
  g_autoptr (SeamPlan) full = seam_plan_parse (pipeline, "full", NULL);
  SeamPlan *const listed[] = { unfused, full };

  g_assert_cmpmem (search->sweep->letters, 3, "ABC", 3);
  seam_sweep_set_letters (search->sweep, listed, 2);
  SeamSweepLayout *layout = seam_sweep_layout_new (search->sweep, 1000);
  g_assert_cmpmem (layout->letters, 3, "ACB", 3);
  g_assert_cmpint (layout->legend.entries[1].what, ==, 1 | 'C' << 8);
  seam_owner_free (layout);
}

static void
test_predicted (void)
{
  for (int n_measured = 0; n_measured < 2; n_measured++) {
    g_autoptr (SeamSearch) search = make_sweep ("batch=1:64:log2", NULL, n_measured);
    SeamSweepLayout *layout;
    const SeamSweepPanel *times, *ratios;

    for (int i = 0; i < search->n_points; i++)
      search->points[i].guess_ns = 1e6 * (double)search->points[i].values[0] / (i % 3 + 1);
    layout = seam_sweep_layout_new (search->sweep, 900);
    times = &layout->panels[0];
    ratios = &layout->panels[1];
    g_assert_cmpint (layout->is_predicted, ==, n_measured == 0);
    g_assert_cmpint (g_str_has_prefix (times->title, "Predicted (ms), dashed"), ==,
                     n_measured == 0);
    g_assert_cmpint (isnan (times->marks[1].y), ==, n_measured > 0);
    if (n_measured == 0) {
      /* Plan C takes a third of A's time, so it lies lower, and its ratio is 3 everywhere. */
      g_assert_cmpfloat (times->marks[2 * layout->n_x].y, >, times->marks[0].y);
      g_assert_cmpfloat_with_epsilon (ratios->marks[2 * layout->n_x].y,
                                      seam_axis_get_px (&ratios->y, 3), 1e-6);
    }
    seam_owner_free (layout);
  }
}

/* The same over two fields: dashed cells. A cell is left out if a plan has no prediction, and shows
 * no ratio if A cannot run there. */
static void
test_predicted_map (void)
{
  for (int n_measured = 0; n_measured < 2; n_measured++) {
    g_autoptr (SeamSearch) search =
        make_sweep ("batch=1:64:log2", "height+width=16,32", n_measured);
    g_autoptr (SeamFigure) figure = NULL;
    g_autofree char *words = NULL, *text = NULL;
    SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = 2, .index = 0 };
    SeamSweepLayout *layout;
    SeamRect rect;

    for (int i = 0; i < search->n_points; i++)
      search->points[i].guess_ns = 1e6 * (double)search->points[i].values[0] / (i % 3 + 1);
    for (int i = 0; i < search->n_points; i++) {
      search->points[i].guess_low_ns = .9 * search->points[i].guess_ns;
      search->points[i].guess_high_ns = 1.2 * search->points[i].guess_ns;
    }
    search->points[4].guess_ns = NAN;
    search->points[6].state = SEAM_POINT_IMPOSSIBLE;
    layout = seam_sweep_layout_new (search->sweep, 1200);
    g_assert_cmpint (layout->is_predicted, ==, n_measured == 0);
    g_assert_cmpstr (layout->cells[0].text, ==, n_measured == 0 ? "C 3.00×" : "A? 1.00×");
    g_assert_cmpstr (layout->cells[1].text, ==, "");
    g_assert_cmpint (layout->cells[1].shape.winner, ==, -1);
    g_assert_cmpstr (layout->cells[2].text, ==, n_measured == 0 ? "C " : "");
    g_assert_cmpstr (layout->cells[3].text, ==, n_measured == 0 ? "C 3.00×" : "");
    seam_owner_free (layout);

    figure = seam_sweep_figure_new (search->sweep, 1200);
    text = figure_get_text (figure);
    ink_assert_inside (figure, "predicted map");
    g_assert_cmpint (figure_text_count (text, "predicted, dashed"), ==, n_measured == 0);
    /* Only what is measured can be taken. */
    g_assert_false (n_measured == 0 && seam_figure_locate (figure, &hit, &rect));
    words = seam_sweep_describe_point (search->sweep, 9);
    g_assert_nonnull (strstr (words, "pending, predicted about 8.00 ms (7.20 to 9.60)."));
  }
}

static void
test_map (void)
{
  g_autoptr (SeamSearch) search = make_sweep ("batch=1:64:log2", "height+width=16,32,64", 1000);
  SeamSweepLayout *layout = seam_sweep_layout_new (search->sweep, 1200);

  g_assert_nonnull (layout->cells);
  g_assert_cmpint (layout->n_y, ==, 3);
  g_assert_cmpfloat (layout->cells[0].rect.y, >, layout->cells[layout->n_x].rect.y); /* y grows
                                                                                      * upwards */
  g_assert_cmpfloat (layout->cells[0].rect.x, <, layout->cells[1].rect.x);
  /* At value 2, 10 ms against 9; in the row that launches dominate, one plan counts as measured. */
  g_assert_cmpstr (layout->cells[1].text, ==, "B 1.11×");
  g_assert_cmpstr (layout->cells[6].text, ==, "C 2.16×");
  g_assert_cmpfloat (layout->cells[6].t, ==, 1);
  g_assert_true (layout->cells[1].shape.launch_bound && layout->cells[2].shape.fits_cache);
  g_assert_false (layout->cells[2].shape.launch_bound || layout->cells[3].shape.fits_cache);
  g_assert_nonnull (strstr (layout->cache_text, "60.0 MB"));
  seam_owner_free (layout);
}

static void
test_inside (void)
{
  static const double widths[] = { 480, 1200 };
  static const char *const xs[] = { "batch=7", "batch=1,2", "batch=1:200", "batch=1:64:log2" };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint i = 0; i < G_N_ELEMENTS (xs); i++)
      for (int n = 0; n <= 1000; n += 500)
        for (int map = 0; map < 2; map++) {
          g_autoptr (SeamSearch) search =
              make_sweep (xs[i], map ? "height+width=16,32,64" : NULL, n > 500 ? n : n / 70);
          g_autoptr (GError) error = NULL;
          g_autoptr (SeamFigure) figure = seam_sweep_sheet_new (search, widths[w], &error);

          g_assert_no_error (error);
          ink_assert_inside (figure, xs[i]);
        }
}

/* A hit finds every drawn point at its place, and nothing elsewhere. */
static void
test_hits (void)
{
  for (int map = 0; map < 2; map++) {
    g_autoptr (SeamSearch) search =
        make_sweep ("batch=1:64:log2", map ? "height+width=16,32" : NULL, 9);
    g_autoptr (SeamFigure) figure = seam_sweep_figure_new (search->sweep, 1000);
    int n_found = 0;

    for (int plan = -1; plan <= 3; plan++)
      for (int shape = -1; shape < 15; shape++) {
        SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = plan, .index = shape }, picked;
        SeamRect rect;
        g_autofree char *words = NULL;

        if (!seam_figure_locate (figure, &hit, &rect))
          continue;
        n_found++;
        g_assert_cmpint (shape, <, 3); /* three shapes of three plans are measured */
        g_assert_true (
            seam_figure_pick (figure, rect.x + rect.width / 2, rect.y + rect.height / 2, &picked));
        g_assert_true (seam_hit_equal (&hit, &picked));
        words = seam_sweep_describe_point (search->sweep, shape * 3 + plan);
        g_assert_nonnull (strstr (words, search->sweep->plans[plan]));
        g_assert_nonnull (strstr (words, " ± 1.0 %"));
        g_assert_nonnull (strstr (words, "20 samples."));
      }
    g_assert_cmpint (n_found, ==, map ? 3 : 9); /* a cell shows only its fastest plan */
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/sweep/lines", test_lines);
  g_test_add_func ("/figure/sweep/letters", test_letters);
  g_test_add_func ("/figure/sweep/predicted", test_predicted);
  g_test_add_func ("/figure/sweep/predicted-map", test_predicted_map);
  g_test_add_func ("/figure/sweep/map", test_map);
  g_test_add_func ("/figure/sweep/inside", test_inside);
  g_test_add_func ("/figure/sweep/hits", test_hits);
  return g_test_run ();
}
