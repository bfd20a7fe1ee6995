/* SPDX-License-Identifier: MIT
 *
 * The waterfall figure: draws the layout of waterfall-layout.c and answers the pointer.
 */
#include "app/figure/waterfall.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/waterfall-layout.h"

#include <math.h>

#define LAST_TICK_ROOM 24.0

typedef struct {
  SeamFigure base;
  SeamWaterfallLayout *layout;
  char *summary;
} Waterfall;

static void
draw_axis (const SeamWaterfallLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  double unit = seam_paint_measure (layout->unit.name, SEAM_SIZE_AXIS, SEAM_REGULAR);
  const SeamAxisPlace place = {
    .axis = &layout->axis,
    .unit = layout->unit.name,
    .zero_x = layout->left,
    .px_per_unit = layout->px_per_unit,
    .left = layout->left,
    /* The unit still fits behind half of the last number. */
    .right = layout->width - unit - LAST_TICK_ROOM,
    .y = layout->axis_y,
  };

  seam_axis_draw (&place, cr, palette);
}

/* Less time is good, more is bad; what is not explained is neither, and hatched. */
static const SeamColor *
get_color (const SeamWaterfallRow *row, const SeamPalette *palette)
{
  switch (row->kind) {
  case SEAM_STEP_START:
  case SEAM_STEP_END:
    return &palette->text;
  case SEAM_STEP_REMAINDER:
    return &palette->dim_text;
  default:
    return row->sign < 0 ? &palette->good : (row->sign > 0 ? &palette->bad : &palette->dim_text);
  }
}

static void
draw_row (const SeamWaterfallRow *row, cairo_t *cr, const SeamPalette *palette,
          const SeamWaterfallLayout *layout)
{
  const SeamColor *color = get_color (row, palette);
  gboolean is_end = row->kind == SEAM_STEP_START || row->kind == SEAM_STEP_END;
  double middle = row->row.y + row->row.height / 2;
  SeamRect plate = { row->value_x - 3, middle - 9,
                     seam_paint_measure (row->value, 13, SEAM_BOLD) + 6, 18 };

  seam_paint_text (cr, &palette->text, row->label, layout->left - 10, middle + SEAM_BASELINE (13),
                   13, is_end ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_END);
  if (row->kind == SEAM_STEP_REMAINDER) {
    seam_paint_box (cr, &row->bar, 0, &palette->card, NULL, 0);
    seam_paint_hatch (cr, palette, &row->bar);
    seam_paint_box (cr, &row->bar, 0, NULL, &palette->glyph, 1);
  } else {
    SeamColor fill = is_end ? seam_palette_mix (&palette->text, &palette->card, .78) : *color;

    seam_paint_box (cr, &row->bar, 2, &fill, NULL, 0);
  }
  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_text (cr, color, row->value, row->value_x, middle + SEAM_BASELINE (13), 13, SEAM_BOLD,
                   SEAM_ALIGN_START);
}

static void
waterfall_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamWaterfallLayout *layout = ((Waterfall *)figure)->layout;

  draw_axis (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++) {
    const SeamWaterfallRow *row = &layout->rows[i];

    if (isfinite (row->join_x))
      seam_paint_line (cr, &palette->glyph, 1, row->join_x, row->bar.y + row->bar.height,
                       row->join_x, layout->rows[i + 1].bar.y);
  }
  for (int i = 0; i < layout->n_rows; i++) {
    SeamHit hit = { .kind = SEAM_HIT_OP, .index = i };
    SeamRect ring = seam_rect_inset (&layout->rows[i].row, 1);

    draw_row (&layout->rows[i], cr, palette, layout);
    if (seam_hit_equal (&figure->selected, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_SELECTED, &ring, 4);
    if (seam_hit_equal (&figure->hover, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &ring, 4);
    if (seam_hit_equal (&figure->focus, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &ring, 4);
  }
}

static gboolean
waterfall_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamWaterfallLayout *layout = ((Waterfall *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++)
    if (seam_rect_contains (&layout->rows[i].row, x, y)) {
      *hit = (SeamHit){ .kind = SEAM_HIT_OP, .index = i };
      return TRUE;
    }
  return FALSE;
}

static gboolean
waterfall_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamWaterfallLayout *layout = ((Waterfall *)figure)->layout;

  if (hit->kind != SEAM_HIT_OP || hit->index < 0 || hit->index >= layout->n_rows)
    return FALSE;
  *rect = layout->rows[hit->index].row;
  return TRUE;
}

static char *
waterfall_summarize (SeamFigure *figure)
{
  return g_strdup (((Waterfall *)figure)->summary);
}

static void
waterfall_finalize (SeamFigure *figure)
{
  Waterfall *self = (Waterfall *)figure;

  seam_waterfall_layout_free (self->layout);
  g_free (self->summary);
}

static const SeamFigureClass waterfall_class = {
  .draw = waterfall_draw,
  .pick = waterfall_pick,
  .locate = waterfall_locate,
  .summarize = waterfall_summarize,
  .finalize = waterfall_finalize,
};

SeamFigure *
seam_waterfall_figure_new (const SeamWaterfall *waterfall, double width)
{
  Waterfall *self = g_new0 (Waterfall, 1);
  GString *summary = g_string_new (NULL);

  self->base.klass = &waterfall_class;
  self->layout = seam_waterfall_layout_new (waterfall, width);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  g_string_append_printf (summary, "From A to %c:", waterfall->letters[1]);
  for (int i = 0; i < self->layout->n_rows; i++)
    g_string_append_printf (summary, "%s %s %s %s", i > 0 ? "," : "", waterfall->steps[i].label,
                            self->layout->rows[i].value, self->layout->unit.name);
  g_string_append_c (summary, '.');
  if (waterfall->sentence != NULL)
    g_string_append_printf (summary, " %s", waterfall->sentence);
  self->summary = g_string_free (summary, FALSE);
  return &self->base;
}
