/* SPDX-License-Identifier: MIT
 *
 * SeamRunProgress: a thin bar that shows on every tab how far a run, or a search of partitions or
 * shapes, is; not there while nothing is measured. And the words of a run's progress, for whoever
 * says them.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_RUN_PROGRESS (seam_run_progress_get_type ())
G_DECLARE_FINAL_TYPE (SeamRunProgress, seam_run_progress, SEAM, RUN_PROGRESS, AdwBin)

/* Once, before it is shown. */
void seam_run_progress_set_model (SeamRunProgress *self, SeamModel *model);

/* What the run in progress does: "Measuring…"; static. */
const char *seam_run_progress_get_title (SeamMeasurement *measurement);
/* "12 samples · 3.2 of 10 s"; newly allocated, empty before the worker has said anything. */
char *seam_run_progress_describe (SeamMeasurement *measurement);
/* Time used of the budget, 0 to 1. */
double seam_run_progress_get_fraction (SeamMeasurement *measurement);

G_END_DECLS
