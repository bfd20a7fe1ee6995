/* SPDX-License-Identifier: MIT
 *
 * Products (app/report/products.h) of runs, explorations and sweeps. A run that has just been made
 * and one from a session are written by the same code from the same data, so their files are equal.
 */
#include "app/cli/result-files.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/explore/survey-store.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELP_WIDTH 76 /* characters of a line */

typedef struct {
  const SeamProduct *product;
  char *path;
} File;

struct SeamResultFiles {
  GArray *list;       /* of File */
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

gboolean
seam_cli_read_paths (const SeamArguments *arguments, const char **table, const char **figure,
                     GError **error)
{
  *table = seam_arguments_get (arguments, "csv");
  *figure = seam_arguments_get (arguments, "figure");
  return (*table == NULL || is_stdout (*table) || seam_cli_check_path (*table, error))
         && (*figure == NULL || seam_cli_check_figure (*figure, error));
}

static gboolean
add_file (SeamResultFiles *files, const SeamProduct *product, const char *option, const char *path,
          GError **error)
{
  File file = { product, NULL };

  if (*path == '\0' || (is_stdout (path) && product->kind == SEAM_PRODUCT_FIGURE)) {
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

static gboolean
is_figure (const SeamProduct *product, guint of)
{
  return product->kind == SEAM_PRODUCT_FIGURE && (product->of & of) != 0;
}

/* "timing=FILE, traffic=FILE or samples=FILE", with `before` each and `last` before the last. */
static char *
list_figures (guint of, const char *before, const char *last)
{
  GString *text = g_string_new (NULL);
  guint n = 0, i = 0;

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    n += is_figure (product, of);
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if (is_figure (product, of)) {
      g_string_append_printf (text, "%s%s%s=FILE",
                              i == 0      ? ""
                              : i + 1 < n ? ", "
                                          : last,
                              before, product->name);
      i++;
    }
  return g_string_free (text, FALSE);
}

static char *
wrap (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GString *lines = g_string_new (NULL);
  glong used = 0;

  for (int i = 0; words[i] != NULL; i++) {
    glong length = g_utf8_strlen (words[i], -1);
    gboolean fits = used + 1 + length <= HELP_WIDTH;

    if (i > 0)
      g_string_append_c (lines, fits ? ' ' : '\n');
    g_string_append (lines, words[i]);
    used = i > 0 && fits ? used + 1 + length : length;
  }
  return g_string_free (lines, FALSE);
}

void
seam_result_files_add_options (GArray *options, guint of)
{
  g_autofree char *figures = list_figures (of, "", " or ");
  g_autofree char *help =
      g_strdup_printf ("write %s as PNG, SVG or PDF by its ending: the plan compared against, and "
                       "the first other one",
                       figures);
  g_autofree char *lines = wrap (help);
  SeamOption figure = { "figure", "KIND=FILE", g_intern_string (lines), TRUE };

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    SeamOption option = { product->option, "FILE", product->words };
    if (product->option != NULL && product == seam_products_find_option (product->option, of))
      g_array_append_val (options, option);
  }
  g_array_append_val (options, figure);
}

const SeamProduct *
seam_cli_parse_figure (const char *value, guint of, const char **path, GError **error)
{
  const char *equals = strchr (value, '=');
  g_autofree char *name = equals != NULL ? g_strndup (value, equals - value) : NULL;
  g_autofree char *figures = NULL;
  const SeamProduct *product = name != NULL ? seam_products_find (name) : NULL;

  if (product != NULL && is_figure (product, of) && equals[1] != '\0') {
    *path = equals + 1;
    return seam_cli_check_figure (*path, error) ? product : NULL;
  }
  figures = list_figures (of, "", " or ");
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "--figure takes %s, not “%s”.", figures, value);
  return NULL;
}

static gboolean
add_figure (SeamResultFiles *files, const char *value, gboolean can_time, gboolean can_compare,
            guint of, GError **error)
{
  const char *path;
  const SeamProduct *product = seam_cli_parse_figure (value, of, &path, error);

  if (product == NULL)
    return FALSE;
  if (!(product->compares ? can_compare : can_time)) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--figure compares two plans; add another --plan.");
    return FALSE;
  }
  return add_file (files, product, "figure", path, error);
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
                       guint of, GError **error)
{
  g_autoptr (SeamResultFiles) files = g_new0 (SeamResultFiles, 1);
  g_autofree const char **figures = seam_arguments_get_all (arguments, "figure");

  if (!read_look (arguments, &files->look, error))
    return NULL;
  files->survey = -1;
  files->list = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (files->list, (GDestroyNotify)clear_file);
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    const char *path =
        product->option != NULL && product == seam_products_find_option (product->option, of)
            ? seam_arguments_get (arguments, product->option)
            : NULL;
    if (path != NULL && !add_file (files, product, product->option, path, error))
      return NULL;
  }
  for (int i = 0; figures[i]; i++)
    if (!add_figure (files, figures[i], can_time, can_compare, of, error))
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
seam_result_files_need (const SeamResultFiles *files, guint of)
{
  for (guint i = 0; i < files->list->len; i++)
    if ((g_array_index (files->list, File, i).product->of & of) != 0)
      return TRUE;
  return FALSE;
}

gboolean
seam_result_files_need_slices (const SeamResultFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (g_array_index (files->list, File, i).product->takes_slice)
      return TRUE;
  return FALSE;
}

gboolean
seam_cli_write_product (const SeamProduct *product, const SeamProductSource *source,
                        const char *path, GError **error)
{
  g_autofree char *text = NULL;

  if (!is_stdout (path) || product->kind == SEAM_PRODUCT_FIGURE)
    return seam_product_write (product, source, path, error);
  text = seam_product_make_text (product, source, error);
  if (text == NULL)
    return FALSE;
  /* A full disk behind it is noticed at the end of the program. */
  seam_cli_print_data (text);
  return TRUE;
}

/* The two sides of a difference: the trusted plan, and the first other that has something to show.
 */
static gboolean
choose_outputs (const SeamSessionRun *run, SeamProductSource *source, GError **error)
{
  const SeamResult *result = run->result;
  int tested = 0;

  while (tested < result->n_plans
         && (tested == result->reference || result->plans[tested].state == SEAM_PLAN_NOT_MEASURED
             || result->plans[tested].state == SEAM_PLAN_FAULTED))
    tested++;
  if (tested == result->n_plans) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "There is no figure, because no second plan was measured.");
    return FALSE;
  }
  source->tested = tested;
  source->trusted = result->reference;
  source->difference = result->plans[tested].difference;
  source->slice = seam_session_run_get_slice (run, tested, result->reference);
  if (source->difference != NULL && source->difference->cells != NULL)
    return TRUE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                       "There is no difference map: the outputs of the two plans were not "
                       "compared.");
  return FALSE;
}

/* The plan that the others are compared with, and the first other one, timed or not. */
static gboolean
choose_plans (const SeamResult *result, SeamProductSource *source, GError **error)
{
  source->first = MAX (result->reference, 0);
  source->second = source->first == 0 ? 1 : 0;
  if (source->second < result->n_plans)
    return TRUE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                       "This compares two plans, and only one was run.");
  return FALSE;
}

void
seam_result_files_set_surveys (SeamResultFiles *files, GPtrArray *surveys, int chosen)
{
  files->surveys = surveys;
  files->survey = chosen;
}

static SeamProductOf
get_survey_of (const SeamSessionSurvey *survey)
{
  int kind = seam_session_survey_get_kind (survey);

  return kind >= 0 ? seam_product_of_survey ((SeamSurveyKind)kind) : 0;
}

/* The survey of these kinds that is written; NULL with the error. */
static SeamSessionSurvey *
choose_survey (const SeamResultFiles *files, guint of, GError **error)
{
  SeamSessionSurvey *found = NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  int n = 0;

  for (guint i = 0; files->surveys != NULL && i < files->surveys->len; i++) {
    SeamSessionSurvey *survey = g_ptr_array_index (files->surveys, i);
    g_autofree char *line = seam_session_survey_describe (survey);

    if ((files->survey >= 0 && (int)i != files->survey) || (get_survey_of (survey) & of) == 0)
      continue;
    g_string_append_printf (list, "%s%u (%s)", n > 0 ? ", " : "", i + 1, line);
    found = survey;
    n++;
  }
  if (n == 1)
    return found;
  if (n == 0)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "The session holds no result of %s.",
                 of == SEAM_OF_EXPLORE ? "explore"
                 : of == SEAM_OF_SWEEP ? "sweep"
                                       : "explore or sweep");
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The session holds %d of them; choose one by --survey: %s.", n, list->str);
  return NULL;
}

static gboolean
write_survey (const SeamResultFiles *files, const File *file, GError **error)
{
  const SeamProduct *product = file->product;
  /* --csv-survey is of either. */
  SeamSessionSurvey *chosen =
      choose_survey (files, product->option != NULL ? SEAM_OF_SURVEYS : product->of, error);
  GVariant *stored = chosen != NULL ? seam_session_survey_get_content (chosen, error) : NULL;
  g_autoptr (SeamSurvey) survey = stored != NULL ? seam_survey_restore (stored, error) : NULL;
  SeamProductSource source = { .survey = survey };

  return survey != NULL && seam_cli_write_product (product, &source, file->path, error);
}

static gboolean
write_file (const SeamResultFiles *files, const File *file, SeamSessionRun *const *runs,
            guint n_runs, GError **error)
{
  g_autofree SeamResult **results = g_new0 (SeamResult *, n_runs + 1);
  SeamProductSource source = { .results = results, .n_results = (int)n_runs, .look = &files->look };

  if ((file->product->of & SEAM_OF_SURVEYS) != 0)
    return write_survey (files, file, error);
  if (n_runs == 0) {
    g_autofree char *figures = list_figures (SEAM_OF_SURVEYS, "--figure ", ", ");
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The session holds no run, only results of explore and sweep: %s and "
                 "--csv-survey FILE write them.",
                 figures);
    return FALSE;
  }
  for (guint i = 0; i < n_runs; i++)
    results[i] = runs[i]->result;
  if (file->product->of == SEAM_OF_PLANS && !choose_plans (results[0], &source, error))
    return FALSE;
  if (file->product->of == SEAM_OF_OUTPUTS && !choose_outputs (runs[0], &source, error))
    return FALSE;
  return seam_cli_write_product (file->product, &source, file->path, error);
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
