/* SPDX-License-Identifier: MIT
 *
 * The cases of the pitfall lab: the table for people, and the CSV.
 */
#pragma once

#include "app/explore/pitfall-lab.h"
#include "app/report/table.h"

/* An empty table for a widget that is made before there is a lab; newly allocated. */
SeamTable *seam_lab_table_new (void);
/* One row per case: times of A and B and the ratio, with intervals. Rows have plan 0 and the case
 * as index. */
SeamTable *seam_lab_table_make (const SeamLab *lab);

/* One row per case and plan; the head of lab-cases.c lists the columns. Newly allocated. */
char *seam_lab_to_csv (const SeamLab *lab);
