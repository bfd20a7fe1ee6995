/* SPDX-License-Identifier: MIT
 *
 * The CSV of a survey, which is the file that it is resumed from, too. A column keeps its name,
 * unit and place for good; new ones come last.
 *
 * One row a point: survey ("explore", "sweep"), pipeline, target, device, math_mode, l2_state,
 *   seed, distribution, shape, plan (as asked for), notation (that the target runs), n_fused, state
 *   ("pending", "measured", "impossible", "failed"); predicted: modelled_bytes, modelled_flop,
 *   full_rate_ns, floor_ns, expected_kernels, is_split, tensors_fit_cache; measured:
 *   elapsed_median_ns, elapsed_ci_low_ns, elapsed_ci_high_ns (95 %), n_samples, reference_median_ns
 *   (of the reference plan in the same batch), adjusted_median_ns (without the drift between
 *   batches), fastest (at its shape), kernels_sum_ns, span_ns, n_kernels, max_abs_error,
 * max_error_ratio, n_failing, stable, executed, measured_at, message; of `explore`: pareto,
 * on_best_path; then program_version, launch_mode ("stream", "graph"; tables of older programs
 * have no such column and were all measured as streams), storage ("fp32", "between", "all"; a
 * table without the column: "fp32"), init ("framework", "spread"; a table without the column:
 * "framework").
 */
#include "app/base/csv-read.h"
#include "app/base/csv-text.h"
#include "app/base/error.h"
#include "app/explore/explore.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

static const char *const columns[] = {
  "survey",
  "pipeline",
  "target",
  "device",
  "math_mode",
  "l2_state",
  "seed",
  "distribution",
  "shape",
  "plan",
  "notation",
  "n_fused",
  "state",
  "modelled_bytes",
  "modelled_flop",
  "full_rate_ns",
  "floor_ns",
  "expected_kernels",
  "is_split",
  "tensors_fit_cache",
  "elapsed_median_ns",
  "elapsed_ci_low_ns",
  "elapsed_ci_high_ns",
  "n_samples",
  "reference_median_ns",
  "adjusted_median_ns",
  "fastest",
  "kernels_sum_ns",
  "span_ns",
  "n_kernels",
  "max_abs_error",
  "max_error_ratio",
  "n_failing",
  "stable",
  "executed",
  "measured_at",
  "message",
  "pareto",
  "on_best_path",
  "program_version",
  "launch_mode",
  "storage",
  "init",
  NULL,
};

static const char *
get_kind_name (SeamSurveyKind kind)
{
  return kind == SEAM_SURVEY_EXPLORE ? "explore" : "sweep";
}

static const char *
get_distribution_name (const SeamRunRequest *request)
{
  if (request->tensors_dir != NULL)
    return "files";
  return seam_choice_get_name (seam_distributions, request->settings.distribution);
}

static void
add_predicted (GString *csv, const SeamPoint *point)
{
  seam_csv_add_text (csv, point->notation);
  seam_csv_add_known (csv, __builtin_popcount ((guint32)point->fused_seams),
                      point->notation != NULL);
  seam_csv_add_text (csv, seam_point_state_get_name (point->state));
  seam_csv_add_number (csv, point->bytes);
  seam_csv_add_number (csv, point->flop);
  seam_csv_add_number (csv, point->full_rate_ns);
  seam_csv_add_number (csv, point->floor_ns);
  seam_csv_add_known (csv, point->n_kernels_expected, point->n_kernels_expected >= 0);
  seam_csv_add_boolean (csv, point->is_split);
  seam_csv_add_boolean (csv, point->tensors_fit_cache);
}

static void
add_measured (GString *csv, const SeamPoint *point, double time_ns, gboolean is_fastest)
{
  gboolean known = point->state == SEAM_POINT_MEASURED;

  seam_csv_add_number (csv, point->median_ns);
  seam_csv_add_number (csv, point->ci_low_ns);
  seam_csv_add_number (csv, point->ci_high_ns);
  seam_csv_add_known (csv, point->n_samples, known);
  seam_csv_add_number (csv, point->reference_ns);
  seam_csv_add_number (csv, time_ns);
  seam_csv_add_text (csv, !known ? NULL : is_fastest ? "yes" : "no");
  seam_csv_add_number (csv, point->kernels_sum_ns);
  seam_csv_add_number (csv, point->span_ns);
  seam_csv_add_known (csv, point->n_kernels, point->n_kernels >= 0);
  seam_csv_add_number (csv, point->max_abs);
  seam_csv_add_number (csv, point->max_error_ratio);
  seam_csv_add_known (csv, point->n_failing, known);
  seam_csv_add_text (csv, !known ? NULL : point->stable ? "yes" : "no");
  seam_csv_add_text (csv, point->executed);
  seam_csv_add_text (csv, point->measured_at);
  seam_csv_add_text (csv, point->message);
}

char *
seam_survey_to_csv (const SeamSurvey *survey)
{
  const SeamRunRequest *request = survey->request;
  GString *csv = g_string_new (NULL);
  g_autofree double *times_ns = g_new (double, survey->n_points + 1);
  g_autofree gboolean *is_fastest = g_new0 (gboolean, survey->n_points + 1);
  g_autoptr (SeamExploreView) view =
      survey->kind == SEAM_SURVEY_EXPLORE ? seam_explore_view_new (survey) : NULL;

  seam_survey_get_times (survey, times_ns);
  seam_survey_mark_fastest (survey, is_fastest);
  seam_csv_add_header (csv, columns);
  for (int i = 0; i < survey->n_points; i++) {
    const SeamPoint *point = &survey->points[i];

    seam_csv_add_text (csv, get_kind_name (survey->kind));
    seam_csv_add_text (csv, request->pipeline->id);
    seam_csv_add_text (csv, survey->device != NULL ? survey->device->id : request->target);
    seam_csv_add_text (csv, survey->device != NULL ? survey->device->name : NULL);
    seam_csv_add_text (csv, survey->math_mode);
    seam_csv_add_text (csv, request->settings.cold ? "cold" : "warm");
    g_string_append_printf (csv, "%" G_GUINT64_FORMAT ",", request->settings.seed);
    seam_csv_add_text (csv, get_distribution_name (request));
    seam_csv_add_text (csv, point->shape);
    seam_csv_add_text (csv, point->plan);
    add_predicted (csv, point);
    add_measured (csv, point, times_ns[i], is_fastest[i]);
    seam_csv_add_text (csv, view == NULL ? NULL : view->is_pareto[i] ? "yes" : "no");
    seam_csv_add_text (csv, view == NULL                             ? NULL
                            : seam_explore_view_is_on_path (view, i) ? "yes"
                                                                     : "no");
    seam_csv_add_text (csv, seam_version ());
    seam_csv_add_text (csv, seam_choice_get_name (seam_launch_modes, request->settings.launch));
    seam_csv_add_text (csv, seam_choice_get_name (seam_storages, request->settings.storage));
    seam_csv_add_text (csv, seam_choice_get_name (seam_init_modes, request->settings.init_mode));
    seam_csv_end_row (csv);
  }
  return g_string_free (csv, FALSE);
}

/* --- reading back --- */

static gboolean
check_field (const SeamCsv *csv, int row, const char *column, const char *expected, GError **error)
{
  const char *found = seam_csv_get (csv, row, column);

  if (expected == NULL || strcmp (found, expected) == 0)
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
               "Its points were measured with %s “%s”, and now it is “%s”: give the same choices "
               "again, or another file.",
               column, found, expected);
  return FALSE;
}

/* A column that older tables have not: all their points were measured with `older`. */
static gboolean
check_newer_column (const SeamCsv *csv, const char *column, const char *words, const char *older,
                    const char *expected, GError **error)
{
  if (!seam_csv_has_column (csv, column) && strcmp (older, expected) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "Its points were measured with %s “%s”, and now it is “%s”: give the same choices "
                 "again, or another file.",
                 words, older, expected);
    return FALSE;
  }
  for (int row = 0; seam_csv_has_column (csv, column) && row < seam_csv_get_n_rows (csv); row++)
    if (!check_field (csv, row, column, expected, error))
      return FALSE;
  return TRUE;
}

/* Whether the file is of this very survey. */
static gboolean
check_rows (const SeamSurvey *survey, const SeamCsv *csv, GError **error)
{
  static const char *const needed[] = {
    "survey",       "pipeline", "target", "device", "math_mode",         "l2_state",  "seed",
    "distribution", "shape",    "plan",   "state",  "elapsed_median_ns", "n_samples",
  };
  const SeamRunRequest *request = survey->request;
  const char *launch = seam_choice_get_name (seam_launch_modes, request->settings.launch);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, request->settings.seed);

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!seam_csv_has_column (csv, needed[i])) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                   "It has no column “%s”, so it is no table that explore or sweep wrote.",
                   needed[i]);
      return FALSE;
    }
  if (!check_newer_column (csv, "launch_mode", "launch mode", "stream", launch, error)
      || !check_newer_column (csv, "storage", "storage", "fp32",
                              seam_choice_get_name (seam_storages, request->settings.storage),
                              error)
      || !check_newer_column (csv, "init", "init", "framework",
                              seam_choice_get_name (seam_init_modes, request->settings.init_mode),
                              error))
    return FALSE;
  for (int row = 0; row < seam_csv_get_n_rows (csv); row++)
    if (!check_field (csv, row, "survey", get_kind_name (survey->kind), error)
        || !check_field (csv, row, "pipeline", request->pipeline->id, error)
        || !check_field (csv, row, "target", survey->device ? survey->device->id : NULL, error)
        || !check_field (csv, row, "device", survey->device ? survey->device->name : NULL, error)
        || !check_field (csv, row, "math_mode", survey->math_mode, error)
        || !check_field (csv, row, "l2_state", request->settings.cold ? "cold" : "warm", error)
        || !check_field (csv, row, "seed", seed, error)
        || !check_field (csv, row, "distribution", get_distribution_name (request), error))
      return FALSE;
  return TRUE;
}

static char *
make_key (const char *shape, const char *plan)
{
  return g_strconcat (shape, "\n", plan, NULL);
}

static char *
get_text (const SeamCsv *csv, int row, const char *column)
{
  const char *text = seam_csv_get (csv, row, column);

  return *text != '\0' ? g_strdup (text) : NULL;
}

static gboolean
is_yes (const SeamCsv *csv, int row, const char *column)
{
  return strcmp (seam_csv_get (csv, row, column), "yes") == 0;
}

/* FALSE where the row has nothing that was measured. */
static gboolean
read_row (const SeamCsv *csv, int row, SeamPoint *point)
{
  const char *state = seam_csv_get (csv, row, "state");

  seam_record_init (&seam_point_type, point);
  for (int i = 0; i < SEAM_N_POINT_STATES; i++)
    if (strcmp (state, seam_point_state_get_name ((SeamPointState)i)) == 0)
      point->state = (SeamPointState)i;
  point->median_ns = seam_csv_get_number (csv, row, "elapsed_median_ns");
  point->ci_low_ns = seam_csv_get_number (csv, row, "elapsed_ci_low_ns");
  point->ci_high_ns = seam_csv_get_number (csv, row, "elapsed_ci_high_ns");
  point->n_samples = (int)MIN (seam_csv_get_integer (csv, row, "n_samples", 0, 0), G_MAXINT);
  point->reference_ns = seam_csv_get_number (csv, row, "reference_median_ns");
  point->kernels_sum_ns = seam_csv_get_number (csv, row, "kernels_sum_ns");
  point->span_ns = seam_csv_get_number (csv, row, "span_ns");
  point->n_kernels = (int)MIN (seam_csv_get_integer (csv, row, "n_kernels", 0, -1), G_MAXINT);
  point->max_abs = seam_csv_get_number (csv, row, "max_abs_error");
  point->max_error_ratio = seam_csv_get_number (csv, row, "max_error_ratio");
  point->n_failing = seam_csv_get_integer (csv, row, "n_failing", 0, 0);
  point->stable = is_yes (csv, row, "stable") || *seam_csv_get (csv, row, "stable") == '\0';
  point->executed = get_text (csv, row, "executed");
  point->measured_at = get_text (csv, row, "measured_at");
  point->message = get_text (csv, row, "message");
  /* Measured is what has a time. What was impossible is asked again: it may have been the memory
   * that another program held. */
  if (point->state == SEAM_POINT_MEASURED)
    return point->median_ns > 0 && point->n_samples > 0;
  return point->state == SEAM_POINT_FAILED;
}

gboolean
seam_survey_merge_csv (SeamSurvey *survey, const char *text, GError **error)
{
  g_autoptr (SeamCsv) csv = seam_csv_parse (text, error);
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree int *points = NULL;
  int n_rows, n_others = 0;

  if (csv == NULL || !check_rows (survey, csv, error))
    return FALSE;
  for (int i = 0; i < survey->n_points; i++)
    g_hash_table_insert (indices, make_key (survey->points[i].shape, survey->points[i].plan),
                         GINT_TO_POINTER (i + 1));
  n_rows = seam_csv_get_n_rows (csv);
  points = g_new (int, n_rows + 1);
  for (int row = 0; row < n_rows; row++) {
    g_autofree char *key =
        make_key (seam_csv_get (csv, row, "shape"), seam_csv_get (csv, row, "plan"));
    points[row] = GPOINTER_TO_INT (g_hash_table_lookup (indices, key)) - 1;
    n_others += points[row] < 0;
  }
  /* Writing the file again would lose them. */
  if (n_others > 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "%d of its %d points are none of this %s's: give the same shape, fields and plans "
                 "again, or another file.",
                 n_others, n_rows, get_kind_name (survey->kind));
    return FALSE;
  }
  for (int row = 0; row < n_rows; row++) {
    SeamPoint point;
    if (read_row (csv, row, &point))
      seam_point_copy_measured (&survey->points[points[row]], &point);
    seam_record_clear (&seam_point_type, &point);
  }
  return TRUE;
}

gboolean
seam_survey_merge_file (SeamSurvey *survey, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) failure = NULL;

  if (!g_file_get_contents (path, &text, NULL, &failure)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "“%s” cannot be read: %s.", path,
                 failure->message);
    return FALSE;
  }
  if (seam_survey_merge_csv (survey, text, error))
    return TRUE;
  g_prefix_error (error, "“%s” cannot be resumed from. ", path);
  return FALSE;
}
