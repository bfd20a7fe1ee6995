/* SPDX-License-Identifier: MIT
 *
 * Which file gets what, and the two figures of a run.
 */
#include "app/cli/run-outputs.h"

#include "app/base/npy.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/compare/csv.h"
#include "app/figure/page.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_WIDTH    1200 /* px at scale 1; a figure in a paper or on a slide */
#define OVERVIEW_SIDE 512
#define SLICE_SIDE    64 /* elements a side around the worst one: each is several pixels then */

typedef enum {
  OUTPUT_CSV,
  OUTPUT_CSV_KERNELS,
  OUTPUT_CSV_SAMPLES,
  OUTPUT_JSON,
  OUTPUT_TENSORS,
  OUTPUT_PLAN,
  OUTPUT_FIGURE_TIMING,
  OUTPUT_FIGURE_DIFFERENCE,
} OutputKind;

typedef struct {
  OutputKind kind;
  char *path;
  SeamPlan *plan; /* OUTPUT_PLAN */
} Output;

struct SeamRunOutputs {
  GArray *list; /* of Output */
};

static void
clear_output (Output *output)
{
  g_free (output->path);
  seam_plan_unref (output->plan);
}

void
seam_run_outputs_free (SeamRunOutputs *outputs)
{
  if (outputs == NULL)
    return;
  g_array_unref (outputs->list);
  g_free (outputs);
}

static gboolean
is_stdout (const char *path)
{
  return strcmp (path, "-") == 0;
}

/* What can be known before a long run: the folder exists and can be written to. */
static gboolean
check_path (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat st;

  if (g_stat (path, &st) == 0 && S_ISDIR (st.st_mode)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s is a folder; give the name of a file.",
                 path);
    return FALSE;
  }
  /* An existing device or pipe is written in place. */
  if (g_stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    return TRUE;
  if (g_stat (folder, &st) != 0 || !S_ISDIR (st.st_mode)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s cannot be written: there is no folder %s.",
                 path, folder);
    return FALSE;
  }
  if (g_access (folder, W_OK) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "%s cannot be written: the folder %s is not writable (%s).", path, folder,
                 g_strerror (errno));
    return FALSE;
  }
  return TRUE;
}

static gboolean
add_file (SeamRunOutputs *outputs, OutputKind kind, const char *option, const char *path,
          gboolean may_be_stdout, GError **error)
{
  Output output = { kind, NULL, NULL };

  if (*path == '\0' || (is_stdout (path) && !may_be_stdout)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "--%s needs the name of a file.", option);
    return FALSE;
  }
  if (is_stdout (path) && seam_run_outputs_use_stdout (outputs)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "Only one output can go to standard output (“-”); give --%s a file.", option);
    return FALSE;
  }
  if (!is_stdout (path) && !check_path (path, error))
    return FALSE;
  output.path = g_strdup (path);
  g_array_append_val (outputs->list, output);
  return TRUE;
}

static gboolean
add_figure (SeamRunOutputs *outputs, const char *value, const SeamRunRequest *request,
            GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  const char *path = strchr (value, '=');
  gboolean is_timing = g_str_has_prefix (value, "timing=");
  gboolean known = FALSE, with_fp64;

  if (path == NULL || (!is_timing && !g_str_has_prefix (value, "difference="))) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--figure takes timing=FILE or difference=FILE, not “%s”.", value);
    return FALSE;
  }
  path++;
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *lower = g_ascii_strdown (path, -1);
    known = known || g_str_has_suffix (lower, endings[i]);
  }
  if (!known) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--figure: “%s” has to end in .png, .svg or .pdf, which decides the format.",
                 path);
    return FALSE;
  }
  with_fp64 = request->against && g_ascii_strcasecmp (request->against, "fp64") == 0;
  if (g_strv_length (request->plans) < 2
      && (request->against == NULL || (is_timing && with_fp64))) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--figure compares two plans; add another --plan.");
    return FALSE;
  }
  return add_file (outputs, is_timing ? OUTPUT_FIGURE_TIMING : OUTPUT_FIGURE_DIFFERENCE, "figure",
                   path, FALSE, error);
}

static gboolean
add_plan_output (SeamRunOutputs *outputs, const char *value, const SeamRunRequest *request,
                 GError **error)
{
  const char *equals = strchr (value, '=');
  g_autofree char *text = NULL;
  g_autofree char *list = NULL;
  g_autoptr (SeamPlan) plan = NULL;

  if (equals == NULL || equals[1] == '\0') {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--save-output takes PLAN=FILE.npy, not “%s”.", value);
    return FALSE;
  }
  text = g_strndup (value, equals - value);
  plan = seam_plan_parse (request->pipeline, text, error);
  if (plan == NULL) {
    g_prefix_error (error, "--save-output: ");
    return FALSE;
  }
  for (int i = 0; request->plans[i]; i++) {
    g_autoptr (SeamPlan) other = seam_plan_parse (request->pipeline, request->plans[i], NULL);
    if (other && seam_plan_equal (plan, other)) {
      if (!add_file (outputs, OUTPUT_PLAN, "save-output", equals + 1, FALSE, error))
        return FALSE;
      g_array_index (outputs->list, Output, outputs->list->len - 1).plan = g_steal_pointer (&plan);
      return TRUE;
    }
  }
  list = seam_text_list ((const char *const *)request->plans);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "--save-output: the plan “%s” is not run here (%s are); add --plan '%s'.", text,
               list, text);
  return FALSE;
}

static gboolean
add_tensors (SeamRunOutputs *outputs, const char *folder, GError **error)
{
  Output output = { OUTPUT_TENSORS, NULL, NULL };

  if (g_mkdir_with_parents (folder, 0777) != 0 || g_access (folder, W_OK) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "The folder %s cannot be made or written to (%s); choose another.", folder,
                 g_strerror (errno));
    return FALSE;
  }
  output.path = g_strdup (folder);
  g_array_append_val (outputs->list, output);
  return TRUE;
}

SeamRunOutputs *
seam_run_outputs_new (const SeamArguments *arguments, const SeamRunRequest *request, GError **error)
{
  static const struct {
    OutputKind kind;
    const char *option;
  } files[] = {
    { OUTPUT_CSV, "csv" },
    { OUTPUT_CSV_KERNELS, "csv-kernels" },
    { OUTPUT_CSV_SAMPLES, "csv-samples" },
    { OUTPUT_JSON, "json" },
  };
  g_autoptr (SeamRunOutputs) outputs = g_new0 (SeamRunOutputs, 1);
  g_autofree const char **plans = seam_arguments_get_all (arguments, "save-output");
  g_autofree const char **figures = seam_arguments_get_all (arguments, "figure");
  const char *tensors = seam_arguments_get (arguments, "save-tensors");

  outputs->list = g_array_new (FALSE, FALSE, sizeof (Output));
  g_array_set_clear_func (outputs->list, (GDestroyNotify)clear_output);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    const char *path = seam_arguments_get (arguments, files[i].option);
    if (path && !add_file (outputs, files[i].kind, files[i].option, path, TRUE, error))
      return NULL;
  }
  for (int i = 0; plans[i]; i++)
    if (!add_plan_output (outputs, plans[i], request, error))
      return NULL;
  for (int i = 0; figures[i]; i++)
    if (!add_figure (outputs, figures[i], request, error))
      return NULL;
  if (tensors && !add_tensors (outputs, tensors, error))
    return NULL;
  return g_steal_pointer (&outputs);
}

gboolean
seam_run_outputs_use_stdout (const SeamRunOutputs *outputs)
{
  for (guint i = 0; i < outputs->list->len; i++)
    if (is_stdout (g_array_index (outputs->list, Output, i).path))
      return TRUE;
  return FALSE;
}

static gboolean
write_text (const char *path, char *text, GError **error)
{
  g_autofree char *owned = text;

  if (!is_stdout (path))
    return seam_file_write (path, owned, strlen (owned), error);
  /* A full disk behind it is noticed at the end of the program. */
  fputs (owned, stdout);
  return TRUE;
}

/* Index of a plan among the results, which stand in the order of the request. */
static int
find_plan (const SeamResult *result, const SeamRunOutputs *outputs, const Output *output)
{
  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    g_autoptr (SeamPlan) parsed = NULL;
    /* "full" may have been resolved to another cut of the same name. */
    if (output->plan->name && g_strcmp0 (plan->name, output->plan->name) == 0)
      return i;
    parsed = seam_plan_parse (output->plan->pipeline, plan->notation, NULL);
    if (parsed && seam_plan_equal (parsed, output->plan))
      return i;
  }
  return -1;
}

/* The two plans of a figure: the trusted one, and the first other that has something to show. */
static gboolean
choose_pair (const SeamResult *result, int *trusted, int *judged, GError **error)
{
  *trusted = result->reference;
  for (int i = 0; i < result->n_plans; i++)
    if (i != *trusted && result->plans[i].state != SEAM_PLAN_NOT_MEASURED
        && result->plans[i].state != SEAM_PLAN_FAULTED) {
      *judged = i;
      return TRUE;
    }
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                       "There is no figure, because no second plan was measured.");
  return FALSE;
}

static SeamFigure *
make_timing_page (SeamResult *result, GError **error)
{
  int first = MAX (result->reference, 0), second = -1;

  for (int i = 0; i < result->n_plans && second < 0; i++)
    if (i != first)
      second = i;
  if (second < 0) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "The timing figure compares two plans, and only one was run.");
    return NULL;
  }
  return seam_timing_page_new (result, first, second, PAGE_WIDTH, error);
}

/* A square around the worst element, inside its plane or matrix. */
static void
choose_slice (const SeamProblem *problem, const SeamDifference *difference, SeamSlice *wanted)
{
  const SeamDims *dims = &problem->dims;
  gint64 rows, columns, plane, height, width, row, column;
  gint64 index = MAX (difference->worst_index, 0);

  seam_problem_get_output_view (problem, &rows, &columns, &plane);
  height = plane > 1 ? dims->p : rows;
  width = plane > 1 ? dims->q : columns;
  if (plane > 1) {
    wanted->sample = index / plane / columns;
    wanted->channel = index / plane % columns;
    index %= plane;
  }
  row = index / width;
  column = index % width;
  wanted->n_rows = MIN (height, SLICE_SIDE);
  wanted->n_columns = MIN (width, SLICE_SIDE);
  wanted->first_row = CLAMP (row - wanted->n_rows / 2, 0, height - wanted->n_rows);
  wanted->first_column = CLAMP (column - wanted->n_columns / 2, 0, width - wanted->n_columns);
}

static SeamFigure *
make_difference_page (SeamRunner *runner, SeamResult *result, GError **error)
{
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_parse (result->pipeline_text, result->pipeline_id, error);
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (SeamDifference) difference = NULL;
  g_autoptr (SeamSlice) slice = NULL;
  SeamSlice wanted = { 0 };
  int trusted, judged;

  if (pipeline == NULL)
    return NULL;
  problem = seam_problem_new (pipeline, result->values, error);
  if (problem == NULL || !choose_pair (result, &trusted, &judged, error))
    return NULL;
  difference = seam_runner_difference (runner, judged, trusted, result->atol, result->rtol,
                                       OVERVIEW_SIDE, NULL, error);
  if (difference == NULL)
    return NULL;
  choose_slice (problem, difference, &wanted);
  slice = seam_runner_slice (runner, judged, trusted, &wanted, error);
  if (slice == NULL)
    return NULL;
  return seam_difference_page_new (result, judged, trusted, difference, slice, FALSE, PAGE_WIDTH,
                                   error);
}

/* Takes `figure`, which may be NULL with the error set. */
static gboolean
export_figure (SeamFigure *figure, const char *path, GError **error)
{
  g_autoptr (SeamFigure) owned = figure;

  return owned && seam_figure_export (owned, seam_palette_get (FALSE, FALSE), path, error);
}

static gboolean
write_output (SeamRunOutputs *outputs, const Output *output, SeamRunner *runner, SeamResult *result,
              GError **error)
{
  switch (output->kind) {
  case OUTPUT_CSV:
    return write_text (output->path, seam_result_to_csv (result), error);
  case OUTPUT_CSV_KERNELS:
    return write_text (output->path, seam_result_kernels_to_csv (result), error);
  case OUTPUT_CSV_SAMPLES:
    return write_text (output->path, seam_result_samples_to_csv (result), error);
  case OUTPUT_JSON:
    return write_text (output->path, seam_result_to_json (result), error);
  case OUTPUT_TENSORS:
    return seam_runner_save_tensors (runner, output->path, error);
  case OUTPUT_PLAN:
    return seam_runner_save_output (runner, find_plan (result, outputs, output), output->path,
                                    error);
  case OUTPUT_FIGURE_TIMING:
    return export_figure (make_timing_page (result, error), output->path, error);
  case OUTPUT_FIGURE_DIFFERENCE:
    return export_figure (make_difference_page (runner, result, error), output->path, error);
  }
  return FALSE;
}

gboolean
seam_run_outputs_write (SeamRunOutputs *outputs, SeamRunner *runner, SeamResult *result,
                        GString *log)
{
  gboolean all_written = TRUE;

  for (guint i = 0; i < outputs->list->len; i++) {
    const Output *output = &g_array_index (outputs->list, Output, i);
    g_autoptr (GError) error = NULL;
    if (write_output (outputs, output, runner, result, &error)) {
      if (!is_stdout (output->path))
        g_string_append_printf (log, "Wrote %s\n", output->path);
    } else {
      seam_cli_complain (error->message);
      all_written = FALSE;
    }
  }
  return all_written;
}
