/* SPDX-License-Identifier: MIT
 *
 * The program's version, compiled into the engine's library.
 */
#include "app/version.h"

#include "seam-config.h"

const char *
seam_version (void)
{
  return SEAM_VERSION;
}
