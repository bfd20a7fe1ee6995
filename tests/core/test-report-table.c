/* SPDX-License-Identifier: MIT
 *
 * Tables for people: units, unknown values, alignment, and the kernels of a result.
 */
#include "app/report/kernels.h"

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

/* Columns of other places are left out, and control characters are not printed. */
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

/* What the table shows of a kernel is what the CSV says. */
static void
test_kernels (void)
{
  SeamKernel kernels[2];
  SeamPlanResult plan = { .notation = (char *)"conv|relu", .n_kernels = 2, .kernels = kernels };
  SeamResult result = { .n_plans = 1, .plans = &plan, .pipeline_id = (char *)"p" };
  g_autoptr (SeamTable) table = NULL;
  g_autofree char *rate = NULL, *share = NULL, *gaps = NULL, *name = NULL;

  for (int i = 0; i < 2; i++) {
    seam_kernel_init (&kernels[i]);
    kernels[i].short_name = (char *)"k";
    kernels[i].median_ns = 1e6 * (i + 1);
    kernels[i].bytes = 3e9;
  }
  plan.kernels_sum_median_ns = 4e6;
  plan.span_median_ns = 5e6;
  table = seam_kernels_table_make (&result, "A");
  g_assert_cmpint (seam_table_get_n_rows (table), ==, 3);
  g_assert_cmpint (seam_table_get_row (table, 2)->index, ==, SEAM_ROW_GAPS);
  name = seam_table_format_cell (table, 1, 0);
  g_assert_cmpstr (name, ==, "A");
  for (int c = 0; c < seam_table_get_n_columns (table); c++) {
    const char *column = seam_table_get_column (table, c)->name;

    if (strcmp (column, "rate") == 0)
      rate = seam_table_format_cell (table, 1, c);
    if (strcmp (column, "share") == 0)
      share = seam_table_format_cell (table, 1, c);
    if (strcmp (column, "median") == 0)
      gaps = seam_table_format_cell (table, 2, c);
  }
  g_assert_cmpstr (rate, ==, "1.50");
  g_assert_cmpstr (share, ==, "50.0");
  g_assert_cmpstr (gaps, ==, "1.000");
  g_clear_error (&result.pipeline_error); /* there is none to draw the ops of */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/table/cells", test_cells);
  g_test_add_func ("/report/table/text", test_text);
  g_test_add_func ("/report/table/kernels", test_kernels);
  return g_test_run ();
}
