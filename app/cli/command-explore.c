/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli explore: every partition of a pipeline measured within a budget, as a table, a CSV
 * and the lattice.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/request-options.h"
#include "app/cli/survey-options.h"
#include "app/report/partitions.h"
#include "app/explore/survey-store.h"
#include "app/figure/lattice.h"

#include <math.h>
#include <string.h>

/* The whole table is in the CSV; these fit on a screen. */
#define MAX_ROWS 12

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL & ~SEAM_CONCERN_REFERENCE),
  { "budget", "SECONDS", "time for all partitions together (default: 60)", FALSE },
  { "csv", "FILE",
    "write a row for every partition, as they come (“-”: standard output, at the end)", FALSE },
  { "resume", "FILE", "go on from such a file, and write to it; begun where there is none", FALSE },
  { "figure", "FILE", "write the lattice as PNG, SVG or PDF by its ending", FALSE },
  { "save", "FILE.seamscope", "keep all points in a session; “export” and the window open it",
    FALSE },
  { "append", "FILE.seamscope", "add them to a session, which is made if there is none", FALSE },
  { "note", "TEXT", "your own words, kept with them in the session", FALSE },
  { NULL },
};

static void
append_worth (GString *text, const SeamSurvey *survey, const SeamExploreView *view, SeamUnit time)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);
  g_autofree char *formatted = NULL;
  static const char *const titles[] = {
    "Alone", "Mean", "Least", "Most", "Best with,\nbest without", "Its traffic,\nmodelled"
  };

  g_string_append_printf (text, "\nWhat each seam is worth: %s saved by fusing it\n", time.name);
  seam_table_add_column (table, "Seam", FALSE);
  for (gsize k = 0; k < G_N_ELEMENTS (titles); k++)
    seam_table_add_column (table, titles[k], TRUE);
  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    const double values[] = { worth->alone, worth->mean,       worth->least,
                              worth->most,  worth->in_company, view->traffic_ns[i] };
    g_autofree char *name = seam_explore_name_seam (survey->request->pipeline, i);

    seam_table_take (table, g_strdup_printf ("%d  %s", i + 1, name));
    for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
      seam_table_take (table, seam_text_fixed (values[k] / time.scale, 3));
  }
  formatted = seam_table_format (table);
  g_string_append (text, formatted);
}

static void
append_pairs (GString *text, const SeamExploreView *view, SeamUnit time)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);
  g_autofree char *formatted = NULL;

  g_string_append_printf (text, "\nPairs of seams: %s saved beyond both alone, mean\n", time.name);
  seam_table_add_column (table, "Seam", FALSE);
  for (int i = 1; i < view->n_seams; i++) {
    g_autofree char *title = g_strdup_printf ("with %d", i + 1);
    seam_table_add_column (table, title, TRUE);
  }
  for (int i = 0; i < view->n_seams - 1; i++) {
    seam_table_take (table, g_strdup_printf ("%d", i + 1));
    for (int k = 1; k < view->n_seams; k++)
      seam_table_take (table, k <= i ? g_strdup ("")
                                     : seam_text_fixed (view->interaction[i][k] / time.scale, 3));
  }
  formatted = seam_table_format (table);
  g_string_append (text, formatted);
}

/* Fastest first, then what has no time. */
static void
sort_nodes (const SeamExploreView *view, int *sorted)
{
  for (int i = 0; i < view->n_nodes; i++) {
    int k = i;

    for (; k > 0
           && (view->times_ns[i] < view->times_ns[sorted[k - 1]]
               || (isnan (view->times_ns[sorted[k - 1]]) && !isnan (view->times_ns[i])));
         k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = i;
  }
}

char *
seam_explore_make_report (const SeamSurvey *survey)
{
  g_autoptr (SeamExploreView) view = seam_explore_view_new (survey);
  g_autofree int *sorted = g_new (int, view->n_nodes);
  g_autofree char *provenance = seam_survey_get_provenance (survey);
  g_autofree char *sentence = seam_lattice_describe_worth (survey, view);
  GString *text = g_string_new (NULL);
  SeamUnit time = seam_partitions_get_unit (view, survey);
  g_autoptr (SeamTable) table = NULL;
  g_autofree char *formatted = NULL;
  int n;

  sort_nodes (view, sorted);
  g_string_append_printf (text, "%s\n\n", provenance);
  n = MIN (view->n_nodes, MAX_ROWS);
  /* The unfused plan is what all are compared with: it stands last where it is not among the first.
   */
  for (int k = n; k < view->n_nodes; k++)
    if (sorted[k] == 0)
      sorted[n - 1] = 0;
  table = seam_partitions_table_make (survey, view, sorted, n);
  formatted = seam_table_format (table);
  g_string_append (text, formatted);
  if (n < view->n_nodes)
    g_string_append_printf (text, "… and %d more: --csv has all of them.\n", view->n_nodes - n);
  if (view->n_seams > 0)
    append_worth (text, survey, view, time);
  if (view->n_seams > 1)
    append_pairs (text, view, time);
  if (sentence != NULL)
    g_string_append_printf (text, "\n%s\n", sentence);
  for (int i = 0; i < survey->n_points; i++)
    if (survey->points[i].state == SEAM_POINT_FAILED
        || survey->points[i].state == SEAM_POINT_IMPOSSIBLE)
      g_string_append_printf (text, "%s: %s: %s\n", survey->points[i].plan,
                              seam_point_state_get_name (survey->points[i].state),
                              survey->points[i].message);
  return g_string_free (text, FALSE);
}

static char *
make_report (gconstpointer data)
{
  return seam_explore_make_report (data);
}

static GVariant *
store (gconstpointer data)
{
  return seam_explore_store (data);
}

static SeamExit
measure (SeamArguments *arguments, SeamSurveyFiles *files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamSurvey) survey = NULL;
  SeamSurveyCommand command = {
    .what = "partitions",
    .make_report = make_report,
    .store = store,
    .of = SEAM_OF_EXPLORE,
  };

  if (request == NULL || !seam_survey_files_read (arguments, files, &error))
    return seam_cli_fail (error);
  if (!seam_arguments_has (arguments, "budget"))
    request->settings.budget_s = SEAM_SURVEY_DEFAULT_BUDGET_S;
  survey = seam_explore_new (request);
  command.survey = survey;
  command.data = survey;
  command.source.survey = survey;
  return seam_survey_command_run (&command, files);
}

static SeamExit
run (SeamArguments *arguments)
{
  SeamSurveyFiles files = { NULL };
  SeamExit status = measure (arguments, &files);

  seam_survey_files_clear (&files);
  return status;
}

const SeamCommand seam_command_explore = {
  .name = "explore",
  .summary = "Measure every way to fuse a pipeline; say what each seam is worth",
  .synopsis = "explore PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE is named as for “run”. All partitions are measured, a few at a time in "
      "alternation\n"
      "with the unfused plan, and their outputs compared with its output. Times are in proportion\n"
      "to the unfused plan's in the same batch, so that a drift of the machine cancels out.\n"
      "Ctrl-C or the end of the budget keep what was measured; --resume goes on.\n"
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
  .run = run,
};
