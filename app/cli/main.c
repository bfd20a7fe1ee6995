/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli: everything that the window can do, without a display. Chooses the command;
 * each has a file of its own.
 */
#include "app/base/file.h"
#include "app/base/process-limits.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/guard.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/version.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
complain_of_command (const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (int i = 0; seam_commands[i] != NULL; i++)
    g_ptr_array_add (names, (char *)seam_commands[i]->name);
  g_autofree char *end = seam_text_suggest (name, (const char *const *)names->pdata);
  g_autofree char *message =
      g_strdup_printf ("There is no command “%s”%s --help lists those there are.", name, end);
  seam_cli_complain (message);
}

static SeamExit
run_command (const SeamCommand *command, char **argv)
{
  g_autoptr (GError) error = NULL;

  /* Prints help even if the rest of the line is wrong. */
  for (char **argument = argv; *argument && strcmp (*argument, "--") != 0; argument++)
    if (strcmp (*argument, "--help") == 0 || strcmp (*argument, "-h") == 0) {
      seam_cli_print_command_help (command);
      return SEAM_EXIT_DONE;
    }
  g_autofree SeamOption *options = seam_cli_list_options (command->options);
  g_autoptr (SeamArguments) arguments = seam_arguments_parse (options, argv, &error);
  if (arguments == NULL)
    return seam_cli_fail (error);
  return command->run (arguments);
}

static SeamExit
run_program (char **argv)
{
  if (argv[1] == NULL) {
    seam_cli_print_program_help (stderr);
    return SEAM_EXIT_BAD_USE;
  }
  if (strcmp (argv[1], "--version") == 0) {
    seam_cli_print (stdout, "seamscope-cli %s\n", seam_version ());
    return SEAM_EXIT_DONE;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0) {
    seam_cli_print_program_help (stdout);
    return SEAM_EXIT_DONE;
  }
  const SeamCommand *command = seam_cli_find_command (argv[1]);
  if (command != NULL)
    return run_command (command, argv + 2);
  complain_of_command (argv[1]);
  return SEAM_EXIT_BAD_USE;
}

int
main (int argc, char **argv)
{
  /* Otherwise the next file to be opened would be taken for the standard input. */
  if (fcntl (STDIN_FILENO, F_GETFD) < 0)
    open ("/dev/null", O_RDONLY);
  seam_limits_keep_waiting_short (argv);
  seam_file_init ();
  seam_guard_init ();
  g_autofree char *threads = seam_limits_choose_threads ();
  if (threads != NULL)
    seam_cli_complain (threads);
  SeamExit status = run_program (argv);
  /* If a full disk lost part of the table, the command has failed. */
  if (fflush (stdout) != 0 || ferror (stdout)) {
    g_autofree char *message =
        g_strdup_printf ("The output could not be written: %s.", g_strerror (errno));
    seam_cli_complain (message);
    status = SEAM_EXIT_COULD_NOT_RUN;
  }
  seam_guard_finish (status);
  return status;
}
