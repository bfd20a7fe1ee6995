/* SPDX-License-Identifier: MIT
 *
 * A run or a result, and what it belongs to: the window has one that is shown, and keeps the
 * person's own aside while something recorded is shown.
 */
#pragma once

#include "ui/state/setup.h"

#include "app/runner/live-run.h"
#include "app/session/history.h"

/* All pointers are owned. Zeroed: there is none. */
typedef struct {
  GPtrArray *plans;    /* of SeamPlan, as shown when the run started */
  SeamLiveRun *live;   /* NULL: the result comes from a session */
  SeamResult *partial; /* what was measured before the device was lost */
  SeamResult *result;
  SeamHistoryEntry *entry; /* of the result; its id is 0 until it is written. NULL: none */
  SeamPipeline *pipeline;  /* of the result; NULL: there is none */
  char *plans_key;         /* of the setup then */
  SeamRunRequest *request; /* shape, target and settings that the result belongs to */
  gboolean is_recorded;    /* the result comes from a session */
  gboolean has_outputs;    /* the worker has them */
} SeamRunSubject;

/* With an empty list of plans and nothing else. */
void seam_run_subject_init (SeamRunSubject *self);
/* Frees everything; the list of plans is NULL then. */
void seam_run_subject_clear (SeamRunSubject *self);
