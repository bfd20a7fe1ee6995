/* SPDX-License-Identifier: MIT
 *
 * What is known about a difference without a worker: the values that came with the result, and the
 * parts of the outputs that a session file holds.
 */
#pragma once

#include "app/session/session.h"

/* The difference of these sides that came with the result; NULL: there is none. Borrowed. */
const SeamDifference *seam_difference_find_kept (const SeamResult *result, int tested, int against);
/* The slice of these sides that the file holds, whole and newly allocated; NULL: none. */
SeamSlice *seam_difference_copy_kept_slice (const SeamSessionRun *run, int tested, int against);
/* Says why the file does not hold the difference of other sides; newly allocated. */
char *seam_difference_explain_kept (const SeamResult *result);
