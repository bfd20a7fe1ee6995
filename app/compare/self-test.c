/* SPDX-License-Identifier: MIT
 *
 * Adds up A/A runs, and describes them in sentences.
 */
#include "app/compare/self-test.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

gboolean
seam_self_test_add (SeamSelfTest *test, const SeamResult *result)
{
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);

  if (!isfinite (verdict->ratio))
    return FALSE;
  test->n_runs++;
  test->n_pairs += MIN (result->plans[0].n_samples, result->plans[1].n_samples);
  test->duration_s += result->duration_s;
  test->n_false += verdict->kind == SEAM_VERDICT_FASTER || verdict->kind == SEAM_VERDICT_SLOWER;
  test->largest = fmax (test->largest, fmax (verdict->ratio, 1 / verdict->ratio) - 1);
  /* Once it is NaN, no end is larger. */
  double end = fmax (verdict->ratio_high, 1 / verdict->ratio_low) - 1;
  test->claimable = isnan (end) || end > test->claimable ? end : test->claimable;
  test->n_unknown += !isfinite (end);
  return TRUE;
}

gboolean
seam_self_test_holds (const SeamSelfTest *test)
{
  return test->n_runs > 0 && test->n_unknown == 0 && test->n_false == 0
         && test->claimable <= SEAM_CLAIMABLE;
}

/* Rounds up, because a limit must not promise more than was measured. */
static char *
format_limit (double fraction)
{
  double percent = 100 * fraction;
  double digit = percent > 0 ? pow (10, floor (log10 (percent)) - 1) : 1;

  return seam_text_significant (ceil (percent / digit - 1e-9) * digit, 2);
}

char *
seam_self_test_describe (const SeamSelfTest *test)
{
  g_autofree char *limit = format_limit (test->claimable);
  g_autofree char *largest = seam_text_significant (100 * test->largest, 2);
  g_autofree char *pairs = seam_text_count (test->n_pairs);
  GString *text = g_string_new (NULL);

  if (test->n_runs == 0)
    return g_string_free (text, FALSE);
  if (test->n_unknown > 0)
    g_string_append_printf (text,
                            "What this machine can claim is not known: %d of %d runs had too few "
                            "samples for an interval. Give a longer --budget or a smaller shape.\n",
                            test->n_unknown, test->n_runs);
  else
    g_string_append_printf (
        text, "The smallest difference that this machine can claim now: %s %%.\n", limit);
  g_string_append_printf (text,
                          "%d run%s, %s pairs of samples, %.1f s. The plan differed from itself by "
                          "at most %s %% in the median.\n",
                          test->n_runs, test->n_runs == 1 ? "" : "s", pairs, test->duration_s,
                          largest);
  if (test->n_false > 0)
    g_string_append_printf (text,
                            "%d verdict%s called it faster or slower than itself, which is false. "
                            "Something else uses the machine, or its clock moves: close other "
                            "programs and measure again.\n",
                            test->n_false, test->n_false == 1 ? "" : "s");
  else if (seam_self_test_holds (test))
    g_string_append_printf (text, "Verdicts claim differences over %g %%: that holds here.\n",
                            100 * SEAM_CLAIMABLE);
  else if (test->n_unknown == 0)
    g_string_append_printf (text,
                            "Verdicts claim differences over %g %%: under %s %% trust none of them "
                            "here. A longer --budget narrows the intervals; so does a machine that "
                            "nobody else uses.\n",
                            100 * SEAM_CLAIMABLE, limit);
  return g_string_free (text, FALSE);
}
