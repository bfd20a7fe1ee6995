/* SPDX-License-Identifier: MIT
 *
 * A search that runs: batches of points, measured in alternation with the plan compared with, each
 * with its share of the remaining time. A batch that does not fit into memory is halved. A point
 * that fails or takes the device down is found, written to the file and not tried again.
 */
#include "app/explore/search.h"

#include "app/base/npy.h"

#include <math.h>
#include <string.h>

/* A point of a stopped batch is kept if it has enough samples for an interval. */
#define MIN_SAMPLES_KEPT 10
/* Limits of the time that a batch is measured: long enough that a late batch gets a sample of each
 * plan, and no longer than medians need to settle. */
#define MIN_BATCH_S 0.02
#define MAX_BATCH_S 10.0
/* A batch may exceed its share by this part of the whole budget, until its plans have the samples
 * that an interval needs: fewer points are worth more than points without a verdict. */
#define OVERTIME 0.05
/* Traced executions of a plan, enough for a median: ten took longer than the samples. */
#define N_TRACES  3
#define MAX_BATCH 31

typedef struct {
  SeamSearch *search;
  SeamRunner *runner;
  const SeamSearchOptions *options;
  gint64 start_us;
  double budget_s;
  double beside_s;            /* predicted for the batch: preparing, checks, traces */
  double beside_factor;       /* what that took in the last batch, by the prediction */
  double spent_s, n_measured; /* in batches; points */
  gboolean stopped;
  /* The batch that runs: */
  int points[MAX_BATCH], n;
  int shift; /* 1 if plan 0 of the run is the plan compared with and not a point of the batch */
} Work;

static double
elapsed_s (const Work *work)
{
  return (double)(g_get_monotonic_time () - work->start_us) / G_USEC_PER_SEC;
}

static void
report (Work *work, const int *fresh, int n_fresh, const SeamProgress *run)
{
  SeamSearchProgress progress = {
    .n_points = work->search->n_points,
    .n_pending = seam_search_count (work->search, SEAM_POINT_PENDING),
    .elapsed_s = elapsed_s (work),
    .budget_s = work->budget_s,
    .expected_s = NAN,
    .fresh = fresh,
    .n_fresh = n_fresh,
    .current = -1,
    .run = run,
  };

  if (work->options->progress == NULL)
    return;
  if (work->n_measured > 0)
    progress.expected_s = work->spent_s / work->n_measured * progress.n_pending;
  if (run != NULL && run->plan >= work->shift && run->plan - work->shift < work->n)
    progress.current = work->points[run->plan - work->shift];
  work->options->progress (&progress, work->options->data);
}

static void
run_progress_cb (const SeamProgress *progress, gpointer data)
{
  report (data, NULL, 0, progress);
}

static void
settle (SeamPoint *point, SeamPointState state, const char *message)
{
  point->state = state;
  if (message != NULL) {
    g_free (point->message);
    point->message = g_strdup (message);
  }
}

/* Takes the results of a batch, from a whole run or from one that lost its device. */
static void
take_result (Work *work, const SeamResult *result)
{
  for (int i = 0; i < work->n; i++) {
    SeamPoint *point = &work->search->points[work->points[i]];
    const SeamPlanResult *plan = &result->plans[i + work->shift];

    switch (plan->state) {
    case SEAM_PLAN_MEASURED:
      seam_point_measure (point, result, i + work->shift, 0);
      break;
    case SEAM_PLAN_STOPPED_EARLY:
      if (plan->n_samples >= MIN_SAMPLES_KEPT && result->plans[0].n_samples >= MIN_SAMPLES_KEPT)
        seam_point_measure (point, result, i + work->shift, 0);
      break;
    case SEAM_PLAN_FAULTED:
      settle (point, SEAM_POINT_FAILED, plan->message);
      break;
    case SEAM_PLAN_NOT_MEASURED:
    default:
      if (!result->stopped)
        settle (point, SEAM_POINT_FAILED, plan->message);
      break;
    }
  }
}

static SeamResult *
run_plans (Work *work, double budget_s, SeamResult **partial, GError **error)
{
  SeamSearch *search = work->search;
  char *plans[MAX_BATCH + 2] = { NULL };
  SeamRunRequest request = *search->request;

  work->shift = strcmp (search->points[work->points[0]].plan, search->against) == 0 ? 0 : 1;
  plans[0] = search->against;
  for (int i = 0; i < work->n; i++)
    plans[i + work->shift] = search->points[work->points[i]].plan;
  memcpy (request.values, search->points[work->points[0]].values, sizeof request.values);
  request.plans = plans;
  request.preset = NULL;
  request.settings.budget_s = budget_s;
  request.overtime_s = OVERTIME * work->budget_s;
  request.n_traces = N_TRACES;
  return seam_runner_run (work->runner, &request, work->options->cancel, run_progress_cb, work,
                          partial, error);
}

/* Blames a lost device on the point that ran then or, if that is unknown, on the first point. */
static void
blame (Work *work, const SeamResult *partial, const GError *failure)
{
  if (partial != NULL)
    take_result (work, partial);
  for (int i = 0; i < work->n; i++)
    if (work->search->points[work->points[i]].state == SEAM_POINT_FAILED)
      return;
  for (int i = 0; i < work->n; i++) {
    SeamPoint *point = &work->search->points[work->points[i]];
    if (point->state == SEAM_POINT_PENDING) {
      settle (point, SEAM_POINT_FAILED, failure->message);
      return;
    }
  }
}

static gboolean execute_batch (Work *work, double budget_s, GError **error);

static gboolean
execute_half (Work *work, const int *points, int n, double budget_s, GError **error)
{
  memcpy (work->points, points, sizeof *points * (gsize)n);
  work->n = n;
  return execute_batch (work, budget_s, error);
}

/* Runs the halves of a batch that could not run as a whole, down to the single point that is the
 * reason. */
static gboolean
handle_failure (Work *work, double budget_s, GError *failure, GError **error)
{
  int points[MAX_BATCH], n = work->n, half = n / 2;
  gboolean is_memory = g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_MEMORY);

  if (n == 1) {
    settle (&work->search->points[work->points[0]],
            is_memory ? SEAM_POINT_IMPOSSIBLE : SEAM_POINT_FAILED, failure->message);
    return TRUE;
  }
  memcpy (points, work->points, sizeof points);
  return execute_half (work, points, half, budget_s * half / n, error)
         && (work->stopped
             || execute_half (work, points + half, n - half, budget_s * (n - half) / n, error));
}

static gboolean
execute_batch (Work *work, double budget_s, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (SeamResult) partial = NULL;
  g_autoptr (SeamResult) result =
      run_plans (work, CLAMP (budget_s, MIN_BATCH_S, MAX_BATCH_S), &partial, &failure);

  work->stopped = work->stopped || seam_cancel_check (work->options->cancel, NULL);
  if (result != NULL) {
    take_result (work, result);
    return TRUE;
  }
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    work->stopped = TRUE;
    return TRUE;
  }
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE)) {
    blame (work, partial, failure);
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  return handle_failure (work, budget_s, failure, error);
}

/* Takes the next pending points of one shape, in the search's order; the plan compared with, if
 * pending, comes first. FALSE: none is left. */
static gboolean
choose_batch (Work *work)
{
  const SeamSearch *search = work->search;
  int max = MIN (search->max_batch, MAX_BATCH);

  work->n = 0;
  for (int i = 0; i < search->n_points && work->n < max; i++) {
    int index = search->order[i];
    const SeamPoint *point = &search->points[index];

    if (point->state != SEAM_POINT_PENDING
        || (work->n > 0
            && memcmp (point->values, search->points[work->points[0]].values, sizeof point->values)
                   != 0))
      continue;
    work->points[work->n++] = index;
    if (strcmp (point->plan, search->against) == 0) {
      work->points[work->n - 1] = work->points[0];
      work->points[0] = index;
    }
  }
  return work->n > 0;
}

/* The time to measure the next batch: its share of the time left, by what all need as predicted,
 * less what it takes beside. The first flush lies in the time to measure. */
static double
get_share (Work *work)
{
  double first_s = work->n_measured > 0 ? 0 : seam_search_get_first_s (work->search);
  double left_s = work->budget_s - elapsed_s (work);
  double needed_s = seam_search_get_needed_s (work->search);
  double batch_s = seam_search_get_batch_s (work->search, work->points, work->n, &work->beside_s);

  if (!isfinite (needed_s)) /* of a GPU that was never measured */
    return left_s * work->n / seam_search_count (work->search, SEAM_POINT_PENDING);
  return first_s + (left_s - first_s) * batch_s / needed_s - work->beside_factor * work->beside_s;
}

static gboolean
write_file (Work *work, GError **error)
{
  if (work->options->file == NULL)
    return TRUE;
  g_autofree char *csv = seam_search_to_rows (work->search, SEAM_ROWS_CSV);
  return seam_file_write (work->options->file, csv, strlen (csv), error);
}

/* Runs one batch, reports it and writes the file. */
static gboolean
step (Work *work, GError **error)
{
  g_autofree int *fresh = g_new (int, MAX (MAX_BATCH, work->search->n_points));
  int batch[MAX_BATCH], n_batch = work->n, n_fresh = 0;
  double start_s = elapsed_s (work), budget_s = get_share (work), took_s;
  g_autoptr (GError) failure = NULL;

  memcpy (batch, work->points, sizeof batch);
  if (!execute_batch (work, budget_s, &failure) && failure == NULL)
    g_set_error_literal (&failure, SEAM_ERROR, SEAM_ERROR_INTERNAL, "A batch failed.");
  took_s = elapsed_s (work) - start_s;
  /* A batch that took less ended at its goal, before its time. */
  if (took_s > budget_s && work->beside_s > 0)
    work->beside_factor = (took_s - CLAMP (budget_s, MIN_BATCH_S, MAX_BATCH_S)) / work->beside_s;
  for (int i = 0; i < n_batch; i++)
    if (work->search->points[batch[i]].state != SEAM_POINT_PENDING)
      fresh[n_fresh++] = batch[i];
  work->spent_s += took_s;
  work->n_measured += n_fresh;
  if (failure == NULL && seam_search_renew (work->search, work->runner)) {
    n_fresh = work->search->n_points;
    for (int i = 0; i < n_fresh; i++)
      fresh[i] = i;
  }
  report (work, fresh, n_fresh, NULL);
  /* What was measured is kept, even if the device is lost. */
  if (!write_file (work, failure == NULL ? error : NULL) && failure == NULL)
    return FALSE;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
seam_search_run (SeamSearch *search, SeamRunner *runner, const SeamSearchOptions *options,
                 SeamSearchEnd *end, GError **error)
{
  Work work = {
    .search = search,
    .runner = runner,
    .options = options,
    .start_us = g_get_monotonic_time (),
    .budget_s = search->request->settings.budget_s,
    .beside_factor = 1,
  };
  gboolean is_first = TRUE;

  *end = SEAM_SEARCH_DONE;
  /* Fail before the time is spent if the file cannot be written. */
  if (!write_file (&work, error))
    return FALSE;
  while (choose_batch (&work)) {
    if (work.stopped || seam_cancel_check (options->cancel, NULL)) {
      *end = SEAM_SEARCH_STOPPED;
      return TRUE;
    }
    /* The first batch runs however small the budget is, so that every call makes progress. */
    if (!is_first && elapsed_s (&work) >= work.budget_s) {
      *end = SEAM_SEARCH_BUDGET;
      return TRUE;
    }
    if (!step (&work, error))
      return FALSE;
    is_first = FALSE;
  }
  return TRUE;
}
