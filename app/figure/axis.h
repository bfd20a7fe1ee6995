/* SPDX-License-Identifier: MIT
 *
 * The axis of a plot: the values that it covers, their places in pixels, its ticks with their
 * texts, and its drawing. A layout has one for every axis of its figure. Everything except the
 * drawing is pure. Internal to app/figure/.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/paint.h"
#include "app/figure/scale.h"

#define SEAM_AXIS_MAX_TICKS 40
/* Distances from the bottom of the plot to baselines, the same in every figure. */
#define SEAM_AXIS_NUMBER_BELOW 16.0
#define SEAM_AXIS_TITLE_BELOW  34.0

typedef struct {
  double value, px;
  double width;  /* of the text, px */
  char text[40]; /* "0", "0.5", "1,000"; "" if another text is in the way */
} SeamTick;

typedef struct {
  double from, to; /* values at the ends; above 0 if logarithmic */
  gboolean is_log;
  SeamUnit unit;     /* unit of the texts; without a name no unit is shown */
  double start, end; /* px of the ends */
  gboolean upright;
  double step; /* between the ticks of a linear axis */
  int n_ticks;
  SeamTick ticks[SEAM_AXIS_MAX_TICKS]; /* if two texts would collide, the later one is left out */
  /* A value that is marked below the plot; text "": none. */
  double mark_px, mark_text_px; /* tip; middle of the text */
  char mark_text[40];
} SeamAxis;

/* Values are in the base unit of the quantity (ns, bytes), `unit` is that of the texts. A linear
 * axis has about `n_steps` steps of 1, 2 or 5 times a power of ten. */
/* From 0 to a round number >= largest. */
SeamAxis seam_axis_from_zero (double largest, SeamUnit unit, int n_steps);
/* Round numbers around low..high, both covered. */
SeamAxis seam_axis_around (double low, double high, SeamUnit unit, int n_steps);
/* From `from` to `to` exactly, with round ticks between them. */
SeamAxis seam_axis_between (double from, double to, SeamUnit unit, int n_steps);
/* Logarithmic, from `from` to `to` exactly; ticks at 1, 2 and 5 times powers of ten, or only at
 * powers of ten if there would be more than `max_ticks`. */
SeamAxis seam_axis_log (double from, double to, SeamUnit unit, int max_ticks);
/* A scale of colours, in its unit: ticks at its ends and between them. */
SeamAxis seam_axis_of_scale (const SeamMapScale *scale, SeamUnit unit);
/* `n` elements from number `first` on; ticks at borders between elements. */
SeamAxis seam_axis_of_elements (gint64 first, gint64 n, int max_ticks);
/* Numbers 1 to n, each in the middle of its place. */
SeamAxis seam_axis_of_samples (gint64 n, int max_ticks);
/* Step between ticks over `n` elements so that there are at most `max_ticks` steps: quarters and
 * similar parts if `n` can be halved several times, else 1, 2 or 5 times a power of ten; >= 1. */
gint64 seam_axis_index_step (gint64 n, int max_ticks);

/* Adds a tick after placing; its text replaces others that are in its way. */
void seam_axis_add_tick (SeamAxis *axis, double value, const char *text);
/* Puts `plus` before numbers above 0, and `suffix` after every text. Call it before placing. */
void seam_axis_decorate (SeamAxis *axis, const char *plus, const char *suffix);
/* Places the axis: from left to right, or upright, usually from bottom to top. */
void seam_axis_place_x (SeamAxis *axis, double start, double end);
void seam_axis_place_y (SeamAxis *axis, double start, double end);
/* Marks `value` below the plot, with a text that does not touch the text of the first tick and ends
 * before `right`; other texts in its way are dropped. Call it after placing. */
void seam_axis_set_mark (SeamAxis *axis, double value, const char *text, double right);

/* 0 at the start, 1 at the end; other values may lie outside. */
double seam_axis_get_share (const SeamAxis *axis, double value);
double seam_axis_get_px (const SeamAxis *axis, double value);
double seam_axis_get_value (const SeamAxis *axis, double px);
/* px for each unit of value, for a linear axis. */
double seam_axis_get_density (const SeamAxis *axis);

/* "2.57 ms": the value in a figure's unit, with `digits` significant digits. Newly allocated. */
char *seam_unit_format (SeamUnit unit, double value, int digits);

/* Draws the axis beside `plot`: below it, or left of it if the axis is upright, with grid lines
 * through it. `title`, with the unit in brackets, is beside the numbers; without a title the unit
 * follows the last number. */
void seam_axis_draw (const SeamAxis *axis, const SeamRect *plot, const char *title, cairo_t *cr,
                     const SeamPalette *palette);
/* Draw parts of the axis. */
void seam_axis_draw_grid (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                          const SeamPalette *palette);
void seam_axis_draw_numbers (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                             const SeamPalette *palette);
void seam_axis_draw_title (const SeamAxis *axis, const SeamRect *plot, const char *title,
                           cairo_t *cr, const SeamPalette *palette);
/* Short strokes out of the plot instead of a grid, for pictures. */
void seam_axis_draw_strokes (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                             const SeamPalette *palette);
