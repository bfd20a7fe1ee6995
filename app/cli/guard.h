/* SPDX-License-Identifier: MIT
 *
 * Code that a person edited may fault, never end, or end the program. The command then runs in a
 * child process, which this process watches: it says in a sentence what became of it, hands signals
 * on, and ends what the code started. A library may end the program too: that is no exit status of
 * ours.
 */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

/* First thing in main(): from now on an exit before seam_guard_finish() is complained about and has
 * the status SEAM_EXIT_COULD_NOT_RUN. */
void seam_guard_init (void);
/* Last thing in main(): the command came to its end, with `status`. */
void seam_guard_finish (SeamExit status);

/* Forks. In the process that goes on with the work: FALSE. In the one that watches it: TRUE, when
 * the other has ended, with the exit status to end with too. To be called while there is one
 * thread. */
gboolean seam_guard_start (SeamExit *status);
/* A sign of life of the work; nothing where nobody watches. */
void seam_guard_beat (void);

G_END_DECLS
