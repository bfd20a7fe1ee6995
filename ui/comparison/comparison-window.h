/* SPDX-License-Identifier: MIT
 *
 * SeamComparisonWindow: two sessions side by side, in a window of its own: what they were measured
 * under, the bars of both on one scale, and every number with its change. The comparison is that of
 * app/compare/run-comparison.h. Actions of the window: export-figure, export-table, and with a path
 * export-figure-to('PATH'), export-table-to('PATH').
 */
#pragma once

#include "app/session/session.h"

#include <adwaita.h>

#define SEAM_TYPE_COMPARISON_WINDOW (seam_comparison_window_get_type ())
G_DECLARE_FINAL_TYPE (SeamComparisonWindow, seam_comparison_window, SEAM, COMPARISON_WINDOW,
                      AdwApplicationWindow)

/* `a` and `b` have at least one run each; both are kept. Run `shown` of A is compared first,
 * with the run of B that fits it best. `parent` is the window that this one belongs to. */
SeamComparisonWindow *seam_comparison_window_new (GtkWindow *parent, SeamSession *a,
                                                  const char *name_a, int shown, SeamSession *b,
                                                  const char *name_b);
