/* SPDX-License-Identifier: MIT
 *
 * The window's two explorations, of partitions and of a sweep. Only one measures at a time.
 */
#pragma once

#include "app/explore/explore.h"

#include <glib-object.h>

struct _SeamModel;
typedef struct _SeamExploration SeamExploration;

typedef struct {
  SeamExploration *all[SEAM_SEARCH_SWEEP + 1]; /* by kind; owned */
} SeamExplorations;

/* `model` owns them; its other objects already exist. */
void seam_explorations_init (SeamExplorations *self, struct _SeamModel *model);
/* Ends their workers. */
void seam_explorations_close (SeamExplorations *self);
/* The one that is measuring, or NULL. */
SeamExploration *seam_explorations_get_busy (const SeamExplorations *self);
