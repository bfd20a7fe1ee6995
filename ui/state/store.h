/* SPDX-License-Identifier: MIT
 *
 * The view of a session: one of its runs in the place of a measured one. The window shows two or
 * three plans of it at a time: those that are chosen as A, B and C, without a worker being asked.
 * The view changes nothing of what the person had chosen and measured: when it ends, that is
 * chosen and shown again. Choosing another pipeline ends it, too. A run that is measured in the
 * view takes the place of the recorded one; the view goes on.
 *
 * Properties:
 *   "viewing"   notify only: whether a recorded result is shown
 */
#pragma once

#include "ui/state/measurement.h"

#define SEAM_TYPE_STORE (seam_store_get_type ())
G_DECLARE_FINAL_TYPE (SeamStore, seam_store, SEAM, STORE, GObject)

SeamStore *seam_store_new (SeamSetup *setup, SeamMeasurement *measurement);

/* Shows it: pipeline, shape, options and plans are those of the run, and the result is there
 * without a worker. `name` is the file's, for people. SEAM_ERROR_FILE where the run cannot be
 * shown, SEAM_ERROR_INPUT while another one is measured. */
gboolean seam_store_show (SeamStore *self, SeamSessionRun *run, const char *name, GError **error);
/* The same without the result: pipeline, shape and settings are those of the run, and nothing that
 * was measured can be seen. The caller chooses the plans. */
gboolean seam_store_cover (SeamStore *self, SeamResult *result, GError **error);
/* A view without a run: what the person has chosen is kept until seam_store_close(). Whatever is
 * recorded is shown between this and seam_store_end_entering(), and may choose its pipeline. */
void seam_store_begin_entering (SeamStore *self);
void seam_store_end_entering (SeamStore *self);
/* Ends the view: what the person had chosen and measured is there again. */
void seam_store_close (SeamStore *self);
gboolean seam_store_is_viewing (SeamStore *self);
/* Whether the view is about a recorded run, shown or covered. */
gboolean seam_store_is_recorded (SeamStore *self);
/* The device of that run, borrowed; NULL: the view is about this computer. */
const SeamDeviceInfo *seam_store_get_device (SeamStore *self);
/* The rates of the device on which it was recorded, and where they come from (borrowed); FALSE:
 * there is none, or nothing is known of its device. */
gboolean seam_store_get_rates (SeamStore *self, SeamRates *rates, const char **source);
/* The file that the shown result comes from; NULL when it was measured here. */
const char *seam_store_get_name (SeamStore *self);
/* The whole run, and the part of it that is the shown result; NULL if it was measured here. */
SeamSessionRun *seam_store_get_run (SeamStore *self);
SeamSessionRun *seam_store_get_shown (SeamStore *self);
/* seam_result_get_provenance() of the shown result, with the file if it comes from one; newly
 * allocated, NULL without a result. */
char *seam_store_get_provenance (SeamStore *self);
