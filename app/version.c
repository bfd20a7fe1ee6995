/* SPDX-License-Identifier: MIT
 *
 * The program's version, compiled into the engine's library.
 */
#include "app/version.h"

#include "seam-build.h"
#include "seam-config.h"

const char *
seam_version (void)
{
  return SEAM_VERSION;
}

const char *
seam_version_get_build (void)
{
  return SEAM_VERSION "+" SEAM_BUILD;
}
