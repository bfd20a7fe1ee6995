/* SPDX-License-Identifier: MIT
 *
 * Tables for people: units, unknown values, alignment, the kernels of a result, and percentages.
 */
#include "app/report/kernels-table.h"

#include "app/explain/read-result.h"
#include "app/figure/grid.h"
#include "app/report/groups-table.h"
#include "app/report/roofline-points.h"
#include "app/session/session.h"

#include <math.h>
#include <string.h>

static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan" },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_TIME },
  { .name = "interval", .title = "95 % interval", .kind = SEAM_CELL_INTERVAL },
  { .name = "traffic", .title = "Traffic\nmodelled", .kind = SEAM_CELL_BYTES },
  { .name = "n", .title = "N", .kind = SEAM_CELL_COUNT, .where = SEAM_SHOWN_IN_WINDOW },
};

static SeamTable *
make_table (void)
{
  SeamTable *table = seam_table_new (columns, G_N_ELEMENTS (columns));
  SeamTableRow *row = seam_table_append (table, 0, -1);

  seam_cell_take (seam_table_get_cell (table, row, "plan"), g_strdup ("unfused\a"), NULL);
  seam_table_get_cell (table, row, "median")->value = 2.5e6;
  seam_table_get_cell (table, row, "interval")->value = 2.4e6;
  seam_table_get_cell (table, row, "interval")->high = 2.6e6;
  seam_table_get_cell (table, row, "n")->value = 1234;
  row = seam_table_append (table, 1, 3);
  seam_cell_take (seam_table_get_cell (table, row, "plan"), g_strdup ("f"), NULL);
  seam_table_get_cell (table, row, "median")->value = 400;
  seam_table_get_cell (table, row, "traffic")->value = 1.5e9;
  return table;
}

static void
test_cells (void)
{
  g_autoptr (SeamTable) table = make_table ();
  static const char *const expected[2][G_N_ELEMENTS (columns)] = {
    { "unfused\a", "2.500", "2.400 to 2.600", "–", "1,234" },
    { "f", "< 0.001", "–", "1.50", "–" },
  };
  static const char *const titles[] = { "Plan", "Median (ms)", "95 % interval (ms)",
                                        "Traffic modelled (GB)", "N" };

  for (int c = 0; c < (int)G_N_ELEMENTS (columns); c++) {
    g_autofree char *title = seam_table_format_title (table, c);

    g_assert_cmpstr (title, ==, titles[c]);
    for (int r = 0; r < 2; r++) {
      g_autofree char *text = seam_table_format_cell (table, r, c);

      g_assert_cmpstr (text, ==, expected[r][c]);
    }
  }
  g_assert_cmpint (seam_table_get_row (table, 1)->plan, ==, 1);
  g_assert_cmpint (seam_table_get_row (table, 1)->index, ==, 3);
}

/* Columns of other places are left out, and control characters are replaced. */
static void
test_text (void)
{
  g_autoptr (SeamTable) table = make_table ();
  g_autofree char *text = seam_table_format (table);

  g_assert_cmpstr (text, ==,
                   "                                    Traffic\n"
                   "           Median   95 % interval  modelled\n"
                   "Plan         (ms)            (ms)      (GB)\n"
                   "unfused�    2.500  2.400 to 2.600         –\n"
                   "f         < 0.001               –      1.50\n");
}

/* The table shows the same numbers of a kernel as the CSV. */
static void
test_kernels (void)
{
  SeamKernel kernels[2];
  SeamPlanResult plan = { .notation = (char *)"conv|relu", .n_kernels = 2, .kernels = kernels };
  SeamResult result = { .n_plans = 1, .plans = &plan, .pipeline_id = (char *)"p" };
  g_autoptr (SeamTable) table = NULL;
  g_autofree char *rate = NULL, *share = NULL, *gaps = NULL, *name = NULL, *rest = NULL,
                  *rest_share = NULL;

  for (int i = 0; i < 2; i++) {
    seam_kernel_init (&kernels[i]);
    kernels[i].short_name = (char *)"k";
    kernels[i].median_ns = 1e6 * (i + 1);
    kernels[i].bytes = 3e9;
  }
  plan.kernels_sum_median_ns = 4e6;
  plan.span_median_ns = 5e6;
  plan.median_ns = 5e6;
  table = seam_kernels_table_make (&result, 1);
  g_assert_cmpint (seam_table_get_n_rows (table), ==, 4);
  g_assert_cmpint (seam_table_get_row (table, 2)->index, ==, SEAM_ROW_GAPS);
  name = seam_table_format_cell (table, 1, 0);
  g_assert_cmpstr (name, ==, "A");
  for (int c = 0; c < seam_table_get_n_columns (table); c++) {
    const char *column = seam_table_get_column (table, c)->name;

    if (strcmp (column, "rate") == 0)
      rate = seam_table_format_cell (table, 1, c);
    if (strcmp (column, "share") == 0) {
      share = seam_table_format_cell (table, 1, c);
      rest_share = seam_table_format_cell (table, 3, c);
    }
    if (strcmp (column, "median") == 0) {
      gaps = seam_table_format_cell (table, 2, c);
      rest = seam_table_format_cell (table, 3, c);
    }
  }
  g_assert_cmpstr (rate, ==, "1.50");
  /* Of the elapsed 5 ms: kernels of 1 and 2, gaps of 1, and 1 not traced. */
  g_assert_cmpstr (share, ==, "40.0");
  g_assert_cmpstr (gaps, ==, "1.000");
  g_assert_cmpstr (rest, ==, "1.000");
  g_assert_cmpstr (rest_share, ==, "20.0");
  g_clear_error (&result.pipeline_error); /* there is no pipeline whose ops could be drawn */
}

static const SeamColumn sheet_columns[] = {
  { .name = "what", .title = "What", .expand = TRUE },
  { .name = "where", .title = "Where", .dim = TRUE, .wide_only = TRUE },
  { .name = "click", .title = "Click", .where = SEAM_SHOWN_IN_WINDOW },
  { .name = "bytes", .title = "Bytes", .kind = SEAM_CELL_BYTES },
  { .name = "moved", .title = "B − A", .kind = SEAM_CELL_MOVED, .shares_unit = TRUE },
  { .name = "apart", .title = "Apart", .kind = SEAM_CELL_APART, .bold = TRUE },
  { .name = "none", .title = "None", .kind = SEAM_CELL_COUNT },
};

static SeamTable *
make_sheet_table (void)
{
  SeamTable *table = seam_table_new (sheet_columns, G_N_ELEMENTS (sheet_columns));
  SeamTableRow *row;
  SeamCell *cell;

  seam_table_leave_out (table, "none");
  row = seam_table_append (table, 0, 0);
  seam_table_get_cell (table, row, "bytes")->value = 2e6;
  seam_table_get_cell (table, row, "bytes")->tone = SEAM_TONE_GONE;
  seam_table_get_cell (table, row, "moved")->value = -1e6;
  seam_table_get_cell (table, row, "moved")->tone = SEAM_TONE_GOOD;
  seam_cell_take (seam_table_get_cell (table, row, "where"), g_strdup ("a wide column"), NULL);
  cell = seam_table_get_cell (table, row, "apart");
  cell->value = .132;
  cell->is_marked = TRUE;
  cell->tone = SEAM_TONE_WARNING;
  row = seam_table_append (table, -1, -1);
  row->is_total = TRUE;
  seam_table_get_cell (table, row, "bytes")->value = 3e6;
  seam_table_get_cell (table, row, "bytes")->high = 4e6;
  return table;
}

#define assert_cell(row, column, expected, expected_ink, is_struck, is_bold)                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const SeamGridCell *cell = seam_grid_get_cell (figure, row, column);                           \
    g_assert_cmpstr (cell->text, ==, expected);                                                    \
    g_assert_cmpint (cell->ink, ==, expected_ink);                                                 \
    g_assert_cmpint (cell->struck, ==, is_struck);                                                 \
    g_assert_cmpint (cell->bold, ==, is_bold);                                                     \
  }                                                                                                \
  G_STMT_END

/* The figure has only a sheet's columns, names a unit once, and writes totals in bold. Where it
 * is narrow, columns that need a wide place are left out first. */
static void
test_figure (void)
{
  g_autoptr (SeamTable) table = make_sheet_table ();
  g_autoptr (SeamFigure) figure = seam_table_figure_new (table, 800, g_strdup ("A table."));
  g_autoptr (SeamFigure) narrow = seam_table_figure_new (table, 300, NULL);
  g_autofree char *summary = seam_figure_summarize (figure);
  g_autofree char *bytes = seam_table_format_title (table, 3);
  g_autofree char *moved = seam_table_format_title (table, 4);

  g_assert_cmpstr (summary, ==, "A table.");
  g_assert_cmpstr (bytes, ==, "Bytes (MB)");
  g_assert_cmpstr (moved, ==, "B − A");
  g_assert_cmpint (seam_grid_get_n_rows (figure), ==, 2);
  assert_cell (0, 0, SEAM_DASH, SEAM_INK_TEXT, FALSE, FALSE);
  assert_cell (0, 1, "a wide column", SEAM_INK_DIM, FALSE, FALSE);
  assert_cell (0, 2, "2.00", SEAM_INK_DIM, TRUE, FALSE);
  assert_cell (0, 3, "−1.00", SEAM_INK_GOOD, FALSE, FALSE);
  assert_cell (0, 4, "! +13.2", SEAM_INK_CAUTION, FALSE, TRUE);
  assert_cell (1, 1, "", SEAM_INK_TEXT, FALSE, TRUE);
  assert_cell (1, 2, "3.00 to 4.00", SEAM_INK_TEXT, FALSE, TRUE);
  assert_cell (1, 5, NULL, SEAM_INK_TEXT, FALSE, FALSE); /* left out */
  g_assert_false (isnan (seam_grid_get_column_x (figure, 1)));
  g_assert_true (isnan (seam_grid_get_column_x (narrow, 1)));
}

/* Checks the column's title and texts for these values in ns. */
static void
check_unit (const double *values, int n, const char *title, const char *const *expected)
{
  g_autoptr (SeamTable) table = seam_table_new (columns, G_N_ELEMENTS (columns));
  int column = seam_table_get_column_index (table, "median");
  g_autofree char *shown = NULL;

  for (int i = 0; i < n; i++)
    seam_table_append (table, i, -1)->cells[column].value = values[i];
  shown = seam_table_format_title (table, column);
  g_assert_cmpstr (shown, ==, title);
  for (int i = 0; i < n; i++) {
    g_autofree char *text = seam_table_format_cell (table, i, column);

    g_assert_cmpstr (text, ==, expected[i]);
  }
}

/* The largest value does not choose the unit if it would leave the others a single digit. */
static void
test_units (void)
{
  check_unit ((double[]){ 1.5e9, 3.123e6, 1.234e6 }, 3, "Median (ms)",
              (const char *const[]){ "1,500.000", "3.123", "1.234" });
  /* One small value among others does not change the unit. */
  check_unit ((double[]){ 1.5e9, 0.9e9, 1.234e6 }, 3, "Median (s)",
              (const char *const[]){ "1.500", "0.900", "0.001" });
  /* No unit suits values that differ by a factor of a million. */
  check_unit ((double[]){ 900e9, 5, 6 }, 3, "Median (ms)",
              (const char *const[]){ "900,000.000", "< 0.001", "< 0.001" });
  check_unit ((double[]){ 5 }, 1, "Median (ns)", (const char *const[]){ "5.000" });
}

/* ---- percentages ---- */

/* What the rows of a table are about. */
typedef struct {
  const SeamResult *result;
  const SeamRoofline *roofline;
} About;

static double
get_value (const SeamTable *table, int row, const char *column)
{
  return seam_table_get_row (table, row)->cells[seam_table_get_column_index (table, column)].value;
}

static double
expect_share (const SeamTable *table, int row, const About *about)
{
  double sum_ns = 0;

  for (int i = 0; i < seam_table_get_n_rows (table); i++) {
    const SeamTableRow *other = seam_table_get_row (table, i);

    if (other->plan == seam_table_get_row (table, row)->plan)
      sum_ns += get_value (table, i, "median");
  }
  return get_value (table, row, "median") / sum_ns;
}

static double
expect_attained (const SeamTable *table, int row, const About *about)
{
  return get_value (table, row, "rate") / about->roofline->points[row].attainable;
}

static double
expect_apart (const SeamTable *table, int row, const About *about)
{
  return get_value (table, row, "measured") / get_value (table, row, "modelled") - 1;
}

/* The columns of percentages and the fractions in their cells, computed anew. */
static const struct {
  const char *column;
  double (*expect) (const SeamTable *table, int row, const About *about);
} percentages[] = {
  { "share", expect_share },
  { "attained", expect_attained },
  { "apart", expect_apart },
};

/* A kernel's counter, which is in percent of a peak; NaN: the column shows none. */
static double
get_counter (const SeamColumn *column, const SeamTableRow *row, const About *about)
{
  const SeamField *field =
      column->value != NULL ? seam_record_find (&seam_kernel_type, column->value) : NULL;

  if (field == NULL || row->index >= about->result->plans[row->plan].n_kernels)
    return NAN;
  g_assert_cmpstr (field->unit, ==, "%");
  return G_STRUCT_MEMBER (double, &about->result->plans[row->plan].kernels[row->index],
                          field->offset)
         / 100;
}

/* A percentage of a column that no test knows is at least in the range of fractions. */
static void
check_cell (const SeamTable *table, int row, int column, const About *about, double *largest)
{
  const SeamColumn *own = seam_table_get_column (table, column);
  double value = seam_table_get_row (table, row)->cells[column].value;
  double expected = get_counter (own, seam_table_get_row (table, row), about);
  g_autofree char *text = seam_table_format_cell (table, row, column);

  for (gsize i = 0; i < G_N_ELEMENTS (percentages); i++)
    if (strcmp (own->name, percentages[i].column) == 0)
      expected = percentages[i].expect (table, row, about);
  if (!isnan (expected))
    g_assert_cmpfloat (fabs (value - expected), <=, 1e-9 * fabs (expected));
  if (isnan (value))
    return;
  g_assert_cmpfloat (fabs (value), <=, own->kind == SEAM_CELL_PERCENT ? 2 : 10);
  *largest = fmax (*largest, fabs (value));
  if (own->kind == SEAM_CELL_PERCENT && value >= .01)
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (text, NULL), 100 * value, .0501);
}

static void
check_table (const SeamTable *table, const About *about, GHashTable *largest)
{
  for (int c = 0; c < seam_table_get_n_columns (table); c++) {
    const SeamColumn *column = seam_table_get_column (table, c);
    double *of_column = g_hash_table_lookup (largest, column->name);

    if (column->kind != SEAM_CELL_PERCENT && column->kind != SEAM_CELL_APART)
      continue;
    if (of_column == NULL) {
      of_column = g_new0 (double, 1);
      g_hash_table_insert (largest, g_strdup (column->name), of_column);
    }
    for (int r = 0; r < seam_table_get_n_rows (table); r++)
      check_cell (table, r, c, about, of_column);
  }
}

/* The records themselves: what is called percent is 0 to 100. */
static void
check_counters (const SeamResult *result, GHashTable *largest)
{
  for (int p = 0; p < result->n_plans; p++)
    for (int k = 0; k < result->plans[p].n_kernels; k++)
      SEAM_FOR_EACH_FIELD (field, &seam_kernel_type)
      {
        const SeamKernel *kernel = &result->plans[p].kernels[k];
        double *of_field = g_hash_table_lookup (largest, field->name);

        g_assert_true (g_str_has_suffix (field->name, "_percent")
                       == (g_strcmp0 (field->unit, "%") == 0));
        if (!g_str_has_suffix (field->name, "_percent"))
          continue;
        if (of_field == NULL) {
          of_field = g_new0 (double, 1);
          g_hash_table_insert (largest, g_strdup (field->name), of_field);
        }
        *of_field = fmax (*of_field, G_STRUCT_MEMBER (double, kernel, field->offset) / 100);
      }
}

static void
check_result (const SeamResult *result, GHashTable *largest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, &error);
  g_autoptr (SeamTable) kernels = seam_kernels_table_make (result, 0);

  g_assert_no_error (error);
  check_counters (result, largest);
  check_table (kernels, &(About){ result }, largest);
  for (int p = 0; p < result->n_plans; p++) {
    g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, p, &error);
    g_autoptr (SeamRoofline) roofline = seam_roofline_new (result, p, -1, &error);

    g_assert_no_error (error);
    g_autoptr (SeamTrafficLedger) ledger =
        seam_traffic_ledger_new (problem, plan, NULL, result, p, -1, NULL);
    g_autoptr (SeamTable) points = seam_roofline_table_make (roofline);
    g_autoptr (SeamTable) groups = seam_groups_table_make (ledger);
    check_table (points, &(About){ result, roofline }, largest);
    check_table (groups, &(About){ result }, largest);
  }
}

/* No other file makes a table with a percentage, which test_percentages() would not see. */
static void
check_files (const char *folder)
{
  static const char *const walked[] = { "groups-table.c", "kernels-table.c", "roofline-points.c",
                                        "table.c", NULL };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      check_files (path);
    else if (g_str_has_suffix (name, ".c") && !g_strv_contains (walked, name)
             && g_file_get_contents (path, &text, NULL, NULL)
             && (strstr (text, "SEAM_CELL_PERCENT") != NULL
                 || strstr (text, "SEAM_CELL_APART") != NULL))
      g_error ("%s has a percentage: check its table in check_result(), and list it here", path);
  }
}

/* Cells of percentages are fractions, in each table of each recorded run of a GPU, and what the
 * records call percent is not. */
static void
test_percentages (void)
{
  g_autofree char *folder = g_build_filename (seam_data_dir (), "samples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) largest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter each;
  gpointer name, value;

  g_assert_nonnull (dir);
  for (const char *file; (file = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, file, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSession) session =
        g_str_has_prefix (file, "h200-") ? seam_session_load (path, &error) : NULL;

    g_assert_no_error (error);
    for (guint i = 0; session != NULL && i < seam_session_get_n_runs (session); i++) {
      g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, &error);

      g_assert_no_error (error);
      check_result (run->result, largest);
    }
  }
  /* Every percentage is large somewhere; a fraction of a percent nowhere. The samples are older
   * than the counter l2_percent. */
  g_hash_table_iter_init (&each, largest);
  while (g_hash_table_iter_next (&each, &name, &value))
    if (!(*(double *)value > .05 && *(double *)value < 10)
        && !(strcmp (name, "l2_percent") == 0 && *(double *)value == 0))
      g_error ("%s: the largest is %g, as a fraction", (char *)name, *(double *)value);
  g_assert_cmpuint (g_hash_table_size (largest), >=, G_N_ELEMENTS (percentages) + 4);
  check_files (g_getenv ("SEAMSCOPE_TEST_APP"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/table/cells", test_cells);
  g_test_add_func ("/report/table/units", test_units);
  g_test_add_func ("/report/table/text", test_text);
  g_test_add_func ("/report/table/kernels", test_kernels);
  g_test_add_func ("/report/table/figure", test_figure);
  g_test_add_func ("/report/table/percentages", test_percentages);
  return g_test_run ();
}
