/* SPDX-License-Identifier: MIT
 *
 * SeamSurveyPage: what the pages Explore and Sweep share. A bar with what is measured, the budget
 * and how far it is; the figure, in which a point is activated to become plan B; all points as a
 * table; where it comes from. A page of either kind (explore-page.h, sweep-page.h) says what its
 * points are and adds widgets of its own. ui/state/exploration.h measures.
 */
#pragma once

#include "ui/widgets/page.h"
#include "ui/widgets/table-view.h"

#include "app/figure/figure.h"

G_BEGIN_DECLS

#define SEAM_TYPE_SURVEY_PAGE (seam_survey_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (SeamSurveyPage, seam_survey_page, SEAM, SURVEY_PAGE, AdwBin)

/* What a page says of its kind. Surveys are what is shown, never NULL but in `fill`; points are
 * indices into it, -1: none. Texts, figures and tables are newly allocated. */
struct _SeamSurveyPageClass {
  AdwBinClass parent_class;

  SeamSurveyKind kind;
  const char *figure;   /* the product: "lattice" */
  SeamHitKind hit_kind; /* of the figure's points */
  int minimum_width;    /* of the figure */

  /* The model is there; optional. */
  void (*begin) (SeamSurveyPage *self);
  /* With every point: widgets of the page's own; NULL: nothing is known. Optional. */
  void (*fill) (SeamSurveyPage *self, const SeamSurvey *survey);
  /* "3 seams, 8 partitions" */
  char *(*count) (SeamSurveyPage *self, const SeamSurvey *survey);
  /* Why it cannot be drawn, a sentence that stands in its place, or NULL. Optional. */
  const char *(*refuse_figure) (SeamSurveyPage *self, const SeamSurvey *survey);
  SeamFigure *(*make_figure) (SeamSurveyPage *self, const SeamSurvey *survey, double width);
  /* What stands under it; "": nothing. Optional. */
  char *(*describe) (SeamSurveyPage *self, const SeamSurvey *survey);
  SeamTable *(*make_table) (SeamSurveyPage *self, const SeamSurvey *survey);
  /* Between points and what the figure is pointed at. */
  int (*find_point) (SeamSurveyPage *self, const SeamSurvey *survey, const SeamHit *hit);
  void (*find_hit) (SeamSurveyPage *self, const SeamSurvey *survey, int point, SeamHit *hit);
  char *(*describe_point) (SeamSurveyPage *self, const SeamSurvey *survey, int point);
  /* Makes it plan B; `survey` is of the pipeline that is looked at. */
  void (*take_point) (SeamSurveyPage *self, const SeamSurvey *survey, int point);
  /* The point that is plan B now; `survey` as before. */
  int (*find_current) (SeamSurveyPage *self, const SeamSurvey *survey);
  /* It is another one, or there is more to say of it. Optional. */
  void (*show_current) (SeamSurveyPage *self, const SeamSurvey *survey, int point);
  /* Something may be chosen: nothing is measured and nothing recorded is shown. Optional. */
  void (*set_free) (SeamSurveyPage *self, gboolean free);
  void (*pipeline_changed) (SeamSurveyPage *self);            /* optional */
  void (*set_narrow) (SeamSurveyPage *self, gboolean narrow); /* optional */
};

/* For the pages of each kind. A card over the figure, and one beside it. */
void seam_survey_page_add_choice (SeamSurveyPage *self, GtkWidget *card);
void seam_survey_page_add_side (SeamSurveyPage *self, GtkWidget *card);
SeamModel *seam_survey_page_get_model (SeamSurveyPage *self);
SeamExploration *seam_survey_page_get_exploration (SeamSurveyPage *self);
/* Shows `table`, which it takes, in `place`, as high as it is: in the view that is there, where
 * that has the same columns, else in a new one. */
SeamTableView *seam_survey_page_show_table (GtkBox *place, SeamTable *table, gboolean selectable,
                                            const char *label);

G_END_DECLS
