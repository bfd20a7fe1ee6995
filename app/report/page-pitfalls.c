/* SPDX-License-Identifier: MIT
 *
 * The sheet of the pitfall lab: figure, table of times, what each mistake is and does here.
 */
#include "app/report/page.h"
#include "app/figure/pitfalls.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/figure/grid.h"
#include "app/figure/page-common.h"

#include <math.h>

#define MIN_WIDTH 640.0

static void
take_time (SeamGrid *grid, const SeamLabNumbers *numbers, int plan)
{
  g_autofree char *low = seam_text_time (numbers->low_ns[plan]);
  g_autofree char *high = seam_text_time (numbers->high_ns[plan]);

  seam_grid_take (grid, seam_text_time (numbers->time_ns[plan]), SEAM_INK_TEXT, FALSE);
  seam_grid_take (grid,
                  isfinite (numbers->low_ns[plan]) ? g_strdup_printf ("%s to %s", low, high)
                                                   : g_strdup (SEAM_DASH),
                  SEAM_INK_DIM, FALSE);
}

static SeamFigure *
make_table (const SeamLab *lab, double width)
{
  gboolean pair = lab->n_plans > 1;
  static const SeamGridColumn columns[] = {
    { "Case", FALSE, TRUE, FALSE },         { "A", TRUE, FALSE, FALSE },
    { "95 % interval", TRUE, FALSE, TRUE }, { "B", TRUE, FALSE, FALSE },
    { "95 % interval", TRUE, FALSE, TRUE }, { "A over B", TRUE, FALSE, FALSE },
  };
  SeamGrid *grid = seam_grid_new (columns, pair ? 6 : 3);

  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    SeamLabNumbers numbers;

    if (!lab->cases[i].wanted)
      continue;
    seam_lab_get_numbers (lab, i, &numbers);
    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup (seam_lab_get_title (lab, i)), SEAM_INK_TEXT, FALSE);
    for (int plan = 0; plan < lab->n_plans; plan++)
      take_time (grid, &numbers, plan);
    if (pair)
      seam_grid_take (grid, seam_text_ratio (numbers.ratio),
                      i == SEAM_LAB_HONEST ? SEAM_INK_TEXT : SEAM_INK_BAD, FALSE);
  }
  return seam_grid_finish (grid, width, g_strdup ("Times of all cases."));
}

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
seam_pitfalls_page_new (const SeamLab *lab, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (lab->request, error);
  g_autofree char *provenance = seam_lab_get_provenance (lab);
  g_autofree char *plans = NULL;
  SeamFigure *plot, *table;
  SeamSheet *sheet;
  double y, height;

  if (problem == NULL)
    return NULL;
  if (lab->cases[SEAM_LAB_HONEST].rounds[0] == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "There is no figure of pitfalls, because the honest run was not "
                         "measured.");
    return NULL;
  }
  width = fmax (width, MIN_WIDTH);
  plot = seam_pitfalls_figure_new (lab, width);
  table = make_table (lab, width);
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
