/* SPDX-License-Identifier: MIT
 *
 * Actions of the window on entries of the history, each with the entry's id (int64):
 *
 *   win.history-open(ID)     shows it: a session like a file, a calibration in its window
 *   win.history-pin(ID)      pins it, or unpins it
 *   win.history-name(ID)     asks for a name
 *   win.history-rename((ID, 'NAME'))   without the question
 *   win.history-remove(ID)   removes it, after a question
 */
#pragma once

#include "ui/session/session-file.h"

/* Adds the actions to `window`, which owns all three and outlives the actions. */
void seam_history_actions_install (GtkApplicationWindow *window, SeamModel *model,
                                   SeamSessionFile *session);
