/* SPDX-License-Identifier: MIT
 *
 * Differences of outputs of any rank: places in the words of the shape, what the diagnosis says of
 * known patterns, shares of depths against a count of all elements, and the figures of dots and of
 * planes.
 */
#include "app/compare/compare.h"
#include "app/figure/map-common.h"
#include "app/figure/numbers.h"
#include "app/runner/run-private.h"
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"

#include <math.h>

static SeamDifference *
make (const SeamShape *shape)
{
  const SeamShapeView view = seam_shape_view (shape);
  SeamDifferenceSpec spec = seam_difference_spec_for (&view);

  seam_difference_choose_cells (&spec, 512);
  SeamDifference *difference = seam_difference_new (&spec);
  difference->n_worst = 0;
  return difference;
}

/* Makes the elements fail for whose indices along the axes `fails` is true; returns the sentence.
 */
static char *
describe (const SeamShape *shape, gboolean (*fails) (const gint64 at[SEAM_MAX_DIMS]), char **cause)
{
  g_autoptr (SeamDifference) difference = make (shape);
  const SeamDifferenceSpec *spec = &difference->spec;

  for (gint64 index = 0; index < seam_shape_count (shape); index++) {
    gint64 at[SEAM_MAX_DIMS] = { 0 }, rest = index, line = index / spec->plane;
    gint64 cell = line / spec->columns / spec->rows_per_cell * difference->n_cell_columns
                  + line % spec->columns / spec->columns_per_cell;
    for (int i = shape->n_dims - 1; i >= 0; rest /= shape->dims[i--])
      at[i] = rest % shape->dims[i];
    if (!fails (at))
      continue;
    difference->cells[cell] = 1;
    difference->failing[cell]++;
    difference->n_failing++;
    seam_difference_mark (difference, index);
  }
  return seam_region_describe (difference, cause);
}

static gboolean
last_of_four (const gint64 at[SEAM_MAX_DIMS])
{
  return at[2] % 4 == 3;
}

static gboolean
inner_last_of_four (const gint64 at[SEAM_MAX_DIMS])
{
  return at[2] % 4 == 3 && at[2] < 15;
}

static gboolean
edges (const gint64 at[SEAM_MAX_DIMS])
{
  return at[2] == 0 || at[2] == 15;
}

static gboolean
last_depths (const gint64 at[SEAM_MAX_DIMS])
{
  return at[2] >= 14;
}

static gboolean
rows_of_depths (const gint64 at[SEAM_MAX_DIMS])
{
  return at[0] == 1 && at[1] >= 2 && at[1] <= 3 && (at[2] == 2 || at[2] == 9) && at[3] >= 1
         && at[3] <= 2;
}

static gboolean
rows_of_all (const gint64 at[SEAM_MAX_DIMS])
{
  return at[3] == 4;
}

static gboolean
last_features (const gint64 at[SEAM_MAX_DIMS])
{
  return at[1] >= 96;
}

static gboolean
two_channels (const gint64 at[SEAM_MAX_DIMS])
{
  return at[1] == 4 || at[1] == 9;
}

static gboolean
last_samples (const gint64 at[SEAM_MAX_DIMS])
{
  return at[0] >= 96;
}

static void
test_sentences (void)
{
  static const struct {
    SeamShape shape;
    gboolean (*fails) (const gint64 at[SEAM_MAX_DIMS]);
    const char *region, *cause; /* cause: the beginning; NULL: none */
  } cases[] = {
    { { 5, { 3, 6, 16, 5, 7 } },
      last_of_four,
      "Only depth 3, 7, 11 and 15 of every sample and channel.",
      "The last of every 4 along the depth: the border between tiles of 4 is a likely cause." },
    { { 5, { 3, 6, 16, 5, 7 } },
      inner_last_of_four,
      "Only depth 3, 7 and 11 of every sample and channel.",
      "The last of every 4 along the depth that has another tile behind it: the border" },
    { { 5, { 3, 6, 16, 5, 7 } },
      edges,
      "Only depth 0 and 15 of every sample and channel.",
      "The first and the last depth: what lies beyond the edge" },
    { { 5, { 3, 6, 16, 5, 7 } },
      last_depths,
      "Only depth 14 to 15 of every sample and channel.",
      "The last of the depth: the remainder" },
    { { 5, { 3, 6, 16, 5, 7 } },
      rows_of_depths,
      "Only sample 1, in channels 2 to 3, depth 2 and 9, rows 1 to 2 only.",
      NULL },
    { { 5, { 3, 6, 16, 5, 7 } },
      rows_of_all,
      "Only row 4 of every sample and channel.",
      "The last rows of the planes" },
    { { 2, { 40, 128 } },
      last_features,
      "Only features 96 to 127 of every row.",
      "The last features" },
    { { 5, { 3, 12, 1, 1, 1 } },
      two_channels,
      "Only channels 4 and 9 of every sample.",
      "The same channels in all samples" },
    { { 2, { 128, 1 } }, last_samples, "Only samples 96 to 127.", "The last samples" },
    { { 1, { 128 } }, last_samples, "Only samples 96 to 127.", "The last samples" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *cause = NULL;
    g_autofree char *region = describe (&cases[i].shape, cases[i].fails, &cause);
    g_assert_cmpstr (region, ==, cases[i].region);
    if (cases[i].cause == NULL ? cause != NULL
                               : cause == NULL || !g_str_has_prefix (cause, cases[i].cause))
      g_error ("%s: \"%s\"", region, cause);
  }
}

/* The place of an element of every rank. */
static void
test_places (void)
{
  static const struct {
    SeamShape shape;
    gint64 index;
    const char *place, *plane;
  } cases[] = {
    { { 5, { 4, 6, 3, 5, 7 } },
      (((2 * 6 + 5) * 3 + 1) * 5 + 4) * 7 + 6,
      "sample 2, channel 5, depth 1, row 4, column 6",
      "sample 2, channel 5, depth 1" },
    { { 5, { 4, 6, 1, 5, 7 } },
      ((2 * 6 + 5) * 5 + 4) * 7 + 6,
      "sample 2, channel 5, row 4, column 6",
      "sample 2, channel 5" },
    { { 5, { 4, 6, 1, 1, 1 } }, 2 * 6 + 5, "sample 2, channel 5", "sample 2, channel 5" },
    { { 4, { 4, 6, 5, 7 } },
      ((2 * 6 + 5) * 5 + 4) * 7 + 6,
      "sample 2, channel 5, row 4, column 6",
      "sample 2, channel 5" },
    { { 3, { 4, 6, 7 } },
      (2 * 6 + 5) * 7 + 6,
      "sample 2, channel 5, column 6",
      "sample 2, channel 5" },
    { { 2, { 4, 6 } }, 2 * 6 + 5, "row 2, feature 5", "row 2, feature 5" },
    { { 2, { 4096, 1 } }, 1234, "sample 1,234", "sample 1,234" },
    { { 1, { 40 } }, 12, "sample 12", "sample 12" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const SeamShapeView view = seam_shape_view (&cases[i].shape);
    const SeamDifferenceSpec spec = seam_difference_spec_for (&view);
    g_autofree char *place = seam_difference_format_place (&spec, cases[i].index);
    g_autofree char *plane = seam_difference_format_plane (&spec, cases[i].index);
    g_assert_cmpstr (place, ==, cases[i].place);
    g_assert_cmpstr (plane, ==, cases[i].plane);
  }
  /* A file of an older version knows neither rank nor depth. */
  SeamDifferenceSpec old = { .rows = 4, .columns = 6, .plane = 35 };
  g_autofree char *element = seam_difference_format_place (&old, (2 * 6 + 5) * 35 + 34);
  g_assert_cmpstr (element, ==, "sample 2, channel 5, element 34");
  old.plane = 1;
  g_autofree char *column = seam_difference_format_place (&old, 2 * 6 + 5);
  g_assert_cmpstr (column, ==, "row 2, column 5");
}

/* The shares of all depths, against a count over slices of all planes; a slice is one plane. */
static void
test_shares (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("47", &error);
  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  const SeamShapeView view = seam_problem_get_output_view (problem);
  gint64 n = 0, height = view.inner / view.depth / view.width;

  memcpy (request->values, problem->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE;
  request->settings.budget_s = 0.02;
  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (SeamDifference) difference =
      seam_runner_difference (runner, 0, -1, 1e-8, 0, 512, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (view.depth, ==, 3);
  g_assert_cmpint (difference->spec.depth, ==, 3);
  g_assert_cmpint (difference->n_failing, >, 10);
  for (gint64 depth = 0; depth < view.depth; depth++) {
    gint64 n_failing = 0;
    for (gint64 plane = 0; plane < view.outer * view.channels; plane++) {
      SeamSlice wanted = { .sample = plane / view.channels,
                           .channel = plane % view.channels,
                           .first_row = depth * height,
                           .n_rows = height,
                           .n_columns = view.width };
      g_autoptr (SeamSlice) slice = seam_runner_slice (runner, 0, -1, &wanted, &error);
      g_assert_no_error (error);
      for (gint64 i = 0; i < height * view.width; i++)
        n_failing += fabs ((double)slice->a[i] - seam_slice_get_b (slice, i)) > 1e-8;
    }
    g_assert_cmpfloat_with_epsilon (
        difference->depth_shares[depth],
        (double)n_failing / (double)(view.outer * view.channels * height * view.width), 1e-6);
    n += n_failing;
  }
  g_assert_cmpint (n, ==, difference->n_failing);
  /* The axis of the shares is as long as they need: 3.5 % ends at 4 %. */
  g_autoptr (SeamDifference) few = seam_record_dup (&seam_difference_type, difference);
  for (int i = 0; i < 3; i++)
    few->depth_shares[i] = .01f * (float)i + .015f;
  g_autoptr (SeamFigure) numbers =
      seam_numbers_figure_new (few, &(SeamSideNames){ "A", "B" }, SEAM_UNIT_ABSOLUTE, 1200, 300);
  g_autofree char *text = figure_get_text (numbers);
  g_test_message ("%s", text);
  g_assert_cmpint (figure_text_count (text, "elements that fail, % 0 1 2 3 4"), ==, 1);
  /* What a session keeps is within one plane, and the shares survive it. */
  SeamSlice kept;
  seam_slice_choose_worst (problem, difference, &kept);
  g_assert_cmpint (kept.first_row / height, ==, (kept.first_row + kept.n_rows - 1) / height);
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_difference_type, difference, TRUE));
  g_autoptr (SeamDifference) read =
      seam_record_new_from_variant (&seam_difference_type, variant, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (read->depth_shares, 3 * sizeof (float), difference->depth_shares,
                   3 * sizeof (float));
  /* Nothing fails, so there is nothing to count. */
  g_autoptr (SeamDifference) same = seam_runner_difference (runner, 0, 0, 0, 0, 512, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (same->depth_shares);
}

static SeamRect
locate (SeamFigure *figure, gint64 sample)
{
  SeamRect rect;

  g_assert_true (
      seam_figure_locate (figure, &(SeamHit){ .kind = SEAM_HIT_CELL, .row = sample }, &rect));
  return rect;
}

static double
get_middle (SeamFigure *figure, gint64 sample)
{
  SeamRect rect = locate (figure, sample);

  return rect.y + rect.height / 2;
}

/* Heights of dots are logarithmic in the error over its limit; NaN stands at the top, 0 at the
 * foot. */
static void
test_dots (void)
{
  const SeamSideNames names = { "A", "B" };
  SeamMapOptions options = { .width = 700, .height = 320, .spec = { .atol = .5, .rtol = 0 } };
  g_autoptr (SeamSlice) slice = seam_slice_new (128, 1);
  const float errors[] = { .05f, .5f, 5, 50, 0, NAN };

  for (int i = 0; i < 128; i++)
    slice->a[i] = errors[i % 6];
  g_autoptr (SeamFigure) figure = seam_dots_figure_new (slice, &names, &options);
  ink_assert_inside (figure, "dots");
  double step = get_middle (figure, 0) - get_middle (figure, 1);
  g_assert_cmpfloat (step, >, 20);
  g_assert_cmpfloat_with_epsilon (get_middle (figure, 1) - get_middle (figure, 2), step, .5);
  g_assert_cmpfloat_with_epsilon (get_middle (figure, 2) - get_middle (figure, 3), step, .5);
  g_assert_cmpfloat (get_middle (figure, 4), >, get_middle (figure, 0) + 8);
  g_assert_cmpfloat (get_middle (figure, 5), <, get_middle (figure, 3) - 8);
  for (int i = 0; i < 128; i += 7) {
    SeamRect rect = locate (figure, i);
    SeamHit hit;
    g_assert_true (seam_figure_pick (figure, rect.x + rect.width / 2, rect.y, &hit));
    g_assert_cmpint (hit.row, ==, i);
  }
  /* 21 of each kind, and 22 of the first two; .5 is at the limit, which is not over it. */
  g_autofree char *summary = seam_figure_summarize (figure);
  g_assert_cmpstr (summary, ==,
                   "|A − B| of each sample as a multiple of the limit: 63 of 128 samples outside "
                   "tolerance.");
  /* Many samples: the worst of each pixel stays. */
  g_autoptr (SeamSlice) many = seam_slice_new (100000, 1);
  many->a[54321] = 5000;
  g_autoptr (SeamFigure) dense = seam_dots_figure_new (many, &names, &options);
  SeamRect worst = locate (dense, 54321);
  SeamHit hit;
  g_assert_true (seam_figure_pick (dense, worst.x + worst.width / 2, worst.y + worst.height, &hit));
  g_assert_cmpint (hit.row, ==, 54321);
}

/* A place for each plane, which the pointer finds; what is missing can be chosen on request only.
 */
static void
test_planes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("47", &error);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "tiny", "depth=24", &error);
  g_assert_no_error (error);
  const SeamShapeView view = seam_problem_get_output_view (problem);
  gint64 height = view.inner / view.depth / view.width;
  SeamMapOptions options = { .width = 290, .height = 400, .spec = { .atol = .5, .rtol = 0 } };
  g_autoptr (SeamSlice) slice = seam_slice_new (6 * height, view.width);

  g_assert_cmpint (view.depth, ==, 22);
  options.scale = (SeamMapScale){ .low = .1, .high = 10, .divisor = 1 };
  slice->first_row = 16 * height;
  slice->a[3 * height * view.width] = 2; /* depth 19 */
  for (int all = 0; all < 2; all++) {
    options.all_planes = all;
    g_autoptr (SeamFigure) figure =
        seam_depth_figure_new (problem, slice, 0, 0, all ? 3 : 19, &options);
    g_autofree char *summary = seam_figure_summarize (figure);
    ink_assert_inside (figure, "planes");
    for (int i = 0; i < SEAM_DEPTH_PLANES; i++) {
      SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = i / 4, .index = i % 4 }, found;
      SeamRect rect;
      gboolean expected = all || i < 6;
      g_assert_cmpint (seam_figure_locate (figure, &hit, &rect), ==, expected);
      if (!expected)
        continue;
      g_assert_true (seam_figure_pick (figure, rect.x + rect.width / 2, rect.y + 9, &found));
      g_assert_true (seam_hit_equal (&hit, &found));
    }
    g_assert_cmpstr (summary, ==,
                     all ? "Planes 0 to 15 of sample 0, channel 0; elements fail in 0 of them."
                         : "Planes 16 to 21 of sample 0, channel 0; elements fail in 1 of them.");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/any-shape/sentences", test_sentences);
  g_test_add_func ("/any-shape/places", test_places);
  g_test_add_func ("/any-shape/shares", test_shares);
  g_test_add_func ("/any-shape/dots", test_dots);
  g_test_add_func ("/any-shape/planes", test_planes);
  return g_test_run ();
}
