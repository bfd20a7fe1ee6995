/* SPDX-License-Identifier: MIT
 *
 * Bars and samples: one scale from 0, segments true to it, labels inside, gaps seen, hits.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/figure/bars-layout.h"
#include "app/figure/paint.h"

static const double widths[] = { 600, 760, 970, 1228, 1900, 3840 };
static const struct {
  const char *pipeline, *plan;
} cases[] = {
  { "1", "published" },  { "76", "full" }, { "37", "as-published" },
  { "21", "published" }, { "57", "full" },
};

static SeamBarsLayout *
make_layout (SeamResult *result, double width, gboolean compact)
{
  const int plans[] = { 0, 1 };
  SeamBarsOptions options = { .width = width, .compact = compact };

  return seam_bars_layout_new (result, plans, 2, &options);
}

static double
text_width (const char *text, double size, int weight)
{
  return text != NULL ? seam_paint_measure (text, size, weight) : 0;
}

static void
check_row (const SeamBarsLayout *layout, const SeamBarRow *row, const SeamPlanResult *plan)
{
  double scale = seam_axis_get_density (&layout->axis), sum = 0;

  for (int i = 0; i < row->n_segments; i++) {
    const SeamBarSegment *segment = &row->segments[i];
    double drawn = segment->rect.width, names, right = segment->rect.x + segment->rect.width;
    double middle = segment->rect.x + segment->rect.width / 2;

    g_assert_cmpfloat (drawn, >, 0);
    /* Left ends and whole lengths are true to the shared scale; a segment gives at most half of
     * itself, and at most a pixel, to the gap behind it. */
    g_assert_cmpfloat_with_epsilon (segment->rect.x, layout->plot.x + segment->start_ns * scale,
                                    1e-6);
    g_assert_cmpfloat_with_epsilon (segment->end_ns - segment->start_ns, plan->kernels[i].median_ns,
                                    1e-6);
    g_assert_cmpfloat (drawn, <=, fmax (plan->kernels[i].median_ns * scale, .25) + 1e-6);
    g_assert_cmpfloat (drawn, >=, plan->kernels[i].median_ns * scale - 1 - 1e-6);
    sum += drawn + segment->gap.width;

    if (i + 1 < row->n_segments) {
      g_assert_cmpfloat_with_epsilon (segment->gap.x, right, 1e-6);
      g_assert_cmpfloat_with_epsilon (segment->gap.x + segment->gap.width,
                                      row->segments[i + 1].rect.x, 1e-6);
      if (plan->kernels[i].median_ns * scale >= 2)
        g_assert_cmpfloat (segment->gap.width, >=, 1 - 1e-6);
    }

    names = fmax (text_width (segment->name, 12.5, SEAM_BOLD),
                  text_width (segment->value, 12, SEAM_REGULAR));
    if (segment->value != NULL) {
      g_assert_cmpfloat (middle - names / 2, >=, segment->rect.x);
      g_assert_cmpfloat (middle + names / 2, <=, right);
      /* The whisker never runs through a text. */
      if (isfinite (row->whisker_low) && row->whisker_y < row->y + layout->bar_height)
        g_assert_cmpfloat (middle + names / 2, <=, row->whisker_low);
    }
    /* If there is no room for both, the value stays and the name goes. */
    g_assert_true (segment->name == NULL || segment->value != NULL);
  }
  g_assert_cmpfloat_with_epsilon (sum, row->end_x - layout->plot.x, 1e-3);
  g_assert_cmpfloat_with_epsilon (row->end_x - layout->plot.x, plan->span_median_ns * scale, .5);
}

static void
test_segments (void)
{
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result =
        fixture_result (cases[c].pipeline, "kernelbench", cases[c].plan);

    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      for (int compact = 0; compact < 2; compact++) {
        SeamBarsLayout *layout = make_layout (result, widths[w], compact);

        g_assert_cmpfloat (layout->axis.from, ==, 0);
        g_assert_cmpfloat (seam_axis_get_px (&layout->axis, 0), ==, layout->plot.x);
        g_assert_cmpfloat (layout->axis.to, >=,
                           fmax (result->plans[0].median_ns, result->plans[1].median_ns));
        for (int row = 0; row < 2; row++) {
          const SeamBarRow *r = &layout->rows[row];

          check_row (layout, r, &result->plans[row]);
          g_assert_cmpfloat (r->label_x + text_width (r->label, 15, SEAM_HEAVY), <=, layout->width);
          if (r->less != NULL)
            g_assert_cmpfloat (r->less_text_x - text_width (r->less, 13, SEAM_BOLD) / 2, >=,
                               r->label_x + text_width (r->label, 15, SEAM_HEAVY));
        }
        seam_owner_free (layout);
      }
  }
}

static void
test_hits_and_ink (void)
{
  const int plans[] = { 0, 1 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result =
        fixture_result (cases[c].pipeline, "kernelbench", cases[c].plan);

    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      SeamBarsOptions options = { .width = widths[w], .compact = w % 2 };
      g_autoptr (SeamFigure) figure = seam_bars_figure_new (result, plans, 2, &options);

      g_assert_cmpfloat (figure->width, ==, widths[w]);
      ink_assert_inside (figure, cases[c].pipeline);
      for (int p = 0; p < 2; p++)
        for (int k = 0; k < result->plans[p].n_kernels; k++) {
          SeamHit kernel = { .kind = SEAM_HIT_KERNEL, .plan = p, .index = k };
          SeamHit gap = { .kind = SEAM_HIT_GAP, .plan = p, .index = k };

          ink_assert_pick (figure, &kernel, "kernel");
          if (k + 1 < result->plans[p].n_kernels)
            ink_assert_pick (figure, &gap, "gap");
        }
    }
  }
}

/* A group's name is shortened to its last op before the value would be left out. */
static void
test_group_names (void)
{
  g_autoptr (SeamResult) result = fixture_result ("37", "kernelbench", "published");
  SeamKernel *kernel = &result->plans[1].kernels[1];
  gboolean full = FALSE, shorter = FALSE, none = FALSE;

  g_free (kernel->short_name);
  kernel->short_name = g_strdup ("matmul_bias … groupnorm");
  kernel->median_ns *= 10;
  result->plans[1].median_ns += .9 * kernel->median_ns;
  for (double width = 400; width < 2600; width += 20) {
    SeamBarsLayout *layout = make_layout (result, width, TRUE);
    const char *name = layout->rows[1].segments[1].name;

    full = full || g_strcmp0 (name, "matmul_bias … groupnorm") == 0;
    shorter = shorter || g_strcmp0 (name, "groupnorm + 4 ops") == 0;
    none = none || name == NULL;
    g_assert_true (name == NULL || !g_str_has_prefix (name, "…"));
    seam_owner_free (layout);
  }
  g_assert_true (full && shorter && none);
}

/* On a busy machine the medians of starts and of durations do not add up, and elapsed and traced
 * times differ: gaps are as large as span - sum says, no label is lost to a wide interval, and the
 * bar says what its length is. */
static void
test_noisy (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamPlanResult *plan = &result->plans[0];
  SeamBarsLayout *quiet = make_layout (result, 1200, FALSE), *noisy;
  double gaps = 0, traced, past = 0, inside = 0, total = 0;

  for (int i = 1; i < plan->n_kernels; i++)
    plan->kernels[i].start_ns *= 1.5;
  plan->median_ns *= .6;
  plan->ci_low_ns = plan->median_ns * .7;
  plan->ci_high_ns = plan->median_ns * 1.5;
  noisy = make_layout (result, 1200, FALSE);
  traced = seam_pieces_place (plan, NULL, NULL);
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamBarSegment *segment = &noisy->rows[0].segments[i];

    if (i > 0)
      gaps += segment->start_ns - noisy->rows[0].segments[i - 1].end_ns;
  }
  g_assert_cmpfloat_with_epsilon (gaps, plan->span_median_ns - plan->kernels_sum_median_ns, 1e-3);
  /* Kernels keep their traced lengths past the mark, and only from there on they are dashed. */
  g_assert_cmpfloat_with_epsilon (noisy->rows[0].segments[plan->n_kernels - 1].end_ns, traced,
                                  1e-3);
  g_assert_cmpfloat_with_epsilon (
      noisy->rows[0].elapsed_x / noisy->rows[0].end_x,
      (noisy->plot.x + seam_axis_get_density (&noisy->axis) * plan->median_ns)
          / (noisy->plot.x + seam_axis_get_density (&noisy->axis) * traced),
      1e-6);
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamRect *rect = &noisy->rows[0].segments[i].rect;

    past += noisy->rows[0].segments[i].past.width;
    inside += fmax (0, fmin (rect->x + rect->width, noisy->rows[0].elapsed_x) - rect->x);
    total += rect->width;
  }
  g_assert_cmpfloat (past, >, 100);
  g_assert_cmpfloat_with_epsilon (past + inside, total, 1e-6);
  g_assert_cmpfloat (noisy->rows[0].rest.width, ==, 0);
  g_assert_cmpfloat_with_epsilon (quiet->rows[0].segments[plan->n_kernels - 1].end_ns, traced,
                                  1e-3);
  g_assert_cmpfloat (quiet->rows[0].whisker_y, <, quiet->rows[0].y + quiet->bar_height);
  g_assert_cmpfloat (noisy->rows[0].whisker_y, >, noisy->rows[0].y + noisy->bar_height);
  g_assert_null (quiet->rows[0].note);
  g_assert_null (noisy->rows[0].note);
  g_assert_true (g_str_has_suffix (noisy->rows[0].lead, " past the mark:"));
  g_assert_null (quiet->rows[0].lead);
  seam_owner_free (quiet);
  seam_owner_free (noisy);
}

/* Kernels without a place, overlapping kernels, and hundreds of tiny ones. */
static void
test_odd_records (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  const int plans[] = { 1, 0, 1 };
  SeamBarsOptions options = { .width = 900 };
  SeamPlanResult *plan = &result->plans[0];

  plan->kernels[2].start_ns = NAN;
  plan->kernels[3].start_ns = 0;
  plan->kernels[4].first_op = plan->kernels[4].last_op = 99;
  plan->kernels[5].is_copy = TRUE;
  g_clear_pointer (&plan->kernels[1].short_name, g_free);
  result->plans[1].kernels[0].median_ns = 1e-3;
  result->floor_ns = 1e15;
  {
    g_autoptr (SeamFigure) figure = seam_bars_figure_new (result, plans, 3, &options);
    SeamBarsLayout *layout = seam_bars_layout_new (result, plans, 3, &options);

    ink_assert_inside (figure, "odd records");
    for (int row = 0; row < 3; row++)
      for (int i = 1; i < layout->rows[row].n_segments; i++)
        g_assert_cmpfloat (layout->rows[row].segments[i].rect.x, >=,
                           layout->rows[row].segments[i - 1].rect.x
                               + layout->rows[row].segments[i - 1].rect.width);
    /* A floor thousands of times the bars must not flatten them. */
    g_assert_cmpstr (layout->axis.mark_text, ==, "");
    g_assert_cmpfloat (layout->rows[1].end_x, >, layout->width / 2);
    seam_owner_free (layout);
  }
}

static void
test_states (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamBarsLayout *layout;
  SeamHit hit;

  /* A time below the floor is marked. */
  result->floor_ns = result->plans[1].median_ns * 1.1;
  layout = make_layout (result, 1000, FALSE);
  g_assert_true (layout->rows[1].below_floor);
  g_assert_false (layout->rows[0].below_floor);
  g_assert_cmpstr (layout->rows[1].note, ==, "under the floor");
  seam_owner_free (layout);

  fixture_untrace (&result->plans[0]);
  result->plans[1].n_samples = 0;
  result->plans[1].median_ns = NAN;
  result->plans[1].state = SEAM_PLAN_NOT_MEASURED;
  result->plans[1].message = g_strdup ("the group conv + groupnorm cannot run on this target");
  layout = make_layout (result, 1000, FALSE);
  g_assert_cmpint (layout->rows[0].n_segments, ==, 1);
  g_assert_cmpint (layout->rows[0].segments[0].kernel, ==, -1);
  g_assert_cmpstr (layout->rows[0].segments[0].name, ==,
                   "elapsed; kernels not traced: there are no records of its kernels");
  /* A plan that was not measured has no bar, not a bar of length 0. */
  g_assert_false (layout->rows[1].measured);
  g_assert_cmpint (layout->rows[1].n_segments, ==, 0);
  g_assert_null (layout->rows[1].label);
  g_assert_nonnull (strstr (layout->rows[1].absent, "cannot run on this target"));
  seam_owner_free (layout);
  {
    const int plans[] = { 0, 1 };
    SeamBarsOptions options = { .width = 1000 };
    g_autoptr (SeamFigure) figure = seam_bars_figure_new (result, plans, 2, &options);
    g_autofree char *summary = seam_figure_summarize (figure);

    ink_assert_inside (figure, "not measured");
    g_assert_false (seam_figure_pick (figure, 300, 20, &hit));
    g_assert_nonnull (strstr (summary, "kernels not traced"));
    g_assert_nonnull (strstr (summary, "not measured"));
  }

  /* Without any time there is no scale. */
  layout = make_layout (result, 1000, FALSE);
  g_assert_cmpint (layout->axis.n_ticks, >, 1);
  const double height = layout->height;
  seam_owner_free (layout);
  result->plans[0].n_samples = 0;
  layout = make_layout (result, 1000, FALSE);
  g_assert_cmpint (layout->axis.n_ticks, ==, 0);
  g_assert_null (layout->axis.unit.name);
  g_assert_cmpfloat (layout->height, <, height);
  seam_owner_free (layout);
}

/* ---- samples ---- */

static void
test_samples (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  const SeamSamplesPlan plans[] = {
    { 'A', result->plans[0].samples, 20 },
    { 'B', result->plans[1].samples, 20 },
  };
  const SeamSamplesPlan empty[] = { { 'A', NULL, 0 }, { 'B', NULL, 0 } };

  result->plans[1].samples[3].elapsed_ns *= 40;
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (SeamFigure) figure = seam_samples_figure_new (plans, 2, 0, .005, widths[w], 300);
    g_autoptr (SeamFigure) none = seam_samples_figure_new (empty, 2, 0, .005, widths[w], 300);
    SeamRect first, last;

    ink_assert_inside (figure, "samples");
    ink_assert_inside (none, "no samples");
    for (int p = 0; p < 2; p++)
      for (int i = 0; i < 20; i++)
        ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = p, .index = i },
                         "sample");
    /* Samples stand in their true order along x. */
    g_assert_true (seam_figure_locate (
        figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = 0, .index = 0 }, &first));
    g_assert_true (seam_figure_locate (
        figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = 1, .index = 0 }, &last));
    g_assert_cmpfloat (first.x, <, last.x);
  }
}

/* The same deviation has the same distance from the median in both lanes, outlier or not. */
static void
test_samples_share_a_scale (void)
{
  SeamSample samples[2][12];
  SeamSamplesPlan plans[2] = { { 'A', samples[0], 12 }, { 'B', samples[1], 12 } };
  g_autoptr (SeamFigure) figure = NULL;
  double from_median[2];

  for (int p = 0; p < 2; p++)
    for (int i = 0; i < 12; i++)
      samples[p][i] = (SeamSample){ .elapsed_ns = (p == 0 ? 1e6 : 3e6) * (i == 5 ? 1.02 : 1),
                                    .order = 2 * i + p };
  samples[1][8].elapsed_ns *= 1.001;
  figure = seam_samples_figure_new (plans, 2, -1, .005, 1000, 300);
  for (int p = 0; p < 2; p++) {
    SeamRect middle, high;

    g_assert_true (seam_figure_locate (
        figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = p, .index = 0 }, &middle));
    g_assert_true (seam_figure_locate (
        figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = p, .index = 5 }, &high));
    from_median[p] = middle.y - high.y;
  }
  g_assert_cmpfloat (from_median[0], >, 3);
  g_assert_cmpfloat_with_epsilon (from_median[0], from_median[1], 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/bars/segments", test_segments);
  g_test_add_func ("/figure/bars/hits-and-ink", test_hits_and_ink);
  g_test_add_func ("/figure/bars/group-names", test_group_names);
  g_test_add_func ("/figure/bars/noisy", test_noisy);
  g_test_add_func ("/figure/bars/odd-records", test_odd_records);
  g_test_add_func ("/figure/bars/states", test_states);
  g_test_add_func ("/figure/samples/hits-and-ink", test_samples);
  g_test_add_func ("/figure/samples/one-scale", test_samples_share_a_scale);
  return g_test_run ();
}
