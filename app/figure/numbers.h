/* SPDX-License-Identifier: MIT
 *
 * The errors of an output by size: how many elements have which |A - B|, against the magnitude of
 * the trusted value. The worst elements one by one: app/report/worst.h.
 */
#pragma once

#include "app/figure/map.h"

G_BEGIN_DECLS

/* Histogram and map of errors over magnitudes, at least `height` high. Where the comparison did not
 * count them (a session of format 1.0) a sentence says so. Copies what it needs. With
 * SEAM_UNIT_ULP the histogram is of distances in ULP, else of |A - B|. */
SeamFigure *seam_numbers_figure_new (const SeamDifference *difference, const SeamSideNames *names,
                                     SeamMapUnit unit, double width, double height);

/* "Errors were not counted by size …": why there is no histogram, and are no worst elements; NULL
 * when there is. */
const char *seam_numbers_get_reason (const SeamDifference *difference);

/* "−3.784", "1.4×10⁻⁶", "NaN": a value, or how far two are apart; newly allocated. */
char *seam_numbers_format_value (double value);

G_END_DECLS
