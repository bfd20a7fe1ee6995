/* SPDX-License-Identifier: MIT
 *
 * The progress line goes to standard error, and only to a terminal, so that it does not fill logs.
 */
#include "app/cli/run-progress.h"
#include "app/cli/print.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_INTERVAL_US (G_USEC_PER_SEC / 10)

static SeamCancel *signalled_cancel;

static void
signal_cb (int number)
{
  static const char message[] = "\nStopping; press Ctrl-C again to end at once.\n";

  if (g_atomic_int_get (&signalled_cancel->raised))
    _exit (128 + number);
  seam_cancel_raise (signalled_cancel);
  if (isatty (STDERR_FILENO) && write (STDERR_FILENO, message, sizeof message - 1) < 0)
    return;
}

void
seam_run_catch_signals (SeamCancel *cancel)
{
  struct sigaction action = { .sa_handler = signal_cb, .sa_flags = SA_RESTART };
  struct sigaction old;

  signalled_cancel = cancel;
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  /* SIGHUP: the terminal was closed. Under nohup that must not change anything. */
  if (sigaction (SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaction (SIGHUP, &action, NULL);
}

void
seam_run_progress_init (SeamRunProgress *progress, char **plans)
{
  *progress = (SeamRunProgress){ .is_terminal = isatty (STDERR_FILENO), .plans = plans };
}

void
seam_run_progress_report (const SeamProgress *progress, gpointer data)
{
  SeamRunProgress *self = data;
  gint64 now_us = g_get_monotonic_time ();

  self->n_samples += progress->n_new;
  if (!self->is_terminal || now_us - self->last_us < LINE_INTERVAL_US)
    return;
  self->last_us = now_us;
  seam_cli_clear_line (stderr);
  seam_cli_print (stderr, "%s", seam_step_get_title (progress->step));
  if (progress->plan >= 0 && (guint)progress->plan < g_strv_length (self->plans))
    seam_cli_print (stderr, " · %s", self->plans[progress->plan]);
  if (progress->step == SEAM_STEP_MEASURE)
    seam_cli_print (stderr, " · %.1f of %.0f s · %d samples", progress->elapsed_s,
                    progress->budget_s, self->n_samples);
  else if (isfinite (progress->fraction))
    seam_cli_print (stderr, " · %.0f %%", 100 * progress->fraction);
  fflush (stderr);
}

void
seam_run_progress_end (SeamRunProgress *progress)
{
  if (progress->is_terminal)
    seam_cli_clear_line (stderr);
}
