/* SPDX-License-Identifier: MIT
 *
 * Several traced executions of one plan become its kernel table: matched by position, medians
 * taken, incomplete traces left out and said so. Pure; the traces are taken in measure.c.
 */
#pragma once

#include "app/backend/backend.h"

G_BEGIN_DECLS

/* Fills kernels, n_kernels, n_traces, span, sum and the counts of `result` from `traces` (of
 * SeamTrace, in the order taken). A trace enters the medians when every launch has its record and
 * none was rejected or dropped, and when it shows the same kernels as most others do. What is odd
 * is appended to `notes` (of char *, whole sentences; `title` names the plan). */
void seam_trace_merge (const GPtrArray *traces, const char *title, SeamPlanResult *result,
                       GPtrArray *notes);

/* Gives each kernel of the table its counters (of SeamCounters, in launch order). FALSE when they
 * are not one a kernel; nothing is filled in then. */
gboolean seam_trace_add_counters (SeamPlanResult *result, const GArray *counters);

G_END_DECLS
