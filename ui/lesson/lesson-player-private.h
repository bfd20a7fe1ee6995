/* SPDX-License-Identifier: MIT
 *
 * Between lesson-player.c and lesson-runs.c.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

G_BEGIN_DECLS

struct _SeamLessonPlayer {
  GObject parent_instance;

  SeamModel *model;
  SeamSessionFile *session;
  SeamLesson *lesson;         /* NULL: none is open */
  SeamLessonAnswers *answers; /* of the lesson */
  SeamLessonSubject *subject; /* of the step; NULL: none */
  SeamResult *measured;       /* that `subject` is about if it was measured here; only compared */
  SeamResult *judged;         /* the last one that a check has judged; only compared */
  gint64 kept;                /* run of the history that is shown; 0: none */
  gboolean waits;             /* the history has not written the run that was judged yet */
  gboolean was_measuring;     /* when "answer" was notified last */
  char *place;                /* what the model shows, to know whether a step has the same place */
  const char *recorded;       /* sample in the place of the run that a step asks for, or NULL */
  char *problem;
  const SeamLessonStep *written; /* whose code the learner has in the Source page, or NULL */
  char *skeleton;                /* the code to begin with of `written`; NULL: it cannot be read */
  char *target_before;           /* the person's own, where a step has another one */
  const SeamLessonStep *cover;   /* the question that the step's run would answer; NULL: none */
  gboolean is_applying;
  double draft; /* what is entered and not yet committed; NaN: nothing */
};

/* With the answers on disk; says why where that fails. */
void seam_lesson_player_keep (SeamLessonPlayer *self);
/* The recorded run that the step is about; NULL: one of this computer. */
const char *seam_lesson_player_get_sample (SeamLessonPlayer *self, const SeamLessonStep *step);
/* The sample that may take the place of the step's run; NULL: none. */
const char *seam_lesson_player_find_recorded (SeamLessonPlayer *self, const SeamLessonStep *step);
/* On entering a step: whether the learner had the recorded run there. */
void seam_lesson_player_choose_recorded (SeamLessonPlayer *self);
/* The answer whose run `step` shows: its own if that is a prediction or was recorded, else the one
 * with the latest run that serves the step. NULL: none. */
const SeamLessonAnswer *seam_lesson_player_find_run_answer (SeamLessonPlayer *self,
                                                            const SeamLessonStep *step);
/* The run that is shown, in the history's numbers; 0: none, or not written yet. */
gint64 seam_lesson_player_get_run (SeamLessonPlayer *self);
/* Shows a run of the history. FALSE: it is no longer there, or cannot be shown. */
gboolean seam_lesson_player_show_kept (SeamLessonPlayer *self, gint64 id);
/* Judges the answer, run or check of the step, once there is something to judge it by. */
void seam_lesson_player_judge (SeamLessonPlayer *self);
/* Takes the number of the judged run, once the history has written it; finish waits for that. */
void seam_lesson_player_note_run (SeamLessonPlayer *self);
void seam_lesson_player_finish_run (SeamLessonPlayer *self);
char *seam_lesson_player_make_date (void); /* now, ISO 8601, UTC; newly allocated */

G_END_DECLS
