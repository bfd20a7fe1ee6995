/* SPDX-License-Identifier: MIT
 *
 * The sample plot as a figure: every sample of one or two plans in true order, median and interval,
 * histogram, and the clock below. A: hollow squares, B: filled discs.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

/* Plan `b` -1: only `a`. Keeps a reference to the result. Hits: SEAM_HIT_SAMPLE, plan 0 for `a` and
 * 1 for `b`. */
SeamFigure *seam_sequence_figure_new (SeamResult *result, int a, int b, double width);

/* "Sample 12 of A, 24th of the run: 2.571 ms, 0.4 % over the median, 1,980 MHz"; NULL if the hit is
 * no sample. Newly allocated. */
char *seam_sequence_describe_sample (const SeamResult *result, int a, int b, const SeamHit *hit);

/* Notes beside the plot, in sentences: pairs, clocks, throttling. Newly allocated. */
char *seam_sequence_describe (const SeamResult *result, int a, int b);
