/* SPDX-License-Identifier: MIT
 *
 * The CPU backend apart from its arithmetic (test-golden.c, test-partitions.c): its description of
 * itself, memory, refusals, timing, traces, the reduction of differences, and the loops of
 * kernels/cpu at every vector width.
 */
#include "app/backend/cpu/onednn.h"
#include "tests/core/cpu-fixture.h"

#include "app/compare/compare.h"
#include "kernels/cpu/cpu.h"

#include <float.h>

static Fixture *
new_fixture (const char *id, const char *preset, const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, preset, shape, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (problem);
  fixture_fill (fixture, 2, SEAM_DISTRIBUTION_UNIFORM);
  return fixture;
}

static void
test_info (void)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  SeamDevice *device = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  g_test_message ("opened in %.0f ms", (double)(g_get_monotonic_time () - start) / 1000);
  const SeamDeviceInfo *info = device->info;

  g_assert_cmpstr (info->id, ==, "cpu");
  g_assert_true (info->available);
  g_assert_cmpint (info->n_processors, >=, 1);
  g_assert_true (info->can_trace);
  g_assert_cmpuint (info->abilities, ==,
                    SEAM_ABILITY_STORAGE | SEAM_ABILITY_TRACE
                        | (seam_onednn_has_bf16 () ? SEAM_ABILITY_BF16 : 0));
  g_assert_cmpstr (info->rates_source, ==, "measured here just now");
  g_assert_nonnull (strstr (info->libraries, "oneDNN 2."));
  /* Any machine of the last decades lies between these. */
  g_assert_cmpfloat (info->bytes_per_s, >, 5e8);
  g_assert_cmpfloat (info->bytes_per_s, <, 2e13);
  g_assert_cmpfloat (info->flop_fp32, >, 5e8);
  g_assert_cmpfloat (info->flop_fp32, <, 1e15);
  g_assert_cmpuint (info->memory_free, <=, info->memory_total);
  g_assert_cmpuint (info->l2_bytes, >, 0);
  seam_device_close (device);

  g_autoptr (GPtrArray) checks = seam_checks_new ();
  seam_backend_cpu.check (checks);
  g_assert_cmpuint (checks->len, >=, 3);
  for (guint i = 0; i < checks->len; i++)
    g_assert_cmpint (((SeamCheck *)checks->pdata[i])->state, ==, SEAM_CHECK_OK);
}

/* A device that is opened again has the same rates, so that estimates of both are one number; a
 * refresh only improves them. */
static void
test_rates (void)
{
  g_autoptr (SeamDevice) first = seam_backend_open ("cpu", NULL);
  g_autoptr (SeamDevice) again = seam_backend_open ("cpu", NULL);

  g_assert_cmpfloat (first->info->launch_ns, >, 0);
  g_assert_cmpfloat (first->info->launch_ns, <, 1e6);
  g_assert_cmpfloat (again->info->launch_ns, ==, first->info->launch_ns);
  g_assert_cmpfloat (again->info->bytes_per_s, ==, first->info->bytes_per_s);
  g_assert_cmpfloat (again->info->flop_fp32, ==, first->info->flop_fp32);
  seam_backend_cpu.refresh_rates (again);
  g_assert_cmpfloat (again->info->launch_ns, <=, first->info->launch_ns);
  g_assert_cmpfloat (again->info->bytes_per_s, >=, first->info->bytes_per_s);
}

static void
test_memory (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);

  SeamBuffer *buffer = seam_backend_cpu.allocate (device, 40, &error);
  g_assert_no_error (error);
  float values[10];
  g_assert_true (seam_backend_cpu.poison (device, buffer, NULL, &error));
  g_assert_true (seam_backend_cpu.download (device, values, buffer, 0, 40, &error));
  for (int i = 0; i < 10; i++)
    g_assert_true (isnan (values[i]));
  g_assert_true (seam_backend_cpu.upload (device, buffer, 8, (float[]){ 3, 4 }, 8, &error));
  g_assert_true (seam_backend_cpu.download (device, values, buffer, 4, 16, &error));
  g_assert_true (isnan (values[0]) && isnan (values[3]));
  g_assert_cmpfloat (values[1], ==, 3);
  g_assert_cmpfloat (values[2], ==, 4);

  /* Stop acts inside poison(): the rest of the buffer stays as it was. */
  SeamCancel cancel = { 0 };
  seam_cancel_raise (&cancel);
  g_assert_false (seam_backend_cpu.poison (device, buffer, &cancel, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_true (seam_backend_cpu.download (device, values, buffer, 8, 4, &error));
  g_assert_cmpfloat (values[0], ==, 3);

  g_assert_false (seam_backend_cpu.upload (device, buffer, 36, values, 8, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  g_clear_error (&error);
  g_assert_false (seam_backend_cpu.download (device, values, buffer, -4, 8, &error));
  g_clear_error (&error);
  seam_backend_cpu.release (device, buffer);
  seam_backend_cpu.release (device, NULL);

  /* More memory than any computer has is refused in words, before the system is asked. */
  g_assert_null (seam_backend_cpu.allocate (device, G_GINT64_CONSTANT (1) << 55, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "smaller shape"));
  seam_device_close (device);
}

static void
test_supports (void)
{
  Fixture *fixture = new_fixture ("gemm-bias-relu", "tiny", NULL);
  g_autoptr (GError) error = NULL;
  SeamSupport support;

  g_autoptr (SeamPlan) full = seam_plan_parse (fixture->problem->pipeline, "full", &error);
  SeamGroupSpec spec = { fixture->problem, full, 0, SEAM_MATH_FP32 };
  seam_backend_cpu.supports (fixture->device, &spec, &support);
  g_assert_cmpint (support.level, ==, SEAM_SUPPORT_YES);
  gboolean generates = seam_cpu_compiler_get () != NULL;
  g_assert_cmpstr (support.implementation, ==, generates ? SEAM_IMPLEMENTATION_GENERATED : "cpu");
  g_assert_cmpstr (support.executed, ==, generates ? "generated" : "cpu");
  g_assert_null (support.reason);
  seam_support_clear (&support);

  /* For one op there is no generated code, which would gain nothing; for a library op there is
   * none at all. */
  g_autoptr (SeamPlan) unfused = seam_plan_parse (fixture->problem->pipeline, "unfused", &error);
  for (int group = 0; group < unfused->n_groups; group++) {
    SeamGroupSpec one = { fixture->problem, unfused, group, SEAM_MATH_FP32 };
    seam_backend_cpu.supports (fixture->device, &one, &support);
    g_assert_cmpstr (support.executed, ==, "cpu");
    seam_support_clear (&support);
  }
  g_autoptr (SeamPlan) alone =
      seam_plan_parse (fixture->problem->pipeline, "matmul@generated|bias|relu", &error);
  SeamGroupSpec library = { fixture->problem, alone, 0, SEAM_MATH_FP32 };
  seam_backend_cpu.supports (fixture->device, &library, &support);
  g_assert_cmpint (support.level, ==, SEAM_SUPPORT_NO);
  g_assert_nonnull (strstr (support.reason, "matmul alone"));
  seam_support_clear (&support);

  spec.math_mode = SEAM_MATH_TF32;
  seam_backend_cpu.supports (fixture->device, &spec, &support);
  g_assert_cmpint (support.level, ==, SEAM_SUPPORT_YES);
  g_assert_nonnull (strstr (support.reason, "FP32"));
  seam_support_clear (&support);

  static const char *const others[] = { "cudnn", "cublaslt", "hand" };
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree char *text = g_strdup_printf ("matmul|bias@%s|relu", others[i]);
    g_autoptr (SeamPlan) plan = seam_plan_parse (fixture->problem->pipeline, text, &error);
    g_assert_no_error (error);
    SeamGroupSpec other = { fixture->problem, plan, 1, SEAM_MATH_FP32 };
    seam_backend_cpu.supports (fixture->device, &other, &support);
    g_assert_cmpint (support.level, ==, SEAM_SUPPORT_NO);
    g_assert_nonnull (strstr (support.reason, others[i]));
    seam_support_clear (&support);
    SeamBuffer *none[SEAM_MAX_TENSORS] = { 0 };
    g_assert_null (seam_backend_cpu.prepare (fixture->device, &other, none, NULL, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
    g_clear_error (&error);
  }

  /* A tensor without memory is a mistake of the caller and must not crash. */
  SeamBuffer *none[SEAM_MAX_TENSORS] = { 0 };
  spec.math_mode = SEAM_MATH_FP32;
  g_assert_null (seam_backend_cpu.prepare (fixture->device, &spec, none, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  fixture_free (fixture);
}

static void
test_trace (void)
{
  Fixture *fixture = new_fixture ("conv-relu-hardswish", "tiny", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (fixture->problem->pipeline, "published", &error);
  g_assert_no_error (error);
  Execution execution;
  execution_init (&execution, fixture, plan, NULL);

  for (int cold = 0; cold < 2; cold++) {
    SeamSample sample = { .elapsed_ns = -1 };
    g_assert_true (seam_backend_cpu.time (fixture->device, execution.groups, execution.n_groups,
                                          cold, &sample, &error));
    g_assert_cmpfloat (sample.elapsed_ns, >, 0);

    g_autoptr (SeamTrace) trace = seam_backend_cpu.trace (fixture->device, execution.groups,
                                                          execution.n_groups, cold, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (trace->records->len, ==, plan->n_groups);
    g_assert_cmpint (trace->n_launches, ==, plan->n_groups);
    g_assert_cmpint (trace->n_records, ==, plan->n_groups);
    double end = 0, sum = 0;
    for (int i = 0; i < plan->n_groups; i++) {
      const SeamTraceRecord *record = &g_array_index (trace->records, SeamTraceRecord, i);
      SeamGroupCost cost;
      seam_group_cost (fixture->problem, plan, i, &cost);
      g_assert_cmpint (record->group, ==, i);
      g_assert_cmpint (record->first_op, ==, plan->groups[i].first);
      g_assert_cmpint (record->last_op, ==, plan->groups[i].last);
      g_assert_cmpfloat (record->bytes, ==, cost.bytes_read + cost.bytes_written);
      g_assert_cmpfloat (record->duration_ns, >, 0);
      g_assert_cmpfloat (record->start_ns, >=, end);
      g_assert_cmpint (record->registers, ==, -1);
      end = record->start_ns + record->duration_ns;
      sum += record->duration_ns;
    }
    g_assert_cmpfloat_with_epsilon (trace->span_ns, end, 1);
    g_assert_cmpfloat_with_epsilon (trace->sum_ns, sum, 1);
  }
  execution_clear (&execution, fixture);
  fixture_free (fixture);
}

/* --- compare() --- */

static void
compare_naively (const SeamDifferenceSpec *spec, const float *a, const double *b,
                 SeamDifference *result)
{
  double sum = 0, sum_ulps = 0;
  gint64 n_finite = 0;
  double worst = 0;
  gboolean worst_is_bad = FALSE;

  for (gint64 i = 0; i < result->n_elements; i++) {
    gint64 row = i / (spec->columns * spec->plane);
    gint64 column = i / spec->plane % spec->columns;
    gint64 cell =
        row / spec->rows_per_cell * result->n_cell_columns + column / spec->columns_per_cell;
    double x = a[i], y = b[i];
    gboolean fails = seam_element_fails (spec, x, y, NAN);
    result->n_failing += fails;
    result->failing[cell] += fails;
    if (fails) {
      result->hits[row] = result->hits[spec->rows + column] = 1;
      if (spec->plane_width > 0) {
        guint8 *planes = result->hits + spec->rows + spec->columns;
        planes[i % spec->plane / spec->plane_width] = 1;
        planes[spec->plane / spec->plane_width + i % spec->plane % spec->plane_width] = 1;
      }
    }
    result->n_nan_a += isnan (x) ? 1 : 0;
    result->n_nan_b += isnan (y) ? 1 : 0;
    result->n_infinite_a += isinf (x) ? 1 : 0;
    result->n_infinite_b += isinf (y) ? 1 : 0;
    if (isfinite (x) && isfinite (y)) {
      double distance = fabs (x - y);
      gint64 ulps = seam_ulp_distance (x, y);
      int bin = SEAM_HISTOGRAM_ULPS - 1;
      sum += distance;
      sum_ulps += (double)ulps;
      n_finite++;
      result->ulps[cell] = (guint32)MAX (result->ulps[cell], ulps);
      result->max_ulps = MAX (result->max_ulps, ulps);
      while (ulps < seam_histogram_get_ulp_start (bin))
        bin--;
      result->histogram_ulps[bin]++;
      result->max_abs = fmax (result->max_abs, distance);
      result->max_abs_b = fmax (result->max_abs_b, fabs (y));
      result->max_error_ratio = fmax (result->max_error_ratio, distance / fmax (1, fabs (y)));
      if (!isnan (result->cells[cell]))
        result->cells[cell] = fmaxf (result->cells[cell], (float)distance);
      if (!worst_is_bad && distance > worst) {
        worst = distance;
        result->worst_index = i;
      }
    } else {
      result->cells[cell] = NAN;
      if (!worst_is_bad && !(x == y)) {
        worst_is_bad = TRUE;
        result->worst_index = i;
      }
    }
  }
  result->mean_abs = n_finite > 0 ? sum / (double)n_finite : 0;
  result->mean_ulps = n_finite > 0 ? sum_ulps / (double)n_finite : 0;
}

/* NaN beside a number is the largest part of any bound, and what is beside infinity is not judged.
 */
static void
check_bounds (const SeamDifference *found, const float *a, const double *b, const float *bounds)
{
  const SeamDifferenceSpec *spec = &found->spec;
  g_autoptr (SeamDifference) naive = seam_difference_new (spec);
  double largest = 0;
  gint64 index = -1;

  seam_difference_add_shares (naive);
  for (gint64 i = 0; i < found->n_elements; i++) {
    double part = isnan (a[i]) ? G_MAXDOUBLE : fabs (a[i] - b[i]) / bounds[i];
    gint64 line = i / spec->plane;
    float *share = &naive->shares[line / spec->columns / spec->rows_per_cell * naive->n_cell_columns
                                  + line % spec->columns / spec->columns_per_cell];
    int bin = 0;
    if (!isfinite (b[i]))
      continue;
    *share = fmaxf (*share, (float)fmin (part, G_MAXFLOAT));
    naive->n_shown += fabs (b[i]) > bounds[i] ? 1 : 0;
    while (bin < SEAM_HISTOGRAM_ERRORS - 1
           && part >= fmax (seam_histogram_get_error_start (bin + 1), 1e-300))
      bin++;
    naive->histogram_shares[bin] += isfinite (a[i]) ? 1 : 0;
    if (part > largest) {
      largest = part;
      index = i;
    }
  }
  g_assert_cmpfloat (found->max_bound_ratio, ==, largest);
  g_assert_cmpint (found->bound_index, ==, index);
  g_assert_cmpint (found->n_shown, ==, naive->n_shown + 1); /* unknown is -1 */
  for (gint64 i = 0; i < naive->n_cell_rows * naive->n_cell_columns; i++)
    g_assert_cmpfloat (found->shares[i], ==, naive->shares[i]);
  for (int i = 0; i < SEAM_HISTOGRAM_ERRORS; i++)
    g_assert_cmpint (found->histogram_shares[i], ==, naive->histogram_shares[i]);
}

/* The table of worst elements against a sort of all of them, and the histogram against limits that
 * are compared as numbers, while the backend reads them off the bits. */
static void
check_numbers (const SeamDifference *found, const float *a, const double *b)
{
  g_autofree gboolean *taken = g_new0 (gboolean, found->n_elements);
  g_autofree gint64 *histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
  gint64 n_differ = 0;

  for (gint64 i = 0; i < found->n_elements; i++) {
    int error = 0, magnitude = 0;
    n_differ += !(a[i] == b[i]);
    if (!isfinite (a[i]) || !isfinite (b[i]))
      continue;
    while (error < SEAM_HISTOGRAM_ERRORS - 1
           && fabs (a[i] - b[i]) >= fmax (seam_histogram_get_error_start (error + 1), 1e-300))
      error++;
    while (magnitude < SEAM_HISTOGRAM_MAGNITUDES - 1
           && fabs (b[i]) >= seam_histogram_get_magnitude_start (magnitude + 1))
      magnitude++;
    histogram[error * SEAM_HISTOGRAM_MAGNITUDES + magnitude]++;
  }
  g_assert_nonnull (found->histogram);
  for (int i = 0; i < SEAM_HISTOGRAM_BINS; i++)
    g_assert_cmpint (found->histogram[i], ==, histogram[i]);

  g_assert_cmpint (found->n_worst, ==, MIN (n_differ, SEAM_DIFFERENCE_WORST));
  for (int k = 0; k < found->n_worst; k++) {
    gint64 best = -1;
    double best_distance = 0;
    for (gint64 i = 0; i < found->n_elements; i++) {
      double distance = isfinite (a[i]) && isfinite (b[i]) ? fabs (a[i] - b[i]) : INFINITY;
      if (!taken[i] && !(a[i] == b[i]) && distance > best_distance) {
        best = i;
        best_distance = distance;
      }
    }
    taken[best] = TRUE;
    g_assert_cmpint (found->worst[k].index, ==, best);
    g_assert_true (found->worst[k].a == a[best] || isnan (a[best]));
    g_assert_true (found->worst[k].b == b[best] || isnan (b[best]));
  }
}

/* Where bounds judge: what fails, what is not judged, and which element is the worst. */
static void
check_by_bound (SeamDevice *device, const SeamDifferenceSpec *spec, SeamBuffer *buffers[3],
                gboolean is_double, const float *a, const double *b, const float *bounds)
{
  SeamDifferenceSpec own = *spec;
  g_autoptr (GError) error = NULL;
  gint64 n_failing = 0, n_unjudged = 0, worst = -1;
  double largest = 0;

  own.atol = own.rtol = NAN;
  g_autoptr (SeamDifference) found = seam_difference_new (&own);
  g_assert_true (seam_backend_cpu.compare (device, buffers[0], buffers[1], is_double, buffers[2],
                                           found, &error));
  for (gint64 i = 0; i < found->n_elements; i++) {
    const double part = isfinite (a[i]) ? fabs (a[i] - b[i]) / bounds[i] : INFINITY;
    if (isinf (b[i])) {
      n_unjudged++;
      continue;
    }
    n_failing += part > 1;
    if (part > largest) {
      largest = part;
      worst = i;
    }
  }
  g_assert_cmpint (found->n_failing, ==, n_failing);
  g_assert_cmpint (found->n_unjudged, ==, n_unjudged);
  g_assert_cmpint (found->worst_index, ==, worst);
  g_assert_cmpfloat (found->worst[0].bound, ==, bounds[worst]);
}

static void
check_compare (SeamDevice *device, const SeamDifferenceSpec *spec, gboolean is_double,
               gboolean has_bad)
{
  gint64 n = spec->rows * spec->columns * spec->plane;
  g_autofree float *a = g_new (float, n);
  g_autofree float *b_float = g_new (float, n), *bounds = g_new (float, n);
  g_autofree double *b = g_new (double, n);
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < n; i++) {
    b[i] = g_test_rand_double_range (-3, 3);
    if (!is_double)
      b[i] = (float)b[i];
    a[i] = (float)(b[i] + (i % 7 == 0 ? 0 : g_test_rand_double_range (-1e-3, 1e-3)));
    b_float[i] = (float)b[i];
    bounds[i] = (float)g_test_rand_double_range (1e-4, 1e-2);
  }
  if (has_bad) {
    a[n / 2] = NAN;
    b[n / 3] = b_float[n / 3] = -INFINITY;
    a[n / 5] = b_float[n / 5] = INFINITY;
    b[n / 5] = INFINITY;
  }

  SeamBuffer *buffer_a = seam_backend_cpu.allocate (device, n * 4, &error);
  SeamBuffer *buffer_b = seam_backend_cpu.allocate (device, n * (is_double ? 8 : 4), &error);
  SeamBuffer *buffer_bounds = seam_backend_cpu.allocate (device, n * 4, &error);
  seam_backend_cpu.upload (device, buffer_a, 0, a, n * 4, &error);
  seam_backend_cpu.upload (device, buffer_bounds, 0, bounds, n * 4, &error);
  seam_backend_cpu.upload (device, buffer_b, 0, is_double ? (void *)b : (void *)b_float,
                           n * (is_double ? 8 : 4), &error);
  g_assert_no_error (error);
  g_autoptr (SeamDifference) found = seam_difference_new (spec);
  g_autoptr (SeamDifference) expected = seam_difference_new (spec);
  g_assert_true (seam_backend_cpu.compare (device, buffer_a, buffer_b, is_double, buffer_bounds,
                                           found, &error));
  compare_naively (spec, a, b, expected);
  check_by_bound (device, spec, (SeamBuffer *[]){ buffer_a, buffer_b, buffer_bounds }, is_double, a,
                  b, bounds);

  g_assert_cmpint (found->n_elements, ==, n);
  g_assert_cmpint (found->n_failing, ==, expected->n_failing);
  g_assert_cmpint (found->n_nan_a, ==, expected->n_nan_a);
  g_assert_cmpint (found->n_nan_b, ==, expected->n_nan_b);
  g_assert_cmpint (found->n_infinite_a, ==, expected->n_infinite_a);
  g_assert_cmpint (found->n_infinite_b, ==, expected->n_infinite_b);
  g_assert_cmpfloat (found->max_abs, ==, expected->max_abs);
  g_assert_cmpfloat (found->max_abs_b, ==, expected->max_abs_b);
  g_assert_cmpfloat (found->max_error_ratio, ==, expected->max_error_ratio);
  g_assert_cmpfloat_with_epsilon (found->mean_abs, expected->mean_abs, 1e-15);
  g_assert_cmpfloat (found->max_rel, ==, expected->max_abs / expected->max_abs_b);
  g_assert_cmpfloat_with_epsilon (found->mean_rel, expected->mean_abs / expected->max_abs_b, 1e-15);
  g_assert_cmpint (found->worst_index, ==, expected->worst_index);
  g_assert_cmpint (found->max_ulps, ==, expected->max_ulps);
  g_assert_cmpfloat (found->mean_ulps, ==, expected->mean_ulps);
  g_assert_cmpmem (found->histogram_ulps, SEAM_HISTOGRAM_ULPS * 8, expected->histogram_ulps,
                   SEAM_HISTOGRAM_ULPS * 8);
  g_assert_cmpmem (found->hits, seam_difference_count_hits (spec), expected->hits,
                   seam_difference_count_hits (spec));
  check_numbers (found, a, b);
  check_bounds (found, a, b, bounds);
  gint64 worst = found->worst_index;
  g_assert_true (found->worst_a == a[worst] || (isnan (found->worst_a) && isnan (a[worst])));
  g_assert_true (found->worst_b == b[worst] || (isnan (found->worst_b) && isnan (b[worst])));
  for (gint64 i = 0; i < found->n_cell_rows * found->n_cell_columns; i++) {
    g_assert_true (found->cells[i] == expected->cells[i]
                   || (isnan (found->cells[i]) && isnan (expected->cells[i])));
    g_assert_cmpuint (found->failing[i], ==, expected->failing[i]);
    g_assert_cmpuint (found->ulps[i], ==, expected->ulps[i]);
  }
  seam_backend_cpu.release (device, buffer_a);
  seam_backend_cpu.release (device, buffer_b);
  seam_backend_cpu.release (device, buffer_bounds);
}

static void
test_compare (void)
{
  static const SeamDifferenceSpec specs[] = {
    { 3, 5, 49, 1, 1, 2e-4, 1e-4, 7 }, /* N x C, a plane a cell */
    { 131, 77, 1, 4, 8, 2e-4, 1e-4 },  /* a matrix in blocks that do not divide it */
    { 1, 1, 1000, 1, 1, 9e-4, 0, 40 }, /* one cell, few failing */
    { 9, 2, 3, 16, 16, 1e-9, 0 },      /* a cell larger than the output */
  };
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    for (int variant = 0; variant < 4; variant++)
      check_compare (device, &specs[i], variant & 1, variant & 2);

  /* Equal outputs have no worst element, and infinities of the same sign are equal. */
  SeamDifferenceSpec spec = { 1, 4, 1, 1, 1, 0, 0 };
  g_autoptr (SeamDifference) same = seam_difference_new (&spec);
  SeamBuffer *buffer = seam_backend_cpu.allocate (device, 16, &error);
  seam_backend_cpu.upload (device, buffer, 0, (float[]){ 1, -2, INFINITY, 0 }, 16, &error);
  g_assert_true (seam_backend_cpu.compare (device, buffer, buffer, FALSE, NULL, same, &error));
  g_assert_cmpint (same->worst_index, ==, -1);
  g_assert_cmpint (same->n_failing, ==, 0);
  g_assert_cmpint (same->n_infinite_a, ==, 1);
  g_assert_true (isnan (same->cells[2]));

  /* A buffer that is too small is refused. */
  spec.rows = 2;
  g_autoptr (SeamDifference) large = seam_difference_new (&spec);
  g_assert_false (seam_backend_cpu.compare (device, buffer, buffer, FALSE, NULL, large, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  seam_backend_cpu.release (device, buffer);
  seam_device_close (device);
}

/* --- Loops --- */

static const char *const variants[] = { "baseline", "avx2", "avx512" };

/* NaN passes through every op, infinities behave, and sigmoid is right over all of FP32. */
static void
test_special_values (gconstpointer name)
{
  const SeamCpuLoops *loops = seam_cpu_loops_find (name);
  if (loops == NULL) {
    g_test_skip ("this processor does not run these loops");
    return;
  }

  enum { N = 67 }; /* some vectors and a remainder */
  float source[N], operand[N], vector[N], target[N];
  for (int i = 0; i < N; i++) {
    source[i] = i % 3 == 0 ? NAN : 1;
    operand[i] = 1;
    vector[i] = 1;
  }
  for (SeamOpType type = 0; type < SEAM_N_OP_TYPES; type++) {
    if (seam_op_type_get_info (type)->op_class != SEAM_CLASS_MAP)
      continue;
    SeamCpuStep step = { .type = type, .scalars = { 0.25f, 0.75f }, .vector = vector };
    for (int channel_step = 0; channel_step < 2; channel_step++) {
      loops->apply (&step, target, source, operand, 0, channel_step, N);
      for (int i = 0; i < N; i++)
        g_assert_true ((isnan (target[i]) != 0) == (i % 3 == 0));
    }
  }

  SeamCpuStep sigmoid = { .type = SEAM_OP_SIGMOID };
  const float special[] = { INFINITY, -INFINITY, 0, -0.0f, FLT_MAX, -FLT_MAX, FLT_MIN, -200, 200 };
  const float expected[] = { 1, 0, 0.5f, 0.5f, 1, 0, 0.5f, 0, 1 };
  loops->apply (&sigmoid, target, special, NULL, 0, 0, G_N_ELEMENTS (special));
  for (gsize i = 0; i < G_N_ELEMENTS (special); i++)
    g_assert_cmpfloat (target[i], ==, expected[i]);

  double worst = 0;
  for (int block = 0; block < 4000; block++) {
    for (int i = 0; i < N; i++)
      source[i] = (float)(-87 + 175.0 * (block * N + i) / (4000.0 * N));
    loops->apply (&sigmoid, target, source, NULL, 0, 0, N);
    for (int i = 0; i < N; i++) {
      double reference = 1 / (1 + exp (-(double)source[i]));
      worst = MAX (worst, fabs (target[i] - reference) / reference);
    }
  }
  g_test_message ("%s: sigmoid off by %.2g of its value", loops->name, worst);
  g_assert_cmpfloat (worst, <, ldexp (6, -24)); /* exp: 3 u, the sum and the division: u each */
}

/* Statistics of values far from zero, where one pass over squares in FP32 loses everything. */
static void
test_moments (gconstpointer name)
{
  const SeamCpuLoops *loops = seam_cpu_loops_find (name);
  if (loops == NULL) {
    g_test_skip ("this processor does not run these loops");
    return;
  }

  enum { N = 100003 };
  g_autofree float *values = g_new (float, N);
  double mean = 0, m2 = 0;
  for (int i = 0; i < N; i++)
    values[i] = (float)g_test_rand_double_range (999, 1001);
  for (int i = 0; i < N; i++)
    mean += (double)values[i] / N;
  for (int i = 0; i < N; i++)
    m2 += pow (values[i] - mean, 2);

  SeamCpuMoments moments = { 0 };
  for (int i = 0; i < N;) {
    int n = g_test_rand_int_range (1, SEAM_CPU_MAX_RUN + 1);
    n = MIN (N - i, n);
    loops->add_moments (&moments, values + i, n);
    i += n;
  }
  g_assert_cmpfloat (moments.count, ==, N);
  g_assert_cmpfloat (fabs (moments.mean - mean), <, 1e-6);
  g_assert_cmpfloat (fabs (moments.m2 - m2) / m2, <, 1e-5);

  /* Squares, and then sums, that FP32 does not have. */
  static const double sizes[] = { 0x1p64, 0x1p125 };
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    moments = (SeamCpuMoments){ 0 };
    for (int j = 0; j < SEAM_CPU_MAX_RUN; j++)
      values[j] = (float)(sizes[i] * (j % 2 == 0 ? 1 : 3));
    loops->add_moments (&moments, values, SEAM_CPU_MAX_RUN);
    g_assert_cmpfloat (moments.mean, ==, 2 * sizes[i]);
    g_assert_cmpfloat (moments.m2, ==, SEAM_CPU_MAX_RUN * sizes[i] * sizes[i]);
  }
}

/* Direct convolution against im2col and BLAS, for widths around the vector's. */
static void
test_convolve (gconstpointer name)
{
  const SeamCpuLoops *loops = seam_cpu_loops_find (name);
  if (loops == NULL) {
    g_test_skip ("this processor does not run these loops");
    return;
  }

  for (int64_t q = loops->vector_width; q < 6 * loops->vector_width + 3; q += q % 5 + 1) {
    int64_t r = g_test_rand_int_range (1, 6), c = g_test_rand_int_range (1, 5), p = 3, k = 7;
    SeamCpuConvolution sizes = { .c = c, .h = p + r - 1, .w = q + r - 1, .r = r, .q = q };
    int64_t n_input = c * sizes.h * sizes.w, depth = c * r * r;
    g_autofree float *input = g_new (float, n_input);
    g_autofree float *weight = g_new (float, k *depth);
    g_autofree float *columns = g_new (float, depth *p *q);
    g_autofree float *direct = g_new (float, k *p *q);
    g_autofree float *product = g_new (float, k *p *q);
    double scale = 0;
    for (int64_t i = 0; i < n_input; i++)
      input[i] = (float)g_test_rand_double_range (-1, 1);
    for (int64_t i = 0; i < k * depth; i++)
      weight[i] = (float)g_test_rand_double_range (-1, 1);
    for (int64_t i = 0; i < k * p * q; i++)
      direct[i] = product[i] = NAN;
    scale = (double)depth;
    loops->convolve (&sizes, input, weight, k, 0, p, direct, p * q);
    seam_cpu_convolve_columns (&sizes, NULL, input, weight, k, 0, p * q, columns, product, p * q);
    for (int64_t i = 0; i < k * p * q; i++)
      g_assert_cmpfloat (fabs (direct[i] - product[i]), <=, 2 * ldexp (scale * scale, -24));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backend-cpu/info", test_info);
  g_test_add_func ("/backend-cpu/rates", test_rates);
  g_test_add_func ("/backend-cpu/memory", test_memory);
  g_test_add_func ("/backend-cpu/supports", test_supports);
  g_test_add_func ("/backend-cpu/trace", test_trace);
  g_test_add_func ("/backend-cpu/compare", test_compare);
  for (gsize i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autofree char *special = g_strdup_printf ("/backend-cpu/special-values/%s", variants[i]);
    g_autofree char *moments = g_strdup_printf ("/backend-cpu/moments/%s", variants[i]);
    g_autofree char *convolve = g_strdup_printf ("/backend-cpu/convolve/%s", variants[i]);
    g_test_add_data_func (special, variants[i], test_special_values);
    g_test_add_data_func (moments, variants[i], test_moments);
    g_test_add_data_func (convolve, variants[i], test_convolve);
  }
  return g_test_run ();
}
