/* SPDX-License-Identifier: MIT
 *
 * The order of doubles: see doubles.h.
 */
#include "app/base/doubles.h"

int
seam_compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}
