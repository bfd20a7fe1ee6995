/* SPDX-License-Identifier: MIT
 *
 * SeamLessonList: the lessons that come with the program, a card each, with how far the learner is.
 * A card starts the action win.lesson. Reads lessons and progress anew whenever it is shown.
 */
#pragma once

#include "app/lesson/answers.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_LESSON_LIST (seam_lesson_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonList, seam_lesson_list, SEAM, LESSON_LIST, AdwBin)

void seam_lesson_list_update (SeamLessonList *self);

G_END_DECLS
