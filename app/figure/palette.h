/* SPDX-License-Identifier: MIT
 *
 * The colours of figures in light, dark and high contrast, and the patterns of the op kinds
 * (shared by window and exports). No drawing code names a colour.
 */
#pragma once

#include "app/pipeline/pipeline.h"

#include <cairo.h>

typedef struct {
  double r, g, b, a;
} SeamColor;

typedef struct {
  gboolean dark, high_contrast;
  SeamColor kinds[SEAM_N_KINDS];
  SeamColor window, card, sidebar, border, grid;
  SeamColor text, dim_text;
  SeamColor glyph; /* memory glyphs, edges, gaps */
  SeamColor selection, selection_fill;
  SeamColor good, caution, bad, nan;
  double tint;                      /* opacity of a block's fill over the card */
  SeamColor soft;                   /* a faint veil: inside of a fused outline, plain segments */
  SeamColor cover;                  /* what lies over a result that must not be seen yet */
  SeamColor accent;                 /* lines and text of the hovered part */
  SeamColor pattern;                /* ink of the patterns, over the kind's colour */
  SeamColor ring_outer, ring_inner; /* frames and crosshair on a map, visible on all its colours */
} SeamPalette;

/* Colours by role, so that a figure can be drawn in any palette. */
typedef enum { SEAM_INK_TEXT, SEAM_INK_DIM, SEAM_INK_GOOD, SEAM_INK_CAUTION, SEAM_INK_BAD } SeamInk;

const SeamPalette *seam_palette_get (gboolean dark, gboolean high_contrast);
/* The same for slides: dark is darker, because a projector lights the room. */
const SeamPalette *seam_palette_get_for_slides (gboolean dark, gboolean high_contrast);
void seam_palette_set_source (cairo_t *cr, const SeamColor *color);
const SeamColor *seam_palette_get_ink (const SeamPalette *palette, SeamInk ink);
/* Mixes `amount` (0..1) of `over` into an opaque `base`; the result is opaque. */
SeamColor seam_palette_mix (const SeamColor *over, const SeamColor *base, double amount);
/* Fills a rectangle with the full colour and the pattern of `kind` (the band at a block's
 * bottom). */
void seam_palette_fill_kind (cairo_t *cr, const SeamPalette *palette, SeamOpKind kind, double x,
                             double y, double width, double height);
/* Viridis at t in 0..1. */
SeamColor seam_palette_viridis (double t);
