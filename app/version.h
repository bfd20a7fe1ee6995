/* SPDX-License-Identifier: MIT
 *
 * The program's version, as every result and `--version` says it.
 */
#pragma once

const char *seam_version (void); /* "0.1.0"; static */
/* The version and the first digits of the engine's build ID, in which two builds of one version
 * differ: "0.1.0+bc44068da3fc94b7". Without an ID the version alone. Static. */
const char *seam_version_get_build (void);
