/* SPDX-License-Identifier: MIT
 *
 * A row of the browser of pipelines: star, number, title and little blocks, output shape, last run.
 */
#pragma once

#include "app/pipeline/catalogue.h"
#include "ui/state/history-list.h"

#include <gtk/gtk.h>

/* In the order of the list. */
typedef enum {
  SEAM_SECTION_NUMBER, /* the pipeline whose number is sought */
  SEAM_SECTION_NEAR,   /* favourites and recent */
  SEAM_SECTION_OWN,
  SEAM_SECTION_LEVEL,
  SEAM_N_SECTIONS
} SeamBrowserSection;

/* Of the rows in a section. */
typedef enum { SEAM_BY_NUMBER, SEAM_BY_NAME, SEAM_BY_USE } SeamBrowserOrder;

typedef struct {
  const SeamCatalogueEntry *entry; /* borrowed */
  char *name;                      /* seam_pipeline_make_name(); NULL: it cannot be read */
  gboolean favourite, shown;
  SeamBrowserSection section;
  gint64 place; /* in the section */

  GtkWidget *widget; /* the GtkListBoxRow, which owns the struct */
  GtkWidget *box;    /* vertical: the row's line, and in a narrow window the details */
  GtkWidget *shape;
  GtkLabel *title, *run, *when;
  GtkButton *star;
  GtkWidget *chain;
  guint32 ringed;
} SeamBrowserRow;

SeamBrowserRow *seam_browser_row_new (const SeamCatalogueEntry *entry);
SeamBrowserRow *seam_browser_row_get (gpointer widget); /* of a GtkListBoxRow */
/* Places the row in its section; `favourite` and `used` are its places in these lists, or -1. */
void seam_browser_row_place (SeamBrowserRow *self, SeamBrowserOrder order, int favourite, int used,
                             SeamHistoryList *history);
/* A GtkListBoxSortFunc: by section, place and name. */
int seam_browser_row_compare_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data);
/* Marks what `sought` names, and shows star, last run and, where there is room, the output. */
void seam_browser_row_update (SeamBrowserRow *self, const char *sought, SeamHistoryList *history,
                              gboolean with_shape);
