/* SPDX-License-Identifier: MIT
 *
 * How long a fuzz test goes on. Its bytes come from GLib's random numbers, so that `--seed` repeats
 * a run; SEAMSCOPE_TEST_FUZZ_SECONDS lets each go on for as long as a search for faults takes.
 */
#pragma once

#include <glib.h>

/* The monotonic time, in microseconds, at which a fuzz test of `seconds` ends. */
static inline gint64
fuzz_end (double seconds)
{
  const char *longer = g_getenv ("SEAMSCOPE_TEST_FUZZ_SECONDS");

  if (longer != NULL)
    seconds = g_ascii_strtod (longer, NULL);
  return g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);
}
