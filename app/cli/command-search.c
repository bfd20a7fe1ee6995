/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli explore and sweep: measure every partition of a pipeline, or some plans over one or
 * two shape fields, within a budget. Both predict, resume, measure with a line of progress, print
 * their report (search-report.h) and write their files; they differ in their request.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/cli/request-options.h"
#include "app/cli/run-progress.h"
#include "app/cli/session-options.h"
#include "app/cli/search-report.h"
#include "app/explore/explore.h"
#include "app/explore/search-store.h"
#include "app/explore/sweep.h"
#include "app/session/past-runs.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define LINE_INTERVAL_US (G_USEC_PER_SEC / 10)

/* A function that makes the requested search from the arguments. */
typedef SeamSearch *(*MakeFunc) (SeamRunRequest *request, const SeamArguments *arguments,
                                 GError **error);

/* --- files --- */

typedef struct {
  SeamProductFiles *products; /* owned */
  const char *resume;         /* path or NULL */
  SeamSessionTarget session;  /* the session that keeps the search; owned */
} Files;

/* Checks folders and file endings. The caller clears `files` in any case. */
static gboolean
read_files (const SeamArguments *arguments, SeamProductOf of, Files *files, GError **error)
{
  files->resume = seam_arguments_get (arguments, "resume");
  files->products = seam_product_files_new (arguments, of, error);
  if (files->products == NULL)
    return FALSE;
  if (files->resume != NULL && !seam_cli_check_path (files->resume, error))
    return FALSE;
  return seam_session_target_read (arguments, &files->session, error);
}

/* The file to which points are written as soon as they are measured. */
static const char *
get_live_file (const Files *files)
{
  if (files->resume != NULL)
    return files->resume;
  for (guint i = 0; i < seam_product_files_get_n (files->products); i++)
    if (seam_product_files_get_product (files->products, i)->kind == SEAM_PRODUCT_TABLE
        && !seam_product_files_is_json (files->products, i))
      return seam_product_files_get_path (files->products, i);
  return NULL;
}

static gboolean
write_files (const SeamSearch *search, Files *files, GError **error)
{
  SeamProductSource source = { .search = search };

  if (files->session.path != NULL) {
    g_autoptr (SeamSession) session = seam_session_new ();

    seam_session_add_search (session, seam_search_store (search), files->session.note);
    if (!seam_session_target_write (&files->session, session, error))
      return FALSE;
  }
  return seam_product_files_write (files->products, &source, error);
}

/* --- progress --- */

typedef struct {
  const SeamSearch *search;
  gboolean is_terminal;
  gint64 last_us;
} Progress;

static const char *
get_points_word (const SeamSearch *search)
{
  return seam_search_words[search->kind].points;
}

static void
print_fresh (const Progress *self, const SeamSearchProgress *progress)
{
  if (self->is_terminal)
    seam_cli_clear_line (stderr);
  for (int i = 0; i < progress->n_fresh; i++) {
    const SeamPoint *point = &self->search->points[progress->fresh[i]];
    g_autofree char *time = seam_text_time (point->median_ns);
    gboolean is_sweep = self->search->sweep != NULL;

    seam_cli_print (stderr, "%d of %d  %s%s%s  %s\n", progress->n_points - progress->n_pending,
                    progress->n_points, is_sweep ? point->shape : "", is_sweep ? "  " : "",
                    is_sweep || point->notation == NULL ? point->plan : point->notation,
                    point->state == SEAM_POINT_MEASURED ? time
                                                        : seam_point_state_get_name (point->state));
  }
}

static void
progress_cb (const SeamSearchProgress *progress, gpointer data)
{
  Progress *self = data;
  gint64 now_us = g_get_monotonic_time ();
  g_autofree char *time = seam_search_progress_describe_time (progress);

  if (progress->n_fresh > 0)
    print_fresh (self, progress);
  if (!self->is_terminal || now_us - self->last_us < LINE_INTERVAL_US)
    return;
  self->last_us = now_us;
  seam_cli_clear_line (stderr);
  seam_cli_print (stderr, "%d of %d %s · %s", progress->n_points - progress->n_pending,
                  progress->n_points, get_points_word (self->search), time);
  if (progress->run != NULL)
    seam_cli_print (stderr, " · %s", seam_step_get_title (progress->run->step));
  if (progress->current >= 0)
    seam_cli_print (stderr, " · %s", self->search->points[progress->current].plan);
  fflush (stderr);
}

/* Prints the plan of the search before any time is spent. */
static void
print_plan (const SeamSearch *search)
{
  int n_pending = seam_search_count (search, SEAM_POINT_PENDING);
  int n_impossible = seam_search_count (search, SEAM_POINT_IMPOSSIBLE);
  int n_known = search->n_points - n_pending - n_impossible;
  double budget_s = search->request->settings.budget_s;

  seam_cli_print (stderr, "%d %s", search->n_points, get_points_word (search));
  if (n_known > 0)
    seam_cli_print (stderr, ", %d measured before", n_known);
  if (n_impossible > 0)
    seam_cli_print (stderr, ", %d cannot run here", n_impossible);
  if (n_pending > 0) {
    g_autofree char *needs = seam_search_describe_needs (search, budget_s);

    seam_cli_print (stderr, ". Budget %g s, %d to measure, %s", budget_s, n_pending, needs);
  }
  seam_cli_print (stderr, ".\n");
}

/* --- measuring --- */

static gboolean
execute (SeamSearch *search, SeamRunner *runner, const Files *files, SeamSearchEnd *end,
         GError **error)
{
  static SeamCancel cancel;
  Progress progress = { .search = search, .is_terminal = isatty (STDERR_FILENO) };
  SeamSearchOptions options = {
    .cancel = &cancel, .file = get_live_file (files), .progress = progress_cb, .data = &progress
  };

  seam_run_catch_signals (&cancel);
  if (!seam_search_predict (search, runner, error))
    return FALSE;
  /* A file that does not exist yet is created later. */
  if (files->resume != NULL && g_file_test (files->resume, G_FILE_TEST_EXISTS)
      && !seam_search_merge_file (search, files->resume, error))
    return FALSE;
  print_plan (search);
  g_autofree char *busy = seam_load_warn (seam_runner_get_foreign_load (runner));
  if (busy != NULL)
    seam_cli_print (stderr, "%s\n", busy);
  gboolean ok = seam_search_run (search, runner, &options, end, error);
  if (progress.is_terminal)
    seam_cli_clear_line (stderr);
  return ok;
}

static char *
describe_end (const SeamSearch *search, const Files *files, SeamSearchEnd end)
{
  const char *file = get_live_file (files);

  if (end == SEAM_SEARCH_DONE)
    return NULL;
  GString *text = g_string_new (NULL);
  g_string_append_printf (
      text, "%s: %d of %d %s are not measured.",
      end == SEAM_SEARCH_STOPPED ? "Stopped at your request" : "The budget is used up",
      seam_search_count (search, SEAM_POINT_PENDING), search->n_points, get_points_word (search));
  if (file != NULL)
    g_string_append_printf (text, " Go on with --resume %s.", file);
  return g_string_free (text, FALSE);
}

static SeamExit
judge (const SeamSearch *search, SeamSearchEnd end)
{
  gboolean is_wrong = FALSE;

  for (int i = 0; i < search->n_points; i++)
    is_wrong |= seam_point_is_wrong (&search->points[i]);
  return seam_cli_judge (seam_search_count (search, SEAM_POINT_FAILED) > 0
                             || seam_search_count (search, SEAM_POINT_MEASURED) == 0,
                         is_wrong, end != SEAM_SEARCH_DONE);
}

/* Prints the report, also for a search that lost its device, and writes the files. */
static SeamExit
measure (SeamSearch *search, Files *files)
{
  g_autoptr (GError) error = NULL, failure = NULL;
  g_autoptr (SeamPastRuns) past_runs = seam_past_runs_new (NULL);
  SeamRecall recall = seam_past_runs_get_recall (past_runs);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autofree char *report = NULL, *ending = NULL;
  SeamSearchEnd end = SEAM_SEARCH_DONE;

  seam_runner_set_recall (runner, &recall);
  gboolean ok = execute (search, runner, files, &end, &error);

  if (!ok && search->device == NULL)
    return seam_cli_fail (error);
  if (ok || seam_search_count (search, SEAM_POINT_MEASURED) > 0) {
    report = seam_search_report_format (search);
    seam_cli_print (seam_product_files_use_stdout (files->products) ? stderr : stdout, "%s",
                    report);
    fflush (stdout);
    if (ok && !write_files (search, files, &failure))
      return seam_cli_fail (failure);
  }
  if (!ok)
    return seam_cli_fail (error);
  ending = describe_end (search, files, end);
  if (ending != NULL)
    seam_cli_complain (ending);
  return judge (search, end);
}

static SeamExit
run (const SeamArguments *arguments, SeamProductOf of, MakeFunc make)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamSearch) search = NULL;
  Files files = { NULL };

  if (request != NULL && !seam_arguments_has (arguments, "budget"))
    request->settings.budget_s = SEAM_SEARCH_DEFAULT_BUDGET_S;
  if (request != NULL && read_files (arguments, of, &files, &error))
    search = make (request, arguments, &error);
  SeamExit status = search != NULL ? measure (search, &files) : seam_cli_fail (error);
  seam_product_files_free (files.products);
  seam_session_target_clear (&files.session);
  return status;
}

/* --- the requests of explore and sweep --- */

/* clang-format off */
/* The options of a search. `points`: what its points are called; `of`: the products that it can
 * write. */
#define SEARCH_OPTIONS(points, of) \
  SEAM_OPTION_TARGET, \
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL & ~SEAM_CONCERN_AGAINST), \
  { "budget", "SECONDS", "time for all " points " together (default: 60)", FALSE }, \
  SEAM_OPTIONS_PRODUCTS (of), \
  { "resume", "FILE", "go on from a table of --csv, and write to it; begun where there is none", \
    FALSE }, \
  { "save", "FILE.seamscope", "keep all points in a session; “export” and the window open it", \
    FALSE }, \
  { "append", "FILE.seamscope", "add them to a session, which is made if there is none", FALSE }, \
  { "note", "TEXT", "your own words, kept with them in the session", FALSE }, \
  { NULL }
/* clang-format on */

static const SeamOption explore_options[] = {
  SEAM_OPTIONS_SHAPE,
  SEARCH_OPTIONS ("partitions", SEAM_OF_EXPLORE),
};

static SeamSearch *
make_exploration (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  return seam_explore_new (request, error);
}

static SeamExit
run_explore (SeamArguments *arguments)
{
  return run (arguments, SEAM_OF_EXPLORE, make_exploration);
}

const SeamCommand seam_command_explore = {
  .name = "explore",
  .summary = "Measure every way to fuse a pipeline; say what each seam is worth",
  .synopsis = "explore PIPELINE [OPTION…]",
  .options = explore_options,
  .text =
      "PIPELINE is named as for “run”. All partitions are measured, a few at a time in "
      "alternation\n"
      "with the unfused plan, and their outputs compared with its output. Times are in proportion\n"
      "to the unfused plan's in the same batch, so that a drift of the machine cancels out.\n"
      "The file of --csv grows with every measurement. Ctrl-C or the end of the budget keep what\n"
      "was measured; --resume goes on.\n"
      "\n"
      "Alone: fused into the unfused plan. Mean, least, most: over all contexts, pairs of plans\n"
      "that differ in this seam alone.\n"
      "\n"
      "Exit status: 0 done, 1 an output was wrong, 2 bad use, 3 could not run, a partition "
      "failed,\n"
      "or stopped before every partition was measured.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli explore '#57' --csv partitions.csv --figure lattice.png\n"
      "  seamscope-cli explore '#21' --preset kernelbench --math tf32 --resume partitions.csv\n",
  .run = run_explore,
};

static const SeamOption sweep_options[] = {
  { "vary", "FIELD=VALUES",
    "what changes: first:last:log2, first:last:step, or a list a,b,c; fields that\n"
    "change together as height+width=…; given twice, a map over both",
    TRUE },
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN",
    "a plan (default: unfused, and published or else full);\n"
    "the first is the one compared with",
    TRUE },
  { "plans", "PLAN,PLAN,…", "the same in one word", FALSE },
  SEARCH_OPTIONS ("points", SEAM_OF_SWEEP),
};

static gboolean
add_plans (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  const char *list = seam_arguments_get (arguments, "plans");

  if (list == NULL)
    return TRUE;
  if (seam_arguments_has (arguments, "plan"))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "Give the plans with --plan or with --plans, not with both.");
  g_strfreev (request->plans);
  request->plans = g_strsplit (list, ",", -1);
  for (int i = 0; request->plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], error);
    if (plan == NULL)
      return FALSE;
  }
  return TRUE;
}

static SeamSearch *
make_sweep (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  g_autofree const char **vary = seam_arguments_get_all (arguments, "vary");
  SeamSweepAxis axes[2] = { { 0 } };
  int n = 0;

  if (!add_plans (request, arguments, error))
    return NULL;
  for (; vary[n] != NULL; n++) {
    if (n == 2) {
      g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                           "A sweep varies one or two things: give --vary once or twice.");
      break;
    }
    if (!seam_sweep_axis_parse (request->pipeline, vary[n], &axes[n], error)) {
      g_prefix_error (error, "--vary: ");
      break;
    }
  }
  if (vary[n] == NULL && n > 0)
    return seam_sweep_new (request, axes, n, error);
  if (n == 0 && vary[0] == NULL)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "Say what to vary, for example --vary batch=1:128:log2.");
  for (int i = 0; i < 2; i++)
    seam_sweep_axis_clear (&axes[i]);
  return NULL;
}

static SeamExit
run_sweep (SeamArguments *arguments)
{
  return run (arguments, SEAM_OF_SWEEP, make_sweep);
}

const SeamCommand seam_command_sweep = {
  .name = "sweep",
  .summary = "Measure plans over one or two shape fields; say where each of them wins",
  .synopsis = "sweep PIPELINE --vary FIELD=VALUES [OPTION…]",
  .options = sweep_options,
  .text =
      "PIPELINE and plans are named as for “run”. All plans of a shape are measured in "
      "alternation.\n"
      "The file of --csv grows with every measurement. Ctrl-C or the end of the budget keep what\n"
      "was measured; --resume goes on.\n"
      "\n"
      "Launch-bound: the kernels of the first plan run for less than half of its span. “?”: not\n"
      "clearly ahead of the next.\n"
      "\n"
      "Exit status: 0 done, 1 an output was wrong, 2 bad use, 3 could not run, a point failed, or\n"
      "stopped before every point was measured.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli sweep '#57' --vary batch=1:64:log2 --plans unfused,published,full\n"
      "  seamscope-cli sweep '#1' --vary in_channels=4:64:log2 --vary height+width=16:128:log2 \\\n"
      "      --figure map.png --resume map.csv\n",
  .run = run_sweep,
};
