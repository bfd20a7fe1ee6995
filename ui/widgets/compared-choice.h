/* SPDX-License-Identifier: MIT
 *
 * SeamComparedChoice: which plan stands beside A on a page that shows two of three. It is not there
 * while there are only two, and the same on every page.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_COMPARED_CHOICE (seam_compared_choice_get_type ())
G_DECLARE_FINAL_TYPE (SeamComparedChoice, seam_compared_choice, SEAM, COMPARED_CHOICE, AdwBin)

/* Once, before it is shown. */
void seam_compared_choice_set_model (SeamComparedChoice *self, SeamModel *model);

G_END_DECLS
