/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceSource: the data behind the Difference tab. Asks the worker for the difference of
 * two sides and for slices of them, one request of each kind at a time and the newest one next.
 * Drops answers that belong to another result or to other sides. Uses no widget.
 *
 * Properties, each notified when it changes:
 *   "difference"  the difference, why there is none, or that it is being computed
 *   "slice"       the slice, or why there is none
 *   "planes"      planes of all depths of the slice's sample and channel, small beside it
 *   "client"      the worker that answers requests; also notified when the sides change
 */
#pragma once

#include "app/worker/client.h"

#include "app/session/session.h"

#include <glib-object.h>

#define SEAM_TYPE_DIFFERENCE_SOURCE (seam_difference_source_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceSource, seam_difference_source, SEAM, DIFFERENCE_SOURCE,
                      GObject)

/* Stands for the FP64 reference, which is not a plan. */
#define SEAM_SIDE_FP64 (-1)

SeamDifferenceSource *seam_difference_source_new (void);

/* `tested` is judged against `against` (indices into result->plans, or SEAM_SIDE_FP64). Uses the
 * difference kept with the result if it is of these sides. `client` NULL: nothing more can be
 * requested. `result` NULL: there is nothing to compare. */
void seam_difference_source_set_sides (SeamDifferenceSource *self, SeamWorkerClient *client,
                                       SeamResult *result, int tested, int against, double atol,
                                       double rtol);
/* The run comes from a session: `kept->result` is the result of set_sides(), and only its slices
 * can be seen at full resolution. NULL: it was measured here. Call it before set_sides(). */
void seam_difference_source_set_kept (SeamDifferenceSource *self, SeamSessionRun *kept);
/* Sets the worker that has the outputs (NULL: a run began, or the worker died). Answers that
 * have come stay on the screen. */
void seam_difference_source_set_client (SeamDifferenceSource *self, SeamWorkerClient *client);
void seam_difference_source_set_tolerances (SeamDifferenceSource *self, double atol, double rtol);
/* Asks for a rectangle (the grids of `wanted` are not read); does nothing if it is already
 * there. */
void seam_difference_source_want_slice (SeamDifferenceSource *self, const SeamSlice *wanted);
void seam_difference_source_want_planes (SeamDifferenceSource *self, const SeamSlice *wanted);

const SeamDifference *seam_difference_source_get_difference (SeamDifferenceSource *self);
const SeamSlice *seam_difference_source_get_slice (SeamDifferenceSource *self);
const SeamSlice *seam_difference_source_get_planes (SeamDifferenceSource *self);
/* NULL: nothing more can be requested. */
SeamWorkerClient *seam_difference_source_get_client (SeamDifferenceSource *self);
gboolean seam_difference_source_can_ask (SeamDifferenceSource *self);
/* Why there is no difference, or no slice: a sentence, or NULL. */
const char *seam_difference_source_get_error (SeamDifferenceSource *self);
const char *seam_difference_source_get_slice_error (SeamDifferenceSource *self);
