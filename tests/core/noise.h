/* SPDX-License-Identifier: MIT
 *
 * Simulated runs: two plans in several kinds of noise, measured by the rules of
 * app/measure/measure.c. For tests of verdicts.
 */
#pragma once

#include "app/compare/compare.h"
#include "app/compare/pairs.h"
#include "app/measure/measure.h"

#include <math.h>

#define MIN_SAMPLES SEAM_SERIES_ENOUGH
#define GOAL        0.005

/* ---- noise ---- */

typedef struct {
  GRand *rand;
  double scale;  /* scale of the noise: 0.1 % to 20 %, drawn for each run */
  double state;  /* state of a walk or of autocorrelated noise */
  double own[2]; /* the same of each plan */
  gboolean slow;
  int n; /* samples so far */
} Noise;

static inline double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

static inline double
draw_plain (Noise *noise)
{
  return noise->scale * draw_normal (noise->rand);
}

/* Noise far wider than the 1 % that a verdict can claim, so that this limit protects no false
 * claim. */
static inline double
draw_loud (Noise *noise)
{
  return .15 * draw_normal (noise->rand);
}

/* Skewed as times are: no sample is faster than the machine. */
static inline double
draw_skewed (Noise *noise)
{
  return -noise->scale * log (1 - g_rand_double (noise->rand));
}

static inline double
draw_loud_skewed (Noise *noise)
{
  return -.15 * log (1 - g_rand_double (noise->rand));
}

/* Warms up and wanders. */
static inline double
draw_drift (Noise *noise)
{
  noise->state += .2 * noise->scale * draw_normal (noise->rand);
  return noise->state + .0005 * noise->n + .1 * draw_plain (noise);
}

static inline double
draw_autocorrelated (Noise *noise)
{
  noise->state = .9 * noise->state + .44 * draw_plain (noise);
  return noise->state;
}

/* One sample in ten is disturbed, by up to a factor of three. */
static inline double
draw_outliers (Noise *noise)
{
  gboolean out = g_rand_double (noise->rand) < .1;

  return .1 * draw_plain (noise) + (out ? g_rand_double (noise->rand) : 0);
}

/* Two clocks 12 % apart that hold for fifty samples or so. */
static inline double
draw_clocks (Noise *noise)
{
  if (g_rand_double (noise->rand) < .02)
    noise->slow = !noise->slow;
  return (noise->slow ? .12 : 0) + .1 * draw_plain (noise);
}

/* Two clocks that change from sample to sample. */
static inline double
draw_quick_clocks (Noise *noise)
{
  return (g_rand_boolean (noise->rand) ? .12 : 0) + .1 * draw_plain (noise);
}

/* Each plan has a long memory of its own, so that neighbours share nothing. */
static inline double
draw_own (Noise *noise)
{
  double *own = &noise->own[seam_measure_order (2, noise->n)];

  *own = .95 * *own + .31 * draw_plain (noise);
  return *own;
}

/* Each plan lies in another place in memory for 20 samples, which is worth more than the noise. */
static inline double
draw_places (Noise *noise)
{
  if (noise->n % 40 == 0)
    for (int p = 0; p < 2; p++)
      noise->own[p] = draw_plain (noise);
  return noise->own[seam_measure_order (2, noise->n)] + .2 * draw_plain (noise);
}

typedef double (*Draw) (Noise *noise);

static const struct {
  const char *name;
  Draw draw;
} models[] = {
  { "normal", draw_plain },
  { "loud", draw_loud },
  { "loud and skewed", draw_loud_skewed },
  { "skewed", draw_skewed },
  { "drift", draw_drift },
  { "autocorrelated", draw_autocorrelated },
  { "outliers", draw_outliers },
  { "two clocks", draw_clocks },
  { "two quick clocks", draw_quick_clocks },
  { "own memory", draw_own },
};

/* ---- a run ---- */

static inline gboolean
is_narrow (SeamPlanResult *plan)
{
  g_autofree double *values = g_new (double, plan->n_samples);
  SeamMedian median;

  for (int i = 0; i < plan->n_samples; i++)
    values[i] = plan->samples[i].elapsed_ns;
  median = seam_median_of_series (values, plan->n_samples, .95);
  plan->median_ns = median.median;
  plan->ci_low_ns = median.low;
  plan->ci_high_ns = median.high;
  return (median.high - median.low) / median.median <= GOAL;
}

/* `longer`: how many times as long plan A takes; `budget`: largest number of samples a plan.
 * Stops as a measurement does: when both intervals are narrow and enough pairs are effective, which
 * it checks whenever the number of samples has grown by a twentieth, or when the budget is used up.
 */
static inline SeamResult *
simulate_as (Draw draw, GRand *rand, double longer, int budget, double scale)
{
  SeamResult *result = seam_result_new (2);
  Noise noise = { .rand = rand, .scale = scale };
  int looked = 0;

  for (int p = 0; p < 2; p++) {
    result->plans[p].state = SEAM_PLAN_MEASURED;
    result->plans[p].samples = g_new0 (SeamSample, budget);
    result->plans[p].n_places = SEAM_PLACES_ENOUGH;
  }
  for (int position = 0; position < 2 * budget; position++) {
    SeamPlanResult *plan = &result->plans[seam_measure_order (2, position)];

    noise.n = position;
    plan->samples[plan->n_samples++] = (SeamSample){
      .elapsed_ns = 1e6 * exp (draw (&noise)) * (plan == result->plans ? longer : 1),
      .clock_mhz = NAN,
      .order = position,
    };
    if (position % 2 == 1 && plan->n_samples >= MIN_SAMPLES
        && plan->n_samples >= looked + looked / 20) {
      gboolean narrow = is_narrow (&result->plans[0]);
      SeamPairs pairs;

      looked = plan->n_samples;
      if (!is_narrow (&result->plans[1]) || !narrow)
        continue;
      seam_pairs_count (&result->plans[0], &result->plans[1], &pairs);
      /* Where the place matters, a measurement goes on until the plans were in enough of them. */
      if (pairs.log_ratio.effective >= SEAM_SERIES_ENOUGH && draw != draw_places)
        break;
    }
  }
  for (int p = 0; p < 2; p++)
    is_narrow (&result->plans[p]);
  result->against = 0;
  result->duration_s = 1;
  return result;
}

static inline int
draw_budget (GRand *rand)
{
  static const int budgets[] = { 8, 10, 15, 30, 60, 120, 250, 500 };

  return budgets[g_rand_int_range (rand, 0, G_N_ELEMENTS (budgets))];
}

static inline double
draw_scale (GRand *rand)
{
  return .001 * pow (200, g_rand_double (rand));
}

/* A simulation with a budget and a scale drawn at random. */
static inline SeamResult *
simulate (Draw draw, GRand *rand, double longer)
{
  int budget = draw_budget (rand);

  return simulate_as (draw, rand, longer, budget, draw_scale (rand));
}
