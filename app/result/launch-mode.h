/* SPDX-License-Identifier: MIT
 *
 * How the kernels of a plan are launched: by a call each, or all of them by one call as a CUDA
 * graph. Here are the names and which targets can; app/backend/cuda/graph.c does it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  SEAM_LAUNCH_STREAM, /* a call for every kernel; on the CPU for every group */
  SEAM_LAUNCH_GRAPH,  /* the plan is captured once, an execution is one launch of that graph */
  SEAM_N_LAUNCH_MODES
} SeamLaunchMode;

const char *seam_launch_mode_get_name (SeamLaunchMode mode); /* "stream", "graph" */
/* SEAM_ERROR_INPUT with the names there are. */
gboolean seam_launch_mode_parse (const char *text, SeamLaunchMode *mode, GError **error);
/* Why a target ("cpu", "cuda:0") has not this mode, a sentence with what to do; NULL: it has it. */
const char *seam_launch_mode_refuse (SeamLaunchMode mode, const char *target);
/* The same as SEAM_ERROR_UNSUPPORTED. */
gboolean seam_launch_mode_check (SeamLaunchMode mode, const char *target, GError **error);

G_END_DECLS
