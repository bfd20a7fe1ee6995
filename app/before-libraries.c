/* SPDX-License-Identifier: MIT
 *
 * OpenBLAS starts a thread for every processor when it is loaded, before main(). Seamscope calls it
 * from threads of its own and needs none of them; where the system refuses them (“ulimit -u”) or
 * their memory (“ulimit -v”), the program would be ended or never go on. The variable that says so
 * has to be in the environment before the first library starts, so a program that is started
 * without it starts itself again with it. Part of every program that links the engine.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define SETTING     "OPENBLAS_NUM_THREADS=1"
#define NAME_LENGTH (sizeof "OPENBLAS_NUM_THREADS=" - 1)

/* No library is ready yet: system calls only. */
static void
start_without_blas_threads (int argc, char **argv, char **environment)
{
  char program[PATH_MAX + 1];
  ssize_t length;
  int n = 0;

  for (; environment[n] != NULL; n++)
    if (strcmp (environment[n], SETTING) == 0)
      return;
  length = readlink ("/proc/self/exe", program, PATH_MAX);
  if (length <= 0)
    return;
  program[length] = '\0';

  char *changed[n + 2];
  int n_kept = 0;
  for (int i = 0; i < n; i++)
    if (strncmp (environment[i], SETTING, NAME_LENGTH) != 0)
      changed[n_kept++] = environment[i];
  changed[n_kept++] = (char *)SETTING;
  changed[n_kept] = NULL;
  execve (program, argv, changed);
}

__attribute__ ((section (".preinit_array"),
                used)) static void (*const start) (int, char **,
                                                   char **) = start_without_blas_threads;
