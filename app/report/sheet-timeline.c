/* SPDX-License-Identifier: MIT
 *
 * The timeline sheet: both plans over the whole time, and their records as a table.
 */
#include "app/report/sheets.h"

#include "app/base/text.h"
#include "app/explain/read-result.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/timeline.h"
#include "app/report/table.h"

#include <math.h>

#define MIN_WIDTH 640.0

/* Gaps and calls are always in µs: they are much shorter than the whole time, which has another
 * unit. */
static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "record", .title = "Kernel or copy", .expand = TRUE },
  { .name = "begins", .title = "Begins", .kind = SEAM_CELL_TIME },
  { .name = "takes", .title = "Takes", .kind = SEAM_CELL_TIME },
  { .name = "gap", .title = "Gap before (µs)", .kind = SEAM_CELL_NUMBER },
  { .name = "traffic", .title = "Modelled", .kind = SEAM_CELL_BYTES },
  { .name = "called", .title = "Called before (µs)", .kind = SEAM_CELL_NUMBER },
};

static char *
format_us (double ns)
{
  return ns == 0 ? g_strdup ("0") : seam_text_fixed (ns / 1e3, 2);
}

static void
add_row (SeamTable *table, const SeamTimelineLane *lane, int index)
{
  const SeamTimelineRecord *record = &lane->records[index];
  double gap = index > 0 ? record->start_ns - record[-1].end_ns : NAN;
  double called = record->call_ns > 0 ? record->start_ns - record->call_start_ns : NAN;
  SeamTableRow *row = seam_table_append (table, -1, index);

  seam_cell_take (seam_table_get_cell (table, row, "plan"), g_strndup (&lane->letter, 1), NULL);
  seam_cell_take (seam_table_get_cell (table, row, "record"), g_strdup (record->name), NULL);
  seam_table_get_cell (table, row, "begins")->value = fmax (record->start_ns, 0);
  if (!(record->start_ns > 0))
    seam_cell_take (seam_table_get_cell (table, row, "begins"), g_strdup ("0"), NULL);
  seam_table_get_cell (table, row, "takes")->value = record->end_ns - record->start_ns;
  seam_cell_take (seam_table_get_cell (table, row, "gap"), format_us (gap < 0 ? 0 : gap), NULL);
  seam_table_get_cell (table, row, "traffic")->value = record->bytes;
  seam_cell_take (seam_table_get_cell (table, row, "called"), format_us (called), NULL);
}

static SeamFigure *
make_table (const SeamTimeline *timeline, double width)
{
  g_autoptr (SeamTable) table = seam_table_new (columns, G_N_ELEMENTS (columns));
  gboolean has_calls = FALSE;

  for (int i = 0; i < timeline->n_lanes; i++)
    has_calls |= timeline->lanes[i].n_calls > 0;
  /* Without calls of a host, there is no time by which a call preceded its kernel. */
  if (!has_calls)
    seam_table_leave_out (table, "called");
  if (timeline->end_ns > 0)
    seam_table_set_unit (table, SEAM_CELL_TIME, seam_unit_for_time (timeline->end_ns));
  for (int i = 0; i < timeline->n_lanes; i++)
    for (int k = 0; k < timeline->lanes[i].n_records; k++)
      add_row (table, &timeline->lanes[i], k);
  return seam_table_figure_new (table, width, g_strdup ("Records of the timeline"));
}

static double
add_plan_names (SeamSheet *sheet, const SeamTimeline *timeline, double y)
{
  double x = 0;

  for (int i = 0; i < timeline->n_lanes; i++) {
    seam_sheet_add_badge (sheet, timeline->lanes[i].letter, x, y);
    x += 30;
    x += seam_sheet_add_text (sheet, SEAM_INK_TEXT, timeline->lanes[i].title, x, y + 16,
                              SEAM_SIZE_LABEL, SEAM_BOLD)
         + 28;
  }
  return y + 36;
}

SeamFigure *
seam_timeline_sheet_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamTimeline) timeline = seam_timeline_new (result, a, b, error);
  g_autoptr (SeamProblem) problem = NULL;
  SeamTimelineView view;
  SeamFigure *figure, *table;
  SeamSheet *sheet;
  g_autofree char *note = NULL, *left_out = NULL, *words = NULL;
  double y;

  if (timeline == NULL)
    return NULL;
  problem = seam_explain_read_problem (result, error);
  if (problem == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  table = make_table (timeline, width);
  width = MAX (width, table->width);
  view = seam_timeline_get_kernels_view (timeline);
  figure = seam_timeline_figure_new (timeline, &view, width);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  y = add_plan_names (sheet, timeline, y);
  seam_sheet_add_figure (sheet, figure, 0, y);
  y += figure->height + 6;
  note = seam_timeline_get_note (timeline);
  left_out = seam_timeline_describe_left_out (timeline, &view);
  words = g_strjoin (" ", note, left_out, NULL);
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, words, 0, y, width, SEAM_SIZE_AXIS, FALSE)
       + 12;
  seam_sheet_add_figure (sheet, table, 0, y);
  y += table->height + 8;
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (figure));
}
