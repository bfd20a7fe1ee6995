/* SPDX-License-Identifier: MIT
 *
 * The tables of `seamscope-cli run`. Figures come from the result, verdicts from compare/; nothing
 * is computed here but units and shares.
 */
#include "app/cli/run-report.h"

#include "app/base/text.h"
#include "app/cli/table.h"
#include "app/compare/compare.h"
#include "app/compare/rails.h"
#include "app/explain/read-result.h"

#include <math.h>

/* Times in tables have three decimals of their unit (mockups/README.md, "Type and numbers"). */
#define TIME_DECIMALS 3

typedef struct {
  const SeamResult *result;
  int baseline; /* plan that times are compared with */
  SeamUnit time, bytes;
} Report;

static const char *
get_title (const SeamPlanResult *plan)
{
  return plan->name ? plan->name : plan->notation;
}

static double
get_largest (double largest, double value)
{
  return isfinite (value) && value > largest ? value : largest;
}

static void
choose_units (Report *report)
{
  double time_ns = 0, bytes = 0;

  for (int i = 0; i < report->result->n_plans; i++) {
    const SeamPlanResult *plan = &report->result->plans[i];
    time_ns = get_largest (time_ns, plan->median_ns);
    time_ns = get_largest (time_ns, plan->span_median_ns);
    time_ns = get_largest (time_ns, plan->kernels_sum_median_ns);
    bytes = get_largest (bytes, plan->bytes);
  }
  report->time = seam_unit_for_time (time_ns);
  report->bytes = seam_unit_for_bytes (bytes);
}

static char *
format_time (const Report *report, double ns)
{
  return seam_text_fixed (ns / report->time.scale, TIME_DECIMALS);
}

static char *
format_interval (const Report *report, const SeamPlanResult *plan)
{
  g_autofree char *low = NULL, *high = NULL;

  if (!isfinite (plan->ci_low_ns) || !isfinite (plan->ci_high_ns))
    return g_strdup (SEAM_DASH);
  low = format_time (report, plan->ci_low_ns);
  high = format_time (report, plan->ci_high_ns);
  return g_strdup_printf ("%s to %s", low, high);
}

/* "2.14× faster", "wrong", or what else there is to say beside a time. */
static char *
format_verdict (const Report *report, int index)
{
  g_autoptr (SeamVerdict) verdict = NULL;

  if (index == report->baseline)
    return g_strdup ("baseline");
  verdict = seam_verdict_new (report->result, report->baseline, index);
  if (verdict->kind == SEAM_VERDICT_NONE)
    return g_strdup (SEAM_DASH);
  if (verdict->kind == SEAM_VERDICT_WRONG) {
    g_autofree char *ratio = seam_text_ratio (verdict->ratio);
    return g_strdup_printf ("wrong (%s)", ratio);
  }
  return g_strdup (verdict->headline);
}

static void
add_outputs (SeamTable *table, const Report *report, int index)
{
  const SeamPlanResult *plan = &report->result->plans[index];
  const SeamDifference *difference = plan->difference;

  if (difference == NULL) {
    seam_table_add (table, SEAM_DASH);
    seam_table_add (table, index == report->result->reference ? "reference" : SEAM_DASH);
    return;
  }
  seam_table_take (table, seam_text_scientific (difference->max_abs));
  if (difference->n_failing == 0) {
    seam_table_add (table, "agree");
  } else {
    g_autofree char *share =
        seam_text_percent ((double)difference->n_failing / (double)difference->n_looked);
    seam_table_take (table, g_strdup_printf ("differ in %s %%", share));
  }
}

static void
add_column (SeamTable *table, const char *title, const char *unit)
{
  g_autofree char *whole = unit ? g_strdup_printf ("%s\n(%s)", title, unit) : g_strdup (title);

  seam_table_add_column (table, whole, TRUE);
}

static void
append_plans (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  g_autoptr (SeamTable) table = seam_table_new ();
  const char *baseline = get_title (&result->plans[report->baseline]);
  /* A long notation would make the column wider than all others together. */
  g_autofree char *against = g_strdup_printf (
      "Against\n%s", g_utf8_strlen (baseline, -1) <= 16 ? baseline : "the baseline");
  g_autofree char *formatted = NULL;

  seam_table_add_column (table, "Plan", FALSE);
  add_column (table, "Kernels", NULL);
  add_column (table, "Median", report->time.name);
  add_column (table, "95 % interval", report->time.name);
  add_column (table, "Span", report->time.name);
  add_column (table, "Kernels\nin sum", report->time.name);
  add_column (table, "Samples", NULL);
  add_column (table, "Traffic", report->bytes.name);
  seam_table_add_column (table, against, FALSE);
  add_column (table, "Largest\nerror", NULL);
  seam_table_add_column (table, "Outputs", FALSE);
  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    seam_table_add (table, get_title (plan));
    if (plan->n_kernels >= 0)
      seam_table_take (table, seam_text_count (plan->n_kernels));
    else
      seam_table_add (table, SEAM_DASH);
    seam_table_take (table, format_time (report, plan->median_ns));
    seam_table_take (table, format_interval (report, plan));
    seam_table_take (table, format_time (report, plan->span_median_ns));
    seam_table_take (table, format_time (report, plan->kernels_sum_median_ns));
    seam_table_take (table, seam_text_count (plan->n_samples));
    seam_table_take (table, seam_text_fixed (plan->bytes / report->bytes.scale, 3));
    seam_table_take (table, format_verdict (report, i));
    add_outputs (table, report, i);
  }
  formatted = seam_table_format (table);
  g_string_append (text, formatted);
}

/* "conv+conv_bias": the ops that a kernel executes. */
static char *
format_ops (const SeamPlan *plan, const SeamKernel *kernel)
{
  const SeamChain *chain = plan ? seam_plan_get_chain (plan) : NULL;
  GString *text = g_string_new (NULL);

  if (chain == NULL || kernel->first_op < 0 || kernel->last_op >= chain->n_ops) {
    g_string_append (text, SEAM_DASH);
    return g_string_free (text, FALSE);
  }
  for (int op = kernel->first_op; op <= kernel->last_op; op++)
    g_string_append_printf (text, "%s%s", op > kernel->first_op ? "+" : "", chain->ops[op].name);
  if (kernel->is_copy)
    g_string_append (text, " (copy)");
  return g_string_free (text, FALSE);
}

static void
append_kernels (GString *text, const Report *report)
{
  const SeamResult *result = report->result;
  g_autoptr (SeamTable) table = seam_table_new ();
  g_autofree char *formatted = NULL;
  double largest_ns = 0;
  SeamUnit unit;
  int n = 0;

  for (int i = 0; i < result->n_plans; i++)
    for (int j = 0; j < result->plans[i].n_kernels; j++, n++)
      largest_ns = get_largest (largest_ns, result->plans[i].kernels[j].median_ns);
  if (n == 0)
    return;
  unit = seam_unit_for_time (largest_ns);
  seam_table_add_column (table, "Plan", FALSE);
  seam_table_add_column (table, "Kernel", FALSE);
  seam_table_add_column (table, "Ops", FALSE);
  seam_table_add_column (table, "By", FALSE);
  add_column (table, "Median", unit.name);
  add_column (table, "Share", "%");
  add_column (table, "Samples", NULL);
  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    g_autoptr (SeamPlan) parsed = seam_explain_read_plan (result, i, NULL);
    for (int j = 0; j < plan->n_kernels; j++) {
      const SeamKernel *kernel = &plan->kernels[j];
      seam_table_add (table, j == 0 ? get_title (plan) : "");
      seam_table_add (table, kernel->short_name ? kernel->short_name : kernel->name);
      seam_table_take (table, format_ops (parsed, kernel));
      seam_table_add (table, kernel->implementation ? kernel->implementation : SEAM_DASH);
      seam_table_take (table, seam_text_fixed (kernel->median_ns / unit.scale, TIME_DECIMALS));
      seam_table_take (table, seam_text_percent (kernel->median_ns / plan->kernels_sum_median_ns));
      seam_table_take (table, seam_text_count (kernel->n_samples));
    }
  }
  formatted = seam_table_format (table);
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

  choose_units (&report);
  append_head (text, &report);
  append_plans (text, &report);
  append_kernels (text, &report);
  append_notes (text, &report);
  g_string_append_printf (text, "\n%s\n", provenance);
  return g_string_free (text, FALSE);
}
