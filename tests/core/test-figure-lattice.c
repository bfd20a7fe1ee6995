/* SPDX-License-Identifier: MIT
 *
 * The lattice figure: one row for each number of fused seams, fast partitions at the left, one edge
 * for each toggled seam, no overlaps, nothing outside, marks according to the times, and its words.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/long-chain.h"

#include "app/figure/lattice-layout.h"
#include "app/figure/paint.h"

/* A search in which every seam saves the time in its number; `n_measured` points are measured. */
static SeamSearch *
make_search_of (SeamProblem *problem, int n_measured)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_new (problem->pipeline);
  double longest_ns = problem->pipeline->chains[0].n_ops > 7 ? 18e6 : 9e6;
  SeamSearch *search;

  memcpy (request->values, problem->values, sizeof request->values);
  search = seam_explore_new (request, NULL);
  search->device = seam_device_info_new ("cuda:0");
  search->device->name = g_strdup ("NVIDIA H200");
  search->math_mode = SEAM_MATH_FP32;
  search->ceiling.floor.floor_ns = 3e5;
  for (int i = 0; i < search->n_points; i++) {
    SeamPoint *point = &search->points[search->order[i]];
    g_autoptr (SeamPlan) plan = fixture_plan (problem, point->plan);
    int mask = search->order[i];

    point->notation = g_strdup (plan->notation);
    point->fused_seams = (guint32)mask;
    point->n_kernels_expected = plan->n_groups;
    point->bytes = 1e9 * plan->n_groups;
    point->guess_ns = 3e5 * plan->n_groups;
    point->guess_low_ns = .9 * point->guess_ns;
    point->guess_high_ns = 1.2 * point->guess_ns;
    if (i >= n_measured)
      continue;
    point->state = SEAM_POINT_MEASURED;
    point->median_ns = longest_ns;
    for (int seam = 0; seam < 9; seam++)
      if (mask >> seam & 1)
        point->median_ns -= 1e6 + 1e5 * seam;
    point->n_samples = 20;
    point->against_ns = longest_ns;
    point->n_kernels = plan->n_groups;
    point->max_abs = point->max_error_ratio = mask == 0 ? 0 : 1e-6;
    point->measured_at = g_strdup ("2026-01-01T00:00:00Z");
  }
  return search;
}

static SeamSearch *
make_search (const char *pipeline_name, int n_measured)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline_name, "kernelbench");

  return make_search_of (problem, n_measured);
}

#define NO_MATRIX  "The matrix op fuses with nothing: cut the chain."
#define NO_SOFTMAX "The softmax needs a row."

/* All partitions are measured, except those that fuse the first or the third seam: they are
 * impossible. */
static SeamSearch *
make_long_search (int n_ops)
{
  g_autofree char *text = long_chain_text (n_ops);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "long", &error);
  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_assert_no_error (error);
  SeamSearch *search = make_search_of (problem, G_MAXINT);

  for (int i = 0; i < search->n_points; i++) {
    static const char *const messages[] = { NULL, NO_MATRIX, NO_SOFTMAX, NO_MATRIX " " NO_SOFTMAX };
    const char *message = messages[(i & 1) + (i & 4) / 2];

    if (message == NULL)
      continue;
    search->points[i].state = SEAM_POINT_IMPOSSIBLE;
    search->points[i].message = g_strdup (message);
  }
  return search;
}

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

static gboolean
overlap (const SeamRect *a, const SeamRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

static void
test_layout (void)
{
  static const double widths[] = { 400, 620, 980, 1400, 2400 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      g_autoptr (SeamSearch) search = make_search (pipelines[p], 64);
      g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
      SeamLatticeOptions options = { .width = widths[w] };
      SeamLatticeLayout *layout = seam_lattice_layout_new (search, view, &options);
      int n_path = 0;

      g_assert_cmpint (layout->n_edges, ==, layout->n_seams << (layout->n_seams - 1));
      for (int i = 0; i < layout->n_edges; i++) {
        guint difference = (guint)(layout->edges[i].from ^ layout->edges[i].to);
        g_assert_cmpint (__builtin_popcount (difference), ==, 1);
        n_path += layout->edges[i].on_path;
      }
      g_assert_cmpint (n_path, ==, layout->n_seams);
      for (int i = 0; i < layout->n_nodes; i++) {
        const SeamLatticeNode *a = &layout->nodes[i];
        double text = seam_paint_measure (a->text, SEAM_SIZE_AXIS, SEAM_BOLD);
        if (!a->is_mark)
          g_assert_cmpfloat (a->y, ==, layout->rows[__builtin_popcount ((unsigned)i)].y);
        g_assert_cmpfloat (text, <=, a->area.width + 1);
        g_assert_cmpfloat (a->side, <, a->area.width);
        g_assert_false (overlap (&a->area, &layout->key));
        g_assert_cmpfloat (a->area.x, >=, 60);
        for (int k = 0; k < i; k++) {
          const SeamLatticeNode *b = &layout->nodes[k];
          g_assert_false (overlap (&a->area, &b->area));
          if (a->y != b->y || a->is_mark != b->is_mark)
            continue;
          /* In a row, fast partitions are left of slow ones. */
          g_assert_cmpint (a->x < b->x, ==,
                           view->times_ns[i] < view->times_ns[k]
                               || (view->times_ns[i] == view->times_ns[k] && i < k));
          if (view->times_ns[i] < view->times_ns[k])
            g_assert_cmpfloat (a->side, <, b->side);
        }
      }
      g_assert_cmpfloat (layout->rows[0].y, >, layout->rows[layout->n_seams].y);
      g_assert_true (layout->nodes[layout->n_nodes - 1].is_best);
      g_assert_cmpfloat (layout->nodes[layout->n_nodes - 1].t, ==, 0);
      g_assert_cmpfloat (layout->nodes[0].t, ==, 1);
      seam_owner_free (layout);
    }
}

/* Some points are measured, one is impossible, one is wrong: nothing is drawn outside, and a hit
 * finds each. */
static void
test_states (void)
{
  static const double widths[] = { 400, 640, 1000, 1600 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      for (int n_measured = 0; n_measured <= 64; n_measured += 3) {
        g_autoptr (SeamSearch) search = make_search (pipelines[p], n_measured);
        g_autoptr (SeamExploreView) view = NULL;
        g_autoptr (SeamFigure) figure = NULL;
        SeamLatticeOptions options = { .width = widths[w], .height = 900 };
        SeamHit hit = { .kind = SEAM_HIT_NODE };

        search->points[1].state = SEAM_POINT_IMPOSSIBLE;
        search->points[2].n_failing = 3;
        view = seam_explore_view_new (search);
        figure = seam_lattice_figure_new (search, view, &options);
        ink_assert_inside (figure, "lattice");
        for (hit.index = 0; hit.index < search->n_points; hit.index++)
          ink_assert_pick (figure, &hit, "lattice");
        if (n_measured > 8)
          break;
      }
}

static void
test_pending (void)
{
  g_autoptr (SeamSearch) search = make_search ("21", 2);
  g_autoptr (SeamExploreView) view = NULL;
  SeamLatticeOptions options = { .width = 1400 };
  SeamLatticeLayout *layout;

  search->points[0].n_samples = 2;
  view = seam_explore_view_new (search);
  layout = seam_lattice_layout_new (search, view, &options);
  g_assert_cmpint (layout->nodes[3].state, ==, SEAM_NODE_PENDING);
  g_assert_cmpstr (layout->nodes[3].text, ==, "(1.20)"); /* 4 groups of 0.3 ms */
  g_assert_cmpstr (layout->nodes[0].text, ==, "9.00");
  g_assert_true (g_str_has_prefix (layout->best[0], "Best so far: 3.00 ms, all fused"));
  g_assert_nonnull (strstr (layout->best[1], "3.00× faster than unfused, 10.0× the floor"));
  /* Without intervals, two samples support no verdict. */
  g_assert_nonnull (strstr (layout->best[1], "not clearly ahead of unfused (9.00 ms)"));
  seam_owner_free (layout);
  /* Three samples on each side are enough if one plan takes three times as long. */
  search->points[0].n_samples = search->points[31].n_samples = 3;
  seam_owner_free (view);
  view = seam_explore_view_new (search);
  layout = seam_lattice_layout_new (search, view, &options);
  g_assert_null (strstr (layout->best[1], "not clearly"));
  seam_owner_free (layout);
}

static void
check_many (const SeamLatticeLayout *layout, gboolean show_all, int selected)
{
  int n_path = 0, n_chosen = 0;

  g_assert_cmpint (layout->n_shown, ==, show_all ? layout->n_nodes : layout->n_nodes / 4);
  for (int i = 0; i < layout->n_shown; i++) {
    const SeamLatticeNode *a = &layout->nodes[layout->order[i]];

    g_assert_cmpfloat (a->area.x, >=, 60);
    g_assert_cmpfloat (a->area.x + a->area.width, <=, layout->width);
    g_assert_cmpfloat (a->area.y + a->area.height, <=, layout->height);
    g_assert_false (overlap (&a->area, &layout->key));
    n_path += a->on_path;
    n_chosen += a->on_chosen;
    if (a->on_path || a->on_chosen || a->is_best)
      g_assert_false (a->is_mark || *a->text == '\0');
    for (int k = 0; k < i; k++) {
      const SeamLatticeNode *b = &layout->nodes[layout->order[k]];

      g_assert_false (overlap (&a->area, &b->area));
      g_assert_cmpfloat (hypot (a->x - b->x, a->y - b->y), >=, 23.9);
      /* The keyboard goes from the top row down. */
      g_assert_cmpint (__builtin_popcount (b->fused), >=, __builtin_popcount (a->fused));
    }
  }
  /* Six or seven of the seams can be fused, and plan B fuses three of them. */
  g_assert_cmpint (n_path, ==, layout->n_seams - 1);
  g_assert_cmpint (n_chosen, ==, layout->has_marks && selected > 0 ? 4 : 0);
}

/* Chains of 9 and 10 ops have 256 and 512 partitions: what cannot run is left out, and full rows
 * become marks that can still be clicked. */
static void
test_many (void)
{
  static const double widths[] = { 460, 800, 1100, 2600 };
  static const int chosen = 1 << 1 | 1 << 4 | 1 << 5;

  for (int n_ops = 9; n_ops <= 10; n_ops++) {
    g_autoptr (SeamSearch) search = make_long_search (n_ops);
    g_autoptr (SeamExploreView) view = seam_explore_view_new (search);

    g_assert_cmpint (view->best, ==, search->n_points - 1 - 1 - 4);
    for (guint w = 0; w < 2 * G_N_ELEMENTS (widths); w++) {
      SeamLatticeOptions options = { .width = widths[w / 2],
                                     .show_all = w % 2 == 1,
                                     .selected = w < 6 ? chosen : 0 };
      SeamLatticeLayout *layout = seam_lattice_layout_new (search, view, &options);

      check_many (layout, options.show_all, options.selected);
      g_assert_true (layout->has_marks || options.width > 1000);
      seam_owner_free (layout);
    }
    g_autoptr (SeamFigure) figure = seam_lattice_figure_new (
        search, view, &(SeamLatticeOptions){ .width = 800, .selected = chosen });
    SeamHit hit = { .kind = SEAM_HIT_NODE, .index = 3 };
    SeamRect rect;
    g_assert_false (seam_figure_locate (figure, &hit, &rect)); /* it is not shown */
    ink_assert_inside (figure, "long lattice");
    for (hit.index = 0; hit.index < search->n_points; hit.index++)
      if (!view->is_hidden[hit.index])
        ink_assert_pick (figure, &hit, "long lattice");
  }
}

/* Each reason once, though most partitions have both. */
static void
test_hidden (void)
{
  g_autoptr (SeamSearch) search = make_long_search (9), small = make_search ("21", 64);
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search), all = NULL;
  g_autofree char *hidden = seam_explore_describe_hidden (search, view), *split = NULL;
#define REASONS                                                                                    \
  "128 because The softmax needs a row; 128 because The matrix op fuses with nothing: cut the "    \
  "chain."

  g_assert_cmpstr (hidden, ==, "192 of 256 partitions cannot run here and are not shown: " REASONS);
  search->points[2].is_split = TRUE; /* on no path */
  search->points[view->best].is_split = TRUE;
  seam_owner_free (view);
  view = seam_explore_view_new (search);
  split = seam_explore_describe_hidden (search, view);
  g_assert_cmpstr (split, ==,
                   "193 of 256 partitions are not shown. In 1 a group runs in several launches "
                   "here. 192 cannot run here: " REASONS);
  g_assert_false (view->is_hidden[view->best]);
  /* A picture of few partitions shows the impossible ones, too. */
  small->points[3].state = SEAM_POINT_IMPOSSIBLE;
  all = seam_explore_view_new (small);
  g_assert_null (seam_explore_describe_hidden (small, all));
}

static void
test_words (void)
{
  g_autoptr (SeamSearch) search = make_search ("21", 64);
  g_autoptr (SeamExploreView) view = NULL;
  g_autofree char *node = NULL, *wrong = NULL, *worth = NULL, *summary = NULL;
  g_autofree char *alone = NULL, *no_rate = NULL, *nothing = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  SeamLatticeOptions options = { .width = 1400 };

  search->points[4].n_failing = 7;
  view = seam_explore_view_new (search);
  node = seam_lattice_describe_node (search, view, 31);
  g_assert_nonnull (strstr (
      node, "conv+conv_bias+bias+scale+sigmoid+groupnorm: 3.00 ms, 3.00× "
            "faster than unfused (unclear: no interval yet). Predicted about 300 µs (270 to "
            "360), 1.00 GB, "
            "1 kernel."));
  g_assert_nonnull (strstr (node, "Largest difference from unfused: 1.0×10⁻⁶."));
  wrong = seam_lattice_describe_node (search, view, 4);
  g_assert_nonnull (strstr (wrong, "7 elements are over their limit"));
  /* The wrong partition is in one of the 16 contexts. */
  worth = seam_lattice_describe_worth (search, view);
  g_assert_nonnull (strstr (worth, "Seam 5 (sigmoid | groupnorm) is worth most: fusing it saves "
                                   "1.40 ms in the mean of 15 contexts."));
  for (int i = 0; i < view->n_seams; i++)
    view->worth[i].n_contexts = 1;
  alone = seam_lattice_describe_worth (search, view);
  g_assert_nonnull (strstr (alone, "saves 1.40 ms in one context."));
  /* A value that is still unknown is left out, not written as a dash. */
  search->points[3].state = SEAM_POINT_PENDING;
  search->points[3].guess_ns = NAN;
  no_rate = seam_lattice_describe_node (search, view, 3);
  g_assert_nonnull (strstr (no_rate, ". Predicted 4.00 GB, 4 kernels."));
  search->points[3].bytes = NAN;
  nothing = seam_lattice_describe_node (search, view, 3);
  g_assert_true (g_str_has_suffix (nothing, ". Not predicted yet."));
  g_assert_null (strstr (nothing, "–"));
  figure = seam_lattice_figure_new (search, view, &options);
  summary = seam_figure_summarize (figure);
  g_assert_nonnull (strstr (summary, "Lattice of 32 partitions"));
}

static void
test_page (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamSearch) search = make_search (pipelines[p], 64);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamFigure) figure = seam_lattice_sheet_new (search, 1200, &error);

    g_assert_no_error (error);
    ink_assert_inside (figure, "lattice page");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/lattice/layout", test_layout);
  g_test_add_func ("/figure/lattice/states", test_states);
  g_test_add_func ("/figure/lattice/pending", test_pending);
  g_test_add_func ("/figure/lattice/many", test_many);
  g_test_add_func ("/figure/lattice/hidden", test_hidden);
  g_test_add_func ("/figure/lattice/words", test_words);
  g_test_add_func ("/figure/lattice/page", test_page);
  return g_test_run ();
}
