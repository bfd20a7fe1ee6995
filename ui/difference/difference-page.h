/* SPDX-License-Identifier: MIT
 *
 * SeamDifferencePage: where and by how much two outputs differ. Verdict in words, overview of the
 * whole output, a slice of it at full resolution, and a panel that always shows the element under
 * the pointer. Grids come from the worker (app/worker), asked for as they are looked at; nothing is
 * computed here but counts over the slice that is on the screen.
 */
#pragma once

#include "ui/widgets/page.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_PAGE (seam_difference_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferencePage, seam_difference_page, SEAM, DIFFERENCE_PAGE, AdwBin)

/* Make one with g_object_new (SEAM_TYPE_DIFFERENCE_PAGE, NULL): seam_difference_page_new() is the
 * export sheet of app/report/page.h. */

/* Shows the first `n_plans` plans of the result, A, B and perhaps C; at first A with the one at
 * `compared` (-1 when there is only one). `client` NULL: the worker no longer holds the outputs;
 * the overview kept with the result is shown alone. `result` NULL: the empty state. */
void seam_difference_page_set_result (SeamDifferencePage *self, SeamWorkerClient *client,
                                      SeamResult *result, int n_plans, int compared);
/* The run from a session that the next seam_difference_page_set_result() shows; NULL: measured
 * here.
 */
void seam_difference_page_set_kept (SeamDifferencePage *self, SeamSessionRun *kept,
                                    const char *file_name);
/* A remark that the result no longer belongs to what the sidebar shows; NULL clears. */
void seam_difference_page_set_stale (SeamDifferencePage *self, const char *reason);

gboolean seam_difference_page_has_difference (SeamDifferencePage *self);

G_END_DECLS
