/* SPDX-License-Identifier: MIT
 *
 * Points as a table and as CSV. Columns of the CSV, which keep name, unit and place for good (new
 * ones come last):
 *   pipeline, plan, target, math_mode, l2_state, shape, point ("plan", "kernel"), kernel (index),
 *   label, operations, bytes, bytes_source ("measured", "modelled"), time_ns, operations_per_byte,
 *   operations_per_s, attainable_operations_per_s, of_attainable (0..1), bytes_per_s,
 *   bound_bytes_per_s, bound_operations_per_s, rates_source, program_version, pitfalls, level
 *   ("memory", or "cache": bytes and bound are those of the last-level cache) and storage.
 */
#include "app/report/roofline-points.h"

#include <math.h>

SEAM_COMPUTE (compute_point, text,
              SEAM_RECORD (SeamRooflinePoint, path)->kernel < 0 ? "plan" : "kernel")
SEAM_COMPUTE (compute_source, text,
              SEAM_RECORD (SeamRooflinePoint, path)->measured ? "measured" : "modelled")
SEAM_COMPUTE (compute_of_attainable, double,
              SEAM_RECORD (SeamRooflinePoint, path)->rate
                  / SEAM_RECORD (SeamRooflinePoint, path)->attainable)
SEAM_COMPUTE (compute_bytes_rate, double,
              SEAM_RECORD (SeamRooflinePoint, path)->bytes
                  / SEAM_RECORD (SeamRooflinePoint, path)->time_ns * 1e9)

/* The outer path's data is the roofline. */
static void
compute_memory_bound (const SeamPath *path, SeamValue *value)
{
  const SeamRoofline *roofline = path->outer->data;
  gboolean is_cache = ((const SeamRooflinePoint *)path->record)->is_cache;
  double rate = NAN;

  for (int i = 0; i < roofline->n_bounds; i++) {
    const SeamRooflineBound *bound = &roofline->bounds[i];

    if (bound->kind == SEAM_BOUND_MEMORY && bound->is_cache == is_cache)
      rate = bound->rate;
  }
  seam_value_set_double (value, rate);
}

static void
compute_arithmetic_bound (const SeamPath *path, SeamValue *value)
{
  const SeamRoofline *roofline = path->outer->data;
  int bound = ((const SeamRooflinePoint *)path->record)->arithmetic;

  seam_value_set_double (value, bound >= 0 ? roofline->bounds[bound].rate : NAN);
}

SEAM_COMPUTE (compute_level, text,
              SEAM_RECORD (SeamRooflinePoint, path)->is_cache ? "cache" : "memory")

#define NUMBER(m, c)                                                                               \
  {                                                                                                \
    .name = c, SEAM_AT (SeamRooflinePoint, m, DOUBLE)                                              \
  }

static const SeamField point_fields[] = {
  SEAM_COMPUTED ("point", compute_point),
  { SEAM_FIELD (SeamRooflinePoint, kernel, INT), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (SeamRooflinePoint, label, TEXT) },
  NUMBER (operations, "operations"),
  NUMBER (bytes, "bytes"),
  SEAM_COMPUTED ("bytes_source", compute_source),
  NUMBER (time_ns, "time_ns"),
  NUMBER (intensity, "operations_per_byte"),
  NUMBER (rate, "operations_per_s"),
  NUMBER (attainable, "attainable_operations_per_s"),
  SEAM_COMPUTED ("of_attainable", compute_of_attainable),
  SEAM_COMPUTED ("bytes_per_s", compute_bytes_rate),
  SEAM_COMPUTED ("bound_bytes_per_s", compute_memory_bound),
  SEAM_COMPUTED ("bound_operations_per_s", compute_arithmetic_bound),
  SEAM_COMPUTED ("level", compute_level),
  { NULL },
};

static const SeamRecordType point_type = {
  .name = "point",
  .size = sizeof (SeamRooflinePoint),
  .fields = point_fields,
};

static const SeamView points_view = {
  .header = "pipeline,plan,target,math_mode,l2_state,shape,point,kernel,label,operations,bytes,"
            "bytes_source,time_ns,operations_per_byte,operations_per_s,"
            "attainable_operations_per_s,of_attainable,bytes_per_s,bound_bytes_per_s,"
            "bound_operations_per_s,rates_source,program_version,pitfalls,level,storage",
};

static gboolean
add_plan (SeamViewWriter *writer, SeamPath *plan, SeamPath *point, GError **error)
{
  const SeamResult *result = plan->outer->record;
  g_autoptr (SeamRoofline) roofline = seam_roofline_new (result, plan->index, -1, error);

  if (roofline == NULL)
    return FALSE;
  plan->record = &result->plans[plan->index];
  plan->data = roofline;
  for (point->index = 0; point->index < roofline->n_points; point->index++) {
    point->record = &roofline->points[point->index];
    seam_view_add_row (writer, point);
  }
  return TRUE;
}

char *
seam_roofline_to_csv (const SeamResult *result, GError **error)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath point = { .type = &point_type, .outer = &plan };
  SeamViewWriter *writer = seam_view_open (&points_view, &point);
  gboolean is_whole = TRUE;
  char *csv;

  for (plan.index = 0; is_whole && plan.index < result->n_plans; plan.index++)
    is_whole = add_plan (writer, &plan, &point, error);
  csv = seam_view_close (writer);
  if (is_whole)
    return csv;
  g_free (csv);
  return NULL;
}

/* The table for people. */

static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "label", .title = "Kernel or plan", .value = "label", .expand = TRUE },
  { .name = "operations",
    .title = "All operations",
    .kind = SEAM_CELL_FLOP,
    .value = "operations",
    .wide_only = TRUE },
  { .name = "bytes", .title = "Bytes", .kind = SEAM_CELL_BYTES, .value = "bytes" },
  { .name = "source", .title = "Source", .value = "bytes_source", .dim = TRUE, .wide_only = TRUE },
  { .name = "time", .title = "Time", .kind = SEAM_CELL_TIME, .value = "time_ns" },
  { .name = "intensity",
    .title = "FLOP/B",
    .kind = SEAM_CELL_DIGITS,
    .value = "operations_per_byte" },
  { .name = "rate", .title = "Rate", .kind = SEAM_CELL_FLOP_RATE, .value = "operations_per_s" },
  { .name = "attained",
    .title = "Of the bound",
    .kind = SEAM_CELL_PERCENT,
    .value = "of_attainable" },
};

SeamTable *
seam_roofline_table_make (const SeamRoofline *roofline)
{
  SeamTable *table = seam_table_new (columns, G_N_ELEMENTS (columns));
  SeamPath path = { .type = &point_type };

  for (path.index = 0; path.index < roofline->n_points; path.index++) {
    const SeamRooflinePoint *point = &roofline->points[path.index];
    SeamTableRow *row = seam_table_append (table, point->side, point->kernel);

    path.record = point;
    seam_table_read_row (table, row, &points_view, &path);
    seam_cell_take (seam_table_get_cell (table, row, "plan"),
                    g_strndup (&roofline->letters[point->side], 1), NULL);
    if (point->kernel < 0)
      seam_cell_take (seam_table_get_cell (table, row, "label"),
                      g_strdup_printf ("whole plan, %s", point->label), NULL);
    if (point->is_cache)
      seam_cell_take (seam_table_get_cell (table, row, "source"), g_strdup ("measured, cache"),
                      NULL);
    if (point->rate > point->attainable)
      seam_table_get_cell (table, row, "attained")->tone = SEAM_TONE_BAD;
  }
  return table;
}
