/* SPDX-License-Identifier: MIT
 *
 * The logarithmic scale of the maps, and how numbers of many sizes read beside it and on every
 * logarithmic axis. Pure functions. Internal to app/figure/.
 */
#pragma once

#include "app/figure/map.h"

G_BEGIN_DECLS

/* Position of a difference (or a distance in ULP, where that is the unit) on a map's scale, 0..1,
 * logarithmic; 0 for anything under `low`. */
double seam_map_scale_position (const SeamMapScale *scale, double difference);
/* Values (in the scale's unit) worth a tick, largest first; returns how many (at most max). */
int seam_map_scale_ticks (const SeamMapScale *scale, double *values, int max);
/* "3.5", "0.02", "10⁻⁴": newly allocated. */
char *seam_map_scale_format (double value);

G_END_DECLS
