/* SPDX-License-Identifier: MIT
 *
 * SeamResultCard: what a finished run says: headline with its interval, three facts, the bars of
 * both plans on one axis, and the note that names the times. Shows a result, never a live run.
 *
 * Signals:
 *   "kernel-selected" (int plan, int kernel)   in the bars
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_RESULT_CARD (seam_result_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamResultCard, seam_result_card, SEAM, RESULT_CARD, AdwBin)

GtkWidget *seam_result_card_new (void);
/* `result` may be NULL. `letters`: of its plans, 'A' or 'B'. */
void seam_result_card_set_result (SeamResultCard *self, SeamResult *result, const char *letters);
/* What changed since the run; NULL: the result is current. */
void seam_result_card_set_stale (SeamResultCard *self, const char *reason);
void seam_result_card_set_narrow (SeamResultCard *self, gboolean narrow);
/* Rings a kernel (or the gaps: kernel -1) of a plan; plan < 0: none. Emits nothing. */
void seam_result_card_select (SeamResultCard *self, int plan, int kernel);

/* A small caption over a value, as facts stand in a row with a line before each. */
GtkWidget *seam_fact_new (GtkLabel **caption, GtkLabel **value);

G_END_DECLS
