/* SPDX-License-Identifier: MIT
 *
 * The texts of a finished run. Verdicts, agreements and sanity limits come from app/compare/; this
 * file is the only one that puts them into words.
 */
#include "app/report/summary.h"

#include "app/base/text.h"
#include "app/compare/exceeded.h"

#include <math.h>
#include <string.h>

void
seam_summary_sides_init (SeamSummarySides *sides, const SeamResult *result, int a, int b)
{
  *sides = (SeamSummarySides){ .result = result, .n_plans = 1, .compared = -1 };
  sides->plans[0] = a;
  sides->letters[0] = seam_plan_get_letter (a);
  if (b < 0)
    return;
  sides->plans[1] = b;
  sides->letters[1] = seam_plan_get_letter (b);
  sides->n_plans = 2;
  sides->compared = 1;
}

static const SeamPlanResult *
get_side (const SeamSummarySides *sides, int side)
{
  return &sides->result->plans[sides->plans[side]];
}

/* "B published" */
static char *
format_side (const SeamSummarySides *sides, int side)
{
  const char *name = get_side (sides, side)->name;
  g_autofree char *title = seam_result_format_plan_title (sides->result, sides->plans[side]);

  if (name == NULL)
    name = sides->in_window ? title : get_side (sides, side)->notation;
  return g_strdup_printf ("%c %s", sides->letters[side], name != NULL ? name : "");
}

static double
get_longest_ns (const SeamSummarySides *sides)
{
  double longest = NAN;

  for (int i = 0; i < sides->n_plans; i++)
    longest = fmax (longest, get_side (sides, i)->median_ns);
  return longest;
}

/* Appends a clause: as a sentence if the text ends with one, else after a middle dot. */
static void
append_clause (GString *text, const char *clause)
{
  gboolean is_sentence = text->len > 0 && text->str[text->len - 1] == '.';
  gsize at;

  if (clause == NULL || *clause == '\0')
    return;
  g_string_append (text, text->len == 0 ? "" : is_sentence ? " " : " · ");
  at = text->len;
  g_string_append (text, clause);
  if (is_sentence) {
    text->str[at] = g_ascii_toupper (text->str[at]);
    if (text->str[text->len - 1] != '.')
      g_string_append_c (text, '.');
  }
}

static gboolean
has_samples (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].n_samples > 0)
      return TRUE;
  return FALSE;
}

/* ---- headline ---- */

/* Adds a warning sign to the headline, so that not only the colour says that it is bad. */
static void
mark_bad (SeamSummary *summary)
{
  summary->headline = seam_keep (summary, g_strconcat ("⚠ ", summary->headline, NULL));
  summary->tone = SEAM_TONE_BAD;
}

static gboolean
is_over_peak (const SeamSummarySides *sides)
{
  for (int i = 0; i < sides->n_plans; i++) {
    g_autoptr (GPtrArray) exceeded = seam_exceeded_list (sides->result, sides->plans[i]);

    if (exceeded->len > 0)
      return TRUE;
  }
  return FALSE;
}

static char *
list_others (const SeamSummarySides *sides)
{
  GString *text = g_string_new (NULL);

  for (int i = 1; i < sides->n_plans; i++) {
    if (i == sides->compared)
      continue;
    g_autoptr (SeamVerdict) verdict =
        seam_verdict_new (sides->result, sides->plans[0], sides->plans[i]);
    g_autofree char *plan = format_side (sides, i);
    g_string_append_printf (text, "%s%s: %s%s", text->len > 0 ? " · " : "", plan,
                            verdict->below_floor ? "⚠ " : "", verdict->headline);
  }
  return g_string_free (text, text->len == 0);
}

/* Both medians in the same unit, so that they can be compared at a glance. */
static char *
format_medians (const SeamPlanResult *a, const SeamPlanResult *b)
{
  SeamUnit unit = seam_unit_for_time (fmax (a->median_ns, b->median_ns));
  g_autofree char *before = seam_text_significant (a->median_ns / unit.scale, 3);
  g_autofree char *after = seam_text_significant (b->median_ns / unit.scale, 3);

  return g_strdup_printf ("%s → %s %s", before, after, unit.name);
}

static void
set_pair (SeamSummary *summary, const SeamSummarySides *sides, GString *detail)
{
  g_autoptr (SeamVerdict) verdict =
      seam_verdict_new (sides->result, sides->plans[0], sides->plans[sides->compared]);
  g_autofree char *a = format_side (sides, 0);
  g_autofree char *b = format_side (sides, sides->compared);
  gboolean is_over = is_over_peak (sides);

  summary->headline = seam_keep (summary, g_strdup (verdict->headline));
  summary->compared = seam_keep_printf (summary, "%s against %s", b, a);
  summary->others = seam_keep (summary, list_others (sides));
  summary->medians =
      seam_keep (summary, format_medians (get_side (sides, 0), get_side (sides, sides->compared)));
  append_clause (detail, verdict->detail);
  append_clause (detail, verdict->next_step);
  if (is_over)
    append_clause (detail, "a kernel is over a peak of the device, which cannot be right");
  /* The ratio of a wrong answer is worth little, so it is struck through. */
  if (verdict->kind == SEAM_VERDICT_WRONG && isfinite (verdict->ratio))
    summary->struck = seam_keep (summary, seam_verdict_describe_ratio (verdict->ratio));
  if (is_over || verdict->below_floor || sides->result->pitfalls != NULL)
    mark_bad (summary);
  else if (verdict->kind == SEAM_VERDICT_WRONG)
    summary->tone = SEAM_TONE_BAD;
  else if (verdict->kind == SEAM_VERDICT_NOTHING)
    summary->tone = SEAM_TONE_WARNING;
}

static void
set_single (SeamSummary *summary, const SeamSummarySides *sides, GString *detail)
{
  const SeamPlanResult *plan = get_side (sides, 0);
  gboolean is_over = is_over_peak (sides), is_wrong = FALSE;
  gboolean is_below = plan->median_ns < sides->result->floor_ns;
  g_autofree char *name = format_side (sides, 0);
  g_autofree char *pitfalls = seam_pitfalls_describe (sides->result->pitfalls);

  summary->compared = seam_keep_printf (summary, "%s alone, nothing to compare with", name);
  summary->headline =
      seam_keep (summary, isfinite (plan->median_ns) ? seam_text_time (plan->median_ns)
                                                     : g_strdup ("Not measured"));
  if (isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns)) {
    g_autofree char *low = seam_text_time (plan->ci_low_ns);
    g_autofree char *high = seam_text_time (plan->ci_high_ns);

    g_string_append_printf (detail, "95 %% interval %s to %s", low, high);
  }
  if (pitfalls != NULL) {
    g_autofree char *clause = g_strconcat ("measured wrong on purpose: ", pitfalls, NULL);

    summary->headline =
        seam_keep (summary, g_strconcat (summary->headline, ", with pitfall", NULL));
    append_clause (detail, clause);
  }
  if (plan->difference != NULL) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (plan->difference);

    is_wrong = !agreement->agree;
    if (is_wrong)
      append_clause (detail, agreement->headline);
  }
  if (is_below)
    append_clause (detail, SEAM_VERDICT_UNDER_FLOOR);
  if (is_over)
    append_clause (detail, "a kernel is over a peak of the device, which cannot be right");
  if (is_over || is_below || is_wrong || pitfalls != NULL)
    mark_bad (summary);
}

/* ---- throttling ---- */

/* Appends a number to a list, or nothing: what older files lack is left out. */
static void
append_known (GString *list, const char *before, double value, int decimals, const char *after)
{
  g_autofree char *number = seam_text_fixed (value, decimals);

  if (isfinite (value))
    g_string_append_printf (list, "%s%s%s%s", list->len > 0 ? ", " : "", before, number, after);
}

/* For plan `b` beside plan `a`, as for seam_clocks_describe(). Returns the summary's throttle. */
static char *
describe_throttle (const SeamResult *result, int a, int b, char **words)
{
  GString *text;

  if (result->throttle == NULL)
    return has_samples (result) && seam_device_info_is_device (result->device)
               ? g_strdup ("Throttling of this run is not known.")
               : NULL;
  if (strcmp (result->throttle, "none") == 0)
    return NULL;
  text = g_string_new (NULL);
  append_known (text, "Lowest ", round (result->load.low_mhz / 10) / 100, 2, "");
  append_known (text, "", result->power_w, 0, " W");
  append_known (text, "", result->temperature_c, 0, " °C");
  g_autofree char *follows = seam_clocks_describe (result, a, b);
  g_string_append_printf (text, "%s%s", text->len > 0 ? ". " : "", follows);
  *words = g_string_free (text, FALSE);
  return g_strdup (result->throttle);
}

/* ---- facts ---- */

static SeamSummaryFact *
add_fact (SeamSummary *summary, SeamFactKind kind, const char *caption, const char *short_caption)
{
  SeamSummaryFact *fact = &summary->facts[summary->n_facts++];

  fact->kind = kind;
  fact->caption = caption;
  fact->short_caption = short_caption;
  return fact;
}

/* What outputs are compared with, by its letter; the window has letters for shown plans only. */
static char *
name_reference (const SeamSummarySides *sides)
{
  int against = sides->result->against;
  const char *name = sides->result->plans[against].name;
  gboolean has_letter = !sides->in_window;

  for (int i = 0; i < sides->n_plans; i++)
    has_letter = has_letter || sides->plans[i] == against;
  return has_letter ? g_strdup_printf ("%c", seam_plan_get_letter (against))
                    : g_strdup (name != NULL ? name : "reference");
}

/* Adds how the outputs of the plan beside the first compare, or those of the first if that plan was
 * not compared, or does better. */
static void
add_outputs (SeamSummary *summary, const SeamSummarySides *sides)
{
  int side = MAX (sides->compared, 0), against = sides->result->against;
  const SeamDifference *difference = get_side (sides, side)->difference;
  g_autoptr (SeamAgreement) agreement = NULL;
  g_autofree char *largest = NULL;
  static const char *const captions[] = { "Outputs differ ✕", "Comparison shows nothing ⚠",
                                          "Outputs agree ✓" };
  static const SeamTone tones[] = { SEAM_TONE_BAD, SEAM_TONE_WARNING, SEAM_TONE_GOOD };
  const char *caption;
  SeamSummaryFact *fact;

  if (difference == NULL
      || seam_difference_judge (get_side (sides, 0)->difference)
             < seam_difference_judge (difference)) {
    side = 0;
    difference = get_side (sides, side)->difference;
  }
  if (difference == NULL) {
    if (sides->n_plans > 1) {
      fact = add_fact (summary, SEAM_FACT_OUTPUTS, "Outputs", "Outputs");
      fact->value = seam_keep (summary, g_strdup ("not compared"));
      fact->short_value = seam_keep (summary, g_strdup (fact->value));
    }
    return;
  }
  agreement = seam_agreement_new (difference);
  largest = seam_text_scientific (seam_difference_get_largest (difference));
  caption = captions[agreement->outputs];
  fact = add_fact (summary, SEAM_FACT_OUTPUTS, caption, caption);
  fact->tone = tones[agreement->outputs];
  fact->words = strcmp (agreement->title, agreement->headline) == 0
                    ? seam_keep (summary, g_strdup (agreement->detail))
                    : seam_keep_printf (summary, "%s. %s", agreement->title, agreement->detail);
  fact->short_value = seam_keep_printf (summary, "max %s", largest);
  if (against < 0) {
    fact->value = seam_keep_printf (summary, "max |%c−FP64| %s", sides->letters[side], largest);
  } else {
    g_autofree char *reference = name_reference (sides);
    fact->value =
        seam_keep_printf (summary, "max |%s−%c| %s", reference, sides->letters[side], largest);
  }
}

static void
add_traffic (SeamSummary *summary, const SeamSummarySides *sides)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double largest = 0;
  SeamSummaryFact *fact;
  SeamUnit unit;

  for (int i = 0; i < sides->n_plans; i++) {
    if (!(get_side (sides, i)->bytes > 0))
      return;
    largest = fmax (largest, get_side (sides, i)->bytes);
  }
  unit = seam_unit_for_bytes (largest);
  for (int i = 0; i < sides->n_plans; i++) {
    g_autofree char *number = seam_text_fixed (get_side (sides, i)->bytes / unit.scale, 2);

    g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", number);
  }
  fact = add_fact (summary, SEAM_FACT_TRAFFIC, "Memory traffic, modelled", "Traffic");
  fact->value = seam_keep_printf (summary, "%s %s", text->str, unit.name);
  fact->short_value = seam_keep (summary, g_strdup (fact->value));
  fact->words = seam_keep (
      summary, g_strdup ("Bytes that each plan reads and writes, from shapes, copies included."));
}

/* Adds the floor in the unit of the bars, so that the two can be compared at a glance. */
static void
add_floor (SeamSummary *summary, const SeamSummarySides *sides)
{
  const SeamResult *result = sides->result;
  const char *source = result->device != NULL ? result->device->rates_source : NULL;
  double longest = get_longest_ns (sides);
  g_autofree char *number = NULL;
  SeamSummaryFact *fact;
  SeamUnit unit;

  if (!isfinite (result->floor_ns))
    return;
  unit = seam_unit_for_time (
      isfinite (longest) && result->floor_ns > longest / 1000 ? longest : result->floor_ns);
  number = seam_text_significant (result->floor_ns / unit.scale, 3);
  fact =
      add_fact (summary, SEAM_FACT_FLOOR,
                result->floor_memory_bound ? "Floor, memory bound" : "Floor, compute bound", NULL);
  fact->value = seam_keep_printf (summary, "%s %s", number, unit.name);
  fact->words = seam_keep_printf (summary, "No correct plan can be faster on this device%s%s.",
                                  source != NULL ? "; rates: " : "", source != NULL ? source : "");
}

/* ---- times ---- */

/* The kinds of times of a plan. */
typedef enum { TIME_ELAPSED, TIME_SPAN, TIME_SUM, TIME_GAPS } Time;

static double
get_time (const SeamPlanResult *plan, Time time)
{
  switch (time) {
  case TIME_ELAPSED:
    return plan->median_ns;
  case TIME_SPAN:
    return plan->span_median_ns;
  case TIME_SUM:
    return plan->kernels_sum_median_ns;
  default:
    return plan->span_median_ns - plan->kernels_sum_median_ns;
  }
}

/* " 1.2 and 3.4"; " B 3.4" if the others are unknown. */
static void
append_times (GString *text, const SeamSummarySides *sides, Time time, const SeamUnit *unit)
{
  int n_known = 0, n = 0;

  for (int i = 0; i < sides->n_plans; i++)
    n_known += isfinite (get_time (get_side (sides, i), time));
  for (int i = 0; i < sides->n_plans; i++) {
    double ns = get_time (get_side (sides, i), time);
    g_autofree char *number = seam_text_fixed (ns / unit->scale, 3);
    const char letter[] = { sides->letters[i], ' ', '\0' };

    if (isfinite (ns))
      g_string_append_printf (text, "%s %s%s", n++ > 0 ? " and" : "",
                              n_known < sides->n_plans ? letter : "", number);
  }
}

static char *
describe_times (const SeamSummarySides *sides)
{
  const SeamDeviceWords *words = seam_device_info_get_words (sides->result->device);
  double longest = get_longest_ns (sides);
  SeamUnit unit = seam_unit_for_time (longest);
  gboolean traced = FALSE;
  GString *text = g_string_new (words->elapsed);

  g_string_append (text, isfinite (longest) ? ":" : ": not measured.");
  if (!isfinite (longest))
    return g_string_free (text, FALSE);
  append_times (text, sides, TIME_ELAPSED, &unit);
  g_string_append_printf (text, " %s.", unit.name);
  for (int i = 0; i < sides->n_plans; i++)
    traced = traced || isfinite (get_side (sides, i)->span_median_ns);
  if (traced) {
    g_string_append (text, " Traced pass: span");
    append_times (text, sides, TIME_SPAN, &unit);
    g_string_append_printf (text, ", sum of %s", words->parts);
    append_times (text, sides, TIME_SUM, &unit);
    g_string_append (text, ", gaps");
    append_times (text, sides, TIME_GAPS, &unit);
    g_string_append_printf (text, " %s.", unit.name);
  }
  return g_string_free (text, FALSE);
}

SeamSummary *
seam_summary_new (const SeamSummarySides *sides)
{
  SeamSummary *summary = seam_owner_new (SeamSummary);
  GString *detail = g_string_new (NULL);

  if (sides->compared > 0)
    set_pair (summary, sides, detail);
  else
    set_single (summary, sides, detail);
  if (sides->result->stopped && has_samples (sides->result))
    append_clause (detail, "stopped early");
  summary->detail = seam_keep (summary, g_string_free (detail, FALSE));
  summary->times = seam_keep (summary, describe_times (sides));
  summary->throttle = seam_keep (summary, describe_throttle (sides->result, sides->plans[0],
                                                             sides->plans[MAX (sides->compared, 0)],
                                                             &summary->load));
  seam_keep (summary, summary->load);
  add_outputs (summary, sides);
  add_traffic (summary, sides);
  add_floor (summary, sides);
  return summary;
}

/* ---- notes ---- */

static void
note_clear (gpointer data)
{
  g_free (((SeamSummaryNote *)data)->sentence);
}

/* Takes `sentence`, which may be NULL. */
static void
take_note (GArray *notes, int plan, char *sentence)
{
  SeamSummaryNote note = { plan, sentence };

  if (sentence != NULL && *sentence != '\0')
    g_array_append_val (notes, note);
  else
    g_free (sentence);
}

static void
add_plan_notes (GArray *notes, const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];
  g_autoptr (GPtrArray) exceeded = seam_exceeded_list (result, index);

  take_note (notes, index, g_strdup (plan->message));
  if (plan->difference != NULL && plan->difference->n_failing > 0) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (plan->difference);

    take_note (notes, index, g_strdup_printf ("%s. %s", agreement->title, agreement->detail));
  }
  take_note (notes, index, seam_agreement_describe_nothing (plan->difference));
  if (plan->difference != NULL && plan->difference->n_failing == 0)
    take_note (notes, index, seam_agreement_describe_limits (plan->difference));
  if (result->against < 0)
    take_note (notes, index,
               seam_agreement_describe_precision (result->plans[0].difference, plan->difference));
  if (!plan->stable && plan->n_samples > 0)
    take_note (notes, index, g_strdup ("its output after timing is not the output before it."));
  if (plan->n_rejected > 0)
    take_note (notes, index,
               g_strdup_printf ("%d kernel records without a valid time were left out.",
                                plan->n_rejected));
  take_note (notes, index, seam_exceeded_describe (exceeded, -1));
}

GArray *
seam_summary_list_notes (const SeamResult *result, const int *plans, int n_plans)
{
  GArray *notes = g_array_new (FALSE, FALSE, sizeof (SeamSummaryNote));
  g_autofree char *words = NULL;

  g_array_set_clear_func (notes, note_clear);
  for (int i = 0; i < (plans != NULL ? n_plans : result->n_plans); i++)
    add_plan_notes (notes, result, plans != NULL ? plans[i] : i);
  take_note (notes, -1, g_strdup (result->trace_note));
  if (plans == NULL) {
    g_autofree char *throttle = describe_throttle (result, MAX (result->against, 0), -1, &words);
    take_note (notes, -1, throttle != NULL ? g_strjoin (". ", throttle, words, NULL) : NULL);
  }
  take_note (notes, -1, seam_load_describe (result->foreign_load));
  if (result->stopped)
    take_note (notes, -1,
               g_strdup (has_samples (result)
                             ? "Stopped early; the samples taken until then are kept."
                             : "Stopped before the first sample; the outputs are kept."));
  return notes;
}

char *
seam_summary_format_notes (const SeamSummarySides *sides)
{
  g_autoptr (GArray) notes = seam_summary_list_notes (sides->result, sides->plans, sides->n_plans);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++) {
    const SeamSummaryNote *note = &g_array_index (notes, SeamSummaryNote, i);
    int side = 0;

    while (side < sides->n_plans && sides->plans[side] != note->plan)
      side++;
    g_string_append (text, text->len > 0 ? " " : "");
    if (side < sides->n_plans)
      g_string_append_printf (text, "Plan %c: ", sides->letters[side]);
    g_string_append (text, note->sentence);
  }
  return g_string_free (text, FALSE);
}
