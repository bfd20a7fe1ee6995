/* SPDX-License-Identifier: MIT
 *
 * The waterfall from the time of plan A to that of plan B: a bar for each end from 0, and between
 * them one floating bar a step, joined by thin lines. Hits: SEAM_HIT_OP, index: step.
 */
#pragma once

#include "app/explain/waterfall.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* Copies what it needs. */
SeamFigure *seam_waterfall_figure_new (const SeamWaterfall *waterfall, double width);

G_END_DECLS
