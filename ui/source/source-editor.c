/* SPDX-License-Identifier: MIT
 *
 * Changing the text of the Source tab: see source-editor.h. What compilers say of a text stands at
 * its lines as long as it is the text that they saw.
 */
#include "ui/source/source-editor.h"

#include "ui/source/source-tint.h"
#include "ui/widgets/plan-menu.h"
#include "ui/widgets/template.h"

#include "app/runner/runner-source.h"

#include <string.h>

struct _SeamSourceEditor {
  AdwBin parent_instance;

  GtkWidget *without_third;
  GtkListBox *errors;
  GtkLabel *storage_note;
  SeamSourceSubject *subject;
  SeamModel *model; /* belongs to the subject */
  SeamSourceText *text;
  SeamSourceListing *listing;
  GActionMap *map; /* the window; weak */
};

G_DEFINE_FINAL_TYPE (SeamSourceEditor, seam_source_editor, ADW_TYPE_BIN)

/* --- Messages about the text --- */

/* What the last run's compiler said of the shown group; lines, or NULL. */
static GPtrArray *
find_errors (SeamSourceEditor *self)
{
  const char *said = seam_setup_get_mistake (self->model->setup);
  g_autofree char *head =
      seam_edit_name_group (seam_source_subject_get_plan (self->subject)->notation,
                            seam_source_subject_get_place (self->subject).group);

  return said != NULL && g_str_has_prefix (said, head) ? seam_diagnostics_parse (said) : NULL;
}

static void
show_errors (SeamSourceEditor *self, gboolean is_editable)
{
  GPtrArray *diagnostics = seam_source_listing_get_diagnostics (self->listing);
  g_autoptr (GPtrArray) errors = NULL;

  if (is_editable && diagnostics != NULL)
    errors = g_ptr_array_ref (diagnostics);
  else if (is_editable)
    errors = find_errors (self);
  seam_source_show_errors (
      seam_source_code_view_get_view (seam_source_text_get_code_view (self->text)), self->errors,
      errors);
}

static const char *
find_generated_in (const SeamPlanCode *plan, const SeamSource *shown)
{
  for (int g = 0; g < plan->n_groups; g++)
    for (guint i = 0; i < plan->groups[g].sources->len; i++) {
      const SeamSource *source = plan->groups[g].sources->pdata[i];
      if (source->first_op == shown->first_op && source->last_op == shown->last_op
          && g_str_has_prefix (source->title, "generated "))
        return source->text;
    }
  return NULL;
}

/* The text generated for the ops of the shown source, from any plan that has it; NULL: none has. */
static const char *
find_generated (SeamSourceEditor *self)
{
  const SeamCode *code = seam_source_subject_get_code (self->subject);
  const SeamSource *shown = seam_source_subject_get_source (self->subject);
  int chain = seam_source_subject_get_plan (self->subject)->chain;
  const char *text = NULL;

  for (int p = 0; p < code->n_plans && text == NULL; p++)
    if (code->plans[p].chain == chain)
      text = find_generated_in (&code->plans[p], shown);
  return text;
}

/* Only what the text reads and writes tells which storage it is for. */
static void
update_storage_note (SeamSourceEditor *self, const char *edit)
{
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  g_autofree char *text = NULL;

  if (edit != NULL && problem != NULL)
    text = seam_source_describe_other_storage (edit, find_generated (self), problem);
  gtk_label_set_text (self->storage_note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->storage_note), text != NULL);
}

static void
set_action (SeamSourceEditor *self, const char *name, gboolean enabled)
{
  GAction *action = self->map != NULL ? g_action_map_lookup_action (self->map, name) : NULL;

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update (SeamSourceEditor *self)
{
  const char *edit = seam_source_subject_get_edit (self->subject);
  gboolean is_editable = seam_source_text_is_editable (self->text);

  show_errors (self, is_editable);
  gtk_widget_set_visible (GTK_WIDGET (self), is_editable);
  /* An edit adds plan C, and this button removes it. */
  gtk_widget_set_visible (self->without_third, seam_setup_get_n_plans (self->model->setup) > 2);
  update_storage_note (self, edit);
  set_action (self, "run-edited", edit != NULL);
  set_action (self, "reset-edit", edit != NULL);
}

/* --- Running and going back --- */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourceEditor *self = data;
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  const SeamPlan *third = seam_setup_get_plan (self->model->setup, 2);
  g_autofree char *title =
      third != NULL && place.plan != 2 ? g_strdup (seam_plan_menu_get_title (third)) : NULL;

  if (!seam_source_text_is_editable (self->text)
      || seam_source_subject_get_edit (self->subject) == NULL
      || !seam_measurement_run_edited (self->model->measurement, place.plan, place.group))
    return;
  seam_source_subject_expect_plan (self->subject, 2);
  if (title != NULL) {
    g_autofree char *text =
        g_strdup_printf ("The edited plan is C, in the place of %s (Ctrl+Z)", title);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, text, NULL);
  }
}

static void
reset_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourceEditor *self = data;

  seam_source_text_reset (self->text);
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST,
                    "Your code is taken out; Ctrl+Z brings it back", NULL);
}

static void
without_third_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_setup_set_third_plan (SEAM_SOURCE_EDITOR (data)->model->setup, NULL);
}

/* From the lesson's pane. */
static void
line_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourceEditor *self = data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "source");
  seam_source_go_to_line (
      GTK_TEXT_VIEW (seam_source_code_view_get_view (seam_source_text_get_code_view (self->text))),
      g_variant_get_int32 (parameter));
}

static const GActionEntry actions[] = {
  { .name = "reset-edit", .activate = reset_cb },
  { .name = "run-edited", .activate = run_cb },
  { .name = "source-line", .parameter_type = "i", .activate = line_cb },
  { .name = "without-third-plan", .activate = without_third_cb },
};

/* --- Object --- */

static void
seam_source_editor_class_init (SeamSourceEditorClass *klass)
{
  SEAM_OWNS (klass, SeamSourceEditor, g_object_remove_weak_pointer, map);
  SEAM_OWNS (klass, SeamSourceEditor, g_object_unref, errors, storage_note, listing, text, model,
             subject);
  SEAM_TEMPLATE (klass, SeamSourceEditor, "source-editor.ui", without_third);
}

static void
seam_source_editor_init (SeamSourceEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
seam_source_editor_follow (SeamSourceEditor *self, SeamSourceSubject *subject, SeamSourceText *text,
                           SeamSourceListing *listing, GActionMap *map, GtkListBox *errors,
                           GtkLabel *storage_note)
{
  self->subject = g_object_ref (subject);
  self->model = g_object_ref (seam_source_subject_get_model (subject));
  self->text = g_object_ref (text);
  self->listing = g_object_ref (listing);
  self->errors = g_object_ref (errors);
  self->storage_note = g_object_ref (storage_note);
  g_set_weak_pointer (&self->map, map);
  seam_source_prepare_errors (
      seam_source_code_view_get_view (seam_source_text_get_code_view (text)), errors);
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (text, "shown", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (text, "edited", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  seam_watch_now (self, G_CALLBACK (update), listing, "diagnostics");
  seam_watch_now (self, G_CALLBACK (update), self->model->setup, "plans");
  seam_watch_now (self, G_CALLBACK (update), self->model->measurement, "result");
  update (self);
}
