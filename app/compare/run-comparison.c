/* SPDX-License-Identifier: MIT
 *
 * Matching: runs of two sessions, plans of two runs, kernels of two plans. Plans with the same
 * notation and name are matched first, then those with the same name (a named plan may be cut
 * differently on another target), then those with the same notation. Kernels are matched by the ops
 * that they execute.
 */
#include "app/compare/comparison-private.h"

#include <string.h>

static gboolean
is_equal (const char *a, const char *b)
{
  return a != NULL && b != NULL && strcmp (a, b) == 0;
}

const char *
seam_match_get_word (SeamMatch match)
{
  static const char *const words[] = { "same", "changed", "added", "removed" };

  return words[match];
}

const char *
seam_match_get_sign (SeamMatch match)
{
  static const char *const signs[] = { "=", "~", "+", "−" };

  return signs[match];
}

/* Compares two records; the strictest of three passes comes first. */
typedef gboolean (*Fits) (gconstpointer a, gconstpointer b, int pass);

/* partners[i]: the record of B that matches record i of A, or -1; in their order. */
static void
match (gconstpointer a, int n_a, gconstpointer b, int n_b, gsize size, Fits fits, int *partners,
       gboolean *taken)
{
  for (int i = 0; i < n_a; i++)
    partners[i] = -1;
  for (int pass = 0; pass < 3; pass++)
    for (int i = 0; i < n_a; i++)
      for (int k = 0; k < n_b && partners[i] < 0; k++)
        if (!taken[k] && fits ((const char *)a + i * size, (const char *)b + k * size, pass)) {
          partners[i] = k;
          taken[k] = TRUE;
        }
}

/* ---- kernels ---- */

static gboolean
fits_kernel (gconstpointer record_a, gconstpointer record_b, int pass)
{
  const SeamKernel *a = record_a, *b = record_b;

  if (a->first_op != b->first_op || a->last_op != b->last_op || a->is_copy != b->is_copy)
    return FALSE;
  if (pass == 0)
    return is_equal (a->name, b->name) && is_equal (a->implementation, b->implementation);
  return pass > 1 || is_equal (a->short_name, b->short_name);
}

static void
add_kernel (GArray *list, const SeamPlanResult *a, int i, const SeamPlanResult *b, int k)
{
  const SeamKernel *of_a = i >= 0 ? &a->kernels[i] : NULL, *of_b = k >= 0 ? &b->kernels[k] : NULL;
  SeamKernelPair pair = { .a = i, .b = k };

  pair.match = of_a == NULL                  ? SEAM_MATCH_ADDED
               : of_b == NULL                ? SEAM_MATCH_REMOVED
               : fits_kernel (of_a, of_b, 0) ? SEAM_MATCH_SAME
                                             : SEAM_MATCH_CHANGED;
  pair.numbers = seam_comparison_list_kernel_numbers (of_a, of_b, &pair.n_numbers);
  g_array_append_val (list, pair);
}

/* A kernel of A without a partner follows the kernels of A before it. If one of two plans was not
 * traced, its kernels are unknown, not removed. */
static void
pair_kernels (SeamPlanPair *pair, const SeamPlanResult *a, const SeamPlanResult *b)
{
  int n_a = MAX (a->n_kernels, 0), n_b = MAX (b->n_kernels, 0), next = 0;
  g_autofree int *partners = g_new (int, n_a + 1);
  g_autofree gboolean *taken = g_new0 (gboolean, n_b + 1);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (SeamKernelPair));

  if (pair->a >= 0 && pair->b >= 0 && (a->n_kernels < 0 || b->n_kernels < 0))
    n_a = n_b = 0;
  else
    match (a->kernels, n_a, b->kernels, n_b, sizeof (SeamKernel), fits_kernel, partners, taken);
  for (int i = 0; i < n_a; i++) {
    for (; partners[i] >= 0 && next < partners[i]; next++)
      if (!taken[next])
        add_kernel (list, a, -1, b, next);
    add_kernel (list, a, i, b, partners[i]);
  }
  for (; next < n_b; next++)
    if (!taken[next])
      add_kernel (list, a, -1, b, next);
  pair->n_kernels = (int)list->len;
  pair->kernels = (SeamKernelPair *)(void *)g_array_free (list, FALSE);
}

/* ---- plans ---- */

static gboolean
fits_plan (gconstpointer record_a, gconstpointer record_b, int pass)
{
  const SeamPlanResult *a = record_a, *b = record_b;
  gboolean name = is_equal (a->name, b->name);
  gboolean notation = is_equal (a->notation, b->notation);

  return pass == 0   ? notation && (name || (a->name == NULL && b->name == NULL))
         : pass == 1 ? name
                     : notation;
}

/* Differences in the execution of the plans; NULL: none. */
static char *
describe_change (const SeamPlanResult *a, const SeamPlanResult *b)
{
  if (!is_equal (a->notation, b->notation))
    return g_strdup_printf ("cut otherwise: %s in A, %s in B", a->notation, b->notation);
  if (a->executed != NULL && b->executed != NULL && strcmp (a->executed, b->executed) != 0)
    return g_strdup_printf ("executed by others: %s in A, %s in B", a->executed, b->executed);
  return NULL;
}

static void
add_plan (GArray *list, const SeamComparison *comparison, int i, int k)
{
  static const SeamPlanResult none = { .n_kernels = -1 };
  const SeamPlanResult *a = i >= 0 ? &comparison->a->plans[i] : NULL;
  const SeamPlanResult *b = k >= 0 ? &comparison->b->plans[k] : NULL;
  SeamPlanPair pair = { .a = i, .b = k };

  if (a != NULL && b != NULL) {
    pair.change = describe_change (a, b);
    pair.verdict = seam_verdict_new_of_two_runs (comparison->a, i, comparison->b, k);
  }
  pair.match = a == NULL             ? SEAM_MATCH_ADDED
               : b == NULL           ? SEAM_MATCH_REMOVED
               : pair.change != NULL ? SEAM_MATCH_CHANGED
                                     : SEAM_MATCH_SAME;
  pair.numbers = seam_comparison_list_plan_numbers (a, b, &pair.n_numbers);
  pair_kernels (&pair, a != NULL ? a : &none, b != NULL ? b : &none);
  for (int m = 0; pair.match == SEAM_MATCH_SAME && m < pair.n_kernels; m++)
    if (pair.kernels[m].match != SEAM_MATCH_SAME) {
      pair.match = SEAM_MATCH_CHANGED;
      pair.change = g_strdup ("other kernels");
    }
  g_array_append_val (list, pair);
}

static void
pair_plans (SeamComparison *comparison)
{
  const SeamResult *a = comparison->a, *b = comparison->b;
  g_autofree int *partners = g_new (int, a->n_plans + 1);
  g_autofree gboolean *taken = g_new0 (gboolean, b->n_plans + 1);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (SeamPlanPair));

  match (a->plans, a->n_plans, b->plans, b->n_plans, sizeof (SeamPlanResult), fits_plan, partners,
         taken);
  for (int i = 0; i < a->n_plans; i++)
    add_plan (list, comparison, i, partners[i]);
  for (int k = 0; k < b->n_plans; k++)
    if (!taken[k])
      add_plan (list, comparison, -1, k);
  comparison->n_plans = (int)list->len;
  comparison->plans = (SeamPlanPair *)(void *)g_array_free (list, FALSE);
}

/* ---- runs ---- */

SeamComparison *
seam_comparison_new (SeamResult *a, SeamResult *b)
{
  SeamComparison *comparison = g_new0 (SeamComparison, 1);

  comparison->a = seam_result_ref (a);
  comparison->b = seam_result_ref (b);
  seam_comparison_add_conditions (comparison);
  comparison->numbers = seam_comparison_list_run_numbers (a, b, &comparison->n_numbers);
  if (comparison->obstacle == NULL)
    pair_plans (comparison);
  return comparison;
}

void
seam_comparison_free (SeamComparison *comparison)
{
  if (comparison == NULL)
    return;
  for (int i = 0; i < comparison->n_conditions; i++) {
    g_free (comparison->conditions[i].a);
    g_free (comparison->conditions[i].b);
  }
  g_free (comparison->conditions);
  g_free (comparison->obstacle);
  g_free (comparison->numbers);
  for (int i = 0; i < comparison->n_plans; i++) {
    SeamPlanPair *plan = &comparison->plans[i];
    for (int k = 0; k < plan->n_kernels; k++)
      g_free (plan->kernels[k].numbers);
    g_free (plan->kernels);
    g_free (plan->numbers);
    g_free (plan->change);
    seam_owner_free (plan->verdict);
  }
  g_free (comparison->plans);
  seam_result_unref (comparison->a);
  seam_result_unref (comparison->b);
  g_free (comparison);
}

/* How much two runs have in common; -1: their pipelines differ. Differences that make the runs
 * incomparable weigh most. */
static int
score_runs (const SeamResult *a, const SeamResult *b)
{
  const char *target_a = a->device != NULL ? a->device->id : NULL;
  const char *target_b = b->device != NULL ? b->device->id : NULL;
  gboolean same_tensors = TRUE;

  if (!is_equal (a->pipeline_id, b->pipeline_id))
    return -1;
  int score = 8 * is_equal (a->shape, b->shape) + 2 * is_equal (target_a, target_b);
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    const SeamSetting *setting = (*field)->setting;
    gboolean same = seam_field_equal (*field, &a->settings, &b->settings);

    if (same && (setting->marks & SEAM_SETTING_PREVENTS) != 0)
      score += 8;
    else if (same && (setting->marks & SEAM_SETTING_QUALIFIES) != 0)
      score += 4;
    if (!same && (setting->concerns & SEAM_CONCERN_TENSORS) != 0)
      same_tensors = FALSE;
  }
  return score + same_tensors;
}

void
seam_comparison_match_runs (const SeamResult *const *a, int n_a, const SeamResult *const *b,
                            int n_b, int *partners)
{
  g_autofree gboolean *taken = g_new0 (gboolean, n_b + 1);

  for (int i = 0; i < n_a; i++)
    partners[i] = -1;
  /* Takes the best matching pair first. */
  for (;;) {
    int best = -1, best_a = 0, best_b = 0;

    for (int i = 0; i < n_a; i++)
      for (int k = 0; k < n_b && partners[i] < 0; k++) {
        int score = taken[k] ? -1 : score_runs (a[i], b[k]);
        if (score > best) {
          best = score;
          best_a = i;
          best_b = k;
        }
      }
    if (best < 0)
      return;
    partners[best_a] = best_b;
    taken[best_b] = TRUE;
  }
}

/* ---- words ---- */

const char *
seam_comparison_get_plan_name (const SeamComparison *comparison, const SeamPlanPair *plan)
{
  const SeamPlanResult *result =
      plan->b >= 0 ? &comparison->b->plans[plan->b] : &comparison->a->plans[plan->a];

  return result->name != NULL ? result->name : result->notation;
}

const SeamKernel *
seam_comparison_get_kernel (const SeamComparison *comparison, const SeamPlanPair *plan,
                            const SeamKernelPair *kernel)
{
  return kernel->b >= 0 ? &comparison->b->plans[plan->b].kernels[kernel->b]
                        : &comparison->a->plans[plan->a].kernels[kernel->a];
}

const char *
seam_comparison_get_rule (void)
{
  return "The samples of two runs do not alternate, so they are not compared as pairs. Faster and "
         "slower need both: the 95 % interval of the ratio of medians lies wholly "
         "beyond " SEAM_CLAIMABLE_WORDS ", and the medians of up to ten stretches of each run "
         "differ in rank as they do in less than " SEAM_CHANCE_WORDS
         " of equal runs (rank-sum test). Where their clocks under load differ by "
         "over " SEAM_CLAIMABLE_WORDS
         ", the times must differ by more than the clocks. What else sets a whole run apart, such "
         "as other programs, counts as a difference: run twice to see how much that is.";
}

static void
append_count (GString *text, int n, const char *separator, const char *words)
{
  if (n > 0)
    g_string_append_printf (text, "%s%d %s", text->len > 0 ? separator : "", n, words);
}

char *
seam_comparison_describe (const SeamComparison *comparison)
{
  int kinds[SEAM_VERDICT_PITFALL + 1] = { 0 }, n_added = 0, n_removed = 0, n_new = 0, n_gone = 0;

  if (comparison->obstacle != NULL)
    return g_strdup (comparison->obstacle);
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];
    n_added += plan->match == SEAM_MATCH_ADDED;
    n_removed += plan->match == SEAM_MATCH_REMOVED;
    if (plan->verdict == NULL)
      continue;
    kinds[plan->verdict->kind]++;
    for (int k = 0; k < plan->n_kernels; k++) {
      n_new += plan->kernels[k].match == SEAM_MATCH_ADDED;
      n_gone += plan->kernels[k].match == SEAM_MATCH_REMOVED;
    }
  }
  GString *text = g_string_new (NULL);
  append_count (text, kinds[SEAM_VERDICT_FASTER], ", ", "faster");
  append_count (text, kinds[SEAM_VERDICT_SLOWER], ", ", "slower");
  append_count (text, kinds[SEAM_VERDICT_SAME], ", ", "same");
  append_count (text, kinds[SEAM_VERDICT_UNCLEAR], ", ", "unclear");
  append_count (text, kinds[SEAM_VERDICT_WRONG], ", ", "wrong");
  append_count (text, kinds[SEAM_VERDICT_NOTHING], ", ", "compared in a way that shows nothing");
  append_count (text, kinds[SEAM_VERDICT_PITFALL], ", ", "measured with a pitfall");
  append_count (text, kinds[SEAM_VERDICT_NONE], ", ", "not timed");
  if (text->len > 0)
    g_string_prepend (text, "Plans of B against A: ");
  append_count (text, n_added, "; ", n_added == 1 ? "plan added" : "plans added");
  append_count (text, n_removed, "; ", n_removed == 1 ? "plan removed" : "plans removed");
  append_count (text, n_new, "; ", n_new == 1 ? "kernel added" : "kernels added");
  append_count (text, n_gone, "; ", n_gone == 1 ? "kernel removed" : "kernels removed");
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
