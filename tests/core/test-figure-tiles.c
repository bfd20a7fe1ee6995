/* SPDX-License-Identifier: MIT
 *
 * Tiles over the maps: where their lines are, which are left out because they would cover the map,
 * and what the words say of them.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/figure/map-common.h"
#include "app/report/sheets.h"

/* A map of cells of `side` px at 10, 20. */
static SeamMapGrid
make_grid (gint64 n_rows, gint64 n_columns, double side)
{
  return (SeamMapGrid){ .n_rows = n_rows,
                        .n_columns = n_columns,
                        .cell_width = side,
                        .cell_height = side,
                        .area = { 10, 20, (double)n_columns * side, (double)n_rows * side } };
}

static const SeamRect *
get_line (const SeamMapTiles *tiles, guint i)
{
  g_assert_cmpuint (i, <, tiles->lines->len);
  return &g_array_index (tiles->lines, SeamRect, i);
}

static void
assert_line (const SeamMapTiles *tiles, double x, double y, double width, double height)
{
  for (guint i = 0; i < tiles->lines->len; i++) {
    const SeamRect *line = get_line (tiles, i);
    if (fabs (line->x - x) < 1e-6 && fabs (line->y - y) < 1e-6 && fabs (line->width - width) < 1e-6
        && fabs (line->height - height) < 1e-6)
      return;
  }
  g_error ("There is no line at %g, %g of %g × %g.", x, y, width, height);
}

/* 1,024 x 512 in cells of 8 x 4 elements, tiles of 128 x 128. */
static void
test_overview (void)
{
  const SeamDifferenceSpec spec = {
    .rows = 1024, .columns = 512, .plane = 1, .rows_per_cell = 8, .columns_per_cell = 4
  };
  const SeamTileView view = { 1024, 512, 1, 1 };
  SeamTile tile = { .kind = SEAM_TILE_BOX, .rows = 128, .columns = 128 };
  SeamMapGrid grid = make_grid (128, 128, 3);
  SeamMapTiles tiles = { 0 };

  g_assert_null (seam_map_tiles_find (&tiles, &grid, &tile, &view, &spec));
  g_assert_cmpuint (tiles.lines->len, ==, 3 + 7);
  assert_line (&tiles, 10 + 32 * 3, 20, 0, 384);
  assert_line (&tiles, 10, 20 + 112 * 3, 384, 0);
  g_assert_cmpfloat (tiles.spacing, ==, 16 * 3);
  seam_map_tiles_clear (&tiles);

  /* Two rows take less than a pixel: only columns are drawn. */
  tile.rows = 2;
  g_assert_null (seam_map_tiles_find (&tiles, &grid, &tile, &view, &spec));
  g_assert_cmpuint (tiles.lines->len, ==, 3);
  seam_map_tiles_clear (&tiles);
  tile.columns = 4;
  g_assert_cmpstr (seam_map_tiles_find (&tiles, &grid, &tile, &view, &spec), ==,
                   "tiles too fine to draw");
  tile.rows = 1024;
  tile.columns = 4096;
  g_assert_cmpstr (seam_map_tiles_find (&tiles, &grid, &tile, &view, &spec), ==, "one tile");
  g_assert_null (tiles.lines);
}

/* A plane of 12 x 10 in runs of 25 elements: the line has a step where a run ends within a row. */
static void
test_steps (void)
{
  const SeamTileView view = { 1, 1, 12, 10 };
  const SeamTile tile = { .kind = SEAM_TILE_RUN, .rows = 1, .columns = 1, .run = 25 };
  SeamMapGrid grid = make_grid (12, 10, 8);
  g_autoptr (SeamSlice) slice = seam_slice_new (12, 10);
  SeamMapTiles tiles = { 0 };

  g_assert_null (seam_map_tiles_find_in_slice (&tiles, &grid, &tile, &view, slice));
  /* Element 25 is row 2, column 5: the line runs left of it, above it to the end of its row, and
   * below row 2 up to it. */
  assert_line (&tiles, 10 + 5 * 8, 20 + 2 * 8, 0, 8);
  assert_line (&tiles, 10 + 5 * 8, 20 + 2 * 8, 5 * 8, 0);
  assert_line (&tiles, 10, 20 + 3 * 8, 5 * 8, 0);
  /* Element 50 begins row 5: the line has the whole width. */
  assert_line (&tiles, 10, 20 + 5 * 8, 80, 0);
  seam_map_tiles_clear (&tiles);
}

/* A part of a matrix that does not begin at a tile. */
static void
test_slice (void)
{
  const SeamTileView view = { 1000, 1000, 1, 1 };
  const SeamTile tile = { .kind = SEAM_TILE_BOX, .rows = 64, .columns = 128 };
  SeamMapGrid grid = make_grid (100, 200, 2);
  g_autoptr (SeamSlice) slice = seam_slice_new (100, 200);
  SeamMapTiles tiles = { 0 };

  slice->first_row = 60;
  slice->first_column = 100;
  g_assert_null (seam_map_tiles_find_in_slice (&tiles, &grid, &tile, &view, slice));
  g_assert_cmpuint (tiles.lines->len, ==, 4);
  assert_line (&tiles, 10 + 28 * 2, 20, 0, 200);
  assert_line (&tiles, 10 + 156 * 2, 20, 0, 200);
  assert_line (&tiles, 10, 20 + 4 * 2, 400, 0);
  assert_line (&tiles, 10, 20 + 68 * 2, 400, 0);
  seam_map_tiles_clear (&tiles);
}

/* On the map and on the sheet: more ink, a map of the same size, and words if the tile is
 * unknown. */
static void
test_sheet (void)
{
  g_autoptr (SeamResult) result = fixture_result ("37", "laptop", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, .01, FALSE);
  const SeamMapLook look = { .unit = SEAM_UNIT_ULP, .tiles = TRUE };
  SeamPlanResult *plan = &result->plans[1];
  SeamTile tile = seam_result_get_output_tile (result, 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *unknown = seam_map_describe_tile (&tile, problem, "B");
  g_autofree char *known = NULL, *library = NULL;

  g_assert_nonnull (strstr (unknown, "Tiles of B: How the kernel divides the output was not rec"));
  g_assert_false (seam_tile_is_known (&(SeamTile){ 0 }));
  plan->tiles = g_new0 (SeamTile, plan->n_groups);
  plan->tiles[plan->n_groups - 1] = (SeamTile){ .kind = SEAM_TILE_BOX, .rows = 64, .columns = 128 };
  tile = seam_result_get_output_tile (result, 1);
  known = seam_map_describe_tile (&tile, problem, "B");
  g_assert_cmpstr (known, ==,
                   "Lines: tiles of B, as its last kernel writes them, 64 rows × 128 columns.");
  library = seam_map_describe_tile (&(SeamTile){ .kind = SEAM_TILE_LIBRARY }, problem, "A");
  g_assert_nonnull (strstr (library, "Tiles of A: The library does not say"));
  g_assert_cmpint (seam_result_get_output_tile (result, -1).kind, ==, SEAM_TILE_UNKNOWN);

  g_autoptr (SeamFigure) sheet =
      seam_difference_sheet_new (result, 1, 0, difference, NULL, &look, 1000, &error);
  g_assert_no_error (error);
  ink_assert_inside (sheet, "sheet with tiles");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/tiles/overview", test_overview);
  g_test_add_func ("/figure/tiles/steps", test_steps);
  g_test_add_func ("/figure/tiles/slice", test_slice);
  g_test_add_func ("/figure/tiles/sheet", test_sheet);
  return g_test_run ();
}
