/* SPDX-License-Identifier: MIT
 *
 * The measuring protocol, driven by a backend made for the tests: executions take a real, small
 * time and return scripted samples, failures and traces. Covers order, warm-up, budget, goal, Stop,
 * a device lost in the k-th execution, and odd traces.
 */
#include "measure-fixture.h"

static void
test_order (void)
{
  static const int two[] = { 0, 1, 1, 0, 0, 1, 1, 0 };
  static const int three[] = { 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (two); i++)
    g_assert_cmpint (seam_measure_order (2, (int)i), ==, two[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (three); i++)
    g_assert_cmpint (seam_measure_order (3, (int)i), ==, three[i]);
  for (int i = 0; i < 5; i++)
    g_assert_cmpint (seam_measure_order (1, i), ==, 0);
}

static void
test_goal (void)
{
  Case c;

  case_init (&c, 2);
  c.options.budget_s = 20.0;
  g_assert_true (case_run (&c));
  g_assert_no_error (c.error);
  g_assert_cmpint (c.failed_plan, ==, -1);
  g_assert_null (c.note);

  /* A noise of 0.1 % is under the goal of 0.5 % at once: samples end when fifteen of each are
   * effective, far from the budget. */
  g_assert_cmpint (c.results[0].n_samples, >=, 15);
  g_assert_cmpint (c.results[0].n_samples, <=, 30);
  g_assert_cmpint (c.results[1].n_samples, ==, c.results[0].n_samples);
  g_assert_cmpfloat (c.duration_s, <, 15.0);
  for (int i = 0; i < fake.n_time_calls; i++)
    g_assert_cmpint (fake.time_calls[i], ==, seam_measure_order (2, i));
  g_assert_true (fake.all_cold);

  /* The warm-up of fast plans lasts its 0.2 s. */
  for (int p = 0; p < 2; p++) {
    const SeamPlanResult *result = &c.results[p];
    g_assert_cmpint (fake.counts[p].n_run, >=, 3);
    g_assert_cmpint (result->state, ==, SEAM_PLAN_MEASURED);
    g_assert_null (result->message);
    g_assert_cmpfloat (fabs (result->median_ns / fake.base_ns[p] - 1.0), <, 0.001);
    g_assert_cmpfloat (result->ci_low_ns, <=, result->median_ns);
    g_assert_cmpfloat (result->ci_high_ns, >=, result->median_ns);
    g_assert_cmpfloat ((result->ci_high_ns - result->ci_low_ns) / result->median_ns, <=, 0.005);
    g_assert_cmpfloat (result->samples[3].clock_mhz, ==, 1000.0 + p);
    g_assert_cmpint (fake.n_progress_samples[p], ==, result->n_samples);
  }
  g_assert_cmpfloat (c.duration_s, >, 0.4);
  /* The true order of all samples is kept: 0 1 1 0. */
  g_assert_cmpint (c.results[0].samples[0].order, ==, 0);
  g_assert_cmpint (c.results[1].samples[0].order, ==, 1);
  g_assert_cmpint (c.results[1].samples[1].order, ==, 2);
  g_assert_cmpint (c.results[0].samples[1].order, ==, 3);

  g_assert_true (fake.steps_in_order);
  g_assert_true (fake.fraction_in_range);
  g_assert_cmpint (fake.n_progress, >, 1);
  g_assert_cmpfloat (fake.n_progress, <=, 10.0 * c.duration_s + 3.0);
  g_assert_cmpfloat (c.state.load_power_w, ==, 412.5);
  g_assert_cmpfloat (c.state.load_temperature_c, ==, 51);
  g_assert_cmpint (c.state.plan, ==, -1);
  g_assert_cmpint (c.state.n_new, ==, 0);
  case_clear (&c);
}

static gboolean
move_cb (gpointer data, GError **error)
{
  g_assert_true (data == &fake);
  fake.n_moves++;
  g_usleep (fake.move_us);
  return fake.fail_code == 0 || fail (fake.fail_code, error);
}

static void
init_moved (Case *c)
{
  case_init (c, 2);
  c->options.move = move_cb;
  c->options.renew_data = &fake;
}

static void
test_places (void)
{
  Case c;
  int n_turns = 0;

  init_moved (&c);
  g_assert_true (case_run (&c));
  /* The interval is narrow at once, but sixteen places are wanted. */
  g_assert_cmpint (c.results[0].n_places, ==, 16);
  g_assert_cmpint (c.results[1].n_places, ==, 16);
  g_assert_cmpint (fake.n_moves, ==, 15);
  /* Neighbours stay pairs, and the order A B B A turns round with each move. */
  for (int i = 0; i + 1 < fake.n_time_calls; i += 2) {
    g_assert_cmpint (fake.time_calls[i], !=, fake.time_calls[i + 1]);
    n_turns += i > 0 && fake.time_calls[i] == fake.time_calls[i - 2];
  }
  g_assert_cmpint (n_turns, ==, 15);
  case_clear (&c);

  /* 2 ms: the place does not matter. */
  init_moved (&c);
  fake.base_ns[0] = fake.base_ns[1] = 2e6;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_places, ==, 1);
  g_assert_cmpint (fake.n_moves, ==, 0);
  case_clear (&c);

  /* A move that costs a tenth of the budget is not made again. */
  init_moved (&c);
  fake.move_us = 100000;
  c.options.budget_s = 1;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_places, ==, 2);
  g_assert_cmpint (c.results[0].n_samples, >=, 15);
  case_clear (&c);

  /* No memory for a move: the plans stay and are measured. */
  init_moved (&c);
  fake.fail_code = SEAM_ERROR_UNSUPPORTED;
  g_assert_true (case_run (&c));
  g_assert_no_error (c.error);
  g_assert_cmpint (fake.n_moves, ==, 1);
  g_assert_cmpint (c.results[0].n_places, ==, 1);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_MEASURED);
  case_clear (&c);

  /* Plans that are lost in a move end the measurement, with the samples that they have. */
  init_moved (&c);
  fake.fail_code = SEAM_ERROR_DEVICE;
  g_assert_false (case_run (&c));
  g_assert_error (c.error, SEAM_ERROR, SEAM_ERROR_DEVICE);
  g_assert_cmpint (c.results[0].n_samples, >=, 8);
  case_clear (&c);
}

static void
test_budget (void)
{
  Case c;
  int total;

  case_init (&c, 3);
  fake.noise = 1.0; /* the interval cannot get below 0.5 % in this time */
  c.options.cold = FALSE;
  c.options.budget_s = 0.5;
  g_assert_true (case_run (&c));
  total = fake.n_time_calls;
  g_assert_cmpint (total, >, 30);
  for (int p = 0; p < 3; p++) {
    g_assert_cmpint (c.results[p].state, ==, SEAM_PLAN_MEASURED);
    g_assert_cmpint (ABS (c.results[p].n_samples - total / 3), <=, 2);
    g_assert_cmpint (fake.n_progress_samples[p], ==, c.results[p].n_samples);
    g_assert_true (isfinite (c.results[p].ci_low_ns));
    g_assert_cmpint (c.results[p].n_traces, ==, 5);
  }
  g_assert_true (fake.all_warm);
  /* The warm-up is inside the budget; the traced pass comes after it. */
  g_assert_cmpfloat (c.duration_s, >, 0.3);
  g_assert_cmpfloat (c.duration_s, <, 3.0);
  case_clear (&c);
}

static void
test_at_least_one (void)
{
  Case c;

  /* Executions that are longer than the whole budget: one warm-up, one sample, one trace each. */
  case_init (&c, 2);
  fake.execution_us = 60000;
  c.options.budget_s = 0.02;
  c.options.n_traces = 1;
  g_assert_true (case_run (&c));
  for (int p = 0; p < 2; p++) {
    g_assert_cmpint (fake.counts[p].n_run, ==, 1);
    g_assert_cmpint (c.results[p].n_samples, ==, 1);
    g_assert_cmpint (c.results[p].state, ==, SEAM_PLAN_MEASURED);
    g_assert_true (isfinite (c.results[p].median_ns));
    g_assert_true (isnan (c.results[p].ci_low_ns));
    g_assert_cmpint (c.results[p].n_kernels, ==, 2);
  }
  case_clear (&c);

  /* With overtime there are as many samples as an interval needs, and hardly more. */
  case_init (&c, 2);
  c.options.budget_s = 0.001;
  c.options.overtime_s = 10;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[1].n_samples, >=, SEAM_MEASURE_FIRST_ROUNDS);
  g_assert_cmpint (c.results[1].n_samples, <=, 2 * SEAM_MEASURE_FIRST_ROUNDS);
  g_assert_true (isfinite (c.results[1].ci_low_ns));
  case_clear (&c);

  case_init (&c, 1);
  c.options.budget_s = 0.0;
  c.options.state = NULL;
  c.options.progress = NULL;
  c.options.cancel = NULL;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_samples, ==, 1);
  case_clear (&c);
}

static void
test_stop (void)
{
  Case c;

  case_init (&c, 2);
  fake.noise = 1.0;
  fake.cancel_at = 6;
  c.options.budget_s = 30.0;
  g_assert_true (case_run (&c));
  g_assert_no_error (c.error);
  g_assert_cmpint (fake.n_time_calls, ==, 7);
  g_assert_cmpint (c.results[0].n_samples, ==, 3);
  g_assert_cmpint (c.results[1].n_samples, ==, 4);
  for (int p = 0; p < 2; p++) {
    g_assert_cmpint (c.results[p].state, ==, SEAM_PLAN_STOPPED_EARLY);
    g_assert_true (isfinite (c.results[p].median_ns));
    g_assert_cmpint (fake.counts[p].n_trace, ==, 0);
    g_assert_cmpint (c.results[p].n_kernels, ==, -1);
    g_assert_cmpint (fake.n_progress_samples[p], ==, c.results[p].n_samples);
  }
  case_clear (&c);

  /* Stop before the first sample, and between two traces. */
  case_init (&c, 2);
  seam_cancel_raise (&c.cancel);
  g_assert_true (case_run (&c));
  g_assert_cmpint (fake.n_time_calls, ==, 0);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_nonnull (strstr (c.results[1].message, "Stopped"));
  case_clear (&c);

  case_init (&c, 2);
  fake.cancel_at_trace = 0;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_samples, >=, 10);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_STOPPED_EARLY);
  g_assert_cmpint (c.results[0].n_traces, ==, 1);
  g_assert_cmpint (fake.counts[1].n_trace, ==, 0);
  case_clear (&c);
}

static void
test_device_lost (void)
{
  Case c;

  case_init (&c, 3);
  fake.noise = 1.0;
  fake.fail_plan = 1;
  fake.fail_at = 4;
  fake.fail_code = SEAM_ERROR_DEVICE;
  g_assert_false (case_run (&c));
  g_assert_error (c.error, SEAM_ERROR, SEAM_ERROR_DEVICE);
  g_assert_cmpint (c.failed_plan, ==, 1);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_FAULTED);
  g_assert_nonnull (strstr (c.results[1].message, "The fake failed"));
  /* Nothing that was measured is lost, and nothing runs on a lost device. */
  g_assert_cmpint (c.results[1].n_samples, ==, 4);
  g_assert_cmpint (c.results[0].n_samples, ==, 5);
  g_assert_cmpint (c.results[2].n_samples, ==, 4);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_MEASURED);
  g_assert_true (isfinite (c.results[2].median_ns));
  g_assert_cmpint (fake.counts[0].n_trace, ==, 0);
  g_assert_cmpint (fake.n_progress_samples[0], ==, 5);
  case_clear (&c);

  case_init (&c, 2);
  fake.fail_plan = 0;
  fake.fail_in_run = TRUE;
  fake.fail_code = SEAM_ERROR_DEVICE;
  g_assert_false (case_run (&c));
  g_assert_cmpint (c.failed_plan, ==, 0);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_FAULTED);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_cmpint (fake.n_time_calls, ==, 0);
  case_clear (&c);

  case_init (&c, 2);
  fake.trace_fail_code = SEAM_ERROR_DEVICE;
  g_assert_false (case_run (&c));
  g_assert_cmpint (c.failed_plan, ==, 0);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_FAULTED);
  g_assert_cmpint (c.results[0].n_samples, >=, 10);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_MEASURED);
  case_clear (&c);
}

/* A plan that cannot be executed does not affect the others. */
static void
test_plan_left_out (void)
{
  Case c;

  case_init (&c, 2);
  c.results[0].message = g_strdup ("conv2d cannot be joined.");
  fake.fail_plan = 0;
  fake.fail_in_run = TRUE;
  fake.fail_code = SEAM_ERROR_MEMORY;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.failed_plan, ==, -1);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_cmpstr (c.results[0].message, ==,
                   "The fake failed with code 3. conv2d cannot be joined.");
  g_assert_cmpint (fake.counts[0].n_time, ==, 0);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_MEASURED);
  g_assert_cmpint (c.results[1].n_samples, >=, 10);
  g_assert_cmpint (c.results[1].n_traces, ==, 5);
  case_clear (&c);
}

static void
test_invalid_samples (void)
{
  Case c;

  case_init (&c, 2);
  fake.invalid_every = 3;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_samples, >=, 10);
  g_assert_cmpint (c.results[0].n_samples, <, fake.counts[0].n_time);
  for (int i = 0; i < c.results[0].n_samples; i++)
    g_assert_cmpfloat (c.results[0].samples[i].elapsed_ns, >, 900.0);
  case_clear (&c);

  case_init (&c, 1);
  fake.invalid_every = 1;
  c.options.budget_s = 0.2;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_samples, ==, 0);
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_nonnull (strstr (c.results[0].message, "valid time"));
  case_clear (&c);
}

static void
test_trace (void)
{
  Case c;
  const SeamKernel *kernel;

  case_init (&c, 2);
  g_assert_true (case_run (&c));
  g_assert_cmpint (fake.counts[0].n_trace, ==, 5);
  g_assert_cmpint (fake.counts[1].n_trace, ==, 5);
  g_assert_null (c.note);
  for (int p = 0; p < 2; p++) {
    const SeamPlanResult *result = &c.results[p];
    g_assert_cmpint (result->n_traces, ==, 5);
    g_assert_cmpint (result->n_kernels, ==, 2);
    g_assert_cmpint (result->n_launches, ==, 2);
    g_assert_cmpint (result->n_records, ==, 2);
    g_assert_cmpint (result->n_rejected, ==, 0);
    /* t = 0 … 4: durations 100 + t and 50 + 10 p, second start 110 + 2 t; medians at t = 2. */
    g_assert_cmpfloat (result->kernels[0].median_ns, ==, 102.0);
    g_assert_cmpfloat (result->kernels[0].start_ns, ==, 0.0);
    g_assert_cmpfloat (result->kernels[1].median_ns, ==, 50.0 + 10 * p);
    g_assert_cmpfloat (result->kernels[1].start_ns, ==, 114.0);
    g_assert_cmpfloat (result->span_median_ns, ==, 164.0 + 10 * p);
    g_assert_cmpfloat (result->kernels_sum_median_ns, ==, 152.0 + 10 * p);
    /* The clocks of t = 0, 2, 3, 4; that of t = 1 was not read. */
    g_assert_cmpfloat (result->trace_clock_mhz, ==, 1525.0);
  }
  kernel = &c.results[1].kernels[1];
  g_assert_cmpstr (kernel->name, ==, "second_kernel");
  g_assert_cmpstr (kernel->short_name, ==, "sec");
  g_assert_cmpstr (kernel->implementation, ==, "generated");
  g_assert_cmpint (kernel->group, ==, 1);
  g_assert_cmpint (kernel->n_samples, ==, 5);
  g_assert_cmpfloat (c.results[0].kernels[0].samples_ns[4], ==, 104.0);
  g_assert_cmpfloat (c.results[0].kernels[0].starts_ns[4], ==, 0.0);
  g_assert_cmpfloat (kernel->starts_ns[4], ==, 118.0);
  g_assert_cmpint (kernel->registers, ==, 32);
  g_assert_cmpint (kernel->shared_bytes, ==, 1024);
  g_assert_cmpint (kernel->grid[1], ==, 2);
  g_assert_cmpint (kernel->block[0], ==, 256);
  g_assert_cmpfloat (kernel->bytes, ==, 64.0);
  /* Launches move more than the plan's model expected. */
  g_assert_cmpfloat (c.results[1].bytes, ==, 128.0);
  case_clear (&c);
}

/* Plan 0: the first trace has a rejected record, the second a third kernel. Plan 1: a record is
 * dropped in the third, and one is lost without a report in the fourth. */
static void
fill_odd (SeamTrace *trace, int plan, int t)
{
  fill_plain (trace, plan, t);
  if (plan == 0 && t == 0) {
    trace->sum_ns = 1.0;
    trace->n_records = 1;
    trace->n_rejected = 1;
    g_array_remove_index (trace->records, 1);
  }
  if (plan == 0 && t == 1)
    add_record (trace, 1, "third_kernel", 300.0, 7.0);
  if (plan == 1 && t == 2)
    trace->n_dropped = 1;
  if (plan == 1 && t == 3)
    trace->n_launches++;
  if (plan == 1 && t == 4)
    trace->note = g_strdup ("The clock went backwards.");
}

static void
fill_all_rejected (SeamTrace *trace, int plan, int t)
{
  fill_plain (trace, plan, t);
  if (plan == 1)
    trace->n_rejected = 1;
}

static void
fill_uncounted (SeamTrace *trace, int plan, int t)
{
  fill_plain (trace, plan, t);
  trace->n_launches = 1;
}

static void
fill_nothing (SeamTrace *trace, int plan, int t)
{
}

static void
test_odd_traces (void)
{
  Case c;

  case_init (&c, 2);
  fake.fill_trace = fill_odd;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_traces, ==, 3);
  g_assert_cmpint (c.results[0].n_kernels, ==, 2);
  g_assert_cmpint (c.results[0].kernels[0].n_samples, ==, 3);
  g_assert_cmpfloat (c.results[0].kernels[0].median_ns, ==, 103.0); /* median of t = 2, 3, 4 */
  g_assert_cmpfloat (c.results[0].kernels_sum_median_ns, ==, 153.0);
  g_assert_cmpfloat (c.results[0].trace_clock_mhz, ==, 1530.0);
  g_assert_cmpfloat (c.results[1].trace_clock_mhz, ==, 1520.0);
  g_assert_cmpint (c.results[1].n_traces, ==, 3);
  g_assert_cmpfloat (c.results[1].kernels[0].median_ns, ==, 101.0); /* median of t = 0, 1, 4 */
  g_assert_nonnull (strstr (c.note, "plan0: 2 of 5 traced executions left out, 1 records without "
                                    "valid times, 1 with other kernels than the rest."));
  g_assert_nonnull (strstr (c.note, "plan1: 2 of 5 traced executions left out, 1 records dropped "
                                    "by the profiler, 1 launches without a record."));
  g_assert_nonnull (strstr (c.note, "plan1: The clock went backwards."));
  case_clear (&c);

  /* Kernel times are never too small a sum: without a complete trace there are none. */
  case_init (&c, 2);
  fake.fill_trace = fill_all_rejected;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_kernels, ==, 2);
  g_assert_cmpint (c.results[1].n_kernels, ==, -1);
  g_assert_true (isnan (c.results[1].span_median_ns));
  g_assert_cmpint (c.results[1].n_rejected, ==, 1);
  g_assert_cmpint (c.results[1].state, ==, SEAM_PLAN_MEASURED);
  g_assert_nonnull (strstr (c.note, "plan1: 5 of 5 traced executions left out, 5 records without "
                                    "valid times; so there are no kernel times for it."));
  case_clear (&c);

  for (int i = 0; i < 2; i++) {
    case_init (&c, 1);
    fake.fill_trace = i == 0 ? fill_uncounted : fill_nothing;
    g_assert_true (case_run (&c));
    g_assert_cmpint (c.results[0].n_kernels, ==, i == 0 ? 2 : -1);
    g_assert_nonnull (
        strstr (c.note, i == 0 ? "2 kernel records for 1 launches" : "5 without any record"));
    case_clear (&c);
  }
}

static void
test_no_trace (void)
{
  Case c;

  case_init (&c, 2);
  fake.trace_fail_code = SEAM_ERROR_UNSUPPORTED;
  g_assert_true (case_run (&c));
  g_assert_cmpstr (c.note, ==, "The fake failed with code 2.");
  g_assert_cmpint (c.results[0].state, ==, SEAM_PLAN_MEASURED);
  g_assert_cmpint (c.results[0].n_kernels, ==, -1);
  g_assert_true (isnan (c.results[0].span_median_ns));
  case_clear (&c);

  case_init (&c, 1);
  fake_info.abilities = 0;
  g_assert_true (case_run (&c));
  g_assert_cmpint (fake.counts[0].n_trace, ==, 0);
  g_assert_cmpstr (c.note, ==, "The fake backend does not record kernels.");
  case_clear (&c);
}

/* Counters are read if the target has them and the request wants them; if they are refused,
 * everything else stays. */
static void
test_counters (void)
{
  Case c;

  for (int k = 0; k < 4; k++) {
    case_init (&c, 1);
    fake_info.abilities |= (k & 1) != 0 ? SEAM_ABILITY_COUNTERS : 0;
    c.options.counters = (k & 2) != 0;
    g_assert_true (case_run (&c));
    g_assert_cmpint (fake.counts[0].n_count, ==, k == 3);
    g_assert_cmpstr (c.note, ==, k == 3 ? "The fake failed with code 2." : NULL);
    g_assert_cmpint (c.results[0].n_kernels, >, 0);
    case_clear (&c);
  }
}

/* The traced pass ends in time, too, after at least one execution of each plan. */
static void
test_trace_time (void)
{
  Case c;

  case_init (&c, 2);
  fake.execution_us = 120000;
  c.options.budget_s = 0.3;
  c.options.n_traces = 1000;
  g_assert_true (case_run (&c));
  g_assert_cmpint (c.results[0].n_traces, >=, 1);
  g_assert_cmpint (c.results[1].n_traces, >=, 1);
  g_assert_cmpint (fake.counts[0].n_trace + fake.counts[1].n_trace, <, 20);
  g_assert_cmpfloat (c.duration_s, <, 6.0);
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/places", test_places);
  g_test_add_func ("/measure/order", test_order);
  g_test_add_func ("/measure/goal", test_goal);
  g_test_add_func ("/measure/budget", test_budget);
  g_test_add_func ("/measure/at-least-one", test_at_least_one);
  g_test_add_func ("/measure/stop", test_stop);
  g_test_add_func ("/measure/device-lost", test_device_lost);
  g_test_add_func ("/measure/plan-left-out", test_plan_left_out);
  g_test_add_func ("/measure/invalid-samples", test_invalid_samples);
  g_test_add_func ("/measure/trace", test_trace);
  g_test_add_func ("/measure/odd-traces", test_odd_traces);
  g_test_add_func ("/measure/no-trace", test_no_trace);
  g_test_add_func ("/measure/counters", test_counters);
  g_test_add_func ("/measure/trace-time", test_trace_time);
  return g_test_run ();
}
