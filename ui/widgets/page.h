/* SPDX-License-Identifier: MIT
 *
 * SeamPage: what every page of the window does. The window lists the types of its pages
 * (ui/window/pages.c) and knows nothing else of them; the order of that list is the one of the tabs
 * and of their keys, Alt+1 and on.
 */
#pragma once

#include "ui/session/session-file.h"

#include "app/report/products.h"

G_BEGIN_DECLS

#define SEAM_TYPE_PAGE (seam_page_get_type ())
G_DECLARE_INTERFACE (SeamPage, seam_page, SEAM, PAGE, GtkWidget)

/* What a page finds around it; all outlive it. */
typedef struct {
  SeamModel *model;
  SeamSessionFile *session;
  GActionMap *actions; /* of the window, for shortcuts of the page's own */
} SeamPageContext;

struct _SeamPageInterface {
  GTypeInterface parent_interface;

  /* "timing": of win.page::timing, what the window remembers, and the section of the help page
   * about the window that F1 opens. */
  const char *name;
  const char *title; /* of its tab */
  const char *icon;

  /* Once, before it is shown: the page shows what the model says, and follows it. */
  void (*begin) (SeamPage *self, const SeamPageContext *context);
  /* Less room: what can stand below the other does. */
  void (*set_narrow) (SeamPage *self, gboolean narrow);
  /* What Run measures while this page is shown, borrowed. Optional; NULL: the plans. */
  SeamExploration *(*get_exploration) (SeamPage *self);
  /* Adds what only this page knows to the source of a product that compares outputs: the sides that
   * it shows. Optional. FALSE with a sentence. */
  gboolean (*fill_source) (SeamPage *self, SeamProductSource *source, GError **error);
};

void seam_page_begin (SeamPage *self, const SeamPageContext *context);
void seam_page_set_narrow (SeamPage *self, gboolean narrow);
SeamExploration *seam_page_get_exploration (SeamPage *self);

G_END_DECLS
