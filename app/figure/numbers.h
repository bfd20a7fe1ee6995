/* SPDX-License-Identifier: MIT
 *
 * The errors of an output by size: the number of elements for each |A - B|, and against the
 * magnitude of the value compared with. app/report/worst.h lists the worst elements.
 */
#pragma once

#include "app/figure/map.h"

/* Histogram, and map of errors over magnitudes, at least `height` high. If the comparison did not
 * count them (a session of format 1.0), a sentence says so. Copies what it needs. With
 * SEAM_UNIT_ULP the histogram shows distances in ULP, else |A - B|. An output that fails and has
 * depths has a bar for each, SEAM_HIT_SAMPLE with its index: the share of what fails there. */
SeamFigure *seam_numbers_figure_new (const SeamDifference *difference, const SeamSideNames *names,
                                     SeamMapUnit unit, double width, double height);

/* "Errors were not counted by size …": why there is no histogram and no worst elements; NULL if
 * there are. */
const char *seam_numbers_get_reason (const SeamDifference *difference);

/* "−3.784", "1.4×10⁻⁶", "NaN": a value, or a difference; newly allocated. */
char *seam_numbers_format_value (double value);
