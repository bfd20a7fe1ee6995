/* SPDX-License-Identifier: MIT
 *
 * The two or three plans that a person chose, as asked for and as the target would execute them,
 * and the undo steps.
 */
#pragma once

#include "app/plan/plan.h"

/* 0 is A, 1 is B. 2 is C, an additional plan to measure, which exists only on request. */
#define SEAM_MAX_CHOSEN_PLANS 3

typedef struct SeamChosenPlans SeamChosenPlans;

SeamChosenPlans *seam_chosen_plans_new (void); /* without A and B: set them first */
void seam_chosen_plans_free (SeamChosenPlans *self);

int seam_chosen_plans_get_n (const SeamChosenPlans *self);
SeamPlan *seam_chosen_plans_get (const SeamChosenPlans *self, int index); /* borrowed; C: or NULL */
/* Takes a reference; NULL removes C. */
void seam_chosen_plans_set (SeamChosenPlans *self, int index, SeamPlan *plan);

/* The plan as the target would execute it (`full` becomes the best cut there is), or as asked
 * for if that is not known; borrowed. NULL forgets it. */
SeamPlan *seam_chosen_plans_get_executed (const SeamChosenPlans *self, int index);
void seam_chosen_plans_set_executed (SeamChosenPlans *self, int index, SeamPlan *plan);

/* Stores the plans as an undo step; with `values` ([SEAM_MAX_FIELDS]) the shape, too. */
void seam_chosen_plans_remember (SeamChosenPlans *self, const gint64 *values, const char *preset);
gboolean seam_chosen_plans_can_undo (const SeamChosenPlans *self);
/* Undoes the last step. `values` and `preset`: the shape before it, newly allocated; NULL if the
 * step did not store it. */
void seam_chosen_plans_undo (SeamChosenPlans *self, gint64 **values, char **preset);
void seam_chosen_plans_forget_undo (SeamChosenPlans *self);
