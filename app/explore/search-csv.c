/* SPDX-License-Identifier: MIT
 *
 * The CSV of a search, from which the search can also be resumed. The name, unit and place of a
 * column never change; new columns come last.
 *
 * One row a point: survey ("explore", "sweep"), pipeline, target, device, math_mode, l2_state,
 *   seed, distribution, shape, plan (as asked for), notation (that the target runs), n_fused, state
 *   ("pending", "measured", "impossible", "failed"); predicted: modelled_bytes, modelled_flop,
 *   full_rate_ns, floor_ns, expected_kernels, is_split, tensors_fit_cache; measured:
 *   elapsed_median_ns, elapsed_ci_low_ns, elapsed_ci_high_ns (95 %), n_samples, reference_median_ns
 *   (of the plan compared with, in the same batch), adjusted_median_ns (without the drift between
 *   batches), fastest (at its shape), kernels_sum_ns, span_ns, n_kernels, max_abs_error,
 * max_error_ratio, n_failing, stable, executed, measured_at, message; of `explore`: pareto,
 * on_best_path; then program_version, launch_mode ("stream", "graph"; tables of older programs
 * have no such column and were all measured as streams), storage ("fp32", "between", "all"; a
 * table without the column: "fp32"), init ("framework", "spread"; a table without the column:
 * "framework"), foreign_load (share of a CPU's time that other programs used while the point's
 * batch was measured), guess_ns, guess_low_ns, guess_high_ns (predicted: app/explain/guess.h),
 * shows_nothing, speedup_ci_low, speedup_ci_high (95 % interval of reference_median_ns /
 * elapsed_median_ns; from the intervals of both where the survey does not hold it), verdict
 * (against the plan compared with, "reference", or what is wrong with the output).
 */
#include "app/base/csv-read.h"
#include "app/base/error.h"
#include "app/explore/explore.h"
#include "app/version.h"

#include <string.h>

/* What rows need in addition to their points. */
typedef struct {
  double *times_ns; /* by point; owned, like the rest */
  gboolean *is_fastest;
  SeamExploreView *view; /* of `explore`; NULL for a sweep */
} Table;

static void
table_init (Table *table, const SeamSearch *search)
{
  table->times_ns = g_new (double, search->n_points + 1);
  table->is_fastest = g_new0 (gboolean, search->n_points + 1);
  table->view = search->kind == SEAM_SEARCH_EXPLORE ? seam_explore_view_new (search) : NULL;
  seam_search_get_times (search, table->times_ns);
  seam_search_mark_fastest (search, table->is_fastest);
}

static void
table_clear (Table *table)
{
  g_free (table->times_ns);
  g_free (table->is_fastest);
  g_clear_pointer (&table->view, seam_owner_free);
}

/* The search's own columns. */
static const SeamField search_fields[] = {
  { .name = "survey", SEAM_AT (SeamSearch, kind, CHOICE), .choices = seam_search_kinds },
  { SEAM_FIELD (SeamSearch, math_mode, CHOICE), .choices = seam_math_modes },
  { SEAM_FIELD (SeamSearch, device, RECORD), .type = &seam_device_info_type },
  { NULL },
};

static const SeamRecordType search_type = {
  .name = "survey",
  .size = sizeof (SeamSearch),
  .fields = search_fields,
};

static void
compute_pipeline (const SeamPath *path, SeamValue *value)
{
  const SeamSearch *search = path->outer->record;

  seam_value_set_text (value, search->request->pipeline->id);
}

static void
compute_target (const SeamPath *path, SeamValue *value)
{
  const SeamSearch *search = path->outer->record;

  seam_value_set_text (value,
                       search->device != NULL ? search->device->id : search->request->target);
}

static void
compute_distribution (const SeamPath *path, SeamValue *value)
{
  const SeamRunRequest *request = ((const SeamSearch *)path->outer->record)->request;
  int distribution =
      request->tensors_dir != NULL ? SEAM_DISTRIBUTION_FILES : request->settings.distribution;

  seam_value_set_text (value, seam_choice_get_name (seam_distributions, distribution));
}

static void
compute_n_fused (const SeamPath *path, SeamValue *value)
{
  const SeamPoint *point = path->record;

  seam_value_set_integer (value, __builtin_popcount ((guint32)point->fused_seams));
  value->known = point->notation != NULL;
}

static void
compute_adjusted (const SeamPath *path, SeamValue *value)
{
  seam_value_set_double (value, ((const Table *)path->data)->times_ns[path->index]);
}

static void
compute_fastest (const SeamPath *path, SeamValue *value)
{
  seam_value_set_boolean (value, ((const Table *)path->data)->is_fastest[path->index]);
  value->known = ((const SeamPoint *)path->record)->state == SEAM_POINT_MEASURED;
}

static void
compute_pareto (const SeamPath *path, SeamValue *value)
{
  const SeamExploreView *view = ((const Table *)path->data)->view;

  if (view != NULL)
    seam_value_set_boolean (value, view->is_pareto[path->index]);
}

static void
compute_on_best_path (const SeamPath *path, SeamValue *value)
{
  const SeamExploreView *view = ((const Table *)path->data)->view;

  if (view != NULL)
    seam_value_set_boolean (value, seam_explore_view_is_on_path (view, path->index));
}

static void
compute_verdict (const SeamPath *path, SeamValue *value)
{
  const SeamPoint *point = path->record;
  g_autoptr (SeamVerdict) verdict = seam_search_judge (path->outer->record, path->index);

  if (point->state == SEAM_POINT_MEASURED)
    seam_value_set_text (value, seam_point_is_wrong (point) ? seam_point_get_fault (point)
                                : verdict != NULL           ? seam_verdict_get_word (verdict->kind)
                                                            : "reference");
}

/* Older surveys hold no interval of the ratio, but those of both times. */
#define INTERVAL(function, member)                                                                 \
  static void function (const SeamPath *path, SeamValue *value)                                    \
  {                                                                                                \
    double known = ((const SeamPoint *)path->record)->member;                                      \
    g_autoptr (SeamVerdict) verdict = seam_search_judge (path->outer->record, path->index);        \
    seam_value_set_double (value, known > 0 || verdict == NULL ? known : verdict->member);         \
  }
INTERVAL (compute_interval_low, ratio_low)
INTERVAL (compute_interval_high, ratio_high)

static void
compute_program_version (const SeamPath *path, SeamValue *value)
{
  seam_value_set_text (value, seam_version ());
}

static const SeamField computed[] = {
  SEAM_COMPUTED ("pipeline", compute_pipeline),
  SEAM_COMPUTED ("target", compute_target),
  SEAM_COMPUTED ("distribution", compute_distribution),
  SEAM_COMPUTED ("n_fused", compute_n_fused),
  SEAM_COMPUTED ("adjusted_median_ns", compute_adjusted),
  SEAM_COMPUTED ("fastest", compute_fastest),
  SEAM_COMPUTED ("pareto", compute_pareto),
  SEAM_COMPUTED ("on_best_path", compute_on_best_path),
  SEAM_COMPUTED ("program_version", compute_program_version),
  SEAM_COMPUTED ("speedup_ci_low", compute_interval_low),
  SEAM_COMPUTED ("speedup_ci_high", compute_interval_high),
  SEAM_COMPUTED ("verdict", compute_verdict),
  { NULL },
};

static const SeamView points_view = {
  .header =
      "survey,pipeline,target,device,math_mode,l2_state,seed,distribution,shape,plan,notation,"
      "n_fused,state,modelled_bytes,modelled_flop,full_rate_ns,floor_ns,expected_kernels,is_split,"
      "tensors_fit_cache,elapsed_median_ns,elapsed_ci_low_ns,elapsed_ci_high_ns,n_samples,"
      "reference_median_ns,adjusted_median_ns,fastest,kernels_sum_ns,span_ns,n_kernels,"
      "max_abs_error,max_error_ratio,n_failing,stable,executed,measured_at,message,pareto,"
      "on_best_path,program_version,launch_mode,storage,init,foreign_load,guess_ns,guess_low_ns,"
      "guess_high_ns,shows_nothing,speedup_ci_low,speedup_ci_high,verdict",
  .computed = computed,
};

char *
seam_search_to_rows (const SeamSearch *search, SeamRowsFormat format)
{
  SeamPath chosen = { .type = &seam_settings_type, .record = &search->request->settings };
  SeamPath whole = { .type = &search_type, .record = search, .outer = &chosen };
  SeamPath point = { .type = &seam_point_type, .outer = &whole };
  SeamViewWriter *writer = seam_view_open_as (&points_view, &point, format);
  Table table;

  table_init (&table, search);
  point.data = &table;
  for (point.index = 0; point.index < search->n_points; point.index++) {
    point.record = &search->points[point.index];
    seam_view_add_row (writer, &point);
  }
  table_clear (&table);
  return seam_view_close (writer);
}

/* --- reading back --- */

static gboolean
check_value (const char *column, const char *found, const char *expected, GError **error)
{
  if (strcmp (found, expected) == 0)
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_FILE,
      "Its points were measured with %s “%s”, and now it is “%s”: give the same choices "
      "again, or another file.",
      column, found, expected);
}

/* A column that is the same for all points of a search and tells the file of another search. */
static gboolean
check_column (const SeamPath *point, const SeamCsv *csv, const char *column, GError **error)
{
  g_autofree char *expected = seam_view_format (&points_view, point, column);

  for (int row = 0; expected != NULL && row < seam_csv_get_n_rows (csv); row++)
    if (!check_value (column, seam_csv_get (csv, row, column), expected, error))
      return FALSE;
  return TRUE;
}

/* Tables without the column have points that older versions measured in the then only way. */
static gboolean
check_setting (const SeamPath *point, const SeamCsv *csv, const SeamField *field, GError **error)
{
  const SeamSetting *setting = field->setting;
  const char *column = field->column != NULL ? field->column : field->name;
  g_autofree char *older = NULL, *expected = NULL;
  SeamSettings initial;

  if ((setting->marks & (SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_QUALIFIES)) == 0
      || setting->concerns == SEAM_CONCERN_AGAINST)
    return TRUE;
  if (seam_csv_has_column (csv, column))
    return check_column (point, csv, column, error);
  seam_record_init (&seam_settings_type, &initial);
  older = seam_setting_format (field, &initial);
  seam_record_clear (&seam_settings_type, &initial);
  expected = seam_view_format (&points_view, point, column);
  return check_value (setting->noun, older, expected != NULL ? expected : "", error);
}

/* Whether the file belongs to this search. */
static gboolean
check_rows (const SeamSearch *search, const SeamCsv *csv, GError **error)
{
  static const char *const common[] = { "survey", "pipeline", "target", "device", "math_mode" };
  static const char *const needed[] = {
    "survey",       "pipeline", "target", "device", "math_mode",         "l2_state",  "seed",
    "distribution", "shape",    "plan",   "state",  "elapsed_median_ns", "n_samples",
  };
  SeamPath chosen = { .type = &seam_settings_type, .record = &search->request->settings };
  SeamPath whole = { .type = &search_type, .record = search, .outer = &chosen };
  SeamPath point = { .type = &seam_point_type, .record = search->points, .outer = &whole };

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!seam_csv_has_column (csv, needed[i]))
      return seam_fail (error, SEAM_ERROR_FILE,
                        "It has no column “%s”, so it is no table that explore or sweep wrote.",
                        needed[i]);
  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++)
    if (!check_setting (&point, csv, *at, error))
      return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (common); i++)
    if (!check_column (&point, csv, common[i], error))
      return FALSE;
  return TRUE;
}

static char *
make_key (const char *shape, const char *plan)
{
  return g_strconcat (shape, "\n", plan, NULL);
}

/* FALSE if the row has nothing measured. */
static gboolean
read_row (const SeamCsv *csv, int row, SeamPoint *point)
{
  seam_record_init (&seam_point_type, point);
  seam_record_read_csv (&seam_point_type, csv, row, point);
  /* A point with a time is measured. An impossible point is tried again: another program may have
   * held the memory. */
  if (point->state == SEAM_POINT_MEASURED)
    return point->median_ns > 0 && point->n_samples > 0;
  return point->state == SEAM_POINT_FAILED;
}

gboolean
seam_search_merge_csv (SeamSearch *search, const char *text, GError **error)
{
  g_autoptr (SeamCsv) csv = seam_csv_parse (text, error);
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int n_rows, n_others = 0;

  if (csv == NULL || !check_rows (search, csv, error))
    return FALSE;
  for (int i = 0; i < search->n_points; i++)
    g_hash_table_insert (indices, make_key (search->points[i].shape, search->points[i].plan),
                         GINT_TO_POINTER (i + 1));
  n_rows = seam_csv_get_n_rows (csv);
  g_autofree int *points = g_new (int, n_rows + 1);
  for (int row = 0; row < n_rows; row++) {
    g_autofree char *key =
        make_key (seam_csv_get (csv, row, "shape"), seam_csv_get (csv, row, "plan"));
    points[row] = GPOINTER_TO_INT (g_hash_table_lookup (indices, key)) - 1;
    n_others += points[row] < 0;
  }
  /* Writing the file again would lose the other points. */
  if (n_others > 0)
    return seam_fail (
        error, SEAM_ERROR_FILE,
        "%d of its %d points are none of this %s's: give the same shape, fields and plans "
        "again, or another file.",
        n_others, n_rows, seam_search_kinds[search->kind].name);
  for (int row = 0; row < n_rows; row++) {
    SeamPoint point;
    if (read_row (csv, row, &point))
      seam_point_copy_measured (&search->points[points[row]], &point);
    seam_record_clear (&seam_point_type, &point);
  }
  return TRUE;
}

gboolean
seam_search_merge_file (SeamSearch *search, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) failure = NULL;

  if (!g_file_get_contents (path, &text, NULL, &failure))
    return seam_fail (error, SEAM_ERROR_FILE, "“%s” cannot be read: %s.", path, failure->message);
  if (*text == '\0') /* nothing was measured yet */
    return TRUE;
  if (seam_search_merge_csv (search, text, error))
    return TRUE;
  g_prefix_error (error, "“%s” cannot be resumed from. ", path);
  return FALSE;
}
