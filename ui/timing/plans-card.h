/* SPDX-License-Identifier: MIT
 *
 * SeamPlansCard: the plans as strips, one above the other with ops at the same x, each with its
 * badge, menu and counts. Seams are cut and fused here, by pointer and by keyboard.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PLANS_CARD (seam_plans_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamPlansCard, seam_plans_card, SEAM, PLANS_CARD, AdwBin)

/* Call once, before it is shown. */
void seam_plans_card_set_model (SeamPlansCard *self, SeamModel *model);
void seam_plans_card_set_narrow (SeamPlansCard *self, gboolean narrow);
/* In a low window every plan is a single line, of bands without seams to click, and the estimate is
 * left out. */
void seam_plans_card_set_low (SeamPlansCard *self, gboolean low);
/* Draws a ring around the group of `plan` (0 is A) that holds `op`; plan < 0: none. */
void seam_plans_card_select_op (SeamPlansCard *self, int plan, int op);
/* A seam is picked for a question rather than cut or fused where `pick` returns TRUE. */
void seam_plans_card_set_picker (SeamPlansCard *self, gboolean (*pick) (int seam, gpointer data),
                                 gpointer data);
/* Draws a ring around the seam in every strip; -1: none. */
void seam_plans_card_select_seam (SeamPlansCard *self, int seam);
/* "A" in an outlined square, the other letters in filled ones: the mark of a plan everywhere. */
GtkWidget *seam_plan_badge_new (char letter);
