/* SPDX-License-Identifier: MIT
 *
 * Bandwidth of reads over the size of what is read, as calibration measured it: the curve with its
 * intervals, the knee where the cache ends, the levels on both sides. Answers the pointer with
 * SEAM_HIT_SAMPLE, index: the point.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/calibration.h"

G_BEGIN_DECLS

/* `height` 0: as the width wants it. Without points an empty plot that says so. */
SeamFigure *seam_bandwidth_figure_new (const SeamCalibration *calibration, double width,
                                       double height);
/* "12.6 MB: 41.2 GB/s, 95 % interval 41.0 to 41.5 …": newly allocated. */
char *seam_bandwidth_describe_point (const SeamCalibration *calibration, int point);

G_END_DECLS
