/* SPDX-License-Identifier: MIT
 *
 * Reads /proc/stat and this process's own clock. Time that a hypervisor gave to other guests
 * ("steal") counts as use by others, too.
 */
#include "app/measure/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double
get_seconds (const struct timeval *time)
{
  return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* Processor time of this process and of the children that it has waited for (compilers). */
static double
get_own_s (void)
{
  struct timespec time;
  struct rusage children;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  double seconds = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
  if (getrusage (RUSAGE_CHILDREN, &children) == 0)
    seconds += get_seconds (&children.ru_utime) + get_seconds (&children.ru_stime);
  return seconds;
}

/* Processor time of the window if it started this process: showing the progress is no foreign load.
 * 0: no window started it. */
static double
get_window_s (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)getppid ());
  g_autofree char *text = NULL;
  unsigned long user, system;
  const char *name, *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  name = strchr (text, '(');
  end = strrchr (text, ')');
  if (name == NULL || end == NULL || !g_str_has_prefix (name, "(seamscope)"))
    return 0;
  /* The fields after the name: state, ppid, pgrp, session, tty, tpgid, flags, four counts of
   * faults. */
  if (sscanf (end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
    return 0;
  return (double)(user + system) / (double)sysconf (_SC_CLK_TCK);
}

void
seam_load_mark (SeamLoadMark *mark)
{
  FILE *file = fopen ("/proc/stat", "r");
  double user, nice, system, idle, wait, irq, softirq, steal = 0;
  double tick_s = 1.0 / (double)sysconf (_SC_CLK_TCK);

  *mark = (SeamLoadMark){ NAN, NAN, NAN };
  if (file == NULL)
    return;
  if (fscanf (file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait,
              &irq, &softirq, &steal)
      >= 7) {
    mark->busy_s = tick_s * (user + nice + system + irq + softirq + steal);
    mark->total_s = mark->busy_s + tick_s * (idle + wait);
    mark->own_s = get_own_s () + get_window_s ();
  }
  fclose (file);
}

double
seam_load_since (const SeamLoadMark *mark)
{
  SeamLoadMark now;

  seam_load_mark (&now);
  double total_s = now.total_s - mark->total_s;
  /* NaN makes this comparison FALSE. */
  if (!(total_s >= SEAM_LOAD_LEAST_S))
    return NAN;
  return CLAMP ((now.busy_s - mark->busy_s - (now.own_s - mark->own_s)) / total_s, 0, 1);
}
