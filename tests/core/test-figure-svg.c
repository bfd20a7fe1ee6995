/* SPDX-License-Identifier: MIT
 *
 * SVG figures hold their texts as text: all of them, at the place, in the size and in the font in
 * which they were drawn, whatever characters and markup a name has.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-text.h"

#include "app/base/error.h"
#include "app/figure/paint.h"
#include "app/figure/svg-text.h"

#include <cairo-svg.h>

/* What an XML parser finds in a figure. */
typedef struct {
  GPtrArray *texts;      /* contents of <text> elements */
  GPtrArray *attributes; /* one GHashTable for each of them */
  GHashTable *elements;  /* names of all elements */
  gboolean in_text;
} Svg;

static void
start_cb (GMarkupParseContext *context, const char *name, const char **names, const char **values,
          gpointer data, GError **error)
{
  Svg *svg = data;
  GHashTable *attributes;

  g_hash_table_add (svg->elements, g_strdup (name));
  g_assert_false (svg->in_text);
  svg->in_text = strcmp (name, "text") == 0;
  if (!svg->in_text)
    return;
  attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (int i = 0; names[i] != NULL; i++)
    g_hash_table_insert (attributes, g_strdup (names[i]), g_strdup (values[i]));
  g_ptr_array_add (svg->attributes, attributes);
  g_ptr_array_add (svg->texts, g_strdup (""));
}

static void
end_cb (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  ((Svg *)data)->in_text = FALSE;
}

static void
text_cb (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  Svg *svg = data;
  char **last;

  if (!svg->in_text) {
    g_autofree char *blank = g_strstrip (g_strndup (text, length));

    g_assert_cmpstr (blank, ==, "");
    return;
  }
  last = (char **)&svg->texts->pdata[svg->texts->len - 1];
  g_free (*last);
  *last = g_strndup (text, length);
}

static void
free_svg (Svg *svg)
{
  g_ptr_array_unref (svg->texts);
  g_ptr_array_unref (svg->attributes);
  g_hash_table_unref (svg->elements);
  g_free (svg);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Svg, free_svg)

static Svg *
read_svg (const char *contents)
{
  const GMarkupParser parser = { .start_element = start_cb,
                                 .end_element = end_cb,
                                 .text = text_cb };
  Svg *svg = g_new0 (Svg, 1);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, svg, NULL);
  g_autoptr (GError) error = NULL;

  svg->texts = g_ptr_array_new_with_free_func (g_free);
  svg->attributes = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  svg->elements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_markup_parse_context_parse (context, contents, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  return svg;
}

static Svg *
export_svg (SeamFigure *figure)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("seamscope-svg-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "figure.svg", NULL);
  g_autofree char *contents = NULL;

  g_assert_no_error (error);
  seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &contents, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
  return read_svg (contents);
}

/* The SVG has only elements that draw shapes, and no glyphs. */
static void
assert_elements (const Svg *svg)
{
  static const char *const known[] = { "clipPath", "defs",  "feColorMatrix",  "filter",
                                       "g",        "image", "linearGradient", "mask",
                                       "path",     "rect",  "stop",           "svg",
                                       "text",     "use" };
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, svg->elements);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    gboolean is_known = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      is_known = is_known || strcmp (name, known[i]) == 0;
    if (!is_known)
      g_error ("There is an element <%s>", (const char *)name);
  }
}

static char *
join_without_blanks (const Svg *svg)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < svg->texts->len; i++)
    for (const char *p = g_ptr_array_index (svg->texts, i); *p != '\0'; p++)
      if (!g_ascii_isspace (*p))
        g_string_append_c (joined, *p);
  return g_string_free (joined, FALSE);
}

static const char *
get (const Svg *svg, guint i, const char *attribute)
{
  return g_hash_table_lookup (g_ptr_array_index (svg->attributes, i), attribute);
}

static void
assert_number (const Svg *svg, guint i, const char *attribute, double expected)
{
  const char *found = get (svg, i, attribute);

  if (found == NULL || !(fabs (g_ascii_strtod (found, NULL) - expected) < 2e-3))
    g_error ("%s of “%s” is %s instead of %g", attribute,
             (const char *)g_ptr_array_index (svg->texts, i), found, expected);
}

static void
assert_texts (const Svg *svg, const char *const *expected)
{
  assert_elements (svg);
  for (guint i = 0; i < svg->texts->len; i++)
    g_assert_cmpstr (g_ptr_array_index (svg->texts, i), ==, expected[i]);
  g_assert_null (expected[svg->texts->len]);
}

/* An SVG of 400 x 300 px with what `draw` draws. */
static Svg *
draw_svg (void (*draw) (SeamFigure *, cairo_t *, const SeamPalette *))
{
  SeamFigureClass class = { .draw = draw };
  SeamFigure figure = { .klass = &class, .width = 400, .height = 300 };

  return export_svg (&figure);
}

/* The SVG has every word that a page draws, in the same order, and no others. */
static void
assert_same_words (SeamFigure *figure)
{
  g_autofree char *drawn = figure_get_text (figure), *written = NULL;
  g_autoptr (Svg) svg = export_svg (figure);

  written = join_without_blanks (svg);
  g_assert_cmpint (strlen (drawn), >, 100);
  g_assert_cmpstr (written, ==, drawn);
  assert_elements (svg);
  for (guint i = 0; i < svg->texts->len; i++) {
    g_assert_true (g_str_has_suffix (get (svg, i, "font-family"), "sans-serif")
                   || g_str_has_suffix (get (svg, i, "font-family"), "monospace"));
    g_assert_cmpfloat (g_ascii_strtod (get (svg, i, "textLength"), NULL), >, 0);
    g_assert_cmpstr (get (svg, i, "lengthAdjust"), ==, "spacingAndGlyphs");
  }
}

static void
test_pages (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("37", "laptop", "as-published");
  g_autoptr (SeamProblem) problem = fixture_problem ("37", "laptop");
  g_autoptr (SeamDifference) difference = fixture_difference (problem, .01, TRUE);
  g_autoptr (SeamSlice) slice = fixture_slice (problem, 96, 96, .01);
  const SeamMapLook look = { .unit = SEAM_UNIT_RELATIVE, .tiles = TRUE };
  SeamFigure *pages[4];

  result->device->bytes_per_s = 4.3e12;
  result->device->flop_tf32 = 495e12;
  result->device->rates_source = g_strdup ("synthetic");
  pages[0] = seam_timing_sheet_new (result, 0, 1, 1100, &error);
  pages[1] = seam_difference_sheet_new (result, 1, 0, difference, slice, &look, 1260, &error);
  pages[2] = seam_traffic_sheet_new (result, 0, 1, 900, &error);
  pages[3] = seam_roofline_sheet_new (result, 0, 1, 900, &error);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_assert_no_error (error);
    assert_same_words (pages[i]);
    seam_figure_free (pages[i]);
  }
}

static const char *const special[] = {
  "a & b < c > d ≤ e ≥ f × 2 → g ∞ −1 10⁻⁶ σ(x) é 日本",
  "\"double\" and 'single' quotation marks",
  "</text><script>alert (1)</script>",
  "&lt;&amp;&#65;]]><!-- <![CDATA[ ?> \\",
  " two  blanks ",
  "שלום (A+B) עולם",
  NULL,
};

static void
draw_special (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; special[i] != NULL; i++)
    seam_paint_text (cr, &palette->text, special[i], 5, 20 * (i + 1), 12, SEAM_REGULAR,
                     SEAM_ALIGN_START);
}

static void
test_special_characters (void)
{
  g_autoptr (Svg) svg = draw_svg (draw_special);

  assert_texts (svg, special);
  for (guint i = 0; special[i] != NULL; i++)
    g_assert_cmpstr (get (svg, i, "xml:space"), ==, i == 4 ? "preserve" : NULL);
}

static void
draw_unprintable (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_paint_text (cr, &palette->text, "\x01 \x7f \xff \xef\xbf\xbe \xe2\x80\xae", 5, 20, 12,
                   SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, "", 5, 40, 12, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, "   ", 5, 60, 12, SEAM_BOLD, SEAM_ALIGN_START);
}

/* Characters that XML does not allow are never written; a text of blanks only is left out. */
static void
test_unprintable_characters (void)
{
  const char *const expected[] = { "� � � � �", NULL };
  g_autoptr (Svg) svg = draw_svg (draw_unprintable);

  assert_texts (svg, expected);
}

/* Names come from people and appear in every figure. */
static void
test_hostile_names (void)
{
  static const char name[] = "x</text></svg><a onclick='b' c=\"d\">&e;";
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = fixture_result ("21", "tiny", "published");
  g_autoptr (SeamFigure) page = NULL;
  g_autoptr (Svg) svg = NULL;
  g_autofree char *words = NULL;

  result->pipeline->id = seam_keep (result->pipeline, g_strdup (name));
  for (int i = 0; i < 2; i++) {
    g_free (result->plans[i].name);
    result->plans[i].name = g_strdup (name);
    g_free (result->plans[i].kernels[0].short_name);
    result->plans[i].kernels[0].short_name = g_strdup (name);
  }
  page = seam_timing_sheet_new (result, 0, 1, 1600, &error);
  g_assert_no_error (error);
  assert_same_words (page);
  svg = export_svg (page);
  words = join_without_blanks (svg);
  /* Title and footer show the whole name. */
  g_assert_cmpint (figure_text_count (words, name), >=, 2);
  g_assert_false (g_hash_table_contains (svg->elements, "a"));
}

static void
draw_places (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor faint = { .r = 1, .g = .5, .b = 0, .a = .25 };

  seam_paint_text (cr, &palette->text, "start", 100, 50, 12, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, "middle", 100, 70, 14, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, &faint, "end", 100, 90, 11.5, SEAM_HEAVY, SEAM_ALIGN_END);
  seam_paint_text_upwards (cr, &palette->text, "upwards", 30, 150, 12, SEAM_REGULAR);
  seam_paint_paragraph (cr, &palette->text, "monospace", 200, 20, 150, 12, SEAM_REGULAR, TRUE, 0);
}

/* The margin around a figure is 12 px. */
static void
test_places (void)
{
  const char *const expected[] = { "start", "middle", "end", "upwards", "monospace", NULL };
  g_autoptr (Svg) svg = draw_svg (draw_places);
  double parts[6];
  const char *matrix;

  assert_texts (svg, expected);
  for (guint i = 0; i < 3; i++) {
    static const double sizes[] = { 12, 14, 11.5 }, baselines[] = { 62, 82, 102 };
    static const int weights[] = { SEAM_REGULAR, SEAM_BOLD, SEAM_HEAVY };
    static const char *const anchors[] = { NULL, "middle", "end" };

    assert_number (svg, i, "x", 112);
    assert_number (svg, i, "y", baselines[i]);
    assert_number (svg, i, "font-size", sizes[i]);
    if (weights[i] != SEAM_REGULAR)
      assert_number (svg, i, "font-weight", weights[i]);
    assert_number (svg, i, "textLength", seam_paint_measure (expected[i], sizes[i], weights[i]));
    g_assert_cmpstr (get (svg, i, "text-anchor"), ==, anchors[i]);
    g_assert_cmpstr (get (svg, i, "font-family"), ==, "Cantarell, sans-serif");
    g_assert_null (get (svg, i, "transform"));
  }
  g_assert_null (get (svg, 0, "font-weight"));
  g_assert_null (get (svg, 0, "fill-opacity"));
  g_assert_cmpstr (get (svg, 2, "fill"), ==, "#ff8000");
  assert_number (svg, 2, "fill-opacity", .25);

  matrix = get (svg, 3, "transform");
  g_assert_nonnull (matrix);
  g_assert_cmpint (sscanf (matrix, "matrix(%lf,%lf,%lf,%lf,%lf,%lf)", &parts[0], &parts[1],
                           &parts[2], &parts[3], &parts[4], &parts[5]),
                   ==, 6);
  g_assert_cmpfloat (parts[0], ==, 0);
  g_assert_cmpfloat (parts[1], ==, -1);
  g_assert_cmpfloat (parts[2], ==, 1);
  g_assert_cmpfloat (parts[3], ==, 0);
  g_assert_cmpfloat_with_epsilon (parts[4], 12 + 30 + SEAM_BASELINE (12), 1e-3);
  g_assert_cmpfloat_with_epsilon (parts[5], 12 + 150, 1e-3);
  g_assert_null (get (svg, 3, "x"));

  g_assert_cmpstr (get (svg, 4, "font-family"), ==, "DejaVu Sans Mono, monospace");
  assert_number (svg, 4, "x", 212);
}

#define WORDS "one two three four five six seven eight nine ten eleven twelve"

static void
draw_paragraphs (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_paint_paragraph (cr, &palette->text, WORDS, 0, 10, 120, 12, SEAM_REGULAR, FALSE, 0);
  seam_paint_paragraph (cr, &palette->text, WORDS, 200, 10, 120, 12, SEAM_REGULAR, FALSE, 2);
  seam_paint_paragraph (cr, &palette->text, "first\n\nthird\tbehind", 0, 200, 300, 12, SEAM_REGULAR,
                        TRUE, 0);
}

/* One text for each line, each below the one before, without a blank at a line's end. */
static void
test_paragraphs (void)
{
  g_autoptr (Svg) svg = draw_svg (draw_paragraphs);
  guint i = 0, n;
  g_autoptr (GString) joined = g_string_new (NULL);

  assert_elements (svg);
  for (; i < svg->texts->len && joined->len < strlen (WORDS); i++) {
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "",
                            (const char *)g_ptr_array_index (svg->texts, i));
    assert_number (svg, i, "x", 12);
    g_assert_cmpfloat (g_ascii_strtod (get (svg, i, "textLength"), NULL), <=, 120);
    if (i > 0)
      g_assert_cmpfloat (g_ascii_strtod (get (svg, i, "y"), NULL), >,
                         g_ascii_strtod (get (svg, i - 1, "y"), NULL) + 10);
  }
  n = i;
  g_assert_cmpstr (joined->str, ==, WORDS);
  g_assert_cmpuint (n, >=, 3);

  /* A paragraph cut to two lines: one whole line, the rest of the second, and the ellipsis
   * behind it. */
  g_assert_cmpstr (g_ptr_array_index (svg->texts, n), ==, g_ptr_array_index (svg->texts, 0));
  g_assert_cmpstr (g_ptr_array_index (svg->texts, n + 2), ==, "…");
  assert_number (svg, n + 2, "x",
                 g_ascii_strtod (get (svg, n + 1, "x"), NULL)
                     + g_ascii_strtod (get (svg, n + 1, "textLength"), NULL));
  n += 3;

  /* Line feeds and tabs. */
  g_assert_cmpuint (svg->texts->len, ==, n + 3);
  g_assert_cmpstr (g_ptr_array_index (svg->texts, n), ==, "first");
  g_assert_cmpstr (g_ptr_array_index (svg->texts, n + 1), ==, "third");
  g_assert_cmpstr (g_ptr_array_index (svg->texts, n + 2), ==, "behind");
  g_assert_cmpstr (get (svg, n + 1, "y"), ==, get (svg, n + 2, "y"));
  /* A tab stop is eight characters of the monospace font wide. */
  assert_number (svg, n + 2, "x", 12 + g_ascii_strtod (get (svg, n, "textLength"), NULL) / 5 * 8);
}

static void
draw_clipped (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  cairo_save (cr);
  cairo_rectangle (cr, 100, 0, 60, 300);
  cairo_clip (cr);
  seam_paint_text (cr, &palette->text, "left of it", 10, 20, 12, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, "cut at its edge", 90, 40, 12, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  cairo_restore (cr);
  seam_paint_text (cr, &palette->text, "outside", 500, 20, 12, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, "seen", 10, 60, 12, SEAM_REGULAR, SEAM_ALIGN_START);
}

/* A text that a clip hides is not in the file; one that the clip cuts is cut there, too. */
static void
test_clips (void)
{
  const char *const expected[] = { "cut at its edge", "seen", NULL };
  g_autoptr (Svg) svg = draw_svg (draw_clipped);

  assert_texts (svg, expected);
  g_assert_true (g_hash_table_contains (svg->elements, "clipPath"));
}

static void
draw_one (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_paint_text (cr, &palette->text, "text", 10, 20, 12, SEAM_REGULAR, SEAM_ALIGN_START);
}

static void
test_families (void)
{
  static const struct {
    const char *family, *expected;
  } cases[] = {
    { "Source Sans Pro", "Source Sans Pro, sans-serif" },
    { "Exo 2", "\"Exo 2\", sans-serif" },
    { "O'Brien & \"Sons\"", "\"O'Brien &  Sons \", sans-serif" },
    { "Monospace", "monospace" },
    { NULL, "Cantarell, sans-serif" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Svg) svg = NULL;

    seam_figure_set_font_family (cases[i].family);
    svg = draw_svg (draw_one);
    g_assert_cmpuint (svg->texts->len, ==, 1);
    g_assert_cmpstr (get (svg, 0, "font-family"), ==, cases[i].expected);
  }
}

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* A surface on which two texts were drawn, and the bytes that it wrote. */
static cairo_surface_t *
draw_two (GByteArray *bytes)
{
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_cb, bytes, 100, 100);
  cairo_t *cr = cairo_create (surface);

  seam_svg_keep_texts (surface);
  for (int i = 1; i <= 2; i++)
    seam_paint_text (cr, &seam_palette_get (FALSE, FALSE)->text, "text", 10, 20 * i, 12,
                     SEAM_REGULAR, SEAM_ALIGN_START);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  return surface;
}

/* A file in which a text would be missing, doubled or misplaced is refused. */
static void
test_lost_markers (void)
{
  enum { WHOLE, NONE, FIRST_GONE, LAST_GONE, DOUBLED, SWAPPED, NO_ROOT, N_CASES };

  for (int i = 0; i < N_CASES; i++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    cairo_surface_t *surface = draw_two (bytes);
    g_autofree char *svg = g_strndup ((const char *)bytes->data, bytes->len), *first = NULL;
    char *one = strstr (svg, "<path "), *two = strstr (one + 1, "<path "), *end;
    g_autoptr (GString) changed = g_string_new (NULL);
    g_autoptr (GError) error = NULL;

    end = strstr (two, "</g>");
    first = g_strndup (one, (gsize)(two - one));
    if (i != NO_ROOT)
      g_string_append_len (changed, svg, one - svg);
    if (i == SWAPPED)
      g_string_append_len (changed, two, end - two);
    if (i != NONE && i != FIRST_GONE)
      g_string_append (changed, first);
    if (i == DOUBLED)
      g_string_append (changed, first);
    if (i != NONE && i != LAST_GONE && i != SWAPPED)
      g_string_append_len (changed, two, end - two);
    g_string_append (changed, end);
    g_byte_array_set_size (bytes, 0);
    g_byte_array_append (bytes, (const guint8 *)changed->str, (guint)changed->len);

    g_assert_cmpint (seam_svg_put_texts (surface, bytes, &error), ==, i == WHOLE);
    if (i == WHOLE)
      g_assert_no_error (error);
    else
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
    cairo_surface_destroy (surface);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/svg/pages", test_pages);
  g_test_add_func ("/figure/svg/special-characters", test_special_characters);
  g_test_add_func ("/figure/svg/unprintable-characters", test_unprintable_characters);
  g_test_add_func ("/figure/svg/hostile-names", test_hostile_names);
  g_test_add_func ("/figure/svg/places", test_places);
  g_test_add_func ("/figure/svg/paragraphs", test_paragraphs);
  g_test_add_func ("/figure/svg/clips", test_clips);
  g_test_add_func ("/figure/svg/families", test_families);
  g_test_add_func ("/figure/svg/lost-markers", test_lost_markers);
  return g_test_run ();
}
