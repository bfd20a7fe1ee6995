/* SPDX-License-Identifier: MIT
 *
 * The sheet of an exploration: lattice, what each seam is worth alone and in company, how seams
 * work together, where it comes from.
 */
#include "app/report/page.h"
#include "app/figure/lattice.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/figure/grid.h"
#include "app/figure/page-common.h"
#include "app/figure/strip.h"

#include <math.h>

#define MIN_WIDTH 640.0
#define TABLE_GAP 40.0

static const char *const numbers[SEAM_LATTICE_MAX_SEAMS] = { "1", "2", "3", "4",  "5", "6",
                                                             "7", "8", "9", "10", "11" };

static SeamUnit
get_unit (const SeamExploreView *view)
{
  double largest_ns = 0;

  for (int i = 0; i < view->n_nodes; i++)
    if (view->times_ns[i] > largest_ns)
      largest_ns = view->times_ns[i];
  return seam_unit_for_time (largest_ns);
}

static SeamFigure *
make_worth_table (const SeamSurvey *survey, const SeamExploreView *view, SeamUnit unit,
                  double width)
{
  static const SeamGridColumn columns[] = {
    { "Seam", FALSE, TRUE, FALSE },
    { "Alone", TRUE, FALSE, FALSE },
    { "Mean", TRUE, FALSE, FALSE },
    { "Least", TRUE, FALSE, TRUE },
    { "Most", TRUE, FALSE, TRUE },
    { "Best with, best without", TRUE, FALSE, TRUE },
    { "Its traffic, modelled", TRUE, FALSE, TRUE },
  };
  SeamGrid *grid = seam_grid_new (columns, G_N_ELEMENTS (columns));

  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    const double values[] = { worth->alone, worth->mean,       worth->least,
                              worth->most,  worth->in_company, view->traffic_ns[i] };
    g_autofree char *name = seam_explore_name_seam (survey->request->pipeline, i);

    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup_printf ("%d  %s", i + 1, name), SEAM_INK_TEXT, FALSE);
    for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
      seam_grid_take (grid, seam_text_fixed (values[k] / unit.scale, 3),
                      k == 1 ? SEAM_INK_TEXT : SEAM_INK_DIM, FALSE);
  }
  return seam_grid_finish (grid, width, g_strdup ("What each seam is worth."));
}

static SeamFigure *
make_interaction_table (const SeamExploreView *view, SeamUnit unit, double width)
{
  SeamGridColumn columns[SEAM_LATTICE_MAX_SEAMS + 1] = { { "Seam", FALSE, TRUE, FALSE } };
  SeamGrid *grid;

  for (int i = 0; i < view->n_seams; i++)
    columns[i + 1] = (SeamGridColumn){ numbers[i], TRUE, FALSE, FALSE };
  grid = seam_grid_new (columns, view->n_seams + 1);
  for (int i = 0; i < view->n_seams; i++) {
    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup (numbers[i]), SEAM_INK_TEXT, FALSE);
    for (int k = 0; k < view->n_seams; k++)
      seam_grid_take (
          grid, k == i ? g_strdup ("") : seam_text_fixed (view->interaction[i][k] / unit.scale, 3),
          SEAM_INK_TEXT, FALSE);
  }
  return seam_grid_finish (grid, width, g_strdup ("How pairs of seams work together."));
}

static double
add_heading (SeamSheet *sheet, const char *title, const char *subtitle, double x, double y)
{
  double width =
      seam_sheet_add_text (sheet, SEAM_INK_TEXT, title, x, y + 15, SEAM_SIZE_TITLE, SEAM_BOLD);

  seam_sheet_add_text (sheet, SEAM_INK_DIM, subtitle, x + width + 10, y + 15, SEAM_SIZE_SMALL,
                       SEAM_REGULAR);
  return y + 26;
}

static double
add_tables (SeamSheet *sheet, const SeamSurvey *survey, const SeamExploreView *view, double y,
            double width)
{
  SeamUnit unit = get_unit (view);
  g_autofree char *saved = g_strdup_printf ("%s saved by fusing it", unit.name);
  g_autofree char *extra = g_strdup_printf ("%s saved beyond both alone, mean", unit.name);
  g_autofree char *sentence = seam_lattice_describe_worth (survey, view);
  double left = floor ((width - TABLE_GAP) * .6), right = width - TABLE_GAP - left, bottom;
  SeamFigure *worth = make_worth_table (survey, view, unit, left);
  SeamFigure *interaction = make_interaction_table (view, unit, right);

  bottom = add_heading (sheet, "What each seam is worth", saved, 0, y);
  add_heading (sheet, "Pairs", extra, left + TABLE_GAP, y);
  seam_sheet_add_figure (sheet, worth, 0, bottom);
  seam_sheet_add_figure (sheet, interaction, left + TABLE_GAP, bottom);
  bottom += fmax (worth->height, interaction->height) + 10;
  if (sentence != NULL)
    bottom += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, sentence, 0, bottom, width,
                                        SEAM_SIZE_AXIS, FALSE);
  return bottom;
}

SeamFigure *
seam_lattice_page_new (const SeamSurvey *survey, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (survey->request, error);
  g_autoptr (SeamExploreView) view = NULL;
  g_autofree char *provenance = NULL;
  SeamLatticeOptions options;
  SeamFigure *lattice, *legend;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  if (survey->n_points > SEAM_LATTICE_MAX_NODES) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "A lattice of %d partitions cannot be drawn so that it is read (at most %d): the "
                 "table has all of them.",
                 survey->n_points, SEAM_LATTICE_MAX_NODES);
    return NULL;
  }
  width = fmax (width, MIN_WIDTH);
  view = seam_explore_view_new (survey);
  options = (SeamLatticeOptions){ .width = width };
  lattice = seam_lattice_figure_new (survey, view, &options);
  legend = seam_kind_legend_figure_new (problem->pipeline, width);
  provenance = seam_survey_get_provenance (survey);

  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width) + 8;
  seam_sheet_add_figure (sheet, lattice, 0, y);
  y += lattice->height + 8;
  seam_sheet_add_figure (sheet, legend, 0, y);
  y += legend->height + 16;
  if (view->n_seams > 0)
    y = add_tables (sheet, survey, view, y, width);
  y = seam_page_add_provenance (sheet, provenance, y + 4, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (lattice));
}
