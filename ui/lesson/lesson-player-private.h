/* SPDX-License-Identifier: MIT
 *
 * Between lesson-player.c and lesson-runs.c.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

/* With the answers on disk; says why where that fails. */
void seam_lesson_player_keep (SeamLessonPlayer *self);
/* The sample that may take the place of the step's run; NULL: none. */
const char *seam_lesson_player_find_recorded (SeamLessonPlayer *self);
/* On entering a step: whether the learner had the recorded run there. */
void seam_lesson_player_choose_recorded (SeamLessonPlayer *self);
/* The answer of the step, or of the step that it is about, if that asks for a run and is done with
 * one. NULL: no. */
const SeamLessonAnswer *seam_lesson_player_find_done (SeamLessonPlayer *self);
/* The answer whose run the step shows: its own if that is a prediction, was recorded or is done,
 * else the one with the latest run that serves the step. NULL: none. */
const SeamLessonAnswer *seam_lesson_player_find_run_answer (SeamLessonPlayer *self);
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
