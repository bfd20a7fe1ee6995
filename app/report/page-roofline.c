/* SPDX-License-Identifier: MIT
 *
 * The roofline sheet: the plot, what it rests on, its points as a table.
 */
#include "app/report/page.h"

#include "app/base/text.h"
#include "app/explain/read-result.h"
#include "app/figure/grid.h"
#include "app/figure/page-common.h"
#include "app/figure/roofline.h"

#include <math.h>

#define MIN_WIDTH 640.0

/* One unit a column, chosen for its largest value. */
typedef struct {
  SeamUnit operations, bytes, time, rate;
} Units;

static Units
choose_units (const SeamRoofline *roofline)
{
  double operations = 0, bytes = 0, time = 0, rate = 0;

  for (int i = 0; i < roofline->n_points; i++) {
    operations = fmax (operations, roofline->points[i].operations);
    bytes = fmax (bytes, roofline->points[i].bytes);
    time = fmax (time, roofline->points[i].time_ns);
    rate = fmax (rate, roofline->points[i].rate);
  }
  return (Units){ seam_unit_for_flop (operations), seam_unit_for_bytes (bytes),
                  seam_unit_for_time (time), seam_unit_for_flop_rate (rate) };
}

static const char *
make_title (const char *what, SeamUnit unit)
{
  g_autofree char *title = g_strdup_printf ("%s (%s)", what, unit.name);

  return g_intern_string (title);
}

static SeamFigure *
make_table (const SeamRoofline *roofline, double width)
{
  Units units = choose_units (roofline);
  const SeamGridColumn columns[] = {
    { .title = "Plan" },
    { .title = "Kernel or plan", .expand = TRUE },
    { .title = make_title ("Operations", units.operations), .numeric = TRUE, .optional = TRUE },
    { .title = make_title ("Bytes", units.bytes), .numeric = TRUE },
    { .title = "Source", .optional = TRUE },
    { .title = make_title ("Time", units.time), .numeric = TRUE },
    { .title = "FLOP/B", .numeric = TRUE },
    { .title = make_title ("Rate", units.rate), .numeric = TRUE },
    { .title = "Of the bound (%)", .numeric = TRUE },
  };
  SeamGrid *grid = seam_grid_new (columns, G_N_ELEMENTS (columns));

  for (int i = 0; i < roofline->n_points; i++) {
    const SeamRooflinePoint *point = &roofline->points[i];
    gboolean over = point->rate > point->attainable;

    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup_printf ("%c", roofline->letters[point->side]), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid,
                    point->kernel < 0 ? g_strdup_printf ("whole plan, %s", point->label)
                                      : g_strdup (point->label),
                    SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_text_fixed (point->operations / units.operations.scale, 2),
                    SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_text_fixed (point->bytes / units.bytes.scale, 2), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid,
                    g_strdup (point->is_cache   ? "measured, cache"
                              : point->measured ? "measured"
                                                : "modelled"),
                    SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, seam_text_fixed (point->time_ns / units.time.scale, 3), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, seam_text_significant (point->intensity, 3), SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_text_fixed (point->rate / units.rate.scale, 2), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, seam_text_percent (point->rate / point->attainable),
                    over ? SEAM_INK_BAD : SEAM_INK_TEXT, FALSE);
  }
  return seam_grid_finish (grid, width, g_strdup ("Points of the roofline"));
}

SeamFigure *
seam_roofline_page_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamRoofline) roofline = NULL;
  const char *source = result->device != NULL ? result->device->rates_source : NULL;
  g_autofree char *note = NULL;
  SeamFigure *plot, *table;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  roofline = seam_roofline_new (result, a, b, error);
  if (roofline == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  table = make_table (roofline, width);
  width = MAX (width, table->width);
  plot = seam_roofline_figure_new (roofline, width, 0);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  seam_sheet_add_figure (sheet, plot, 0, y);
  y += plot->height + 8;
  note = seam_roofline_describe (roofline, source);
  y +=
      seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_AXIS, FALSE) + 12;
  seam_sheet_add_figure (sheet, table, 0, y);
  y += table->height + 8;
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (plot));
}
