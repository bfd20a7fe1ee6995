/* SPDX-License-Identifier: MIT
 *
 * Draws the pitfall lab. What is wrong on purpose is said in words on the figure itself.
 */
#include "app/figure/pitfalls.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/pitfalls-layout.h"

#include <math.h>

#define RADIUS 5.0
#define CAP    4.0

typedef struct {
  SeamFigure base;
  SeamPitfallsLayout *layout;
  char *summary;
} Pitfalls;

static void
draw_axis (const SeamPitfallsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  double middle = layout->left + layout->plot_width / 2, y = layout->axis_y;
  g_autofree char *caption = layout->unit.name != NULL
                                 ? g_strdup_printf ("%s (%s)", layout->caption, layout->unit.name)
                                 : g_strdup (layout->caption);

  for (int i = 0; i < layout->axis.n_ticks; i++) {
    double x = seam_pitfalls_layout_x (layout, seam_axis_get_value (&layout->axis, i));
    g_autofree char *text = seam_axis_format_tick (&layout->axis, i);

    seam_axis_draw_grid_x (cr, palette, x, 0, y);
    seam_axis_draw_x_number (cr, palette, text, floor (x) + .5, y + 15);
  }
  seam_axis_draw_x_number (cr, palette, caption, middle, y + 33);
  if (isfinite (layout->one_x))
    seam_paint_line (cr, &palette->glyph, 1.5, layout->one_x, 0, layout->one_x, y);
}

/* Through all rows, with its interval as a faint band: what every other row has to be seen beside.
 */
static void
draw_honest (const SeamPitfallsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamPitfallsRow *row = &layout->rows[0];

  if (!isfinite (row->x))
    return;
  if (isfinite (row->low_x) && isfinite (row->high_x)) {
    SeamRect band = { row->low_x, 0, fmax (1, row->high_x - row->low_x), layout->axis_y };
    seam_paint_box (cr, &band, 0, &palette->soft, NULL, 0);
  }
  seam_paint_dashed (cr, &palette->text, 1.2, row->x, row->row.y, row->x, layout->axis_y);
}

static void
draw_value (const SeamPitfallsRow *row, gboolean honest, double y, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamColor *color = honest ? &palette->text : &palette->bad;

  if (isfinite (row->low_x) && isfinite (row->high_x)) {
    seam_paint_line (cr, color, 2, row->low_x, y, row->high_x, y);
    seam_paint_line (cr, color, 2, row->low_x, y - CAP, row->low_x, y + CAP);
    seam_paint_line (cr, color, 2, row->high_x, y - CAP, row->high_x, y + CAP);
  }
  cairo_new_path (cr);
  cairo_arc (cr, row->x, y, RADIUS, 0, 2 * G_PI);
  seam_palette_set_source (cr, honest ? &palette->card : color);
  cairo_fill_preserve (cr);
  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
draw_row (const SeamPitfallsLayout *layout, const SeamPitfallsRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  gboolean honest = row->index == SEAM_LAB_HONEST;
  double y = row->row.y + row->row.height / 2;

  seam_paint_text (cr, &palette->text, row->title, layout->left - 12, y + SEAM_BASELINE (13), 13,
                   honest ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_END);
  if (row->value == NULL) {
    double width = seam_paint_measure (row->note, SEAM_SIZE_AXIS, SEAM_REGULAR);
    SeamRect plate = { layout->left + 4, y - 9, width + 8, 18 };

    seam_paint_box (cr, &plate, 3, &palette->card, NULL, 0);
    seam_paint_text (cr, &palette->dim_text, row->note, layout->left + 8,
                     y + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_START);
    return;
  }
  draw_value (row, honest, y, cr, palette);
  seam_paint_text (cr, honest ? &palette->text : &palette->bad, row->value, layout->width - 2,
                   y + SEAM_BASELINE (13), 13, SEAM_BOLD, SEAM_ALIGN_END);
}

static void
pitfalls_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamPitfallsLayout *layout = ((Pitfalls *)figure)->layout;

  draw_axis (layout, cr, palette);
  draw_honest (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++) {
    SeamHit hit = { .kind = SEAM_HIT_OP, .index = layout->rows[i].index };
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
pitfalls_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamPitfallsLayout *layout = ((Pitfalls *)figure)->layout;

  for (int i = 0; i < layout->n_rows; i++)
    if (seam_rect_contains (&layout->rows[i].row, x, y)) {
      *hit = (SeamHit){ .kind = SEAM_HIT_OP, .index = layout->rows[i].index };
      return TRUE;
    }
  return FALSE;
}

static gboolean
pitfalls_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamPitfallsLayout *layout = ((Pitfalls *)figure)->layout;

  for (int i = 0; hit->kind == SEAM_HIT_OP && i < layout->n_rows; i++)
    if (layout->rows[i].index == hit->index) {
      *rect = layout->rows[i].row;
      return TRUE;
    }
  return FALSE;
}

static char *
pitfalls_summarize (SeamFigure *figure)
{
  return g_strdup (((Pitfalls *)figure)->summary);
}

static void
pitfalls_finalize (SeamFigure *figure)
{
  Pitfalls *self = (Pitfalls *)figure;

  seam_pitfalls_layout_free (self->layout);
  g_free (self->summary);
}

static const SeamFigureClass pitfalls_class = {
  .draw = pitfalls_draw,
  .pick = pitfalls_pick,
  .locate = pitfalls_locate,
  .summarize = pitfalls_summarize,
  .finalize = pitfalls_finalize,
};

SeamFigure *
seam_pitfalls_figure_new (const SeamLab *lab, double width)
{
  Pitfalls *self = g_new0 (Pitfalls, 1);
  GString *summary = g_string_new ("Measured honestly, and with mistakes made on purpose.");

  self->base.klass = &pitfalls_class;
  self->layout = seam_pitfalls_layout_new (lab, width);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height;
  for (int i = 0; i < self->layout->n_rows; i++) {
    const SeamPitfallsRow *row = &self->layout->rows[i];
    g_autofree char *finding = seam_lab_describe (lab, row->index);

    g_string_append_printf (
        summary, " %s: %s%s%s%s%s", row->title, row->value != NULL ? row->value : "",
        row->value != NULL && self->layout->unit.name != NULL ? " " : "",
        row->value != NULL && self->layout->unit.name != NULL ? self->layout->unit.name : "",
        row->value != NULL ? ". " : "", finding);
  }
  self->summary = g_string_free (summary, FALSE);
  return &self->base;
}
