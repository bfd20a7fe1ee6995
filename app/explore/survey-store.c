/* SPDX-License-Identifier: MIT
 *
 * A stored survey is made again from its request, and then takes over the points, so that nothing
 * but points of that very survey can be read.
 */
#include "app/explore/survey-store.h"

#include "app/explore/explore.h"
#include "app/record/variant.h"

#include <string.h>

static const char *
get_kind_name (SeamSurveyKind kind)
{
  return kind == SEAM_SURVEY_EXPLORE ? "explore" : "sweep";
}

static const char *
get_last_time (const SeamSurvey *survey)
{
  const char *last = NULL;

  for (int i = 0; i < survey->n_points; i++)
    if (g_strcmp0 (survey->points[i].measured_at, last) > 0)
      last = survey->points[i].measured_at;
  return last;
}

static GVariant *
store (const SeamSurvey *survey, const SeamSweep *sweep)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (&builder, "kind", get_kind_name (survey->kind));
  seam_builder_string (&builder, "pipeline", survey->request->pipeline->id);
  seam_builder_string (&builder, "math_mode", survey->math_mode);
  seam_builder_string (&builder, "varied", survey->varied);
  seam_builder_string (&builder, "measured_at", get_last_time (survey));
  seam_builder_int64 (&builder, "n_measured", seam_survey_count (survey, SEAM_POINT_MEASURED));
  seam_builder_string (&builder, "floor_source", survey->floor_source);
  seam_builder_double (&builder, "floor_ns", survey->ceiling.floor.floor_ns);
  g_variant_builder_add (&builder, "{sv}", "request",
                         seam_run_request_to_variant (survey->request));
  if (survey->device != NULL)
    g_variant_builder_add (&builder, "{sv}", "device",
                           seam_record_to_variant (&seam_device_info_type, survey->device, TRUE));
  for (int i = 0; sweep != NULL && i < sweep->n_axes; i++) {
    g_autofree char *text = seam_sweep_axis_format (&sweep->axes[i]);

    seam_builder_string (&builder, i == 0 ? "vary_x" : "vary_y", text);
  }
  seam_builder_open_list (&builder, "points");
  for (int i = 0; i < survey->n_points; i++)
    g_variant_builder_add_value (
        &builder, seam_record_to_variant (&seam_point_type, &survey->points[i], TRUE));
  seam_builder_close_list (&builder);
  return g_variant_builder_end (&builder);
}

GVariant *
seam_explore_store (const SeamSurvey *survey)
{
  return store (survey, NULL);
}

GVariant *
seam_sweep_store (const SeamSweep *sweep)
{
  return store (sweep->survey, sweep);
}

const char *
seam_survey_get_stored_kind (GVariant *variant)
{
  const char *kind = NULL;

  if (variant == NULL || !g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    return NULL;
  g_variant_lookup (variant, "kind", "&s", &kind);
  for (int i = SEAM_SURVEY_EXPLORE; i <= SEAM_SURVEY_SWEEP; i++)
    if (g_strcmp0 (kind, get_kind_name ((SeamSurveyKind)i)) == 0)
      return get_kind_name ((SeamSurveyKind)i);
  return NULL;
}

static SeamRunRequest *
read_request (GVariant *variant, const char *kind, GError **error)
{
  g_autoptr (GVariant) request = NULL;
  SeamRunRequest *parsed;
  const char *init;

  if (g_strcmp0 (seam_survey_get_stored_kind (variant), kind) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "It is no result of %s.", kind);
    return NULL;
  }
  request = g_variant_lookup_value (variant, "request", G_VARIANT_TYPE_VARDICT);
  if (request == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The result of %s says not what was asked.",
                 kind);
    return NULL;
  }
  parsed = seam_run_request_from_variant (request, error);
  /* Older files do not say, and were made like this; a new request has another default. */
  if (parsed != NULL && !g_variant_lookup (request, "init", "&s", &init))
    parsed->settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  return parsed;
}

/* The list of points becomes what travels between worker and window. */
static gboolean
take_points (SeamSurvey *survey, GVariant *variant, GError **error)
{
  g_autoptr (GVariant) points =
      g_variant_lookup_value (variant, "points", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (variant);
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder list;
  gsize n = points != NULL ? g_variant_n_children (points) : 0;

  if (n != (gsize)survey->n_points) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "It has %" G_GSIZE_FORMAT " points and should have %d.", n, survey->n_points);
    return FALSE;
  }
  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ia{sv})"));
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) point = g_variant_get_child_value (points, i);
    g_variant_builder_add (&list, "(i@a{sv})", (int)i, point);
  }
  g_variant_dict_insert_value (dict, "points", g_variant_builder_end (&list));
  whole = g_variant_ref_sink (g_variant_dict_end (dict));
  if (!seam_survey_merge_variant (survey, whole, error))
    return FALSE;
  if (survey->device != NULL && survey->math_mode != NULL)
    return TRUE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                       "It says neither device nor math mode of its points.");
  return FALSE;
}

SeamSurvey *
seam_explore_restore (GVariant *variant, GError **error)
{
  g_autoptr (SeamRunRequest) request = read_request (variant, "explore", error);
  g_autoptr (SeamSurvey) survey = NULL;

  if (request == NULL)
    return NULL;
  if (request->pipeline->chains[0].n_ops - 1 > SEAM_LATTICE_MAX_SEAMS) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "Its pipeline is too long.");
    return NULL;
  }
  survey = seam_explore_new (request);
  return take_points (survey, variant, error) ? g_steal_pointer (&survey) : NULL;
}

SeamSweep *
seam_sweep_restore (GVariant *variant, GError **error)
{
  g_autoptr (SeamRunRequest) request = read_request (variant, "sweep", error);
  g_autoptr (SeamSweep) sweep = NULL;
  const char *x = NULL, *y = NULL;

  if (request == NULL)
    return NULL;
  g_variant_lookup (variant, "vary_x", "&s", &x);
  g_variant_lookup (variant, "vary_y", "&s", &y);
  if (x == NULL || request->plans == NULL || request->plans[0] == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "It does not say which shapes and plans it varies.");
    return NULL;
  }
  sweep = seam_sweep_new_from_texts (request, x, y, error);
  return sweep != NULL && take_points (sweep->survey, variant, error) ? g_steal_pointer (&sweep)
                                                                      : NULL;
}
