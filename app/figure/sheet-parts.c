/* SPDX-License-Identifier: MIT
 *
 * Parts of sheets.
 */
#include "app/figure/sheet-parts.h"

#include "app/figure/strip.h"

#define FACT_GAP 18.0

char *
seam_page_get_plan_title (const SeamResult *result, int index)
{
  const SeamPlanResult *plan;
  char *title;

  if (index < 0 || index >= result->n_plans)
    return g_strdup ("FP64 reference");
  plan = &result->plans[index];
  if (plan->name == NULL)
    return g_strdup (plan->notation != NULL ? plan->notation : "");
  title = g_strdelimit (g_strdup (plan->name), "-", ' ');
  title[0] = g_ascii_toupper (title[0]);
  return title;
}

double
seam_page_add_title (SeamSheet *sheet, const SeamProblem *problem, double y, double width)
{
  const SeamPipeline *pipeline = problem->pipeline;
  g_autofree char *shape = seam_problem_describe_shape (problem);
  double x = seam_sheet_add_text (sheet, SEAM_INK_TEXT, pipeline->id, 0, y + 18, 18, SEAM_BOLD);
  double needed = seam_paint_measure (shape, 13, SEAM_REGULAR);

  if (x + 14 + needed <= width) {
    seam_sheet_add_text (sheet, SEAM_INK_DIM, shape, x + 14, y + 18, 13, SEAM_REGULAR);
    return y + 30;
  }
  return y + 26 + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, shape, 0, y + 26, width, 13, FALSE)
         + 6;
}

/* Adds the warning about pitfalls, in words; nothing if there are none (NULL). */
static double
add_pitfalls (SeamSheet *sheet, const char *pitfalls, double y, double width)
{
  g_autofree char *warning = seam_pitfalls_warn (pitfalls);
  g_autofree char *marked = warning != NULL ? g_strconcat ("⚠ ", warning, NULL) : NULL;

  if (marked == NULL)
    return y;
  return y + 2
         + seam_sheet_add_paragraph (sheet, SEAM_INK_BAD, marked, 0, y + 2, width, SEAM_SIZE_LABEL,
                                     FALSE)
         + 4;
}

double
seam_page_add_result_title (SeamSheet *sheet, const SeamResult *result, const SeamProblem *problem,
                            double y, double width)
{
  y = seam_page_add_title (sheet, problem, y, width);
  return add_pitfalls (sheet, result->pitfalls, y, width);
}

double
seam_page_add_heading (SeamSheet *sheet, const char *title, const char *subtitle, double x,
                       double y)
{
  double width =
      seam_sheet_add_text (sheet, SEAM_INK_TEXT, title, x, y + 15, SEAM_SIZE_TITLE, SEAM_BOLD);

  seam_sheet_add_text (sheet, SEAM_INK_DIM, subtitle, x + width + 10, y + 15, SEAM_SIZE_SMALL,
                       SEAM_REGULAR);
  return y + 26;
}

double
seam_page_add_strips (SeamSheet *sheet, SeamFigure *const *strips, int n_strips,
                      const SeamPipeline *pipeline, double y, double width)
{
  SeamFigure *legend = seam_kind_legend_figure_new (pipeline, width);

  for (int i = 0; i < n_strips; i++) {
    seam_sheet_add_figure (sheet, strips[i], 0, y);
    y += strips[i]->height + 3;
    seam_sheet_add_rule (sheet, 0, y + .5, width, y + .5);
    y += 5;
  }
  seam_sheet_add_figure (sheet, legend, 0, y + 1);
  return y + 1 + legend->height + 18;
}

double
seam_page_add_footer (SeamSheet *sheet, const SeamResult *result, double y, double width)
{
  g_autofree char *provenance = seam_result_get_provenance (result);

  return seam_page_add_provenance (sheet, provenance, y, width);
}

double
seam_page_add_provenance (SeamSheet *sheet, const char *provenance, double y, double width)
{
  seam_sheet_add_rule (sheet, 0, y + 10.5, width, y + 10.5);
  return y + 20
         + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, provenance != NULL ? provenance : "", 0,
                                     y + 20, width, SEAM_SIZE_AXIS, FALSE);
}

double
seam_page_measure_facts (const SeamFact *facts, int n_facts)
{
  double width = 0;

  for (int i = 0; i < n_facts; i++)
    width += seam_sheet_measure_fact (facts[i].caption, facts[i].value) + (i > 0 ? FACT_GAP : 0);
  return width;
}

void
seam_page_add_facts (SeamSheet *sheet, const SeamFact *facts, int n_facts, double x, double y)
{
  for (int i = 0; i < n_facts; i++)
    x += seam_sheet_add_fact (sheet, facts[i].ink, facts[i].caption, facts[i].value, x, y)
         + FACT_GAP;
}
