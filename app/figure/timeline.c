/* SPDX-License-Identifier: MIT
 *
 * The timeline figure: draws the layout of timeline-layout.c and answers the pointer.
 */
#include "app/figure/timeline.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/timeline-layout.h"

#include <math.h>

/* Op bands of the singles; a figure holds few of them, whatever the number of records. */
typedef struct {
  SeamOpKind kinds[SEAM_MAX_OPS];
  int n_kinds;
} Band;

typedef struct {
  SeamFigure base;
  SeamTimelineLayout *layout;
  Band *bands[2]; /* of each item of a row */
  char *absent[2];
  char letters[2];
  char *summary;
} Timeline;

static gboolean
is_hit (const SeamHit *hit, SeamHitKind kind, int plan, int index)
{
  return hit->kind == kind && hit->plan == plan && hit->index == index;
}

static void
draw_axis (const SeamTimelineLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxisPlace place = {
    .axis = &layout->axis,
    .unit = layout->unit.name,
    .zero_x = layout->left - layout->from_ns * layout->px_per_ns,
    .px_per_unit = layout->px_per_ns * layout->unit.scale,
    .left = layout->left,
    .right = layout->right,
    .y = layout->axis_y,
  };

  seam_axis_draw (&place, cr, palette);
}

/* ---- ribbons ---- */

static void
draw_ribbon (const SeamTimelineLayout *layout, const SeamTimelineRibbon *ribbon, gboolean strong,
             cairo_t *cr, const SeamPalette *palette)
{
  double top = layout->rows[0].y + layout->row_height, bottom = layout->rows[1].y;
  double middle = (top + bottom) / 2;
  SeamColor fill = palette->kinds[ribbon->kind];
  SeamColor edge = fill;

  fill.a = strong ? fmin (1, 2 * palette->tint) : palette->high_contrast ? .15 : .8 * palette->tint;
  edge.a = strong || palette->high_contrast ? 1 : .55;
  cairo_move_to (cr, ribbon->a1, top);
  cairo_curve_to (cr, ribbon->a1, middle, ribbon->b1, middle, ribbon->b1, bottom);
  cairo_line_to (cr, ribbon->b2, bottom);
  cairo_curve_to (cr, ribbon->b2, middle, ribbon->a2, middle, ribbon->a2, top);
  cairo_close_path (cr);
  seam_palette_set_source (cr, &fill);
  cairo_fill_preserve (cr);
  seam_palette_set_source (cr, &edge);
  cairo_set_line_width (cr, strong ? 1.2 : .6);
  cairo_stroke (cr);
}

static gboolean
is_of_hit (const SeamTimelineRibbon *ribbon, const SeamHit *hit)
{
  return hit->kind == SEAM_HIT_KERNEL
         && hit->index == (hit->plan == 0 ? ribbon->record_a : ribbon->record_b);
}

static void
draw_ribbons (const SeamFigure *figure, const SeamTimelineLayout *layout, cairo_t *cr,
              const SeamPalette *palette)
{
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < layout->n_ribbons; i++) {
      const SeamTimelineRibbon *ribbon = &layout->ribbons[i];
      gboolean strong = is_of_hit (ribbon, &figure->hover) || is_of_hit (ribbon, &figure->focus)
                        || is_of_hit (ribbon, &figure->selected);

      if (strong == (pass == 1))
        draw_ribbon (layout, ribbon, strong, cr, palette);
    }
}

/* ---- rows ---- */

static void
draw_texts (const SeamTimelineItem *item, cairo_t *cr, const SeamPalette *palette)
{
  double x = item->rect.x + item->rect.width / 2;
  double middle = item->rect.y + item->rect.height / 2, width;
  SeamRect plate;

  if (item->value == NULL)
    return;
  width = seam_paint_measure (item->value, 12, SEAM_REGULAR);
  if (item->name != NULL)
    width = fmax (width, seam_paint_measure (item->name, 12.5, SEAM_BOLD));
  plate = (SeamRect){ x - width / 2 - 3, item->rect.y + 3, width + 6, item->rect.height - 14 };
  seam_paint_plate (cr, palette, &plate);
  if (item->name != NULL)
    seam_paint_text (cr, &palette->text, item->name, x, middle - 7, 12.5, SEAM_BOLD,
                     SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, palette->high_contrast ? &palette->text : &palette->dim_text, item->value, x,
                   middle + (item->name != NULL ? 8 : 1), 12, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
}

static void
draw_single (const SeamTimelineItem *item, const Band *band, cairo_t *cr,
             const SeamPalette *palette)
{
  const SeamRect *rect = &item->rect;
  SeamRect foot = { rect->x + 3, rect->y + rect->height - 10, rect->width - 6, 7 };

  if (rect->width < 6) {
    seam_paint_box (cr, rect, 1, &palette->kinds[item->kind], NULL, 0);
    return;
  }
  if (rect->width < 12) {
    foot.x = rect->x + 1;
    foot.width = rect->width - 2;
  }
  seam_paint_block (cr, palette, (SeamOpKind)item->kind, rect, 4);
  if (!palette->high_contrast || band->n_kinds > 1)
    seam_paint_band (cr, palette, band->kinds, band->n_kinds, (SeamOpKind)item->kind, &foot);
  draw_texts (item, cr, palette);
}

/* As high as the share of its time in which a kernel runs. */
static void
draw_merged (const SeamTimelineItem *item, cairo_t *cr, const SeamPalette *palette)
{
  double height = fmax (2, item->busy * item->rect.height);
  SeamRect bar = { item->rect.x, item->rect.y + item->rect.height - height, item->rect.width,
                   height };

  seam_paint_box (cr, &bar, 0, item->kind >= 0 ? &palette->kinds[item->kind] : &palette->glyph,
                  NULL, 0);
}

static void
draw_gap (const SeamTimelineGap *gap, gboolean strong, cairo_t *cr, const SeamPalette *palette)
{
  SeamColor fill = seam_palette_mix (&palette->caution, &palette->card, .3);

  if (gap->rect.width < 5) {
    seam_paint_box (cr, &gap->rect, 0, &palette->caution, NULL, 0);
  } else {
    seam_paint_box (cr, &gap->rect, 0, &fill, NULL, 0);
    seam_paint_hatch (cr, palette, &gap->rect);
    seam_paint_box (cr, &gap->rect, 0, NULL, &palette->caution, 1);
  }
  if (strong)
    seam_paint_ring (cr, palette, SEAM_RING_HOVER, &gap->rect, 2);
}

/* A call, and a line to the kernel it is for; of a graph, to each of them. */
static void
draw_calls (Timeline *self, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineLayout *layout = self->layout;
  const SeamTimelineRow *row = &layout->rows[plan];
  const SeamFigure *figure = &self->base;
  SeamColor line = palette->glyph;
  double edge = plan == 0 ? row->y : row->y + layout->row_height;

  line.a = palette->high_contrast ? 1 : .5;
  for (int i = 0; i < row->n_calls; i++) {
    const SeamTimelineCall *call = &row->calls[i];
    SeamRect ring = seam_rect_inset (&call->rect, -2);
    double from = plan == 0 ? call->rect.y + call->rect.height : call->rect.y;

    if (call->n_records == 1)
      seam_paint_line (cr, &line, 1, call->rect.x, from, call->kernel_x, edge);
    for (int k = 0; k < call->n_more; k++)
      seam_paint_line (cr, &line, 1, call->rect.x, from, call->more_x[k], edge);
    seam_paint_box (cr, &call->rect, 0, &palette->glyph, NULL, 0);
    if (is_hit (&figure->hover, SEAM_HIT_LAUNCH, plan, call->record))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &ring, 2);
    if (is_hit (&figure->focus, SEAM_HIT_LAUNCH, plan, call->record))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &ring, 2);
  }
}

static void
draw_rings (const SeamFigure *figure, int plan, const SeamTimelineItem *item, cairo_t *cr,
            const SeamPalette *palette)
{
  SeamRect inside = seam_rect_inset (&item->rect, 1);

  if (item->n_records > 1)
    return;
  if (is_hit (&figure->selected, SEAM_HIT_KERNEL, plan, item->first))
    seam_paint_ring (cr, palette, SEAM_RING_SELECTED, &item->rect, 4);
  if (is_hit (&figure->hover, SEAM_HIT_KERNEL, plan, item->first))
    seam_paint_ring (cr, palette, SEAM_RING_HOVER, &item->rect, 4);
  if (is_hit (&figure->focus, SEAM_HIT_KERNEL, plan, item->first))
    seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &inside, 4);
}

static void
draw_row (Timeline *self, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineLayout *layout = self->layout;
  const SeamTimelineRow *row = &layout->rows[plan];
  const SeamFigure *figure = &self->base;

  draw_calls (self, plan, cr, palette);
  for (int i = 0; i < row->n_items; i++)
    if (row->items[i].n_records == 1)
      draw_single (&row->items[i], &self->bands[plan][i], cr, palette);
    else
      draw_merged (&row->items[i], cr, palette);
  for (int i = 0; i < row->n_gaps; i++)
    draw_gap (&row->gaps[i],
              is_hit (&figure->hover, SEAM_HIT_GAP, plan, row->gaps[i].after)
                  || is_hit (&figure->focus, SEAM_HIT_GAP, plan, row->gaps[i].after),
              cr, palette);
  for (int i = 0; i < row->n_runs; i++) {
    const SeamTimelineRun *run = &row->runs[i];
    double x = run->rect.x + run->rect.width / 2, y = run->rect.y + run->rect.height / 2, half;

    if (run->label == NULL)
      continue;
    half = seam_paint_measure (run->label, 12.5, SEAM_BOLD) / 2 + 6;
    seam_paint_box (cr, &(SeamRect){ x - half, y - 10, 2 * half, 20 }, 10, &palette->card,
                    &palette->glyph, 1);
    seam_paint_text (cr, &palette->text, run->label, x, y + SEAM_BASELINE (12.5), 12.5, SEAM_BOLD,
                     SEAM_ALIGN_MIDDLE);
  }
  for (int i = 0; i < row->n_items; i++)
    draw_rings (figure, plan, &row->items[i], cr, palette);
}

static void
draw_row_texts (Timeline *self, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineLayout *layout = self->layout;
  const SeamTimelineRow *row = &layout->rows[plan];
  double middle = row->y + layout->row_height / 2;
  char letter = self->letters[plan];
  g_autofree char *kernels = g_strdup_printf ("%c kernels", letter);
  g_autofree char *launches = g_strdup_printf ("%c launches", letter);

  seam_paint_text (cr, &palette->text, kernels, 0, middle + SEAM_BASELINE (13), 13, SEAM_BOLD,
                   SEAM_ALIGN_START);
  if (row->launches != NULL) {
    double y = row->launches_y + SEAM_BASELINE (12);

    seam_paint_text (cr, &palette->dim_text, launches, 0, y, 12, SEAM_REGULAR, SEAM_ALIGN_START);
    seam_paint_text (cr, &palette->dim_text, row->launches, row->launches_x, y, 12, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  if (self->absent[plan] != NULL) {
    double width = layout->width - layout->left;
    double height =
        seam_paint_measure_paragraph (self->absent[plan], width, 12, SEAM_REGULAR, FALSE, 3);

    seam_paint_paragraph (cr, &palette->dim_text, self->absent[plan], layout->left,
                          middle - height / 2, width, 12, SEAM_REGULAR, FALSE, 3);
  }
  if (row->gaps_text[0] != NULL)
    seam_paint_text (cr, &palette->dim_text, row->gaps_text[0], row->gaps_x,
                     middle + (row->gaps_text[1] != NULL ? -3 : 4), 12, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  if (row->gaps_text[1] != NULL)
    seam_paint_text (cr, &palette->dim_text, row->gaps_text[1], row->gaps_x, middle + 12, 12,
                     SEAM_REGULAR, SEAM_ALIGN_START);
}

/* ---- the measured span ---- */

static void
draw_span_back (const SeamTimelineLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  if (layout->span.width > 0)
    seam_paint_box (cr, &layout->span, 2, &palette->selection_fill, NULL, 0);
}

static void
draw_span (const SeamTimelineLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  SeamRect pill;
  double half;

  if (!(layout->span.width > 0))
    return;
  seam_paint_box (cr, &layout->span, 2, NULL, &palette->selection, 2);
  half = seam_paint_measure (layout->span_label, 12.5, SEAM_BOLD) / 2 + 12;
  pill = (SeamRect){ layout->span_x - half, layout->span_y - 11, 2 * half, 22 };
  seam_paint_box (cr, &pill, 11, &palette->card, &palette->selection, 2);
  seam_paint_text (cr, &palette->text, layout->span_label, layout->span_x,
                   layout->span_y + SEAM_BASELINE (12.5), 12.5, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
}

/* ---- figure ---- */

static void
timeline_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Timeline *self = (Timeline *)figure;
  const SeamTimelineLayout *layout = self->layout;

  draw_axis (layout, cr, palette);
  draw_span_back (layout, cr, palette);
  /* What is partly out of the view is cut at the plot's ends. */
  cairo_save (cr);
  cairo_rectangle (cr, layout->left, 0, layout->right - layout->left, layout->axis_y);
  cairo_clip (cr);
  draw_ribbons (figure, layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (self, i, cr, palette);
  cairo_restore (cr);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row_texts (self, i, cr, palette);
  draw_span (layout, cr, palette);
}

static gboolean
timeline_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamTimelineLayout *layout = ((Timeline *)figure)->layout;

  for (int plan = 0; plan < layout->n_rows; plan++) {
    const SeamTimelineRow *row = &layout->rows[plan];

    for (int i = 0; i < row->n_gaps; i++)
      if (seam_rect_contains (&row->gaps[i].rect, x, y)) {
        *hit = (SeamHit){ .kind = SEAM_HIT_GAP, .plan = plan, .index = row->gaps[i].after };
        return TRUE;
      }
    for (int i = 0; i < row->n_calls; i++) {
      SeamRect reach = seam_rect_inset (&row->calls[i].rect, -2);

      if (row->calls[i].n_records == 1 && seam_rect_contains (&reach, x, y)) {
        *hit = (SeamHit){ .kind = SEAM_HIT_LAUNCH, .plan = plan, .index = row->calls[i].record };
        return TRUE;
      }
    }
    for (int i = 0; i < row->n_items; i++)
      if (row->items[i].n_records == 1 && seam_rect_contains (&row->items[i].rect, x, y)) {
        *hit = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = plan, .index = row->items[i].first };
        return TRUE;
      }
  }
  return FALSE;
}

static gboolean
timeline_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamTimelineLayout *layout = ((Timeline *)figure)->layout;
  const SeamTimelineRow *row;

  if (hit->plan < 0 || hit->plan >= layout->n_rows)
    return FALSE;
  row = &layout->rows[hit->plan];
  for (int i = 0; hit->kind == SEAM_HIT_KERNEL && i < row->n_items; i++)
    if (row->items[i].n_records == 1 && row->items[i].first == hit->index) {
      *rect = row->items[i].rect;
      return TRUE;
    }
  for (int i = 0; hit->kind == SEAM_HIT_LAUNCH && i < row->n_calls; i++)
    if (row->calls[i].n_records == 1 && row->calls[i].record == hit->index) {
      *rect = row->calls[i].rect;
      return TRUE;
    }
  for (int i = 0; hit->kind == SEAM_HIT_GAP && i < row->n_gaps; i++)
    if (row->gaps[i].after == hit->index) {
      *rect = row->gaps[i].rect;
      return TRUE;
    }
  return FALSE;
}

static char *
timeline_summarize (SeamFigure *figure)
{
  return g_strdup (((Timeline *)figure)->summary);
}

static void
timeline_finalize (SeamFigure *figure)
{
  Timeline *self = (Timeline *)figure;

  seam_timeline_layout_free (self->layout);
  for (int i = 0; i < 2; i++) {
    g_free (self->bands[i]);
    g_free (self->absent[i]);
  }
  g_free (self->summary);
}

static const SeamFigureClass timeline_class = {
  .draw = timeline_draw,
  .pick = timeline_pick,
  .locate = timeline_locate,
  .summarize = timeline_summarize,
  .finalize = timeline_finalize,
};

static void
take_bands (Timeline *self, const SeamTimeline *timeline)
{
  for (int plan = 0; plan < timeline->n_lanes; plan++) {
    const SeamTimelineLane *lane = &timeline->lanes[plan];
    const SeamTimelineRow *row = &self->layout->rows[plan];

    self->absent[plan] = g_strdup (row->absent);
    self->letters[plan] = lane->letter;
    self->bands[plan] = g_new0 (Band, MAX (1, row->n_items));
    for (int i = 0; i < row->n_items; i++) {
      const SeamTimelineRecord *record = &lane->records[row->items[i].first];
      Band *band = &self->bands[plan][i];

      for (int op = record->first_op; op >= 0 && op <= record->last_op; op++)
        band->kinds[band->n_kinds++] = lane->op_kinds[op];
      if (band->n_kinds == 0)
        band->kinds[band->n_kinds++] = (SeamOpKind)record->kind;
    }
  }
}

static char *
summarize (const SeamTimeline *timeline, const SeamTimelineView *view,
           const SeamTimelineLayout *layout)
{
  GString *text = g_string_new ("Timeline:");

  for (int i = 0; i < timeline->n_lanes; i++) {
    const SeamTimelineLane *lane = &timeline->lanes[i];
    g_autofree char *count = seam_text_count (lane->n_records);
    g_autofree char *end =
        lane->n_records > 0 ? seam_text_time (lane->records[lane->n_records - 1].end_ns) : NULL;

    g_string_append_printf (text, " %c, %s: ", lane->letter, lane->title);
    if (lane->absent != NULL)
      g_string_append (text, lane->absent);
    else
      g_string_append_printf (
          text, "%s %s in %s, %s%s%s", count, lane->n_records == 1 ? "kernel" : "kernels", end,
          layout->rows[i].gaps_text[0], layout->rows[i].gaps_text[1] != NULL ? " of " : "",
          layout->rows[i].gaps_text[1] != NULL ? layout->rows[i].gaps_text[1] : "");
    g_string_append_c (text, '.');
    if (lane->n_calls > 0 && lane->n_records > 0) {
      const SeamTimelineRecord *first = &lane->records[0];
      g_autofree char *ahead = seam_text_time (first->start_ns - first->call_start_ns);

      if (first->call_ns > 0 && first->start_ns >= first->call_start_ns)
        g_string_append_printf (text, " The host called for the first %s before it began.", ahead);
    }
  }
  if (!seam_timeline_sees_all (timeline, view)) {
    g_autofree char *from = seam_text_time (layout->from_ns);
    g_autofree char *to = seam_text_time (layout->to_ns);
    g_string_append_printf (text, " Seen from %s to %s.", from, to);
  }
  if (layout->span_label != NULL)
    g_string_append_printf (text, " Measured: %s.", layout->span_label);
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_timeline_figure_new (const SeamTimeline *timeline, const SeamTimelineView *view, double width)
{
  Timeline *self = g_new0 (Timeline, 1);

  self->base.klass = &timeline_class;
  self->layout = seam_timeline_layout_new (timeline, view, width);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  take_bands (self, timeline);
  self->summary = summarize (timeline, view, self->layout);
  return &self->base;
}

double
seam_timeline_figure_get_time (SeamFigure *figure, double x)
{
  const SeamTimelineLayout *layout = ((Timeline *)figure)->layout;

  return layout->from_ns
         + (CLAMP (x, layout->left, layout->right) - layout->left) / layout->px_per_ns;
}

int
seam_timeline_figure_get_lane (SeamFigure *figure, double y)
{
  const SeamTimelineLayout *layout = ((Timeline *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++)
    if (y >= layout->rows[i].y - (i == 0 ? layout->rows[i].y : 0)
        && y < layout->rows[i].y + layout->row_height
                   + (i == 1 ? layout->axis_y - layout->rows[i].y - layout->row_height : 0))
      return i;
  return -1;
}

double
seam_timeline_figure_get_scale (SeamFigure *figure)
{
  return ((Timeline *)figure)->layout->px_per_ns;
}
