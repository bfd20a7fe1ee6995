/* SPDX-License-Identifier: MIT
 *
 * SeamSamplesCard: every sample of a finished run in measured order, with histogram and clock: the
 * basis of the verdict. A run in progress is in run-card.c.
 */
#pragma once

#include "app/result/result.h"

#include <adwaita.h>

#define SEAM_TYPE_SAMPLES_CARD (seam_samples_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamSamplesCard, seam_samples_card, SEAM, SAMPLES_CARD, AdwBin)

/* Shows the first plan and the plan `second` (-1: the first alone). `result` may be NULL; a
 * result without samples hides the card. */
void seam_samples_card_set_result (SeamSamplesCard *self, SeamResult *result, int second);
