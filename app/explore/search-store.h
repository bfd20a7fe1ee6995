/* SPDX-License-Identifier: MIT
 *
 * Searches as variants that hold all that their figures, tables and CSV need, with the text of the
 * pipeline. A session stores explorations and sweeps in this form. The members are those of
 * SeamStoredSearch, and the request.
 */
#pragma once

#include "app/explore/sweep.h"

/* a{sv}, floating. The search must be predicted, so that its device is known. */
GVariant *seam_search_store (const SeamSearch *search);
/* Safe on any input: SEAM_ERROR_FILE or SEAM_ERROR_INPUT. */
SeamSearch *seam_search_restore (GVariant *variant, GError **error);
