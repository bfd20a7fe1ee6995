/* SPDX-License-Identifier: MIT
 *
 * The tables of `seamscope-cli compare`. Numbers and verdicts come from app/compare/; nothing is
 * computed here.
 */
#include "app/cli/compare-report.h"

#include "app/base/text.h"
#include "app/report/conditions.h"

#include <math.h>
#include <string.h>

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
add_number (SeamTable *table, const SeamNumber *number)
{
  seam_table_take (table, seam_number_format_a (number));
  seam_table_take (table, seam_number_format_b (number));
  seam_table_take (table, seam_number_format_change (number));
  seam_table_take (table, seam_number_format_ratio (number));
}

static void
add_number_columns (SeamTable *table)
{
  seam_table_add_column (table, "A", TRUE);
  seam_table_add_column (table, "B", TRUE);
  seam_table_add_column (table, "B − A", TRUE);
  seam_table_add_column (table, "B / A", TRUE);
}

static void
append_plans (GString *text, const SeamComparison *comparison)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);

  seam_table_add_column (table, "", FALSE);
  seam_table_add_column (table, "Plan", FALSE);
  seam_table_add_column (table, "Time", FALSE);
  add_number_columns (table);
  seam_table_add_column (table, "B against A", FALSE);
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];

    seam_table_add (table, seam_match_get_sign (plan->match));
    seam_table_add (table, seam_comparison_get_plan_name (comparison, plan));
    seam_table_take (table, seam_number_format_title (&plan->numbers[0]));
    add_number (table, &plan->numbers[0]);
    seam_table_add (table, plan->verdict != NULL ? plan->verdict->headline
                                                 : seam_match_get_word (plan->match));
  }
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

/* Of a kernel, without `all`. */
static gboolean
is_short (const SeamNumber *number)
{
  static const char *const keys[] = { "median_ns", "dram_bytes_read", "dram_bytes_written",
                                      "registers", NULL };

  return g_strv_contains (keys, number->key);
}

static gboolean
is_known (const SeamNumber *number)
{
  return !isnan (number->a) || !isnan (number->b);
}

static void
append_kernels (GString *text, const SeamComparison *comparison, const SeamPlanPair *plan,
                gboolean all)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);

  if (plan->n_kernels == 0)
    return;
  g_string_append_printf (text, "\nKernels of %s\n",
                          seam_comparison_get_plan_name (comparison, plan));
  seam_table_add_column (table, "", FALSE);
  seam_table_add_column (table, "Kernel", FALSE);
  seam_table_add_column (table, "Number", FALSE);
  add_number_columns (table);
  seam_table_add_column (table, "", FALSE);
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernelPair *pair = &plan->kernels[i];
    gboolean first = TRUE;

    for (int k = 0; k < pair->n_numbers; k++) {
      if (k > 0 && !(is_known (&pair->numbers[k]) && (all || is_short (&pair->numbers[k]))))
        continue;
      seam_table_add (table, first ? seam_match_get_sign (pair->match) : "");
      seam_table_add (table,
                      first ? seam_comparison_get_kernel (comparison, plan, pair)->short_name : "");
      seam_table_take (table, seam_number_format_title (&pair->numbers[k]));
      add_number (table, &pair->numbers[k]);
      /* The verdicts are on plans: beside a ratio, "same" would be read as one. */
      seam_table_add (
          table, first && pair->match != SEAM_MATCH_SAME ? seam_match_get_word (pair->match) : "");
      first = FALSE;
    }
  }
  append_table (text, table);
}

static void
append_numbers (GString *text, const char *title, const SeamNumber *numbers, int n)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);

  g_string_append_printf (text, "\n%s\n", title);
  seam_table_add_column (table, "Number", FALSE);
  add_number_columns (table);
  for (int i = 0; i < n; i++)
    if (is_known (&numbers[i])) {
      seam_table_take (table, seam_number_format_title (&numbers[i]));
      add_number (table, &numbers[i]);
    }
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
