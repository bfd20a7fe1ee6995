/* SPDX-License-Identifier: MIT
 *
 * SeamLessonList: the lessons that come with the program, a card each, with how far the learner is.
 * A card starts the action win.lesson. Reads lessons and progress anew whenever it is shown.
 */
#pragma once

#include "app/lesson/score.h"

#include "ui/state/history-list.h"

#include <adwaita.h>

#define SEAM_TYPE_LESSON_LIST (seam_lesson_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonList, seam_lesson_list, SEAM, LESSON_LIST, AdwBin)

void seam_lesson_list_update (SeamLessonList *self);
/* A button that begins the lesson that comes next, goes on with it, or opens the last run of
 * `history` if all are done: the list keeps its label, tooltip and action. Both live as long as the
 * list. */
void seam_lesson_list_set_next (SeamLessonList *self, GtkButton *button, SeamHistoryList *history);
