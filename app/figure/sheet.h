/* SPDX-License-Identifier: MIT
 *
 * A sheet: figures, lines of text and paragraphs, each at a fixed place, drawn in order. Internal
 * to app/figure/ and app/report/.
 */
#pragma once

#include "app/figure/paint.h"

typedef struct SeamSheet SeamSheet;

SeamSheet *seam_sheet_new (double width);
/* Returns the width of the line. */
double seam_sheet_add_text (SeamSheet *sheet, SeamInk ink, const char *text, double x,
                            double baseline, double size, int weight);
double seam_sheet_add_struck_text (SeamSheet *sheet, SeamInk ink, const char *text, double x,
                                   double baseline, double size, int weight);
/* Wrapped; `y` is its top. Returns the height. */
double seam_sheet_add_paragraph (SeamSheet *sheet, SeamInk ink, const char *text, double x,
                                 double y, double width, double size, gboolean monospace);
/* Takes the figure. */
void seam_sheet_add_figure (SeamSheet *sheet, SeamFigure *figure, double x, double y);
void seam_sheet_add_rule (SeamSheet *sheet, double x1, double y1, double x2, double y2);
void seam_sheet_add_badge (SeamSheet *sheet, char letter, double x, double y);
/* Adds a caption with its value below and an upright rule at the left; returns the width. */
double seam_sheet_add_fact (SeamSheet *sheet, SeamInk ink, const char *caption, const char *value,
                            double x, double y);
double seam_sheet_measure_fact (const char *caption, const char *value);
#define SEAM_FACT_HEIGHT 38.0

/* Takes sheet and summary. */
SeamFigure *seam_sheet_finish (SeamSheet *sheet, double height, char *summary);
