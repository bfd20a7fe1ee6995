/* SPDX-License-Identifier: MIT
 *
 * Sessions in memory. Their way into a file and back: save.c and load.c.
 */
#include "app/session/session.h"

#include "app/base/storage.h"

#include <string.h>

static void
session_slice_free (SeamSessionSlice *kept)
{
  seam_slice_free (kept->slice);
  g_free (kept);
}

SeamSessionRun *
seam_session_run_new (SeamResult *result, const char *note)
{
  SeamSessionRun *run = g_new0 (SeamSessionRun, 1);

  g_atomic_ref_count_init (&run->ref_count);
  run->result = seam_result_ref (result);
  run->note = g_strdup (note);
  run->slices = g_ptr_array_new_with_free_func ((GDestroyNotify)session_slice_free);
  return run;
}

SeamSessionRun *
seam_session_run_ref (SeamSessionRun *run)
{
  g_atomic_ref_count_inc (&run->ref_count);
  return run;
}

void
seam_session_run_unref (SeamSessionRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->ref_count))
    return;
  seam_result_unref (run->result);
  g_free (run->note);
  g_ptr_array_unref (run->slices);
  g_clear_pointer (&run->code, g_variant_unref);
  g_free (run);
}

void
seam_session_run_add_slice (SeamSessionRun *run, int plan, int trusted, SeamSlice *slice)
{
  SeamSessionSlice *kept = g_new0 (SeamSessionSlice, 1);

  *kept = (SeamSessionSlice){ plan, trusted, slice };
  g_ptr_array_add (run->slices, kept);
}

void
seam_session_run_set_code (SeamSessionRun *run, GVariant *code)
{
  g_clear_pointer (&run->code, g_variant_unref);
  run->code = g_variant_ref_sink (code);
}

const SeamSlice *
seam_session_run_get_slice (const SeamSessionRun *run, int plan, int trusted)
{
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    if (kept->plan == plan && kept->trusted == trusted)
      return kept->slice;
  }
  return NULL;
}

static gboolean
holds (const SeamSlice *slice, const SeamSlice *wanted)
{
  return slice->a != NULL && slice->sample == wanted->sample && slice->channel == wanted->channel
         && wanted->first_row >= slice->first_row && wanted->first_column >= slice->first_column
         && wanted->first_row - slice->first_row <= slice->n_rows - wanted->n_rows
         && wanted->first_column - slice->first_column <= slice->n_columns - wanted->n_columns;
}

SeamSlice *
seam_session_run_cut_slice (const SeamSessionRun *run, int plan, int trusted,
                            const SeamSlice *wanted)
{
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    const SeamSlice *slice = kept->slice;
    SeamSlice *cut;

    if (kept->plan != plan || kept->trusted != trusted || !holds (slice, wanted))
      continue;
    cut = seam_slice_new (wanted->n_rows, wanted->n_columns);
    cut->sample = wanted->sample;
    cut->channel = wanted->channel;
    cut->first_row = wanted->first_row;
    cut->first_column = wanted->first_column;
    for (gint64 row = 0; row < wanted->n_rows; row++) {
      gint64 from = (wanted->first_row - slice->first_row + row) * slice->n_columns
                    + wanted->first_column - slice->first_column;
      gint64 to = row * wanted->n_columns;
      memcpy (cut->a + to, slice->a + from, sizeof (float) * (gsize)wanted->n_columns);
      memcpy (cut->b + to, slice->b + from, sizeof (float) * (gsize)wanted->n_columns);
    }
    return cut;
  }
  return NULL;
}

/* Position of the plan `plan` among `chosen`; FP64 stays -1. */
static int
find_chosen (const int *chosen, int n, int plan)
{
  for (int i = 0; i < n; i++)
    if (chosen[i] == plan)
      return i;
  return -1;
}

static SeamResult *
choose_plans (const SeamResult *result, const int *chosen, int n, GError **error)
{
  g_autoptr (GVariant) whole = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  g_autoptr (GVariant) plans = g_variant_lookup_value (whole, "plans", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (whole);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (int i = 0; i < n; i++) {
    g_autoptr (GVariant) plan = g_variant_get_child_value (plans, (gsize)chosen[i]);
    g_variant_builder_add_value (&builder, plan);
  }
  g_variant_dict_insert_value (dict, "plans", g_variant_builder_end (&builder));
  g_variant_dict_insert (dict, "reference", "x",
                         (gint64)find_chosen (chosen, n, result->reference));
  g_autoptr (GVariant) part = g_variant_ref_sink (g_variant_dict_end (dict));
  return seam_result_from_variant (part, error);
}

SeamSessionRun *
seam_session_run_choose (const SeamSessionRun *run, const int *plans, int n, GError **error)
{
  g_autofree int *chosen = g_new (int, n + 1);
  g_autoptr (SeamResult) part = NULL;
  SeamSessionRun *view;

  for (int i = 0; i < n; i++) {
    g_return_val_if_fail (plans[i] >= 0 && plans[i] < run->result->n_plans, NULL);
    chosen[i] = plans[i];
  }
  if (run->result->reference >= 0 && find_chosen (chosen, n, run->result->reference) < 0)
    chosen[n++] = run->result->reference;
  part = choose_plans (run->result, chosen, n, error);
  if (part == NULL)
    return NULL;
  view = seam_session_run_new (part, run->note);
  if (run->code != NULL)
    seam_session_run_set_code (view, run->code);
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    int plan = find_chosen (chosen, n, kept->plan);
    int trusted = find_chosen (chosen, n, kept->trusted);
    if (plan >= 0 && (trusted >= 0 || kept->trusted < 0))
      seam_session_run_add_slice (
          view, plan, trusted,
          seam_session_run_cut_slice (run, kept->plan, kept->trusted, kept->slice));
  }
  return view;
}

char *
seam_session_run_describe (const SeamSessionRun *run)
{
  const SeamResult *result = run->result;
  const SeamDeviceInfo *device = result->device;
  const char *name = device->name != NULL ? device->name : device->id;
  g_autofree char *mode = g_ascii_strup (result->math_mode != NULL ? result->math_mode : "", -1);
  g_autofree char *plans =
      g_strdup_printf ("%d plan%s", result->n_plans, result->n_plans == 1 ? "" : "s");
  g_autofree char *words = seam_pitfalls_describe (result->pitfalls);
  g_autofree char *mark = words != NULL ? g_strconcat ("with pitfall: ", words, NULL) : NULL;
  const char *const parts[] = {
    result->pipeline_id,
    mark,
    result->shape_text,
    mode,
    seam_storage_describe (result->storage, result->math_mode),
    name,
    plans,
    result->started_at,
    run->note,
  };
  GString *line = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && parts[i][0] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? ", " : "", parts[i]);
  return g_string_free (line, FALSE);
}

static void
session_survey_free (SeamSessionSurvey *survey)
{
  g_variant_unref (survey->content);
  g_free (survey->note);
  g_free (survey);
}

SeamSession *
seam_session_new (void)
{
  SeamSession *session = g_new0 (SeamSession, 1);

  session->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_session_run_unref);
  session->surveys = g_ptr_array_new_with_free_func ((GDestroyNotify)session_survey_free);
  return session;
}

void
seam_session_free (SeamSession *session)
{
  if (session == NULL)
    return;
  g_ptr_array_unref (session->runs);
  g_ptr_array_unref (session->surveys);
  g_free (session);
}

void
seam_session_add_run (SeamSession *session, SeamSessionRun *run)
{
  g_ptr_array_add (session->runs, seam_session_run_ref (run));
}

void
seam_session_add_survey (SeamSession *session, GVariant *content, const char *note)
{
  SeamSessionSurvey *survey = g_new0 (SeamSessionSurvey, 1);

  survey->content = g_variant_ref_sink (content);
  survey->note = g_strdup (note);
  g_ptr_array_add (session->surveys, survey);
}

static const char *
get_text (const SeamSessionSurvey *survey, const char *key)
{
  const char *text = NULL;

  g_variant_lookup (survey->content, key, "&s", &text);
  return text;
}

const char *
seam_session_survey_get_kind (const SeamSessionSurvey *survey)
{
  return get_text (survey, "kind");
}

char *
seam_session_survey_describe (const SeamSessionSurvey *survey)
{
  gboolean explore = g_strcmp0 (seam_session_survey_get_kind (survey), "explore") == 0;
  const char *pipeline = get_text (survey, "pipeline"), *mode = get_text (survey, "math_mode");
  const char *varied = get_text (survey, "varied"), *time = get_text (survey, "measured_at");
  g_autofree char *upper = mode != NULL ? g_ascii_strup (mode, -1) : NULL;
  gint64 n = 0;

  g_variant_lookup (survey->content, "n_measured", "x", &n);
  return g_strdup_printf ("%s of %s%s%s%s%s, %" G_GINT64_FORMAT " %s measured%s%s%s%s",
                          explore ? "exploration" : "sweep", pipeline != NULL ? pipeline : "",
                          varied != NULL ? " over " : "", varied != NULL ? varied : "",
                          upper != NULL ? ", " : "", upper != NULL ? upper : "", n,
                          explore ? "partitions" : "points", time != NULL ? ", " : "",
                          time != NULL ? time : "", survey->note != NULL ? ", " : "",
                          survey->note != NULL ? survey->note : "");
}
