/* SPDX-License-Identifier: MIT
 *
 * The sweep figure: draws the layout of sweep-layout.c. Badge, mark and dashes distinguish plans,
 * never colour.
 */
#include "app/figure/sweep-figure.h"

#include "app/base/error.h"
#include "app/figure/paint.h"
#include "app/figure/sweep-layout.h"

#include <math.h>

/* Square, disc, triangle, diamond: first hollow, then filled. A is a hollow square, B a filled
 * disc. */
static SeamSeriesStyle
get_style (int plan, const SeamPalette *palette)
{
  static const SeamMark shapes[SEAM_SWEEP_MAX_PLANS] = {
    SEAM_MARK_SQUARE, SEAM_MARK_DISC,   SEAM_MARK_TRIANGLE, SEAM_MARK_DIAMOND,
    SEAM_MARK_DISC,   SEAM_MARK_SQUARE, SEAM_MARK_DIAMOND,  SEAM_MARK_TRIANGLE,
  };

  return (SeamSeriesStyle){ .mark = shapes[plan % SEAM_SWEEP_MAX_PLANS],
                            .size = 9,
                            .line_width = 1.4,
                            .line = &palette->text,
                            .fill = plan % 2 == 0 ? &palette->card : &palette->text,
                            .dashes = plan };
}

/* `what`: the plan, and its letter above 8 bits. */
static void
draw_key (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  SeamSeriesStyle style = get_style (what & 0xff, palette);
  double middle = swatch->y + swatch->height / 2;

  seam_paint_badge (cr, palette, (char)(what >> 8), swatch->x, middle - SEAM_BADGE_SIZE / 2);
  if (swatch->width > SEAM_BADGE_SIZE)
    seam_mark_draw (cr, style.mark, swatch->x + SEAM_BADGE_SIZE + SEAM_SWEEP_KEY_MARK / 2, middle,
                    style.size, style.fill, style.line, style.line_width);
}

static void
draw_panel (const SeamSweepLayout *layout, const SeamSweepPanel *panel, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamRect *plot = &panel->plot;
  const SeamSweepRow *cache = &layout->rows[1];

  /* Shades shapes whose tensor fits the cache: cutting costs less there than its bytes suggest. */
  for (int i = 0; i < cache->n_spans; i++) {
    SeamRect rect = { cache->spans[i].x1, plot->y, cache->spans[i].x2 - cache->spans[i].x1,
                      plot->height };
    seam_paint_box (cr, &rect, 0, &palette->soft, NULL, 0);
  }
  seam_paint_text (cr, &palette->text, panel->title, plot->x, plot->y - 8, 12.5, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_axis_draw_grid (&panel->y, plot, cr, palette);
  seam_axis_draw_numbers (&panel->y, plot, cr, palette);
  for (int plan = 0; plan < layout->n_plans; plan++) {
    SeamSeriesStyle style = get_style (plan, palette);

    if (layout->is_predicted) {
      style.dashes = 1;
      style.size = 6;
      style.line_width = 1;
      style.line = &palette->dim_text;
      style.fill = &palette->card;
    }
    seam_series_draw (&panel->marks[plan * layout->n_x], layout->n_x, &style, cr, palette);
  }
}

static void
draw_rows (const SeamSweepLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  for (int row = 0; row < SEAM_SWEEP_N_ROWS; row++) {
    const SeamSweepRow *strip = &layout->rows[row];

    seam_paint_text (cr, &palette->dim_text, strip->label, 0,
                     strip->y + SEAM_SWEEP_ROW / 2 + SEAM_BASELINE (SEAM_SIZE_SMALL),
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
    if (strip->n_spans == 0)
      seam_paint_text (cr, &palette->dim_text, row == 0 ? "nothing measured yet" : "nowhere here",
                       layout->panels[0].plot.x,
                       strip->y + SEAM_SWEEP_ROW / 2 + SEAM_BASELINE (SEAM_SIZE_SMALL),
                       SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
    for (int i = 0; i < strip->n_spans; i++) {
      const SeamSweepSpan *span = &strip->spans[i];
      SeamRect rect = { span->x1 + .5, strip->y, span->x2 - span->x1 - 1, SEAM_SWEEP_ROW };

      if (row == 2) {
        seam_paint_hatch (cr, palette, &rect);
        seam_paint_box (cr, &rect, 2, NULL, &palette->glyph, 1);
        continue;
      }
      seam_paint_box (cr, &rect, 2, row == 1 ? &palette->soft : &palette->card, &palette->glyph, 1);
      if (row == 0) {
        char letter[] = { layout->letters[span->plan], span->is_clear ? '\0' : '?', '\0' };
        seam_paint_text (cr, &palette->text, letter, (span->x1 + span->x2) / 2,
                         strip->y + SEAM_SWEEP_ROW / 2 + SEAM_BASELINE (12), 12, SEAM_BOLD,
                         SEAM_ALIGN_MIDDLE);
      }
    }
  }
}

static void
draw_cache_mark (const SeamRect *cell, cairo_t *cr, const SeamPalette *palette)
{
  SeamRect dot = { cell->x + 2, cell->y + 2, 5, 5 };

  seam_paint_box (cr, &dot, 1, &palette->card, &palette->text, 1);
}

static void
draw_launch_mark (const SeamRect *cell, cairo_t *cr, const SeamPalette *palette)
{
  SeamRect foot = { cell->x, cell->y + cell->height - 5, cell->width, 5 };

  seam_paint_box (cr, &foot, 0, &palette->card, NULL, 0);
  seam_paint_hatch (cr, palette, &foot);
}

static void
draw_cell_key (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  SeamColor color = seam_palette_viridis (.5);

  seam_paint_box (cr, swatch, 0, &color, NULL, 0);
  (what == 0 ? draw_cache_mark : draw_launch_mark) (swatch, cr, palette);
}

/* A prediction has a dashed border and no colour. */
static void
draw_predicted_cell (const SeamSweepCell *cell, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *rect = &cell->rect;
  double x1 = rect->x + 1.5, x2 = rect->x + rect->width - 1.5;
  double y1 = rect->y + 1.5, y2 = rect->y + rect->height - 1.5;

  seam_paint_dashed (cr, &palette->dim_text, 1, x1, y1, x2, y1);
  seam_paint_dashed (cr, &palette->dim_text, 1, x2, y1, x2, y2);
  seam_paint_dashed (cr, &palette->dim_text, 1, x1, y2, x2, y2);
  seam_paint_dashed (cr, &palette->dim_text, 1, x1, y1, x1, y2);
  seam_paint_text (cr, &palette->dim_text, cell->text, rect->x + rect->width / 2,
                   rect->y + rect->height / 2 + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL,
                   SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  if (cell->shape.fits_cache)
    draw_cache_mark (rect, cr, palette);
}

static void
draw_cell (const SeamSweepCell *cell, cairo_t *cr, const SeamPalette *palette)
{
  SeamColor color = seam_palette_viridis (cell->t);
  double middle = cell->rect.y + cell->rect.height / 2 - 2;

  if (cell->shape.winner < 0) {
    seam_paint_box (cr, &cell->rect, 0, &palette->card, &palette->grid, 1);
    return;
  }
  seam_paint_box (cr, &cell->rect, 0, &color, NULL, 0);
  if (*cell->text != '\0')
    seam_paint_label (cr, palette, &palette->text, cell->text, cell->rect.x + cell->rect.width / 2,
                      middle + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL, SEAM_BOLD,
                      SEAM_ALIGN_MIDDLE);
  if (cell->shape.fits_cache)
    draw_cache_mark (&cell->rect, cr, palette);
  if (cell->shape.launch_bound)
    draw_launch_mark (&cell->rect, cr, palette);
}

static void
draw_map (const SeamSweepLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  double y = layout->map.y + layout->map.height + SEAM_AXIS_TITLE_BELOW;
  g_autofree char *most = seam_text_ratio (layout->most_gain);
  g_autofree char *scale =
      layout->is_predicted
          ? g_strdup ("predicted, dashed: nothing is measured yet; letter: the fastest "
                      "plan, and how many times faster than A")
          : g_strdup_printf ("letter: the fastest plan (“?”: not clear), and how many times faster "
                             "than A; brighter: more, up to %s",
                             most);

  seam_paint_text (cr, &palette->text, layout->y_title, 0, layout->map.y - 10, 12.5, SEAM_BOLD,
                   SEAM_ALIGN_START);
  for (int i = 0; i < layout->n_x * layout->n_y; i++)
    if (layout->is_predicted && layout->cells[i].shape.winner >= 0)
      draw_predicted_cell (&layout->cells[i], cr, palette);
    else
      draw_cell (&layout->cells[i], cr, palette);
  seam_axis_draw_numbers (&layout->y, &layout->map, cr, palette);
  seam_paint_text (cr, &palette->dim_text, scale, 0, y + 18, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  seam_legend_draw (&layout->cell_legend, draw_cell_key, cr, palette);
}

static void
sweep_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSweepLayout *layout = figure->layout;
  const SeamRect *plot =
      layout->n_panels > 0 ? &layout->panels[layout->n_panels - 1].plot : &layout->map;

  seam_legend_draw (&layout->legend, draw_key, cr, palette);
  seam_axis_draw_numbers (&layout->x, plot, cr, palette);
  seam_axis_draw_title (&layout->x, plot, layout->x_title, cr, palette);
  if (layout->n_panels == 0) {
    draw_map (layout, cr, palette);
    return;
  }
  for (int i = 0; i < layout->n_panels; i++)
    draw_panel (layout, &layout->panels[i], cr, palette);
  draw_rows (layout, cr, palette);
}

static const SeamFigureClass sweep_class = { .draw = sweep_draw };

/* In the map, a shape's cell stands for the plan that is fastest there. */
static void
add_spots (SeamFigure *figure, const SeamSweepLayout *layout)
{
  for (int i = 0; layout->n_panels == 0 && !layout->is_predicted && i < layout->n_x * layout->n_y;
       i++)
    if (layout->cells[i].shape.winner >= 0)
      seam_figure_add_spot (
          figure,
          (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = layout->cells[i].shape.winner, .index = i },
          layout->cells[i].rect, 2);
  for (int i = 0; i < layout->n_panels * layout->n_plans * layout->n_x; i++) {
    int n_marks = layout->n_plans * layout->n_x;
    const SeamSeriesPoint *mark = &layout->panels[i / n_marks].marks[i % n_marks];

    /* A prediction is a line to look at; points that can be taken are measured. */
    if (!isnan (mark->y) && !layout->is_predicted)
      seam_figure_add_point (figure,
                             (SeamHit){ .kind = SEAM_HIT_SAMPLE,
                                        .plan = i % n_marks / layout->n_x,
                                        .index = i % layout->n_x },
                             mark->x, mark->y);
  }
}

SeamFigure *
seam_sweep_figure_new (const SeamSweep *sweep, double width)
{
  SeamSweepLayout *layout = seam_sweep_layout_new (sweep, width);
  g_autofree char *words = seam_sweep_describe (sweep);
  SeamFigure *figure = seam_figure_new (
      &sweep_class, layout, layout->width, layout->height,
      g_strdup_printf ("Sweep of %d plan%s over %s, %d of %d points measured. %s", sweep->n_plans,
                       sweep->n_plans == 1 ? "" : "s", sweep->search->varied,
                       seam_search_count (sweep->search, SEAM_POINT_MEASURED),
                       sweep->search->n_points, words));

  add_spots (figure, layout);
  return figure;
}

char *
seam_sweep_describe_marks (SeamFigure *figure)
{
  return g_strdup_printf ("Whiskers: 95 %% interval of the median. Shaded: %s. “?”: not clearly "
                          "ahead of the next. Launch-bound: kernels of A run for less than half "
                          "of its span.",
                          ((const SeamSweepLayout *)figure->layout)->cache_text);
}
