/* SPDX-License-Identifier: MIT
 *
 * What is known of a difference without a worker: what came with the result, and what a session's
 * file holds of its outputs.
 */
#pragma once

#include "app/session/session.h"

G_BEGIN_DECLS

/* The difference that came with the result; NULL: none of these sides. Borrowed. */
const SeamDifference *seam_difference_find_kept (const SeamResult *result, int tested, int trusted);
/* The slice that the file holds of these sides, whole and newly allocated; NULL: none. */
SeamSlice *seam_difference_copy_kept_slice (const SeamSessionRun *run, int tested, int trusted);
/* Why the file does not hold the difference of other sides; newly allocated. */
char *seam_difference_explain_kept (const SeamResult *result);

G_END_DECLS
