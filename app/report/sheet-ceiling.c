/* SPDX-License-Identifier: MIT
 *
 * The sheet of an estimate, made before a run: strips, ceiling, provenance.
 */
#include "app/report/sheets.h"

#include "app/base/error.h"
#include "app/figure/ceiling-figure.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/strip.h"

#define LEFT_COLUMN 178.0
#define MIN_WIDTH   640.0
#define MAX_PLANS   6

static void
free_strips (SeamFigure **strips, int n)
{
  for (int i = 0; i < n; i++)
    seam_figure_free (strips[i]);
}

SeamFigure *
seam_ceiling_sheet_new (const SeamEstimate *estimate, const SeamProblem *problem,
                        const char *provenance, double width, GError **error)
{
  int n_plans = MIN (estimate->n_plans, MAX_PLANS);
  SeamFigure *strips[MAX_PLANS] = { NULL }, *ceiling;
  SeamCeilingPlan plans[MAX_PLANS];
  g_autoptr (GPtrArray) named = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_plan_unref);
  SeamCeilingOptions options = { .left = LEFT_COLUMN };
  SeamSheet *sheet;
  double y;

  if (n_plans < 1)
    return seam_fail_null (error, SEAM_ERROR_INPUT, "There is no plan to draw the ceiling of.");
  width = MAX (width, MIN_WIDTH);
  for (int i = 0; i < n_plans; i++) {
    const char *name = estimate->plans[i].name;
    g_autoptr (SeamPlan) plan =
        seam_plan_parse (problem->pipeline, estimate->plans[i].notation, error);
    SeamStripOptions strip = { .width = width,
                               .left = LEFT_COLUMN,
                               .letter = seam_plan_get_letter (i) };

    if (plan == NULL) {
      free_strips (strips, i);
      return NULL;
    }
    /* What the target made of a named plan may have no name. */
    SeamPlan *asked = name != NULL ? seam_plan_parse (problem->pipeline, name, NULL) : NULL;
    g_ptr_array_add (named, asked != NULL ? asked : seam_plan_ref (plan));
    strips[i] = seam_strip_figure_new (problem, plan, &estimate->plans[i], &strip);
    plans[i] =
        (SeamCeilingPlan){ .letter = strip.letter, .title = seam_plan_get_title (named->pdata[i]) };
    seam_plan_limit (problem, plan, &estimate->rates, &plans[i].limit);
    plans[i].guess_ns = estimate->plans[i].guess_ns;
    plans[i].guess_low_ns = estimate->plans[i].guess_low_ns;
    plans[i].guess_high_ns = estimate->plans[i].guess_high_ns;
    plans[i].limit.bytes += seam_plan_estimate_get_copied_bytes (&estimate->plans[i]);
    width = MAX (width, strips[i]->width);
  }

  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width) + 6;
  y = seam_page_add_strips (sheet, strips, n_plans, problem->pipeline, y, width);
  options.width = width;
  ceiling = seam_ceiling_figure_new (&estimate->ceiling, estimate->floor_source, plans, n_plans,
                                     &options);
  seam_sheet_add_figure (sheet, ceiling, 0, y);
  y += ceiling->height + 8;
  y = seam_page_add_provenance (sheet, provenance, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (ceiling));
}
