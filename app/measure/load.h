/* SPDX-License-Identifier: MIT
 *
 * What other programs take of the computer's processors: on a CPU their use makes times longer and
 * less steady, so a run is told before and after.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Processor time until an instant, in seconds, all processors together. */
typedef struct {
  double busy_s, total_s; /* of everything that runs; NaN: the system does not say */
  double own_s;           /* of this process, and of the window that started it */
} SeamLoadMark;

/* Between two marks too few ticks of the system's clock (10 ms) pass to say anything. */
#define SEAM_LOAD_LEAST_S 0.1

void seam_load_mark (SeamLoadMark *mark);
/* The share of all processors' time, 0 to 1, that others have used since then. NaN: unknown, or it
 * was a moment ago. */
double seam_load_since (const SeamLoadMark *mark);

G_END_DECLS
