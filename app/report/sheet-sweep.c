/* SPDX-License-Identifier: MIT
 *
 * The sheet of a sweep: title, figure, sentence, footer.
 */
#include "app/figure/sheet-parts.h"
#include "app/figure/sweep-figure.h"
#include "app/report/sheets.h"

SeamFigure *
seam_sweep_sheet_new (const SeamSearch *search, double width, GError **error)
{
  const SeamSweep *sweep = search->sweep;
  const SeamPipeline *pipeline = search->request->pipeline;
  SeamFigure *figure = seam_sweep_figure_new (sweep, width);
  g_autofree char *provenance = seam_search_get_provenance (search);
  g_autofree char *words = seam_sweep_describe (sweep);
  g_autofree char *note = seam_sweep_describe_marks (figure);
  SeamSheet *sheet;
  double y = 34;

  width = figure->width;
  sheet = seam_sheet_new (width);
  seam_sheet_add_text (sheet, SEAM_INK_TEXT, pipeline->id, 0, 18, 18, SEAM_BOLD);
  seam_sheet_add_figure (sheet, figure, 0, y);
  y += figure->height + 8;
  if (*words != '\0')
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, words, 0, y, width, 13, FALSE) + 4;
  if (sweep->n_axes == 1)
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_SMALL, FALSE);
  y = seam_page_add_provenance (sheet, provenance, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (figure));
}
