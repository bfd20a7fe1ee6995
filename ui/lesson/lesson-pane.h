/* SPDX-License-Identifier: MIT
 *
 * SeamLessonPane: the open lesson in the sidebar's place: its step as text, the question with the
 * answer, and the way on. Knows no page: "show-page" asks for the one that the step is about.
 *
 * Signals:
 *   "show-page" (char *name)   the step is about this page of the window
 *   "left"                     the lesson was closed: the list of lessons comes next
 */
#pragma once

#include "ui/lesson/lesson-player.h"

G_BEGIN_DECLS

#define SEAM_TYPE_LESSON_PANE (seam_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (SeamLessonPane, seam_lesson_pane, SEAM, LESSON_PANE, AdwBin)

void seam_lesson_pane_set_player (SeamLessonPane *self, SeamLessonPlayer *player, SeamSetup *setup);

/* To the next step (1), or to the one before (-1). */
void seam_lesson_pane_go (SeamLessonPane *self, int direction);
/* Below the page, it is as wide as the window. */
void seam_lesson_pane_set_wide (SeamLessonPane *self, gboolean wide);

G_END_DECLS
