/* SPDX-License-Identifier: MIT
 *
 * The traffic of each tensor: as a table of one or two plans for people, in which the transfers
 * that B does not make are struck through, and as CSV.
 */
#pragma once

#include "app/explain/traffic-ledger.h"
#include "app/report/table.h"

/* The one unit for all bytes of a ledger. */
SeamUnit seam_ledger_get_unit (const SeamTrafficLedger *ledger);

/* An empty table for a widget that is made before there is a ledger; newly allocated. */
SeamTable *seam_ledger_table_new (void);
/* One row per tensor, and two rows of totals: by the model, then by counters. */
SeamTable *seam_ledger_table_make (const SeamTrafficLedger *ledger);

/* One row per entry of the ledger of every plan: a tensor that a group writes or reads. */
char *seam_ledger_to_csv (const SeamResult *result, GError **error);
/* "conv+conv_bias": the ops of a group by name; newly allocated. */
char *seam_ledger_join_ops (const SeamPlan *plan, int group);
