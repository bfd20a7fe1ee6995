/* SPDX-License-Identifier: MIT
 *
 * Actions of the window on a lesson: going through it, handing the answers in as a file, taking it
 * again, and forgetting all answers. What puts answers away asks first.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include <adwaita.h>

/* Installs win.submit, win.submit-to (a path and a name; without a dialog, for tests),
 * win.lesson-go (a step, from 0), win.lesson-step (by so many steps), win.lesson-leave,
 * win.lesson-again and win.forget-progress. `forgotten` is called when all answers are gone. */
void seam_lesson_actions_install (GtkApplicationWindow *window, SeamModel *model,
                                  SeamLessonPlayer *player, void (*forgotten) (gpointer data),
                                  gpointer data);
