/* SPDX-License-Identifier: MIT
 *
 * The timeline: records are true to scale in both lanes, ribbons join kernels that do the same ops
 * and divide a kernel among its ops, gaps add up, zoom and pan stay inside, measured spans agree
 * with counts by hand, and a million records are laid out in the time of a few.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/base/error.h"
#include "app/figure/timeline-layout.h"

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

static SeamTimeline *
make_timeline (SeamResult *result)
{
  g_autoptr (GError) error = NULL;
  SeamTimeline *timeline = seam_timeline_new (result, 0, 1, &error);

  g_assert_no_error (error);
  return timeline;
}

/* Three records, 1000, 2000 and 500 ns long, with gaps of 100 and 300 ns; the last is a copy. */
static SeamTimeline *
make_small (void)
{
  static const SeamOpKind kinds[] = { SEAM_KIND_MATRIX, SEAM_KIND_ACTIVATION };
  const SeamTimelineRecord of_a[] = {
    { 0, 1000, 5e6, "conv2d", 0, 0, SEAM_KIND_MATRIX },
    { 1100, 3100, 7e6, "relu", 1, 1, SEAM_KIND_ACTIVATION },
    { 3400, 3900, NAN, "copy", -1, -1, SEAM_KIND_COPY },
  };
  const SeamTimelineRecord of_b[] = { { 0, 1600, 6e6, "conv2d+relu", 0, 1, SEAM_KIND_MATRIX } };
  SeamTimelineRecord *records[] = { g_memdup2 (of_a, sizeof of_a), g_memdup2 (of_b, sizeof of_b) };
  const int n_records[] = { G_N_ELEMENTS (of_a), G_N_ELEMENTS (of_b) };

  return seam_timeline_new_from_records (records, n_records, 2, kinds, G_N_ELEMENTS (kinds));
}

/* ---- positions ---- */

static void
test_positions (void)
{
  g_autoptr (SeamTimeline) timeline = make_small ();
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 800);
  const SeamTimelineRow *a = &layout->rows[0], *b = &layout->rows[1];
  double px = (layout->right - layout->left) / 3900;

  g_assert_cmpfloat (timeline->end_ns, ==, 3900);
  g_assert_cmpint (a->n_items, ==, 3);
  g_assert_cmpint (b->n_items, ==, 1);
  g_assert_cmpfloat (a->items[0].rect.x, ==, layout->left);
  g_assert_cmpfloat_with_epsilon (a->items[1].rect.x, layout->left + 1100 * px, 1e-6);
  g_assert_cmpfloat_with_epsilon (a->items[1].rect.width, 2000 * px, 1e-6);
  g_assert_cmpfloat_with_epsilon (a->items[2].rect.x + a->items[2].rect.width, layout->right, 1e-6);
  g_assert_cmpfloat_with_epsilon (b->items[0].rect.width, 1600 * px, 1e-6);
  g_assert_cmpint (a->items[2].kind, ==, SEAM_KIND_COPY);
  g_assert_cmpstr (a->items[1].value, ==, "2.000");
  g_assert_cmpstr (a->items[1].name, ==, "relu");
  g_assert_cmpint (a->n_gaps, ==, 2);
  g_assert_cmpfloat (a->gaps[1].ns, ==, 300);
  g_assert_cmpfloat_with_epsilon (a->gaps[1].rect.x, layout->left + 3100 * px, 1e-6);
  g_assert_cmpfloat_with_epsilon (a->gaps[1].rect.width, 300 * px, 1e-6);
  g_assert_cmpstr (a->gaps_text[0], ==, "2 gaps");
  g_assert_cmpstr (a->gaps_text[1], ==, "400 ns");
  g_assert_cmpstr (b->gaps_text[0], ==, "0 gaps");
  g_assert_null (b->gaps_text[1]);
  seam_owner_free (layout);

  /* A part of the time: the first record is outside, the second is cut at the left end. */
  view.from_ns = 1200;
  view.to_ns = 3300;
  layout = seam_timeline_layout_new (timeline, &view, 800);
  g_assert_cmpint (layout->rows[0].n_items, ==, 1);
  g_assert_cmpint (layout->rows[0].items[0].first, ==, 1);
  g_assert_cmpfloat (layout->rows[0].items[0].rect.x, ==, layout->left);
  g_assert_cmpfloat_with_epsilon (layout->rows[0].items[0].rect.width,
                                  1900 * (layout->right - layout->left) / 2100, 1e-6);
  g_assert_cmpint (layout->rows[0].n_gaps, ==, 1);
  g_assert_cmpfloat (layout->rows[0].gaps[0].ns, ==, 300);
  g_assert_cmpfloat_with_epsilon (
      layout->rows[0].gaps[0].rect.x + layout->rows[0].gaps[0].rect.width, layout->right, 1e-6);
  seam_owner_free (layout);
}

/* Medians placed one after the other end where the traced span ends. */
static void
test_result (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", "published");
    g_autoptr (SeamTimeline) timeline = make_timeline (result);

    for (int i = 0; i < 2; i++) {
      const SeamTimelineLane *lane = &timeline->lanes[i];
      const SeamPlanResult *plan = &result->plans[i];

      g_assert_cmpint (lane->n_records, ==, plan->n_kernels);
      g_assert_cmpint (lane->n_launches, ==, plan->n_launches);
      g_assert_cmpint (lane->n_gaps, ==, plan->n_kernels - 1);
      g_assert_cmpfloat_with_epsilon (lane->records[lane->n_records - 1].end_ns,
                                      plan->span_median_ns, 1e-3);
      g_assert_cmpfloat_with_epsilon (lane->busy_ns[lane->n_records], plan->kernels_sum_median_ns,
                                      1e-3);
      for (int k = 0; k < lane->n_records; k++)
        g_assert_cmpfloat_with_epsilon (lane->records[k].end_ns - lane->records[k].start_ns,
                                        plan->kernels[k].median_ns, 1e-3);
    }
  }
}

/* ---- the host's calls ---- */

/* Two known calls, both before the first kernel, and an unknown one. */
static SeamTimeline *
make_called (void)
{
  static const SeamOpKind kinds[] = { SEAM_KIND_MATRIX, SEAM_KIND_ACTIVATION };
  const SeamTimelineRecord of_a[] = {
    { 0, 1000, 5e6, "conv2d", 0, 0, SEAM_KIND_MATRIX, -2000, 600 },
    { 1100, 3100, 7e6, "relu", 1, 1, SEAM_KIND_ACTIVATION, -1300, 400 },
    { 3400, 4000, NAN, "copy", -1, -1, SEAM_KIND_COPY, NAN, NAN },
  };
  SeamTimelineRecord *records[] = { g_memdup2 (of_a, sizeof of_a) };
  const int n_records[] = { G_N_ELEMENTS (of_a) };

  return seam_timeline_new_from_records (records, n_records, 1, kinds, G_N_ELEMENTS (kinds));
}

static void
test_calls (void)
{
  g_autoptr (SeamTimeline) timeline = make_called ();
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 900);
  const SeamTimelineRow *row = &layout->rows[0];
  double px = (layout->right - layout->left) / 6000;
  g_autoptr (SeamFigure) figure = NULL;
  SeamHit hit;
  SeamRect place;
  g_autofree char *text = NULL, *note = NULL, *no_hit = NULL;

  /* The time begins with the first call; zero stays the start of the first kernel. */
  g_assert_cmpfloat (timeline->start_ns, ==, -2000);
  g_assert_cmpint (row->n_calls, ==, 2);
  g_assert_cmpfloat_with_epsilon (row->calls[0].rect.x, layout->left, 1e-6);
  g_assert_cmpfloat_with_epsilon (row->calls[0].rect.width, 600 * px, 1e-6);
  g_assert_cmpfloat_with_epsilon (row->calls[1].rect.x, layout->left + 700 * px, 1e-6);
  g_assert_cmpfloat_with_epsilon (row->calls[1].kernel_x, row->items[1].rect.x, 1e-6);
  g_assert_cmpfloat_with_epsilon (row->items[0].rect.x, layout->left + 2000 * px, 1e-6);
  g_assert_cmpfloat (row->calls[0].rect.y + row->calls[0].rect.height, <, row->y);
  seam_owner_free (layout);

  g_assert_true (seam_timeline_sees_all (timeline, &view));
  seam_timeline_zoom (timeline, &view, .5, -2000);
  g_assert_false (seam_timeline_sees_all (timeline, &view));
  g_assert_cmpfloat_with_epsilon (view.from_ns, -2000, 1e-6);
  seam_timeline_pan (timeline, &view, -1);
  g_assert_cmpfloat_with_epsilon (view.from_ns, -2000, 1e-6);
  seam_timeline_zoom (timeline, &view, 100, 0);
  g_assert_true (seam_timeline_sees_all (timeline, &view));

  figure = seam_timeline_figure_new (timeline, &SEAM_TIMELINE_VIEW_ALL, 900);
  hit = (SeamHit){ .kind = SEAM_HIT_LAUNCH, .plan = 0, .index = 1 };
  g_assert_true (seam_figure_locate (figure, &hit, &place));
  g_assert_true (seam_figure_pick (figure, place.x + place.width / 2, place.y + 2, &hit));
  g_assert_cmpint (hit.kind, ==, SEAM_HIT_LAUNCH);
  g_assert_cmpint (hit.index, ==, 1);
  text = seam_timeline_describe_hit (timeline, &hit);
  g_assert_cmpstr (text, ==,
                   "Launch of relu in A: the call took 400 ns with tracing on and began 2.40 µs "
                   "before the kernel");
  hit.index = 2;
  no_hit = seam_timeline_describe_hit (timeline, &hit);
  g_assert_null (no_hit);
  g_assert_false (seam_figure_locate (figure, &hit, &place));
  note = seam_timeline_get_note (timeline);
  g_assert_nonnull (strstr (note, "Launches: the host's calls"));
}

/* On a sheet, which cannot be scrolled, a host that is far ahead leaves the kernels their width. */
static void
test_kernels_view (void)
{
  g_autoptr (SeamTimeline) timeline = make_called (), idle = make_small ();
  SeamTimelineView view = seam_timeline_get_kernels_view (timeline);
  SeamTimelineView all = seam_timeline_get_kernels_view (idle);
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 900);
  const SeamTimelineRow *row = &layout->rows[0];
  g_autofree char *words = seam_timeline_describe_left_out (timeline, &view);
  g_autofree char *none = seam_timeline_describe_left_out (timeline, &SEAM_TIMELINE_VIEW_ALL);

  /* Before the kernels, the view shows a quarter of their 4 µs. */
  g_assert_cmpfloat_with_epsilon (row->items[0].rect.x - layout->left,
                                  (layout->right - layout->left) / 5, 1e-6);
  seam_owner_free (layout);
  g_assert_cmpstr (words, ==,
                   "Left of the figure one call of the host is not drawn: it began 2.00 µs before "
                   "a kernel ran.");
  g_assert_null (none);
  g_assert_true (seam_timeline_sees_all (idle, &all));
  /* A host that is little ahead changes nothing. */
  timeline->start_ns = -1000;
  view = seam_timeline_get_kernels_view (timeline);
  g_assert_true (seam_timeline_sees_all (timeline, &view));
}

/* One call launches all kernels of a CUDA graph; lines lead to each. */
static void
test_graph (void)
{
  g_autoptr (SeamResult) result = fixture_result (pipelines[0], "kernelbench", "published");
  g_autoptr (SeamTimeline) timeline = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  SeamTimelineLayout *layout;
  g_autofree char *note = NULL, *text = NULL;
  SeamHit hit = { .kind = SEAM_HIT_LAUNCH, .plan = 0, .index = 0 };
  SeamRect place;

  result->settings.launch = SEAM_LAUNCH_GRAPH;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < result->plans[p].n_kernels; k++) {
      result->plans[p].kernels[k].call_start_ns = -3e5;
      result->plans[p].kernels[k].call_ns = 1e5;
    }
  timeline = make_timeline (result);
  layout = seam_timeline_layout_new (timeline, &view, 1600);
  for (int i = 0; i < 2; i++) {
    const SeamTimelineRow *row = &layout->rows[i];

    g_assert_cmpint (timeline->lanes[i].n_records, >, 1);
    g_assert_cmpint (timeline->lanes[i].n_launches, ==, 1);
    g_assert_cmpstr (row->launches, ==, "1 launch");
    g_assert_cmpint (row->n_calls, ==, 1);
    g_assert_cmpint (row->calls[0].n_more, ==, timeline->lanes[i].n_records - 1);
    g_assert_cmpfloat_with_epsilon (row->calls[0].more_x[0], row->items[1].rect.x, 1e-6);
  }
  seam_owner_free (layout);
  figure = seam_timeline_figure_new (timeline, &view, 1600);
  g_assert_true (seam_figure_locate (figure, &hit, &place));
  text = seam_timeline_describe_hit (timeline, &hit);
  g_assert_nonnull (
      strstr (text, "Launch of the CUDA graph of A, 4 kernels and copies: the call took 100 "));
  note = seam_timeline_get_note (timeline);
  g_assert_nonnull (strstr (note, "one call for the whole CUDA graph"));
}

/* ---- ribbons ---- */

static void
test_ribbons (void)
{
  g_autoptr (SeamTimeline) timeline = make_small ();
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 800);
  const SeamRect *a = &layout->rows[0].items[1].rect, *b = &layout->rows[1].items[0].rect;

  /* Each op of A goes to its half of B; the copy does no op. */
  g_assert_cmpint (layout->n_ribbons, ==, 2);
  g_assert_cmpint (layout->ribbons[0].record_a, ==, 0);
  g_assert_cmpfloat_with_epsilon (layout->ribbons[0].b2, b->x + b->width / 2, 1e-6);
  g_assert_cmpint (layout->ribbons[1].record_a, ==, 1);
  g_assert_cmpint (layout->ribbons[1].kind, ==, SEAM_KIND_ACTIVATION);
  g_assert_cmpfloat_with_epsilon (layout->ribbons[1].a1, a->x, 1e-6);
  g_assert_cmpfloat_with_epsilon (layout->ribbons[1].a2, a->x + a->width, 1e-6);
  g_assert_cmpfloat_with_epsilon (layout->ribbons[1].b1, b->x + b->width / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (layout->ribbons[1].b2, b->x + b->width, 1e-6);
  seam_owner_free (layout);
}

/* In real plans, both ends of a ribbon lie in kernels that do its op, and every op has a ribbon. */
static void
test_ribbons_of_plans (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", "published");
    g_autoptr (SeamTimeline) timeline = make_timeline (result);
    SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
    SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 1200);
    guint seen = 0;

    for (int i = 0; i < layout->n_ribbons; i++) {
      const SeamTimelineRibbon *ribbon = &layout->ribbons[i];
      const SeamKernel *a = &result->plans[0].kernels[ribbon->record_a];
      const SeamKernel *b = &result->plans[1].kernels[ribbon->record_b];
      const SeamTimelineRecord *of_b = &timeline->lanes[1].records[ribbon->record_b];

      g_assert_true (a->first_op <= ribbon->op && ribbon->op <= a->last_op);
      g_assert_true (b->first_op <= ribbon->op && ribbon->op <= b->last_op);
      g_assert_cmpfloat (ribbon->b1, >=, seam_timeline_layout_x (layout, of_b->start_ns) - 1e-6);
      g_assert_cmpfloat (ribbon->b2, <=, seam_timeline_layout_x (layout, of_b->end_ns) + 1e-6);
      g_assert_cmpfloat (ribbon->a2, >, ribbon->a1);
      seen |= 1u << ribbon->op;
    }
    g_assert_cmpuint (seen, ==,
                      (1u << (result->plans[0].kernels[result->plans[0].n_kernels - 1].last_op + 1))
                          - 1);
    seam_owner_free (layout);
  }
}

/* ---- many records ---- */

#define N_MANY 1000000

/* Records of 900 ns, one every 1000 ns, of each op in turn; one in the middle can be wide. */
static SeamTimeline *
make_many (gboolean with_wide)
{
  static const SeamOpKind kinds[] = { SEAM_KIND_MATRIX, SEAM_KIND_ACTIVATION,
                                      SEAM_KIND_CHANNEL_ADD };
  SeamTimelineRecord *records[2];
  const int n_records[] = { N_MANY, N_MANY };

  for (int lane = 0; lane < 2; lane++) {
    double at = 0;

    records[lane] = g_new0 (SeamTimelineRecord, N_MANY);
    for (int i = 0; i < N_MANY; i++) {
      double length = with_wide && i == N_MANY / 2 ? 5e8 : 900;

      records[lane][i] = (SeamTimelineRecord){
        at, at + length, 1, NULL, (gint8)(i % 3), (gint8)(i % 3), (guint8)kinds[i % 3]
      };
      at += length + 100;
    }
  }
  return seam_timeline_new_from_records (records, n_records, 2, kinds, 3);
}

static void
assert_covers (const SeamTimelineRow *row, int first, int end)
{
  int next = first;

  for (int i = 0; i < row->n_items; i++) {
    g_assert_cmpint (row->items[i].first, ==, next);
    next += row->items[i].n_records;
  }
  g_assert_cmpint (next, ==, end);
}

static void
test_many (void)
{
  g_autoptr (SeamTimeline) timeline = make_many (TRUE);
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 1200);
  const SeamTimelineRow *row = &layout->rows[0];
  gboolean wide = FALSE;

  /* No record is left out or drawn twice, and there are no more items than pixels can show. */
  assert_covers (row, 0, N_MANY);
  g_assert_cmpint (row->n_items, <=, (int)((layout->right - layout->left) / 3) + 3);
  for (int i = 0; i < row->n_items; i++) {
    const SeamTimelineItem *item = &row->items[i];

    if (item->n_records == 1 && item->first == N_MANY / 2) {
      wide = TRUE;
      g_assert_cmpfloat_with_epsilon (item->rect.width, 5e8 * seam_axis_get_density (&layout->axis),
                                      1e-6);
    } else if (item->n_records > 100) {
      g_assert_cmpfloat_with_epsilon (item->busy, .9, .01);
      g_assert_cmpint (item->kind, ==, -1);
    }
  }
  g_assert_true (wide);
  /* The records on either side of the wide one are shown as a number. */
  g_assert_cmpint (row->n_runs, ==, 2);
  g_assert_cmpint (row->runs[0].n_records + row->runs[1].n_records, ==, N_MANY - 1);
  g_assert_cmpstr (row->runs[0].label, ==, "500,000 kernels");
  /* Ops that run a million times are not joined by ribbons. */
  g_assert_cmpint (layout->n_ribbons, ==, 0);
  seam_owner_free (layout);

  /* Zoomed in, the records are separate again, with their gaps. */
  view.from_ns = 100e6;
  view.to_ns = 100e6 + 20e3;
  layout = seam_timeline_layout_new (timeline, &view, 1200);
  assert_covers (&layout->rows[0], 100000, 100020);
  g_assert_cmpint (layout->rows[0].n_items, ==, 20);
  g_assert_cmpint (layout->rows[0].n_runs, ==, 0);
  g_assert_cmpint (layout->rows[0].n_gaps, ==, 20);
  seam_owner_free (layout);
}

/* The time of one view does not grow with the records: 200 views, from all of them to a few, in
 * 5 s even with sanitizers and on a busy machine (measured: see the message of this test). */
static void
test_many_fast (void)
{
  g_autoptr (SeamTimeline) timeline = make_many (FALSE);
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1400, 400);
  cairo_t *cr = cairo_create (surface);
  double layouts_s, frames_s;

  g_test_timer_start ();
  for (int i = 0; i < 200; i++) {
    SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, &view, 1400);

    g_assert_cmpint (layout->rows[0].n_items, >, 0);
    g_assert_cmpint (layout->rows[0].n_items, <, 1000);
    seam_owner_free (layout);
    seam_timeline_zoom (timeline, &view, .95, 4e8);
  }
  layouts_s = g_test_timer_elapsed ();
  view = SEAM_TIMELINE_VIEW_ALL;
  g_test_timer_start ();
  for (int i = 0; i < 20; i++) {
    g_autoptr (SeamFigure) figure = seam_timeline_figure_new (timeline, &view, 1400);

    seam_figure_draw (figure, cr, seam_palette_get (FALSE, FALSE));
    seam_timeline_zoom (timeline, &view, .6, 4e8);
  }
  frames_s = g_test_timer_elapsed ();
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_test_message ("2 x 1,000,000 records: %.3f ms a layout, %.2f ms a drawn view",
                  layouts_s / 200 * 1e3, frames_s / 20 * 1e3);
  g_assert_cmpfloat (layouts_s, <, 5);
  g_assert_cmpfloat (frames_s, <, 5);
}

/* ---- moving and measuring ---- */

static void
test_zoom (void)
{
  g_autoptr (SeamTimeline) timeline = make_small ();
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;

  g_assert_true (seam_timeline_sees_all (timeline, &view));
  seam_timeline_zoom (timeline, &view, .5, 1300);
  g_assert_cmpfloat_with_epsilon (view.from_ns, 650, 1e-9);
  g_assert_cmpfloat_with_epsilon (view.to_ns, 2600, 1e-9);
  g_assert_false (seam_timeline_sees_all (timeline, &view));
  seam_timeline_pan (timeline, &view, .1);
  g_assert_cmpfloat_with_epsilon (view.from_ns, 845, 1e-9);
  seam_timeline_pan (timeline, &view, -5);
  g_assert_cmpfloat (view.from_ns, ==, 0);
  g_assert_cmpfloat_with_epsilon (view.to_ns, 1950, 1e-9);
  seam_timeline_pan (timeline, &view, 5);
  g_assert_cmpfloat_with_epsilon (view.to_ns, 3900, 1e-9);
  for (int i = 0; i < 100; i++)
    seam_timeline_zoom (timeline, &view, .5, 3899);
  g_assert_cmpfloat_with_epsilon (view.to_ns - view.from_ns, SEAM_TIMELINE_MIN_NS, 1e-6);
  g_assert_cmpfloat (view.to_ns, <=, 3900 + 1e-6);
  for (int i = 0; i < 100; i++)
    seam_timeline_zoom (timeline, &view, 2, view.from_ns);
  g_assert_true (seam_timeline_sees_all (timeline, &view));
}

/* As many steps out as in show everything again, wherever the time begins and ends. */
static void
test_zoom_back (void)
{
  g_autoptr (SeamTimeline) timeline = make_small ();

  for (int round = 0; round < 10000; round++) {
    const int steps = g_test_rand_int_range (1, 12);
    SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;
    double at;

    timeline->start_ns = -g_test_rand_double_range (0, 1e6);
    timeline->end_ns = g_test_rand_double_range (1e5, 1e7);
    at = g_test_rand_double_range (timeline->start_ns, timeline->end_ns);
    for (int i = 0; i < steps; i++)
      seam_timeline_zoom (timeline, &view, .8, at);
    g_assert_false (seam_timeline_sees_all (timeline, &view));
    for (int i = 0; i < steps; i++)
      seam_timeline_zoom (timeline, &view, 1 / .8, at);
    g_assert_true (seam_timeline_sees_all (timeline, &view));
    g_assert_cmpfloat (view.from_ns, ==, timeline->start_ns);
    g_assert_cmpfloat (view.to_ns, ==, timeline->end_ns);
  }
}

static void
test_measure (void)
{
  g_autoptr (SeamTimeline) timeline = make_small ();
  SeamTimelineSpan span;
  g_autofree char *text = NULL;

  seam_timeline_measure (timeline, 0, 0, 3100, &span);
  g_assert_cmpint (span.n_kernels, ==, 2);
  g_assert_cmpint (span.n_in_part, ==, 0);
  g_assert_cmpint (span.n_gaps, ==, 1);
  g_assert_cmpfloat (span.gap_ns, ==, 100);
  g_assert_cmpfloat (span.bytes, ==, 12e6);
  text = seam_timeline_describe_span (&span);
  g_assert_cmpstr (text, ==, "3.10 µs · 2 kernels · 1 gap of 100 ns · 12.0 MB");
  seam_timeline_measure (timeline, 0, 500, 3950, &span);
  g_assert_cmpint (span.n_kernels, ==, 1);
  g_assert_cmpint (span.n_copies, ==, 1);
  g_assert_cmpint (span.n_in_part, ==, 1);
  g_assert_true (isnan (span.bytes));
  seam_timeline_measure (timeline, -1, 0, 1600, &span);
  g_assert_cmpint (span.n_kernels, ==, 2);
  g_assert_cmpint (span.n_in_part, ==, 1);

  g_assert_cmpfloat (seam_timeline_snap (timeline, 0, 1080, 50), ==, 1100);
  g_assert_cmpfloat (seam_timeline_snap (timeline, 0, 1300, 50), ==, 1300);
  g_assert_cmpfloat (seam_timeline_snap (timeline, 1, 1080, 50), ==, 1080);
}

/* ---- figures ---- */

static void
test_figure (void)
{
  static const double widths[] = { 200, 460, 1000, 2400 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", "published");
      g_autoptr (SeamTimeline) timeline = make_timeline (result);
      SeamTimelineView view = { timeline->end_ns * .2, timeline->end_ns * .7, 0, 0,
                                timeline->end_ns / 2 };
      SeamTimelineView all = SEAM_TIMELINE_VIEW_ALL;
      g_autoptr (SeamFigure) part = seam_timeline_figure_new (timeline, &view, widths[w]);
      g_autoptr (SeamFigure) figure = seam_timeline_figure_new (timeline, &all, widths[w]);
      g_autoptr (SeamFigure) page =
          seam_timeline_sheet_new (result, 0, w % 2 ? 1 : -1, widths[w], NULL);
      g_autofree char *summary = seam_figure_summarize (part);
      SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = 1 };
      g_autofree char *text = seam_timeline_describe_hit (timeline, &hit);

      ink_assert_inside (figure, pipelines[p]);
      ink_assert_inside (part, pipelines[p]);
      ink_assert_inside (page, pipelines[p]);
      ink_assert_pick (figure, &hit, pipelines[p]);
      g_assert_nonnull (strstr (text, " of B: "));
      g_assert_nonnull (strstr (summary, "A, Unfused: "));
      g_assert_nonnull (strstr (summary, "Seen from "));
      g_assert_nonnull (strstr (summary, "Measured: "));
      /* A drawn time reads back as the same time. */
      {
        SeamRect rect;

        g_assert_true (seam_figure_locate (figure, &hit, &rect));
        g_assert_cmpfloat_with_epsilon (seam_timeline_figure_get_time (figure, rect.x + rect.width),
                                        timeline->lanes[1].records[0].end_ns, 1);
        g_assert_cmpint (seam_timeline_figure_get_lane (figure, rect.y + 5), ==, 1);
      }
    }
}

/* A plan that was not traced says so. Results without plans and with a single plan are drawn,
 * too. */
static void
test_odd (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamTimelineView all = SEAM_TIMELINE_VIEW_ALL;
  g_autoptr (GError) error = NULL;

  fixture_untrace (&result->plans[1]);
  result->trace_note = g_strdup ("CUPTI is missing.");
  {
    g_autoptr (SeamTimeline) timeline = make_timeline (result);
    g_autoptr (SeamFigure) figure = seam_timeline_figure_new (timeline, &all, 800);
    g_autofree char *summary = seam_figure_summarize (figure);

    g_assert_cmpstr (timeline->lanes[1].absent, ==, "not traced: CUPTI is missing.");
    g_assert_nonnull (strstr (summary, "not traced: CUPTI is missing."));
    ink_assert_inside (figure, "one lane");
  }
  fixture_untrace (&result->plans[0]);
  {
    g_autoptr (SeamTimeline) timeline = make_timeline (result);
    g_autoptr (SeamFigure) figure = seam_timeline_figure_new (timeline, &all, 800);
    SeamTimelineView view = all;

    g_assert_cmpfloat (timeline->end_ns, ==, 0);
    seam_timeline_zoom (timeline, &view, .5, 0);
    seam_timeline_pan (timeline, &view, .5);
    ink_assert_inside (figure, "nothing");
  }
  g_assert_null (seam_timeline_new (result, 0, 5, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

/* One execution of an older session: its kernels take what they took then, with the gaps of the
 * medians. */
static void
test_executions (void)
{
  const int n = 3;
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTimeline) medians = NULL, one = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  const SeamPlanResult *plan = &result->plans[0];
  const SeamTimelineRecord *records, *of_medians;
  int last;

  for (int p = 0; p < 2; p++)
    for (int i = 0; i < result->plans[p].n_kernels; i++) {
      SeamKernel *kernel = &result->plans[p].kernels[i];

      kernel->n_samples = n;
      g_free (kernel->samples_ns);
      kernel->samples_ns = g_new (double, n);
      for (int k = 0; k < n; k++)
        kernel->samples_ns[k] = kernel->median_ns + 100 * k;
    }
  medians = make_timeline (result);
  g_assert_cmpint (medians->n_executions, ==, n);
  of_medians = medians->lanes[0].records;
  last = medians->lanes[0].n_records - 1;
  plan->kernels[1].samples_ns[n - 1] += 5000;
  one = seam_timeline_new_of_execution (result, 0, 1, n - 1, &error);
  g_assert_no_error (error);
  records = one->lanes[0].records;
  for (int i = 0; i <= last; i++) {
    g_assert_cmpfloat_with_epsilon (records[i].end_ns - records[i].start_ns,
                                    plan->kernels[i].samples_ns[n - 1], 1e-3);
    if (i > 0)
      g_assert_cmpfloat_with_epsilon (records[i].start_ns - records[i - 1].end_ns,
                                      of_medians[i].start_ns - of_medians[i - 1].end_ns, 1e-3);
  }
  note = seam_timeline_get_note (one);
  g_assert_nonnull (strstr (note, "that were traced: how long its kernels took"));
  g_clear_pointer (&one, seam_owner_free);
  g_clear_pointer (&note, g_free);

  /* With its own starts, its gaps are its own, too: 70 ns, and none where a kernel began before the
   * other had ended. */
  for (int p = 0; p < 2; p++) {
    double at = 0;

    for (int i = 0; i < result->plans[p].n_kernels; i++) {
      SeamKernel *kernel = &result->plans[p].kernels[i];

      kernel->starts_ns = g_new0 (double, n);
      kernel->starts_ns[n - 1] = at;
      at += kernel->samples_ns[n - 1] + (i == 0 ? -5 : 70);
    }
  }
  one = seam_timeline_new_of_execution (result, 0, 1, n - 1, &error);
  g_assert_no_error (error);
  records = one->lanes[0].records;
  for (int i = 1; i <= last; i++)
    g_assert_cmpfloat_with_epsilon (records[i].start_ns - records[i - 1].end_ns, i == 1 ? 0 : 70,
                                    1e-3);
  note = seam_timeline_get_note (one);
  g_assert_true (
      g_str_has_prefix (note, "Execution 3 of 3 that were traced: when its kernels ran. Ribbons"));
  g_assert_null (seam_timeline_new_of_execution (result, 0, 1, n, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

/* What is known of a plan that was measured is not why it was not traced. */
static void
test_stopped (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTimeline) timeline = NULL;

  fixture_untrace (&result->plans[1]);
  result->plans[1].state = SEAM_PLAN_STOPPED_EARLY;
  g_free (result->plans[1].message);
  result->plans[1].message = g_strdup ("Adds the bias before the swish.");
  timeline = make_timeline (result);
  g_assert_cmpstr (timeline->lanes[1].absent, ==, "not traced: the run was stopped before");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/timeline/positions", test_positions);
  g_test_add_func ("/figure/timeline/result", test_result);
  g_test_add_func ("/figure/timeline/calls", test_calls);
  g_test_add_func ("/figure/timeline/kernels-view", test_kernels_view);
  g_test_add_func ("/figure/timeline/graph", test_graph);
  g_test_add_func ("/figure/timeline/ribbons", test_ribbons);
  g_test_add_func ("/figure/timeline/ribbons-of-plans", test_ribbons_of_plans);
  g_test_add_func ("/figure/timeline/executions", test_executions);
  g_test_add_func ("/figure/timeline/stopped", test_stopped);
  g_test_add_func ("/figure/timeline/many", test_many);
  g_test_add_func ("/figure/timeline/many-fast", test_many_fast);
  g_test_add_func ("/figure/timeline/zoom", test_zoom);
  g_test_add_func ("/figure/timeline/zoom-back", test_zoom_back);
  g_test_add_func ("/figure/timeline/measure", test_measure);
  g_test_add_func ("/figure/timeline/figure", test_figure);
  g_test_add_func ("/figure/timeline/odd", test_odd);
  return g_test_run ();
}
