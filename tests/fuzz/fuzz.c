/* SPDX-License-Identifier: MIT
 *
 * Scratch files, checks and commands for the fuzz targets.
 */
#include "tests/fuzz/fuzz.h"

#include "app/cli/request-options.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Memory that Pango and fontconfig keep for the life of the thread cannot be freed here. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\nleak:libpango\nleak:libopenblas\nleak:libgomp\nleak:libomp\n";
}

static char *scratch;
static pid_t owner;

static void
remove_scratch (void)
{
  /* A child that a command forked leaves the folder to its parent. */
  if (getpid () == owner)
    fuzz_remove (scratch);
  g_free (scratch);
}

/* Commands write their messages to C's stderr, which is captured, so GLib's go to the
 * descriptor. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  g_autofree char *line = g_log_writer_format_fields (level, fields, n_fields, FALSE);

  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) == 0)
    return G_LOG_WRITER_HANDLED;
  if (write (STDERR_FILENO, line, strlen (line)) < 0 || write (STDERR_FILENO, "\n", 1) < 0)
    abort ();
  abort ();
}

void
fuzz_init (void)
{
  g_autofree char *template = NULL;

  g_log_set_writer_func (write_log, NULL, NULL);
  template = g_build_filename (g_access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir (),
                               "seam-fuzz-XXXXXX", NULL);
  scratch = g_mkdtemp (g_steal_pointer (&template));
  if (scratch == NULL)
    g_error ("No scratch folder can be made: %s", g_strerror (errno));
  owner = getpid ();
  atexit (remove_scratch);
  g_setenv ("XDG_DATA_HOME", scratch, TRUE);
  g_setenv ("XDG_CACHE_HOME", scratch, TRUE);
  g_setenv ("XDG_STATE_HOME", scratch, TRUE);
}

char *
fuzz_path (const char *name)
{
  return g_build_filename (scratch, name, NULL);
}

void
fuzz_remove (const char *path)
{
  GStatBuf status;

  if (g_lstat (path, &status) == 0 && S_ISDIR (status.st_mode)) {
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      fuzz_remove (inner);
    }
  }
  g_remove (path);
}

char *
fuzz_text (const uint8_t *data, size_t size)
{
  return size > 0 ? g_strndup ((const char *)data, size) : g_strdup ("");
}

void
fuzz_check (gboolean succeeded, const GError *error)
{
  if (succeeded == (error != NULL))
    g_error ("%s", succeeded ? "a result, and an error too" : "neither a result nor an error");
  if (error != NULL && (*error->message == '\0' || !g_utf8_validate (error->message, -1, NULL)))
    g_error ("the error says nothing that can be shown");
}

void
fuzz_check_sentence (gboolean succeeded, const GError *error)
{
  fuzz_check (succeeded, error);
  if (error != NULL && !g_str_has_suffix (error->message, "."))
    g_error ("no sentence: %s", error->message);
}

void
fuzz_take_text (char *text)
{
  if (text != NULL && !g_utf8_validate (text, -1, NULL))
    g_error ("no UTF-8: %s", text);
  g_free (text);
}

SeamExit
fuzz_run_command (const SeamCommand *command, const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autofree SeamOption *options = seam_cli_list_options (command->options);
  g_autoptr (SeamArguments) parsed = seam_arguments_parse (options, (char **)arguments, &error);
  FILE *real_stdout = stdout, *real_stderr = stderr;
  char *output = NULL, *messages = NULL;
  size_t output_size, messages_size;
  SeamExit status;

  if (parsed == NULL)
    g_error ("%s", error->message);
  stdout = open_memstream (&output, &output_size);
  stderr = open_memstream (&messages, &messages_size);
  status = command->run (parsed);
  fclose (stdout);
  fclose (stderr);
  stdout = real_stdout;
  stderr = real_stderr;
  if (status < SEAM_EXIT_DONE || status > SEAM_EXIT_COULD_NOT_RUN)
    g_error ("%s ended with %d", command->name, status);
  if (status >= SEAM_EXIT_BAD_USE && messages_size == 0)
    g_error ("%s ended with %d and said nothing", command->name, status);
  if (!g_utf8_validate (output, (gssize)output_size, NULL)
      || !g_utf8_validate (messages, (gssize)messages_size, NULL))
    g_error ("%s printed what is no UTF-8", command->name);
  free (output);
  free (messages);
  return status;
}
