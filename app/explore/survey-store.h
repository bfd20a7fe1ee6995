/* SPDX-License-Identifier: MIT
 *
 * Surveys as variants that hold all that their figures, tables and CSV need, the pipeline's text
 * included: what a session keeps of `explore` and `sweep`. The members are those of
 * SeamStoredSurvey, and the request.
 */
#pragma once

#include "app/explore/sweep.h"

G_BEGIN_DECLS

/* a{sv}, floating. Of a survey that was predicted: its device is known. */
GVariant *seam_survey_store (const SeamSurvey *survey);
/* Safe on any input: SEAM_ERROR_FILE or SEAM_ERROR_INPUT. */
SeamSurvey *seam_survey_restore (GVariant *variant, GError **error);

G_END_DECLS
