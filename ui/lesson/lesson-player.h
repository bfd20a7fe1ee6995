/* SPDX-License-Identifier: MIT
 *
 * The lesson that is open in a window: its step, what the step shows, and the learner's answers,
 * which are kept on disk. Until a prediction is committed, the recorded run is not shown to the
 * window at all: the model has its pipeline, shape and plans, and no result, so that no page,
 * export, tooltip or assistive technology can tell the answer.
 *
 * Properties, for notify:::
 *   "step"    another step, or a lesson was opened or left
 *   "answer"  the answer, the score, or the facts of the step
 *   "draft"   what is entered and not yet committed
 */
#pragma once

#include "ui/session/session-file.h"

#include "app/lesson/score.h"

#define SEAM_TYPE_LESSON_PLAYER (seam_lesson_player_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonPlayer, seam_lesson_player, SEAM, LESSON_PLAYER, GObject)

/* What others read; only the player writes it. All is borrowed. Without a lesson there are no
 * answers and no step, and on the last page no step. */
struct _SeamLessonPlayer {
  GObject parent_instance;

  SeamLesson *lesson;          /* NULL: none is open */
  SeamLessonAnswers *answers;  /* to it */
  const SeamLessonStep *step;  /* where the learner is */
  SeamLessonFacts *facts;      /* what the step may speak of; NULL: nothing was run yet. Valid until
                                * the next "answer" */
  const SeamLessonStep *cover; /* the question that the step's run would answer; NULL: none */
  char *problem;               /* why the step's recorded run cannot be shown; NULL: it can */
  double draft; /* what is entered and not yet committed, as in SeamLessonAnswer; NaN: nothing. The
                 * pane and the figure both show and change it. */

  SeamModel *model;

  /*< private >*/
  SeamSessionFile *session;
  SeamResult *measured;    /* that `facts` are about if it was measured here; only compared */
  SeamResult *judged;      /* the last one that a check has judged; only compared */
  gint64 kept;             /* run of the history that is shown; 0: none */
  SeamHistoryEntry *waits; /* of the run that was judged, until the history has written it */
  gboolean was_measuring;  /* when "answer" was notified last */
  char *place;             /* what the model shows, to know whether a step has the same place */
  const char *recorded;    /* sample in the place of the run that a step asks for, or NULL */
  const SeamLessonStep *written; /* whose code the learner has in the Source page, or NULL */
  char *skeleton;                /* the code to begin with of `written`; NULL: it cannot be read */
  char *target_before;           /* the person's own, where a step has another one */
  gboolean is_applying;
};

SeamLessonPlayer *seam_lesson_player_new (SeamModel *model, SeamSessionFile *session);

/* Takes the lesson, and goes on where the learner left it. While something is measured it says so,
 * and opens nothing. */
void seam_lesson_player_open (SeamLessonPlayer *self, SeamLesson *lesson);
/* The progress stays; what the person had chosen and measured is there again. */
void seam_lesson_player_close (SeamLessonPlayer *self);
/* The same, but the window goes on with what it shows: a file that the person has opened. */
void seam_lesson_player_detach (SeamLessonPlayer *self);
/* Begins again; the first answers are kept as such, unless all are forgotten. FALSE: something is
 * being measured, and the lesson stays as it is. TRUE, too, if no lesson is open. */
gboolean seam_lesson_player_restart (SeamLessonPlayer *self, gboolean forget);
/* `index`: of a step, or the number of steps for the last page, which has no step: what the window
 * shows stays as it is, and there are no facts, no question and no cover. */
void seam_lesson_player_go (SeamLessonPlayer *self, int index);

/* Which run is shown or covered: "Your run of 29 Nov 08:41, on this computer", "Recorded run of
 * NVIDIA H200, 2026-11-26", or that the history no longer has the run that the step was judged by;
 * its reply is in the answer then. NULL: none. Newly allocated. */
char *seam_lesson_player_get_kept (SeamLessonPlayer *self);

/* The prediction that this step asks for, that it compares, or that keeps its run covered; NULL:
 * none. */
const SeamLessonStep *seam_lesson_player_get_question (SeamLessonPlayer *self);
/* The learner's answer to it; NULL: not committed. */
const SeamLessonAnswer *seam_lesson_player_get_answer (SeamLessonPlayer *self);
/* Whether the step itself waits for an answer. */
gboolean seam_lesson_player_is_asking (SeamLessonPlayer *self);
void seam_lesson_player_set_draft (SeamLessonPlayer *self, double value);
/* Commits an answer, for good; `value` as in SeamLessonAnswer, NaN: shown without an answer. */
void seam_lesson_player_commit (SeamLessonPlayer *self, double value, int reason);
/* The recorded run that the step is about; NULL: one of this computer. */
const char *seam_lesson_player_get_sample (SeamLessonPlayer *self);
/* Whether the window shows a run of this computer in the place of that recorded one. */
gboolean seam_lesson_player_is_replaced (SeamLessonPlayer *self);
/* Whether a run of this computer is being measured. */
gboolean seam_lesson_player_is_measuring (SeamLessonPlayer *self);
/* In the place of a run on this computer: the recorded one that the step is about, or that it, or
 * the run that it checks, names. */
void seam_lesson_player_use_recorded (SeamLessonPlayer *self);
/* The other way: the plans of the step, and the code that the learner wrote, run here. */
void seam_lesson_player_run_own (SeamLessonPlayer *self);
/* Whether there is one that the window does not show. */
gboolean seam_lesson_player_has_recorded (SeamLessonPlayer *self);
/* The time budget in seconds that an unclear check is likely to need; 0: nothing is unclear, or the
 * run has all the time that a run may have. */
double seam_lesson_player_get_longer_s (SeamLessonPlayer *self);
/* Runs the plans again with that budget, until the person leaves the lesson's view. */
void seam_lesson_player_measure_longer (SeamLessonPlayer *self);
/* The score of the answer; FALSE: nothing to judge yet. The caller clears it. */
gboolean seam_lesson_player_get_score (SeamLessonPlayer *self, SeamScore *score);
/* The conditions of the step's check, judged; NULL: nothing was run yet. Of a run that the history
 * no longer has, see seam_lesson_player_get_kept(). */
GPtrArray *seam_lesson_player_check (SeamLessonPlayer *self);
