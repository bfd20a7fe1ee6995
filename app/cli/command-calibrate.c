/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli calibrate: measures the rates of a target and keeps them, shows what is kept, or
 * forgets it.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/cli/request-options.h"
#include "app/cli/run-progress.h"
#include "app/report/calibrated-rates.h"
#include "app/runner/runner-calibrate.h"

#include <string.h>
#include <unistd.h>

static const SeamOption options[] = {
  SEAM_OPTION_TARGET,
  { "budget", "SECONDS",
    "time for all measurements, 0.1 to 600 (default: 6); each takes a few\n"
    "samples whatever the budget",
    FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_CALIBRATION),
  { "keep", NULL,
    "keep it even if its samples lie so far apart that something else must have\n"
    "used the machine",
    FALSE },
  { "show", NULL, "measure nothing: show the calibration that is kept", FALSE },
  { "forget", NULL, "delete the calibration that is kept", FALSE },
  { NULL },
};

/* --- The report --- */

static void
append_rates (GString *text, const SeamCalibration *calibration)
{
  g_autoptr (SeamTable) table = seam_calibrated_rates_table_make (calibration);
  g_autofree char *formatted = seam_table_format (table);

  g_string_append (text, formatted);
  for (int i = 0; i < SEAM_N_RATES; i++)
    if (calibration->notes[i].reason != NULL)
      g_string_append_printf (text, "%s: %s\n", seam_rate_get_title (i),
                              calibration->notes[i].reason);
}

static void
append_curve (GString *text, const SeamCalibration *calibration)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);
  g_autofree char *formatted = NULL, *words = seam_calibration_describe_knee (calibration);
  SeamKnee knee;

  seam_calibration_find_knee (calibration, &knee);
  if (calibration->n_points > 0) {
    seam_table_add_column (table, "Read again and again", TRUE);
    seam_table_add_column (table, "Median", TRUE);
    seam_table_add_column (table, "Smallest", TRUE);
    seam_table_add_column (table, "Largest", TRUE);
    seam_table_add_column (table, "From", FALSE);
    for (int i = 0; i < calibration->n_points; i++) {
      const SeamCurvePoint *point = &calibration->curve[i];

      seam_table_take (table, seam_text_bytes (point->bytes));
      seam_table_take (table, seam_text_rate (point->rate.median));
      seam_table_take (table, seam_text_rate (point->rate.least));
      seam_table_take (table, seam_text_rate (point->rate.most));
      seam_table_add (table, knee.first_memory < 0   ? SEAM_DASH
                             : i < knee.first_memory ? "cache"
                                                     : "memory");
    }
    formatted = seam_table_format (table);
    g_string_append_printf (text, "\n%s", formatted);
  }
  g_string_append_printf (text, "\n%s\n", words);
}

static char *
make_report (const SeamCalibration *calibration)
{
  GString *text = g_string_new (NULL);
  g_autofree char *provenance = seam_calibration_get_provenance (calibration);
  g_autofree char *buffer = seam_text_bytes (calibration->buffer_bytes);
  g_autofree char *doubts = seam_calibration_describe_doubts (calibration);

  g_string_append_printf (text, "Calibration of %s\nBandwidths of a buffer of %s\n\n",
                          calibration->device, buffer);
  append_rates (text, calibration);
  append_curve (text, calibration);
  if (doubts != NULL)
    g_string_append_printf (text, "%s\n", doubts);
  g_string_append_printf (text, "\n%s\n", provenance);
  return g_string_free (text, FALSE);
}

/* --- Measuring --- */

static void
progress_cb (const SeamCalibrateProgress *progress, gpointer data)
{
  if (!isatty (STDERR_FILENO))
    return;
  seam_cli_clear_line (stderr);
  seam_cli_print (stderr, "%s · %.0f %% · %.1f of %.0f s", progress->what, 100 * progress->fraction,
                  progress->elapsed_s, progress->budget_s);
  fflush (stderr);
}

/* Shows an untrustworthy calibration but does not keep it, because the floor of every later run
 * would rest on it. If `is_kept` is FALSE, the sentence has been printed. */
static SeamCalibration *
measure (const char *target, double budget_s, gboolean always_keep, gboolean *is_kept,
         GError **error)
{
  static SeamCancel cancel;
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  const SeamCalibrateOptions how = { .budget_s = budget_s,
                                     .cancel = &cancel,
                                     .progress = progress_cb };
  g_autofree char *unsteady = NULL, *not_kept = NULL;

  seam_run_catch_signals (&cancel);
  g_autoptr (SeamCalibration) calibration = seam_runner_calibrate (runner, target, &how, error);
  if (isatty (STDERR_FILENO))
    seam_cli_clear_line (stderr);
  if (calibration == NULL)
    return NULL;
  unsteady = seam_calibration_describe_unsteady (calibration);
  *is_kept = always_keep || unsteady == NULL;
  if (!*is_kept)
    not_kept = g_strdup_printf ("The calibration is not kept. %s With --keep it is kept anyway.",
                                unsteady);
  else if (!seam_runner_keep_calibration (runner, target, calibration, &not_kept, error))
    return NULL;
  if (not_kept != NULL)
    seam_cli_complain (not_kept);
  return g_steal_pointer (&calibration);
}

/* The description of a target without opening it; NULL and SEAM_ERROR_INPUT. */
static SeamDeviceInfo *
find_target (const char *target, GError **error)
{
  g_autoptr (GPtrArray) targets = seam_backend_list_targets ();
  /* Without a name, the best target. */
  const SeamDeviceInfo *found = target == NULL ? seam_device_info_find_best (targets) : NULL;

  for (guint i = 0; i < targets->len; i++) {
    const SeamDeviceInfo *info = targets->pdata[i];

    if (target != NULL && strcmp (info->id, target) == 0)
      found = info;
  }
  if (found != NULL && found->identity != NULL)
    return seam_device_info_copy (found);
  if (found != NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "The target %s is not there: %s",
                           found->id,
                           found->reason != NULL ? found->reason : "nothing is known of it.");
  return seam_fail_null (error, SEAM_ERROR_INPUT,
                         "There is no target “%s”; “seamscope-cli doctor” lists those there are.",
                         target);
}

static SeamCalibration *
load (const char *target, GError **error)
{
  g_autoptr (SeamDeviceInfo) info = find_target (target, error);
  SeamCalibration *calibration = NULL;

  if (info == NULL || !seam_calibration_load (info->identity, &calibration, error))
    return NULL;
  if (calibration == NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "%s is not calibrated; “seamscope-cli calibrate --target %s” does that.",
                 info->name, info->id);
  return calibration;
}

static SeamExit
forget (const char *target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDeviceInfo) info = find_target (target, &error);
  gboolean existed = FALSE;

  if (info == NULL || !seam_calibration_forget (info->identity, &existed, &error))
    return seam_cli_fail (error);
  seam_cli_print (stdout,
                  existed ? "The calibration of %s is deleted.\n" : "%s was not calibrated.\n",
                  info->name);
  return SEAM_EXIT_DONE;
}

static SeamExit
run (SeamArguments *arguments)
{
  const char *target = seam_arguments_get (arguments, "target");
  const char *budget = seam_arguments_get (arguments, "budget");
  gboolean show = seam_arguments_has (arguments, "show");
  gboolean keep = seam_arguments_has (arguments, "keep"), is_kept = TRUE;
  double budget_s = SEAM_CALIBRATE_DEFAULT_S;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProductFiles) files = NULL;
  SeamProductSource source = { 0 };

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error)
      || (budget != NULL
          && !seam_text_parse_double (budget, "--budget", SEAM_CALIBRATE_LEAST_S,
                                      SEAM_CALIBRATE_MOST_S, &budget_s, &error))
      || (files = seam_product_files_new (arguments, SEAM_OF_CALIBRATION, &error)) == NULL)
    return seam_cli_fail (error);
  if (seam_arguments_has (arguments, "forget")) {
    if (!show && !keep && budget == NULL && seam_product_files_get_n (files) == 0)
      return forget (target);
    seam_cli_complain ("--forget goes with no option but --target.");
    return SEAM_EXIT_BAD_USE;
  }
  if (show && keep) {
    seam_cli_complain ("--show measures nothing that --keep could keep.");
    return SEAM_EXIT_BAD_USE;
  }
  g_autoptr (SeamCalibration) calibration =
      show ? load (target, &error) : measure (target, budget_s, keep, &is_kept, &error);
  if (calibration == NULL)
    return seam_cli_fail (error);
  g_autofree char *report = make_report (calibration);
  seam_cli_print (seam_product_files_use_stdout (files) ? stderr : stdout, "%s", report);
  source.calibration = calibration;
  if (!seam_product_files_write (files, &source, &error))
    return seam_cli_fail (error);
  return is_kept ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

const SeamCommand seam_command_calibrate = {
  .name = "calibrate",
  .summary = "Measure what a target can do: bandwidths, arithmetic, cache, launches; keep it",
  .synopsis = "calibrate [OPTION…]",
  .options = options,
  .text = "Measures bandwidth of copying, reading and writing far beyond the cache, matrix\n"
          "products, the overhead of a launch, and reads of growing size, whose step shows where\n"
          "the cache ends. The medians are kept for this device and are from then on what floor,\n"
          "ceiling and roofline rest on, here and in the window. Nothing else should use the\n"
          "machine meanwhile: where the samples lie too far apart, the calibration is shown but\n"
          "not kept, and the exit code is 3. A run that reaches more than the calibration says\n"
          "raises it. What a target does not have is a dash, with the reason.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli calibrate\n"
          "  seamscope-cli calibrate --target cpu --budget 20 --csv cpu.csv --figure cpu.svg\n"
          "  seamscope-cli calibrate --show --json -\n"
          "  seamscope-cli calibrate --forget\n",
  .run = run,
};
