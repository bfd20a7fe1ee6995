/* SPDX-License-Identifier: MIT
 *
 * Comparisons as CSV and JSON. A column keeps its name, unit and place for good; new ones come
 * last.
 *
 * One row a number: comparison (from 1), pipeline, started_at_a, started_at_b, level ("condition",
 *   "run", "plan", "kernel"), plan, kernel, ops (of a kernel: "2-5", of the chain, from 0), match
 *   ("same", "changed", "added", "removed"), number (its unit is in the name), a, b, change (b -
 * a), ratio (b / a), text_a, text_b (of conditions), state (of conditions: "same", "differs",
 *   "prevents"), verdict (in the row of elapsed_median_ns: "faster", …, of B against A), speedup
 *   (a / b), speedup_ci_low, speedup_ci_high (95 %), note, pitfalls_a, pitfalls_b (mistakes that
 * the side was measured with on purpose: "zeros,warm-l2"; empty: none).
 */
#include "app/base/csv-text.h"
#include "app/compare/comparison.h"
#include "app/record/variant.h"

#include <string.h>

static const char *const columns[] = {
  "comparison",
  "pipeline",
  "started_at_a",
  "started_at_b",
  "level",
  "plan",
  "kernel",
  "ops",
  "match",
  "number",
  "a",
  "b",
  "change",
  "ratio",
  "text_a",
  "text_b",
  "state",
  "verdict",
  "speedup",
  "speedup_ci_low",
  "speedup_ci_high",
  "note",
  "pitfalls_a",
  "pitfalls_b",
  NULL,
};

static const char *
get_state_word (SeamConditionState state)
{
  static const char *const words[] = { "same", "differs", "prevents" };

  return words[state];
}

static void
begin_row (GString *csv, const SeamComparison *comparison, int index, const char *level)
{
  seam_csv_add_integer (csv, index + 1);
  seam_csv_add_text (csv, comparison->a->pipeline_id);
  seam_csv_add_text (csv, comparison->a->started_at);
  seam_csv_add_text (csv, comparison->b->started_at);
  seam_csv_add_text (csv, level);
}

static void
end_row (GString *csv, const SeamComparison *comparison)
{
  seam_csv_add_text (csv, comparison->a->pitfalls);
  seam_csv_add_text (csv, comparison->b->pitfalls);
  seam_csv_end_row (csv);
}

static void
add_empty (GString *csv, int n)
{
  for (int i = 0; i < n; i++)
    seam_csv_add_text (csv, NULL);
}

static void
add_conditions (GString *csv, const SeamComparison *comparison, int index)
{
  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];

    begin_row (csv, comparison, index, "condition");
    add_empty (csv, 4);
    seam_csv_add_text (csv, condition->title);
    add_empty (csv, 4);
    seam_csv_add_text (csv, condition->a);
    seam_csv_add_text (csv, condition->b);
    seam_csv_add_text (csv, get_state_word (condition->state));
    add_empty (csv, 4);
    seam_csv_add_text (csv, i == 0 ? comparison->obstacle : NULL);
    end_row (csv, comparison);
  }
}

static void
add_number (GString *csv, const SeamNumber *number)
{
  seam_csv_add_text (csv, number->key);
  seam_csv_add_number (csv, number->a);
  seam_csv_add_number (csv, number->b);
  seam_csv_add_number (csv, seam_number_get_change (number));
  seam_csv_add_number (csv, seam_number_get_ratio (number));
  add_empty (csv, 3);
}

static void
add_verdict (GString *csv, const SeamPlanPair *plan)
{
  seam_csv_add_text (csv, seam_verdict_get_word (plan->verdict->kind));
  seam_csv_add_number (csv, plan->verdict->ratio);
  seam_csv_add_number (csv, plan->verdict->ratio_low);
  seam_csv_add_number (csv, plan->verdict->ratio_high);
  seam_csv_add_text (csv, plan->change);
}

static void
add_kernels (GString *csv, const SeamComparison *comparison, int index, const SeamPlanPair *plan)
{
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernelPair *pair = &plan->kernels[i];
    const SeamKernel *kernel = seam_comparison_get_kernel (comparison, plan, pair);

    for (int k = 0; k < pair->n_numbers; k++) {
      begin_row (csv, comparison, index, "kernel");
      seam_csv_add_text (csv, seam_comparison_get_plan_name (comparison, plan));
      seam_csv_add_text (csv, kernel->short_name);
      g_string_append_printf (csv, "%d-%d,", kernel->first_op, kernel->last_op);
      seam_csv_add_text (csv, seam_match_get_word (pair->match));
      add_number (csv, &pair->numbers[k]);
      add_empty (csv, 5);
      end_row (csv, comparison);
    }
  }
}

static void
add_plans (GString *csv, const SeamComparison *comparison, int index)
{
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];

    for (int k = 0; k < plan->n_numbers; k++) {
      begin_row (csv, comparison, index, "plan");
      seam_csv_add_text (csv, seam_comparison_get_plan_name (comparison, plan));
      add_empty (csv, 2);
      seam_csv_add_text (csv, seam_match_get_word (plan->match));
      add_number (csv, &plan->numbers[k]);
      if (k == 0 && plan->verdict != NULL)
        add_verdict (csv, plan);
      else
        add_empty (csv, 5);
      end_row (csv, comparison);
    }
    add_kernels (csv, comparison, index, plan);
  }
}

char *
seam_comparison_to_csv (SeamComparison *const *comparisons, int n)
{
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, columns);
  for (int i = 0; i < n; i++) {
    const SeamComparison *comparison = comparisons[i];

    add_conditions (csv, comparison, i);
    for (int k = 0; k < comparison->n_numbers; k++) {
      begin_row (csv, comparison, i, "run");
      add_empty (csv, 4);
      add_number (csv, &comparison->numbers[k]);
      add_empty (csv, 5);
      end_row (csv, comparison);
    }
    add_plans (csv, comparison, i);
  }
  return g_string_free (csv, FALSE);
}

/* ---- JSON ---- */

static void
build_numbers (GVariantBuilder *builder, const SeamNumber *numbers, int n)
{
  seam_builder_open_list (builder, "numbers");
  for (int i = 0; i < n; i++) {
    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (builder, "number", numbers[i].key);
    seam_builder_double (builder, "a", numbers[i].a);
    seam_builder_double (builder, "b", numbers[i].b);
    seam_builder_double (builder, "change", seam_number_get_change (&numbers[i]));
    seam_builder_double (builder, "ratio", seam_number_get_ratio (&numbers[i]));
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
}

static void
build_conditions (GVariantBuilder *builder, const SeamComparison *comparison)
{
  seam_builder_open_list (builder, "conditions");
  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];

    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (builder, "condition", condition->title);
    seam_builder_string (builder, "a", condition->a);
    seam_builder_string (builder, "b", condition->b);
    seam_builder_string (builder, "state", get_state_word (condition->state));
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
}

static void
build_plan (GVariantBuilder *builder, const SeamComparison *comparison, const SeamPlanPair *plan)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "plan", seam_comparison_get_plan_name (comparison, plan));
  seam_builder_string (builder, "match", seam_match_get_word (plan->match));
  seam_builder_string (builder, "change", plan->change);
  if (plan->verdict != NULL) {
    seam_builder_string (builder, "verdict", seam_verdict_get_word (plan->verdict->kind));
    seam_builder_string (builder, "headline", plan->verdict->headline);
    seam_builder_string (builder, "next_step", plan->verdict->next_step);
    seam_builder_double (builder, "speedup", plan->verdict->ratio);
    seam_builder_double (builder, "speedup_ci_low", plan->verdict->ratio_low);
    seam_builder_double (builder, "speedup_ci_high", plan->verdict->ratio_high);
  }
  build_numbers (builder, plan->numbers, plan->n_numbers);
  seam_builder_open_list (builder, "kernels");
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernelPair *pair = &plan->kernels[i];
    const SeamKernel *kernel = seam_comparison_get_kernel (comparison, plan, pair);

    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (builder, "kernel", kernel->short_name);
    seam_builder_int64 (builder, "first_op", kernel->first_op);
    seam_builder_int64 (builder, "last_op", kernel->last_op);
    seam_builder_string (builder, "match", seam_match_get_word (pair->match));
    build_numbers (builder, pair->numbers, pair->n_numbers);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
  g_variant_builder_close (builder);
}

char *
seam_comparison_to_json (SeamComparison *const *comparisons, int n)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) whole = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_open_list (&builder, "comparisons");
  for (int i = 0; i < n; i++) {
    const SeamComparison *comparison = comparisons[i];

    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "pipeline", comparison->a->pipeline_id);
    seam_builder_string (&builder, "pitfalls_a", comparison->a->pitfalls);
    seam_builder_string (&builder, "pitfalls_b", comparison->b->pitfalls);
    seam_builder_string (&builder, "obstacle", comparison->obstacle);
    build_conditions (&builder, comparison);
    build_numbers (&builder, comparison->numbers, comparison->n_numbers);
    seam_builder_open_list (&builder, "plans");
    for (int k = 0; k < comparison->n_plans; k++)
      build_plan (&builder, comparison, &comparison->plans[k]);
    seam_builder_close_list (&builder);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  whole = g_variant_ref_sink (g_variant_builder_end (&builder));
  return seam_variant_to_json (whole);
}
