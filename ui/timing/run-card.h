/* SPDX-License-Identifier: MIT
 *
 * SeamRunCard: a run while it measures: steps in words, one bar of the time budget, clocks, the
 * samples as they come, and a table of both plans. No headline number: the verdict follows.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_RUN_CARD (seam_run_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamRunCard, seam_run_card, SEAM, RUN_CARD, AdwBin)

void seam_run_card_set_model (SeamRunCard *self, SeamModel *model);
void seam_run_card_set_narrow (SeamRunCard *self, gboolean narrow);
