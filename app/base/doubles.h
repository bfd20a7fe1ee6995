/* SPDX-License-Identifier: MIT
 *
 * The order of doubles, for qsort() and g_array_sort(), and equality that counts NaN.
 */
#pragma once

#include <glib.h>
#include <math.h>

/* Equal numbers, or both NaN. */
static inline gboolean
seam_doubles_equal (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/* Ascending order. NaN has no place in it: leave NaN out before. */
int seam_compare_doubles (gconstpointer a, gconstpointer b);
