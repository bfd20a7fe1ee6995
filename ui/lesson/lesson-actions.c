/* SPDX-License-Identifier: MIT */
#include "ui/lesson/lesson-actions.h"

#include "ui/widgets/file-choice.h"
#include "ui/widgets/label.h"

#include <string.h>

typedef struct {
  GtkWindow *window; /* owns this */
  SeamModel *model;
  SeamLessonPlayer *player;
  char *learner; /* as typed last; "": none */
  void (*forgotten) (gpointer data);
  gpointer data;
} Actions;

/* A question with Cancel; `verb` is what the answer "yes" does. */
static AdwMessageDialog *
ask (Actions *self, const char *title, const char *text, const char *verb,
     AdwResponseAppearance appearance, GCallback answered)
{
  AdwMessageDialog *dialog =
      ADW_MESSAGE_DIALOG (adw_message_dialog_new (self->window, title, text));

  adw_message_dialog_add_responses (dialog, "cancel", "_Cancel", "yes", verb, NULL);
  adw_message_dialog_set_response_appearance (dialog, "yes", appearance);
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (dialog, "response", answered, self);
  gtk_window_present (GTK_WINDOW (dialog));
  return dialog;
}

/* Handing in. */

static void
hand_in (Actions *self, const char *path)
{
  const SeamLessonAnswers *answers = self->player->answers;
  g_autoptr (GError) error = NULL;

  if (answers == NULL)
    return;
  /* The kept answers name nobody; what a compiler says may name folders. */
  SeamLessonAnswers named = *answers;
  named.mistake = NULL;
  named.learner = self->learner[0] != '\0' ? self->learner : NULL;
  if (!seam_lesson_answers_save (&named, path, &error)) {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The answers were not saved.",
                      error->message);
    return;
  }
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf ("Your answers are in %s", name);
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, text, NULL);
}

static void
place_cb (const char *path, const char *reason, gpointer data)
{
  Actions *self = data;

  if (reason != NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The answers were not saved.",
                      reason);
  if (path != NULL)
    hand_in (self, path);
}

static void
set_learner (Actions *self, const char *name)
{
  g_free (self->learner);
  self->learner = g_strstrip (g_strdup (name));
}

static void
named_cb (AdwMessageDialog *dialog, const char *response, Actions *self)
{
  static const char *const endings[] = { SEAM_ANSWERS_SUFFIX, NULL };
  const SeamLessonAnswers *answers = self->player->answers;
  GtkWidget *entry = adw_message_dialog_get_extra_child (dialog);

  if (strcmp (response, "yes") != 0 || answers == NULL)
    return;
  set_learner (self, gtk_editable_get_text (GTK_EDITABLE (entry)));
  g_autofree char *name =
      self->learner[0] != '\0'
          ? g_strdup_printf ("%s, %s%s", answers->lesson, self->learner, SEAM_ANSWERS_SUFFIX)
          : g_strconcat (answers->lesson, SEAM_ANSWERS_SUFFIX, NULL);
  g_strdelimit (name, G_DIR_SEPARATOR_S, '-');
  const SeamFileQuestion question = {
    .title = "Hand in your answers",
    .accept = "_Save",
    .saves = TRUE,
    .name = name,
    .endings = endings,
    .kind = "Answers to a lesson",
  };
  seam_file_choice_ask (self->window, &question, place_cb, self, NULL);
}

static void
hand_in_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;

  if (self->player->answers == NULL)
    return;
  GtkWidget *entry = g_object_new (GTK_TYPE_ENTRY, "text", self->learner, "placeholder-text",
                                   "Your name", "activates-default", TRUE, NULL);
  AdwMessageDialog *dialog =
      ask (self, "Hand in your answers",
           "Your predictions, choices, checks and points, and code that you wrote, go into a file, "
           "which you can give to your teacher. "
           "Nothing is sent anywhere. A name is not required.",
           "_Save…", ADW_RESPONSE_SUGGESTED, G_CALLBACK (named_cb));
  seam_widget_set_name (entry, "Your name");
  adw_message_dialog_set_default_response (dialog, "yes");
  adw_message_dialog_set_extra_child (dialog, entry);
  gtk_widget_grab_focus (entry);
}

static void
hand_in_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  const char *path, *name;

  g_variant_get (parameter, "(&s&s)", &path, &name);
  set_learner (self, name);
  hand_in (self, path);
}

/* Going. */

static void
go_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_lesson_player_go (((Actions *)data)->player, g_variant_get_int32 (parameter));
}

/* By so many steps: 1 or -1. */
static void
step_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamLessonPlayer *player = ((Actions *)data)->player;
  const SeamLessonAnswers *answers = player->answers;

  if (answers != NULL)
    seam_lesson_player_go (player, answers->step + g_variant_get_int32 (parameter));
}

static void
leave_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;

  seam_lesson_player_close (self->player);
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "start-page", NULL);
}

/* Beginning again. */

static void
again_cb (AdwMessageDialog *dialog, const char *response, Actions *self)
{
  if (strcmp (response, "yes") == 0)
    seam_lesson_player_restart (self->player, FALSE);
}

static void
lesson_again_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  const SeamLessonAnswers *answers = self->player->answers;

  if (answers == NULL)
    return;
  if (answers->n_answers == 0)
    seam_lesson_player_restart (self->player, FALSE);
  else
    ask (self, "Take this lesson again?",
         "Your first answers and their points stay, marked, in the file that you hand in; a "
         "prediction counts once. The lesson is open again until its checks have passed again.",
         "_Take again", ADW_RESPONSE_SUGGESTED, G_CALLBACK (again_cb));
}

static void
forget_cb (AdwMessageDialog *dialog, const char *response, Actions *self)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (response, "yes") != 0 || !seam_lesson_player_restart (self->player, TRUE))
    return;
  if (!seam_lesson_answers_forget_all (&error))
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "Not everything is forgotten.",
                      error->message);
  self->forgotten (self->data);
}

static void
forget_progress_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, "Forget your progress?",
       "Your answers to all lessons and their points are forgotten on this computer. Files that "
       "you have handed in stay.",
       "_Forget", ADW_RESPONSE_DESTRUCTIVE, G_CALLBACK (forget_cb));
}

static const GActionEntry actions[] = {
  { .name = "submit", .activate = hand_in_cb },
  { .name = "submit-to", .parameter_type = "(ss)", .activate = hand_in_to_cb },
  { .name = "lesson-go", .parameter_type = "i", .activate = go_cb },
  { .name = "lesson-step", .parameter_type = "i", .activate = step_cb },
  { .name = "lesson-leave", .activate = leave_cb },
  { .name = "lesson-again", .activate = lesson_again_cb },
  { .name = "forget-progress", .activate = forget_progress_cb },
};

static void
actions_free (gpointer data)
{
  Actions *self = data;

  g_free (self->learner);
  g_object_unref (self->player);
  g_free (self);
}

void
seam_lesson_actions_install (GtkApplicationWindow *window, SeamModel *model,
                             SeamLessonPlayer *player, void (*forgotten) (gpointer data),
                             gpointer data)
{
  Actions *self = g_new0 (Actions, 1);

  self->window = GTK_WINDOW (window);
  self->model = model;
  self->player = g_object_ref (player);
  self->learner = g_strdup ("");
  self->forgotten = forgotten;
  self->data = data;
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_object_set_data_full (G_OBJECT (window), "seam-lesson-actions", self, actions_free);
}
