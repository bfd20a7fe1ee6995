/* SPDX-License-Identifier: MIT
 *
 * Error messages and exit statuses of all commands.
 */
#include "app/cli/cli.h"

#include "app/cli/print.h"

void
seam_cli_complain (const char *message)
{
  seam_cli_print (stderr, "seamscope-cli: %s\n", message);
}

SeamExit
seam_cli_judge (gboolean could_not_run, gboolean is_wrong, gboolean was_stopped)
{
  return could_not_run ? SEAM_EXIT_COULD_NOT_RUN
         : is_wrong    ? SEAM_EXIT_DIFFERENT
         : was_stopped ? SEAM_EXIT_COULD_NOT_RUN
                       : SEAM_EXIT_DONE;
}

SeamExit
seam_cli_fail (const GError *error)
{
  seam_cli_complain (error->message);
  return g_error_matches (error, SEAM_ERROR, SEAM_ERROR_INPUT) ? SEAM_EXIT_BAD_USE
                                                               : SEAM_EXIT_COULD_NOT_RUN;
}
