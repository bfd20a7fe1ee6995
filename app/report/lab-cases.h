/* SPDX-License-Identifier: MIT
 *
 * The cases of the pitfall lab: the table for people, and the CSV.
 */
#pragma once

#include "app/explore/pitfall-lab.h"
#include "app/report/table.h"

G_BEGIN_DECLS

/* The columns alone, for a widget that is made before there is a lab; newly allocated. */
SeamTable *seam_lab_table_new (void);
/* One row a case: times of A and B and the ratio, with intervals. Rows have plan 0 and, as index,
 * the case. */
SeamTable *seam_lab_table_make (const SeamLab *lab);

/* One row a case and plan; the columns stand at the head of lab-cases.c. Newly allocated. */
char *seam_lab_to_csv (const SeamLab *lab);

G_END_DECLS
