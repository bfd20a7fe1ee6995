/* SPDX-License-Identifier: MIT
 *
 * The roofline figure: two logarithmic axes, kernels and whole plans as points, the device's bounds
 * as lines, and a line from plan A to plan B. A is a square, B a disc; whole plans are large;
 * points whose bytes are modelled are hollow, measured ones filled. Hits: SEAM_HIT_SAMPLE, plan:
 * side, index: kernel + 1, 0 for the whole plan.
 */
#pragma once

#include "app/explain/roofline.h"
#include "app/figure/figure.h"

/* Copies what it needs. `height` 0: one that suits the width. */
SeamFigure *seam_roofline_figure_new (const SeamRoofline *roofline, double width, double height);
/* "conv2d of A: 22.0 TFLOP/s at 28.7 operations a byte, 98 % of what memory allows there …"; newly
 * allocated. */
char *seam_roofline_describe_point (const SeamRoofline *roofline, const SeamRooflinePoint *point);
/* Notes beside the figure, in sentences: sources, how operations are counted, what is left out. */
char *seam_roofline_describe (const SeamRoofline *roofline, const char *rates_source);
