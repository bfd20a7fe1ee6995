/* SPDX-License-Identifier: MIT
 *
 * SeamCalibrateWindow: what calibration found of the chosen target, as table and curve, and the
 * button that measures it. A small window beside the main one, which stays usable.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

/* Adds the actions "calibrate", which opens it, "calibrate-show" (id of an entry of the history),
 * and "calibrate-save-to" (path), which writes what it shows. */
void seam_calibrate_window_install (GtkApplicationWindow *window, SeamModel *model);
