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
GVariant *seam_explore_store (const SeamSurvey *survey);
GVariant *seam_sweep_store (const SeamSweep *sweep);

/* "explore" or "sweep"; NULL where it is neither. Borrowed. */
const char *seam_survey_get_stored_kind (GVariant *variant);
/* Safe on any input: SEAM_ERROR_FILE or SEAM_ERROR_INPUT, also for one of the other kind. */
SeamSurvey *seam_explore_restore (GVariant *variant, GError **error);
SeamSweep *seam_sweep_restore (GVariant *variant, GError **error);

G_END_DECLS
