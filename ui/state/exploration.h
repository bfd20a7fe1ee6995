/* SPDX-License-Identifier: MIT
 *
 * The exploration of the chosen pipeline: its search (every partition at the chosen shape, or a
 * sweep of some plans over shapes), and the worker that measures it. That worker is its own, so
 * that the outputs of the last run stay where they are and a partition that faults costs nothing
 * else. What was measured is kept for every shape while the window lives, and goes into the
 * history.
 *
 * Signals:
 *   "changed" (gboolean points)   points: some have new numbers; else only state or progress
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
/* Neither measures while the other does. Both outlive neither. */
void seam_exploration_set_other (SeamExploration *self, SeamExploration *other);
/* Ends its worker: the window closes. */
void seam_exploration_close (SeamExploration *self);
/* Predictions are asked for only while somebody looks. */
void seam_exploration_set_wanted (SeamExploration *self, gboolean wanted);

/* Borrowed; of what the sidebar says, or of what is being measured. */
const SeamSearch *seam_exploration_get_search (SeamExploration *self);
/* What a sweep varies, as seam_sweep_axis_parse() reads it (`vary_y` NULL: one direction), and
 * which plans it compares. What is wrong with it becomes the blocker. */
void seam_exploration_set_sweep (SeamExploration *self, const char *vary_x, const char *vary_y,
                                 const char *const *plans);
/* A recorded one is shown. */
gboolean seam_exploration_is_stored (SeamExploration *self);
SeamExplorationState seam_exploration_get_state (SeamExploration *self);
/* Measuring, or about to stop. */
gboolean seam_exploration_is_busy (SeamExploration *self);
/* The target is being asked about its points, or will be: measuring begins after its answer. */
gboolean seam_exploration_is_asking (SeamExploration *self);
/* Why nothing can be measured, a sentence, or NULL. */
const char *seam_exploration_get_blocker (SeamExploration *self);
/* How far it is, or what it will take, or why it cannot begin: a sentence, newly allocated. */
char *seam_exploration_describe_status (SeamExploration *self);

/* Shows a recorded exploration in the place of the live one, while its pipeline is the chosen one.
 * `content` as app/explore/search-store.h reads it, `name` the file's, for people. SEAM_ERROR_FILE.
 */
gboolean seam_exploration_show_stored (SeamExploration *self, GVariant *content, const char *name,
                                       GError **error);
/* The live one again; nothing where none is stored. */
void seam_exploration_close_stored (SeamExploration *self);

double seam_exploration_get_budget (SeamExploration *self);
void seam_exploration_set_budget (SeamExploration *self, double budget_s);
void seam_exploration_start (SeamExploration *self);
void seam_exploration_stop (SeamExploration *self);

G_END_DECLS
