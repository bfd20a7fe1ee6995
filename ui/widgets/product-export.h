/* SPDX-License-Identifier: MIT
 *
 * The actions and menus by which a window exports and copies products of app/report/products.h, as
 * loops over that list: "export-NAME" asks for a file, "export-NAME-to" has its path as parameter,
 * "copy-NAME" puts a figure on the clipboard. Pictures are drawn in the light palette, as paper
 * wants them.
 */
#pragma once

#include "app/report/products.h"

#include <gtk/gtk.h>

/* The way in which a window writes its products; static. `data` is the window's own. */
typedef struct {
  /* Fills the source of a product; FALSE with a sentence if that is not available yet. Its
   * pointers stay valid until the next call. */
  gboolean (*fill) (const SeamProduct *product, SeamProductSource *source, gpointer data,
                    GError **error);
  /* NULL: writes from the source. */
  gboolean (*write) (const SeamProduct *product, const char *path, gpointer data, GError **error);
  /* Shows "Saved kernels.csv", or an error. */
  void (*say) (const char *text, gboolean is_error, gpointer data);
  /* Suggested name without ending; NULL: the product's. */
  char *(*make_stem) (const SeamProduct *product, gpointer data);
} SeamProductExport;

/* Pixels of a picture for each pixel of the screen, so that it stays sharp in a document. */
#define SEAM_EXPORT_PIXELS 2

/* `parent` owns the dialogs and the clipboard; `map` and `data` must live as long. */
void seam_product_export_add (GActionMap *map, const SeamProduct *product,
                              const SeamProductExport *how, GtkWindow *parent, gpointer data);
/* Adds all products with one of the sources in `of`. */
void seam_product_export_add_all (GActionMap *map, guint of, const SeamProductExport *how,
                                  GtkWindow *parent, gpointer data);
void seam_product_export_enable (GActionMap *map, guint of, gboolean enabled);

/* "Table of plans (CSV)…", for an action of the window; `verb` is "export-" or "copy-". */
void seam_product_export_append (GMenu *menu, const char *verb, const SeamProduct *product);
/* A button whose menu exports each product with a source in `of`. */
GtkWidget *seam_product_export_make_button (guint of, const char *tooltip);

/* NULL if the figure is empty. */
GdkTexture *seam_product_export_draw (SeamFigure *figure);
