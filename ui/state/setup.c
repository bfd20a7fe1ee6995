/* SPDX-License-Identifier: MIT */
#include "ui/state/setup.h"

#include "app/base/error.h"
#include "ui/class/class.h"
#include "ui/state/shape-entry.h"
#include "ui/state/watch.h"

#include <string.h>

struct _SeamSetup {
  GObject parent_instance;

  SeamNotices *notices;
  GPtrArray *pipelines;    /* of SeamPipeline */
  SeamRunRequest *request; /* pipeline, shape, target, resolved settings */
  SeamShapeEntry *shape;
  SeamChosenPlans *plans;
  int compared; /* index of the plan beside A: 1 or 2 */
  /* An edit has a key of its ops for a plan, and the pipeline's place in the list for a group. */
  SeamEdits edits;
  GHashTable *foreign; /* SHA-256 of somebody's text -> 1: it may run; -1 */
  char *mistake;       /* what is wrong with an edit, according to the last run */
  SeamEdits taken_out; /* by “Reset”, until an edit of plans is taken back */
  SeamChosenSettings *settings;
  GPtrArray *targets, *checks;
  gboolean target_chosen; /* by the person, or remembered; FALSE: "the best there is" */
};

G_DEFINE_FINAL_TYPE (SeamSetup, seam_setup, G_TYPE_OBJECT)

const SeamRunRequest *
seam_setup_get_request (SeamSetup *self)
{
  return self->request;
}

/* The request and the problem have the settings that the target supports. */
static void
resolve_settings (SeamSetup *self)
{
  SeamSettings *settings = &self->request->settings;
  SeamProblem *problem = seam_shape_entry_get_problem (self->shape);

  seam_chosen_settings_set_target (self->settings, seam_setup_get_target (self));
  seam_record_clear (&seam_settings_type, settings);
  seam_record_copy (&seam_settings_type, settings,
                    seam_chosen_settings_get_resolved (self->settings));
  if (problem != NULL)
    seam_problem_set_storage (problem, settings->storage,
                              seam_math_mode_get_operand (settings->math_mode));
}

SeamRunRequest *
seam_setup_make_request (SeamSetup *self, int n_plans)
{
  SeamRunRequest *request = seam_run_request_copy (self->request);
  g_autoptr (GStrvBuilder) plans = g_strv_builder_new ();

  for (int i = 0; i < n_plans; i++) {
    const SeamPlan *plan = seam_setup_get_plan (self, i);
    /* A plan's name, if it has one, lets the target choose the best cut of `full`. */
    g_strv_builder_add (plans, plan->name != NULL ? plan->name : plan->notation);
  }
  g_strfreev (request->plans);
  request->plans = g_strv_builder_end (plans);
  seam_setup_add_edits (self, request);
  return request;
}

/* --- Pipelines --- */

GPtrArray *
seam_setup_get_pipelines (SeamSetup *self)
{
  return self->pipelines;
}

SeamPipeline *
seam_setup_get_pipeline (SeamSetup *self)
{
  return self->request->pipeline;
}

/* The first of these plans that the pipeline has; if it has none of them, everything is cut. */
static SeamPlan *
find_plan (SeamPipeline *pipeline, const char *const names[2])
{
  for (int i = 0; i < 2 && names[i] != NULL; i++) {
    SeamPlan *plan = seam_plan_parse (pipeline, names[i], NULL);
    if (plan != NULL)
      return plan;
  }
  return seam_plan_new (pipeline, 0, 0);
}

static void
choose_first_plans (SeamSetup *self)
{
  static const char *const wanted[2][2] = { { "unfused", NULL }, { "published", "full" } };

  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamPlan) plan = find_plan (self->request->pipeline, wanted[i]);
    seam_chosen_plans_set (self->plans, i, plan);
  }
  seam_chosen_plans_set (self->plans, 2, NULL);
  seam_chosen_plans_forget_undo (self->plans);
  self->compared = 1;
}

void
seam_setup_set_pipeline (SeamSetup *self, SeamPipeline *pipeline)
{
  if (pipeline == self->request->pipeline)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_clear_pointer (&self->request->pipeline, seam_pipeline_unref);
  self->request->pipeline = seam_pipeline_ref (pipeline);
  seam_shape_entry_begin (self->shape);
  choose_first_plans (self);
  seam_watch_notify (self, "pipeline shape plans compared");
  g_object_thaw_notify (G_OBJECT (self));
}

void
seam_setup_add_pipeline (SeamSetup *self, SeamPipeline *pipeline)
{
  g_ptr_array_add (self->pipelines, seam_pipeline_ref (pipeline));
  seam_watch_notify (self, "pipelines");
}

void
seam_setup_use_pipeline (SeamSetup *self, SeamPipeline *pipeline)
{
  for (guint i = 0; i < self->pipelines->len; i++) {
    SeamPipeline *other = g_ptr_array_index (self->pipelines, i);
    if (g_strcmp0 (other->path, pipeline->path) != 0)
      continue;
    if (strcmp (other->text, pipeline->text) == 0) {
      seam_setup_set_pipeline (self, other);
      return;
    }
    /* A file that is opened again replaces its older content. */
    g_ptr_array_remove_index (self->pipelines, i);
    g_ptr_array_insert (self->pipelines, (int)i, seam_pipeline_ref (pipeline));
    seam_watch_notify (self, "pipelines");
    seam_setup_set_pipeline (self, pipeline);
    return;
  }
  seam_setup_add_pipeline (self, pipeline);
  seam_setup_set_pipeline (self, pipeline);
}

gboolean
seam_setup_open_pipeline (SeamSetup *self, const char *path, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_load (path, error);

  if (pipeline != NULL)
    seam_setup_use_pipeline (self, pipeline);
  return pipeline != NULL;
}

/* --- Shape --- */

const gint64 *
seam_setup_get_values (SeamSetup *self)
{
  return self->request->values;
}

const char *
seam_setup_get_preset (SeamSetup *self)
{
  return self->request->preset;
}

void
seam_setup_set_preset (SeamSetup *self, const char *name)
{
  g_autoptr (GError) error = NULL;

  if (seam_shape_entry_set_preset (self->shape, name, &error))
    seam_watch_notify (self, "shape");
  else
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, error->message, NULL);
}

void
seam_setup_set_field_text (SeamSetup *self, int field, const char *text)
{
  seam_shape_entry_set_field_text (self->shape, field, text);
  seam_watch_notify (self, "shape");
}

void
seam_setup_adopt_shape (SeamSetup *self, const gint64 *values, const char *preset)
{
  seam_shape_entry_adopt (self->shape, values, preset);
  seam_watch_notify (self, "shape");
}

const char *
seam_setup_get_field_error (SeamSetup *self, int field)
{
  return seam_shape_entry_get_error (self->shape, field);
}

const char *
seam_setup_get_shape_error (SeamSetup *self)
{
  return seam_shape_entry_get_error (self->shape, -1);
}

const SeamProblem *
seam_setup_get_problem (SeamSetup *self)
{
  return seam_shape_entry_get_problem (self->shape);
}

/* --- Plans --- */

int
seam_setup_get_n_plans (SeamSetup *self)
{
  return seam_chosen_plans_get_n (self->plans);
}

SeamPlan *
seam_setup_get_plan (SeamSetup *self, int index)
{
  return seam_chosen_plans_get (self->plans, index);
}

void
seam_setup_set_plan (SeamSetup *self, int index, SeamPlan *plan)
{
  const SeamPlan *old = seam_setup_get_plan (self, index);

  if (old != NULL && seam_plan_equal (plan, old) && g_strcmp0 (plan->name, old->name) == 0)
    return;
  seam_chosen_plans_remember (self->plans, NULL, NULL);
  seam_chosen_plans_set (self->plans, index, plan);
  seam_watch_notify (self, "plans");
}

void
seam_setup_set_third_plan (SeamSetup *self, SeamPlan *plan)
{
  if (plan != NULL && seam_setup_get_plan (self, 2) != NULL) {
    seam_setup_set_plan (self, 2, plan);
    return;
  }
  if (plan == seam_setup_get_plan (self, 2))
    return;
  seam_chosen_plans_remember (self->plans, NULL, NULL);
  seam_chosen_plans_set (self->plans, 2, plan);
  seam_watch_notify (self, "plans");
}

SeamPlan *
seam_setup_parse_plan (SeamSetup *self, const char *text, GError **error)
{
  const SeamDeviceInfo *target = seam_setup_get_target (self);
  g_autoptr (SeamPlan) plan = seam_plan_parse (self->request->pipeline, text, error);

  if (plan == NULL
      || (target != NULL && target->n_implementations > 0
          && !seam_device_info_check_plan (target, plan, error)))
    return NULL;
  return g_steal_pointer (&plan);
}

gboolean
seam_setup_set_plan_text (SeamSetup *self, int index, const char *text, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_setup_parse_plan (self, text, error);

  if (plan == NULL)
    return FALSE;
  seam_setup_set_plan (self, index, plan);
  return TRUE;
}

void
seam_setup_take_point (SeamSetup *self, const gint64 *values, SeamPlan *plan)
{
  gboolean is_chosen = seam_plan_equal (plan, seam_setup_get_plan (self, 0))
                       || seam_plan_equal (plan, seam_setup_get_plan (self, 1));
  gsize n_bytes = sizeof *values * (gsize)self->request->pipeline->n_fields;

  if (is_chosen && memcmp (values, self->request->values, n_bytes) == 0)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  seam_chosen_plans_remember (self->plans, self->request->values, self->request->preset);
  if (!is_chosen)
    seam_chosen_plans_set (self->plans, 1, plan);
  seam_setup_adopt_shape (self, values, NULL);
  seam_watch_notify (self, "plans");
  g_object_thaw_notify (G_OBJECT (self));
}

SeamPlan *
seam_setup_get_executed_plan (SeamSetup *self, int index)
{
  return seam_chosen_plans_get_executed (self->plans, index);
}

void
seam_setup_set_executed_plans (SeamSetup *self, SeamPlan *const plans[SEAM_MAX_CHOSEN_PLANS])
{
  for (int i = 0; i < seam_setup_get_n_plans (self); i++)
    seam_chosen_plans_set_executed (self->plans, i, plans[i]);
}

int
seam_setup_get_compared (SeamSetup *self)
{
  return self->compared;
}

void
seam_setup_set_compared (SeamSetup *self, int index)
{
  if (index == self->compared || index < 1 || index >= SEAM_MAX_CHOSEN_PLANS)
    return;
  self->compared = index;
  seam_watch_notify (self, "compared");
}

gboolean
seam_setup_can_undo (SeamSetup *self)
{
  return seam_chosen_plans_can_undo (self->plans);
}

/* Code that was written since then stays. */
static void
put_back_edits (SeamSetup *self)
{
  for (int i = 0; i < self->taken_out.n; i++) {
    const SeamEdit *edit = &self->taken_out.list[i];

    if (seam_edits_find (&self->edits, edit->plan, edit->group) == NULL)
      seam_edits_set (&self->edits, edit->plan, edit->group, edit->text);
  }
  seam_record_clear (&seam_edits_type, &self->taken_out);
}

void
seam_setup_undo (SeamSetup *self)
{
  g_autofree gint64 *values = NULL;
  g_autofree char *preset = NULL;

  if (!seam_setup_can_undo (self))
    return;
  g_object_freeze_notify (G_OBJECT (self));
  seam_chosen_plans_undo (self->plans, &values, &preset);
  if (values != NULL)
    seam_setup_adopt_shape (self, values, preset);
  put_back_edits (self);
  seam_watch_notify (self, "plans");
  g_object_thaw_notify (G_OBJECT (self));
}

void
seam_setup_forget_undo (SeamSetup *self)
{
  seam_chosen_plans_forget_undo (self->plans);
  seam_record_clear (&seam_edits_type, &self->taken_out);
  seam_watch_notify (self, "can-undo");
}

char *
seam_setup_make_plans_key (SeamSetup *self)
{
  GString *key = g_string_new (NULL);

  for (int i = 0; i < seam_setup_get_n_plans (self); i++) {
    const SeamPlan *plan = seam_setup_get_plan (self, i);
    g_string_append_printf (key, "%s\n", plan->notation);
    for (int g = 0; g < plan->n_groups; g++) {
      const SeamGroup *group = &plan->groups[g];
      const char *text = seam_group_is (group, SEAM_IMPLEMENTATION_EDITED)
                             ? seam_setup_get_edit (self, plan->chain, group->first, group->last)
                             : NULL;
      g_string_append (key, text != NULL ? text : "");
    }
  }
  return g_string_free (key, FALSE);
}

/* --- Edited code --- */

static int
find_pipeline (SeamSetup *self)
{
  guint index = 0;

  g_ptr_array_find (self->pipelines, self->request->pipeline, &index);
  return (int)index;
}

static int
make_edit_key (int chain, int first, int last)
{
  return (chain * SEAM_MAX_OPS + first) * SEAM_MAX_OPS + last;
}

const char *
seam_setup_get_edit (SeamSetup *self, int chain, int first, int last)
{
  return seam_edits_find (&self->edits, make_edit_key (chain, first, last), find_pipeline (self));
}

void
seam_setup_set_edit (SeamSetup *self, int chain, int first, int last, const char *text)
{
  if (g_strcmp0 (text, seam_setup_get_edit (self, chain, first, last)) != 0)
    seam_setup_set_mistake (self, NULL);
  seam_edits_set (&self->edits, make_edit_key (chain, first, last), find_pipeline (self), text);
}

void
seam_setup_set_mistake (SeamSetup *self, const char *sentence)
{
  g_free (self->mistake);
  self->mistake = g_strdup (sentence);
}

const char *
seam_setup_get_mistake (SeamSetup *self)
{
  return self->mistake;
}

void
seam_setup_reset_edit (SeamSetup *self, int chain, int first, int last)
{
  const char *text = seam_setup_get_edit (self, chain, first, last);

  if (text != NULL)
    seam_edits_set (&self->taken_out, make_edit_key (chain, first, last), find_pipeline (self),
                    text);
  seam_chosen_plans_remember (self->plans, NULL, NULL);
  seam_setup_set_edit (self, chain, first, last, NULL);
  for (int i = 0; i < seam_setup_get_n_plans (self); i++) {
    SeamPlan *plan = seam_setup_get_plan (self, i);
    for (int g = 0; g < plan->n_groups; g++) {
      if (plan->chain != chain || plan->groups[g].first != first || plan->groups[g].last != last
          || !seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED))
        continue;
      g_autoptr (SeamPlan) mended = seam_plan_choose (plan, g, NULL);
      seam_chosen_plans_set (self->plans, i, mended);
      break;
    }
  }
  seam_watch_notify (self, "plans");
}

const SeamEdits *
seam_setup_get_edits (SeamSetup *self)
{
  return &self->edits;
}

void
seam_setup_set_edits (SeamSetup *self, const SeamEdits *edits)
{
  seam_record_clear (&seam_edits_type, &self->edits);
  seam_record_copy (&seam_edits_type, &self->edits, edits);
}

void
seam_setup_mark_foreign (SeamSetup *self, const char *text, gboolean allowed)
{
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  if (allowed || !g_hash_table_contains (self->foreign, key))
    g_hash_table_insert (self->foreign, g_steal_pointer (&key), GINT_TO_POINTER (allowed ? 1 : -1));
}

gboolean
seam_setup_is_foreign (SeamSetup *self, const char *text)
{
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return GPOINTER_TO_INT (g_hash_table_lookup (self->foreign, key)) < 0;
}

const char *
seam_setup_find_foreign (SeamSetup *self, const SeamEdits *edits)
{
  for (int i = 0; i < edits->n; i++)
    if (seam_setup_is_foreign (self, edits->list[i].text))
      return edits->list[i].text;
  return NULL;
}

void
seam_setup_add_edits (SeamSetup *self, SeamRunRequest *request)
{
  for (int i = 0; request->plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], NULL);

    for (int g = 0; plan != NULL && g < plan->n_groups; g++) {
      const SeamGroup *group = &plan->groups[g];
      if (seam_group_is (group, SEAM_IMPLEMENTATION_EDITED))
        seam_edits_set (&request->edits, i, g,
                        seam_setup_get_edit (self, plan->chain, group->first, group->last));
    }
  }
}

/* --- Target and settings --- */

GPtrArray *
seam_setup_get_targets (SeamSetup *self)
{
  return self->targets;
}

GPtrArray *
seam_setup_get_checks (SeamSetup *self)
{
  return self->checks;
}

static void
replace_target (SeamSetup *self)
{
  const SeamDeviceInfo *best = seam_device_info_find_best (self->targets);
  const char *id = best != NULL ? best->id : "cpu";

  if (self->target_chosen && g_strcmp0 (id, self->request->target) != 0) {
    g_autofree char *text =
        g_strdup_printf ("Target %s is not available now; %s is used.", self->request->target, id);
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, text, NULL);
    self->target_chosen = FALSE;
  }
  g_free (self->request->target);
  self->request->target = g_strdup (id);
}

void
seam_setup_take_targets (SeamSetup *self, GPtrArray *targets, GPtrArray *checks)
{
  const SeamDeviceInfo *chosen;

  g_object_freeze_notify (G_OBJECT (self));
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  self->targets = targets;
  self->checks = checks;
  chosen = seam_setup_get_target (self);
  if (chosen == NULL || !chosen->available || !self->target_chosen)
    replace_target (self);
  resolve_settings (self);
  seam_watch_notify (self, "targets options");
  g_object_thaw_notify (G_OBJECT (self));
}

const SeamDeviceInfo *
seam_setup_get_target (SeamSetup *self)
{
  for (guint i = 0; self->targets != NULL && i < self->targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (self->targets, i);
    if (g_strcmp0 (info->id, self->request->target) == 0)
      return info;
  }
  return NULL;
}

void
seam_setup_set_target (SeamSetup *self, const char *id)
{
  self->target_chosen = TRUE;
  if (g_strcmp0 (self->request->target, id) == 0)
    return;
  g_free (self->request->target);
  self->request->target = g_strdup (id);
  resolve_settings (self);
  seam_watch_notify (self, "options");
}

gboolean
seam_setup_is_target_chosen (SeamSetup *self)
{
  return self->target_chosen;
}

SeamChosenSettings *
seam_setup_get_settings (SeamSetup *self)
{
  return self->settings;
}

static void
settings_changed_cb (SeamSetup *self)
{
  resolve_settings (self);
  seam_watch_notify (self, "options");
}

/* --- The object --- */

static void
clear_edits (SeamSetup *self)
{
  seam_record_clear (&seam_edits_type, &self->edits);
  seam_record_clear (&seam_edits_type, &self->taken_out);
}

static void
seam_setup_class_init (SeamSetupClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (clear_edits));
  SEAM_OWNS (klass, SeamSetup, seam_shape_entry_free, shape);
  SEAM_OWNS (klass, SeamSetup, seam_chosen_plans_free, plans);
  SEAM_OWNS (klass, SeamSetup, g_hash_table_unref, foreign);
  SEAM_OWNS (klass, SeamSetup, g_free, mistake);
  SEAM_OWNS (klass, SeamSetup, seam_run_request_free, request);
  SEAM_OWNS (klass, SeamSetup, g_ptr_array_unref, pipelines, targets, checks);
  SEAM_OWNS (klass, SeamSetup, g_object_unref, settings, notices);
  seam_watch_install (klass, "pipelines pipeline shape plans compared can-undo targets options");
}

static void
seam_setup_init (SeamSetup *self)
{
  self->compared = 1;
  self->foreign = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->plans = seam_chosen_plans_new ();
  self->settings = seam_chosen_settings_new ();
  g_signal_connect_object (self->settings, "notify", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

SeamSetup *
seam_setup_new (GPtrArray *pipelines, SeamNotices *notices)
{
  SeamSetup *self = g_object_new (SEAM_TYPE_SETUP, NULL);
  SeamPipeline *first = g_ptr_array_index (pipelines, 0);

  self->notices = g_object_ref (notices);
  self->pipelines = g_ptr_array_ref (pipelines);
  self->request = seam_run_request_new (first);
  self->shape = seam_shape_entry_new (self->request);
  resolve_settings (self);
  /* Uses the setter, so that every rule of a change applies to the first pipeline, too. */
  g_clear_pointer (&self->request->pipeline, seam_pipeline_unref);
  seam_setup_set_pipeline (self, first);
  return self;
}
