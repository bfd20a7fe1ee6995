/* SPDX-License-Identifier: MIT
 *
 * Limits of this process: threads, and address space (“ulimit -v”).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Gives OpenMP regions of the calling thread as many threads as were asked for (OMP_NUM_THREADS),
 * but no more than are sensible and than the system grants now, because libgomp ends the program if
 * it gets too few. Returns a newly allocated sentence if there are fewer threads, else NULL. */
char *seam_limits_choose_threads (void);

/* Bytes that can still be mapped; G_MAXUINT64 if there is no limit. */
guint64 seam_limits_get_address_space (void);

G_END_DECLS
