/* SPDX-License-Identifier: MIT
 *
 * Tries limits instead of computing them if the system has several of a kind: threads are limited
 * by user, by control group, and by the address space that their stacks take.
 */
#include "app/base/process-limits.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* More threads than processors only wait for each other; some more are allowed, because people try
 * that. */
#define MIN_MOST_THREADS 64

/* Turns of a thread's waiting loop before it sleeps, some 50 µs: longer than threads of a balanced
 * group wait for each other and for the next group, and no more than a wake-up costs a few times
 * over. Measured on two cores (EPYC, conv-relu-bias, 2 x 8 x 98 x 98, unfused): 125 µs an execution
 * on the idle machine with this, 124 with libgomp's own 300,000 turns, 202 where threads sleep at
 * once. With two busy loops beside it (2 x 32 x 32) libgomp's own took 183 ms. */
#define SPIN_COUNT "1000"

static void *
wait_for_gate (void *gate)
{
  pthread_mutex_lock (gate);
  pthread_mutex_unlock (gate);
  return NULL;
}

/* How many threads beside this one can live at once, at most `wanted`. */
static int
try_threads (int wanted)
{
  g_autofree pthread_t *threads = g_new (pthread_t, MAX (wanted, 1));
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  int n = 0;

  pthread_mutex_lock (&gate);
  while (n < wanted && pthread_create (&threads[n], NULL, wait_for_gate, &gate) == 0)
    n++;
  pthread_mutex_unlock (&gate);
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  return n;
}

char *
seam_limits_choose_threads (void)
{
  int wanted = omp_get_max_threads ();
  int most = MAX (omp_get_num_procs (), MIN_MOST_THREADS);
  int n = MIN (wanted, most);

  n = 1 + try_threads (n - 1);
  if (n == wanted)
    return NULL;
  omp_set_num_threads (n);
  if (n == most)
    return g_strdup_printf ("%d threads were asked for (OMP_NUM_THREADS); %d are used, the most "
                            "that Seamscope starts on this computer.",
                            wanted, n);
  return g_strdup_printf ("The system gives this process only %d of %d threads (see “ulimit -u”, "
                          "“ulimit -v”), so %s.",
                          n, wanted, n == 1 ? "one is used" : "these are used");
}

void
seam_limits_keep_waiting_short (char **argv)
{
  if (g_getenv ("GOMP_SPINCOUNT") != NULL || g_getenv ("OMP_WAIT_POLICY") != NULL)
    return;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program == NULL || !g_setenv ("GOMP_SPINCOUNT", SPIN_COUNT, TRUE))
    return;
  execv (program, argv);
}

guint64
seam_limits_get_address_space (void)
{
  struct rlimit limit;
  unsigned long long pages = 0;

  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return G_MAXUINT64;
  FILE *file = fopen ("/proc/self/statm", "r");
  if (file == NULL || fscanf (file, "%llu", &pages) != 1)
    pages = 0;
  if (file != NULL)
    fclose (file);
  guint64 used = pages * (guint64)sysconf (_SC_PAGESIZE);
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}
