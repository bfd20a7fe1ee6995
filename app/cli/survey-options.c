/* SPDX-License-Identifier: MIT
 *
 * A survey from the command line: words before, a line of progress while it runs, files after.
 */
#include "app/cli/survey-options.h"

#include "app/base/npy.h"
#include "app/base/text.h"
#include "app/cli/print.h"
#include "app/cli/result-files.h"
#include "app/cli/run-progress.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define LINE_INTERVAL_US (G_USEC_PER_SEC / 10)

typedef struct {
  const SeamSurvey *survey;
  const char *what;
  gboolean is_terminal;
  gint64 last_us;
} Progress;

gboolean
seam_survey_files_read (const SeamArguments *arguments, SeamSurveyFiles *files, GError **error)
{
  *files = (SeamSurveyFiles){ NULL };
  files->csv = seam_arguments_get (arguments, "csv");
  files->resume = seam_arguments_get (arguments, "resume");
  files->figure = seam_arguments_get (arguments, "figure");
  if (files->csv != NULL && strcmp (files->csv, "-") != 0
      && !seam_cli_check_path (files->csv, error))
    return FALSE;
  if (files->resume != NULL && !seam_cli_check_path (files->resume, error))
    return FALSE;
  if (files->figure != NULL && !seam_cli_check_figure (files->figure, error))
    return FALSE;
  return seam_session_target_read (arguments, &files->session, error);
}

void
seam_survey_files_clear (SeamSurveyFiles *files)
{
  seam_session_target_clear (&files->session);
}

static gboolean
keep (SeamSurveyFiles *files, GVariant *content, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (content);

  g_autoptr (SeamSession) session = seam_session_new ();

  if (files->session.path == NULL)
    return TRUE;
  seam_session_add_survey (session, owned, files->session.note);
  return seam_session_target_write (&files->session, session, error);
}

/* The file that points are written to as they come. */
static const char *
get_live_file (const SeamSurveyFiles *files)
{
  if (files->resume != NULL)
    return files->resume;
  return files->csv != NULL && strcmp (files->csv, "-") != 0 ? files->csv : NULL;
}

static void
print_fresh (const Progress *self, const SeamSurveyProgress *progress)
{
  if (self->is_terminal)
    seam_cli_clear_line (stderr);
  for (int i = 0; i < progress->n_fresh; i++) {
    const SeamPoint *point = &self->survey->points[progress->fresh[i]];
    g_autofree char *time = seam_text_time (point->median_ns);
    gboolean is_sweep = self->survey->kind == SEAM_SURVEY_SWEEP;

    seam_cli_print (stderr, "%d of %d  %s%s%s  %s\n", progress->n_points - progress->n_pending,
                    progress->n_points, is_sweep ? point->shape : "", is_sweep ? "  " : "",
                    is_sweep || point->notation == NULL ? point->plan : point->notation,
                    point->state == SEAM_POINT_MEASURED ? time
                                                        : seam_point_state_get_name (point->state));
  }
}

static void
progress_cb (const SeamSurveyProgress *progress, gpointer data)
{
  Progress *self = data;
  gint64 now_us = g_get_monotonic_time ();

  if (progress->n_fresh > 0)
    print_fresh (self, progress);
  if (!self->is_terminal || now_us - self->last_us < LINE_INTERVAL_US)
    return;
  self->last_us = now_us;
  seam_cli_clear_line (stderr);
  seam_cli_print (stderr, "%d of %d %s · %.0f of %.0f s", progress->n_points - progress->n_pending,
                  progress->n_points, self->what, progress->elapsed_s, progress->budget_s);
  if (isfinite (progress->expected_s))
    seam_cli_print (stderr, " · about %.0f s more", progress->expected_s);
  if (progress->run != NULL)
    seam_cli_print (stderr, " · %s", seam_step_get_title (progress->run->step));
  if (progress->current >= 0)
    seam_cli_print (stderr, " · %s", self->survey->points[progress->current].plan);
  fflush (stderr);
}

/* Before the first second is spent. */
static void
print_plan (const SeamSurvey *survey, const char *what)
{
  int n_pending = seam_survey_count (survey, SEAM_POINT_PENDING);
  int n_impossible = seam_survey_count (survey, SEAM_POINT_IMPOSSIBLE);
  int n_known = survey->n_points - n_pending - n_impossible;
  double least_s = seam_survey_get_least_s (survey), budget_s = survey->request->settings.budget_s;

  seam_cli_print (stderr, "%d %s", survey->n_points, what);
  if (n_known > 0)
    seam_cli_print (stderr, ", %d measured before", n_known);
  if (n_impossible > 0)
    seam_cli_print (stderr, ", %d cannot run here", n_impossible);
  if (n_pending > 0)
    seam_cli_print (stderr, ". Budget %.3g s, %.2g s for each of %d", budget_s,
                    budget_s / n_pending, n_pending);
  if (n_pending > 0 && isfinite (least_s))
    seam_cli_print (stderr, "; at full rate of this device all need at least %.2g s", least_s);
  seam_cli_print (stderr, ".\n");
}

static gboolean
execute (SeamSurvey *survey, SeamRunner *runner, const SeamSurveyFiles *files, const char *what,
         SeamSurveyEnd *end, GError **error)
{
  static SeamCancel cancel;
  Progress progress = { .survey = survey, .what = what, .is_terminal = isatty (STDERR_FILENO) };
  SeamSurveyOptions options = {
    .cancel = &cancel, .file = get_live_file (files), .progress = progress_cb, .data = &progress
  };
  gboolean ok;

  if (!seam_survey_predict (survey, runner, error))
    return FALSE;
  /* A file that is not there yet is begun. */
  if (files->resume != NULL && g_file_test (files->resume, G_FILE_TEST_EXISTS)
      && !seam_survey_merge_file (survey, files->resume, error))
    return FALSE;
  print_plan (survey, what);
  seam_run_catch_signals (&cancel);
  ok = seam_survey_run (survey, runner, &options, end, error);
  if (progress.is_terminal)
    seam_cli_clear_line (stderr);
  return ok;
}

static char *
describe_end (const SeamSurvey *survey, const SeamSurveyFiles *files, const char *what,
              SeamSurveyEnd end)
{
  const char *file = get_live_file (files);
  GString *text;

  if (end == SEAM_SURVEY_DONE)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s: %d of %d %s are not measured.",
                          end == SEAM_SURVEY_STOPPED ? "Stopped at your request"
                                                     : "The budget is used up",
                          seam_survey_count (survey, SEAM_POINT_PENDING), survey->n_points, what);
  if (file != NULL)
    g_string_append_printf (text, " Go on with --resume %s.", file);
  return g_string_free (text, FALSE);
}

static SeamExit
judge (const SeamSurvey *survey)
{
  SeamExit status = SEAM_EXIT_DONE;

  for (int i = 0; i < survey->n_points; i++) {
    if (survey->points[i].state == SEAM_POINT_FAILED)
      return SEAM_EXIT_COULD_NOT_RUN;
    if (seam_point_is_wrong (&survey->points[i]))
      status = SEAM_EXIT_DIFFERENT;
  }
  if (seam_survey_count (survey, SEAM_POINT_PENDING) > 0
      || seam_survey_count (survey, SEAM_POINT_MEASURED) == 0)
    return SEAM_EXIT_COULD_NOT_RUN;
  return status;
}

static gboolean
write_files (const SeamSurveyCommand *command, SeamSurveyFiles *files, GError **error)
{
  if (!keep (files, command->store (command->data), error))
    return FALSE;
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    const char *path = product->kind == SEAM_PRODUCT_FIGURE ? files->figure : files->csv;
    if (product->of == command->of && path != NULL
        && !seam_cli_write_product (product, &command->source, path, error))
      return FALSE;
  }
  return TRUE;
}

SeamExit
seam_survey_command_run (const SeamSurveyCommand *command, SeamSurveyFiles *files)
{
  g_autoptr (GError) error = NULL, failure = NULL;
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autofree char *report = NULL, *ending = NULL;
  SeamSurveyEnd end = SEAM_SURVEY_DONE;
  gboolean ok = execute (command->survey, runner, files, command->what, &end, &error);

  if (!ok && command->survey->device == NULL)
    return seam_cli_fail (error);
  /* Of what was measured before the device was lost, too. */
  if (ok || seam_survey_count (command->survey, SEAM_POINT_MEASURED) > 0) {
    report = command->make_report (command->data);
    seam_cli_print (files->csv != NULL && strcmp (files->csv, "-") == 0 ? stderr : stdout, "%s",
                    report);
    fflush (stdout);
    if (ok && !write_files (command, files, &failure))
      return seam_cli_fail (failure);
  }
  if (!ok)
    return seam_cli_fail (error);
  ending = describe_end (command->survey, files, command->what, end);
  if (ending != NULL)
    seam_cli_complain (ending);
  return judge (command->survey);
}
