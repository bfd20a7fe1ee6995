/* SPDX-License-Identifier: MIT
 *
 * SeamTrafficPage: which bytes move and where the time went. The ledger of the two plans as they
 * are now, by the model, and of a result that belongs to them its counters; the waterfall from the
 * time of A to that of B; the roofline.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_TRAFFIC_PAGE (seam_traffic_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTrafficPage, seam_traffic_page, SEAM, TRAFFIC_PAGE, AdwBin)

/* Once, before it is shown. */
void seam_traffic_page_set_model (SeamTrafficPage *self, SeamModel *model);
void seam_traffic_page_set_narrow (SeamTrafficPage *self, gboolean narrow);

G_END_DECLS
