/* SPDX-License-Identifier: MIT
 *
 * SeamExplorePage: the lattice of all partitions as they are predicted and measured, what each seam
 * is worth, and all of it as tables. Activating a node or a row makes it plan B.
 */
#pragma once

#include "ui/session-file.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_EXPLORE_PAGE (seam_explore_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamExplorePage, seam_explore_page, SEAM, EXPLORE_PAGE, AdwBin)

/* Once, before it is shown. */
void seam_explore_page_set_model (SeamExplorePage *self, SeamModel *model,
                                  SeamExploration *exploration);
/* Once: whose recordings it may show. */
void seam_explore_page_set_session (SeamExplorePage *self, SeamSessionFile *file);
void seam_explore_page_set_narrow (SeamExplorePage *self, gboolean narrow);

G_END_DECLS
