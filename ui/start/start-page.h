/* SPDX-License-Identifier: MIT
 *
 * SeamStartPage: what a person sees first where there is no GPU, and when they ask for it later:
 * what this machine can do, why something is missing, the command that mends it, one button to
 * begin, and a row a pipeline. Shows the doctor's rows (app/result/check.h); checks nothing itself.
 */
#pragma once

#include "app/result/check.h"
#include "app/result/device.h"

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_START_PAGE (seam_start_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamStartPage, seam_start_page, SEAM, START_PAGE, AdwBin)

/* Signals:
 *   "start"        the person wants to start, with the best target
 *   "check-again"  the person wants the worker to check the targets again
 *   "open"         (char *path) a recorded session was chosen
 */
GtkWidget *seam_start_page_new (void);

/* Once, before it is shown. */
void seam_start_page_set_model (SeamStartPage *self, SeamModel *model);
/* `targets` of SeamDeviceInfo and `checks` of SeamCheck, both copied from; NULL: not known yet. */
void seam_start_page_set_machine (SeamStartPage *self, GPtrArray *targets, GPtrArray *checks);
/* A sentence that replaces the checks because the worker could not be asked; NULL removes it. */
void seam_start_page_set_error (SeamStartPage *self, const char *error);

G_END_DECLS
