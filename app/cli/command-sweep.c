/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli sweep: several plans over one or two shape fields, and where each of them wins.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/request-options.h"
#include "app/cli/survey-options.h"
#include "app/report/table.h"
#include "app/explore/survey-store.h"

#include <math.h>
#include <string.h>

static const SeamOption options[] = {
  { "vary", "FIELD=VALUES",
    "what changes: first:last:log2, first:last:step, or a list a,b,c; fields that\n"
    "change together as height+width=…; given twice, a map over both",
    TRUE },
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN", "a plan (default: unfused and published); the first is the one compared with",
    TRUE },
  { "plans", "PLAN,PLAN,…", "the same in one word", FALSE },
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL & ~SEAM_CONCERN_REFERENCE),
  { "budget", "SECONDS", "time for all points together (default: 60)", FALSE },
  { "csv", "FILE", "write a row for every point, as they come (“-”: standard output, at the end)",
    FALSE },
  { "resume", "FILE", "go on from such a file, and write to it; begun where there is none", FALSE },
  { "figure", "FILE", "write lines or a map as PNG, SVG or PDF by its ending", FALSE },
  { "save", "FILE.seamscope", "keep all points in a session; “export” and the window open it",
    FALSE },
  { "append", "FILE.seamscope", "add them to a session, which is made if there is none", FALSE },
  { "note", "TEXT", "your own words, kept with them in the session", FALSE },
  { NULL },
};

static gboolean
add_plans (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  const char *list = seam_arguments_get (arguments, "plans");

  if (list == NULL)
    return TRUE;
  if (seam_arguments_has (arguments, "plan")) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "Give the plans with --plan or with --plans, not with both.");
    return FALSE;
  }
  g_strfreev (request->plans);
  request->plans = g_strsplit (list, ",", -1);
  for (int i = 0; request->plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], error);
    if (plan == NULL)
      return FALSE;
  }
  return TRUE;
}

static SeamSweep *
make_sweep (const SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  g_autofree const char **vary = seam_arguments_get_all (arguments, "vary");
  SeamSweepAxis axes[2] = { { 0 } };
  int n = 0;

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

static void
append_shapes (GString *text, const SeamSweep *sweep)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);
  g_autofree char *formatted = NULL;
  double largest_ns = 0;
  SeamUnit time;

  for (int i = 0; i < sweep->survey->n_points; i++)
    if (sweep->survey->points[i].median_ns > largest_ns)
      largest_ns = sweep->survey->points[i].median_ns;
  time = seam_unit_for_time (largest_ns);
  for (int i = 0; i < sweep->n_axes; i++)
    seam_table_add_column (table, sweep->axes[i].label, TRUE);
  for (int i = 0; i < sweep->n_plans; i++) {
    g_autofree char *title = g_strdup_printf ("%s\n(%s)", sweep->plans[i], time.name);
    seam_table_add_column (table, title, TRUE);
  }
  seam_table_add_column (table, "Fastest", FALSE);
  seam_table_add_column (table, "Ahead of\nthe next", TRUE);
  seam_table_add_column (table, "Notes", FALSE);
  for (int y = 0; y < seam_sweep_get_n_y (sweep); y++)
    for (int x = 0; x < seam_sweep_get_n_x (sweep); x++) {
      int first = seam_sweep_get_point (sweep, x, y, 0);
      const SeamPoint *points = &sweep->survey->points[first];
      g_autoptr (GString) notes = g_string_new (NULL);
      SeamSweepShape shape;

      seam_sweep_get_shape (sweep, x, y, &shape);
      seam_table_take (table, seam_text_count (sweep->axes[0].values[x]));
      if (sweep->n_axes == 2)
        seam_table_take (table, seam_text_count (sweep->axes[1].values[y]));
      for (int plan = 0; plan < sweep->n_plans; plan++)
        if (points[plan].state == SEAM_POINT_MEASURED)
          seam_table_take (table, seam_text_fixed (points[plan].median_ns / time.scale, 3));
        else
          seam_table_add (table, seam_point_state_get_name (points[plan].state));
      if (shape.winner >= 0)
        seam_table_take (
            table, g_strconcat (sweep->plans[shape.winner], shape.is_clear ? NULL : " ?", NULL));
      else
        seam_table_add (table, SEAM_DASH);
      seam_table_take (table, seam_text_ratio (shape.margin));
      if (shape.fits_cache)
        g_string_append (notes, "tensor fits cache");
      if (shape.launch_bound)
        g_string_append_printf (notes, "%slaunch-bound", notes->len > 0 ? ", " : "");
      for (int plan = 0; plan < sweep->n_plans; plan++)
        if (seam_point_is_wrong (&points[plan]))
          g_string_append_printf (notes, "%s%s is wrong", notes->len > 0 ? ", " : "",
                                  sweep->plans[plan]);
      seam_table_add (table, notes->str);
    }
  formatted = seam_table_format (table);
  g_string_append (text, formatted);
}

char *
seam_sweep_make_report (const SeamSweep *sweep)
{
  g_autofree char *provenance = seam_survey_get_provenance (sweep->survey);
  g_autofree char *words = seam_sweep_describe (sweep);
  GString *text = g_string_new (NULL);
  const char *last = NULL;

  g_string_append_printf (text, "%s\n\n", provenance);
  append_shapes (text, sweep);
  if (*words != '\0')
    g_string_append_printf (text, "\n%s\n", words);
  /* A reason that several points share is said once. */
  for (int i = 0; i < sweep->survey->n_points; i++) {
    const SeamPoint *point = &sweep->survey->points[i];
    if ((point->state == SEAM_POINT_FAILED || point->state == SEAM_POINT_IMPOSSIBLE)
        && g_strcmp0 (point->message, last) != 0) {
      g_string_append_printf (text, "%s, %s: %s: %s\n", point->shape, point->plan,
                              seam_point_state_get_name (point->state), point->message);
      last = point->message;
    }
  }
  return g_string_free (text, FALSE);
}

static char *
make_report (gconstpointer data)
{
  return seam_sweep_make_report (data);
}

static GVariant *
store (gconstpointer data)
{
  return seam_sweep_store (data);
}

static SeamExit
measure (SeamArguments *arguments, SeamSurveyFiles *files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamSweep) sweep = NULL;
  SeamSurveyCommand command = {
    .what = "points",
    .make_report = make_report,
    .store = store,
    .of = SEAM_OF_SWEEP,
  };

  if (request == NULL || !add_plans (request, arguments, &error)
      || !seam_survey_files_read (arguments, files, &error))
    return seam_cli_fail (error);
  if (!seam_arguments_has (arguments, "budget"))
    request->settings.budget_s = SEAM_SURVEY_DEFAULT_BUDGET_S;
  sweep = make_sweep (request, arguments, &error);
  if (sweep == NULL)
    return seam_cli_fail (error);
  command.survey = sweep->survey;
  command.data = sweep;
  command.source.sweep = sweep;
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

const SeamCommand seam_command_sweep = {
  .name = "sweep",
  .summary = "Measure plans over one or two shape fields; say where each of them wins",
  .synopsis = "sweep PIPELINE --vary FIELD=VALUES [OPTION…]",
  .options = options,
  .text =
      "PIPELINE and plans are named as for “run”. All plans of a shape are measured in "
      "alternation.\n"
      "Ctrl-C or the end of the budget keep what was measured; --resume goes on.\n"
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
  .run = run,
};
