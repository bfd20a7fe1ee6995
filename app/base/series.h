/* SPDX-License-Identifier: MIT
 *
 * Numbers that were measured one after another and depend on each other: how many independent ones
 * they are worth, and the interval of their centre. Pure.
 */
#pragma once

#include <glib.h>

/* With fewer effective values there is no interval: the series is shorter than its own memory. */
#define SEAM_SERIES_LEAST 6
/* From this many on an interval covers what it promises; with fewer it is doubled. Simulated in
 * tests/core/test-statistics.c. */
#define SEAM_SERIES_ENOUGH 15

typedef struct {
  double effective; /* independent values with the same information, at most n */
  double centre;    /* mean without the smallest and the largest fifth; NaN: no values */
  double half; /* the 95 % interval is centre ± half; doubled if effective values are few; NaN:
                * there is none */
  double sure; /* the same for 99 %, also if τ is as much longer as chance hides */
  /* What a straight line through the values gains from the first to the last, if that is more than
   * chance explains, and `half` is then around that line; else 0. */
  double drift;
} SeamSeries;

/* The values must be finite. */
void seam_series_measure (const double *values, int n, SeamSeries *series);
/* SeamSeries.effective alone. */
double seam_series_get_effective (const double *values, int n);
