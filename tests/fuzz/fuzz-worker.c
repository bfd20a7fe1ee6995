/* SPDX-License-Identifier: MIT
 *
 * Calls of the worker's protocol (app/worker/protocol.h). The first line of an input says what the
 * rest is:
 *
 *   json METHOD    parameters as JSON text
 *   text METHOD    parameters as text of GVariant
 *   bytes METHOD   parameters as the serialised bytes of an a{sv}
 *
 * A request without a "pipeline_text" gets that of its pipeline. Nothing is measured: `run` is
 * stopped before it begins, `explore` and `calibrate` only predict and look up. The method "reply"
 * is the other direction: parameters that the window's readers get from a worker.
 */
#include "app/explore/explore.h"
#include "app/result/calibration.h"
#include "app/result/check.h"
#include "app/runner/runner-source.h"
#include "app/session/session.h"
#include "app/worker/job.h"
#include "app/worker/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <json-glib/json-glib.h>
#include <string.h>

static SeamJobContext context;
static SeamRunRequest *small; /* the outputs of this one are there */

static void
notify_cb (const char *method, GVariant *params, gpointer data)
{
  g_variant_unref (g_variant_ref_sink (params));
}

/* One small run, so that `difference` and `slice` have something to show. */
static void
run_once (void)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autoptr (SeamJob) job = NULL;

  small = seam_run_request_new (pipeline);
  for (int i = 0; i < pipeline->n_fields; i++)
    small->values[i] = 4;
  g_free (small->preset);
  small->preset = NULL;
  small->target = g_strdup ("cpu");
  small->settings.budget_s = 0.01;
  g_autoptr (GVariant) params = g_variant_ref_sink (seam_run_request_to_variant (small));
  job = seam_job_new (SEAM_METHOD_RUN, NULL, params);
  seam_job_execute (job, &context, NULL, NULL);
  g_assert_no_error (job->error);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init ();
  seam_job_context_init (&context);
  context.notify = notify_cb;
  run_once ();
  return 0;
}

static GVariant *
read_json (const char *text)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  GVariant *variant;

  if (!json_parser_load_from_data (parser, text, -1, NULL) || json_parser_get_root (parser) == NULL)
    return NULL;
  /* This is how jsonrpc-glib reads a message. */
  variant = json_gvariant_deserialize (json_parser_get_root (parser), NULL, NULL);
  return variant != NULL ? g_variant_ref_sink (variant) : NULL;
}

static GVariant *
read_params (const char *kind, const char *text, gsize size)
{
  if (strcmp (kind, "json") == 0)
    return read_json (text);
  if (strcmp (kind, "text") == 0 && g_utf8_validate (text, -1, NULL))
    return g_variant_parse (NULL, text, NULL, NULL, NULL);
  if (strcmp (kind, "bytes") == 0) {
    g_autoptr (GBytes) bytes = g_bytes_new (text, size);
    return g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
  }
  return NULL;
}

/* Adds a pipeline's text, and removes options that take long. */
static GVariant *
complete (GVariant *params)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  const char *name = NULL;

  if (!g_variant_is_of_type (params, G_VARIANT_TYPE_VARDICT))
    return g_variant_ref (params);
  g_variant_dict_init (&dict, params);
  if (g_variant_dict_lookup (&dict, "pipeline", "&s", &name)
      && !g_variant_dict_contains (&dict, "pipeline_text")) {
    g_autoptr (SeamPipeline) pipeline =
        strchr (name, '/') == NULL ? seam_pipeline_find (name, NULL) : NULL;
    if (pipeline != NULL)
      g_variant_dict_insert (&dict, "pipeline_text", "s", pipeline->text);
  }
  if (g_variant_dict_contains (&dict, "measure"))
    g_variant_dict_insert (&dict, "measure", "b", FALSE);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* Calls a reader, checks what it promises, and frees what it gave. */
#define READ(Type, function, variant, free_function)                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autoptr (GError) problem = NULL;                                                             \
    Type *found = function (variant, &problem);                                                    \
    fuzz_check (found != NULL, problem);                                                           \
    g_clear_pointer (&found, free_function);                                                       \
  }                                                                                                \
  G_STMT_END

/* Everything that the window reads of a worker's messages, genuine or not. */
static void
read_reply (GVariant *params)
{
  g_autoptr (SeamDeviceInfo) device = NULL;
  SeamProgress progress;
  SeamSearchProgress search_progress;
  g_autoptr (GVariant) points = NULL;

  if (!g_variant_is_of_type (params, G_VARIANT_TYPE_VARDICT))
    return;
  READ (SeamSessionRun, seam_session_run_from_variant, params, seam_session_run_unref);
  READ (SeamEstimate, seam_estimate_from_variant, params, seam_estimate_free);
  READ (SeamCode, seam_code_from_variant, params, seam_code_free);
  seam_difference_free (seam_record_new_from_variant (&seam_difference_type, params, NULL));
  seam_slice_free (seam_record_new_from_variant (&seam_slice_type, params, NULL));
  READ (SeamListing, seam_listing_from_variant, params, seam_listing_free);
  seam_hello_check (params, NULL);
  READ (SeamCalibration, seam_calibration_from_variant, params, seam_calibration_free);
  device = seam_device_info_from_variant (params);
  if (seam_record_from_variant (&seam_progress_type, params, "progress", NULL, &progress, NULL))
    seam_record_clear (&seam_progress_type, &progress);
  if (seam_search_progress_from_variant (params, &search_progress, &points, NULL)
      && points != NULL) {
    g_autoptr (SeamSearch) search = seam_explore_new (small, NULL);
    seam_search_merge_variant (search, points, NULL);
  }
}

/* The window understands what the worker answers. */
static void
check_reply (const SeamJob *job)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (job->method, SEAM_METHOD_ESTIMATE) == 0)
    seam_estimate_free (seam_estimate_from_variant (job->reply, &error));
  else if (strcmp (job->method, SEAM_METHOD_SOURCE) == 0)
    seam_code_free (seam_code_from_variant (job->reply, &error));
  else if (strcmp (job->method, SEAM_METHOD_RUN) == 0)
    seam_result_unref (seam_result_from_variant (job->reply, &error));
  else if (strcmp (job->method, SEAM_METHOD_DIFFERENCE) == 0)
    seam_difference_free (seam_record_new_from_variant (&seam_difference_type, job->reply, &error));
  else if (strcmp (job->method, SEAM_METHOD_SLICE) == 0)
    seam_slice_free (seam_record_new_from_variant (&seam_slice_type, job->reply, &error));
  g_assert_no_error (error);
}

static void
execute (const char *method, GVariant *params)
{
  g_autoptr (SeamJob) job = seam_job_new (method, NULL, params);

  /* These would run or compile what the request says. */
  if (strcmp (method, SEAM_METHOD_RUN) == 0 || strcmp (method, SEAM_METHOD_LISTING) == 0)
    seam_cancel_raise (&job->cancel);
  seam_job_execute (job, &context, NULL, NULL);
  fuzz_check (job->reply != NULL, job->error);
  if (job->reply != NULL)
    check_reply (job);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *line_end = size > 0 ? memchr (data, '\n', size) : NULL;
  g_autofree char *line =
      line_end != NULL ? g_strndup ((const char *)data, (gsize)(line_end - data)) : NULL;
  g_autofree char *rest =
      line_end != NULL ? fuzz_text (line_end + 1, size - (gsize)(line_end + 1 - data)) : NULL;
  g_auto (GStrv) words = g_strsplit (line != NULL ? line : "", " ", 2);
  g_autoptr (GVariant) params = NULL;
  g_autoptr (GVariant) completed = NULL;

  if (g_strv_length (words) != 2)
    return -1;
  params =
      read_params (words[0], strcmp (words[0], "bytes") == 0 ? (const char *)line_end + 1 : rest,
                   size - (gsize)(line_end + 1 - data));
  if (params == NULL)
    return 0;
  completed = complete (params);
  if (strcmp (words[1], "reply") == 0)
    read_reply (completed);
  else if (seam_job_is_known (words[1]) && strcmp (words[1], SEAM_METHOD_DESCRIBE) != 0)
    execute (words[1], completed);
  return 0;
}
