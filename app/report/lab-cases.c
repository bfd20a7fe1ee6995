/* SPDX-License-Identifier: MIT
 *
 * Rows of the pitfall lab. Every row says by its name whether it is honest.
 *
 * The CSV has one row per case and plan: pipeline, plan, target, device, math_mode, l2_state (as
 * asked for), shape, pitfalls (empty: honest), possible, n_samples, elapsed_median_ns,
 * elapsed_ci_low_ns, elapsed_ci_high_ns (95 %), honest_median_ns, speedup (of the second plan over
 * the first: median over median), speedup_ci_low, speedup_ci_high, honest_speedup, finding,
 * program_version, storage ("fp32", "between", "all"). A column keeps its name, unit and place for
 * good; new ones come last.
 */
#include "app/report/lab-cases.h"

#include <math.h>

static const SeamColumn columns[] = {
  { .name = "case", .title = "Case", .bold = TRUE, .expand = TRUE },
  { .name = "a", .title = "A", .kind = SEAM_CELL_TIME },
  { .name = "a-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_INTERVAL,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "b", .title = "B", .kind = SEAM_CELL_TIME },
  { .name = "b-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_INTERVAL,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "ratio", .title = "A over B", .kind = SEAM_CELL_RATIO, .bold = TRUE },
  { .name = "ratio-interval",
    .title = "95 % interval",
    .kind = SEAM_CELL_RATIO,
    .dim = TRUE,
    .wide_only = TRUE },
};

SeamTable *
seam_lab_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

static void
fill_interval (SeamCell *cell, double low, double high)
{
  if (!isfinite (low) || !isfinite (high))
    return;
  cell->value = low;
  cell->high = high;
}

static void
fill_time (SeamTable *table, SeamTableRow *row, const char *name, const char *interval,
           const SeamLabNumbers *numbers, int plan)
{
  SeamCell *time = seam_table_get_cell (table, row, name);
  g_autofree char *count = seam_text_count (numbers->n_samples[plan]);

  time->value = numbers->time_ns[plan];
  time->words = g_strdup_printf ("%s samples", count);
  fill_interval (seam_table_get_cell (table, row, interval), numbers->low_ns[plan],
                 numbers->high_ns[plan]);
}

static void
add_row (SeamTable *table, const SeamLab *lab, int index)
{
  SeamTableRow *row = seam_table_append (table, 0, index);
  SeamCell *ratio = seam_table_get_cell (table, row, "ratio");
  g_autofree char *finding = seam_lab_describe (lab, index);
  SeamLabNumbers numbers;

  seam_lab_get_numbers (lab, index, &numbers);
  seam_cell_take (seam_table_get_cell (table, row, "case"),
                  g_strdup (seam_lab_get_title (lab, index)), finding);
  fill_time (table, row, "a", "a-interval", &numbers, 0);
  fill_time (table, row, "b", "b-interval", &numbers, 1);
  ratio->value = numbers.ratio;
  ratio->words = g_strdup (finding);
  if (index != SEAM_LAB_HONEST)
    ratio->tone = SEAM_TONE_BAD;
  fill_interval (seam_table_get_cell (table, row, "ratio-interval"), numbers.ratio_low,
                 numbers.ratio_high);
}

/* Chooses the unit for the honest times: a mistake that makes others a thousand times longer must
 * not make these tiny. */
static void
set_unit (SeamTable *table, const SeamLab *lab)
{
  SeamLabNumbers honest;
  double longest;

  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &honest);
  longest = fmax (honest.time_ns[0], honest.time_ns[1]);
  if (!isnan (longest))
    seam_table_set_unit (table, SEAM_CELL_TIME, seam_unit_for_time (longest));
}

SeamTable *
seam_lab_table_make (const SeamLab *lab)
{
  static const char *const of_two[] = { "b", "b-interval", "ratio", "ratio-interval" };
  SeamTable *table = seam_lab_table_new ();

  for (guint i = 0; lab->n_plans < 2 && i < G_N_ELEMENTS (of_two); i++)
    seam_table_leave_out (table, of_two[i]);
  set_unit (table, lab);
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].wanted)
      add_row (table, lab, i);
  return table;
}

/* --- CSV --- */

typedef struct {
  const char *pipeline, *plan, *target, *l2_state, *pitfalls, *finding;
  gboolean possible;
  int n_samples;
  double elapsed_median_ns, elapsed_ci_low_ns, elapsed_ci_high_ns, honest_median_ns;
  double speedup, speedup_ci_low, speedup_ci_high, honest_speedup;
} Row;

static const SeamField row_fields[] = {
  { SEAM_FIELD (Row, pipeline, TEXT) },
  { SEAM_FIELD (Row, plan, TEXT) },
  { SEAM_FIELD (Row, target, TEXT) },
  { SEAM_FIELD (Row, l2_state, TEXT) },
  { SEAM_FIELD (Row, pitfalls, TEXT) },
  { SEAM_FIELD (Row, possible, BOOLEAN) },
  { SEAM_FIELD (Row, n_samples, INT) },
  { SEAM_FIELD (Row, elapsed_median_ns, DOUBLE), .unit = "ns" },
  { SEAM_FIELD (Row, elapsed_ci_low_ns, DOUBLE), .unit = "ns" },
  { SEAM_FIELD (Row, elapsed_ci_high_ns, DOUBLE), .unit = "ns" },
  { SEAM_FIELD (Row, honest_median_ns, DOUBLE), .unit = "ns" },
  { SEAM_FIELD (Row, speedup, DOUBLE) },
  { SEAM_FIELD (Row, speedup_ci_low, DOUBLE) },
  { SEAM_FIELD (Row, speedup_ci_high, DOUBLE) },
  { SEAM_FIELD (Row, honest_speedup, DOUBLE) },
  { SEAM_FIELD (Row, finding, TEXT) },
  { NULL },
};

static const SeamRecordType row_type = {
  .name = "case",
  .size = sizeof (Row),
  .fields = row_fields,
};

static const SeamView rows_view = {
  .header = "pipeline,plan,target,device,math_mode,l2_state,shape,pitfalls,possible,n_samples,"
            "elapsed_median_ns,elapsed_ci_low_ns,elapsed_ci_high_ns,honest_median_ns,speedup,"
            "speedup_ci_low,speedup_ci_high,honest_speedup,finding,program_version,storage",
};

static void
add_case (SeamViewWriter *writer, const SeamLab *lab, int index, SeamPath *path)
{
  const SeamDeviceInfo *device = path->outer->record;
  g_autofree char *finding = seam_lab_describe (lab, index);
  SeamLabNumbers honest, numbers;

  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &honest);
  seam_lab_get_numbers (lab, index, &numbers);
  for (int plan = 0; plan < lab->n_plans; plan++) {
    const Row row = {
      .pipeline = lab->request->pipeline->id,
      .plan = lab->request->plans[plan],
      .target = device != NULL ? device->id : lab->request->target,
      .l2_state = lab->request->settings.cold ? "cold" : "warm",
      .pitfalls =
          index == SEAM_LAB_HONEST ? NULL : seam_pitfall_get_name (lab->cases[index].pitfall),
      .finding = finding,
      .possible = lab->cases[index].why_not == NULL,
      .n_samples = numbers.n_samples[plan],
      .elapsed_median_ns = numbers.time_ns[plan],
      .elapsed_ci_low_ns = numbers.low_ns[plan],
      .elapsed_ci_high_ns = numbers.high_ns[plan],
      .honest_median_ns = honest.time_ns[plan],
      .speedup = numbers.ratio,
      .speedup_ci_low = numbers.ratio_low,
      .speedup_ci_high = numbers.ratio_high,
      .honest_speedup = honest.ratio,
    };

    path->record = &row;
    seam_view_add_row (writer, path);
  }
}

char *
seam_lab_to_csv (const SeamLab *lab)
{
  const SeamResult *result = lab->cases[SEAM_LAB_HONEST].rounds[0];
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath chosen = { .type = &seam_settings_type,
                      .record = result != NULL ? &result->settings : &lab->request->settings,
                      .outer = &run };
  SeamPath device = { .type = &seam_device_info_type,
                      .record = result != NULL ? result->device : NULL,
                      .outer = &chosen };
  SeamPath row = { .type = &row_type, .outer = &device };
  SeamViewWriter *writer = seam_view_open (&rows_view, &row);

  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    if (lab->cases[i].wanted)
      add_case (writer, lab, i, &row);
  return seam_view_close (writer);
}
