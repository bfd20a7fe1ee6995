/* SPDX-License-Identifier: MIT
 *
 * Progress of a run as one line on a terminal that is rewritten, and Ctrl-C as Stop.
 */
#pragma once

#include "app/base/error.h"
#include "app/result/result.h"

typedef struct {
  gboolean is_terminal;
  char **plans; /* as requested; borrowed */
  int n_samples;
  gint64 last_us;
} SeamRunProgress;

void seam_run_progress_init (SeamRunProgress *progress, char **plans);
/* A SeamProgressFunc; `data` is the SeamRunProgress. */
void seam_run_progress_report (const SeamProgress *progress, gpointer data);
/* Removes the line. */
void seam_run_progress_end (SeamRunProgress *progress);

/* From then on Ctrl-C raises `cancel`, and a second one ends the program at once. */
void seam_run_catch_signals (SeamCancel *cancel);
