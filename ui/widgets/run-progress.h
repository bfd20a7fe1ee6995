/* SPDX-License-Identifier: MIT
 *
 * SeamRunProgress: a thin bar that shows on every tab the progress of a run, or of a search over
 * partitions or shapes; hidden while nothing is measured. Also the words for a run's progress.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_RUN_PROGRESS (seam_run_progress_get_type ())
G_DECLARE_FINAL_TYPE (SeamRunProgress, seam_run_progress, SEAM, RUN_PROGRESS, AdwBin)

/* Call once, before the widget is shown. */
void seam_run_progress_set_model (SeamRunProgress *self, SeamModel *model);

/* The present step of the run: "Measuring…"; static. */
const char *seam_run_progress_get_title (SeamMeasurement *measurement);
/* "12 samples · 3.2 of 10 s"; newly allocated, empty before the worker's first report. */
char *seam_run_progress_describe (SeamMeasurement *measurement);
/* Share of the budget that is used, 0 to 1. */
double seam_run_progress_get_fraction (SeamMeasurement *measurement);
