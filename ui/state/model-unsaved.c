/* SPDX-License-Identifier: MIT
 *
 * The list of what was measured in this window and is in no file: results of runs, explorations,
 * sweeps and pitfall labs. A new run takes the place of an older one in the list only where it is
 * the same run again; all others stay until they are saved or given up.
 */
#include "ui/state/model-private.h"

#include <string.h>

static void
unsaved_clear (SeamUnsaved *item)
{
  g_free (item->key);
  g_free (item->name);
  g_ptr_array_unref (item->runs);
  g_clear_pointer (&item->survey, g_variant_unref);
}

static void
unsaved_unref (SeamUnsaved *item)
{
  g_rc_box_release_full (item, (GDestroyNotify)unsaved_clear);
}

GPtrArray *
seam_model_list_unsaved (SeamModel *self)
{
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)unsaved_unref);

  g_signal_emit_by_name (self, "list-unsaved");
  for (guint i = 0; i < self->unsaved->len; i++)
    g_ptr_array_add (items, g_rc_box_acquire (self->unsaved->pdata[i]));
  return items;
}

static SeamUnsaved *
find (SeamModel *self, const char *key, guint *index)
{
  for (*index = 0; *index < self->unsaved->len; ++*index) {
    SeamUnsaved *item = self->unsaved->pdata[*index];
    if (strcmp (item->key, key) == 0)
      return item;
  }
  return NULL;
}

void
seam_model_add_unsaved (SeamModel *self, SeamUnsavedKind kind, const char *key, const char *what,
                        GPtrArray *runs, GVariant *survey)
{
  SeamUnsaved *item = g_rc_box_new0 (SeamUnsaved);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M");
  guint index;

  item->kind = kind;
  item->key = g_strdup (key);
  item->name = g_strdup_printf ("%s, %s", what, time);
  item->runs = runs != NULL ? g_ptr_array_ref (runs) : g_ptr_array_new ();
  item->survey = survey != NULL ? g_variant_ref_sink (survey) : NULL;
  /* The newest comes last. */
  if (find (self, key, &index) != NULL)
    g_ptr_array_remove_index (self->unsaved, index);
  g_ptr_array_add (self->unsaved, item);
}

void
seam_model_drop_unsaved (SeamModel *self, GPtrArray *items)
{
  /* One that has grown meanwhile is another item. */
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_remove (self->unsaved, items->pdata[i]);
}

void
seam_model_drop_unsaved_runs (SeamModel *self)
{
  for (guint i = self->unsaved->len; i-- > 0;)
    if (((SeamUnsaved *)self->unsaved->pdata[i])->kind == SEAM_UNSAVED_RUN)
      g_ptr_array_remove_index (self->unsaved, i);
}

/* Whether a result has every sample that it was to have. */
static gboolean
is_whole (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].n_samples == 0)
      return FALSE;
  return !result->stopped;
}

void
seam_model_add_unsaved_result (SeamModel *self, SeamResult *result)
{
  g_autoptr (GPtrArray) runs =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_session_run_unref);
  GString *key = g_string_new ("run ");
  g_autofree char *what =
      g_strdup_printf ("%s, %d plan%s%s", result->pipeline_id, result->n_plans,
                       result->n_plans == 1 ? "" : "s", result->edits.n > 0 ? ", edited code" : "");
  g_autofree char *settings = seam_model_make_result_key (self);
  SeamUnsaved *before;
  guint index;

  g_string_append_printf (key, "%s %s\n%s", settings, self->result_plans_key,
                          result->pipeline_text);
  /* “Run A only” measures fewer plans than are chosen. */
  for (int i = 0; i < result->n_plans; i++)
    g_string_append_printf (key, "\n%s", result->plans[i].notation);
  /* A run that was stopped does not take the place of a whole one. */
  before = find (self, key->str, &index);
  if (before != NULL && !is_whole (result)
      && is_whole (((SeamSessionRun *)before->runs->pdata[0])->result))
    g_string_append_printf (key, "\nstopped %" G_GINT64_FORMAT, g_get_real_time ());
  g_ptr_array_add (runs, seam_session_run_new (result, NULL));
  seam_model_add_unsaved (self, SEAM_UNSAVED_RUN, key->str, what, runs, NULL);
  g_string_free (key, TRUE);
}

GPtrArray *
seam_model_new_unsaved (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)unsaved_unref);
}
