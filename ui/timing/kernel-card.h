/* SPDX-License-Identifier: MIT
 *
 * SeamKernelCard: the chosen kernel beside one of another plan, in NVIDIA's words
 * (app/report/kernel-details.h), with what limits their occupancy and what follows. It keeps its
 * height while no kernel is chosen, so that nothing jumps. Ctrl+C in it copies the numbers, arrow
 * keys walk over them, Escape goes to the table of kernels. It marks both kernels on page Traffic,
 * too.
 *
 * Signals:
 *   "partner-changed" (int plan, int kernel)   what the chosen one is compared with; -1: none
 */
#pragma once

#include "app/result/result.h"

#include <adwaita.h>

#define SEAM_TYPE_KERNEL_CARD (seam_kernel_card_get_type ())
G_DECLARE_FINAL_TYPE (SeamKernelCard, seam_kernel_card, SEAM, KERNEL_CARD, AdwBin)

/* `compared`: the plan beside A; -1: there is only one. A result without kernels hides the card. */
void seam_kernel_card_set_result (SeamKernelCard *self, SeamResult *result, int compared);
/* -1: no kernel is chosen. */
void seam_kernel_card_select (SeamKernelCard *self, int plan, int kernel);
/* Says that the result is not that of the run in progress. */
void seam_kernel_card_set_before (SeamKernelCard *self, gboolean before);
/* Called during layout when its width may have changed: with one box in a line it is higher than
 * the window, and gives up its height while no kernel is chosen. */
void seam_kernel_card_fit (SeamKernelCard *self);
/* Arrow keys go on from the first number. FALSE: no kernel is chosen. */
gboolean seam_kernel_card_focus_numbers (SeamKernelCard *self);
