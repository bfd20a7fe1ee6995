/* SPDX-License-Identifier: MIT
 *
 * Applies steps to the model: a recorded run through the session file, as if the person had opened
 * it; a covered one and a run on this computer as a view without a result.
 */
#include "ui/lesson/lesson-player-private.h"

#include "ui/class/class.h"
#include "ui/state/watch.h"

#include "app/base/file.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (SeamLessonPlayer, seam_lesson_player, G_TYPE_OBJECT)

/* More than two plans: C is the third. */
#define MAX_SHOWN 3
#define HELD      "Commit your prediction first."
#define HELD_LATER                                                                                 \
  "A later question of the lesson is about this run. It opens when you have answered that."

static void
forget_facts (SeamLessonPlayer *self)
{
  g_clear_pointer (&self->facts, seam_owner_free);
  self->measured = NULL;
}

static void
set_text (char **text, const char *to)
{
  char *before = *text;

  *text = g_strdup (to);
  g_free (before);
}

/* Two steps with the same place show the same. */
static char *
make_place (SeamLessonPlayer *self)
{
  const char *sample = seam_lesson_player_get_sample (self);
  g_autofree char *plans =
      self->step->plans != NULL ? g_strjoinv (",", self->step->plans) : g_strdup ("");
  g_autofree char *settings =
      self->step->settings != NULL ? g_strjoinv (",", self->step->settings) : g_strdup ("");

  return g_strdup_printf (
      "%d%d\n%s\n%s\n%s\n%s\n%s\n%s", self->cover != NULL,
      seam_lesson_is_asked_later (self->lesson, self->answers, self->answers->step),
      sample != NULL ? sample : "", self->step->target != NULL ? self->step->target : "",
      self->step->pipeline != NULL ? self->step->pipeline : "",
      self->step->preset != NULL ? self->step->preset : "", plans, settings);
}

/* The text of the step's plan `i`; of a recorded run as its target made it, because the target of
 * this computer may not know it. NULL: there is none. */
static const char *
get_plan_text (SeamLessonPlayer *self, int i)
{
  const SeamPlanResult *recorded = seam_lesson_player_get_sample (self) != NULL
                                       ? seam_lesson_facts_get_measured (self->facts, i)
                                       : NULL;

  if (self->step->plans == NULL || i >= (int)g_strv_length (self->step->plans))
    return NULL;
  return recorded != NULL ? recorded->notation : self->step->plans[i];
}

static void
choose_plans (SeamLessonPlayer *self)
{
  SeamSetup *setup = self->model->setup;
  SeamPipeline *pipeline = seam_setup_get_pipeline (setup);
  g_autoptr (GError) error = NULL;
  const char *text;

  seam_setup_set_third_plan (setup, NULL);
  for (int i = 0; i < MAX_SHOWN && (text = get_plan_text (self, i)) != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_lesson_player_get_sample (self) != NULL
                                    ? seam_plan_parse (pipeline, text, &error)
                                    : seam_setup_parse_plan (setup, text, &error);
    if (plan == NULL) {
      set_text (&self->problem, error->message);
      return;
    }
    if (i < 2)
      seam_setup_set_plan (setup, i, plan);
    else
      seam_setup_set_third_plan (setup, plan);
  }
  seam_setup_set_compared (setup, MIN (seam_lesson_get_compared (self->lesson, self->answers->step),
                                       seam_setup_get_n_plans (setup) - 1));
  seam_setup_forget_undo (setup);
}

static void
choose_settings (SeamSetup *setup, char **settings)
{
  for (int i = 0; settings != NULL && settings[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (settings[i], "=", 2);
    const SeamField *field = seam_settings_find_option (parts[0]);
    if (field != NULL && parts[1] != NULL)
      seam_chosen_settings_restore (seam_setup_get_settings (setup), field, parts[1]);
  }
}

/* The code that the learner writes. */

/* The step that gives the code to begin with for the plans of `step`; NULL: none. */
static const SeamLessonStep *
find_written (SeamLessonPlayer *self)
{
  for (int i = self->answers->step; i >= 0 && self->step->plans != NULL; i--) {
    const SeamLessonStep *before = seam_lesson_get_step (self->lesson, (guint)i);
    if (before->skeleton != NULL
        && g_strv_equal ((const char *const *)before->plans,
                         (const char *const *)self->step->plans))
      return before;
  }
  return NULL;
}

/* Gives `code` (NULL: none) to the groups of `written` that a person's own code computes. Returns
 * what stands there and differs from the skeleton, or NULL. */
static const char *
use_written (SeamLessonPlayer *self, const char *code)
{
  SeamSetup *setup = self->model->setup;
  const char *changed = NULL;

  for (int i = 0; self->written->plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_setup_parse_plan (setup, self->written->plans[i], NULL);
    for (int g = 0; plan != NULL && g < plan->n_groups; g++) {
      int first = plan->groups[g].first, last = plan->groups[g].last;
      if (!seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED))
        continue;
      if (code != NULL)
        seam_setup_set_edit (setup, plan->chain, first, last, code);
      const char *text = seam_setup_get_edit (setup, plan->chain, first, last);
      if (text != NULL && g_strcmp0 (text, self->skeleton) != 0)
        changed = text;
    }
  }
  return changed;
}

/* With the answers, before anything else takes its place: they hold what the learner wrote and what
 * the compiler said of it, and nothing of a file that the lesson names. */
static void
keep_code (SeamLessonPlayer *self)
{
  if (self->written == NULL
      || g_strcmp0 (seam_setup_get_pipeline (self->model->setup)->id, self->written->pipeline) != 0)
    return;
  const char *changed = use_written (self, NULL);
  const char *mistake = seam_setup_get_mistake (self->model->setup);
  if (g_strcmp0 (changed, self->answers->code) == 0
      && g_strcmp0 (mistake, self->answers->mistake) == 0)
    return;
  set_text (&self->answers->code, changed);
  set_text (&self->answers->mistake, mistake);
  seam_lesson_player_keep (self);
}

static void
show_code (SeamLessonPlayer *self)
{
  const char *code = self->answers->code != NULL ? self->answers->code : self->skeleton;

  if (code == NULL)
    return;
  if (self->lesson->is_own)
    seam_setup_mark_foreign (self->model->setup, code, FALSE);
  use_written (self, code);
  seam_setup_set_mistake (self->model->setup, self->answers->mistake);
}

/* Before the view of this computer ends. */
static void
leave_own (SeamLessonPlayer *self)
{
  keep_code (self);
  self->written = NULL;
  g_clear_pointer (&self->skeleton, g_free);
  if (self->target_before != NULL)
    seam_setup_set_target (self->model->setup, self->target_before);
  g_clear_pointer (&self->target_before, g_free);
}

/* A run on this computer: a view without a result, so that leaving restores what the person had. */
static void
enter_own (SeamLessonPlayer *self)
{
  SeamModel *model = self->model;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline =
      self->step->pipeline != NULL ? seam_lesson_step_find_pipeline (self->step, NULL) : NULL;

  if (pipeline == NULL)
    return;
  seam_session_file_close (self->session);
  seam_store_close (model->store);
  seam_store_begin_entering (model->store);
  GPtrArray *known = seam_setup_get_pipelines (model->setup);
  SeamPipeline *chosen = pipeline;
  for (guint i = 0; i < known->len; i++)
    if (seam_pipeline_covers (known->pdata[i], pipeline))
      chosen = known->pdata[i];
  if (chosen == pipeline)
    seam_setup_add_pipeline (model->setup, pipeline);
  seam_setup_set_pipeline (model->setup, chosen);
  seam_setup_set_preset (model->setup, self->step->preset != NULL ? self->step->preset : "laptop");
  choose_settings (model->setup, self->step->settings);
  const char *before = seam_setup_get_request (model->setup)->target;
  if (self->step->target != NULL && g_strcmp0 (before, self->step->target) != 0) {
    self->target_before = g_strdup (before);
    seam_setup_set_target (model->setup, self->step->target);
  }
  seam_measurement_begin_recorded (model->measurement);
  self->written = find_written (self);
  if (self->written != NULL) {
    self->skeleton = seam_lesson_step_read_skeleton (self->written, &error);
    if (self->skeleton == NULL)
      set_text (&self->problem, error->message);
    show_code (self);
  }
  choose_plans (self);
  seam_store_end_entering (model->store);
}

/* What the learner ran for the step before, unless a later run is shown. A step that is done shows
 * its own. */
static void
show_kept (SeamLessonPlayer *self)
{
  const SeamLessonAnswer *answer =
      self->cover == NULL ? seam_lesson_player_find_run_answer (self) : NULL;
  gint64 shown = seam_lesson_player_get_run (self);
  gboolean done = answer != NULL && answer == seam_lesson_player_find_done (self);

  if (answer != NULL && (done ? answer->run != shown : answer->run > shown)
      && seam_lesson_player_show_kept (self, answer->run) && self->written != NULL)
    show_code (self); /* it may have changed since */
}

/* Shows the run with the step's plans only, and nothing else of its file: the rest would answer a
 * later question. */
static gboolean
show_part (SeamLessonPlayer *self, const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autoptr (SeamSessionRun) part = seam_lesson_load_run (
      seam_lesson_player_get_sample (self), (const char *const *)self->step->plans, error);

  seam_session_file_close (self->session);
  return part != NULL && seam_store_show (self->model->store, part, name, error);
}

static void
enter_sample (SeamLessonPlayer *self)
{
  g_autofree char *path = seam_lesson_get_sample_path (seam_lesson_player_get_sample (self));
  g_autoptr (GError) error = NULL;

  if (self->cover == NULL
      && !seam_lesson_is_asked_later (self->lesson, self->answers, self->answers->step)) {
    /* In a thread; its plans are chosen when it is there. */
    seam_session_file_open (self->session, path);
    return;
  }
  SeamResult *result = self->facts->result;
  gboolean shown;
  if (self->cover != NULL) {
    seam_session_file_close (self->session);
    shown = seam_store_cover (self->model->store, result, &error);
  } else {
    shown = show_part (self, path, &error);
  }
  if (shown)
    choose_plans (self);
  else
    set_text (&self->problem, error->message);
}

/* A file was opened: by a step, or by the person, who leaves the lesson with that. */
static void
opened_cb (SeamLessonPlayer *self)
{
  if (self->step == NULL)
    return;
  const char *sample = seam_lesson_player_get_sample (self);
  g_autofree char *path = sample != NULL ? seam_lesson_get_sample_path (sample) : NULL;
  g_autofree char *expected = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autofree char *name = seam_session_file_get_name (self->session);
  if (self->cover != NULL || g_strcmp0 (name, expected) != 0)
    seam_lesson_player_detach (self);
  else
    choose_plans (self);
}

/* The plans of a run that was made here, by their letters. */
static void
read_measured (SeamLessonPlayer *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  g_autoptr (GError) error = NULL;

  forget_facts (self);
  if (result == NULL)
    return;
  self->facts = seam_lesson_facts_new_measured (result, &error);
  self->measured = result;
  if (self->facts == NULL)
    set_text (&self->problem, error->message);
}

/* Reads the recorded run of the step, or the latest run of this computer. */
static void
read_facts (SeamLessonPlayer *self)
{
  g_autoptr (GError) error = NULL;

  forget_facts (self);
  if (self->step->sample != NULL)
    self->recorded = NULL;
  const char *sample = seam_lesson_player_get_sample (self);
  if (sample != NULL)
    self->facts = seam_lesson_load_sample (sample, (const char *const *)self->step->plans, &error);
  else
    seam_owner_free (seam_lesson_step_load (self->step, &error));
  if (error != NULL)
    set_text (&self->problem, error->message);
}

static void
apply_step (SeamLessonPlayer *self)
{
  self->draft = NAN;
  if (self->step == NULL) {
    forget_facts (self);
    self->cover = NULL;
    seam_measurement_hold (self->model->measurement, NULL, FALSE);
    seam_watch_notify (self, "step answer");
    return;
  }
  self->is_applying = TRUE;
  g_clear_pointer (&self->problem, g_free);
  read_facts (self);
  self->cover = seam_lesson_find_cover (self->lesson, self->answers, self->answers->step);
  seam_measurement_hold (self->model->measurement,
                         self->cover == NULL         ? NULL
                         : self->cover == self->step ? HELD
                                                     : HELD_LATER,
                         self->cover != NULL && seam_lesson_step_asks_for_model (self->cover));
  g_autofree char *place = make_place (self);
  gboolean differs = g_strcmp0 (place, self->place) != 0 || seam_lesson_player_is_replaced (self);
  if (differs) {
    leave_own (self);
    self->kept = 0;
  }
  if (differs && seam_lesson_player_get_sample (self) == NULL)
    enter_own (self);
  else if (differs && self->facts != NULL)
    enter_sample (self);
  g_free (self->place);
  self->place = g_steal_pointer (&place);
  if (seam_lesson_player_get_sample (self) == NULL) {
    show_kept (self);
    read_measured (self);
  }
  self->is_applying = FALSE;
  self->was_measuring = seam_lesson_player_is_measuring (self);
  seam_lesson_player_judge (self);
  seam_watch_notify (self, "step answer");
}

/* The step where the learner is. */
static void
enter_step (SeamLessonPlayer *self)
{
  self->step = seam_lesson_get_step (self->lesson, (guint)self->answers->step);
  seam_lesson_player_choose_recorded (self);
  apply_step (self);
}

static void
measured_cb (SeamLessonPlayer *self)
{
  if (self->step == NULL || self->is_applying)
    return;
  /* What is run here beside a recording that the learner chose counts in its place. */
  if (self->recorded != NULL && seam_lesson_player_is_measuring (self)) {
    self->recorded = NULL;
    g_free (self->place);
    self->place = make_place (self);
  }
  /* Under a cover nothing new is known, and the pane keeps what is being typed. */
  if (self->cover != NULL)
    return;
  /* Another run may be shown in its place. */
  if (seam_lesson_player_get_sample (self) != NULL) {
    seam_watch_notify (self, "answer");
    return;
  }
  keep_code (self);
  gboolean measuring = seam_lesson_player_is_measuring (self);
  if (measuring == self->was_measuring
      && seam_measurement_get_result (self->model->measurement) == self->measured)
    return;
  self->was_measuring = measuring;
  read_measured (self);
  seam_lesson_player_judge (self);
  seam_watch_notify (self, "answer");
}

/* A result that was announced and not yet read belongs to the step that is left. */
static void
finish_step (SeamLessonPlayer *self)
{
  measured_cb (self);
  seam_lesson_player_finish_run (self);
}

/* A run that was removed from the history is shown no longer; what it was judged to be stays. */
static void
history_cb (SeamLessonPlayer *self)
{
  seam_lesson_player_note_run (self);
  gint64 run = seam_lesson_player_get_run (self);
  if (self->step == NULL || run == 0 || seam_lesson_player_get_sample (self) != NULL
      || self->measured == NULL || seam_lesson_player_is_measuring (self)
      || seam_history_list_find (self->model->history, run) != NULL)
    return;
  g_clear_pointer (&self->place, g_free);
  apply_step (self);
}

/* Lessons. */

/* A run that is being measured belongs to what the window shows, and no step takes its place. */
static gboolean
is_busy (SeamLessonPlayer *self)
{
  const char *busy = seam_measurement_get_busy (self->model->measurement);

  if (busy != NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, busy, NULL);
  return busy != NULL;
}

void
seam_lesson_player_open (SeamLessonPlayer *self, SeamLesson *lesson)
{
  if (is_busy (self)) {
    seam_owner_free (lesson);
    return;
  }
  seam_lesson_player_close (self);
  self->lesson = lesson;
  self->answers = seam_lesson_answers_load_kept (lesson);
  enter_step (self);
}

static void
forget_lesson (SeamLessonPlayer *self)
{
  forget_facts (self);
  g_clear_pointer (&self->place, g_free);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->answers, seam_lesson_answers_free);
  g_clear_pointer (&self->lesson, seam_owner_free);
  g_clear_pointer (&self->waits, seam_history_entry_unref);
  self->recorded = NULL;
  self->step = self->cover = NULL;
}

void
seam_lesson_player_detach (SeamLessonPlayer *self)
{
  if (self->lesson == NULL)
    return;
  finish_step (self);
  leave_own (self);
  seam_lesson_player_keep (self);
  forget_lesson (self);
  seam_measurement_hold (self->model->measurement, NULL, FALSE);
  seam_watch_notify (self, "step answer");
}

void
seam_lesson_player_close (SeamLessonPlayer *self)
{
  if (self->lesson == NULL)
    return;
  /* What the person had is no answer to the lesson. */
  finish_step (self);
  self->is_applying = TRUE;
  leave_own (self);
  seam_session_file_close (self->session);
  seam_store_close (self->model->store);
  self->is_applying = FALSE;
  seam_lesson_player_detach (self);
}

gboolean
seam_lesson_player_restart (SeamLessonPlayer *self, gboolean forget)
{
  if (self->lesson == NULL)
    return TRUE;
  if (is_busy (self))
    return FALSE;
  finish_step (self);
  leave_own (self);
  if (forget) {
    g_autoptr (SeamLessonAnswers) forgotten = self->answers;
    self->answers = seam_lesson_answers_new (self->lesson);
    self->answers->seen = g_steal_pointer (&forgotten->seen);
  } else {
    seam_lesson_answers_begin_again (self->answers);
  }
  self->recorded = NULL;
  g_clear_pointer (&self->place, g_free);
  seam_lesson_player_keep (self);
  enter_step (self);
  return TRUE;
}

void
seam_lesson_player_go (SeamLessonPlayer *self, int index)
{
  if (self->lesson == NULL || index < 0 || index > (int)self->lesson->steps->len
      || index == self->answers->step
      || (index > self->answers->step && seam_lesson_player_is_asking (self)) || is_busy (self))
    return;
  finish_step (self);
  keep_code (self);
  self->answers->step = index;
  seam_lesson_player_keep (self);
  enter_step (self);
}

/* Predictions. */

const SeamLessonStep *
seam_lesson_player_get_question (SeamLessonPlayer *self)
{
  return self->step != NULL && self->step->about >= 0
             ? seam_lesson_get_step (self->lesson, (guint)self->step->about)
             : self->cover;
}

const SeamLessonAnswer *
seam_lesson_player_get_answer (SeamLessonPlayer *self)
{
  const SeamLessonStep *question = seam_lesson_player_get_question (self);

  return question != NULL ? seam_lesson_answers_find (self->answers, question->id) : NULL;
}

gboolean
seam_lesson_player_is_asking (SeamLessonPlayer *self)
{
  return self->cover != NULL && self->cover == self->step;
}

gboolean
seam_lesson_player_is_replaced (SeamLessonPlayer *self)
{
  return seam_lesson_player_get_sample (self) != NULL && self->cover == NULL
         && seam_measurement_get_result (self->model->measurement) != NULL
         && !seam_store_is_recorded (self->model->store);
}

gboolean
seam_lesson_player_is_measuring (SeamLessonPlayer *self)
{
  return seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE;
}

void
seam_lesson_player_use_recorded (SeamLessonPlayer *self)
{
  if (!seam_lesson_player_has_recorded (self) || seam_lesson_player_is_measuring (self))
    return;
  if (self->step->sample == NULL)
    self->recorded = seam_lesson_player_find_recorded (self);
  apply_step (self);
}

void
seam_lesson_player_run_own (SeamLessonPlayer *self)
{
  self->recorded = NULL;
  apply_step (self);
  seam_measurement_run (self->model->measurement);
}

void
seam_lesson_player_set_draft (SeamLessonPlayer *self, double value)
{
  if (self->draft == value || (isnan (self->draft) && isnan (value)))
    return;
  self->draft = value;
  seam_watch_notify (self, "draft");
}

void
seam_lesson_player_commit (SeamLessonPlayer *self, double value, int reason)
{
  SeamLessonAnswer answer;

  if (self->step == NULL || !seam_lesson_player_is_asking (self))
    return;
  seam_record_init (&seam_lesson_answer_type, &answer);
  answer.step = g_strdup (self->step->id);
  answer.ask = g_strdup (seam_ask_kinds[self->step->ask].name);
  answer.value = value;
  answer.reason = reason;
  answer.committed_at = seam_lesson_player_make_date ();
  answer.recorded = seam_lesson_player_get_sample (self) != NULL;
  int plan = seam_lesson_step_get_asked_plan (self->step);
  if (self->facts != NULL && plan >= 0 && plan < SEAM_LESSON_MAX_PLANS) {
    answer.guess = self->facts->guess_ns[plan];
    answer.guess_low = self->facts->guess_low_ns[plan];
    answer.guess_high = self->facts->guess_high_ns[plan];
  }
  seam_lesson_answers_add (self->answers, &answer);
  seam_record_clear (&seam_lesson_answer_type, &answer);
  seam_lesson_player_keep (self);
  apply_step (self);
  if (seam_lesson_player_get_sample (self) == NULL)
    seam_measurement_run (self->model->measurement);
}

static void
leave (SeamLessonPlayer *self)
{
  if (self->model != NULL)
    leave_own (self);
  forget_lesson (self);
}

static void
seam_lesson_player_class_init (SeamLessonPlayerClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (leave));
  SEAM_OWNS (klass, SeamLessonPlayer, g_object_unref, session, model);
  seam_watch_install (klass, "step answer draft");
}

static void
seam_lesson_player_init (SeamLessonPlayer *self)
{
}

SeamLessonPlayer *
seam_lesson_player_new (SeamModel *model, SeamSessionFile *session)
{
  SeamLessonPlayer *self = g_object_new (SEAM_TYPE_LESSON_PLAYER, NULL);

  self->model = g_object_ref (model);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "opened", G_CALLBACK (opened_cb), self, G_CONNECT_SWAPPED);
  seam_watch (self, G_CALLBACK (measured_cb), model->measurement, "state result", NULL);
  seam_watch_now (self, G_CALLBACK (history_cb), model->history, "entries");
  return self;
}
