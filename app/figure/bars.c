/* SPDX-License-Identifier: MIT
 *
 * The bars figure: draws the layout of bars-layout.c and answers the pointer.
 */
#include "app/figure/bars.h"

#include "app/figure/axis.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/bars-layout.h"
#include "app/figure/cover.h"
#include "app/figure/marks.h"
#include "app/figure/paint.h"

#include <math.h>

static void
draw_plain_segment (const SeamBarSegment *segment, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *rect = &segment->rect;

  seam_paint_box (cr, rect, 4, &palette->card, NULL, 0);
  seam_paint_box (cr, rect, 4, &palette->soft, &palette->glyph, palette->high_contrast ? 2 : 1);
  seam_paint_text (cr, &palette->dim_text, segment->name, rect->x + rect->width / 2,
                   rect->y + rect->height / 2 + SEAM_BASELINE (13), 13, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
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
  /* First a halo of card colour, to keep it readable over a segment; then the whisker itself. */
  for (int pass = below ? 1 : 0; pass < 2; pass++) {
    const SeamColor *color = pass == 0 ? &palette->card : &palette->text;
    double width = pass == 0 ? 4 : 1.6;

    seam_mark_draw_interval (cr, color, width, low, y, fmax (high, low + .1), y, cap);
  }
  if (high - low > 12)
    seam_mark_draw (cr, SEAM_MARK_DISC, row->elapsed_x, y, 6, &palette->text, NULL, 0);
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
  seam_paint_label (cr, palette, color, row->less, row->less_text_x, y + SEAM_BASELINE (13), 13,
                    SEAM_BOLD, SEAM_ALIGN_MIDDLE);
}

static void
draw_end_label (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
                const SeamPalette *palette)
{
  double y = row->y + layout->bar_height / 2;

  seam_paint_label (cr, palette, row->below_floor ? &palette->bad : &palette->text, row->label,
                    row->label_x, y + SEAM_BASELINE (15) - (row->note != NULL ? 6 : 0), 15,
                    SEAM_HEAVY, SEAM_ALIGN_START);
  seam_paint_text (cr, row->below_floor ? &palette->bad : &palette->dim_text, row->note,
                   row->label_x, y + 15, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
draw_row (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  double y = row->y + layout->bar_height / 2;

  seam_paint_badge (cr, palette, row->letter, 0, y - SEAM_BADGE_SIZE / 2);
  seam_paint_text (cr, &palette->text, row->title, SEAM_BADGE_SIZE + 8, y + SEAM_BASELINE (12.5),
                   12.5, SEAM_REGULAR, SEAM_ALIGN_START);
  if (row->cover != NULL) {
    SeamRect cover = { layout->plot.x, row->y, layout->plot.width, layout->bar_height };

    seam_cover_draw (cr, palette, &cover, row->cover, SEAM_COVER_TEXT);
    return;
  }
  if (!row->measured) {
    double width = layout->width - layout->plot.x - 16;
    double height = seam_paint_measure_paragraph (row->absent, width, 13, SEAM_REGULAR, FALSE, 2);
    SeamRect plate = { layout->plot.x + 8, row->y, width, layout->bar_height };

    seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
    seam_paint_paragraph (cr, &palette->dim_text, row->absent, layout->plot.x + 12, y - height / 2,
                          width, 13, SEAM_REGULAR, FALSE, 2);
    return;
  }
  for (int i = 0; i < row->n_segments; i++) {
    const SeamBarSegment *segment = &row->segments[i];

    if (segment->kernel < 0)
      draw_plain_segment (segment, cr, palette);
    else
      seam_kernel_draw (&segment->rect, segment->kinds, segment->n_kinds, segment->main_kind,
                        segment->name, segment->value, cr, palette);
    seam_paint_hatch (cr, palette, &segment->gap);
  }
  draw_less (layout, row, cr, palette);
  draw_end_label (layout, row, cr, palette);
  draw_whisker (layout, row, cr, palette);
}

void
seam_bars_layout_draw (const SeamBarsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  seam_axis_draw (&layout->axis, &layout->plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
}

static void
bars_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_bars_layout_draw (figure->layout, cr, palette);
}

char *
seam_bars_layout_summarize (const SeamResult *result, const SeamBarsLayout *layout)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];
    const SeamPlanResult *plan = &result->plans[row->plan];

    if (i > 0)
      g_string_append_c (text, ' ');
    g_string_append_printf (text, "Plan %c, %s: ", row->letter,
                            plan->name != NULL ? plan->name : plan->notation);
    if (row->cover != NULL)
      g_string_append_printf (text, "%s.", row->cover);
    else if (!row->measured)
      g_string_append_printf (text, "%s.", row->absent);
    else if (plan->n_kernels > 0)
      g_string_append_printf (text, "%s elapsed%s%s%s, %d kernel%s.", row->label,
                              row->note != NULL ? " (" : "", row->note != NULL ? row->note : "",
                              row->note != NULL ? ")" : "", plan->n_kernels,
                              plan->n_kernels == 1 ? "" : "s");
    else
      g_string_append_printf (text, "%s elapsed, kernels not traced.", row->label);
  }
  if (layout->n_rows == 2 && layout->rows[1].cover == NULL) {
    g_autoptr (SeamVerdict) verdict =
        seam_verdict_new (result, layout->rows[0].plan, layout->rows[1].plan);

    if (verdict != NULL && verdict->headline != NULL)
      g_string_append_printf (text, " %s.", verdict->headline);
  }
  return g_string_free (text, FALSE);
}

void
seam_bars_layout_add_spots (const SeamBarsLayout *layout, SeamFigure *figure, double y)
{
  for (int i = 0; i < layout->n_rows; i++)
    for (int k = 0; k < layout->rows[i].n_segments; k++) {
      const SeamBarSegment *segment = &layout->rows[i].segments[k];
      SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = layout->rows[i].plan, .index = k };
      SeamRect rect = segment->rect, gap = segment->gap;

      rect.y += y;
      gap.y += y;
      if (segment->kernel >= 0)
        seam_figure_add_spot (figure, hit, rect, 4);
      hit.kind = SEAM_HIT_GAP;
      if (gap.width > 0)
        seam_figure_add_spot (figure, hit, gap, 2);
    }
}

static const SeamFigureClass bars_class = {
  .draw = bars_draw,
  .free_layout = (GDestroyNotify)seam_bars_layout_free,
};

SeamFigure *
seam_bars_figure_new (SeamResult *result, const int *plans, int n_plans,
                      const SeamBarsOptions *options)
{
  SeamBarsLayout *layout = seam_bars_layout_new (result, plans, n_plans, options);
  SeamFigure *figure = seam_figure_new (&bars_class, layout, layout->width, layout->height,
                                        seam_bars_layout_summarize (result, layout));

  seam_bars_layout_add_spots (layout, figure, 0);
  return figure;
}
