/* SPDX-License-Identifier: MIT
 *
 * SeamSessionBar: one line over the tabs while a run from a file is shown: the file, the run, its
 * plans, and a button that closes the session.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#define SEAM_TYPE_SESSION_BAR (seam_session_bar_get_type ())
G_DECLARE_FINAL_TYPE (SeamSessionBar, seam_session_bar, SEAM, SESSION_BAR, AdwBin)

void seam_session_bar_set_file (SeamSessionBar *self, SeamSessionFile *file,
                                SeamLessonPlayer *lesson, SeamModel *model);
