/* SPDX-License-Identifier: MIT
 *
 * The errors of an output by size: how many elements have which |A - B|, against the magnitude of
 * the trusted value, and the worst elements one by one. A is the trusted side, as on the page.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/difference.h"

G_BEGIN_DECLS

/* Histogram and map of errors over magnitudes, the worst elements beside them or, where the width
 * is short of both, below; the height follows. Where the comparison did not count them (a session
 * of format 1.0) a sentence says so. Copies what it needs. */
SeamFigure *seam_numbers_figure_new (const SeamDifference *difference, double width);

/* "Errors were not counted by size …": why there is no histogram or table; NULL when there is. */
const char *seam_numbers_get_reason (const SeamDifference *difference);

G_END_DECLS
