/* SPDX-License-Identifier: MIT
 *
 * Pages and their files: PNG, SVG and PDF have the right format, are not blank, and have the same
 * bytes each time; provenance is whole; wrong names and places are refused in a sentence and leave
 * nothing behind.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"

#include "app/base/error.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("seamscope-figure-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GDir *dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  g_chmod (fixture->folder, 0700);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

    g_unlink (path);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

static SeamFigure *
make_page (double width)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamFigure *figure = seam_timing_sheet_new (result, 0, 1, width, &error);

  g_assert_no_error (error);
  return figure;
}

static char *export(SeamFigure *figure, Fixture *fixture, const char *name, gsize *length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  char *contents;

  seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &contents, length, &error);
  g_assert_no_error (error);
  return contents;
}

static guint32
read_big_endian (const char *data)
{
  const guint8 *bytes = (const guint8 *)data;

  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

static void
test_png (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamFigure) figure = make_page (1100);
  gsize length, again_length;
  g_autofree char *png = export(figure, fixture, "page.png", &length);
  g_autofree char *again = export(figure, fixture, "page.PNG", &again_length);
  g_autofree char *path = g_build_filename (fixture->folder, "page.png", NULL);
  cairo_surface_t *surface;
  int n_colors = 0;
  g_autoptr (GHashTable) colors = g_hash_table_new (NULL, NULL);

  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  /* Twice the figure's pixels, with a margin on both sides. */
  g_assert_cmpuint (read_big_endian (png + 16), ==, (guint32)(2 * (figure->width + 24)));
  g_assert_cmpuint (read_big_endian (png + 20), ==, (guint32)(2 * (figure->height + 24)));
  g_assert_cmpmem (png, length, again, again_length);

  surface = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  for (int y = 0; y < cairo_image_surface_get_height (surface); y += 3) {
    const guint32 *row =
        (const guint32 *)(const void *)(cairo_image_surface_get_data (surface)
                                        + (gsize)y * cairo_image_surface_get_stride (surface));

    for (int x = 0; x < cairo_image_surface_get_width (surface); x += 3)
      n_colors += g_hash_table_add (colors, GUINT_TO_POINTER (row[x] & 0xffffff));
  }
  cairo_surface_destroy (surface);
  g_assert_cmpint (n_colors, >, 30);
  /* The whole picture has the card's colour as its background, also in the corners. */
  g_assert_true (g_hash_table_contains (colors, GUINT_TO_POINTER (0xffffff)));
}

/* A second figure of the same result, drawn from scratch, gives the same bytes. */
static void
test_deterministic (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamFigure) one = make_page (1000);
  g_autoptr (SeamFigure) two = make_page (1000);
  gsize length_one, length_two;
  g_autofree char *png_one = export(one, fixture, "one.png", &length_one);
  g_autofree char *png_two = export(two, fixture, "two.png", &length_two);

  g_assert_cmpmem (png_one, length_one, png_two, length_two);
}

static void
test_vectors (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamFigure) figure = make_page (1100);
  gsize length;
  g_autofree char *svg = export(figure, fixture, "page.svg", &length);
  g_autofree char *width = g_strdup_printf ("width=\"%gpx\"", figure->width + 24);
  g_autofree char *pdf = NULL;
  g_autoptr (GError) error = NULL;
  GMarkupParser parser = { NULL };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);

  g_markup_parse_context_parse (context, svg, (gssize)length, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (g_strstr_len (svg, (gssize)length, "<svg"));
  g_assert_nonnull (g_strstr_len (svg, (gssize)length, width));
  /* The SVG holds vectors, not a picture of the figure. */
  g_assert_null (g_strstr_len (svg, (gssize)length, "<image"));
  g_assert_nonnull (g_strstr_len (svg, (gssize)length, "<path"));

  pdf = export(figure, fixture, "page.pdf", &length);
  g_assert_cmpmem (pdf, 5, "%PDF-", 5);
  g_assert_nonnull (g_strstr_len (pdf + length - 32, 32, "%%EOF"));
  g_assert_cmpuint (length, >, 5000);
}

/* A map in an SVG is a picture with many pixels a cell: viewers smooth what is enlarged. */
static void
test_svg_map_is_sharp (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, 1, FALSE);
  g_autoptr (SeamSlice) slice = fixture_slice (problem, 50, 50, 1);
  SeamMapOptions options = { .width = 292,
                             .height = 270,
                             .scale = seam_map_scale_for (difference, FALSE),
                             .spec = { .atol = 1e-3, .rtol = 1e-3 } };
  g_autoptr (SeamFigure) figure = seam_slice_figure_new (problem, slice, &options);
  gsize length;
  g_autofree char *svg = export(figure, fixture, "slice.svg", &length);

  /* 50 elements of 4 px, and 4 pixels a px. */
  g_assert_nonnull (g_strstr_len (svg, (gssize)length, "width=\"800\" height=\"800\""));
  g_assert_null (g_strstr_len (svg, (gssize)length, "width=\"50\" height=\"50\""));
}

static void
expect_refusal (SeamFigure *figure, const char *path, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, &error));
  g_assert_error (error, SEAM_ERROR, code);
  g_assert_true (g_str_has_suffix (error->message, "."));
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” does not mention “%s”", error->message, part);
}

static void
test_refusals (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamFigure) figure = make_page (900);
  g_autofree char *missing = g_build_filename (fixture->folder, "none", "page.png", NULL);
  g_autofree char *kept = g_build_filename (fixture->folder, "kept.png", NULL);

  expect_refusal (figure, "page.jpg", SEAM_ERROR_INPUT, ".png, .svg or .pdf");
  expect_refusal (figure, "page", SEAM_ERROR_INPUT, "page");
  expect_refusal (figure, ".png", SEAM_ERROR_INPUT, ".png");
  expect_refusal (figure, "", SEAM_ERROR_INPUT, ".png");
  expect_refusal (figure, missing, SEAM_ERROR_FILE, missing);
  expect_refusal (figure, fixture->folder, SEAM_ERROR_INPUT, ".svg");

  g_assert_true (g_file_set_contents (kept, "old", 3, NULL));
  if (geteuid () != 0) {
    g_chmod (fixture->folder, 0500);
    expect_refusal (figure, kept, SEAM_ERROR_FILE, kept);
    g_chmod (fixture->folder, 0700);
  }
  {
    g_autofree char *contents = NULL;

    g_assert_true (g_file_get_contents (kept, &contents, NULL, NULL));
    g_assert_cmpstr (contents, ==, "old");
  }
}

/* A full disk: /dev/full refuses every byte, where there is one. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamFigure) figure = make_page (900);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      seam_figure_export (figure, seam_palette_get (FALSE, FALSE), "/dev/full/page.png", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

static void
test_pages_fit (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *pipeline, *preset, *plan;
  } cases[] = {
    { "1", "laptop", "full" },          { "76", "tiny", "epilogue" },
    { "37", "laptop", "as-published" }, { "21", "kernelbench", "published" },
    { "57", "tiny", "published" },
  };
  static const double widths[] = { 600, 900, 1260, 2400 };
  static const SeamMapLook looks[] = { { 0 },
                                       { .unit = SEAM_UNIT_RELATIVE, .tiles = TRUE },
                                       { .unit = SEAM_UNIT_ULP, .tiles = TRUE },
                                       { .tiles = TRUE, .against_tiles = TRUE } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result =
        fixture_result (cases[c].pipeline, cases[c].preset, cases[c].plan);
    g_autoptr (SeamProblem) problem = fixture_problem (cases[c].pipeline, cases[c].preset);
    g_autoptr (SeamDifference) difference = fixture_difference (problem, .01, c == 2);
    g_autoptr (SeamSlice) slice = fixture_slice (problem, 96, 96, .01);

    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamFigure) timing = seam_timing_sheet_new (result, 0, 1, widths[w], &error);
      g_autoptr (SeamFigure) maps = NULL;

      g_assert_no_error (error);
      ink_assert_inside (timing, cases[c].pipeline);
      maps = seam_difference_sheet_new (result, 1, w % 2 == 0 ? 0 : -1, difference,
                                        w < 3 ? slice : NULL, &looks[w], widths[w], &error);
      g_assert_no_error (error);
      ink_assert_inside (maps, cases[c].pipeline);
    }
  }
}

/* The footer is wrapped, never cut: a narrow page is as many lines taller. */
static void
test_provenance_is_whole (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("76", "tiny", "full");
  g_autoptr (SeamFigure) page = seam_timing_sheet_new (result, 0, 1, 1400, &error);
  double short_height = page->height;
  g_autoptr (SeamFigure) longer = NULL;

  g_assert_no_error (error);
  g_free (result->device->libraries);
  result->device->libraries =
      g_strnfill (400, 'x'); /* no place to break, and longer than any line */
  longer = seam_timing_sheet_new (result, 0, 1, 1400, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (longer->height, >, short_height + 10);
  ink_assert_inside (longer, "long provenance");
}

/* Where all elements agree, a sentence stands in the place of the maps, which would be empty boxes;
 * tiles are drawn all the same. Of equal outputs, there is no map of errors over magnitudes. */
static void
test_agreement (Fixture *fixture, gconstpointer data)
{
  static const SeamMapLook tiles = { .tiles = TRUE };
  g_autoptr (SeamResult) result = fixture_result ("37", "laptop", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");

  for (int equal = 0; equal < 2; equal++) {
    g_autoptr (SeamDifference) difference = fixture_difference (problem, .01, FALSE);
    g_autoptr (SeamSlice) slice = fixture_slice (problem, 96, 96, .01);
    g_autoptr (SeamFigure) maps =
        seam_difference_sheet_new (result, 1, 0, difference, slice, NULL, 1260, NULL);
    g_autoptr (SeamFigure) note = NULL, tiled = NULL;
    g_autofree char *maps_text = figure_get_text (maps);
    g_autofree char *note_text = NULL, *tiled_text = NULL;

    difference->n_failing = 0;
    difference->max_abs = equal ? 0 : 5.1e-6;
    for (int i = SEAM_HISTOGRAM_MAGNITUDES; equal && i < SEAM_HISTOGRAM_BINS; i++)
      difference->histogram[i] = 0;
    note = seam_difference_sheet_new (result, 1, 0, difference, slice, NULL, 1260, NULL);
    tiled = seam_difference_sheet_new (result, 1, 0, difference, slice, &tiles, 1260, NULL);
    note_text = figure_get_text (note);
    tiled_text = figure_get_text (tiled);
    ink_assert_inside (note, "agreement");
    g_assert_cmpfloat (note->height, <, maps->height - 200);
    g_assert_cmpint (figure_text_count (maps_text, "Overview"), ==, 1);
    g_assert_cmpint (figure_text_count (maps_text, "would be empty"), ==, 0);
    g_assert_cmpint (figure_text_count (note_text, "Overview"), ==, 0);
    g_assert_cmpint (
        figure_text_count (note_text,
                           equal ? "A map of what is outside tolerance would be empty."
                                 : "The largest difference, 5.1×10⁻⁶, is within tolerance: a map "
                                   "of what is outside tolerance would be empty."),
        ==, 1);
    g_assert_cmpint (figure_text_count (note_text, "none: all are equal"), ==, equal);
    g_assert_cmpint (figure_text_count (tiled_text, "Overview"), ==, 1);
  }
}

static void
test_bad_results (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamResult) result = fixture_result ("76", "tiny", "full");
  g_autoptr (GError) error = NULL;

  g_assert_null (seam_timing_sheet_new (result, 0, 2, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (seam_timing_sheet_new (result, -1, 1, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (seam_difference_sheet_new (result, 1, 0, NULL, NULL, NULL, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_autoptr (SeamResult) bare = fixture_reread (result, NULL);
  g_assert_null (seam_timing_sheet_new (bare, 0, 1, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_clear_error (&error);
  result->n_values = 1;
  g_assert_null (seam_timing_sheet_new (result, 0, 1, 900, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

/* Moves plan B to the place of C and puts another plan in its place. */
static void
make_third (SeamResult *result)
{
  result->plans = g_renew (SeamPlanResult, result->plans, 3);
  result->plans[2] = result->plans[1];
  result->plans[1] = (SeamPlanResult){ .notation = g_strdup (result->plans[0].notation),
                                       .state = SEAM_PLAN_NOT_MEASURED,
                                       .n_kernels = -1 };
  result->n_plans = 3;
}

/* Both difference sheets call C by its letter everywhere, and FP64 by its name. */
static void
test_side_names (Fixture *fixture, gconstpointer data)
{
  static const struct {
    int against;
    const char *error, *axis, *worst, *other;
  } cases[] = {
    { 0, "|A − C|", "|A|", "A −3.784, C", "|A − B|" },
    { -1, "|FP64 − C|", "|FP64|", "FP64 −3.784, C", "|A − C|" },
  };
  g_autoptr (SeamResult) result = fixture_result ("37", "laptop", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, .01, FALSE);

  make_third (result);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int unit = 0; unit < SEAM_N_UNITS; unit++) {
      const SeamMapLook look = { .unit = (SeamMapUnit)unit, .tiles = TRUE };
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamFigure) maps = seam_difference_sheet_new (
          result, 2, cases[i].against, difference, NULL, &look, 1260, &error);
      g_autoptr (SeamFigure) numbers = seam_numbers_sheet_new (
          result, 2, cases[i].against, difference, (SeamMapUnit)unit, 1260, &error);
      g_autofree char *maps_text = figure_get_text (maps);
      g_autofree char *numbers_text = figure_get_text (numbers);

      g_assert_no_error (error);
      g_assert_cmpint (figure_text_count (maps_text, "Tiles of C: "), ==, 1);
      /* In the titles of legend, histogram and table, in the rule, and in the worst element. */
      g_assert_cmpint (figure_text_count (maps_text, cases[i].error), ==,
                       unit == SEAM_UNIT_ULP ? 4 : 5);
      g_assert_cmpint (figure_text_count (numbers_text, cases[i].error), ==,
                       unit == SEAM_UNIT_ULP ? 3 : 4);
      g_assert_cmpint (figure_text_count (numbers_text, cases[i].axis), >=, 2);
      g_assert_cmpint (figure_text_count (numbers_text, cases[i].worst), ==, 1);
      g_assert_cmpint (figure_text_count (maps_text, cases[i].other), ==, 0);
      g_assert_cmpint (figure_text_count (numbers_text, cases[i].other), ==, 0);
    }
}

/* Results in which nothing was measured or compared and everything is unknown still make a page. */
static void
test_unknown_figures (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "tiny", "published");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) page = NULL;

  for (int i = 0; i < 2; i++) {
    SeamPlanResult *plan = &result->plans[i];

    fixture_untrace (plan);
    plan->n_samples = 0;
    plan->median_ns = plan->ci_low_ns = plan->ci_high_ns = NAN;
    plan->state = SEAM_PLAN_NOT_MEASURED;
    g_clear_pointer (&plan->executed, g_free);
    g_clear_pointer (&plan->difference, seam_difference_free);
  }
  result->floor_ns = NAN;
  page = seam_timing_sheet_new (result, 0, 1, 900, &error);
  g_assert_no_error (error);
  ink_assert_inside (page, "nothing known");
}

/* With one plan, there are half as many strips and bars, and no verdict. */
static void
test_single_plan (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "laptop", "published");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) both = seam_timing_sheet_new (result, 0, 1, 1200, &error);
  g_autoptr (SeamFigure) one = seam_timing_sheet_new (result, 1, -1, 1200, &error);
  g_autofree char *summary = NULL;

  g_assert_no_error (error);
  ink_assert_inside (one, "one plan");
  g_assert_cmpfloat (one->height, <, both->height - 150);
  summary = seam_figure_summarize (one);
  g_assert_nonnull (strstr (summary, "published"));
  g_assert_null (strstr (summary, "unfused"));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/figure/export/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("png", test_png);
  ADD ("deterministic", test_deterministic);
  ADD ("vectors", test_vectors);
  ADD ("svg-map", test_svg_map_is_sharp);
  ADD ("refusals", test_refusals);
  ADD ("full-disk", test_full_disk);
  ADD ("pages-fit", test_pages_fit);
  ADD ("provenance", test_provenance_is_whole);
  ADD ("bad-results", test_bad_results);
  ADD ("agreement", test_agreement);
  ADD ("side-names", test_side_names);
  ADD ("unknown-figures", test_unknown_figures);
  ADD ("single-plan", test_single_plan);
  return g_test_run ();
}
