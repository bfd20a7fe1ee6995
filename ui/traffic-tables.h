/* SPDX-License-Identifier: MIT
 *
 * The tables of the traffic page: the ledger by tensor and by group. Texts and sort values only;
 * SeamTableView shows them.
 */
#pragma once

#include "ui/table-view.h"

#include "app/explain/traffic-ledger.h"

G_BEGIN_DECLS

SeamTableView *seam_ledger_table_new (void);
void seam_ledger_table_fill (SeamTableView *table, const SeamTrafficLedger *ledger);

SeamTableView *seam_group_table_new (void);
void seam_group_table_fill (SeamTableView *table, const SeamTrafficLedger *ledger);

G_END_DECLS
