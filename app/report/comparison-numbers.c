/* SPDX-License-Identifier: MIT
 *
 * Rows of a comparison's numbers. Every number has its own unit, which its title names. Numbers and
 * verdicts come from app/compare/; nothing is computed here.
 */
#include "app/report/comparison-numbers.h"

#include <math.h>

enum { SIGN, PLAN, KERNEL, NUMBER, SIDE_A, SIDE_B, CHANGE, RATIO, WORD, N_COLUMNS };

static const SeamColumn columns[N_COLUMNS] = {
  { .name = "sign", .title = "", .where = SEAM_SHOWN_ON_TERMINAL },
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "of", .title = "Kernel" },
  { .name = "number", .title = "Number", .expand = TRUE },
  { .name = "a", .title = "A", .kind = SEAM_CELL_NUMBER },
  { .name = "b", .title = "B", .kind = SEAM_CELL_NUMBER },
  { .name = "change", .title = "B − A", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "ratio", .title = "B / A", .kind = SEAM_CELL_NUMBER },
  { .name = "word", .title = "Match, verdict" },
};

/* The cells beside a number; NULL: a dash. */
typedef struct {
  const char *sign, *plan, *kernel, *word;
  SeamTone tone; /* of the word */
} Beside;

static gboolean
is_known (const SeamNumber *number)
{
  return !isnan (number->a) || !isnan (number->b);
}

/* Whether the short form of the table, which leaves out some numbers of a kernel, shows this
 * one. */
static gboolean
is_short (const SeamNumber *number)
{
  static const char *const keys[] = { "median_ns", "dram_bytes_read", "dram_bytes_written",
                                      "registers", NULL };

  return g_strv_contains (keys, number->key);
}

static void
take_text (SeamTableRow *row, int column, const char *text)
{
  seam_row_take (row, column, g_strdup (text), NAN, text);
}

static void
add_number (SeamTable *table, const SeamNumber *number, const Beside *beside)
{
  SeamTableRow *row = seam_table_append (table, -1, seam_table_get_n_rows (table));

  take_text (row, SIGN, beside->sign);
  take_text (row, PLAN, beside->plan);
  take_text (row, KERNEL, beside->kernel);
  seam_row_take (row, NUMBER, seam_number_format_title (number), NAN, NULL);
  seam_row_take (row, SIDE_A, seam_number_format (number, number->a), number->a, NULL);
  seam_row_take (row, SIDE_B, seam_number_format (number, number->b), number->b, NULL);
  seam_row_take (row, CHANGE, seam_number_format_change (number), seam_number_get_change (number),
                 NULL);
  seam_row_take (row, RATIO, seam_number_format_ratio (number), seam_number_get_ratio (number),
                 NULL);
  take_text (row, WORD, beside->word);
  row->cells[WORD].tone = beside->tone;
}

static void
add_known (SeamTable *table, const SeamNumber *numbers, int n, const Beside *beside)
{
  for (int i = 0; i < n; i++)
    if (is_known (&numbers[i]))
      add_number (table, &numbers[i], beside);
}

static char *
make_word (SeamMatch match)
{
  return g_strdup_printf ("%s %s", seam_match_get_sign (match), seam_match_get_word (match));
}

static void
add_plan (SeamTable *table, const SeamComparison *comparison, const SeamPlanPair *plan)
{
  g_autofree char *match = make_word (plan->match);
  g_autofree char *verdict =
      plan->verdict != NULL
          ? g_strdup_printf ("%s (%s)", plan->verdict->headline, plan->verdict->detail)
          : NULL;
  Beside beside = { .plan = seam_comparison_get_plan_name (comparison, plan),
                    .kernel = "whole plan",
                    .word = verdict != NULL ? verdict : match };

  add_known (table, plan->numbers, MIN (plan->n_numbers, 1), &beside);
  beside.word = match;
  if (plan->n_numbers > 1)
    add_known (table, plan->numbers + 1, plan->n_numbers - 1, &beside);
  for (int k = 0; k < plan->n_kernels; k++) {
    const SeamKernelPair *pair = &plan->kernels[k];
    g_autofree char *word = make_word (pair->match);

    beside.kernel = seam_comparison_get_kernel (comparison, plan, pair)->short_name;
    beside.word = word;
    beside.tone = pair->match == SEAM_MATCH_SAME ? SEAM_TONE_PLAIN : SEAM_TONE_WARNING;
    add_known (table, pair->numbers, pair->n_numbers, &beside);
  }
}

SeamTable *
seam_comparison_table_make (const SeamComparison *comparison)
{
  static const Beside run = { .plan = "run", .word = "" };
  SeamTable *table = seam_table_new (columns, N_COLUMNS);

  if (comparison == NULL)
    return table;
  for (int i = 0; i < comparison->n_plans; i++)
    add_plan (table, comparison, &comparison->plans[i]);
  add_known (table, comparison->numbers, comparison->n_numbers, &run);
  return table;
}

SeamTable *
seam_comparison_plans_table_make (const SeamComparison *comparison)
{
  SeamTable *table = seam_table_new (columns, N_COLUMNS);

  seam_table_leave_out (table, "of");
  seam_table_set_title (table, "number", "Time");
  seam_table_set_title (table, "word", "B against A");
  for (int i = 0; i < comparison->n_plans; i++) {
    const SeamPlanPair *plan = &comparison->plans[i];
    const Beside beside = { .sign = seam_match_get_sign (plan->match),
                            .plan = seam_comparison_get_plan_name (comparison, plan),
                            .word = plan->verdict != NULL ? plan->verdict->headline
                                                          : seam_match_get_word (plan->match) };

    add_number (table, &plan->numbers[0], &beside);
  }
  return table;
}

/* Only the first number of a kernel has the sign and the name beside it. */
static void
add_kernel (SeamTable *table, const char *name, const SeamKernelPair *pair, gboolean all)
{
  /* Verdicts are about plans, so the word for equal kernels is left out: beside a ratio, "same"
   * would look like a verdict. */
  Beside beside = { .sign = seam_match_get_sign (pair->match),
                    .kernel = name,
                    .word =
                        pair->match != SEAM_MATCH_SAME ? seam_match_get_word (pair->match) : "" };

  for (int i = 0; i < pair->n_numbers; i++) {
    if (i > 0 && !(is_known (&pair->numbers[i]) && (all || is_short (&pair->numbers[i]))))
      continue;
    add_number (table, &pair->numbers[i], &beside);
    beside.sign = beside.kernel = beside.word = "";
  }
}

SeamTable *
seam_comparison_kernels_table_make (const SeamComparison *comparison, const SeamPlanPair *plan,
                                    gboolean all)
{
  SeamTable *table = seam_table_new (columns, N_COLUMNS);

  seam_table_leave_out (table, "plan");
  seam_table_set_title (table, "word", "");
  for (int i = 0; i < plan->n_kernels; i++)
    add_kernel (table, seam_comparison_get_kernel (comparison, plan, &plan->kernels[i])->short_name,
                &plan->kernels[i], all);
  return table;
}

SeamTable *
seam_comparison_numbers_table_make (const SeamNumber *numbers, int n_numbers)
{
  static const char *const without[] = { "sign", "plan", "of", "word" };
  static const Beside nothing = { 0 };
  SeamTable *table = seam_table_new (columns, N_COLUMNS);

  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    seam_table_leave_out (table, without[i]);
  add_known (table, numbers, n_numbers, &nothing);
  return table;
}
