/* SPDX-License-Identifier: MIT
 *
 * What `explore` and `sweep` share: resuming, the file that is written as points come, progress,
 * Ctrl-C, and the exit status.
 */
#pragma once

#include "app/cli/cli.h"
#include "app/cli/session-options.h"
#include "app/explore/sweep.h"
#include "app/report/products.h"

G_BEGIN_DECLS

#define SEAM_SURVEY_DEFAULT_BUDGET_S 60.0

typedef struct {
  const char *csv;           /* path, "-", or NULL */
  const char *resume;        /* path or NULL */
  const char *figure;        /* path or NULL */
  SeamSessionTarget session; /* that keeps the survey; owned */
} SeamSurveyFiles;

/* Reads --csv, --resume, --figure, --save, --append and --note and checks folders and endings.
 * `files` is cleared by the caller in any case. */
gboolean seam_survey_files_read (const SeamArguments *arguments, SeamSurveyFiles *files,
                                 GError **error);
void seam_survey_files_clear (SeamSurveyFiles *files);
/* What a command adds to a survey that it has made. */
typedef struct {
  SeamSurvey *survey;
  const char *what;   /* "partitions" */
  gconstpointer data; /* for the functions below */
  char *(*make_report) (gconstpointer data);
  GVariant *(*store) (gconstpointer data); /* for a session; may be floating */
  SeamProductOf of;                        /* the products that --csv and --figure write, … */
  SeamProductSource source;                /* … and what they are made of */
} SeamSurveyCommand;

/* Predicts, resumes, says what is going to happen, measures, prints the report and writes the
 * files, also of what was measured before the device was lost. The status is that of the command:
 * by wrong outputs and points that failed. */
SeamExit seam_survey_command_run (const SeamSurveyCommand *command, SeamSurveyFiles *files);

/* What the commands print of a survey, as `export` does of a stored one. Newly allocated. */
char *seam_explore_make_report (const SeamSurvey *survey);
char *seam_sweep_make_report (const SeamSweep *sweep);

G_END_DECLS
