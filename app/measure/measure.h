/* SPDX-License-Identifier: MIT
 *
 * The measuring protocol (design, "Measuring", points 2 to 5): warm-up, alternating order A B B A,
 * all samples kept, stop when every interval is under the goal or the budget ends, then a separate
 * traced pass. Works on prepared plans of open devices; checking outputs is run/'s job.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/base/statistics.h"

typedef struct {
  SeamDevice *device; /* executes it; all plans of a measurement may have the same */
  SeamPrepared *const *groups;
  int n_groups;
  SeamPlanResult *result; /* filled: samples, median, interval, kernels, span, sum, state */
} SeamMeasurePlan;

typedef struct {
  gboolean cold;
  guint timing; /* SeamTiming bits for mistakes made on purpose; 0: none */
  double budget_s;
  double overtime_s; /* extra time beyond the budget, until every plan has enough samples for an
                      * interval */
  double goal;       /* relative width of the interval at which sampling stops; 0.005 */
  int n_traces;      /* traced executions per plan; 10 */
  gboolean counters; /* also read hardware counters, once per plan */
  /* For another mistake made on purpose; may be NULL. Called before each round of samples except
   * the first, to prepare every plan again, so that every sample is a first execution. There is
   * no warm-up then, every round runs the plans in their order, and SEAM_MEASURE_FIRST_ROUNDS
   * suffice. */
  gboolean (*renew) (gpointer data, GError **error);
  /* Prepares every plan again, with outputs and intermediates elsewhere in memory; may be NULL.
   * Called between rounds where plans are so short that their place shows in their times, and this
   * costs little of the budget. FALSE with SEAM_ERROR_UNSUPPORTED: the plans stay as they were. */
  gboolean (*move) (gpointer data, GError **error);
  gpointer renew_data; /* for both */
  SeamCancel *cancel;  /* Stop: keeps the samples so far, marks plans STOPPED_EARLY; returns TRUE */
  SeamProgressFunc progress;
  gpointer progress_data;
  SeamProgress *state; /* the run's progress record, updated and reported; owned by the caller */
} SeamMeasureOptions;

/* The fewest samples that give a 95 % interval of a median, and two more. */
#define SEAM_MEASURE_FIRST_ROUNDS 8

/* Measures all plans in alternation. FALSE only if the device failed; then `failed_plan` names the
 * plan (result state FAULTED), and the others keep their samples. `trace_note` receives the reason
 * why there are no kernel records (newly allocated), or NULL. */
gboolean seam_measure (SeamMeasurePlan *plans, int n_plans, const SeamMeasureOptions *options,
                       int *failed_plan, char **trace_note, GError **error);

/* The k-th position of the alternating order over n plans: 0 1 1 0 0 1 1 0 … for n = 2; forward
 * then backward in general. */
int seam_measure_order (int n_plans, int position);
