/* SPDX-License-Identifier: MIT
 *
 * Figures of ledger and waterfall: the cells show the ledger's numbers, traffic that is gone is
 * struck through, bars are true to scale and add up, nothing lies outside; and the tables behind
 * them.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/base/error.h"
#include "app/figure/grid.h"
#include "app/figure/waterfall-figure.h"
#include "app/report/groups-table.h"
#include "app/report/ledger-table.h"
#include "app/report/waterfall-csv.h"
#include "tests/core/csv-fixture.h"

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

static SeamTrafficLedger *
make_ledger (const SeamResult *result)
{
  g_autoptr (SeamProblem) problem = fixture_problem (result->pipeline_id, result->preset);
  g_autoptr (SeamPlan) a = fixture_plan (problem, result->plans[0].notation);
  g_autoptr (SeamPlan) b = fixture_plan (problem, result->plans[1].notation);

  return seam_traffic_ledger_new (problem, a, b, result, 0, 1, NULL);
}

static SeamFigure *
draw_ledger (const SeamTrafficLedger *ledger, double width)
{
  g_autoptr (SeamTable) table = seam_ledger_table_make (ledger);

  return seam_table_figure_new (table, width, NULL);
}

#define assert_cell(row, column, expected, is_struck)                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const SeamGridCell *cell = seam_grid_get_cell (figure, row, column);                           \
    g_assert_cmpstr (cell->text, ==, expected);                                                    \
    g_assert_true (cell->struck == (is_struck));                                                   \
  }                                                                                                \
  G_STMT_END

/* Row by row; the bytes follow from the shapes. */
static void
test_cells (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
  g_autoptr (SeamFigure) figure = draw_ledger (ledger, 900);

  g_assert_cmpint (seam_grid_get_n_rows (figure), ==, 10);
  assert_cell (0, 0, "input", FALSE);
  assert_cell (0, 3, SEAM_DASH, FALSE);
  assert_cell (0, 4, "0.27", FALSE);
  assert_cell (0, 7, "0", FALSE);
  assert_cell (1, 0, "conv2d", FALSE);
  assert_cell (1, 1, "[128, 32, 254, 254]", FALSE);
  assert_cell (1, 2, "1.06", FALSE);
  assert_cell (1, 6, "2.11", FALSE);
  assert_cell (1, 7, "+1.06", FALSE);
  assert_cell (5, 0, "sigmoid", FALSE);
  assert_cell (5, 3, "1.06", FALSE);
  assert_cell (5, 4, "2.11", FALSE);
  assert_cell (5, 5, "1.06", TRUE);
  assert_cell (5, 6, "2.11", TRUE);
  assert_cell (5, 7, "−3.17", FALSE);
  assert_cell (6, 5, "1.06", FALSE);
  assert_cell (7, 0, "6 parameters", FALSE);
  assert_cell (7, 4, "< 0.01", FALSE);
  assert_cell (8, 0, "Modelled", FALSE);
  assert_cell (8, 4, "12.95", FALSE);
  assert_cell (8, 6, "4.50", FALSE);
  assert_cell (8, 7, "−8.46", FALSE);
  assert_cell (9, 0, "DRAM counters", FALSE);
  assert_cell (9, 4, SEAM_DASH, FALSE);
  assert_cell (9, 6, SEAM_DASH, FALSE);
}

static void
test_groups (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamKernel *kernels = result->plans[1].kernels;
  g_autoptr (SeamTrafficLedger) ledger = NULL;
  g_autoptr (SeamTable) table = NULL;
  g_autoptr (SeamFigure) figure = NULL;

  kernels[0].dram_bytes_read = .3e9;
  kernels[0].dram_bytes_written = 1.2e9;
  ledger = make_ledger (result);
  table = seam_groups_table_make (ledger);
  figure = seam_table_figure_new (table, 1200, NULL);
  g_assert_cmpint (seam_grid_get_n_rows (figure), ==, 8);
  assert_cell (5, 1, "groupnorm", FALSE);
  assert_cell (5, 2, "2", FALSE);
  assert_cell (5, 6, "1.06", FALSE);
  assert_cell (5, 8, "3.17", FALSE);
  assert_cell (5, 9, SEAM_DASH, FALSE);
  assert_cell (6, 0, "B", FALSE);
  assert_cell (6, 9, "1.50", FALSE);
  assert_cell (6, 10, "! +13.2", FALSE);
  g_assert_cmpint (seam_grid_get_cell (figure, 6, 10)->ink, ==, SEAM_INK_CAUTION);
  assert_cell (7, 10, SEAM_DASH, FALSE);
}

/* A dash if nothing moves or nothing is known; signs and letters of the second plan. */
static void
test_format (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
  g_autoptr (SeamTable) table = NULL;
  g_autoptr (SeamTable) alone = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autofree char *title = NULL;

  ledger->letters[1] = 'C';
  ledger->rows[0].bytes = 1e3;
  ledger->rows[0].sides[1].written = NAN;
  ledger->rows[0].sides[0].written = 0;
  table = seam_ledger_table_make (ledger);
  figure = seam_table_figure_new (table, 900, NULL);
  title = seam_table_format_title (table, 7);
  g_assert_cmpstr (title, ==, "C − A (GB)");
  assert_cell (0, 2, "< 0.01", FALSE);
  assert_cell (0, 3, SEAM_DASH, FALSE);
  assert_cell (0, 5, SEAM_DASH, FALSE);
  g_assert_cmpint (seam_grid_get_cell (figure, 5, 7)->ink, ==, SEAM_INK_GOOD);
  ledger->n_sides = 1;
  alone = seam_ledger_table_make (ledger);
  g_assert_true (seam_table_is_shown (alone, 4, SEAM_SHOWN_ON_SHEET));
  for (int c = 5; c < 8; c++)
    g_assert_false (seam_table_is_shown (alone, c, SEAM_SHOWN_ON_SHEET));
}

/* Optional columns go first, then the first column shrinks; numbers never do. */
static void
test_columns (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamTrafficLedger) ledger = make_ledger (result);
  g_autoptr (SeamFigure) wide = draw_ledger (ledger, 1000);
  g_autoptr (SeamFigure) narrow = draw_ledger (ledger, 560);

  g_assert_false (isnan (seam_grid_get_column_x (wide, 1)));
  g_assert_true (isnan (seam_grid_get_column_x (narrow, 1)));
  g_assert_cmpfloat (narrow->width, ==, 560);
  for (int c = 3; c < 8; c++) {
    g_assert_cmpfloat (seam_grid_get_column_x (wide, c), >, seam_grid_get_column_x (wide, c - 1));
    g_assert_cmpfloat (seam_grid_get_column_x (wide, c), <, 1000);
  }
  ink_assert_inside (wide, "wide ledger");
  ink_assert_inside (narrow, "narrow ledger");
}

/* ---- waterfall ---- */

static void
test_waterfall_layout (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamResult) result = fixture_result (pipelines[p], "kernelbench", "published");
    g_autoptr (SeamWaterfall) waterfall = seam_waterfall_new (result, 0, 1, NULL);
    SeamWaterfallLayout *layout = seam_waterfall_layout_new (waterfall, 460, 0);

    g_assert_cmpint (layout->n_rows, ==, waterfall->n_steps);
    g_assert_cmpfloat (layout->rows[0].bar.x, ==, layout->plot.x);
    g_assert_cmpfloat (layout->rows[layout->n_rows - 1].bar.x, ==, layout->plot.x);
    g_assert_cmpfloat_with_epsilon (layout->rows[layout->n_rows - 1].bar.width
                                        / layout->rows[0].bar.width,
                                    result->plans[1].median_ns / result->plans[0].median_ns, 1e-6);
    for (int i = 0; i < layout->n_rows; i++) {
      const SeamWaterfallStep *step = &waterfall->steps[i];
      const SeamRect *bar = &layout->rows[i].bar;
      double length = fabs (step->to_ns - step->from_ns) * seam_axis_get_density (&layout->axis);

      g_assert_cmpfloat_with_epsilon (bar->width, fmax (1, length), 1e-6);
      g_assert_cmpfloat_with_epsilon (
          bar->x, seam_axis_get_px (&layout->axis, fmin (step->from_ns, step->to_ns)), 1e-6);
      /* A step begins where the step before ended. */
      if (i > 0 && i + 1 < layout->n_rows)
        g_assert_cmpfloat_with_epsilon (layout->rows[i - 1].join_x,
                                        seam_axis_get_px (&layout->axis, step->from_ns), 1e-6);
    }
    seam_owner_free (layout);
  }
}

static void
test_waterfall_figure (void)
{
  static const double widths[] = { 320, 460, 1200 };
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamWaterfall) waterfall = seam_waterfall_new (result, 0, 1, NULL);

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (SeamFigure) figure = seam_waterfall_figure_new (waterfall, widths[w], 0);
    g_autofree char *summary = seam_figure_summarize (figure);

    ink_assert_inside (figure, "waterfall");
    for (int i = 0; i < waterfall->n_steps; i++) {
      SeamHit hit = { .kind = SEAM_HIT_OP, .index = i };

      ink_assert_pick (figure, &hit, "waterfall");
    }
    g_assert_nonnull (strstr (summary, "conv_bias −0.542 ms"));
    g_assert_nonnull (strstr (summary, "not traced"));
  }
}

/* B slower than A, and traced times that exceed the elapsed ones: bars stay inside. */
static void
test_waterfall_odd (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamWaterfall) back = NULL;
  g_autoptr (SeamWaterfall) odd = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autoptr (SeamFigure) other = NULL;

  back = seam_waterfall_new (result, 1, 0, NULL);
  figure = seam_waterfall_figure_new (back, 460, 0);
  ink_assert_inside (figure, "slower");
  result->plans[0].median_ns /= 3;
  odd = seam_waterfall_new (result, 0, 1, NULL);
  other = seam_waterfall_figure_new (odd, 460, 0);
  ink_assert_inside (other, "more gone than there was");
}

static void
test_page (void)
{
  static const double widths[] = { 600, 900, 1260, 2400 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < 2 * G_N_ELEMENTS (widths); w++) {
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamResult) result =
          fixture_result (pipelines[p], "kernelbench", w % 2 ? "full" : "published");
      g_autoptr (SeamFigure) page =
          seam_traffic_sheet_new (result, 0, w % 4 == 3 ? -1 : 1, widths[w / 2], &error);

      g_assert_no_error (error);
      ink_assert_inside (page, pipelines[p]);
    }
}

static void
test_page_errors (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "tiny", "published");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) page = NULL;

  g_assert_null (seam_traffic_sheet_new (result, 0, 2, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  /* Without times, the ledger is still there, and the page says why it has no waterfall. */
  result->plans[1].median_ns = NAN;
  page = seam_traffic_sheet_new (result, 0, 1, 900, &error);
  g_assert_no_error (error);
  ink_assert_inside (page, "not timed");
}

/* ---- tables ---- */

static int
count_lines (const char *csv)
{
  int n = 0;

  for (const char *p = csv; (p = strstr (p, "\r\n")) != NULL; p += 2)
    n++;
  return n;
}

static void
test_csv (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (GError) error = NULL;
  g_autofree char *ledger = NULL, *traffic = NULL, *waterfall = NULL;

  result->plans[1].kernels[0].dram_bytes_read = .3e9;
  result->plans[1].kernels[0].dram_bytes_written = 1.2e9;
  ledger = seam_ledger_to_csv (result, &error);
  traffic = seam_traffic_to_csv (result, &error);
  waterfall = seam_waterfall_to_csv (result, 0, 1, &error);
  g_assert_no_error (error);

  g_assert_true (csv_has (
      ledger, "pipeline,plan,target,math_mode,shape,tensor,tensor_kind,dims,tensor_bytes,group,"
              "ops,written_bytes,read_bytes,reread_bytes,pitfalls,storage\r\n"));
  /* Unfused: a read and a write for each group, and six parameters; published: two groups. */
  g_assert_cmpint (count_lines (ledger), ==, 1 + (12 + 6) + (4 + 6));
  g_assert_true (csv_has (ledger, ",sigmoid,activation,128x32x254x254,1057030144,5,groupnorm,0,"
                                  "1057030144,1057030144,,fp32\r\n"));
  g_assert_true (csv_has (ledger,
                          ",groupnorm,output,128x32x254x254,1057030144,1,"
                          "conv_bias+bias+scale+sigmoid+groupnorm,1057030144,0,0,,fp32\r\n"));

  g_assert_true (csv_has (
      traffic, "pipeline,plan,target,math_mode,l2_state,shape,group,ops,executed,n_kernels,"
               "kernels_sum_median_ns,modelled_written_bytes,modelled_read_bytes,"
               "modelled_reread_bytes,copied_bytes,modelled_bytes,dram_bytes_read,"
               "dram_bytes_written,apart,remark,program_version,pitfalls,storage\r\n"));
  g_assert_cmpint (count_lines (traffic), ==, 1 + 6 + 2);
  g_assert_nonnull (strstr (traffic, ",300000000,1200000000,0.13"));
  g_assert_nonnull (strstr (traffic, "more moved than modelled"));
  /* An unmeasured number is an empty field. */
  g_assert_true (csv_has (traffic, ",3171091072,,,,,0.1.0,,fp32\r\n"));

  g_assert_true (csv_has (
      waterfall, "pipeline,plan_a,plan_b,target,math_mode,shape,step,kind,label,group_a,group_b,"
                 "from_ns,to_ns,delta_ns,detail,program_version,pitfalls,storage\r\n"));
  g_assert_nonnull (strstr (waterfall, ",0,start,A Unfused,,,0,"));
  g_assert_nonnull (strstr (waterfall, ",gone,conv_bias,1,,"));
  g_assert_nonnull (strstr (waterfall, ",remainder,not traced,,,"));

  g_autoptr (SeamResult) bare = fixture_reread (result, NULL);
  g_assert_null (seam_ledger_to_csv (bare, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_clear_error (&error);
  g_assert_null (seam_traffic_to_csv (bare, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/traffic/cells", test_cells);
  g_test_add_func ("/figure/traffic/groups", test_groups);
  g_test_add_func ("/figure/traffic/format", test_format);
  g_test_add_func ("/figure/traffic/columns", test_columns);
  g_test_add_func ("/figure/traffic/waterfall-layout", test_waterfall_layout);
  g_test_add_func ("/figure/traffic/waterfall-figure", test_waterfall_figure);
  g_test_add_func ("/figure/traffic/waterfall-odd", test_waterfall_odd);
  g_test_add_func ("/figure/traffic/page", test_page);
  g_test_add_func ("/figure/traffic/page-errors", test_page_errors);
  g_test_add_func ("/figure/traffic/csv", test_csv);
  return g_test_run ();
}
