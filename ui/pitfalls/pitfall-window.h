/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab's window: six switches with a sentence each, Run, figure, findings and table. It
 * measures the plans, shape and target of the main window with a worker of its own, in the order
 * that app/explore/pitfall-lab.h gives. Modal: two runs at once would spoil each other's times.
 *
 * Actions that it adds to the main window:
 *   win.pitfalls                              opens it
 *   win.export-pitfalls-to('PATH')            figure (PNG, SVG, PDF by the ending)
 *   win.export-pitfalls-table-to('PATH')      table (CSV)
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PITFALL_WINDOW (seam_pitfall_window_get_type ())
G_DECLARE_FINAL_TYPE (SeamPitfallWindow, seam_pitfall_window, SEAM, PITFALL_WINDOW, AdwWindow)

/* `window` owns the lab's window. The caller disables opening while something is measured. */
void seam_pitfall_window_install (GtkApplicationWindow *window, SeamModel *model);
