/* SPDX-License-Identifier: MIT
 *
 * One run of a session, in memory. save.c writes it to a file, load.c reads it.
 */
#include "app/session/session.h"

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
seam_session_run_add_slice (SeamSessionRun *run, int plan, int against, SeamSlice *slice)
{
  SeamSessionSlice *kept = g_new0 (SeamSessionSlice, 1);

  *kept = (SeamSessionSlice){ plan, against, slice };
  g_ptr_array_add (run->slices, kept);
}

void
seam_session_run_set_code (SeamSessionRun *run, GVariant *code)
{
  g_clear_pointer (&run->code, g_variant_unref);
  run->code = g_variant_ref_sink (code);
}

const SeamSlice *
seam_session_run_get_slice (const SeamSessionRun *run, int plan, int against)
{
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    if (kept->plan == plan && kept->against == against)
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
seam_session_run_cut_slice (const SeamSessionRun *run, int plan, int against,
                            const SeamSlice *wanted)
{
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    const SeamSlice *slice = kept->slice;

    if (kept->plan != plan || kept->against != against || !holds (slice, wanted))
      continue;
    SeamSlice *cut = seam_slice_new (wanted->n_rows, wanted->n_columns);
    if (slice->bounds != NULL)
      cut->bounds = g_new (float, wanted->n_rows * wanted->n_columns);
    if (slice->rest != NULL)
      cut->rest = g_new (float, wanted->n_rows * wanted->n_columns);
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
      if (slice->bounds != NULL)
        memcpy (cut->bounds + to, slice->bounds + from, sizeof (float) * (gsize)wanted->n_columns);
      if (slice->rest != NULL)
        memcpy (cut->rest + to, slice->rest + from, sizeof (float) * (gsize)wanted->n_columns);
    }
    return cut;
  }
  return NULL;
}

/* Position of the plan `plan` among `chosen`; -1 (FP64) stays -1. */
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
  g_variant_dict_insert (dict, "reference", "x", (gint64)find_chosen (chosen, n, result->against));
  g_autoptr (GVariant) part = g_variant_ref_sink (g_variant_dict_end (dict));
  SeamResult *shown = seam_result_from_variant (part, error);
  if (shown != NULL) {
    shown->load = result->load;
    g_free (shown->throttle);
    shown->throttle = g_strdup (result->throttle);
  }
  return shown;
}

SeamSessionRun *
seam_session_run_choose (const SeamSessionRun *run, const int *plans, int n, GError **error)
{
  g_autofree int *chosen = g_new (int, n + 1);

  for (int i = 0; i < n; i++) {
    g_return_val_if_fail (plans[i] >= 0 && plans[i] < run->result->n_plans, NULL);
    chosen[i] = plans[i];
  }
  if (run->result->against >= 0 && find_chosen (chosen, n, run->result->against) < 0)
    chosen[n++] = run->result->against;
  g_autoptr (SeamResult) part = choose_plans (run->result, chosen, n, error);
  if (part == NULL)
    return NULL;
  SeamSessionRun *view = seam_session_run_new (part, run->note);
  if (run->code != NULL)
    seam_session_run_set_code (view, run->code);
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    int plan = find_chosen (chosen, n, kept->plan);
    int against = find_chosen (chosen, n, kept->against);
    if (plan >= 0 && (against >= 0 || kept->against < 0))
      seam_session_run_add_slice (
          view, plan, against,
          seam_session_run_cut_slice (run, kept->plan, kept->against, kept->slice));
  }
  return view;
}
