/* SPDX-License-Identifier: MIT
 *
 * Explorations and sweeps in sessions: they come back unchanged, and damaged ones are refused in
 * words.
 */
#include "app/base/error.h"
#include "app/explore/explore.h"
#include "app/explore/search-store.h"
#include "app/session/session.h"

#include <math.h>
#include <string.h>

static SeamRunRequest *
make_request (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#1", &error);
  const SeamPreset *preset = seam_pipeline_get_preset (pipeline, "tiny", &error);
  SeamRunRequest *request;

  g_assert_no_error (error);
  request = seam_run_request_new (pipeline);
  memcpy (request->values, preset->values, sizeof request->values);
  request->target = g_strdup ("cuda:0");
  request->settings.seed = G_MAXUINT64;
  return request;
}

/* Makes a search look measured, with every kind of point and with unknown numbers. */
static void
fill (SeamSearch *search)
{
  search->device = seam_device_info_new ("cuda:0");
  search->device->name = g_strdup ("Synthetic device");
  search->device->bytes_per_s = 4e12;
  search->math_mode = SEAM_MATH_TF32;
  search->floor_source = g_strdup ("data sheet");
  search->ceiling.floor.floor_ns = 12345.5;
  for (int i = 0; i < search->n_points; i++) {
    SeamPoint *point = &search->points[i];

    point->notation = g_strdup (point->plan);
    point->fused_seams = (guint32)i;
    point->bytes = 1e6 / (i + 1);
    point->state = (SeamPointState)(i % SEAM_N_POINT_STATES);
    if (point->state != SEAM_POINT_MEASURED) {
      point->message = g_strdup (point->state == SEAM_POINT_PENDING ? NULL : "no “room”");
      continue;
    }
    point->median_ns = 1000.25 * (i + 1);
    point->ci_low_ns = point->median_ns * .99;
    point->ci_high_ns = i % 2 == 0 ? NAN : point->median_ns * 1.01;
    point->n_samples = 20 + i;
    point->against_ns = 5000;
    point->n_kernels = i;
    point->max_abs = 0;
    point->foreign_load = i == 1 ? 0.43 : 0.02;
    point->n_failing = i == 1 ? 3 : 0;
    point->measured_at = g_strdup_printf ("2026-11-21T12:00:%02dZ", i);
  }
}

static SeamSession *
round_trip (const SeamSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = seam_session_to_bytes (session, &error);
  SeamSession *again;

  g_assert_no_error (error);
  again = seam_session_from_bytes (bytes, "again", &error);
  g_assert_no_error (error);
  g_assert_false (seam_session_is_partial (again));
  return again;
}

/* The load is in the sentence, in the provenance line and in the table. */
static void
assert_says_load (const SeamSearch *search, const char *words)
{
  g_autofree char *sentence = seam_search_describe_load (search);
  g_autofree char *line = seam_search_get_provenance (search);
  g_autofree char *csv = seam_search_to_rows (search, SEAM_ROWS_CSV);

  g_assert_nonnull (strstr (sentence, words));
  g_assert_nonnull (strstr (line, " · other programs up to 43 % · "));
  g_assert_nonnull (strstr (csv, ",foreign_load,guess_ns,"));
  g_assert_nonnull (strstr (csv, ",0.43,"));
}

/* A point has the load of the run that measured it; a quiet machine needs no words. */
static void
test_load (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (SeamResult) result = seam_result_new (1);
  g_autofree char *quiet = NULL, *busy = NULL;

  result->plans[0].n_samples = 1;
  result->foreign_load = 0.09;
  seam_point_measure (&search->points[0], result, 0, 0);
  quiet = seam_search_describe_load (search);
  g_assert_null (quiet);
  result->foreign_load = 0.25;
  seam_point_measure (&search->points[0], result, 0, 0);
  busy = seam_search_describe_load (search);
  g_assert_true (g_str_has_prefix (busy, "Other programs used up to 25 % of"));
}

static void
test_explore (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);
  g_autoptr (SeamSession) session = seam_session_new ();

  fill (search);
  seam_session_add_search (session, seam_search_store (search), "a note");
  g_autoptr (SeamSession) again = round_trip (session);
  g_assert_cmpint (seam_session_get_n_runs (again), ==, 0);
  g_assert_cmpint (seam_session_get_searches (again)->len, ==, 1);
  SeamSessionSearch *kept = g_ptr_array_index (seam_session_get_searches (again), 0);
  g_assert_cmpstr (seam_session_search_get_note (kept), ==, "a note");
  g_assert_cmpint (seam_session_search_get_kind (kept), ==, SEAM_SEARCH_EXPLORE);
  g_autofree char *line = seam_session_search_describe (kept);
  g_assert_cmpstr (line, ==,
                   "exploration of conv-relu-bias, TF32, 2 partitions measured, "
                   "2026-11-21T12:00:05Z, a note");
  GVariant *content = seam_session_search_get_content (kept, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSearch) back = seam_search_restore (content, &error);
  g_assert_no_error (error);
  g_autofree char *before = seam_search_to_rows (search, SEAM_ROWS_CSV),
                  *after = seam_search_to_rows (back, SEAM_ROWS_CSV);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpfloat (back->ceiling.floor.floor_ns, ==, 12345.5);
  g_assert_cmpfloat (back->device->bytes_per_s, ==, 4e12);
  g_assert_cmpuint (back->request->settings.seed, ==, G_MAXUINT64);
  g_assert_true (isnan (back->points[0].median_ns));
  g_assert_true (isnan (back->points[0].foreign_load));
  g_assert_cmpfloat (back->points[1].foreign_load, ==, 0.43);
  assert_says_load (back, "up to 43 % of the processor’s time while 1 of");
  /* The order of members and unknown members do not matter. */
  g_autoptr (GVariant) stored = g_variant_ref_sink (seam_search_store (search));
  g_assert_true (seam_session_search_holds (kept, stored));
  search->points[0].median_ns = 1;
  g_autoptr (GVariant) other = g_variant_ref_sink (seam_search_store (search));
  g_assert_false (seam_session_search_holds (kept, other));
  /* A search that was resumed replaces its earlier state. */
  g_autoptr (SeamSession) longer = seam_session_extend (again);
  seam_session_put_search (longer, other, NULL);
  g_assert_cmpint (seam_session_get_searches (longer)->len, ==, 1);
  g_assert_cmpint (back->kind, ==, SEAM_SEARCH_EXPLORE);
  g_assert_null (back->sweep);
}

static void
test_sweep (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request ();
  SeamSweepAxis axes[2];
  g_autoptr (SeamSession) session = seam_session_new ();

  g_assert_true (
      seam_sweep_axis_parse (request->pipeline, "height+width=16,24,40", &axes[0], &error));
  g_assert_true (seam_sweep_axis_parse (request->pipeline, "batch=1:8:log2", &axes[1], &error));
  g_autoptr (SeamSearch) search = seam_sweep_new (request, axes, 2, &error);
  g_assert_no_error (error);
  fill (search);
  seam_session_add_search (session, seam_search_store (search), NULL);
  g_autoptr (SeamSession) again = round_trip (session);
  SeamSessionSearch *kept = g_ptr_array_index (seam_session_get_searches (again), 0);
  g_autoptr (SeamSearch) back =
      seam_search_restore (seam_session_search_get_content (kept, NULL), &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->sweep->n_axes, ==, 2);
  g_assert_cmpstr (back->sweep->axes[0].label, ==, "height+width");
  g_assert_cmpint (back->sweep->axes[1].values[3], ==, 8);
  g_assert_cmpint (back->n_points, ==, 3 * 4 * 2);
  g_autofree char *before = seam_search_to_rows (search, SEAM_ROWS_CSV);
  g_autofree char *after = seam_search_to_rows (back, SEAM_ROWS_CSV);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (seam_session_search_get_kind (kept), ==, SEAM_SEARCH_SWEEP);
}

/* Removes member `key`, or replaces it by `value`. */
static void
assert_refused (GVariant *stored, const char *key, GVariant *value, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariantDict) dict = g_variant_dict_new (stored);
  g_autoptr (GVariant) damaged = NULL;

  if (value == NULL)
    g_variant_dict_remove (dict, key);
  else
    g_variant_dict_insert_value (dict, key, value);
  damaged = g_variant_ref_sink (g_variant_dict_end (dict));
  g_assert_null (seam_search_restore (damaged, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
}

static void
test_damaged (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSearch) search = seam_explore_new (request, NULL);

  fill (search);
  g_autoptr (GVariant) stored = g_variant_ref_sink (seam_search_store (search));
  assert_refused (stored, "kind", NULL, "no result of explore or sweep");
  assert_refused (stored, "kind", g_variant_new_string ("run"), "no result of explore or sweep");
  assert_refused (stored, "kind", g_variant_new_string ("sweep"), "not say what it varies");
  assert_refused (stored, "request", NULL, "says not what was asked");
  assert_refused (stored, "request", g_variant_new ("a{sv}", NULL), "pipeline");
  assert_refused (stored, "device", NULL, "neither device nor math mode");
  assert_refused (stored, "points", NULL, "0 points");
  g_autoptr (GVariant) text = g_variant_ref_sink (g_variant_new_string ("text"));
  g_autoptr (GError) error = NULL;
  g_assert_null (seam_search_restore (text, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  /* Points of another search. */
  g_autofree char *plan = g_steal_pointer (&search->points[1].plan);
  search->points[1].plan = g_strdup ("conv+conv_bias+relu+bias");
  g_autoptr (GVariant) foreign = g_variant_ref_sink (seam_search_store (search));
  assert_refused (foreign, "note", NULL, "not its own");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search-store/explore", test_explore);
  g_test_add_func ("/search-store/sweep", test_sweep);
  g_test_add_func ("/search-store/damaged", test_damaged);
  g_test_add_func ("/search-store/load", test_load);
  return g_test_run ();
}
