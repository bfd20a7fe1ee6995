/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli pitfalls: the lab from the command line. Measures every mistake beside the honest
 * run, and prints its effect on this machine.
 */
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/cli/request-options.h"
#include "app/cli/run-progress.h"
#include "app/report/lab-cases.h"

#define DEFAULT_BUDGET_S 30

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN", "plan A, and once more plan B (default: unfused, and published or else full)",
    TRUE },
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_CODE | SEAM_CONCERN_TENSORS),
  { "pitfall", "NAME,…", "only these (default: all that are possible here)", TRUE },
  { "budget", "SECONDS", "time for measuring, all together (default: 30)", FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_LAB),
  { NULL },
};

static gboolean
measure (SeamLab *lab, SeamRunner *runner, SeamCancel *cancel, GError **error)
{
  SeamRunRequest *next;
  int index = 0;

  while ((next = seam_lab_next (lab, &index)) != NULL) {
    g_autoptr (SeamRunRequest) request = next;
    g_autoptr (GError) failure = NULL;
    g_autoptr (SeamResult) result = NULL;
    SeamRunProgress progress;
    int n_done, n_all;

    seam_lab_count (lab, &n_done, &n_all);
    seam_run_progress_init (&progress, request->plans);
    result = seam_runner_run (runner, request, cancel, seam_run_progress_report, &progress, NULL,
                              &failure);
    seam_run_progress_end (&progress);
    seam_cli_print (stderr, "%d of %d  %s\n", n_done + 1, n_all, seam_lab_get_title (lab, index));
    if (seam_lab_take (lab, index, result, failure))
      continue;
    /* After Stop, the measured part is shown. */
    if (seam_cancel_check (cancel, NULL) && lab->cases[SEAM_LAB_HONEST].rounds[0] != NULL)
      return TRUE;
    if (failure != NULL)
      g_propagate_error (error, g_steal_pointer (&failure));
    else
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "The honest run was not measured: %s",
                   lab->cases[SEAM_LAB_HONEST].why_not != NULL ? lab->cases[SEAM_LAB_HONEST].why_not
                                                               : "stopped at your request.");
    return FALSE;
  }
  return TRUE;
}

static char *
make_report (const SeamLab *lab)
{
  g_autofree char *provenance = seam_lab_get_provenance (lab);
  g_autoptr (SeamTable) cases = seam_lab_table_make (lab);
  g_autofree char *table = seam_table_format (cases);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "A: %s", lab->request->plans[0]);
  if (lab->n_plans > 1)
    g_string_append_printf (text, ", B: %s", lab->request->plans[1]);
  g_string_append_printf (text, "\n⚠ All but Honest is wrong on purpose\n\n%s\n", table);
  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    if (!lab->cases[i].wanted)
      continue;
    g_autofree char *finding = seam_lab_describe (lab, i);
    if (i == SEAM_LAB_HONEST)
      g_string_append_printf (text, "Honest. %s\n", finding);
    else
      g_string_append_printf (text, "%s. %s\n  Here: %s\n", seam_lab_get_title (lab, i),
                              seam_pitfall_get_sentence (lab->cases[i].pitfall), finding);
  }
  g_string_append_printf (text, "\n%s\n", provenance);
  return g_string_free (text, FALSE);
}

/* Refuses a mistake that was named but cannot be made, instead of leaving it out. */
static SeamLab *
make_lab (const SeamRunRequest *request, SeamRunner *runner, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, request->target, error);

  if (device == NULL)
    return NULL;
  g_autoptr (SeamRunRequest) plain = seam_run_request_copy (request);
  plain->pitfalls = 0;
  SeamLab *lab = seam_lab_new (plain, request->pitfalls != 0 ? request->pitfalls : G_MAXUINT);
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    seam_lab_refuse (lab, SEAM_PITFALL_AT (i),
                     seam_run_refuse_pitfall (device, plain, SEAM_PITFALL_AT (i)));
  return lab;
}

static SeamExit
run (SeamArguments *arguments)
{
  static SeamCancel cancel;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamProductFiles) files =
      request != NULL ? seam_product_files_new (arguments, SEAM_OF_LAB, &error) : NULL;
  SeamProductSource source = { 0 };

  if (files == NULL)
    return seam_cli_fail (error);
  if (g_strv_length (request->plans) > 2) {
    seam_cli_complain ("The lab compares one or two plans: give --plan once or twice.");
    return SEAM_EXIT_BAD_USE;
  }
  if (!seam_arguments_has (arguments, "budget"))
    request->settings.budget_s = DEFAULT_BUDGET_S;
  seam_run_catch_signals (&cancel);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamLab) lab = make_lab (request, runner, &error);
  if (lab == NULL)
    return seam_cli_fail (error);
  if (!measure (lab, runner, &cancel, &error))
    return seam_cli_fail (error);
  g_autofree char *report = make_report (lab);
  seam_cli_print (seam_product_files_use_stdout (files) ? stderr : stdout, "%s", report);
  fflush (stdout);
  source.lab = lab;
  if (!seam_product_files_write (files, &source, &error))
    return seam_cli_fail (error);
  if (!seam_cancel_check (&cancel, NULL))
    return SEAM_EXIT_DONE;
  seam_cli_complain ("Stopped at your request: not every case was measured twice.");
  return SEAM_EXIT_COULD_NOT_RUN;
}

const SeamCommand seam_command_pitfalls = {
  .name = "pitfalls",
  .summary = "Measure wrong on purpose, six ways, and show what each makes of the result",
  .synopsis = "pitfalls PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE and plans are named as for “run”. The honest run comes first, then each mistake\n"
      "that can be made on this target, and all once more in the reverse order. The table has the\n"
      "times of both plans and how many times longer A takes, honestly and with each mistake; the\n"
      "sentences say what is wrong with it, what it does here, or why it cannot be made.\n"
      "\n"
      "Exit status: 0 done, 2 bad use, 3 could not run or stopped before all was measured.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli pitfalls '#57' --figure pitfalls.png\n"
      "  seamscope-cli pitfalls '#21' --plan full --pitfall warm-l2,flush-inside --csv -\n",
  .run = run,
};
