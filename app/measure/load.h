/* SPDX-License-Identifier: MIT
 *
 * The share of the computer's processors that other programs use. On a CPU this makes times longer
 * and less steady, so the person is told before and after a run.
 */
#pragma once

#include <glib.h>

/* Processor time up to an instant, in seconds, all processors together. */
typedef struct {
  double busy_s, total_s; /* of all processes; NaN: the system does not tell */
  double own_s;           /* of this process, and of the window that started it */
} SeamLoadMark;

/* Least time between two marks: below it, the ticks of the system's clock (10 ms) are too few. */
#define SEAM_LOAD_LEAST_S 0.1

void seam_load_mark (SeamLoadMark *mark);
/* The share of all processors' time, 0 to 1, that others have used since the mark. NaN: unknown, or
 * too little time has passed. */
double seam_load_since (const SeamLoadMark *mark);
