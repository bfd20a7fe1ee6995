/* SPDX-License-Identifier: MIT
 *
 * The tables of `seamscope-cli compare`. Numbers and verdicts come from app/compare/; nothing is
 * computed here.
 */
#include "app/cli/compare-report.h"

#include "app/report/comparison-numbers.h"
#include "app/report/conditions.h"

static void
append_table (GString *text, SeamTable *table)
{
  g_autofree char *formatted = seam_table_format (table);

  g_string_append (text, formatted);
}

static void
append_conditions (GString *text, const SeamComparison *comparison)
{
  g_autoptr (SeamTable) table = seam_conditions_table_make (comparison);
  g_autofree char *alike = seam_conditions_list_alike (comparison);

  if (seam_table_get_n_rows (table) > 0)
    append_table (text, table);
  else
    g_string_append (text, "Both runs were measured under the same conditions.\n");
  if (*alike != '\0')
    g_string_append_printf (text, "Alike: %s\n", alike);
}

static void
append_plans (GString *text, const SeamComparison *comparison)
{
  g_autoptr (SeamTable) table = seam_comparison_plans_table_make (comparison);

  append_table (text, table);
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];
    const char *name = seam_comparison_get_plan_name (comparison, plan);

    if (plan->verdict != NULL && plan->verdict->detail != NULL)
      g_string_append_printf (text, "%s: %s.%s%s%s\n", name, plan->verdict->detail,
                              plan->verdict->next_step != NULL ? " Unclear: " : "",
                              plan->verdict->next_step != NULL ? plan->verdict->next_step : "",
                              plan->verdict->next_step != NULL ? "." : "");
    if (plan->change != NULL)
      g_string_append_printf (text, "%s: %s.\n", name, plan->change);
  }
}

static void
append_kernels (GString *text, const SeamComparison *comparison, const SeamPlanPair *plan,
                gboolean all)
{
  g_autoptr (SeamTable) table = seam_comparison_kernels_table_make (comparison, plan, all);

  if (plan->n_kernels == 0)
    return;
  g_string_append_printf (text, "\nKernels of %s\n",
                          seam_comparison_get_plan_name (comparison, plan));
  append_table (text, table);
}

static void
append_numbers (GString *text, const char *title, const SeamNumber *numbers, int n)
{
  g_autoptr (SeamTable) table = seam_comparison_numbers_table_make (numbers, n);

  g_string_append_printf (text, "\n%s\n", title);
  append_table (text, table);
}

char *
seam_compare_report_format (const SeamComparison *comparison, gboolean all)
{
  g_autofree char *a = seam_result_get_provenance (comparison->a);
  g_autofree char *b = seam_result_get_provenance (comparison->b);
  g_autofree char *words = seam_comparison_describe (comparison);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\nA: %s\nB: %s\n\n", comparison->a->pipeline_id, a, b);
  append_conditions (text, comparison);
  if (comparison->obstacle != NULL)
    return g_string_free (text, FALSE);
  g_string_append_printf (text, "\n%s\n\n", words);
  append_plans (text, comparison);
  if (all)
    append_numbers (text, "The runs", comparison->numbers, comparison->n_numbers);
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];

    if (all) {
      g_autofree char *title =
          g_strdup_printf ("Plan %s", seam_comparison_get_plan_name (comparison, plan));
      append_numbers (text, title, plan->numbers, plan->n_numbers);
    }
    append_kernels (text, comparison, plan, all);
  }
  g_string_append_printf (text, "\n%s\n", seam_comparison_get_rule ());
  return g_string_free (text, FALSE);
}
