/* SPDX-License-Identifier: MIT
 *
 * Tiles of an output: the tile of an element, and a description in words.
 */
#include "app/result/tile.h"

#include "app/base/text.h"

static const SeamChoice kinds[] = {
  [SEAM_TILE_UNKNOWN] = { "unknown" },
  [SEAM_TILE_LIBRARY] = { "library" },
  [SEAM_TILE_BOX] = { "box" },
  [SEAM_TILE_RUN] = { "run" },
  { NULL },
};

/* Limits that keep products of two sizes within 64 bits. */
#define SIZE(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (SeamTile, m, INT64), .flags = SEAM_OMITTED, .max = G_MAXINT32                      \
  }

static const SeamField fields[] = {
  { SEAM_FIELD (SeamTile, kind, CHOICE), .flags = SEAM_LENIENT, .choices = kinds },
  SIZE (rows),
  SIZE (columns),
  SIZE (column_period),
  SIZE (height),
  SIZE (width),
  SIZE (run),
  SIZE (pitch),
  { NULL },
};

static void
complete (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamTile *tile = record;

  if (tile->kind == SEAM_TILE_BOX && (tile->rows < 1 || tile->columns < 1))
    seam_reader_fail (reader, "a box has no rows or columns");
  if (tile->kind == SEAM_TILE_RUN && tile->run < 1)
    seam_reader_fail (reader, "a run has no elements");
}

const SeamRecordType seam_tile_type = {
  .name = "tile",
  .size = sizeof (SeamTile),
  .fields = fields,
  .max = 256,
  .complete = complete,
};

static gint64
divide_up (gint64 a, gint64 b)
{
  return a / b + (a % b != 0);
}

gboolean
seam_tile_is_known (const SeamTile *tile)
{
  return tile->kind == SEAM_TILE_BOX || tile->kind == SEAM_TILE_RUN;
}

/* Number of the block of `size` that holds `at`, along a side of `n`, if blocks begin anew every
 * `period`; `n_blocks` receives the number of blocks. */
static gint64
find_block (gint64 size, gint64 period, gint64 n, gint64 at, gint64 *n_blocks)
{
  if (size <= 0) {
    *n_blocks = 1;
    return 0;
  }
  if (period <= 0)
    period = n;
  *n_blocks = divide_up (n, period) * divide_up (period, size);
  return at / period * divide_up (period, size) + at % period / size;
}

static gint64
find_box (const SeamTile *tile, const SeamTileView *view, gint64 y, gint64 x, gint64 *n)
{
  gint64 n_down, n_across;
  gint64 down = find_block (tile->height, 0, view->height, y, &n_down);
  gint64 across = find_block (tile->width, 0, view->width, x, &n_across);

  *n = n_down * n_across;
  return down * n_across + across;
}

/* Number of the run, counted over the strips of a plane, and over planes and samples if the run's
 * order includes them. */
static gint64
find_run (const SeamTile *tile, const SeamTileView *view, gint64 row, gint64 column, gint64 y,
          gint64 x, gint64 *n)
{
  gint64 strip = tile->width > 0 ? MIN (tile->width, view->width) : view->width;
  gint64 pitch = MAX (tile->pitch, strip), at = y * pitch + x % strip;
  gint64 plane = view->height * pitch, planes = 1;

  if (tile->columns <= 0) {
    at += column * plane;
    planes *= view->columns;
  }
  if (tile->rows <= 0) {
    at += row * plane * planes;
    planes *= view->rows;
  }
  gint64 n_runs = divide_up (plane * planes, tile->run);
  *n = n_runs * divide_up (view->width, strip);
  return x / strip * n_runs + at / tile->run;
}

gint64
seam_tile_get_number (const SeamTile *tile, const SeamTileView *view, gint64 row, gint64 column,
                      gint64 y, gint64 x)
{
  gint64 n_rows, n_columns, n_inside;
  gint64 down = find_block (tile->rows, 0, view->rows, row, &n_rows);
  gint64 across =
      find_block (tile->columns, tile->column_period, view->columns, column, &n_columns);
  gint64 inside = tile->kind == SEAM_TILE_BOX ? find_box (tile, view, y, x, &n_inside)
                                              : find_run (tile, view, row, column, y, x, &n_inside);

  return (down * n_columns + across) * n_inside + inside;
}

void
seam_tile_get_steps (const SeamTile *tile, const SeamTileView *view, gint64 *rows, gint64 *columns)
{
  gint64 plane = view->height * view->width;

  *rows = tile->rows;
  *columns = tile->columns;
  if (tile->columns > 0 && tile->column_period % tile->columns != 0)
    *columns = 0;
  if (tile->kind != SEAM_TILE_RUN || tile->columns > 0 || tile->rows > 0 || tile->run % plane != 0)
    return;
  /* Runs of whole planes. */
  gint64 planes = tile->run / plane;
  if (planes % view->columns == 0)
    *rows = planes / view->columns;
  else if (view->columns % planes == 0) {
    *rows = 1;
    *columns = planes;
  }
}

static void
append_count (GString *text, gint64 n, const char *what)
{
  g_autofree char *count = seam_text_count (n);

  g_string_append_printf (text, "%s%s %s%s", text->len > 0 ? " " SEAM_TIMES " " : "", count, what,
                          n == 1 ? "" : "s");
}

char *
seam_tile_describe (const SeamTile *tile, const SeamTileView *view)
{
  gboolean is_matrix = view->height * view->width == 1;

  if (tile->kind == SEAM_TILE_LIBRARY)
    return g_strdup ("The library does not say how its kernel divides the output.");
  if (!seam_tile_is_known (tile))
    return g_strdup ("How the kernel divides the output was not recorded; run it again to see it.");
  GString *text = g_string_new (NULL);
  if (tile->rows > (is_matrix ? 0 : 1))
    append_count (text, MIN (tile->rows, view->rows), is_matrix ? "row" : "sample");
  if (tile->columns > 0)
    append_count (text, MIN (tile->columns, view->columns), is_matrix ? "column" : "channel");
  if (tile->kind == SEAM_TILE_RUN) {
    g_autofree char *run = seam_text_count (tile->run);
    g_string_append_printf (text, "%sa run of %s %s", text->len > 0 ? " " SEAM_TIMES " " : "", run,
                            tile->columns > 0 ? "pixels" : "elements");
  } else if (!is_matrix) {
    g_autofree char *height =
        seam_text_count (tile->height > 0 ? MIN (tile->height, view->height) : view->height);
    g_autofree char *width =
        seam_text_count (tile->width > 0 ? MIN (tile->width, view->width) : view->width);
    g_string_append_printf (text, "%s%s " SEAM_TIMES " %s pixels",
                            text->len > 0 ? " " SEAM_TIMES " " : "", height, width);
  }
  return g_string_free (text, FALSE);
}
