/* SPDX-License-Identifier: MIT
 *
 * Bins of the error histogram and distances in units in the last place: see histogram.h.
 */
#include "app/result/histogram.h"

#include <math.h>
#include <string.h>

/* floor (log2 (value)) of a positive normal number, from its exponent bits. Zero and subnormal
 * numbers give -1023, which is below every bin. */
static int
get_exponent (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return (int)(bits >> 52 & 0x7ff) - 1023;
}

int
seam_histogram_get_error_bin (double distance)
{
  return distance > 0 ? CLAMP (get_exponent (distance) + 41, 1, SEAM_HISTOGRAM_ERRORS - 1) : 0;
}

int
seam_histogram_get_magnitude_bin (double b)
{
  int exponent = get_exponent (b);

  return exponent < -14 ? 0 : MIN ((exponent + 16) / 2, SEAM_HISTOGRAM_MAGNITUDES - 1);
}

double
seam_histogram_get_error_start (int bin)
{
  return bin < 2 ? 0 : ldexp (1, bin - 41);
}

double
seam_histogram_get_magnitude_start (int bin)
{
  return bin < 1 ? 0 : ldexp (1, 2 * bin - 16);
}

/* Index of a float among all floats in ascending order; both zeros have index 0. */
static gint64
get_place (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits & 0x80000000u ? -(gint64)(bits & 0x7fffffffu) : (gint64)bits;
}

guint32
seam_ulp_count (double a, double b)
{
  gint64 x = get_place ((float)a), y = get_place ((float)b);

  return (guint32)ABS (x - y);
}

int
seam_histogram_get_ulp_bin (guint32 n_ulps)
{
  return n_ulps == 0 ? 0 : 32 - __builtin_clz (n_ulps);
}

gint64
seam_histogram_get_ulp_start (int bin)
{
  return bin < 1 ? 0 : (gint64)1 << (bin - 1);
}

gint64
seam_ulp_distance (double a, double b)
{
  float x = (float)a, y = (float)b;

  if (!isfinite (x) || !isfinite (y))
    return -1;
  return ABS (get_place (x) - get_place (y));
}
