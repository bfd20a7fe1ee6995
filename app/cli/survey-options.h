/* SPDX-License-Identifier: MIT
 *
 * What `explore` and `sweep` share: resuming, the file that is written as points come, progress,
 * Ctrl-C, and the exit status.
 */
#pragma once

#include "app/cli/cli.h"
#include "app/explore/sweep.h"
#include "app/session/session.h"

G_BEGIN_DECLS

#define SEAM_SURVEY_DEFAULT_BUDGET_S 60.0

typedef struct {
  const char *csv;    /* path, "-", or NULL */
  const char *resume; /* path or NULL */
  const char *figure; /* path or NULL */
  char *save;         /* path of `session`, or NULL; owned, as the next two */
  char *note;
  SeamSession *session; /* that the survey is added to, or NULL */
} SeamSurveyFiles;

/* Reads --csv, --resume, --figure, --save, --append and --note and checks folders and endings.
 * `files` is cleared by the caller in any case. */
gboolean seam_survey_files_read (const SeamArguments *arguments, SeamSurveyFiles *files,
                                 GError **error);
void seam_survey_files_clear (SeamSurveyFiles *files);
/* Keeps `content`, which may be floating, in the session, where one is asked for. */
gboolean seam_survey_files_keep (SeamSurveyFiles *files, GVariant *content, GError **error);

/* Predicts, resumes, says what is going to happen, and measures. FALSE: nothing more can be done,
 * `error` says why; what was measured is in the file all the same. */
gboolean seam_survey_execute (SeamSurvey *survey, SeamRunner *runner, const SeamSurveyFiles *files,
                              const char *what, SeamSurveyEnd *end, GError **error);

/* The CSV to standard output or to a file of its own. */
gboolean seam_survey_files_write_csv (const SeamSurvey *survey, const SeamSurveyFiles *files,
                                      GError **error);
/* "11 of 32 partitions measured, the budget of 60 s is used up. Go on with --resume FILE.", or
 * NULL where all is done. Newly allocated. */
char *seam_survey_describe_end (const SeamSurvey *survey, const SeamSurveyFiles *files,
                                const char *what, SeamSurveyEnd end);
/* What `export` prints of a stored survey, as explore and sweep do. Newly allocated. */
char *seam_explore_make_report (const SeamSurvey *survey);
char *seam_sweep_make_report (const SeamSweep *sweep);

/* By wrong outputs and points that failed. */
SeamExit seam_survey_judge (const SeamSurvey *survey);

G_END_DECLS
