/* SPDX-License-Identifier: MIT
 *
 * Actions of the window on a learner's answers: handing them in as a file, beginning the open
 * lesson again, and forgetting all of them. Whatever would lose answers asks first.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Installs win.submit, win.submit-to (a path and a name; without a dialog, for tests),
 * win.lesson-go (a step, from 0), win.lesson-again and win.forget-progress. `forgotten` is called
 * when all answers are gone. */
void seam_lesson_actions_install (GtkApplicationWindow *window, SeamModel *model,
                                  SeamLessonPlayer *player, void (*forgotten) (gpointer data),
                                  gpointer data);

G_END_DECLS
