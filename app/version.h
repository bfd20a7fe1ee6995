/* SPDX-License-Identifier: MIT
 *
 * The program's version, as every result and `--version` says it.
 */
#pragma once

const char *seam_version (void); /* "0.1.0"; static */
