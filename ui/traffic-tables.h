/* SPDX-License-Identifier: MIT
 *
 * The tables of the traffic page: the ledger by tensor and by group. Texts and sort values only;
 * SeamTable shows them.
 */
#pragma once

#include "ui/table.h"

#include "app/explain/traffic-ledger.h"

G_BEGIN_DECLS

SeamTable *seam_ledger_table_new (void);
void seam_ledger_table_fill (SeamTable *table, const SeamTrafficLedger *ledger);

SeamTable *seam_group_table_new (void);
void seam_group_table_fill (SeamTable *table, const SeamTrafficLedger *ledger);

G_END_DECLS
