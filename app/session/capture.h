/* SPDX-License-Identifier: MIT
 *
 * A run as it leaves the runner: with what its result does not hold.
 */
#pragma once

#include "app/runner/runner.h"
#include "app/session/session.h"

/* Adds to the runner's last run, which nobody else has yet, what can be had of it: the elements
 * around the worst one of every plan, and the code of `request` (NULL: none). */
void seam_session_run_capture (SeamSessionRun *run, SeamRunner *runner,
                               const SeamRunRequest *request);
