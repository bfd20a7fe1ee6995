/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli: everything that the window can do, without a display. Chooses the command and
 * shows help; each command has its own file.
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
#include <string.h>

static const SeamCommand *const commands[] = {
  &seam_command_list,     &seam_command_estimate, &seam_command_run,       &seam_command_export,
  &seam_command_doctor,   &seam_command_worker,   &seam_command_explore,   &seam_command_sweep,
  &seam_command_source,   &seam_command_aa,       &seam_command_calibrate, &seam_command_compare,
  &seam_command_pitfalls, &seam_command_why,
};

static const char program_text[] =
    "Examples:\n"
    "  seamscope-cli list\n"
    "  seamscope-cli run conv-relu-hardswish\n"
    "  seamscope-cli run '#37' --preset tiny --plan unfused --plan as-published\n"
    "  seamscope-cli doctor\n"
    "\n"
    "Exit status: 0 done, 1 ran but outputs differ, 2 bad use, 3 could not run, or stopped before\n"
    "all was measured.\n";

static void
print_program_help (FILE *stream)
{
  seam_cli_print (
      stream,
      "Usage: seamscope-cli COMMAND [OPTION…]\n\n"
      "Takes a chain of GPU operations apart and puts it together again, measures each way\n"
      "of fusing it, and compares the outputs.\n\nCommands:\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    seam_cli_print (stream, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
  seam_cli_print (stream, "\nseamscope-cli COMMAND --help says more about each. --version names "
                          "the version.\n\n");
  seam_cli_print (stream, "%s", program_text);
}

static void
print_command_help (const SeamCommand *command)
{
  g_autofree SeamOption *list = seam_cli_list_options (command->options);
  g_autofree char *options = seam_options_format (list);

  seam_cli_print (stdout, "Usage: seamscope-cli %s\n\n%s.\n", command->synopsis, command->summary);
  if (*options)
    seam_cli_print (stdout, "\nOptions:\n%s", options);
  seam_cli_print (stdout, "\n%s", command->text);
}

static const SeamCommand *
find_command (const char *name)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  g_autofree char *message = NULL;
  const char *nearest;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++) {
    names[i] = commands[i]->name;
    if (strcmp (names[i], name) == 0)
      return commands[i];
  }
  nearest = seam_text_nearest (name, names);
  message = nearest
                ? g_strdup_printf ("There is no command “%s”; did you mean “%s”?", name, nearest)
                : g_strdup_printf ("There is no command “%s”; --help lists those there are.", name);
  seam_cli_complain (message);
  return NULL;
}

static SeamExit
run_command (const SeamCommand *command, char **argv)
{
  g_autofree SeamOption *options = NULL;
  g_autoptr (SeamArguments) arguments = NULL;
  g_autoptr (GError) error = NULL;

  /* Help is given even where the rest of the line is wrong. */
  for (char **argument = argv; *argument && strcmp (*argument, "--") != 0; argument++)
    if (strcmp (*argument, "--help") == 0 || strcmp (*argument, "-h") == 0) {
      print_command_help (command);
      return SEAM_EXIT_DONE;
    }
  options = seam_cli_list_options (command->options);
  arguments = seam_arguments_parse (options, argv, &error);
  if (arguments == NULL)
    return seam_cli_fail (error);
  return command->run (arguments);
}

static SeamExit
run_program (char **argv)
{
  const SeamCommand *command;

  if (argv[1] == NULL) {
    print_program_help (stderr);
    return SEAM_EXIT_BAD_USE;
  }
  if (strcmp (argv[1], "--version") == 0) {
    seam_cli_print (stdout, "seamscope-cli %s\n", seam_version ());
    return SEAM_EXIT_DONE;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || (strcmp (argv[1], "help") == 0 && argv[2] == NULL)) {
    print_program_help (stdout);
    return SEAM_EXIT_DONE;
  }
  if (strcmp (argv[1], "help") == 0) {
    command = find_command (argv[2]);
    if (command == NULL)
      return SEAM_EXIT_BAD_USE;
    print_command_help (command);
    return SEAM_EXIT_DONE;
  }
  command = find_command (argv[1]);
  return command ? run_command (command, argv + 2) : SEAM_EXIT_BAD_USE;
}

int
main (int argc, char **argv)
{
  g_autofree char *threads = NULL;
  SeamExit status;

  seam_file_init ();
  seam_guard_init ();
  threads = seam_limits_choose_threads ();
  if (threads != NULL)
    seam_cli_complain (threads);
  status = run_program (argv);
  /* A table that was lost on a full disk is not "done". */
  if (fflush (stdout) != 0 || ferror (stdout)) {
    g_autofree char *message =
        g_strdup_printf ("The output could not be written: %s.", g_strerror (errno));
    seam_cli_complain (message);
    status = SEAM_EXIT_COULD_NOT_RUN;
  }
  seam_guard_finish (status);
  return status;
}
