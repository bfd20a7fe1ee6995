/* SPDX-License-Identifier: MIT
 *
 * The bars figure: draws the layout of bars-layout.c and answers the pointer.
 */
#include "app/figure/bars.h"

#include "app/figure/axis.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/bars-layout.h"
#include "app/figure/paint.h"

#include <math.h>

typedef struct {
  SeamFigure base;
  SeamResult *result;
  SeamBarsLayout *layout;
} Bars;

static gboolean
is_hit (const SeamHit *hit, SeamHitKind kind, int plan, int index)
{
  return hit->kind == kind && hit->plan == plan && hit->index == index;
}

static void
draw_axis (const SeamBarsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxisPlace place = {
    .axis = &layout->axis,
    .unit = layout->unit.name,
    .zero_x = layout->left,
    .px_per_unit = layout->px_per_unit,
    .left = layout->left,
    .right = layout->width,
    .y = layout->axis_y,
    .hide = layout->hide_tick,
    .n_hide = G_N_ELEMENTS (layout->hide_tick),
  };

  seam_axis_draw (&place, cr, palette);
}

static void
draw_floor (const SeamBarsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  double x = layout->floor_x, y = layout->axis_y - 4;

  if (!isfinite (x))
    return;
  seam_palette_set_source (cr, &palette->text);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + 5, y + 7);
  cairo_line_to (cr, x - 5, y + 7);
  cairo_close_path (cr);
  cairo_fill (cr);
  seam_paint_text (cr, &palette->text, layout->floor_label, layout->floor_text_x,
                   layout->axis_y + 16, SEAM_SIZE_AXIS, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
}

static void
draw_plain_segment (const SeamBarSegment *segment, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *rect = &segment->rect;

  seam_paint_box (cr, rect, 4, &palette->card, NULL, 0);
  seam_paint_box (cr, rect, 4, &palette->soft, &palette->glyph, palette->high_contrast ? 2 : 1);
  seam_paint_text (cr, &palette->dim_text, segment->name, segment->text_x,
                   rect->y + rect->height / 2 + SEAM_BASELINE (13), 13, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
}

static void
draw_segment_texts (const SeamBarSegment *segment, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *rect = &segment->rect;
  gboolean low = rect->height < 44;
  double middle = rect->y + rect->height / 2;
  double width = 0;
  SeamRect plate;

  if (segment->value == NULL)
    return;
  width = seam_paint_measure (segment->value, 12, SEAM_REGULAR);
  if (segment->name != NULL)
    width = fmax (width, seam_paint_measure (segment->name, 12.5, SEAM_BOLD));
  plate = (SeamRect){ segment->text_x - width / 2 - 3, rect->y + 3, width + 6, rect->height - 14 };
  seam_paint_plate (cr, palette, &plate);
  seam_paint_text (cr, &palette->text, segment->name, segment->text_x, middle - 7, 12.5, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, palette->high_contrast ? &palette->text : &palette->dim_text, segment->value,
                   segment->text_x, middle + (low ? 6 : 7), 12, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
}

static void
draw_segment (const SeamBarSegment *segment, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *rect = &segment->rect;
  SeamRect band = { rect->x + 3, rect->y + rect->height - 10, rect->width - 6, 7 };

  /* Too thin for edge and band: the full colour alone. */
  if (rect->width < 6) {
    seam_paint_box (cr, rect, 1, &palette->kinds[segment->main_kind], NULL, 0);
    return;
  }
  if (rect->width < 12) {
    band.x = rect->x + 1;
    band.width = rect->width - 2;
  }
  seam_paint_block (cr, palette, segment->main_kind, rect, 4);
  if (!palette->high_contrast || segment->n_kinds > 1)
    seam_paint_band (cr, palette, segment->kinds, segment->n_kinds, segment->main_kind, &band);
  draw_segment_texts (segment, cr, palette);
}

static void
draw_whisker (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
              const SeamPalette *palette)
{
  double low = row->whisker_low, high = row->whisker_high, y = row->whisker_y;
  gboolean below = y > row->y + layout->bar_height;
  double cap = below ? 4 : 5;

  if (!isfinite (low))
    return;
  /* A halo of card colour keeps it readable over a segment; then the whisker itself. */
  for (int pass = below ? 1 : 0; pass < 2; pass++) {
    const SeamColor *color = pass == 0 ? &palette->card : &palette->text;
    double width = pass == 0 ? 4 : 1.6;

    seam_paint_line (cr, color, width, low, y, fmax (high, low + .1), y);
    seam_paint_line (cr, color, width, low, y - cap, low, y + cap);
    seam_paint_line (cr, color, width, high, y - cap, high, y + cap);
  }
  if (high - low > 12) {
    seam_palette_set_source (cr, &palette->text);
    cairo_new_sub_path (cr);
    cairo_arc (cr, row->elapsed_x, y, 3, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

static void
draw_less (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
           const SeamPalette *palette)
{
  const SeamColor *color = row->less_good ? &palette->good : &palette->dim_text;
  double y = row->y + layout->bar_height / 2, half;
  double to = row->less_from_y < y ? y + 7 : y - 7;

  if (row->less == NULL)
    return;
  half = seam_paint_measure (row->less, 13, SEAM_BOLD) / 2 + 8;
  seam_paint_line (cr, color, 1.5, row->less_x2, row->less_from_y, row->less_x2, to);
  if (row->less_text_x - half - row->less_x1 > 10) {
    seam_paint_dashed (cr, color, 1.5, row->less_x1, y, row->less_text_x - half, y);
    seam_paint_dashed (cr, color, 1.5, row->less_text_x + half, y, row->less_x2, y);
  }
  {
    SeamRect plate = { row->less_text_x - half, y - 10, 2 * half, 20 };

    if (row->less_x2 - row->less_text_x > half)
      seam_paint_box (cr, &plate, 6, &palette->card, NULL, 0);
  }
  seam_paint_text (cr, color, row->less, row->less_text_x, y + SEAM_BASELINE (13), 13, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
}

static void
draw_end_label (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
                const SeamPalette *palette)
{
  double y = row->y + layout->bar_height / 2;
  double width = seam_paint_measure (row->label, 15, SEAM_HEAVY);
  SeamRect plate = { row->label_x - 3, y - 10, width + 6, 20 };

  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_text (cr, row->below_floor ? &palette->bad : &palette->text, row->label, row->label_x,
                   y + SEAM_BASELINE (15) - (row->note != NULL ? 6 : 0), 15, SEAM_HEAVY,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, row->below_floor ? &palette->bad : &palette->dim_text, row->note,
                   row->label_x, y + 15, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
draw_row (Bars *bars, const SeamBarRow *row, cairo_t *cr, const SeamPalette *palette)
{
  const SeamBarsLayout *layout = bars->layout;
  double y = row->y + layout->bar_height / 2;

  seam_paint_badge (cr, palette, row->letter, 0, y - SEAM_BADGE_SIZE / 2);
  seam_paint_text (cr, &palette->text, row->title, SEAM_BADGE_SIZE + 8, y + SEAM_BASELINE (12.5),
                   12.5, SEAM_REGULAR, SEAM_ALIGN_START);
  if (!row->measured) {
    double width = layout->width - layout->left - 16;
    double height = seam_paint_measure_paragraph (row->absent, width, 13, SEAM_REGULAR, FALSE, 2);
    SeamRect plate = { layout->left + 8, row->y, width, layout->bar_height };

    seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
    seam_paint_paragraph (cr, &palette->dim_text, row->absent, layout->left + 12, y - height / 2,
                          width, 13, SEAM_REGULAR, FALSE, 2);
    return;
  }
  for (int i = 0; i < row->n_segments; i++) {
    const SeamBarSegment *segment = &row->segments[i];

    if (segment->kernel < 0)
      draw_plain_segment (segment, cr, palette);
    else
      draw_segment (segment, cr, palette);
    seam_paint_hatch (cr, palette, &segment->gap);
  }
  for (int i = 0; i < row->n_segments; i++) {
    const SeamBarSegment *segment = &row->segments[i];

    if (is_hit (&bars->base.selected, SEAM_HIT_KERNEL, row->plan, segment->kernel))
      seam_paint_ring (cr, palette, SEAM_RING_SELECTED, &segment->rect, 4);
    if (is_hit (&bars->base.hover, SEAM_HIT_KERNEL, row->plan, segment->kernel))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &segment->rect, 4);
    if (is_hit (&bars->base.focus, SEAM_HIT_KERNEL, row->plan, segment->kernel))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &segment->rect, 4);
  }
  draw_less (layout, row, cr, palette);
  draw_end_label (layout, row, cr, palette);
  draw_whisker (layout, row, cr, palette);
}

static void
bars_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Bars *bars = (Bars *)figure;

  draw_axis (bars->layout, cr, palette);
  for (int i = 0; i < bars->layout->n_rows; i++)
    draw_row (bars, &bars->layout->rows[i], cr, palette);
  draw_floor (bars->layout, cr, palette);
}

static gboolean
bars_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamBarsLayout *layout = ((Bars *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];

    for (int k = 0; k < row->n_segments; k++) {
      const SeamBarSegment *segment = &row->segments[k];

      if (segment->gap.width > 0 && seam_rect_contains (&segment->gap, x, y)) {
        *hit = (SeamHit){ .kind = SEAM_HIT_GAP, .plan = row->plan, .index = segment->kernel };
        return TRUE;
      }
      if (segment->kernel >= 0 && seam_rect_contains (&segment->rect, x, y)) {
        *hit = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = row->plan, .index = segment->kernel };
        return TRUE;
      }
    }
  }
  return FALSE;
}

static gboolean
bars_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamBarsLayout *layout = ((Bars *)figure)->layout;

  if (hit->kind != SEAM_HIT_KERNEL && hit->kind != SEAM_HIT_GAP)
    return FALSE;
  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];

    if (row->plan != hit->plan || hit->index < 0 || hit->index >= row->n_segments
        || row->segments[hit->index].kernel < 0)
      continue;
    *rect =
        hit->kind == SEAM_HIT_GAP ? row->segments[hit->index].gap : row->segments[hit->index].rect;
    return rect->width > 0;
  }
  return FALSE;
}

static char *
bars_summarize (SeamFigure *figure)
{
  Bars *bars = (Bars *)figure;
  GString *text = g_string_new (NULL);

  for (int i = 0; i < bars->layout->n_rows; i++) {
    const SeamBarRow *row = &bars->layout->rows[i];
    const SeamPlanResult *plan = &bars->result->plans[row->plan];

    if (i > 0)
      g_string_append_c (text, ' ');
    g_string_append_printf (text, "Plan %c, %s: ", row->letter,
                            plan->name != NULL ? plan->name : plan->notation);
    if (!row->measured)
      g_string_append_printf (text, "%s.", row->absent);
    else if (plan->n_kernels > 0)
      g_string_append_printf (text, "%s elapsed, %d kernel%s.", row->label, plan->n_kernels,
                              plan->n_kernels == 1 ? "" : "s");
    else
      g_string_append_printf (text, "%s elapsed, kernels not traced.", row->label);
  }
  if (bars->layout->n_rows == 2) {
    g_autoptr (SeamVerdict) verdict =
        seam_verdict_new (bars->result, bars->layout->rows[0].plan, bars->layout->rows[1].plan);

    if (verdict != NULL && verdict->headline != NULL)
      g_string_append_printf (text, " %s.", verdict->headline);
  }
  return g_string_free (text, FALSE);
}

static void
bars_finalize (SeamFigure *figure)
{
  Bars *bars = (Bars *)figure;

  seam_bars_layout_free (bars->layout);
  seam_result_unref (bars->result);
}

static const SeamFigureClass bars_class = {
  .draw = bars_draw,
  .pick = bars_pick,
  .locate = bars_locate,
  .summarize = bars_summarize,
  .finalize = bars_finalize,
};

SeamFigure *
seam_bars_figure_new (SeamResult *result, const int *plans, int n_plans,
                      const SeamBarsOptions *options)
{
  Bars *bars = g_new0 (Bars, 1);

  bars->base.klass = &bars_class;
  bars->result = seam_result_ref (result);
  bars->layout = seam_bars_layout_new (result, plans, n_plans, options);
  bars->base.width = bars->layout->width;
  bars->base.height = bars->layout->height;
  return &bars->base;
}
