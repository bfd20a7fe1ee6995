/* SPDX-License-Identifier: MIT
 *
 * The traffic ledger as two tables: by tensor, with the transfers that B does not make struck
 * through, and by group, the model beside the counters. The texts of their cells are shared with
 * the window's tables.
 */
#pragma once

#include "app/base/text.h"
#include "app/explain/traffic-ledger.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* One unit for all bytes of a ledger. */
SeamUnit seam_ledger_get_unit (const SeamTrafficLedger *ledger);
/* "1.06", "< 0.01", or a dash where nothing moves. */
char *seam_ledger_format_bytes (double bytes, SeamUnit unit);
/* "−2.11", "+1.06", "0". */
char *seam_ledger_format_change (double bytes, SeamUnit unit);
/* "−1.9 %", a dash where nothing was measured. */
char *seam_ledger_format_apart (double apart);

SeamFigure *seam_ledger_figure_new (const SeamTrafficLedger *ledger, double width);
SeamFigure *seam_ledger_groups_figure_new (const SeamTrafficLedger *ledger, double width);

G_END_DECLS
