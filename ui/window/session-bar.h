/* SPDX-License-Identifier: MIT
 *
 * SeamSessionBar: one line over the pages while a run from a file is shown: which file, which of
 * its runs, which plans it holds, and a button that puts it away.
 */
#pragma once

#include "ui/session/session-file.h"

G_BEGIN_DECLS

#define SEAM_TYPE_SESSION_BAR (seam_session_bar_get_type ())
G_DECLARE_FINAL_TYPE (SeamSessionBar, seam_session_bar, SEAM, SESSION_BAR, AdwBin)

void seam_session_bar_set_file (SeamSessionBar *self, SeamSessionFile *file, SeamModel *model);

G_END_DECLS
