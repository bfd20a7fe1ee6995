/* SPDX-License-Identifier: MIT
 *
 * The worker, called as the window calls it: GVariant over the pipes of a child process. A run with
 * its progress, questions about its outputs, Stop in the middle, and a crash. Errors, JSON text and
 * the end of the process: worker_json.py.
 */
#include "app/base/npy.h"
#include "app/explore/explore.h"
#include "app/runner/runner-source.h"
#include "app/session/capture.h"
#include "app/worker/nesting.h"
#include "app/worker/protocol.h"
#include "tests/core/extent.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <jsonrpc-glib.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  GSubprocess *process;
  JsonrpcClient *rpc;
  /* Collected from the notifications so far: */
  int n_progress, n_samples;
  int last_order;
  gboolean orders_rise;
  SeamStep last_step;
  gint64 first_us, last_us;
  int cancel_after; /* samples after which cancel_cb() asks for Stop; 0: never */
  gint64 cancelled_us;
  SeamSearch *search; /* filled by notifications; NULL where none are expected */
  int n_searches, n_pending, stop_pending;
} Fixture;

static void
answer_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, NULL, NULL);
}

static GVariant *
new_empty (void)
{
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
}

/* The worker sends each point twice: when it is predicted, and when its time is known. */
static void
take_search (JsonrpcClient *rpc, GVariant *params, Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) search = NULL;
  SeamSearchProgress progress;

  g_assert_true (seam_search_progress_from_variant (params, &progress, &search, &error));
  g_assert_no_error (error);
  if (fixture->n_searches++ == 0)
    g_assert_nonnull (search);
  if (search != NULL)
    g_assert_true (seam_search_merge_variant (fixture->search, search, &error));
  g_assert_no_error (error);
  fixture->n_pending = progress.n_pending;
  g_assert_cmpint (progress.n_pending, ==, seam_search_count (fixture->search, SEAM_POINT_PENDING));
  if (progress.n_pending <= fixture->stop_pending) {
    fixture->stop_pending = -1;
    jsonrpc_client_call_async (rpc, SEAM_METHOD_CANCEL, new_empty (), NULL, answer_cb, NULL);
  }
}

static void
notification_cb (JsonrpcClient *rpc, const char *method, GVariant *params, Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  SeamProgress progress = { 0 };

  if (fixture->search != NULL) {
    g_assert_cmpstr (method, ==, SEAM_NOTIFY_SEARCH);
    take_search (rpc, params, fixture);
    return;
  }
  g_assert_cmpstr (method, ==, SEAM_NOTIFY_PROGRESS);
  g_assert_true (
      seam_record_from_variant (&seam_progress_type, params, "progress", NULL, &progress, &error));
  g_assert_no_error (error);
  fixture->last_us = g_get_monotonic_time ();
  if (fixture->n_progress++ == 0)
    fixture->first_us = fixture->last_us;
  for (int i = 0; i < progress.n_new; i++) {
    fixture->orders_rise =
        fixture->orders_rise && progress.new_samples[i].order == fixture->last_order + 1;
    fixture->last_order = progress.new_samples[i].order;
  }
  fixture->n_samples += progress.n_new;
  fixture->last_step = progress.step;
  if (fixture->cancel_after > 0 && fixture->n_samples >= fixture->cancel_after) {
    fixture->cancel_after = 0;
    fixture->cancelled_us = fixture->last_us;
    jsonrpc_client_call_async (rpc, SEAM_METHOD_CANCEL, new_empty (), NULL, answer_cb, NULL);
  }
  seam_record_clear (&seam_progress_type, &progress);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GIOStream) stream = NULL;

  fixture->process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        g_getenv ("SEAMSCOPE_CLI"), "worker", NULL);
  g_assert_no_error (error);
  stream = g_simple_io_stream_new (g_subprocess_get_stdout_pipe (fixture->process),
                                   g_subprocess_get_stdin_pipe (fixture->process));
  fixture->rpc = jsonrpc_client_new (stream);
  jsonrpc_client_set_use_gvariant (fixture->rpc, TRUE);
  g_signal_connect (fixture->rpc, "notification", G_CALLBACK (notification_cb), fixture);
  jsonrpc_client_start_listening (fixture->rpc);
  fixture->last_order = -1;
  fixture->orders_rise = TRUE;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_close (g_subprocess_get_stdin_pipe (fixture->process), NULL, NULL);
  g_assert_true (g_subprocess_wait (fixture->process, NULL, &error));
  if (data == NULL) {
    g_assert_true (g_subprocess_get_if_exited (fixture->process));
    g_assert_cmpint (g_subprocess_get_exit_status (fixture->process), ==, 0);
  }
  jsonrpc_client_close (fixture->rpc, NULL, NULL);
  g_object_unref (fixture->rpc);
  g_object_unref (fixture->process);
}

/* Calls a method. Returns the answer, or NULL with the error. `params` may be floating. */
static GVariant *
call (Fixture *fixture, const char *method, GVariant *params, GError **error)
{
  GVariant *reply = NULL;

  jsonrpc_client_call (fixture->rpc, method, params, NULL, &reply, error);
  return reply;
}

static SeamRunRequest *
make_request (const char *name, const char *preset, double budget_s)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (name, &error);
  SeamRunRequest *request;

  g_assert_no_error (error);
  request = seam_run_request_new (pipeline);
  memcpy (request->values, seam_pipeline_get_preset (pipeline, preset, NULL)->values,
          sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = budget_s;
  return request;
}

static SeamResult *
run (Fixture *fixture, const SeamRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      call (fixture, SEAM_METHOD_RUN, seam_run_request_to_variant (request), &error);
  SeamResult *result;

  g_assert_no_error (error);
  result = seam_result_from_variant (reply, &error);
  g_assert_no_error (error);
  return result;
}

/* Resident memory of the worker. */
static gint64
get_resident_bytes (Fixture *fixture)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/statm", g_subprocess_get_identifier (fixture->process));
  g_autofree char *text = NULL;
  gint64 size, resident;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &size, &resident), ==,
                   2);
  return resident * sysconf (_SC_PAGESIZE);
}

static void
assert_code (GError *error, SeamError expected)
{
  g_autoptr (GError) own = NULL;

  g_assert_nonnull (error);
  own = seam_protocol_translate_error (error);
  g_assert_nonnull (own);
  g_test_message ("%s", own->message);
  g_assert_error (own, SEAM_ERROR, (gint)expected);
  g_assert_false (g_str_has_prefix (own->message, "{"));
}

static void
test_run (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#37", "tiny", 1.0);
  g_autoptr (SeamResult) result = run (fixture, request);
  int n_samples = 0;
  double seconds;

  g_assert_cmpint (result->n_plans, ==, 2);
  for (int i = 0; i < result->n_plans; i++) {
    g_assert_cmpint (result->plans[i].state, ==, SEAM_PLAN_MEASURED);
    n_samples += result->plans[i].n_samples;
  }
  g_assert_nonnull (result->plans[1].difference);
  g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  g_assert_nonnull (result->plans[1].difference->cells);
  /* Every sample came in exactly one report, in order, and all of them before the reply. */
  g_assert_cmpint (n_samples, >, 2);
  g_assert_cmpint (fixture->n_samples, ==, n_samples);
  g_assert_true (fixture->orders_rise);
  g_assert_cmpint (fixture->last_step, ==, SEAM_STEP_DONE);
  /* Ten notifications a second, and the last one right before the reply. */
  seconds = (double)(fixture->last_us - fixture->first_us) / G_USEC_PER_SEC;
  g_assert_cmpint (fixture->n_progress, <=, (int)(seconds * 10) + 5);
  g_assert_cmpint (fixture->n_progress, >=, 2);
}

/* After its reply a run leaves no memory behind. Its maps are 512 x 512, so that a reply of
 * several megabytes that is never freed shows. A sanitizer keeps what was freed for a while, and
 * reports a leak at the end by itself. */
static void
test_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#76", "tiny", 0.001);
  const int n_warm = 3, n_runs = 6;
  const gint64 reply_bytes = 512 * 512 * sizeof (float);
  gint64 before = 0, grown;

  request->values[0] = request->values[2] = 512;
  request->values[1] = 8;
  request->settings.cold = FALSE;
  for (int i = 0; i < n_warm + n_runs; i++) {
    g_autoptr (SeamResult) result = run (fixture, request);
    g_assert_nonnull (result->plans[1].difference->cells);
    if (i + 1 == n_warm)
      before = get_resident_bytes (fixture);
  }
  grown = get_resident_bytes (fixture) - before;
  g_test_message ("grown by %.1f MB in %d runs", (double)grown / 1e6, n_runs);
  if (!EXTENT_IS_SANITIZED)
    g_assert_cmpint (grown, <, n_runs * reply_bytes / 2);
}

static GVariant *
explore (Fixture *fixture, const SeamRunRequest *request, gboolean measure, GError **error)
{
  g_autoptr (GVariant) base = g_variant_ref_sink (seam_run_request_to_variant (request));
  GVariantDict dict;

  g_variant_dict_init (&dict, base);
  g_variant_dict_insert (&dict, "measure", "b", measure);
  g_variant_dict_insert_value (&dict, "search", seam_search_to_variant (fixture->search, NULL, 0));
  return call (fixture, SEAM_METHOD_EXPLORE, g_variant_dict_end (&dict), error);
}

static void
test_explore (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#37", "tiny", 60);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) predicted = NULL, stopped = NULL, done = NULL;
  const char *end;
  double first_ns;
  int n_left;

  request->settings.cold = FALSE;
  fixture->search = seam_explore_new (request, NULL);
  fixture->stop_pending = -1;
  predicted = explore (fixture, request, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture->n_pending, ==, 32);
  g_assert_nonnull (fixture->search->device);
  g_assert_cmpfloat (fixture->search->points[5].full_rate_ns, >, 0);

  /* Stops the search after some points and resumes it with the points that are known here. */
  fixture->stop_pending = 26;
  request->settings.budget_s = 20;
  stopped = explore (fixture, request, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (stopped, "end", "&s", &end));
  g_assert_cmpstr (end, ==, "stopped");
  n_left = fixture->n_pending;
  g_assert_cmpint (n_left, <=, 26);
  g_assert_cmpint (n_left, >, 0);
  first_ns = fixture->search->points[0].median_ns;
  g_assert_cmpfloat (first_ns, >, 0);

  request->settings.budget_s = .5;
  fixture->n_searches = 0;
  do {
    g_clear_pointer (&done, g_variant_unref);
    done = explore (fixture, request, TRUE, &error);
    g_assert_no_error (error);
    g_assert_true (g_variant_lookup (done, "end", "&s", &end));
  } while (strcmp (end, "budget") == 0);
  g_assert_cmpstr (end, ==, "done");
  g_assert_cmpint (fixture->n_pending, ==, 0);
  g_assert_cmpfloat (fixture->search->points[0].median_ns, ==, first_ns);
  g_clear_pointer (&fixture->search, seam_search_free);
  /* The outputs of a point are those of no run. */
  g_assert_null (
      call (fixture, SEAM_METHOD_READ_OUTPUT,
            g_variant_new_parsed ("{'index': <0>, 'offset': <int64 0>, 'n': <int64 64>}"), &error));
  assert_code (error, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "run first"));
}

static GVariant *
new_pair (int a, int b, GVariantDict *dict)
{
  g_variant_dict_insert (dict, "a", "i", a);
  g_variant_dict_insert (dict, "b", "i", b);
  return g_variant_dict_end (dict);
}

static SeamDifference *
get_difference (Fixture *fixture, int a, int b, double atol)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  GVariantDict dict;
  SeamDifference *difference;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "atol", "d", atol);
  g_variant_dict_insert (&dict, "rtol", "d", 0.0);
  g_variant_dict_insert (&dict, "max_side", "x", (gint64)16);
  reply = call (fixture, SEAM_METHOD_DIFFERENCE, new_pair (a, b, &dict), &error);
  g_assert_no_error (error);
  difference = seam_record_new_from_variant (&seam_difference_type, reply, &error);
  g_assert_no_error (error);
  return difference;
}

/* Writes the file of an output of the last run, read in parts of `n` bytes. */
static void
read_output (Fixture *fixture, int index, gint64 n, const char *path)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  gint64 size = 0;

  do {
    GVariant *params = g_variant_new_parsed ("{'index': <%i>, 'offset': <%x>, 'n': <%x>}", index,
                                             (gint64)content->len, n);
    g_autoptr (GVariant) reply = call (fixture, SEAM_METHOD_READ_OUTPUT, params, &error);
    g_autoptr (GVariant) bytes = NULL;
    g_assert_no_error (error);
    g_assert_true (g_variant_lookup (reply, "size", "x", &size));
    g_assert_true (g_variant_lookup (reply, "bytes", "@ay", &bytes));
    g_assert_cmpint ((gint64)g_variant_get_size (bytes), ==, MIN (n, size - content->len));
    g_byte_array_append (content, g_variant_get_data (bytes), (guint)g_variant_get_size (bytes));
  } while (content->len < size);
  g_assert_true (g_file_set_contents (path, (const char *)content->data, content->len, NULL));
}

/* An output that is read in parts: all of them are of one run and one plan. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#37", "tiny", 0.05);
  g_autoptr (GVariant) first = NULL, end = NULL;
  g_autoptr (GError) error = NULL;
  const char *second = "{'index': <0>, 'offset': <int64 64>, 'n': <int64 64>}";
  const char *other = "{'index': <1>, 'offset': <int64 64>, 'n': <int64 64>}";
  const char *beyond = "{'index': <0>, 'offset': <int64 1000000>, 'n': <int64 64>}";
  const char *begin = "{'index': <0>, 'offset': <int64 0>, 'n': <int64 64>}";

  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamResult) result = run (fixture, request);
    g_autoptr (GVariant) begun = NULL, part = NULL;
    /* Not what the run before had. */
    g_assert_null (call (fixture, SEAM_METHOD_READ_OUTPUT, g_variant_new_parsed (second), &error));
    assert_code (error, SEAM_ERROR_INPUT);
    g_assert_nonnull (strstr (error->message, "another run has begun"));
    g_clear_error (&error);
    begun = call (fixture, SEAM_METHOD_READ_OUTPUT, g_variant_new_parsed (begin), &error);
    g_assert_no_error (error);
    part = call (fixture, SEAM_METHOD_READ_OUTPUT, g_variant_new_parsed (second), &error);
    g_assert_no_error (error);
    g_assert_false (g_variant_equal (begun, part));
    g_assert_null (call (fixture, SEAM_METHOD_READ_OUTPUT, g_variant_new_parsed (other), &error));
    assert_code (error, SEAM_ERROR_INPUT);
    g_clear_error (&error);
  }
  end = call (fixture, SEAM_METHOD_READ_OUTPUT, g_variant_new_parsed (beyond), &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (end, "bytes", "@ay", &first));
  g_assert_cmpuint (g_variant_get_size (first), ==, 0);
}

/* With details, a run has what a session keeps of it: the code, and the elements around the worst
 * one of each plan. */
static void
test_details (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#37", "tiny", 0.05);
  g_autoptr (GVariant) plain = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (GError) error = NULL;

  for (int details = 0; details < 2; details++) {
    GVariantDict dict = G_VARIANT_DICT_INIT (plain);
    g_variant_dict_insert (&dict, "details", "b", details);
    g_autoptr (GVariant) reply =
        call (fixture, SEAM_METHOD_RUN, g_variant_dict_end (&dict), &error);
    g_assert_no_error (error);
    g_autoptr (SeamSessionRun) found = seam_session_run_from_variant (reply, &error);
    g_assert_no_error (error);
    g_assert_cmpint (found->result->n_plans, ==, 2);
    g_assert_true ((found->code != NULL) == details);
    g_assert_cmpint (found->result->against, ==, 0);
    g_assert_cmpuint (found->slices->len, ==, details);
    if (!details)
      continue;
    g_autoptr (SeamCode) code = seam_code_from_variant (found->code, &error);
    g_assert_no_error (error);
    g_assert_cmpint (code->n_plans, ==, 2);
    const SeamSlice *slice = seam_session_run_get_slice (found, 1, 0);
    double worst = 0;
    for (gint64 i = 0; i < slice->n_rows * slice->n_columns; i++)
      worst = fmax (worst, fabs ((double)slice->a[i] - (double)slice->b[i]));
    g_assert_cmpfloat (worst, >, 0);
    g_assert_cmpfloat_with_epsilon (worst, found->result->plans[1].difference->max_abs, 1e-6);
  }
}

/* An exhibit is compared with the right order of ops: slice, saved file and difference agree. */
static void
test_questions (Fixture *fixture, gconstpointer data)
{
  static const char *const plans[] = { "unfused", "as-published", NULL };
  g_autoptr (SeamRunRequest) request = make_request ("#37", "tiny", 0.05);
  g_autoptr (SeamResult) result = NULL;
  g_autoptr (SeamDifference) difference = NULL, loose = NULL, truth = NULL;
  g_autoptr (SeamSlice) slice = NULL;
  g_autoptr (SeamNpy) npy = NULL;
  g_autoptr (GVariant) sliced = NULL, estimated = NULL, predicted = NULL;
  g_autoptr (SeamRunRequest) other = make_request ("#57", "laptop", 1);
  g_autoptr (SeamEstimate) estimate = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("seam-worker-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.npy", NULL);
  GVariantDict dict;
  double worst = 0;
  gint64 n = 4 * 32;

  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  result = run (fixture, request);
  g_assert_true (result->plans[1].exhibit);

  difference = get_difference (fixture, 1, 0, 1e-3);
  g_assert_cmpint (difference->n_elements, ==, n);
  g_assert_cmpint (difference->n_failing, >, n / 2);
  g_assert_cmpint (difference->n_cell_columns, <=, 16);
  loose = get_difference (fixture, 1, 0, 1e3);
  g_assert_cmpint (loose->n_failing, ==, 0);
  truth = get_difference (fixture, 0, -1, 1e-4);
  g_assert_cmpint (truth->n_failing, ==, 0);
  g_assert_cmpfloat (truth->max_abs, >, 0);

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "sample", "x", (gint64)0);
  g_variant_dict_insert (&dict, "channel", "x", (gint64)0);
  g_variant_dict_insert (&dict, "first_row", "x", (gint64)0);
  g_variant_dict_insert (&dict, "first_column", "x", (gint64)0);
  g_variant_dict_insert (&dict, "n_rows", "x", (gint64)100);
  g_variant_dict_insert (&dict, "n_columns", "x", (gint64)100);
  sliced = call (fixture, SEAM_METHOD_SLICE, new_pair (1, 0, &dict), &error);
  g_assert_no_error (error);
  slice = seam_record_new_from_variant (&seam_slice_type, sliced, &error);
  g_assert_no_error (error);
  g_assert_cmpint (slice->n_rows, ==, 4);
  g_assert_cmpint (slice->n_columns, ==, 32);
  for (gint64 i = 0; i < n; i++)
    worst = MAX (worst, fabs ((double)slice->a[i] - (double)slice->b[i]));
  g_assert_cmpfloat_with_epsilon (worst, difference->max_abs, 1e-6);
  g_assert_cmpfloat (slice->a[difference->worst_index], ==, (float)difference->worst_a);

  read_output (fixture, 1, 100, path);
  npy = seam_npy_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (npy->n_elements, ==, n);
  g_assert_cmpmem (npy->data, n * sizeof (float), slice->a, n * sizeof (float));
  g_unlink (path);
  g_rmdir (folder);

  /* A question about another pipeline leaves the run's outputs in place. */
  estimated = call (fixture, SEAM_METHOD_ESTIMATE, seam_run_request_to_variant (other), &error);
  g_assert_no_error (error);
  estimate = seam_estimate_from_variant (estimated, &error);
  g_assert_no_error (error);
  g_assert_cmpint (estimate->n_plans, ==, 2);
  g_assert_cmpint (estimate->plans[0].n_seams, ==, 6);
  g_assert_cmpfloat (estimate->bytes_needed, >, 3e7);
  g_clear_pointer (&loose, seam_difference_free);
  loose = get_difference (fixture, 1, 0, 1e-3);
  g_assert_cmpint (loose->n_failing, ==, difference->n_failing);

  /* So does the prediction of an exploration on another target, whether there is one or not. */
  g_free (other->target);
  other->target = g_strdup ("cuda:0");
  fixture->search = seam_explore_new (other, NULL);
  fixture->stop_pending = -1;
  predicted = explore (fixture, other, FALSE, NULL);
  g_clear_pointer (&fixture->search, seam_search_free);
  g_clear_pointer (&loose, seam_difference_free);
  loose = get_difference (fixture, 1, 0, 1e-3);
  g_assert_cmpint (loose->n_failing, ==, difference->n_failing);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#76", "tiny", 0.05);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  g_free (request->plans[1]);
  request->plans[1] = g_strdup ("publishd");
  reply = call (fixture, SEAM_METHOD_RUN, seam_run_request_to_variant (request), &error);
  g_assert_null (reply);
  assert_code (error, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "published"));
  g_clear_error (&error);

  g_free (request->plans[1]);
  request->plans[1] = g_strdup ("published");
  request->values[0] = request->values[2] = 1000000;
  reply = call (fixture, SEAM_METHOD_RUN, seam_run_request_to_variant (request), &error);
  g_assert_null (reply);
  assert_code (error, SEAM_ERROR_MEMORY);
}

/* Checks the filter's output for one message, which it gets in chunks of every size. */
static void
assert_filtered (const char *header, const char *body, const char *expected)
{
  g_autofree char *head = g_strdup_printf (header, strlen (body));
  g_autofree char *whole = g_strconcat (head, body, head, body, NULL);
  g_autofree char *wanted = g_strconcat (head, expected, head, expected, NULL);
  gsize length = strlen (whole);

  for (gsize chunk = 1; chunk <= length; chunk++) {
    g_autofree char *bytes = g_strdup (whole);
    SeamNesting nesting = { .n_left = 0 };
    for (gsize at = 0; at < length; at += chunk)
      seam_nesting_filter (&nesting, bytes + at, MIN (chunk, length - at));
    g_assert_cmpstr (bytes, ==, wanted);
  }
}

static void
test_nesting (void)
{
  static const char *const headers[] = {
    "Content-Length: %zu\r\n\r\n",
    "content-length: %zu\n\n",
    "X-Y: z\rContent-Length: 1\nContent-Length: %zu\r\r",
    "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
  };
  g_autofree char *open = g_strnfill (SEAM_NESTING_LEVELS, '[');
  g_autofree char *close = g_strnfill (SEAM_NESTING_LEVELS, ']');
  g_autofree char *most = g_strconcat (open, "1", close, NULL);
  g_autofree char *deep = g_strconcat (open, "{\"a\":[\"]\"]},2", close, NULL);
  g_autofree char *cut = g_strconcat (open, "0          ,2", close, NULL);
  g_autofree char *text = g_strconcat ("{\"a\":\"\\\\\\\"/", open, open, "\"}", NULL);
  g_autoptr (GVariant) flat =
      g_variant_ref_sink (g_variant_new_parsed ("{'a': <[1, 2]>, 'b': <[<{'c': <''>}>]>}"));
  GVariant *inner = g_variant_new_parsed ("@av []");

  for (gsize i = 0; i < G_N_ELEMENTS (headers); i++) {
    assert_filtered (headers[i], "{}", "{}");
    assert_filtered (headers[i], most, most);
    assert_filtered (headers[i], deep, cut);
    assert_filtered (headers[i], text, text);
    assert_filtered (headers[i], "[/*\"*/]", "[?*\"*/]");
  }
  assert_filtered ("Content-Type: application/gvariant\r\nContent-Length: %zu\r\n\r\n", deep, deep);

  g_assert_false (seam_nesting_is_too_deep (NULL));
  g_assert_false (seam_nesting_is_too_deep (flat));
  /* The message itself is the first level, so the parameters have one less. */
  for (int levels = 1; levels < SEAM_NESTING_LEVELS - 1; levels++) {
    g_assert_false (seam_nesting_is_too_deep (inner));
    inner = g_variant_new_variant (inner);
    inner = g_variant_new_array (G_VARIANT_TYPE_VARIANT, &inner, 1);
  }
  g_assert_true (seam_nesting_is_too_deep (inner));
  g_variant_unref (g_variant_ref_sink (inner));
}

/* Both forms in which jsonrpc-glib reports a worker's error, and errors that are not the
 * worker's. */
static void
test_translate (void)
{
  GQuark domain = JSONRPC_CLIENT_ERROR;
  g_autoptr (GError) printed = g_error_new_literal (
      G_IO_ERROR, G_IO_ERROR_FAILED, "{'code': <1003>, 'message': <'It doesn\\'t “fit”.'>}");
  g_autoptr (GError) newer = g_error_new_literal (domain, 1003, "Does not fit. (1003)");
  g_autoptr (GError) unknown = g_error_new_literal (domain, -32601, "No such call. (-32601)");
  g_autoptr (GError) broken =
      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "No data to read from peer");
  g_autoptr (GError) brace =
      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "{'code': <1003>}");
  g_autoptr (GError) first = seam_protocol_translate_error (printed);
  g_autoptr (GError) second = seam_protocol_translate_error (newer);

  g_assert_error (first, SEAM_ERROR, SEAM_ERROR_MEMORY);
  g_assert_cmpstr (first->message, ==, "It doesn't “fit”.");
  g_assert_error (second, SEAM_ERROR, SEAM_ERROR_MEMORY);
  g_assert_cmpstr (second->message, ==, "Does not fit.");
  g_assert_null (seam_protocol_translate_error (unknown));
  g_assert_null (seam_protocol_translate_error (broken));
  g_assert_null (seam_protocol_translate_error (brace));
}

/* Stop in the middle of measuring: the run answers at once, with its samples. The program promises
 * half a second; a machine that runs tests is busy. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  /* So long that it does not reach its goal before Stop arrives. */
  g_autoptr (SeamRunRequest) request = make_request ("#57", "laptop", 60);
  g_autoptr (SeamResult) result = NULL;
  double took;

  fixture->cancel_after = 4;
  result = run (fixture, request);
  took = (double)(g_get_monotonic_time () - fixture->cancelled_us) / G_USEC_PER_SEC;
  g_test_message ("%.3f s", took);
  g_assert_true (result->stopped);
  /* What Stop left out is not reported as done. */
  g_assert_cmpint (fixture->last_step, <, SEAM_STEP_DONE);
  g_assert_cmpint (result->plans[0].n_samples, >=, 2);
  g_assert_cmpint (fixture->n_samples, ==, result->plans[0].n_samples + result->plans[1].n_samples);
  g_assert_cmpfloat (took, <, 2);
}

/* Calls that wait behind a run are cancelled with it; the next one is not. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#57", "laptop", 60);
  g_autoptr (SeamRunRequest) second = make_request ("#76", "tiny", 0.05);
  g_autoptr (SeamResult) result = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  jsonrpc_client_call_async (fixture->rpc, SEAM_METHOD_RUN, seam_run_request_to_variant (request),
                             NULL, answer_cb, NULL);
  fixture->cancel_after = 1;
  reply = call (fixture, SEAM_METHOD_ESTIMATE, seam_run_request_to_variant (second), &error);
  g_assert_null (reply);
  assert_code (error, SEAM_ERROR_CANCELLED);
  result = run (fixture, second);
  g_assert_false (result->stopped);
  g_assert_cmpint (result->plans[0].n_samples, >, 0);
}

static void
test_crash (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  reply = call (fixture, SEAM_METHOD_CRASH, new_empty (), &error);
  g_assert_null (reply);
  g_assert_nonnull (error);
  g_assert_true (g_subprocess_wait (fixture->process, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (fixture->process));
  g_assert_cmpint (g_subprocess_get_term_sig (fixture->process), ==, SIGSEGV);
}

/* When the window is gone, the worker ends, although a run of a minute goes on. */
static void
test_end_while_running (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#57", "laptop", 60);
  gint64 start_us;

  jsonrpc_client_call_async (fixture->rpc, SEAM_METHOD_RUN, seam_run_request_to_variant (request),
                             NULL, answer_cb, NULL);
  while (fixture->n_samples == 0)
    g_main_context_iteration (NULL, TRUE);
  start_us = g_get_monotonic_time ();
  g_output_stream_close (g_subprocess_get_stdin_pipe (fixture->process), NULL, NULL);
  g_assert_true (g_subprocess_wait (fixture->process, NULL, NULL));
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 3 * G_USEC_PER_SEC);
}

static const char forks[] = "#include \"kernels/cpu/run.h\"\n"
                            "#include <stdio.h>\n"
                            "#include <unistd.h>\n"
                            "static int done;\n"
                            "void stage_0 (const SeamCpuRun *run)\n"
                            "{\n"
                            "  if (done++)\n"
                            "    return;\n"
                            "  int pid = fork ();\n"
                            "  if (pid == 0)\n"
                            "    for (setsid ();;)\n"
                            "      pause ();\n"
                            "  FILE *file = fopen (\"%s\", \"w\");\n"
                            "  fprintf (file, \"%%d\", pid);\n"
                            "  fclose (file);\n"
                            "}\n";

/* Processes that edited code forked end with the worker. */
static void
test_forks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamRunRequest) request = make_request ("#57", "tiny", 0.05);
  g_autofree char *folder = g_dir_make_tmp ("seamscope-worker-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pid", NULL);
  g_autofree char *text = g_strdup_printf (forks, path);
  g_autofree char *number = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  pid_t pid;

  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused conv|conv_bias+relu+add3+div6+clamp+mul", " ", 2);
  seam_edits_set (&request->edits, 1, 1, text);
  reply = call (fixture, SEAM_METHOD_RUN, seam_run_request_to_variant (request), &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &number, NULL, &error));
  pid = (pid_t)g_ascii_strtoll (number, NULL, 10);
  g_assert_cmpint (kill (pid, 0), ==, 0);
  g_output_stream_close (g_subprocess_get_stdin_pipe (fixture->process), NULL, NULL);
  g_assert_true (g_subprocess_wait (fixture->process, NULL, NULL));
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  /* The worker's environment (see meson.build), and a processor with small caches
   * (tests/machine/machine.c). */
  g_setenv ("OMP_NUM_THREADS", "1", TRUE);
  g_setenv ("LD_PRELOAD", g_getenv ("SEAMSCOPE_TEST_MACHINE"), TRUE);
  g_setenv ("ASAN_OPTIONS", "verify_asan_link_order=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  /* jsonrpc-glib warns when the worker ends, which two of these tests bring about. */
  g_log_set_fatal_mask ("jsonrpc-client", G_LOG_LEVEL_ERROR);
  g_test_add_func ("/worker/translate", test_translate);
  g_test_add_func ("/worker/nesting", test_nesting);
  g_test_add ("/worker/run", Fixture, NULL, set_up, test_run, tear_down);
  g_test_add ("/worker/memory", Fixture, NULL, set_up, test_memory, tear_down);
  g_test_add ("/worker/explore", Fixture, NULL, set_up, test_explore, tear_down);
  g_test_add ("/worker/questions", Fixture, NULL, set_up, test_questions, tear_down);
  g_test_add ("/worker/details", Fixture, NULL, set_up, test_details, tear_down);
  g_test_add ("/worker/parts", Fixture, NULL, set_up, test_parts, tear_down);
  g_test_add ("/worker/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/worker/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/worker/queue", Fixture, NULL, set_up, test_queue, tear_down);
  g_test_add ("/worker/end-while-running", Fixture, NULL, set_up, test_end_while_running,
              tear_down);
  g_test_add ("/worker/forks", Fixture, NULL, set_up, test_forks, tear_down);
  g_test_add ("/worker/crash", Fixture, "crashes", set_up, test_crash, tear_down);
  return g_test_run ();
}
