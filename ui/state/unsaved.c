/* SPDX-License-Identifier: MIT */
#include "ui/state/unsaved.h"

#include <string.h>

struct _SeamUnsavedList {
  GObject parent_instance;

  GPtrArray *items; /* of SeamUnsaved, the newest last */
};

G_DEFINE_FINAL_TYPE (SeamUnsavedList, seam_unsaved_list, G_TYPE_OBJECT)

static guint collect_signal;

static void
unsaved_clear (SeamUnsaved *item)
{
  g_free (item->key);
  g_free (item->name);
  g_ptr_array_unref (item->runs);
  g_clear_pointer (&item->search, g_variant_unref);
}

static void
unsaved_unref (SeamUnsaved *item)
{
  g_rc_box_release_full (item, (GDestroyNotify)unsaved_clear);
}

GPtrArray *
seam_unsaved_list_read (SeamUnsavedList *self)
{
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)unsaved_unref);

  g_signal_emit (self, collect_signal, 0);
  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (items, g_rc_box_acquire (self->items->pdata[i]));
  return items;
}

static SeamUnsaved *
find (SeamUnsavedList *self, const char *key, guint *index)
{
  for (*index = 0; *index < self->items->len; ++*index) {
    SeamUnsaved *item = self->items->pdata[*index];
    if (strcmp (item->key, key) == 0)
      return item;
  }
  return NULL;
}

void
seam_unsaved_list_add (SeamUnsavedList *self, SeamUnsavedKind kind, const char *key,
                       const char *what, GPtrArray *runs, GVariant *search)
{
  SeamUnsaved *item = g_rc_box_new0 (SeamUnsaved);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M");
  guint index;

  item->kind = kind;
  item->key = g_strdup (key);
  item->name = g_strdup_printf ("%s, %s", what, time);
  item->runs = runs != NULL ? g_ptr_array_ref (runs) : g_ptr_array_new ();
  item->search = search != NULL ? g_variant_ref_sink (search) : NULL;
  /* The newest comes last. */
  if (find (self, key, &index) != NULL)
    g_ptr_array_remove_index (self->items, index);
  g_ptr_array_add (self->items, item);
}

void
seam_unsaved_list_drop (SeamUnsavedList *self, GPtrArray *items)
{
  /* An item that has grown in the meantime has been replaced by another one, and stays. */
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_remove (self->items, items->pdata[i]);
}

void
seam_unsaved_list_drop_runs (SeamUnsavedList *self)
{
  for (guint i = self->items->len; i-- > 0;)
    if (((SeamUnsaved *)self->items->pdata[i])->kind == SEAM_UNSAVED_RUN)
      g_ptr_array_remove_index (self->items, i);
}

/* Whether a result has all the samples that it was meant to have. */
static gboolean
is_whole (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].n_samples == 0)
      return FALSE;
  return !result->stopped;
}

void
seam_unsaved_list_add_result (SeamUnsavedList *self, const char *key, SeamResult *result)
{
  g_autoptr (GPtrArray) runs =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_session_run_unref);
  GString *whole_key = g_string_new ("run ");
  g_autofree char *what =
      g_strdup_printf ("%s, %d plan%s%s", result->pipeline_id, result->n_plans,
                       result->n_plans == 1 ? "" : "s", result->edits.n > 0 ? ", edited code" : "");
  const SeamUnsaved *before;
  guint index;

  g_string_append_printf (whole_key, "%s\n%s", key, result->pipeline_text);
  /* “Run A only” measures fewer plans than are chosen. */
  for (int i = 0; i < result->n_plans; i++)
    g_string_append_printf (whole_key, "\n%s", result->plans[i].notation);
  before = find (self, whole_key->str, &index);
  if (before != NULL && !is_whole (result)
      && is_whole (((SeamSessionRun *)before->runs->pdata[0])->result))
    g_string_append_printf (whole_key, "\nstopped %" G_GINT64_FORMAT, g_get_real_time ());
  g_ptr_array_add (runs, seam_session_run_new (result, NULL));
  seam_unsaved_list_add (self, SEAM_UNSAVED_RUN, whole_key->str, what, runs, NULL);
  g_string_free (whole_key, TRUE);
}

static void
seam_unsaved_list_finalize (GObject *object)
{
  g_ptr_array_unref (SEAM_UNSAVED_LIST (object)->items);
  G_OBJECT_CLASS (seam_unsaved_list_parent_class)->finalize (object);
}

static void
seam_unsaved_list_class_init (SeamUnsavedListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = seam_unsaved_list_finalize;
  collect_signal = g_signal_new ("collect", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
seam_unsaved_list_init (SeamUnsavedList *self)
{
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify)unsaved_unref);
}

SeamUnsavedList *
seam_unsaved_list_new (void)
{
  return g_object_new (SEAM_TYPE_UNSAVED_LIST, NULL);
}
