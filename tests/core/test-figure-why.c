/* SPDX-License-Identifier: MIT
 *
 * Pictures of why a seam can or cannot be fused: spans, tiles and bytes of the pipelines'
 * GroupNorms, and their places in the picture.
 */
#include "tests/core/figure-ink.h"

#include "app/figure/why-figure.h"
#include "app/report/sheets.h"

#include <math.h>
#include <string.h>

static SeamProblem *
make_problem (const char *id, const char *preset, const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, preset, shape, &error);
  g_assert_no_error (error);
  return problem;
}

static SeamWhy *
make_why (const SeamProblem *problem, int seam, const char *reason)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, 0);
  return seam_why_new (problem, plan, seam, reason == NULL, reason, NULL);
}

/* #37: 64 columns of one row, inside one tile. */
static void
test_inside_a_tile (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#37", "kernelbench", NULL);
  g_autoptr (SeamWhy) why = make_why (problem, 4, NULL);
  SeamWhyLayout layout;

  g_assert_cmpint (why->kind, ==, SEAM_WHY_GROUP_FITS);
  g_assert_cmpint (why->span, ==, 64);
  g_assert_cmpint (why->n_tiles, ==, 1);
  g_assert_cmpfloat (why->bytes_twice, ==, 0);
  g_assert_nonnull (strstr (why->sentence, "64 neighbouring columns of one row"));
  g_assert_cmpstr (why->number, ==, "256 B of 32.8 kB");
  g_assert_cmpstr (why->answer, ==, "This target can run both as one group, in one pass.");

  seam_why_layout (why, 1000, &layout);
  g_assert_true (layout.rows_cut);
  g_assert_cmpint (layout.n_tiles, ==, 8);
  g_assert_cmpint (layout.n_shown, ==, 1024);
  /* It is half a tile wide, and lies within it. */
  g_assert_cmpfloat (fabs (layout.covered.width * 2 - layout.tile.width), <, 1e-9);
  g_assert_cmpfloat (fabs (layout.tile.width * 8 - layout.magnified.width), <, 1e-9);
  g_assert_cmpfloat (layout.span.height, ==, layout.tensor.height / 8);
  g_assert_cmpfloat (fabs (layout.span.width * 64 - layout.tensor.width), <, 1e-9);
}

/* #21: 258,064 elements over many tiles, more than a block holds. */
static void
test_over_many_tiles (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#21", "kernelbench", NULL);
  g_autoptr (SeamWhy) why = make_why (problem, 4, "It reads its input twice.");
  SeamWhyLayout layout;

  g_assert_cmpint (why->kind, ==, SEAM_WHY_GROUP_LARGE);
  g_assert_cmpint (why->span, ==, 258064);
  g_assert_cmpint (why->n_tiles, ==, 505); /* tiles of 128 pixels in a plane of 64,516 */
  g_assert_cmpfloat (why->bytes_twice, ==, 128. * 32 * 254 * 254 * 4);
  g_assert_nonnull (strstr (why->sentence, "258,064 elements"));
  g_assert_nonnull (strstr (why->sentence, "1.06 GB is read twice"));
  g_assert_cmpstr (why->number, ==, "1.03 MB of 32.8 kB");
  g_assert_cmpstr (why->answer, ==, "It reads its input twice.");

  seam_why_layout (why, 1000, &layout);
  /* The whole plane belongs to the group, and four channels of 32. */
  g_assert_cmpfloat (layout.covered.width, ==, layout.magnified.width);
  g_assert_cmpfloat (fabs (layout.span.width * 8 - layout.tensor.width), <, 1e-9);
  g_assert_cmpint (layout.n_tiles, ==, 8);
}

/* Groups that cross the edges of tiles or span several tiles, but fit on the chip. */
static void
test_held (void)
{
  g_autoptr (SeamProblem) crossing =
      make_problem ("#37", NULL, "out_features=384,groups=4"); /* 96 columns */
  g_autoptr (SeamWhy) across = make_why (crossing, 4, NULL);
  g_autoptr (SeamProblem) small = make_problem ("#21", "laptop", "height=34,width=34");
  g_autoptr (SeamWhy) planes = make_why (small, 4, NULL);

  g_assert_cmpint (across->kind, ==, SEAM_WHY_GROUP_HELD);
  g_assert_cmpint (across->n_tiles, ==, 2);
  g_assert_cmpint (planes->kind, ==, SEAM_WHY_GROUP_HELD);
  g_assert_cmpint (planes->span, ==, 4 * 32 * 32);
  g_assert_cmpint (planes->n_tiles, ==, 8);
  g_assert_cmpfloat (planes->bytes_twice, ==, 0);
}

/* #21, 3 x 3: 4 x 32 outputs read 6 x 34 inputs. Exact numbers of rows and columns that two
 * tiles read. */
static void
test_halo (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#21", "kernelbench", NULL);
  g_autoptr (SeamProblem) matrix = make_problem ("#37", "kernelbench", NULL);
  g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, 0);
  g_autoptr (SeamDeviceInfo) device = seam_device_info_new ("cuda:0");
  g_autoptr (SeamWhy) unknown = make_why (problem, 0, NULL), none = make_why (matrix, 0, NULL);
  g_autofree char *csv = NULL;
  double read = 0;
  SeamWhyLayout layout;

  device->block_register_bytes = 262144;
  device->block_shared_bytes = 232448;
  g_autoptr (SeamWhy) why = seam_why_new (problem, plan, 0, TRUE, NULL, device);
  g_autoptr (SeamWhy) group = seam_why_new (problem, plan, 4, TRUE, NULL, device);
  g_assert_cmpint (why->halo, ==, 2);
  g_assert_cmpfloat (why->bytes_patch, ==, 4. * 8 * 6 * 34);
  for (int y = 0; y < 254; y += 4)
    for (int x = 0; x < 254; x += 32)
      read += 4. * 128 * 8 * (MIN (4, 254 - y) + 2) * (MIN (32, 254 - x) + 2);
  g_assert_cmpfloat (why->bytes_again, ==, read - 4. * 128 * 8 * 256 * 256);
  g_assert_nonnull (
      strstr (why->halo_sentence, "tile are 4 × 32 outputs of conv2d, which read 6 × 34 inputs"));
  g_assert_nonnull (strstr (why->sources, "Tile: 128 channels × 128 pixels (4 × 32), "));
  g_assert_nonnull (strstr (none->sources, "Tile: 128 × 128 outputs, "));
  g_assert_nonnull (strstr (why->resources, "262 kB of registers and 232 kB of shared memory"));
  g_assert_nonnull (strstr (why->resources, "That fits."));
  /* A group of a million bytes does not fit into registers. */
  g_assert_nonnull (strstr (group->resources, "That does not fit."));
  g_assert_nonnull (strstr (unknown->resources, "no thread blocks"));
  g_assert_null (none->halo_sentence);
  g_assert_cmpint (none->halo, ==, 0);

  /* In the picture two rows of ten are common to both tiles. */
  seam_why_layout (why, 900, &layout);
  g_assert_cmpfloat_with_epsilon (layout.shared.height * 3, layout.patches[0].height, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout.shared.y + layout.shared.height,
                                  layout.patches[0].y + layout.patches[0].height, 1e-9);

  csv = seam_whys_to_rows (&why, 1, problem, plan, SEAM_ROWS_CSV);
  g_assert_true (g_str_has_prefix (csv, "pipeline,plan,seam,before,after,can_fuse,"));
  g_assert_nonnull (strstr (csv, ",1,conv,conv_bias,yes,1,1,4,32768,0,"));
  g_assert_nonnull (strstr (csv, ",262144,232448,"));
}

static void
test_elements (void)
{
  g_autoptr (SeamProblem) problem = make_problem ("#57", "kernelbench", NULL);

  for (int seam = 0; seam < 6; seam++) {
    g_autoptr (SeamWhy) why = make_why (problem, seam, NULL);
    g_assert_cmpint (why->kind, ==, SEAM_WHY_ELEMENT);
    g_assert_cmpint (why->span, ==, 1);
    g_assert_cmpfloat (why->bytes_saved, >, 0);
  }
  g_autoptr (SeamWhy) product = make_why (problem, 5, NULL);
  g_assert_nonnull (strstr (product->sentence, "and one of an earlier op"));
}

/* Every seam of every pipeline, at any width: drawn, and nothing outside the figure. */
static void
test_figures (void)
{
  static const char *const ids[] = { "#1", "#21", "#37", "#57", "#76" };
  static const char *const presets[] = { "tiny", "laptop", "kernelbench" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids) * G_N_ELEMENTS (presets); i++) {
    g_autoptr (SeamProblem) problem = make_problem (ids[i / 3], presets[i % 3], NULL);
    for (int seam = 0; seam + 1 < problem->pipeline->chains[0].n_ops; seam++)
      for (double width = 300; width < 1700; width += 450) {
        g_autoptr (SeamWhy) why = make_why (problem, seam, NULL);
        g_autoptr (SeamFigure) figure = seam_why_figure_new (why, width);
        g_autoptr (SeamFigure) page = seam_why_sheet_new (why, problem, "Test.", width);
        g_autofree char *summary = seam_figure_summarize (figure);
        const SeamRect *rects[5];
        SeamWhyLayout l;

        ink_assert_inside (figure, why->sentence);
        seam_why_layout (why, width, &l);
        rects[0] = &l.tensor, rects[1] = &l.span, rects[2] = &l.magnified, rects[3] = &l.covered;
        rects[4] = &l.tile;
        for (int k = 0; k < 5; k++) {
          g_assert_cmpfloat (rects[k]->width, >, 0);
          g_assert_cmpfloat (rects[k]->x + rects[k]->width, <=, figure->width + 1e-6);
          g_assert_cmpfloat (rects[k]->y + rects[k]->height, <=, figure->height);
        }
        g_assert_cmpfloat (l.tensor.x + l.tensor.width, <, l.magnified.x);
        g_assert_nonnull (strstr (summary, why->number));
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1700, 700);
        cairo_t *cr = cairo_create (surface);
        seam_figure_draw (page, cr, seam_palette_get (seam % 2 == 0, FALSE));
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure-why/inside-a-tile", test_inside_a_tile);
  g_test_add_func ("/figure-why/over-many-tiles", test_over_many_tiles);
  g_test_add_func ("/figure-why/halo", test_halo);
  g_test_add_func ("/figure-why/held", test_held);
  g_test_add_func ("/figure-why/elements", test_elements);
  g_test_add_func ("/figure-why/figures", test_figures);
  return g_test_run ();
}
