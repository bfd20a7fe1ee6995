/* SPDX-License-Identifier: MIT
 *
 * A sweep as a figure. Over one field: the time of each plan, how many times faster it is than the
 * first plan, and below them which plan wins, for which shapes a tensor fits the last-level cache,
 * and for which launches take most of the time. Over two fields: a map of the winner and its lead
 * over the first plan. Hits: SEAM_HIT_SAMPLE, plan (in the map the winner), index: the shape (y *
 * n_x + x).
 */
#pragma once

#include "app/explore/sweep.h"
#include "app/figure/figure.h"

/* Copies what it needs. */
SeamFigure *seam_sweep_figure_new (const SeamSweep *sweep, double width);
/* The meaning of marks and shading in a sweep's figure; newly allocated. */
char *seam_sweep_describe_marks (SeamFigure *figure);
