/* SPDX-License-Identifier: MIT
 *
 * Rows of the partitions.
 */
#include "app/report/partitions.h"

#include "app/base/doubles.h"

#include <math.h>
#include <stdlib.h>

static const SeamColumn columns[] = {
  { .name = "partition", .title = "Partition", .expand = TRUE },
  { .name = "fused", .title = "Fused", .kind = SEAM_CELL_COUNT },
  { .name = "time", .title = "Median", .kind = SEAM_CELL_TIME, .bold = TRUE },
  { .name = "ratio", .title = "Against\nunfused", .kind = SEAM_CELL_RATIO },
  { .name = "guess", .title = "Guess", .kind = SEAM_CELL_TIME, .wide_only = TRUE },
  { .name = "floor", .title = "Floor", .kind = SEAM_CELL_TIME, .wide_only = TRUE },
  { .name = "kernels", .title = "Kernels", .kind = SEAM_CELL_COUNT },
  { .name = "bytes", .title = "Traffic", .kind = SEAM_CELL_BYTES, .wide_only = TRUE },
  { .name = "error", .title = "Largest\nerror", .kind = SEAM_CELL_ERROR, .wide_only = TRUE },
  { .name = "marks", .title = "Marks" },
};

/* Chooses the unit for the middle time, so that one partition with a disturbed measurement does not
 * make the others tiny. */
SeamUnit
seam_partitions_get_unit (const SeamExploreView *view, const SeamSearch *search)
{
  g_autofree double *known = g_new (double, view->n_nodes + 1);
  int n = 0;

  for (int i = 0; i < view->n_nodes; i++)
    if (!isnan (view->times_ns[i]))
      known[n++] = view->times_ns[i];
  if (n == 0)
    return seam_unit_for_time (search->points[0].guess_ns);
  qsort (known, (size_t)n, sizeof *known, seam_compare_doubles);
  return seam_unit_for_time (known[n / 2]);
}

char *
seam_partitions_describe_marks (const SeamSearch *search, const SeamExploreView *view, int node)
{
  const SeamPoint *point = &search->points[node];
  const char *words[5] = { NULL };
  int n = 0;

  if (view->best == node)
    words[n++] = view->rival < 0 ? "best" : "best, not clearly";
  if (view->is_pareto[node])
    words[n++] = "Pareto";
  if (seam_explore_view_is_on_path (view, node))
    words[n++] = "path";
  if (seam_point_is_wrong (point))
    words[n++] = seam_point_get_fault (point);
  if (point->state != SEAM_POINT_MEASURED && n < 4)
    words[n++] = seam_point_state_get_name (point->state);
  return g_strjoinv (", ", (char **)words);
}

void
seam_partitions_fill_ratio (SeamCell *cell, double ratio, const SeamSearch *search, int index)
{
  g_autoptr (SeamVerdict) verdict = seam_search_judge (search, index);
  g_autofree char *text = seam_text_ratio (ratio);
  gboolean claims = verdict == NULL || verdict->kind == SEAM_VERDICT_FASTER
                    || verdict->kind == SEAM_VERDICT_SLOWER;

  cell->value = ratio;
  seam_cell_take (cell, g_strconcat (text, claims || isnan (ratio) ? "" : " ?", NULL),
                  verdict != NULL ? verdict->detail : NULL);
}

static void
add_row (SeamTable *table, const SeamSearch *search, const SeamExploreView *view, int node)
{
  const SeamPoint *point = &search->points[node];
  SeamTableRow *row = seam_table_append (table, 0, node);
  SeamCell *partition = seam_table_get_cell (table, row, "partition");
  SeamCell *marks = seam_table_get_cell (table, row, "marks");
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;

  seam_cell_take (partition, g_strdup (point->notation != NULL ? point->notation : point->plan),
                  point->message);
  partition->value = node;
  seam_table_get_cell (table, row, "fused")->value = __builtin_popcount ((unsigned)node);
  seam_table_get_cell (table, row, "time")->value = view->times_ns[node];
  seam_partitions_fill_ratio (seam_table_get_cell (table, row, "ratio"),
                              view->times_ns[0] / view->times_ns[node], search, node);
  seam_table_get_cell (table, row, "guess")->value = point->guess_ns;
  seam_table_get_cell (table, row, "floor")->value = point->floor_ns;
  if (n_kernels >= 0)
    seam_table_get_cell (table, row, "kernels")->value = n_kernels;
  seam_table_get_cell (table, row, "bytes")->value = point->bytes;
  seam_table_get_cell (table, row, "error")->value = point->max_abs;
  seam_cell_take (marks, seam_partitions_describe_marks (search, view, node), point->message);
  if (seam_point_is_wrong (point) || point->state == SEAM_POINT_FAILED)
    marks->tone = SEAM_TONE_BAD;
}

SeamTable *
seam_partitions_table_make (const SeamSearch *search, const SeamExploreView *view, const int *nodes,
                            int n)
{
  SeamTable *table = seam_table_new (columns, G_N_ELEMENTS (columns));

  seam_table_set_unit (table, SEAM_CELL_TIME, seam_partitions_get_unit (view, search));
  for (int i = 0; i < n; i++)
    add_row (table, search, view, nodes != NULL ? nodes[i] : i);
  return table;
}
