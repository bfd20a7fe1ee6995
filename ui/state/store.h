/* SPDX-License-Identifier: MIT
 *
 * A run of a session in the place of a measured one. The window shows two or three plans of it at a
 * time: those that are chosen as A, B and C, without a worker being asked.
 */
#pragma once

#include "ui/state/measurement.h"

G_BEGIN_DECLS

#define SEAM_TYPE_STORE (seam_store_get_type ())
G_DECLARE_FINAL_TYPE (SeamStore, seam_store, SEAM, STORE, GObject)

SeamStore *seam_store_new (SeamSetup *setup, SeamMeasurement *measurement);

/* Shows it: pipeline, shape, options and plans become those of the run, and the result is there
 * without a worker. `name` is the file's, for people. SEAM_ERROR_FILE where the run cannot be
 * shown, SEAM_ERROR_INPUT while another one is measured. */
gboolean seam_store_show (SeamStore *self, SeamSessionRun *run, const char *name, GError **error);
/* The measured side of the window again, without a result. */
void seam_store_close (SeamStore *self);
/* The file that the shown result comes from; NULL when it was measured here. */
const char *seam_store_get_name (SeamStore *self);
/* The whole run, and the part of it that is the shown result; NULL when it was measured here. */
SeamSessionRun *seam_store_get_run (SeamStore *self);
SeamSessionRun *seam_store_get_shown (SeamStore *self);
/* seam_result_get_provenance() of the shown result, and the file where it comes from one; newly
 * allocated, NULL without a result. */
char *seam_store_get_provenance (SeamStore *self);

G_END_DECLS
