/* SPDX-License-Identifier: MIT
 *
 * Series whose effective values, interval and drift series.py computes.
 */
#pragma once

#include <glib.h>

/* As noise() of series.py, which has the same numbers. Newly allocated. */
static inline double *
make_series (int n, double memory, double slope)
{
  double *values = g_new (double, n), value = 0;
  guint64 state = 12345;

  for (int i = 0; i < n; i++) {
    state = (state * 1103515245 + 12345) % (G_GUINT64_CONSTANT (1) << 31);
    value = memory * value + (double)state / 2147483648. - .5;
    values[i] = value + slope * i;
  }
  return values;
}
