/* SPDX-License-Identifier: MIT
 *
 * Code that a person edited may fault or never end. The command then runs in a child process, which
 * this process watches: it says in a sentence what became of it, and loses nothing else.
 */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

/* Forks. In the process that goes on with the work: FALSE. In the one that watches it: TRUE, when
 * the other has ended, with the exit status to end with too. To be called while there is one
 * thread. */
gboolean seam_guard_start (SeamExit *status);
/* A sign of life of the work; nothing where nobody watches. */
void seam_guard_beat (void);

G_END_DECLS
