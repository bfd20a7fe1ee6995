/* SPDX-License-Identifier: MIT
 *
 * SeamTrafficPage: which bytes move and where the time went. The ledger of the two plans as they
 * are now, by the model, and of a result that belongs to them its counters; the waterfall from the
 * time of A to that of B; the roofline.
 */
#pragma once

#include "ui/widgets/page.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_TRAFFIC_PAGE (seam_traffic_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTrafficPage, seam_traffic_page, SEAM, TRAFFIC_PAGE, AdwBin)

G_END_DECLS
