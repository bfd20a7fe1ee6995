/* SPDX-License-Identifier: MIT
 *
 * The lab as CSV, one row a case and plan: pipeline, plan, target, device, math_mode, l2_state (as
 * asked for), shape, pitfalls (empty: honest), possible, n_samples, elapsed_median_ns,
 * elapsed_ci_low_ns, elapsed_ci_high_ns (95 %), honest_median_ns, speedup (of the second plan over
 * the first: median over median), speedup_ci_low, speedup_ci_high, honest_speedup, finding,
 * program_version, storage ("fp32", "between", "all"). A column keeps its name, unit and place for
 * good; new ones come last.
 */
#include "app/explore/pitfall-lab.h"

#include "app/base/csv-text.h"

static void
add_row (GString *csv, const SeamLab *lab, int index, int plan)
{
  const SeamResult *result = lab->cases[SEAM_LAB_HONEST].rounds[0];
  const SeamDeviceInfo *device = result != NULL ? result->device : NULL;
  gboolean is_honest = index == SEAM_LAB_HONEST;
  g_autofree char *finding = seam_lab_describe (lab, index);
  const SeamSettings *settings = result != NULL ? &result->settings : &lab->request->settings;
  SeamLabNumbers honest, numbers;

  seam_lab_get_numbers (lab, SEAM_LAB_HONEST, &honest);
  seam_lab_get_numbers (lab, index, &numbers);
  seam_csv_add_text (csv, lab->request->pipeline->id);
  seam_csv_add_text (csv, lab->request->plans[plan]);
  seam_csv_add_text (csv, device != NULL ? device->id : lab->request->target);
  seam_csv_add_text (csv, device != NULL ? device->name : NULL);
  seam_csv_add_text (csv, seam_math_mode_get_name (settings->math_mode));
  seam_csv_add_text (csv, lab->request->settings.cold ? "cold" : "warm");
  seam_csv_add_text (csv, result != NULL ? result->shape : NULL);
  seam_csv_add_text (csv, is_honest ? NULL : seam_pitfall_get_name (lab->cases[index].pitfall));
  seam_csv_add_boolean (csv, lab->cases[index].why_not == NULL);
  seam_csv_add_integer (csv, numbers.n_samples[plan]);
  seam_csv_add_number (csv, numbers.time_ns[plan]);
  seam_csv_add_number (csv, numbers.low_ns[plan]);
  seam_csv_add_number (csv, numbers.high_ns[plan]);
  seam_csv_add_number (csv, honest.time_ns[plan]);
  seam_csv_add_number (csv, numbers.ratio);
  seam_csv_add_number (csv, numbers.ratio_low);
  seam_csv_add_number (csv, numbers.ratio_high);
  seam_csv_add_number (csv, honest.ratio);
  seam_csv_add_text (csv, finding);
  seam_csv_add_text (csv, result != NULL ? result->program_version : NULL);
  seam_csv_add_text (csv, seam_choice_get_name (seam_storages, settings->storage));
  seam_csv_end_row (csv);
}

char *
seam_lab_to_csv (const SeamLab *lab)
{
  static const char *const names[] = {
    "pipeline",
    "plan",
    "target",
    "device",
    "math_mode",
    "l2_state",
    "shape",
    "pitfalls",
    "possible",
    "n_samples",
    "elapsed_median_ns",
    "elapsed_ci_low_ns",
    "elapsed_ci_high_ns",
    "honest_median_ns",
    "speedup",
    "speedup_ci_low",
    "speedup_ci_high",
    "honest_speedup",
    "finding",
    "program_version",
    "storage",
    NULL,
  };
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, names);
  for (int i = 0; i < SEAM_LAB_N_CASES; i++)
    for (int plan = 0; lab->cases[i].wanted && plan < lab->n_plans; plan++)
      add_row (csv, lab, i, plan);
  return g_string_free (csv, FALSE);
}
