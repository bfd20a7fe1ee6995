/* SPDX-License-Identifier: MIT
 *
 * What `explore` and `sweep` print of a survey, and `export` of a stored one.
 */
#pragma once

#include "app/explore/survey.h"

G_BEGIN_DECLS

/* Newly allocated. */
char *seam_survey_report_format (const SeamSurvey *survey);

G_END_DECLS
