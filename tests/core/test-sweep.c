/* SPDX-License-Identifier: MIT
 *
 * Sweeps: what directions mean, which ones are refused, and a sweep on the CPU that is stopped and
 * resumed without losing a point.
 */
#include "app/base/error.h"
#include "app/explore/sweep.h"

#include <math.h>
#include <string.h>

static SeamRunRequest *
make_request (const char *pipeline_name, const char *plans)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_name, &error);
  g_assert_no_error (error);
  SeamRunRequest *request = seam_run_request_new (pipeline);
  const SeamPreset *preset = seam_pipeline_get_preset (pipeline, "tiny", &error);

  memcpy (request->values, preset->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE;
  request->settings.budget_s = 2;
  return request;
}

static void
assert_axis (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#57", &error);
  g_autoptr (GString) found = g_string_new (NULL);
  SeamSweepAxis axis;

  g_assert_true (seam_sweep_axis_parse (pipeline, text, &axis, &error));
  g_assert_no_error (error);
  for (int i = 0; i < axis.n_values; i++)
    g_string_append_printf (found, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", axis.values[i]);
  g_assert_cmpstr (found->str, ==, expected);
  seam_sweep_axis_clear (&axis);
}

static void
assert_no_axis (const char *text, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#57", NULL);
  SeamSweepAxis axis;

  g_assert_false (seam_sweep_axis_parse (pipeline, text, &axis, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
}

static void
test_axes (void)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#57", NULL);
  SeamSweepAxis axis;

  assert_axis ("batch=1:128:log2", "1,2,4,8,16,32,64,128");
  assert_axis ("batch=3:100:log10", "3,30");
  assert_axis ("width=32:256:64", "32,96,160,224");
  assert_axis ("width=32:34", "32,33,34");
  assert_axis ("batch=9,1,3", "1,3,9");
  assert_axis ("batch=7", "7");
  assert_axis ("batch=1000000:1000000:log2", "1000000");
  g_assert_true (seam_sweep_axis_parse (pipeline, "height+width=8,16", &axis, NULL));
  g_assert_cmpint (axis.n_fields, ==, 2);
  g_assert_cmpstr (axis.label, ==, "height+width");
  seam_sweep_axis_clear (&axis);

  assert_no_axis ("batch", "FIELD=FIRST:LAST:STEP");
  assert_no_axis ("=1,2", "FIELD=FIRST:LAST:STEP");
  assert_no_axis ("batch=", "FIELD=FIRST:LAST:STEP");
  assert_no_axis ("bath=1,2", "there are batch,");
  assert_no_axis ("height+height=1,2", "twice");
  assert_no_axis ("batch=1,2,1", "twice");
  assert_no_axis ("batch=8:1:log2", "ends before");
  assert_no_axis ("batch=1:8:log1", "batch");
  assert_no_axis ("batch=1:8:0", "batch");
  assert_no_axis ("batch=0:8", "batch");
  assert_no_axis ("batch=1:2:3:4", "range");
  assert_no_axis ("batch=1:x", "batch");
  assert_no_axis ("batch=1:100000", "at most 256");
}

static SeamSearch *
make_sweep (SeamRunRequest *request, const char *x, const char *y, GError **error)
{
  SeamSweepAxis axes[2];

  g_assert_true (seam_sweep_axis_parse (request->pipeline, x, &axes[0], NULL));
  if (y != NULL)
    g_assert_true (seam_sweep_axis_parse (request->pipeline, y, &axes[1], NULL));
  return seam_sweep_new (request, axes, y != NULL ? 2 : 1, error);
}

/* Lists as people type them into the entry of the window. */
static void
test_typed (void)
{
  static const struct {
    const char *text, *expected; /* “!”: a part of the error's sentence */
  } cases[] = {
    { "batch=1, 3, 9", "batch=1,3,9" },
    { "batch=1,3,9", "batch=1,3,9" },
    { "batch=2; 8;32 ", "batch=2,8,32" },
    { "batch=1 000; 2\u202f000", "batch=1000,2000" },
    { "batch=1000, 2.000.000", "batch=1000,2000000" },
    { "batch=64,1024", "batch=64,1024" },
    { "batch=1:128:log2", "batch=1:128:log2" },
    { "batch=1, many", "batch=1,many" },
    { "batch=", "batch=" },
    { "batch", "batch" },
    { "batch=8; 1,234", "!batch: is “1,234” 1234 or 1; 234?" },
    { "batch=1.234", "batch=1.234" },
    { "batch=4 ms", "!“ms” is not a unit that fits" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *plain = seam_sweep_read_typed (cases[i].text, &error);

    g_test_message ("%s", cases[i].text);
    if (cases[i].expected[0] != '!') {
      g_assert_no_error (error);
      g_assert_cmpstr (plain, ==, cases[i].expected);
    } else {
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, cases[i].expected + 1));
    }
  }
}

static void
test_points (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#57", "unfused,published,full");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSearch) search = make_sweep (request, "batch=1,2", "height+width=8,9,10", &error);
  int height = seam_pipeline_get_field (request->pipeline, "height");

  g_assert_no_error (error);
  g_assert_cmpint (search->n_points, ==, 18);
  const SeamPoint *point = &search->points[seam_sweep_get_point (search->sweep, 1, 2, 1)];
  g_assert_cmpstr (point->plan, ==, "published");
  g_assert_cmpint (point->values[0], ==, 2);
  g_assert_cmpint (point->values[height], ==, 10);
  g_assert_nonnull (strstr (point->shape, "batch=2,"));
  g_assert_nonnull (strstr (point->shape, "height=10,width=10"));

  g_assert_null (make_sweep (request, "batch=1,2", "batch=1,2", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (make_sweep (request, "batch=1:200", "width=10:200", &error));
  g_assert_nonnull (strstr (error->message, "at most 4096"));
  g_clear_error (&error);
  g_clear_pointer (&request->plans, g_strfreev);
  g_assert_null (make_sweep (request, "batch=1,2", NULL, &error));
  g_assert_nonnull (strstr (error->message, "1 to 8 plans"));
}

/* Times set by hand: which plan wins, by how much, and where launches dominate the time. */
static void
test_winner (void)
{
  g_autoptr (SeamRunRequest) request = make_request ("#57", "unfused,full");
  g_autoptr (SeamSearch) search = make_sweep (request, "batch=1,2,4", NULL, NULL);
  const SeamSweep *sweep = search->sweep;
  static const double times[3][2] = { { 10, 20 }, { 30, 20 }, { 40, 10 } };
  SeamSweepShape shape;

  for (int x = 0; x < 3; x++)
    for (int plan = 0; plan < 2; plan++) {
      SeamPoint *point = &search->points[seam_sweep_get_point (sweep, x, 0, plan)];
      point->state = SEAM_POINT_MEASURED;
      point->median_ns = times[x][plan];
      point->kernels_sum_ns = 6;
      point->span_ns = times[x][plan];
      point->ci_low_ns = .9 * times[x][plan];
      point->ci_high_ns = 1.1 * times[x][plan] + (x == 1 ? 12 : 0);
    }
  seam_sweep_get_shape (sweep, 0, 0, &shape);
  g_assert_cmpint (shape.winner, ==, 0);
  g_assert_cmpfloat (shape.margin, ==, 2);
  g_assert_false (shape.launch_bound);
  g_assert_true (shape.is_whole);
  seam_sweep_get_shape (sweep, 2, 0, &shape);
  g_assert_cmpint (shape.winner, ==, 1);
  g_assert_cmpfloat (shape.against_ns, ==, 40);
  g_assert_cmpfloat (shape.margin, ==, 4);
  g_assert_true (shape.launch_bound); /* kernels run for 6 of 40 */
  g_assert_true (shape.is_clear);
  seam_sweep_get_shape (sweep, 1, 0, &shape);
  g_assert_false (shape.is_clear); /* 20 (18 to 34) against 30 (27 to 45) */
  g_autofree char *text = seam_sweep_describe (sweep);
  g_assert_cmpstr (
      text, ==,
      "At batch 1 unfused is the fastest (2.00× ahead of the next, 95 % interval 1.74× to 2.31×). "
      "From batch 2 on full is the fastest (1.50× ahead of the next, 95 % interval 0.873× to "
      "2.28×, "
      "which is not clear).");
  /* A wrong plan wins nothing. */
  search->points[seam_sweep_get_point (sweep, 2, 0, 1)].n_failing = 1;
  seam_sweep_get_shape (sweep, 2, 0, &shape);
  g_assert_cmpint (shape.winner, ==, 0);
  g_assert_true (isnan (shape.margin));
}

typedef struct {
  SeamCancel cancel;
  int stop_after, n_fresh;
} Watch;

static void
watch_cb (const SeamSearchProgress *progress, gpointer data)
{
  Watch *watch = data;

  watch->n_fresh += progress->n_fresh;
  if (watch->stop_after > 0 && watch->n_fresh >= watch->stop_after)
    seam_cancel_raise (&watch->cancel);
}

static void
test_resume (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  /* The last width is smaller than the kernel, so it is no shape. */
  g_autoptr (SeamRunRequest) request = make_request ("#57", "unfused,published");
  g_autoptr (SeamSearch) first = make_sweep (request, "batch=1:8:log2", "width=2,8,16", NULL);
  g_autoptr (SeamSearch) second = make_sweep (request, "batch=1:8:log2", "width=2,8,16", NULL);
  Watch watch = { .stop_after = 6 };
  SeamSearchOptions options = { .cancel = &watch.cancel, .progress = watch_cb, .data = &watch };
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;
  SeamSearchEnd end;

  g_assert_true (seam_search_predict (first, runner, &error));
  g_assert_no_error (error);
  g_assert_cmpint (seam_search_count (first, SEAM_POINT_IMPOSSIBLE), ==, 8);
  g_assert_nonnull (strstr (first->points[0].message, "ernel"));
  g_assert_true (seam_search_run (first, runner, &options, &end, &error));
  g_assert_cmpint (end, ==, SEAM_SEARCH_STOPPED);
  int n_measured = seam_search_count (first, SEAM_POINT_MEASURED);
  g_assert_cmpint (n_measured, >=, 6);
  g_assert_cmpint (n_measured, <, 16);

  csv = seam_search_to_rows (first, SEAM_ROWS_CSV);
  g_assert_true (seam_search_predict (second, runner, &error));
  g_assert_true (seam_search_merge_csv (second, csv, &error));
  g_assert_no_error (error);
  g_assert_cmpint (seam_search_count (second, SEAM_POINT_MEASURED), ==, n_measured);
  Watch rest = { 0 };
  options = (SeamSearchOptions){ .progress = watch_cb, .data = &rest };
  do
    g_assert_true (seam_search_run (second, runner, &options, &end, &error));
  while (end == SEAM_SEARCH_BUDGET);
  g_assert_cmpint (end, ==, SEAM_SEARCH_DONE);
  g_assert_cmpint (rest.n_fresh, ==, 16 - n_measured);
  for (int i = 0; i < 24; i++) {
    const SeamPoint *a = &first->points[i], *b = &second->points[i];
    if (a->state == SEAM_POINT_MEASURED)
      g_assert_cmpfloat (a->median_ns, ==, b->median_ns);
    if (b->state == SEAM_POINT_MEASURED)
      g_assert_cmpint (b->n_failing, ==, 0);
  }
  for (int x = 0; x < 4; x++) {
    SeamSweepShape shape;
    seam_sweep_get_shape (second->sweep, x, 1, &shape);
    g_assert_cmpint (shape.winner, >=, 0);
    g_assert_true (shape.is_whole);
    g_assert_cmpfloat (shape.margin, >=, 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/axes", test_axes);
  g_test_add_func ("/sweep/typed", test_typed);
  g_test_add_func ("/sweep/points", test_points);
  g_test_add_func ("/sweep/winner", test_winner);
  g_test_add_func ("/sweep/resume", test_resume);
  return g_test_run ();
}
