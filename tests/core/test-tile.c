/* SPDX-License-Identifier: MIT
 *
 * Tiles of an output: which elements share one, their description, and the way through a variant.
 */
#include "app/result/tile.h"

#include <string.h>

/* A matmul's tiles: 100 x 300 in tiles of 64 x 128. */
static void
test_box (void)
{
  const SeamTile tile = { .kind = SEAM_TILE_BOX, .rows = 64, .columns = 128 };
  const SeamTileView view = { 100, 300, 1, 1 };
  gint64 rows, columns;
  g_autofree char *words = seam_tile_describe (&tile, &view);

  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 0, 0, 0), ==, 0);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 63, 127, 0, 0), ==, 0);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 128, 0, 0), ==, 1);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 64, 299, 0, 0), ==, 5);
  seam_tile_get_steps (&tile, &view, &rows, &columns);
  g_assert_cmpint (rows, ==, 64);
  g_assert_cmpint (columns, ==, 128);
  g_assert_cmpstr (words, ==, "64 rows × 128 columns");
}

/* A convolution's tiles: 8 channels of 4 x 64 pixels. */
static void
test_pixels (void)
{
  const SeamTile tile = {
    .kind = SEAM_TILE_BOX, .rows = 1, .columns = 8, .height = 4, .width = 64
  };
  const SeamTileView view = { 2, 20, 10, 100 };
  g_autofree char *words = seam_tile_describe (&tile, &view);
  gint64 first = seam_tile_get_number (&tile, &view, 1, 8, 4, 64);

  g_assert_cmpint (seam_tile_get_number (&tile, &view, 1, 15, 7, 99), ==, first);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 1, 16, 7, 99), !=, first);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 15, 7, 99), !=, first);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 1, 15, 8, 99), !=, first);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 1, 15, 7, 63), !=, first);
  g_assert_cmpstr (words, ==, "8 channels × 4 × 64 pixels");
}

/* Runs of 256 pixels in a strip of 30 columns that is counted as 32 wide, as in
 * convolution-many.cuh. */
static void
test_run (void)
{
  const SeamTile tile = {
    .kind = SEAM_TILE_RUN, .rows = 1, .columns = 64, .width = 30, .run = 256, .pitch = 32
  };
  const SeamTileView view = { 1, 64, 20, 50 };
  gint64 rows, columns;

  for (gint64 y = 0; y < 20; y++)
    for (gint64 x = 0; x < 50; x++) {
      gint64 strip = x / 30, number = strip * 3 + (y * 32 + x % 30) / 256;
      g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 5, y, x), ==, number);
    }
  seam_tile_get_steps (&tile, &view, &rows, &columns);
  g_assert_cmpint (rows, ==, 1);
  g_assert_cmpint (columns, ==, 64);
}

/* GroupNorm in one pass: a block has 4 groups of 2 channels x 9 elements, also across samples. */
static void
test_flat_run (void)
{
  const SeamTile tile = { .kind = SEAM_TILE_RUN, .run = 72 };
  const SeamTileView view = { 3, 8, 3, 3 };
  const SeamTileView wide = { 3, 16, 3, 3 };
  g_autofree char *words = seam_tile_describe (&tile, &view);
  gint64 rows, columns;

  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 7, 2, 2), ==, 0);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 1, 0, 0, 0), ==, 1);
  g_assert_cmpint (seam_tile_get_number (&tile, &wide, 1, 8, 0, 0), ==, 3);
  seam_tile_get_steps (&tile, &view, &rows, &columns);
  g_assert_cmpint (rows, ==, 1);
  g_assert_cmpint (columns, ==, 0);
  seam_tile_get_steps (&tile, &wide, &rows, &columns);
  g_assert_cmpint (rows, ==, 1);
  g_assert_cmpint (columns, ==, 8);
  g_assert_cmpstr (words, ==, "a run of 72 elements");
}

/* Tiles of the CPU: the channels begin anew in every bundle of 12. */
static void
test_period (void)
{
  const SeamTile tile = {
    .kind = SEAM_TILE_RUN, .rows = 1, .columns = 8, .column_period = 12, .run = 100
  };
  const SeamTileView view = { 1, 24, 10, 10 };
  gint64 rows, columns;

  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 11, 9, 9), ==, 1);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 12, 0, 0), ==, 2);
  g_assert_cmpint (seam_tile_get_number (&tile, &view, 0, 23, 0, 0), ==, 3);
  seam_tile_get_steps (&tile, &view, &rows, &columns);
  g_assert_cmpint (columns, ==, 0); /* the lines are not at multiples */
}

static void
test_variant (void)
{
  const SeamTile tile = {
    .kind = SEAM_TILE_RUN, .rows = 1, .columns = 64, .width = 30, .run = 256, .pitch = 32
  };
  const SeamTile library = { .kind = SEAM_TILE_LIBRARY };
  const SeamTileView view = { 1, 1, 1, 1 };
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_record_to_variant (&seam_tile_type, &tile, TRUE));
  g_autoptr (GVariant) plain =
      g_variant_ref_sink (seam_record_to_variant (&seam_tile_type, &library, TRUE));
  g_autoptr (GVariant) later =
      g_variant_ref_sink (g_variant_new_parsed ("{'kind': <'spiral'>, 'turns': <int64 3>}"));
  g_autoptr (GVariant) empty = g_variant_ref_sink (g_variant_new_parsed ("{'kind': <'run'>}"));
  g_autoptr (GVariant) negative =
      g_variant_ref_sink (g_variant_new_parsed ("{'kind': <'box'>, 'rows': <int64 -1>}"));
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  SeamTile back;

  g_assert_true (seam_record_from_variant (&seam_tile_type, variant, "tile", NULL, &back, &error));
  g_assert_cmpmem (&back, sizeof back, &tile, sizeof tile);
  g_assert_true (seam_record_from_variant (&seam_tile_type, plain, "tile", NULL, &back, &error));
  words = seam_tile_describe (&back, &view);
  g_assert_nonnull (strstr (words, "library does not say"));
  /* A kind from a later version is unknown, but not an error. */
  g_assert_true (seam_record_from_variant (&seam_tile_type, later, "tile", NULL, &back, &error));
  g_assert_false (seam_tile_is_known (&back));
  g_assert_false (seam_record_from_variant (&seam_tile_type, empty, "tile", NULL, &back, &error));
  g_clear_error (&error);
  g_assert_false (seam_record_from_variant (&seam_tile_type, negative, "tile", NULL, &back, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile/box", test_box);
  g_test_add_func ("/tile/pixels", test_pixels);
  g_test_add_func ("/tile/run", test_run);
  g_test_add_func ("/tile/flat-run", test_flat_run);
  g_test_add_func ("/tile/period", test_period);
  g_test_add_func ("/tile/variant", test_variant);
  return g_test_run ();
}
