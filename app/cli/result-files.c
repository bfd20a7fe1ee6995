/* SPDX-License-Identifier: MIT
 *
 * Tables, JSON, trace and figures of a run. A run that has just been made and one from a session
 * are written by the same code from the same data, so their files are equal.
 */
#include "app/cli/result-files.h"

#include "app/base/npy.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/compare/csv.h"
#include "app/explain/explain-csv.h"
#include "app/explain/roofline.h"
#include "app/explore/survey-store.h"
#include "app/export/trace.h"
#include "app/figure/lattice.h"
#include "app/figure/page.h"
#include "app/figure/sweep.h"
#include "app/report/kernels.h"
#include "app/report/plans.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LATTICE_WIDTH 1400
#define PAGE_WIDTH    1200 /* px at scale 1; a figure in a paper or on a slide */

typedef enum {
  FILE_CSV,
  FILE_CSV_KERNELS,
  FILE_CSV_SAMPLES,
  FILE_CSV_LEDGER,
  FILE_CSV_TRAFFIC,
  FILE_CSV_WATERFALL,
  FILE_CSV_ROOFLINE,
  FILE_CSV_WORST,
  FILE_CSV_HISTOGRAM,
  FILE_JSON,
  FILE_TRACE,
  FILE_FIGURE_TIMING,
  FILE_FIGURE_DIFFERENCE,
  FILE_FIGURE_NUMBERS,
  FILE_FIGURE_TRAFFIC,
  FILE_FIGURE_ROOFLINE,
  FILE_FIGURE_SAMPLES,
  FILE_FIGURE_TIMELINE,
  /* Of surveys: */
  FILE_CSV_SURVEY,
  FILE_FIGURE_LATTICE,
  FILE_FIGURE_SWEEP,
} FileKind;

typedef struct {
  FileKind kind;
  char *path;
} File;

struct SeamResultFiles {
  GArray *list; /* of File */
  gboolean has_surveys;
  GPtrArray *surveys; /* borrowed */
  int survey;         /* of them; -1: the only one */
  SeamMapLook look;   /* of the maps */
};

static void
clear_file (File *file)
{
  g_free (file->path);
}

void
seam_result_files_free (SeamResultFiles *files)
{
  if (files == NULL)
    return;
  g_clear_pointer (&files->list, g_array_unref);
  g_free (files);
}

static gboolean
is_stdout (const char *path)
{
  return strcmp (path, "-") == 0;
}

/* What can be known before a long run: the folder exists and can be written to. */
gboolean
seam_cli_check_path (const char *path, GError **error)
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

gboolean
seam_cli_check_figure (const char *path, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (strlen (path) > strlen (endings[i]) && g_str_has_suffix (lower, endings[i]))
      return seam_cli_check_path (path, error);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "--figure: “%s” has to end in .png, .svg or .pdf, which decides the format.", path);
  return FALSE;
}

static gboolean
add_file (SeamResultFiles *files, FileKind kind, const char *option, const char *path,
          gboolean may_be_stdout, GError **error)
{
  File file = { kind, NULL };

  if (*path == '\0' || (is_stdout (path) && !may_be_stdout)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "--%s needs the name of a file.", option);
    return FALSE;
  }
  if (is_stdout (path) && seam_result_files_use_stdout (files)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "Only one output can go to standard output (“-”); give --%s a file.", option);
    return FALSE;
  }
  if (!is_stdout (path) && !seam_cli_check_path (path, error))
    return FALSE;
  file.path = g_strdup (path);
  g_array_append_val (files->list, file);
  return TRUE;
}

/* The figures there are, by the word before "=FILE". */
static const struct {
  const char *name;
  FileKind kind;
} figure_kinds[] = {
  { "timing", FILE_FIGURE_TIMING },     { "difference", FILE_FIGURE_DIFFERENCE },
  { "traffic", FILE_FIGURE_TRAFFIC },   { "roofline", FILE_FIGURE_ROOFLINE },
  { "timeline", FILE_FIGURE_TIMELINE }, { "samples", FILE_FIGURE_SAMPLES },
  { "lattice", FILE_FIGURE_LATTICE },   { "sweep", FILE_FIGURE_SWEEP },
  { "numbers", FILE_FIGURE_NUMBERS },
};

static gboolean
is_of_survey (FileKind kind)
{
  return kind >= FILE_CSV_SURVEY;
}

static gboolean
add_figure (SeamResultFiles *files, const char *value, gboolean can_time, gboolean can_compare,
            GError **error)
{
  const char *path = strchr (value, '=');
  gsize length = path != NULL ? (gsize)(path - value) : 0, k = 0;

  while (k < G_N_ELEMENTS (figure_kinds)
         && (path == NULL || strlen (figure_kinds[k].name) != length
             || strncmp (value, figure_kinds[k].name, length) != 0))
    k++;
  if (k == G_N_ELEMENTS (figure_kinds)
      || (is_of_survey (figure_kinds[k].kind) && !files->has_surveys)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--figure takes timing=FILE, difference=FILE, numbers=FILE, traffic=FILE, "
                 "roofline=FILE, timeline=FILE%s samples=FILE%s, not “%s”.",
                 files->has_surveys ? "," : " or",
                 files->has_surveys ? ", lattice=FILE or sweep=FILE" : "", value);
    return FALSE;
  }
  path++;
  if (!seam_cli_check_figure (path, error))
    return FALSE;
  if (!(figure_kinds[k].kind == FILE_FIGURE_DIFFERENCE
                || figure_kinds[k].kind == FILE_FIGURE_NUMBERS
            ? can_compare
            : can_time)) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--figure compares two plans; add another --plan.");
    return FALSE;
  }
  return add_file (files, figure_kinds[k].kind, "figure", path, FALSE, error);
}

/* --map-unit and --map-tiles. */
static gboolean
read_look (const SeamArguments *arguments, SeamMapLook *look, GError **error)
{
  const char *unit = seam_arguments_get (arguments, "map-unit");
  const char *tiles = seam_arguments_get (arguments, "map-tiles");

  if (unit != NULL && !seam_map_unit_parse (unit, &look->unit, error)) {
    g_prefix_error (error, "--map-unit: ");
    return FALSE;
  }
  if (tiles == NULL)
    return TRUE;
  look->tiles = TRUE;
  look->trusted_tiles = g_ascii_strcasecmp (tiles, "a") == 0;
  if (look->trusted_tiles || g_ascii_strcasecmp (tiles, "b") == 0)
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "--map-tiles takes b, the plan that is judged, or a, the one that it is compared "
               "with, not “%s”.",
               tiles);
  return FALSE;
}

SeamResultFiles *
seam_result_files_new (const SeamArguments *arguments, gboolean can_time, gboolean can_compare,
                       gboolean has_surveys, GError **error)
{
  static const struct {
    FileKind kind;
    const char *option;
  } plain[] = {
    { FILE_CSV, "csv" },
    { FILE_CSV_KERNELS, "csv-kernels" },
    { FILE_CSV_SAMPLES, "csv-samples" },
    { FILE_CSV_LEDGER, "csv-ledger" },
    { FILE_CSV_TRAFFIC, "csv-traffic" },
    { FILE_CSV_WATERFALL, "csv-waterfall" },
    { FILE_CSV_ROOFLINE, "csv-roofline" },
    { FILE_CSV_WORST, "csv-worst" },
    { FILE_CSV_HISTOGRAM, "csv-histogram" },
    { FILE_JSON, "json" },
    { FILE_TRACE, "trace" },
    { FILE_CSV_SURVEY, "csv-survey" },
  };
  g_autoptr (SeamResultFiles) files = g_new0 (SeamResultFiles, 1);
  g_autofree const char **figures = seam_arguments_get_all (arguments, "figure");

  if (!read_look (arguments, &files->look, error))
    return NULL;
  files->has_surveys = has_surveys;
  files->survey = -1;
  files->list = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (files->list, (GDestroyNotify)clear_file);
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++) {
    const char *path = seam_arguments_get (arguments, plain[i].option);
    if (path && !add_file (files, plain[i].kind, plain[i].option, path, TRUE, error))
      return NULL;
  }
  for (int i = 0; figures[i]; i++)
    if (!add_figure (files, figures[i], can_time, can_compare, error))
      return NULL;
  return g_steal_pointer (&files);
}

gboolean
seam_result_files_use_stdout (const SeamResultFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (is_stdout (g_array_index (files->list, File, i).path))
      return TRUE;
  return FALSE;
}

guint
seam_result_files_get_n (const SeamResultFiles *files)
{
  return files->list->len;
}

gboolean
seam_result_files_need_runs (const SeamResultFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (!is_of_survey (g_array_index (files->list, File, i).kind))
      return TRUE;
  return FALSE;
}

gboolean
seam_result_files_need_one_run (const SeamResultFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (g_array_index (files->list, File, i).kind != FILE_TRACE
        && !is_of_survey (g_array_index (files->list, File, i).kind))
      return TRUE;
  return FALSE;
}

gboolean
seam_result_files_need_slices (const SeamResultFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (g_array_index (files->list, File, i).kind == FILE_FIGURE_DIFFERENCE)
      return TRUE;
  return FALSE;
}

/* Takes `text`, which may be NULL with the error set. */
static gboolean
write_text (const char *path, char *text, GError **error)
{
  g_autofree char *owned = text;

  if (owned == NULL)
    return FALSE;
  if (!is_stdout (path))
    return seam_file_write (path, owned, strlen (owned), error);
  /* A full disk behind it is noticed at the end of the program. */
  seam_cli_print_data (owned);
  return TRUE;
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

/* The plan that the others are compared with, and the first other one, timed or not. */
static gboolean
choose_sides (const SeamResult *result, int *first, int *second, GError **error)
{
  *first = MAX (result->reference, 0);
  for (int i = 0; i < result->n_plans; i++)
    if (i != *first) {
      *second = i;
      return TRUE;
    }
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                       "This compares two plans, and only one was run.");
  return FALSE;
}

static SeamFigure *
make_page (SeamResult *result, FileKind kind, GError **error)
{
  int first, second;

  if (!choose_sides (result, &first, &second, error))
    return NULL;
  switch (kind) {
  case FILE_FIGURE_TRAFFIC:
    return seam_traffic_page_new (result, first, second, PAGE_WIDTH, error);
  case FILE_FIGURE_ROOFLINE:
    return seam_roofline_page_new (result, first, second, PAGE_WIDTH, error);
  case FILE_FIGURE_SAMPLES:
    return seam_samples_page_new (result, first, second, PAGE_WIDTH, error);
  case FILE_FIGURE_TIMELINE:
    return seam_timeline_page_new (result, first, second, PAGE_WIDTH, error);
  default:
    return seam_timing_page_new (result, first, second, PAGE_WIDTH, error);
  }
}

static char *
make_waterfall (const SeamResult *result, GError **error)
{
  int first, second;

  if (!choose_sides (result, &first, &second, error))
    return NULL;
  return seam_waterfall_to_csv (result, first, second, error);
}

static SeamFigure *
make_difference_page (const SeamResultFiles *files, const SeamSessionRun *run, FileKind kind,
                      GError **error)
{
  SeamResult *result = run->result;
  const SeamDifference *difference;
  int trusted, judged;

  if (!choose_pair (result, &trusted, &judged, error))
    return NULL;
  difference = result->plans[judged].difference;
  if (difference == NULL || difference->cells == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "There is no difference map: the outputs of the two plans were not "
                         "compared.");
    return NULL;
  }
  if (kind == FILE_FIGURE_NUMBERS)
    return seam_numbers_page_new (result, judged, trusted, difference, files->look.unit, PAGE_WIDTH,
                                  error);
  return seam_difference_page_new (result, judged, trusted, difference,
                                   seam_session_run_get_slice (run, judged, trusted), &files->look,
                                   PAGE_WIDTH, error);
}

/* Takes `figure`, which may be NULL with the error set. */
static gboolean
export_figure (SeamFigure *figure, const char *path, GError **error)
{
  g_autoptr (SeamFigure) owned = figure;

  return owned && seam_figure_export (owned, seam_palette_get (FALSE, FALSE), path, error);
}

static char *
make_trace (SeamSessionRun *const *runs, guint n_runs)
{
  g_autofree SeamResult **results = g_new (SeamResult *, n_runs);

  for (guint i = 0; i < n_runs; i++)
    results[i] = runs[i]->result;
  return seam_trace_to_json (results, (int)n_runs);
}

void
seam_result_files_set_surveys (SeamResultFiles *files, GPtrArray *surveys, int chosen)
{
  files->surveys = surveys;
  files->survey = chosen;
}

/* The survey of a kind ("explore", "sweep"; NULL: either) that is written; NULL with the error. */
static SeamSessionSurvey *
choose_survey (const SeamResultFiles *files, const char *kind, GError **error)
{
  SeamSessionSurvey *found = NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  int n = 0;

  for (guint i = 0; files->surveys != NULL && i < files->surveys->len; i++) {
    SeamSessionSurvey *survey = g_ptr_array_index (files->surveys, i);
    g_autofree char *line = seam_session_survey_describe (survey);

    if ((files->survey >= 0 && (int)i != files->survey)
        || (kind != NULL && g_strcmp0 (seam_session_survey_get_kind (survey), kind) != 0))
      continue;
    g_string_append_printf (list, "%s%u (%s)", n > 0 ? ", " : "", i + 1, line);
    found = survey;
    n++;
  }
  if (n == 1)
    return found;
  if (n == 0)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "The session holds no result of %s.",
                 kind != NULL ? kind : "explore or sweep");
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The session holds %d of them; choose one by --survey: %s.", n, list->str);
  return NULL;
}

/* What the survey holds; NULL with the error. */
static GVariant *
read_survey (const SeamResultFiles *files, const char *kind, GError **error)
{
  SeamSessionSurvey *stored = choose_survey (files, kind, error);

  return stored != NULL ? seam_session_survey_get_content (stored, error) : NULL;
}

static SeamFigure *
make_lattice (const SeamResultFiles *files, GError **error)
{
  GVariant *stored = read_survey (files, "explore", error);
  g_autoptr (SeamSurvey) survey = stored != NULL ? seam_explore_restore (stored, error) : NULL;

  return survey != NULL ? seam_lattice_page_new (survey, LATTICE_WIDTH, error) : NULL;
}

static SeamFigure *
make_sweep (const SeamResultFiles *files, GError **error)
{
  GVariant *stored = read_survey (files, "sweep", error);
  g_autoptr (SeamSweep) sweep = stored != NULL ? seam_sweep_restore (stored, error) : NULL;

  return sweep != NULL ? seam_sweep_page_new (sweep, PAGE_WIDTH, error) : NULL;
}

static char *
make_survey_table (const SeamResultFiles *files, GError **error)
{
  SeamSessionSurvey *chosen = choose_survey (files, NULL, error);
  GVariant *stored = chosen != NULL ? seam_session_survey_get_content (chosen, error) : NULL;

  if (stored == NULL)
    return NULL;
  if (g_strcmp0 (seam_session_survey_get_kind (chosen), "sweep") == 0) {
    g_autoptr (SeamSweep) sweep = seam_sweep_restore (stored, error);
    return sweep != NULL ? seam_survey_to_csv (sweep->survey) : NULL;
  }
  g_autoptr (SeamSurvey) survey = seam_explore_restore (stored, error);
  return survey != NULL ? seam_survey_to_csv (survey) : NULL;
}

static gboolean
write_survey (const SeamResultFiles *files, const File *file, GError **error)
{
  if (file->kind == FILE_CSV_SURVEY)
    return write_text (file->path, make_survey_table (files, error), error);
  return export_figure (file->kind == FILE_FIGURE_LATTICE ? make_lattice (files, error)
                                                          : make_sweep (files, error),
                        file->path, error);
}

static gboolean
write_file (const SeamResultFiles *files, const File *file, SeamSessionRun *const *runs,
            guint n_runs, GError **error)
{
  SeamResult *result = n_runs > 0 ? runs[0]->result : NULL;

  if (is_of_survey (file->kind))
    return write_survey (files, file, error);
  if (result == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "The session holds no run, only results of explore and sweep: --figure "
                         "lattice=FILE, --figure sweep=FILE and --csv-survey FILE write them.");
    return FALSE;
  }

  switch (file->kind) {
  case FILE_CSV:
    return write_text (file->path, seam_result_to_csv (result), error);
  case FILE_CSV_KERNELS:
    return write_text (file->path, seam_result_kernels_to_csv (result), error);
  case FILE_CSV_SAMPLES:
    return write_text (file->path, seam_result_samples_to_csv (result), error);
  case FILE_JSON:
    return write_text (file->path, seam_record_to_json (&seam_result_type, result), error);
  case FILE_TRACE:
    return write_text (file->path, make_trace (runs, n_runs), error);
  case FILE_CSV_LEDGER:
    return write_text (file->path, seam_ledger_to_csv (result, error), error);
  case FILE_CSV_TRAFFIC:
    return write_text (file->path, seam_traffic_to_csv (result, error), error);
  case FILE_CSV_WATERFALL:
    return write_text (file->path, make_waterfall (result, error), error);
  case FILE_CSV_ROOFLINE:
    return write_text (file->path, seam_roofline_to_csv (result, error), error);
  case FILE_CSV_WORST:
    return write_text (file->path, seam_result_worst_to_csv (result), error);
  case FILE_CSV_HISTOGRAM:
    return write_text (file->path, seam_result_histogram_to_csv (result), error);
  case FILE_FIGURE_TIMING:
  case FILE_FIGURE_TRAFFIC:
  case FILE_FIGURE_ROOFLINE:
  case FILE_FIGURE_SAMPLES:
  case FILE_FIGURE_TIMELINE:
    return export_figure (make_page (result, file->kind, error), file->path, error);
  case FILE_FIGURE_DIFFERENCE:
  case FILE_FIGURE_NUMBERS:
    return export_figure (make_difference_page (files, runs[0], file->kind, error), file->path,
                          error);
  case FILE_CSV_SURVEY:
  case FILE_FIGURE_LATTICE:
  case FILE_FIGURE_SWEEP:
    break; /* above */
  }
  return FALSE;
}

gboolean
seam_result_files_write (const SeamResultFiles *files, SeamSessionRun *const *runs, guint n_runs,
                         GString *log)
{
  gboolean all_written = TRUE;

  for (guint i = 0; i < files->list->len; i++) {
    const File *file = &g_array_index (files->list, File, i);
    g_autoptr (GError) error = NULL;
    if (write_file (files, file, runs, n_runs, &error)) {
      if (!is_stdout (file->path))
        g_string_append_printf (log, "Wrote %s\n", file->path);
    } else {
      seam_cli_complain (error->message);
      all_written = FALSE;
    }
  }
  return all_written;
}
