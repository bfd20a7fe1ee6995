/* SPDX-License-Identifier: MIT
 *
 * Layout of slides: a stack from the top, one figure at the foot, and hints below it.
 */
#include "app/figure/slide.h"

#include "app/base/text.h"
#include "app/figure/paint.h"

#include <math.h>

#define HEAD_SIZE      28.0
#define HEAD_BASELINE  72.0
#define STACK_TOP      112.0
#define HEADLINE_SIZE  92.0
#define HEADLINE_MOST  300 /* characters */
#define HEADLINE_LINES 2
#define HEADLINE_LEAST 60.0
#define NUMBER_SIZE    150.0
#define BESIDE_SIZE    56.0
#define NOTE_SIZE      28.0
#define SPACE          28.0
#define ROOM_END       968.0 /* above the hints */
#define HINT_BASELINE  1028.0
#define HINT_SIZE      28.0
#define KEY_PAD        14.0
#define TEXT_STEP      2.0

typedef enum { PART_TEXT, PART_LINE, PART_FIGURE, PART_KEY } PartKind;

typedef struct {
  PartKind kind;
  double x, y, width, height, size;
  int weight;
  SeamInk ink;
  SeamAlign align;
  char *text;
  SeamFigure *figure;
  double scale, from_x, from_y;
} Part;

struct SeamSlide {
  GArray *parts;
  double y, end; /* of the room */
};

/* A line of text; returns its width. */
static double
add_line (SeamSlide *slide, SeamInk ink, const char *text, double x, double baseline, double size,
          int weight, SeamAlign align)
{
  Part part = { .kind = PART_LINE,
                .x = x,
                .y = baseline,
                .size = size,
                .weight = weight,
                .ink = ink,
                .align = align,
                .text = seam_keep (slide, g_strdup (text)) };

  g_array_append_val (slide->parts, part);
  return seam_paint_measure (text, size, weight);
}

SeamSlide *
seam_slide_new (const char *title, const char *place, const char *source)
{
  SeamSlide *slide = seam_owner_new (SeamSlide);
  double x = SEAM_SLIDE_MARGIN, right = SEAM_SLIDE_WIDTH - SEAM_SLIDE_MARGIN;

  slide->parts = seam_keep_full (slide, g_array_new (FALSE, TRUE, sizeof (Part)),
                                 (GDestroyNotify)g_array_unref);
  slide->y = STACK_TOP;
  slide->end = ROOM_END;
  if (source != NULL) {
    g_autofree char *fits =
        seam_paint_ellipsize (source, SEAM_SLIDE_INNER / 2, HEAD_SIZE, SEAM_REGULAR);

    right -= add_line (slide, SEAM_INK_DIM, fits, right, HEAD_BASELINE, HEAD_SIZE, SEAM_REGULAR,
                       SEAM_ALIGN_END);
  }
  if (title != NULL) {
    g_autofree char *fits = seam_paint_ellipsize (title, (right - x) * .6, HEAD_SIZE, SEAM_BOLD);

    x += add_line (slide, SEAM_INK_TEXT, fits, x, HEAD_BASELINE, HEAD_SIZE, SEAM_BOLD,
                   SEAM_ALIGN_START)
         + 12;
  }
  if (place != NULL) {
    g_autofree char *fits = seam_paint_ellipsize (place, right - x - 24, HEAD_SIZE, SEAM_REGULAR);

    add_line (slide, SEAM_INK_DIM, fits, x, HEAD_BASELINE, HEAD_SIZE, SEAM_REGULAR,
              SEAM_ALIGN_START);
  }
  return slide;
}

static void
add_paragraph (SeamSlide *slide, const char *text, double size, int weight)
{
  Part part = { .kind = PART_TEXT,
                .x = SEAM_SLIDE_MARGIN,
                .y = slide->y,
                .width = SEAM_SLIDE_INNER,
                .size = size,
                .weight = weight,
                .text = seam_keep (slide, g_strdup (text)) };

  part.height = seam_paint_measure_paragraph (text, SEAM_SLIDE_INNER, size, weight, FALSE, 0);
  slide->y += part.height + SPACE * .8;
  g_array_append_val (slide->parts, part);
}

void
seam_slide_set_headline (SeamSlide *slide, const char *headline)
{
  double size = HEADLINE_SIZE;
  char *shown = seam_text_shorten (headline, HEADLINE_MOST);

  /* More would leave no room for anything else. */
  for (gsize most = HEADLINE_MOST / 2;
       most > 8
       && seam_paint_measure_paragraph (shown, SEAM_SLIDE_INNER, HEADLINE_LEAST, SEAM_HEAVY, FALSE,
                                        0)
              > 2 * HEADLINE_LINES * 1.45 * HEADLINE_LEAST;
       most /= 2) {
    g_free (shown);
    shown = seam_text_shorten (headline, most);
  }
  while (size > HEADLINE_LEAST
         && seam_paint_measure_paragraph (shown, SEAM_SLIDE_INNER, size, SEAM_HEAVY, FALSE, 0)
                > HEADLINE_LINES * 1.45 * size)
    size -= TEXT_STEP;
  add_paragraph (slide, shown, size, SEAM_HEAVY);
  g_free (shown);
}

void
seam_slide_set_number (SeamSlide *slide, const char *number, const char *beside, const char *note)
{
  double size = NUMBER_SIZE, x = SEAM_SLIDE_MARGIN, end = SEAM_SLIDE_WIDTH - SEAM_SLIDE_MARGIN;
  double baseline;

  while (size > HEADLINE_SIZE && seam_paint_measure (number, size, SEAM_HEAVY) > SEAM_SLIDE_INNER)
    size -= TEXT_STEP;
  /* A long answer is a headline. */
  if (seam_paint_measure (number, size, SEAM_HEAVY) > SEAM_SLIDE_INNER) {
    seam_slide_set_headline (slide, number);
    return;
  }
  baseline = slide->y + size;
  x +=
      add_line (slide, SEAM_INK_TEXT, number, x, baseline, size, SEAM_HEAVY, SEAM_ALIGN_START) + 44;
  slide->y = baseline + SPACE * 1.4;
  if (beside == NULL)
    return;
  if (x + seam_paint_measure (beside, BESIDE_SIZE, SEAM_BOLD) > end) {
    add_paragraph (slide, beside, BESIDE_SIZE, SEAM_BOLD);
    return;
  }
  x +=
      add_line (slide, SEAM_INK_TEXT, beside, x, baseline, BESIDE_SIZE, SEAM_BOLD, SEAM_ALIGN_START)
      + 36;
  if (note != NULL && x + seam_paint_measure (note, NOTE_SIZE, SEAM_REGULAR) <= end)
    add_line (slide, SEAM_INK_DIM, note, x, baseline, NOTE_SIZE, SEAM_REGULAR, SEAM_ALIGN_START);
}

double
seam_slide_fit_text (const SeamSlide *slide, const char *text, double largest, double smallest,
                     double keep)
{
  if (g_utf8_strlen (text, -1) > SEAM_TEXT_MOST_SHOWN)
    return 0;
  for (double size = largest; size >= fmax (smallest, SEAM_SLIDE_SMALLEST); size -= TEXT_STEP)
    if (seam_paint_measure_paragraph (text, SEAM_SLIDE_INNER, size, SEAM_REGULAR, FALSE, 0)
        <= seam_slide_get_room (slide) - keep)
      return size;
  return 0;
}

void
seam_slide_add_text (SeamSlide *slide, const char *text, double size)
{
  add_paragraph (slide, text, fmax (size, SEAM_SLIDE_SMALLEST), SEAM_REGULAR);
}

double
seam_slide_get_room (const SeamSlide *slide)
{
  return fmax (0, slide->end - slide->y);
}

static void
add_figure (SeamSlide *slide, const Part *part)
{
  seam_keep_full (slide, part->figure, (GDestroyNotify)seam_figure_free);
  g_array_append_val (slide->parts, *part);
}

void
seam_slide_add_figure (SeamSlide *slide, SeamFigure *figure, double scale)
{
  Part part = { .kind = PART_FIGURE,
                .x = SEAM_SLIDE_MARGIN,
                .y = slide->y,
                .width = SEAM_SLIDE_INNER,
                .figure = figure,
                .scale = scale };

  part.height = fmin (figure->height * scale, seam_slide_get_room (slide));
  slide->y += part.height + SPACE;
  add_figure (slide, &part);
}

void
seam_slide_add_figure_at_foot (SeamSlide *slide, SeamFigure *figure, double scale)
{
  Part part = { .kind = PART_FIGURE,
                .x = SEAM_SLIDE_MARGIN,
                .width = SEAM_SLIDE_INNER,
                .height = figure->height * scale,
                .figure = figure,
                .scale = scale };

  part.y = slide->end - part.height;
  slide->end = part.y - SPACE;
  add_figure (slide, &part);
}

void
seam_slide_show_part (SeamSlide *slide, SeamFigure *figure, double scale, double x, double y)
{
  Part part = { .kind = PART_FIGURE,
                .x = SEAM_SLIDE_MARGIN,
                .y = slide->y,
                .width = SEAM_SLIDE_INNER,
                .height = seam_slide_get_room (slide),
                .figure = figure,
                .scale = scale,
                .from_x = x,
                .from_y = y };

  slide->y += part.height;
  g_array_append_val (slide->parts, part);
}

static double
add_hint (SeamSlide *slide, const SeamSlideHint *hint, double x)
{
  double width = seam_paint_measure (hint->key, HINT_SIZE, SEAM_BOLD) + 2 * KEY_PAD;
  Part key = { .kind = PART_KEY,
               .x = x,
               .y = HINT_BASELINE,
               .width = width,
               .size = HINT_SIZE,
               .text = seam_keep (slide, g_strdup (hint->key)) };

  g_array_append_val (slide->parts, key);
  x += width + 14;
  if (hint->text != NULL)
    x += add_line (slide, SEAM_INK_DIM, hint->text, x, HINT_BASELINE, HINT_SIZE, SEAM_REGULAR,
                   SEAM_ALIGN_START)
         + 44;
  return x;
}

static double
measure_hint (const SeamSlideHint *hint)
{
  return seam_paint_measure (hint->key, HINT_SIZE, SEAM_BOLD) + 2 * KEY_PAD + 14
         + (hint->text != NULL ? seam_paint_measure (hint->text, HINT_SIZE, SEAM_REGULAR) + 44 : 0);
}

void
seam_slide_set_hints (SeamSlide *slide, const SeamSlideHint *hints, const SeamSlideHint *last)
{
  double x = SEAM_SLIDE_MARGIN, end = SEAM_SLIDE_WIDTH - SEAM_SLIDE_MARGIN;

  if (last != NULL) {
    end -= measure_hint (last) - 44;
    add_hint (slide, last, end);
  }
  for (; hints->key != NULL && x + measure_hint (hints) <= end; hints++)
    x = add_hint (slide, hints, x);
}

/* ---- drawing ---- */

static void
draw_part (const Part *part, cairo_t *cr, const SeamPalette *palette)
{
  const SeamColor *color = seam_palette_get_ink (palette, part->ink);
  SeamRect key = { part->x, part->y - part->size - 4, part->width, part->size + 18 };

  switch (part->kind) {
  case PART_LINE:
    seam_paint_text (cr, color, part->text, part->x, part->y, part->size, part->weight,
                     part->align);
    break;
  case PART_TEXT:
    seam_paint_paragraph (cr, color, part->text, part->x, part->y, part->width, part->size,
                          part->weight, FALSE, 0);
    break;
  case PART_KEY:
    seam_paint_box (cr, &key, 8, NULL, &palette->glyph, 2);
    seam_paint_text (cr, &palette->dim_text, part->text, part->x + part->width / 2, part->y,
                     part->size, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
    break;
  case PART_FIGURE:
    cairo_save (cr);
    cairo_rectangle (cr, part->x - 8, part->y - 2, part->width + 16, part->height + 4);
    cairo_clip (cr);
    cairo_translate (cr, part->x - part->from_x * part->scale,
                     part->y - part->from_y * part->scale);
    cairo_scale (cr, part->scale, part->scale);
    seam_figure_draw (part->figure, cr, palette);
    cairo_restore (cr);
    break;
  }
}

static void
slide_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamSlide *slide = figure->layout;

  for (guint i = 0; i < slide->parts->len; i++)
    draw_part (&g_array_index (slide->parts, Part, i), cr, palette);
}

static char *
summarize (const SeamSlide *slide)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < slide->parts->len; i++) {
    const Part *part = &g_array_index (slide->parts, Part, i);
    const char *words = part->figure != NULL ? part->figure->summary : part->text;

    if (part->kind == PART_KEY || words == NULL || *words == '\0' || part->y == HINT_BASELINE)
      continue;
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", words);
  }
  return g_string_free (text, FALSE);
}

static const SeamFigureClass slide_class = { .draw = slide_draw };

SeamFigure *
seam_slide_finish (SeamSlide *slide)
{
  return seam_figure_new (&slide_class, slide, SEAM_SLIDE_WIDTH, SEAM_SLIDE_HEIGHT,
                          summarize (slide));
}

/* ---- figures for slides ---- */

static void
note_smallest (const char *text, double size, gpointer data)
{
  double *smallest = data;

  if (*text != '\0')
    *smallest = fmin (*smallest, size);
}

double
seam_slide_get_scale (SeamFigure *figure)
{
  double smallest = INFINITY;
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);

  seam_paint_watch_text (note_smallest, &smallest);
  seam_figure_draw (figure, cr, seam_palette_get (FALSE, FALSE));
  seam_paint_watch_text (NULL, NULL);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  /* A little more, because sizes are whole parts of a point. */
  return isfinite (smallest) ? SEAM_SLIDE_SMALLEST / smallest * 1.0005 : 1;
}

double
seam_slide_get_figure_width (void)
{
  return floor (SEAM_SLIDE_INNER / (SEAM_SLIDE_SMALLEST / SEAM_SIZE_SMALL * 1.0005));
}
