/* SPDX-License-Identifier: MIT
 *
 * Explorations on the CPU: every partition of every pipeline is right, stopping and resuming loses
 * no point, and files of another search are refused.
 */
#include "app/base/error.h"
#include "app/explore/explore.h"
#include "app/figure/lattice-figure.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamRunRequest *
make_request (const char *pipeline_name, double budget_s)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_name, &error);
  g_assert_no_error (error);
  SeamRunRequest *request = seam_run_request_new (pipeline);
  const SeamPreset *preset = seam_pipeline_get_preset (pipeline, "tiny", &error);

  g_assert_no_error (error);
  memcpy (request->values, preset->values, sizeof request->values);
  g_free (request->preset);
  request->preset = g_strdup ("tiny");
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE;
  request->settings.budget_s = budget_s;
  return request;
}

typedef struct {
  const SeamSearch *search;
  SeamCancel cancel;
  int stop_after; /* stops after so many fresh points; 0: never */
  int n_fresh;
  gboolean seen[64];
} Watch;

static void
watch_cb (const SeamSearchProgress *progress, gpointer data)
{
  Watch *watch = data;

  for (int i = 0; i < progress->n_fresh; i++) {
    g_assert_cmpint (progress->fresh[i], <, 64);
    /* Where a batch has raised the rates all points come, the others with a new prediction. */
    if (watch->search->points[progress->fresh[i]].state == SEAM_POINT_PENDING)
      continue;
    watch->n_fresh += !watch->seen[progress->fresh[i]];
    watch->seen[progress->fresh[i]] = TRUE;
  }
  if (watch->stop_after > 0 && watch->n_fresh >= watch->stop_after)
    seam_cancel_raise (&watch->cancel);
}

static SeamSearchEnd
run (SeamSearch *search, SeamRunner *runner, Watch *watch, const char *file)
{
  SeamSearchOptions options = {
    .cancel = &watch->cancel, .file = file, .progress = watch_cb, .data = watch
  };
  g_autoptr (GError) error = NULL;
  SeamSearchEnd end;

  g_assert_true (seam_search_predict (search, runner, &error));
  g_assert_no_error (error);
  watch->search = search;
  g_assert_true (seam_search_run (search, runner, &options, &end, &error));
  g_assert_no_error (error);
  return end;
}

/* A share of a budget is named only where it is enough. */
static void
see_needs (const SeamSearch *search)
{
  double needed_s = seam_search_get_needed_s (search);
  g_autofree char *enough = seam_search_describe_needs (search, 3 * needed_s);
  g_autofree char *little = seam_search_describe_needs (search, needed_s / 3);

  g_assert_nonnull (strstr (enough, " s for each"));
  g_assert_null (strstr (enough, "ends first"));
  g_assert_true (g_str_has_prefix (little, "all need about "));
  g_assert_true (g_str_has_suffix (little, " s ends first"));
}

/* By hand: eight points of at most 1 ms in batches of three, and the plan compared with twice more.
 * Each is executed 10 / 0.8 + 2 + 3 times, takes 2 ms to prepare and 11 ns for each of its 1,280
 * elements to compare; the shape takes 30 ns for each. A flush of a cache of 8 MB at 16 GB/s takes
 * 4 ms, the first one 24 ms more. */
static void
test_needed (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("conv-relu-bias", 1);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);

  g_assert_cmpint (search->n_points, ==, 8);
  g_assert_cmpint (search->max_batch, ==, 3);
  g_assert_true (isnan (seam_search_get_needed_s (search)));
  search->device = seam_device_info_new ("cpu");
  search->device->l2_bytes = 8000000;
  search->device->bytes_per_s = 16e9;
  for (int i = 0; i < 8; i++)
    search->points[i].guess_high_ns = 1e6;
  g_assert_cmpfloat_with_epsilon (seam_search_get_needed_s (search), 10 * .01951408 + 3.84e-5,
                                  1e-9);
  search->request->settings.cold = TRUE;
  g_assert_cmpfloat_with_epsilon (seam_search_get_needed_s (search), 10 * .08151408 + 3.84e-5,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (seam_search_get_first_s (search), .024, 1e-9);
  search->points[0].guess_high_ns = NAN;
  search->points[0].floor_ns = 5e5;
  search->points[1].state = SEAM_POINT_MEASURED;
  g_assert_cmpfloat_with_epsilon (seam_search_get_needed_s (search),
                                  6 * .08151408 + 3 * .07276408 + 3.84e-5, 1e-9);
}

static void
test_all_partitions (void)
{
  static const struct {
    const char *name;
    int n_nodes;
  } pipelines[] = { { "#1", 8 }, { "#76", 4 }, { "#37", 32 }, { "#21", 32 }, { "#57", 64 } };
  g_autoptr (SeamRunner) runner = seam_runner_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autoptr (SeamRunRequest) request = make_request (pipelines[i].name, 3600);
    g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
    Watch watch = { .search = search };
    SeamSearchOptions options = { .progress = watch_cb, .data = &watch };
    g_autoptr (GError) error = NULL;
    SeamSearchEnd end;

    g_assert_cmpint (search->n_points, ==, pipelines[i].n_nodes);
    g_assert_true (seam_search_predict (search, runner, &error));
    g_assert_true (seam_search_get_needed_s (search) > 0);
    see_needs (search);
    /* A budget for all points, with the least time for each batch. */
    search->request->settings.budget_s = .01 * search->n_points;
    do
      g_assert_true (seam_search_run (search, runner, &options, &end, &error));
    while (end == SEAM_SEARCH_BUDGET);
    g_assert_cmpint (end, ==, SEAM_SEARCH_DONE);
    g_assert_cmpint (watch.n_fresh, ==, pipelines[i].n_nodes);
    for (int mask = 0; mask < search->n_points; mask++) {
      const SeamPoint *point = &search->points[mask];
      g_assert_cmpint (point->state, ==, SEAM_POINT_MEASURED);
      g_assert_cmpuint (point->fused_seams, ==, (guint32)mask);
      g_assert_cmpfloat (point->median_ns, >, 0);
      g_assert_cmpfloat (point->against_ns, >, 0);
      g_assert_cmpfloat (point->full_rate_ns, >, 0);
      g_assert_cmpfloat (point->floor_ns, <=, point->median_ns);
      g_assert_cmpint (point->n_failing, ==, 0);
      g_assert_true (point->stable);
      g_assert_cmpfloat (point->max_error_ratio, <, 5e-5);
      g_assert_true (strstr (point->executed, "@cpu") != NULL
                     || strstr (point->executed, "@generated") != NULL);
      g_assert_cmpfloat (point->bytes, <=, search->points[0].bytes);
    }
    g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
    g_assert_cmpint (view->n_path, ==, view->n_seams + 1);
    g_assert_cmpint (view->best, >=, 0);
    g_assert_true (seam_explore_view_is_on_path (view, 0));
    g_assert_true (seam_explore_view_is_on_path (view, view->n_nodes - 1));
    for (int seam = 0; seam < view->n_seams; seam++) {
      g_assert_cmpint (view->worth[seam].n_contexts, ==, view->n_nodes / 2);
      g_assert_cmpfloat (view->traffic_ns[seam], >, 0);
    }
  }
}

/* A plan has one guess, in the table of plans and in an exploration, though another process
 * predicts the one than the other and has measured other rates. */
static void
test_guesses (void)
{
  static const char *const pipelines[] = { "#1", "#21", "#37", "#57", "#76" };

  for (gsize i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autoptr (SeamRunRequest) request = make_request (pipelines[i], 1);
    g_autoptr (SeamRunner) here = seam_runner_new (), there = seam_runner_new ();
    g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
    g_autoptr (SeamEstimate) estimate = NULL;
    SeamDeviceInfo *info = seam_runner_open (there, "cpu", NULL)->info;
    int n = 0;

    memcpy (request->values, seam_pipeline_get_preset (request->pipeline, "laptop", NULL)->values,
            sizeof request->values);
    for (int k = 0; k < search->n_points; k++)
      memcpy (search->points[k].values, request->values, sizeof request->values);
    g_strfreev (request->plans);
    request->plans = g_strsplit ("unfused published epilogue full", " ", -1);
    info->bytes_per_s *= 1.5;
    info->flop_fp32 *= .7;
    g_assert_true (seam_search_predict (search, here, NULL));
    g_assert_true (seam_runner_take_rates (there, "cpu", search->device, NULL));
    estimate = seam_runner_estimate (there, request, NULL);
    for (int p = 0; p < estimate->n_plans; p++)
      for (int k = 0; k < search->n_points; k++)
        if (g_strcmp0 (estimate->plans[p].notation, search->points[k].notation) == 0) {
          g_assert_cmpfloat (estimate->plans[p].guess_ns, ==, search->points[k].guess_ns);
          g_assert_cmpfloat (estimate->plans[p].guess_high_ns, ==, search->points[k].guess_high_ns);
          n++;
        }
    g_assert_cmpint (n, >=, 3); /* `epilogue` may name its implementation */
  }
}

/* What a run raises, the points of the search are predicted from at once. */
static void
test_renew (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#76", 1);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;
  double floor_ns, full_rate_ns, problem_ns;
  SeamDevice *device;

  g_assert_true (seam_search_predict (search, runner, &error));
  g_assert_no_error (error);
  g_assert_false (seam_search_renew (search, runner));
  floor_ns = search->points[0].floor_ns;
  full_rate_ns = search->points[0].full_rate_ns;
  problem_ns = search->ceiling.floor.floor_ns;
  search->points[1].state = SEAM_POINT_MEASURED;
  search->points[1].median_ns = 123;
  device = seam_runner_open (runner, "cpu", &error);
  device->info->bytes_per_s *= 2;
  device->info->flop_fp32 *= 2;
  device->info->flop_tf32 *= 2;
  g_assert_true (seam_search_renew (search, runner));
  g_assert_cmpfloat_with_epsilon (search->points[0].floor_ns, floor_ns / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (search->points[0].full_rate_ns, full_rate_ns / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (search->ceiling.floor.floor_ns, problem_ns / 2, 1e-6);
  g_assert_cmpfloat (search->device->bytes_per_s, ==, device->info->bytes_per_s);
  g_assert_cmpfloat (search->points[1].median_ns, ==, 123);
  g_assert_false (seam_search_renew (search, runner));
}

/* Nobody's time: medians by hand, also of the plan compared with, so that the drift is known. */
static void
test_drift (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#76", 1);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  double times_ns[4];
  gboolean is_fastest[4];

  for (int i = 0; i < 3; i++) {
    search->points[i].state = SEAM_POINT_MEASURED;
    search->points[i].median_ns = 100;
    search->points[i].against_ns = 100;
  }
  /* The machine was half as fast in the last batch. */
  search->points[2].median_ns = 120;
  search->points[2].against_ns = 200;
  seam_search_get_times (search, times_ns);
  g_assert_cmpfloat_with_epsilon (times_ns[0], 100, 1e-9);
  g_assert_cmpfloat_with_epsilon (times_ns[2], 60, 1e-9);
  g_assert_true (isnan (times_ns[3]));
  g_autofree char *drift = seam_search_describe_drift (search);
  g_assert_nonnull (strstr (drift, "took 100 ns to 200 ns"));
  search->points[2].against_ns = 100;
  g_assert_null (seam_search_describe_drift (search));
  search->points[2].against_ns = 200;
  seam_search_mark_fastest (search, is_fastest);
  g_assert_true (is_fastest[2] && !is_fastest[0] && !is_fastest[3]);
  /* A winner is clear where its interval ends below all others'. */
  g_autoptr (SeamExploreView) certain = NULL;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < 3; i++) {
      search->points[i].ci_low_ns = search->points[i].median_ns * (pass == 0 ? .9 : .5);
      search->points[i].ci_high_ns = search->points[i].median_ns * 1.1;
    }
    g_clear_pointer (&certain, seam_owner_free);
    certain = seam_explore_view_new (search);
    g_assert_cmpint (certain->best, ==, 2);
    g_assert_cmpint (certain->rival, ==, pass == 0 ? -1 : 0);
  }
  /* A wrong point wins nothing. */
  search->points[2].n_failing = 1;
  seam_search_mark_fastest (search, is_fastest);
  g_assert_false (is_fastest[2]);
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  g_assert_true (isnan (view->times_ns[2]));
  g_assert_cmpint (view->best, !=, 2);
}

/* When one point is ahead of another, with samples and without. */
static void
test_ahead (void)
{
  static const struct {
    double a_low, a_high, b_low, b_high; /* intervals of 100 and of b */
    int n_a, n_b;
    double b;
    gboolean ahead;
  } cases[] = {
    { 99, 101, 119, 121, 20, 20, 120, TRUE },
    { 99, 101, 100, 140, 20, 20, 120, FALSE },           /* the intervals touch */
    { 99.9, 100.1, 100.4, 100.6, 20, 20, 100.5, FALSE }, /* less than can be claimed */
    { 99, 101, NAN, NAN, 20, 3, 151, FALSE },            /* not 1.5 times the end of the interval */
    { 99, 101, NAN, NAN, 20, 3, 152, TRUE },
    { 99, 101, NAN, NAN, 20, 2, 500, FALSE }, /* two samples are too few */
    { NAN, NAN, 399, 401, 2, 20, 400, FALSE },
    { NAN, NAN, NAN, NAN, 3, 4, 149, FALSE },
    { NAN, NAN, NAN, NAN, 3, 4, 151, TRUE },
    { 99, 101, 79, 81, 20, 20, 80, FALSE },
    { 99, 101, NAN, NAN, 20, 20, NAN, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SeamPoint a, b;

    seam_record_init (&seam_point_type, &a);
    seam_record_init (&seam_point_type, &b);
    a.median_ns = 50; /* the machine drifted: half the time, and half the interval */
    a.ci_low_ns = cases[i].a_low / 2;
    a.ci_high_ns = cases[i].a_high / 2;
    a.n_samples = cases[i].n_a;
    b.median_ns = cases[i].b;
    b.ci_low_ns = cases[i].b_low;
    b.ci_high_ns = cases[i].b_high;
    b.n_samples = cases[i].n_b;
    g_test_message ("case %d", (int)i);
    g_assert_cmpint (seam_point_is_ahead (&a, 100, &b, b.median_ns), ==, cases[i].ahead);
  }
}

/* Times of four partitions in three batches, between which the machine became slower. Each has an
 * interval against the unfused plan of its batch, and all that is said of winners follows from
 * these; the numbers are computed with Python from the rule of the verdict. */
static void
test_verdicts (void)
{
  static const struct {
    double ns, against_ns, low, high;
  } times[] = { { 100, 100, 1, 1 },
                { 160, 200, 1.2, 1.3 },
                { 95, 100, .9, 1.2 },
                { 180, 300, 1.6, 1.7333333333333334 } };
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("gemm-bias-relu", 1);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_search_predict (search, runner, &error));
  for (int i = 0; i < 4; i++) {
    SeamPoint *point = &search->points[i];

    point->state = SEAM_POINT_MEASURED;
    point->median_ns = times[i].ns;
    point->ci_low_ns = .5 * times[i].ns; /* of the drift, which the proportion does not have */
    point->ci_high_ns = 2 * times[i].ns;
    point->against_ns = times[i].against_ns;
    point->ratio_low = times[i].low;
    point->ratio_high = times[i].high;
    point->n_samples = 20;
  }
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  g_autoptr (SeamVerdict) none = seam_search_judge (search, 0);
  g_autoptr (SeamVerdict) faster = seam_search_judge (search, 1);
  g_autoptr (SeamVerdict) unclear = seam_search_judge (search, 2);
  g_assert_null (none);
  g_assert_cmpint (faster->kind, ==, SEAM_VERDICT_FASTER);
  g_assert_cmpfloat_with_epsilon (faster->ratio, 1.25, 1e-12);
  g_assert_cmpfloat_with_epsilon (faster->ratio_low, 1.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (faster->ratio_high, 1.3, 1e-12);
  g_assert_cmpint (unclear->kind, ==, SEAM_VERDICT_UNCLEAR);
  g_assert_cmpint (view->best, ==, 3);
  g_assert_cmpint (view->rival, ==, -1); /* 1.33 times as fast as node 1, 1.26 to 1.41 */
  /* What the seams are worth: 27.5 ± 7.2 and 12.5 ± 7.2 per cent of the unfused time. */
  g_assert_cmpfloat_with_epsilon (view->worth[0].mean / view->times_ns[0], .275, 1e-12);
  g_assert_cmpfloat_with_epsilon (view->worth[1].mean / view->times_ns[0], .125, 1e-12);
  for (int seam = 0; seam < 2; seam++) {
    g_assert_cmpfloat_with_epsilon (view->worth[seam].half / view->times_ns[0], .0722760, 1e-6);
    g_assert_true (view->worth_is_clear[seam]);
  }
  g_autofree char *clear = seam_lattice_describe_worth (search, view);
  g_assert_true (g_str_has_prefix (
      clear, "Best: matmul+bias+relu, 1.67× faster than unfused (95 % interval 1.60× to 1.73×). "
             "Seam 1 (matmul | bias) is worth most: fusing it saves 41.2 ns in the mean of 2 "
             "contexts, 95 % interval 30.4 to 52.1 ns. Its traffic"));
  /* A wider interval, and little is clear. */
  search->points[3].ratio_low = 1.2;
  search->points[2].ratio_low = .6;
  g_clear_pointer (&view, seam_owner_free);
  view = seam_explore_view_new (search);
  g_assert_cmpint (view->rival, ==, 1);
  g_assert_false (view->worth_is_clear[1]);
  g_autofree char *doubted = seam_lattice_describe_worth (search, view);
  g_assert_true (g_str_has_prefix (
      doubted, "Best: matmul+bias+relu, 1.67× faster than unfused (95 % interval 1.20× to 1.73×), "
               "not clearly ahead of matmul+bias|relu (120 ns). Seam 1 (matmul | bias) is worth "
               "most: fusing it "
               "saves 41.2 ns in the mean of 2 contexts, 95 % interval 8.47 to 74.0 ns. That no "
               "other seam saves more is unclear. Its traffic"));
}

/* Both ends come first, then the neighbours of both, then the rest by predicted time. */
static void
test_order (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#57", 1);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;
  gboolean seen[64] = { FALSE };

  g_assert_true (seam_search_predict (search, runner, &error));
  g_assert_cmpint (search->n_points, ==, 64);
  g_assert_cmpint (search->order[0], ==, 0);
  g_assert_cmpint (search->order[1], ==, 63);
  for (int i = 0; i < 64; i++) {
    int fused = __builtin_popcount ((unsigned)search->order[i]);

    g_assert_false (seen[search->order[i]]);
    seen[search->order[i]] = TRUE;
    if (i >= 2 && i < 8)
      g_assert_cmpint (fused, ==, 5);
    else if (i >= 8 && i < 14)
      g_assert_cmpint (fused, ==, 1);
    else if (i > 14)
      g_assert_cmpfloat (search->points[search->order[i]].guess_ns, >=,
                         search->points[search->order[i - 1]].guess_ns);
  }
}

/* Preparing uses up the budget. Every point that was begun has enough samples for an interval all
 * the same; whether it has one depends on how much they follow each other. */
static void
test_overtime (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#57", 4);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  Watch watch = { 0 };

  run (search, runner, &watch, NULL);
  g_assert_cmpint (watch.n_fresh, >=, 3);
  for (int i = 0; i < search->n_points; i++)
    if (search->points[i].state == SEAM_POINT_MEASURED)
      g_assert_cmpint (search->points[i].n_samples, >=, SEAM_MEASURE_FIRST_ROUNDS);
}

static void
test_resume (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#37", 8);
  g_autoptr (SeamSearch) first = seam_explore_new (request, NULL);
  g_autoptr (SeamSearch) second = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("seam-explore-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "points.csv", NULL);
  Watch watch = { .stop_after = 5 };
  int n_measured;

  g_assert_cmpint (run (first, runner, &watch, file), ==, SEAM_SEARCH_STOPPED);
  n_measured = seam_search_count (first, SEAM_POINT_MEASURED);
  g_assert_cmpint (n_measured, >=, 5);
  g_assert_cmpint (n_measured, <, 32);
  g_assert_cmpint (first->points[0].state, ==, SEAM_POINT_MEASURED); /* both ends come first */
  g_assert_cmpint (first->points[31].state, ==, SEAM_POINT_MEASURED);

  /* Another process, which has only the file. */
  g_assert_true (seam_search_predict (second, runner, &error));
  g_assert_true (seam_search_merge_file (second, file, &error));
  g_assert_no_error (error);
  g_assert_cmpint (seam_search_count (second, SEAM_POINT_MEASURED), ==, n_measured);
  for (int i = 0; i < 32; i++) {
    const SeamPoint *a = &first->points[i], *b = &second->points[i];
    g_assert_cmpint (a->state, ==, b->state);
    if (a->state != SEAM_POINT_MEASURED)
      continue;
    g_assert_cmpfloat (a->median_ns, ==, b->median_ns);
    g_assert_cmpfloat (a->against_ns, ==, b->against_ns);
    g_assert_cmpint (a->n_samples, ==, b->n_samples);
    g_assert_cmpint (a->n_kernels, ==, b->n_kernels);
    g_assert_cmpfloat (a->max_error_ratio, ==, b->max_error_ratio);
    g_assert_cmpstr (a->executed, ==, b->executed);
    g_assert_cmpstr (a->measured_at, ==, b->measured_at);
  }
  Watch rest = { 0 };
  SeamSearchEnd end = run (second, runner, &rest, file);
  while (end == SEAM_SEARCH_BUDGET)
    end = run (second, runner, &rest, file);
  g_assert_cmpint (end, ==, SEAM_SEARCH_DONE);
  g_assert_cmpint (rest.n_fresh, ==, 32 - n_measured); /* no point twice, none left out */
  for (int i = 0; i < 32; i++)
    if (first->points[i].state == SEAM_POINT_MEASURED)
      g_assert_cmpfloat (first->points[i].median_ns, ==, second->points[i].median_ns);

  g_unlink (file);
  g_rmdir (folder);
}

static void
test_stopped_before (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#76", 2);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  Watch watch = { 0 };

  seam_cancel_raise (&watch.cancel);
  g_assert_cmpint (run (search, runner, &watch, NULL), ==, SEAM_SEARCH_STOPPED);
  g_assert_cmpint (seam_search_count (search, SEAM_POINT_PENDING), ==, 4);
}

static void
assert_not_merged (SeamSearch *search, const char *text, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (seam_search_merge_csv (search, text, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
  g_assert_cmpint (seam_search_count (search, SEAM_POINT_MEASURED), ==, 0);
}

static void
test_other_files (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamRunRequest) request = make_request ("#76", 2);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (seam_search_predict (search, runner, &error));
  search->points[1].state = SEAM_POINT_MEASURED;
  search->points[1].median_ns = 1;
  search->points[1].n_samples = 10;
  text = seam_search_to_rows (search, SEAM_ROWS_CSV);
  seam_search_free (g_steal_pointer (&search));

  request->settings.seed = 2;
  search = seam_explore_new (request, NULL);
  g_assert_true (seam_search_predict (search, runner, &error));
  assert_not_merged (search, text, "seed “1”");
  seam_search_free (g_steal_pointer (&search));
  request->settings.seed = 1;
  request->values[0]++;
  search = seam_explore_new (request, NULL);
  g_assert_true (seam_search_predict (search, runner, &error));
  assert_not_merged (search, text, "4 of its 4 points");
  assert_not_merged (search, "a,b\r\n1,2\r\n", "no column");
  assert_not_merged (search, "", "empty");
}

static void
test_variant (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#1", 2);
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (GError) error = NULL;
  SeamPoint *point = &search->points[5], read;

  point->state = SEAM_POINT_MEASURED;
  point->median_ns = 12.5;
  point->n_samples = 7;
  point->fused_seams = 5;
  point->executed = g_strdup ("x@cpu");
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_point_type, point, TRUE));
  g_assert_true (
      seam_record_from_variant (&seam_point_type, variant, "point", NULL, &read, &error));
  g_assert_no_error (error);
  g_assert_cmpint (read.state, ==, SEAM_POINT_MEASURED);
  g_assert_cmpfloat (read.median_ns, ==, 12.5);
  g_assert_true (isnan (read.ci_low_ns));
  g_assert_cmpuint (read.fused_seams, ==, 5);
  g_assert_cmpstr (read.plan, ==, point->plan);
  g_assert_cmpstr (read.executed, ==, "x@cpu");
  seam_record_clear (&seam_point_type, &read);

  g_autoptr (GVariant) bad = g_variant_ref_sink (g_variant_new_parsed ("{'state': <77>}"));
  g_assert_false (seam_record_from_variant (&seam_point_type, bad, "point", NULL, &read, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

/* If the remaining points need longer than the budget, the text says that the budget ends first. */
static void
test_time (void)
{
  SeamSearchProgress progress = { .elapsed_s = 12, .budget_s = 60, .expected_s = NAN };
  g_autofree char *unknown = seam_search_progress_describe_time (&progress), *enough = NULL;
  g_autofree char *more = NULL, *first = NULL;

  g_assert_cmpstr (unknown, ==, "12 of 60 s");
  progress.expected_s = 48;
  enough = seam_search_progress_describe_time (&progress);
  g_assert_cmpstr (enough, ==, "12 of 60 s, about 48 s more");
  progress.expected_s = 300;
  more = seam_search_progress_describe_time (&progress);
  g_assert_cmpstr (more, ==,
                   "12 of 60 s; all the rest would take about 300 s, so the budget ends first");
  progress.elapsed_s = 0.01;
  first = seam_search_progress_describe_time (&progress);
  g_assert_cmpstr (first, ==, "preparing…");
}

/* A time that is exact, such as what a seam leaves, has an interval of no width; ns * ns / ns may
 * round beside ns. Without an interval there is none. */
static void
test_exact (void)
{
  for (int i = 0; i < 1000; i++) {
    const double ns = 1e5 + i * 1234.567;
    SeamPoint all = { .median_ns = 2 * ns, .ci_low_ns = 1.99 * ns, .ci_high_ns = 2.01 * ns };
    SeamPoint left = { .median_ns = ns, .ci_low_ns = ns, .ci_high_ns = ns };
    g_autoptr (SeamVerdict) verdict = seam_point_judge (&all, 2 * ns, &left, ns);

    g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_FASTER);
    left.ci_low_ns = left.ci_high_ns = NAN;
    g_assert_true (isnan (seam_point_get_half (&left, ns)));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explore/needed", test_needed);
  g_test_add_func ("/explore/all-partitions", test_all_partitions);
  g_test_add_func ("/explore/guesses", test_guesses);
  g_test_add_func ("/explore/renew", test_renew);
  g_test_add_func ("/explore/drift", test_drift);
  g_test_add_func ("/explore/time", test_time);
  g_test_add_func ("/explore/resume", test_resume);
  g_test_add_func ("/explore/ahead", test_ahead);
  g_test_add_func ("/explore/verdicts", test_verdicts);
  g_test_add_func ("/explore/exact", test_exact);
  g_test_add_func ("/explore/order", test_order);
  g_test_add_func ("/explore/overtime", test_overtime);
  g_test_add_func ("/explore/stopped-before", test_stopped_before);
  g_test_add_func ("/explore/other-files", test_other_files);
  g_test_add_func ("/explore/variant", test_variant);
  return g_test_run ();
}
