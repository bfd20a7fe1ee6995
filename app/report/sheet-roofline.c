/* SPDX-License-Identifier: MIT
 *
 * The roofline sheet: the plot, the sources of its rates, its points as a table.
 */
#include "app/report/sheets.h"

#include "app/explain/read-result.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/roofline-figure.h"
#include "app/report/roofline-points.h"

#define MIN_WIDTH 640.0

SeamFigure *
seam_roofline_sheet_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamRoofline) roofline = NULL;
  const char *source = result->device != NULL ? result->device->rates_source : NULL;
  g_autofree char *note = NULL;
  g_autoptr (SeamTable) points = NULL;
  SeamFigure *plot, *table;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  roofline = seam_roofline_new (result, a, b, error);
  if (roofline == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  points = seam_roofline_table_make (roofline);
  table = seam_table_figure_new (points, width, g_strdup ("Points of the roofline"));
  width = MAX (width, table->width);
  plot = seam_roofline_figure_new (roofline, width, 0);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  seam_sheet_add_figure (sheet, plot, 0, y);
  y += plot->height + 8;
  note = seam_roofline_describe (roofline, source);
  y +=
      seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_AXIS, FALSE) + 12;
  seam_sheet_add_figure (sheet, table, 0, y);
  y += table->height + 8;
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (plot));
}
