/* SPDX-License-Identifier: MIT
 *
 * Runs every input of a corpus folder once, in any build. Prints TAP: one test for the folder; the
 * last input named before a crash is the one that caused it.
 *
 *   corpus-NAME FOLDER-OR-FILE...
 */
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
late_cb (int number)
{
  static const char text[] = "Bail out! The last input named above takes too long.\n";

  if (write (STDOUT_FILENO, text, sizeof text - 1) > 0)
    _exit (1);
  _exit (1);
}

static double
run_input (const char *path)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  gsize size;

  printf ("# %s\n", path);
  fflush (stdout);
  if (!g_file_get_contents (path, &data, &size, &error))
    g_error ("%s", error->message);
  /* A copy of exactly this size, so that a sanitizer sees reads behind it. */
  g_autofree uint8_t *copy = g_memdup2 (data, size);
  alarm (FUZZ_LIMIT_S);
  LLVMFuzzerTestOneInput (copy, size);
  alarm (0);
  return (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_inputs (const char *path)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  if (dir == NULL)
    g_ptr_array_add (list, g_strdup (path));
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (list, g_build_filename (path, name, NULL));
  g_ptr_array_sort (list, compare_names);
  return list;
}

int
main (int argc, char **argv)
{
  int status = 0;

  LLVMFuzzerInitialize (&argc, &argv);
  signal (SIGALRM, late_cb);
  printf ("1..%d\n", argc - 1);
  for (int i = 1; i < argc; i++) {
    g_autoptr (GPtrArray) inputs = list_inputs (argv[i]);
    double slowest = 0;

    for (guint j = 0; j < inputs->len; j++) {
      double duration_s = run_input (inputs->pdata[j]);
      slowest = MAX (slowest, duration_s);
    }
    /* An empty corpus proves nothing. */
    printf ("%s %d - %u inputs, the slowest took %.2f s\n", inputs->len > 0 ? "ok" : "not ok", i,
            inputs->len, slowest);
    status |= inputs->len == 0;
  }
  return status;
}
