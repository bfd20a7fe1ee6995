/* SPDX-License-Identifier: MIT
 *
 * SeamLessonEnd: the page after the last step of the open lesson: points and checks, every question
 * with its answer and the right one, where to look again, and the ways on.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include <adwaita.h>

#define SEAM_TYPE_LESSON_END (seam_lesson_end_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonEnd, seam_lesson_end, SEAM, LESSON_END, AdwBin)

void seam_lesson_end_set_player (SeamLessonEnd *self, SeamLessonPlayer *player);
/* In a narrow window: one column, with the ways on before the questions. */
void seam_lesson_end_set_narrow (SeamLessonEnd *self, gboolean narrow);
