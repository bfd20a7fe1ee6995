/* SPDX-License-Identifier: MIT
 *
 * The report of `seamscope-cli run`: the tables of app/report/ between a head and notes. Verdicts
 * come from app/compare/; nothing is computed here.
 */
#include "app/cli/run-report.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/report/kernels-table.h"
#include "app/report/plans.h"
#include "app/report/summary.h"

typedef struct {
  const SeamResult *result;
  int baseline; /* plan that times are compared with */
} Report;

static void
append_plans (GString *text, const Report *report)
{
  g_autoptr (SeamTable) table = seam_plans_table_make (report->result, report->baseline, 0);
  g_autofree char *formatted = seam_table_format (table);

  g_string_append (text, formatted);
}

static void
append_kernels (GString *text, const Report *report)
{
  g_autoptr (SeamTable) table = seam_kernels_table_make (report->result, 0);
  g_autofree char *formatted = seam_table_format (table);

  if (seam_table_get_n_rows (table) > 0)
    g_string_append_printf (text, "\n%s", formatted);
}

static void
append_floor (GString *text, const SeamSummary *summary)
{
  for (int i = 0; i < summary->n_facts; i++)
    if (summary->facts[i].kind == SEAM_FACT_FLOOR)
      g_string_append_printf (text, "%s: %s. %s\n", summary->facts[i].caption,
                              summary->facts[i].value, summary->facts[i].words);
}

/* Appends the verdict on every plan against the one that times are compared with, and the floor. */
static void
append_summaries (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  g_autoptr (SeamSummary) summary = NULL;

  for (int i = 0; i < result->n_plans; i++) {
    SeamSummarySides sides;

    if (i == report->baseline && result->n_plans > 1)
      continue;
    g_clear_pointer (&summary, seam_owner_free);
    seam_summary_sides_init (&sides, result, report->baseline, result->n_plans > 1 ? i : -1);
    summary = seam_summary_new (&sides);
    g_string_append_printf (text, "%s: %s%s%s\n", summary->compared, summary->headline,
                            *summary->detail == '\0'               ? ""
                            : g_ascii_isupper (summary->detail[0]) ? ". "
                                                                   : "; ",
                            summary->detail);
  }
  if (summary != NULL)
    append_floor (text, summary);
  g_string_append_c (text, '\n');
}

static void
append_notes (GString *text, const SeamResult *result)
{
  g_autoptr (GArray) notes = seam_summary_list_notes (result, NULL, 0);

  if (notes->len > 0)
    g_string_append (text, "\nNotes\n");
  for (guint i = 0; i < notes->len; i++) {
    const SeamSummaryNote *note = &g_array_index (notes, SeamSummaryNote, i);

    if (note->plan >= 0)
      g_string_append_printf (text, "  %s: %s\n",
                              seam_plan_result_get_name (&result->plans[note->plan]),
                              note->sentence);
    else
      g_string_append_printf (text, "  %s\n", note->sentence);
  }
}

static void
append_head (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  const SeamPipeline *pipeline = seam_result_get_pipeline (result, NULL);
  g_autofree char *rule = seam_agreement_describe_rule (&result->settings);
  g_autofree char *extent = NULL;
  const char *untested = NULL;
  const char *stored = seam_storage_describe (result->settings.storage, result->settings.math_mode);

  for (int i = 0; i < result->n_plans && extent == NULL && untested == NULL; i++)
    if (result->plans[i].difference != NULL) {
      extent = seam_agreement_describe_extent (result->plans[i].difference);
      untested = result->plans[i].difference->untested;
    }
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
      text, "Outputs against %s%s%s, judged by %s; traffic is modelled from the shapes\n",
      result->against >= 0 ? seam_plan_result_get_name (&result->plans[result->against])
                           : "the FP64 reference",
      extent != NULL ? " on " : "", extent != NULL ? extent : "", rule);
  g_string_append_printf (text, "%s%s\n", untested != NULL ? untested : "",
                          untested != NULL ? "\n" : "");
}

char *
seam_run_report_format (const SeamResult *result)
{
  Report report = { .result = result, .baseline = MAX (result->against, 0) };
  g_autofree char *provenance = seam_result_get_provenance (result);
  GString *text = g_string_new (NULL);

  append_head (text, &report);
  append_summaries (text, &report);
  append_plans (text, &report);
  append_kernels (text, &report);
  append_notes (text, result);
  g_string_append_printf (text, "\n%s\n", provenance);
  return g_string_free (text, FALSE);
}
