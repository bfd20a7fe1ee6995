/* SPDX-License-Identifier: MIT
 *
 * Progress of a run: the names of its steps, and its fields.
 */
#include "app/result/result.h"

static const SeamChoice steps[] = {
  [SEAM_STEP_ALLOCATE] = { "Allocate" },
  [SEAM_STEP_REFERENCE] = { "FP64 reference" },
  [SEAM_STEP_CHECK] = { "Check outputs" },
  [SEAM_STEP_WARM_UP] = { "Warm up" },
  [SEAM_STEP_MEASURE] = { "Measure" },
  [SEAM_STEP_TRACE] = { "Trace kernels" },
  [SEAM_STEP_CHECK_AGAIN] = { "Check again" },
  [SEAM_STEP_DONE] = { "Done" },
  { NULL },
};

const char *
seam_step_get_title (SeamStep step)
{
  return (guint)step < SEAM_N_STEPS ? steps[step].name : "";
}

static void
check_new_plans (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamProgress *progress = record;

  for (int i = 0; i < progress->n_new; i++)
    if (progress->new_plans[i] < 0)
      seam_reader_fail (reader, "a sample belongs to plan %d", progress->new_plans[i]);
}

static const SeamField fields[] = {
  { SEAM_FIELD (SeamProgress, step, CHOICE), .flags = SEAM_REQUIRED | SEAM_AS_NUMBER,
    .choices = steps },
  { SEAM_FIELD (SeamProgress, with_reference, BOOLEAN) },
  { SEAM_FIELD (SeamProgress, fraction, DOUBLE) },
  { SEAM_FIELD (SeamProgress, elapsed_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamProgress, budget_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamProgress, plan, INT), .initial = -1, .min = -1, .max = 255 },
  { SEAM_FIELD (SeamProgress, bytes_allocated, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamProgress, clock_mhz, DOUBLE) },
  { SEAM_FIELD (SeamProgress, power_w, DOUBLE) },
  { SEAM_FIELD (SeamProgress, temperature_c, DOUBLE) },
  { SEAM_FIELD (SeamProgress, load_power_w, DOUBLE) },
  { SEAM_FIELD (SeamProgress, load_temperature_c, DOUBLE) },
  { SEAM_FIELD (SeamProgress, new_plans, INTS), SEAM_COUNT (SeamProgress, n_new),
    .check = check_new_plans },
  { .name = "new",
    SEAM_AT (SeamProgress, new_samples, COLUMNS),
    SEAM_COUNT (SeamProgress, n_new),
    .type = &seam_sample_type },
  { NULL },
};

const SeamRecordType seam_progress_type = {
  .name = "progress",
  .size = sizeof (SeamProgress),
  .fields = fields,
  .max = 1,
};
