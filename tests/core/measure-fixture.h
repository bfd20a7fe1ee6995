/* SPDX-License-Identifier: MIT
 *
 * A backend whose times, traces and failures are scripted, and a measurement with it: for
 * test-measure.c.
 */
#pragma once

#include "app/measure/measure.h"

#include <glib.h>
#include <math.h>
#include <string.h>

enum { MAX_PLANS = 4, MAX_CALLS = 200000 };

typedef struct {
  int n_run, n_time, n_trace, n_count;
} Counts;

/* The script and the log of one test. */
typedef struct {
  SeamDevice device;
  Counts counts[MAX_PLANS];
  int *time_calls; /* plan of every timed execution */
  int n_time_calls;
  gboolean all_cold, all_warm;
  gboolean traced_before_timed;

  gulong execution_us; /* wall time of an execution */
  double base_ns[MAX_PLANS];
  double noise; /* relative, uniform */
  GRand *rand;
  int fail_plan, fail_at; /* fails in that plan's fail_at-th timed execution (from 0) */
  int fail_code;
  gboolean fail_in_run;
  int invalid_every; /* each sample with this period is not a number; 0: none */
  SeamCancel *cancel;
  int cancel_at; /* raised during this timed execution, over all plans; -1: never */
  int cancel_at_trace;
  int n_progress;
  int n_progress_samples[MAX_PLANS];
  SeamStep last_step;
  gboolean steps_in_order, fraction_in_range;
  double last_fraction;
  int trace_fail_code; /* 0: traces work */
  /* Records of the t-th trace of a plan; NULL: two plain kernels. */
  void (*fill_trace) (SeamTrace *trace, int plan, int t);
  int n_moves, move_us;
} Fake;

/* A prepared group of the fake holds only its plan's number. */
struct SeamPrepared {
  int plan;
};

static Fake fake;
static SeamDeviceInfo fake_info;

static gboolean
fail (int code, GError **error)
{
  g_set_error (error, SEAM_ERROR, code, "The fake failed with code %d.", code);
  return FALSE;
}

static gboolean
fake_run (SeamDevice *device, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
          GError **error)
{
  int plan = groups[0]->plan;

  g_assert_true (device == &fake.device);
  g_assert_cmpint (n_groups, ==, 1);
  g_assert_true (fake.n_time_calls == 0 || fake.n_moves > 0);
  if (seam_cancel_check (cancel, error))
    return FALSE;
  fake.counts[plan].n_run++;
  g_usleep (fake.execution_us);
  if (fake.fail_in_run && plan == fake.fail_plan)
    return fail (fake.fail_code, error);
  return TRUE;
}

static gboolean
fake_time (SeamDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
           SeamSample *sample, GError **error)
{
  gboolean cold = (timing & SEAM_TIMING_COLD) != 0;
  int plan = groups[0]->plan;
  int k = fake.counts[plan].n_time++;

  g_assert_cmpint (fake.n_time_calls, <, MAX_CALLS);
  if (fake.n_time_calls == fake.cancel_at)
    seam_cancel_raise (fake.cancel);
  fake.time_calls[fake.n_time_calls++] = plan;
  fake.all_cold = fake.all_cold && cold;
  fake.all_warm = fake.all_warm && !cold;
  g_usleep (fake.execution_us);
  if (!fake.fail_in_run && plan == fake.fail_plan && k == fake.fail_at)
    return fail (fake.fail_code, error);
  sample->elapsed_ns = fake.base_ns[plan] * (1.0 + fake.noise * (g_rand_double (fake.rand) - 0.5));
  if (fake.invalid_every > 0 && k % fake.invalid_every == 0)
    sample->elapsed_ns = k % 2 == 0 ? NAN : 0.0;
  sample->clock_mhz = 1000.0 + plan;
  return TRUE;
}

static void
add_record (SeamTrace *trace, int group, const char *name, double start_ns, double duration_ns)
{
  SeamTraceRecord record = {
    .name = g_strdup (name),
    .short_name = g_strndup (name, 3),
    .group = group,
    .first_op = group,
    .last_op = group,
    .implementation = g_strdup ("generated"),
    .start_ns = start_ns,
    .duration_ns = duration_ns,
    .bytes = 64.0,
    .registers = 32,
    .shared_bytes = 1024,
    .grid = { 8, 2, 1 },
    .block = { 256, 1, 1 },
  };
  g_array_append_val (trace->records, record);
  trace->n_records++;
  trace->n_launches++;
  trace->sum_ns += duration_ns;
  trace->span_ns = MAX (trace->span_ns, start_ns + duration_ns);
}

static void
fill_plain (SeamTrace *trace, int plan, int t)
{
  add_record (trace, 0, "first_kernel", 0.0, 100.0 + t);
  add_record (trace, 1, "second_kernel", 110.0 + 2 * t, 50.0 + 10 * plan);
}

static SeamTrace *
fake_trace (SeamDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
            GError **error)
{
  int plan = groups[0]->plan;
  SeamTrace *trace;

  if (fake.trace_fail_code != 0) {
    fail (fake.trace_fail_code, error);
    return NULL;
  }
  g_usleep (fake.execution_us);
  trace = seam_trace_new ();
  if (fake.counts[plan].n_trace != 1)
    trace->clock_mhz = 1500 + 10 * fake.counts[plan].n_trace;
  (fake.fill_trace != NULL ? fake.fill_trace : fill_plain) (trace, plan, fake.counts[plan].n_trace);
  if (fake.counts[plan].n_trace++ == fake.cancel_at_trace)
    seam_cancel_raise (fake.cancel);
  return trace;
}

static void
fake_get_vitals (SeamDevice *device, SeamVitals *vitals)
{
  /* Before the first sample and after the last the device is hotter, which does not count. */
  gboolean loaded = fake.n_time_calls > 0 && fake.counts[0].n_trace == 0;
  double off = loaded ? 0 : 100;

  *vitals = (SeamVitals){ 1755.0, 412.5 + off, 51.0 + off };
}

/* Must not be called for a target without counters. */
static GArray *
fake_count (SeamDevice *device, SeamPrepared *const *groups, int n_groups, GError **error)
{
  g_assert_true ((fake_info.abilities & SEAM_ABILITY_COUNTERS) != 0);
  fake.counts[groups[0]->plan].n_count++;
  fail (SEAM_ERROR_UNSUPPORTED, error);
  return NULL;
}

static const SeamBackend fake_backend = {
  .name = "fake",
  .run = fake_run,
  .time = fake_time,
  .trace = fake_trace,
  .count = fake_count,
  .get_vitals = fake_get_vitals,
};

static void
progress_cb (const SeamProgress *progress, gpointer data)
{
  g_assert_true (data == &fake);
  fake.n_progress++;
  fake.steps_in_order = fake.steps_in_order && progress->step >= fake.last_step;
  fake.fraction_in_range =
      fake.fraction_in_range && progress->fraction >= 0.0 && progress->fraction <= 1.0
      && (progress->step != fake.last_step || progress->fraction >= fake.last_fraction);
  fake.last_step = progress->step;
  fake.last_fraction = progress->fraction;
  for (int i = 0; i < progress->n_new; i++) {
    int plan = progress->new_plans[i];
    g_assert_cmpint (plan, >=, 0);
    g_assert_cmpint (plan, <, MAX_PLANS);
    g_assert_cmpfloat (progress->new_samples[i].clock_mhz, ==, 1000.0 + plan);
    fake.n_progress_samples[plan]++;
  }
}

/* A measurement with everything that it needs. */
typedef struct {
  int n_plans;
  SeamPrepared prepared[MAX_PLANS];
  SeamPrepared *groups[MAX_PLANS];
  SeamPlanResult results[MAX_PLANS];
  SeamMeasurePlan plans[MAX_PLANS];
  SeamMeasureOptions options;
  SeamProgress state;
  SeamCancel cancel;
  int failed_plan;
  char *note;
  GError *error;
  double duration_s;
} Case;

static void
case_init (Case *c, int n_plans)
{
  memset (&fake, 0, sizeof fake);
  fake_info.abilities = SEAM_ABILITY_TRACE;
  fake = (Fake){
    .device = { .backend = &fake_backend, .info = &fake_info },
    .time_calls = g_new (int, MAX_CALLS),
    .all_cold = TRUE,
    .all_warm = TRUE,
    .execution_us = 500,
    .base_ns = { 1000.0, 2000.0, 3000.0, 4000.0 },
    .noise = 0.001,
    .rand = g_rand_new_with_seed (7),
    .fail_plan = -1,
    .cancel_at = -1,
    .cancel_at_trace = -1,
    .steps_in_order = TRUE,
    .fraction_in_range = TRUE,
  };
  memset (c, 0, sizeof *c);
  c->n_plans = n_plans;
  c->failed_plan = 99;
  fake.cancel = &c->cancel;
  for (int i = 0; i < n_plans; i++) {
    c->prepared[i].plan = i;
    c->groups[i] = &c->prepared[i];
    c->results[i] = (SeamPlanResult){
      .notation = g_strdup_printf ("plan%d", i),
      .state = SEAM_PLAN_NOT_MEASURED,
      .median_ns = NAN,
      .ci_low_ns = NAN,
      .ci_high_ns = NAN,
      .span_median_ns = NAN,
      .kernels_sum_median_ns = NAN,
      .n_kernels = -1,
    };
    c->plans[i] = (SeamMeasurePlan){ &fake.device, &c->groups[i], 1, &c->results[i] };
  }
  c->options = (SeamMeasureOptions){
    .cold = TRUE,
    .budget_s = 5.0, /* far more than the goal needs, on a busy machine too */
    .goal = 0.005,
    .n_traces = 5,
    .cancel = &c->cancel,
    .progress = progress_cb,
    .progress_data = &fake,
    .state = &c->state,
  };
}

static gboolean
case_run (Case *c)
{
  gint64 start = g_get_monotonic_time ();
  gboolean ok =
      seam_measure (c->plans, c->n_plans, &c->options, &c->failed_plan, &c->note, &c->error);
  c->duration_s = (double)(g_get_monotonic_time () - start) / 1e6;
  return ok;
}

static void
case_clear (Case *c)
{
  for (int i = 0; i < c->n_plans; i++) {
    SeamPlanResult *result = &c->results[i];
    for (int k = 0; k < result->n_kernels; k++) {
      g_free (result->kernels[k].name);
      g_free (result->kernels[k].short_name);
      g_free (result->kernels[k].implementation);
      g_free (result->kernels[k].samples_ns);
      g_free (result->kernels[k].starts_ns);
    }
    g_free (result->kernels);
    g_free (result->samples);
    g_free (result->notation);
    g_free (result->message);
  }
  g_free (c->state.new_plans);
  g_free (c->state.new_samples);
  g_free (c->note);
  g_clear_error (&c->error);
  g_free (fake.time_calls);
  g_rand_free (fake.rand);
}
