/* SPDX-License-Identifier: MIT
 *
 * The sheet of an exploration: lattice, worth of each seam alone and among others, interaction of
 * seams, provenance.
 */
#include "app/report/sheets.h"

#include "app/figure/lattice-figure.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/strip.h"
#include "app/report/partitions.h"
#include "app/report/search-tables.h"

#include <math.h>

#define MIN_WIDTH 640.0
#define TABLE_GAP 40.0

static double
add_tables (SeamSheet *sheet, const SeamSearch *search, const SeamExploreView *view, double y,
            double width)
{
  SeamUnit unit = seam_partitions_get_unit (view, search);
  g_autofree char *saved = g_strdup_printf ("%s saved by fusing it", unit.name);
  g_autofree char *extra = g_strdup_printf ("%s saved beyond both alone, mean", unit.name);
  g_autofree char *sentence = seam_lattice_describe_worth (search, view);
  double left = floor ((width - TABLE_GAP) * .6), right = width - TABLE_GAP - left, bottom;
  g_autoptr (SeamTable) seams = seam_worth_table_make (search, view);
  g_autoptr (SeamTable) both = seam_pairs_table_make (search, view);
  SeamFigure *worth = seam_table_figure_new (seams, left, g_strdup ("What each seam is worth."));
  SeamFigure *pairs =
      seam_table_figure_new (both, right, g_strdup ("How pairs of seams work together."));

  bottom = seam_page_add_heading (sheet, "What each seam is worth", saved, 0, y);
  seam_page_add_heading (sheet, "Pairs", extra, left + TABLE_GAP, y);
  seam_sheet_add_figure (sheet, worth, 0, bottom);
  seam_sheet_add_figure (sheet, pairs, left + TABLE_GAP, bottom);
  bottom += fmax (worth->height, pairs->height) + 10;
  if (sentence != NULL)
    bottom += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, sentence, 0, bottom, width,
                                        SEAM_SIZE_AXIS, FALSE);
  return bottom;
}

SeamFigure *
seam_lattice_sheet_new (const SeamSearch *search, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (search->request, error);
  g_autoptr (SeamExploreView) view = NULL;
  g_autofree char *provenance = NULL, *hidden = NULL;
  SeamLatticeOptions options;
  SeamFigure *lattice, *legend;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  width = fmax (width, MIN_WIDTH);
  view = seam_explore_view_new (search);
  options = (SeamLatticeOptions){ .width = width };
  lattice = seam_lattice_figure_new (search, view, &options);
  legend = seam_kind_legend_figure_new (problem->pipeline, width);
  provenance = seam_search_get_provenance (search);

  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width) + 8;
  seam_sheet_add_figure (sheet, lattice, 0, y);
  y += lattice->height + 8;
  hidden = seam_explore_describe_hidden (search, view);
  if (hidden != NULL)
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, hidden, 0, y, width, SEAM_SIZE_AXIS, FALSE)
         + 8;
  seam_sheet_add_figure (sheet, legend, 0, y);
  y += legend->height + 16;
  if (view->n_seams > 0)
    y = add_tables (sheet, search, view, y, width);
  y = seam_page_add_provenance (sheet, provenance, y + 4, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (lattice));
}
