/* SPDX-License-Identifier: MIT
 *
 * Results as CSV: RFC 4180 (comma, CRLF, quotes only where needed), C locale, units in the column
 * names. The head of csv.c lists the columns; new ones are only added at the end.
 */
#pragma once

#include "app/result/result.h"

/* One row per sample; the first line is the header. Unknown values are empty. Newly allocated.
 * app/report/ has plans, kernels and worst elements. */
char *seam_result_samples_to_csv (const SeamResult *result);
/* The overview grid: row, column (of the cell's first element), max_abs, n_failing, pitfalls (of
 * the result), max_rel (over the largest value compared with), max_ulps (of its finite pairs). */
char *seam_difference_to_csv (const SeamDifference *difference, const char *pitfalls);
/* One row per non-empty bin of plan `index` against `against` (-1: FP64) in `difference`; NULL: of
 * each plan in its own difference. One without a histogram (a session of format 1.0) has no row. */
char *seam_result_histogram_to_csv (const SeamResult *result, int index, int against,
                                    const SeamDifference *difference);

/* The name of plan `against`, or FP64. Borrowed. */
const char *seam_result_get_against_name (const SeamResult *result, int against);
