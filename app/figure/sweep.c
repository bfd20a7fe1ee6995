/* SPDX-License-Identifier: MIT
 *
 * The sweep figure: draws the layout of sweep-layout.c. Plans are told apart by badge, mark and
 * dashes, never by colour.
 */
#include "app/figure/sweep.h"

#include "app/base/error.h"
#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/sweep-layout.h"

#include <math.h>
#include <string.h>

#define HIT_RADIUS 8.0

typedef struct {
  SeamFigure base;
  SeamSweepLayout *layout;
  char *summary;
} Sweep;

/* Hollow, then filled: square, disc, triangle, diamond. A is a hollow square, B a filled disc. */
static void
draw_mark (cairo_t *cr, const SeamPalette *palette, int plan, double x, double y)
{
  static const int shapes[SEAM_SWEEP_MAX_PLANS] = { 0, 1, 2, 3, 1, 0, 3, 2 };
  double r = 4.5;

  cairo_new_path (cr);
  switch (shapes[plan % SEAM_SWEEP_MAX_PLANS]) {
  case 0:
    cairo_rectangle (cr, x - r + .5, y - r + .5, 2 * r - 1, 2 * r - 1);
    break;
  case 1:
    cairo_arc (cr, x, y, r, 0, 2 * G_PI);
    break;
  case 2:
    cairo_move_to (cr, x, y - r);
    cairo_line_to (cr, x + r, y + r - 1);
    cairo_line_to (cr, x - r, y + r - 1);
    cairo_close_path (cr);
    break;
  default:
    cairo_move_to (cr, x, y - r - .5);
    cairo_line_to (cr, x + r + .5, y);
    cairo_line_to (cr, x, y + r + .5);
    cairo_line_to (cr, x - r - .5, y);
    cairo_close_path (cr);
    break;
  }
  seam_palette_set_source (cr, plan % 2 == 0 ? &palette->card : &palette->text);
  cairo_fill_preserve (cr);
  seam_palette_set_source (cr, &palette->text);
  cairo_set_line_width (cr, 1.4);
  cairo_stroke (cr);
}

static void
set_dashes (cairo_t *cr, int plan)
{
  static const double dashes[][4] = { { 0 }, { 7, 3 }, { 2, 3 }, { 8, 3, 2, 3 } };
  static const int n[] = { 0, 2, 2, 4 };

  cairo_set_dash (cr, dashes[plan % 4], n[plan % 4], 0);
}

static void
draw_keys (const SeamSweepLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; i < layout->n_plans; i++) {
    double x = layout->key_x[i], y = layout->key_y[i];
    seam_paint_badge (cr, palette, (char)('A' + i), x, y);
    if (layout->n_panels > 0)
      draw_mark (cr, palette, i, x + 38, y + SEAM_BADGE_SIZE / 2);
    seam_paint_text (cr, &palette->text, layout->titles[i], x + (layout->n_panels > 0 ? 52 : 32),
                     y + SEAM_BADGE_SIZE / 2 + SEAM_BASELINE (13), 13, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
}

static void
draw_line (const SeamSweepLayout *layout, const SeamSweepPanel *panel, int plan, cairo_t *cr,
           const SeamPalette *palette)
{
  const SeamSweepMark *marks = &panel->marks[plan * layout->n_x];
  gboolean is_down = FALSE;

  seam_palette_set_source (cr, &palette->text);
  cairo_set_line_width (cr, 1.4);
  set_dashes (cr, plan);
  cairo_new_path (cr);
  /* A point that is missing interrupts the line. */
  for (int x = 0; x < layout->n_x; x++) {
    if (!isnan (marks[x].y) && is_down)
      cairo_line_to (cr, marks[x].x, marks[x].y);
    else if (!isnan (marks[x].y))
      cairo_move_to (cr, marks[x].x, marks[x].y);
    is_down = !isnan (marks[x].y);
  }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (int x = 0; x < layout->n_x; x++) {
    if (isnan (marks[x].y))
      continue;
    if (!isnan (marks[x].low_y))
      seam_paint_line (cr, &palette->dim_text, 1, marks[x].x, marks[x].low_y, marks[x].x,
                       marks[x].high_y);
    draw_mark (cr, palette, plan, marks[x].x, marks[x].y);
  }
}

static void
draw_panel (const SeamSweepLayout *layout, const SeamSweepPanel *panel, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamRect *plot = &panel->plot;
  const SeamSweepRow *cache = &layout->rows[1];

  /* Where cutting costs less than its bytes. */
  for (int i = 0; i < cache->n_spans; i++) {
    SeamRect rect = { cache->spans[i].x1, plot->y, cache->spans[i].x2 - cache->spans[i].x1,
                      plot->height };
    seam_paint_box (cr, &rect, 0, &palette->soft, NULL, 0);
  }
  seam_paint_text (cr, &palette->text, panel->title, plot->x, plot->y - 8, 12.5, SEAM_BOLD,
                   SEAM_ALIGN_START);
  for (int i = 0; i < panel->n_ticks; i++) {
    seam_axis_draw_grid_y (cr, palette, panel->tick_y[i], plot->x, plot->x + plot->width);
    seam_axis_draw_y_number (cr, palette, panel->tick_texts[i], plot->x - 8, panel->tick_y[i]);
  }
  for (int plan = 0; plan < layout->n_plans; plan++)
    draw_line (layout, panel, plan, cr, palette);
}

static void
draw_x_axis (const SeamSweepLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; i < layout->n_x; i++)
    if (layout->x_texts[i] != NULL)
      seam_axis_draw_x_number (cr, palette, layout->x_texts[i], layout->x[i], layout->x_text_y);
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
        char letter[] = { (char)('A' + span->plan), span->is_clear ? '\0' : '?', '\0' };
        seam_paint_text (cr, &palette->text, letter, (span->x1 + span->x2) / 2,
                         strip->y + SEAM_SWEEP_ROW / 2 + SEAM_BASELINE (12), 12, SEAM_BOLD,
                         SEAM_ALIGN_MIDDLE);
      }
    }
  }
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
  if (*cell->text != '\0') {
    double width = seam_paint_measure (cell->text, SEAM_SIZE_SMALL, SEAM_BOLD) + 8;
    SeamRect plate = { cell->rect.x + (cell->rect.width - width) / 2, middle - 7.5, width, 15 };
    seam_paint_box (cr, &plate, 3, &palette->card, NULL, 0);
    seam_paint_text (cr, &palette->text, cell->text, plate.x + width / 2,
                     middle + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL, SEAM_BOLD,
                     SEAM_ALIGN_MIDDLE);
  }
  if (cell->shape.fits_cache) {
    SeamRect dot = { cell->rect.x + 2, cell->rect.y + 2, 5, 5 };
    seam_paint_box (cr, &dot, 1, &palette->card, &palette->text, 1);
  }
  if (cell->shape.launch_bound) {
    SeamRect foot = { cell->rect.x, cell->rect.y + cell->rect.height - 5, cell->rect.width, 5 };
    seam_paint_box (cr, &foot, 0, &palette->card, NULL, 0);
    seam_paint_hatch (cr, palette, &foot);
  }
}

static void
draw_map (const SeamSweepLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *first = &layout->cells[0].rect;
  const SeamRect *top = &layout->cells[(layout->n_y - 1) * layout->n_x].rect;
  double y = layout->x_text_y + 20;
  g_autofree char *most = seam_text_ratio (layout->most_gain);
  g_autofree char *scale = g_strdup_printf ("letter: the fastest plan (“?”: not clear), and how "
                                            "many times faster than A; brighter: more, "
                                            "up to %s",
                                            most);
  g_autofree char *cache = g_strdup_printf ("□ %s", layout->cache_text);

  seam_paint_text (cr, &palette->text, layout->y_title, 0, top->y - 10, 12.5, SEAM_BOLD,
                   SEAM_ALIGN_START);
  for (int i = 0; i < layout->n_x * layout->n_y; i++)
    draw_cell (&layout->cells[i], cr, palette);
  for (int i = 0; i < layout->n_y; i++) {
    const SeamRect *rect = &layout->cells[i * layout->n_x].rect;
    seam_paint_text (cr, &palette->dim_text, layout->y_texts[i], first->x - 8,
                     rect->y + rect->height / 2 + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_END);
  }
  seam_paint_text (cr, &palette->dim_text, scale, 0, y + 18, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, cache, 0, y + 35, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text,
                   "hatched foot: launch-bound, kernels of A run for less than half of its span", 0,
                   y + 52, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
}

/* The place of a plan at a shape; FALSE: it is not drawn. Of the map, the cell, for its winner
 * alone. */
static gboolean
get_point_rect (const Sweep *self, int plan, int shape, int panel, SeamRect *rect)
{
  const SeamSweepLayout *layout = self->layout;

  if (plan < 0 || plan >= layout->n_plans || shape < 0 || shape >= layout->n_x * layout->n_y)
    return FALSE;
  if (layout->n_panels == 0) {
    *rect = layout->cells[shape].rect;
    return layout->cells[shape].shape.winner == plan;
  }
  const SeamSweepMark *mark = &layout->panels[panel].marks[plan * layout->n_x + shape];
  *rect = (SeamRect){ mark->x - HIT_RADIUS, mark->y - HIT_RADIUS, 2 * HIT_RADIUS, 2 * HIT_RADIUS };
  return !isnan (mark->y);
}

static void
draw_rings (const Sweep *self, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSweepLayout *layout = self->layout;
  const SeamHit *hits[] = { &self->base.hover, &self->base.focus };
  static const SeamRing rings[] = { SEAM_RING_HOVER, SEAM_RING_FOCUS };

  for (gsize i = 0; i < G_N_ELEMENTS (hits); i++)
    for (int panel = 0; panel < MAX (1, layout->n_panels); panel++) {
      SeamRect rect;

      if (hits[i]->kind == SEAM_HIT_SAMPLE
          && get_point_rect (self, hits[i]->plan, hits[i]->index, panel, &rect))
        seam_paint_ring (cr, palette, rings[i], &rect, layout->n_panels > 0 ? HIT_RADIUS : 2);
    }
}

static void
sweep_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSweepLayout *layout = ((Sweep *)figure)->layout;

  draw_keys (layout, cr, palette);
  draw_x_axis (layout, cr, palette);
  seam_paint_text (cr, &palette->text, layout->x_title,
                   layout->n_panels > 0 ? 0 : layout->cells[0].rect.x,
                   layout->n_panels > 0 ? layout->x_text_y : layout->x_text_y + 18, 12.5,
                   layout->n_panels > 0 ? SEAM_REGULAR : SEAM_BOLD, SEAM_ALIGN_START);
  if (layout->n_panels == 0) {
    draw_map (layout, cr, palette);
    draw_rings ((const Sweep *)figure, cr, palette);
    return;
  }
  for (int i = 0; i < layout->n_panels; i++)
    draw_panel (layout, &layout->panels[i], cr, palette);
  draw_rows (layout, cr, palette);
  draw_rings ((const Sweep *)figure, cr, palette);
}

/* The nearest mark: lines of several plans lie close together. */
static gboolean
sweep_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const Sweep *self = (const Sweep *)figure;
  const SeamSweepLayout *layout = self->layout;
  int n_points = layout->n_x * layout->n_y * layout->n_plans;
  double nearest = INFINITY;

  for (int i = 0; i < n_points * MAX (1, layout->n_panels); i++) {
    int plan = i % layout->n_plans, shape = i % n_points / layout->n_plans;
    SeamRect rect;
    double distance;

    if (!get_point_rect (self, plan, shape, i / n_points, &rect) || x < rect.x
        || x > rect.x + rect.width || y < rect.y || y > rect.y + rect.height)
      continue;
    distance = hypot (x - rect.x - rect.width / 2, y - rect.y - rect.height / 2);
    if (distance < nearest) {
      nearest = distance;
      *hit = (SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = plan, .index = shape };
    }
  }
  return hit->kind == SEAM_HIT_SAMPLE;
}

static gboolean
sweep_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  return hit->kind == SEAM_HIT_SAMPLE
         && get_point_rect ((const Sweep *)figure, hit->plan, hit->index, 0, rect);
}

static char *
sweep_summarize (SeamFigure *figure)
{
  return g_strdup (((Sweep *)figure)->summary);
}

static void
sweep_finalize (SeamFigure *figure)
{
  seam_sweep_layout_free (((Sweep *)figure)->layout);
  g_free (((Sweep *)figure)->summary);
}

static const SeamFigureClass sweep_class = {
  .draw = sweep_draw,
  .pick = sweep_pick,
  .locate = sweep_locate,
  .summarize = sweep_summarize,
  .finalize = sweep_finalize,
};

SeamFigure *
seam_sweep_figure_new (const SeamSweep *sweep, double width)
{
  Sweep *self = g_new0 (Sweep, 1);
  g_autofree char *words = seam_sweep_describe (sweep);

  self->base.klass = &sweep_class;
  self->layout = seam_sweep_layout_new (sweep, width);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  self->summary = g_strdup_printf ("Sweep of %d plans over %s, %d of %d points measured. %s",
                                   sweep->n_plans, sweep->survey->varied,
                                   seam_survey_count (sweep->survey, SEAM_POINT_MEASURED),
                                   sweep->survey->n_points, words);
  return &self->base;
}

char *
seam_sweep_describe_marks (SeamFigure *figure)
{
  return g_strdup_printf ("Whiskers: 95 %% interval of the median. Shaded: %s. “?”: not clearly "
                          "ahead of the next. Launch-bound: kernels of A run for less than half "
                          "of its span.",
                          ((Sweep *)figure)->layout->cache_text);
}
