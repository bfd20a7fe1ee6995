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
}

/* 5 px over the bar at both ends. */
static void
draw_mark (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
           const SeamPalette *palette)
{
  seam_paint_line (cr, &palette->text, 2.6, row->elapsed_x, row->y - 5, row->elapsed_x,
                   row->y + layout->bar_height + 5);
  if (row->guess_beyond)
    seam_value_mark_draw_beyond (cr, palette, SEAM_VALUE_GUESSED, row->guess_x, row->y - 8, 10);
  else if (isfinite (row->guess_x))
    seam_value_mark_draw (cr, palette, SEAM_VALUE_GUESSED, row->guess_x, row->y - 8, 10);
}

/* The rest, hatched; or what is past the mark, dashed and without a band, since it is not in the
 * elapsed time. */
static void
draw_rest (const SeamRect *rect, gboolean is_past, cairo_t *cr, const SeamPalette *palette)
{
  const double dashes[] = { 4, 3 };

  if (!(rect->width > 0))
    return;
  seam_paint_box (cr, rect, 2, &palette->card, NULL, 0);
  if (!is_past)
    seam_paint_hatch (cr, palette, rect);
  cairo_set_dash (cr, dashes, is_past ? 2 : 0, 0);
  seam_paint_box (cr, rect, 2, NULL, &palette->glyph, palette->high_contrast ? 2 : 1);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_caption (const SeamBarsLayout *layout, const SeamBarRow *row, cairo_t *cr,
              const SeamPalette *palette)
{
  double x = layout->plot.x, room = layout->width - row->caption_x;
  SeamRect plate = { x, row->caption_y, layout->width - x, 15 };

  if (row->lead == NULL)
    return;
  plate.width =
      fmin (plate.width,
            row->caption_x - x + seam_paint_measure (row->caption, SEAM_SIZE_SMALL, SEAM_REGULAR));
  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_paragraph (cr, &palette->text, row->lead, x, row->caption_y, row->caption_x - x,
                        SEAM_SIZE_SMALL, SEAM_BOLD, FALSE, 1);
  seam_paint_paragraph (cr, &palette->text, row->caption, row->caption_x, row->caption_y, room,
                        SEAM_SIZE_SMALL, SEAM_REGULAR, FALSE, layout->caption_lines);
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
    else if (segment->rect.width > segment->past.width) {
      SeamRect traced = segment->rect;

      traced.width -= segment->past.width;
      seam_kernel_draw (&traced, segment->kinds, segment->n_kinds, segment->main_kind,
                        segment->name, segment->value, cr, palette);
    }
    draw_rest (&segment->past, TRUE, cr, palette);
    seam_paint_hatch (cr, palette, &segment->gap);
  }
  draw_rest (&row->rest, FALSE, cr, palette);
  draw_less (layout, row, cr, palette);
  draw_end_label (layout, row, cr, palette);
  draw_whisker (layout, row, cr, palette);
  draw_mark (layout, row, cr, palette);
}

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  const SeamOpKind kinds[] = { SEAM_KIND_MATRIX };
  double x = swatch->x + swatch->width / 2, y = swatch->y + swatch->height / 2;

  if (what == SEAM_BARS_KERNEL)
    seam_kernel_draw (swatch, kinds, 1, kinds[0], NULL, NULL, cr, palette);
  else if (what == SEAM_BARS_REST || what == SEAM_BARS_PAST)
    draw_rest (swatch, what == SEAM_BARS_PAST, cr, palette);
  else if (what == SEAM_BARS_GUESS)
    seam_value_mark_draw (cr, palette, SEAM_VALUE_GUESSED, x, y, 10);
  else {
    seam_paint_line (cr, &palette->text, 2.6, x, swatch->y, x, swatch->y + swatch->height);
    seam_mark_draw_interval (cr, &palette->text, 1.6, x - 5, y, x + 5, y, 3);
  }
}

void
seam_bars_layout_draw (const SeamBarsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  seam_axis_draw (&layout->axis, &layout->plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_caption (layout, &layout->rows[i], cr, palette);
  seam_legend_draw (&layout->legend, draw_swatch, cr, palette);
}

static void
bars_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_bars_layout_draw (figure->layout, cr, palette);
}

/* "B Full, elapsed 0.845 ms, 95 % interval 0.822 to 0.868; traced 0.749; 0.096 not traced: the
 * clock. The trace ran …; first guess 0.78, 8 % low." */
static void
append_row (GString *text, const SeamBarsLayout *layout, const SeamBarRow *row,
            const SeamPlanResult *plan)
{
  const SeamUnit unit = layout->axis.unit;

  g_string_append_printf (text, "%s, elapsed %s", plan->name != NULL ? plan->name : plan->notation,
                          row->label);
  if (isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns)) {
    g_autofree char *low = seam_text_significant (plan->ci_low_ns / unit.scale, 3);
    g_autofree char *high = seam_text_significant (plan->ci_high_ns / unit.scale, 3);

    g_string_append_printf (text, ", 95 %% interval %s to %s", low, high);
  }
  if (plan->n_kernels > 0) {
    g_autofree char *traced = seam_text_fixed (row->pieces.traced_ns / unit.scale, 3);

    g_string_append_printf (text, "; traced %s in %d kernel%s", traced, plan->n_kernels,
                            plan->n_kernels == 1 ? "" : "s");
  } else {
    g_string_append (text, "; kernels not traced");
  }
  if (row->note != NULL)
    g_string_append_printf (text, "; %s", row->note);
  if (row->lead != NULL)
    g_string_append_printf (text, "; %s%s%s", row->lead, *row->lead != '\0' ? " " : "",
                            row->caption);
  if (text->str[text->len - 1] != '.')
    g_string_append_c (text, '.');
}

char *
seam_bars_layout_summarize (const SeamResult *result, const SeamBarsLayout *layout)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];
    const SeamPlanResult *plan = &result->plans[row->plan];

    g_string_append_printf (text, "%sPlan %c, ", i > 0 ? " " : "", row->letter);
    if (row->measured)
      append_row (text, layout, row, plan);
    else
      g_string_append_printf (text, "%s: %s.", plan->name != NULL ? plan->name : plan->notation,
                              row->cover != NULL ? row->cover : row->absent);
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
  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];
    SeamRect rest = row->rest;

    for (int k = 0; k < row->n_segments; k++) {
      const SeamBarSegment *segment = &row->segments[k];
      SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = row->plan, .index = k };
      SeamRect rect = segment->rect, gap = segment->gap;

      rect.y += y;
      gap.y += y;
      if (segment->kernel >= 0)
        seam_figure_add_spot (figure, hit, rect, 4);
      hit.kind = SEAM_HIT_GAP;
      if (gap.width > 0)
        seam_figure_add_spot (figure, hit, gap, 2);
    }
    rest.y += y;
    if (rest.width > 0)
      seam_figure_add_spot (
          figure, (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = row->plan, .index = row->n_segments },
          rest, 2);
    if (isfinite (row->guess_x))
      seam_figure_add_point (figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = row->plan },
                             row->guess_x, row->y + y - 8);
  }
}

static const SeamFigureClass bars_class = {
  .draw = bars_draw,
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
