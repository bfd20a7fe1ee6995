/* SPDX-License-Identifier: MIT
 *
 * Worst elements as a table and as CSV. Columns of the CSV, which keep name, unit and place for
 * good (new ones come last):
 *   pipeline, plan, rank (from 1), index (flat), row, column, element (sample, channel and element
 *   of the plane), value, trusted, abs_error, limit_ratio (abs_error over limit), ulps (FP32),
 *   against, pitfalls, limit (the bound, or atol + rtol |trusted|), depth, height, width (the
 * element of the plane by its axes; empty where the output lacks them).
 */
#include "app/report/worst.h"

#include "app/compare/csv.h"
#include "app/figure/numbers.h"

#include <math.h>

/* The CSV. The rows' data are the index of the plan compared with. */

SEAM_COMPUTE (compute_against, text,
              seam_result_get_against_name (path->outer->outer->record, *(const int *)path->data))

static const SeamField worst_columns[] = { SEAM_COMPUTED ("against", compute_against), { NULL } };

static const SeamField worst_fields[] = {
  { SEAM_FIELD (SeamWorstRow, rank, INT) },
  { SEAM_FIELD (SeamWorstRow, index, INT64) },
  { SEAM_FIELD (SeamWorstRow, row, INT64) },
  { SEAM_FIELD (SeamWorstRow, column, INT64) },
  { SEAM_FIELD (SeamWorstRow, element, INT64) },
  { .name = "value", SEAM_AT (SeamWorstRow, a, DOUBLE), .flags = SEAM_WITH_NAN },
  { .name = "trusted", SEAM_AT (SeamWorstRow, b, DOUBLE), .flags = SEAM_WITH_NAN },
  { .name = "abs_error", SEAM_AT (SeamWorstRow, error, DOUBLE), .flags = SEAM_WITH_NAN },
  { SEAM_FIELD (SeamWorstRow, limit, DOUBLE) },
  { SEAM_FIELD (SeamWorstRow, limit_ratio, DOUBLE) },
  { .name = "ulps", SEAM_AT (SeamWorstRow, n_ulps, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (SeamWorstRow, depth, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (SeamWorstRow, height, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (SeamWorstRow, width, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { NULL },
};

static const SeamRecordType worst_type = {
  .name = "worst element",
  .size = sizeof (SeamWorstRow),
  .fields = worst_fields,
};

static const SeamView worst_view = {
  .header = "pipeline,plan,rank,index,row,column,element,value,trusted,abs_error,limit_ratio,ulps,"
            "against,pitfalls,limit,depth,height,width",
  .computed = worst_columns,
};

char *
seam_result_worst_to_csv (const SeamResult *result, int index, int against,
                          const SeamDifference *difference)
{
  int first = difference != NULL ? index : 0;
  int last = difference != NULL ? index : result->n_plans - 1;
  SeamWorstRow row;
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath worst = { .type = &worst_type, .record = &row, .outer = &plan, .data = &against };
  SeamViewWriter *writer = seam_view_open (&worst_view, &worst);

  if (difference == NULL)
    against = result->against;
  for (plan.index = first; plan.index <= last; plan.index++) {
    const SeamDifference *of =
        difference != NULL ? difference : result->plans[plan.index].difference;
    plan.record = &result->plans[plan.index];
    for (int i = 0; of != NULL && i < of->n_worst; i++) {
      seam_difference_get_worst (of, i, &row);
      seam_view_add_row (writer, &worst);
    }
  }
  return seam_view_close (writer);
}

/* The table for people. */

static const SeamColumn columns[] = {
  { .name = "rank", .title = "#", .kind = SEAM_CELL_COUNT, .value = "rank", .dim = TRUE },
  { .name = "row", .title = "Row", .kind = SEAM_CELL_COUNT, .value = "row" },
  { .name = "column", .title = "Column", .kind = SEAM_CELL_COUNT, .value = "column" },
  { .name = "depth", .title = "Depth", .kind = SEAM_CELL_COUNT, .value = "depth" },
  { .name = "height", .title = "Row", .kind = SEAM_CELL_COUNT, .value = "height" },
  { .name = "width", .title = "Column", .kind = SEAM_CELL_COUNT, .value = "width" },
  { .name = "element", .title = "Element", .kind = SEAM_CELL_COUNT, .value = "element" },
  { .name = "trusted", .title = "A", .kind = SEAM_CELL_NUMBER, .value = "trusted", .expand = TRUE },
  { .name = "tested", .title = "B", .kind = SEAM_CELL_NUMBER, .value = "value", .expand = TRUE },
  { .name = "error", .title = "|A − B|", .kind = SEAM_CELL_NUMBER, .value = "abs_error" },
  { .name = "limit", .title = "Limit", .kind = SEAM_CELL_NUMBER, .value = "limit" },
  { .name = "ratio",
    .title = "Of limit",
    .kind = SEAM_CELL_RATIO,
    .value = "limit_ratio",
    .expand = TRUE },
  { .name = "ulps", .title = "ULP (FP32)", .kind = SEAM_CELL_COUNT, .value = "ulps" },
};

/* A column for each axis of the output, in the words of its shape. */
static void
set_axes (SeamTable *table, const SeamDifferenceSpec *spec)
{
  static const char *const names[] = { "row", "column", "depth", "height", "width", "element" };
  static const char *const inner[] = { "depth", "row", "column", "element" };
  SeamPlaceAxis axes[SEAM_PLACE_AXES];
  int n = seam_difference_find_place (spec, 0, axes), next = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (next == n || (i >= 2 && !g_str_equal (axes[next].name, inner[i - 2]))) {
      seam_table_leave_out (table, names[i]);
      continue;
    }
    g_autofree char *title = g_strdup (axes[next++].name);
    title[0] = g_ascii_toupper (title[0]);
    seam_table_set_title (table, names[i], title);
  }
}

static void
set_titles (SeamTable *table, const SeamSideNames *names, const SeamDifference *difference)
{
  gboolean by_bound = difference != NULL && seam_difference_is_by_bound (&difference->spec);

  if (by_bound) {
    seam_table_set_title (table, "limit", "Bound");
    seam_table_set_title (table, "ratio", "Of bound");
  }
  /* Room for one of both. */
  seam_table_leave_out (table, by_bound ? "ulps" : "limit");
  if (names != NULL) {
    g_autofree char *error = seam_side_names_format_error (names);

    seam_table_set_title (table, "trusted", names->against);
    seam_table_set_title (table, "tested", names->tested);
    seam_table_set_title (table, "error", error);
  }
  set_axes (table, difference != NULL
                       ? &difference->spec
                       : &(SeamDifferenceSpec){ .rows = 2, .columns = 2, .plane = 1 });
}

/* A value that is not a number is shown as it is; its error is unknown. */
static void
write_numbers (SeamTable *table, SeamTableRow *row)
{
  static const char *const values[] = { "trusted", "tested" };
  SeamCell *error = seam_table_get_cell (table, row, "error");
  SeamCell *limit = seam_table_get_cell (table, row, "limit");
  SeamCell *ratio = seam_table_get_cell (table, row, "ratio");

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    SeamCell *cell = seam_table_get_cell (table, row, values[i]);

    cell->text = seam_numbers_format_value (cell->value);
  }
  error->text =
      isfinite (error->value) ? seam_numbers_format_value (error->value) : g_strdup (SEAM_DASH);
  limit->text =
      isfinite (limit->value) ? seam_numbers_format_value (limit->value) : g_strdup (SEAM_DASH);
  if (!isfinite (ratio->value))
    ratio->value = NAN;
}

SeamTable *
seam_worst_table_make (const SeamDifference *difference, const SeamSideNames *names)
{
  SeamWorstRow worst;
  SeamPath path = { .type = &worst_type, .record = &worst };
  SeamTable *table = seam_table_new (columns, G_N_ELEMENTS (columns));

  set_titles (table, names, difference);
  for (int i = 0; difference != NULL && i < difference->n_worst; i++) {
    SeamTableRow *row = seam_table_append (table, 0, i);

    seam_difference_get_worst (difference, i, &worst);
    seam_table_read_row (table, row, &worst_view, &path);
    write_numbers (table, row);
  }
  return table;
}
