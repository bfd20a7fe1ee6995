/* SPDX-License-Identifier: MIT
 *
 * The shared drawing tools. Text is measured without a surface and drawn with the same font
 * options, so that a layout made beforehand is right on every surface and at every scale.
 */
#include "app/figure/paint.h"

#include "app/base/text.h"
#include "app/figure/svg-text.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define LABEL_PAD        3.0 /* of the plate around a label */
#define FAMILY           "Cantarell, sans"
#define MONOSPACE_FAMILY "DejaVu Sans Mono, monospace"

#define BLANK_EXTRA 0.07 /* of the size */

/* Set once at the start, before anything is drawn; NULL: FAMILY. */
static char *chosen_family;

static GPrivate measuring_context = G_PRIVATE_INIT (g_object_unref);

void
seam_figure_set_font_family (const char *family)
{
  g_free (chosen_family);
  /* No second family: fontconfig prefers an installed name to one that it must look up, and "Sans"
   * is such a name. */
  chosen_family = family != NULL && *family != '\0' ? g_strdup (family) : NULL;
}

static void
set_up_context (PangoContext *context)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_cairo_context_set_resolution (context, 96);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
}

static PangoContext *
get_measuring_context (void)
{
  PangoContext *context = g_private_get (&measuring_context);

  if (context == NULL) {
    context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
    set_up_context (context);
    g_private_set (&measuring_context, context);
  }
  return context;
}

/* Widens blanks: those of the bold face are narrow, and on a screen of 1 px a point glyphs are
 * aligned to whole pixels, so that "1.06 GB" would read as one word. */
static void
widen_blanks (PangoAttrList *attributes, const char *text, double size)
{
  for (const char *blank = strchr (text, ' '); blank != NULL; blank = strchr (blank + 1, ' ')) {
    PangoAttribute *wider = pango_attr_letter_spacing_new ((int)(size * BLANK_EXTRA * PANGO_SCALE));

    wider->start_index = (guint)(blank - text);
    wider->end_index = wider->start_index + 1;
    pango_attr_list_insert (attributes, wider);
  }
}

static PangoLayout *
create_layout (cairo_t *cr, const char *whole, double size, int weight, gboolean monospace)
{
  g_autofree char *text = seam_text_show (whole);
  g_autoptr (PangoFontDescription) font = pango_font_description_new ();
  PangoAttrList *attributes = pango_attr_list_new ();
  PangoLayout *layout;

  if (cr != NULL) {
    PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());

    set_up_context (context);
    pango_cairo_update_context (cr, context);
    layout = pango_layout_new (context);
    g_object_unref (context);
  } else {
    layout = pango_layout_new (get_measuring_context ());
  }

  pango_font_description_set_family (font, monospace               ? MONOSPACE_FAMILY
                                           : chosen_family != NULL ? chosen_family
                                                                   : FAMILY);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_font_description_set_weight (font, (PangoWeight)weight);
  pango_layout_set_font_description (layout, font);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (size >= 25)
    pango_attr_list_insert (attributes, pango_attr_letter_spacing_new ((int)(-.3 * PANGO_SCALE)));
  else if (weight >= SEAM_BOLD && !monospace)
    widen_blanks (attributes, text, size);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

static double
get_width (PangoLayout *layout)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  return (double)logical.width / PANGO_SCALE;
}

double
seam_paint_measure (const char *text, double size, int weight)
{
  g_autoptr (PangoLayout) layout = create_layout (NULL, text, size, weight, FALSE);

  return get_width (layout);
}

double
seam_align_offset (SeamAlign align, double width)
{
  return align == SEAM_ALIGN_START ? 0 : align == SEAM_ALIGN_MIDDLE ? width / 2 : width;
}

static _Thread_local SeamPaintWatch watch;
static _Thread_local gpointer watch_data;

void
seam_paint_watch_text (SeamPaintWatch new_watch, gpointer data)
{
  watch = new_watch;
  watch_data = data;
}

static void
report_text (cairo_t *cr, PangoLayout *layout)
{
  const PangoFontDescription *font = pango_layout_get_font_description (layout);
  double size = (double)pango_font_description_get_size (font) / PANGO_SCALE;
  cairo_matrix_t matrix;

  cairo_get_matrix (cr, &matrix);
  watch (pango_layout_get_text (layout),
         size * sqrt (fabs (matrix.xx * matrix.yy - matrix.xy * matrix.yx)), watch_data);
}

/* All text is drawn here. (x, y) is the top left corner of the layout for every `align`, which only
 * tells an SVG which point of the text is fixed. */
static void
show_layout (cairo_t *cr, const SeamColor *color, PangoLayout *layout, SeamAlign align, double x,
             double y)
{
  if (watch != NULL)
    report_text (cr, layout);
  if (seam_svg_add_text (cr, layout, color, align, x, y))
    return;
  seam_palette_set_source (cr, color);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
}

void
seam_paint_text (cairo_t *cr, const SeamColor *color, const char *text, double x, double baseline,
                 double size, int weight, SeamAlign align)
{
  g_autoptr (PangoLayout) layout = NULL;

  if (text == NULL || *text == '\0')
    return;
  layout = create_layout (cr, text, size, weight, FALSE);
  show_layout (cr, color, layout, align, x - seam_align_offset (align, get_width (layout)),
               baseline - (double)pango_layout_get_baseline (layout) / PANGO_SCALE);
}

void
seam_paint_label (cairo_t *cr, const SeamPalette *palette, const SeamColor *color, const char *text,
                  double x, double baseline, double size, int weight, SeamAlign align)
{
  double width, middle = baseline - SEAM_BASELINE (size);
  SeamRect plate;

  if (text == NULL || *text == '\0')
    return;
  width = seam_paint_measure (text, size, weight);
  plate = (SeamRect){ x - seam_align_offset (align, width) - LABEL_PAD,
                      middle - size / 2 - LABEL_PAD, width + 2 * LABEL_PAD, size + 2 * LABEL_PAD };
  seam_paint_box (cr, &plate, LABEL_PAD, &palette->card, NULL, 0);
  seam_paint_text (cr, color, text, x, baseline, size, weight, align);
}

void
seam_paint_text_upwards (cairo_t *cr, const SeamColor *color, const char *text, double x, double y,
                         double size, int weight)
{
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -G_PI / 2);
  seam_paint_text (cr, color, text, 0, SEAM_BASELINE (size), size, weight, SEAM_ALIGN_MIDDLE);
  cairo_restore (cr);
}

/* Keeps the beginning, or as much of the end (`middle`). */
static char *
ellipsize (const char *text, double width, double size, int weight, gboolean middle)
{
  g_autofree char *shown = seam_text_show (text);
  g_autofree char *best = g_strdup ("");
  glong all = g_utf8_strlen (shown, -1), fits = 0, too_long = all;

  if (seam_paint_measure (shown, size, weight) <= width)
    return g_steal_pointer (&shown);
  while (too_long - fits > 1) {
    glong length = fits + (too_long - fits) / 2;
    glong tail = middle ? length / 2 : 0;
    g_autofree char *head = g_utf8_substring (shown, 0, length - tail);
    const char *end = g_utf8_offset_to_pointer (shown, all - tail);
    g_autofree char *cut = g_strconcat (g_strchomp (head), "…", end, NULL);

    if (seam_paint_measure (cut, size, weight) > width) {
      too_long = length;
    } else {
      fits = length;
      g_free (best);
      best = g_steal_pointer (&cut);
    }
  }
  return g_steal_pointer (&best);
}

char *
seam_paint_ellipsize (const char *text, double width, double size, int weight)
{
  return ellipsize (text, width, size, weight, FALSE);
}

char *
seam_paint_ellipsize_middle (const char *text, double width, double size, int weight)
{
  return ellipsize (text, width, size, weight, TRUE);
}

static void
wrap (PangoLayout *layout, double width, int max_lines)
{
  pango_layout_set_width (layout, (int)(MAX (1, width) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  if (max_lines > 0) {
    pango_layout_set_height (layout, -max_lines);
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  }
}

double
seam_paint_measure_paragraph (const char *text, double width, double size, int weight,
                              gboolean monospace, int max_lines)
{
  g_autoptr (PangoLayout) layout = create_layout (NULL, text, size, weight, monospace);
  PangoRectangle logical;

  wrap (layout, width, max_lines);
  pango_layout_get_extents (layout, NULL, &logical);
  return ceil ((double)logical.height / PANGO_SCALE);
}

void
seam_paint_paragraph (cairo_t *cr, const SeamColor *color, const char *text, double x, double y,
                      double width, double size, int weight, gboolean monospace, int max_lines)
{
  g_autoptr (PangoLayout) layout = create_layout (cr, text, size, weight, monospace);

  wrap (layout, width, max_lines);
  show_layout (cr, color, layout, SEAM_ALIGN_START, x, y);
}

void
seam_paint_rounded (cairo_t *cr, const SeamRect *rect, double radius)
{
  double r = MAX (0, MIN (radius, MIN (rect->width, rect->height) / 2));

  cairo_new_sub_path (cr);
  cairo_arc (cr, rect->x + rect->width - r, rect->y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, rect->x + rect->width - r, rect->y + rect->height - r, r, 0, G_PI / 2);
  cairo_arc (cr, rect->x + r, rect->y + rect->height - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, rect->x + r, rect->y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

void
seam_paint_box (cairo_t *cr, const SeamRect *rect, double radius, const SeamColor *fill,
                const SeamColor *stroke, double line_width)
{
  if (!(rect->width > 0) || !(rect->height > 0))
    return;
  if (fill != NULL) {
    seam_paint_rounded (cr, rect, radius);
    seam_palette_set_source (cr, fill);
    cairo_fill (cr);
  }
  if (stroke != NULL) {
    double inset = MIN (line_width, MIN (rect->width, rect->height) / 2) / 2;
    SeamRect inner = seam_rect_inset (rect, inset);

    seam_paint_rounded (cr, &inner, radius - inset);
    seam_palette_set_source (cr, stroke);
    cairo_set_line_width (cr, 2 * inset);
    cairo_stroke (cr);
  }
}

void
seam_paint_line (cairo_t *cr, const SeamColor *color, double width, double x1, double y1, double x2,
                 double y2)
{
  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, width);
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_stroke (cr);
}

void
seam_paint_dashed (cairo_t *cr, const SeamColor *color, double width, double x1, double y1,
                   double x2, double y2)
{
  const double dashes[] = { 4, 3 };

  cairo_set_dash (cr, dashes, 2, 0);
  seam_paint_line (cr, color, width, x1, y1, x2, y2);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
seam_paint_arrow_head (cairo_t *cr, const SeamColor *color, double x, double y, int direction)
{
  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, 1.6);
  if (direction != 0) {
    const double from = direction == 1 ? y - 5 : y + 5;
    cairo_move_to (cr, x - 3.5, from);
    cairo_line_to (cr, x, y);
    cairo_line_to (cr, x + 3.5, from);
  } else {
    cairo_move_to (cr, x - 5, y - 3.5);
    cairo_line_to (cr, x, y);
    cairo_line_to (cr, x - 5, y + 3.5);
  }
  cairo_stroke (cr);
}

void
seam_paint_tensor (cairo_t *cr, const SeamPalette *palette, const SeamColor *color, double x,
                   double y)
{
  SeamRect rect = { x - SEAM_TENSOR_WIDTH / 2, y, SEAM_TENSOR_WIDTH, SEAM_TENSOR_HEIGHT };

  seam_paint_box (cr, &rect, 2.5, &palette->card, color, palette->high_contrast ? 2 : 1.4);
  for (int i = 1; i <= 4; i++)
    seam_paint_line (cr, color, 1, rect.x + 6 * i, y + 1, rect.x + 6 * i,
                     y + SEAM_TENSOR_HEIGHT - 1);
}

void
seam_paint_badge (cairo_t *cr, const SeamPalette *palette, char letter, double x, double y)
{
  SeamRect rect = { x, y, SEAM_BADGE_SIZE, SEAM_BADGE_SIZE };
  char text[2] = { letter, '\0' };
  gboolean outlined = letter == 'A';

  seam_paint_box (cr, &rect, 7, outlined ? &palette->card : &palette->text, &palette->text, 2);
  seam_paint_text (cr, outlined ? &palette->text : &palette->card, text, x + SEAM_BADGE_SIZE / 2,
                   y + SEAM_BADGE_SIZE / 2 + SEAM_BASELINE (13), 13, SEAM_HEAVY, SEAM_ALIGN_MIDDLE);
}

void
seam_paint_lock (cairo_t *cr, const SeamPalette *palette, double x, double y)
{
  SeamRect body = { x - 4.5, y - .5, 9, 6.5 };

  seam_palette_set_source (cr, &palette->text);
  cairo_set_line_width (cr, 1.4);
  cairo_new_sub_path (cr);
  cairo_move_to (cr, x - 2.6, y);
  cairo_line_to (cr, x - 2.6, y - 2);
  cairo_arc (cr, x, y - 2.2, 2.6, G_PI, 2 * G_PI);
  cairo_line_to (cr, x + 2.6, y);
  cairo_stroke (cr);
  seam_paint_box (cr, &body, 1.5, &palette->text, NULL, 0);
}

void
seam_paint_band (cairo_t *cr, const SeamPalette *palette, const SeamOpKind *kinds, int n_kinds,
                 SeamOpKind main_kind, const SeamRect *rect)
{
  double part = rect->width / MAX (1, n_kinds);

  if (!(rect->width > 0))
    return;
  cairo_save (cr);
  seam_paint_rounded (cr, rect, 2);
  cairo_clip (cr);
  if (n_kinds < 2 || part < 3) {
    seam_palette_fill_kind (cr, palette, n_kinds == 1 ? kinds[0] : main_kind, rect->x, rect->y,
                            rect->width, rect->height);
  } else {
    for (int i = 0; i < n_kinds; i++)
      seam_palette_fill_kind (cr, palette, kinds[i], rect->x + i * part, rect->y,
                              part - (i < n_kinds - 1 ? 1.5 : 0), rect->height);
  }
  cairo_restore (cr);
}

void
seam_paint_block (cairo_t *cr, const SeamPalette *palette, SeamOpKind kind, const SeamRect *rect,
                  double radius)
{
  SeamColor fill = seam_palette_mix (&palette->kinds[kind], &palette->card, palette->tint);
  SeamColor edge = seam_palette_mix (&palette->kinds[kind], &palette->card, .7);

  if (!palette->high_contrast) {
    seam_paint_box (cr, rect, radius, &fill, &edge, 1);
    return;
  }
  cairo_save (cr);
  seam_paint_rounded (cr, rect, radius);
  cairo_clip (cr);
  seam_palette_fill_kind (cr, palette, kind, rect->x, rect->y, rect->width, rect->height);
  cairo_restore (cr);
  seam_paint_box (cr, rect, radius, NULL, &palette->text, 2);
}

void
seam_paint_plate (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect)
{
  if (palette->high_contrast)
    seam_paint_box (cr, rect, 3, &palette->card, NULL, 0);
}

void
seam_paint_hatch (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect)
{
  if (!(rect->width > 0))
    return;
  cairo_save (cr);
  cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
  cairo_clip (cr);
  seam_palette_set_source (cr, &palette->glyph);
  cairo_set_line_width (cr, 1);
  for (double x = rect->x - rect->height; x < rect->x + rect->width; x += 6) {
    cairo_move_to (cr, x, rect->y + rect->height);
    cairo_line_to (cr, x + rect->height, rect->y);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
seam_paint_ring (cairo_t *cr, const SeamPalette *palette, SeamRing ring, const SeamRect *rect,
                 double radius)
{
  const double dashes[] = { 3, 2 };

  switch (ring) {
  case SEAM_RING_HOVER:
    seam_paint_box (cr, rect, radius, NULL, &palette->selection, 2);
    break;
  case SEAM_RING_BESIDE:
  case SEAM_RING_FOCUS:
    cairo_set_dash (cr, dashes, 2, 0);
    seam_paint_box (cr, rect, radius, NULL,
                    ring == SEAM_RING_FOCUS ? &palette->text : &palette->selection, 2);
    cairo_set_dash (cr, NULL, 0, 0);
    break;
  case SEAM_RING_SELECTED:
    seam_paint_box (cr, rect, radius, NULL, &palette->selection, 2.5);
    break;
  }
}

gboolean
seam_rect_contains (const SeamRect *rect, double x, double y)
{
  return x >= rect->x && x < rect->x + rect->width && y >= rect->y && y < rect->y + rect->height;
}

gboolean
seam_rect_is_crossed (const SeamRect *rect, double x1, double y1, double x2, double y2)
{
  /* Points closer than any label is high. */
  int n = 1 + (int)(hypot (x2 - x1, y2 - y1) / 4);

  for (int i = 0; i <= n; i++)
    if (seam_rect_contains (rect, x1 + (x2 - x1) * i / n, y1 + (y2 - y1) * i / n))
      return TRUE;
  return FALSE;
}

SeamRect
seam_rect_inset (const SeamRect *rect, double by)
{
  return (SeamRect){ rect->x + by, rect->y + by, MAX (0, rect->width - 2 * by),
                     MAX (0, rect->height - 2 * by) };
}
