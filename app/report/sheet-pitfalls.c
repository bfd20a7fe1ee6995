/* SPDX-License-Identifier: MIT
 *
 * The sheet of the pitfall lab: figure, table of times, and each mistake with its effect in this
 * lab.
 */
#include "app/report/sheets.h"
#include "app/figure/pitfalls-figure.h"

#include "app/base/error.h"
#include "app/figure/sheet-parts.h"
#include "app/report/lab-cases.h"

#include <math.h>

#define MIN_WIDTH 640.0

static double
add_sentences (SeamSheet *sheet, const SeamLab *lab, double y, double width)
{
  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    g_autofree char *finding = NULL, *line = NULL;

    if (!lab->cases[i].wanted)
      continue;
    finding = seam_lab_describe (lab, i);
    line = g_strdup_printf (
        "%s. %s%s%s", seam_lab_get_title (lab, i),
        i == SEAM_LAB_HONEST ? "" : seam_pitfall_get_sentence (lab->cases[i].pitfall),
        i == SEAM_LAB_HONEST ? "" : " Here: ", finding);
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, line, 0, y, width, 12.5, FALSE) + 4;
  }
  return y;
}

SeamFigure *
seam_pitfalls_sheet_new (const SeamLab *lab, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (lab->request, error);
  g_autofree char *provenance = seam_lab_get_provenance (lab);
  g_autoptr (SeamTable) cases = NULL;
  g_autofree char *plans = NULL;
  SeamFigure *plot, *table;
  SeamSheet *sheet;
  double y, height;

  if (problem == NULL)
    return NULL;
  if (lab->cases[SEAM_LAB_HONEST].rounds[0] == NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                           "There is no figure of pitfalls, because the honest run was not "
                           "measured.");
  width = fmax (width, MIN_WIDTH);
  plot = seam_pitfalls_figure_new (lab, width);
  cases = seam_lab_table_make (lab);
  table = seam_table_figure_new (cases, width, g_strdup ("Times of all cases."));
  plans = lab->n_plans > 1
              ? g_strdup_printf ("A: %s, B: %s", lab->request->plans[0], lab->request->plans[1])
              : g_strdup_printf ("A: %s", lab->request->plans[0]);
  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width);
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_BAD,
                                 "⚠ Pitfall lab: all but Honest is wrong on purpose", 0, y, width,
                                 SEAM_SIZE_LABEL, FALSE)
       + 2;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, plans, 0, y, width, 12.5, FALSE) + 10;
  seam_sheet_add_figure (sheet, plot, 0, y);
  y += plot->height + 14;
  height = table->height;
  seam_sheet_add_figure (sheet, table, 0, y);
  y = add_sentences (sheet, lab, y + height + 12, width);
  y = seam_page_add_provenance (sheet, provenance, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (plot));
}
