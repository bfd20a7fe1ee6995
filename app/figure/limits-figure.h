/* SPDX-License-Identifier: MIT
 *
 * What limits the occupancy of two kernels: for each limit how many blocks it allows a
 * multiprocessor, drawn as the occupancy that they are; A outlined, B filled. The smallest is the
 * limit, and ties are all marked.
 */
#pragma once

#include "app/explain/occupancy.h"
#include "app/figure/figure.h"

#define SEAM_LIMITS_HEIGHT 158 /* px */

typedef struct {
  double width;
  SeamRect plot;                              /* from 0 to 100 % */
  SeamRect bars[SEAM_N_OCCUPANCY_LIMITS][2];  /* rows in the order of the figure */
  char texts[SEAM_N_OCCUPANCY_LIMITS][2][24]; /* "2, the limit"; "": not known */
  gboolean is_limit[SEAM_N_OCCUPANCY_LIMITS][2];
} SeamLimitsLayout;

/* An occupancy that is NULL is not known. The layout is freed with g_free(). */
SeamLimitsLayout *seam_limits_layout_new (const SeamOccupancy *const occupancy[2], double width);
SeamFigure *seam_limits_figure_new (const SeamOccupancy *const occupancy[2], const char letters[2],
                                    double width);
