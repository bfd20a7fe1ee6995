/* SPDX-License-Identifier: MIT
 *
 * The timing sheet: both strips, verdict and facts, bars, how it was measured, where it comes from.
 */
#include "app/figure/page.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
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
  if (result->executed != NULL)
    groups = g_strsplit (result->executed, "|", -1);
  for (int i = 0; i < plan->n_groups; i++) {
    const char *at = NULL;

    estimate->groups[i].level = SEAM_SUPPORT_YES;
    estimate->groups[i].n_kernels = -1;
    if (groups != NULL && (int)g_strv_length (groups) == plan->n_groups)
      at = strrchr (groups[i], '@');
    if (at != NULL && at[1] != '\0')
      estimate->groups[i].executed = g_strdup (at + 1);
  }
  return estimate;
}

static void
free_estimate (SeamPlanEstimate *estimate)
{
  for (int i = 0; i < estimate->n_groups; i++)
    g_free (estimate->groups[i].executed);
  g_free (estimate);
}

static SeamFigure *
make_strip (const SeamResult *result, int index, char letter, const SeamProblem *problem,
            double width, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_page_read_plan (result, index, problem->pipeline, error);
  SeamStripOptions options = { .width = width, .left = LEFT_COLUMN, .letter = letter };
  SeamPlanEstimate *estimate;
  SeamFigure *figure;

  if (plan == NULL)
    return NULL;
  estimate = make_estimate (&result->plans[index], plan);
  figure = seam_strip_figure_new (problem, plan, estimate, &options);
  free_estimate (estimate);
  return figure;
}

/* ---- facts ---- */

static const SeamDifference *
get_difference (const SeamResult *result, int a, int b, char *letter)
{
  *letter = 'B';
  if (result->plans[b].difference != NULL)
    return result->plans[b].difference;
  *letter = 'A';
  return result->plans[a].difference;
}

/* In the unit of the bars, so that the two can be compared at a glance. */
static char *
format_floor (const SeamResult *result, int a, int b)
{
  double largest = fmax (result->plans[a].median_ns, result->plans[b].median_ns);
  SeamUnit unit = seam_unit_for_time (isfinite (largest) ? largest : result->floor_ns);
  g_autofree char *number = seam_text_significant (result->floor_ns / unit.scale, 2);

  return g_strdup_printf ("%s %s", number, unit.name);
}

static int
collect_facts (const SeamResult *result, int a, int b, SeamFact *facts)
{
  char letter;
  const SeamDifference *difference = get_difference (result, a, b, &letter);
  int n = 0;

  if (difference != NULL) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
    g_autofree char *largest = difference->max_abs >= .001
                                   ? seam_text_significant (difference->max_abs, 3)
                                   : seam_text_scientific (difference->max_abs);
    gboolean pair = result->reference == (letter == 'B' ? a : b);

    facts[n].caption = agreement->agree ? "Outputs agree ✓" : "Outputs differ ✕";
    facts[n].ink = agreement->agree ? SEAM_INK_GOOD : SEAM_INK_BAD;
    if (pair)
      facts[n].value = g_strdup_printf ("max |A−B| %s", largest);
    else if (result->reference < 0)
      facts[n].value = g_strdup_printf ("max |%c−FP64| %s", letter, largest);
    else
      facts[n].value = g_strdup_printf ("max |%c−reference| %s", letter, largest);
    n++;
  }
  if (result->plans[a].bytes > 0 && result->plans[b].bytes > 0) {
    double from = result->plans[a].bytes, to = result->plans[b].bytes;
    SeamUnit unit = seam_unit_for_bytes (fmax (from, to));
    g_autofree char *from_text = seam_text_fixed (from / unit.scale, 2);
    g_autofree char *to_text = seam_text_fixed (to / unit.scale, 2);

    facts[n].caption = "Memory traffic, modelled";
    facts[n].ink = SEAM_INK_TEXT;
    facts[n++].value = g_strdup_printf ("%s → %s %s", from_text, to_text, unit.name);
  }
  if (isfinite (result->floor_ns)) {
    facts[n].caption = result->floor_memory_bound ? "Floor, memory bound" : "Floor, compute bound";
    facts[n].ink = SEAM_INK_TEXT;
    facts[n++].value = format_floor (result, a, b);
  }
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

static SeamInk
get_headline_ink (const SeamVerdict *verdict)
{
  return verdict->kind == SEAM_VERDICT_WRONG || verdict->below_floor ? SEAM_INK_BAD : SEAM_INK_TEXT;
}

/* Headline, what was compared and the facts; they go to a second row where the width is short. */
static double
add_headline (SeamSheet *sheet, const SeamResult *result, int a, int b, const SeamVerdict *verdict,
              double y, double width)
{
  g_autofree char *compared = g_strdup_printf ("B %s against A %s", get_name (&result->plans[b]),
                                               get_name (&result->plans[a]));
  g_autoptr (GString) detail = g_string_new (verdict->detail);
  SeamFact facts[3] = { 0 };
  int n_facts = collect_facts (result, a, b, facts);
  double facts_width = seam_page_measure_facts (facts, n_facts), x, room, height;
  gboolean facts_below;

  x = seam_sheet_add_text (sheet, get_headline_ink (verdict), verdict->headline, 0, y + 32,
                           SEAM_SIZE_HEADLINE, SEAM_HEAVY)
      + 14;
  if (verdict->kind == SEAM_VERDICT_WRONG && isfinite (verdict->ratio)) {
    g_autofree char *ratio =
        seam_text_ratio (verdict->ratio >= 1 ? verdict->ratio : 1 / verdict->ratio);
    g_autofree char *text =
        g_strdup_printf ("%s %s", ratio, verdict->ratio >= 1 ? "faster" : "slower");

    x += seam_sheet_add_struck_text (sheet, SEAM_INK_DIM, text, x, y + 32, 15, SEAM_REGULAR) + 14;
  }
  if (verdict->below_floor)
    append_clause (detail, "a time under the floor cannot be right");
  if (verdict->next_step != NULL)
    append_clause (detail, verdict->next_step);

  room = width - x - 20;
  facts_below = room - facts_width < 240;
  if (!facts_below)
    room -= facts_width;
  room = MAX (room, 160);
  {
    g_autofree char *fitted = seam_paint_ellipsize (compared, room, 12.5, SEAM_REGULAR);

    seam_sheet_add_text (sheet, SEAM_INK_DIM, fitted, x, y + 15, 12.5, SEAM_REGULAR);
  }
  height =
      20
      + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, detail->str, x, y + 20, room, 12.5, FALSE);
  height = MAX (height, 40);
  if (facts_below) {
    seam_page_add_facts (sheet, facts, n_facts, 0, y + height + 8);
    height += 8 + SEAM_FACT_HEIGHT;
  } else {
    seam_page_add_facts (sheet, facts, n_facts, width - facts_width, y);
  }
  for (int i = 0; i < n_facts; i++)
    g_free (facts[i].value);
  return y + height + 14;
}

/* ---- note ---- */

static void
append_pair (GString *text, const char *name, double a, double b, const SeamUnit *unit)
{
  g_autofree char *text_a = seam_text_fixed (a / unit->scale, 3);
  g_autofree char *text_b = seam_text_fixed (b / unit->scale, 3);

  g_string_append_printf (text, "%s %s and %s", name, text_a, text_b);
}

static char *
make_note (const SeamResult *result, int a, int b)
{
  const SeamPlanResult *plan_a = &result->plans[a], *plan_b = &result->plans[b];
  gboolean on_cpu = result->device != NULL && g_strcmp0 (result->device->id, "cpu") == 0;
  SeamUnit unit = seam_unit_for_time (fmax (plan_a->median_ns, plan_b->median_ns));
  GString *text =
      g_string_new (on_cpu ? "Elapsed by a monotonic clock: " : "Elapsed by events, CUPTI off: ");
  g_autofree char *elapsed_a = seam_text_fixed (plan_a->median_ns / unit.scale, 3);
  g_autofree char *elapsed_b = seam_text_fixed (plan_b->median_ns / unit.scale, 3);

  g_string_append_printf (text, "A %s, B %s %s.", elapsed_a, elapsed_b, unit.name);
  if (isfinite (plan_a->span_median_ns) || isfinite (plan_b->span_median_ns)) {
    append_pair (text, " Traced pass: span", plan_a->span_median_ns, plan_b->span_median_ns, &unit);
    append_pair (text, ", sum of kernels", plan_a->kernels_sum_median_ns,
                 plan_b->kernels_sum_median_ns, &unit);
    append_pair (text, ", gaps", plan_a->span_median_ns - plan_a->kernels_sum_median_ns,
                 plan_b->span_median_ns - plan_b->kernels_sum_median_ns, &unit);
    g_string_append_printf (text, " %s.", unit.name);
  }
  if (result->trace_note != NULL)
    g_string_append_printf (text, " %s", result->trace_note);
  if (result->stopped)
    g_string_append (text, " Stopped early; all samples taken until then are kept.");
  if (plan_a->message != NULL)
    g_string_append_printf (text, " Plan A: %s", plan_a->message);
  if (plan_b->message != NULL)
    g_string_append_printf (text, " Plan B: %s", plan_b->message);
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
  g_autoptr (SeamProblem) problem = seam_page_read_problem (result, error);
  g_autoptr (SeamVerdict) verdict = NULL;
  g_autoptr (SeamFigure) strip_a = NULL;
  g_autoptr (SeamFigure) strip_b = NULL;
  g_autofree char *note = NULL;
  const int plans[] = { a, b };
  SeamBarsOptions bars_options;
  SeamFigure *bars, *legend;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  width = MAX (width, MIN_WIDTH);
  strip_a = make_strip (result, a, 'A', problem, width, error);
  if (strip_a == NULL)
    return NULL;
  strip_b = make_strip (result, b, 'B', problem, width, error);
  if (strip_b == NULL)
    return NULL;
  width = MAX (width, MAX (strip_a->width, strip_b->width));
  verdict = seam_verdict_new (result, a, b);

  sheet = seam_sheet_new (width);
  y = seam_page_add_title (sheet, problem, 0, width) + 6;
  seam_sheet_add_figure (sheet, strip_a, 0, y);
  y += strip_a->height + 3;
  seam_sheet_add_rule (sheet, 0, y + .5, width, y + .5);
  y += 5;
  seam_sheet_add_figure (sheet, strip_b, 0, y);
  y += strip_b->height + 3;
  g_steal_pointer (&strip_a);
  g_steal_pointer (&strip_b);
  seam_sheet_add_rule (sheet, 0, y + .5, width, y + .5);
  legend = seam_kind_legend_figure_new (problem->pipeline, width);
  seam_sheet_add_figure (sheet, legend, 0, y + 6);
  y += 6 + legend->height + 18;

  y = add_headline (sheet, result, a, b, verdict, y, width);
  bars_options = (SeamBarsOptions){ .width = width };
  bars = seam_bars_figure_new (result, plans, G_N_ELEMENTS (plans), &bars_options);
  seam_sheet_add_figure (sheet, bars, 0, y);
  y += bars->height + 8;

  note = make_note (result, a, b);
  y +=
      seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_SMALL, FALSE) + 6;
  y = add_notation (sheet, result, a, 'A', y, width);
  y = add_notation (sheet, result, b, 'B', y, width);
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (bars));
}
