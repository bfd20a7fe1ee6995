/* SPDX-License-Identifier: MIT
 *
 * Results as a Chrome trace, which Perfetto (ui.perfetto.dev) and chrome://tracing open: one
 * process a plan, its kernels as complete events in launch order from 0, and above them the elapsed
 * time. The durations are medians over all traced executions, as in the kernel table.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* Of `n` results one after another; newly allocated JSON text, C locale. What is unknown is left
 * out of an event's arguments. */
char *seam_trace_to_json (SeamResult *const *results, int n);

G_END_DECLS
