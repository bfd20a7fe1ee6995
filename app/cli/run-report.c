/* SPDX-License-Identifier: MIT
 *
 * The report of `seamscope-cli run`: the tables of app/report/ between a head and notes. Verdicts
 * come from app/compare/; nothing is computed here.
 */
#include "app/cli/run-report.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/compare/rails.h"
#include "app/report/kernels.h"
#include "app/report/plans.h"

#include <math.h>

typedef struct {
  const SeamResult *result;
  int baseline; /* plan that times are compared with */
} Report;

static const char *
get_title (const SeamPlanResult *plan)
{
  return plan->name ? plan->name : plan->notation;
}

static void
append_plans (GString *text, const Report *report)
{
  g_autoptr (SeamTable) table = seam_plans_table_make (report->result, report->baseline, NULL);
  g_autofree char *formatted = seam_table_format (table);

  g_string_append (text, formatted);
}

static void
append_kernels (GString *text, const Report *report)
{
  g_autoptr (SeamTable) table = seam_kernels_table_make (report->result, NULL);
  g_autofree char *formatted = seam_table_format (table);

  if (seam_table_get_n_rows (table) > 0)
    g_string_append_printf (text, "\n%s", formatted);
}

static void
append_note (GString *notes, const char *title, const char *sentence)
{
  if (sentence == NULL || *sentence == '\0')
    return;
  if (title)
    g_string_append_printf (notes, "  %s: %s\n", title, sentence);
  else
    g_string_append_printf (notes, "  %s\n", sentence);
}

static void
append_plan_notes (GString *notes, const Report *report, int index)
{
  const SeamPlanResult *plan = &report->result->plans[index];
  const char *title = get_title (plan);
  g_autoptr (SeamVerdict) verdict = NULL;

  append_note (notes, title, plan->message);
  if (plan->difference && plan->difference->n_failing > 0) {
    g_autoptr (SeamAgreement) agreement = seam_agreement_new (plan->difference);
    g_autofree char *sentence = g_strdup_printf ("%s. %s", agreement->headline, agreement->detail);
    append_note (notes, title, sentence);
  }
  if (!plan->stable && plan->n_samples > 0)
    append_note (notes, title, "its output after timing is not the output before it.");
  if (plan->n_rejected > 0) {
    g_autofree char *sentence =
        g_strdup_printf ("%d kernel records without a valid time were left out.", plan->n_rejected);
    append_note (notes, title, sentence);
  }
  if (isfinite (report->result->floor_ns) && plan->median_ns < report->result->floor_ns) {
    g_autofree char *floor = seam_text_time (report->result->floor_ns);
    g_autofree char *sentence = g_strdup_printf (
        "its median is under the floor of %s that follows from this machine's rates: one of "
        "the two is wrong.",
        floor);
    append_note (notes, title, sentence);
  }
  g_autoptr (GPtrArray) rails = seam_rails_new (report->result, index);
  for (guint i = 0; i < rails->len; i++)
    append_note (notes, title, ((const SeamRail *)rails->pdata[i])->sentence);
  if (index == report->baseline)
    return;
  verdict = seam_verdict_new (report->result, report->baseline, index);
  if (verdict->kind == SEAM_VERDICT_UNCLEAR && verdict->next_step) {
    g_autofree char *sentence =
        g_strdup_printf ("unclear against %s: %s.",
                         get_title (&report->result->plans[report->baseline]), verdict->next_step);
    append_note (notes, title, sentence);
  }
}

static void
append_notes (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  g_autoptr (GString) notes = g_string_new (NULL);

  for (int i = 0; i < result->n_plans; i++)
    append_plan_notes (notes, report, i);
  append_note (notes, NULL, result->trace_note);
  if (result->throttle && g_strcmp0 (result->throttle, "none") != 0)
    append_note (notes, "The device was slowed down", result->throttle);
  if (result->stopped)
    append_note (notes, NULL, "Stopped at your request; the samples so far are kept.");
  if (notes->len > 0)
    g_string_append_printf (text, "\nNotes\n%s", notes->str);
}

static void
append_head (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  const SeamPipeline *pipeline = seam_result_get_pipeline (result, NULL);
  g_autofree char *atol = seam_text_scientific (result->settings.atol);
  g_autofree char *rtol = seam_text_scientific (result->settings.rtol);
  g_autofree char *extent = NULL;
  const char *stored = seam_storage_describe (result->settings.storage, result->settings.math_mode);

  for (int i = 0; i < result->n_plans && extent == NULL; i++)
    if (result->plans[i].difference != NULL)
      extent = seam_agreement_describe_extent (result->plans[i].difference);
  g_string_append_printf (text, "%s", result->pipeline_id);
  if (pipeline)
    g_string_append_printf (text, "  %s (%s)", pipeline->title, pipeline->source);
  g_string_append_printf (text, "\n%s", result->shape_text);
  if (result->preset)
    g_string_append_printf (text, " (%s)", result->preset);
  g_string_append_printf (text, " on %s, %s%s%s, %s L2%s\n",
                          result->device->name != NULL ? result->device->name : SEAM_DASH,
                          seam_math_mode_get_name (result->settings.math_mode),
                          stored != NULL ? ", " : "", stored != NULL ? stored : "",
                          result->settings.cold ? "cold" : "warm",
                          seam_result_is_graph (result) ? ", launched as a CUDA graph" : "");
  g_autofree char *warning = seam_pitfalls_warn (result->pitfalls);
  if (warning != NULL)
    g_string_append_printf (text, "⚠ %s\n", warning);
  g_string_append_printf (
      text,
      "Outputs against %s%s%s, |a − b| ≤ %s + %s·|b|; traffic is modelled from the shapes\n\n",
      result->reference >= 0 ? get_title (&result->plans[result->reference]) : "the FP64 reference",
      extent != NULL ? " on " : "", extent != NULL ? extent : "", atol, rtol);
}

char *
seam_run_report_format (const SeamResult *result)
{
  Report report = { .result = result, .baseline = MAX (result->reference, 0) };
  g_autofree char *provenance = seam_result_get_provenance (result);
  GString *text = g_string_new (NULL);

  append_head (text, &report);
  append_plans (text, &report);
  append_kernels (text, &report);
  append_notes (text, &report);
  g_string_append_printf (text, "\n%s\n", provenance);
  return g_string_free (text, FALSE);
}
