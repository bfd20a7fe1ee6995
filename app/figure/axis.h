/* SPDX-License-Identifier: MIT
 *
 * The axis of a plot: which values it covers, where they lie in pixels, and its ticks with their
 * texts; and how it is drawn. A layout holds one for every axis of its figure. All but the drawing
 * is pure. Internal to app/figure/.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/paint.h"
#include "app/figure/scale.h"

G_BEGIN_DECLS

#define SEAM_AXIS_MAX_TICKS 40
/* Distances from the plot's foot to baselines, the same in every figure. */
#define SEAM_AXIS_NUMBER_BELOW 16.0
#define SEAM_AXIS_TITLE_BELOW  34.0

typedef struct {
  double value, px;
  double width;  /* of the text, px */
  char text[40]; /* "0", "0.5", "1,000"; "" where another text stands */
} SeamTick;

typedef struct {
  double from, to; /* values at the ends; above 0 where it is logarithmic */
  gboolean is_log;
  SeamUnit unit;     /* that the texts count in; name NULL: none is said */
  double start, end; /* px of the ends */
  gboolean upright;
  double step; /* between the ticks of a linear one */
  int n_ticks;
  SeamTick ticks[SEAM_AXIS_MAX_TICKS]; /* where two texts would collide the later one is left out */
  /* A value that is marked below the plot; text "": none. */
  double mark_px, mark_text_px; /* tip; middle of the text */
  char mark_text[40];
} SeamAxis;

/* Values are in the unit of what is shown (ns, bytes), `unit` is that of the texts; about `n_steps`
 * steps of 1, 2 or 5 times a power of ten. */
/* From 0 to a round number >= largest. */
SeamAxis seam_axis_from_zero (double largest, SeamUnit unit, int n_steps);
/* Round numbers around low..high, both covered. */
SeamAxis seam_axis_around (double low, double high, SeamUnit unit, int n_steps);
/* The ends as they are, round ticks between them. */
SeamAxis seam_axis_between (double from, double to, SeamUnit unit, int n_steps);
/* Logarithmic, the ends as they are; ticks at 1, 2 and 5 times powers of ten, or at powers of ten
 * where these would be more than `max_ticks`. */
SeamAxis seam_axis_log (double from, double to, SeamUnit unit, int max_ticks);
/* A scale of colours, in the unit: ticks at its ends, and between them. */
SeamAxis seam_axis_of_scale (const SeamMapScale *scale, SeamUnit unit);
/* `n` elements from number `first` on; ticks at the borders between two. */
SeamAxis seam_axis_of_elements (gint64 first, gint64 n, int max_ticks);
/* Numbers 1 to n, each in the middle of its place. */
SeamAxis seam_axis_of_samples (gint64 n, int max_ticks);
/* Step between ticks over `n` elements so that there are at most `max_ticks` steps: quarters and
 * the like of a count that halves well, else 1, 2 or 5 times a power of ten; >= 1. */
gint64 seam_axis_index_step (gint64 n, int max_ticks);

/* After placing: its text takes the place of those in its way. */
void seam_axis_add_tick (SeamAxis *axis, double value, const char *text);
/* `plus` before what is more than 0, `suffix` behind every text. Before placing. */
void seam_axis_decorate (SeamAxis *axis, const char *plus, const char *suffix);
/* Gives it its place: from left to right; upright, mostly from below to above. */
void seam_axis_place_x (SeamAxis *axis, double start, double end);
void seam_axis_place_y (SeamAxis *axis, double start, double end);
/* Marks `value` below the plot with a text that keeps clear of the first tick's and ends before
 * `right`; the other texts in its way go. After placing. */
void seam_axis_set_mark (SeamAxis *axis, double value, const char *text, double right);

/* 0 at the start, 1 at the end; may lie outside. */
double seam_axis_get_share (const SeamAxis *axis, double value);
double seam_axis_get_px (const SeamAxis *axis, double value);
double seam_axis_get_value (const SeamAxis *axis, double px);
/* px a unit of value, of a linear one. */
double seam_axis_get_density (const SeamAxis *axis);

/* "2.57 ms": with `digits` significant ones, in the unit that a figure has. Newly allocated. */
char *seam_unit_format (SeamUnit unit, double value, int digits);

/* Beside `plot`: below it, or left of it where the axis is upright. The grid lines go through it.
 * `title`, with the unit in brackets, stands beside the numbers; where it is NULL the unit stands
 * behind the last number. */
void seam_axis_draw (const SeamAxis *axis, const SeamRect *plot, const char *title, cairo_t *cr,
                     const SeamPalette *palette);
/* Parts of it. */
void seam_axis_draw_grid (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                          const SeamPalette *palette);
void seam_axis_draw_numbers (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                             const SeamPalette *palette);
void seam_axis_draw_title (const SeamAxis *axis, const SeamRect *plot, const char *title,
                           cairo_t *cr, const SeamPalette *palette);
/* Short strokes out of the plot instead of a grid, for pictures. */
void seam_axis_draw_strokes (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                             const SeamPalette *palette);

G_END_DECLS
