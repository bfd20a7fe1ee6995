/* SPDX-License-Identifier: MIT
 *
 * Comparisons as CSV and JSON. A column keeps its name, unit and place for good; new ones come
 * last.
 *
 * One row per number: comparison (from 1), pipeline, started_at_a, started_at_b, level
 *   ("condition", "run", "plan", "kernel"), plan, kernel, ops (of a kernel: "2-5", of the chain,
 *   from 0), match ("same", "changed", "added", "removed"), number (its unit is in the name), a, b,
 * change (b - a), ratio (b / a), text_a, text_b (of conditions), state (of conditions: "same",
 * "differs", "prevents"), verdict (in the row of elapsed_median_ns: "faster", …, of B against A),
 * speedup (a / b), speedup_ci_low, speedup_ci_high (95 %), note, pitfalls_a, pitfalls_b (mistakes
 * that the side was measured with on purpose: "zeros,warm-l2"; empty: none).
 */
#include "app/compare/run-comparison.h"

#include <math.h>

SEAM_COMPUTE (compute_change, double, seam_number_get_change (path->record))
SEAM_COMPUTE (compute_ratio, double, seam_number_get_ratio (path->record))

static const SeamField number_fields[] = {
  { .name = "number", SEAM_AT (SeamNumber, key, TEXT) },
  { SEAM_FIELD (SeamNumber, a, DOUBLE) },
  { SEAM_FIELD (SeamNumber, b, DOUBLE) },
  SEAM_COMPUTED ("change", compute_change),
  SEAM_COMPUTED ("ratio", compute_ratio),
  { NULL },
};

static const SeamRecordType number_type = {
  .name = "number",
  .size = sizeof (SeamNumber),
  .fields = number_fields,
};

static const SeamChoice states[] = {
  [SEAM_CONDITION_SAME] = { "same" },
  [SEAM_CONDITION_DIFFERS] = { "differs" },
  [SEAM_CONDITION_PREVENTS] = { "prevents" },
  { NULL },
};

static const SeamField condition_fields[] = {
  { .name = "condition", SEAM_AT (SeamCondition, title, TEXT) },
  { SEAM_FIELD (SeamCondition, a, TEXT), .column = "text_a" },
  { SEAM_FIELD (SeamCondition, b, TEXT), .column = "text_b" },
  { SEAM_FIELD (SeamCondition, state, CHOICE), .choices = states },
  { NULL },
};

static const SeamRecordType condition_type = {
  .name = "condition",
  .size = sizeof (SeamCondition),
  .fields = condition_fields,
};

SEAM_COMPUTE (compute_verdict, text, seam_verdict_get_word (SEAM_RECORD (SeamVerdict, path)->kind))

static const SeamField verdict_fields[] = {
  SEAM_COMPUTED ("verdict", compute_verdict),
  { SEAM_FIELD (SeamVerdict, headline, TEXT) },
  { SEAM_FIELD (SeamVerdict, next_step, TEXT) },
  { .name = "speedup", SEAM_AT (SeamVerdict, ratio, DOUBLE) },
  { .name = "speedup_ci_low", SEAM_AT (SeamVerdict, ratio_low, DOUBLE) },
  { .name = "speedup_ci_high", SEAM_AT (SeamVerdict, ratio_high, DOUBLE) },
  { NULL },
};

static const SeamRecordType verdict_type = {
  .name = "verdict",
  .size = sizeof (SeamVerdict),
  .fields = verdict_fields,
};

/* The data of a row about one number; everything is borrowed. */
typedef struct {
  int comparison; /* from 1 */
  const char *level, *plan, *kernel, *ops, *match, *note;
  const char *pipeline, *started_at_a, *started_at_b, *pitfalls_a, *pitfalls_b;
  const SeamNumber *number;
  const SeamCondition *condition; /* NULL: the row has no condition */
  const SeamVerdict *verdict;     /* NULL: none */
} Row;

#define TEXT(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (Row, m, TEXT)                                                                      \
  }

static const SeamField row_fields[] = {
  { SEAM_FIELD (Row, comparison, INT) },
  TEXT (level),
  TEXT (plan),
  TEXT (kernel),
  TEXT (ops),
  TEXT (match),
  TEXT (note),
  TEXT (pipeline),
  TEXT (started_at_a),
  TEXT (started_at_b),
  TEXT (pitfalls_a),
  TEXT (pitfalls_b),
  { SEAM_FIELD (Row, number, RECORD), .type = &number_type },
  { SEAM_FIELD (Row, condition, RECORD), .type = &condition_type },
  { SEAM_FIELD (Row, verdict, RECORD), .type = &verdict_type },
  { NULL },
};

static const SeamRecordType row_type = {
  .name = "row",
  .size = sizeof (Row),
  .fields = row_fields,
};

static const SeamView rows_view = {
  .header = "comparison,pipeline,started_at_a,started_at_b,level,plan,kernel,ops,match,number,a,b,"
            "change,ratio,text_a,text_b,state,verdict,speedup,speedup_ci_low,speedup_ci_high,note,"
            "pitfalls_a,pitfalls_b",
};

static void
add_row (SeamViewWriter *writer, const Row *row)
{
  SeamPath path = { .type = &row_type, .record = row };

  seam_view_add_row (writer, &path);
}

static void
add_numbers (SeamViewWriter *writer, Row row, const SeamNumber *numbers, int n)
{
  for (int i = 0; i < n; i++) {
    row.number = &numbers[i];
    add_row (writer, &row);
    /* Only the first row has the verdict and the note, which concern the whole. */
    row.verdict = NULL;
    row.note = NULL;
  }
}

static void
add_conditions (SeamViewWriter *writer, Row row, const SeamComparison *comparison)
{
  row.note = comparison->obstacle;
  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamNumber number = { .key = comparison->conditions[i].title, .a = NAN, .b = NAN };

    row.condition = &comparison->conditions[i];
    add_numbers (writer, row, &number, 1);
    row.note = NULL;
  }
}

static void
add_plan (SeamViewWriter *writer, Row row, const SeamComparison *comparison,
          const SeamPlanPair *plan)
{
  Row of_plan = row;

  row.plan = of_plan.plan = seam_comparison_get_plan_name (comparison, plan);
  of_plan.level = "plan";
  of_plan.match = seam_match_get_word (plan->match);
  of_plan.verdict = plan->verdict;
  of_plan.note = plan->verdict != NULL ? plan->change : NULL;
  add_numbers (writer, of_plan, plan->numbers, plan->n_numbers);
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernelPair *pair = &plan->kernels[i];
    const SeamKernel *kernel = seam_comparison_get_kernel (comparison, plan, pair);
    g_autofree char *ops = g_strdup_printf ("%d-%d", kernel->first_op, kernel->last_op);

    row.level = "kernel";
    row.kernel = kernel->short_name;
    row.ops = ops;
    row.match = seam_match_get_word (pair->match);
    add_numbers (writer, row, pair->numbers, pair->n_numbers);
  }
}

char *
seam_comparison_to_csv (SeamComparison *const *comparisons, int n)
{
  SeamPath path = { .type = &row_type };
  SeamViewWriter *writer = seam_view_open (&rows_view, &path);

  for (int i = 0; i < n; i++) {
    const SeamComparison *comparison = comparisons[i];
    Row row = { .comparison = i + 1,
                .pipeline = comparison->a->pipeline_id,
                .started_at_a = comparison->a->started_at,
                .started_at_b = comparison->b->started_at,
                .pitfalls_a = comparison->a->pitfalls,
                .pitfalls_b = comparison->b->pitfalls };

    row.level = "condition";
    add_conditions (writer, row, comparison);
    row.level = "run";
    add_numbers (writer, row, comparison->numbers, comparison->n_numbers);
    for (int k = 0; k < comparison->n_plans; k++)
      add_plan (writer, row, comparison, &comparison->plans[k]);
  }
  return seam_view_close (writer);
}

/* ---- JSON ---- */

static void
build_view (GVariantBuilder *builder, const char *header, const SeamRecordType *type,
            gconstpointer record)
{
  const SeamView view = { .header = header };
  SeamPath path = { .type = type, .record = record };

  seam_view_build (&view, &path, builder);
}

static void
build_numbers (GVariantBuilder *builder, const SeamNumber *numbers, int n)
{
  seam_builder_open_list (builder, "numbers");
  for (int i = 0; i < n; i++) {
    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    build_view (builder, "number,a,b,change,ratio", &number_type, &numbers[i]);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
}

static void
build_conditions (GVariantBuilder *builder, const SeamComparison *comparison)
{
  seam_builder_open_list (builder, "conditions");
  for (int i = 0; i < comparison->n_conditions; i++)
    g_variant_builder_add_value (
        builder, seam_record_to_variant (&condition_type, &comparison->conditions[i], TRUE));
  seam_builder_close_list (builder);
}

static void
build_plan (GVariantBuilder *builder, const SeamComparison *comparison, const SeamPlanPair *plan)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "plan", seam_comparison_get_plan_name (comparison, plan));
  seam_builder_string (builder, "match", seam_match_get_word (plan->match));
  seam_builder_string (builder, "change", plan->change);
  if (plan->verdict != NULL)
    build_view (builder, "verdict,headline,next_step,speedup,speedup_ci_low,speedup_ci_high",
                &verdict_type, plan->verdict);
  build_numbers (builder, plan->numbers, plan->n_numbers);
  seam_builder_open_list (builder, "kernels");
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernelPair *pair = &plan->kernels[i];
    const SeamKernel *kernel = seam_comparison_get_kernel (comparison, plan, pair);

    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (builder, "kernel", kernel->short_name);
    seam_builder_int64 (builder, "first_op", kernel->first_op);
    seam_builder_int64 (builder, "last_op", kernel->last_op);
    seam_builder_string (builder, "match", seam_match_get_word (pair->match));
    build_numbers (builder, pair->numbers, pair->n_numbers);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
  g_variant_builder_close (builder);
}

char *
seam_comparison_to_json (SeamComparison *const *comparisons, int n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_open_list (&builder, "comparisons");
  for (int i = 0; i < n; i++) {
    const SeamComparison *comparison = comparisons[i];

    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "pipeline", comparison->a->pipeline_id);
    seam_builder_string (&builder, "pitfalls_a", comparison->a->pitfalls);
    seam_builder_string (&builder, "pitfalls_b", comparison->b->pitfalls);
    seam_builder_string (&builder, "obstacle", comparison->obstacle);
    build_conditions (&builder, comparison);
    build_numbers (&builder, comparison->numbers, comparison->n_numbers);
    seam_builder_open_list (&builder, "plans");
    for (int k = 0; k < comparison->n_plans; k++)
      build_plan (&builder, comparison, &comparison->plans[k]);
    seam_builder_close_list (&builder);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_builder_end (&builder));
  return seam_variant_to_json (whole);
}
