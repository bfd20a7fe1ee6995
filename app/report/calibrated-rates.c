/* SPDX-License-Identifier: MIT
 *
 * Rows of the calibrated rates. Every rate has its own unit, so each cell contains its unit.
 */
#include "app/report/calibrated-rates.h"

#include <math.h>

enum { QUANTITY, MEDIAN, INTERVAL, SMALLEST, LARGEST, SAMPLES, NOTE, N_COLUMNS };

static const SeamColumn columns[N_COLUMNS] = {
  { .name = "quantity", .title = "Quantity", .expand = TRUE },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "interval", .title = "95 % interval", .kind = SEAM_CELL_NUMBER },
  { .name = "smallest",
    .title = "Smallest",
    .kind = SEAM_CELL_NUMBER,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "largest",
    .title = "Largest",
    .kind = SEAM_CELL_NUMBER,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "samples", .title = "Samples", .kind = SEAM_CELL_COUNT, .dim = TRUE },
  { .name = "note", .title = "Note", .where = SEAM_SHOWN_ON_SHEET, .dim = TRUE, .expand = TRUE },
};

static char *
format_interval (const SeamRate *rate, int i)
{
  g_autofree char *low = seam_rate_format (i, rate->low);
  g_autofree char *high = seam_rate_format (i, rate->high);

  return isnan (rate->low) ? g_strdup (SEAM_DASH) : g_strdup_printf ("%s to %s", low, high);
}

/* Marks a rate that is over the peak of the device. */
static void
mark (SeamTableRow *row)
{
  row->cells[MEDIAN].tone = row->cells[NOTE].tone = SEAM_TONE_BAD;
  row->cells[MEDIAN].is_marked = TRUE;
}

static void
add_row (SeamTable *table, const SeamCalibration *calibration, int i)
{
  const SeamRate *rate = &calibration->rates[i];
  const char *reason = calibration->notes[i].reason;
  g_autofree char *over = seam_calibration_describe_over_peak (calibration, i);
  const char *words = over != NULL ? over : reason;
  SeamTableRow *row = seam_table_append (table, 0, i);

  seam_row_take (row, QUANTITY, g_strdup (seam_rate_get_title (i)), i, reason);
  seam_row_take (row, MEDIAN, seam_rate_format (i, rate->median), rate->median, words);
  seam_row_take (row, INTERVAL, format_interval (rate, i), rate->low, NULL);
  seam_row_take (row, SMALLEST, seam_rate_format (i, rate->least), rate->least, NULL);
  seam_row_take (row, LARGEST, seam_rate_format (i, rate->most), rate->most, NULL);
  if (rate->n > 0)
    row->cells[SAMPLES].value = rate->n;
  if (over != NULL)
    reason = "over the data sheet's peak";
  seam_row_take (row, NOTE, g_strdup (reason != NULL ? reason : ""), NAN, words);
  if (over != NULL)
    mark (row);
}

SeamTable *
seam_calibrated_rates_table_make (const SeamCalibration *calibration)
{
  SeamTable *table = seam_table_new (columns, N_COLUMNS);

  for (int i = 0; calibration != NULL && i < SEAM_N_RATES; i++)
    add_row (table, calibration, i);
  return table;
}
