/* SPDX-License-Identifier: MIT
 *
 * One row a point: its shape, its plan, what was measured and predicted.
 */
#include "ui/sweep-table.h"

#include "app/base/text.h"

#include <math.h>

enum {
  POINT_X,
  POINT_Y,
  POINT_PLAN,
  POINT_TIME,
  POINT_RATIO,
  POINT_PREDICTED,
  POINT_KERNELS,
  POINT_TRAFFIC,
  POINT_ERROR,
  POINT_SAMPLES,
  POINT_MARKS,
  N_POINT_COLUMNS
};

static const SeamColumn columns[N_POINT_COLUMNS] = {
  [POINT_X] = { .name = "x", .title = "x", .kind = SEAM_CELL_NUMBER },
  [POINT_Y] = { .name = "y", .title = "y", .kind = SEAM_CELL_NUMBER },
  [POINT_PLAN] = { .name = "plan", .title = "Plan", .expand = TRUE },
  [POINT_TIME] = { .name = "median", .title = "Median", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  [POINT_RATIO] = { .name = "ratio", .title = "Against first", .kind = SEAM_CELL_NUMBER },
  [POINT_PREDICTED] = { .name = "full-rate",
                        .title = "At full rate",
                        .kind = SEAM_CELL_NUMBER,
                        .dim = TRUE,
                        .wide_only = TRUE },
  [POINT_KERNELS] = { .name = "kernels",
                      .title = "Kernels",
                      .kind = SEAM_CELL_NUMBER,
                      .wide_only = TRUE },
  [POINT_TRAFFIC] = { .name = "traffic",
                      .title = "Traffic",
                      .kind = SEAM_CELL_NUMBER,
                      .wide_only = TRUE },
  [POINT_ERROR] = { .name = "error",
                    .title = "Largest error",
                    .kind = SEAM_CELL_NUMBER,
                    .wide_only = TRUE },
  [POINT_SAMPLES] = { .name = "samples",
                      .title = "Samples",
                      .kind = SEAM_CELL_NUMBER,
                      .dim = TRUE },
  [POINT_MARKS] = { .name = "marks", .title = "Marks" },
};

SeamTableView *
seam_points_table_new (void)
{
  return seam_table_view_new (seam_table_new (columns, N_POINT_COLUMNS), NULL, TRUE,
                              "All points of the sweep");
}

static void
take_time (SeamTableRow *row, int column, double ns, SeamUnit unit)
{
  seam_row_take (row, column,
                 isnan (ns) ? g_strdup (SEAM_DASH) : seam_text_fixed (ns / unit.scale, 3), ns,
                 NULL);
}

static void
take_count (SeamTableRow *row, int column, int n, gboolean known)
{
  seam_row_take (row, column, known ? seam_text_count (n) : g_strdup (SEAM_DASH), known ? n : NAN,
                 NULL);
}

static SeamUnit
choose_unit (const SeamSurvey *survey)
{
  double largest = 0;

  for (int i = 0; i < survey->n_points; i++) {
    largest = fmax (largest, survey->points[i].median_ns);
    largest = fmax (largest, survey->points[i].full_rate_ns);
  }
  return seam_unit_for_time (largest);
}

static char *
describe_marks (const SeamSweep *sweep, int index, const SeamSweepShape *shape)
{
  const SeamPoint *point = &sweep->survey->points[index];
  const char *words[5] = { NULL };
  int n = 0;

  if (shape->winner == index % sweep->n_plans && !isnan (shape->margin))
    words[n++] = shape->is_clear ? "fastest" : "fastest, not clearly";
  if (seam_point_is_wrong (point))
    words[n++] = "wrong";
  if (point->tensors_fit_cache)
    words[n++] = "fits cache";
  if (point->state != SEAM_POINT_MEASURED)
    words[n++] = seam_point_state_get_name (point->state);
  return g_strjoinv (", ", (char **)words);
}

static void
add_row (SeamTable *rows, const SeamSweep *sweep, int index, SeamUnit unit)
{
  const SeamPoint *point = &sweep->survey->points[index];
  const SeamPoint *first = &sweep->survey->points[index - index % sweep->n_plans];
  int x = index / sweep->n_plans % seam_sweep_get_n_x (sweep);
  int y = index / sweep->n_plans / seam_sweep_get_n_x (sweep);
  SeamTableRow *row = seam_table_append (rows, 0, index);
  double time_ns = point->state == SEAM_POINT_MEASURED ? point->median_ns : NAN;
  double ratio = first->state == SEAM_POINT_MEASURED ? first->median_ns / time_ns : NAN;
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
  SeamSweepShape shape;

  seam_sweep_get_shape (sweep, x, y, &shape);
  seam_row_take (row, POINT_X, seam_text_count (sweep->axes[0].values[x]),
                 (double)sweep->axes[0].values[x], NULL);
  if (sweep->n_axes == 2)
    seam_row_take (row, POINT_Y, seam_text_count (sweep->axes[1].values[y]),
                   (double)sweep->axes[1].values[y], NULL);
  else
    seam_row_take (row, POINT_Y, g_strdup (""), NAN, NULL);
  seam_row_take (row, POINT_PLAN, g_strdup (point->plan), index % sweep->n_plans, point->notation);
  take_time (row, POINT_TIME, time_ns, unit);
  seam_row_take (row, POINT_RATIO, seam_text_ratio (ratio), ratio, NULL);
  take_time (row, POINT_PREDICTED, point->full_rate_ns, unit);
  take_count (row, POINT_KERNELS, n_kernels, n_kernels >= 0);
  seam_row_take (row, POINT_TRAFFIC, seam_text_bytes (point->bytes), point->bytes, NULL);
  seam_row_take (row, POINT_ERROR, seam_text_scientific (point->max_abs), point->max_abs, NULL);
  take_count (row, POINT_SAMPLES, point->n_samples, point->n_samples > 0);
  seam_row_take (row, POINT_MARKS, describe_marks (sweep, index, &shape), NAN, point->message);
  if (seam_point_is_wrong (point) || point->state == SEAM_POINT_FAILED)
    row->cells[POINT_MARKS].tone = SEAM_TONE_BAD;
}

void
seam_points_table_fill (SeamTableView *table, const SeamSweep *sweep)
{
  g_autoptr (SeamTable) rows = seam_table_new (columns, N_POINT_COLUMNS);

  if (sweep != NULL) {
    SeamUnit unit = choose_unit (sweep->survey);
    g_autofree char *median = g_strdup_printf ("Median (%s)", unit.name);
    g_autofree char *predicted = g_strdup_printf ("At full rate (%s)", unit.name);
    g_autofree char *against = g_strdup_printf ("Against %s", sweep->plans[0]);

    seam_table_set_title (rows, columns[POINT_X].name, sweep->axes[0].label);
    if (sweep->n_axes == 2)
      seam_table_set_title (rows, columns[POINT_Y].name, sweep->axes[1].label);
    seam_table_set_title (rows, columns[POINT_TIME].name, median);
    seam_table_set_title (rows, columns[POINT_PREDICTED].name, predicted);
    seam_table_set_title (rows, columns[POINT_RATIO].name, against);
    seam_table_view_set_hidden (table, sweep->n_axes == 2 ? "" : "y");
    for (int i = 0; i < sweep->survey->n_points; i++)
      add_row (rows, sweep, i, unit);
  }
  seam_table_view_set_table (table, rows);
}
