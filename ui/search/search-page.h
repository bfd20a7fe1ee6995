/* SPDX-License-Identifier: MIT
 *
 * SeamSearchPage: what the tabs Explore and Sweep share. A bar with what is measured, the budget
 * and how far it is; the figure, in which a point is activated to become plan B; all points as a
 * table; where it comes from. A page of either kind (explore-page.c, sweep-page.c) says what its
 * points are and adds widgets of its own. ui/state/exploration.h measures.
 */
#pragma once

#include "ui/page/page.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/table-view.h"

#include "app/figure/figure.h"

#define SEAM_TYPE_SEARCH_PAGE (seam_search_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (SeamSearchPage, seam_search_page, SEAM, SEARCH_PAGE, AdwBin)

/* What each kind of page adds. Every function may be missing. `search` is the shown one, NULL only
 * in `fill`; points are indices into it, -1: none. Texts, figures and tables are newly allocated.
 */
struct _SeamSearchPageClass {
  AdwBinClass parent_class;

  SeamSearchKind kind;
  SeamHitKind hit_kind; /* of the figure's points */
  int minimum_width;    /* of the figure */

  /* Called when the model is there. */
  void (*begin) (SeamSearchPage *self);
  /* Called with every point, to fill the page's own widgets; NULL: nothing is known. */
  void (*fill) (SeamSearchPage *self, const SeamSearch *search);
  /* "3 seams, 8 partitions" */
  char *(*count) (SeamSearchPage *self, const SeamSearch *search);
  SeamFigure *(*make_figure) (SeamSearchPage *self, const SeamSearch *search, double width);
  /* Text under the figure; "": none. */
  char *(*describe) (SeamSearchPage *self, const SeamSearch *search);
  SeamTable *(*make_table) (SeamSearchPage *self, const SeamSearch *search);
  /* Converts between points and hits of the figure. */
  int (*find_point) (SeamSearchPage *self, const SeamSearch *search, const SeamHit *hit);
  void (*find_hit) (SeamSearchPage *self, const SeamSearch *search, int point, SeamHit *hit);
  char *(*describe_point) (SeamSearchPage *self, const SeamSearch *search, int point);
  /* Makes the point plan B; `search` is of the current pipeline. */
  void (*take_point) (SeamSearchPage *self, const SeamSearch *search, int point);
  /* The point that is plan B now; `search` is of the current pipeline. */
  int (*find_current) (SeamSearchPage *self, const SeamSearch *search);
  /* Called when the current point changes, or when more is known about it. */
  void (*show_current) (SeamSearchPage *self, const SeamSearch *search, int point);
  /* Whether the person may choose: nothing is being measured and no recorded search is shown. */
  void (*set_free) (SeamSearchPage *self, gboolean free);
  void (*pipeline_changed) (SeamSearchPage *self);
  void (*set_narrow) (SeamSearchPage *self, gboolean narrow);
};

/* For the page of each kind: adds a card over the figure, widgets over it in its card, and a card
 * beside it. */
void seam_search_page_add_choice (SeamSearchPage *self, GtkWidget *card);
void seam_search_page_add_tools (SeamSearchPage *self, GtkWidget *tools);
void seam_search_page_add_side (SeamSearchPage *self, GtkWidget *card);
SeamFigureView *seam_search_page_get_figure (SeamSearchPage *self);
/* The shown search; NULL: nothing is known yet. */
const SeamSearch *seam_search_page_get_search (SeamSearchPage *self);
SeamModel *seam_search_page_get_model (SeamSearchPage *self);
SeamExploration *seam_search_page_get_exploration (SeamSearchPage *self);
/* Shows `table`, which it takes, in `place` at full height: in the existing view if it has the
 * same columns, else in a new one. */
SeamTableView *seam_search_page_show_table (GtkBox *place, SeamTable *table, gboolean selectable,
                                            const char *label);
