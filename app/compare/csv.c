/* SPDX-License-Identifier: MIT
 *
 * CSV of a result. A column keeps its name, unit and place for good; new ones come last. Every
 * table also has the column pitfalls: mistakes that the run was made with on purpose
 * ("zeros,warm-l2"), empty for none.
 *
 * Samples: pipeline, plan, target, order, elapsed_ns, clock_mhz, throttle ("none", "power cap", …,
 *   empty: unknown).
 * Histogram: pipeline, plan, error_from, error_to (0 to 0: exactly equal),
 * magnitude_from, magnitude_to (of the trusted value), n_elements; a last bin has no end.
 */
#include "app/base/csv-text.h"
#include "app/compare/compare.h"
#include "app/compare/exceeded.h"

#include <math.h>
#include <string.h>

/* Samples. */

static void
compute_throttle (const SeamPath *path, SeamValue *value)
{
  gint32 throttle = ((const SeamSample *)path->record)->throttle;
  g_autofree char *words = throttle != 0 ? seam_throttle_describe ((guint64)throttle) : NULL;

  seam_value_set_text (value, words);
}

static const SeamField sample_columns[] = { SEAM_COMPUTED ("throttle", compute_throttle),
                                            { NULL } };

static const SeamView samples_view = {
  .header = "pipeline,plan,target,order,elapsed_ns,clock_mhz,throttle,pitfalls,launch_mode,storage,"
            "init",
  .computed = sample_columns,
};

char *
seam_result_samples_to_csv (const SeamResult *result)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath sample = { .type = &seam_sample_type, .outer = &plan };
  SeamViewWriter *writer = seam_view_open (&samples_view, &sample);

  for (plan.index = 0; plan.index < result->n_plans; plan.index++) {
    const SeamPlanResult *of = &result->plans[plan.index];
    plan.record = of;
    for (sample.index = 0; sample.index < of->n_samples; sample.index++) {
      sample.record = &of->samples[sample.index];
      seam_view_add_row (writer, &sample);
    }
  }
  return seam_view_close (writer);
}

/* Writes NaN in words, because an empty cell means unknown. */
static void
add_value (GString *csv, double value)
{
  if (isnan (value))
    seam_csv_add_text (csv, "nan");
  else
    seam_csv_add_number (csv, value);
}

char *
seam_difference_to_csv (const SeamDifference *difference, const char *pitfalls)
{
  static const char *const names[] = { "row",      "column",  "max_abs",  "n_failing",
                                       "pitfalls", "max_rel", "max_ulps", NULL };
  const SeamDifferenceSpec *spec = &difference->spec;
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, names);
  for (gint64 i = 0; i < difference->n_cell_rows; i++)
    for (gint64 j = 0; j < difference->n_cell_columns; j++) {
      gint64 cell = i * difference->n_cell_columns + j;
      seam_csv_add_integer (csv, i * spec->rows_per_cell);
      seam_csv_add_integer (csv, j * spec->columns_per_cell);
      add_value (csv, difference->cells[cell]);
      seam_csv_add_integer (csv, difference->failing[cell]);
      seam_csv_add_text (csv, pitfalls);
      if (isnan (difference->cells[cell]))
        seam_csv_add_text (csv, "nan");
      else
        seam_csv_add_number (
            csv, difference->max_abs_b > 0 ? difference->cells[cell] / difference->max_abs_b : NAN);
      seam_csv_add_known (csv, difference->ulps != NULL ? difference->ulps[cell] : 0,
                          difference->ulps != NULL);
      seam_csv_end_row (csv);
    }
  return g_string_free (csv, FALSE);
}

const char *
seam_result_get_trusted_name (const SeamResult *result, int trusted)
{
  return trusted >= 0 && trusted < result->n_plans
             ? seam_plan_result_get_name (&result->plans[trusted])
             : SEAM_AGAINST_FP64;
}

static void
add_bin (GString *csv, int bin)
{
  int error = bin / SEAM_HISTOGRAM_MAGNITUDES, magnitude = bin % SEAM_HISTOGRAM_MAGNITUDES;

  seam_csv_add_number (csv, seam_histogram_get_error_start (error));
  if (error == 0)
    seam_csv_add_number (csv, 0);
  else
    seam_csv_add_number (
        csv, error < SEAM_HISTOGRAM_ERRORS - 1 ? seam_histogram_get_error_start (error + 1) : NAN);
  seam_csv_add_number (csv, seam_histogram_get_magnitude_start (magnitude));
  seam_csv_add_number (csv, magnitude < SEAM_HISTOGRAM_MAGNITUDES - 1
                                ? seam_histogram_get_magnitude_start (magnitude + 1)
                                : NAN);
}

static void
add_histogram_rows (GString *csv, const SeamResult *result, int plan, int trusted,
                    const SeamDifference *difference)
{
  for (int bin = 0; difference->histogram != NULL && bin < SEAM_HISTOGRAM_BINS; bin++) {
    if (difference->histogram[bin] == 0)
      continue;
    seam_csv_add_text (csv, result->pipeline_id);
    seam_csv_add_text (csv, seam_plan_result_get_name (&result->plans[plan]));
    add_bin (csv, bin);
    seam_csv_add_integer (csv, difference->histogram[bin]);
    seam_csv_add_text (csv, seam_result_get_trusted_name (result, trusted));
    seam_csv_add_text (csv, result->pitfalls);
    seam_csv_add_text (csv, "abs");
    seam_csv_add_text (csv, NULL);
    seam_csv_add_text (csv, NULL);
    seam_csv_end_row (csv);
  }
}

/* The same elements again, by their distance in ULP. */
static void
add_ulp_rows (GString *csv, const SeamResult *result, int plan, int trusted,
              const SeamDifference *difference)
{
  for (int bin = 0; difference->histogram_ulps != NULL && bin < SEAM_HISTOGRAM_ULPS; bin++) {
    if (difference->histogram_ulps[bin] == 0)
      continue;
    seam_csv_add_text (csv, result->pipeline_id);
    seam_csv_add_text (csv, seam_plan_result_get_name (&result->plans[plan]));
    for (int i = 0; i < 4; i++)
      seam_csv_add_text (csv, NULL);
    seam_csv_add_integer (csv, difference->histogram_ulps[bin]);
    seam_csv_add_text (csv, seam_result_get_trusted_name (result, trusted));
    seam_csv_add_text (csv, result->pitfalls);
    seam_csv_add_text (csv, "ulp");
    seam_csv_add_integer (csv, seam_histogram_get_ulp_start (bin));
    seam_csv_add_known (csv, bin > 0 ? seam_histogram_get_ulp_start (bin + 1) : 0,
                        bin < SEAM_HISTOGRAM_ULPS - 1);
    seam_csv_end_row (csv);
  }
}

static GString *
begin_histogram (void)
{
  static const char *const names[] = { "pipeline",   "plan",           "error_from",
                                       "error_to",   "magnitude_from", "magnitude_to",
                                       "n_elements", "against",        "pitfalls",
                                       "unit",       "ulps_from",      "ulps_to",
                                       NULL };
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, names);
  return csv;
}

char *
seam_result_histogram_to_csv (const SeamResult *result)
{
  GString *csv = begin_histogram ();

  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].difference != NULL) {
      add_histogram_rows (csv, result, i, result->reference, result->plans[i].difference);
      add_ulp_rows (csv, result, i, result->reference, result->plans[i].difference);
    }
  return g_string_free (csv, FALSE);
}

char *
seam_comparison_histogram_to_csv (const SeamResult *result, int plan, int trusted,
                                  const SeamDifference *difference)
{
  GString *csv = begin_histogram ();

  add_histogram_rows (csv, result, plan, trusted, difference);
  add_ulp_rows (csv, result, plan, trusted, difference);
  return g_string_free (csv, FALSE);
}
