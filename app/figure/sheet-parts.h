/* SPDX-License-Identifier: MIT
 *
 * Shared by the sheets of figures: title, strips of plans, facts, provenance. Internal to
 * app/figure/ and app/report/.
 */
#pragma once

#include "app/figure/sheet.h"
#include "app/plan/plan.h"
#include "app/result/result.h"

/* "Unfused", "conv|conv_bias+relu": newly allocated. */
char *seam_page_get_plan_title (const SeamResult *result, int index);

/* Each returns the y below it. */
double seam_page_add_title (SeamSheet *sheet, const SeamProblem *problem, double y, double width);
/* The title, with a warning about the pitfalls that the result was made with. */
double seam_page_add_result_title (SeamSheet *sheet, const SeamResult *result,
                                   const SeamProblem *problem, double y, double width);
/* A title with a smaller subtitle. */
double seam_page_add_heading (SeamSheet *sheet, const char *title, const char *subtitle, double x,
                              double y);
/* Takes the strips of plans, each over a line, and adds the legend of the pipeline's ops. */
double seam_page_add_strips (SeamSheet *sheet, SeamFigure *const *strips, int n_strips,
                             const SeamPipeline *pipeline, double y, double width);
double seam_page_add_footer (SeamSheet *sheet, const SeamResult *result, double y, double width);
double seam_page_add_provenance (SeamSheet *sheet, const char *provenance, double y, double width);

typedef struct {
  const char *caption;
  char *value; /* owned */
  SeamInk ink;
} SeamFact;

double seam_page_measure_facts (const SeamFact *facts, int n_facts);
void seam_page_add_facts (SeamSheet *sheet, const SeamFact *facts, int n_facts, double x, double y);
