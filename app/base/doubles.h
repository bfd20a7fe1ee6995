/* SPDX-License-Identifier: MIT
 *
 * The order of doubles, for qsort() and g_array_sort().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Smaller ones first. A NaN has no place: leave it out before. */
int seam_compare_doubles (gconstpointer a, gconstpointer b);

G_END_DECLS
