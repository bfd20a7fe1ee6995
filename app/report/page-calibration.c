/* SPDX-License-Identifier: MIT
 *
 * The calibration sheet: device, table of the rates, the bandwidth curve, what it says, footer.
 */
#include "app/report/page.h"
#include "app/figure/bandwidth.h"
#include "app/figure/grid.h"
#include "app/figure/page-common.h"

#include "app/base/text.h"

#include <math.h>

#define MIN_WIDTH 640.0

static SeamFigure *
make_table (const SeamCalibration *calibration, double width)
{
  const SeamGridColumn columns[] = {
    { .title = "Quantity" },
    { .title = "Median", .numeric = TRUE },
    { .title = "95 % interval", .numeric = TRUE },
    { .title = "Smallest", .numeric = TRUE, .optional = TRUE },
    { .title = "Largest", .numeric = TRUE, .optional = TRUE },
    { .title = "Samples", .numeric = TRUE },
    { .title = "Note", .expand = TRUE },
  };
  SeamGrid *grid = seam_grid_new (columns, G_N_ELEMENTS (columns));

  for (int i = 0; i < SEAM_N_RATES; i++) {
    const SeamRate *rate = &calibration->rates[i];
    gboolean is_over = seam_calibration_is_over_peak (calibration, i);
    g_autofree char *low = seam_rate_format (i, rate->low);
    g_autofree char *high = seam_rate_format (i, rate->high);

    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup (seam_rate_get_title (i)), SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_rate_format (i, rate->median),
                    is_over ? SEAM_INK_BAD : SEAM_INK_TEXT, is_over);
    seam_grid_take (
        grid, isnan (rate->low) ? g_strdup (SEAM_DASH) : g_strdup_printf ("%s to %s", low, high),
        SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, seam_rate_format (i, rate->least), SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, seam_rate_format (i, rate->most), SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, rate->n > 0 ? seam_text_count (rate->n) : g_strdup (SEAM_DASH),
                    SEAM_INK_DIM, FALSE);
    seam_grid_take (grid,
                    is_over ? g_strdup ("over the data sheet's peak")
                            : g_strdup (calibration->notes[i].reason),
                    is_over ? SEAM_INK_BAD : SEAM_INK_DIM, FALSE);
  }
  return seam_grid_finish (grid, width, g_strdup ("Calibrated rates"));
}

SeamFigure *
seam_calibration_page_new (const SeamCalibration *calibration, double width)
{
  g_autofree char *knee = seam_calibration_describe_knee (calibration);
  g_autofree char *doubts = seam_calibration_describe_doubts (calibration);
  g_autofree char *provenance = seam_calibration_get_provenance (calibration);
  g_autofree char *title = g_strdup_printf ("Calibration of %s", calibration->device);
  SeamFigure *table = make_table (calibration, MAX (width, MIN_WIDTH)), *curve;
  SeamSheet *sheet;
  char *summary;
  double y;

  width = MAX (MAX (width, MIN_WIDTH), table->width);
  curve = seam_bandwidth_figure_new (calibration, width, 0);
  summary = seam_figure_summarize (curve);
  sheet = seam_sheet_new (width);
  seam_sheet_add_text (sheet, SEAM_INK_TEXT, title, 0, 16, SEAM_SIZE_TITLE, SEAM_BOLD);
  y = 30;
  seam_sheet_add_figure (sheet, table, 0, y);
  y += table->height + 16;
  seam_sheet_add_figure (sheet, curve, 0, y);
  y += curve->height + 8;
  y += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, knee, 0, y, width, SEAM_SIZE_AXIS, FALSE);
  if (doubts != NULL)
    y += seam_sheet_add_paragraph (sheet, SEAM_INK_BAD, doubts, 0, y + 4, width, SEAM_SIZE_AXIS,
                                   FALSE)
         + 4;
  y = seam_page_add_provenance (sheet, provenance, y + 8, width);
  return seam_sheet_finish (sheet, y, summary);
}
