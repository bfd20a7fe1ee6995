/* SPDX-License-Identifier: MIT
 *
 * The conditions in which two runs differ, as a table for people.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/report/table.h"

/* An empty table for a widget that is made before there is a comparison; newly allocated. */
SeamTable *seam_conditions_table_new (void);
/* One row per condition that differs. */
SeamTable *seam_conditions_table_make (const SeamComparison *comparison);
/* "Math mode: TF32 · Seed: 1": the conditions that are the same; newly allocated, "" if there are
 * none. */
char *seam_conditions_list_alike (const SeamComparison *comparison);
