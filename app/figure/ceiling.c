/* SPDX-License-Identifier: MIT
 *
 * The ceiling figure: draws the layout of ceiling-layout.c, and says the same in sentences.
 */
#include "app/figure/ceiling.h"

#include "app/figure/axis.h"
#include "app/figure/ceiling-layout.h"
#include "app/figure/paint.h"

#include <math.h>

typedef struct {
  SeamFigure base;
  SeamCeilingLayout *layout;
  char *summary;
} Ceiling;

static void
draw_axis (const SeamCeilingLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxisPlace place = {
    .axis = &layout->axis,
    .unit = layout->unit.name,
    .zero_x = layout->left,
    .px_per_unit = layout->px_per_unit,
    .left = layout->left,
    .right = layout->plot_end,
    .top = layout->rows[0].bar.y - 4,
    .y = layout->axis_y,
    .hide = layout->hide_tick,
    .n_hide = G_N_ELEMENTS (layout->hide_tick),
    .unit_after = layout->fewest_text_x
                  + seam_paint_measure (layout->fewest_label, SEAM_SIZE_AXIS, SEAM_BOLD) / 2,
  };

  seam_axis_draw (&place, cr, palette);
}

/* Solid is what every plan must move; hatched what fusion can still take away. */
static void
draw_row (const SeamCeilingLayout *layout, const SeamCeilingRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  double middle = row->bar.y + row->bar.height / 2;
  SeamRect needed = row->bar, rest = row->bar;

  needed.width = fmin (row->bar.width, fmax (1, layout->fewest_x - row->bar.x));
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
draw_fewest (const SeamCeilingLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  double x = layout->fewest_x, y = layout->axis_y - 3;

  seam_paint_line (cr, &palette->text, 1.5, x, layout->rows[0].bar.y - 4, x, layout->axis_y);
  seam_palette_set_source (cr, &palette->text);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + 5, y + 7);
  cairo_line_to (cr, x - 5, y + 7);
  cairo_close_path (cr);
  cairo_fill (cr);
  seam_paint_text (cr, &palette->text, layout->fewest_label, layout->fewest_text_x,
                   layout->axis_y + 16, SEAM_SIZE_AXIS, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
}

static void
ceiling_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamCeilingLayout *layout = ((Ceiling *)figure)->layout;

  seam_paint_text (cr, &palette->text, "Before running", 0, 12, 13, SEAM_BOLD, SEAM_ALIGN_START);
  if (layout->with_subtitle)
    seam_paint_text (cr, &palette->dim_text, SEAM_CEILING_SUBTITLE, layout->left, 12,
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
  draw_axis (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
  draw_fewest (layout, cr, palette);
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

static char *
ceiling_summarize (SeamFigure *figure)
{
  return g_strdup (((Ceiling *)figure)->summary);
}

static void
ceiling_finalize (SeamFigure *figure)
{
  Ceiling *self = (Ceiling *)figure;

  seam_ceiling_layout_free (self->layout);
  g_free (self->summary);
}

static const SeamFigureClass ceiling_class = {
  .draw = ceiling_draw,
  .summarize = ceiling_summarize,
  .finalize = ceiling_finalize,
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
  Ceiling *self;
  GString *summary;

  g_return_val_if_fail (n_plans > 0, NULL);
  self = g_new0 (Ceiling, 1);
  self->base.klass = &ceiling_class;
  self->layout = seam_ceiling_layout_new (ceiling, rates_source, plans, n_plans, options);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  summary = g_string_new ("Before running: ");
  for (int i = 0; i < self->layout->n_rows; i++)
    g_string_append_printf (summary, "%clan %c moves %s. ", i > 0 ? 'P' : 'p', plans[i].letter,
                            self->layout->rows[i].label);
  {
    g_autofree char *sentences = seam_ceiling_describe (ceiling, rates_source);

    g_string_append (summary, sentences);
  }
  self->summary = g_string_free (summary, FALSE);
  return &self->base;
}
