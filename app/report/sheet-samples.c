/* SPDX-License-Identifier: MIT
 *
 * The sheet of samples: every single sample that the verdict rests on.
 */
#include "app/report/sheets.h"

#include "app/base/error.h"
#include "app/explain/read-result.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/sequence.h"
#include "app/report/summary.h"

#define MIN_WIDTH 640.0

static double
add_verdict (SeamSheet *sheet, const SeamResult *result, int a, int b, double y, double width)
{
  SeamSummarySides sides;
  g_autoptr (SeamSummary) summary = NULL;
  double x;

  seam_summary_sides_init (&sides, result, a, b);
  summary = seam_summary_new (&sides);
  x = seam_sheet_add_text (sheet, summary->tone == SEAM_TONE_BAD ? SEAM_INK_BAD : SEAM_INK_TEXT,
                           summary->headline, 0, y + 20, 20, SEAM_HEAVY)
      + 14;

  return y + 6
         + MAX (20, seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, summary->detail, x, y + 6,
                                              width - x, 12.5, FALSE))
         + 4;
}

SeamFigure *
seam_samples_sheet_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autofree char *note = NULL;
  SeamFigure *plot;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  if (result->plans[a].n_samples == 0 && (b < 0 || result->plans[b].n_samples == 0))
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                           "There is no figure of samples, because no plan was timed.");
  width = MAX (width, MIN_WIDTH);
  plot = seam_sequence_figure_new (result, a, b, width);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 2;
  if (b >= 0)
    y = add_verdict (sheet, result, a, b, y, width);
  seam_sheet_add_figure (sheet, plot, 0, y);
  y += plot->height + 8;
  note = seam_sequence_describe (result, a, b);
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_AXIS, FALSE) + 6;
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (plot));
}
