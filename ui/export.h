/* SPDX-License-Identifier: MIT
 *
 * Everything that leaves the window as a file or on the clipboard: figures as PNG, SVG or PDF,
 * tables as CSV, the whole window as PNG with its provenance. The actions ask for a file; each has
 * a twin with "-to" that takes the path as its parameter, for scripts and tests:
 *
 *   figures (PNG, SVG, PDF by the ending):
 *     win.export-timing, -difference, -numbers, -ceiling, -traffic, -roofline, -timeline,
 * -sequence, -lattice tables (CSV): win.export-plans, -kernels, -samples, -overview, -worst,
 * -histogram, -estimate, -ledger, -group-traffic, -waterfall, -roofline-points, -partitions the
 * window as it is now (PNG): win.export-window a figure to the clipboard: win.copy-timing,
 * -difference, -numbers, -traffic, -roofline, -timeline, -sequence, -lattice with a path:
 *     win.export-timing-to('PATH'), win.export-plans-to('PATH'), …
 */
#pragma once

#include "ui/difference-page.h"
#include "ui/exploration.h"
#include "ui/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Adds the actions to `window`. All three are owned by the window and outlive the actions. What
 * was written, or why it was not, is said in a toast; actions without anything to export are
 * disabled as `model` changes. */
void seam_export_install (GtkApplicationWindow *window, SeamModel *model, SeamDifferencePage *page,
                          AdwToastOverlay *toasts);

/* What lattice and table of partitions, or sweep and table of points, come from: one of each kind.
 * After seam_export_install(). */
void seam_export_add_exploration (GtkApplicationWindow *window, SeamExploration *exploration);

/* The paths below the actions. All write atomically: an old file stays whole when writing fails.
 * Errors are sentences (read-only folder, full disk, unknown ending). */
gboolean seam_export_figure_to_file (SeamFigure *figure, const char *path, GError **error);
gboolean seam_export_text_to_file (const char *text, const char *path, GError **error);
/* `widget` at twice its size, with `provenance` (whole, wrapped; may be NULL) as a footer. */
gboolean seam_export_widget_to_file (GtkWidget *widget, const char *provenance, const char *path,
                                     GError **error);
/* The figure at twice its size; NULL when it has no size. */
GdkTexture *seam_export_figure_to_texture (SeamFigure *figure);

G_END_DECLS
