/* SPDX-License-Identifier: MIT
 *
 * Rows of the conditions.
 */
#include "app/report/conditions.h"

static const SeamColumn columns[] = {
  { .name = "condition", .title = "Condition" },
  { .name = "a", .title = "A", .expand = TRUE },
  { .name = "b", .title = "B", .expand = TRUE },
  { .name = "state", .title = "" },
};

SeamTable *
seam_conditions_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

static void
take (SeamTable *table, SeamTableRow *row, const char *column, const char *text)
{
  seam_cell_take (seam_table_get_cell (table, row, column), g_strdup (text), text);
}

SeamTable *
seam_conditions_table_make (const SeamComparison *comparison)
{
  SeamTable *table = seam_conditions_table_new ();

  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];
    gboolean prevents = condition->state == SEAM_CONDITION_PREVENTS;
    SeamTableRow *row;

    if (condition->state == SEAM_CONDITION_SAME)
      continue;
    row = seam_table_append (table, -1, i);
    take (table, row, "condition", condition->title);
    take (table, row, "a", condition->a);
    take (table, row, "b", condition->b);
    take (table, row, "state", prevents ? "prevents a comparison" : "differs");
    seam_table_get_cell (table, row, "state")->tone = prevents ? SEAM_TONE_BAD : SEAM_TONE_WARNING;
  }
  return table;
}

char *
seam_conditions_list_alike (const SeamComparison *comparison)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];

    if (condition->state == SEAM_CONDITION_SAME)
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? " · " : "", condition->title,
                              condition->a != NULL ? condition->a : SEAM_DASH);
  }
  return g_string_free (text, FALSE);
}
