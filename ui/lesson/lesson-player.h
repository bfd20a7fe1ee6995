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

G_BEGIN_DECLS

#define SEAM_TYPE_LESSON_PLAYER (seam_lesson_player_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonPlayer, seam_lesson_player, SEAM, LESSON_PLAYER, GObject)

SeamLessonPlayer *seam_lesson_player_new (SeamModel *model, SeamSessionFile *session);

/* Takes the lesson, and goes on where the learner left it. */
void seam_lesson_player_open (SeamLessonPlayer *self, SeamLesson *lesson);
/* The progress stays; what the person had chosen and measured is there again. */
void seam_lesson_player_close (SeamLessonPlayer *self);
/* The same, but the window goes on with what it shows: a file that the person has opened. */
void seam_lesson_player_detach (SeamLessonPlayer *self);
/* Begins again; the first answers are kept as such, unless all are forgotten. */
void seam_lesson_player_restart (SeamLessonPlayer *self, gboolean forget);
/* `index`: of a step, or the number of steps for the last page, which has no step: what the window
 * shows stays as it is, and there are no facts, no question and no cover. */
void seam_lesson_player_go (SeamLessonPlayer *self, int index);

/* All borrowed. The lesson, its step and the answers are NULL without a lesson, and the step on the
 * last page. */
const SeamLesson *seam_lesson_player_get_lesson (SeamLessonPlayer *self);
const SeamLessonStep *seam_lesson_player_get_step (SeamLessonPlayer *self);
/* Which run is shown or covered: "Your run of 29 Nov 08:41, on this computer", "Recorded run of
 * NVIDIA H200, 2026-11-26", or that the history no longer has the run that the step was judged by;
 * its reply is in the answer then. NULL: none. Newly allocated. */
char *seam_lesson_player_get_kept (SeamLessonPlayer *self);
const SeamLessonAnswers *seam_lesson_player_get_answers (SeamLessonPlayer *self);
/* What the step may speak of; NULL: nothing was run yet. Valid until the next "answer". */
const SeamLessonFacts *seam_lesson_player_get_facts (SeamLessonPlayer *self);
/* Why the step's recorded run cannot be shown; NULL: it can. */
const char *seam_lesson_player_get_problem (SeamLessonPlayer *self);

/* The prediction that this step asks for, that it compares, or that keeps its run covered; NULL:
 * none. */
const SeamLessonStep *seam_lesson_player_get_question (SeamLessonPlayer *self);
/* The learner's answer to it; NULL: not committed. */
const SeamLessonAnswer *seam_lesson_player_get_answer (SeamLessonPlayer *self);
/* Whether the run of the step is covered: it would tell the answer to this question. */
gboolean seam_lesson_player_is_covered (SeamLessonPlayer *self);
/* Whether the step itself waits for an answer. */
gboolean seam_lesson_player_is_asking (SeamLessonPlayer *self);
/* What is entered and not yet committed, as in SeamLessonAnswer; NaN: nothing. The pane and the
 * figure both show and change it. */
double seam_lesson_player_get_draft (SeamLessonPlayer *self);
void seam_lesson_player_set_draft (SeamLessonPlayer *self, double value);
/* Commits an answer, for good; `value` as in SeamLessonAnswer, NaN: shown without an answer. */
void seam_lesson_player_commit (SeamLessonPlayer *self, double value, int reason);
/* Whether the step is about a recorded run, and not about one of this computer. */
gboolean seam_lesson_player_is_recorded (SeamLessonPlayer *self);
/* Whether a run of this computer is being measured. */
gboolean seam_lesson_player_is_measuring (SeamLessonPlayer *self);
/* In the place of a run on this computer: the recorded one that the step, or the run that it
 * checks, names. */
void seam_lesson_player_use_recorded (SeamLessonPlayer *self);
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

G_END_DECLS
