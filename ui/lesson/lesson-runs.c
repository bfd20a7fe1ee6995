/* SPDX-License-Identifier: MIT
 *
 * The runs of a lesson's steps: which one a step shows, what its answer is judged by, and what is
 * kept of it. lesson-player.c shows steps in the window.
 */
#include "ui/lesson/lesson-player-private.h"

#include "ui/state/watch.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

void
seam_lesson_player_keep (SeamLessonPlayer *self)
{
  g_autoptr (GError) error = NULL;

  if (seam_lesson_answers_refresh (self->answers))
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST,
                      "This lesson was answered in another window, too. The first answer to each "
                      "question counts.",
                      NULL);
  self->answers->furthest = MAX (self->answers->furthest, self->answers->step);
  self->answers->done = seam_lesson_is_done (self->lesson, self->answers);
  if (!seam_lesson_answers_keep (self->answers, &error))
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The answers are not kept.",
                      error->message);
}

const char *
seam_lesson_player_get_sample (SeamLessonPlayer *self)
{
  return self->step != NULL && self->step->sample != NULL ? self->step->sample : self->recorded;
}

/* The step whose run is shown. */
static const SeamLessonStep *
get_subject (SeamLessonPlayer *self)
{
  const SeamLessonStep *step = self->step;

  return step->about >= 0 ? seam_lesson_get_step (self->lesson, (guint)step->about) : step;
}

const SeamLessonAnswer *
seam_lesson_player_find_done (SeamLessonPlayer *self)
{
  const SeamLessonStep *step = get_subject (self);
  const SeamLessonAnswer *own = seam_lesson_answers_find (self->answers, step->id);
  gboolean runs = step->kind == SEAM_STEP_TRY || step->kind == SEAM_STEP_PROVE;

  return runs && own != NULL && own->run > 0 && own->value == 1 ? own : NULL;
}

const SeamLessonAnswer *
seam_lesson_player_find_run_answer (SeamLessonPlayer *self)
{
  const SeamLessonStep *step = get_subject (self);
  const SeamLessonAnswer *own = seam_lesson_answers_find (self->answers, step->id), *best = NULL;

  if (step->sample != NULL)
    return NULL;
  if (own != NULL && (own->recorded || step->kind == SEAM_STEP_PREDICT))
    return own->recorded || own->run > 0 ? own : NULL;
  /* What it was done with, and not a later step's run. */
  if (seam_lesson_player_find_done (self) != NULL)
    return seam_lesson_player_find_done (self);
  for (guint i = 0; i < self->lesson->steps->len; i++) {
    const SeamLessonStep *other = seam_lesson_get_step (self->lesson, i);
    const SeamLessonAnswer *answer = seam_lesson_answers_find (self->answers, other->id);
    gboolean counts = answer != NULL && (answer->run > 0 || (own == NULL && answer->recorded));
    if (counts && (other == step || seam_lesson_steps_share_run (other, step))
        && (best == NULL || answer->run > best->run))
      best = answer;
  }
  return best;
}

const char *
seam_lesson_player_find_recorded (SeamLessonPlayer *self)
{
  const SeamLessonStep *step = self->step;

  for (int i = self->answers->step; i >= 0 && step->sample == NULL; i--) {
    const SeamLessonStep *before = seam_lesson_get_step (self->lesson, (guint)i);
    if (before->recorded != NULL && (before == step || seam_lesson_steps_share_run (before, step)))
      return before->recorded;
  }
  return NULL;
}

void
seam_lesson_player_choose_recorded (SeamLessonPlayer *self)
{
  const SeamLessonAnswer *answer =
      self->step != NULL ? seam_lesson_player_find_run_answer (self) : NULL;
  const char *sample = self->step != NULL ? seam_lesson_player_find_recorded (self) : NULL;

  self->recorded =
      (answer != NULL ? answer->recorded : g_strcmp0 (sample, self->recorded) == 0) ? sample : NULL;
}

/* In the history's numbers; 0: not written yet, or nowhere. */
gint64
seam_lesson_player_get_run (SeamLessonPlayer *self)
{
  const SeamHistoryEntry *entry = seam_measurement_get_entry (self->model->measurement);

  return entry == NULL ? self->kept : MAX (entry->id, 0);
}

static SeamLessonAnswer *
find_own (SeamLessonPlayer *self)
{
  return self->step != NULL
             ? (SeamLessonAnswer *)seam_lesson_answers_find (self->answers, self->step->id)
             : NULL;
}

/* The next run may begin before the history has written this one. */
static void
wait_for_run (SeamLessonPlayer *self, gboolean waits)
{
  const SeamHistoryEntry *entry = seam_measurement_get_entry (self->model->measurement);

  g_clear_pointer (&self->waits, seam_history_entry_unref);
  if (waits && entry != NULL)
    self->waits = seam_history_entry_ref ((SeamHistoryEntry *)entry);
}

/* The history writes in a thread, and names the run then. */
void
seam_lesson_player_note_run (SeamLessonPlayer *self)
{
  const SeamLessonAnswer *own = self->waits != NULL ? find_own (self) : NULL;
  gint64 run = self->waits != NULL ? MAX (self->waits->id, 0) : 0;

  if (own == NULL || run == 0)
    return;
  g_clear_pointer (&self->waits, seam_history_entry_unref);
  /* Also of the steps that the same run serves. */
  for (int i = 0; i < self->answers->n_answers; i++) {
    SeamLessonAnswer *answer = &self->answers->answers[i];
    if (answer->run == 0 && !answer->recorded
        && g_strcmp0 (answer->committed_at, own->committed_at) == 0)
      answer->run = run;
  }
  seam_lesson_player_keep (self);
  seam_watch_notify (self, "answer");
}

/* Before another step. */
void
seam_lesson_player_finish_run (SeamLessonPlayer *self)
{
  if (self->waits != NULL)
    seam_history_list_flush (self->model->history);
  if (self->lesson != NULL)
    seam_lesson_player_note_run (self);
  g_clear_pointer (&self->waits, seam_history_entry_unref);
}

/* A run of this computer that the answer was judged by. FALSE: the history no longer has it, or
 * cannot show it. */
gboolean
seam_lesson_player_show_kept (SeamLessonPlayer *self, gint64 id)
{
  SeamHistoryList *history = self->model->history;
  const SeamHistoryEntry *entry = seam_history_list_find (history, id);
  g_autoptr (SeamSession) session =
      entry != NULL ? seam_history_list_load (history, id, NULL) : NULL;
  g_autoptr (SeamSessionRun) run = session != NULL && seam_session_get_n_runs (session) > 0
                                       ? seam_session_get_run (session, 0, NULL)
                                       : NULL;
  g_autofree char *when = entry != NULL ? seam_text_when (entry->ended_at) : NULL;

  if (run == NULL || !seam_store_show (self->model->store, run, when, NULL))
    return FALSE;
  self->kept = id;
  return TRUE;
}

char *
seam_lesson_player_get_kept (SeamLessonPlayer *self)
{
  const SeamLessonFacts *facts = self->facts;
  gboolean recorded =
      seam_lesson_player_get_sample (self) != NULL && !seam_lesson_player_is_replaced (self);
  const SeamResult *result = !recorded ? seam_measurement_get_result (self->model->measurement)
                             : facts != NULL ? facts->result
                                             : NULL;

  if (self->step == NULL || seam_lesson_player_is_measuring (self))
    return NULL;
  if (result != NULL && recorded && facts->device != NULL)
    return g_strdup_printf ("Recorded run of %s, %.10s", facts->device->name, result->started_at);
  if (result != NULL) {
    g_autofree char *when = seam_text_when (result->started_at);
    return g_strdup_printf ("Your run of %s, on this computer", when);
  }
  const SeamLessonAnswer *answer = seam_lesson_player_find_run_answer (self);
  if (answer == NULL || answer->run == 0)
    return NULL;
  g_autofree char *when = seam_text_when (answer->committed_at);
  return g_strdup_printf ("The run of %s is no longer in the history. Run again.", when);
}

gboolean
seam_lesson_player_has_recorded (SeamLessonPlayer *self)
{
  if (seam_lesson_player_get_sample (self) != NULL)
    return seam_lesson_player_is_replaced (self);
  return self->step != NULL && seam_lesson_player_find_recorded (self) != NULL;
}

#define LONGER_MARGIN 1.2 /* the needed samples are an extrapolation */
#define LONGER_LEAST  4.0 /* times the budget, if they are unknown */

double
seam_lesson_player_get_longer_s (SeamLessonPlayer *self)
{
  const SeamLessonFacts *facts = self->facts;
  const SeamResult *result = facts != NULL ? facts->result : NULL;
  g_autoptr (GPtrArray) conditions = seam_lesson_player_check (self);

  if (conditions == NULL || result == NULL || !isnan (seam_lesson_check_judge (conditions, NULL)))
    return 0;
  /* The last plan that the run has, beside A. */
  int last = facts->n_plans - 1;
  while (last > 0 && facts->places[last] < 0)
    last--;
  if (last <= 0 || facts->places[0] < 0)
    return 0;
  g_autoptr (SeamVerdict) verdict =
      seam_verdict_new (result, facts->places[0], facts->places[last]);
  double n = result->plans[facts->places[0]].n_samples, budget = result->settings.budget_s;
  double times =
      verdict->needed > 0 && n > 0 ? (n + verdict->needed) / n * LONGER_MARGIN : LONGER_LEAST;
  double longer = MIN (ceil (budget * times), SEAM_MAX_BUDGET_S);
  return longer > budget ? longer : 0;
}

void
seam_lesson_player_measure_longer (SeamLessonPlayer *self)
{
  double longer_s = seam_lesson_player_get_longer_s (self);
  g_autofree char *text = g_strdup_printf ("%d", (int)longer_s);

  if (longer_s <= 0)
    return;
  seam_chosen_settings_set_text (seam_setup_get_settings (self->model->setup),
                                 seam_record_find (&seam_settings_type, "budget_s"), text);
  seam_measurement_run (self->model->measurement);
}

GPtrArray *
seam_lesson_player_check (SeamLessonPlayer *self)
{
  return self->step != NULL && self->facts != NULL && !seam_lesson_player_is_measuring (self)
             ? seam_lesson_check_conditions (self->step, self->facts)
             : NULL;
}

gboolean
seam_lesson_player_get_score (SeamLessonPlayer *self, SeamScore *score)
{
  const SeamLessonAnswer *answer = seam_lesson_player_get_answer (self);

  if (answer == NULL || self->facts == NULL)
    return FALSE;
  seam_score_answer (seam_lesson_player_get_question (self), self->facts, answer, score);
  if (!isnan (score->measured))
    return TRUE;
  seam_score_clear (score);
  return FALSE;
}

char *
seam_lesson_player_make_date (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format_iso8601 (now);
}

/* Whether the shown run was made for another step, which it was judged for. */
static gboolean
is_of_another (SeamLessonPlayer *self, gint64 run)
{
  if (self->judged == self->measured)
    return TRUE;
  for (int i = 0; run > 0 && i < self->answers->n_answers; i++)
    if (self->answers->answers[i].run == run)
      return TRUE;
  return FALSE;
}

/* What a run or a check found takes the place of what was found before. A run that is made at a
 * check is also the one that a step before it asks for. */
static void
judge_run (SeamLessonPlayer *self)
{
  const SeamLessonStep *step = self->step;
  const SeamLessonAnswer *before = seam_lesson_answers_find (self->answers, step->id);
  g_autoptr (GPtrArray) conditions = seam_lesson_player_check (self);
  const SeamLessonCondition *first = NULL;
  gboolean recorded = seam_lesson_player_get_sample (self) != NULL;
  gint64 run = recorded ? 0 : seam_lesson_player_get_run (self);
  int attempts = before != NULL ? before->attempts + 1 : 1;

  if (conditions == NULL || self->facts->result == NULL)
    return;
  /* The same run as before, shown again. */
  if (before != NULL && before->points == 0 && before->recorded == recorded
      && (recorded || self->judged == self->measured || (run > 0 && run <= before->run)))
    return;
  double value = seam_lesson_check_judge (conditions, &first);
  /* A check may pass by what is there on arrival; that it does not is no attempt. */
  if (step->kind == SEAM_STEP_PROVE && before == NULL && value != 1 && !recorded
      && is_of_another (self, run))
    return;
  self->judged = self->measured;
  /* A check that passed has passed. */
  if (step->kind == SEAM_STEP_PROVE && before != NULL && before->value == 1 && value != 1) {
    ((SeamLessonAnswer *)before)->attempts = attempts;
    seam_lesson_player_keep (self);
    return;
  }
  g_autofree char *now = seam_lesson_player_make_date ();
  for (guint i = 0; i < self->lesson->steps->len; i++) {
    const SeamLessonStep *other = seam_lesson_get_step (self->lesson, i);
    gboolean proves = other->kind == SEAM_STEP_PROVE;
    SeamLessonAnswer answer;
    if (other != step
        && (other->kind != SEAM_STEP_TRY || !seam_lesson_steps_share_run (other, step)
            || seam_lesson_answers_find (self->answers, other->id) != NULL))
      continue;
    seam_record_init (&seam_lesson_answer_type, &answer);
    answer.step = g_strdup (other->id);
    answer.ask = g_strdup (seam_step_kinds[other->kind].name);
    answer.value = proves ? value : 1;
    answer.points = 0;
    answer.attempts = proves ? attempts : 0;
    answer.recorded = recorded;
    answer.run = run;
    answer.reply = proves && first != NULL ? g_strdup (first->reply) : NULL;
    answer.committed_at = g_strdup (recorded ? now : self->facts->result->started_at);
    seam_lesson_answers_replace (self->answers, &answer);
    seam_record_clear (&seam_lesson_answer_type, &answer);
  }
  wait_for_run (self, !recorded && run == 0);
  seam_lesson_player_keep (self);
}

/* Keeps the score with the answer, once it is known. */
void
seam_lesson_player_judge (SeamLessonPlayer *self)
{
  g_auto (SeamScore) score = { 0 };
  SeamLessonAnswer *answer = (SeamLessonAnswer *)seam_lesson_player_get_answer (self);

  if (self->step->kind == SEAM_STEP_TRY || self->step->kind == SEAM_STEP_PROVE) {
    if (self->cover == NULL)
      judge_run (self);
    return;
  }
  if (answer == NULL || answer->points >= 0 || !seam_lesson_player_get_score (self, &score))
    return;
  answer->reply = g_steal_pointer (&score.reply);
  if (answer == find_own (self) && seam_lesson_player_get_sample (self) == NULL) {
    answer->run = seam_lesson_player_get_run (self);
    wait_for_run (self, answer->run == 0);
  }
  answer->points = score.points;
  answer->measured = score.measured;
  answer->measured_low = score.measured_low;
  answer->measured_high = score.measured_high;
  seam_lesson_player_keep (self);
}
