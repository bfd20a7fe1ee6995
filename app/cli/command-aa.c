/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli aa: measures one plan against itself, several times, to find out which differences
 * this machine can claim.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/cli/result-files.h"
#include "app/cli/run-progress.h"
#include "app/report/table.h"
#include "app/compare/compare.h"
#include "app/compare/self-test.h"

#include <math.h>

/* A single run may be lucky; five show within half a minute or so whether the machine repeats
 * itself. */
#define DEFAULT_RUNS     5
#define MOST_RUNS        1000
#define DEFAULT_BUDGET_S 5

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN", "the plan that is measured against itself (default: unfused)", FALSE },
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL & ~(SEAM_CONCERN_AGAINST | SEAM_CONCERN_VERDICT)),
  { "runs", "N", "measure N times, 1 to 1000 (default: 5)", FALSE },
  { "budget", "SECONDS",
    "time for each run (default: 5); it ends sooner when the intervals are\n"
    "narrow",
    FALSE },
  { "csv", "FILE", "write A and B of the run that differs most as a table (“-”: standard output)",
    FALSE },
  { "json", "FILE", "write everything that was found in that run, and that difference (or “-”)",
    FALSE },
  { "csv-samples", "FILE", "write the samples of that run (or “-”)", FALSE },
  { "figure", "samples=FILE", "draw them as PNG, SVG or PDF by its ending", TRUE },
  { NULL },
};

typedef struct {
  SeamSelfTest test;
  SeamTable *table;
  SeamResult *worst; /* the result whose interval reaches farthest */
  double worst_end;
} Trial;

static void
add_row (Trial *trial, const SeamResult *result, int number)
{
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  double ends = fmax (verdict->ratio_high, 1 / verdict->ratio_low) - 1;

  seam_table_take (trial->table, seam_text_count (number));
  seam_table_take (trial->table, seam_text_time (result->plans[0].median_ns));
  seam_table_take (trial->table,
                   seam_text_count (MIN (result->plans[0].n_samples, result->plans[1].n_samples)));
  seam_table_take (trial->table, seam_text_percent_off (verdict->ratio));
  seam_table_take (trial->table, seam_text_percent_off (verdict->ratio_low));
  seam_table_take (trial->table, seam_text_percent_off (verdict->ratio_high));
  seam_table_take (trial->table, g_strdup (seam_verdict_get_word (verdict->kind)));
  if (trial->worst == NULL || ends > trial->worst_end) {
    g_clear_pointer (&trial->worst, seam_result_unref);
    trial->worst = seam_result_ref ((SeamResult *)result);
    trial->worst_end = isfinite (ends) ? ends : INFINITY;
  }
}

/* Returns TRUE to continue. */
static gboolean
measure (Trial *trial, SeamRunner *runner, const SeamRunRequest *request, SeamCancel *cancel,
         int number, GError **error)
{
  SeamRunProgress progress;

  seam_run_progress_init (&progress, request->plans);
  g_autoptr (SeamResult) result =
      seam_runner_run (runner, request, cancel, seam_run_progress_report, &progress, NULL, error);
  seam_run_progress_end (&progress);
  if (result == NULL)
    return FALSE;
  if (!seam_self_test_add (&trial->test, result)) {
    if (!result->stopped)
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "The plan could not be timed: %s",
                   result->plans[0].message != NULL ? result->plans[0].message
                                                    : "no execution gave a valid time.");
    return FALSE;
  }
  add_row (trial, result, number);
  return !result->stopped;
}

/* Prepares both sides separately, each with memory of its own, as two different plans are. */
static SeamRunRequest *
make_request (const SeamArguments *arguments, gint64 *n_runs, GError **error)
{
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, error);
  const char *plan = seam_arguments_get (arguments, "plan");
  const char *runs = seam_arguments_get (arguments, "runs");
  const char *twice[3] = { plan != NULL ? plan : "unfused", plan != NULL ? plan : "unfused", NULL };

  *n_runs = DEFAULT_RUNS;
  if (request == NULL
      || (runs != NULL && !seam_text_parse_int64 (runs, "--runs", 1, MOST_RUNS, n_runs, error)))
    return NULL;
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)twice);
  request->counters = FALSE;
  if (!seam_arguments_has (arguments, "budget"))
    request->settings.budget_s = DEFAULT_BUDGET_S;
  return g_steal_pointer (&request);
}

static SeamExit
conclude (Trial *trial, SeamResultFiles *files, FILE *stream)
{
  g_autofree char *provenance = seam_result_get_provenance (trial->worst);
  g_autofree char *table = seam_table_format (trial->table);
  g_autofree char *words = seam_self_test_describe (&trial->test);
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (SeamSessionRun) run = seam_session_run_new (trial->worst, NULL);
  SeamExit status = seam_self_test_holds (&trial->test) ? SEAM_EXIT_DONE : SEAM_EXIT_DIFFERENT;

  seam_cli_print (stream, "%s against itself, as A and B in alternation\n\n%s\n%s\n%s\n",
                  trial->worst->plans[0].notation, table, words, provenance);
  fflush (stream);
  seam_result_files_set_claimable (files, &trial->test.claimable);
  if (!seam_result_files_write (files, &run, 1, log))
    status = SEAM_EXIT_COULD_NOT_RUN;
  seam_cli_print (stream, "%s", log->str);
  return status;
}

static SeamExit
run (SeamArguments *arguments)
{
  static SeamCancel cancel;
  static const char *const columns[] = { "Run",      "Median of A", "Pairs",  "Difference (%)",
                                         "from (%)", "to (%)",      "Verdict" };
  g_autoptr (GError) error = NULL;
  gint64 n_runs = 0;
  g_autoptr (SeamRunRequest) request = make_request (arguments, &n_runs, &error);
  Trial trial = { 0 };
  SeamExit status;

  if (request == NULL)
    return seam_cli_fail (error);
  g_autoptr (SeamResultFiles) files =
      seam_result_files_new (arguments, TRUE, FALSE, SEAM_OF_RESULTS, &error);
  if (files == NULL)
    return seam_cli_fail (error);
  trial.table = seam_table_new (NULL, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    seam_table_add_column (trial.table, columns[i], i + 1 < G_N_ELEMENTS (columns));
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  seam_run_catch_signals (&cancel);
  for (int i = 1; i <= n_runs; i++)
    if (!measure (&trial, runner, request, &cancel, i, &error))
      break;
  if (trial.worst != NULL)
    status = conclude (
        &trial, files,
        seam_product_files_use_stdout (seam_result_files_get_products (files)) ? stderr : stdout);
  else
    status = SEAM_EXIT_COULD_NOT_RUN;
  if (error != NULL)
    status = seam_cli_fail (error);
  else if (trial.worst == NULL)
    seam_cli_complain ("Stopped at your request before the first run was measured.");
  else if (seam_cancel_check (&cancel, NULL)) {
    seam_cli_complain ("Stopped at your request; the runs so far are kept.");
    status = SEAM_EXIT_COULD_NOT_RUN;
  }
  g_clear_pointer (&trial.worst, seam_result_unref);
  seam_table_unref (trial.table);
  return status;
}

const SeamCommand seam_command_aa = {
  .name = "aa",
  .summary = "Measure a plan against itself: the smallest difference to be believed here",
  .synopsis = "aa PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE is named as for “run”. The plan is prepared twice and both are measured as two\n"
      "plans are, in alternation. What they differ by is chance and disturbance: the farthest end\n"
      "of the 95 % intervals is the smallest difference that this machine can claim now.\n"
      "Ctrl-C stops and keeps the runs so far.\n"
      "\n"
      "Exit status: 0 the limit of " SEAM_CLAIMABLE_WORDS
      " that verdicts use holds here, 1 it does not or is not\n"
      "known, 2 bad use, 3 could not run or stopped before all runs were measured.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli aa '#57'\n"
      "  seamscope-cli aa '#21' --preset kernelbench --math tf32 --plan full --runs 20\n",
  .run = run,
};
