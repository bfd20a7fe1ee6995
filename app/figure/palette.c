/* SPDX-License-Identifier: MIT
 *
 * The colour table and the patterns. Patterns are drawn as vectors, anchored to the rectangle that
 * they fill, so that they look the same everywhere and stay sharp in SVG and PDF.
 */
#include "app/figure/palette.h"

#include <math.h>

/* 0xRRGGBB */
#define RGB(hex)                                                                                   \
  {                                                                                                \
    ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0, 1.0              \
  }
#define BLACK(alpha)                                                                               \
  {                                                                                                \
    0, 0, 0, alpha                                                                                 \
  }
#define WHITE(alpha)                                                                               \
  {                                                                                                \
    1, 1, 1, alpha                                                                                 \
  }

#define LIGHT_KINDS                                                                                \
  {                                                                                                \
    [SEAM_KIND_MATRIX] = RGB (0x1f6fc0), [SEAM_KIND_CHANNEL_ADD] = RGB (0xe0a000),                 \
    [SEAM_KIND_ARITHMETIC] = RGB (0xd184b0), [SEAM_KIND_ACTIVATION] = RGB (0xc44a12),              \
    [SEAM_KIND_NORMALISATION] = RGB (0x00664f), [SEAM_KIND_WINDOW] = RGB (0x74b86a),               \
    [SEAM_KIND_REDUCTION] = RGB (0x481a8e), [SEAM_KIND_COPY] = RGB (0x6b6b72),                     \
  }
#define DARK_KINDS                                                                                 \
  {                                                                                                \
    [SEAM_KIND_MATRIX] = RGB (0x4f9bf0), [SEAM_KIND_CHANNEL_ADD] = RGB (0xf5c542),                 \
    [SEAM_KIND_ARITHMETIC] = RGB (0xe8aed2), [SEAM_KIND_ACTIVATION] = RGB (0xf07a3f),              \
    [SEAM_KIND_NORMALISATION] = RGB (0x1f9a7a), [SEAM_KIND_WINDOW] = RGB (0xa8e6a0),               \
    [SEAM_KIND_REDUCTION] = RGB (0xa050ff), [SEAM_KIND_COPY] = RGB (0xa2a2a8),                     \
  }

static const SeamPalette palettes[2][2] = {
  {
      {
          .kinds = LIGHT_KINDS,
          .window = RGB (0xfafafa),
          .card = RGB (0xffffff),
          .sidebar = RGB (0xf1f1f1),
          .border = BLACK (.12),
          .grid = BLACK (.12),
          .text = RGB (0x2e2e2e),
          .dim_text = RGB (0x6a6a6e),
          .glyph = RGB (0x8a8a8f),
          .selection = RGB (0x3584e4),
          .selection_fill = { 53 / 255., 132 / 255., 228 / 255., .16 },
          .good = RGB (0x1b7f4f),
          .caution = RGB (0x9c6a00),
          .bad = RGB (0xc01c28),
          .nan = RGB (0xd0009c),
          .tint = .24,
          .soft = BLACK (.06),
          .cover = RGB (0xededf0),
          .accent = RGB (0x1c71d8),
          .pattern = WHITE (.62),
          .ring_outer = BLACK (1),
          .ring_inner = WHITE (1),
      },
      {
          .high_contrast = TRUE,
          .kinds = LIGHT_KINDS,
          .window = RGB (0xfafafa),
          .card = RGB (0xffffff),
          .sidebar = RGB (0xf1f1f1),
          .border = BLACK (.5),
          .grid = BLACK (.4),
          .text = RGB (0x000000),
          .dim_text = RGB (0x333336),
          .glyph = RGB (0x333336),
          .selection = RGB (0x1a5fb4),
          .selection_fill = { 53 / 255., 132 / 255., 228 / 255., .16 },
          .good = RGB (0x0b5c36),
          .caution = RGB (0x6e4a00),
          .bad = RGB (0xa00815),
          .nan = RGB (0xd0009c),
          .tint = 0,
          .soft = BLACK (.06),
          .cover = RGB (0xffffff),
          .accent = RGB (0x1a5fb4),
          .pattern = WHITE (.75),
          .ring_outer = BLACK (1),
          .ring_inner = WHITE (1),
      },
  },
  {
      {
          .dark = TRUE,
          .kinds = DARK_KINDS,
          .window = RGB (0x242424),
          .card = RGB (0x343434),
          .sidebar = RGB (0x2a2a2a),
          .border = WHITE (.13),
          .grid = WHITE (.13),
          .text = RGB (0xf2f2f2),
          .dim_text = RGB (0xb0b0b3),
          .glyph = RGB (0x9d9da2),
          .selection = RGB (0x3584e4),
          .selection_fill = { 53 / 255., 132 / 255., 228 / 255., .34 },
          .good = RGB (0x7fd8a0),
          .caution = RGB (0xf5c960),
          .bad = RGB (0xff8a78),
          .nan = RGB (0xd0009c),
          .tint = .30,
          .soft = WHITE (.07),
          .cover = RGB (0x2b2b2d),
          .accent = RGB (0x78aeed),
          .pattern = BLACK (.45),
          .ring_outer = BLACK (1),
          .ring_inner = WHITE (1),
      },
      {
          .dark = TRUE,
          .high_contrast = TRUE,
          .kinds = DARK_KINDS,
          .window = RGB (0x1a1a1a),
          .card = RGB (0x242424),
          .sidebar = RGB (0x1e1e1e),
          .border = WHITE (.5),
          .grid = WHITE (.4),
          .text = RGB (0xffffff),
          .dim_text = RGB (0xdededf),
          .glyph = RGB (0xdededf),
          .selection = RGB (0x78aeed),
          .selection_fill = { 53 / 255., 132 / 255., 228 / 255., .34 },
          .good = RGB (0xa6f0c0),
          .caution = RGB (0xffdf8a),
          .bad = RGB (0xffb3a6),
          .nan = RGB (0xd0009c),
          .tint = 0,
          .soft = WHITE (.1),
          .cover = RGB (0x242424),
          .accent = RGB (0x99c1f1),
          .pattern = BLACK (.6),
          .ring_outer = BLACK (1),
          .ring_inner = WHITE (1),
      },
  },
};

const SeamPalette *
seam_palette_get (gboolean dark, gboolean high_contrast)
{
  return &palettes[dark ? 1 : 0][high_contrast ? 1 : 0];
}

const SeamPalette *
seam_palette_get_for_slides (gboolean dark, gboolean high_contrast)
{
  static SeamPalette darker;
  static gsize is_made = 0;

  if (!dark || high_contrast)
    return seam_palette_get (dark, high_contrast);
  if (g_once_init_enter (&is_made)) {
    darker = palettes[1][0];
    darker.card = darker.window = (SeamColor)RGB (0x1e1e1e);
    g_once_init_leave (&is_made, 1);
  }
  return &darker;
}

void
seam_palette_set_source (cairo_t *cr, const SeamColor *color)
{
  cairo_set_source_rgba (cr, color->r, color->g, color->b, color->a);
}

SeamColor
seam_palette_mix (const SeamColor *over, const SeamColor *base, double amount)
{
  double t = amount * over->a;

  return (SeamColor){ base->r + (over->r - base->r) * t, base->g + (over->g - base->g) * t,
                      base->b + (over->b - base->b) * t, 1.0 };
}

static void
dots (cairo_t *cr, double x, double y, double width, double height)
{
  const double pitch_x = 6, pitch_y = 7, radius = 1.25;
  int n_rows = MAX (1, (int)lround (height / pitch_y));
  double first = y + (height - (n_rows - 1) * pitch_y) / 2;

  for (int row = 0; row < n_rows; row++)
    for (double cx = x + 3 + (row % 2) * pitch_x / 2; cx < x + width + radius; cx += pitch_x) {
      cairo_new_sub_path (cr);
      cairo_arc (cr, cx, first + row * pitch_y, radius, 0, 2 * G_PI);
    }
  cairo_fill (cr);
}

static void
upright_lines (cairo_t *cr, double x, double y, double width, double height)
{
  for (double line = x + 3; line < x + width + 1; line += 6) {
    cairo_move_to (cr, line, y);
    cairo_line_to (cr, line, y + height);
  }
  cairo_set_line_width (cr, 1.7);
  cairo_stroke (cr);
}

static void
diagonal_lines (cairo_t *cr, double x, double y, double width, double height)
{
  for (double line = x - height; line < x + width + 1; line += 5) {
    cairo_move_to (cr, line - 1, y + height + 1);
    cairo_line_to (cr, line + height + 1, y - 1);
  }
  cairo_set_line_width (cr, 1.6);
  cairo_stroke (cr);
}

static void
level_lines (cairo_t *cr, double x, double y, double width, double height)
{
  const double pitch = 3.2;
  int n_lines = MAX (1, (int)floor (height / pitch + .2));
  double first = y + (height - (n_lines - 1) * pitch) / 2;

  for (int line = 0; line < n_lines; line++) {
    cairo_move_to (cr, x, first + line * pitch);
    cairo_line_to (cr, x + width, first + line * pitch);
  }
  cairo_set_line_width (cr, 1.3);
  cairo_stroke (cr);
}

static void
squares (cairo_t *cr, double x, double y, double width, double height)
{
  const double side = 4, pitch = 7;
  const double middle = y + (height - side) / 2;

  for (double at = x + 2; at < x + width; at += pitch)
    cairo_rectangle (cr, at, middle, side, side);
  cairo_set_line_width (cr, 1.3);
  cairo_stroke (cr);
}

/* Points down. */
static void
chevrons (cairo_t *cr, double x, double y, double width, double height)
{
  const double half = 3, middle = y + height / 2;

  for (double at = x + half; at < x + width + half; at += 8) {
    cairo_move_to (cr, at - half, middle - 1.8);
    cairo_line_to (cr, at, middle + 1.8);
    cairo_line_to (cr, at + half, middle - 1.8);
  }
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
checks (cairo_t *cr, double x, double y, double width, double height)
{
  const double side = 3;

  for (int row = 0; row * side < height; row++)
    for (int column = row % 2; column * side < width; column += 2)
      cairo_rectangle (cr, x + column * side, y + row * side, side, side);
  cairo_fill (cr);
}

void
seam_palette_fill_kind (cairo_t *cr, const SeamPalette *palette, SeamOpKind kind, double x,
                        double y, double width, double height)
{
  static void (*const patterns[SEAM_N_KINDS]) (cairo_t *, double, double, double, double) = {
    [SEAM_KIND_CHANNEL_ADD] = dots,
    [SEAM_KIND_ARITHMETIC] = upright_lines,
    [SEAM_KIND_ACTIVATION] = diagonal_lines,
    [SEAM_KIND_NORMALISATION] = level_lines,
    [SEAM_KIND_WINDOW] = squares,
    [SEAM_KIND_REDUCTION] = chevrons,
    [SEAM_KIND_COPY] = checks,
  };

  if (!(width > 0) || !(height > 0) || (int)kind < 0 || kind >= SEAM_N_KINDS)
    return;

  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  seam_palette_set_source (cr, &palette->kinds[kind]);
  cairo_paint (cr);
  if (patterns[kind] != NULL) {
    const SeamColor dark = BLACK (palette->dark ? .5 : .45),
                    light = WHITE (palette->dark ? .62 : .66);
    seam_palette_set_source (cr, kind == SEAM_KIND_WINDOW      ? &dark
                                 : kind == SEAM_KIND_REDUCTION ? &light
                                                               : &palette->pattern);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_dash (cr, NULL, 0, 0);
    patterns[kind](cr, x, y, width, height);
  }
  cairo_restore (cr);
}

/* Eleven equally spaced colours of matplotlib's viridis; linear interpolation between them stays
 * within 1.5 % of it. */
static const SeamColor viridis[] = {
  RGB (0x440154), RGB (0x482475), RGB (0x414487), RGB (0x355f8d), RGB (0x2a788e), RGB (0x21918c),
  RGB (0x22a884), RGB (0x44bf70), RGB (0x7ad151), RGB (0xbddf26), RGB (0xfde725),
};

SeamColor
seam_palette_viridis (double t)
{
  const int last = G_N_ELEMENTS (viridis) - 1;
  double position = (t > 0 ? MIN (t, 1.0) : 0.0) * last;
  int below = MIN ((int)position, last - 1);

  return seam_palette_mix (&viridis[below + 1], &viridis[below], position - below);
}

const SeamColor *
seam_palette_get_ink (const SeamPalette *palette, SeamInk ink)
{
  switch (ink) {
  case SEAM_INK_DIM:
    return &palette->dim_text;
  case SEAM_INK_GOOD:
    return &palette->good;
  case SEAM_INK_CAUTION:
    return &palette->caution;
  case SEAM_INK_BAD:
    return &palette->bad;
  case SEAM_INK_TEXT:
  default:
    return &palette->text;
  }
}
