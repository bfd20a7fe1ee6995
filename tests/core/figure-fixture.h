/* SPDX-License-Identifier: MIT
 *
 * Synthetic results for the tests of app/figure/: shaped like a run, with times from a simple model
 * of bytes and operations, so that every sum follows from the shapes.
 */
#pragma once

#include "app/compare/compare.h"
#include "app/figure/bars.h"
#include "app/figure/map.h"
#include "app/report/sheets.h"
#include "app/figure/samples.h"
#include "app/figure/strip.h"
#include "app/base/statistics.h"
#include "app/plan/plan.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Pango keeps its fonts for the life of the thread, and the leak checker does not see that. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}

#define FIXTURE_BYTES_PER_NS 3900.0
#define FIXTURE_FLOP_PER_NS  22000.0
#define FIXTURE_GAP_NS       1500.0

static inline SeamProblem *
fixture_problem (const char *pipeline_name, const char *preset)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_name, &error);
  SeamProblem *problem;

  g_assert_no_error (error);
  problem = seam_problem_new_from_text (pipeline, preset, NULL, &error);
  g_assert_no_error (error);
  return problem;
}

static inline SeamPlan *
fixture_plan (const SeamProblem *problem, const char *text)
{
  g_autoptr (GError) error = NULL;
  SeamPlan *plan = seam_plan_parse (problem->pipeline, text, &error);

  g_assert_no_error (error);
  return plan;
}

static inline void
fixture_kernel (SeamKernel *kernel, const char *name, int group, const SeamGroup *ops, double ns,
                double start_ns, double bytes)
{
  seam_kernel_init (kernel);
  kernel->name = g_strdup_printf ("seam_%s<float>", name);
  kernel->short_name = g_strdup (name);
  kernel->group = group;
  kernel->first_op = ops->first;
  kernel->last_op = ops->last;
  kernel->implementation = g_strdup (group == 0 ? "cudnn" : "generated");
  kernel->median_ns = ns;
  kernel->start_ns = start_ns;
  kernel->bytes = bytes;
}

/* Gives each group one kernel, or two if it has two passes. `slow` scales all times. */
static inline void
fixture_measure (SeamPlanResult *result, const SeamProblem *problem, const SeamPlan *plan,
                 double slow, int position, int n_plans)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  double at = 0, sum = 0;
  SeamPlanCost cost;

  result->name = g_strdup (plan->name);
  result->notation = g_strdup (plan->notation);
  result->exhibit = plan->chain > 0;
  result->state = SEAM_PLAN_MEASURED;
  result->n_groups = plan->n_groups;
  seam_plan_cost (problem, plan, &cost);
  result->bytes = cost.bytes;
  result->flop = cost.flop;
  result->kernels = g_new0 (SeamKernel, 2 * plan->n_groups);
  result->n_kernels = 0;
  {
    g_autoptr (GString) executed = g_string_new (NULL);

    for (int i = 0; i < plan->n_groups; i++) {
      for (int op = plan->groups[i].first; op <= plan->groups[i].last; op++)
        g_string_append_printf (executed, "%s%s",
                                op > plan->groups[i].first ? "+"
                                : i > 0                    ? "|"
                                                           : "",
                                chain->ops[op].name);
      g_string_append (executed, i == 0 ? "@cudnn" : "@generated");
    }
    result->executed = g_strdup (executed->str);
  }
  for (int i = 0; i < plan->n_groups; i++) {
    const SeamGroup *group = &plan->groups[i];
    SeamGroupCost group_cost;
    double ns, bytes;

    seam_group_cost (problem, plan, i, &group_cost);
    bytes = group_cost.bytes_read + group_cost.bytes_written;
    ns = slow * fmax (bytes / FIXTURE_BYTES_PER_NS, group_cost.flop / FIXTURE_FLOP_PER_NS);
    if (group_cost.n_passes == 2) {
      const double parts[] = { .32, .68 };
      const char *const names[] = { "groupnorm statistics", "groupnorm apply" };

      for (int k = 0; k < 2; k++) {
        fixture_kernel (&result->kernels[result->n_kernels++], names[k], i, group, parts[k] * ns,
                        at, parts[k] * bytes);
        at += parts[k] * ns + FIXTURE_GAP_NS;
      }
    } else {
      fixture_kernel (&result->kernels[result->n_kernels++],
                      group->last > group->first ? "fused" : chain->ops[group->first].label, i,
                      group, ns, at, bytes);
      at += ns + FIXTURE_GAP_NS;
    }
    sum += ns;
  }
  result->n_traces = 10;
  result->kernels_sum_median_ns = sum;
  result->span_median_ns = at - FIXTURE_GAP_NS;
  result->n_launches = result->n_records = result->n_kernels;

  {
    g_autofree double *values = NULL;
    SeamMedian median;

    result->n_samples = 20;
    result->samples = g_new0 (SeamSample, result->n_samples);
    values = g_new (double, result->n_samples);
    for (int i = 0; i < result->n_samples; i++) {
      values[i] = (result->span_median_ns + 6000) * (1 + .004 * sin (i * 7 % 20 * 12.9 + position));
      if (i == 0)
        values[i] *= 1.015;
      result->samples[i].elapsed_ns = values[i];
      result->samples[i].clock_mhz = 1980;
      result->samples[i].order = i * n_plans + (i % 2 == 0 ? position : n_plans - 1 - position);
    }
    median = seam_median (values, result->n_samples, .95);
    result->median_ns = median.median;
    result->ci_low_ns = median.low;
    result->ci_high_ns = median.high;
  }
}

/* Removes what tracing adds, as if the plan had not been traced. */
static inline void
fixture_untrace (SeamPlanResult *result)
{
  for (int i = 0; i < result->n_kernels; i++) {
    g_free (result->kernels[i].name);
    g_free (result->kernels[i].short_name);
    g_free (result->kernels[i].implementation);
  }
  g_clear_pointer (&result->kernels, g_free);
  result->n_kernels = -1;
  result->span_median_ns = result->kernels_sum_median_ns = NAN;
}

/* A difference whose rows are alike and whose columns have an error each, as a wrong order of
 * operands makes it. */
static inline SeamDifference *
fixture_difference (const SeamProblem *problem, double size, gboolean with_nan)
{
  SeamDifferenceSpec spec = { .atol = 1e-3, .rtol = 1e-3 };
  SeamDifference *difference;

  const SeamShapeView view = seam_problem_get_output_view (problem);
  spec.rows = view.outer;
  spec.columns = view.channels;
  spec.plane = view.inner;
  seam_difference_choose_cells (&spec, 512);
  difference = seam_difference_new (&spec);
  difference->n_elements = spec.rows * spec.columns * spec.plane;
  difference->max_abs_b = 4.156;
  difference->worst_index = -1;
  for (gint64 row = 0; row < difference->n_cell_rows; row++)
    for (gint64 column = 0; column < difference->n_cell_columns; column++) {
      gint64 i = row * difference->n_cell_columns + column;
      double of_column = fabs (sin (column * 1.7)) * fabs (cos (column * .31)) + .02;
      double value = size * of_column * (.85 + .15 * sin (row * 2.1 + column));

      difference->cells[i] = (float)value;
      difference->ulps[i] = (guint32)(value * 0x1p21); /* ULP of values around 4 */
      difference->failing[i] =
          value > spec.atol + spec.rtol
              ? (guint32)MIN (1e9, (double)spec.rows_per_cell * spec.columns_per_cell * spec.plane)
              : 0;
      difference->n_failing += difference->failing[i];
      if (value > difference->max_abs) {
        difference->max_abs = value;
        difference->worst_index =
            (row * spec.rows_per_cell * spec.columns + column * spec.columns_per_cell) * spec.plane;
        difference->worst_a = -3.784 + value;
        difference->worst_b = -3.784;
      }
      difference->mean_abs += value / (difference->n_cell_rows * difference->n_cell_columns);
    }
  difference->n_failing = MIN (difference->n_failing, difference->n_elements);
  for (int i = 0; i < 12; i++)
    difference->histogram_ulps[12 + i] = difference->n_elements >> (1 + i);
  seam_difference_finish_ulps (difference, (guint64)difference->n_elements * 5000,
                               difference->n_elements);
  difference->histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
  difference->n_worst = difference->max_abs > 0 ? SEAM_DIFFERENCE_WORST : 0;
  for (int i = 0; i < difference->n_worst; i++) {
    difference->worst[i] =
        (SeamWorstElement){ (difference->worst_index + i) % difference->n_elements,
                            -3.784 + difference->max_abs * (1 - i / 40.0), -3.784 };
    for (int m = 4; m < 10; m++)
      difference->histogram[MAX (1, seam_histogram_get_error_bin (difference->max_abs) - i)
                                * SEAM_HISTOGRAM_MAGNITUDES
                            + m] = difference->n_elements >> (i + 9 - m) / 2;
  }
  if (with_nan) {
    gint64 i =
        (difference->n_cell_rows / 3) * difference->n_cell_columns + difference->n_cell_columns / 4;

    difference->cells[i] = NAN;
    difference->failing[i] = 1;
    difference->n_nan_a = 1;
    difference->n_failing = MAX (1, difference->n_failing);
  }
  difference->max_rel = difference->max_abs / difference->max_abs_b;
  difference->mean_rel = difference->mean_abs / difference->max_abs_b;
  difference->max_error_ratio = difference->max_abs;
  return difference;
}

static inline SeamSlice *
fixture_slice (const SeamProblem *problem, gint64 n_rows, gint64 n_columns, double size)
{
  gint64 rows, columns, plane;
  SeamSlice *slice;

  const SeamShapeView view = seam_problem_get_output_view (problem);
  rows = view.outer;
  columns = view.channels;
  plane = view.inner;
  if (plane > 1) {
    n_rows = MIN (n_rows, view.inner / view.width);
    n_columns = MIN (n_columns, view.width);
  } else {
    n_rows = MIN (n_rows, rows);
    n_columns = MIN (n_columns, columns);
  }
  slice = seam_slice_new (n_rows, n_columns);
  slice->sample = plane > 1 ? 3 : 0;
  slice->channel = plane > 1 ? 5 : 0;
  slice->first_row = plane > 1 ? 0 : (rows - n_rows) / 2;
  slice->first_column = plane > 1 ? 0 : MIN (128, columns - n_columns);
  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_columns; j++) {
      gint64 k = i * n_columns + j;

      slice->b[k] = (float)sin (i * .3 + j * .7);
      slice->a[k] =
          slice->b[k] + (float)(size * fabs (sin (j * 1.7)) * (.6 + .4 * sin (i * 2.3 + j * 1.1)));
      if (j % 23 == 4)
        slice->a[k] = slice->b[k];
    }
  if (n_rows > 8 && n_columns > 8)
    slice->a[5 * n_columns + 6] = NAN;
  return slice;
}

static inline SeamResult *
fixture_result (const char *pipeline_name, const char *preset, const char *plan_b)
{
  g_autoptr (SeamProblem) problem = fixture_problem (pipeline_name, preset);
  const char *const names[] = { "unfused", plan_b };
  SeamResult *result = seam_result_new (2);
  SeamFloor least;

  seam_result_set_pipeline (result, problem->pipeline);
  result->shape = seam_problem_format_shape (problem);
  result->shape_text = seam_problem_describe_shape (problem);
  result->n_values = problem->pipeline->n_fields;
  result->values = g_memdup2 (problem->values, sizeof (gint64) * result->n_values);
  result->preset = g_strdup (preset);
  result->settings.seed = 1;
  result->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
  result->settings.math_mode = SEAM_MATH_TF32;
  result->settings.cold = TRUE;
  result->settings.budget_s = 10;
  result->settings.against = g_strdup ("unfused");
  result->settings.atol = result->settings.rtol = 1e-3;
  result->program_version = g_strdup ("0.1.0");
  result->started_at = g_strdup ("2026-11-21T07:00:00Z");
  result->device = seam_device_info_new ("cuda:0");
  result->device->name = g_strdup ("Synthetic device");
  result->device->driver = g_strdup ("580");
  result->device->libraries = g_strdup ("CUDA 13.0, cuDNN 9.19");
  result->device->available = TRUE;
  result->against = 0;
  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamPlan) plan = fixture_plan (problem, names[i]);

    fixture_measure (&result->plans[i], problem, plan, 1, i, 2);
    result->plans[i].stable = TRUE;
  }
  result->plans[1].difference = fixture_difference (problem, 1.4e-6, FALSE);
  seam_problem_get_floor (problem, 0, TRUE, FIXTURE_BYTES_PER_NS * 1e9, 0, &least);
  result->floor_ns = least.floor_ns;
  result->floor_memory_bound = TRUE;
  return result;
}

/* `result` without grids, read back with another text of its pipeline; NULL: without a text. */
static inline SeamResult *
fixture_reread (const SeamResult *result, const char *pipeline_text)
{
  g_autoptr (GVariant) whole = g_variant_ref_sink (seam_result_to_variant (result, FALSE));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (whole);
  g_autoptr (GVariant) changed = NULL;
  g_autoptr (GError) error = NULL;
  SeamResult *read;

  g_variant_dict_remove (dict, "pipeline_text");
  if (pipeline_text != NULL)
    g_variant_dict_insert (dict, "pipeline_text", "s", pipeline_text);
  changed = g_variant_ref_sink (g_variant_dict_end (dict));
  read = seam_result_from_variant (changed, &error);
  g_assert_no_error (error);
  return read;
}
