/* SPDX-License-Identifier: MIT
 *
 * The sweep page: which fields of the shape vary and which plans are compared, the figure of what
 * is measured so far, every point as a table. app/explore/sweep.h knows, ui/exploration.h measures.
 */
#pragma once

#include "ui/session-file.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_SWEEP_PAGE (seam_sweep_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamSweepPage, seam_sweep_page, SEAM, SWEEP_PAGE, AdwBin)

/* Once, before it is shown; an exploration of the kind sweep. */
void seam_sweep_page_set_model (SeamSweepPage *self, SeamModel *model,
                                SeamExploration *exploration);
/* Once: whose recordings it may show. */
void seam_sweep_page_set_session (SeamSweepPage *self, SeamSessionFile *file);
void seam_sweep_page_set_narrow (SeamSweepPage *self, gboolean narrow);

G_END_DECLS
