/* SPDX-License-Identifier: MIT
 *
 * SeamPage: the interface of the window's tabs. The window lists the types of its pages
 * (ui/window/pages.c) and knows nothing else about them; the order of that list is the order of the
 * tabs and of their keys, Alt+1 and on.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include "app/report/products.h"

#define SEAM_TYPE_PAGE (seam_page_get_type ())
G_DECLARE_INTERFACE (SeamPage, seam_page, SEAM, PAGE, GtkWidget)

/* Objects that a page uses; all outlive it. */
typedef struct {
  SeamModel *model;
  SeamSessionFile *session;
  SeamLessonPlayer *lesson;
  GActionMap *actions; /* of the window, for the page's own shortcuts */
} SeamPageContext;

struct _SeamPageInterface {
  GTypeInterface parent_interface;

  /* "timing": the name in win.page::timing and in the remembered state, and the section of the
   * window's help page that F1 opens. */
  const char *name;
  /* Everything below may be missing. */
  const char *title; /* of its tab */
  const char *icon;
  const char *const *products; /* figures of it that are presented, in this order; ends with NULL */

  /* Called once, before it is shown: the page shows the model's state, and follows it. */
  void (*begin) (SeamPage *self, const SeamPageContext *context);
  /* Called when it changes. Less room: widgets that can stand below another one do. */
  void (*set_narrow) (SeamPage *self, gboolean narrow);
  /* The exploration that Run measures while this tab is shown, borrowed; NULL: the plans. */
  SeamExploration *(*get_exploration) (SeamPage *self);
  /* Adds what only this page knows to the source of a product that compares outputs: the
   * compared sides. FALSE with a sentence. */
  gboolean (*fill_source) (SeamPage *self, SeamProductSource *source, GError **error);
};

/* These call the functions above; a missing one does nothing, and gives NULL or TRUE. */
void seam_page_begin (SeamPage *self, const SeamPageContext *context);
void seam_page_set_narrow (SeamPage *self, gboolean narrow);
SeamExploration *seam_page_get_exploration (SeamPage *self);
gboolean seam_page_fill_source (SeamPage *self, SeamProductSource *source, GError **error);
/* Shows how a page's numbers came about in its last line, whose tooltip has the text whole. NULL or
 * empty: a blank keeps the line's height, so that nothing moves when a result arrives. */
void seam_page_show_provenance (GtkLabel *line, const char *text);
