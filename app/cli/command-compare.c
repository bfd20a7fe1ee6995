/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli compare: two sessions side by side. Needs no GPU and opens no device.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/compare-report.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/session/session.h"

static const SeamOption options[] = {
  { "run", "N", "only the N-th run of A, from 1, with the run of B that fits it best", FALSE },
  { "with", "N", "the N-th run of B goes with it", FALSE },
  { "all", NULL, "print every number, not only times, traffic and registers", FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_COMPARISON),
  { NULL },
};

typedef struct {
  SeamSession *sessions[2];
  GPtrArray *comparisons; /* of SeamComparison */
  GString *alone;         /* a line for each run without a partner */
} Comparing;

static void
clear (Comparing *self)
{
  for (int i = 0; i < 2; i++)
    seam_session_free (self->sessions[i]);
  g_ptr_array_unref (self->comparisons);
  g_string_free (self->alone, TRUE);
}

static const SeamResult **
list_headings (const SeamSession *session)
{
  guint n = seam_session_get_n_runs (session);
  const SeamResult **headings = g_new (const SeamResult *, n + 1);

  for (guint i = 0; i < n; i++)
    headings[i] = seam_session_get_heading (session, i);
  return headings;
}

/* A run number; -1 if it is not given. */
static gboolean
read_number (const SeamArguments *arguments, const char *option, const SeamSession *session,
             int *number, GError **error)
{
  g_autofree char *name = g_strconcat ("--", option, NULL);
  const char *text = seam_arguments_get (arguments, option);
  gint64 value = 0;

  if (text != NULL
      && !seam_text_parse_int64 (text, name, 1, seam_session_get_n_runs (session), &value, error))
    return FALSE;
  *number = (int)value - 1;
  return TRUE;
}

static void
add_alone (Comparing *self, int side, guint index)
{
  g_autofree char *line = seam_session_describe_run (self->sessions[side], index);

  g_string_append_printf (self->alone, "Only in %c: run %u (%s).\n", 'A' + side, index + 1, line);
}

static gboolean
add_pair (Comparing *self, int a, int b, GError **error)
{
  g_autoptr (SeamSessionRun) one = seam_session_get_run (self->sessions[0], (guint)a, error);
  g_autoptr (SeamSessionRun) two =
      one != NULL ? seam_session_get_run (self->sessions[1], (guint)b, error) : NULL;

  if (two == NULL)
    return FALSE;
  g_ptr_array_add (self->comparisons, seam_comparison_new (one->result, two->result));
  return TRUE;
}

/* Pairs the requested runs, or all that have a partner. */
static gboolean
pair_runs (Comparing *self, const SeamArguments *arguments, GError **error)
{
  guint n_a = seam_session_get_n_runs (self->sessions[0]);
  guint n_b = seam_session_get_n_runs (self->sessions[1]);
  g_autofree const SeamResult **a = list_headings (self->sessions[0]);
  g_autofree const SeamResult **b = list_headings (self->sessions[1]);
  g_autofree int *partners = g_new (int, n_a + 1);
  g_autofree gboolean *taken = g_new0 (gboolean, n_b + 1);
  int run, with;

  if (!read_number (arguments, "run", self->sessions[0], &run, error)
      || !read_number (arguments, "with", self->sessions[1], &with, error))
    return FALSE;
  if (with >= 0)
    return add_pair (self, MAX (run, 0), with, error);
  if (run >= 0) {
    seam_comparison_match_runs (a + run, 1, b, (int)n_b, partners);
    return add_pair (self, run, MAX (partners[0], 0), error);
  }
  seam_comparison_match_runs (a, (int)n_a, b, (int)n_b, partners);
  for (guint i = 0; i < n_a; i++) {
    if (partners[i] < 0) {
      add_alone (self, 0, i);
      continue;
    }
    taken[partners[i]] = TRUE;
    if (!add_pair (self, (int)i, partners[i], error))
      return FALSE;
  }
  for (guint k = 0; k < n_b; k++)
    if (!taken[k])
      add_alone (self, 1, k);
  /* Without a common pair, compares the first runs, which says what they differ in. */
  return self->comparisons->len > 0 || add_pair (self, 0, 0, error);
}

static void
print_reports (const Comparing *self, const SeamArguments *arguments, FILE *stream)
{
  for (guint i = 0; i < self->comparisons->len; i++) {
    g_autofree char *report = seam_compare_report_format (self->comparisons->pdata[i],
                                                          seam_arguments_has (arguments, "all"));
    seam_cli_print (stream, "%s%s", i > 0 ? "\n" : "", report);
  }
  seam_cli_print (stream, "%s", self->alone->str);
  fflush (stream);
}

/* Reports each pair that cannot be compared; succeeds if one can be. */
static SeamExit
judge (const Comparing *self)
{
  SeamExit status = SEAM_EXIT_DIFFERENT;

  for (guint i = 0; i < self->comparisons->len; i++) {
    const SeamComparison *comparison = self->comparisons->pdata[i];
    if (comparison->obstacle != NULL)
      seam_cli_complain (comparison->obstacle);
    else
      status = SEAM_EXIT_DONE;
  }
  return status;
}

static SeamExit
compare (Comparing *self, SeamArguments *arguments, GError **error)
{
  SeamProductSource source = { 0 };

  if (!seam_arguments_expect_words (arguments, 2, "two SESSIONs, files of “run --save”", error))
    return SEAM_EXIT_BAD_USE;
  g_autoptr (SeamProductFiles) files =
      seam_product_files_new (arguments, SEAM_OF_COMPARISON, error);
  if (files == NULL)
    return SEAM_EXIT_BAD_USE;
  for (guint i = 0; i < 2; i++) {
    self->sessions[i] = seam_session_load (g_ptr_array_index (arguments->words, i), error);
    if (self->sessions[i] == NULL)
      return SEAM_EXIT_COULD_NOT_RUN;
    if (seam_session_get_n_runs (self->sessions[i]) == 0) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                   "%s holds no run, only results of explore and sweep, which are not compared.",
                   (const char *)g_ptr_array_index (arguments->words, i));
      return SEAM_EXIT_COULD_NOT_RUN;
    }
  }
  if (!pair_runs (self, arguments, error))
    return SEAM_EXIT_BAD_USE;
  print_reports (self, arguments, seam_product_files_use_stdout (files) ? stderr : stdout);
  source.comparisons = (SeamComparison *const *)self->comparisons->pdata;
  source.n_comparisons = (int)self->comparisons->len;
  if (!seam_product_files_write (files, &source, error))
    return SEAM_EXIT_COULD_NOT_RUN;
  return judge (self);
}

static SeamExit
run (SeamArguments *arguments)
{
  Comparing self = {
    .comparisons = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_comparison_free),
    .alone = g_string_new (NULL),
  };
  g_autoptr (GError) error = NULL;
  SeamExit status = compare (&self, arguments, &error);

  if (error != NULL)
    status = seam_cli_fail (error);
  clear (&self);
  return status;
}

const SeamCommand seam_command_compare = {
  .name = "compare",
  .summary = "Put two sessions side by side: two GPUs, two days, two versions of a kernel",
  .synopsis = "compare A B [OPTION…]",
  .options = options,
  .text =
      "A and B are files that “run --save” or the window wrote. Runs of the same pipeline go\n"
      "together, and of those the ones that differ least. Plans are matched by name and notation,\n"
      "kernels by the ops that they execute: = alike, ~ changed, + only in B, − only in A. Runs "
      "of\n"
      "different shapes, math modes or cache states are not compared; other devices, drivers and\n"
      "versions are, and are named first.\n"
      "\n"
      "Exit status: 0 compared, whatever the verdicts; 1 not comparable, the reason is on "
      "standard\n"
      "error; 2 bad use; 3 a session cannot be read or a file not be written.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli compare before.seamscope after.seamscope\n"
      "  seamscope-cli compare both.seamscope both.seamscope --run 1 --with 2 --all\n"
      "  seamscope-cli compare h100.seamscope h200.seamscope --csv changes.csv\n",
  .run = run,
};
