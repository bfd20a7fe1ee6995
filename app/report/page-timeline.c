/* SPDX-License-Identifier: MIT
 *
 * The timeline sheet: both plans, the whole time, and the records as a table.
 */
#include "app/report/page.h"

#include "app/base/text.h"
#include "app/explain/read-result.h"
#include "app/figure/grid.h"
#include "app/figure/page-common.h"
#include "app/figure/timeline.h"

#include <math.h>

#define MIN_WIDTH 640.0

static SeamFigure *
make_table (const SeamTimeline *timeline, double width)
{
  SeamUnit unit = seam_unit_for_time (timeline->end_ns > 0 ? timeline->end_ns : 1);
  gboolean has_calls = FALSE;
  double largest = 0;
  SeamGrid *grid;

  for (int i = 0; i < timeline->n_lanes; i++) {
    has_calls |= timeline->lanes[i].n_calls > 0;
    for (int k = 0; k < timeline->lanes[i].n_records; k++)
      largest = fmax (largest, timeline->lanes[i].records[k].bytes);
  }

  SeamUnit bytes = seam_unit_for_bytes (largest > 0 ? largest : 1);
  g_autofree char *begins = g_strdup_printf ("Begins (%s)", unit.name);
  g_autofree char *takes = g_strdup_printf ("Takes (%s)", unit.name);
  g_autofree char *moves = g_strdup_printf ("Modelled (%s)", bytes.name);
  const SeamGridColumn columns[] = {
    { .title = "Plan" },
    { .title = "Kernel or copy", .expand = TRUE },
    { .title = g_intern_string (begins), .numeric = TRUE },
    { .title = g_intern_string (takes), .numeric = TRUE },
    { .title = "Gap before (µs)", .numeric = TRUE },
    { .title = g_intern_string (moves), .numeric = TRUE },
    { .title = "Called before (µs)", .numeric = TRUE },
  };

  /* How far the host was ahead is known only where there is a host. */
  grid = seam_grid_new (columns, G_N_ELEMENTS (columns) - !has_calls);
  for (int i = 0; i < timeline->n_lanes; i++)
    for (int k = 0; k < timeline->lanes[i].n_records; k++) {
      const SeamTimelineRecord *record = &timeline->lanes[i].records[k];
      double gap = k > 0 ? record->start_ns - record[-1].end_ns : NAN;

      seam_grid_add_row (grid, FALSE);
      seam_grid_take (grid, g_strdup_printf ("%c", timeline->lanes[i].letter), SEAM_INK_TEXT,
                      FALSE);
      seam_grid_take (grid, g_strdup (record->name != NULL ? record->name : SEAM_DASH),
                      SEAM_INK_TEXT, FALSE);
      seam_grid_take (grid,
                      record->start_ns > 0 ? seam_text_fixed (record->start_ns / unit.scale, 3)
                                           : g_strdup ("0"),
                      SEAM_INK_TEXT, FALSE);
      seam_grid_take (grid, seam_text_fixed ((record->end_ns - record->start_ns) / unit.scale, 3),
                      SEAM_INK_TEXT, FALSE);
      seam_grid_take (grid,
                      gap > 0 || isnan (gap) ? seam_text_fixed (gap / 1e3, 2) : g_strdup ("0"),
                      SEAM_INK_TEXT, FALSE);
      seam_grid_take (grid, seam_text_fixed (record->bytes / bytes.scale, 2), SEAM_INK_TEXT, FALSE);
      if (has_calls)
        seam_grid_take (
            grid,
            seam_text_fixed (
                record->call_ns > 0 ? (record->start_ns - record->call_start_ns) / 1e3 : NAN, 2),
            SEAM_INK_TEXT, FALSE);
    }
  return seam_grid_finish (grid, width, g_strdup ("Records of the timeline"));
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
seam_timeline_page_new (SeamResult *result, int a, int b, double width, GError **error)
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
