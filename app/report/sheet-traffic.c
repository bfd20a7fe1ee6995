/* SPDX-License-Identifier: MIT
 *
 * The traffic sheet: ledger by tensor, waterfall, ledger by group, provenance.
 */
#include "app/report/sheets.h"

#include "app/explain/read-result.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/waterfall-figure.h"
#include "app/report/groups-table.h"
#include "app/report/ledger-table.h"

#include <math.h>

#define MIN_WIDTH    640.0
#define BESIDE_WIDTH 1080.0 /* from this width on the waterfall stands beside the ledger */
#define LEDGER_SHARE .62
#define COLUMN_GAP   28.0

static double
add_plan_names (SeamSheet *sheet, const SeamResult *result, int a, int b, double y)
{
  const int plans[] = { a, b };
  double x = 0;

  for (int i = 0; i < (b < 0 ? 1 : 2); i++) {
    g_autofree char *title = seam_page_get_plan_title (result, plans[i]);

    seam_sheet_add_badge (sheet, seam_plan_get_letter (plans[i]), x, y);
    x += 30;
    x += seam_sheet_add_text (sheet, SEAM_INK_TEXT, title, x, y + 16, SEAM_SIZE_LABEL, SEAM_BOLD)
         + 28;
  }
  return y + 34;
}

/* The waterfall, or the reason why there is none. */
static double
add_waterfall (SeamSheet *sheet, const SeamResult *result, int a, int b, double x, double y,
               double width, SeamFigure **figure)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamWaterfall) waterfall = NULL;

  *figure = NULL;
  char *subtitle =
      g_strdup_printf ("median, from %c to %c", seam_plan_get_letter (a), seam_plan_get_letter (b));
  y = seam_page_add_heading (sheet, "Where the time went", subtitle, x, y);
  g_free (subtitle);
  if (b < 0)
    return y
           + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, "There is no second plan.", x, y, width,
                                       SEAM_SIZE_SMALL, FALSE);
  waterfall = seam_waterfall_new (result, a, b, &error);
  if (waterfall == NULL)
    return y
           + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, error->message, x, y, width,
                                       SEAM_SIZE_SMALL, FALSE);
  *figure = seam_waterfall_figure_new (waterfall, width, 0);
  seam_sheet_add_figure (sheet, *figure, x, y);
  y += (*figure)->height + 8;
  if (waterfall->sentence != NULL)
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, waterfall->sentence, x, y, width,
                                   SEAM_SIZE_AXIS, FALSE);
  return y;
}

static char *
summarize (const SeamTrafficLedger *ledger)
{
  GString *text = g_string_new ("Traffic ledger:");
  g_autofree char *notes = seam_traffic_ledger_describe (ledger);

  for (int side = 0; side < ledger->n_sides; side++) {
    g_autofree char *bytes = seam_text_bytes (ledger->modelled[side]);

    g_string_append_printf (text, "%s %c moves %s", side > 0 ? "," : "", ledger->letters[side],
                            bytes);
  }
  g_string_append_printf (text, ". %s", notes);
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_traffic_sheet_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamPlan) plan_a = NULL;
  g_autoptr (SeamPlan) plan_b = NULL;
  g_autoptr (SeamTrafficLedger) ledger = NULL;
  g_autoptr (SeamTable) by_tensor = NULL;
  g_autoptr (SeamTable) by_group = NULL;
  g_autofree char *notes = NULL;
  SeamFigure *table, *groups, *waterfall;
  SeamSheet *sheet;
  GString *summary;
  double y, left, ledger_width, below;

  if (problem == NULL)
    return NULL;
  plan_a = seam_explain_read_plan (result, a, error);
  plan_b = plan_a != NULL && b >= 0 ? seam_explain_read_plan (result, b, error) : NULL;
  if (plan_a == NULL || (b >= 0 && plan_b == NULL))
    return NULL;

  ledger = seam_traffic_ledger_new (problem, plan_a, plan_b, result, a, b, NULL);
  width = MAX (width, MIN_WIDTH);
  ledger_width = width >= BESIDE_WIDTH ? floor (LEDGER_SHARE * (width - COLUMN_GAP)) : width;
  by_tensor = seam_ledger_table_make (ledger);
  by_group = seam_groups_table_make (ledger);
  table = seam_table_figure_new (by_tensor, ledger_width, summarize (ledger));
  groups = seam_table_figure_new (by_group, width, g_strdup ("Traffic of each group"));
  width = MAX (width, groups->width);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  y = add_plan_names (sheet, result, a, b, y);

  below = seam_page_add_heading (sheet, "Traffic ledger",
                                 "bytes through memory, modelled for each tensor", 0, y);
  seam_sheet_add_figure (sheet, table, 0, below);
  below += table->height + 8;
  notes = seam_traffic_ledger_describe (ledger);
  below += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, notes, 0, below, ledger_width,
                                     SEAM_SIZE_AXIS, FALSE);
  left = width >= BESIDE_WIDTH ? ledger_width + COLUMN_GAP : 0;
  y = add_waterfall (sheet, result, a, b, left, left > 0 ? y : below + 18, width - left,
                     &waterfall);
  y = MAX (y, below) + 18;

  y = seam_page_add_heading (sheet, "By kernel", "each kernel or group: modelled beside measured",
                             0, y);
  seam_sheet_add_figure (sheet, groups, 0, y);
  y += groups->height + 8;
  y = seam_page_add_footer (sheet, result, y, width);
  summary = g_string_new (NULL);
  {
    g_autofree char *of_table = seam_figure_summarize (table);
    g_autofree char *of_waterfall = waterfall != NULL ? seam_figure_summarize (waterfall) : NULL;

    g_string_append_printf (summary, "%s %s", of_table, of_waterfall != NULL ? of_waterfall : "");
  }
  return seam_sheet_finish (sheet, y, g_string_free (summary, FALSE));
}
