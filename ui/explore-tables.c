/* SPDX-License-Identifier: MIT
 *
 * Cells of the explore page's tables.
 */
#include "ui/explore-tables.h"

#include <math.h>

enum { WORTH_SEAM, WORTH_ALONE, WORTH_MEAN, WORTH_COMPANY, WORTH_TRAFFIC, N_WORTH_COLUMNS };

static const SeamColumn worth_columns[N_WORTH_COLUMNS] = {
  { .id = "seam", .title = "Seam", .expand = TRUE, .min_chars = 17 },
  { .id = "alone", .title = "Alone", .numeric = TRUE },
  { .id = "mean", .title = "Mean", .numeric = TRUE, .bold = TRUE },
  { .id = "company", .title = "Best", .numeric = TRUE },
  { .id = "traffic", .title = "Traffic", .numeric = TRUE, .dim = TRUE },
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
  { .id = "partition", .title = "Partition", .expand = TRUE },
  { .id = "fused", .title = "Fused", .numeric = TRUE },
  { .id = "time", .title = "Median", .numeric = TRUE, .bold = TRUE },
  { .id = "ratio", .title = "Against unfused", .numeric = TRUE },
  { .id = "predicted", .title = "At full rate", .numeric = TRUE, .wide_only = TRUE },
  { .id = "kernels", .title = "Kernels", .numeric = TRUE },
  { .id = "bytes", .title = "Traffic", .numeric = TRUE, .wide_only = TRUE },
  { .id = "error", .title = "Largest error", .numeric = TRUE, .wide_only = TRUE },
  { .id = "marks", .title = "Marks" },
};

/* The columns of a table are fixed; those beyond the chain's seams are hidden. */
static const SeamColumn pair_columns[SEAM_LATTICE_MAX_SEAMS + 1] = {
  { .id = "seam", .title = "Seam", .expand = TRUE },
  { .id = "s1", .title = "1", .numeric = TRUE },
  { .id = "s2", .title = "2", .numeric = TRUE },
  { .id = "s3", .title = "3", .numeric = TRUE },
  { .id = "s4", .title = "4", .numeric = TRUE },
  { .id = "s5", .title = "5", .numeric = TRUE },
  { .id = "s6", .title = "6", .numeric = TRUE },
  { .id = "s7", .title = "7", .numeric = TRUE },
  { .id = "s8", .title = "8", .numeric = TRUE },
  { .id = "s9", .title = "9", .numeric = TRUE },
  { .id = "s10", .title = "10", .numeric = TRUE },
  { .id = "s11", .title = "11", .numeric = TRUE },
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
  seam_table_row_take_cell (row, column, seam_text_fixed (ns / unit.scale, decimals), ns, NULL);
}

SeamTable *
seam_worth_table_new (void)
{
  SeamTable *table =
      seam_table_new (worth_columns, N_WORTH_COLUMNS, -1, FALSE, "What each seam is worth");

  /* Names of two ops in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "worth-table");
  return table;
}

void
seam_worth_table_fill (SeamTable *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    SeamTableRow *row = seam_table_row_new (0, i, N_WORTH_COLUMNS);
    g_autofree char *name = seam_explore_name_seam (survey->request->pipeline, i);

    seam_table_row_take_cell (row, WORTH_SEAM, g_strdup_printf ("%d %s", i + 1, name), i, name);
    take_time (row, WORTH_ALONE, worth->alone, unit, 2);
    take_time (row, WORTH_MEAN, worth->mean, unit, 2);
    take_time (row, WORTH_COMPANY, worth->in_company, unit, 2);
    take_time (row, WORTH_TRAFFIC, view->traffic_ns[i], unit, 2);
    g_ptr_array_add (rows, row);
  }
  seam_table_set_rows (table, rows);
}

SeamTable *
seam_pairs_table_new (void)
{
  SeamTable *table =
      seam_table_new (pair_columns, G_N_ELEMENTS (pair_columns), -1, FALSE, "Pairs of seams");

  /* As many columns as seams, in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "pairs-table");
  return table;
}

void
seam_pairs_table_fill (SeamTable *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GString) hidden = g_string_new (NULL);

  for (int i = 0; i < view->n_seams; i++) {
    SeamTableRow *row = seam_table_row_new (0, i, G_N_ELEMENTS (pair_columns));

    seam_table_row_take_cell (row, 0, g_strdup_printf ("%d", i + 1), i, NULL);
    for (int k = 0; k < SEAM_LATTICE_MAX_SEAMS; k++)
      if (k < view->n_seams && k != i)
        take_time (row, k + 1, view->interaction[i][k], unit, 2);
      else
        seam_table_row_take_cell (row, k + 1, g_strdup (""), NAN, NULL);
    g_ptr_array_add (rows, row);
  }
  for (int k = view->n_seams; k < SEAM_LATTICE_MAX_SEAMS; k++)
    g_string_append_printf (hidden, "%s%s", hidden->len > 0 ? "," : "", pair_columns[k + 1].id);
  seam_table_set_hidden (table, hidden->str);
  seam_table_set_rows (table, rows);
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

SeamTable *
seam_nodes_table_new (void)
{
  return seam_table_new (node_columns, N_NODE_COLUMNS, -1, TRUE, "All partitions");
}

void
seam_nodes_table_fill (SeamTable *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_explore_get_unit (view, survey);
  g_autofree char *median = g_strdup_printf ("Median (%s)", unit.name);
  g_autofree char *predicted = g_strdup_printf ("At full rate (%s)", unit.name);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  seam_table_set_column_title (table, NODE_TIME, median);
  seam_table_set_column_title (table, NODE_PREDICTED, predicted);
  for (int i = 0; i < survey->n_points; i++) {
    const SeamPoint *point = &survey->points[i];
    SeamTableRow *row = seam_table_row_new (0, i, N_NODE_COLUMNS);
    int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
    double ratio = view->times_ns[0] / view->times_ns[i];

    seam_table_row_take_cell (row, NODE_PARTITION,
                              g_strdup (point->notation != NULL ? point->notation : point->plan), i,
                              point->message);
    seam_table_row_take_cell (row, NODE_FUSED, seam_text_count (__builtin_popcount ((unsigned)i)),
                              __builtin_popcount ((unsigned)i), NULL);
    take_time (row, NODE_TIME, view->times_ns[i], unit, 3);
    seam_table_row_take_cell (row, NODE_RATIO, seam_text_ratio (ratio), ratio, NULL);
    take_time (row, NODE_PREDICTED, point->full_rate_ns, unit, 3);
    seam_table_row_take_cell (row, NODE_KERNELS,
                              n_kernels >= 0 ? seam_text_count (n_kernels) : g_strdup (SEAM_DASH),
                              n_kernels >= 0 ? n_kernels : NAN, NULL);
    seam_table_row_take_cell (row, NODE_TRAFFIC, seam_text_bytes (point->bytes), point->bytes,
                              NULL);
    seam_table_row_take_cell (row, NODE_ERROR, seam_text_scientific (point->max_abs),
                              point->max_abs, NULL);
    seam_table_row_take_cell (row, NODE_MARKS, seam_explore_describe_marks (survey, view, i), NAN,
                              point->message);
    if (seam_point_is_wrong (point) || point->state == SEAM_POINT_FAILED)
      seam_table_row_set_class (row, NODE_MARKS, "error");
    g_ptr_array_add (rows, row);
  }
  seam_table_set_rows (table, rows);
}
