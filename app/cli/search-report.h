/* SPDX-License-Identifier: MIT
 *
 * The report that `explore` and `sweep` print about a search, and `export` about a stored one.
 */
#pragma once

#include "app/explore/search.h"

/* Newly allocated. */
char *seam_search_report_format (const SeamSearch *search);
