/* SPDX-License-Identifier: MIT
 *
 * A run of a session that replaces a measured one. The window shows two or three plans of it at a
 * time: those that are chosen as A, B and C. No worker is asked.
 */
#pragma once

#include "ui/state/measurement.h"

G_BEGIN_DECLS

#define SEAM_TYPE_STORE (seam_store_get_type ())
G_DECLARE_FINAL_TYPE (SeamStore, seam_store, SEAM, STORE, GObject)

SeamStore *seam_store_new (SeamSetup *setup, SeamMeasurement *measurement);

/* Shows the run: pipeline, shape, options and plans become those of the run, and its result is
 * shown without a worker. `name` is the file's, for people. SEAM_ERROR_FILE if the run cannot be
 * shown, SEAM_ERROR_INPUT while another one is measured. */
gboolean seam_store_show (SeamStore *self, SeamSessionRun *run, const char *name, GError **error);
/* Returns to runs that are measured here, without a result. */
void seam_store_close (SeamStore *self);
/* The file that the shown result comes from; NULL if it was measured here. */
const char *seam_store_get_name (SeamStore *self);
/* The whole run, and the part of it that is the shown result; NULL if it was measured here. */
SeamSessionRun *seam_store_get_run (SeamStore *self);
SeamSessionRun *seam_store_get_shown (SeamStore *self);
/* seam_result_get_provenance() of the shown result, with the file if it comes from one; newly
 * allocated, NULL without a result. */
char *seam_store_get_provenance (SeamStore *self);

G_END_DECLS
