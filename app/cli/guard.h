/* SPDX-License-Identifier: MIT
 *
 * Code that a person edited may fault, never end, or end the program. The command then runs in a
 * child process, which this process watches: it says in a sentence what became of the child,
 * forwards signals, and ends the processes that the code started. If a library ends the program,
 * its exit status is not passed on.
 */
#pragma once

#include "app/cli/cli.h"
#include "app/result/result.h"

/* Call it first in main(). From then on, an exit before seam_guard_finish() prints a message and
 * has the status SEAM_EXIT_COULD_NOT_RUN. */
void seam_guard_init (void);
/* Call it last in main(): the command has ended, with `status`. */
void seam_guard_finish (SeamExit status);

/* Forks. Returns FALSE in the child, which goes on with the work. Returns TRUE in the parent when
 * the child has ended, with the exit status to end with. Call it while there is only one thread. */
gboolean seam_guard_start (SeamExit *status);
/* Reports a sign of life of the work, in this step; does nothing if no process watches. */
void seam_guard_beat (SeamStep step);
