/* SPDX-License-Identifier: MIT
 *
 * The widgets for one direction of a sweep: which field of the shape varies, and over which values.
 * What it says is read by seam_sweep_axis_parse(), as on the command line.
 *
 * Signals:
 *   "changed" ()
 */
#pragma once

#include "app/pipeline/pipeline.h"

#include <adwaita.h>

#define SEAM_TYPE_SWEEP_AXIS (seam_sweep_axis_get_type ())
G_DECLARE_FINAL_TYPE (SeamSweepAxisChoice, seam_sweep_axis, SEAM, SWEEP_AXIS, AdwBin)

/* `optional`: "nothing" is an entry, and is chosen at first. */
GtkWidget *seam_sweep_axis_new (const char *title, gboolean optional);
/* Sets the fields of another pipeline; `values`, its shape, gives the first values. Emits no
 * signal. */
void seam_sweep_axis_set_pipeline (SeamSweepAxisChoice *self, const SeamPipeline *pipeline,
                                   const gint64 *values);
/* "batch=1:128:log2"; NULL: nothing varies here. Newly allocated. */
char *seam_sweep_axis_get_text (SeamSweepAxisChoice *self);
/* Narrow: the values below the field. */
void seam_sweep_axis_set_narrow (SeamSweepAxisChoice *self, gboolean narrow);
