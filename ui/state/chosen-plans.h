/* SPDX-License-Identifier: MIT
 *
 * The two or three plans that a person chose, as asked for and as the target would execute them,
 * and the steps back.
 */
#pragma once

#include "app/plan/plan.h"

G_BEGIN_DECLS

/* 0 is A, 1 is B, 2 is C, one more to measure, which is there only where it was asked for. */
#define SEAM_MAX_CHOSEN_PLANS 3

typedef struct SeamChosenPlans SeamChosenPlans;

SeamChosenPlans *seam_chosen_plans_new (void); /* without A and B: set them first */
void seam_chosen_plans_free (SeamChosenPlans *self);

int seam_chosen_plans_get_n (const SeamChosenPlans *self);
SeamPlan *seam_chosen_plans_get (const SeamChosenPlans *self, int index); /* borrowed; C: or NULL */
/* Takes a reference; NULL: C is not there any more. */
void seam_chosen_plans_set (SeamChosenPlans *self, int index, SeamPlan *plan);

/* As the target would execute it (`full` becomes the best cut there is), or as asked for where that
 * is not known; borrowed. NULL forgets it. */
SeamPlan *seam_chosen_plans_get_executed (const SeamChosenPlans *self, int index);
void seam_chosen_plans_set_executed (SeamChosenPlans *self, int index, SeamPlan *plan);

/* Remembers the plans for a step back; with `values` ([SEAM_MAX_FIELDS]) the shape, too. */
void seam_chosen_plans_remember (SeamChosenPlans *self, const gint64 *values, const char *preset);
gboolean seam_chosen_plans_can_undo (const SeamChosenPlans *self);
/* Takes the last step back. `values` and `preset`: the shape before it, newly allocated; NULL where
 * it was not remembered. */
void seam_chosen_plans_undo (SeamChosenPlans *self, gint64 **values, char **preset);
void seam_chosen_plans_forget_undo (SeamChosenPlans *self);

G_END_DECLS
