/* SPDX-License-Identifier: MIT
 *
 * The points of a roofline: as a table for people and as CSV.
 */
#pragma once

#include "app/explain/roofline.h"
#include "app/report/table.h"

/* One row per point; newly allocated. */
SeamTable *seam_roofline_table_make (const SeamRoofline *roofline);

/* One row per point of every plan. Newly allocated. */
char *seam_roofline_to_csv (const SeamResult *result, GError **error);
