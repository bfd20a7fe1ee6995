/* SPDX-License-Identifier: MIT
 *
 * A comparison of two runs on the terminal: what the runs differ in, then plans and kernels with
 * both sides' numbers and their changes.
 */
#pragma once

#include "app/compare/run-comparison.h"

/* With `all` every number, otherwise times, traffic and registers. Newly allocated. */
char *seam_compare_report_format (const SeamComparison *comparison, gboolean all);
