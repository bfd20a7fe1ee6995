/* SPDX-License-Identifier: MIT
 *
 * The order of doubles, for qsort() and g_array_sort().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ascending order. NaN has no place in it: leave NaN out before. */
int seam_compare_doubles (gconstpointer a, gconstpointer b);

G_END_DECLS
