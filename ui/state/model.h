/* SPDX-License-Identifier: MIT
 *
 * The window's state: its objects, each made after those that it follows. Widgets read them, call
 * their setters and follow their properties (ui/state/watch.h). Nothing here draws.
 */
#pragma once

#include "ui/state/explorations.h"
#include "ui/state/store.h"
#include "ui/state/watch.h"
#include "ui/state/workers.h"

#define SEAM_TYPE_MODEL (seam_model_get_type ())
G_DECLARE_FINAL_TYPE (SeamModel, seam_model, SEAM, MODEL, GObject)

struct _SeamModel {
  GObject parent_instance;

  /* All are owned and exist from seam_model_new() on. */
  SeamNotices *notices;          /* messages to the person */
  SeamWorkers workers;           /* on each machine */
  SeamSetup *setup;              /* what the person chose */
  SeamAdvice *advice;            /* what the worker says of it before anything runs */
  SeamHistoryList *history;      /* what was measured, on disk */
  SeamMeasurement *measurement;  /* the run and its result */
  SeamStore *store;              /* the view of a session in its place */
  SeamExplorations explorations; /* partitions and sweep */
};

/* `pipelines`: at least one SeamPipeline; the first is chosen. Keeps a reference. */
SeamModel *seam_model_new (GPtrArray *pipelines);
/* Ends the worker and its work, because the window closes. Answers that are still on their way
 * are dropped. */
void seam_model_close (SeamModel *self);
/* Cuts or fuses a seam of a shown plan; a locked seam gives SEAM_ERROR_UNSUPPORTED with the
 * backend's sentence. */
gboolean seam_model_toggle_seam (SeamModel *self, int index, int seam, GError **error);
