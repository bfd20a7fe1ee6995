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

G_BEGIN_DECLS

/* How a window writes its products; static. `data` is the window's own. */
typedef struct {
  /* Fills what the product is made of; FALSE with a sentence where that is not there yet. What it
   * points to lives until the next call. */
  gboolean (*fill) (const SeamProduct *product, SeamProductSource *source, gpointer data,
                    GError **error);
  /* NULL: from the source. */
  gboolean (*write) (const SeamProduct *product, const char *path, gpointer data, GError **error);
  /* "Saved kernels.csv", or what is wrong. */
  void (*say) (const char *text, gboolean is_error, gpointer data);
  /* Suggested name without ending; NULL: the product's. */
  char *(*make_stem) (const SeamProduct *product, gpointer data);
} SeamProductExport;

/* Pixels of a picture for one of the screen, so that it stays sharp in a document. */
#define SEAM_EXPORT_PIXELS 2

/* `parent` has the dialogs and the clipboard; `map` and `data` live as long. */
void seam_product_export_add (GActionMap *map, const SeamProduct *product,
                              const SeamProductExport *how, GtkWindow *parent, gpointer data);
/* All products that are made of one of `of`. */
void seam_product_export_add_all (GActionMap *map, guint of, const SeamProductExport *how,
                                  GtkWindow *parent, gpointer data);
void seam_product_export_enable (GActionMap *map, guint of, gboolean enabled);

/* "Table of plans (CSV)…", for an action of the window; `verb` is "export-" or "copy-". */
void seam_product_export_append (GMenu *menu, const char *verb, const SeamProduct *product);
/* A button whose menu exports each product that is made of `of`. */
GtkWidget *seam_product_export_make_button (guint of, const char *tooltip);

/* NULL where the figure is empty. */
GdkTexture *seam_product_export_draw (SeamFigure *figure);

G_END_DECLS
