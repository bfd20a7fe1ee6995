/* SPDX-License-Identifier: MIT
 *
 * The calibration sheet: device, table of the rates, bandwidth curve, its explanation, footer.
 */
#include "app/report/sheets.h"

#include "app/report/calibrated-rates.h"
#include "app/figure/bandwidth-figure.h"
#include "app/figure/sheet-parts.h"

#define MIN_WIDTH 640.0

SeamFigure *
seam_calibration_sheet_new (const SeamCalibration *calibration, double width)
{
  g_autofree char *knee = seam_calibration_describe_knee (calibration);
  g_autofree char *doubts = seam_calibration_describe_doubts (calibration);
  g_autofree char *provenance = seam_calibration_get_provenance (calibration);
  g_autofree char *title = g_strdup_printf ("Calibration of %s", calibration->device);
  g_autoptr (SeamTable) rates = seam_calibrated_rates_table_make (calibration);
  SeamFigure *table =
      seam_table_figure_new (rates, MAX (width, MIN_WIDTH), g_strdup ("Calibrated rates"));
  SeamFigure *curve;
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
