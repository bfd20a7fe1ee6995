/* SPDX-License-Identifier: MIT
 *
 * The window's two explorations, partitions and sweep: one of each kind, of which one at a time
 * measures.
 */
#pragma once

#include "app/explore/explore.h"

#include <glib-object.h>

G_BEGIN_DECLS

struct _SeamModel;
typedef struct _SeamExploration SeamExploration;

typedef struct {
  SeamExploration *all[SEAM_SEARCH_SWEEP + 1]; /* by kind; owned */
} SeamExplorations;

/* Of a model whose other objects are there, and which owns them. */
void seam_explorations_init (SeamExplorations *self, struct _SeamModel *model);
/* Ends their workers. */
void seam_explorations_close (SeamExplorations *self);
/* The one that measures, or NULL. */
SeamExploration *seam_explorations_get_busy (const SeamExplorations *self);

G_END_DECLS
