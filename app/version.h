/* SPDX-License-Identifier: MIT
 *
 * The program's version, as every result and `--version` says it.
 */
#pragma once

const char *seam_version (void); /* "0.1.0"; static */
/* "0.1.0+5846af6c4df3": with the commit, in which two builds of one version differ; static. */
const char *seam_version_get_build (void);
