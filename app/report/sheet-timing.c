/* SPDX-License-Identifier: MIT
 *
 * The timing sheet: both strips, verdict and facts, bars, method of measurement, provenance; and
 * the picture of two plans, which has only strips and bars.
 */
#include "app/report/sheets.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/explain/read-result.h"
#include "app/figure/bars.h"
#include "app/figure/sheet-parts.h"
#include "app/figure/strip.h"
#include "app/report/summary.h"

#include <string.h>

#define LEFT_COLUMN 178.0
#define MIN_WIDTH   640.0
#define PAIR_LEFT   34.0 /* a badge */
#define PAIR_BAND   15.0

/* The implementations of the groups and the bytes of copies for a strip, from a result instead of
 * an estimate. */
static SeamPlanEstimate *
make_estimate (const SeamPlanResult *result, const SeamPlan *plan, const SeamProblem *problem)
{
  SeamPlanEstimate *estimate = g_new0 (SeamPlanEstimate, 1);
  g_auto (GStrv) groups = NULL;
  SeamPlanCost cost;

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
  /* A strip shows their sum. */
  seam_plan_cost (problem, plan, &cost);
  estimate->groups[0].copied_bytes = MAX (result->bytes - cost.bytes, 0);
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
  estimate = make_estimate (&result->plans[index], plan, problem);
  figure = seam_strip_figure_new (problem, plan, estimate, &options);
  seam_record_free (&seam_plan_estimate_type, estimate);
  return figure;
}

static SeamInk
get_ink (SeamTone tone)
{
  return tone == SEAM_TONE_GOOD      ? SEAM_INK_GOOD
         : tone == SEAM_TONE_BAD     ? SEAM_INK_BAD
         : tone == SEAM_TONE_WARNING ? SEAM_INK_CAUTION
                                     : SEAM_INK_TEXT;
}

/* Headline, compared plans and facts; the facts go to a second row if the sheet is narrow. */
static double
add_headline (SeamSheet *sheet, const SeamSummary *summary, double y, double width)
{
  SeamFact facts[SEAM_SUMMARY_MAX_FACTS];
  int n_facts = summary->n_facts;
  double facts_width, x, room, height;
  gboolean facts_below;

  for (int i = 0; i < n_facts; i++)
    facts[i] = (SeamFact){ summary->facts[i].caption, summary->facts[i].value,
                           get_ink (summary->facts[i].tone) };
  facts_width = seam_page_measure_facts (facts, n_facts);
  x = seam_sheet_add_text (sheet, get_ink (summary->tone), summary->headline, 0, y + 32,
                           SEAM_SIZE_HEADLINE, SEAM_HEAVY)
      + 14;
  if (summary->struck != NULL)
    x += seam_sheet_add_struck_text (sheet, SEAM_INK_DIM, summary->struck, x, y + 32, 15,
                                     SEAM_REGULAR)
         + 14;

  room = width - x - 20;
  facts_below = room - facts_width < 240;
  if (!facts_below)
    room -= facts_width;
  room = MAX (room, 160);
  {
    g_autofree char *fitted = seam_paint_ellipsize (summary->compared, room, 12.5, SEAM_REGULAR);

    seam_sheet_add_text (sheet, SEAM_INK_DIM, fitted, x, y + 15, 12.5, SEAM_REGULAR);
  }
  height = 20
           + seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, summary->detail, x, y + 20, room, 12.5,
                                       FALSE);
  height = MAX (height, 40);
  if (facts_below) {
    seam_page_add_facts (sheet, facts, n_facts, 0, y + height + 8);
    height += 8 + SEAM_FACT_HEIGHT;
  } else {
    seam_page_add_facts (sheet, facts, n_facts, width - facts_width, y);
  }
  return y + height + 14;
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
seam_timing_sheet_new (SeamResult *result, int a, int b, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  SeamSummarySides sides;
  g_autoptr (SeamSummary) summary = NULL;
  SeamFigure *strips[2] = { NULL };
  g_autofree char *notes = NULL, *note = NULL;
  SeamBarsOptions bars_options;
  SeamFigure *bars;
  SeamSheet *sheet;
  double y;

  if (problem == NULL)
    return NULL;
  seam_summary_sides_init (&sides, result, a, b);
  width = MAX (width, MIN_WIDTH);
  for (int i = 0; i < sides.n_plans; i++) {
    strips[i] = make_strip (result, sides.plans[i], sides.letters[i], problem, width, error);
    if (strips[i] == NULL) {
      seam_figure_free (strips[0]);
      return NULL;
    }
    width = MAX (width, strips[i]->width);
  }

  summary = seam_summary_new (&sides);
  sheet = seam_sheet_new (width);
  y = seam_page_add_result_title (sheet, result, problem, 0, width) + 6;
  y = seam_page_add_strips (sheet, strips, sides.n_plans, problem->pipeline, y, width);

  y = add_headline (sheet, summary, y, width);
  if (summary->throttle != NULL) {
    g_autofree char *line = g_strjoin (" · ", summary->throttle, summary->load, NULL);

    y += seam_sheet_add_paragraph (sheet, SEAM_INK_CAUTION, line, 0, y, width, 12.5, FALSE) + 8;
  }
  bars_options = (SeamBarsOptions){ .width = width };
  bars = seam_bars_figure_new (result, sides.plans, sides.n_plans, &bars_options);
  seam_sheet_add_figure (sheet, bars, 0, y);
  y += bars->height + 8;

  notes = seam_summary_format_notes (&sides);
  note = g_strjoin (" ", summary->times, *notes != '\0' ? notes : NULL, NULL);
  y +=
      seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, note, 0, y, width, SEAM_SIZE_SMALL, FALSE) + 6;
  for (int i = 0; i < sides.n_plans; i++)
    y = add_notation (sheet, result, sides.plans[i], sides.letters[i], y, width);
  y = seam_page_add_footer (sheet, result, y, width);
  return seam_sheet_finish (sheet, y, seam_figure_summarize (bars));
}

/* ---- two plans as a picture ---- */

/* The strip of a plan, or its bands where there is no room for blocks. */
static SeamFigure *
make_pair_strip (const SeamResult *result, int index, const SeamProblem *problem, double width,
                 GError **error)
{
  g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, error);
  const SeamStripOptions options = { .width = width, .compact = TRUE };
  SeamFigure *strip = plan != NULL ? seam_strip_figure_new (problem, plan, NULL, &options) : NULL;

  if (strip == NULL || strip->width <= width)
    return strip;
  seam_figure_free (strip);
  return seam_chain_figure_new (problem->pipeline, plan,
                                width / (2 * problem->pipeline->chains[0].n_ops), PAIR_BAND);
}

/* "unfused: 4 kernels, 7.82 GB moved, 3.23 ms" */
static char *
describe_plan (const SeamPlanResult *plan, SeamUnit unit)
{
  g_autofree char *bytes = seam_text_bytes (plan->bytes);
  g_autofree char *time = seam_unit_format (unit, plan->median_ns, 3);

  return g_strdup_printf ("%s: %d kernel%s, %s moved, %s", seam_plan_result_get_name (plan),
                          plan->n_kernels, plan->n_kernels == 1 ? "" : "s", bytes, time);
}

SeamFigure *
seam_pair_figure_new (SeamResult *result, int a, int b, double width, GError **error)
{
  const int plans[] = { a, b };
  const SeamBarsOptions options = { .width = width, .compact = TRUE, .plain = TRUE };
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, a, b);
  SeamFigure *strips[2] = { NULL }, *bars;
  SeamSheet *sheet;
  double y = 0;

  for (int i = 0; i < 2 && problem != NULL; i++)
    strips[i] = make_pair_strip (result, plans[i], problem, width - PAIR_LEFT, error);
  if (strips[0] == NULL || strips[1] == NULL) {
    seam_figure_free (strips[0]);
    return NULL;
  }
  sheet = seam_sheet_new (width);
  for (int i = 0; i < 2; i++) {
    gboolean has_blocks = strips[i]->height > PAIR_BAND;

    seam_sheet_add_badge (sheet, (char)('A' + i), 0, y + (has_blocks ? 20 : 0));
    seam_sheet_add_figure (sheet, strips[i], PAIR_LEFT,
                           y + (has_blocks ? 0 : (SEAM_BADGE_SIZE - PAIR_BAND) / 2));
    y += has_blocks ? strips[i]->height : SEAM_BADGE_SIZE + 8;
  }
  bars = seam_bars_figure_new (result, plans, 2, &options);
  seam_sheet_add_figure (sheet, bars, 0, y);
  y += bars->height + 4;

  g_autofree char *ratio =
      seam_verdict_describe_against (verdict, seam_plan_result_get_name (&result->plans[a]));
  SeamUnit unit = seam_unit_for_time (result->plans[a].median_ns);
  g_autofree char *first = describe_plan (&result->plans[a], unit);
  g_autofree char *second = describe_plan (&result->plans[b], unit);
  return seam_sheet_finish (
      sheet, y,
      g_strdup_printf ("%s, recorded on %s. Plan A, %s. Plan B, %s: %s.", result->pipeline_id,
                       seam_device_info_get_name (result->device), first, second, ratio));
}
