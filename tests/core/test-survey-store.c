/* SPDX-License-Identifier: MIT
 *
 * Explorations and sweeps in sessions: what comes back is what went in, and what is damaged is
 * refused in words.
 */
#include "app/base/error.h"
#include "app/explore/explore.h"
#include "app/explore/survey-store.h"
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

/* As if it had been measured: every kind of point, and numbers that are unknown. */
static void
fill (SeamSurvey *survey)
{
  survey->device = seam_device_info_new ("cuda:0");
  survey->device->name = g_strdup ("Synthetic device");
  survey->device->bytes_per_s = 4e12;
  survey->math_mode = SEAM_MATH_TF32;
  survey->floor_source = g_strdup ("data sheet");
  survey->ceiling.floor.floor_ns = 12345.5;
  for (int i = 0; i < survey->n_points; i++) {
    SeamPoint *point = &survey->points[i];

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
    point->reference_ns = 5000;
    point->n_kernels = i;
    point->max_abs = 0;
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

static void
test_explore (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSurvey) survey = seam_explore_new (request);
  g_autoptr (SeamSession) session = seam_session_new ();

  fill (survey);
  seam_session_add_survey (session, seam_survey_store (survey), "a note");
  g_autoptr (SeamSession) again = round_trip (session);
  g_assert_cmpint (seam_session_get_n_runs (again), ==, 0);
  g_assert_cmpint (seam_session_get_surveys (again)->len, ==, 1);
  SeamSessionSurvey *kept = g_ptr_array_index (seam_session_get_surveys (again), 0);
  g_assert_cmpstr (seam_session_survey_get_note (kept), ==, "a note");
  g_assert_cmpint (seam_session_survey_get_kind (kept), ==, SEAM_SURVEY_EXPLORE);
  g_autofree char *line = seam_session_survey_describe (kept);
  g_assert_cmpstr (line, ==,
                   "exploration of conv-relu-bias, TF32, 2 partitions measured, "
                   "2026-11-21T12:00:05Z, a note");
  GVariant *content = seam_session_survey_get_content (kept, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSurvey) back = seam_survey_restore (content, &error);
  g_assert_no_error (error);
  g_autofree char *before = seam_survey_to_csv (survey), *after = seam_survey_to_csv (back);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpfloat (back->ceiling.floor.floor_ns, ==, 12345.5);
  g_assert_cmpfloat (back->device->bytes_per_s, ==, 4e12);
  g_assert_cmpuint (back->request->settings.seed, ==, G_MAXUINT64);
  g_assert_true (isnan (back->points[0].median_ns));
  /* The order of members and what is unknown do not matter. */
  g_autoptr (GVariant) stored = g_variant_ref_sink (seam_survey_store (survey));
  g_assert_true (seam_session_survey_holds (kept, stored));
  survey->points[0].median_ns = 1;
  g_autoptr (GVariant) other = g_variant_ref_sink (seam_survey_store (survey));
  g_assert_false (seam_session_survey_holds (kept, other));
  /* One that went on takes the place of what it was. */
  g_autoptr (SeamSession) longer = seam_session_extend (again);
  seam_session_put_survey (longer, other, NULL);
  g_assert_cmpint (seam_session_get_surveys (longer)->len, ==, 1);
  g_assert_cmpint (back->kind, ==, SEAM_SURVEY_EXPLORE);
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
  g_autoptr (SeamSurvey) survey = seam_sweep_new (request, axes, 2, &error);
  g_assert_no_error (error);
  fill (survey);
  seam_session_add_survey (session, seam_survey_store (survey), NULL);
  g_autoptr (SeamSession) again = round_trip (session);
  SeamSessionSurvey *kept = g_ptr_array_index (seam_session_get_surveys (again), 0);
  g_autoptr (SeamSurvey) back =
      seam_survey_restore (seam_session_survey_get_content (kept, NULL), &error);
  g_assert_no_error (error);
  g_assert_cmpint (back->sweep->n_axes, ==, 2);
  g_assert_cmpstr (back->sweep->axes[0].label, ==, "height+width");
  g_assert_cmpint (back->sweep->axes[1].values[3], ==, 8);
  g_assert_cmpint (back->n_points, ==, 3 * 4 * 2);
  g_autofree char *before = seam_survey_to_csv (survey);
  g_autofree char *after = seam_survey_to_csv (back);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (seam_session_survey_get_kind (kept), ==, SEAM_SURVEY_SWEEP);
}

/* `key` is left out, or replaced by `value`. */
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
  g_assert_null (seam_survey_restore (damaged, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
}

static void
test_damaged (void)
{
  g_autoptr (SeamRunRequest) request = make_request ();
  g_autoptr (SeamSurvey) survey = seam_explore_new (request);

  fill (survey);
  g_autoptr (GVariant) stored = g_variant_ref_sink (seam_survey_store (survey));
  assert_refused (stored, "kind", NULL, "no result of explore or sweep");
  assert_refused (stored, "kind", g_variant_new_string ("run"), "no result of explore or sweep");
  assert_refused (stored, "kind", g_variant_new_string ("sweep"), "not say what it varies");
  assert_refused (stored, "request", NULL, "says not what was asked");
  assert_refused (stored, "request", g_variant_new ("a{sv}", NULL), "pipeline");
  assert_refused (stored, "device", NULL, "neither device nor math mode");
  assert_refused (stored, "points", NULL, "0 points");
  g_autoptr (GVariant) text = g_variant_ref_sink (g_variant_new_string ("text"));
  g_autoptr (GError) error = NULL;
  g_assert_null (seam_survey_restore (text, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  /* Points of another survey. */
  g_autofree char *plan = g_steal_pointer (&survey->points[1].plan);
  survey->points[1].plan = g_strdup ("conv+conv_bias+relu+bias");
  g_autoptr (GVariant) foreign = g_variant_ref_sink (seam_survey_store (survey));
  assert_refused (foreign, "note", NULL, "not its own");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/survey-store/explore", test_explore);
  g_test_add_func ("/survey-store/sweep", test_sweep);
  g_test_add_func ("/survey-store/damaged", test_damaged);
  return g_test_run ();
}
