/* SPDX-License-Identifier: MIT
 *
 * A result as text for people: head, table of plans, table of kernels, notes, provenance.
 */
#pragma once

#include "app/result/result.h"

#include <glib.h>

/* Newly allocated UTF-8, ending in a line feed. */
char *seam_run_report_format (const SeamResult *result);
