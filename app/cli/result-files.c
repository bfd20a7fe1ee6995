/* SPDX-License-Identifier: MIT
 *
 * Products (app/report/products.h) of runs, explorations and sweeps. A run that has just been made
 * and one from a session are written by the same code from the same data, so their files are equal.
 */
#include "app/cli/result-files.h"

#include "app/base/error.h"
#include "app/cli/cli.h"
#include "app/explore/search-store.h"

struct SeamResultFiles {
  SeamProductFiles *products;
  GPtrArray *searches;     /* borrowed */
  int search;              /* index of the one to write; -1: the only one */
  SeamMapLook look;        /* look of the maps */
  char **pair;             /* the two plans of --pair as given; NULL: chosen here */
  const double *claimable; /* borrowed */
};

void
seam_result_files_free (SeamResultFiles *files)
{
  if (files == NULL)
    return;
  seam_product_files_free (files->products);
  g_strfreev (files->pair);
  g_free (files);
}

/* Reads --map-unit and --map-tiles. */
static gboolean
read_look (const SeamArguments *arguments, SeamMapLook *look, GError **error)
{
  const char *unit = seam_arguments_get (arguments, "map-unit");
  const char *tiles = seam_arguments_get (arguments, "map-tiles");

  look->unit = SEAM_UNIT_BEST;
  if (unit != NULL && !seam_map_unit_parse (unit, &look->unit, error)) {
    g_prefix_error (error, "--map-unit: ");
    return FALSE;
  }
  if (tiles == NULL)
    return TRUE;
  look->tiles = TRUE;
  look->against_tiles = g_ascii_strcasecmp (tiles, "a") == 0;
  if (look->against_tiles || g_ascii_strcasecmp (tiles, "b") == 0)
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_INPUT,
      "--map-tiles takes b, the plan that is judged, or a, the one that it is compared "
      "with, not “%s”.",
      tiles);
}

SeamResultFiles *
seam_result_files_new (const SeamArguments *arguments, gboolean can_time, gboolean can_compare,
                       guint of, GError **error)
{
  g_autoptr (SeamResultFiles) files = g_new0 (SeamResultFiles, 1);

  const char *pair = seam_arguments_get (arguments, "pair");

  files->search = -1;
  files->pair = pair != NULL ? g_strsplit (pair, ",", -1) : NULL;
  if (pair != NULL && g_strv_length (files->pair) != 2)
    return seam_fail_null (
        error, SEAM_ERROR_INPUT,
        "--pair takes two plans with a comma between them, such as A,C, not “%s”.", pair);
  if (!read_look (arguments, &files->look, error))
    return NULL;
  files->products = seam_product_files_new (arguments, of, error);
  if (files->products == NULL)
    return NULL;
  for (guint i = 0; i < seam_product_files_get_n (files->products); i++) {
    const SeamProduct *product = seam_product_files_get_product (files->products, i);

    if (product->kind == SEAM_PRODUCT_FIGURE && !(product->compares ? can_compare : can_time))
      return seam_fail_null (error, SEAM_ERROR_INPUT,
                             "--figure compares two plans; add another --plan.");
  }
  return g_steal_pointer (&files);
}

const SeamProductFiles *
seam_result_files_get_products (const SeamResultFiles *files)
{
  return files->products;
}

gboolean
seam_result_files_need (const SeamResultFiles *files, guint of)
{
  for (guint i = 0; i < seam_product_files_get_n (files->products); i++)
    if ((seam_product_files_get_product (files->products, i)->of & of) != 0)
      return TRUE;
  return FALSE;
}

gboolean
seam_result_files_need_slices (const SeamResultFiles *files)
{
  for (guint i = 0; i < seam_product_files_get_n (files->products); i++)
    if (seam_product_files_get_product (files->products, i)->takes_slice)
      return TRUE;
  return FALSE;
}

/* Finds a plan of --pair by its letter, name or notation; -1: there is none. */
static int
find_plan (const SeamResult *result, const char *text)
{
  for (int i = 0; i < result->n_plans; i++) {
    const char letter[] = { seam_plan_get_letter (i), '\0' };

    if (g_ascii_strcasecmp (text, letter) == 0 || g_strcmp0 (text, result->plans[i].name) == 0
        || g_strcmp0 (text, result->plans[i].notation) == 0)
      return i;
  }
  return -1;
}

/* The plan that the others are compared with, and the first other plan, timed or not; or those of
 * --pair. */
static gboolean
choose_plans (const SeamResultFiles *files, const SeamResult *result, SeamProductSource *source,
              GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  source->first =
      files->pair != NULL ? find_plan (result, files->pair[0]) : MAX (result->against, 0);
  source->second = files->pair != NULL ? find_plan (result, files->pair[1]) : source->first == 0;
  if (files->pair == NULL)
    return source->second < result->n_plans
           || seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                         "This compares two plans, and only one was run.");
  for (int i = 0; i < result->n_plans; i++)
    g_string_append_printf (list, "%s%c %s", i > 0 ? ", " : "", seam_plan_get_letter (i),
                            seam_plan_result_get_name (&result->plans[i]));
  return (source->first >= 0 && source->second >= 0 && source->first != source->second)
         || seam_fail (error, SEAM_ERROR_INPUT,
                       "--pair %s,%s: name two different plans of the run, which has %s.",
                       files->pair[0], files->pair[1], list->str);
}

/* Chooses the two sides of a difference: the plan compared with, and the first other that can be
 * shown; or those of --pair. */
static gboolean
choose_outputs (const SeamResultFiles *files, const SeamSessionRun *run, SeamProductSource *source,
                GError **error)
{
  const SeamResult *result = run->result;
  int tested = 0;

  if (files->pair != NULL && !choose_plans (files, result, source, error))
    return FALSE;
  if (files->pair != NULL && source->first != result->against)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "There is no difference map: outputs were compared with %s, so --pair has to "
                      "begin with it.",
                      result->against < 0
                          ? "the FP64 reference"
                          : seam_plan_result_get_name (&result->plans[result->against]));
  if (files->pair != NULL)
    tested = source->second;
  while (files->pair == NULL && tested < result->n_plans
         && (tested == result->against || result->plans[tested].state == SEAM_PLAN_NOT_MEASURED
             || result->plans[tested].state == SEAM_PLAN_FAULTED))
    tested++;
  if (tested == result->n_plans)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "There is no figure, because no second plan was measured.");
  source->tested = tested;
  source->against = result->against;
  source->difference = result->plans[tested].difference;
  source->slice = seam_session_run_get_slice (run, tested, result->against);
  if (source->difference != NULL && source->difference->cells != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                    "There is no difference map: the outputs of the two plans were not "
                    "compared.");
}

void
seam_result_files_set_claimable (SeamResultFiles *files, const double *claimable)
{
  files->claimable = claimable;
}

void
seam_result_files_set_searches (SeamResultFiles *files, GPtrArray *searches, int chosen)
{
  files->searches = searches;
  files->search = chosen;
}

static SeamProductOf
get_search_of (const SeamSessionSearch *search)
{
  int kind = seam_session_search_get_kind (search);

  return kind >= 0 ? seam_product_of_search ((SeamSearchKind)kind) : 0;
}

/* The search of one of these kinds that is written; NULL with the error. */
static SeamSessionSearch *
choose_search (const SeamResultFiles *files, guint of, GError **error)
{
  SeamSessionSearch *found = NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  int n = 0;

  for (guint i = 0; files->searches != NULL && i < files->searches->len; i++) {
    SeamSessionSearch *search = g_ptr_array_index (files->searches, i);
    g_autofree char *line = seam_session_search_describe (search);

    if ((files->search >= 0 && (int)i != files->search) || (get_search_of (search) & of) == 0)
      continue;
    g_string_append_printf (list, "%s%u (%s)", n > 0 ? ", " : "", i + 1, line);
    found = search;
    n++;
  }
  if (n == 1)
    return found;
  if (n == 0)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "The session holds no result of %s.",
                           of == SEAM_OF_EXPLORE ? "explore"
                           : of == SEAM_OF_SWEEP ? "sweep"
                                                 : "explore or sweep");
  return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                         "The session holds %d of them; choose one by --survey: %s.", n, list->str);
}

static gboolean
write_search (const SeamResultFiles *files, guint i, GError **error)
{
  const SeamProduct *product = seam_product_files_get_product (files->products, i);
  /* --csv-survey takes a search of either kind. */
  SeamSessionSearch *chosen =
      choose_search (files, product->option != NULL ? SEAM_OF_SEARCHES : product->of, error);
  GVariant *stored = chosen != NULL ? seam_session_search_get_content (chosen, error) : NULL;
  g_autoptr (SeamSearch) search = stored != NULL ? seam_search_restore (stored, error) : NULL;
  SeamProductSource source = { .search = search };

  return search != NULL && seam_product_files_write_at (files->products, i, &source, error);
}

static gboolean
write_file (const SeamResultFiles *files, guint i, SeamSessionRun *const *runs, guint n_runs,
            GError **error)
{
  SeamProductOf of = seam_product_files_get_product (files->products, i)->of;
  g_autofree SeamResult **results = g_new0 (SeamResult *, n_runs + 1);
  SeamProductSource source = { .results = results, .n_results = (int)n_runs, .look = &files->look };

  source.claimable = files->claimable;
  if ((of & SEAM_OF_SEARCHES) != 0)
    return write_search (files, i, error);
  if (n_runs == 0) {
    g_autofree char *figures = seam_cli_list_figures (SEAM_OF_SEARCHES, "--figure ", ", ");
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "The session holds no run, only results of explore and sweep: %s and "
                      "--csv-survey FILE write them.",
                      figures);
  }
  for (guint k = 0; k < n_runs; k++)
    results[k] = runs[k]->result;
  if (of == SEAM_OF_PLANS && !choose_plans (files, results[0], &source, error))
    return FALSE;
  if (of == SEAM_OF_OUTPUTS && !choose_outputs (files, runs[0], &source, error))
    return FALSE;
  return seam_product_files_write_at (files->products, i, &source, error);
}

gboolean
seam_result_files_write (const SeamResultFiles *files, SeamSessionRun *const *runs, guint n_runs,
                         GString *log)
{
  gboolean all_written = TRUE;

  for (guint i = 0; i < seam_product_files_get_n (files->products); i++) {
    const char *path = seam_product_files_get_path (files->products, i);
    g_autoptr (GError) error = NULL;
    if (!write_file (files, i, runs, n_runs, &error)) {
      seam_cli_complain (error->message);
      all_written = FALSE;
    } else if (path != NULL) {
      g_string_append_printf (log, "Wrote %s\n", path);
    }
  }
  return all_written;
}
