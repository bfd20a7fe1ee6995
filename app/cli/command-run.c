/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli run: options to a request, the run, its report and files, and the exit status.
 */
#include "app/cli/cli.h"
#include "app/cli/guard.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/cli/result-files.h"
#include "app/cli/run-outputs.h"
#include "app/cli/run-progress.h"
#include "app/cli/run-report.h"

#include <math.h>

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN",
    "a named plan or a notation such as 'conv+conv_bias|relu+bias'\n"
    "(default: unfused, and published or else full);\n"
    "several are measured in alternation",
    TRUE },
  SEAM_OPTION_EDIT,
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL),
  { "pitfall", "NAME,…",
    "make mistakes on purpose: zeros, no-warm-up, warm-l2, hidden-tf32, host-timer,\n"
    "flush-inside; the result says so wherever it goes; see “pitfalls”",
    TRUE },
  { "no-counters", NULL, "do not read hardware counters, which takes a second or so", FALSE },
  { "truth", "EXTENT",
    "of fp64: whole, sampled (64 slices, chosen by the seed), or auto (default:\n"
    "whole where that is a matter of seconds)",
    FALSE },
  { "tensors", "DIR",
    "read the input and parameters from NAME.npy files there; those that start as\n"
    "1 or 0 may be missing and are then just that",
    FALSE },
  { "save-tensors", "DIR", "write the input and parameters there as NAME.npy", FALSE },
  { "save-output", "PLAN=FILE.npy",
    "write the output of a plan; fp64=FILE.npy: the FP64 reference;\n"
    "bound=FILE.npy: how far each element may be from it",
    TRUE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_RESULTS),
  SEAM_OPTIONS_FIGURES,
  { "save", "FILE.seamscope", "keep the run in a session; “export” and the window open it", FALSE },
  { "append", "FILE.seamscope", "add the run to a session, which is made if there is none", FALSE },
  { "overview", "CELLS",
    "most cells a side of the difference overviews, 1 to 512 (default: 512);\n"
    "a session with fewer is smaller",
    FALSE },
  { "note", "TEXT", "your own words, kept with the run in the session", FALSE },
  { NULL },
};

/* Whether the only plan was not run, with a sentence as the reason, so that a report would be
 * empty. */
static gboolean
is_refused (const SeamResult *result)
{
  return result->n_plans == 1 && result->plans[0].state == SEAM_PLAN_NOT_MEASURED
         && result->plans[0].message != NULL && !result->stopped;
}

/* The exit status of the run; a file that cannot be written makes it worse. */
static SeamExit
judge (const SeamResult *result)
{
  gboolean is_missing = FALSE, is_wrong = FALSE;

  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    is_missing |= plan->state == SEAM_PLAN_NOT_MEASURED || plan->state == SEAM_PLAN_FAULTED;
    SeamOutputs outputs = seam_difference_judge (plan->difference);
    is_wrong |=
        outputs == SEAM_OUTPUTS_DIFFER || outputs == SEAM_OUTPUTS_SHOWN_NOTHING || !plan->stable;
  }
  return seam_cli_judge (is_missing && !result->stopped, is_wrong, result->stopped);
}

static void
report_progress (const SeamProgress *state, gpointer data)
{
  seam_guard_beat (state->step);
  seam_run_progress_report (state, data);
}

/* Opens the target, which a run would do first, too; what fails there fails again then. */
static void
warn_if_busy (SeamRunner *runner, const SeamRunRequest *request)
{
  if (seam_runner_open (runner, request->target, NULL) == NULL)
    return;
  g_autofree char *busy = seam_load_warn (seam_runner_get_foreign_load (runner));
  if (busy != NULL)
    seam_cli_print (stderr, "%s\n", busy);
}

static SeamExit
run (SeamArguments *arguments)
{
  static SeamCancel cancel;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamResult) partial = NULL;
  g_autoptr (GString) log = g_string_new (NULL);
  g_autofree char *report = NULL;
  SeamRunProgress progress;
  SeamExit status;

  if (request == NULL)
    return seam_cli_fail (error);
  /* Before any other thread starts, because edited code may fault or never end. */
  if (request->edits.n > 0 && seam_guard_start (&status))
    return status;
  g_autoptr (SeamRunOutputs) outputs = seam_run_outputs_new (arguments, request, &error);
  if (outputs == NULL)
    return seam_cli_fail (error);

  g_autoptr (SeamRunner) runner = seam_runner_new ();
  seam_run_progress_init (&progress, request->plans);
  seam_run_catch_signals (&cancel);
  warn_if_busy (runner, request);
  g_autoptr (SeamResult) result =
      seam_runner_run (runner, request, &cancel, report_progress, &progress, &partial, &error);
  seam_run_progress_end (&progress);

  FILE *stream = seam_run_outputs_use_stdout (outputs) ? stderr : stdout;
  if (result == NULL) {
    if (partial) {
      report = seam_run_report_format (partial);
      seam_cli_print (stream, "%s", report);
    }
    return seam_cli_fail (error);
  }
  /* Prints the table first, so that it is on the screen even if writing files fails. */
  if (!is_refused (result)) {
    report = seam_run_report_format (result);
    seam_cli_print (stream, "%s", report);
    fflush (stream);
  }
  status = judge (result);
  if (is_refused (result))
    seam_cli_complain (result->plans[0].message);
  else if (result->stopped)
    seam_cli_complain ("Stopped at your request; the samples so far are kept.");
  else if (status == SEAM_EXIT_COULD_NOT_RUN)
    seam_cli_complain ("Not every plan could be run; the notes of the report say why.");
  if (!seam_run_outputs_write (outputs, runner, result, log))
    status = SEAM_EXIT_COULD_NOT_RUN;
  seam_cli_print (stream, "%s", log->str);
  return status;
}

const SeamCommand seam_command_run = {
  .name = "run",
  .summary = "Run plans of a pipeline, time them in alternation, compare their outputs",
  .synopsis = "run PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE is an id, a KernelBench number ('#57') or the path of a pipeline file (.ini).\n"
      "A plan is unfused, full, one that the pipeline names (published, epilogue, an exhibit),\n"
      "or a notation: the ops in order with + (fused) or | (cut) between, and @implementation\n"
      "after a group. Quote it in a shell.\n"
      "Ctrl-C stops and keeps the samples so far; a second Ctrl-C ends at once.\n"
      "With --edit the run is made in a process of its own, which is ended when an execution "
      "shows\n"
      "no progress for 30 seconds.\n"
      "\n"
      "Exit status: 0 done, 1 ran but outputs differ, or the comparison shows nothing,\n"
      "2 bad use, 3 could not run or stopped.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli run conv-relu-hardswish\n"
      "  seamscope-cli run '#37' --plan unfused --plan as-published --figure difference=map.png\n"
      "  seamscope-cli run conv-relu-bias --shape batch=8,height=64 \\\n"
      "      --plan unfused --plan 'conv+conv_bias|relu+bias' --against fp64 --csv -\n"
      "  seamscope-cli run gemm-bias-relu --preset kernelbench --target cuda:0 --math tf32\n",
  .run = run,
};
