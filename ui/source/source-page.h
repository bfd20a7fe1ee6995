/* SPDX-License-Identifier: MIT
 *
 * SeamSourcePage: the code that executes plans A and B as they are now, group by group. It asks the
 * worker while it is looked at; nothing is run for it.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_SOURCE_PAGE (seam_source_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourcePage, seam_source_page, SEAM, SOURCE_PAGE, AdwBin)

/* Once, before it is shown. Adds copy-source, save-source and save-source-to (a path) to `map`. */
void seam_source_page_set_model (SeamSourcePage *self, SeamModel *model, GActionMap *map);
void seam_source_page_set_narrow (SeamSourcePage *self, gboolean narrow);

G_END_DECLS
