/* SPDX-License-Identifier: MIT
 *
 * The sheet that explains a seam: sentence, number, figure, the target's answer, sources, footer.
 */
#include "app/figure/sheet-parts.h"
#include "app/figure/why-figure.h"
#include "app/report/sheets.h"

SeamFigure *
seam_why_sheet_new (const SeamWhy *why, const SeamProblem *problem, const char *provenance,
                    double width)
{
  SeamSheet *sheet;
  SeamFigure *figure;
  double y, height;

  figure = seam_why_figure_new (why, width);
  width = figure->width;
  sheet = seam_sheet_new (width);
  height = figure->height;
  y = seam_page_add_title (sheet, problem, 0, width) + 8;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, why->sentence, 0, y, width, 15, FALSE) + 12;
  seam_sheet_add_fact (sheet, SEAM_INK_TEXT, why->caption, why->number, 0, y);
  y += SEAM_FACT_HEIGHT + 16;
  seam_sheet_add_figure (sheet, figure, 0, y);
  y += height + 6;
  if (why->halo_sentence != NULL)
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, why->halo_sentence, 0, y, width, 13, FALSE)
         + 6;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, why->resources, 0, y, width, 13, FALSE) + 6;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, why->answer, 0, y, width, 13, FALSE) + 6;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, why->sources, 0, y, width, 11.5, FALSE) + 10;
  y = seam_page_add_provenance (sheet, provenance, y, width);
  return seam_sheet_finish (
      sheet, y, g_strdup_printf ("%s %s: %s.", why->sentence, why->number, why->caption));
}
