/* SPDX-License-Identifier: MIT
 *
 * The request of a run: its defaults, its way from window to worker, and the checks, which the
 * worker repeats because it trusts no message.
 */
#include "app/runner/runner.h"

#include "app/record/variant.h"
#include "app/runner/run-private.h"

#include <math.h>
#include <string.h>

/* The fields, except the pipeline and those that need it or a list of names to be read. */
static const SeamField fields[] = {
  { SEAM_FIELD (SeamRunRequest, preset, TEXT) },
  { SEAM_FIELD (SeamRunRequest, plans, STRINGS) },
  { SEAM_FIELD (SeamRunRequest, target, TEXT) },
  { .name = "settings", SEAM_AT (SeamRunRequest, settings, INLINE), .type = &seam_settings_type },
  { SEAM_FIELD (SeamRunRequest, counters, BOOLEAN), .initial = TRUE },
  { SEAM_FIELD (SeamRunRequest, tensors_dir, TEXT) },
  { SEAM_AT (SeamRunRequest, reference_extent, CHOICE), .name = "truth",
    .choices = seam_reference_extents },
  { SEAM_FIELD (SeamRunRequest, overview_side, INT), .initial = SEAM_OVERVIEW_SIDE, .min = 1,
    .max = SEAM_OVERVIEW_SIDE },
  { .name = "edits", SEAM_AT (SeamRunRequest, edits, INLINE), .type = &seam_edits_type },
  { NULL },
};

static const SeamRecordType request_type = {
  .name = "request",
  .size = sizeof (SeamRunRequest),
  .fields = fields,
};

SeamRunRequest *
seam_run_request_new (SeamPipeline *pipeline)
{
  static const char *const plans[] = { "unfused", "published", NULL };
  const SeamPreset *preset = seam_pipeline_get_default_preset (pipeline);
  SeamRunRequest *request = seam_record_new (&request_type);
  g_auto (GStrv) known = seam_plan_list_names (pipeline);
  gboolean has_published = g_strv_contains ((const char *const *)known, "published");

  request->pipeline = seam_pipeline_ref (pipeline);
  memcpy (request->values, preset->values, sizeof request->values);
  request->preset = g_strdup (preset->name);
  /* A person's own pipeline file may lack a published cut. */
  request->plans = g_strdupv ((char **)plans);
  if (!has_published) {
    g_free (request->plans[1]);
    request->plans[1] = g_strdup ("full");
  }
  seam_settings_init (&request->settings);
  return request;
}

SeamRunRequest *
seam_run_request_copy (const SeamRunRequest *request)
{
  SeamRunRequest *copy = seam_record_dup (&request_type, request);

  seam_pipeline_ref (copy->pipeline);
  return copy;
}

void
seam_run_request_free (SeamRunRequest *request)
{
  if (request == NULL)
    return;
  g_clear_pointer (&request->pipeline, seam_pipeline_unref);
  seam_record_free (&request_type, request);
}

gboolean
seam_run_request_check (const SeamRunRequest *request, GError **error)
{
  guint n_plans = request->plans != NULL ? g_strv_length (request->plans) : 0;
  const SeamSettings *settings = &request->settings;

  if (n_plans < 1 || n_plans > SEAM_RUN_MAX_PLANS)
    return seam_fail (error, SEAM_ERROR_INPUT, "A run takes 1 to %d plans, and %u are chosen.",
                      SEAM_RUN_MAX_PLANS, n_plans);
  if (!(settings->budget_s > 0 && settings->budget_s <= SEAM_MAX_BUDGET_S))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The time budget has to be more than 0 and at most %d seconds.",
                      SEAM_MAX_BUDGET_S);
  /* NaN stands for the default. */
  if (settings->atol < 0 || settings->rtol < 0 || isinf (settings->atol) || isinf (settings->rtol))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The tolerances atol and rtol have to be 0 or more, and finite.");
  return seam_settings_check (settings, error) && seam_run_check_pitfalls (NULL, request, error);
}

gboolean
seam_run_request_check_target (const SeamRunRequest *request, const SeamDeviceInfo *target,
                               GError **error)
{
  const char *why;

  if (seam_settings_find_refused (&request->settings, seam_device_info_get_abilities (target), &why)
      == NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s", why);
}

SeamProblem *
seam_run_request_new_problem (const SeamRunRequest *request, GError **error)
{
  return seam_problem_new_with_storage (request->pipeline, request->values, &request->settings,
                                        error);
}

GVariant *
seam_run_request_to_variant (const SeamRunRequest *request)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (&builder, "pipeline", request->pipeline->id);
  seam_builder_string (&builder, "pipeline_text", request->pipeline->text);
  seam_builder_array (&builder, "values", "x", sizeof (gint64), request->values,
                      (gsize)request->pipeline->n_fields);
  g_autofree char *pitfalls = seam_pitfalls_format (request->pitfalls);
  seam_builder_string (&builder, "pitfalls", pitfalls);
  seam_record_build (&request_type, request, TRUE, &builder);
  return g_variant_builder_end (&builder);
}

static SeamPipeline *
read_pipeline (SeamReader *reader)
{
  g_autofree char *id = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;

  seam_reader_require (reader, "pipeline");
  seam_reader_require (reader, "pipeline_text");
  seam_reader_string (reader, "pipeline", &id);
  seam_reader_text (reader, "pipeline_text", &text);
  if (reader->error != NULL)
    return NULL;
  SeamPipeline *pipeline = seam_pipeline_parse (text, id, &error);
  if (pipeline == NULL)
    seam_reader_fail (reader, "%s", error->message);
  return pipeline;
}

static void
read_values (SeamReader *reader, SeamRunRequest *request)
{
  gsize n;
  g_autofree gint64 *values = seam_reader_array (reader, "values", "x", sizeof (gint64), &n);

  if (values == NULL)
    return;
  if (n != (gsize)request->pipeline->n_fields) {
    seam_reader_fail (reader, "it has %" G_GSIZE_FORMAT " shape values, and %s has %d", n,
                      request->pipeline->id, request->pipeline->n_fields);
    return;
  }
  memcpy (request->values, values, n * sizeof (gint64));
}

static void
read_pitfalls (SeamReader *reader, SeamRunRequest *request)
{
  g_autofree char *names = NULL;
  g_autoptr (GError) error = NULL;

  seam_reader_string (reader, "pitfalls", &names);
  if (names != NULL && !seam_pitfalls_parse (names, &request->pitfalls, &error))
    seam_reader_fail (reader, "%s", error->message);
}

SeamRunRequest *
seam_run_request_from_variant (GVariant *variant, GError **error)
{
  SeamReader reader;

  seam_reader_init (&reader, variant, "request");
  g_autoptr (SeamPipeline) pipeline = read_pipeline (&reader);
  if (pipeline == NULL) {
    seam_reader_finish (&reader, error);
    return NULL;
  }
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_clear_pointer (&request->preset, g_free);
  read_values (&reader, request);
  seam_record_read (&request_type, &reader, NULL, request);
  read_pitfalls (&reader, request);
  if (!seam_reader_finish (&reader, error) || !seam_run_request_check (request, error))
    return NULL;
  return g_steal_pointer (&request);
}
