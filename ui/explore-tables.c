/* SPDX-License-Identifier: MIT
 *
 * Cells of the explore page's tables.
 */
#include "ui/explore-tables.h"

#include <math.h>

enum { WORTH_SEAM, WORTH_ALONE, WORTH_MEAN, WORTH_COMPANY, WORTH_TRAFFIC, N_WORTH_COLUMNS };

static const SeamColumn worth_columns[N_WORTH_COLUMNS] = {
  { .name = "seam", .title = "Seam", .expand = TRUE, .min_chars = 17 },
  { .name = "alone", .title = "Alone", .kind = SEAM_CELL_NUMBER },
  { .name = "mean", .title = "Mean", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "company", .title = "Best", .kind = SEAM_CELL_NUMBER },
  { .name = "traffic", .title = "Traffic", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
};

enum {
  NODE_PARTITION,
  NODE_FUSED,
  NODE_TIME,
  NODE_RATIO,
  NODE_PREDICTED,
  NODE_KERNELS,
  NODE_TRAFFIC,
  NODE_ERROR,
  NODE_MARKS,
  N_NODE_COLUMNS
};

static const SeamColumn node_columns[N_NODE_COLUMNS] = {
  { .name = "partition", .title = "Partition", .expand = TRUE },
  { .name = "fused", .title = "Fused", .kind = SEAM_CELL_NUMBER },
  { .name = "time", .title = "Median", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "ratio", .title = "Against unfused", .kind = SEAM_CELL_NUMBER },
  { .name = "predicted", .title = "At full rate", .kind = SEAM_CELL_NUMBER, .wide_only = TRUE },
  { .name = "kernels", .title = "Kernels", .kind = SEAM_CELL_NUMBER },
  { .name = "bytes", .title = "Traffic", .kind = SEAM_CELL_NUMBER, .wide_only = TRUE },
  { .name = "error", .title = "Largest error", .kind = SEAM_CELL_NUMBER, .wide_only = TRUE },
  { .name = "marks", .title = "Marks" },
};

/* The columns of a table are fixed; those beyond the chain's seams are hidden. */
static const SeamColumn pair_columns[SEAM_LATTICE_MAX_SEAMS + 1] = {
  { .name = "seam", .title = "Seam", .expand = TRUE },
  { .name = "s1", .title = "1", .kind = SEAM_CELL_NUMBER },
  { .name = "s2", .title = "2", .kind = SEAM_CELL_NUMBER },
  { .name = "s3", .title = "3", .kind = SEAM_CELL_NUMBER },
  { .name = "s4", .title = "4", .kind = SEAM_CELL_NUMBER },
  { .name = "s5", .title = "5", .kind = SEAM_CELL_NUMBER },
  { .name = "s6", .title = "6", .kind = SEAM_CELL_NUMBER },
  { .name = "s7", .title = "7", .kind = SEAM_CELL_NUMBER },
  { .name = "s8", .title = "8", .kind = SEAM_CELL_NUMBER },
  { .name = "s9", .title = "9", .kind = SEAM_CELL_NUMBER },
  { .name = "s10", .title = "10", .kind = SEAM_CELL_NUMBER },
  { .name = "s11", .title = "11", .kind = SEAM_CELL_NUMBER },
};

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* By the middle time: one partition that was caught in a bad moment does not make the others
 * small. */
SeamUnit
seam_explore_get_unit (const SeamExploreView *view, const SeamSurvey *survey)
{
  g_autofree double *known = g_new (double, view->n_nodes + 1);
  int n = 0;

  for (int i = 0; i < view->n_nodes; i++)
    if (!isnan (view->times_ns[i]))
      known[n++] = view->times_ns[i];
  if (n == 0)
    return seam_unit_for_time (survey->points[0].full_rate_ns);
  qsort (known, (size_t)n, sizeof *known, compare_doubles);
  return seam_unit_for_time (known[n / 2]);
}

static void
take_time (SeamTableRow *row, int column, double ns, SeamUnit unit, int decimals)
{
  seam_row_take (row, column, seam_text_fixed (ns / unit.scale, decimals), ns, NULL);
}

SeamTableView *
seam_worth_table_new (void)
{
  SeamTableView *table = seam_table_view_new (seam_table_new (worth_columns, N_WORTH_COLUMNS), NULL,
                                              FALSE, "What each seam is worth");

  /* Names of two ops in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "worth-table");
  return table;
}

void
seam_worth_table_fill (SeamTableView *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autoptr (SeamTable) rows = seam_table_new (worth_columns, N_WORTH_COLUMNS);

  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    SeamTableRow *row = seam_table_append (rows, 0, i);
    g_autofree char *name = seam_explore_name_seam (survey->request->pipeline, i);

    seam_row_take (row, WORTH_SEAM, g_strdup_printf ("%d %s", i + 1, name), i, name);
    take_time (row, WORTH_ALONE, worth->alone, unit, 2);
    take_time (row, WORTH_MEAN, worth->mean, unit, 2);
    take_time (row, WORTH_COMPANY, worth->in_company, unit, 2);
    take_time (row, WORTH_TRAFFIC, view->traffic_ns[i], unit, 2);
  }
  seam_table_view_set_table (table, rows);
}

SeamTableView *
seam_pairs_table_new (void)
{
  SeamTableView *table = seam_table_view_new (
      seam_table_new (pair_columns, G_N_ELEMENTS (pair_columns)), NULL, FALSE, "Pairs of seams");

  /* As many columns as seams, in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "pairs-table");
  return table;
}

void
seam_pairs_table_fill (SeamTableView *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autoptr (SeamTable) rows = seam_table_new (pair_columns, G_N_ELEMENTS (pair_columns));
  g_autoptr (GString) hidden = g_string_new (NULL);

  for (int i = 0; i < view->n_seams; i++) {
    SeamTableRow *row = seam_table_append (rows, 0, i);

    seam_row_take (row, 0, g_strdup_printf ("%d", i + 1), i, NULL);
    for (int k = 0; k < SEAM_LATTICE_MAX_SEAMS; k++)
      if (k < view->n_seams && k != i)
        take_time (row, k + 1, view->interaction[i][k], unit, 2);
      else
        seam_row_take (row, k + 1, g_strdup (""), NAN, NULL);
  }
  for (int k = view->n_seams; k < SEAM_LATTICE_MAX_SEAMS; k++)
    g_string_append_printf (hidden, "%s%s", hidden->len > 0 ? "," : "", pair_columns[k + 1].name);
  seam_table_view_set_hidden (table, hidden->str);
  seam_table_view_set_table (table, rows);
}

char *
seam_explore_describe_marks (const SeamSurvey *survey, const SeamExploreView *view, int node)
{
  const SeamPoint *point = &survey->points[node];
  const char *words[5] = { NULL };
  int n = 0;

  if (view->best == node)
    words[n++] = view->best_is_clear ? "best" : "best, not clearly";
  if (view->is_pareto[node])
    words[n++] = "Pareto";
  if (seam_explore_view_is_on_path (view, node))
    words[n++] = "path";
  if (seam_point_is_wrong (point))
    words[n++] = "wrong";
  if (point->state != SEAM_POINT_MEASURED && n < 4)
    words[n++] = seam_point_state_get_name (point->state);
  return g_strjoinv (", ", (char **)words);
}

SeamTableView *
seam_nodes_table_new (void)
{
  return seam_table_view_new (seam_table_new (node_columns, N_NODE_COLUMNS), NULL, TRUE,
                              "All partitions");
}

void
seam_nodes_table_fill (SeamTableView *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autofree char *median = g_strdup_printf ("Median (%s)", unit.name);
  g_autofree char *predicted = g_strdup_printf ("At full rate (%s)", unit.name);
  g_autoptr (SeamTable) rows = seam_table_new (node_columns, N_NODE_COLUMNS);

  seam_table_set_title (rows, node_columns[NODE_TIME].name, median);
  seam_table_set_title (rows, node_columns[NODE_PREDICTED].name, predicted);
  for (int i = 0; i < survey->n_points; i++) {
    const SeamPoint *point = &survey->points[i];
    SeamTableRow *row = seam_table_append (rows, 0, i);
    int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
    double ratio = view->times_ns[0] / view->times_ns[i];

    seam_row_take (row, NODE_PARTITION,
                   g_strdup (point->notation != NULL ? point->notation : point->plan), i,
                   point->message);
    seam_row_take (row, NODE_FUSED, seam_text_count (__builtin_popcount ((unsigned)i)),
                   __builtin_popcount ((unsigned)i), NULL);
    take_time (row, NODE_TIME, view->times_ns[i], unit, 3);
    seam_row_take (row, NODE_RATIO, seam_text_ratio (ratio), ratio, NULL);
    take_time (row, NODE_PREDICTED, point->full_rate_ns, unit, 3);
    seam_row_take (row, NODE_KERNELS,
                   n_kernels >= 0 ? seam_text_count (n_kernels) : g_strdup (SEAM_DASH),
                   n_kernels >= 0 ? n_kernels : NAN, NULL);
    seam_row_take (row, NODE_TRAFFIC, seam_text_bytes (point->bytes), point->bytes, NULL);
    seam_row_take (row, NODE_ERROR, seam_text_scientific (point->max_abs), point->max_abs, NULL);
    seam_row_take (row, NODE_MARKS, seam_explore_describe_marks (survey, view, i), NAN,
                   point->message);
    if (seam_point_is_wrong (point) || point->state == SEAM_POINT_FAILED)
      row->cells[NODE_MARKS].tone = SEAM_TONE_BAD;
  }
  seam_table_view_set_table (table, rows);
}
