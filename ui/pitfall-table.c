/* SPDX-License-Identifier: MIT
 *
 * Fills the table of the pitfall lab. Every row says by its name whether it is honest.
 */
#include "ui/pitfall-table.h"

#include "app/base/text.h"

#include <math.h>

enum {
  COLUMN_CASE,
  COLUMN_A,
  COLUMN_A_INTERVAL,
  COLUMN_B,
  COLUMN_B_INTERVAL,
  COLUMN_RATIO,
  COLUMN_RATIO_INTERVAL,
  N_COLUMNS
};

static const SeamColumn columns[N_COLUMNS] = {
  { .id = "case", .title = "Case", .bold = TRUE, .expand = TRUE },
  { .id = "a", .title = "A", .numeric = TRUE },
  { .id = "a-interval", .title = "95 % interval", .numeric = TRUE, .dim = TRUE },
  { .id = "b", .title = "B", .numeric = TRUE },
  { .id = "b-interval", .title = "95 % interval", .numeric = TRUE, .dim = TRUE },
  { .id = "ratio", .title = "A over B", .numeric = TRUE, .bold = TRUE },
  { .id = "ratio-interval", .title = "95 % interval", .numeric = TRUE, .dim = TRUE },
};

SeamTable *
seam_pitfall_table_new (void)
{
  SeamTable *table = seam_table_new (columns, N_COLUMNS, -1, TRUE, "Pitfall lab");

  seam_table_show_all_rows (table);
  return table;
}

/* Takes both texts. */
static char *
join (char *low, char *high, gboolean known)
{
  char *text = known ? g_strdup_printf ("%s to %s", low, high) : g_strdup (SEAM_DASH);

  g_free (low);
  g_free (high);
  return text;
}

static void
take_time (SeamTableRow *row, int column, const SeamLabNumbers *numbers, int plan)
{
  g_autofree char *count = seam_text_count (numbers->n_samples[plan]);
  g_autofree char *samples = g_strdup_printf ("%s samples", count);

  seam_table_row_take_cell (row, column, seam_text_time (numbers->time_ns[plan]),
                            numbers->time_ns[plan], samples);
  seam_table_row_take_cell (row, column + 1,
                            join (seam_text_time (numbers->low_ns[plan]),
                                  seam_text_time (numbers->high_ns[plan]),
                                  isfinite (numbers->low_ns[plan])),
                            NAN, NULL);
}

void
seam_pitfall_table_fill (SeamTable *table, const SeamLab *lab)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    SeamLabNumbers numbers;
    SeamTableRow *row;
    g_autofree char *finding = NULL;

    if (!lab->cases[i].wanted)
      continue;
    finding = seam_lab_describe (lab, i);
    seam_lab_get_numbers (lab, i, &numbers);
    row = seam_table_row_new (0, i, N_COLUMNS);
    seam_table_row_take_cell (row, COLUMN_CASE, g_strdup (seam_lab_get_title (lab, i)), NAN,
                              finding);
    take_time (row, COLUMN_A, &numbers, 0);
    take_time (row, COLUMN_B, &numbers, 1);
    seam_table_row_take_cell (row, COLUMN_RATIO, seam_text_ratio (numbers.ratio), numbers.ratio,
                              finding);
    seam_table_row_take_cell (row, COLUMN_RATIO_INTERVAL,
                              join (seam_text_ratio (numbers.ratio_low),
                                    seam_text_ratio (numbers.ratio_high),
                                    isfinite (numbers.ratio_low)),
                              NAN, NULL);
    if (i != SEAM_LAB_HONEST)
      seam_table_row_set_class (row, COLUMN_RATIO, "error");
    g_ptr_array_add (rows, row);
  }
  seam_table_set_rows (table, rows);
}
