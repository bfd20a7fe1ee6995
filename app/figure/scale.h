/* SPDX-License-Identifier: MIT
 *
 * Scales without drawing: linear axes with round ticks, ticks over element indices, and the
 * logarithmic scale of the maps. Pure functions. Internal to app/figure/.
 */
#pragma once

#include "app/figure/map.h"

G_BEGIN_DECLS

/* Ticks at first, first + step, …, n_ticks of them. */
typedef struct {
  double first, step;
  int n_ticks;
  int decimals; /* that a tick's text needs */
} SeamAxis;

/* From 0 to a round number >= largest in about `n_steps` steps of 1, 2 or 5 times a power of ten.
 */
SeamAxis seam_axis_from_zero (double largest, int n_steps);
/* Round ticks around low..high, both covered. */
SeamAxis seam_axis_around (double low, double high, int n_steps);
double seam_axis_get_end (const SeamAxis *axis);
double seam_axis_get_value (const SeamAxis *axis, int tick);
/* "0", "0.5", "1,000"; of changes "+0.5". Newly allocated. */
char *seam_axis_format_tick (const SeamAxis *axis, int tick);
char *seam_axis_format_change (const SeamAxis *axis, int tick);

/* Step between ticks over `n` elements so that there are at most `max_ticks` steps: quarters and
 * the like of a count that halves well, else 1, 2 or 5 times a power of ten; >= 1. */
gint64 seam_axis_index_step (gint64 n, int max_ticks);

/* Position of a difference (or a distance in ULP, where that is the unit) on a map's scale, 0..1,
 * logarithmic; 0 for anything under `low`. */
double seam_map_scale_position (const SeamMapScale *scale, double difference);
/* Values (in the scale's unit) worth a tick, largest first; returns how many (at most max). */
int seam_map_scale_ticks (const SeamMapScale *scale, double *values, int max);
/* "3.5", "0.02", "10⁻⁴": newly allocated. */
char *seam_map_scale_format (double value);

G_END_DECLS
