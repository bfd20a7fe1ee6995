/* SPDX-License-Identifier: MIT
 *
 * The bins of the error histogram, and the distance of two numbers in units in the last place. Bins
 * are powers of two, so that the exponent alone decides and every backend finds the same one.
 * kernels/cuda/kernels.h has the same numbers for the CUDA kernel.
 */
#pragma once

#include <glib.h>

/* Errors |a - b|: bin 0 holds exact zeros, bin 1 errors below 2^-39, each bin i from 2 to 62 one
 * power of two from 2^(i - 41) on, bin 63 all from 2^22 on. */
#define SEAM_HISTOGRAM_ERRORS 64
/* Magnitudes |b|: bin 0 holds numbers below 2^-14 including zero, each bin i from 1 to 14 two
 * powers of two from 2^(2 i - 16) on, bin 15 all from 2^14 on. */
#define SEAM_HISTOGRAM_MAGNITUDES 16
#define SEAM_HISTOGRAM_BINS       (SEAM_HISTOGRAM_ERRORS * SEAM_HISTOGRAM_MAGNITUDES)

/* Distances in units in the last place: bin 0 holds equal pairs, bin i the distances from 2^(i - 1)
 * to 2^i - 1. */
#define SEAM_HISTOGRAM_ULPS 33

/* They take finite numbers; `distance` is not below 0. */
int seam_histogram_get_error_bin (double distance);
int seam_histogram_get_magnitude_bin (double b);

/* The least number of a bin: 0 for error bins 0 and 1 and for magnitude bin 0. */
double seam_histogram_get_error_start (int bin);
double seam_histogram_get_magnitude_start (int bin);

/* Number of FP32 steps between two numbers, each rounded to FP32 first: 0 for equal ones and for 0
 * and -0, 1 for neighbours. -1 if one is NaN or infinite, also after rounding. */
gint64 seam_ulp_distance (double a, double b);

/* The same for two finite numbers, for grids: a number that rounds to infinity counts as one step
 * beyond the largest float. */
guint32 seam_ulp_count (double a, double b);
/* The bin of such a distance, and the least distance in a bin. */
int seam_histogram_get_ulp_bin (guint32 n_ulps);
gint64 seam_histogram_get_ulp_start (int bin);
