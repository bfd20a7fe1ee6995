/* SPDX-License-Identifier: MIT
 *
 * Maps: the scale, the colours of cells, worst values that survive cells smaller than pixels, hits,
 * and the size of slices. Also the axes that all figures share.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/figure/map-common.h"

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };
static const char *const presets[] = { "tiny", "laptop", "kernelbench" };

static void
test_scale (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 3.3, FALSE);

  for (int relative = 0; relative < 2; relative++) {
    SeamMapScale scale = seam_map_scale_for (difference, relative);
    double largest = relative ? difference->max_rel : difference->max_abs, last = -1;
    double divisor = relative ? difference->max_abs_b : 1, values[16];
    int n = seam_map_scale_ticks (&scale, values, 16);

    g_assert_cmpfloat (scale.low, >, 0);
    g_assert_cmpfloat (scale.high, >, scale.low);
    g_assert_cmpfloat (scale.high, >=, largest);
    g_assert_cmpfloat_with_epsilon (scale.divisor, divisor, 1e-12);
    g_assert_cmpfloat (seam_map_scale_position (&scale, 0), ==, 0);
    g_assert_cmpfloat (seam_map_scale_position (&scale, NAN), ==, 0);
    g_assert_cmpfloat (seam_map_scale_position (&scale, 1e9), ==, 1);
    for (double v = scale.low / 3; v < scale.high * 2; v *= 1.07) {
      double t = seam_map_scale_position (&scale, v * divisor);

      g_assert_cmpfloat (t, >=, last);
      g_assert_cmpfloat (t, <=, 1);
      last = t;
    }
    /* Logarithmic: the middle of the scale is the geometric mean. */
    g_assert_cmpfloat_with_epsilon (
        seam_map_scale_position (&scale, divisor * sqrt (scale.low * scale.high)), .5, 1e-9);
    g_assert_cmpint (n, >=, 3);
    for (int i = 1; i < n; i++)
      g_assert_cmpfloat (values[i], <, values[i - 1]);
    g_assert_cmpfloat (values[0], ==, scale.high);
    g_assert_cmpfloat (values[n - 1], ==, scale.low);
  }

  /* Equal outputs, and outputs of nothing but NaN, still have a scale. */
  difference->max_abs = 0;
  g_assert_cmpfloat (seam_map_scale_for (difference, FALSE).low, >, 0);
  difference->max_abs = NAN;
  g_assert_cmpfloat (seam_map_scale_for (difference, TRUE).high, >, 0);
  difference->max_abs_b = 0;
  g_assert_cmpfloat (seam_map_scale_for (difference, TRUE).divisor, >, 0);
}

/* If all elements agree, differences within tolerance get colours on request, on a scale of
 * their own. */
static void
test_within (void)
{
  SeamDifference difference = { .max_abs = 7e-7, .max_rel = 7e-7, .max_abs_b = 1 };
  SeamMapScale scale = seam_map_scale_within (&difference, SEAM_UNIT_ABSOLUTE);
  SeamSideNames names = { "A", "B" };
  g_autoptr (SeamFigure) legend = seam_map_legend_figure_new (&scale, &names, 112, 300);

  g_assert_true (seam_map_scale_for (&difference, SEAM_UNIT_ABSOLUTE).empty);
  g_assert_true (scale.within && !scale.empty);
  g_assert_cmpfloat (scale.high, >=, 7e-7);
  g_assert_cmpfloat (scale.high, <, 2e-6);
  g_assert_nonnull (strstr (legend->summary, "equal elements have no colour"));
  difference.max_abs = 0;
  g_assert_true (seam_map_scale_within (&difference, SEAM_UNIT_ABSOLUTE).empty);
  difference.max_abs = 7e-7;
  difference.n_failing = 1;
  g_assert_false (seam_map_scale_within (&difference, SEAM_UNIT_ABSOLUTE).within);
}

static void
assert_format (double value, const char *expected)
{
  g_autofree char *text = seam_map_scale_format (value);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_scale_format (void)
{
  assert_format (3.5, "3.5");
  assert_format (.02, "0.02");
  assert_format (1e-4, "10⁻⁴");
  assert_format (2e-8, "2×10⁻⁸");
  assert_format (2.5e-7, "2.5×10⁻⁷");
}

/* The colour at a place in a cell (a fraction of its width and height), on the light palette. */
static guint32
get_color_at (SeamFigure *figure, gint64 row, gint64 column, double right, double down)
{
  const SeamPalette *palette = seam_palette_get (FALSE, FALSE);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)figure->width, (int)figure->height);
  cairo_t *cr = cairo_create (surface);
  SeamHit hit = { .kind = SEAM_HIT_CELL, .row = row, .column = column };
  const guint32 *pixels;
  guint32 color;
  SeamRect rect;

  seam_palette_set_source (cr, &palette->card);
  cairo_paint (cr);
  seam_figure_draw (figure, cr, palette);
  cairo_surface_flush (surface);
  g_assert_true (seam_figure_locate (figure, &hit, &rect));
  pixels = (const guint32 *)(const void *)(cairo_image_surface_get_data (surface)
                                           + (gsize)(rect.y + rect.height * down)
                                                 * cairo_image_surface_get_stride (surface));
  color = pixels[(int)(rect.x + rect.width * right)] & 0xffffff;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return color;
}

static guint32
get_color (SeamFigure *figure, gint64 row, gint64 column)
{
  return get_color_at (figure, row, column, .5, .5);
}

/* Beside the number in a large cell. */
static guint32
get_color_beside (SeamFigure *figure, gint64 row, gint64 column)
{
  return get_color_at (figure, row, column, .1, .1);
}

static guint32
pack (SeamColor color)
{
  return (guint32)lround (color.r * 255) << 16 | (guint32)lround (color.g * 255) << 8
         | (guint32)lround (color.b * 255);
}

/* A small matrix problem: 12 rows, 10 columns. */
static SeamProblem *
small_problem (const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("76", &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", shape, &error);

  g_assert_no_error (error);
  return problem;
}

static void
test_cell_colours (void)
{
  const guint32 card = 0xffffff, magenta = 0xd0009c;
  g_autoptr (SeamProblem) problem = small_problem ("batch=12,out_features=10");
  g_autoptr (SeamSlice) slice = seam_slice_new (12, 10);
  SeamMapOptions options = { .width = 420,
                             .height = 420,
                             .scale = { .low = .01, .high = 1, .divisor = 1 },
                             .spec = { .atol = 1e-3, .rtol = 0 } };
  g_autoptr (SeamFigure) figure = NULL;

  for (int i = 0; i < 120; i++)
    slice->a[i] = slice->b[i] = .5f;
  slice->a[1] += .0005f; /* within tolerance */
  slice->a[2] += .1f;    /* the geometric middle of the scale */
  slice->a[3] += .002f;  /* fails, under the scale */
  slice->a[4] += 5.f;    /* over the scale */
  slice->b[5] = NAN;
  slice->a[6] = slice->b[6] = INFINITY; /* equal */
  slice->a[7] = INFINITY;
  slice->a[11 * 10 + 9] += 1.f;
  figure = seam_slice_figure_new (problem, slice, &options);

  g_assert_cmphex (get_color (figure, 0, 0), ==, card);
  g_assert_cmphex (get_color (figure, 0, 1), ==, card);
  g_assert_cmphex (get_color (figure, 0, 2), ==, pack (seam_palette_viridis (.5)));
  g_assert_cmphex (get_color (figure, 0, 3), ==, pack (seam_palette_viridis (0)));
  g_assert_cmphex (get_color (figure, 0, 4), ==, pack (seam_palette_viridis (1)));
  /* A failing cell is magenta, with a cross in its middle. */
  g_assert_cmphex (get_color_at (figure, 0, 5, .5, .1), ==, magenta);
  g_assert_cmphex (get_color (figure, 0, 5), !=, magenta);
  g_assert_cmphex (get_color (figure, 0, 6), ==, card);
  g_assert_cmphex (get_color_at (figure, 0, 7, .5, .1), ==, magenta);
  g_assert_cmphex (get_color (figure, 11, 9), ==, pack (seam_palette_viridis (1)));
  g_assert_cmphex (get_color (figure, 5, 5), ==, card);
}

/* One failing cell among 512 x 512 is visible on a map of 150 px, wherever it is. */
static void
test_worst_is_kept (void)
{
  g_autoptr (SeamProblem) problem = small_problem ("batch=512,out_features=512");

  for (gint64 at = 0; at < 512; at += 73) {
    SeamDifferenceSpec spec = {
      .rows = 512, .columns = 512, .plane = 1, .rows_per_cell = 1, .columns_per_cell = 1
    };
    g_autoptr (SeamDifference) difference = seam_difference_new (&spec);
    SeamMapOptions options = { .width = 242,
                               .height = 220,
                               .scale = { .low = .01, .high = 1, .divisor = 1 } };
    gint64 row = at, column = 511 - at;
    g_autoptr (SeamFigure) figure = NULL;

    difference->n_elements = 512 * 512;
    difference->n_failing = 1;
    difference->max_abs = 1;
    difference->cells[row * 512 + column] = 1;
    difference->failing[row * 512 + column] = 1;
    figure = seam_overview_figure_new (problem, difference, &options);
    g_assert_cmphex (get_color (figure, row, column), ==, pack (seam_palette_viridis (1)));
    g_assert_cmphex (get_color (figure, 511 - row, 511 - column), ==, 0xffffff);
  }
}

static void
test_hits_and_ink (void)
{
  const double sizes[][2] = { { 260, 240 }, { 492, 470 }, { 900, 500 }, { 1600, 1700 } };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint r = 0; r < G_N_ELEMENTS (presets); r++) {
      g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], presets[r]);
      g_autoptr (SeamDifference) difference = fixture_difference (problem, .5, TRUE);
      gint64 rows, columns, plane;

      const SeamShapeView view = seam_problem_get_output_view (problem);
      rows = view.outer;
      columns = view.channels;
      plane = view.inner;
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
        SeamMapOptions options = { .width = sizes[s][0],
                                   .height = sizes[s][1],
                                   .scale = seam_map_scale_for (difference, s % 2),
                                   .spec = { .atol = 1e-3, .rtol = 1e-3 },
                                   .frame_rows = 1,
                                   .frame_columns = 1,
                                   .frame_row = rows - 1,
                                   .frame_column = columns - 1,
                                   .n_groups = seam_problem_get_n_groups (problem) };
        g_autoptr (SeamFigure) overview = seam_overview_figure_new (problem, difference, &options);
        g_autoptr (SeamSlice) slice = NULL;
        g_autoptr (SeamFigure) figure = NULL;
        gint64 n_rows, n_columns;

        ink_assert_inside (overview, "overview");
        for (gint64 i = 0; i < difference->n_cell_rows; i += 1 + difference->n_cell_rows / 5)
          for (gint64 j = 0; j < difference->n_cell_columns;
               j += 1 + difference->n_cell_columns / 5)
            ink_assert_pick (overview, &(SeamHit){ .kind = SEAM_HIT_CELL, .row = i, .column = j },
                             "overview cell");

        seam_slice_choose_size (sizes[s][0], sizes[s][1],
                                plane > 1 ? view.inner / view.width : rows,
                                plane > 1 ? view.width : columns, 256, &n_rows, &n_columns);
        slice = fixture_slice (problem, n_rows, n_columns, .5);
        g_assert_cmpint (slice->n_rows, ==, n_rows);
        g_assert_cmpint (slice->n_columns, ==, n_columns);
        figure = seam_slice_figure_new (problem, slice, &options);
        ink_assert_inside (figure, "slice");
        for (gint64 i = 0; i < n_rows; i += 1 + n_rows / 5)
          for (gint64 j = 0; j < n_columns; j += 1 + n_columns / 5) {
            SeamHit hit = { .kind = SEAM_HIT_CELL,
                            .row = slice->first_row + i,
                            .column = slice->first_column + j };
            SeamRect cell;

            ink_assert_pick (figure, &hit, "slice element");
            g_assert_true (seam_figure_locate (figure, &hit, &cell));
            /* Cells are squares of whole pixels. */
            g_assert_cmpfloat_with_epsilon (cell.width, round (cell.width), 1e-9);
            if (n_rows * cell.width >= 48 && n_columns * cell.width >= 48)
              g_assert_cmpfloat_with_epsilon (cell.width, cell.height, 1e-9);
          }
        figure->hover =
            (SeamHit){ .kind = SEAM_HIT_CELL, .row = slice->first_row, .column = 1000000 };
        ink_assert_inside (figure, "pointer outside");
      }
    }
}

/* Both sides share one scale: the same value has the same colour on either side. */
static void
test_values (void)
{
  g_autoptr (SeamSlice) slice = seam_slice_new (2, 2);
  double low, high;

  slice->a[0] = -1, slice->a[1] = 3, slice->a[2] = 1, slice->a[3] = NAN;
  slice->b[0] = 3, slice->b[1] = 0, slice->b[2] = 1, slice->b[3] = 7;
  seam_slice_get_range (slice, &low, &high);
  g_assert_cmpfloat (low, ==, -1);
  g_assert_cmpfloat (high, ==, 7);
  for (int i = 0; i < 4; i++)
    slice->a[i] = slice->b[i] = 2;
  seam_slice_get_range (slice, &low, &high);
  g_assert_cmpfloat (low, ==, 2);
  g_assert_cmpfloat (high, >, 2);
  for (int i = 0; i < 4; i++)
    slice->a[i] = slice->b[i] = NAN;
  seam_slice_get_range (slice, &low, &high);
  g_assert_cmpfloat (low, <, high);

  g_autoptr (SeamProblem) problem = small_problem ("batch=12,out_features=10");
  g_autoptr (SeamSlice) wide = seam_slice_new (12, 10);
  SeamMapOptions options = {
    .width = 420, .height = 420, .view_name = "B", .scale = { .low = .01, .high = 1, .divisor = 1 }
  };
  for (int i = 0; i < 120; i++)
    wide->a[i] = wide->b[i] = 2;
  wide->a[0] = 0, wide->b[1] = 4, wide->b[2] = 0, wide->a[3] = NAN;
  options.view = SEAM_VIEW_TESTED;
  g_autoptr (SeamFigure) tested = seam_slice_figure_new (problem, wide, &options);
  options.view = SEAM_VIEW_AGAINST;
  g_autoptr (SeamFigure) against = seam_slice_figure_new (problem, wide, &options);
  g_assert_cmphex (get_color (tested, 0, 0), ==, pack (seam_palette_viridis (0)));
  g_assert_cmphex (get_color (against, 0, 2), ==, pack (seam_palette_viridis (0)));
  g_assert_cmphex (get_color (against, 0, 1), ==, pack (seam_palette_viridis (1)));
  g_assert_cmphex (get_color (tested, 5, 5), ==, get_color (against, 5, 5));
  g_assert_cmphex (get_color_at (tested, 0, 3, .5, .1), ==, 0xd0009c);
  g_assert_cmphex (get_color_at (against, 0, 3, .5, .1), !=, 0xd0009c);
  g_autofree char *summary = seam_figure_summarize (tested);
  g_assert_true (g_str_has_suffix (summary, "It shows the values of B."));
}

/* Cells that were not compared are hatched; cells that were compared and agree are plain. */
static void
test_sampled (void)
{
  g_autoptr (SeamProblem) problem = small_problem ("batch=12,out_features=10");
  SeamDifferenceSpec spec = { .rows = 12, .columns = 10, .plane = 1 };
  guint32 first = 0;
  gboolean is_plain = TRUE, is_hatched = FALSE;

  seam_difference_choose_cells (&spec, 512);
  g_autoptr (SeamDifference) difference = seam_difference_new (&spec);
  difference->n_slices = 1;
  difference->n_looked = 10;
  difference->looked = g_new0 (guint32, 120);
  for (int j = 0; j < 10; j++)
    difference->looked[50 + j] = 1;
  difference->cells[50] = 1;
  difference->failing[50] = 1;
  difference->n_failing = 1;
  difference->max_abs = 1;
  SeamMapOptions options = { .width = 420, .height = 420 };
  options.scale = seam_map_scale_for (difference, FALSE);
  g_assert_true (options.scale.sampled);
  g_autoptr (SeamFigure) figure = seam_overview_figure_new (problem, difference, &options);
  g_assert_cmphex (get_color (figure, 5, 0), ==, pack (seam_palette_viridis (1)));
  for (int i = 0; i < 16; i++) {
    is_plain = is_plain && get_color_at (figure, 5, 5, i / 16.0, .5) == 0xffffff;
    first = i == 0 ? get_color_at (figure, 2, 5, 0, .5) : first;
    is_hatched = is_hatched || get_color_at (figure, 2, 5, i / 16.0, .5) != first;
  }
  g_assert_true (is_plain);
  g_assert_true (is_hatched);
  g_autofree char *summary = seam_figure_summarize (figure);
  g_assert_nonnull (
      strstr (summary, "1 of 10 elements outside tolerance, on 1 sampled slice, 8.33 %"));
}

/* In ULP: the overview by its own grid, the slice by its values, one scale over many decades. */
static void
test_ulps (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("76", "tiny");
  SeamDifferenceSpec spec = {
    .rows = 2, .columns = 2, .plane = 1, .rows_per_cell = 1, .columns_per_cell = 1
  };
  g_autoptr (SeamDifference) difference = seam_difference_new (&spec);
  g_autoptr (SeamSlice) slice = seam_slice_new (1, 2);
  SeamMapOptions options = { .width = 420, .height = 420 };
  g_autofree char *largest = NULL;
  double values[16];
  SeamMapUnit unit = SEAM_UNIT_ABSOLUTE;
  g_autoptr (GError) error = NULL;

  difference->cells[0] = difference->cells[1] = 1e-3f;
  difference->failing[0] = difference->failing[1] = 1;
  difference->n_failing = 2;
  difference->max_abs = 1e-3;
  difference->ulps[0] = 1000000000;
  difference->ulps[1] = 1000;
  seam_difference_finish_ulps (difference, 1000001000, 4);
  options.scale = seam_map_scale_for (difference, SEAM_UNIT_ULP);
  g_assert_cmpfloat (options.scale.high, ==, 1e9);
  g_assert_cmpfloat_with_epsilon (options.scale.low, 1000, 1e-6);
  g_assert_cmpfloat_with_epsilon (seam_map_scale_position (&options.scale, 1e6), .5, 1e-9);
  /* Only powers of ten, with both ends among them. */
  g_assert_cmpint (seam_map_scale_ticks (&options.scale, values, 16), ==, 7);
  g_assert_cmpfloat_with_epsilon (values[3], 1e6, 1e-3);
  largest = seam_map_format_largest (difference, SEAM_UNIT_ULP);
  g_assert_cmpstr (largest, ==, "1.0×10⁹ ULP");

  g_autoptr (SeamFigure) overview = seam_overview_figure_new (problem, difference, &options);
  g_assert_cmphex (get_color_beside (overview, 0, 0), ==, pack (seam_palette_viridis (1)));
  g_assert_cmphex (get_color_beside (overview, 0, 1), ==, pack (seam_palette_viridis (0)));

  /* 1 and the float that is 2^20 steps away; then equal values. */
  slice->a[0] = 1.125f;
  slice->b[0] = slice->a[1] = slice->b[1] = 1;
  options.scale.low = 1;
  options.scale.high = 0x1p20;
  g_autoptr (SeamFigure) figure = seam_slice_figure_new (problem, slice, &options);
  g_assert_cmphex (get_color_beside (figure, 0, 0), ==, pack (seam_palette_viridis (1)));
  g_assert_cmphex (get_color_beside (figure, 0, 1), ==, 0xffffff);

  /* A recorded run without ULP says so and colours nothing. */
  g_clear_pointer (&difference->ulps, g_free);
  difference->max_ulps = -1;
  options.scale = seam_map_scale_for (difference, SEAM_UNIT_ULP);
  g_autoptr (SeamFigure) unknown = seam_overview_figure_new (problem, difference, &options);
  g_assert_cmphex (get_color_beside (unknown, 0, 0), !=, pack (seam_palette_viridis (1)));

  g_assert_true (seam_map_unit_parse ("ULP", &unit, &error));
  g_assert_cmpint (unit, ==, SEAM_UNIT_ULP);
  g_assert_false (seam_map_unit_parse ("inches", &unit, &error));
  g_assert_nonnull (strstr (error->message, "abs, rel, ulp or bound, not “inches”"));
}

/* By the bound: from a thousandth of it to all of it, or from it to the largest, at most 10,000.
 * The largest share is not where the largest error is. */
static void
test_bound (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("76", "tiny");
  SeamDifferenceSpec spec = { .rows = 2,
                              .columns = 2,
                              .plane = 1,
                              .rows_per_cell = 1,
                              .columns_per_cell = 1,
                              .atol = 1,
                              .rtol = 1 };
  g_autoptr (SeamDifference) difference = seam_difference_new (&spec);
  const SeamSideNames names = { "FP64", "B" };
  SeamMapOptions options = { .width = 400, .height = 300, .spec = difference->spec };
  g_autoptr (SeamSlice) slice = seam_slice_new (1, 2);
  g_autofree char *title = NULL, *text = NULL;

  g_assert_cmpint (seam_map_unit_for (difference, SEAM_UNIT_BEST), ==, SEAM_UNIT_ABSOLUTE);
  seam_difference_add_shares (difference);
  g_assert_cmpint (seam_map_unit_for (difference, SEAM_UNIT_BEST), ==, SEAM_UNIT_ABSOLUTE);
  difference->spec.atol = difference->spec.rtol = options.spec.atol = options.spec.rtol = NAN;
  g_assert_cmpint (seam_map_unit_for (difference, SEAM_UNIT_BEST), ==, SEAM_UNIT_BOUND);
  g_assert_cmpint (seam_map_unit_for (difference, SEAM_UNIT_ULP), ==, SEAM_UNIT_ULP);

  difference->n_failing = 0;
  memset (difference->failing, 0, 4 * sizeof *difference->failing);
  difference->cells[0] = 1e-3f;
  difference->cells[1] = 1e-6f;
  difference->shares[0] = .001f;
  difference->shares[1] = 1;
  difference->max_abs = 1e-3;
  difference->max_bound_ratio = .43;
  g_assert_true (seam_map_describe_agreement (difference, SEAM_UNIT_BOUND, &title, &text));
  g_assert_cmpstr (text, ==, "At most 0.43 of the bound: a map of what is over it would be empty.");
  options.scale = seam_map_scale_within (difference, SEAM_UNIT_BOUND);
  g_assert_cmpfloat (options.scale.low, ==, .001);
  g_assert_cmpfloat (options.scale.high, ==, 1);
  g_autoptr (SeamFigure) within = seam_overview_figure_new (problem, difference, &options);
  g_assert_cmphex (get_color_beside (within, 0, 0), ==, pack (seam_palette_viridis (0)));
  g_assert_cmphex (get_color_beside (within, 0, 1), ==, pack (seam_palette_viridis (1)));
  g_autoptr (SeamFigure) legend = seam_map_legend_figure_new (&options.scale, &names, 100, 200);
  g_autofree char *words = seam_figure_summarize (legend);
  g_assert_nonnull (strstr (words, "over the bound of each element"));

  difference->n_failing = difference->failing[0] = 1;
  difference->shares[0] = G_MAXFLOAT;
  difference->max_bound_ratio = G_MAXDOUBLE;
  options.scale = seam_map_scale_for (difference, SEAM_UNIT_BOUND);
  g_assert_cmpfloat (options.scale.low, ==, 1);
  g_assert_cmpfloat (options.scale.high, ==, 1e4);
  g_autoptr (SeamFigure) wrong = seam_overview_figure_new (problem, difference, &options);
  g_assert_cmphex (get_color_beside (wrong, 0, 0), ==, pack (seam_palette_viridis (1)));
  g_assert_cmphex (get_color_beside (wrong, 0, 1), ==, 0xffffff);

  /* An element 100 times over its bound, and one within it; without bounds none is judged. */
  slice->bounds = g_new (float, 2);
  slice->a[0] = slice->a[1] = 1.5f;
  slice->b[0] = slice->b[1] = 1;
  slice->bounds[0] = .005f;
  slice->bounds[1] = 1;
  g_autoptr (SeamFigure) figure = seam_slice_figure_new (problem, slice, &options);
  g_assert_cmphex (get_color_beside (figure, 0, 0), ==, pack (seam_palette_viridis (.5)));
  g_assert_cmphex (get_color_beside (figure, 0, 1), ==, 0xffffff);
  g_clear_pointer (&slice->bounds, g_free);
  g_autoptr (SeamFigure) unjudged = seam_slice_figure_new (problem, slice, &options);
  g_assert_cmphex (get_color_beside (unjudged, 0, 0), ==, 0xffffff);
}

static void
test_slice_size (void)
{
  gint64 n_rows, n_columns;

  seam_slice_choose_size (492, 470, 100000, 4096, 128, &n_rows, &n_columns);
  g_assert_cmpint (n_rows, ==, 100);
  g_assert_cmpint (n_columns, ==, 100);
  seam_slice_choose_size (492, 800, 100000, 4096, 256, &n_rows, &n_columns);
  g_assert_cmpint (n_rows, ==, 200);
  g_assert_cmpint (n_columns, ==, 200);
  seam_slice_choose_size (492, 470, 6, 7, 128, &n_rows, &n_columns);
  g_assert_cmpint (n_rows, ==, 6);
  g_assert_cmpint (n_columns, ==, 7);
  seam_slice_choose_size (492, 470, 1, 100000, 128, &n_rows, &n_columns);
  g_assert_cmpint (n_rows, ==, 1);
  g_assert_cmpint (n_columns, <=, 128);
  seam_slice_choose_size (0, 0, 0, 0, 0, &n_rows, &n_columns);
  g_assert_cmpint (n_rows, ==, 1);
  g_assert_cmpint (n_columns, ==, 1);
}

/* "All … elements agree" never covers the cell that is marked. */
static void
test_words_make_way (void)
{
  const SeamPalette *palette = seam_palette_get (FALSE, FALSE);
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "kernelbench");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 1e-6, FALSE);
  g_autoptr (SeamSlice) slice = fixture_slice (problem, 254, 254, 1e-6);
  SeamMapOptions options = { .width = 900,
                             .height = 500,
                             .scale = seam_map_scale_for (difference, FALSE),
                             .spec = { .atol = 1e-3, .rtol = 1e-3 } };
  g_autoptr (SeamFigure) figure = NULL;
  SeamRect first, last;
  int n_words = 0;

  for (int i = 0; i < 254 * 254; i++)
    if (isnan (slice->a[i]))
      slice->a[i] = slice->b[i];
  figure = seam_slice_figure_new (problem, slice, &options);
  g_assert_true (
      seam_figure_locate (figure, &(SeamHit){ .kind = SEAM_HIT_CELL, .row = 3 }, &first));
  g_assert_true (
      seam_figure_locate (figure, &(SeamHit){ .kind = SEAM_HIT_CELL, .row = 250 }, &last));
  for (int row = 20; row < 234; row += 3)
    for (int focused = 0; focused < 2; focused++) {
      SeamHit hit = { .kind = SEAM_HIT_CELL, .row = row, .column = 127 };
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 900, 500);
      cairo_t *cr = cairo_create (surface);
      int n_near = 0, stride;
      const guint8 *data;
      SeamRect cell;

      figure->focus = focused ? hit : (SeamHit){ 0 };
      figure->selected = focused ? (SeamHit){ 0 } : hit;
      seam_palette_set_source (cr, &palette->card);
      cairo_paint (cr);
      seam_figure_draw (figure, cr, palette);
      cairo_surface_flush (surface);
      data = cairo_image_surface_get_data (surface);
      stride = cairo_image_surface_get_stride (surface);
      g_assert_true (seam_figure_locate (figure, &hit, &cell));
      /* Left and right of the cell's box, above and below the line through it. */
      for (int y = (int)cell.y - 8; y < (int)cell.y + 9; y++)
        for (int x = (int)cell.x - 60; x < (int)cell.x + 60; x++) {
          const guint32 *pixels = (const guint32 *)(const void *)(data + (gsize)y * (gsize)stride);
          if (abs (y - (int)cell.y) > 3 && abs (x - (int)cell.x) > 12)
            n_near += (pixels[x] & 0xffffff) != pack (palette->card);
        }
      if (n_near > 0)
        g_error ("row %d, %s: %d pixels of the words lie beside the cell", row,
                 focused ? "focused" : "selected", n_near);
      /* The words are drawn somewhere. */
      for (int y = (int)first.y; y < (int)last.y; y++)
        for (int x = (int)cell.x - 60; x < (int)cell.x - 12; x++)
          n_words +=
              (((const guint32 *)(const void *)(data + (gsize)y * (gsize)stride))[x] & 0xffffff)
              == pack (palette->text);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  g_assert_cmpint (n_words, >, 1000);
}

static void
test_viridis (void)
{
  double last = -1;

  /* The colours get lighter all the way, so that the scale also reads in grey. */
  for (int i = 0; i <= 100; i++) {
    SeamColor color = seam_palette_viridis (i / 100.0);
    double light = .2126 * color.r + .7152 * color.g + .0722 * color.b;

    g_assert_cmpfloat (light, >, last);
    last = light;
  }
  g_assert_cmphex (pack (seam_palette_viridis (-1)), ==, 0x440154);
  g_assert_cmphex (pack (seam_palette_viridis (2)), ==, 0xfde725);
  g_assert_cmphex (pack (seam_palette_viridis (NAN)), ==, 0x440154);
}

/* Ten redraws a second must leave time for everything else. */
static void
test_redraw_is_cheap (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "kernelbench");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 3.3, FALSE);
  SeamMapOptions options = { .width = 700,
                             .height = 680,
                             .scale = seam_map_scale_for (difference, FALSE) };
  g_autoptr (SeamFigure) figure = seam_overview_figure_new (problem, difference, &options);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1400, 1360);
  cairo_t *cr = cairo_create (surface);
  gint64 best = G_MAXINT64;

  g_assert_cmpint (difference->n_cell_rows * difference->n_cell_columns, ==, 512 * 512);
  cairo_scale (cr, 2, 2);
  for (int i = 0; i < 10; i++) {
    gint64 start = g_get_monotonic_time ();

    seam_figure_draw (figure, cr, seam_palette_get (FALSE, FALSE));
    best = MIN (best, g_get_monotonic_time () - start);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_test_message ("512 x 512 cells at 2 x: %" G_GINT64_FORMAT " us", best);
  /* Ten times the time on a two-core machine under load. */
  g_assert_cmpint (best, <, 50000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/map/scale", test_scale);
  g_test_add_func ("/figure/map/within", test_within);
  g_test_add_func ("/figure/map/scale-format", test_scale_format);
  g_test_add_func ("/figure/map/cell-colours", test_cell_colours);
  g_test_add_func ("/figure/map/worst-is-kept", test_worst_is_kept);
  g_test_add_func ("/figure/map/hits-and-ink", test_hits_and_ink);
  g_test_add_func ("/figure/map/slice-size", test_slice_size);
  g_test_add_func ("/figure/map/ulps", test_ulps);
  g_test_add_func ("/figure/map/bound", test_bound);
  g_test_add_func ("/figure/map/values", test_values);
  g_test_add_func ("/figure/map/sampled", test_sampled);
  g_test_add_func ("/figure/map/words-make-way", test_words_make_way);
  g_test_add_func ("/figure/map/viridis", test_viridis);
  g_test_add_func ("/figure/map/redraw", test_redraw_is_cheap);
  return g_test_run ();
}
