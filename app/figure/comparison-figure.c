/* SPDX-License-Identifier: MIT
 *
 * Layout, drawing and texts of two sessions' bars.
 */
#include "app/figure/comparison-figure.h"

#include "app/figure/marks.h"
#include "app/figure/paint.h"

#include <math.h>

#define PLAN_HEIGHT   46.0
#define KERNEL_HEIGHT 30.0
#define PLAN_BAR      14.0
#define KERNEL_BAR    8.0
#define SIGN_WIDTH    20.0
#define INDENT        16.0 /* of kernels */
#define AXIS_HEIGHT   24.0
#define MIN_PLOT      160.0
#define COLUMN_GAP    14.0
#define LAST_TICK     40.0 /* half of its text extends beyond the plot */

static const SeamNumber *
get_time (const SeamComparison *comparison, const SeamComparisonRow *row)
{
  const SeamPlanPair *plan = &comparison->plans[row->plan];

  return row->kernel < 0 ? &plan->numbers[0] : &plan->kernels[row->kernel].numbers[0];
}

static char *
make_label (const SeamComparison *comparison, const SeamComparisonRow *row, double width)
{
  const SeamPlanPair *plan = &comparison->plans[row->plan];

  if (row->kernel < 0)
    return seam_paint_ellipsize (seam_comparison_get_plan_name (comparison, plan), width,
                                 SEAM_SIZE_LABEL, SEAM_BOLD);
  return seam_paint_ellipsize (
      seam_comparison_get_kernel (comparison, plan, &plan->kernels[row->kernel])->short_name,
      width - INDENT, SEAM_SIZE_AXIS, SEAM_REGULAR);
}

static char *
make_change (const SeamNumber *number, SeamMatch match, SeamUnit unit)
{
  double change = seam_number_get_change (number);
  g_autofree char *text = seam_text_change (change / unit.scale, 3);
  g_autofree char *ratio = seam_number_format_ratio (number);

  if (match == SEAM_MATCH_ADDED || match == SEAM_MATCH_REMOVED)
    return g_strdup (seam_match_get_word (match));
  if (isnan (change))
    return g_strdup (SEAM_DASH);
  return g_strdup_printf ("%s %s  %s", text, unit.name, ratio);
}

static void
add_rows (SeamComparisonLayout *layout, const SeamComparison *comparison)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (SeamComparisonRow));

  for (int p = 0; p < comparison->n_plans; p++) {
    const SeamPlanPair *plan = &comparison->plans[p];
    SeamComparisonRow row = { .plan = p, .kernel = -1, .match = plan->match };

    if (plan->verdict != NULL)
      row.verdict = seam_keep (layout, g_strdup (plan->verdict->headline));
    g_array_append_val (rows, row);
    for (int k = 0; k < plan->n_kernels; k++) {
      row = (SeamComparisonRow){ .plan = p, .kernel = k, .match = plan->kernels[k].match };
      g_array_append_val (rows, row);
    }
  }
  layout->n_rows = (int)rows->len;
  layout->rows = seam_keep (layout, g_array_free (rows, FALSE));
}

/* The longest time in the figure, including the ends of intervals. */
static double
get_largest (const SeamComparisonLayout *layout, const SeamComparison *comparison)
{
  double largest_ns = 0;

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamNumber *time = get_time (comparison, &layout->rows[i]);

    largest_ns = fmax (largest_ns, fmax (time->a, time->b));
    if (layout->rows[i].kernel < 0)
      largest_ns = fmax (largest_ns, fmax (time[2].a, time[2].b)); /* elapsed_ci_high_ns */
  }
  return largest_ns;
}

static void
place_bars (const SeamComparisonLayout *layout, const SeamNumber *numbers, SeamComparisonRow *row)
{
  double height = row->kernel < 0 ? PLAN_BAR : KERNEL_BAR;
  double top = row->row.y + (row->row.height - 2 * height - 2) / 2;

  for (int side = 0; side < 2; side++) {
    double ns = side == 0 ? numbers->a : numbers->b;

    row->bars[side] = (SeamRect){ layout->plot.x, top + side * (height + 2),
                                  seam_axis_get_px (&layout->axis, ns) - layout->plot.x, height };
    row->low[side] = row->high[side] = NAN;
    if (row->kernel >= 0)
      continue;
    /* The plan's numbers 1 and 2 are the ends of its interval. */
    row->low[side] = seam_axis_get_px (&layout->axis, side == 0 ? numbers[1].a : numbers[1].b);
    row->high[side] = seam_axis_get_px (&layout->axis, side == 0 ? numbers[2].a : numbers[2].b);
  }
}

SeamComparisonLayout *
seam_comparison_layout_new (const SeamComparison *comparison, double width)
{
  SeamComparisonLayout *layout = seam_owner_new (SeamComparisonLayout);
  double y = 0, text = LAST_TICK, largest, label;

  layout->width = width;
  add_rows (layout, comparison);
  largest = get_largest (layout, comparison);
  layout->axis = seam_axis_from_zero (largest, seam_unit_for_time (largest), 6);
  label = fmin (260, width * .24);
  for (int i = 0; i < layout->n_rows; i++) {
    SeamComparisonRow *row = &layout->rows[i];

    row->row = (SeamRect){ 0, y, width, row->kernel < 0 ? PLAN_HEIGHT : KERNEL_HEIGHT };
    y += row->row.height;
    row->label = seam_keep (layout, make_label (comparison, row, label));
    row->change =
        seam_keep (layout, make_change (get_time (comparison, row), row->match, layout->axis.unit));
    text = fmax (text, seam_paint_measure (row->change, SEAM_SIZE_AXIS, SEAM_BOLD));
    if (row->verdict != NULL)
      text = fmax (text, seam_paint_measure (row->verdict, SEAM_SIZE_AXIS, SEAM_REGULAR));
  }
  layout->plot.x = SIGN_WIDTH + label + COLUMN_GAP;
  layout->plot.width = fmax (MIN_PLOT, width - text - COLUMN_GAP - layout->plot.x);
  layout->plot.height = y;
  seam_axis_place_x (&layout->axis, layout->plot.x, layout->plot.x + layout->plot.width);
  layout->height = y + AXIS_HEIGHT;
  for (int i = 0; i < layout->n_rows; i++)
    place_bars (layout, get_time (comparison, &layout->rows[i]), &layout->rows[i]);
  return layout;
}

/* ---- drawing ---- */

/* A: outlined, B: filled; colour does not distinguish them. */
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

/* Word and sign give the meaning; the colour only repeats it. */
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
  double text = layout->axis.end + COLUMN_GAP;

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

  seam_axis_draw (&layout->axis, &layout->plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
}

static const SeamFigureClass comparison_class = { .draw = comparison_draw };

SeamFigure *
seam_comparison_figure_new (const SeamComparison *comparison, double width)
{
  SeamComparisonLayout *layout = seam_comparison_layout_new (comparison, width);
  SeamFigure *figure = seam_figure_new (&comparison_class, layout, fmax (width, layout->axis.end),
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
  g_autofree char *number = seam_number_format_ratio (time);
  g_autofree char *ratio =
      isnan (seam_number_get_ratio (time)) ? g_strdup ("") : g_strdup_printf (" (%s)", number);
  text = g_string_new (seam_comparison_get_plan_name (comparison, plan));
  if (kernel != NULL)
    g_string_append_printf (text, ", %s",
                            seam_comparison_get_kernel (comparison, plan, kernel)->short_name);
  g_string_append (text, ": ");
  if (isfinite (time->a))
    g_string_append_printf (text, "%s in A, ", a);
  if (isfinite (time->b))
    g_string_append_printf (text, "%s in B%s, ", b, ratio);
  g_string_append_printf (text, "%s.",
                          seam_match_get_word (kernel != NULL ? kernel->match : plan->match));
  if (kernel == NULL && plan->verdict != NULL)
    g_string_append_printf (text, " %s: %s.", plan->verdict->headline, plan->verdict->detail);
  if (kernel == NULL && plan->verdict != NULL && plan->verdict->next_step != NULL)
    g_string_append_printf (text, " Next: %s.", plan->verdict->next_step);
  if (kernel == NULL && plan->change != NULL)
    g_string_append_printf (text, " It is %s.", plan->change);
  return g_string_free (text, FALSE);
}
