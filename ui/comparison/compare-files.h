/* SPDX-License-Identifier: MIT
 *
 * Actions of the window that ask for the sessions to compare and open a SeamComparisonWindow.
 *
 *   win.compare                    the shown result, or the open session, with a file
 *   win.compare-two                two files
 *   win.compare-with('PATH')       like win.compare, with this file
 *   win.compare-entry(ID)          like win.compare, with an entry of the history
 *   win.compare-files(['A', 'B'])  like win.compare-two, with these files
 */
#pragma once

#include "ui/session/session-file.h"

/* Adds the actions to `window`, which owns them all and outlives them. */
void seam_compare_files_install (GtkApplicationWindow *window, SeamModel *model,
                                 SeamSessionFile *session);
