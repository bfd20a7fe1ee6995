/* SPDX-License-Identifier: MIT
 *
 * SeamStartPage: the page of the first start, which can also be opened later: what the program is,
 * with a recorded example; one button that goes on; the lessons; one row for each pipeline; what
 * was measured last. Its details are the doctor's rows (app/result/check.h); it checks nothing
 * itself.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_START_PAGE (seam_start_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamStartPage, seam_start_page, SEAM, START_PAGE, AdwBin)

/* Call once, before the page is shown. */
void seam_start_page_set_model (SeamStartPage *self, SeamModel *model);
/* Reads lessons and progress anew. */
void seam_start_page_update_lessons (SeamStartPage *self);
/* The button that goes on with what the person does has the focus. */
void seam_start_page_grab_focus (SeamStartPage *self);
/* A sentence that replaces the checks because the worker could not be asked; NULL removes it. */
void seam_start_page_set_error (SeamStartPage *self, const char *error);
