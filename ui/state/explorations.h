/* SPDX-License-Identifier: MIT
 *
 * The window's two explorations, partitions and sweep: one of each kind, of which one at a time
 * measures.
 */
#pragma once

#include "ui/state/exploration.h"

G_BEGIN_DECLS

typedef struct {
  SeamExploration *all[SEAM_SURVEY_SWEEP + 1]; /* by kind; owned */
} SeamExplorations;

/* `changed` is the handler of their signal "changed", with `data`. */
void seam_explorations_init (SeamExplorations *self, SeamModel *model, GCallback changed,
                             gpointer data);
/* Ends their workers, and forgets the handlers with `data`. */
void seam_explorations_close (SeamExplorations *self, gpointer data);
/* The one that measures, or NULL. */
SeamExploration *seam_explorations_get_busy (const SeamExplorations *self);
/* What a page of the window measures by its name; NULL: the two plans. */
SeamExploration *seam_explorations_get_of_page (const SeamExplorations *self, const char *page);

G_END_DECLS
