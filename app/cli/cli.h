/* SPDX-License-Identifier: MIT
 *
 * Shared by the commands of seamscope-cli: exit statuses, error messages, and the commands
 * themselves (one file each; commands.c lists them, main.c chooses).
 */
#pragma once

#include "app/base/error.h"
#include "app/cli/arguments.h"

#include <stdio.h>

typedef enum {
  SEAM_EXIT_DONE = 0,
  SEAM_EXIT_DIFFERENT = 1, /* it ran, but the outputs of some plan differ */
  SEAM_EXIT_BAD_USE = 2,
  SEAM_EXIT_COULD_NOT_RUN = 3, /* or was stopped before everything was measured */
} SeamExit;

/* The status of a measurement: that it could not run outranks wrong outputs, and these outrank that
 * it was stopped. */
SeamExit seam_cli_judge (gboolean could_not_run, gboolean is_wrong, gboolean was_stopped);

/* "seamscope-cli: MESSAGE" on standard error. */
void seam_cli_complain (const char *message);
/* Prints the error and returns the status that fits it. */
SeamExit seam_cli_fail (const GError *error);

typedef struct {
  const char *name;
  const char *summary;  /* one line, for the program's help */
  const char *synopsis; /* "run PIPELINE [OPTION…]" */
  const char *text;     /* paragraphs and examples after the options */
  const SeamOption *options;
  SeamExit (*run) (SeamArguments *arguments);
} SeamCommand;

extern const SeamCommand seam_command_aa;
extern const SeamCommand seam_command_calibrate;
extern const SeamCommand seam_command_class;
extern const SeamCommand seam_command_compare;
extern const SeamCommand seam_command_doctor;
extern const SeamCommand seam_command_estimate;
extern const SeamCommand seam_command_explore;
extern const SeamCommand seam_command_export;
extern const SeamCommand seam_command_help;
extern const SeamCommand seam_command_history;
extern const SeamCommand seam_command_lesson;
extern const SeamCommand seam_command_list;
extern const SeamCommand seam_command_pitfalls;
extern const SeamCommand seam_command_run;
extern const SeamCommand seam_command_source;
extern const SeamCommand seam_command_sweep;
extern const SeamCommand seam_command_why;
extern const SeamCommand seam_command_worker;

/* All commands; NULL ends the list. */
extern const SeamCommand *const seam_commands[];
/* The command of that name, or NULL. */
const SeamCommand *seam_cli_find_command (const char *name);

void seam_cli_print_program_help (FILE *stream);
void seam_cli_print_command_help (const SeamCommand *command);
