/* SPDX-License-Identifier: MIT
 *
 * Limits of this process: threads, and address space (“ulimit -v”).
 */
#pragma once

#include <glib.h>

/* Gives OpenMP regions of the calling thread as many threads as were asked for (OMP_NUM_THREADS),
 * but no more than are sensible and than the system grants now, because libgomp ends the program if
 * it gets too few. Returns a newly allocated sentence if there are fewer threads, else NULL. */
char *seam_limits_choose_threads (void);

/* Starts the program anew with libgomp told how long its threads may keep a processor while they
 * wait for each other (GOMP_SPINCOUNT), which it reads before main(). Returns where the person has
 * said so (that, or OMP_WAIT_POLICY), or where it cannot be done. `argv` is main()'s. */
void seam_limits_keep_waiting_short (char **argv);

/* Bytes that can still be mapped; G_MAXUINT64 where there is no limit. */
guint64 seam_limits_get_address_space (void);
