/* SPDX-License-Identifier: MIT
 *
 * Lays out and draws why a seam can or cannot be fused.
 */
#include "app/figure/why-figure.h"

#include "app/base/text.h"
#include "app/figure/legend.h"

#include <math.h>

#define TOP         24.0 /* titles of the two panels */
#define PANEL       180.0
#define STRIP       72.0
#define MAX_TILES   8
#define GAP         56.0
#define MAX_ROWS    8
#define MAX_COLUMNS 64
#define MIN_WIDTH   640.0
#define HEIGHT      (TOP + PANEL + 44)
#define HALO_TOP    (HEIGHT + 30)
#define HALO_HEIGHT 118.0 /* of the pictures of two tiles' inputs */
#define HALO_WIDTH  220.0 /* the words beside them need the rest */

typedef struct {
  SeamWhyLayout layout;
  gboolean is_matrix;
  const char *halo_title, *halo_rows[3];
  const char *left_title, *right_title, *tiles;
  SeamLegend legend;
} Why;

/* The beginning of a row, or of a channel's pixels in memory order, to scale. */
static void
lay_out_magnified (const SeamWhy *why, SeamWhyLayout *layout)
{
  SeamRect *m = &layout->magnified;
  gint64 line = why->plane == 1 ? why->columns : why->plane;
  gint64 span = why->kind == SEAM_WHY_ELEMENT ? 1 : why->plane == 1 ? why->span_columns : line;
  double scale;

  layout->n_shown = MIN (line, MAX_TILES * SEAM_WHY_TILE);
  scale = m->width / (double)layout->n_shown;
  m->height = STRIP;
  layout->n_tiles = (int)((layout->n_shown + SEAM_WHY_TILE - 1) / SEAM_WHY_TILE);
  layout->tile_dx = SEAM_WHY_TILE * scale;
  layout->tile = *m;
  layout->tile.width = fmin (m->width, layout->tile_dx);
  layout->covered = *m;
  layout->covered.width = fmax (fmin (m->width, (double)span * scale), fmin (m->width, 3));
}

/* Rows of the input, to scale: the patches of two tiles, where the last rows of the first one are
 * also rows of the second. */
static void
lay_out_halo (const SeamWhy *why, SeamWhyLayout *layout)
{
  double rows = (double)(2 * why->tile_height + why->halo), row = HALO_HEIGHT / rows;
  double height = row * (double)(why->tile_height + why->halo);

  if (why->halo == 0)
    return;
  layout->patches[0] = (SeamRect){ 0, HALO_TOP, HALO_WIDTH, height };
  layout->patches[1] =
      (SeamRect){ 14, HALO_TOP + row * (double)why->tile_height, HALO_WIDTH, height };
  layout->shared = layout->patches[1];
  layout->shared.width = HALO_WIDTH - 14;
  layout->shared.height = row * (double)why->halo;
}

void
seam_why_layout (const SeamWhy *why, double width, SeamWhyLayout *layout)
{
  double panel = floor ((MAX (width, MIN_WIDTH) - GAP) / 2);

  *layout = (SeamWhyLayout){ 0 };
  layout->n_rows = (int)MIN (why->rows, MAX_ROWS);
  layout->rows_cut = why->rows > MAX_ROWS;
  layout->n_columns = (int)MIN (why->columns, MAX_COLUMNS);
  layout->tensor = (SeamRect){ 0, TOP, panel, PANEL };
  double row = PANEL / layout->n_rows;
  /* At least as wide as can be seen; the true width is larger in all pipelines here. */
  double span = fmax (3, panel * (double)why->span_columns / (double)why->columns);
  layout->span = (SeamRect){ 0, TOP, MIN (panel, span), row };
  layout->magnified = (SeamRect){ panel + GAP, TOP, panel, PANEL };
  lay_out_magnified (why, layout);
  lay_out_halo (why, layout);
}

static void
draw_halo (const Why *why, cairo_t *cr, const SeamPalette *palette)
{
  const SeamWhyLayout *l = &why->layout;
  double x = l->patches[1].x + HALO_WIDTH + 18;

  if (why->halo_title == NULL)
    return;
  seam_paint_text (cr, &palette->dim_text, why->halo_title, 0, HALO_TOP - 12, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  for (int i = 0; i < 2; i++)
    seam_paint_box (cr, &l->patches[i], 0, &palette->soft, &palette->text, 1.5);
  seam_paint_hatch (cr, palette, &l->shared);
  seam_paint_box (cr, &l->shared, 0, &palette->selection_fill, &palette->selection, 2);
  for (int i = 0; i < 3; i++) {
    const SeamRect *rect = i == 1 ? &l->shared : &l->patches[i / 2];
    double y = i == 0   ? rect->y + 8
               : i == 1 ? rect->y + rect->height / 2
                        : rect->y + rect->height - 8;
    seam_paint_text (cr, &palette->text, why->halo_rows[i], x, y + SEAM_BASELINE (SEAM_SIZE_AXIS),
                     SEAM_SIZE_AXIS, i == 1 ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
  }
}

static void
draw_tensor (const Why *why, cairo_t *cr, const SeamPalette *palette)
{
  const SeamWhyLayout *l = &why->layout;
  const SeamRect *t = &l->tensor;

  seam_paint_box (cr, t, 0, &palette->soft, &palette->glyph, 1);
  for (int i = 1; i < l->n_rows; i++)
    seam_paint_line (cr, &palette->grid, 1, t->x, t->y + t->height * i / l->n_rows, t->x + t->width,
                     t->y + t->height * i / l->n_rows);
  if (!why->is_matrix)
    for (int i = 1; i < l->n_columns; i++)
      seam_paint_line (cr, &palette->grid, 1, t->x + t->width * i / l->n_columns, t->y,
                       t->x + t->width * i / l->n_columns, t->y + t->height);
  seam_paint_box (cr, &l->span, 0, &palette->selection_fill, &palette->selection, 2);
}

static void
draw_magnified (const Why *why, cairo_t *cr, const SeamPalette *palette)
{
  const SeamWhyLayout *l = &why->layout;
  const SeamRect *m = &l->magnified;

  seam_paint_box (cr, m, 0, &palette->soft, &palette->glyph, 1);
  seam_paint_hatch (cr, palette, &l->tile);
  seam_paint_box (cr, &l->covered, 0, &palette->selection_fill, &palette->selection, 2);
  for (int i = 1; i < l->n_tiles; i++)
    seam_paint_dashed (cr, &palette->glyph, 1, m->x + i * l->tile_dx, m->y, m->x + i * l->tile_dx,
                       m->y + m->height);
  seam_paint_box (cr, &l->tile, 0, NULL, &palette->text, 1.5);
  seam_paint_text (cr, &palette->text, why->tiles, m->x, m->y + m->height + 22, SEAM_SIZE_AXIS,
                   SEAM_BOLD, SEAM_ALIGN_START);
}

typedef enum { SWATCH_GROUP, SWATCH_TILE } Swatch;

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  if (what == SWATCH_GROUP) {
    seam_paint_box (cr, swatch, 0, &palette->selection_fill, &palette->selection, 2);
    return;
  }
  seam_paint_hatch (cr, palette, swatch);
  seam_paint_box (cr, swatch, 0, NULL, &palette->text, 1.5);
}

static void
why_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Why *why = figure->layout;
  const SeamWhyLayout *l = &why->layout;

  seam_paint_text (cr, &palette->dim_text, why->left_title, l->tensor.x, 12, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, why->right_title, l->magnified.x, 12, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  draw_tensor (why, cr, palette);
  draw_magnified (why, cr, palette);
  draw_halo (why, cr, palette);

  seam_legend_draw (&why->legend, draw_swatch, cr, palette);
}

static const SeamFigureClass why_class = { .draw = why_draw };

SeamFigure *
seam_why_figure_new (const SeamWhy *why, double width)
{
  Why *self = seam_owner_new (Why);
  g_autofree char *rows = seam_text_count (why->rows);
  g_autofree char *columns = seam_text_count (why->columns);
  g_autofree char *span = seam_text_count (why->span);
  g_autofree char *tiles = seam_text_count (why->n_tiles);
  gboolean has_group = why->kind != SEAM_WHY_ELEMENT;

  seam_why_layout (why, width, &self->layout);
  g_autofree char *shown = seam_text_count (self->layout.n_shown);
  width = MAX (width, MIN_WIDTH);
  if (why->halo > 0) {
    g_autofree char *again = seam_text_bytes (why->bytes_again);
    g_autofree char *input = seam_text_bytes (why->bytes_input);
    self->halo_title = "Input rows of two tiles of the convolution, one below the other";
    self->halo_rows[0] = seam_keep_printf (
        self, "%" G_GINT64_FORMAT " rows, for %" G_GINT64_FORMAT " rows of outputs",
        why->tile_height + why->halo, why->tile_height);
    self->halo_rows[1] = seam_keep_printf (self, "%" G_GINT64_FORMAT " row%s read by both",
                                           why->halo, why->halo == 1 ? "" : "s");
    self->halo_rows[2] =
        seam_keep_printf (self, "with columns, all tiles: %s again, beside %s", again, input);
  }
  self->is_matrix = why->plane == 1;
  self->left_title = seam_keep_printf (
      self, "%s %s × %s %s%s", rows, self->is_matrix ? "rows" : "samples", columns,
      self->is_matrix ? "columns" : "channels", self->layout.rows_cut ? ", the first 8 drawn" : "");
  self->right_title = seam_keep_printf (
      self, "%s, %s %s in memory order", self->is_matrix ? "one row" : "one channel of a sample",
      self->layout.n_shown < (self->is_matrix ? why->columns : why->plane) ? "first" : "all",
      shown);
  self->tiles = !has_group         ? "Every element stands for itself."
                : why->n_tiles > 1 ? seam_keep_printf (self, "A group lies in %s tiles.", tiles)
                                   : "A group lies in one tile.";
  g_autofree char *group = g_strdup_printf ("one group: %s elements", span);
  seam_legend_add (&self->legend, SWATCH_GROUP, SEAM_LEGEND_SWATCH,
                   has_group         ? group
                   : self->is_matrix ? "one element, drawn larger"
                                     : "one channel of one sample; at the right one element");
  seam_legend_add (&self->legend, SWATCH_TILE, SEAM_LEGEND_SWATCH, "one tile of a matrix kernel");
  seam_keep_full (self, &self->legend, (GDestroyNotify)seam_legend_clear);
  seam_legend_place (&self->legend, 0, TOP + PANEL + 16, width);
  return seam_figure_new (&why_class, self, width,
                          why->halo > 0 ? HALO_TOP + HALO_HEIGHT + 8 : HEIGHT,
                          g_strdup_printf ("%s %s: %s.", why->sentence, why->number, why->caption));
}
