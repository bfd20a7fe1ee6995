/* SPDX-License-Identifier: MIT
 *
 * The code of plans as files in a folder: what `source --out` and `export --code` write.
 */
#pragma once

#include "app/runner/runner-source.h"

#include <stdio.h>

/* Writes all groups of every plan, or only group number `group` of each (from 0; -1: all). Creates
 * the folder, and writes nothing outside it, whatever the names are (app/base/file-name.h). `log`
 * gets a line for each file. A group without code is named on standard error. SEAM_ERROR_FILE. */
gboolean seam_code_write (const SeamCode *code, int group, const char *folder, FILE *log,
                          GError **error);
