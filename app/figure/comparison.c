/* SPDX-License-Identifier: MIT
 *
 * Draws the layout of comparison-layout.c and answers the pointer.
 */
#include "app/figure/comparison.h"

#include "app/figure/marks.h"

#include <math.h>

#define INDENT 16.0

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
    seam_mark_draw_interval (cr, &palette->text, 1, row->low[side], bar->y + bar->height / 2,
                             row->high[side], bar->y + bar->height / 2, 3);
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

static void
comparison_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamComparisonLayout *layout = figure->layout;

  SeamRect plot = { layout->left, 0, layout->right - layout->left, layout->axis_y };

  seam_axis_draw (&layout->axis, &plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
}

static const SeamFigureClass comparison_class = {
  .draw = comparison_draw,
  .free_layout = (GDestroyNotify)seam_comparison_layout_free,
};

SeamFigure *
seam_comparison_figure_new (const SeamComparison *comparison, double width)
{
  SeamComparisonLayout *layout = seam_comparison_layout_new (comparison, width);
  SeamFigure *figure = seam_figure_new (&comparison_class, layout, fmax (width, layout->right),
                                        layout->height, seam_comparison_describe (comparison));

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamComparisonRow *row = &layout->rows[i];
    SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = row->plan, .index = row->kernel };

    seam_figure_add_row (figure, hit, row->row);
  }
  return figure;
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
