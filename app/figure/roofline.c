/* SPDX-License-Identifier: MIT
 *
 * The roofline figure: draws the layout of roofline-layout.c, answers the pointer, and says the
 * same in sentences.
 */
#include "app/figure/roofline.h"

#include "app/figure/axis.h"
#include "app/figure/paint.h"
#include "app/figure/roofline-layout.h"

#include <math.h>
#include <string.h>

#define LEGEND_HEIGHT 22.0
#define HIT_MARGIN    4.0

typedef struct {
  SeamFigure base;
  SeamRooflineLayout *layout;
  gboolean has_measured, has_modelled, has_cache;
  int n_sides;
  char letters[2];
  char *summary;
} Roofline;

/* ---- drawing ---- */

static char *
format_power (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (value >= 1e3)
    return seam_text_count ((gint64)llround (value));
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%g", value));
}

static void
draw_axes (const SeamRooflineLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *plot = &layout->plot;
  double bottom = plot->y + plot->height;
  g_autofree char *title = g_strdup_printf ("Operations a second (%s)", layout->unit.name);

  for (double decade = layout->x_low; decade <= layout->x_high + .5; decade++) {
    double value = pow (10, decade), x = seam_roofline_layout_x (layout, value);
    g_autofree char *text = format_power (value);
    double half = seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;

    seam_axis_draw_grid_x (cr, palette, x, plot->y, bottom);
    seam_axis_draw_x_number (cr, palette, text, fmin (floor (x) + .5, layout->width - half),
                             bottom + 16);
  }
  for (double decade = layout->y_low; decade <= layout->y_high + .5; decade++) {
    double value = pow (10, decade), y = seam_roofline_layout_y (layout, value);
    g_autofree char *text = format_power (value / layout->unit.scale);

    seam_axis_draw_grid_y (cr, palette, y, plot->x, plot->x + plot->width);
    seam_axis_draw_y_number (cr, palette, text, plot->x - 7, floor (y) + .5);
  }
  seam_axis_draw_titles (cr, palette, plot, "Operations a byte (FLOP/B)", title);
}

/* In force: solid, the cache's thin; another way to compute: dashed and dim. */
static void
draw_line (const SeamRooflineLine *line, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = line->in_force ? &palette->text : &palette->dim_text;

  if (line->in_force)
    seam_paint_line (cr, color, line->is_cache ? 1.2 : 2, line->x1, line->y1, line->x2, line->y2);
  else
    seam_paint_dashed (cr, color, 1.2, line->x1, line->y1, line->x2, line->y2);
}

static void
draw_line_label (const SeamRooflineLine *line, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = line->in_force ? &palette->text : &palette->dim_text;
  SeamRect plate = { -line->label_width / 2 - 2, -11, line->label_width + 4, 14 };

  cairo_save (cr);
  cairo_translate (cr, line->label_x, line->label_y);
  cairo_rotate (cr, line->label_angle);
  seam_paint_box (cr, &plate, 0, &palette->card, NULL, 0);
  seam_paint_text (cr, color, line->label, 0, 0, SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  cairo_restore (cr);
}

/* Marks of L2 bytes. */
#define SIDE_CACHE 2

/* A: square, B: disc; of L2 bytes a triangle that points up for A and down for B. */
static void
outline_mark (cairo_t *cr, int side, double x, double y, double size)
{
  cairo_new_path (cr);
  if (side >= SIDE_CACHE) {
    double up = side == SIDE_CACHE ? -size / 2 : size / 2;

    cairo_move_to (cr, x, y + up);
    cairo_line_to (cr, x + size / 2, y - up);
    cairo_line_to (cr, x - size / 2, y - up);
    cairo_close_path (cr);
  } else if (side == 0)
    cairo_rectangle (cr, x - size / 2, y - size / 2, size, size);
  else
    cairo_arc (cr, x, y, size / 2 + .5, 0, 2 * G_PI);
}

static void
draw_mark (cairo_t *cr, const SeamPalette *palette, int side, const SeamColor *color, double x,
           double y, double size, gboolean filled)
{
  /* A halo of card colour keeps a mark apart from lines and other marks. */
  outline_mark (cr, side, x, y, size + 3);
  seam_palette_set_source (cr, &palette->card);
  cairo_fill (cr);
  outline_mark (cr, side, x, y, size);
  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, 2);
  if (filled)
    cairo_fill_preserve (cr);
  cairo_stroke (cr);
}

static const SeamColor *
get_color (const SeamRooflineMark *mark, const SeamPalette *palette)
{
  if (mark->over)
    return &palette->bad;
  return mark->kernel < 0 ? &palette->text : &palette->kinds[mark->op_kind];
}

static void
draw_legend (const Roofline *self, cairo_t *cr, const SeamPalette *palette)
{
  const char second[] = { self->letters[1], '\0' };
  g_autofree char *triangles =
      g_strdup_printf ("triangles: bytes of the cache, A up, %s down", second);
  const struct {
    const char *text;
    int side;
    double size;
    gboolean filled, shown;
  } entries[] = {
    { "A", 0, 9, FALSE, TRUE },
    { second, 1, 9, FALSE, self->n_sides > 1 },
    { "large: the whole plan, small: a kernel", 0, 14, FALSE, TRUE },
    { "hollow: modelled bytes", 0, 9, FALSE, self->has_modelled },
    { "filled: measured bytes", 0, 9, TRUE, self->has_measured },
    { triangles, SIDE_CACHE, 9, TRUE, self->has_cache },
  };
  double x = self->layout->plot.x, y = self->layout->height + LEGEND_HEIGHT / 2;

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++) {
    if (!entries[i].shown)
      continue;
    if (x + 16 + seam_paint_measure (entries[i].text, SEAM_SIZE_SMALL, SEAM_REGULAR)
        > self->layout->width)
      break;
    draw_mark (cr, palette, entries[i].side, &palette->dim_text, x + 6, y, entries[i].size,
               entries[i].filled);
    x += 20;
    seam_paint_text (cr, &palette->dim_text, entries[i].text, x,
                     y + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL, SEAM_REGULAR,
                     SEAM_ALIGN_START);
    x += seam_paint_measure (entries[i].text, SEAM_SIZE_SMALL, SEAM_REGULAR) + 18;
  }
}

static SeamHit
make_hit (const SeamRooflineMark *mark)
{
  return (SeamHit){
    .kind = SEAM_HIT_SAMPLE, .plan = mark->side, .index = mark->kernel + 1, .row = mark->is_cache
  };
}

static SeamRect
get_hit_rect (const SeamRooflineMark *mark)
{
  double size = mark->size + 2 * HIT_MARGIN;

  return (SeamRect){ mark->x - size / 2, mark->y - size / 2, size, size };
}

static void
roofline_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Roofline *self = (Roofline *)figure;
  const SeamRooflineLayout *layout = self->layout;

  draw_axes (layout, cr, palette);
  for (int i = 0; i < layout->n_lines; i++)
    draw_line_label (&layout->lines[i], cr, palette);
  for (int i = 0; i < layout->n_lines; i++)
    draw_line (&layout->lines[i], cr, palette);
  if (layout->has_join)
    seam_paint_line (cr, &palette->accent, 2, layout->join[0], layout->join[1], layout->join[2],
                     layout->join[3]);
  /* Small ones first, so that no plan hides behind a kernel. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = layout->n_marks - 1; i >= 0; i--) {
      const SeamRooflineMark *mark = &layout->marks[i];

      if ((mark->kernel < 0) == (pass == 1))
        draw_mark (cr, palette, mark->side + (mark->is_cache ? SIDE_CACHE : 0),
                   get_color (mark, palette), mark->x, mark->y, mark->size, mark->measured);
    }
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamRooflineMark *mark = &layout->marks[i];
    SeamHit hit = make_hit (mark);
    SeamRect rect = get_hit_rect (mark);

    seam_paint_text (cr, mark->over ? &palette->bad : &palette->text, mark->label, mark->label_x,
                     mark->label_y, SEAM_SIZE_AXIS, mark->kernel < 0 ? SEAM_BOLD : SEAM_REGULAR,
                     SEAM_ALIGN_START);
    if (seam_hit_equal (&figure->selected, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_SELECTED, &rect, 5);
    if (seam_hit_equal (&figure->hover, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_HOVER, &rect, 5);
    if (seam_hit_equal (&figure->focus, &hit))
      seam_paint_ring (cr, palette, SEAM_RING_FOCUS, &rect, 5);
  }
  draw_legend (self, cr, palette);
}

/* The nearest mark, as many lie close together. */
static gboolean
roofline_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  const SeamRooflineLayout *layout = ((Roofline *)figure)->layout;
  double nearest = INFINITY;

  for (int i = 0; i < layout->n_marks; i++) {
    const SeamRooflineMark *mark = &layout->marks[i];
    SeamRect rect = get_hit_rect (mark);
    double distance = hypot (x - mark->x, y - mark->y);

    if (seam_rect_contains (&rect, x, y) && distance < nearest) {
      *hit = make_hit (mark);
      nearest = distance;
    }
  }
  return isfinite (nearest);
}

static gboolean
roofline_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  const SeamRooflineLayout *layout = ((Roofline *)figure)->layout;

  for (int i = 0; i < layout->n_marks; i++) {
    SeamHit own = make_hit (&layout->marks[i]);

    if (seam_hit_equal (hit, &own)) {
      *rect = get_hit_rect (&layout->marks[i]);
      return TRUE;
    }
  }
  return FALSE;
}

static char *
roofline_summarize (SeamFigure *figure)
{
  return g_strdup (((Roofline *)figure)->summary);
}

static void
roofline_finalize (SeamFigure *figure)
{
  Roofline *self = (Roofline *)figure;

  seam_roofline_layout_free (self->layout);
  g_free (self->summary);
}

static const SeamFigureClass roofline_class = {
  .draw = roofline_draw,
  .pick = roofline_pick,
  .locate = roofline_locate,
  .summarize = roofline_summarize,
  .finalize = roofline_finalize,
};

/* ---- in words ---- */

char *
seam_roofline_describe_point (const SeamRoofline *roofline, const SeamRooflinePoint *point)
{
  GString *text = g_string_new (NULL);
  g_autofree char *rate = seam_text_flop_rate (point->rate);
  g_autofree char *intensity = seam_text_significant (point->intensity, 3);
  g_autofree char *bytes = seam_text_bytes (point->bytes);
  g_autofree char *time = seam_text_time (point->time_ns);
  g_autofree char *bandwidth = seam_text_rate (point->bytes / point->time_ns * 1e9);

  if (point->kernel < 0)
    g_string_append_printf (text, "Plan %c, %s", roofline->letters[point->side], point->label);
  else
    g_string_append_printf (text, "%s of %c", point->label, roofline->letters[point->side]);
  g_string_append_printf (text, ": %s at %s operations a byte; %s (%s%s) in %s are %s.", rate,
                          intensity, bytes, point->measured ? "measured" : "modelled",
                          point->is_cache ? ", through the cache" : "", time, bandwidth);
  if (!isnan (point->attainable)) {
    g_autofree char *percent = seam_text_fixed (100 * point->rate / point->attainable, 0);

    if (point->rate > point->attainable)
      g_string_append_printf (text, " %s %% of the bound: %s.", percent,
                              point->measured ? "a rate is wrong"
                                              : "part of the modelled bytes stayed in the cache, "
                                                "or a rate is wrong");
    else
      g_string_append_printf (text, " %s %% of what is attainable there.", percent);
  }
  return g_string_free (text, FALSE);
}

char *
seam_roofline_describe (const SeamRoofline *roofline, const char *rates_source)
{
  GString *text = g_string_new (NULL);
  gboolean has_cache_bound = FALSE, has_cache_point = FALSE;
  int n_over = 0;

  for (int i = 0; i < roofline->n_points; i++) {
    has_cache_point = has_cache_point || roofline->points[i].is_cache;
    n_over += roofline->points[i].rate > roofline->points[i].attainable;
  }
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, "Bounds: %s.", rates_source);
  else
    g_string_append (text, "The rates of this device are not known, so there are no bounds.");
  for (int i = 0; i < roofline->n_bounds; i++)
    has_cache_bound = has_cache_bound || roofline->bounds[i].is_cache;
  if (!has_cache_bound)
    g_string_append (text, " The bound of the last-level cache is drawn once this device is "
                           "calibrated.");
  else if (!has_cache_point)
    g_string_append (text, " The bytes that the last-level cache moved are not known: no point "
                           "stands against its bound.");
  g_string_append (text, " Elementwise ops count 1 operation an element, clamp 2, sigmoid 4, "
                         "groupnorm 8.");
  if (n_over > 0)
    g_string_append_printf (text,
                            " %d %s above the bound (red): modelled bytes that stayed in the "
                            "cache, or a rate that is wrong.",
                            n_over, n_over == 1 ? "point lies" : "points lie");
  if (roofline->n_left_out > 0)
    g_string_append_printf (text, " %d %s no place here: its bytes or operations are not known.",
                            roofline->n_left_out,
                            roofline->n_left_out == 1 ? "kernel has" : "kernels have");
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_roofline_figure_new (const SeamRoofline *roofline, double width, double height)
{
  Roofline *self = g_new0 (Roofline, 1);
  GString *summary = g_string_new ("Roofline:");
  int n_kernels = 0;

  self->base.klass = &roofline_class;
  self->layout =
      seam_roofline_layout_new (roofline, width, height > 0 ? height - LEGEND_HEIGHT : 0);
  self->base.width = self->layout->width;
  self->base.height = self->layout->height + LEGEND_HEIGHT;
  self->n_sides = roofline->n_sides;
  memcpy (self->letters, roofline->letters, sizeof self->letters);
  for (int i = 0; i < roofline->n_points; i++) {
    self->has_cache = self->has_cache || roofline->points[i].is_cache;
    n_kernels += roofline->points[i].kernel >= 0 && !roofline->points[i].is_cache;
    self->has_measured = self->has_measured || roofline->points[i].measured;
    self->has_modelled = self->has_modelled || !roofline->points[i].measured;
    if (roofline->points[i].kernel < 0) {
      g_autofree char *sentence = seam_roofline_describe_point (roofline, &roofline->points[i]);

      g_string_append_printf (summary, " %s", sentence);
    }
  }
  g_string_append_printf (summary, " %d kernels.", n_kernels);
  self->summary = g_string_free (summary, FALSE);
  return &self->base;
}
