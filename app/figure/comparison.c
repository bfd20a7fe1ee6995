/* SPDX-License-Identifier: MIT
 *
 * Draws the layout of comparison-layout.c and answers the pointer.
 */
#include "app/figure/comparison.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"

#include <math.h>

#define INDENT 16.0

typedef struct {
  SeamFigure base;
  SeamComparisonLayout *layout;
  char *summary;
} Comparison;

static void
draw_axis (const SeamComparisonLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; i < layout->axis.n_ticks; i++) {
    double x = layout->left + seam_axis_get_value (&layout->axis, i) * layout->px_per_unit;
    g_autofree char *number = seam_axis_format_tick (&layout->axis, i);
    g_autofree char *last = g_strdup_printf ("%s %s", number, layout->unit.name);

    seam_axis_draw_grid_x (cr, palette, x, 0, layout->axis_y);
    seam_axis_draw_x_number (cr, palette, i == layout->axis.n_ticks - 1 ? last : number, x,
                             layout->axis_y + 16);
  }
}

static void
draw_whisker (double low, double high, const SeamRect *bar, cairo_t *cr, const SeamColor *color)
{
  double y = floor (bar->y + bar->height / 2) + .5;

  if (isnan (low) || isnan (high))
    return;
  seam_paint_line (cr, color, 1, low, y, high, y);
  seam_paint_line (cr, color, 1, low, y - 3, low, y + 3);
  seam_paint_line (cr, color, 1, high, y - 3, high, y + 3);
}

/* A: outlined; B: filled. Neither is a colour. */
static void
draw_bars (const SeamComparisonRow *row, cairo_t *cr, const SeamPalette *palette)
{
  SeamColor fill = seam_palette_mix (&palette->text, &palette->card, row->kernel < 0 ? .62 : .42);

  for (int side = 0; side < 2; side++) {
    const SeamRect *bar = &row->bars[side];

    if (isnan (bar->width))
      continue;
    seam_paint_box (cr, bar, 1.5, side == 0 ? &palette->card : &fill, &palette->glyph, 1.2);
    draw_whisker (row->low[side], row->high[side], bar, cr, &palette->text);
  }
}

/* Word and sign say it, the colour repeats it. */
static const SeamColor *
get_color (SeamMatch match, const SeamPalette *palette)
{
  return match == SEAM_MATCH_SAME ? &palette->dim_text : &palette->caution;
}

static void
draw_row (const SeamComparisonLayout *layout, const SeamComparisonRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  gboolean plan = row->kernel < 0;
  double middle = row->row.y + row->row.height / 2, size = plan ? SEAM_SIZE_LABEL : SEAM_SIZE_AXIS;
  double text = layout->right + 14;

  if (plan)
    seam_paint_line (cr, &palette->grid, 1, 0, row->row.y + .5, layout->width, row->row.y + .5);
  seam_paint_text (cr, get_color (row->match, palette), seam_match_get_sign (row->match),
                   plan ? 0 : INDENT, middle + SEAM_BASELINE (size), size, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, row->label, plan ? 20 : 20 + INDENT,
                   middle + SEAM_BASELINE (size), size, plan ? SEAM_BOLD : SEAM_REGULAR,
                   SEAM_ALIGN_START);
  draw_bars (row, cr, palette);
  if (row->verdict == NULL) {
    seam_paint_text (cr, plan ? &palette->text : &palette->dim_text, row->change, text,
                     middle + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS,
                     plan ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
    return;
  }
  seam_paint_text (cr, &palette->text, row->change, text, middle - 3, SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, row->verdict, text, middle + 14, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
}

static SeamHit
get_hit (const SeamComparisonRow *row)
{
  return (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = row->plan, .index = row->kernel };
}

static void
comparison_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamComparisonLayout *layout = ((Comparison *)figure)->layout;

  draw_axis (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++) {
    SeamHit hit = get_hit (&layout->rows[i]);
    SeamRect ring = seam_rect_inset (&layout->rows[i].row, 1);

    draw_row (layout, &layout->rows[i], cr, palette);
    if (seam_hit_equal (&figure->selected, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_SELECTED, &ring, 4);
    if (seam_hit_equal (&figure->hover, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &ring, 4);
    if (seam_hit_equal (&figure->focus, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &ring, 4);
  }
}

static gboolean
comparison_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamComparisonLayout *layout = ((Comparison *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++)
    if (seam_rect_contains (&layout->rows[i].row, x, y)) {
      *hit = get_hit (&layout->rows[i]);
      return TRUE;
    }
  return FALSE;
}

static gboolean
comparison_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamComparisonLayout *layout = ((Comparison *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++) {
    SeamHit own = get_hit (&layout->rows[i]);
    if (seam_hit_equal (&own, hit)) {
      *rect = layout->rows[i].row;
      return TRUE;
    }
  }
  return FALSE;
}

static char *
comparison_summarize (SeamFigure *figure)
{
  return g_strdup (((Comparison *)figure)->summary);
}

static void
comparison_finalize (SeamFigure *figure)
{
  Comparison *comparison = (Comparison *)figure;

  seam_comparison_layout_free (comparison->layout);
  g_free (comparison->summary);
}

static const SeamFigureClass comparison_class = {
  .draw = comparison_draw,
  .pick = comparison_pick,
  .locate = comparison_locate,
  .summarize = comparison_summarize,
  .finalize = comparison_finalize,
};

SeamFigure *
seam_comparison_figure_new (const SeamComparison *comparison, double width)
{
  Comparison *figure = g_new0 (Comparison, 1);

  figure->base.klass = &comparison_class;
  figure->layout = seam_comparison_layout_new (comparison, width);
  figure->base.width = fmax (width, figure->layout->right);
  figure->base.height = figure->layout->height;
  figure->summary = seam_comparison_describe (comparison);
  return &figure->base;
}

char *
seam_comparison_describe_row (const SeamComparison *comparison, const SeamHit *hit)
{
  const SeamPlanPair *plan;
  const SeamKernelPair *kernel;
  const SeamNumber *time;
  GString *text;

  if (hit->kind != SEAM_HIT_KERNEL || hit->plan < 0 || hit->plan >= comparison->n_plans)
    return NULL;
  plan = &comparison->plans[hit->plan];
  if (hit->index >= plan->n_kernels)
    return NULL;
  kernel = hit->index >= 0 ? &plan->kernels[hit->index] : NULL;
  time = kernel != NULL ? &kernel->numbers[0] : &plan->numbers[0];
  g_autofree char *a = seam_text_time (time->a), *b = seam_text_time (time->b);
  g_autofree char *ratio = seam_number_format_ratio (time);
  text = g_string_new (seam_comparison_get_plan_name (comparison, plan));
  if (kernel != NULL)
    g_string_append_printf (text, ", %s",
                            seam_comparison_get_kernel (comparison, plan, kernel)->short_name);
  g_string_append_printf (text, ": %s in A, %s in B (%s), %s.", a, b, ratio,
                          seam_match_get_word (kernel != NULL ? kernel->match : plan->match));
  if (kernel == NULL && plan->verdict != NULL)
    g_string_append_printf (text, " %s: %s.", plan->verdict->headline, plan->verdict->detail);
  if (kernel == NULL && plan->verdict != NULL && plan->verdict->next_step != NULL)
    g_string_append_printf (text, " Next: %s.", plan->verdict->next_step);
  if (kernel == NULL && plan->change != NULL)
    g_string_append_printf (text, " It is %s.", plan->change);
  return g_string_free (text, FALSE);
}
