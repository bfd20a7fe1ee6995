/* SPDX-License-Identifier: MIT
 *
 * While a figure is drawn on an SVG surface, every text becomes a ready <text> element in a list
 * and a marker on the surface: a path with the even-odd fill rule, whose colour is the number of
 * the text. Nothing else in app/figure/ uses that rule (tests/check-layers.sh proves it), so that
 * a marker cannot be taken for anything else. Cairo keeps the order and the clips of markers, and
 * with them those of the texts.
 */
#include "app/figure/svg-text.h"

#include "app/base/error.h"

#include <math.h>
#include <string.h>

/* Inherited by all texts; digits have equal widths, as they were measured. */
#define ROOT_ATTRIBUTES "text-anchor=\"start\" style=\"font-variant-numeric:tabular-nums\" "

#define MOST_TEXTS (1 << 24) /* numbers that fit a colour */

static const cairo_user_data_key_t texts_key;

void
seam_svg_keep_texts (cairo_surface_t *surface)
{
  cairo_surface_set_user_data (surface, &texts_key, g_ptr_array_new_with_free_func (g_free),
                               (cairo_destroy_func_t)g_ptr_array_unref);
}

/* An attribute with at most three decimals, finer than any printer. */
static void
append_number (GString *element, const char *name, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double rounded = round (value * 1000) / 1000;

  g_ascii_formatd (digits, sizeof digits, "%.10g", rounded == 0 ? 0 : rounded);
  g_string_append_printf (element, " %s=\"%s\"", name, digits);
}

/* CSS takes a family without quotation marks if each of its words is an identifier. */
static gboolean
needs_quotes (const char *family)
{
  gboolean starts_word = TRUE;

  for (const char *p = family; *p != '\0'; p++) {
    if (!g_ascii_isalpha (*p) && *p != ' ' && (starts_word || !(g_ascii_isdigit (*p) || *p == '-')))
      return TRUE;
    starts_word = *p == ' ';
  }
  return FALSE;
}

/* Pango's list of families as CSS writes it, which ends with a generic one. */
static char *
list_families (const char *pango_families)
{
  g_auto (GStrv) families = g_strsplit (pango_families, ",", -1);
  const char *generic = "sans-serif";
  GString *list = g_string_new (NULL);

  for (int i = 0; families[i] != NULL; i++) {
    char *family = g_strstrip (families[i]);

    if (g_ascii_strcasecmp (family, "monospace") == 0)
      generic = "monospace";
    else if (*family == '\0' || g_ascii_strcasecmp (family, "sans") == 0)
      continue;
    else if (needs_quotes (family)) {
      g_strdelimit (family, "\"\\", ' ');
      g_string_append_printf (list, "\"%s\", ", family);
    } else
      g_string_append_printf (list, "%s, ", family);
  }
  g_string_append (list, generic);
  return g_string_free (list, FALSE);
}

static void
append_font (GString *element, const PangoFontDescription *font)
{
  g_autofree char *families = list_families (pango_font_description_get_family (font));
  g_autofree char *escaped = g_markup_escape_text (families, -1);

  g_string_append_printf (element, " font-family=\"%s\"", escaped);
  append_number (element, "font-size",
                 (double)pango_font_description_get_size (font) / PANGO_SCALE);
  if (pango_font_description_get_weight (font) != PANGO_WEIGHT_NORMAL)
    append_number (element, "font-weight", pango_font_description_get_weight (font));
}

static guint
to_byte (double part)
{
  return (guint)lround (CLAMP (part, 0, 1) * 255);
}

static char *
make_element (const PangoFontDescription *font, const SeamColor *color, SeamAlign align,
              const cairo_matrix_t *at, double width, const char *text)
{
  GString *element = g_string_new ("<text");
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  if (at->xx == 1 && at->yx == 0 && at->xy == 0 && at->yy == 1) {
    append_number (element, "x", at->x0);
    append_number (element, "y", at->y0);
  } else {
    const double parts[] = { at->xx, at->yx, at->xy, at->yy, at->x0, at->y0 };

    g_string_append (element, " transform=\"matrix(");
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];
      double rounded = round (parts[i] * 1e6) / 1e6;

      g_ascii_formatd (digits, sizeof digits, "%.10g", rounded == 0 ? 0 : rounded);
      g_string_append_printf (element, "%s%s", i > 0 ? "," : "", digits);
    }
    g_string_append (element, ")\"");
  }
  if (align != SEAM_ALIGN_START)
    g_string_append_printf (element, " text-anchor=\"%s\"",
                            align == SEAM_ALIGN_MIDDLE ? "middle" : "end");
  append_font (element, font);
  g_string_append_printf (element, " fill=\"#%02x%02x%02x\"", to_byte (color->r),
                          to_byte (color->g), to_byte (color->b));
  if (color->a < 1)
    append_number (element, "fill-opacity", color->a);
  if (width > 0) {
    append_number (element, "textLength", width);
    g_string_append (element, " lengthAdjust=\"spacingAndGlyphs\"");
  }
  if (g_str_has_prefix (text, " ") || g_str_has_suffix (text, " ") || strstr (text, "  ") != NULL)
    g_string_append (element, " xml:space=\"preserve\"");
  g_string_append_printf (element, ">%s</text>", escaped);
  return g_string_free (element, FALSE);
}

/* The pixels of the surface under `rect`, which is in Pango units from the layout's corner. */
static void
get_device_extents (const cairo_matrix_t *matrix, const PangoRectangle *rect, double *x1,
                    double *y1, double *x2, double *y2)
{
  *x1 = *y1 = INFINITY;
  *x2 = *y2 = -INFINITY;
  for (int corner = 0; corner < 4; corner++) {
    double x = (double)(rect->x + (corner & 1 ? rect->width : 0)) / PANGO_SCALE;
    double y = (double)(rect->y + (corner & 2 ? rect->height : 0)) / PANGO_SCALE;

    cairo_matrix_transform_point (matrix, &x, &y);
    *x1 = fmin (*x1, floor (x));
    *y1 = fmin (*y1, floor (y));
    *x2 = fmax (*x2, ceil (x));
    *y2 = fmax (*y2, ceil (y));
  }
}

/* Replaces the text by a triangle in the colour `number`. FALSE: the place is not visible, so Cairo
 * would leave the triangle out. */
static gboolean
draw_marker (cairo_t *cr, const cairo_matrix_t *matrix, const PangoRectangle *ink, guint number)
{
  double x1, y1, x2, y2, left, top, right, bottom;
  gboolean seen;

  get_device_extents (matrix, ink, &x1, &y1, &x2, &y2);
  cairo_save (cr);
  cairo_identity_matrix (cr);
  cairo_clip_extents (cr, &left, &top, &right, &bottom);
  seen = fmax (x1, left) < fmin (x2, right) && fmax (y1, top) < fmin (y2, bottom);
  if (seen) {
    cairo_new_path (cr);
    cairo_move_to (cr, x1, y1);
    cairo_line_to (cr, x2, y1);
    cairo_line_to (cr, x2, y2);
    cairo_close_path (cr);
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_set_source_rgb (cr, (number >> 16 & 255) / 255.0, (number >> 8 & 255) / 255.0,
                          (number & 255) / 255.0);
    cairo_fill (cr);
  }
  cairo_restore (cr);
  return seen;
}

typedef struct {
  cairo_t *cr;
  GPtrArray *texts;
  PangoLayout *layout;
  const SeamColor *color;
  SeamAlign align;
  cairo_matrix_t matrix; /* px from the layout's corner to the surface's px */
} Target;

/* A part of one line. `ink`, `logical` and `baseline`: its place, in Pango units. */
static void
add_stretch (const Target *target, SeamAlign align, const char *text, gsize length,
             const PangoRectangle *ink, const PangoRectangle *logical, int baseline)
{
  const PangoFontDescription *font = pango_layout_get_font_description (target->layout);
  g_autofree char *stretch = g_strndup (text, length);
  double width = (double)logical->width / PANGO_SCALE;
  cairo_matrix_t at = target->matrix;

  if (ink->width <= 0 || ink->height <= 0 || target->texts->len >= MOST_TEXTS
      || !draw_marker (target->cr, &target->matrix, ink, target->texts->len))
    return;
  cairo_matrix_translate (&at, (double)logical->x / PANGO_SCALE + seam_align_offset (align, width),
                          (double)baseline / PANGO_SCALE);
  g_ptr_array_add (target->texts, make_element (font, target->color, align, &at, width, stretch));
}

static gboolean
is_ellipsis (const PangoLayoutRun *run)
{
  return (run->item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) != 0;
}

/* Whether the whole text of the line is shown, one character beside the other. */
static gboolean
is_plain (const PangoLayoutLine *line, const char *text)
{
  if (memchr (text + line->start_index, '\t', (gsize)line->length) != NULL)
    return FALSE;
  for (const GSList *l = line->runs; l != NULL; l = l->next)
    if (is_ellipsis (l->data))
      return FALSE;
  return TRUE;
}

static void
add_line (const Target *target, PangoLayoutIter *iter)
{
  const PangoLayoutLine *line = pango_layout_iter_get_line_readonly (iter);
  const char *text = pango_layout_get_text (target->layout);
  const char *start = text + line->start_index, *end = start + line->length;
  int baseline = pango_layout_iter_get_baseline (iter), x;
  PangoRectangle ink, logical;

  pango_layout_iter_get_line_extents (iter, &ink, &logical);
  if (is_plain (line, text)) {
    /* The blank at a line break is not shown. */
    if (*end != '\0' && *end != '\n')
      while (end > start && end[-1] == ' ')
        end--;
    add_stretch (target, target->align, start, (gsize)(end - start), &ink, &logical, baseline);
    return;
  }
  x = logical.x;
  for (const GSList *l = line->runs; l != NULL; l = l->next) {
    const PangoLayoutRun *run = l->data;
    const char *shown = is_ellipsis (run) ? "…" : text + run->item->offset;
    gsize length = is_ellipsis (run) ? strlen (shown) : (gsize)run->item->length;

    pango_glyph_string_extents (run->glyphs, run->item->analysis.font, &ink, &logical);
    ink.x += x;
    ink.y += baseline;
    logical.x += x;
    x += logical.width;
    if (*shown != '\t')
      add_stretch (target, SEAM_ALIGN_START, shown, length, &ink, &logical, baseline);
  }
}

gboolean
seam_svg_add_text (cairo_t *cr, PangoLayout *layout, const SeamColor *color, SeamAlign align,
                   double x, double y)
{
  GPtrArray *texts = cairo_surface_get_user_data (cairo_get_target (cr), &texts_key);
  Target target = { .cr = cr, .texts = texts, .layout = layout, .color = color, .align = align };
  PangoLayoutIter *iter;

  if (texts == NULL)
    return FALSE;
  cairo_get_matrix (cr, &target.matrix);
  cairo_matrix_translate (&target.matrix, x, y);
  iter = pango_layout_get_iter (layout);
  do
    add_line (&target, iter);
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
  return TRUE;
}

/* The number of the text that the element up to `end` marks; -1: it is no marker. Cairo writes
 * properties in a style (1.16) or as attributes (1.18). */
static gint64
read_marker (const char *element, const char *end)
{
  gssize length = end - element;
  const char *color = g_strstr_len (element, length, "rgb(");
  gint64 number = 0;

  if ((g_strstr_len (element, length, "fill-rule:evenodd") == NULL
       && g_strstr_len (element, length, "fill-rule=\"evenodd\"") == NULL)
      || color == NULL)
    return -1;
  color += strlen ("rgb(");
  for (int i = 0; i < 3; i++) {
    char *behind;

    number = number << 8 | (gint64)lround (g_ascii_strtod (color, &behind) * 2.55);
    color = behind + strspn (behind, "%, ");
  }
  return number;
}

gboolean
seam_svg_put_texts (cairo_surface_t *surface, GByteArray *svg, GError **error)
{
  const GPtrArray *texts = cairo_surface_get_user_data (surface, &texts_key);
  g_autoptr (GString) whole = g_string_sized_new (svg->len);
  const char *rest, *root, *path, *end;
  guint n_found = 0;
  gboolean ordered = TRUE;

  g_byte_array_append (svg, (const guint8 *)"", 1);
  rest = (const char *)svg->data;
  root = strstr (rest, "<svg ");
  if (root != NULL) {
    root += strlen ("<svg ");
    g_string_append_len (whole, rest, root - rest);
    g_string_append (whole, ROOT_ATTRIBUTES);
    rest = root;
  }
  for (const char *p = rest; (path = strstr (p, "<path ")) != NULL; p = end) {
    gint64 number;

    end = strstr (path, "/>");
    if (end == NULL)
      break;
    end += strlen ("/>");
    number = read_marker (path, end);
    if (number < 0)
      continue;
    ordered = ordered && number == n_found && n_found < texts->len;
    if (!ordered)
      break;
    g_string_append_len (whole, rest, path - rest);
    g_string_append (whole, g_ptr_array_index (texts, n_found++));
    rest = end;
  }
  g_string_append (whole, rest);
  g_byte_array_set_size (svg, 0);
  g_byte_array_append (svg, (const guint8 *)whole->str, (guint)whole->len);
  if (root == NULL || !ordered || n_found != texts->len)
    return seam_fail (error, SEAM_ERROR_INTERNAL,
                      "Of %u texts of the figure, %u are where Cairo %s was to write them.",
                      texts->len, n_found, cairo_version_string ());
  return TRUE;
}
