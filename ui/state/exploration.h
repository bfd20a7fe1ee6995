/* SPDX-License-Identifier: MIT
 *
 * The exploration of the chosen pipeline: its search (every partition at the chosen shape, or a
 * sweep of some plans over shapes), and the worker that measures it. That worker is its own, so
 * that the outputs of the last run stay where they are and a partition that faults costs nothing
 * else. What was measured is kept for every shape while the window lives, and goes into the
 * history.
 *
 * Signals:
 *   "changed" (gboolean points)   points: some have new numbers; FALSE: only state or progress
 */
#pragma once

#include "ui/state/model.h"

#include "app/explore/explore.h"
#include "app/explore/sweep.h"

G_BEGIN_DECLS

#define SEAM_TYPE_EXPLORATION (seam_exploration_get_type ())
G_DECLARE_FINAL_TYPE (SeamExploration, seam_exploration, SEAM, EXPLORATION, GObject)

typedef enum {
  SEAM_EXPLORATION_IDLE,
  SEAM_EXPLORATION_PREDICTING,
  SEAM_EXPLORATION_MEASURING,
  SEAM_EXPLORATION_STOPPING,
} SeamExplorationState;

/* `model` owns it. */
SeamExploration *seam_exploration_new (SeamModel *model, SeamSearchKind kind);
SeamSearchKind seam_exploration_get_kind (SeamExploration *self);
/* Ends its worker, because the window closes. */
void seam_exploration_close (SeamExploration *self);
/* Predictions are requested only while the tab is shown. */
void seam_exploration_set_wanted (SeamExploration *self, gboolean wanted);

/* The search of the sidebar's choices, or the one that is being measured; borrowed. */
const SeamSearch *seam_exploration_get_search (SeamExploration *self);
/* Sets the directions of a sweep, as seam_sweep_read_typed() reads them (`vary_y` NULL: one
 * direction), and the plans that it compares. An error in them becomes the blocker. */
void seam_exploration_set_sweep (SeamExploration *self, const char *vary_x, const char *vary_y,
                                 const char *const *plans);
/* Whether a recorded search is shown. */
gboolean seam_exploration_is_stored (SeamExploration *self);
SeamExplorationState seam_exploration_get_state (SeamExploration *self);
/* Whether it is measuring, or about to stop. */
gboolean seam_exploration_is_busy (SeamExploration *self);
/* Whether the worker's prediction is pending or about to be requested; measuring begins after
 * it. */
gboolean seam_exploration_is_asking (SeamExploration *self);
/* A sentence that says why nothing can be measured, or NULL. */
const char *seam_exploration_get_blocker (SeamExploration *self);
/* A sentence on progress, on the expected time, or on why it cannot begin; newly allocated. */
char *seam_exploration_describe_status (SeamExploration *self);

/* Shows a recorded exploration instead of the live one, while its pipeline is the chosen one.
 * `content` as app/explore/search-store.h reads it, `name` the file's, for people. SEAM_ERROR_FILE.
 * */
gboolean seam_exploration_show_stored (SeamExploration *self, GVariant *content, const char *name,
                                       GError **error);
/* Returns to the live exploration; does nothing if none is stored. */
void seam_exploration_close_stored (SeamExploration *self);

double seam_exploration_get_budget (SeamExploration *self);
void seam_exploration_set_budget (SeamExploration *self, double budget_s);
void seam_exploration_start (SeamExploration *self);
void seam_exploration_stop (SeamExploration *self);

G_END_DECLS
