/* SPDX-License-Identifier: MIT
 *
 * The order of doubles, for qsort() and g_array_sort().
 */
#pragma once

#include <glib.h>

/* Ascending order. NaN has no place in it: leave NaN out before. */
int seam_compare_doubles (gconstpointer a, gconstpointer b);
