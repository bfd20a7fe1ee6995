/* SPDX-License-Identifier: MIT
 *
 * Makes the kernel table of a plan from several traced executions: kernels are matched by position,
 * times are medians, and incomplete traces are left out with a note. Pure; measure.c takes the
 * traces.
 */
#pragma once

#include "app/backend/backend.h"

/* Fills kernels, n_kernels, n_traces, span, sum and the counts of `result` from `traces` (of
 * SeamTrace, in the order taken). A trace enters the medians if every launch has its record, none
 * was rejected or dropped, and it has the same kernels as most others. Irregularities are appended
 * to `notes` (of char *, whole sentences; `title` names the plan). */
void seam_trace_merge (const GPtrArray *traces, const char *title, SeamPlanResult *result,
                       GPtrArray *notes);

/* Gives each kernel of the table its counters (of SeamCounters, in launch order). FALSE, and
 * nothing is filled in, if their number is not that of the kernels. */
gboolean seam_trace_add_counters (SeamPlanResult *result, const GArray *counters);
