/* SPDX-License-Identifier: MIT
 *
 * Parent and child share a record: the child counts signs of life in it, and stores its exit status
 * at the end. The child has a process group of its own, so that a signal of the terminal reaches it
 * once, through the parent.
 */
#include "app/cli/guard.h"

#include "app/base/children.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_US 50000
/* A shell adds the signal's number to this for a process that ended by a signal. */
#define SIGNAL_STATUS 128

typedef struct {
  gint beats;
  gint may_be_quiet; /* no edited code runs, and libraries are tried, which may take long */
  gint finished;     /* 1 + the status */
} Record;

static Record own_record;
static Record *record = &own_record; /* shared, in the child */

/* The parent uses these. */
static volatile pid_t watched;
static volatile sig_atomic_t last_signal;
static volatile sig_atomic_t was_suspended;

void
seam_guard_beat (SeamStep step)
{
  g_atomic_int_set (&record->may_be_quiet, step == SEAM_STEP_ALLOCATE);
  g_atomic_int_inc (&record->beats);
}

/* Runs at every exit: libgomp, for example, ends the program with status 1 if it gets no thread. */
static void
exit_cb (void)
{
  if (g_atomic_int_get (&record->finished) != 0)
    return;
  /* For a child, the parent prints the message. */
  if (record == &own_record)
    seam_cli_complain ("A library ended the program before the command was done; what it said "
                       "stands above.");
  fflush (NULL);
  _exit (SEAM_EXIT_COULD_NOT_RUN);
}

void
seam_guard_init (void)
{
  atexit (exit_cb);
}

void
seam_guard_finish (SeamExit status)
{
  g_atomic_int_set (&record->finished, 1 + (gint)status);
  /* Threads that edited code may have left do not meet the exit handlers. */
  if (record != &own_record)
    _exit ((int)status);
}

/* --- The parent --- */

static void
forward_cb (int number)
{
  last_signal = number;
  kill (watched, number);
}

/* Ctrl-Z also stops the work, which would otherwise continue unseen. */
static void
suspend_cb (int number)
{
  kill (-watched, SIGSTOP);
  raise (SIGSTOP);
  was_suspended = 1;
  kill (-watched, SIGCONT);
}

static void
catch_signals (void)
{
  static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = forward_cb, .sa_flags = SA_RESTART };
  struct sigaction old;

  sigemptyset (&action.sa_mask);
  for (gsize i = 0; i < G_N_ELEMENTS (forwarded); i++)
    /* Under nohup, a closed terminal must not change anything. */
    if (forwarded[i] != SIGHUP || sigaction (SIGHUP, NULL, &old) != 0 || old.sa_handler != SIG_IGN)
      sigaction (forwarded[i], &action, NULL);
  action.sa_handler = suspend_cb;
  if (sigaction (SIGTSTP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaction (SIGTSTP, &action, NULL);
}

static SeamExit
judge (int status, gint finished, gboolean was_late)
{
  g_autofree char *text = NULL;

  if (was_late)
    text = seam_edit_describe_limit ();
  else if (WIFSIGNALED (status) && last_signal != 0 && WTERMSIG (status) == last_signal)
    return (SeamExit)(SIGNAL_STATUS + WTERMSIG (status));
  else if (WIFSIGNALED (status))
    text = g_strdup_printf ("The run with edited code was ended by signal %d (%s); most likely the "
                            "code reads or writes where it must not. Nothing else was lost.",
                            WTERMSIG (status), g_strsignal (WTERMSIG (status)));
  else if (finished != 0 && WEXITSTATUS (status) == finished - 1)
    return (SeamExit)WEXITSTATUS (status);
  else if (last_signal != 0 && WEXITSTATUS (status) == SIGNAL_STATUS + last_signal)
    return (SeamExit)WEXITSTATUS (status);
  else
    text = g_strdup ("The edited code ended the program before the run was complete, so there is "
                     "no result. Leave out its calls of exit() and the like.");
  seam_cli_complain (text);
  return SEAM_EXIT_COULD_NOT_RUN;
}

static SeamExit
watch (pid_t child)
{
  gint64 limit_us = (gint64)(seam_edit_get_limit_s () * G_USEC_PER_SEC);
  gint64 last_us = g_get_monotonic_time ();
  gint seen = g_atomic_int_get (&record->beats);
  gboolean was_late = FALSE;
  int status = 0;
  pid_t ended;

  while ((ended = waitpid (child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    gint now = g_atomic_int_get (&record->beats);
    if (now != seen || was_suspended || g_atomic_int_get (&record->may_be_quiet))
      last_us = g_get_monotonic_time ();
    was_suspended = 0;
    seen = now;
    if (!was_late && g_get_monotonic_time () - last_us > limit_us) {
      was_late = TRUE;
      kill (child, SIGKILL);
    }
    g_usleep (LOOK_US);
  }
  kill (-child, SIGKILL);
  seam_children_end ();
  return judge (status, g_atomic_int_get (&record->finished), was_late);
}

/* --- The child --- */

/* FALSE if the parent has already ended. */
static gboolean
become_child (pid_t parent)
{
  setpgid (0, 0);
  /* Lets the child write to the terminal from the background. */
  signal (SIGTTOU, SIG_IGN);
  signal (SIGTTIN, SIG_IGN);
  /* No other process would end it if the parent is killed. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  return getppid () == parent;
}

gboolean
seam_guard_start (SeamExit *status)
{
  static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP };
  void *shared =
      mmap (NULL, sizeof (Record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t parent = getpid (), child;
  sigset_t block, old;

  if (shared == MAP_FAILED)
    return FALSE;
  fflush (NULL);
  /* Blocks signals until there is a child to forward them to. */
  sigemptyset (&block);
  for (gsize i = 0; i < G_N_ELEMENTS (held); i++)
    sigaddset (&block, held[i]);
  sigprocmask (SIG_BLOCK, &block, &old);
  child = fork ();
  if (child == 0) {
    record = shared;
    if (!become_child (parent))
      _exit (SEAM_EXIT_COULD_NOT_RUN);
  } else if (child > 0) {
    setpgid (child, child);
    watched = child;
    catch_signals ();
    seam_children_adopt ();
  }
  sigprocmask (SIG_SETMASK, &old, NULL);
  if (child <= 0)
    return FALSE;
  record = shared;
  *status = watch (child);
  record = &own_record;
  return TRUE;
}
