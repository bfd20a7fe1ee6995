/* SPDX-License-Identifier: MIT
 *
 * The commands of seamscope-cli, in the order of its help.
 */
#include "app/cli/cli.h"

#include <string.h>

const SeamCommand *const seam_commands[] = {
  &seam_command_list,
  &seam_command_estimate,
  &seam_command_run,
  &seam_command_export,
  &seam_command_history,
  &seam_command_doctor,
  &seam_command_worker,
  &seam_command_explore,
  &seam_command_sweep,
  &seam_command_source,
  &seam_command_aa,
  &seam_command_calibrate,
  &seam_command_compare,
  &seam_command_pitfalls,
  &seam_command_why,
  &seam_command_lesson,
  &seam_command_class,
  &seam_command_help,
  NULL,
};

const SeamCommand *
seam_cli_find_command (const char *name)
{
  for (int i = 0; seam_commands[i] != NULL; i++)
    if (strcmp (seam_commands[i]->name, name) == 0)
      return seam_commands[i];
  return NULL;
}
