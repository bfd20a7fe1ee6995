/* SPDX-License-Identifier: MIT
 *
 * The calls of the protocol, one function each.
 */
#include "app/worker/job.h"

#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/record/variant.h"
#include "app/runner/runner-calibrate.h"
#include "app/runner/runner-source.h"
#include "app/session/capture.h"
#include "app/version.h"
#include "app/worker/protocol.h"

#include <math.h>
#include <string.h>

/* jsonrpc-glib refuses a message of over 16 MB; the frame around a reply takes some bytes too. */
#define MAX_REPLY_BYTES (16 * 1024 * 1024 - 4096)

static SeamRunner *
new_runner (SeamJobContext *context)
{
  SeamRunner *runner = seam_runner_new ();
  SeamRecall recall = seam_past_runs_get_recall (context->past_runs);

  seam_runner_set_recall (runner, &recall);
  return runner;
}

void
seam_job_context_init (SeamJobContext *context)
{
  *context = (SeamJobContext){ .past_runs = seam_past_runs_new (NULL), .reading = -1 };
  context->runner = new_runner (context);
}

void
seam_job_context_clear (SeamJobContext *context)
{
  g_clear_pointer (&context->estimator, seam_runner_free);
  g_clear_pointer (&context->runner, seam_runner_free);
  g_clear_pointer (&context->past_runs, seam_past_runs_free);
  g_clear_pointer (&context->target, g_free);
}

static GVariant *
new_empty (void)
{
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
}

SeamJob *
seam_job_new (const char *method, GVariant *id, GVariant *params)
{
  SeamJob *job = g_new0 (SeamJob, 1);

  job->method = g_strdup (method);
  job->id = id ? g_variant_ref (id) : NULL;
  job->params = g_variant_ref_sink (params != NULL ? params : new_empty ());
  return job;
}

void
seam_job_free (SeamJob *job)
{
  if (job == NULL)
    return;
  g_free (job->method);
  g_clear_pointer (&job->id, g_variant_unref);
  g_clear_pointer (&job->params, g_variant_unref);
  g_clear_pointer (&job->reply, g_variant_unref);
  g_clear_pointer (&job->partial, g_variant_unref);
  g_clear_error (&job->error);
  g_free (job);
}

static gboolean
get_number (const SeamJob *job, const char *key, double *number, GError **error)
{
  SeamReader reader;

  *number = NAN;
  seam_reader_init (&reader, job->params, job->method);
  seam_reader_double (&reader, key, number);
  return (seam_reader_finish (&reader, NULL) && !isnan (*number))
         || seam_fail (error, SEAM_ERROR_INPUT, "The call “%s” needs the number “%s”.", job->method,
                       key);
}

/* NaN if it is missing. */
static gboolean
get_tolerance (const SeamJob *job, const char *key, double *number, GError **error)
{
  *number = NAN;
  return !g_variant_lookup (job->params, key, "*", NULL) || get_number (job, key, number, error);
}

static gboolean
get_int64 (const SeamJob *job, const char *key, gint64 min, gint64 max, gint64 *number,
           GError **error)
{
  double value;

  if (!get_number (job, key, &value, error))
    return FALSE;
  if (!(value >= (double)min && value <= (double)max) || value != floor (value))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The call “%s” needs a whole number from %" G_GINT64_FORMAT
                      " to %" G_GINT64_FORMAT " as “%s”, not %g.",
                      job->method, min, max, key, value);
  *number = (gint64)value;
  return TRUE;
}

/* Reads the two plans of a comparison; the runner checks the indices. */
static gboolean
get_pair (const SeamJob *job, int *a, int *b, GError **error)
{
  gint64 first, second;

  if (!get_int64 (job, "a", 0, G_MAXINT16, &first, error)
      || !get_int64 (job, "b", -1, G_MAXINT16, &second, error))
    return FALSE;
  *a = (int)first;
  *b = (int)second;
  return TRUE;
}

static GVariant *
describe (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
          GError **error)
{
  g_autoptr (GPtrArray) targets = seam_backend_list_targets ();
  g_autoptr (GPtrArray) checks = seam_run_doctor ();
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < targets->len; i++)
    g_variant_builder_add_value (
        &list, seam_record_to_variant (&seam_device_info_type, targets->pdata[i], TRUE));
  return g_variant_new_parsed ("{'version': <%s>, 'targets': <%@aa{sv}>, 'checks': <%@aa{sv}>}",
                               seam_version (), g_variant_builder_end (&list),
                               seam_checks_to_variant (checks));
}

/* The runner for a target. A runner opens one device at a time, and gives up its run when it opens
 * another. */
static SeamRunner *
choose_estimator (SeamJobContext *context, const char *target)
{
  if (!context->has_run || g_strcmp0 (context->target, target) == 0)
    return context->runner;
  if (context->estimator == NULL)
    context->estimator = new_runner (context);
  return context->estimator;
}

/* The runner that measures; it gives up the last run if that had another target. Its outputs are
 * those of another run from now on. */
static SeamRunner *
take_runner (SeamJobContext *context, const char *target)
{
  context->reading = -1;
  g_free (context->target);
  context->target = g_strdup (target);
  return context->runner;
}

static GVariant *
estimate (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
          GError **error)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (job->params, error);

  if (request == NULL)
    return NULL;
  g_autoptr (SeamEstimate) found =
      seam_runner_estimate (choose_estimator (context, request->target), request, error);
  return found ? seam_estimate_to_variant (found) : NULL;
}

static GVariant *
source (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
        GError **error)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (job->params, error);

  if (request == NULL)
    return NULL;
  g_autoptr (SeamCode) code =
      seam_runner_get_code (choose_estimator (context, request->target), request, error);
  return code != NULL ? seam_code_to_variant (code) : NULL;
}

static GVariant *
listing (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
         GError **error)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (job->params, error);
  gint64 plan, group, part;
  const char *name = NULL;
  SeamListingKind kind;

  if (request == NULL || !get_int64 (job, "plan", 0, G_MAXINT16, &plan, error)
      || !get_int64 (job, "group", 0, G_MAXINT16, &group, error)
      || !get_int64 (job, "part", 0, G_MAXINT16, &part, error))
    return NULL;
  g_variant_lookup (job->params, "kind", "&s", &name);
  if (!seam_listing_kind_parse (name, &kind, error))
    return NULL;
  g_autoptr (SeamListing) found =
      seam_runner_get_listing (choose_estimator (context, request->target), request, (int)plan,
                               (int)group, (int)part, kind, &job->cancel, error);
  return found != NULL ? seam_listing_to_variant (found) : NULL;
}

/* A result, with details of a runner (NULL: none), without what would make the message too large:
 * first its grids, then the details; floating. */
static GVariant *
result_to_reply (SeamResult *result, SeamRunner *runner, const SeamRunRequest *request)
{
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, NULL);

  if (runner != NULL)
    seam_session_run_capture (run, runner, request);
  for (int with_bulk = TRUE; with_bulk >= FALSE; with_bulk--) {
    GVariant *whole = seam_session_run_to_variant (run, with_bulk);
    if (g_variant_get_size (whole) <= MAX_REPLY_BYTES)
      return whole;
    g_variant_unref (g_variant_ref_sink (whole));
  }
  return seam_result_to_variant (result, FALSE);
}

static GVariant *
run (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
     GError **error)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (job->params, error);
  g_autoptr (SeamResult) partial = NULL;
  gboolean with_details = FALSE;

  if (request == NULL)
    return NULL;
  g_variant_lookup (job->params, "details", "b", &with_details);
  SeamRunner *runner = take_runner (context, request->target);
  context->has_run = TRUE;
  g_autoptr (SeamResult) result =
      seam_runner_run (runner, request, &job->cancel, progress, data, &partial, error);
  job->leaves_code = seam_runner_keeps_code (runner);
  if (job->leaves_code && context->notify != NULL)
    context->notify (SEAM_NOTIFY_ENDING, new_empty (), context->notify_data);
  if (partial)
    job->partial = g_variant_ref_sink (result_to_reply (partial, NULL, NULL));
  if (result == NULL)
    return NULL;
  /* Code that goes on running may still write the outputs. */
  return result_to_reply (result, with_details && !job->leaves_code ? runner : NULL, request);
}

/* --- explore --- */

/* Ten a second is as fast as a person can follow a number; fresh points are never held back. */
#define SEARCH_INTERVAL_US (G_USEC_PER_SEC / 10)

typedef struct {
  SeamJobContext *context;
  const SeamSearch *search;
  gint64 last_us;
} Exploration;

static void
search_progress_cb (const SeamSearchProgress *progress, gpointer data)
{
  Exploration *self = data;
  gint64 now_us = g_get_monotonic_time ();

  if (progress->n_fresh == 0 && now_us - self->last_us < SEARCH_INTERVAL_US)
    return;
  self->last_us = now_us;
  if (self->context->notify != NULL)
    self->context->notify (SEAM_NOTIFY_SEARCH,
                           seam_search_progress_to_variant (self->search, progress),
                           self->context->notify_data);
}

static void
notify_all (Exploration *self)
{
  const SeamSearch *search = self->search;
  SeamSearchProgress progress = { .n_points = search->n_points,
                                  .n_pending = seam_search_count (search, SEAM_POINT_PENDING),
                                  .budget_s = search->request->settings.budget_s,
                                  .expected_s = NAN,
                                  .n_fresh = search->n_points,
                                  .current = -1 };
  g_autofree int *all = g_new (int, search->n_points);

  for (int i = 0; i < search->n_points; i++)
    all[i] = i;
  progress.fresh = all;
  search_progress_cb (&progress, self);
}

static GVariant *
explore (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
         GError **error)
{
  static const char *const ends[] = { "done", "stopped", "budget" };
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (job->params, error);
  g_autoptr (GVariant) before =
      g_variant_lookup_value (job->params, "search", G_VARIANT_TYPE_VARDICT);
  Exploration exploration = { .context = context };
  SeamSearchOptions options = { .cancel = &job->cancel,
                                .progress = search_progress_cb,
                                .data = &exploration };
  SeamSearchEnd end = SEAM_SEARCH_STOPPED;
  const char *x = NULL, *y = NULL;
  gboolean measure = FALSE;

  if (request == NULL)
    return NULL;
  g_variant_lookup (job->params, "measure", "b", &measure);
  g_variant_lookup (job->params, "vary_x", "&s", &x);
  g_variant_lookup (job->params, "vary_y", "&s", &y);
  /* A prediction leaves the outputs of the last run in place. */
  SeamRunner *runner = measure ? take_runner (context, request->target)
                               : choose_estimator (context, request->target);
  g_autoptr (SeamSearch) search = x != NULL ? seam_sweep_new_from_texts (request, x, y, error)
                                            : seam_explore_new (request, error);
  exploration.search = search;
  /* Measured points come first, so that the prediction does not ask for them again. */
  if (search == NULL || (before != NULL && !seam_search_merge_variant (search, before, error))
      || (measure && search->device != NULL
          && !seam_runner_take_rates (runner, request->target, search->device, error))
      || !seam_search_predict (search, runner, error))
    return NULL;
  notify_all (&exploration);
  gboolean searched = !measure || seam_search_run (search, runner, &options, &end, error);
  if (measure)
    seam_runner_release (runner); /* the outputs of a point are those of no run */
  if (!searched)
    return NULL;
  return g_variant_new_parsed ("{'end': <%s>, 'search': <%@a{sv}>}", ends[end],
                               seam_search_to_variant (search, NULL, 0));
}

/* --- calibrate --- */

static void
calibrate_progress_cb (const SeamCalibrateProgress *progress, gpointer data)
{
  SeamJobContext *context = data;

  if (context->notify != NULL)
    context->notify (SEAM_NOTIFY_CALIBRATION,
                     g_variant_new_parsed ("{'what': <%s>, 'fraction': <%d>, 'elapsed_s': <%d>, "
                                           "'budget_s': <%d>}",
                                           progress->what, progress->fraction, progress->elapsed_s,
                                           progress->budget_s),
                     context->notify_data);
}

static SeamCalibration *
load_calibration (SeamRunner *runner, const char *target, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, target, error);
  SeamCalibration *calibration = NULL;

  if (device == NULL || !seam_calibration_load (device->info->identity, &calibration, error))
    return NULL;
  if (calibration == NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s is not calibrated yet.",
                 device->info->name);
  return calibration;
}

static GVariant *
forget (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
        GError **error)
{
  const char *target = NULL;

  g_variant_lookup (job->params, "target", "&s", &target);
  SeamRunner *runner = choose_estimator (context, target);
  SeamDevice *device = seam_runner_open (runner, target, error);
  if (device == NULL || !seam_runner_forget_calibration (runner, target, error))
    return NULL;
  seam_runner_undo_calibration (context->runner, device->info->identity);
  return new_empty ();
}

/* Keeps the outputs of the last run: another target is opened by the other runner, and both use the
 * new calibration. */
static GVariant *
calibrate (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
           GError **error)
{
  SeamCalibrateOptions options = { .budget_s = SEAM_CALIBRATE_DEFAULT_S,
                                   .cancel = &job->cancel,
                                   .progress = calibrate_progress_cb,
                                   .data = context };
  g_autoptr (GVariant) keep = g_variant_lookup_value (job->params, "keep", G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) budget = g_variant_lookup_value (job->params, "budget_s", NULL);
  g_autofree char *not_kept = NULL, *unsteady = NULL;
  const char *target = NULL;
  gboolean measure = FALSE;
  GVariantDict dict;

  g_variant_lookup (job->params, "target", "&s", &target);
  g_variant_lookup (job->params, "measure", "b", &measure);
  if (budget != NULL && !get_number (job, "budget_s", &options.budget_s, error))
    return NULL;
  if (!(options.budget_s >= SEAM_CALIBRATE_LEAST_S && options.budget_s <= SEAM_CALIBRATE_MOST_S)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "A calibration takes a budget of %g to %g seconds, not %g.",
                 SEAM_CALIBRATE_LEAST_S, SEAM_CALIBRATE_MOST_S, options.budget_s);
    return NULL;
  }
  SeamRunner *runner = choose_estimator (context, target);
  g_autoptr (SeamCalibration) calibration =
      keep != NULL ? seam_calibration_from_variant (keep, error)
      : measure    ? seam_runner_calibrate (runner, target, &options, error)
                   : load_calibration (runner, target, error);
  if (calibration == NULL)
    return NULL;
  if (measure && keep == NULL)
    unsteady = seam_calibration_describe_unsteady (calibration);
  if ((measure || keep != NULL) && unsteady == NULL
      && !seam_runner_keep_calibration (runner, target, calibration, &not_kept, error))
    return NULL;
  if (unsteady == NULL) {
    seam_runner_use_calibration (context->runner, calibration);
    if (context->estimator != NULL)
      seam_runner_use_calibration (context->estimator, calibration);
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "calibration", seam_calibration_to_variant (calibration));
  if (not_kept != NULL)
    g_variant_dict_insert (&dict, "not_kept", "s", not_kept);
  if (unsteady != NULL)
    g_variant_dict_insert (&dict, "unsteady", "s", unsteady);
  return g_variant_dict_end (&dict);
}

static GVariant *
difference (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
            GError **error)
{
  double atol, rtol;
  gint64 max_side;
  int a, b;

  if (!get_pair (job, &a, &b, error) || !get_tolerance (job, "atol", &atol, error)
      || !get_tolerance (job, "rtol", &rtol, error)
      || !get_int64 (job, "max_side", 1, 1024, &max_side, error))
    return NULL;
  g_autoptr (SeamDifference) found =
      seam_runner_difference (context->runner, a, b, atol, rtol, max_side, &job->cancel, error);
  return found ? seam_record_to_variant (&seam_difference_type, found, TRUE) : NULL;
}

static GVariant *
slice (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
       GError **error)
{
  static const gint64 limit = G_GINT64_CONSTANT (1) << 52;
  SeamSlice wanted = { 0 };
  int a, b;

  if (!get_pair (job, &a, &b, error) || !get_int64 (job, "sample", 0, limit, &wanted.sample, error)
      || !get_int64 (job, "channel", 0, limit, &wanted.channel, error)
      || !get_int64 (job, "first_row", 0, limit, &wanted.first_row, error)
      || !get_int64 (job, "first_column", 0, limit, &wanted.first_column, error)
      || !get_int64 (job, "n_rows", 1, limit, &wanted.n_rows, error)
      || !get_int64 (job, "n_columns", 1, limit, &wanted.n_columns, error))
    return NULL;
  g_autoptr (SeamSlice) found = seam_runner_slice (context->runner, a, b, &wanted, error);
  return found ? seam_record_to_variant (&seam_slice_type, found, TRUE) : NULL;
}

static GVariant *
read_output (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
             GError **error)
{
  gint64 index, offset, n, size;

  if (!get_int64 (job, "index", 0, G_MAXINT16, &index, error)
      || !get_int64 (job, "offset", 0, G_GINT64_CONSTANT (1) << 52, &offset, error)
      || !get_int64 (job, "n", 1, SEAM_OUTPUT_PART, &n, error))
    return NULL;
  if (offset > 0 && context->reading != index) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "The output of plan %d cannot be read on: another run has begun since its first "
                 "part, or another output was asked for. Read it again from offset 0.",
                 (int)index);
    return NULL;
  }
  g_autoptr (GBytes) part =
      seam_runner_read_output (context->runner, (int)index, offset, n, &size, error);
  if (part == NULL)
    return NULL;
  context->reading = (int)index;
  return g_variant_new_parsed ("{'size': <%x>, 'bytes': <%@ay>}", size,
                               g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, part, TRUE));
}

/* Its turn comes when the calls before it are answered; its reply ends the process. */
static GVariant *
end (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data,
     GError **error)
{
  return new_empty ();
}

/* The reply is floating, like every GVariant from a function NAME_to_variant(); NULL with an
 * error. */
typedef GVariant *(*Function) (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress,
                               gpointer data, GError **error);

static const struct {
  const char *method;
  Function function;
} functions[] = {
  { SEAM_METHOD_CALIBRATE, calibrate },
  { SEAM_METHOD_DESCRIBE, describe },
  { SEAM_METHOD_DIFFERENCE, difference },
  { SEAM_METHOD_END, end },
  { SEAM_METHOD_ESTIMATE, estimate },
  { SEAM_METHOD_EXPLORE, explore },
  { SEAM_METHOD_FORGET, forget },
  { SEAM_METHOD_LISTING, listing },
  { SEAM_METHOD_READ_OUTPUT, read_output },
  { SEAM_METHOD_RUN, run },
  { SEAM_METHOD_SLICE, slice },
  { SEAM_METHOD_SOURCE, source },
};

static Function
find_function (const char *method)
{
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].method, method) == 0)
      return functions[i].function;
  return NULL;
}

gboolean
seam_job_is_known (const char *method)
{
  return find_function (method) != NULL;
}

void
seam_job_execute (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress, gpointer data)
{
  Function function = find_function (job->method);
  GVariant *reply = NULL;

  g_return_if_fail (function != NULL);
  if (!g_variant_is_of_type (job->params, G_VARIANT_TYPE_VARDICT)) {
    g_set_error (&job->error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "The parameters of “%s” have to be an object with named members.", job->method);
    return;
  }
  /* A run that was stopped before it began still answers, with its empty result. */
  if (strcmp (job->method, SEAM_METHOD_RUN) == 0 || !seam_cancel_check (&job->cancel, &job->error))
    reply = function (job, context, progress, data, &job->error);
  if (reply)
    job->reply = g_variant_ref_sink (reply);
  else if (job->error == NULL)
    g_set_error (&job->error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
                 "“%s” failed without a reason; please report this.", job->method);
}
