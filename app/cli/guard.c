/* SPDX-License-Identifier: MIT
 *
 * Parent and child share one counter, which the child counts up and the parent looks at.
 */
#include "app/cli/guard.h"

#include "app/result/edit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_US 50000

static gint *beats; /* shared; NULL: nobody watches */

void
seam_guard_beat (void)
{
  if (beats != NULL)
    g_atomic_int_inc (beats);
}

/* Ctrl-C reaches both; the child answers to it. */
static void
ignore_signals (void)
{
  signal (SIGINT, SIG_IGN);
  signal (SIGTERM, SIG_IGN);
}

static SeamExit
judge (int status, gboolean was_late)
{
  if (was_late) {
    g_autofree char *text = seam_edit_describe_limit ();
    seam_cli_complain (text);
    return SEAM_EXIT_COULD_NOT_RUN;
  }
  if (WIFSIGNALED (status)) {
    g_autofree char *text = g_strdup_printf ("The run with edited code was ended by signal %d "
                                             "(%s); most likely the code reads or writes "
                                             "where it must not. Nothing else was lost.",
                                             WTERMSIG (status), g_strsignal (WTERMSIG (status)));
    seam_cli_complain (text);
    return SEAM_EXIT_COULD_NOT_RUN;
  }
  return (SeamExit)WEXITSTATUS (status);
}

static SeamExit
watch (pid_t child)
{
  gint64 limit_us = (gint64)(seam_edit_get_limit_s () * G_USEC_PER_SEC);
  gint64 last_us = g_get_monotonic_time ();
  gint seen = g_atomic_int_get (beats);
  gboolean was_late = FALSE;
  int status = 0;
  pid_t ended;

  ignore_signals ();
  while ((ended = waitpid (child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    gint now = g_atomic_int_get (beats);
    if (now != seen)
      last_us = g_get_monotonic_time ();
    seen = now;
    if (!was_late && g_get_monotonic_time () - last_us > limit_us) {
      was_late = TRUE;
      kill (child, SIGKILL);
    }
    g_usleep (LOOK_US);
  }
  return judge (status, was_late);
}

gboolean
seam_guard_start (SeamExit *status)
{
  void *shared =
      mmap (NULL, sizeof (gint), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t parent = getpid (), child;

  if (shared == MAP_FAILED)
    return FALSE;
  beats = shared;
  fflush (NULL);
  child = fork ();
  if (child < 0)
    return FALSE;
  if (child == 0) {
    /* Nobody else would end it. */
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    if (getppid () != parent)
      _exit (SEAM_EXIT_COULD_NOT_RUN);
    return FALSE;
  }
  *status = watch (child);
  return TRUE;
}
