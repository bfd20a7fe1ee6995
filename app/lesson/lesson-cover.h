/* SPDX-License-Identifier: MIT
 *
 * What of a recorded run stays covered at a step: whatever a question that is not answered yet asks
 * for, from the first step that shows the run on. No widgets, and nothing is measured.
 */
#pragma once

#include "app/lesson/answers.h"

G_BEGIN_DECLS

/* The question whose answer the run of this step would tell: the step itself, or a later one about
 * the same recorded run. NULL: the run can be shown. Plans that an answered question asked for are
 * known, so that a later question about them covers nothing before its own step. */
const SeamLessonStep *seam_lesson_find_cover (const SeamLesson *lesson,
                                              const SeamLessonAnswers *answers, int step);
/* Whether a later question about the same recorded run waits for an answer: the run is shown with
 * the plans of this step only. */
gboolean seam_lesson_is_asked_later (const SeamLesson *lesson, const SeamLessonAnswers *answers,
                                     int step);

G_END_DECLS
