/* SPDX-License-Identifier: MIT
 *
 * Results as a Chrome trace, which Perfetto (ui.perfetto.dev) and chrome://tracing open: one
 * process a plan, its kernels as complete events in launch order, above them the elapsed time and,
 * where they are known, the host's calls with an arrow to each kernel; the first event begins at 0.
 * The durations are medians over all traced executions, as in the kernel table.
 */
#pragma once

#include "app/result/result.h"

/* `n` results one after another as newly allocated JSON text, C locale. Unknown values are left out
 * of an event's arguments. */
char *seam_trace_to_json (SeamResult *const *results, int n);
