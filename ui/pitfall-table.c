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
  { .name = "case", .title = "Case", .bold = TRUE, .expand = TRUE },
  { .name = "a", .title = "A", .kind = SEAM_CELL_NUMBER },
  { .name = "a-interval", .title = "95 % interval", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
  { .name = "b", .title = "B", .kind = SEAM_CELL_NUMBER },
  { .name = "b-interval", .title = "95 % interval", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
  { .name = "ratio", .title = "A over B", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "ratio-interval", .title = "95 % interval", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
};

SeamTableView *
seam_pitfall_table_new (void)
{
  SeamTableView *table =
      seam_table_view_new (seam_table_new (columns, N_COLUMNS), NULL, TRUE, "Pitfall lab");

  seam_table_view_show_all_rows (table);
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

  seam_row_take (row, column, seam_text_time (numbers->time_ns[plan]), numbers->time_ns[plan],
                 samples);
  seam_row_take (row, column + 1,
                 join (seam_text_time (numbers->low_ns[plan]),
                       seam_text_time (numbers->high_ns[plan]), isfinite (numbers->low_ns[plan])),
                 NAN, NULL);
}

void
seam_pitfall_table_fill (SeamTableView *table, const SeamLab *lab)
{
  g_autoptr (SeamTable) rows = seam_table_new (columns, N_COLUMNS);

  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    SeamLabNumbers numbers;
    SeamTableRow *row;
    g_autofree char *finding = NULL;

    if (!lab->cases[i].wanted)
      continue;
    finding = seam_lab_describe (lab, i);
    seam_lab_get_numbers (lab, i, &numbers);
    row = seam_table_append (rows, 0, i);
    seam_row_take (row, COLUMN_CASE, g_strdup (seam_lab_get_title (lab, i)), NAN, finding);
    take_time (row, COLUMN_A, &numbers, 0);
    take_time (row, COLUMN_B, &numbers, 1);
    seam_row_take (row, COLUMN_RATIO, seam_text_ratio (numbers.ratio), numbers.ratio, finding);
    seam_row_take (row, COLUMN_RATIO_INTERVAL,
                   join (seam_text_ratio (numbers.ratio_low), seam_text_ratio (numbers.ratio_high),
                         isfinite (numbers.ratio_low)),
                   NAN, NULL);
    if (i != SEAM_LAB_HONEST)
      row->cells[COLUMN_RATIO].tone = SEAM_TONE_BAD;
  }
  seam_table_view_set_table (table, rows);
}
