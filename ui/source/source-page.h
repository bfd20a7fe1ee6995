/* SPDX-License-Identifier: MIT
 *
 * SeamSourcePage: the code that executes plans A and B as they are now, group by group. It asks the
 * worker while the tab is shown; nothing is run for it.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

#define SEAM_TYPE_SOURCE_PAGE (seam_source_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourcePage, seam_source_page, SEAM, SOURCE_PAGE, AdwBin)
