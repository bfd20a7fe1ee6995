/* SPDX-License-Identifier: MIT
 *
 * What two runs differ in, as a table for people.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/report/table.h"

G_BEGIN_DECLS

/* The columns alone, for a widget that is made before there is a comparison; newly allocated. */
SeamTable *seam_conditions_table_new (void);
/* One row a condition that is not the same. */
SeamTable *seam_conditions_table_make (const SeamComparison *comparison);
/* "Math mode: TF32 · Seed: 1": those that are; newly allocated, "" where there is none. */
char *seam_conditions_list_alike (const SeamComparison *comparison);

G_END_DECLS
