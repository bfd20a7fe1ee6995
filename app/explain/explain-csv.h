/* SPDX-License-Identifier: MIT
 *
 * The tables behind ledger, waterfall and roofline, by RFC 4180 as the tables of a result. The
 * columns are listed at the head of explain-csv.c; they are only ever added to, at the end.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* One row an entry of the ledger: a tensor that a group of a plan writes or reads. */
char *seam_ledger_to_csv (const SeamResult *result, GError **error);
/* One row a group of a plan: the model beside the counters. */
char *seam_traffic_to_csv (const SeamResult *result, GError **error);
/* One row a step of the way from plan `a` to plan `b`. */
char *seam_waterfall_to_csv (const SeamResult *result, int a, int b, GError **error);

G_END_DECLS
