/* SPDX-License-Identifier: MIT
 *
 * The window's workers: the client of each machine (one so far, this computer), and more clients
 * for what is measured beside it in a process of its own. Says once if a worker is of another build
 * than the window, as after an upgrade while it is open.
 */
#pragma once

#include "app/worker/client.h"
#include "ui/state/notices.h"

typedef struct {
  SeamNotices *notices;   /* borrowed */
  SeamWorkerClient *here; /* that of this computer; NULL: closed */
  gboolean told;
} SeamWorkers;

void seam_workers_init (SeamWorkers *self, SeamNotices *notices);
/* Ends the workers of all machines. */
void seam_workers_close (SeamWorkers *self);
/* Another client, which the caller owns and closes before the workers end. */
SeamWorkerClient *seam_workers_open (SeamWorkers *self);
