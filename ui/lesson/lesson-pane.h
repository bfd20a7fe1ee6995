/* SPDX-License-Identifier: MIT
 *
 * SeamLessonPane: the open lesson in the sidebar's place: its step as text, the question with the
 * answer, and the way on. Steps lead to their page through the window's actions.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#define SEAM_TYPE_LESSON_PANE (seam_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonPane, seam_lesson_pane, SEAM, LESSON_PANE, AdwBin)

void seam_lesson_pane_set_player (SeamLessonPane *self, SeamLessonPlayer *player);

/* `wide`: below the page, it is as wide as the window; `low`: there is little room. */
void seam_lesson_pane_set_room (SeamLessonPane *self, gboolean wide, gboolean low);
