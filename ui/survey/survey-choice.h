/* SPDX-License-Identifier: MIT
 *
 * SeamSurveyChoice: which exploration, or which sweep, of an open session is shown, where the file
 * holds more than one that the page can show.
 */
#pragma once

#include "ui/session/session-file.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_SURVEY_CHOICE (seam_survey_choice_get_type ())
G_DECLARE_FINAL_TYPE (SeamSurveyChoice, seam_survey_choice, SEAM, SURVEY_CHOICE, AdwBin)

/* Once, before it is shown. */
void seam_survey_choice_set_file (SeamSurveyChoice *self, SeamSessionFile *file,
                                  SeamSurveyKind kind);

G_END_DECLS
