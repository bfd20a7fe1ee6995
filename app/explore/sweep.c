/* SPDX-License-Identifier: MIT
 *
 * Reading the axes of a sweep, its points, and the answers about each shape.
 */
#include "app/explore/sweep.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* A plan waits for launches if its kernels run for less than this part of the elapsed time. */
#define LAUNCH_SHARE .5

/* --- directions --- */

void
seam_sweep_axis_clear (SeamSweepAxis *axis)
{
  g_clear_pointer (&axis->label, g_free);
  g_clear_pointer (&axis->values, g_free);
  axis->n_values = axis->n_fields = 0;
}

char *
seam_sweep_axis_format (const SeamSweepAxis *axis)
{
  GString *text = g_string_new (axis->label);

  for (int i = 0; i < axis->n_values; i++)
    g_string_append_printf (text, "%c%" G_GINT64_FORMAT, i == 0 ? '=' : ',', axis->values[i]);
  return g_string_free (text, FALSE);
}

static gboolean
read_fields (const SeamPipeline *pipeline, const char *text, SeamSweepAxis *axis, GError **error)
{
  g_auto (GStrv) keys = g_strsplit (text, "+", -1);

  for (int i = 0; keys[i] != NULL; i++) {
    int field = seam_pipeline_get_field (pipeline, g_strstrip (keys[i]));

    if (field < 0) {
      g_autoptr (GPtrArray) known = g_ptr_array_new_null_terminated (8, NULL, TRUE);
      for (int k = 0; k < pipeline->n_fields; k++)
        g_ptr_array_add (known, pipeline->fields[k].key);
      g_autofree char *list = seam_text_list ((const char *const *)known->pdata);
      return seam_fail (error, SEAM_ERROR_INPUT, "%s has no shape field “%s”: there are %s.",
                        pipeline->id, keys[i], list);
    }
    for (int k = 0; k < axis->n_fields; k++)
      if (axis->fields[k] == field)
        return seam_fail (error, SEAM_ERROR_INPUT, "“%s” names %s twice.", text, keys[i]);
    axis->fields[axis->n_fields++] = field;
  }
  axis->label = g_strjoinv ("+", keys);
  return TRUE;
}

static gboolean
add_value (GArray *values, gint64 value, GError **error)
{
  if (values->len >= SEAM_SWEEP_MAX_VALUES)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "A sweep has at most %d values in a direction: choose a larger step.",
                      SEAM_SWEEP_MAX_VALUES);
  g_array_append_val (values, value);
  return TRUE;
}

/* "first:last:step", with step a number or "log2". */
static gboolean
read_range (const char *text, const char *what, gint64 min, gint64 max, GArray *values,
            GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);
  gint64 first, last, step = 1;

  if (n < 2 || n > 3)
    return seam_fail (
        error, SEAM_ERROR_INPUT,
        "%s: “%s” is no range: write first:last:step, such as 1:128:log2 or 32:256:32, or "
        "a list such as 1,3,9.",
        what, text);
  gboolean is_log = n == 3 && g_str_has_prefix (parts[2], "log");
  if (!seam_text_parse_int64 (parts[0], what, min, max, &first, error)
      || !seam_text_parse_int64 (parts[1], what, min, max, &last, error)
      || (n == 3
          && !seam_text_parse_int64 (is_log ? parts[2] + 3 : parts[2], what, is_log ? 2 : 1, max,
                                     &step, error)))
    return FALSE;
  if (last < first)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s: the range “%s” ends before it begins.", what,
                      text);
  for (gint64 value = first; value <= last;) {
    if (!add_value (values, value, error))
      return FALSE;
    if (is_log ? value > last / step : value > last - step)
      break;
    value = is_log ? value * step : value + step;
  }
  return TRUE;
}

static gboolean
read_list (const char *text, const char *what, gint64 min, gint64 max, GArray *values,
           GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    gint64 value;
    if (!seam_text_parse_int64 (parts[i], what, min, max, &value, error)
        || !add_value (values, value, error))
      return FALSE;
  }
  return TRUE;
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

char *
seam_sweep_read_typed (const char *text, GError **error)
{
  const char *equals = strchr (text, '=');

  if (equals == NULL || strchr (equals, ':') != NULL)
    return g_strdup (text);
  g_autofree char *key = g_strndup (text, (gsize)(equals - text));
  g_autofree char *valid = g_utf8_make_valid (equals + 1, -1);
  g_auto (GStrv) parts = g_regex_split_simple (";|,\\s+", valid, 0, 0);
  for (int i = 0; parts[i] != NULL; i++) {
    g_strstrip (parts[i]);
    if (g_regex_match_simple ("^\\d{1,3}(,\\d{3})+$", parts[i], 0, 0)) {
      g_auto (GStrv) several = g_strsplit (parts[i], ",", -1);
      g_autofree char *one = g_strjoinv ("", several), *list = g_strjoinv ("; ", several);
      return seam_fail_null (error, SEAM_ERROR_INPUT, "%s: is “%s” %s or %s? Type one of the two.",
                             key, parts[i], one, list);
    }
    if (strchr (parts[i], ',') != NULL)
      continue;
    char *plain = seam_text_read_typed (parts[i], key, NULL, error);
    if (plain == NULL)
      return NULL;
    g_free (parts[i]);
    parts[i] = plain;
  }
  g_autofree char *list = g_strjoinv (",", parts);
  return g_strconcat (key, "=", list, NULL);
}

gboolean
seam_sweep_axis_parse (const SeamPipeline *pipeline, const char *text, SeamSweepAxis *axis,
                       GError **error)
{
  const char *equals = strchr (text, '=');
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 min = 1, max = G_MAXINT64;

  *axis = (SeamSweepAxis){ 0 };
  if (equals == NULL || equals == text || equals[1] == '\0')
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” does not say what to vary: write FIELD=FIRST:LAST:STEP or FIELD=A,B,C.",
                      text);
  g_autofree char *names = g_strndup (text, (gsize)(equals - text));
  if (!read_fields (pipeline, names, axis, error)) {
    seam_sweep_axis_clear (axis);
    return FALSE;
  }
  for (int i = 0; i < axis->n_fields; i++) {
    min = MAX (min, pipeline->fields[axis->fields[i]].min);
    max = MIN (max, pipeline->fields[axis->fields[i]].max);
  }
  gboolean ok = strchr (equals, ':') != NULL
                    ? read_range (equals + 1, axis->label, min, max, values, error)
                    : read_list (equals + 1, axis->label, min, max, values, error);
  if (!ok) {
    seam_sweep_axis_clear (axis);
    return FALSE;
  }
  g_array_sort (values, compare_values);
  for (guint i = 1; i < values->len; i++)
    if (g_array_index (values, gint64, i) == g_array_index (values, gint64, i - 1)) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                   "%s: the value %" G_GINT64_FORMAT " is given twice.", axis->label,
                   g_array_index (values, gint64, i));
      seam_sweep_axis_clear (axis);
      return FALSE;
    }
  axis->n_values = (int)values->len;
  axis->values = g_memdup2 (values->data, sizeof (gint64) * values->len);
  return TRUE;
}

/* --- points --- */

static gboolean
check (const SeamSweep *sweep, GError **error)
{
  gint64 n = (gint64)seam_sweep_get_n_x (sweep) * seam_sweep_get_n_y (sweep) * sweep->n_plans;

  if (sweep->n_plans < 1 || sweep->n_plans > SEAM_SWEEP_MAX_PLANS)
    return seam_fail (error, SEAM_ERROR_INPUT, "A sweep compares 1 to %d plans, and %d are chosen.",
                      SEAM_SWEEP_MAX_PLANS, sweep->n_plans);
  for (int i = 0; i < sweep->n_plans; i++)
    for (int k = 0; k < i; k++)
      if (strcmp (sweep->plans[i], sweep->plans[k]) == 0)
        return seam_fail (error, SEAM_ERROR_INPUT, "The plan “%s” is given twice.",
                          sweep->plans[i]);
  for (int i = 0; sweep->n_axes == 2 && i < sweep->axes[0].n_fields; i++)
    for (int k = 0; k < sweep->axes[1].n_fields; k++)
      if (sweep->axes[0].fields[i] == sweep->axes[1].fields[k])
        return seam_fail (error, SEAM_ERROR_INPUT,
                          "Both directions of the sweep vary %s: choose two different fields.",
                          sweep->search->request->pipeline->fields[sweep->axes[0].fields[i]].key);
  if (n > SEAM_SEARCH_MAX_POINTS)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "That would be %" G_GINT64_FORMAT
                      " points, and a sweep has at most %d: choose "
                      "larger steps or fewer plans.",
                      n, SEAM_SEARCH_MAX_POINTS);
  return TRUE;
}

static void
add_points (SeamSweep *sweep)
{
  for (int y = 0; y < seam_sweep_get_n_y (sweep); y++)
    for (int x = 0; x < seam_sweep_get_n_x (sweep); x++) {
      gint64 values[SEAM_MAX_FIELDS];

      memcpy (values, sweep->search->request->values, sizeof values);
      for (int i = 0; i < sweep->axes[0].n_fields; i++)
        values[sweep->axes[0].fields[i]] = sweep->axes[0].values[x];
      for (int i = 0; sweep->n_axes == 2 && i < sweep->axes[1].n_fields; i++)
        values[sweep->axes[1].fields[i]] = sweep->axes[1].values[y];
      for (int plan = 0; plan < sweep->n_plans; plan++)
        seam_search_add (sweep->search, values, sweep->plans[plan]);
    }
}

void
seam_sweep_set_letters (SeamSweep *sweep, SeamPlan *const *listed, int n_listed)
{
  int next = n_listed;

  for (int i = 0; i < sweep->n_plans; i++) {
    g_autoptr (SeamPlan) plan =
        seam_plan_parse (sweep->search->request->pipeline, sweep->plans[i], NULL);
    int place = 0;

    while (place < n_listed && (plan == NULL || !seam_plan_equal (plan, listed[place])))
      place++;
    sweep->letters[i] = (char)('A' + (place < n_listed ? place : next++));
  }
}

SeamSearch *
seam_sweep_new (const SeamRunRequest *request, SeamSweepAxis *axes, int n_axes, GError **error)
{
  const char *against = request->plans != NULL ? request->plans[0] : NULL;
  g_autoptr (SeamSearch) search =
      seam_search_new (SEAM_SEARCH_SWEEP, request, against, SEAM_SWEEP_MAX_PLANS);
  SeamSweep *sweep = search->sweep = g_new0 (SeamSweep, 1);

  sweep->search = search;
  sweep->plans = g_strdupv (request->plans);
  sweep->n_plans = sweep->plans != NULL ? (int)g_strv_length (sweep->plans) : 0;
  sweep->n_axes = n_axes;
  for (int i = 0; i < n_axes; i++) {
    sweep->axes[i] = axes[i];
    axes[i] = (SeamSweepAxis){ 0 };
  }
  if (!check (sweep, error))
    return NULL;
  seam_sweep_set_letters (sweep, NULL, 0);
  search->varied = n_axes == 2
                       ? g_strdup_printf ("%s and %s", sweep->axes[0].label, sweep->axes[1].label)
                       : g_strdup (sweep->axes[0].label);
  add_points (sweep);
  return g_steal_pointer (&search);
}

SeamSearch *
seam_sweep_new_from_texts (const SeamRunRequest *request, const char *vary_x, const char *vary_y,
                           GError **error)
{
  SeamSweepAxis axes[2] = { { 0 } };

  if (!seam_sweep_axis_parse (request->pipeline, vary_x, &axes[0], error))
    return NULL;
  if (vary_y != NULL && !seam_sweep_axis_parse (request->pipeline, vary_y, &axes[1], error)) {
    seam_sweep_axis_clear (&axes[0]);
    return NULL;
  }
  return seam_sweep_new (request, axes, vary_y != NULL ? 2 : 1, error);
}

void
seam_sweep_free (SeamSweep *sweep)
{
  if (sweep == NULL)
    return;
  for (int i = 0; i < 2; i++)
    seam_sweep_axis_clear (&sweep->axes[i]);
  g_strfreev (sweep->plans);
  g_free (sweep);
}

int
seam_sweep_get_n_x (const SeamSweep *sweep)
{
  return sweep->axes[0].n_values;
}

int
seam_sweep_get_n_y (const SeamSweep *sweep)
{
  return sweep->n_axes == 2 ? sweep->axes[1].n_values : 1;
}

int
seam_sweep_get_point (const SeamSweep *sweep, int x, int y, int plan)
{
  return (y * seam_sweep_get_n_x (sweep) + x) * sweep->n_plans + plan;
}

/* --- what is known --- */

/* Compares two numbers of the same traced executions: on a shared machine the timed samples may
 * have been slower. */
static gboolean
is_launch_bound (const SeamPoint *point)
{
  return point->state == SEAM_POINT_MEASURED
         && point->kernels_sum_ns < LAUNCH_SHARE * point->span_ns;
}

void
seam_sweep_get_shape (const SeamSweep *sweep, int x, int y, SeamSweepShape *shape)
{
  int first = seam_sweep_get_point (sweep, x, y, 0);
  double second_ns = NAN;

  *shape = (SeamSweepShape){
    .winner = -1, .winner_ns = NAN, .against_ns = NAN, .second = -1, .margin = NAN, .is_whole = TRUE
  };
  for (int plan = 0; plan < sweep->n_plans; plan++) {
    const SeamPoint *point = &sweep->search->points[first + plan];

    shape->is_whole = shape->is_whole && point->state != SEAM_POINT_PENDING;
    shape->fits_cache = shape->fits_cache || point->tensors_fit_cache;
    if (point->state != SEAM_POINT_MEASURED || seam_point_is_wrong (point))
      continue;
    /* All plans of a shape run in one batch, so that their medians compare without correction. */
    if (plan == 0)
      shape->against_ns = point->median_ns;
    if (isnan (shape->winner_ns) || point->median_ns < shape->winner_ns) {
      second_ns = shape->winner_ns;
      shape->second = shape->winner;
      shape->winner_ns = point->median_ns;
      shape->winner = plan;
    } else if (isnan (second_ns) || point->median_ns < second_ns) {
      second_ns = point->median_ns;
      shape->second = plan;
    }
  }
  shape->margin = second_ns / shape->winner_ns;
  shape->is_clear = shape->winner >= 0 && !isnan (second_ns);
  for (int plan = 0; plan < sweep->n_plans && shape->is_clear; plan++) {
    const SeamPoint *point = &sweep->search->points[first + plan];

    if (plan != shape->winner && point->state == SEAM_POINT_MEASURED
        && !seam_point_is_wrong (point))
      shape->is_clear = seam_point_is_ahead (&sweep->search->points[first + shape->winner],
                                             shape->winner_ns, point, point->median_ns);
  }
  shape->launch_bound = is_launch_bound (&sweep->search->points[first]);
}

double
seam_sweep_get_predicted (const SeamPoint *point)
{
  return point->state == SEAM_POINT_PENDING && point->guess_ns > 0 ? point->guess_ns : NAN;
}

gboolean
seam_sweep_is_predicted (const SeamSweep *sweep)
{
  gboolean any = FALSE;

  if (seam_search_count (sweep->search, SEAM_POINT_MEASURED) > 0)
    return FALSE;
  for (int i = 0; i < sweep->search->n_points; i++)
    any = any || !isnan (seam_sweep_get_predicted (&sweep->search->points[i]));
  return any;
}

void
seam_sweep_predict_shape (const SeamSweep *sweep, int x, int y, SeamSweepShape *shape)
{
  const SeamPoint *points = &sweep->search->points[seam_sweep_get_point (sweep, x, y, 0)];
  double second_ns = NAN;

  *shape = (SeamSweepShape){ .winner = -1,
                             .winner_ns = NAN,
                             .against_ns = seam_sweep_get_predicted (&points[0]),
                             .margin = NAN,
                             .is_clear = TRUE };
  for (int plan = 0; plan < sweep->n_plans; plan++) {
    double ns = seam_sweep_get_predicted (&points[plan]);

    shape->fits_cache = shape->fits_cache || points[plan].tensors_fit_cache;
    if (points[plan].state != SEAM_POINT_PENDING)
      continue;
    /* An unknown time may be the shortest. */
    if (isnan (ns)) {
      shape->winner = -1;
      shape->winner_ns = NAN;
      return;
    }
    if (!(ns >= shape->winner_ns)) {
      second_ns = shape->winner_ns;
      shape->winner_ns = ns;
      shape->winner = plan;
    } else if (!(ns >= second_ns)) {
      second_ns = ns;
    }
  }
  shape->margin = second_ns / shape->winner_ns;
}

char *
seam_sweep_describe_point (const SeamSweep *sweep, int index)
{
  const SeamPoint *point = &sweep->search->points[index];
  const SeamPoint *first = &sweep->search->points[index - index % sweep->n_plans];
  int shape = index / sweep->n_plans, n_x = seam_sweep_get_n_x (sweep);
  GString *text = g_string_new (NULL);
  g_autofree char *time = seam_text_time (point->median_ns);
  g_autofree char *load = seam_load_describe (point->foreign_load);
  double half = (point->ci_high_ns - point->ci_low_ns) / 2 / point->median_ns;

  g_string_append_printf (text, "%s %" G_GINT64_FORMAT, sweep->axes[0].label,
                          sweep->axes[0].values[shape % n_x]);
  if (sweep->n_axes == 2)
    g_string_append_printf (text, ", %s %" G_GINT64_FORMAT, sweep->axes[1].label,
                            sweep->axes[1].values[shape / n_x]);
  g_string_append_printf (text, ", %s: ", point->plan);
  if (point->state != SEAM_POINT_MEASURED) {
    g_string_append (text, seam_point_state_get_name (point->state));
    if (!isnan (seam_sweep_get_predicted (point))) {
      g_autofree char *predicted = seam_point_describe_prediction (point);
      g_string_append_printf (text, ", predicted %s", predicted);
    }
    g_string_append_printf (text, ".%s%s", point->message != NULL ? " " : "",
                            point->message != NULL ? point->message : "");
    return g_string_free (text, FALSE);
  }
  g_string_append (text, time);
  if (!isnan (half)) {
    g_autofree char *percent = seam_text_percent (half);
    g_string_append_printf (text, " ± %s %%", percent);
  }
  if (point != first && first->state == SEAM_POINT_MEASURED) {
    g_autoptr (SeamVerdict) verdict = seam_search_judge (sweep->search, index);
    g_autofree char *words = seam_point_describe_verdict (verdict, first->plan);
    g_string_append_printf (text, ", %s", words);
  }
  g_string_append_printf (text, "; %d sample%s.", point->n_samples,
                          point->n_samples == 1 ? "" : "s");
  if (seam_point_is_wrong (point))
    g_string_append_printf (text, " Its output is %s.", seam_point_get_fault (point));
  if (load != NULL)
    g_string_append_printf (text, " %s", load);
  if (point->tensors_fit_cache)
    g_string_append (text, " An intermediate tensor fits the last-level cache.");
  return g_string_free (text, FALSE);
}

char *
seam_sweep_describe (const SeamSweep *sweep)
{
  GString *text = g_string_new (NULL);
  int last = -1;

  if (sweep->n_axes != 1)
    return g_string_free (text, FALSE);
  for (int x = 0; x < seam_sweep_get_n_x (sweep); x++) {
    SeamSweepShape shape;

    seam_sweep_get_shape (sweep, x, 0, &shape);
    if (shape.winner < 0 || shape.winner == last)
      continue;
    g_autofree char *margin = seam_text_ratio (shape.margin);
    g_string_append_printf (text, "%s%s %s %" G_GINT64_FORMAT "%s %s is the fastest",
                            text->len > 0 ? " " : "", last < 0 ? "At" : "From",
                            sweep->axes[0].label, sweep->axes[0].values[x], last < 0 ? "" : " on",
                            sweep->plans[shape.winner]);
    if (shape.second >= 0) {
      const SeamPoint *points = &sweep->search->points[seam_sweep_get_point (sweep, x, 0, 0)];
      const SeamPoint *a = &points[shape.second], *b = &points[shape.winner];
      g_autoptr (SeamVerdict) verdict = seam_point_judge (a, a->median_ns, b, b->median_ns);

      g_string_append_printf (text, " (%s ahead of the next, %s%s)", margin, verdict->detail,
                              shape.is_clear ? "" : ", which is not clear");
    }
    g_string_append_c (text, '.');
    last = shape.winner;
  }
  return g_string_free (text, FALSE);
}
