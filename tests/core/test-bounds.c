/* SPDX-License-Identifier: MIT
 *
 * One set of bounds: estimate, ceiling, exploration, sweep, roofline and summary give the same
 * numbers for every pipeline, shape and plan, at the device's rates, and contradict neither
 * themselves nor each other.
 */
#include "app/base/text.h"
#include "app/explain/bounds.h"
#include "app/explain/roofline.h"
#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/figure/ceiling-figure.h"
#include "app/figure/lattice-figure.h"
#include "app/report/partitions.h"
#include "app/report/search-tables.h"
#include "app/report/summary.h"
#include "app/result/calibration.h"
#include "app/runner/run-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamRunner *runner;
static SeamDevice *device;

/* a slow memory with a large cache, and a fast one without a cache */
static const struct {
  double bytes_per_s, flop_per_s;
  guint64 cache_bytes;
} machines[] = {
  { 10.3e9, 82e9, 32 << 20 },
  { 4.3e12, 67e9, 0 },
  { 131e9, 5e12, 1 << 20 },
};

static void
choose_machine (gsize i)
{
  SeamDeviceInfo *infos[] = { device->info, device->uncalibrated };

  for (gsize k = 0; k < G_N_ELEMENTS (infos); k++) {
    infos[k]->bytes_per_s = machines[i].bytes_per_s;
    infos[k]->flop_fp32 = infos[k]->flop_tf32 = machines[i].flop_per_s;
    infos[k]->l2_bytes = machines[i].cache_bytes;
  }
}

static SeamRunRequest *
make_request (SeamPipeline *pipeline, const SeamPreset *preset, gboolean cold)
{
  SeamRunRequest *request = seam_run_request_new (pipeline);

  memcpy (request->values, preset->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.cold = cold;
  request->settings.budget_s = .05;
  return request;
}

static void
check_same (const SeamPoint *point, const SeamPlanEstimate *plan)
{
  g_assert_cmpfloat (point->floor_ns, ==, plan->floor_ns);
  g_assert_cmpfloat (point->full_rate_ns, ==, plan->full_rate_ns);
  g_assert_cmpfloat (point->guess_ns, ==, plan->guess_ns);
  g_assert_cmpfloat (plan->guess_low_ns, >=, plan->floor_ns);
  g_assert_cmpfloat (point->bytes, ==, plan->bytes);
}

/* Checks that every page's table has the known values of the points. */
static void
check_tables (const SeamSearch *search)
{
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  g_autoptr (SeamTable) table = seam_partitions_table_make (search, view, NULL, search->n_points);

  for (int i = 0; i < search->n_points; i++) {
    SeamTableRow *row = (gpointer)seam_table_get_row (table, i);
    const SeamPoint *point = &search->points[i];
    g_autofree char *words = seam_lattice_describe_node (search, view, i);
    g_autofree char *floor = seam_text_time (point->floor_ns);

    g_assert_cmpfloat (seam_table_get_cell (table, row, "floor")->value, ==, point->floor_ns);
    g_assert_cmpfloat (seam_table_get_cell (table, row, "guess")->value, ==, point->guess_ns);
    g_assert_nonnull (strstr (words, floor));
  }
}

/* Checks every partition at the request's shape. */
static void
check_exploration (const SeamRunRequest *request, const SeamProblem *problem)
{
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (SeamEstimate) estimate = NULL;
  g_autoptr (GError) error = NULL;
  SeamRunRequest all = *request;
  char *plans[SEAM_RUN_MAX_PLANS + 1] = { NULL };
  int n = MIN (search->n_points, SEAM_RUN_MAX_PLANS);

  g_assert_true (seam_search_predict (search, runner, &error));
  g_assert_no_error (error);
  for (int i = 0; i < n; i++)
    plans[i] = search->points[i].plan;
  all.plans = plans;
  estimate = seam_run_estimate (device, &all, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (search->ceiling.floor.floor_ns, ==, estimate->ceiling.floor.floor_ns);
  for (int i = 0; i < n; i++) {
    g_autoptr (SeamPlan) plan =
        seam_plan_parse (problem->pipeline, estimate->plans[i].notation, NULL);
    SeamPlanLimit limit;

    check_same (&search->points[i], &estimate->plans[i]);
    seam_plan_limit (problem, plan, &estimate->rates, &limit);
    g_assert_cmpfloat (limit.floor_ns, ==, estimate->plans[i].floor_ns);
    /* The bounds on what fusion can save are consistent for this plan, too. */
    g_assert_cmpfloat (limit.floor_ns, >=, estimate->ceiling.floor.floor_ns);
    g_assert_cmpfloat (limit.floor_ns, <=, limit.full_rate_ns * (1 + 1e-12));
    g_assert_cmpfloat (limit.bytes, >=, estimate->ceiling.floor.bytes);
    g_assert_cmpfloat (limit.bytes, <=,
                       estimate->ceiling.gain_bytes * estimate->ceiling.floor.bytes * (1 + 1e-12));
  }
  check_tables (search);
}

static void
check_sweep (const SeamRunRequest *request, const SeamEstimate *estimate)
{
  const SeamPipeline *pipeline = request->pipeline;
  g_autofree char *vary =
      g_strdup_printf ("%s=%" G_GINT64_FORMAT, pipeline->fields[0].key, request->values[0]);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSearch) search = seam_sweep_new_from_texts (request, vary, NULL, &error);
  g_autoptr (SeamTable) table = NULL;

  g_assert_no_error (error);
  g_assert_true (seam_search_predict (search, runner, &error));
  g_assert_no_error (error);
  g_assert_cmpint (search->n_points, ==, estimate->n_plans);
  table = seam_points_table_make (search->sweep);
  for (int i = 0; i < search->n_points; i++) {
    SeamTableRow *row = (gpointer)seam_table_get_row (table, i);

    check_same (&search->points[i], &estimate->plans[i]);
    g_assert_cmpfloat (seam_table_get_cell (table, row, "floor")->value, ==,
                       estimate->plans[i].floor_ns);
    g_assert_cmpfloat (seam_table_get_cell (table, row, "guess")->value, ==,
                       estimate->plans[i].guess_ns);
  }
}

static void
test_known_before (void)
{
  g_autoptr (GPtrArray) list = seam_pipeline_list (NULL);

  for (guint p = 0; p < list->len; p++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, p);

    for (int s = 0; s < pipeline->n_presets; s++)
      for (gsize m = 0; m < 2 * G_N_ELEMENTS (machines); m++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (SeamRunRequest) request =
            make_request (pipeline, &pipeline->presets[s], m % 2 == 0);
        g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, &error);
        g_autoptr (SeamEstimate) estimate = NULL;
        g_autofree char *words = NULL, *floor = NULL;

        choose_machine (m / 2);
        g_assert_no_error (error);
        estimate = seam_run_estimate (device, request, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpfloat (estimate->floor.floor_ns, ==, estimate->ceiling.floor.floor_ns);
        words = seam_ceiling_describe (&estimate->ceiling, NULL);
        floor = seam_text_time (estimate->floor.floor_ns);
        g_assert_nonnull (strstr (words, floor));
        g_assert_null (strstr (words, "in time"));
        check_exploration (request, problem);
        check_sweep (request, estimate);
      }
  }
}

/* --- of a run --- */

static void
check_roofline (const SeamResult *result, const SeamRates *rates)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRoofline) roofline = seam_roofline_new (result, 0, 1, &error);
  int n_in_force = 0;

  g_assert_no_error (error);
  for (int i = 0; i < roofline->n_bounds; i++) {
    const SeamRooflineBound *bound = &roofline->bounds[i];

    if (!bound->in_force || bound->is_cache)
      continue;
    n_in_force++;
    g_assert_cmpfloat (bound->rate, ==,
                       bound->kind == SEAM_BOUND_MEMORY ? rates->bytes_per_s : rates->flop_per_s);
  }
  g_assert_cmpint (n_in_force, ==, 2);
}

static void
check_summary (const SeamResult *result)
{
  SeamSummarySides sides;
  g_autoptr (SeamSummary) summary = NULL;
  g_autofree char *number = NULL;

  seam_summary_sides_init (&sides, result, 0, 1);
  summary = seam_summary_new (&sides);
  for (int i = 0; i < summary->n_facts; i++)
    if (summary->facts[i].kind == SEAM_FACT_FLOOR) {
      SeamUnit unit = seam_unit_for_time (
          result->floor_ns > fmax (result->plans[0].median_ns, result->plans[1].median_ns) / 1000
              ? fmax (result->plans[0].median_ns, result->plans[1].median_ns)
              : result->floor_ns);
      number = seam_text_significant (result->floor_ns / unit.scale, 3);
      g_assert_true (g_str_has_prefix (summary->facts[i].value, number));
    }
  g_assert_nonnull (number);
}

/* The bounds before the next run are those that the last run stated, even if it raised rates. */
static void
test_run (void)
{
  g_autoptr (GPtrArray) list = seam_pipeline_list (NULL);

  for (guint p = 0; p < list->len; p++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, p);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamRunRequest) request = make_request (pipeline, &pipeline->presets[0], TRUE);
    g_autoptr (SeamEstimate) after = NULL;
    g_autoptr (SeamResult) result = NULL;
    g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, NULL);
    SeamRates rates;

    choose_machine (p % G_N_ELEMENTS (machines));
    result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    after = seam_run_estimate (device, request, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (result->floor_ns, ==, after->floor.floor_ns);
    g_assert_true (seam_bounds_get_rates (result, problem, &rates));
    g_assert_cmpfloat (rates.bytes_per_s, ==, after->rates.bytes_per_s);
    g_assert_cmpfloat (rates.flop_per_s, ==, after->rates.flop_per_s);
    for (int i = 0; i < result->n_plans; i++)
      g_assert_cmpfloat (after->plans[i].floor_ns, <=, result->plans[i].median_ns);
    check_roofline (result, &rates);
    check_summary (result);
  }
}

/* A result of an older version, which lowered the floor to its fastest plan. */
static void
test_lowered (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-bias", &error);
  g_autoptr (SeamRunRequest) request =
      make_request (pipeline, seam_pipeline_get_preset (pipeline, "tiny", NULL), TRUE);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, &error);
  g_autoptr (SeamResult) result = NULL;
  SeamRates rates;
  SeamCeiling ceiling;

  choose_machine (0);
  result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  result->floor_ns /= 1.07;
  g_assert_true (seam_bounds_get_rates (result, problem, &rates));
  seam_ceiling (problem, &rates, &ceiling);
  g_assert_cmpfloat_with_epsilon (ceiling.floor.floor_ns, result->floor_ns,
                                  1e-9 * result->floor_ns);
  check_roofline (result, &rates);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-bounds-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL;
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  runner = seam_runner_new ();
  device = seam_runner_open (runner, "cpu", &error);
  g_assert_no_error (error);
  kept = seam_calibration_get_path (device->info->identity);
  g_test_add_func ("/bounds/known-before", test_known_before);
  g_test_add_func ("/bounds/run", test_run);
  g_test_add_func ("/bounds/lowered", test_lowered);
  status = g_test_run ();
  seam_runner_free (runner);
  g_unlink (kept);
  for (int i = 0; i < 3; i++) {
    g_autofree char *parent = g_path_get_dirname (kept);
    g_rmdir (parent);
    g_free (g_steal_pointer (&kept));
    kept = g_steal_pointer (&parent);
  }
  return status;
}
