/* SPDX-License-Identifier: MIT
 *
 * Clocks under load, beside the times.
 */
#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

/* The median clock of B over that of A; 1: alike within SEAM_CLAIMABLE; NaN: unknown. */
static double
get_ratio (const SeamPlanResult *a, const SeamPlanResult *b)
{
  SeamUnderLoad of_a, of_b;

  seam_under_load_count (a, 1, &of_a);
  seam_under_load_count (b, 1, &of_b);
  double ratio = of_b.median_mhz / of_a.median_mhz;
  return fabs (ratio - 1) <= SEAM_CLAIMABLE ? 1 : ratio;
}

/* "B’s clock was 4.0 % lower than A’s" */
static char *
describe_ratio (const char *letters, double ratio)
{
  g_autofree char *percent = seam_text_percent (fabs (ratio - 1));

  return g_strdup_printf ("%c’s clock was %s %% %s than %c’s", letters[1], percent,
                          ratio < 1 ? "lower" : "higher", letters[0]);
}

static const char *
get_model (const SeamResult *result)
{
  return result->device != NULL ? result->device->name : NULL;
}

void
seam_clocks_judge (SeamVerdict *verdict, const SeamResult *result_a, int a,
                   const SeamResult *result_b, int b, const char *letters)
{
  /* The end of the interval that is nearest to 1; a claim without an interval rests on the ratio.
   */
  double ratio = isnan (verdict->ratio_low) ? verdict->ratio
                 : verdict->ratio > 1       ? verdict->ratio_low
                                            : verdict->ratio_high;
  double times = fmax (ratio, 1 / ratio), clocks;

  if (verdict->kind != SEAM_VERDICT_FASTER && verdict->kind != SEAM_VERDICT_SLOWER)
    return;
  clocks = get_ratio (&result_a->plans[a], &result_b->plans[b]);
  /* Unknown clocks contradict nothing, nor do those of another model. */
  if (g_strcmp0 (get_model (result_a), get_model (result_b)) != 0 || isnan (clocks)
      || times > fmax (clocks, 1 / clocks))
    return;
  g_autofree char *words = describe_ratio (letters, clocks);
  verdict->kind = SEAM_VERDICT_UNCLEAR;
  verdict->headline = seam_keep (verdict, g_strdup ("Unclear"));
  verdict->next_step = seam_keep_printf (
      verdict, "%s, and the times differ by no more: run again at a fixed clock", words);
}

char *
seam_clocks_describe (const SeamResult *result, int a, int b)
{
  const char letters[] = { seam_plan_get_letter (a), seam_plan_get_letter (b) };
  double farthest = 1;
  int n = 0, n_known = 0;

  for (int i = 0; i < result->n_plans; i++) {
    if (i == a || (b >= 0 && i != b) || result->plans[i].n_samples == 0)
      continue;
    double ratio = get_ratio (&result->plans[a], &result->plans[i]);
    n++;
    n_known += isfinite (ratio);
    if (fabs (log (ratio)) > fabs (log (farthest)))
      farthest = ratio;
  }
  if (farthest != 1) {
    g_autofree char *percent = seam_text_percent (fabs (farthest - 1));
    g_autofree char *words =
        b >= 0 ? describe_ratio (letters, farthest)
               : g_strdup_printf ("The plans’ clocks differ by up to %s %%", percent);

    return g_strconcat (words, ": faster is claimed only beyond that.", NULL);
  }
  /* The reasons alone do not say that they lowered the clock. */
  double share =
      result->device != NULL ? result->load.median_mhz / result->device->max_clock_mhz : NAN;
  const char *capped = share < 1 - SEAM_CLAIMABLE ? "the times are those of a capped GPU"
                       : isfinite (share)         ? "the median clock was within 1 % of the highest"
                                                  : "the clock is not known";
  if (n == 0 || n_known < n)
    return g_strdup_printf ("T%s.", capped + 1);
  if (b < 0)
    return g_strdup_printf ("All plans ran alike, so the ratios stand; %s.", capped);
  return g_strdup_printf ("%c and %c ran alike, so the ratio stands; %s.", letters[0], letters[1],
                          capped);
}
