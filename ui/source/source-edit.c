/* SPDX-License-Identifier: MIT
 *
 * Changing the text of the page Source: the person's own text is kept by the model
 * (ui/model-edit.c) and nothing of it runs before Run edited. What compilers say of it stands at
 * its lines as long as it is the text that they saw. Copying, saving and loading are here too.
 */
#include "ui/source/source-private.h"

#include "ui/widgets/file-choice.h"

#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/result/edit.h"
#include "ui/widgets/plan-menu.h"
#include "ui/source/source-tint.h"

#include <string.h>

#define TYPING_MS 700 /* a pause in typing, before what was typed is compiled for its listing */

/* The person's own text for the source that is shown, or NULL. */
const char *
seam_source_page_get_edit (SeamSourcePage *self)
{
  const SeamGroupCode *group = seam_source_page_get_group (self);

  const SeamSource *source = seam_source_page_get_source (self);
  const char *edit;

  if (group == NULL || source == NULL || self->is_kept || !seam_source_is_editable (source))
    return NULL;
  edit = seam_setup_get_edit (self->model->setup, self->code->plans[self->plan].chain, group->first,
                              group->last);
  return edit != NULL && seam_source_takes_edit (source, edit) ? edit : NULL;
}

gboolean
seam_source_page_is_editable (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);

  return source != NULL && !self->is_kept && seam_source_page_get_file (self) == 0
         && seam_source_is_editable (source);
}

/* What the last run's compiler said, as long as the text that it saw is the one that is shown;
 * lines, or NULL. */
static GPtrArray *
find_errors (SeamSourcePage *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  g_autofree char *head = g_strdup_printf ("Group %d, edited: ", self->group + 1);
  const SeamPlanResult *plan;
  const char *said;

  if (result == NULL || self->code == NULL || self->plan >= result->n_plans)
    return NULL;
  plan = &result->plans[self->plan];
  said = plan->state == SEAM_PLAN_NOT_MEASURED && plan->message != NULL
             ? strstr (plan->message, head)
             : NULL;
  if (said == NULL
      || g_strcmp0 (seam_edits_find (&result->edits, self->plan, self->group),
                    seam_source_page_get_edit (self))
             != 0)
    return NULL;
  return seam_diagnostics_parse (said);
}

static void
set_action (SeamSourcePage *self, const char *name, gboolean enabled)
{
  GAction *action = self->map != NULL ? g_action_map_lookup_action (self->map, name) : NULL;

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Plan C came by an edit and goes by this button. */
static void
show_third (SeamSourcePage *self)
{
  gtk_widget_set_visible (self->without_third, seam_setup_get_n_plans (self->model->setup) > 2);
}

/* What is generated for the ops of the source that is shown, by whichever plan has it; NULL: none
 * of them has. */
static const char *
find_generated (SeamSourcePage *self)
{
  const SeamSource *shown = seam_source_page_get_source (self);
  int chain = self->code->plans[self->plan].chain;

  for (int p = 0; p < self->code->n_plans; p++)
    for (int g = 0; self->code->plans[p].chain == chain && g < self->code->plans[p].n_groups; g++) {
      GPtrArray *sources = self->code->plans[p].groups[g].sources;
      for (guint i = 0; i < sources->len; i++) {
        const SeamSource *source = sources->pdata[i];
        if (source->first_op == shown->first_op && source->last_op == shown->last_op
            && g_str_has_prefix (source->title, "generated "))
          return source->text;
      }
    }
  return NULL;
}

/* An edit knows where it belongs only by what it reads and writes. */
static void
update_storage_note (SeamSourcePage *self)
{
  const char *edit = seam_source_page_get_edit (self);
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  g_autofree char *text = NULL;

  if (edit != NULL && problem != NULL)
    text = seam_source_describe_other_storage (edit, find_generated (self), problem);
  gtk_label_set_text (self->storage_note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->storage_note), text != NULL);
}

/* Errors and buttons of what is shown. */
void
seam_source_page_update_edit (SeamSourcePage *self)
{
  gboolean is_editable = seam_source_page_is_editable (self);
  g_autoptr (GPtrArray) errors = NULL;

  if (is_editable && self->listing_errors != NULL)
    errors = g_ptr_array_ref (self->listing_errors);
  else if (is_editable)
    errors = find_errors (self);
  seam_source_show_errors (self->view, self->errors, errors);
  gtk_widget_set_visible (self->edit_box, is_editable);
  show_third (self);
  update_storage_note (self);
  set_action (self, "run-edited", seam_source_page_get_edit (self) != NULL);
  set_action (self, "reset-edit", seam_source_page_get_edit (self) != NULL);
}

static void
keep_text (SeamSourcePage *self, const char *text)
{
  const SeamGroupCode *group = seam_source_page_get_group (self);
  const SeamSource *source = seam_source_page_get_source (self);
  gboolean is_same =
      strcmp (text, source->text) == 0 && !g_str_has_prefix (source->title, "edited ");

  seam_setup_set_edit (self->model->setup, self->code->plans[self->plan].chain, group->first,
                       group->last, is_same ? NULL : text);
  /* What was said of another text says nothing of this one. */
  g_clear_pointer (&self->listing_errors, g_ptr_array_unref);
}

static void
buffer_changed_cb (GtkTextBuffer *buffer, SeamSourcePage *self)
{
  GtkTextIter start, end;

  if (self->is_filling || !seam_source_page_is_editable (self))
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  keep_text (self, text);
  seam_source_page_update_edit (self);
  seam_source_page_update_assembly (self, TYPING_MS);
}

/* --- Copying and saving --- */

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourcePage *self = data;

  if (seam_source_page_get_source (self) == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          seam_source_page_get_text (self));
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, "The text is in the clipboard", NULL);
}

static void
save_to (SeamSourcePage *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (seam_source_page_get_source (self) == NULL)
    return;
  if (seam_file_write (path, seam_source_page_get_text (self),
                       strlen (seam_source_page_get_text (self)), &error)) {
    g_autofree char *name = g_filename_display_basename (path);
    g_autofree char *text = g_strdup_printf ("Saved as %s", name);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, text, NULL);
  } else {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not saved.",
                      error->message);
  }
}

static void
save_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_to (SEAM_SOURCE_PAGE (data), g_variant_get_string (parameter, NULL));
}

/* The text of a file in place of what is shown; it is not run. */
static void
load_from (SeamSourcePage *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;

  if (!seam_source_page_is_editable (self))
    return;
  if (!g_file_get_contents (path, &text, &length, &error)) {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not loaded.",
                      error->message);
  } else if (length > SEAM_EDIT_MAX_BYTES || !g_utf8_validate (text, (gssize)length, NULL)) {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not loaded.",
                      "The file is no text of code: it has to be UTF-8 of at most 1 MB.");
  } else {
    keep_text (self, text);
    seam_source_page_show_text (self);
  }
}

static void
answer_cb (const char *path, const char *reason, gpointer data)
{
  SeamSourcePage *self = data;

  if (reason != NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING,
                      self->is_loading ? "The text was not loaded." : "The text was not saved.",
                      reason);
  else if (path != NULL && self->is_loading)
    load_from (self, path);
  else if (path != NULL)
    save_to (self, path);
}

/* "conv-relu-bias-A-2.cu"; an included file by its own name. */
static char *
suggest_name (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  guint file = seam_source_page_get_file (self);

  g_autofree char *name = NULL;

  if (file > 0 && file <= source->includes->len)
    name = g_path_get_basename (((SeamSourceFile *)source->includes->pdata[file - 1])->name);
  else
    name = g_strdup_printf ("%s-%c-%d.%s", self->pipeline->id, 'A' + self->plan, self->group + 1,
                            seam_language_find (source->language)->ending);
  return seam_file_name_make (name);
}

static void
ask_for_file (SeamSourcePage *self, gboolean load)
{
  g_autofree char *name = NULL;

  if (seam_source_page_get_source (self) == NULL)
    return;
  name = load ? NULL : suggest_name (self);
  const SeamFileQuestion question = {
    .title = load ? "Load source" : "Save source",
    .accept = load ? "_Open" : "_Save",
    .saves = !load,
    .name = name,
  };
  self->is_loading = load;
  seam_file_choice_ask (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), &question, answer_cb,
                        self, NULL);
}

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_for_file (data, FALSE);
}

static void
load_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_for_file (data, TRUE);
}

static void
load_from_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  load_from (SEAM_SOURCE_PAGE (data), g_variant_get_string (parameter, NULL));
}

/* --- Running and going back --- */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourcePage *self = data;
  const SeamPlan *third;

  if (!seam_source_page_is_editable (self) || seam_source_page_get_edit (self) == NULL)
    return;
  third = seam_setup_get_plan (self->model->setup, 2);
  if (third != NULL && self->plan != 2) {
    g_autofree char *title = seam_plan_menu_format_title (third);
    g_autofree char *text =
        g_strdup_printf ("The edited plan is C, in the place of %s (Ctrl+Z)", title);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, text, NULL);
  }
  seam_measurement_run_edited (self->model->measurement, self->plan, self->group);
  self->plan = 2;
}

static void
reset_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourcePage *self = data;
  const SeamGroupCode *group = seam_source_page_get_group (self);

  if (group == NULL)
    return;
  seam_setup_reset_edit (self->model->setup, self->code->plans[self->plan].chain, group->first,
                         group->last);
  seam_source_page_show_text (self);
}

static void
without_third_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_setup_set_third_plan (SEAM_SOURCE_PAGE (data)->model->setup, NULL);
}

static const GActionEntry actions[] = {
  { .name = "copy-source", .activate = copy_cb },
  { .name = "load-edit", .activate = load_cb },
  { .name = "load-edit-from", .parameter_type = "s", .activate = load_from_cb },
  { .name = "reset-edit", .activate = reset_cb },
  { .name = "run-edited", .activate = run_cb },
  { .name = "save-source", .activate = save_cb },
  { .name = "save-source-to", .parameter_type = "s", .activate = save_to_cb },
  { .name = "without-third-plan", .activate = without_third_cb },
};

void
seam_source_page_add_actions (SeamSourcePage *self, GActionMap *map)
{
  g_set_weak_pointer (&self->map, map);
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (seam_source_page_get_buffer (self), "changed",
                           G_CALLBACK (buffer_changed_cb), self, 0);
}
