/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli export: writes tables, figures and traces of a session, the same as `run` writes.
 * Needs no GPU and opens no device.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/code-files.h"
#include "app/cli/print.h"
#include "app/cli/result-files.h"
#include "app/cli/run-report.h"
#include "app/cli/search-report.h"
#include "app/explore/search-store.h"

static const SeamOption options[] = {
  { "text", NULL, "print the report, as run prints it (the default where no file is asked for)",
    FALSE },
  { "list", NULL, "print a line for each run, exploration and sweep, unpacking none", FALSE },
  { "run", "N", "the N-th run of a session with several, from 1", FALSE },
  { "survey", "N", "the N-th exploration or sweep of a session with several, from 1", FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_RESULTS | SEAM_OF_SEARCHES),
  { "code", "FOLDER", "write the code that ran, as “source --out” does; nothing compiles it",
    FALSE },
  SEAM_OPTIONS_FIGURES,
  { NULL },
};

#define MAX_LISTED 20 /* runs that a message names */

/* "1 (…), 2 (…)" */
static char *
list_runs (const SeamSession *session)
{
  GString *text = g_string_new (NULL);
  guint n = seam_session_get_n_runs (session);

  for (guint i = 0; i < MIN (n, MAX_LISTED); i++) {
    g_autofree char *line = seam_session_describe_run (session, i);
    g_string_append_printf (text, "%s%u (%s)", i > 0 ? ", " : "", i + 1, line);
  }
  if (n > MAX_LISTED)
    g_string_append (text, ", …; --list names all");
  return g_string_free (text, FALSE);
}

/* Lists what is known without reading the runs themselves. */
static void
print_list (const SeamSession *session, FILE *stream)
{
  GPtrArray *searches = seam_session_get_searches (session);

  for (guint i = 0; i < seam_session_get_n_runs (session); i++) {
    g_autofree char *line = seam_session_describe_run (session, i);
    seam_cli_print (stream, "Run %u: %s\n", i + 1, line);
  }
  for (guint i = 0; i < searches->len; i++) {
    g_autofree char *line = seam_session_search_describe (searches->pdata[i]);
    seam_cli_print (stream, "Search %u: %s\n", i + 1, line);
  }
}

/* The requested runs: `*n` runs of the session from `*first` on. */
static gboolean
choose_runs (const SeamArguments *arguments, const SeamSession *session,
             const SeamResultFiles *files, guint *first, guint *n, GError **error)
{
  const char *text = seam_arguments_get (arguments, "run");
  gint64 number;

  *first = 0;
  *n = seam_session_get_n_runs (session);
  if (text != NULL && *n == 0)
    return seam_fail (error, SEAM_ERROR_INPUT, "The session holds no run.");
  if (text != NULL) {
    if (!seam_text_parse_int64 (text, "--run", 1, *n, &number, error))
      return FALSE;
    *first = (guint)number - 1;
    *n = 1;
  }
  if (*n > 1 && seam_result_files_need (files, SEAM_OF_RESULTS & ~SEAM_OF_RUNS)) {
    g_autofree char *list = list_runs (session);
    return seam_fail (error, SEAM_ERROR_INPUT, "The session has %u runs; choose one by --run: %s.",
                      *n, list);
  }
  return TRUE;
}

/* Prints the runs one after the other. Reports a run that cannot be read, continues with the
 * others, and returns FALSE then. */
static gboolean
print_reports (const SeamSession *session, guint first, guint n, FILE *stream)
{
  gboolean all_read = TRUE;

  for (guint i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSessionRun) run = seam_session_get_run (session, first + i, &error);
    g_autofree char *report = run != NULL ? seam_run_report_format (run->result) : NULL;
    if (run == NULL) {
      seam_cli_complain (error->message);
      all_read = FALSE;
      continue;
    }
    if (n > 1)
      seam_cli_print (stream, "%sRun %u of %u\n", i > 0 ? "\n" : "", i + 1, n);
    seam_cli_print (stream, "%s", report);
    if (run->note != NULL)
      seam_cli_print (stream, "Note: %s\n", run->note);
  }
  return all_read;
}

/* The runs from which files are made; NULL with the error. */
static GPtrArray *
read_runs (const SeamSession *session, guint first, guint n, GError **error)
{
  g_autoptr (GPtrArray) runs =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_session_run_unref);

  for (guint i = 0; i < n; i++) {
    SeamSessionRun *run = seam_session_get_run (session, first + i, error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add (runs, run);
  }
  return g_steal_pointer (&runs);
}

/* Writes the code of the chosen run. */
static gboolean
write_code (const SeamSession *session, guint first, guint n, const char *folder, FILE *stream,
            GError **error)
{
  g_autoptr (SeamSessionRun) run = n == 1 ? seam_session_get_run (session, first, error) : NULL;

  if (n == 1 && run == NULL)
    return FALSE;
  if (n != 1 || run->code == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s",
                      n > 1 ? "The session has several runs; choose one by --run."
                            : "The session does not hold the code that ran: it was written "
                              "before that was kept, or the target shows none.");
  g_autoptr (SeamCode) code = seam_code_from_variant (run->code, error);
  return code != NULL && seam_code_write (code, -1, folder, stream, error);
}

static gboolean
choose_search (const SeamArguments *arguments, const SeamSession *session, SeamResultFiles *files,
               GError **error)
{
  const char *text = seam_arguments_get (arguments, "survey");
  GPtrArray *searches = seam_session_get_searches (session);
  gint64 number = 0;

  if (text != NULL && searches->len == 0)
    return seam_fail (error, SEAM_ERROR_INPUT, "The session holds no result of explore or sweep.");
  if (text != NULL && !seam_text_parse_int64 (text, "--survey", 1, searches->len, &number, error))
    return FALSE;
  seam_result_files_set_searches (files, searches, (int)number - 1);
  return TRUE;
}

static gboolean
print_searches (const SeamSession *session, FILE *stream, GError **error)
{
  GPtrArray *searches = seam_session_get_searches (session);

  for (guint i = 0; i < searches->len; i++) {
    SeamSessionSearch *search = g_ptr_array_index (searches, i);
    const char *note = seam_session_search_get_note (search);
    GVariant *content = seam_session_search_get_content (search, error);
    g_autoptr (SeamSearch) restored = content != NULL ? seam_search_restore (content, error) : NULL;
    g_autofree char *report = restored != NULL ? seam_search_report_format (restored) : NULL;

    if (report == NULL)
      return FALSE;
    seam_cli_print (stream, "%s%s", i > 0 || seam_session_get_n_runs (session) > 0 ? "\n" : "",
                    report);
    if (note != NULL)
      seam_cli_print (stream, "Note: %s\n", note);
  }
  return TRUE;
}

static gboolean
asks_for_nothing (const SeamArguments *arguments, const SeamResultFiles *files)
{
  return seam_product_files_get_n (seam_result_files_get_products (files)) == 0
         && !seam_arguments_has (arguments, "code") && !seam_arguments_has (arguments, "list");
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) log = g_string_new (NULL);
  gboolean all_read = TRUE, all_written;
  guint first, n;

  if (!seam_arguments_expect_words (arguments, 1, "one SESSION, a file of “run --save”", &error))
    return seam_cli_fail (error);
  g_autoptr (SeamResultFiles) files =
      seam_result_files_new (arguments, TRUE, TRUE, SEAM_OF_RESULTS | SEAM_OF_SEARCHES, &error);
  if (files == NULL)
    return seam_cli_fail (error);
  g_autoptr (SeamSession) session =
      seam_session_load (g_ptr_array_index (arguments->words, 0), &error);
  if (session == NULL || !choose_runs (arguments, session, files, &first, &n, &error)
      || !choose_search (arguments, session, files, &error))
    return seam_cli_fail (error);
  FILE *stream =
      seam_product_files_use_stdout (seam_result_files_get_products (files)) ? stderr : stdout;
  if (seam_session_is_partial (session))
    seam_cli_complain ("A newer Seamscope wrote this session; what this program does not know of "
                       "is left out.");
  if (seam_arguments_has (arguments, "code")
      && !write_code (session, first, n, seam_arguments_get (arguments, "code"), stream, &error))
    return seam_cli_fail (error);
  if (seam_arguments_has (arguments, "text") || asks_for_nothing (arguments, files))
    all_read = print_reports (session, first, n, stream);
  if ((seam_arguments_has (arguments, "text") || asks_for_nothing (arguments, files))
      && !seam_arguments_has (arguments, "run") && !print_searches (session, stream, &error))
    return seam_cli_fail (error);
  if (seam_arguments_has (arguments, "list"))
    print_list (session, stream);
  fflush (stream);
  g_autoptr (GPtrArray) runs =
      read_runs (session, first, seam_result_files_need (files, SEAM_OF_RESULTS) ? n : 0, &error);
  if (runs == NULL)
    return seam_cli_fail (error);
  all_written =
      seam_result_files_write (files, (SeamSessionRun *const *)runs->pdata, runs->len, log);
  seam_cli_print (stream, "%s", log->str);
  return all_read && all_written ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

const SeamCommand seam_command_export = {
  .name = "export",
  .summary = "Write tables, figures and traces of a session; needs no GPU",
  .synopsis = "export SESSION [OPTION…]",
  .options = options,
  .text =
      "SESSION is a file that “run --save” or the window wrote. The files are the same, byte by\n"
      "byte, as those that “run” writes. Nothing that a session holds is ever executed. A trace "
      "is\n"
      "of all runs where none is chosen.\n"
      "\n"
      "Exit status: 0 done, 2 bad use, 3 the session cannot be read or a file not be written.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli run '#57' --preset tiny --save a.seamscope\n"
      "  seamscope-cli export a.seamscope\n"
      "  seamscope-cli export a.seamscope --list\n"
      "  seamscope-cli export a.seamscope --csv - --figure timing=a.svg\n"
      "  seamscope-cli export a.seamscope --trace a.json    (open it at ui.perfetto.dev)\n",
  .run = run,
};
