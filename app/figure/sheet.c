/* SPDX-License-Identifier: MIT
 *
 * A sheet is a list of placed items; drawing it is drawing them in order.
 */
#include "app/figure/sheet.h"

#include <math.h>

typedef enum { ITEM_TEXT, ITEM_PARAGRAPH, ITEM_FIGURE, ITEM_RULE, ITEM_BADGE } ItemKind;

typedef struct {
  ItemKind kind;
  double x, y, width, height, size;
  int weight;
  gboolean struck, monospace;
  SeamInk ink;
  char letter;
  char *text;
  SeamFigure *figure;
} Item;

/* The layout of its figure. */
struct SeamSheet {
  double width;
  GArray *items;
};

static void
draw_item (const Item *item, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = seam_palette_get_ink (palette, item->ink);

  switch (item->kind) {
  case ITEM_TEXT:
    seam_paint_text (cr, color, item->text, item->x, item->y, item->size, item->weight,
                     SEAM_ALIGN_START);
    if (item->struck)
      seam_paint_line (cr, color, 1.6, item->x, item->y - item->size * .28, item->x + item->width,
                       item->y - item->size * .28);
    break;
  case ITEM_PARAGRAPH:
    seam_paint_paragraph (cr, color, item->text, item->x, item->y, item->width, item->size,
                          item->weight, item->monospace, 0);
    break;
  case ITEM_FIGURE:
    cairo_save (cr);
    cairo_translate (cr, item->x, item->y);
    seam_figure_draw (item->figure, cr, palette);
    cairo_restore (cr);
    break;
  case ITEM_RULE:
    seam_paint_line (cr, &palette->grid, 1, item->x, item->y, item->x + item->width,
                     item->y + item->height);
    break;
  case ITEM_BADGE:
    seam_paint_badge (cr, palette, item->letter, item->x, item->y);
    break;
  }
}

static void
sheet_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSheet *sheet = figure->layout;

  for (guint i = 0; i < sheet->items->len; i++)
    draw_item (&g_array_index (sheet->items, Item, i), cr, palette);
}

SeamSheet *
seam_sheet_new (double width)
{
  SeamSheet *sheet = seam_owner_new (SeamSheet);

  sheet->width = width;
  sheet->items = seam_keep_full (sheet, g_array_new (FALSE, TRUE, sizeof (Item)),
                                 (GDestroyNotify)g_array_unref);
  return sheet;
}

static double
add_text (SeamSheet *sheet, SeamInk ink, const char *text, double x, double baseline, double size,
          int weight, gboolean struck)
{
  Item item = {
    .kind = ITEM_TEXT,
    .ink = ink,
    .text = seam_keep (sheet, g_strdup (text)),
    .x = x,
    .y = baseline,
    .size = size,
    .weight = weight,
    .struck = struck,
    .width = seam_paint_measure (text, size, weight),
  };

  g_array_append_val (sheet->items, item);
  return item.width;
}

double
seam_sheet_add_text (SeamSheet *sheet, SeamInk ink, const char *text, double x, double baseline,
                     double size, int weight)
{
  return add_text (sheet, ink, text, x, baseline, size, weight, FALSE);
}

double
seam_sheet_add_struck_text (SeamSheet *sheet, SeamInk ink, const char *text, double x,
                            double baseline, double size, int weight)
{
  return add_text (sheet, ink, text, x, baseline, size, weight, TRUE);
}

double
seam_sheet_add_paragraph (SeamSheet *sheet, SeamInk ink, const char *text, double x, double y,
                          double width, double size, gboolean monospace)
{
  Item item = {
    .kind = ITEM_PARAGRAPH,
    .ink = ink,
    .text = seam_keep (sheet, g_strdup (text)),
    .x = x,
    .y = y,
    .width = width,
    .size = size,
    .weight = SEAM_REGULAR,
    .monospace = monospace,
  };

  g_array_append_val (sheet->items, item);
  return seam_paint_measure_paragraph (text, width, size, SEAM_REGULAR, monospace, 0);
}

void
seam_sheet_add_figure (SeamSheet *sheet, SeamFigure *figure, double x, double y)
{
  Item item = { .kind = ITEM_FIGURE, .figure = figure, .x = x, .y = y };

  seam_keep_full (sheet, figure, (GDestroyNotify)seam_figure_free);
  g_array_append_val (sheet->items, item);
}

void
seam_sheet_add_rule (SeamSheet *sheet, double x1, double y1, double x2, double y2)
{
  Item item = { .kind = ITEM_RULE, .x = x1, .y = y1, .width = x2 - x1, .height = y2 - y1 };

  g_array_append_val (sheet->items, item);
}

void
seam_sheet_add_badge (SeamSheet *sheet, char letter, double x, double y)
{
  Item item = { .kind = ITEM_BADGE, .letter = letter, .x = x, .y = y };

  g_array_append_val (sheet->items, item);
}

double
seam_sheet_measure_fact (const char *caption, const char *value)
{
  return 16
         + ceil (fmax (seam_paint_measure (caption, SEAM_SIZE_SMALL, SEAM_REGULAR),
                       seam_paint_measure (value, 16, SEAM_BOLD)));
}

double
seam_sheet_add_fact (SeamSheet *sheet, SeamInk ink, const char *caption, const char *value,
                     double x, double y)
{
  seam_sheet_add_rule (sheet, x + .5, y, x + .5, y + SEAM_FACT_HEIGHT);
  seam_sheet_add_text (sheet, SEAM_INK_DIM, caption, x + 16, y + 12, SEAM_SIZE_SMALL, SEAM_REGULAR);
  seam_sheet_add_text (sheet, ink, value, x + 16, y + 33, 16, SEAM_BOLD);
  return seam_sheet_measure_fact (caption, value);
}

SeamFigure *
seam_sheet_finish (SeamSheet *sheet, double height, char *summary)
{
  static const SeamFigureClass sheet_class = { .draw = sheet_draw };

  return seam_figure_new (&sheet_class, sheet, sheet->width, ceil (height), summary);
}
