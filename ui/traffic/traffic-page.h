/* SPDX-License-Identifier: MIT
 *
 * SeamTrafficPage: which bytes move and where the time goes. The ledger has the modelled bytes of
 * the two current plans and, from a result of these plans, its counters; the waterfall goes from
 * the time of A to that of B; then the roofline.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

#define SEAM_TYPE_TRAFFIC_PAGE (seam_traffic_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTrafficPage, seam_traffic_page, SEAM, TRAFFIC_PAGE, AdwBin)
