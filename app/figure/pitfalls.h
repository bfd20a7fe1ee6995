/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab as a figure: one row a case, on one scale from 0 how much faster B looks (of one
 * plan: its time), with intervals; the honest value runs through all rows as a line. Honest is a
 * hollow disc, mistaken a filled one.
 */
#pragma once

#include "app/explore/pitfall-lab.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* Copies what it needs. Hits: SEAM_HIT_OP, index: case. */
SeamFigure *seam_pitfalls_figure_new (const SeamLab *lab, double width);

G_END_DECLS
