/* SPDX-License-Identifier: MIT
 *
 * The verdict on two plans' times. It is never forced: if the interval of the ratio crosses a limit
 * of the claimable difference, the answer is "Unclear" with a next step.
 */
#include "app/compare/compare.h"

#include "app/base/text.h"
#include "app/compare/pairs.h"
#include "app/compare/ranks.h"

#include <math.h>

/* If more samples than this were needed, waiting does not help: the ratio lies on the limit
 * itself. */
#define MOST_SAMPLES 20000

/* An interval this many times as wide as the claimable difference comes from disturbance, not
 * chance. */
#define SCATTER 5

/* Begins the reason why an interval that says “faster” is no verdict. */
#define INTERVAL_ALONE "the interval alone does not show it, because "

/* A ratio without an interval is a claim if the nearest pair is this many times as far from 1 as
 * all pairs from each other: noise that wanders so far wanders visibly. Of four normal numbers the
 * range is 2.1 deviations, so that four effective samples which are 4 ranges away from 1 are 16
 * standard errors away; by Student's t, chance does that once in 2,000 times. */
#define FAR            10
#define FAR_OF_FOUR    4
#define FOUR_EFFECTIVE 4

/* A smaller offset of a place is not mentioned. */
#define MENTIONED_PLACE .005

static gboolean
is_timed (const SeamPlanResult *plan)
{
  return isfinite (plan->median_ns) && plan->median_ns > 0;
}

static gboolean
has_interval (const SeamPlanResult *plan)
{
  return isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns) && plan->ci_low_ns > 0
         && plan->ci_low_ns <= plan->median_ns && plan->median_ns <= plan->ci_high_ns;
}

/* The 95 % interval of A / B from the 95 % intervals of both medians, on the logarithm: the
 * distances to the limits add in quadrature, because the samples are independent (method of
 * variance estimates recovery, Zou and Donner 2008). Dividing the limits by each other would claim
 * less than the samples know. */
static void
get_interval_of_medians (const SeamPlanResult *a, const SeamPlanResult *b, SeamVerdict *verdict)
{
  double a_down = log (a->median_ns / a->ci_low_ns), a_up = log (a->ci_high_ns / a->median_ns);
  double b_down = log (b->median_ns / b->ci_low_ns), b_up = log (b->ci_high_ns / b->median_ns);

  verdict->ratio_low = verdict->ratio * exp (-hypot (a_down, b_up));
  verdict->ratio_high = verdict->ratio * exp (hypot (a_up, b_down));
}

/* The interval from pairs of neighbouring samples. It also holds the ratio of the medians, which
 * people read and which may lie beside it if times have two levels, and all of a drift. */
static void
get_interval_of_pairs (const SeamPlanResult *a, const SeamPlanResult *b, SeamVerdict *verdict)
{
  SeamPairs pairs;
  double center = log (verdict->ratio);
  SeamSeries *logs = &verdict->log_ratio;

  seam_pairs_count (a, b, &pairs);
  verdict->n_pairs = pairs.n_all;
  *logs = pairs.log_ratio;
  if (fabs (logs->drift) <= SEAM_CLAIMABLE)
    logs->drift = 0;
  double half = logs->half + fabs (logs->drift) / 2;
  if (isnan (half))
    return;
  verdict->ratio_low = exp (MIN (logs->centre - half, center));
  verdict->ratio_high = exp (MAX (logs->centre + half, center));
}

/* Samples of one run alternate and are compared as pairs; samples of two runs have no neighbours
 * and are compared by rank. */
typedef enum { SAME_RUN, TWO_RUNS } Design;

static void
get_interval (const SeamPlanResult *a, const SeamPlanResult *b, Design design, SeamVerdict *verdict)
{
  if (design == SAME_RUN && a->samples != NULL && b->samples != NULL)
    get_interval_of_pairs (a, b, verdict);
  else if (has_interval (a) && has_interval (b))
    get_interval_of_medians (a, b, verdict);
  verdict->place = expm1 (seam_pairs_get_place_offset (a, b));
  verdict->ratio_low /= 1 + verdict->place;
  verdict->ratio_high *= 1 + verdict->place;
}

/* Whether the samples themselves contradict the claim of the interval. Within a run, samples that
 * were not kept contradict nothing; between two runs, nothing is claimed without them. */
static gboolean
samples_disagree (const SeamVerdict *verdict, const SeamPlanResult *a, const SeamPlanResult *b,
                  Design design)
{
  if (design == TWO_RUNS) {
    SeamRanks ranks;
    seam_ranks_count (a, b, &ranks);
    return ranks.probability > SEAM_CHANCE_PERCENT / 100.0
           || (verdict->ratio > 1) != (ranks.share_a_longer > .5);
  }
  SeamPairs pairs;
  if (a->samples == NULL || b->samples == NULL)
    return FALSE;
  seam_pairs_count (a, b, &pairs);
  return pairs.probability > SEAM_CHANCE_PERCENT / 100.0
         || (verdict->ratio > 1) != (2 * pairs.n_a_longer > pairs.n)
         || fabs (pairs.log_ratio.centre) <= pairs.log_ratio.sure
         || (isnan (verdict->ratio_low)
             && !(fmin (fabs (pairs.least), fabs (pairs.most))
                  > (pairs.log_ratio.effective < FOUR_EFFECTIVE ? FAR : FAR_OF_FOUR)
                        * (pairs.most - pairs.least)));
}

static gboolean
is_beyond (const SeamVerdict *verdict)
{
  return verdict->ratio_low > 1 + SEAM_CLAIMABLE || verdict->ratio_high < 1 / (1 + SEAM_CLAIMABLE);
}

static SeamVerdictKind
classify (const SeamVerdict *verdict, const SeamPlanResult *a, const SeamPlanResult *b,
          Design design)
{
  gboolean none = isnan (verdict->ratio_low);

  if (none && verdict->n_pairs == 0)
    return SEAM_VERDICT_UNCLEAR;
  if (none ? fabs (log (verdict->ratio)) > log1p (SEAM_CLAIMABLE) + log1p (verdict->place)
           : is_beyond (verdict)) {
    if (samples_disagree (verdict, a, b, design))
      return SEAM_VERDICT_UNCLEAR;
    return verdict->ratio > 1 ? SEAM_VERDICT_FASTER : SEAM_VERDICT_SLOWER;
  }
  if (verdict->ratio_low >= 1 / (1 + SEAM_CLAIMABLE) && verdict->ratio_high <= 1 + SEAM_CLAIMABLE)
    return SEAM_VERDICT_SAME;
  return SEAM_VERDICT_UNCLEAR;
}

/* "60", "1,200": an extrapolation is worth only two digits. */
static char *
round_count (double count)
{
  double digit = count < 100 ? 5 : pow (10, floor (log10 (count)) - 1);

  return seam_text_count ((gint64)(ceil (count / digit) * digit));
}

/* The next step if the intervals would claim a difference, but the pairs do not; `letter`: of plan
 * `a`. */
static char *
get_step_of_pairs (SeamVerdict *verdict, const SeamPlanResult *a, const SeamPlanResult *b,
                   char letter)
{
  SeamPairs pairs;

  seam_pairs_count (a, b, &pairs);
  double needed = seam_pairs_needed (&pairs);
  if (needed > MOST_SAMPLES || (verdict->ratio > 1) != (2 * pairs.n_a_longer > pairs.n))
    return g_strdup_printf (INTERVAL_ALONE
                            "%c took longer in %d of %d pairs of neighbouring samples, which does "
                            "not fit the medians: close other programs, then run again",
                            letter, pairs.n_a_longer, pairs.n);
  verdict->needed = MAX (needed, 1);
  g_autofree char *count = round_count (verdict->needed);
  return g_strdup_printf (INTERVAL_ALONE
                          "%c took longer in %d of %d pairs of neighbouring samples, which "
                          "can happen by chance: needs about %s more samples",
                          letter, pairs.n_a_longer, pairs.n, count);
}

/* The same for two runs. */
static char *
get_step_of_ranks (const SeamPlanResult *a, const SeamPlanResult *b, char letter)
{
  SeamRanks ranks;

  seam_ranks_count (a, b, &ranks);
  if (ranks.n_a < SEAM_RANKS_LEAST || ranks.n_b < SEAM_RANKS_LEAST)
    return g_strdup_printf ("two runs need at least %d samples each that do not wander: run both "
                            "for longer, on an idle machine",
                            SEAM_RANKS_LEAST_SAMPLES);
  g_autofree char *share = seam_text_percent (ranks.share_a_longer);
  return g_strdup_printf (
      INTERVAL_ALONE "%c took longer in %s %% of all comparisons of a stretch of one run with a "
                     "stretch of the other, which can happen by chance: run both again, for longer",
      letter, share);
}

/* The next step, with the number of samples after which the interval no longer crosses the limit:
 * its width shrinks with the root of that number. */
static char *
get_next_step (SeamVerdict *verdict, const SeamPlanResult *a, const SeamPlanResult *b,
               Design design, char letter)
{
  int n = MIN (a->n_samples, b->n_samples);

  if (isnan (verdict->ratio_low) && n >= SEAM_SERIES_LEAST && verdict->n_pairs > 0)
    return g_strdup_printf ("needs at least %d effective samples and has %d: give it a longer time "
                            "budget, or close other programs",
                            SEAM_SERIES_LEAST, (int)verdict->log_ratio.effective);
  if (isnan (verdict->ratio_low) && n >= SEAM_SERIES_LEAST)
    return g_strdup_printf ("needs at least %d effective samples of each plan, and one has fewer: "
                            "run both for longer, on an idle machine",
                            SEAM_SERIES_LEAST);
  if (isnan (verdict->ratio_low))
    return g_strdup_printf ("needs at least %d samples of each plan and has %d: "
                            "give it a longer time budget or a smaller shape",
                            SEAM_SERIES_LEAST, n);
  if (is_beyond (verdict))
    return design == TWO_RUNS ? get_step_of_ranks (a, b, letter)
                              : get_step_of_pairs (verdict, a, b, letter);

  if (verdict->log_ratio.drift != 0)
    return g_strdup ("the ratio has no one value while it drifts: run again when the machine has "
                     "settled");
  double place = log1p (verdict->place);
  double half = log (verdict->ratio_high / verdict->ratio_low) / 2 - place;
  double center = log (verdict->ratio), limit = log1p (SEAM_CLAIMABLE) + place;
  if (place > MENTIONED_PLACE && fabs (center) < limit + half) {
    g_autofree char *percent = seam_text_significant (100 * verdict->place, 2);
    return g_strdup_printf (
        "a time this short depends by up to %s %% on where code and data lie in "
        "memory: a larger shape would settle it",
        percent);
  }
  /* The nearest limit decides whether the interval would end up inside or beyond. */
  double distance = fabs (fabs (center) - limit);
  double needed = distance > 0 ? n * (half / distance) * (half / distance) - n : INFINITY;
  if (needed > MOST_SAMPLES && half > SCATTER * limit)
    return g_strdup ("the times vary too much: close other programs, then run again");
  if (needed > MOST_SAMPLES)
    return g_strdup_printf ("the difference lies at the limit of %g %% that this machine can "
                            "claim: more samples will not settle it",
                            SEAM_CLAIMABLE * 100);
  /* Enough of them, and yet unclear: the medians lie beside the interval of the pairs. */
  if (needed < 1 && verdict->n_pairs > 0)
    return get_step_of_pairs (verdict, a, b, letter);
  verdict->needed = MAX (needed, 1);
  g_autofree char *count = round_count (verdict->needed);
  return g_strdup_printf ("needs about %s more samples", count);
}

char *
seam_verdict_describe_ratio (double ratio)
{
  g_autofree char *factor = seam_text_ratio (ratio >= 1 ? ratio : 1 / ratio);

  return g_strdup_printf ("%s %s", factor, ratio >= 1 ? "faster" : "slower");
}

char *
seam_verdict_describe_against (const SeamVerdict *verdict, const char *name)
{
  return verdict->kind == SEAM_VERDICT_FASTER || verdict->kind == SEAM_VERDICT_SLOWER
             ? g_strdup_printf ("%s than %s", verdict->headline, name)
             : g_strdup (verdict->headline);
}

char *
seam_verdict_describe_interval (const SeamVerdict *verdict)
{
  const SeamSeries *logs = &verdict->log_ratio;
  GString *text = g_string_new (NULL);
  gboolean none = isnan (verdict->ratio_low), drifts = logs->drift != 0;
  int effective = (int)logs->effective;
  /* Both ends have the direction of the headline: the factor of a slower plan is the inverse. */
  gboolean slower = verdict->ratio < 1;
  double from = drifts ? exp (logs->centre - logs->drift / 2) : verdict->ratio_low;
  double to = drifts ? exp (logs->centre + logs->drift / 2) : verdict->ratio_high;
  g_autofree char *first = seam_text_ratio (!slower ? from : 1 / (drifts ? from : to));
  g_autofree char *last = seam_text_ratio (!slower ? to : 1 / (drifts ? to : from));

  if (none)
    g_string_append (text, effective > 0 ? "no interval" : "no interval yet");
  else if (drifts)
    g_string_append_printf (text, "drifts from %s to %s within the run", first, last);
  else
    g_string_append_printf (text, "95 %% interval %s to %s", first, last);
  if (effective > 0) {
    g_autofree char *count = seam_text_count (effective), *all = seam_text_count (verdict->n_pairs);
    g_string_append_printf (text, ", %s effective sample%s of %s%s", count,
                            effective == 1 ? "" : "s", all,
                            effective < SEAM_SERIES_ENOUGH && !none ? ", so doubled" : "");
  }
  if (verdict->place > MENTIONED_PLACE && !none) {
    g_autofree char *percent = seam_text_significant (100 * verdict->place, 2);
    g_string_append_printf (text, ", with ±%s %% for its place in memory", percent);
  }
  return g_string_free (text, FALSE);
}

/* Sets the kind and the words if the outputs of a plan differ, or are not shown to be right. */
static gboolean
judge_outputs (SeamVerdict *verdict, const SeamPlanResult *a, const SeamPlanResult *b,
               const char *letters)
{
  SeamOutputs of_a = seam_difference_judge (a->difference);
  SeamOutputs of_b = seam_difference_judge (b->difference);
  const SeamPlanResult *wrong = of_b <= of_a ? b : a;

  if (MIN (of_a, of_b) >= SEAM_OUTPUTS_AGREE)
    return FALSE;
  g_autofree char *ratio =
      isfinite (verdict->ratio) ? seam_verdict_describe_ratio (verdict->ratio) : NULL;
  GString *detail = g_string_new (NULL);
  if (MIN (of_a, of_b) == SEAM_OUTPUTS_SHOWN_NOTHING) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (wrong->difference);
    verdict->kind = SEAM_VERDICT_NOTHING;
    verdict->headline = seam_keep (verdict, g_strdup (agreement->headline));
    g_string_append (detail, agreement->detail);
  } else {
    g_autofree char *percent =
        seam_agreement_format_share (wrong->difference->n_failing, wrong->difference->n_looked);
    g_autofree char *count = seam_text_count (wrong->difference->n_failing);
    verdict->kind = SEAM_VERDICT_WRONG;
    verdict->headline = seam_keep (
        verdict, of_a == of_b ? g_strdup_printf ("%c and %c are wrong", letters[0], letters[1])
                              : g_strdup_printf ("%c is wrong", letters[wrong == b]));
    g_string_append_printf (detail, "%s%s elements (%s %%) are %s.",
                            wrong->exhibit ? "Wrong on purpose: this plan is an exhibit. " : "",
                            count, percent, SEAM_OUTSIDE (&wrong->difference->spec));
  }
  if (ratio != NULL)
    g_string_append_printf (detail, " Its time does not count (%s).", ratio);
  verdict->detail = seam_keep (verdict, g_string_free (detail, FALSE));
  return TRUE;
}

/* Why there is no verdict: names the first of the two plans that was not timed. */
static char *
describe_none (const SeamPlanResult *a, const SeamPlanResult *b, const char *letters)
{
  const SeamPlanResult *plan = is_timed (a) ? b : a;
  char letter = letters[plan == b];

  if (plan->message != NULL)
    return g_strdup_printf ("%c was not measured. %s", letter, plan->message);
  if (plan->state == SEAM_PLAN_FAULTED)
    return g_strdup_printf ("The device was lost in %c.", letter);
  return g_strdup_printf ("%c was not measured.", letter);
}

/* "warm L2"; for two runs that differ, "A: warm L2; B: none". NULL: neither has a pitfall. */
static char *
describe_pitfalls (const SeamResult *a, const SeamResult *b)
{
  g_autofree char *of_a = seam_pitfalls_describe (a->pitfalls);
  g_autofree char *of_b = seam_pitfalls_describe (b->pitfalls);

  if (g_strcmp0 (of_a, of_b) == 0)
    return g_steal_pointer (&of_a);
  return g_strdup_printf ("A: %s; B: %s", of_a != NULL ? of_a : "nothing",
                          of_b != NULL ? of_b : "nothing");
}

/* Keeps the finding readable, but not as a claim. */
static SeamVerdict *
add_pitfalls (SeamVerdict *verdict, const SeamResult *a, const SeamResult *b)
{
  g_autofree char *words = describe_pitfalls (a, b);

  if (words == NULL)
    return verdict;
  verdict->headline = seam_keep (verdict, g_strconcat (verdict->headline, ", with pitfall", NULL));
  verdict->detail =
      seam_keep_printf (verdict, "Measured wrong on purpose: %s. %s", words, verdict->detail);
  if (verdict->kind != SEAM_VERDICT_WRONG && verdict->kind != SEAM_VERDICT_NOTHING
      && verdict->kind != SEAM_VERDICT_NONE)
    verdict->kind = SEAM_VERDICT_PITFALL;
  return verdict;
}

static SeamVerdict *
judge (const SeamResult *result_a, int a, const SeamResult *result_b, int b, Design design)
{
  SeamVerdict *verdict = seam_owner_new (SeamVerdict);

  verdict->ratio = verdict->ratio_low = verdict->ratio_high = NAN;
  if (a < 0 || b < 0 || a >= result_a->n_plans || b >= result_b->n_plans) {
    verdict->headline = seam_keep (verdict, g_strdup ("No verdict"));
    verdict->detail = seam_keep (verdict, g_strdup ("There is no second plan to compare."));
    return verdict;
  }

  const SeamPlanResult *plan_a = &result_a->plans[a], *plan_b = &result_b->plans[b];
  gboolean timed = is_timed (plan_a) && is_timed (plan_b);
  const char letters[] = { result_a == result_b ? seam_plan_get_letter (a) : 'A',
                           result_a == result_b ? seam_plan_get_letter (b) : 'B' };

  if (timed) {
    verdict->ratio = plan_a->median_ns / plan_b->median_ns;
    get_interval (plan_a, plan_b, design, verdict);
  }
  /* NaN (floor unknown, plan not timed) makes this comparison FALSE. */
  verdict->below_floor =
      plan_a->median_ns < result_a->floor_ns || plan_b->median_ns < result_b->floor_ns;

  if (judge_outputs (verdict, plan_a, plan_b, letters))
    return add_pitfalls (verdict, result_a, result_b);
  if (!timed) {
    verdict->kind = SEAM_VERDICT_NONE;
    verdict->headline = seam_keep (verdict, g_strdup ("No verdict"));
    verdict->detail = seam_keep (verdict, describe_none (plan_a, plan_b, letters));
    return add_pitfalls (verdict, result_a, result_b);
  }

  verdict->kind = classify (verdict, plan_a, plan_b, design);
  verdict->detail = seam_keep (verdict, seam_verdict_describe_interval (verdict));
  if (plan_a->exhibit || plan_b->exhibit)
    verdict->detail = seam_keep_printf (
        verdict, "%c is an exhibit, wrong on purpose, though its outputs agree here; %s",
        letters[plan_b->exhibit], verdict->detail);
  switch (verdict->kind) {
  case SEAM_VERDICT_FASTER:
  case SEAM_VERDICT_SLOWER:
    verdict->headline = seam_keep (verdict, seam_verdict_describe_ratio (verdict->ratio));
    break;
  case SEAM_VERDICT_SAME:
    verdict->headline = seam_keep_printf (verdict, "Same within %g %%", SEAM_CLAIMABLE * 100);
    break;
  default:
    verdict->headline = seam_keep (verdict, g_strdup ("Unclear"));
    verdict->next_step =
        seam_keep (verdict, get_next_step (verdict, plan_a, plan_b, design, letters[0]));
    break;
  }
  seam_clocks_judge (verdict, result_a, a, result_b, b, letters);
  if (verdict->below_floor)
    verdict->detail =
        seam_keep (verdict, g_strconcat (verdict->detail, "; " SEAM_VERDICT_UNDER_FLOOR, NULL));
  return add_pitfalls (verdict, result_a, result_b);
}

SeamVerdict *
seam_verdict_new (const SeamResult *result, int a, int b)
{
  return judge (result, a, result, b, SAME_RUN);
}

SeamVerdict *
seam_verdict_new_of_two_runs (const SeamResult *result_a, int a, const SeamResult *result_b, int b)
{
  return judge (result_a, a, result_b, b, TWO_RUNS);
}

const char *
seam_verdict_get_word (SeamVerdictKind kind)
{
  /* In the order of the kinds. */
  static const char *const words[] = { "none",    "faster", "slower",        "same",
                                       "unclear", "wrong",  "shows nothing", "with pitfall" };

  return words[kind];
}
