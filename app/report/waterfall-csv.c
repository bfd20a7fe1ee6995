/* SPDX-License-Identifier: MIT
 *
 * Columns, which keep name, unit and place for good (new ones come last):
 *   pipeline, plan_a, plan_b, target, math_mode, shape, step, kind ("start", "gone", "added",
 *   "changed", "gaps", "remainder", "end"), label, group_a, group_b, from_ns, to_ns, delta_ns,
 *   detail, program_version, pitfalls and storage.
 */
#include "app/report/waterfall-csv.h"

#include "app/explain/waterfall.h"

static const SeamChoice kinds[] = {
  [SEAM_STEP_START] = { "start" }, [SEAM_STEP_GONE] = { "gone" },
  [SEAM_STEP_ADDED] = { "added" }, [SEAM_STEP_CHANGED] = { "changed" },
  [SEAM_STEP_GAPS] = { "gaps" },   [SEAM_STEP_REMAINDER] = { "remainder" },
  [SEAM_STEP_END] = { "end" },     { NULL },
};

/* The rows' data are the indices of both plans. */
static void
set_plan (const SeamPath *path, int side, SeamValue *value)
{
  const SeamResult *result = path->outer->record;

  seam_value_set_text (value,
                       seam_plan_result_get_name (&result->plans[((const int *)path->data)[side]]));
}

static void
compute_plan_a (const SeamPath *path, SeamValue *value)
{
  set_plan (path, 0, value);
}

static void
compute_plan_b (const SeamPath *path, SeamValue *value)
{
  set_plan (path, 1, value);
}

SEAM_COMPUTE (compute_step, integer, path->index)
SEAM_COMPUTE (compute_delta, double,
              SEAM_RECORD (SeamWaterfallStep, path)->to_ns
                  - SEAM_RECORD (SeamWaterfallStep, path)->from_ns)

#define GROUP(m) SEAM_FIELD (SeamWaterfallStep, m, INT), .flags = SEAM_OPTIONAL, .initial = -1

static const SeamField step_fields[] = {
  SEAM_COMPUTED ("plan_a", compute_plan_a),
  SEAM_COMPUTED ("plan_b", compute_plan_b),
  SEAM_COMPUTED ("step", compute_step),
  { SEAM_FIELD (SeamWaterfallStep, kind, CHOICE), .choices = kinds },
  { SEAM_FIELD (SeamWaterfallStep, label, TEXT) },
  { GROUP (group_a) },
  { GROUP (group_b) },
  { SEAM_FIELD (SeamWaterfallStep, from_ns, DOUBLE), .unit = "ns" },
  { SEAM_FIELD (SeamWaterfallStep, to_ns, DOUBLE), .unit = "ns" },
  SEAM_COMPUTED ("delta_ns", compute_delta),
  { SEAM_FIELD (SeamWaterfallStep, detail, TEXT) },
  { NULL },
};

static const SeamRecordType step_type = {
  .name = "step",
  .size = sizeof (SeamWaterfallStep),
  .fields = step_fields,
};

static const SeamView steps_view = {
  .header = "pipeline,plan_a,plan_b,target,math_mode,shape,step,kind,label,group_a,group_b,"
            "from_ns,to_ns,delta_ns,detail,program_version,pitfalls,storage",
};

char *
seam_waterfall_to_csv (const SeamResult *result, int a, int b, GError **error)
{
  g_autoptr (SeamWaterfall) waterfall = seam_waterfall_new (result, a, b, error);
  const int plans[] = { a, b };
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath step = { .type = &step_type, .outer = &run, .data = plans };
  SeamViewWriter *writer;

  if (waterfall == NULL)
    return NULL;
  writer = seam_view_open (&steps_view, &step);
  for (step.index = 0; step.index < waterfall->n_steps; step.index++) {
    step.record = &waterfall->steps[step.index];
    seam_view_add_row (writer, &step);
  }
  return seam_view_close (writer);
}
