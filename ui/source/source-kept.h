/* SPDX-License-Identifier: MIT
 *
 * The code that a run from a session was executed by, as its file keeps it.
 */
#pragma once

#include "app/runner/runner-source.h"
#include "app/session/session.h"

/* Code of the run's plans, in their order; newly allocated. NULL unless the file has the code of
 * all of them. */
SeamCode *seam_source_read_kept (const SeamSessionRun *run);
