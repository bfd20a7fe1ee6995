/* SPDX-License-Identifier: MIT
 *
 * The worker's main function: serves app/worker/protocol.h until standard input is closed.
 */
#pragma once

/* Takes over standard input and output. Returns the exit status of the process. */
int seam_worker_main (void);
