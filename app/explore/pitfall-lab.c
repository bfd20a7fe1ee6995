/* SPDX-License-Identifier: MIT
 *
 * Order and numbers of the pitfall lab. Its sentences are as careful as a verdict: a mistake has an
 * effect only if the intervals of the honest and the mistaken runs do not overlap.
 */
#include "app/explore/pitfall-lab.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

#define CONFIDENCE   .95
#define MIN_BUDGET_S .05

SeamLab *
seam_lab_new (const SeamRunRequest *request, guint wanted)
{
  SeamLab *lab = g_new0 (SeamLab, 1);
  guint n_plans = g_strv_length (request->plans);

  lab->request = seam_run_request_copy (request);
  for (guint i = 2; i < n_plans; i++)
    g_clear_pointer (&lab->request->plans[i], g_free);
  lab->n_plans = (int)MIN (n_plans, 2);
  lab->request->pitfalls = 0;
  lab->request->counters = FALSE;
  lab->cases[SEAM_LAB_HONEST].wanted = TRUE;
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    lab->cases[1 + i].pitfall = SEAM_PITFALL_AT (i);
    lab->cases[1 + i].wanted = (wanted & (guint)SEAM_PITFALL_AT (i)) != 0;
  }
  return lab;
}

void
seam_lab_free (SeamLab *lab)
{
  if (lab == NULL)
    return;
  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    g_free (lab->cases[i].why_not);
    for (int k = 0; k < SEAM_LAB_ROUNDS; k++)
      seam_result_unref (lab->cases[i].rounds[k]);
  }
  seam_run_request_free (lab->request);
  g_free (lab);
}

void
seam_lab_refuse (SeamLab *lab, SeamPitfall pitfall, char *why_not)
{
  for (int i = 1; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].pitfall == pitfall) {
      g_free (lab->cases[i].why_not);
      lab->cases[i].why_not = why_not;
      return;
    }
  g_free (why_not);
}

static gboolean
is_to_be_measured (const SeamLabCase *c)
{
  return c->wanted && c->why_not == NULL;
}

static int
count_cases (const SeamLab *lab)
{
  int n = 0;

  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    n += is_to_be_measured (&lab->cases[i]);
  return n;
}

/* Each round begins with the honest case; the pitfalls follow in order, in the second round in
 * reverse. */
static int
get_case (int position)
{
  int round = position / SEAM_LAB_N_CASES, k = position % SEAM_LAB_N_CASES;

  return k == 0 || round % 2 == 0 ? k : SEAM_LAB_N_CASES - k;
}

SeamRunRequest *
seam_lab_next (SeamLab *lab, int *index)
{
  for (; lab->position < SEAM_LAB_ROUNDS * SEAM_LAB_N_CASES; lab->position++) {
    int i = get_case (lab->position);

    if (!is_to_be_measured (&lab->cases[i]))
      continue;
    SeamRunRequest *request = seam_run_request_copy (lab->request);
    request->pitfalls = (guint)lab->cases[i].pitfall;
    request->settings.budget_s =
        fmax (MIN_BUDGET_S, lab->request->settings.budget_s / SEAM_LAB_ROUNDS / count_cases (lab));
    *index = i;
    return request;
  }
  return NULL;
}

static gboolean
is_timed (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].n_samples == 0)
      return FALSE;
  return TRUE;
}

gboolean
seam_lab_take (SeamLab *lab, int index, SeamResult *result, const GError *failure)
{
  SeamLabCase *c = &lab->cases[index];
  int round = lab->position / SEAM_LAB_N_CASES;

  lab->position++;
  if (result == NULL) {
    if (c->rounds[0] == NULL && c->why_not == NULL)
      c->why_not = g_strdup (failure != NULL ? failure->message : "It could not be measured.");
    return index != SEAM_LAB_HONEST && !g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE)
           && !g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  }
  if (!is_timed (result)) {
    if (c->rounds[0] == NULL && c->why_not == NULL)
      c->why_not = g_strdup (result->plans[0].message != NULL && result->plans[0].n_samples == 0
                                 ? result->plans[0].message
                                 : "Not every plan could be timed.");
    return index != SEAM_LAB_HONEST && !result->stopped;
  }
  c->rounds[round] = seam_result_ref (result);
  return !result->stopped;
}

void
seam_lab_count (const SeamLab *lab, int *n_done, int *n_all)
{
  *n_done = *n_all = 0;
  for (int position = 0; position < SEAM_LAB_ROUNDS * SEAM_LAB_N_CASES; position++) {
    gboolean counts = is_to_be_measured (&lab->cases[get_case (position)]);

    *n_all += counts;
    *n_done += counts && position < lab->position;
  }
}

static SeamMedian
pool (const SeamLabCase *c, int plan)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (int k = 0; k < SEAM_LAB_ROUNDS; k++) {
    const SeamPlanResult *from = c->rounds[k] != NULL ? &c->rounds[k]->plans[plan] : NULL;

    for (int i = 0; from != NULL && i < from->n_samples; i++)
      g_array_append_val (values, from->samples[i].elapsed_ns);
  }
  return seam_median ((const double *)(void *)values->data, (int)values->len, CONFIDENCE);
}

void
seam_lab_get_numbers (const SeamLab *lab, int index, SeamLabNumbers *numbers)
{
  g_autoptr (SeamResult) both = seam_result_new (2);

  for (int plan = 0; plan < 2; plan++) {
    SeamMedian median = { NAN, NAN, NAN, 0 };

    if (plan < lab->n_plans)
      median = pool (&lab->cases[index], plan);
    numbers->time_ns[plan] = both->plans[plan].median_ns = median.median;
    numbers->low_ns[plan] = both->plans[plan].ci_low_ns = median.low;
    numbers->high_ns[plan] = both->plans[plan].ci_high_ns = median.high;
    numbers->n_samples[plan] = median.n;
  }
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (both, 0, 1);
  numbers->ratio = verdict->ratio;
  numbers->ratio_low = verdict->ratio_low;
  numbers->ratio_high = verdict->ratio_high;
}

const char *
seam_lab_get_title (const SeamLab *lab, int index)
{
  return index == SEAM_LAB_HONEST ? "Honest" : seam_pitfall_get_title (lab->cases[index].pitfall);
}

/* "B looks 1.12× as fast as it is", for a ratio that is too large by `factor`. */
static char *
describe_effect (const SeamLab *lab, double factor)
{
  const char *plan = lab->n_plans > 1 ? "B against A" : "A";
  g_autofree char *by = seam_text_ratio (factor > 1 ? factor : 1 / factor);

  return g_strdup_printf ("%s looks %s %s than it is.", plan, by, factor > 1 ? "faster" : "slower");
}

/* The ratio may be unchanged although both times moved. */
static char *
describe_no_effect (const SeamLab *lab, const SeamLabNumbers *honest,
                    const SeamLabNumbers *mistaken)
{
  double factor = honest->time_ns[0] / mistaken->time_ns[0];

  if (lab->n_plans < 2
      || !(mistaken->low_ns[0] > honest->high_ns[0] || mistaken->high_ns[0] < honest->low_ns[0]))
    return g_strdup ("No effect that the intervals show.");
  g_autofree char *by = seam_text_ratio (factor > 1 ? factor : 1 / factor);
  return g_strdup_printf ("A looks %s %s than it is, but the ratio does not move beyond its "
                          "interval.",
                          by, factor > 1 ? "faster" : "slower");
}

/* What the check of outputs finds. */
static char *
describe_outputs (const SeamLabCase *c)
{
  for (int k = 0; k < SEAM_LAB_ROUNDS; k++)
    for (int i = 0; c->rounds[k] != NULL && i < c->rounds[k]->n_plans; i++) {
      const SeamDifference *difference = c->rounds[k]->plans[i].difference;

      if (difference != NULL && difference->n_failing > 0) {
        g_autofree char *share =
            seam_agreement_format_share (difference->n_failing, difference->n_elements);
        return g_strdup_printf (" The check of outputs notices it: %s %% fail.", share);
      }
    }
  return g_strdup ("");
}

static char *
describe_honest (const SeamLab *lab, const SeamLabNumbers *numbers)
{
  g_autofree char *time = seam_text_time (numbers->time_ns[0]);
  g_autofree char *ratio = seam_text_ratio (numbers->ratio);
  g_autofree char *low = seam_text_ratio (numbers->ratio_low);
  g_autofree char *high = seam_text_ratio (numbers->ratio_high);

  if (isnan (numbers->time_ns[0]))
    return g_strdup ("Not measured yet.");
  if (lab->n_plans < 2)
    return g_strdup_printf ("A takes %s.", time);
  if (isnan (numbers->ratio_low))
    return g_strdup_printf ("A takes %s times as long as B; too few samples for an interval.",
                            ratio);
  return g_strdup_printf ("A takes %s as long as B (95 %% interval %s to %s).", ratio, low, high);
}

char *
seam_lab_describe (const SeamLab *lab, int index)
{
  const SeamLabCase *c = &lab->cases[index];
  SeamLabNumbers honest, mistaken;
  gboolean pair = lab->n_plans > 1, apart, known;

  if (c->why_not != NULL)
    return g_strdup (c->why_not);
  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &honest);
  if (index == SEAM_LAB_HONEST)
    return describe_honest (lab, &honest);
  if (!c->wanted)
    return g_strdup ("Not asked for.");
  seam_lab_get_numbers (lab, index, &mistaken);
  double factor = pair ? mistaken.ratio / honest.ratio : honest.time_ns[0] / mistaken.time_ns[0];
  if (!isfinite (factor))
    return g_strdup ("Not measured yet.");
  if (pair) {
    known = isfinite (mistaken.ratio_low) && isfinite (honest.ratio_low);
    apart = mistaken.ratio_low > honest.ratio_high || mistaken.ratio_high < honest.ratio_low;
  } else {
    known = isfinite (mistaken.low_ns[0]) && isfinite (honest.low_ns[0]);
    apart = mistaken.low_ns[0] > honest.high_ns[0] || mistaken.high_ns[0] < honest.low_ns[0];
  }
  g_autofree char *outputs = describe_outputs (c);
  g_autofree char *effect =
      !known   ? g_strdup ("Too few samples to say: give it a longer budget or a smaller shape.")
      : !apart ? describe_no_effect (lab, &honest, &mistaken)
               : describe_effect (lab, factor);
  return g_strconcat (effect, outputs, NULL);
}

char *
seam_lab_get_provenance (const SeamLab *lab)
{
  const SeamResult *honest = lab->cases[SEAM_LAB_HONEST].rounds[0];
  g_autofree char *line = honest != NULL ? seam_result_get_provenance (honest) : NULL;

  return g_strdup_printf ("Pitfall lab: all but Honest is wrong on purpose%s%s",
                          line != NULL ? " · " : "", line != NULL ? line : "");
}
