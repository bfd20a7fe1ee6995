/* SPDX-License-Identifier: MIT
 *
 * The exploration of the chosen pipeline and shape: its survey, and the worker that measures it.
 * That worker is its own, so that the outputs of the last run stay where they are and a partition
 * that faults costs nothing else. What was measured is kept for every shape while the window lives.
 *
 * Signals:
 *   "changed" (gboolean points)   points: some have new numbers; else only state or progress
 */
#pragma once

#include "ui/model.h"

#include "app/explore/explore.h"

G_BEGIN_DECLS

#define SEAM_TYPE_EXPLORATION (seam_exploration_get_type ())
G_DECLARE_FINAL_TYPE (SeamExploration, seam_exploration, SEAM, EXPLORATION, GObject)

typedef enum {
  SEAM_EXPLORATION_IDLE,
  SEAM_EXPLORATION_PREDICTING,
  SEAM_EXPLORATION_MEASURING,
  SEAM_EXPLORATION_STOPPING,
} SeamExplorationState;

SeamExploration *seam_exploration_new (SeamModel *model);
/* Ends its worker: the window closes. */
void seam_exploration_close (SeamExploration *self);
/* Predictions are asked for only while somebody looks. */
void seam_exploration_set_wanted (SeamExploration *self, gboolean wanted);

/* Borrowed; of what the sidebar says, or of what is being measured. */
const SeamSurvey *seam_exploration_get_survey (SeamExploration *self);
SeamExplorationState seam_exploration_get_state (SeamExploration *self);
/* Measuring, or about to stop. */
gboolean seam_exploration_is_busy (SeamExploration *self);
const SeamSurveyProgress *seam_exploration_get_progress (SeamExploration *self);
/* Why nothing can be measured, a sentence, or NULL. */
const char *seam_exploration_get_blocker (SeamExploration *self);
/* "The budget is used up.", "Stopped.": how the last one ended, or NULL. */
const char *seam_exploration_get_ending (SeamExploration *self);

/* Shows a recorded exploration in the place of the live one, while its pipeline is the chosen one.
 * `content` as app/explore/survey-store.h reads it, `name` the file's, for people. SEAM_ERROR_FILE.
 */
gboolean seam_exploration_show_stored (SeamExploration *self, GVariant *content, const char *name,
                                       GError **error);
/* The live one again; nothing where none is stored. */
void seam_exploration_close_stored (SeamExploration *self);
/* What was measured here of the chosen pipeline and shape, to be kept in a session: floating, or
 * NULL where nothing was. */
GVariant *seam_exploration_make_stored (SeamExploration *self);

double seam_exploration_get_budget (SeamExploration *self);
void seam_exploration_set_budget (SeamExploration *self, double budget_s);
void seam_exploration_start (SeamExploration *self);
void seam_exploration_stop (SeamExploration *self);

G_END_DECLS
