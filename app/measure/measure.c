/* SPDX-License-Identifier: MIT
 *
 * The measuring protocol. Three passes over the same plans: warm-up, timed samples in alternation,
 * traced executions. Stop and a lost device act between executions, and samples that were taken are
 * never lost. trace-merge.c evaluates traces, statistics.c computes medians.
 */
#include "app/measure/measure.h"

#include "app/compare/pairs.h"
#include "app/measure/trace-merge.h"

#include <math.h>

/* A plan is warm after this long: allocations are touched, libraries have loaded their kernels and
 * the GPU's clock, which ramps in tens of milliseconds, has settled. */
#define WARM_UP_S    0.2
#define WARM_UP_RUNS 3
/* All warm-up together takes at most this share of the budget; slow plans get fewer than
 * WARM_UP_RUNS. */
#define WARM_UP_SHARE 0.2
/* The interval of fewer samples is easily narrow by luck. */
#define MIN_SAMPLES SEAM_SERIES_ENOUGH
/* With more samples the median no longer moves, but all samples are kept and sent to the window. */
#define MAX_SAMPLES 10000
/* The traced pass takes at most this share of the budget, but no less than TRACE_MIN_S; every plan
 * gets one traced execution in any case. */
#define TRACE_SHARE         0.25
#define TRACE_MIN_S         1.0
#define PROGRESS_INTERVAL_S 0.1
/* Plans are moved in memory while one of them is shorter than this; of longer ones the offset of a
 * place is a fifth of the goal (app/compare/pairs.c). They stay in a place for a few rounds and
 * this long, and for MOVE_WORTH times what a move costs; all places together take at most this
 * share of the budget, or the plans stay. */
#define MOVED_NS     1e6
#define PLACE_ROUNDS 8
#define PLACE_S      0.02
#define MOVE_WORTH   4
#define PLACES       16
#define PLACES_SHARE 0.5

typedef struct {
  SeamMeasurePlan *plan;
  int n_allocated;
  int n_checked;     /* number of samples at the last computation of the interval */
  double wall_s;     /* duration of the last timed execution including the flush */
  gboolean excluded; /* cannot be executed; its message says why */
  GPtrArray *traces; /* of SeamTrace, owned */
  GArray *counters;  /* of SeamCounters, owned; NULL: none */
} PlanState;

typedef struct {
  SeamDevice *device; /* of the plan that is executed now */
  PlanState *plans;
  int n_plans;
  const SeamMeasureOptions *options;
  int *failed_plan;
  double started_s, reported_s;
  SeamProgress *progress;
  int n_new_allocated;
  gboolean stopped;
  gboolean moves; /* plans change their place in memory */
  int n_places, place_rounds;
  double place_since_s, move_s; /* when they came to the present one; cost of the last move */
  double shortest_ns;           /* of all samples */
} Measurement;

static double
now_s (void)
{
  return (double)g_get_monotonic_time () / (double)G_USEC_PER_SEC;
}

static double
elapsed_s (const Measurement *m)
{
  return now_s () - m->started_s;
}

int
seam_measure_order (int n_plans, int position)
{
  if (n_plans <= 0 || position < 0)
    return 0;
  int k = position % (2 * n_plans);
  return k < n_plans ? k : 2 * n_plans - 1 - k;
}

static gboolean
is_stopped (Measurement *m)
{
  if (!m->stopped && seam_cancel_check (m->options->cancel, NULL))
    m->stopped = TRUE;
  return m->stopped;
}

/* Reports at most every PROGRESS_INTERVAL_S unless `force`; unreported samples wait. */
static void
report (Measurement *m, gboolean force)
{
  SeamProgress *progress = m->progress;
  SeamDevice *device = m->device;
  double now = now_s ();

  if (!force && now - m->reported_s < PROGRESS_INTERVAL_S)
    return;
  m->reported_s = now;
  progress->elapsed_s = now - m->started_s;
  progress->budget_s = m->options->budget_s;
  if (device->backend->get_vitals != NULL) {
    SeamVitals vitals = { NAN, NAN, NAN };
    device->backend->get_vitals (device, &vitals);
    if (isfinite (vitals.clock_mhz))
      progress->clock_mhz = vitals.clock_mhz;
    progress->power_w = vitals.power_w;
    progress->temperature_c = vitals.temperature_c;
    if (progress->n_new > 0) { /* between two samples */
      progress->load_power_w = fmax (progress->load_power_w, vitals.power_w);
      progress->load_temperature_c = fmax (progress->load_temperature_c, vitals.temperature_c);
    }
  }
  if (m->options->progress != NULL)
    m->options->progress (progress, m->options->progress_data);
  progress->n_new = 0;
}

static void
begin_plan (Measurement *m, int index)
{
  m->progress->plan = index;
  m->device = m->plans[index].plan->device;
}

static void
begin_step (Measurement *m, SeamStep step)
{
  m->progress->step = step;
  m->progress->fraction = 0.0;
  report (m, FALSE);
}

/* Puts the reason why a plan has no times before its other messages. */
static void
put_message_first (SeamPlanResult *result, const char *message)
{
  char *joined = result->message == NULL ? g_strdup (message)
                                         : g_strdup_printf ("%s %s", message, result->message);
  g_free (result->message);
  result->message = joined;
}

static void
append_sample (Measurement *m, int index, const SeamSample *sample)
{
  PlanState *state = &m->plans[index];
  SeamPlanResult *result = state->plan->result;
  SeamProgress *progress = m->progress;

  if (result->n_samples == state->n_allocated) {
    state->n_allocated = MAX (64, 2 * state->n_allocated);
    result->samples = g_renew (SeamSample, result->samples, state->n_allocated);
  }
  m->shortest_ns = fmin (m->shortest_ns, sample->elapsed_ns);
  result->samples[result->n_samples++] = *sample;

  if (progress->n_new == m->n_new_allocated) {
    m->n_new_allocated = MAX (64, 2 * m->n_new_allocated);
    progress->new_plans = g_renew (int, progress->new_plans, m->n_new_allocated);
    progress->new_samples = g_renew (SeamSample, progress->new_samples, m->n_new_allocated);
  }
  progress->new_plans[progress->n_new] = index;
  progress->new_samples[progress->n_new++] = *sample;
  progress->clock_mhz = sample->clock_mhz;
}

/* Handles a failed execution. TRUE: the measurement goes on without this plan, or ends because of
 * Stop. FALSE: the device is lost, and `error` is set. */
static gboolean
handle_failure (Measurement *m, int index, GError *failure, GError **error)
{
  SeamPlanResult *result = m->plans[index].plan->result;

  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    m->stopped = TRUE;
    g_error_free (failure);
    return TRUE;
  }
  put_message_first (result, failure->message);
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE)) {
    result->state = SEAM_PLAN_FAULTED;
    if (m->failed_plan != NULL)
      *m->failed_plan = index;
    g_propagate_error (error, failure);
    return FALSE;
  }
  m->plans[index].excluded = TRUE;
  g_error_free (failure);
  return TRUE;
}

static gboolean
warm_up (Measurement *m, GError **error)
{
  double share_s = m->options->budget_s * WARM_UP_SHARE / m->n_plans;

  begin_step (m, SEAM_STEP_WARM_UP);
  for (int i = 0; i < m->n_plans; i++) {
    const SeamMeasurePlan *plan = m->plans[i].plan;
    double start = now_s (), spent = 0.0;

    begin_plan (m, i);
    for (int n = 0; n == 0 || (spent < share_s && (n < WARM_UP_RUNS || spent < WARM_UP_S)); n++) {
      g_autoptr (GError) failure = NULL;
      if (is_stopped (m))
        return TRUE;
      if (!plan->device->backend->run (plan->device, plan->groups, plan->n_groups,
                                       m->options->cancel, &failure)) {
        if (!handle_failure (m, i, g_steal_pointer (&failure), error))
          return FALSE;
        break;
      }
      spent = now_s () - start;
      m->progress->fraction =
          (i + MIN (1.0, spent / MAX (MIN (WARM_UP_S, share_s), 1e-9))) / m->n_plans;
      report (m, FALSE);
    }
  }
  return TRUE;
}

/* Computes median and interval of a plan; `result` keeps them for the live table of the window. */
static SeamMedian
update_median (PlanState *state)
{
  state->n_checked = state->plan->result->n_samples;
  return seam_plan_result_summarise (state->plan->result);
}

/* TRUE if the interval of every plan is under the goal, the pairs with the first plan have enough
 * effective ones, and the plans were in enough places. Sorting all samples after each round would
 * be quadratic, so a plan is evaluated again only when it has grown by a twentieth. `done` receives
 * the estimated share of the necessary samples that have been taken. */
static gboolean
goal_is_reached (Measurement *m, double *done)
{
  gboolean reached = TRUE;

  for (int i = 0; i < m->n_plans; i++) {
    PlanState *state = &m->plans[i];
    int n = state->plan->result->n_samples, needed;
    SeamPairs pairs;

    if (state->excluded)
      continue;
    if (n < MIN_SAMPLES || n < state->n_checked + state->n_checked / 20)
      return FALSE;
    SeamMedian median = update_median (state);
    needed = seam_median_samples_needed (&median, m->options->goal);
    if (needed < 0)
      return FALSE;
    *done = MIN (*done, (double)n / ((double)n + needed));
    if (needed > 0)
      reached = FALSE;
    if (i == 0 || m->plans[0].excluded || !reached)
      continue;
    seam_pairs_count (m->plans[0].plan->result, state->plan->result, &pairs);
    reached = pairs.log_ratio.effective >= SEAM_SERIES_ENOUGH;
  }
  return reached && (!m->moves || m->n_places >= PLACES);
}

/* Whether plan `index` may be executed once more: always the first time, else if it will probably
 * end within the budget, or within the overtime if the plan has no interval yet. */
static gboolean
has_time (const Measurement *m, int index, int n_tried)
{
  PlanState *state = &m->plans[index];
  double end_s = elapsed_s (m) + state->wall_s;

  if (n_tried < m->n_plans || end_s <= m->options->budget_s)
    return TRUE;
  SeamMedian median = update_median (state);
  return (median.n < SEAM_MEASURE_FIRST_ROUNDS || isnan (median.low))
         && end_s <= m->options->budget_s + m->options->overtime_s;
}

/* Has the plans prepared again. FALSE: they no longer exist. */
static gboolean
renew (Measurement *m, gboolean (*prepare) (gpointer, GError **), GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (prepare (m->options->renew_data, &failure))
    return TRUE;
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)) {
    m->moves = FALSE;
    return TRUE;
  }
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED))
    m->stopped = TRUE;
  else
    g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Moves all plans in memory if that is due and worth its time. FALSE: the plans no longer exist. */
static gboolean
move_if_due (Measurement *m, GError **error)
{
  double start = now_s (), stay_s = fmax (PLACE_S, MOVE_WORTH * m->move_s);

  m->place_rounds++;
  if (!m->moves || m->shortest_ns > MOVED_NS || m->place_rounds < PLACE_ROUNDS
      || start - m->place_since_s < stay_s)
    return TRUE;
  if (!renew (m, m->options->move, error))
    return FALSE;
  m->n_places += m->moves;
  m->place_rounds = 0;
  m->place_since_s = now_s ();
  m->move_s = m->place_since_s - start;
  m->moves &= PLACES * (MOVE_WORTH + 1) * m->move_s <= PLACES_SHARE * m->options->budget_s;
  return TRUE;
}

static gboolean
take_samples (Measurement *m, GError **error)
{
  guint timing = (m->options->cold ? SEAM_TIMING_COLD : 0) | m->options->timing;
  gboolean first = m->options->renew != NULL;
  int order = 0;

  begin_step (m, SEAM_STEP_MEASURE);
  m->moves = !first && m->options->move != NULL;
  m->n_places = 1;
  m->place_since_s = now_s ();
  for (int position = 0;; position++) {
    /* In every other place the order begins the other way round. */
    int turned = position + (m->n_places % 2 == 0 ? m->n_plans : 0);
    int index = first ? position % m->n_plans : seam_measure_order (m->n_plans, turned);
    PlanState *state = &m->plans[index];
    g_autoptr (GError) failure = NULL;
    SeamSample sample = { .elapsed_ns = NAN, .clock_mhz = NAN, .order = order };
    double start, done = 1.0, fraction;
    gboolean any = FALSE;

    for (int i = 0; i < m->n_plans; i++)
      any = any || !m->plans[i].excluded;
    if (!any || is_stopped (m) || !has_time (m, index, position))
      break;
    start = now_s ();
    if (first && index == 0 && position > 0 && !renew (m, m->options->renew, error))
      return m->stopped;
    if (state->excluded)
      continue;

    begin_plan (m, index);
    SeamDevice *device = state->plan->device;
    if (!device->backend->time (device, state->plan->groups, state->plan->n_groups, timing, &sample,
                                &failure)) {
      if (!handle_failure (m, index, g_steal_pointer (&failure), error))
        return FALSE;
      continue;
    }
    state->wall_s = now_s () - start;
    sample.order = order;
    /* An invalid time is no sample, but the execution counts as tried. */
    if (isfinite (sample.elapsed_ns) && sample.elapsed_ns > 0.0) {
      append_sample (m, index, &sample);
      order++;
    }

    fraction = elapsed_s (m) / MAX (m->options->budget_s, 1e-9);
    /* The goal is checked after whole rounds, so that all plans have equally many samples. */
    if ((position + 1) % m->n_plans == 0) {
      gboolean full = TRUE;
      if (first && position + 1 >= SEAM_MEASURE_FIRST_ROUNDS * m->n_plans)
        break;
      if (!first && goal_is_reached (m, &done))
        break;
      if (done < 1.0)
        fraction = MAX (fraction, done);
      for (int i = 0; i < m->n_plans; i++)
        full = full && (m->plans[i].excluded || m->plans[i].plan->result->n_samples >= MAX_SAMPLES);
      if (full)
        break;
      if (!move_if_due (m, error))
        return m->stopped;
    }
    m->progress->fraction = CLAMP (fraction, m->progress->fraction, 1.0);
    report (m, FALSE);
  }
  m->progress->fraction = 1.0;
  if (m->progress->n_new > 0)
    report (m, TRUE);
  return TRUE;
}

static gboolean
has_ability (const PlanState *state, SeamAbilities ability)
{
  return (seam_device_info_get_abilities (state->plan->device->info) & ability) != 0;
}

static gboolean
take_traces (Measurement *m, char **why_not, GError **error)
{
  double start = now_s ();
  double limit_s = MAX (TRACE_MIN_S, m->options->budget_s * TRACE_SHARE);
  int n_positions = m->n_plans * m->options->n_traces;

  gboolean can_trace = FALSE;

  for (int i = 0; i < m->n_plans; i++)
    if (has_ability (&m->plans[i], SEAM_ABILITY_TRACE))
      can_trace = TRUE;
    else if (*why_not == NULL)
      *why_not = g_strdup_printf ("The %s backend does not record kernels.",
                                  m->plans[i].plan->device->backend->name);
  if (!can_trace)
    return TRUE;
  begin_step (m, SEAM_STEP_TRACE);
  for (int position = 0; position < n_positions; position++) {
    int index = seam_measure_order (m->n_plans, position);
    PlanState *state = &m->plans[index];
    g_autoptr (GError) failure = NULL;

    if (is_stopped (m) || (position >= m->n_plans && now_s () - start > limit_s))
      break;
    SeamDevice *device = state->plan->device;
    if (state->excluded || !has_ability (state, SEAM_ABILITY_TRACE))
      continue;
    begin_plan (m, index);
    SeamTrace *trace = device->backend->trace (device, state->plan->groups, state->plan->n_groups,
                                               m->options->cold, &failure);
    if (trace == NULL) {
      if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)
          || g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE))
        return handle_failure (m, index, g_steal_pointer (&failure), error);
      /* Missing records are no failure: the elapsed times remain valid. */
      g_free (*why_not);
      *why_not = g_strdup (failure->message);
      break;
    }
    g_ptr_array_add (state->traces, trace);
    m->progress->fraction = (position + 1.0) / n_positions;
    report (m, FALSE);
  }
  return TRUE;
}

/* The third pass. An obstacle for the first plan is one for all; the times remain valid without
 * it. */
static gboolean
take_counters (Measurement *m, char **why_not, GError **error)
{
  for (int i = 0; i < m->n_plans; i++) {
    PlanState *state = &m->plans[i];
    SeamDevice *device = state->plan->device;
    g_autoptr (GError) failure = NULL;

    if (is_stopped (m))
      break;
    if (state->excluded || state->traces->len == 0 || !has_ability (state, SEAM_ABILITY_COUNTERS))
      continue;
    begin_plan (m, i);
    state->counters =
        device->backend->count (device, state->plan->groups, state->plan->n_groups, &failure);
    if (state->counters != NULL)
      continue;
    if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)
        || g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE))
      return handle_failure (m, i, g_steal_pointer (&failure), error);
    *why_not = g_strdup (failure->message);
    break;
  }
  return TRUE;
}

/* Computes medians, kernel tables and states from the samples taken, also after a failure. */
static void
conclude (Measurement *m, char *why_not, char *why_no_counters, char **trace_note)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_null_terminated (8, g_free, TRUE);

  if (why_not != NULL)
    g_ptr_array_add (notes, why_not);
  if (why_no_counters != NULL)
    g_ptr_array_add (notes, why_no_counters);
  for (int i = 0; i < m->n_plans; i++) {
    PlanState *state = &m->plans[i];
    SeamPlanResult *result = state->plan->result;
    const char *title = result->name != NULL ? result->name : result->notation;

    update_median (state);
    result->n_places = m->n_places;
    seam_trace_merge (state->traces, title != NULL ? title : "plan", result, notes);
    if (state->counters != NULL && result->n_kernels > 0
        && !seam_trace_add_counters (result, state->counters))
      g_ptr_array_add (notes,
                       g_strdup_printf ("%s: counters of %u kernels for %d traced ones; they "
                                        "were left out.",
                                        title != NULL ? title : "plan", state->counters->len,
                                        result->n_kernels));
    if (result->state == SEAM_PLAN_FAULTED)
      continue;
    if (result->n_samples > 0) {
      result->state = m->stopped ? SEAM_PLAN_STOPPED_EARLY : SEAM_PLAN_MEASURED;
    } else {
      result->state = SEAM_PLAN_NOT_MEASURED;
      if (state->excluded)
        continue;
      put_message_first (result, m->stopped ? "Stopped before its first sample."
                                            : "No execution of it gave a valid time.");
    }
  }
  if (trace_note != NULL && notes->len > 0)
    *trace_note = g_strjoinv (" ", (char **)notes->pdata);
}

gboolean
seam_measure (SeamMeasurePlan *plans, int n_plans, const SeamMeasureOptions *options,
              int *failed_plan, char **trace_note, GError **error)
{
  SeamProgress own_progress = { .plan = -1 };
  Measurement m = {
    .n_plans = n_plans,
    .options = options,
    .failed_plan = failed_plan,
    .shortest_ns = INFINITY,
    .progress = options->state != NULL ? options->state : &own_progress,
  };
  char *why_not = NULL, *why_no_counters = NULL;

  if (failed_plan != NULL)
    *failed_plan = -1;
  if (trace_note != NULL)
    *trace_note = NULL;
  if (n_plans <= 0)
    return TRUE;

  m.plans = g_new0 (PlanState, n_plans);
  for (int i = 0; i < n_plans; i++) {
    m.plans[i].plan = &plans[i];
    g_clear_pointer (&plans[i].result->samples, g_free);
    plans[i].result->n_samples = 0;
    m.plans[i].traces = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_trace_free);
  }
  m.device = plans[0].device;
  m.n_new_allocated = m.progress->n_new;
  m.started_s = now_s ();
  m.progress->load_power_w = m.progress->load_temperature_c = NAN;

  gboolean ok = options->renew != NULL || warm_up (&m, error);
  if (ok && !m.stopped)
    ok = take_samples (&m, error);
  if (ok && !is_stopped (&m))
    ok = take_traces (&m, &why_not, error);
  if (ok && options->counters)
    ok = take_counters (&m, &why_no_counters, error);
  if (m.progress->n_new > 0)
    report (&m, TRUE);
  conclude (&m, why_not, why_no_counters, trace_note);

  m.progress->plan = -1;
  for (int i = 0; i < n_plans; i++) {
    g_ptr_array_unref (m.plans[i].traces);
    g_clear_pointer (&m.plans[i].counters, g_array_unref);
  }
  g_free (m.plans);
  seam_record_clear (&seam_progress_type, &own_progress);
  return ok;
}
