/* SPDX-License-Identifier: MIT
 *
 * A sweep drawn. Over one field: the time of each plan, how many times faster than the first plan,
 * and below which plan wins, where a tensor fits the last-level cache and where launches fill the
 * time. Over two fields: a map of the winner and its lead over the first plan. Answers the pointer
 * with SEAM_HIT_SAMPLE, plan, and as index the shape (y * n_x + x); of the map's cells the
 * winner's.
 */
#pragma once

#include "app/explore/sweep.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* Copies what it needs. */
SeamFigure *seam_sweep_figure_new (const SeamSweep *sweep, double width);
/* What marks and shading of a sweep's figure mean; newly allocated. */
char *seam_sweep_describe_marks (SeamFigure *figure);

G_END_DECLS
