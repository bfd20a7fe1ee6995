/* SPDX-License-Identifier: MIT
 *
 * The difference sheet: verdict in words, totals, overview, slice and legend, the worst element,
 * provenance. Both sides have the same letters as in the window.
 */
#include "app/report/sheets.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/read-result.h"
#include "app/figure/map-common.h"
#include "app/figure/numbers.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/strip.h"
#include "app/report/worst.h"

#include <math.h>

#define MIN_WIDTH    720.0
#define LEGEND_WIDTH 110.0
#define MAX_MAP      600.0
#define MIN_MAP      230.0  /* px of height that the legend needs */
#define SPLIT_WIDTH  1180.0 /* px from which the worst elements have room beside the plots */
#define TABLE_WIDTH  600.0
#define NONE_WIDTH   300.0 /* instead of it, for the sentence that no element differs */
#define TABLE_TOP    22.0
#define DOTS_HEIGHT  320.0
#define GAP          28.0

/* The two sides of a sheet, as indices of plans and by name. */
typedef struct {
  int judged, against; /* against -1: FP64 */
  SeamSideNames names;
} Sides;

static double
add_side (SeamSheet *sheet, const SeamResult *result, int index, double x, double y)
{
  g_autofree char *title = seam_page_get_plan_title (result, index);
  g_autoptr (SeamPlan) plan = NULL;
  SeamFigure *chain;

  if (index >= 0) {
    seam_sheet_add_badge (sheet, seam_side_get_name (index)[0], x, y);
    x += SEAM_BADGE_SIZE + 9;
  }
  x +=
      seam_sheet_add_text (sheet, SEAM_INK_TEXT, title, x, y + 16, SEAM_SIZE_TITLE, SEAM_BOLD) + 14;
  if (index < 0 || index >= result->n_plans)
    return x + 12;
  plan = seam_explain_read_plan (result, index, NULL);
  if (plan == NULL)
    return x + 12;
  chain = seam_chain_figure_new (plan->pipeline, plan, 26, 14);
  seam_sheet_add_figure (sheet, chain, x, y + 4);
  return x + chain->width + 28;
}

/* Both plans and, for an exhibit, why it is an exhibit. */
static double
add_sides (SeamSheet *sheet, const SeamResult *result, const Sides *sides, double y, double width)
{
  const SeamPlanResult *plan = &result->plans[sides->judged];
  double x = add_side (sheet, result, sides->against, 0, y);

  if (x > width * .55) {
    y += 30;
    x = 0;
  }
  x = add_side (sheet, result, sides->judged, x, y);
  y += 32;
  if (plan->exhibit) {
    g_autoptr (SeamPlan) parsed = seam_explain_read_plan (result, sides->judged, NULL);
    const char *reason = parsed != NULL ? seam_plan_get_chain (parsed)->note : NULL;
    g_autofree char *text =
        g_strdup_printf ("⚠ Exhibit: wrong on purpose.%s%s", reason != NULL ? " " : "",
                         reason != NULL ? reason : "");

    y += seam_sheet_add_paragraph (sheet, SEAM_INK_CAUTION, text, 0, y, width, 13, FALSE) + 6;
  }
  return y;
}

static double
add_verdict (SeamSheet *sheet, const SeamDifference *difference, SeamMapUnit unit, double y,
             double width)
{
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
  g_autofree char *headline = g_strdup_printf ("%s %s", agreement->mark, agreement->title);
  static const char *const largest_names[SEAM_N_UNITS] = { "Largest", "Largest, relative",
                                                           "Largest, ULP", "Largest" };
  static const char *const mean_names[SEAM_N_UNITS] = { "Mean", "Mean, relative", "Mean, ULP",
                                                        "Mean" };
  double largest, mean;
  SeamFact facts[] = {
    { largest_names[unit], NULL, SEAM_INK_TEXT },
    { mean_names[unit], NULL, SEAM_INK_TEXT },
    { "NaN, infinite", seam_map_format_odd (difference), SEAM_INK_TEXT },
  };
  double facts_width, room, height;

  seam_map_get_extremes (difference, unit, &largest, &mean);
  facts[0].value = seam_map_format_value (largest);
  facts[1].value = seam_map_format_value (mean);
  facts_width = seam_page_measure_facts (facts, G_N_ELEMENTS (facts));
  room = MAX (260, width - facts_width - 24);

  static const SeamInk inks[] = { SEAM_INK_BAD, SEAM_INK_CAUTION, SEAM_INK_GOOD };
  seam_sheet_add_text (sheet, inks[agreement->outputs], headline, 0, y + 18, 20, SEAM_BOLD);
  height = 26
           + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, agreement->detail, 0, y + 26, room,
                                       12.5, FALSE);
  seam_page_add_facts (sheet, facts, G_N_ELEMENTS (facts), width - facts_width, y);
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    g_free (facts[i].value);
  return y + MAX (height, SEAM_FACT_HEIGHT) + 14;
}

/* "Largest at row 19,175, column 158: A −3.784, B −0.483, |A − B| 3.302, 690 × limit." */
static char *
describe_worst (const SeamDifference *difference, const SeamSideNames *names, SeamMapUnit unit)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 index = difference->worst_index;
  double limit = seam_difference_get_limit (
      spec, difference->worst_b, difference->n_worst > 0 ? difference->worst[0].bound : NAN);
  double absolute = fabs (difference->worst_a - difference->worst_b);
  g_autofree char *place = NULL, *a = NULL, *b = NULL, *d = NULL, *times = NULL;
  GString *text;

  if (index < 0 || spec->columns <= 0)
    return g_strdup (difference->n_unjudged > 0 ? "All elements that are judged are equal."
                                                : "All elements are equal.");
  place = seam_difference_format_place (spec, index);
  a = seam_numbers_format_value (difference->worst_b);
  b = seam_numbers_format_value (difference->worst_a);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s at %s",
                          seam_difference_is_by_bound (spec) ? "Worst" : "Largest", place);
  g_string_append_printf (text, ": %s %s, %s %s", names->against, a, names->tested, b);
  if (isfinite (absolute)) {
    g_autofree char *error = seam_side_names_format_error (names);

    d = absolute >= .001 ? seam_text_significant (absolute, 4) : seam_text_scientific (absolute);
    g_string_append_printf (text, ", %s %s", error, d);
    if (limit > 0) {
      times = seam_text_times (absolute / limit);
      g_string_append_printf (text, ", %s times the %s", times,
                              seam_difference_is_by_bound (spec) ? "bound" : "limit");
    }
    gint64 n_ulps = seam_ulp_distance (difference->worst_a, difference->worst_b);
    if (unit == SEAM_UNIT_ULP && n_ulps >= 0) {
      g_autofree char *count = seam_text_count (n_ulps);
      g_string_append_printf (text, ", %s ULP", count);
    }
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static char *
describe_rule (const SeamDifferenceSpec *spec, const SeamSideNames *names, SeamMapUnit unit)
{
  g_autofree char *atol = seam_map_scale_format (spec->atol);
  g_autofree char *rtol = seam_map_scale_format (spec->rtol);
  g_autofree char *error = seam_side_names_format_error (names);
  g_autofree char *steps = unit == SEAM_UNIT_ULP
                               ? g_strdup_printf ("Differences in ULP, steps of FP32 from %s to %s",
                                                  names->against, names->tested)
                               : NULL;

  const char *what = steps != NULL                ? steps
                     : unit == SEAM_UNIT_RELATIVE ? "Relative difference"
                     : unit == SEAM_UNIT_BOUND    ? "Difference over the bound of each element"
                                                  : "Absolute difference";
  if (seam_difference_is_by_bound (spec))
    return g_strdup_printf ("%s. An element fails where %s is over its bound.", what, error);
  return g_strdup_printf ("%s. An element fails where !(%s ≤ atol + rtol·|%s|), atol %s, rtol %s.",
                          what, error, names->against, atol, rtol);
}

/* The height of both maps. A map of few rows would leave most of a square empty, so both get the
 * height that the taller one needs. */
static double
get_map_height (const SeamDifference *difference, const SeamSlice *slice, double width, double side)
{
  SeamMapGrid overview = { .n_rows = difference->n_cell_rows,
                           .n_columns = difference->n_cell_columns };
  double margins = SEAM_MAP_TOP + SEAM_MAP_BOTTOM, needed;

  seam_map_grid_place (&overview, width, side + margins, FALSE);
  needed = overview.area.height;
  if (slice != NULL) {
    SeamMapGrid part = { .n_rows = slice->n_rows, .n_columns = slice->n_columns };

    seam_map_grid_place (&part, width, side + margins, TRUE);
    needed = MAX (needed, part.area.height);
  }
  return CLAMP (needed, MIN_MAP, side) + margins;
}

static double
add_maps (SeamSheet *sheet, const SeamProblem *problem, const SeamDifference *difference,
          const SeamSlice *slice, const SeamSideNames *names, SeamMapUnit unit,
          const SeamTile *tile, double y, double width)
{
  SeamMapScale scale = seam_map_scale_for (difference, unit);
  double side =
      (width - LEGEND_WIDTH - 24) / (slice != NULL ? 2 : 1) - SEAM_MAP_LEFT - SEAM_MAP_RIGHT - 12;
  SeamMapOptions options = {
    .scale = scale,
    .spec = difference->spec,
    .n_groups = seam_problem_get_n_groups (problem),
    .tile = tile,
  };
  double x = 0;

  side = floor (CLAMP (side, 180, MAX_MAP));
  if (slice != NULL && seam_difference_is_dots (&difference->spec)) {
    options.width = width;
    options.height = DOTS_HEIGHT;
    seam_sheet_add_figure (sheet, seam_dots_figure_new (slice, names, &options), 0, y);
    return y + options.height + 10;
  }
  options.width = side + SEAM_MAP_LEFT + SEAM_MAP_RIGHT;
  options.height = get_map_height (difference, slice, options.width, side);
  if (slice != NULL) {
    gboolean is_matrix = difference->spec.plane == 1;

    options.frame_row = is_matrix ? slice->first_row : slice->sample;
    options.frame_column = is_matrix ? slice->first_column : slice->channel;
    options.frame_rows = is_matrix ? slice->n_rows : 1;
    options.frame_columns = is_matrix ? slice->n_columns : 1;
  }
  seam_sheet_add_figure (sheet, seam_overview_figure_new (problem, difference, &options), x, y);
  x += options.width + 12;
  if (slice != NULL) {
    seam_sheet_add_figure (sheet, seam_slice_figure_new (problem, slice, &options), x, y);
    x += options.width + 12;
  }
  seam_sheet_add_figure (
      sheet, seam_map_legend_figure_new (&scale, names, LEGEND_WIDTH, options.height - 10), x,
      y + 14);
  return y + options.height + 10;
}

/* One sentence in the place of maps without any colour, below the verdict; 0: there is something to
 * draw. Borders of tiles are drawn over maps also if all elements agree. */
static double
add_agreement (SeamSheet *sheet, const SeamDifference *difference, const SeamMapLook *look,
               double y, double width)
{
  g_autofree char *title = NULL, *text = NULL;

  if (look->tiles || !seam_map_describe_agreement (difference, look->unit, &title, &text))
    return 0;
  return seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, text, 0, y, width, 12.5, FALSE) + 14;
}

/* Sorts out which side is judged: never the plan that the run compares with, even if it is given
 * as `a`. NULL with an error if there is nothing to draw. */
static SeamProblem *
choose_sides (const SeamResult *result, int a, int b, const SeamDifference *difference,
              Sides *sides, GError **error)
{
  gboolean swap = a < 0 || (a == result->against && b >= 0);

  sides->judged = swap ? b : a;
  sides->against = swap ? a : b;
  sides->names = (SeamSideNames){ .against = seam_side_get_name (sides->against),
                                  .tested = seam_side_get_name (sides->judged) };
  if (difference == NULL)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "These two plans were not compared, so there is no difference to draw.");
  if (sides->judged < 0 || sides->judged >= result->n_plans || sides->against >= result->n_plans)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The result has %d plan%s, so plans %d and %d cannot be compared.",
                           result->n_plans, result->n_plans == 1 ? "" : "s", a, b);
  return seam_explain_read_problem (result, error);
}

static double
begin_sheet (SeamSheet *sheet, const SeamResult *result, const Sides *sides,
             const SeamProblem *problem, const SeamDifference *difference, SeamMapUnit unit,
             double width)
{
  double y = seam_page_add_result_title (sheet, result, problem, 0, width) + 8;

  y = add_sides (sheet, result, sides, y, width);
  seam_sheet_add_rule (sheet, 0, y + .5, width, y + .5);
  return add_verdict (sheet, difference, unit, y + 14, width);
}

/* Adds title and table and returns their height. If no elements are known, a note replaces the
 * table. Takes `table` in either case. */
static double
add_worst (SeamSheet *sheet, const SeamDifference *difference, SeamFigure *table, double x,
           double y)
{
  double height = TABLE_TOP + table->height;
  double title = seam_sheet_add_text (sheet, SEAM_INK_TEXT, "Worst elements", x, y + 14,
                                      SEAM_SIZE_LABEL, SEAM_BOLD);

  if (difference->n_worst > 0) {
    seam_sheet_add_figure (sheet, table, x, y + TABLE_TOP);
    return height;
  }
  seam_sheet_add_text (sheet, SEAM_INK_DIM,
                       difference->n_unjudged > 0 ? "none of those that are judged"
                                                  : "none: all elements are equal",
                       x + title + 10, y + 14, SEAM_SIZE_AXIS, SEAM_REGULAR);
  seam_figure_free (table);
  return TABLE_TOP;
}

/* Errors by size, and the worst elements beside them or below. */
static double
add_numbers (SeamSheet *sheet, const SeamDifference *difference, const SeamSideNames *names,
             SeamMapUnit unit, double y, double width)
{
  gboolean is_known = seam_numbers_get_reason (difference) == NULL;
  gboolean is_beside = is_known && width >= SPLIT_WIDTH;
  g_autoptr (SeamTable) worst = seam_worst_table_make (difference, names);
  SeamFigure *table = seam_table_figure_new (worst, is_beside ? TABLE_WIDTH : width,
                                             g_strdup ("Worst elements, largest first"));
  double beside = difference->n_worst == 0 ? NONE_WIDTH : table->width;
  SeamFigure *plots =
      seam_numbers_figure_new (difference, names, unit, is_beside ? width - GAP - beside : width,
                               is_beside ? TABLE_TOP + table->height : 0);
  double height = plots->height, x = plots->width + GAP;

  seam_sheet_add_figure (sheet, plots, 0, y);
  if (!is_known)
    seam_figure_free (table);
  else if (is_beside)
    add_worst (sheet, difference, table, x, y);
  else
    height += GAP + add_worst (sheet, difference, table, 0, y + height + GAP);
  return y + height + 14;
}

static SeamFigure *
finish_sheet (SeamSheet *sheet, SeamResult *result, const SeamDifference *difference,
              const SeamSideNames *names, SeamMapUnit unit, const char *tiles, double y,
              double width)
{
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
  g_autofree char *rule = describe_rule (&difference->spec, names, unit);
  g_autofree char *worst = describe_worst (difference, names, unit);
  g_autofree char *lines = g_strdup_printf ("%s %s%s%s", worst, rule, tiles != NULL ? " " : "",
                                            tiles != NULL ? tiles : "");

  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, lines, 0, y, width, 12.5, FALSE);
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y,
                            g_strdup_printf ("%s. %s", agreement->title, agreement->detail));
}

SeamTile
seam_result_get_output_tile (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = index >= 0 && index < result->n_plans ? &result->plans[index] : NULL;

  return plan != NULL && plan->tiles != NULL && plan->n_groups > 0 ? plan->tiles[plan->n_groups - 1]
                                                                   : (SeamTile){ 0 };
}

SeamFigure *
seam_difference_sheet_new (SeamResult *result, int a, int b, const SeamDifference *difference,
                           const SeamSlice *slice, const SeamMapLook *look, double width,
                           GError **error)
{
  Sides sides = { 0 };
  g_autoptr (SeamProblem) problem = choose_sides (result, a, b, difference, &sides, error);
  g_autofree char *tiles = NULL;
  SeamTile tile;

  if (problem == NULL)
    return NULL;
  SeamMapLook shown = look != NULL ? *look : (SeamMapLook){ .unit = SEAM_UNIT_BEST };
  shown.unit = seam_map_unit_for (difference, shown.unit);
  look = &shown;
  tile = seam_result_get_output_tile (result, look->against_tiles ? sides.against : sides.judged);
  if (look->tiles)
    tiles = seam_map_describe_tile (&tile, problem,
                                    look->against_tiles ? sides.names.against : sides.names.tested);
  width = MAX (width, MIN_WIDTH);
  SeamSheet *sheet = seam_sheet_new (width);
  double y = begin_sheet (sheet, result, &sides, problem, difference, look->unit, width);
  double note = add_agreement (sheet, difference, look, y, width);
  y = note > 0 ? y + note
               : add_maps (sheet, problem, difference, slice, &sides.names, look->unit,
                           look->tiles ? &tile : NULL, y, width);
  y = add_numbers (sheet, difference, &sides.names, look->unit, y, width);
  return finish_sheet (sheet, result, difference, &sides.names, look->unit, tiles, y, width);
}

SeamFigure *
seam_numbers_sheet_new (SeamResult *result, int a, int b, const SeamDifference *difference,
                        SeamMapUnit unit, double width, GError **error)
{
  Sides sides = { 0 };
  g_autoptr (SeamProblem) problem = choose_sides (result, a, b, difference, &sides, error);

  if (problem == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  unit = seam_map_unit_for (difference, unit);
  SeamSheet *sheet = seam_sheet_new (width);
  double y = begin_sheet (sheet, result, &sides, problem, difference, unit, width);
  y = add_numbers (sheet, difference, &sides.names, unit, y, width);
  return finish_sheet (sheet, result, difference, &sides.names, unit, NULL, y, width);
}
