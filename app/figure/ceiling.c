/* SPDX-License-Identifier: MIT
 *
 * The ceiling figure: draws the layout of ceiling-layout.c, and says the same in sentences.
 */
#include "app/figure/ceiling.h"

#include "app/figure/ceiling-layout.h"
#include "app/figure/paint.h"

#include <math.h>

/* Solid is what every plan must move; hatched what fusion can still take away. */
static void
draw_row (const SeamCeilingLayout *layout, const SeamCeilingRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  double middle = row->bar.y + row->bar.height / 2;
  SeamRect needed = row->bar, rest = row->bar;

  needed.width = fmin (row->bar.width, fmax (1, layout->axis.mark_px - row->bar.x));
  rest.x += needed.width;
  rest.width -= needed.width;
  seam_paint_badge (cr, palette, row->letter, 0, middle - SEAM_BADGE_SIZE / 2);
  seam_paint_text (cr, &palette->text, row->title, SEAM_BADGE_SIZE + 8,
                   middle + SEAM_BASELINE (12.5), 12.5, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_box (cr, &row->bar, 0, &palette->card, NULL, 0);
  seam_paint_box (cr, &needed, 0, &palette->glyph, NULL, 0);
  seam_paint_hatch (cr, palette, &rest);
  seam_paint_box (cr, &row->bar, 0, NULL, &palette->glyph, palette->high_contrast ? 2 : 1);
  seam_paint_text (cr, &palette->text, row->label, row->label_x, middle + SEAM_BASELINE (13), 13,
                   SEAM_BOLD, SEAM_ALIGN_START);
}

static void
ceiling_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamCeilingLayout *layout = figure->layout;
  double top = layout->rows[0].bar.y - 4;
  SeamRect plot = { layout->left, top, layout->axis.end - layout->left, layout->axis_y - top };

  seam_paint_text (cr, &palette->text, "Before running", 0, 12, 13, SEAM_BOLD, SEAM_ALIGN_START);
  if (layout->with_subtitle)
    seam_paint_text (cr, &palette->dim_text, SEAM_CEILING_SUBTITLE, layout->left, 12,
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_axis_draw (&layout->axis, &plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
  seam_paint_line (cr, &palette->text, 1.5, layout->axis.mark_px, top, layout->axis.mark_px,
                   layout->axis_y);
  for (int i = 0; i < layout->n_facts; i++) {
    const SeamCeilingFact *fact = &layout->facts[i];

    seam_paint_line (cr, &palette->grid, 1, fact->x + .5, fact->y, fact->x + .5, fact->y + 36);
    seam_paint_text (cr, &palette->dim_text, fact->caption, fact->x + 16, fact->y + 11,
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
    seam_paint_text (cr, &palette->text, fact->value, fact->x + 16, fact->y + 31, 15, SEAM_BOLD,
                     SEAM_ALIGN_START);
  }
  seam_paint_paragraph (cr, &palette->dim_text, layout->note, layout->note_x, layout->note_y,
                        layout->note_width, SEAM_SIZE_SMALL, SEAM_REGULAR, FALSE, 0);
}

static const SeamFigureClass ceiling_class = {
  .draw = ceiling_draw,
  .free_layout = (GDestroyNotify)seam_ceiling_layout_free,
};

char *
seam_ceiling_describe (const SeamCeiling *ceiling, const char *rates_source)
{
  GString *text = g_string_new (NULL);
  g_autofree char *unfused = seam_text_bytes (ceiling->unfused_bytes);
  g_autofree char *fewest = seam_text_bytes (ceiling->floor.bytes);
  g_autofree char *bytes = seam_text_ratio (ceiling->gain_bytes);
  g_autofree char *ratio = seam_text_ratio (ceiling->gain_time);
  g_autofree char *memory = seam_text_time (ceiling->memory_ns);
  g_autofree char *compute = seam_text_time (ceiling->compute_ns);
  g_autofree char *flop = seam_text_flop (ceiling->floor.flop);
  g_autofree char *floor = seam_text_time (ceiling->floor.floor_ns);

  g_string_append_printf (text,
                          "With every seam cut %s move, at least %s must: fusion gives at "
                          "most %s in bytes",
                          unfused, fewest, bytes);
  if (!isnan (ceiling->gain_time))
    g_string_append_printf (text, " and, with every kernel at full rate, %s in time", ratio);
  g_string_append (text, ".");
  if (!isnan (ceiling->memory_ns) && !isnan (ceiling->compute_ns))
    g_string_append_printf (text, " %s binds: memory alone takes %s, %s take %s.",
                            ceiling->floor.memory_bound ? "Memory" : "Arithmetic", memory, flop,
                            compute);
  if (!isnan (ceiling->floor.floor_ns))
    g_string_append_printf (text, " The floor of every plan is %s.", floor);
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, " Rates: %s.", rates_source);
  if (ceiling->tensors_fit_cache)
    g_string_append (text, " A tensor between two ops fits in this device’s cache, so a cut costs "
                           "less than its bytes suggest.");
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_ceiling_figure_new (const SeamCeiling *ceiling, const char *rates_source,
                         const SeamCeilingPlan *plans, int n_plans,
                         const SeamCeilingOptions *options)
{
  SeamCeilingLayout *layout;
  g_autofree char *sentences = NULL;
  GString *summary;

  g_return_val_if_fail (n_plans > 0, NULL);
  layout = seam_ceiling_layout_new (ceiling, rates_source, plans, n_plans, options);
  sentences = seam_ceiling_describe (ceiling, rates_source);
  summary = g_string_new ("Before running: ");
  for (int i = 0; i < layout->n_rows; i++)
    g_string_append_printf (summary, "%clan %c moves %s. ", i > 0 ? 'P' : 'p', plans[i].letter,
                            layout->rows[i].label);
  g_string_append (summary, sentences);
  return seam_figure_new (&ceiling_class, layout, layout->width, layout->height,
                          g_string_free (summary, FALSE));
}
