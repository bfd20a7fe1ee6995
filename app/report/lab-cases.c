/* SPDX-License-Identifier: MIT
 *
 * Rows of the pitfall lab. Every row says by its name whether it is honest.
 */
#include "app/report/lab-cases.h"

#include <math.h>

static const SeamColumn columns[] = {
  { .name = "case", .title = "Case", .bold = TRUE, .expand = TRUE },
  { .name = "a", .title = "A", .kind = SEAM_CELL_TIME },
  { .name = "a-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_INTERVAL,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "b", .title = "B", .kind = SEAM_CELL_TIME },
  { .name = "b-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_INTERVAL,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "ratio", .title = "A over B", .kind = SEAM_CELL_RATIO, .bold = TRUE },
  { .name = "ratio-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_RATIO,
    .dim = TRUE,
    .wide_only = TRUE },
};

SeamTable *
seam_lab_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

static void
fill_interval (SeamCell *cell, double low, double high)
{
  if (!isfinite (low) || !isfinite (high))
    return;
  cell->value = low;
  cell->high = high;
}

static void
fill_time (SeamTable *table, SeamTableRow *row, const char *name, const char *interval,
           const SeamLabNumbers *numbers, int plan)
{
  SeamCell *time = seam_table_get_cell (table, row, name);
  g_autofree char *count = seam_text_count (numbers->n_samples[plan]);

  time->value = numbers->time_ns[plan];
  time->words = g_strdup_printf ("%s samples", count);
  fill_interval (seam_table_get_cell (table, row, interval), numbers->low_ns[plan],
                 numbers->high_ns[plan]);
}

static void
add_row (SeamTable *table, const SeamLab *lab, int index)
{
  SeamTableRow *row = seam_table_append (table, 0, index);
  SeamCell *ratio = seam_table_get_cell (table, row, "ratio");
  g_autofree char *finding = seam_lab_describe (lab, index);
  SeamLabNumbers numbers;

  seam_lab_get_numbers (lab, index, &numbers);
  seam_cell_take (seam_table_get_cell (table, row, "case"),
                  g_strdup (seam_lab_get_title (lab, index)), finding);
  fill_time (table, row, "a", "a-interval", &numbers, 0);
  fill_time (table, row, "b", "b-interval", &numbers, 1);
  ratio->value = numbers.ratio;
  ratio->words = g_strdup (finding);
  if (index != SEAM_LAB_HONEST)
    ratio->tone = SEAM_TONE_BAD;
  fill_interval (seam_table_get_cell (table, row, "ratio-interval"), numbers.ratio_low,
                 numbers.ratio_high);
}

/* By the honest times: a mistake that makes others a thousand times longer does not make these
 * small. */
static void
set_unit (SeamTable *table, const SeamLab *lab)
{
  SeamLabNumbers honest;
  double longest;

  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &honest);
  longest = fmax (honest.time_ns[0], honest.time_ns[1]);
  if (!isnan (longest))
    seam_table_set_unit (table, SEAM_CELL_TIME, seam_unit_for_time (longest));
}

SeamTable *
seam_lab_table_make (const SeamLab *lab)
{
  static const char *const of_two[] = { "b", "b-interval", "ratio", "ratio-interval" };
  SeamTable *table = seam_lab_table_new ();

  for (guint i = 0; lab->n_plans < 2 && i < G_N_ELEMENTS (of_two); i++)
    seam_table_leave_out (table, of_two[i]);
  set_unit (table, lab);
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].wanted)
      add_row (table, lab, i);
  return table;
}
