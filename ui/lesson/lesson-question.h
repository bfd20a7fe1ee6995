/* SPDX-License-Identifier: MIT
 *
 * SeamLessonQuestion: the entry of a prediction: a number with its unit, one of several choices, a
 * seam, or a cell of the output. After the commit it shows what was answered.
 *
 * Signals:
 *   "changed"   another value, or none
 *   "commit"    Enter in the entry
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#define SEAM_TYPE_LESSON_QUESTION (seam_lesson_question_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonQuestion, seam_lesson_question, SEAM, LESSON_QUESTION, AdwBin)

/* `facts` may be NULL. `answer`: what was committed; NULL: nothing yet. Once it is judged, `score`
 * is the score, and each option says whether it was chosen, whether it is right, and why; NULL: not
 * judged, or the run is gone. */
GtkWidget *seam_lesson_question_new (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                     const SeamLessonAnswer *answer, const SeamScore *score);
/* As in SeamLessonAnswer; NaN: nothing that can be committed. */
double seam_lesson_question_get_value (SeamLessonQuestion *self);
int seam_lesson_question_get_reason (SeamLessonQuestion *self);
/* The number or the seam, even where something else is missing; NaN: none. */
double seam_lesson_question_get_draft (SeamLessonQuestion *self);
/* Sets a number, or picks a seam, as from a figure. */
void seam_lesson_question_set_value (SeamLessonQuestion *self, double value);
/* What to do before it can be committed, or what is wrong; NULL: nothing. */
const char *seam_lesson_question_get_advice (SeamLessonQuestion *self);
