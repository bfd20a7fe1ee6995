/* SPDX-License-Identifier: MIT
 *
 * SeamSearchChoice: which exploration, or which sweep, of an open session is shown, where the file
 * holds more than one that the page can show.
 */
#pragma once

#include "ui/session/session-file.h"

#include <adwaita.h>

#define SEAM_TYPE_SEARCH_CHOICE (seam_search_choice_get_type ())
G_DECLARE_FINAL_TYPE (SeamSearchChoice, seam_search_choice, SEAM, SEARCH_CHOICE, AdwBin)

/* Call once, before it is shown. */
void seam_search_choice_set_file (SeamSearchChoice *self, SeamSessionFile *file,
                                  SeamSearchKind kind);
