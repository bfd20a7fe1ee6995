/* SPDX-License-Identifier: MIT
 *
 * Draws the pitfall lab. What is wrong on purpose is said in words on the figure itself.
 */
#include "app/figure/pitfalls.h"

#include "app/figure/marks.h"
#include "app/figure/pitfalls-layout.h"

#include <math.h>

#define RADIUS 5.0
#define CAP    4.0

/* Through all rows, with its interval as a faint band: what every other row has to be seen beside.
 */
static void
draw_honest (const SeamPitfallsLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamPitfallsRow *row = &layout->rows[0];

  if (!isfinite (row->x))
    return;
  if (isfinite (row->low_x) && isfinite (row->high_x)) {
    SeamRect band = { row->low_x, 0, fmax (1, row->high_x - row->low_x), layout->plot.height };
    seam_paint_box (cr, &band, 0, &palette->soft, NULL, 0);
  }
  seam_paint_dashed (cr, &palette->text, 1.2, row->x, row->row.y, row->x, layout->plot.height);
}

static void
draw_value (const SeamPitfallsRow *row, gboolean honest, double y, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamColor *color = honest ? &palette->text : &palette->bad;

  seam_mark_draw_interval (cr, color, 2, row->low_x, y, row->high_x, y, CAP);
  seam_mark_draw (cr, SEAM_MARK_DISC, row->x, y, 2 * RADIUS, honest ? &palette->card : color, color,
                  2);
}

static void
draw_row (const SeamPitfallsLayout *layout, const SeamPitfallsRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  gboolean honest = row->index == SEAM_LAB_HONEST;
  double y = row->row.y + row->row.height / 2;

  seam_paint_text (cr, &palette->text, row->title, layout->plot.x - 12, y + SEAM_BASELINE (13), 13,
                   honest ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_END);
  if (row->value == NULL) {
    seam_paint_label (cr, palette, &palette->dim_text, row->note, layout->plot.x + 8,
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
  const SeamPitfallsLayout *layout = figure->layout;

  seam_axis_draw (&layout->axis, &layout->plot, layout->caption, cr, palette);
  if (isfinite (layout->one_x))
    seam_paint_line (cr, &palette->glyph, 1.5, layout->one_x, 0, layout->one_x,
                     layout->plot.height);
  draw_honest (layout, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
}

static const SeamFigureClass pitfalls_class = {
  .draw = pitfalls_draw,
  .free_layout = (GDestroyNotify)seam_pitfalls_layout_free,
};

SeamFigure *
seam_pitfalls_figure_new (const SeamLab *lab, double width)
{
  SeamPitfallsLayout *layout = seam_pitfalls_layout_new (lab, width);
  SeamFigure *figure =
      seam_figure_new (&pitfalls_class, layout, layout->width, layout->height, NULL);
  GString *summary = g_string_new ("Measured honestly, and with mistakes made on purpose.");

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamPitfallsRow *row = &layout->rows[i];
    g_autofree char *finding = seam_lab_describe (lab, row->index);

    g_string_append_printf (summary, " %s: ", row->title);
    if (row->value != NULL)
      g_string_append_printf (summary, "%s%s%s. ", row->value,
                              layout->axis.unit.name != NULL ? " " : "",
                              layout->axis.unit.name != NULL ? layout->axis.unit.name : "");
    g_string_append (summary, finding);
    seam_figure_add_row (figure, (SeamHit){ .kind = SEAM_HIT_OP, .index = row->index }, row->row);
  }
  figure->summary = g_string_free (summary, FALSE);
  return figure;
}
