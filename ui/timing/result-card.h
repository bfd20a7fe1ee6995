/* SPDX-License-Identifier: MIT
 *
 * SeamResultCard: a finished run: headline with its interval, three facts, the bars of
 * the plans on one axis, and the note that names the times. Shows a result, never a live run.
 *
 * Signals:
 *   "kernel-selected" (int plan, int kernel)   in the bars
 */
#pragma once

#include "ui/state/model.h"

#include "app/figure/figure.h"

#include <adwaita.h>

#define SEAM_TYPE_RESULT_CARD (seam_result_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamResultCard, seam_result_card, SEAM, RESULT_CARD, AdwBin)

/* Call once. The model has the choice of compared plans. */
void seam_result_card_set_model (SeamResultCard *self, SeamModel *model);
/* `result` may be NULL. Its first `n_shown` plans are shown. `compared`: index of the one that
 * stands beside the first; -1: there is only one. */
void seam_result_card_set_result (SeamResultCard *self, SeamResult *result, int n_shown,
                                  int compared);
/* Says what changed since the run; NULL: the result is current. */
void seam_result_card_set_stale (SeamResultCard *self, const char *reason);
void seam_result_card_set_narrow (SeamResultCard *self, gboolean narrow);
/* Draws a ring around a kernel (or the gaps: kernel -1) of a plan; plan < 0: none. Emits no
 * signal. */
void seam_result_card_select (SeamResultCard *self, int plan, int kernel);
/* The same with a dashed ring, for the kernel that the selected one is compared with. */
void seam_result_card_set_beside (SeamResultCard *self, int plan, int kernel);

/* A small caption over a value; facts stand in a row with a line before each. */
GtkWidget *seam_fact_new (GtkLabel **caption, GtkLabel **value);
