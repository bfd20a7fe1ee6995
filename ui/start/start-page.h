/* SPDX-License-Identifier: MIT
 *
 * SeamStartPage: the first page on a machine without a GPU, which can also be opened later: what
 * this machine can do, why something is missing, the command that installs it, one button to start,
 * and one row for each pipeline. Shows the doctor's rows (app/result/check.h); checks nothing
 * itself.
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

/* Call once, before the page is shown. */
void seam_start_page_set_model (SeamStartPage *self, SeamModel *model);
/* Reads lessons and progress anew. */
void seam_start_page_update_lessons (SeamStartPage *self);
/* `targets` of SeamDeviceInfo and `checks` of SeamCheck; copies both. NULL: not known yet. */
void seam_start_page_set_machine (SeamStartPage *self, GPtrArray *targets, GPtrArray *checks);
/* A sentence that replaces the checks because the worker could not be asked; NULL removes it. */
void seam_start_page_set_error (SeamStartPage *self, const char *error);

G_END_DECLS
