/* SPDX-License-Identifier: MIT
 *
 * Everything that leaves the main window as a file or on the clipboard: the products of
 * app/report/products.h that it shows, and the picture of the whole window with its provenance
 * (PNG), which is named "window". ui/widgets/product-export.h lists the actions of each.
 */
#pragma once

#include "ui/state/model.h"

#include "app/report/products.h"

#include <adwaita.h>

/* Adds the actions to `window`, which owns the other two; both outlive the actions. A toast
 * reports what was written, or why it was not; actions without anything to export are disabled as
 * `model` changes. */
void seam_export_install (GtkApplicationWindow *window, SeamModel *model, AdwViewStack *pages,
                          AdwToastOverlay *toasts);

/* Items for all of these actions without a path: `texts` are tables, JSON and the trace. All of
 * them in one menu would be higher than a laptop's screen. */
void seam_export_fill_menus (GMenu *figures, GMenu *texts, GMenu *copy);

/* Writes `widget` at twice its size, with `provenance` (whole, wrapped; may be NULL) as a
 * footer. Writes atomically: an old file stays whole if writing fails. Errors are sentences
 * (read-only folder, full disk, unknown ending). */
gboolean seam_export_widget_to_file (GtkWidget *widget, const char *provenance, const char *path,
                                     GError **error);

/* Fills the source of a product from what the window shows, as its export does. FALSE with a
 * sentence if that is not available yet. What it points to is valid until the model changes. */
gboolean seam_export_fill_source (GtkApplicationWindow *window, const SeamProduct *product,
                                  SeamProductSource *source, GError **error);
