/* SPDX-License-Identifier: MIT
 *
 * The timeline figure: draws the layout of timeline-layout.c and answers the pointer.
 */
#include "app/figure/timeline.h"

#include "app/figure/marks.h"
#include "app/figure/timeline-layout.h"

#include <math.h>

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

/* Each bar is as high as the share of its time in which a kernel runs. */
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
draw_gap (const SeamTimelineGap *gap, cairo_t *cr, const SeamPalette *palette)
{
  SeamColor fill = seam_palette_mix (&palette->caution, &palette->card, .3);

  if (gap->rect.width < 5) {
    seam_paint_box (cr, &gap->rect, 0, &palette->caution, NULL, 0);
  } else {
    seam_paint_box (cr, &gap->rect, 0, &fill, NULL, 0);
    seam_paint_hatch (cr, palette, &gap->rect);
    seam_paint_box (cr, &gap->rect, 0, NULL, &palette->caution, 1);
  }
}

/* Draws a call, and a line to its kernel; for a graph, to each kernel. */
static void
draw_calls (const SeamTimelineLayout *layout, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineRow *row = &layout->rows[plan];
  SeamColor line = palette->glyph;
  double edge = plan == 0 ? row->y : row->y + layout->row_height;

  line.a = palette->high_contrast ? 1 : .5;
  for (int i = 0; i < row->n_calls; i++) {
    const SeamTimelineCall *call = &row->calls[i];
    double from = plan == 0 ? call->rect.y + call->rect.height : call->rect.y;

    if (call->n_records == 1)
      seam_paint_line (cr, &line, 1, call->rect.x, from, call->kernel_x, edge);
    for (int k = 0; k < call->n_more; k++)
      seam_paint_line (cr, &line, 1, call->rect.x, from, call->more_x[k], edge);
    seam_paint_box (cr, &call->rect, 0, &palette->glyph, NULL, 0);
  }
}

static void
draw_row (const SeamTimelineLayout *layout, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineRow *row = &layout->rows[plan];

  draw_calls (layout, plan, cr, palette);
  for (int i = 0; i < row->n_items; i++) {
    const SeamTimelineItem *item = &row->items[i];

    if (item->n_records == 1)
      seam_kernel_draw (&item->rect, item->kinds, item->n_kinds, (SeamOpKind)item->kind, item->name,
                        item->value, cr, palette);
    else
      draw_merged (item, cr, palette);
  }
  for (int i = 0; i < row->n_gaps; i++)
    draw_gap (&row->gaps[i], cr, palette);
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
}

static void
draw_row_texts (const SeamTimelineLayout *layout, int plan, cairo_t *cr, const SeamPalette *palette)
{
  const SeamTimelineRow *row = &layout->rows[plan];
  double middle = row->y + layout->row_height / 2;
  g_autofree char *kernels = g_strdup_printf ("%c kernels", row->letter);
  g_autofree char *launches = g_strdup_printf ("%c launches", row->letter);

  seam_paint_text (cr, &palette->text, kernels, 0, middle + SEAM_BASELINE (13), 13, SEAM_BOLD,
                   SEAM_ALIGN_START);
  if (row->launches != NULL) {
    double y = row->launches_y + SEAM_BASELINE (12);

    seam_paint_text (cr, &palette->dim_text, launches, 0, y, 12, SEAM_REGULAR, SEAM_ALIGN_START);
    seam_paint_text (cr, &palette->dim_text, row->launches, row->launches_x, y, 12, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  if (row->absent != NULL) {
    double width = layout->width - layout->left;
    double height = seam_paint_measure_paragraph (row->absent, width, 12, SEAM_REGULAR, FALSE, 3);

    seam_paint_paragraph (cr, &palette->dim_text, row->absent, layout->left, middle - height / 2,
                          width, 12, SEAM_REGULAR, FALSE, 3);
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
  const SeamTimelineLayout *layout = figure->layout;
  SeamRect plot = { layout->left, 0, layout->right - layout->left, layout->axis_y };

  seam_axis_draw (&layout->axis, &plot, NULL, cr, palette);
  draw_span_back (layout, cr, palette);
  /* Cuts parts outside the view at the plot's ends. */
  cairo_save (cr);
  cairo_rectangle (cr, plot.x, plot.y, plot.width, plot.height);
  cairo_clip (cr);
  draw_ribbons (figure, layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, i, cr, palette);
  cairo_restore (cr);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row_texts (layout, i, cr, palette);
  draw_span (layout, cr, palette);
}

static const SeamFigureClass timeline_class = { .draw = timeline_draw };

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
    g_autofree char *from = seam_text_time (layout->axis.from);
    g_autofree char *to = seam_text_time (layout->axis.to);
    g_string_append_printf (text, " Seen from %s to %s.", from, to);
  }
  if (layout->span_label != NULL)
    g_string_append_printf (text, " Measured: %s.", layout->span_label);
  return g_string_free (text, FALSE);
}

/* A mark for several records is no spot. */
static void
add_spots (SeamFigure *figure, const SeamTimelineRow *row, int plan)
{
  SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = plan };

  for (int i = 0; i < row->n_items; i++) {
    hit.index = row->items[i].first;
    if (row->items[i].n_records == 1)
      seam_figure_add_spot (figure, hit, row->items[i].rect, 4);
  }
  hit.kind = SEAM_HIT_GAP;
  for (int i = 0; i < row->n_gaps; i++) {
    hit.index = row->gaps[i].after;
    seam_figure_add_spot (figure, hit, row->gaps[i].rect, 2);
  }
  hit.kind = SEAM_HIT_LAUNCH;
  for (int i = 0; i < row->n_calls; i++) {
    hit.index = row->calls[i].record;
    if (row->calls[i].n_records == 1)
      seam_figure_add_spot (figure, hit, seam_rect_inset (&row->calls[i].rect, -2), 2);
  }
}

SeamFigure *
seam_timeline_figure_new (const SeamTimeline *timeline, const SeamTimelineView *view, double width)
{
  SeamTimelineLayout *layout = seam_timeline_layout_new (timeline, view, width);
  SeamFigure *figure = seam_figure_new (&timeline_class, layout, layout->width, layout->height,
                                        summarize (timeline, view, layout));

  for (int i = 0; i < layout->n_rows; i++)
    add_spots (figure, &layout->rows[i], i);
  return figure;
}

double
seam_timeline_figure_get_time (SeamFigure *figure, double x)
{
  const SeamTimelineLayout *layout = figure->layout;

  return seam_axis_get_value (&layout->axis, CLAMP (x, layout->left, layout->right));
}

int
seam_timeline_figure_get_lane (SeamFigure *figure, double y)
{
  const SeamTimelineLayout *layout = figure->layout;

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
  return seam_axis_get_density (&((const SeamTimelineLayout *)figure->layout)->axis);
}
