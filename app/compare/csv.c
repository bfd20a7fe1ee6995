/* SPDX-License-Identifier: MIT
 *
 * CSV of a result. A column keeps its name, unit and place for good; new ones come last. Every
 * table also has the column pitfalls: mistakes that the run was made with on purpose
 * ("zeros,warm-l2"), empty for none.
 *
 * Samples: pipeline, plan, target, order, elapsed_ns, clock_mhz, throttle ("none", "SW power
 *   cap", …, empty: unknown).
 * Histogram: pipeline, plan, error_from, error_to (0 to 0: exactly equal; with the unit "bound"
 * over the bound of the element), magnitude_from, magnitude_to (of the value compared with),
 * n_elements; a last bin has no end.
 */
#include "app/compare/compare.h"
#include "app/compare/exceeded.h"

#include <math.h>

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

/* The overview. */

typedef struct {
  gint64 row, column; /* the cell's first element */
  double max_abs, max_rel;
  gint64 n_failing, max_ulps; /* -1: not counted */
  double max_share;           /* of the bound; NaN: unknown */
  const char *pitfalls;
} Cell;

/* A NaN in the cell is a value, and a scale that is not known is none. */
static void
compute_max_rel (const SeamPath *path, SeamValue *value)
{
  const Cell *cell = path->record;

  if (isnan (cell->max_abs))
    seam_value_set_text (value, "nan");
  else
    seam_value_set_double (value, cell->max_rel);
}

static const SeamField cell_columns[] = { SEAM_COMPUTED ("max_rel", compute_max_rel), { NULL } };

static const SeamField cell_fields[] = {
  { SEAM_FIELD (Cell, row, INT64) },
  { SEAM_FIELD (Cell, column, INT64) },
  { SEAM_FIELD (Cell, max_abs, DOUBLE), .flags = SEAM_WITH_NAN },
  { SEAM_FIELD (Cell, n_failing, INT64) },
  { SEAM_FIELD (Cell, pitfalls, TEXT) },
  { SEAM_FIELD (Cell, max_ulps, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (Cell, max_share, DOUBLE) },
  { NULL },
};

static const SeamRecordType cell_type = {
  .name = "cell",
  .size = sizeof (Cell),
  .fields = cell_fields,
};

static const SeamView overview_view = {
  .header = "row,column,max_abs,n_failing,pitfalls,max_rel,max_ulps,max_share",
  .computed = cell_columns,
};

char *
seam_difference_to_csv (const SeamDifference *difference, const char *pitfalls)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  Cell cell = { .pitfalls = pitfalls };
  SeamPath path = { .type = &cell_type, .record = &cell };
  SeamViewWriter *writer = seam_view_open (&overview_view, &path);

  for (gint64 i = 0; i < difference->n_cell_rows; i++)
    for (gint64 j = 0; j < difference->n_cell_columns; j++) {
      gint64 at = i * difference->n_cell_columns + j;

      cell.row = i * spec->rows_per_cell;
      cell.column = j * spec->columns_per_cell;
      cell.max_abs = difference->cells[at];
      cell.max_rel = difference->max_abs_b > 0 ? cell.max_abs / difference->max_abs_b : NAN;
      cell.n_failing = difference->failing[at];
      cell.max_share = difference->shares != NULL ? difference->shares[at] : NAN;
      cell.max_ulps = difference->ulps != NULL ? (gint64)difference->ulps[at] : -1;
      seam_view_add_row (writer, &path);
    }
  return seam_view_close (writer);
}

/* The histogram. The rows' data are the index of the plan compared with. */

typedef struct {
  double error_from, error_to, magnitude_from, magnitude_to; /* NaN: no limit, or not by these */
  gint64 n_elements;
  const char *unit;          /* "abs", "ulp", "bound" */
  gint64 ulps_from, ulps_to; /* -1: likewise */
} Bin;

const char *
seam_result_get_against_name (const SeamResult *result, int against)
{
  return against >= 0 && against < result->n_plans
             ? seam_plan_result_get_name (&result->plans[against])
             : SEAM_AGAINST_FP64;
}

SEAM_COMPUTE (compute_against, text,
              seam_result_get_against_name (path->outer->outer->record, *(const int *)path->data))

static const SeamField bin_columns[] = { SEAM_COMPUTED ("against", compute_against), { NULL } };

static const SeamField bin_fields[] = {
  { SEAM_FIELD (Bin, error_from, DOUBLE) },
  { SEAM_FIELD (Bin, error_to, DOUBLE) },
  { SEAM_FIELD (Bin, magnitude_from, DOUBLE) },
  { SEAM_FIELD (Bin, magnitude_to, DOUBLE) },
  { SEAM_FIELD (Bin, n_elements, INT64) },
  { SEAM_FIELD (Bin, unit, TEXT) },
  { SEAM_FIELD (Bin, ulps_from, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { SEAM_FIELD (Bin, ulps_to, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { NULL },
};

static const SeamRecordType bin_type = {
  .name = "bin",
  .size = sizeof (Bin),
  .fields = bin_fields,
};

static const SeamView histogram_view = {
  .header = "pipeline,plan,error_from,error_to,magnitude_from,magnitude_to,n_elements,against,"
            "pitfalls,unit,ulps_from,ulps_to",
  .computed = bin_columns,
};

/* A bin of errors; `magnitude` -1: of any. */
static Bin
get_bin (const char *unit, int error, int magnitude, gint64 n_elements)
{
  Bin bin = { .error_from = seam_histogram_get_error_start (error),
              .error_to = NAN,
              .magnitude_from = NAN,
              .magnitude_to = NAN,
              .n_elements = n_elements,
              .unit = unit,
              .ulps_from = -1,
              .ulps_to = -1 };

  if (error == 0)
    bin.error_to = 0;
  else if (error < SEAM_HISTOGRAM_ERRORS - 1)
    bin.error_to = seam_histogram_get_error_start (error + 1);
  if (magnitude >= 0)
    bin.magnitude_from = seam_histogram_get_magnitude_start (magnitude);
  if (magnitude >= 0 && magnitude < SEAM_HISTOGRAM_MAGNITUDES - 1)
    bin.magnitude_to = seam_histogram_get_magnitude_start (magnitude + 1);
  return bin;
}

static Bin
get_ulp_bin (const SeamDifference *difference, int index)
{
  Bin bin = { .error_from = NAN,
              .error_to = NAN,
              .magnitude_from = NAN,
              .magnitude_to = NAN,
              .n_elements = difference->histogram_ulps[index],
              .unit = "ulp",
              .ulps_from = seam_histogram_get_ulp_start (index),
              .ulps_to = -1 };

  if (index == 0)
    bin.ulps_to = 0;
  else if (index < SEAM_HISTOGRAM_ULPS - 1)
    bin.ulps_to = seam_histogram_get_ulp_start (index + 1);
  return bin;
}

/* First by error, then the same elements by their distance in ULP, then by their part of the
 * bound. */
char *
seam_result_histogram_to_csv (const SeamResult *result, int index, int against,
                              const SeamDifference *difference)
{
  int first = difference != NULL ? index : 0;
  int last = difference != NULL ? index : result->n_plans - 1;
  Bin bin;
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath row = { .type = &bin_type, .record = &bin, .outer = &plan, .data = &against };
  SeamViewWriter *writer = seam_view_open (&histogram_view, &row);

  if (difference == NULL)
    against = result->against;
  for (plan.index = first; plan.index <= last; plan.index++) {
    const SeamDifference *of =
        difference != NULL ? difference : result->plans[plan.index].difference;

    plan.record = &result->plans[plan.index];
    for (int i = 0; of != NULL && of->histogram != NULL && i < SEAM_HISTOGRAM_BINS; i++) {
      bin = get_bin ("abs", i / SEAM_HISTOGRAM_MAGNITUDES, i % SEAM_HISTOGRAM_MAGNITUDES,
                     of->histogram[i]);
      if (bin.n_elements > 0)
        seam_view_add_row (writer, &row);
    }
    for (int i = 0; of != NULL && of->histogram_ulps != NULL && i < SEAM_HISTOGRAM_ULPS; i++) {
      bin = get_ulp_bin (of, i);
      if (bin.n_elements > 0)
        seam_view_add_row (writer, &row);
    }
    for (int i = 0; of != NULL && of->histogram_shares != NULL && i < SEAM_HISTOGRAM_ERRORS; i++) {
      bin = get_bin ("bound", i, -1, of->histogram_shares[i]);
      if (bin.n_elements > 0)
        seam_view_add_row (writer, &row);
    }
  }
  return seam_view_close (writer);
}
