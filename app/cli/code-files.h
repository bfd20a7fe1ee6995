/* SPDX-License-Identifier: MIT
 *
 * The code of plans as files in a folder: what `source --out` and `export --code` write.
 */
#pragma once

#include "app/runner/source.h"

#include <stdio.h>

G_BEGIN_DECLS

/* One group, or all of every plan. The folder is made; `log` gets a line for each file. A group
 * without code is named on standard error. SEAM_ERROR_FILE. */
gboolean seam_code_write_group (const SeamPlanCode *plan, int plan_index, int index,
                                const char *folder, FILE *log, GError **error);
gboolean seam_code_write (const SeamCode *code, const char *folder, FILE *log, GError **error);

G_END_DECLS
