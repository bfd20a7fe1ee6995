/* SPDX-License-Identifier: MIT
 *
 * SeamPredictionCard: the learner's time, the model's guess and the measurement on one axis with
 * the bars of both plans. Visible while a step asks for a time, or compares one; until the commit
 * everything of plan B is covered, and the diamond can be dragged.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#define SEAM_TYPE_PREDICTION_CARD (seam_prediction_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamPredictionCard, seam_prediction_card, SEAM, PREDICTION_CARD, AdwBin)

void seam_prediction_card_set_player (SeamPredictionCard *self, SeamLessonPlayer *player);
