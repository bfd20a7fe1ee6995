/* SPDX-License-Identifier: MIT
 *
 * What is compared with what: actions of the window that ask for sessions and open a
 * SeamComparisonWindow.
 *
 *   win.compare                    the shown result, or the open session, with a file
 *   win.compare-two                two files
 *   win.compare-with('PATH')       the first without the question
 *   win.compare-entry(ID)          the first with an entry of the history
 *   win.compare-files(['A', 'B'])  the second without the questions
 */
#pragma once

#include "ui/session/session-file.h"

G_BEGIN_DECLS

/* Adds the actions to `window`, which owns them all and outlives them. */
void seam_compare_files_install (GtkApplicationWindow *window, SeamModel *model,
                                 SeamSessionFile *session);

G_END_DECLS
