/* SPDX-License-Identifier: MIT
 *
 * Why a device ran slower than it could: a bit mask as NVML reports it, and its words.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Set where the reasons were read at all: 0 means unknown. */
#define SEAM_THROTTLE_KNOWN (1 << 30)

/* "none", or the reasons in words, comma separated, worst first ("thermal, power cap"); newly
 * allocated. `mask` is NVML's bit mask of clock event reasons. */
char *seam_throttle_describe (guint64 mask);
/* Whether the device slowed itself down: power or heat, not idling or clocks that somebody set. */
gboolean seam_throttle_is_slowed (gint32 throttle);

G_END_DECLS
