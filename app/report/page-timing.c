/* SPDX-License-Identifier: MIT
 *
 * The timing sheet: both strips, verdict and facts, bars, how it was measured, where it comes from.
 */
#include "app/report/page.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/compare/rails.h"
#include "app/explain/read-result.h"
#include "app/figure/bars.h"
#include "app/figure/page-common.h"
#include "app/figure/strip-layout.h"
#include "app/figure/strip.h"

#include <math.h>
#include <string.h>

#define LEFT_COLUMN 178.0
#define MIN_WIDTH   640.0

/* What a strip shows of who ran the groups, from the result instead of an estimate. */
static SeamPlanEstimate *
make_estimate (const SeamPlanResult *result, const SeamPlan *plan)
{
  SeamPlanEstimate *estimate = g_new0 (SeamPlanEstimate, 1);
  g_auto (GStrv) groups = NULL;

  estimate->n_kernels = result->n_kernels;
  estimate->n_groups = plan->n_groups;
  estimate->groups = g_new (SeamSupport, plan->n_groups);
  if (result->executed != NULL)
    groups = g_strsplit (result->executed, "|", -1);
  for (int i = 0; i < plan->n_groups; i++) {
    const char *at = NULL;

    seam_record_init (&seam_support_type, &estimate->groups[i]);
    estimate->groups[i].level = SEAM_SUPPORT_YES;
    if (groups != NULL && (int)g_strv_length (groups) == plan->n_groups)
      at = strrchr (groups[i], '@');
    if (at != NULL && at[1] != '\0')
      estimate->groups[i].executed = g_strdup (at + 1);
  }
  return estimate;
}

static SeamFigure *
make_strip (const SeamResult *result, int index, char letter, const SeamProblem *problem,
            double width, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, error);
  SeamStripOptions options = { .width = width, .left = LEFT_COLUMN, .letter = letter };
  SeamPlanEstimate *estimate;
  SeamFigure *figure;

  if (plan == NULL)
    return NULL;
  estimate = make_estimate (&result->plans[index], plan);
  figure = seam_strip_figure_new (problem, plan, estimate, &options);
  seam_record_free (&seam_plan_estimate_type, estimate);
  return figure;
}

/* ---- facts ---- */

/* The plans of a sheet, in its order: A, and B where two are compared. */
typedef struct {
  const SeamResult *result;
  const int *plans;
  int n_plans;
} Sides;

static const SeamPlanResult *
get_side (const Sides *sides, int side)
{
  return &sides->result->plans[sides->plans[side]];
}

static char
get_letter (const Sides *sides, int side)
{
  return side == 0 ? 'A' : seam_result_get_letter (sides->plans[0], sides->plans[1]);
}

static double
get_longest_ns (const Sides *sides)
{
  double longest = NAN;

  for (int i = 0; i < sides->n_plans; i++)
    longest = fmax (longest, get_side (sides, i)->median_ns);
  return longest;
}

/* What the last side that was compared with something differs by. */
static gboolean
make_output_fact (const Sides *sides, SeamFact *fact)
{
  int side = sides->n_plans - 1, reference = sides->result->reference;
  const SeamDifference *difference;
  g_autoptr (SeamAgreement) agreement = NULL;
  g_autofree char *largest = NULL;

  while (side > 0 && get_side (sides, side)->difference == NULL)
    side--;
  difference = get_side (sides, side)->difference;
  if (difference == NULL)
    return FALSE;

  agreement = seam_agreement_new (difference);
  largest = difference->max_abs >= .001 ? seam_text_significant (difference->max_abs, 3)
                                        : seam_text_scientific (difference->max_abs);
  fact->caption = agreement->agree ? "Outputs agree ✓" : "Outputs differ ✕";
  fact->ink = agreement->agree ? SEAM_INK_GOOD : SEAM_INK_BAD;
  if (sides->n_plans == 2 && reference == sides->plans[1 - side])
    fact->value = g_strdup_printf ("max |A−%c| %s", get_letter (sides, 1), largest);
  else
    fact->value = g_strdup_printf ("max |%c−%s| %s", get_letter (sides, side),
                                   reference < 0 ? "FP64" : "reference", largest);
  return TRUE;
}

static gboolean
make_traffic_fact (const Sides *sides, SeamFact *fact)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double largest = 0;
  SeamUnit unit;

  for (int i = 0; i < sides->n_plans; i++) {
    if (!(get_side (sides, i)->bytes > 0))
      return FALSE;
    largest = fmax (largest, get_side (sides, i)->bytes);
  }
  unit = seam_unit_for_bytes (largest);
  for (int i = 0; i < sides->n_plans; i++) {
    g_autofree char *number = seam_text_fixed (get_side (sides, i)->bytes / unit.scale,
                                               largest / unit.scale < 100 ? 2 : 1);

    g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", number);
  }
  fact->caption = "Memory traffic, modelled";
  fact->ink = SEAM_INK_TEXT;
  fact->value = g_strdup_printf ("%s %s", text->str, unit.name);
  return TRUE;
}

/* In the unit of the bars, so that the two can be compared at a glance. */
static gboolean
make_floor_fact (const Sides *sides, SeamFact *fact)
{
  const SeamResult *result = sides->result;
  double longest = get_longest_ns (sides);
  g_autofree char *number = NULL;
  SeamUnit unit;

  if (!isfinite (result->floor_ns))
    return FALSE;
  unit = seam_unit_for_time (
      isfinite (longest) && result->floor_ns > longest / 1000 ? longest : result->floor_ns);
  number = seam_text_significant (result->floor_ns / unit.scale, 2);
  fact->caption = result->floor_memory_bound ? "Floor, memory bound" : "Floor, compute bound";
  fact->ink = SEAM_INK_TEXT;
  fact->value = g_strdup_printf ("%s %s", number, unit.name);
  return TRUE;
}

static int
collect_facts (const Sides *sides, SeamFact *facts)
{
  int n = 0;

  n += make_output_fact (sides, &facts[n]);
  n += make_traffic_fact (sides, &facts[n]);
  n += make_floor_fact (sides, &facts[n]);
  return n;
}

/* ---- headline ---- */

static const char *
get_name (const SeamPlanResult *plan)
{
  return plan->name != NULL ? plan->name : plan->notation != NULL ? plan->notation : "";
}

/* A clause as the next sentence, or after a dot in the middle where the text is no sentence. */
static void
append_clause (GString *text, const char *clause)
{
  gboolean is_sentence = text->len > 0 && text->str[text->len - 1] == '.';
  gsize at = text->len + (text->len == 0 ? 0 : is_sentence ? 1 : strlen (" · "));

  g_string_append_printf (text, "%s%s", text->len == 0 ? "" : is_sentence ? " " : " · ", clause);
  if (is_sentence) {
    text->str[at] = g_ascii_toupper (text->str[at]);
    if (text->str[text->len - 1] != '.')
      g_string_append_c (text, '.');
  }
}

/* What the headline says, of two plans or of one. */
typedef struct {
  char *headline, *compared, *struck; /* struck may be NULL */
  GString *detail;
  SeamInk ink;
} Headline;

/* The rails that the plans run over, in words; NULL: none. */
static const char *
find_rail (const Sides *sides)
{
  for (int i = 0; i < sides->n_plans; i++)
    if (isfinite (sides->result->floor_ns)
        && get_side (sides, i)->median_ns < sides->result->floor_ns)
      return "a time under the floor cannot be right";
  for (int i = 0; i < sides->n_plans; i++) {
    g_autoptr (GPtrArray) rails = seam_rails_new (sides->result, sides->plans[i]);

    if (rails->len > 0)
      return "a kernel is over a peak of the device, which cannot be right";
  }
  return NULL;
}

/* Red is not said by the colour alone. */
static void
mark_rail (Headline *headline, const Sides *sides)
{
  const char *rail = find_rail (sides);
  char *marked;

  if (rail == NULL)
    return;
  marked = g_strconcat ("⚠ ", headline->headline, NULL);
  g_free (headline->headline);
  headline->headline = marked;
  headline->ink = SEAM_INK_BAD;
  append_clause (headline->detail, rail);
}

static void
set_verdict (Headline *headline, const Sides *sides)
{
  g_autoptr (SeamVerdict) verdict =
      seam_verdict_new (sides->result, sides->plans[0], sides->plans[1]);

  headline->headline = g_strdup (verdict->headline);
  headline->compared =
      g_strdup_printf ("%c %s against A %s", get_letter (sides, 1), get_name (get_side (sides, 1)),
                       get_name (get_side (sides, 0)));
  headline->detail = g_string_new (verdict->detail);
  if (verdict->kind == SEAM_VERDICT_WRONG || verdict->kind == SEAM_VERDICT_PITFALL)
    headline->ink = SEAM_INK_BAD;
  if (verdict->kind == SEAM_VERDICT_WRONG && isfinite (verdict->ratio)) {
    gboolean faster = verdict->ratio >= 1;
    g_autofree char *ratio = seam_text_ratio (faster ? verdict->ratio : 1 / verdict->ratio);

    headline->struck = g_strdup_printf ("%s %s", ratio, faster ? "faster" : "slower");
  }
  mark_rail (headline, sides);
  if (verdict->next_step != NULL)
    append_clause (headline->detail, verdict->next_step);
}

static void
set_single (Headline *headline, const Sides *sides)
{
  const SeamPlanResult *plan = get_side (sides, 0);

  headline->compared = g_strdup_printf ("A %s, not compared", get_name (plan));
  headline->detail = g_string_new (NULL);
  if (!isfinite (plan->median_ns)) {
    headline->headline = g_strdup ("Not measured");
    return;
  }
  headline->headline = seam_text_time (plan->median_ns);
  if (isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns)) {
    g_autofree char *low = seam_text_time (plan->ci_low_ns);
    g_autofree char *high = seam_text_time (plan->ci_high_ns);

    g_string_printf (headline->detail, "95 %% interval %s to %s", low, high);
  }
  mark_rail (headline, sides);
}

/* Headline, what was compared and the facts; they go to a second row where the width is short. */
static double
add_headline (SeamSheet *sheet, const Sides *sides, double y, double width)
{
  Headline headline = { .ink = SEAM_INK_TEXT };
  SeamFact facts[3] = { 0 };
  int n_facts = collect_facts (sides, facts);
  double facts_width = seam_page_measure_facts (facts, n_facts), x, room, height;
  gboolean facts_below;

  if (sides->n_plans == 2)
    set_verdict (&headline, sides);
  else
    set_single (&headline, sides);
  x = seam_sheet_add_text (sheet, headline.ink, headline.headline, 0, y + 32, SEAM_SIZE_HEADLINE,
                           SEAM_HEAVY)
      + 14;
  if (headline.struck != NULL)
    x += seam_sheet_add_struck_text (sheet, SEAM_INK_DIM, headline.struck, x, y + 32, 15,
                                     SEAM_REGULAR)
         + 14;

  room = width - x - 20;
  facts_below = room - facts_width < 240;
  if (!facts_below)
    room -= facts_width;
  room = MAX (room, 160);
  {
    g_autofree char *fitted = seam_paint_ellipsize (headline.compared, room, 12.5, SEAM_REGULAR);

    seam_sheet_add_text (sheet, SEAM_INK_DIM, fitted, x, y + 15, 12.5, SEAM_REGULAR);
  }
  height = 20
           + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, headline.detail->str, x, y + 20, room,
                                       12.5, FALSE);
  height = MAX (height, 40);
  if (facts_below) {
    seam_page_add_facts (sheet, facts, n_facts, 0, y + height + 8);
    height += 8 + SEAM_FACT_HEIGHT;
  } else {
    seam_page_add_facts (sheet, facts, n_facts, width - facts_width, y);
  }
  for (int i = 0; i < n_facts; i++)
    g_free (facts[i].value);
  g_free (headline.headline);
  g_free (headline.compared);
  g_free (headline.struck);
  g_string_free (headline.detail, TRUE);
  return y + height + 14;
}

/* ---- note ---- */

/* Which of a plan's times. */
typedef enum { TIME_SPAN, TIME_SUM, TIME_GAPS } Time;

static void
append_times (GString *text, const char *name, const Sides *sides, Time time, const SeamUnit *unit)
{
  g_string_append (text, name);
  for (int i = 0; i < sides->n_plans; i++) {
    const SeamPlanResult *plan = get_side (sides, i);
    double ns = time == TIME_SPAN  ? plan->span_median_ns
                : time == TIME_SUM ? plan->kernels_sum_median_ns
                                   : plan->span_median_ns - plan->kernels_sum_median_ns;
    g_autofree char *number = seam_text_fixed (ns / unit->scale, 3);

    g_string_append_printf (text, "%s %s", i > 0 ? " and" : "", number);
  }
}

static char *
make_note (const Sides *sides)
{
  const SeamResult *result = sides->result;
  SeamUnit unit = seam_unit_for_time (get_longest_ns (sides));
  gboolean traced = FALSE;
  GString *text = g_string_new (seam_device_info_get_words (result->device)->elapsed);

  g_string_append (text, ": ");
  for (int i = 0; i < sides->n_plans; i++) {
    g_autofree char *number = seam_text_fixed (get_side (sides, i)->median_ns / unit.scale, 3);

    g_string_append_printf (text, "%s%c %s", i > 0 ? ", " : "", get_letter (sides, i), number);
    traced = traced || isfinite (get_side (sides, i)->span_median_ns);
  }
  g_string_append_printf (text, " %s.", unit.name);
  if (traced) {
    append_times (text, " Traced pass: span", sides, TIME_SPAN, &unit);
    append_times (text, ", sum of kernels", sides, TIME_SUM, &unit);
    append_times (text, ", gaps", sides, TIME_GAPS, &unit);
    g_string_append_printf (text, " %s.", unit.name);
  }
  if (result->trace_note != NULL)
    g_string_append_printf (text, " %s", result->trace_note);
  if (result->stopped)
    g_string_append (text, " Stopped early; all samples taken until then are kept.");
  for (int i = 0; i < sides->n_plans; i++)
    if (get_side (sides, i)->message != NULL)
      g_string_append_printf (text, " Plan %c: %s", get_letter (sides, i),
                              get_side (sides, i)->message);
  return g_string_free (text, FALSE);
}

static double
add_notation (SeamSheet *sheet, const SeamResult *result, int index, char letter, double y,
              double width)
{
  const SeamPlanResult *plan = &result->plans[index];
  const char *notation = plan->executed != NULL ? plan->executed : plan->notation;
  g_autofree char *text =
      g_strdup_printf ("%c  %s", letter, notation != NULL ? notation : SEAM_DASH);

  return y
         + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, text, 0, y, width, SEAM_SIZE_SMALL, TRUE)
         + 2;
}

SeamFigure *
seam_timing_page_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  const int plans[] = { a, b };
  Sides sides = { result, plans, b < 0 ? 1 : 2 };
  SeamFigure *strips[2] = { NULL };
  g_autofree char *note = NULL;
  SeamBarsOptions bars_options;
  SeamFigure *bars, *legend;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  for (int i = 0; i < sides.n_plans; i++) {
    strips[i] = make_strip (result, plans[i], get_letter (&sides, i), problem, width, error);
    if (strips[i] == NULL) {
      seam_figure_free (strips[0]);
      return NULL;
    }
    width = MAX (width, strips[i]->width);
  }

  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  for (int i = 0; i < sides.n_plans; i++) {
    seam_sheet_add_figure (sheet, strips[i], 0, y);
    y += strips[i]->height + 3;
    seam_sheet_add_rule (sheet, 0, y + .5, width, y + .5);
    y += 5;
  }
  legend = seam_kind_legend_figure_new (problem->pipeline, width);
  seam_sheet_add_figure (sheet, legend, 0, y + 1);
  y += 1 + legend->height + 18;

  y = add_headline (sheet, &sides, y, width);
  bars_options = (SeamBarsOptions){ .width = width };
  bars = seam_bars_figure_new (result, plans, sides.n_plans, &bars_options);
  seam_sheet_add_figure (sheet, bars, 0, y);
  y += bars->height + 8;

  note = make_note (&sides);
  y +=
      seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_SMALL, FALSE) + 6;
  for (int i = 0; i < sides.n_plans; i++)
    y = add_notation (sheet, result, plans[i], get_letter (&sides, i), y, width);
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (bars));
}
