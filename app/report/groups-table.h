/* SPDX-License-Identifier: MIT
 *
 * The modelled and the counted traffic of each group of a plan, as a table for people and as CSV.
 */
#pragma once

#include "app/explain/traffic-ledger.h"
#include "app/report/table.h"

/* An empty table for a widget that is made before there is a ledger; newly allocated. */
SeamTable *seam_groups_table_new (void);
/* Rows have the side as plan and the group as index. */
SeamTable *seam_groups_table_make (const SeamTrafficLedger *ledger);

/* One row per group of every plan. Newly allocated. */
char *seam_traffic_to_csv (const SeamResult *result, GError **error);
