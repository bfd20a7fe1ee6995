/* SPDX-License-Identifier: MIT
 *
 * The processes that this one started, and those that they started: code that a person edited may
 * fork, and its processes must end with the run.
 */
#pragma once

#include <glib.h>

/* From now on descendants whose own parent ends become children of this process. */
void seam_children_adopt (void);
/* Kills every child and waits for it, until none is left. */
void seam_children_end (void);
