/* SPDX-License-Identifier: MIT
 *
 * The logarithmic scale of the maps, and the texts of numbers of very different sizes for it and
 * for all logarithmic axes. Pure functions. Internal to app/figure/.
 */
#pragma once

#include "app/figure/map.h"

/* Position of a difference (or of a distance in ULP, if that is the unit) on a map's scale, 0..1,
 * logarithmic; 0 for anything under `low`. */
double seam_map_scale_position (const SeamMapScale *scale, double difference);
/* Values (in the scale's unit) that get a tick, largest first; returns their number (at most
 * max). */
int seam_map_scale_ticks (const SeamMapScale *scale, double *values, int max);
/* "3.5", "0.02", "10⁻⁴": newly allocated. */
char *seam_map_scale_format (double value);
