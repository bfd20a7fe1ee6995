/* SPDX-License-Identifier: MIT
 *
 * The sheet of a comparison.
 */
#include "app/report/sheets.h"
#include "app/figure/comparison-figure.h"
#include "app/explain/read-result.h"
#include "app/figure/sheet-parts.h"
#include "app/report/conditions.h"

#define MIN_WIDTH 640.0

/* Only one of the runs may have pitfalls, so each warning begins with the letter of its run. */
static double
add_pitfalls (SeamSheet *sheet, const SeamComparison *comparison, double y, double width)
{
  const SeamResult *runs[] = { comparison->a, comparison->b };

  for (int side = 0; side < 2; side++) {
    g_autofree char *warning = seam_pitfalls_warn (runs[side]->pitfalls);
    g_autofree char *line = g_strdup_printf ("⚠ %c: %s", 'A' + side, warning);

    if (warning != NULL)
      y += 6
           + seam_sheet_add_paragraph (sheet, SEAM_INK_BAD, line, 0, y + 2, width, SEAM_SIZE_LABEL,
                                       FALSE);
  }
  return y;
}

static double
add_sides (SeamSheet *sheet, const SeamComparison *comparison, double y, double width)
{
  const SeamResult *runs[] = { comparison->a, comparison->b };

  seam_sheet_add_rule (sheet, 0, y + 10.5, width, y + 10.5);
  y += 20;
  for (int side = 0; side < 2; side++) {
    g_autofree char *provenance = seam_result_get_provenance (runs[side]);
    g_autofree char *line = g_strdup_printf ("%c: %s", 'A' + side, provenance);

    y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, line, 0, y, width, SEAM_SIZE_AXIS, FALSE)
         + 2;
  }
  return y;
}

SeamFigure *
seam_comparison_sheet_new (const SeamComparison *comparison, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (comparison->a, error);
  g_autofree char *words = seam_comparison_describe (comparison);
  gboolean comparable = comparison->obstacle == NULL;
  g_autoptr (SeamTable) table = NULL;
  SeamFigure *conditions, *bars;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  table = seam_conditions_table_make (comparison);
  conditions = seam_table_figure_new (table, width, g_strdup ("What the two runs differ in."));
  width = MAX (width, conditions->width);
  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width) + 4;
  y = add_pitfalls (sheet, comparison, y, width);
  y += seam_sheet_add_paragraph (sheet, comparable ? SEAM_INK_TEXT : SEAM_INK_BAD, words, 0, y,
                                 width, 15, FALSE)
       + 10;
  seam_sheet_add_figure (sheet, conditions, 0, y);
  y += conditions->height + 14;
  if (comparable) {
    seam_sheet_add_badge (sheet, 'A', 0, y);
    seam_sheet_add_badge (sheet, 'B', 74, y);
    seam_sheet_add_text (sheet, SEAM_INK_DIM, "above", 28, y + 15, SEAM_SIZE_AXIS, SEAM_REGULAR);
    y += 4
         + seam_sheet_add_paragraph (
             sheet, SEAM_INK_DIM,
             "below. Plans: elapsed median, with its interval; kernels: duration, median. "
             "~ changed, + only in B, − only in A.",
             102, y + 3, width - 102, SEAM_SIZE_AXIS, FALSE);
    y += 14;
    bars = seam_comparison_figure_new (comparison, width);
    seam_sheet_add_figure (sheet, bars, 0, y);
    y += bars->height + 10;
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, seam_comparison_get_rule (), 0, y, width,
                                   SEAM_SIZE_AXIS, FALSE)
         + 4;
  }
  y = add_sides (sheet, comparison, y, width);
  return seam_sheet_finish (sheet, y, g_steal_pointer (&words));
}
