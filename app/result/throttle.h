/* SPDX-License-Identifier: MIT
 *
 * Reasons why a device ran below its full speed: NVML's bit mask, and words for it.
 */
#pragma once

#include <glib.h>

/* Set if the reasons were read; 0 means unknown. */
#define SEAM_THROTTLE_KNOWN (1 << 30)

/* "none", or the reasons in NVIDIA's words, comma separated, worst first ("SW thermal slowdown, SW
 * power cap"); newly allocated. `mask` is NVML's bit mask of clock event reasons. */
char *seam_throttle_describe (guint64 mask);
/* Whether the device slowed itself down because of power or heat; idling and clocks that somebody
 * set do not count. */
gboolean seam_throttle_is_slowed (gint32 throttle);
