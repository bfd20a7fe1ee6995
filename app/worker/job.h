/* SPDX-License-Identifier: MIT
 *
 * One call of the protocol, executed on the runner: from its method and parameters to a reply or an
 * error. Knows no pipes and no main loop (worker.c).
 */
#pragma once

#include "app/runner/runner.h"
#include "app/session/past-runs.h"

typedef struct {
  char *method;
  GVariant *params; /* a{sv}, or whatever came; owned */
  GVariant *id;     /* of the call; owned */
  SeamCancel cancel;

  /* After seam_job_execute() one of these two is set; both are owned. */
  GVariant *reply;
  GError *error;
  GVariant *partial;    /* results of a run that lost its device, or NULL; owned */
  gboolean leaves_code; /* edited code may go on running */
} SeamJob;

/* State that the calls share. */
typedef struct {
  SeamRunner *runner; /* keeps the last run */
  gboolean has_run;
  char *target; /* target of the last run; NULL: the best one */
  /* For estimates on another target, so that the outputs of the last run are kept. */
  SeamRunner *estimator;
  SeamPastRuns *past_runs; /* for guesses */
  int reading;             /* plan of the last run whose output is being read in parts; -1: none */
  /* Sends a notification during a call; takes `params`, which may be floating. Called from the
   * thread that executes jobs. */
  void (*notify) (const char *method, GVariant *params, gpointer data);
  gpointer notify_data;
} SeamJobContext;

void seam_job_context_init (SeamJobContext *context);
void seam_job_context_clear (SeamJobContext *context);

SeamJob *seam_job_new (const char *method, GVariant *id, GVariant *params);
void seam_job_free (SeamJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamJob, seam_job_free)

/* Whether the protocol has such a call for the work thread. */
gboolean seam_job_is_known (const char *method);
/* `progress` is called from the calling thread, during a run. */
void seam_job_execute (SeamJob *job, SeamJobContext *context, SeamProgressFunc progress,
                       gpointer data);
