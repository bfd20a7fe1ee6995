/* SPDX-License-Identifier: MIT
 *
 * Linux only: prctl(2), PR_SET_CHILD_SUBREAPER, and /proc.
 */
#include "app/base/children.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Longest wait for a child that the system cannot end (because it waits for a device). */
#define MAX_WAIT_US (2 * G_USEC_PER_SEC)
#define LOOK_US     2000

void
seam_children_adopt (void)
{
  prctl (PR_SET_CHILD_SUBREAPER, 1);
}

/* The parent of a process, from /proc/PID/stat: "PID (NAME) STATE PARENT …", where NAME may contain
 * anything. 0 if the process is gone. */
static pid_t
get_parent (const char *pid)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "stat", NULL);
  g_autofree char *text = NULL;
  int parent = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *name_end = strrchr (text, ')');
  return name_end != NULL && sscanf (name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

static void
kill_children (void)
{
  GDir *folder = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_ascii_isdigit (name[0]) && get_parent (name) == getpid ())
      kill ((pid_t)g_ascii_strtoll (name, NULL, 10), SIGKILL);
  if (folder != NULL)
    g_dir_close (folder);
}

void
seam_children_end (void)
{
  gint64 end_us = g_get_monotonic_time () + MAX_WAIT_US;

  for (;;) {
    pid_t ended = waitpid (-1, NULL, WNOHANG);

    if (ended > 0 || (ended < 0 && errno == EINTR))
      continue;
    if (ended < 0 || g_get_monotonic_time () > end_us)
      return;
    /* The children of a killed process have become this process's. */
    kill_children ();
    g_usleep (LOOK_US);
  }
}
