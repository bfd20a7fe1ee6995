/* SPDX-License-Identifier: MIT
 *
 * Rows of seams, pairs of seams, shapes and points.
 */
#include "app/report/search-tables.h"

#include "app/report/partitions.h"

#include <math.h>

#define MAX_POINT_COLUMNS 16

/* --- an exploration --- */

#define EVERYWHERE_BUT_WINDOW (SEAM_SHOWN_ON_TERMINAL | SEAM_SHOWN_ON_SHEET)

static const SeamColumn worth_columns[] = {
  { .name = "seam", .title = "Seam", .expand = TRUE, .min_chars = 17 },
  { .name = "alone", .title = "Alone", .kind = SEAM_CELL_NUMBER },
  { .name = "mean", .title = "Mean", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "interval",
    .title = "95 % interval\nof the mean",
    .kind = SEAM_CELL_NUMBER,
    .where = EVERYWHERE_BUT_WINDOW },
  { .name = "least",
    .title = "Least",
    .kind = SEAM_CELL_NUMBER,
    .where = EVERYWHERE_BUT_WINDOW,
    .wide_only = TRUE },
  { .name = "most",
    .title = "Most",
    .kind = SEAM_CELL_NUMBER,
    .where = EVERYWHERE_BUT_WINDOW,
    .wide_only = TRUE },
  { .name = "company",
    .title = "Best with,\nbest without",
    .kind = SEAM_CELL_NUMBER,
    .wide_only = TRUE },
  { .name = "traffic",
    .title = "Its traffic,\nmodelled",
    .kind = SEAM_CELL_NUMBER,
    .dim = TRUE,
    .wide_only = TRUE },
};

static void
take_time (SeamTableRow *row, int column, double ns, SeamUnit unit)
{
  seam_row_take (row, column, seam_text_fixed (ns / unit.scale, 3), ns, NULL);
}

SeamTable *
seam_worth_table_make (const SeamSearch *search, const SeamExploreView *view)
{
  SeamUnit unit = seam_partitions_get_unit (view, search);
  SeamTable *table = seam_table_new (worth_columns, G_N_ELEMENTS (worth_columns));

  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    const double values[] = { worth->alone,      worth->mean,        NAN, worth->least, worth->most,
                              worth->in_company, view->traffic_ns[i] };
    g_autofree char *low = seam_text_fixed ((worth->mean - worth->half) / unit.scale, 3);
    g_autofree char *high = seam_text_fixed ((worth->mean + worth->half) / unit.scale, 3);
    SeamTableRow *row = seam_table_append (table, 0, i);
    g_autofree char *name = seam_explore_name_seam (search->request->pipeline, i);

    seam_row_take (row, 0, g_strdup_printf ("%d  %s", i + 1, name), i, name);
    for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
      take_time (row, (int)k + 1, values[k], unit);
    seam_cell_take (
        seam_table_get_cell (table, row, "interval"),
        isnan (worth->half)
            ? g_strdup ("unclear")
            : g_strdup_printf ("%s to %s%s", low, high, view->worth_is_clear[i] ? "" : ", unclear"),
        NULL);
  }
  return table;
}

SeamTable *
seam_pairs_table_make (const SeamSearch *search, const SeamExploreView *view)
{
  SeamUnit unit = seam_partitions_get_unit (view, search);
  SeamColumn columns[SEAM_LATTICE_MAX_SEAMS] = {
    { .name = "seam", .title = "Seam", .expand = TRUE },
  };
  char names[SEAM_LATTICE_MAX_SEAMS][8], titles[SEAM_LATTICE_MAX_SEAMS][16];
  SeamTable *table;

  for (int i = 1; i < view->n_seams; i++) {
    g_snprintf (names[i], sizeof names[i], "s%d", i + 1);
    g_snprintf (titles[i], sizeof titles[i], "with %d", i + 1);
    columns[i] = (SeamColumn){ .name = names[i], .title = titles[i], .kind = SEAM_CELL_NUMBER };
  }
  table = seam_table_new (columns, MAX (view->n_seams, 1));
  for (int i = 0; i < view->n_seams - 1; i++) {
    SeamTableRow *row = seam_table_append (table, 0, i);

    seam_row_take (row, 0, g_strdup_printf ("%d", i + 1), i, NULL);
    for (int k = 1; k < view->n_seams; k++)
      if (k <= i)
        seam_row_take (row, k, g_strdup (""), NAN, NULL);
      else
        take_time (row, k, view->interaction[i][k], unit);
  }
  return table;
}

/* --- a sweep --- */

/* "tensor fits cache, launch-bound, full is wrong" */
static char *
describe_shape (const SeamSweep *sweep, const SeamPoint *points, const SeamSweepShape *shape)
{
  GString *notes = g_string_new (NULL);

  if (shape->fits_cache)
    g_string_append (notes, "tensor fits cache");
  if (shape->launch_bound)
    g_string_append_printf (notes, "%slaunch-bound", notes->len > 0 ? ", " : "");
  for (int plan = 0; plan < sweep->n_plans; plan++)
    if (seam_point_is_wrong (&points[plan]))
      g_string_append_printf (notes, "%s%s is %s", notes->len > 0 ? ", " : "", sweep->plans[plan],
                              seam_point_get_fault (&points[plan]));
  return g_string_free (notes, FALSE);
}

/* The interval of the winner's lead over the next; a dash where the samples give none. */
static char *
describe_lead (const SeamPoint *points, const SeamSweepShape *shape)
{
  if (shape->second < 0)
    return g_strdup (SEAM_DASH);
  const SeamPoint *a = &points[shape->second], *b = &points[shape->winner];
  g_autoptr (SeamVerdict) verdict = seam_point_judge (a, a->median_ns, b, b->median_ns);
  g_autofree char *low = seam_text_ratio (verdict->ratio_low);
  g_autofree char *high = seam_text_ratio (verdict->ratio_high);
  return isnan (verdict->ratio_low) ? g_strdup (SEAM_DASH)
                                    : g_strdup_printf ("%s to %s", low, high);
}

static void
add_shape (SeamTable *table, const SeamSweep *sweep, int x, int y, SeamUnit unit)
{
  const SeamPoint *points = &sweep->search->points[seam_sweep_get_point (sweep, x, y, 0)];
  SeamSweepShape shape;

  seam_sweep_get_shape (sweep, x, y, &shape);
  seam_table_take (table, seam_text_count (sweep->axes[0].values[x]));
  if (sweep->n_axes == 2)
    seam_table_take (table, seam_text_count (sweep->axes[1].values[y]));
  for (int plan = 0; plan < sweep->n_plans; plan++)
    if (points[plan].state == SEAM_POINT_MEASURED)
      seam_table_take (table, seam_text_fixed (points[plan].median_ns / unit.scale, 3));
    else
      seam_table_add (table, seam_point_state_get_name (points[plan].state));
  if (shape.winner >= 0)
    seam_table_take (table,
                     g_strconcat (sweep->plans[shape.winner], shape.is_clear ? NULL : " ?", NULL));
  else
    seam_table_add (table, SEAM_DASH);
  seam_table_take (table, seam_text_ratio (shape.margin));
  seam_table_take (table, describe_lead (points, &shape));
  seam_table_take (table, describe_shape (sweep, points, &shape));
}

SeamTable *
seam_shapes_table_make (const SeamSweep *sweep)
{
  SeamTable *table = seam_table_new (NULL, 0);
  double largest_ns = 0;
  SeamUnit unit;

  for (int i = 0; i < sweep->search->n_points; i++)
    if (sweep->search->points[i].median_ns > largest_ns)
      largest_ns = sweep->search->points[i].median_ns;
  unit = seam_unit_for_time (largest_ns);
  for (int i = 0; i < sweep->n_axes; i++)
    seam_table_add_column (table, sweep->axes[i].label, TRUE);
  for (int i = 0; i < sweep->n_plans; i++) {
    g_autofree char *title = g_strdup_printf ("%s\n(%s)", sweep->plans[i], unit.name);
    seam_table_add_column (table, title, TRUE);
  }
  seam_table_add_column (table, "Fastest", FALSE);
  seam_table_add_column (table, "Ahead of\nthe next", TRUE);
  seam_table_add_column (table, "95 % interval", TRUE);
  seam_table_add_column (table, "Notes", FALSE);
  for (int y = 0; y < seam_sweep_get_n_y (sweep); y++)
    for (int x = 0; x < seam_sweep_get_n_x (sweep); x++)
      add_shape (table, sweep, x, y, unit);
  return table;
}

/* These columns follow those of the search's directions. */
static const SeamColumn point_columns[] = {
  { .name = "plan", .title = "Plan", .expand = TRUE, .min_chars = 9 },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_TIME, .bold = TRUE },
  { .name = "ratio", .title = "Against first", .kind = SEAM_CELL_RATIO },
  { .name = "guess", .title = "Guess", .kind = SEAM_CELL_TIME, .dim = TRUE, .wide_only = TRUE },
  { .name = "floor", .title = "Floor", .kind = SEAM_CELL_TIME, .dim = TRUE, .wide_only = TRUE },
  { .name = "kernels", .title = "Kernels", .kind = SEAM_CELL_COUNT, .wide_only = TRUE },
  { .name = "traffic", .title = "Traffic", .kind = SEAM_CELL_BYTES, .wide_only = TRUE },
  { .name = "error", .title = "Largest error", .kind = SEAM_CELL_ERROR, .wide_only = TRUE },
  { .name = "samples", .title = "Samples", .kind = SEAM_CELL_COUNT, .dim = TRUE },
  { .name = "marks", .title = "Marks", .min_chars = 9 },
};

static SeamTable *
new_points_table (const SeamSweep *sweep)
{
  static const char *const names[] = { "x", "y" };
  SeamColumn columns[MAX_POINT_COLUMNS];
  g_autofree char *against = g_strdup_printf ("Against %s", sweep->plans[0]);
  int n = 0;
  SeamTable *table;

  for (int i = 0; i < sweep->n_axes; i++)
    columns[n++] =
        (SeamColumn){ .name = names[i], .title = sweep->axes[i].label, .kind = SEAM_CELL_COUNT };
  for (gsize i = 0; i < G_N_ELEMENTS (point_columns); i++)
    columns[n++] = point_columns[i];
  table = seam_table_new (columns, n);
  seam_table_set_title (table, "ratio", against);
  return table;
}

static char *
describe_marks (const SeamSweep *sweep, int index, const SeamSweepShape *shape)
{
  const SeamPoint *point = &sweep->search->points[index];
  const char *words[5] = { NULL };
  int n = 0;

  if (shape->winner == index % sweep->n_plans && !isnan (shape->margin))
    words[n++] = shape->is_clear ? "fastest" : "fastest, not clearly";
  if (seam_point_is_wrong (point))
    words[n++] = seam_point_get_fault (point);
  if (point->tensors_fit_cache)
    words[n++] = "fits cache";
  if (point->state != SEAM_POINT_MEASURED)
    words[n++] = seam_point_state_get_name (point->state);
  return g_strjoinv (", ", (char **)words);
}

static void
add_point (SeamTable *table, const SeamSweep *sweep, int index)
{
  const SeamPoint *point = &sweep->search->points[index];
  const SeamPoint *first = &sweep->search->points[index - index % sweep->n_plans];
  int x = index / sweep->n_plans % seam_sweep_get_n_x (sweep);
  int y = index / sweep->n_plans / seam_sweep_get_n_x (sweep);
  SeamTableRow *row = seam_table_append (table, 0, index);
  double time_ns = point->state == SEAM_POINT_MEASURED ? point->median_ns : NAN;
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
  SeamCell *plan = seam_table_get_cell (table, row, "plan");
  SeamCell *marks = seam_table_get_cell (table, row, "marks");
  SeamSweepShape shape;

  seam_sweep_get_shape (sweep, x, y, &shape);
  row->cells[0].value = (double)sweep->axes[0].values[x];
  if (sweep->n_axes == 2)
    row->cells[1].value = (double)sweep->axes[1].values[y];
  seam_cell_take (plan, g_strdup (point->plan), point->notation);
  plan->value = index % sweep->n_plans;
  seam_table_get_cell (table, row, "median")->value = time_ns;
  if (first->state == SEAM_POINT_MEASURED)
    seam_partitions_fill_ratio (seam_table_get_cell (table, row, "ratio"),
                                first->median_ns / time_ns, sweep->search, index);
  seam_table_get_cell (table, row, "guess")->value = point->guess_ns;
  seam_table_get_cell (table, row, "floor")->value = point->floor_ns;
  if (n_kernels >= 0)
    seam_table_get_cell (table, row, "kernels")->value = n_kernels;
  seam_table_get_cell (table, row, "traffic")->value = point->bytes;
  seam_table_get_cell (table, row, "error")->value = point->max_abs;
  if (point->n_samples > 0)
    seam_table_get_cell (table, row, "samples")->value = point->n_samples;
  seam_cell_take (marks, describe_marks (sweep, index, &shape), point->message);
  if (seam_point_is_wrong (point) || point->state == SEAM_POINT_FAILED)
    marks->tone = SEAM_TONE_BAD;
}

SeamTable *
seam_points_table_make (const SeamSweep *sweep)
{
  SeamTable *table = new_points_table (sweep);

  for (int i = 0; i < sweep->search->n_points; i++)
    add_point (table, sweep, i);
  return table;
}
