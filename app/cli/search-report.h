/* SPDX-License-Identifier: MIT
 *
 * What `explore` and `sweep` print of a search, and `export` of a stored one.
 */
#pragma once

#include "app/explore/search.h"

G_BEGIN_DECLS

/* Newly allocated. */
char *seam_search_report_format (const SeamSearch *search);

G_END_DECLS
