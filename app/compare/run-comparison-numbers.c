/* SPDX-License-Identifier: MIT
 *
 * The compared numbers of runs, plans and kernels, and their texts for people. An unknown number is
 * a dash and has no change.
 */
#include "app/base/text.h"
#include "app/compare/comparison-private.h"

#include <math.h>
#include <string.h>

/* ---- lists ---- */

typedef struct {
  const char *key, *title;
  SeamNumberKind kind;
} Entry;

/* Sets one value for each entry of the record's kind. */
typedef void (*Fill) (gconstpointer record, double *values);

/* `a` or `b` may be NULL: its values are unknown. */
static SeamNumber *
make_list (const Entry *entries, int n_entries, Fill fill, gconstpointer a, gconstpointer b, int *n)
{
  SeamNumber *numbers = g_new (SeamNumber, n_entries);
  g_autofree double *of_a = g_new (double, n_entries), *of_b = g_new (double, n_entries);

  for (int i = 0; i < n_entries; i++)
    of_a[i] = of_b[i] = NAN;
  if (a != NULL)
    fill (a, of_a);
  if (b != NULL)
    fill (b, of_b);
  for (int i = 0; i < n_entries; i++)
    numbers[i] =
        (SeamNumber){ entries[i].key, entries[i].title, entries[i].kind, of_a[i], of_b[i] };
  *n = n_entries;
  return numbers;
}

static const Entry run_entries[] = {
  { "floor_ns", "Floor", SEAM_NUMBER_TIME },
  { "temperature_c", "Temperature under load (°C)", SEAM_NUMBER_OTHER },
  { "power_w", "Power under load (W)", SEAM_NUMBER_OTHER },
  { "memory_bandwidth_bytes_per_s", "Memory bandwidth of the device (GB/s)", SEAM_NUMBER_OTHER },
  { "duration_s", "Whole run (s)", SEAM_NUMBER_OTHER },
};

static void
fill_run (gconstpointer record, double *values)
{
  const SeamResult *run = record;
  double rate =
      run->device != NULL && run->device->bytes_per_s > 0 ? run->device->bytes_per_s : NAN;
  const double all[] = { run->floor_ns, run->temperature_c, run->power_w, rate / 1e9,
                         run->duration_s };

  G_STATIC_ASSERT (G_N_ELEMENTS (all) == G_N_ELEMENTS (run_entries));
  memcpy (values, all, sizeof all);
}

SeamNumber *
seam_comparison_list_run_numbers (const SeamResult *a, const SeamResult *b, int *n)
{
  return make_list (run_entries, G_N_ELEMENTS (run_entries), fill_run, a, b, n);
}

static const Entry plan_entries[] = {
  { "elapsed_median_ns", "Elapsed, median", SEAM_NUMBER_TIME },
  { "elapsed_ci_low_ns", "Elapsed, 95 % interval from", SEAM_NUMBER_TIME },
  { "elapsed_ci_high_ns", "Elapsed, 95 % interval to", SEAM_NUMBER_TIME },
  { "n_samples", "Samples", SEAM_NUMBER_COUNT },
  { "span_median_ns", "Span of its kernels", SEAM_NUMBER_TIME },
  { "kernels_sum_median_ns", "Sum of its kernels", SEAM_NUMBER_TIME },
  { "gaps_ns", "Gaps between kernels", SEAM_NUMBER_TIME },
  { "n_kernels", "Kernels", SEAM_NUMBER_COUNT },
  { "modelled_bytes", "Traffic, modelled", SEAM_NUMBER_BYTES },
  { "dram_bytes", "Traffic of the memory, counted", SEAM_NUMBER_BYTES },
  { "l2_bytes", "Traffic of L2, counted", SEAM_NUMBER_BYTES },
  { "max_abs_error", "Largest error", SEAM_NUMBER_ERROR },
  { "mean_abs_error", "Mean error", SEAM_NUMBER_ERROR },
  { "max_rel_error", "Largest error, of the output's scale", SEAM_NUMBER_ERROR },
  { "n_failing", "Elements over their limit", SEAM_NUMBER_COUNT },
  { "clock_mhz", "Clock under load, median", SEAM_NUMBER_CLOCK },
};

/* The sums over all kernels; unknown if that of one which counters see is. */
static void
sum_kernels (const SeamPlanResult *plan, double *dram_bytes, double *l2_bytes)
{
  *dram_bytes = *l2_bytes = plan->n_kernels > 0 ? 0 : NAN;
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];

    *dram_bytes += seam_kernel_get_counted_bytes (kernel);
    if (!kernel->is_copy || seam_kernel_is_counted (kernel))
      *l2_bytes += kernel->l2_bytes;
  }
}

static void
fill_plan (gconstpointer record, double *values)
{
  const SeamPlanResult *plan = record;
  const SeamDifference *difference = plan->difference;
  SeamUnderLoad load;
  double dram_bytes, l2_bytes;

  seam_under_load_count (plan, 1, &load);
  sum_kernels (plan, &dram_bytes, &l2_bytes);
  const double all[] = {
    plan->median_ns,
    plan->ci_low_ns,
    plan->ci_high_ns,
    plan->n_samples,
    plan->span_median_ns,
    plan->kernels_sum_median_ns,
    plan->span_median_ns - plan->kernels_sum_median_ns,
    plan->n_kernels >= 0 ? plan->n_kernels : NAN,
    plan->bytes,
    dram_bytes,
    l2_bytes,
    difference != NULL ? seam_difference_get_largest (difference) : NAN,
    difference != NULL ? difference->mean_abs : NAN,
    difference != NULL ? difference->max_rel : NAN,
    difference != NULL ? (double)difference->n_failing : NAN,
    load.median_mhz,
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (all) == G_N_ELEMENTS (plan_entries));
  memcpy (values, all, sizeof all);
}

SeamNumber *
seam_comparison_list_plan_numbers (const SeamPlanResult *a, const SeamPlanResult *b, int *n)
{
  return make_list (plan_entries, G_N_ELEMENTS (plan_entries), fill_plan, a, b, n);
}

static const Entry kernel_entries[] = {
  { "median_ns", "Duration, median", SEAM_NUMBER_TIME },
  { "modelled_bytes", "Traffic, modelled", SEAM_NUMBER_BYTES },
  { "dram_bytes_read", "Read from memory, counted", SEAM_NUMBER_BYTES },
  { "dram_bytes_written", "Written to memory, counted", SEAM_NUMBER_BYTES },
  { "l2_bytes", "Traffic of L2, counted", SEAM_NUMBER_BYTES },
  { "dram_percent", "Memory throughput (% of peak)", SEAM_NUMBER_PERCENT },
  { "sm_percent", "SM throughput (% of peak)", SEAM_NUMBER_PERCENT },
  { "tensor_percent", "Tensor cores (% of peak)", SEAM_NUMBER_PERCENT },
  { "occupancy_percent", "Occupancy (%)", SEAM_NUMBER_PERCENT },
  { "l2_percent", "L2 throughput (% of peak)", SEAM_NUMBER_PERCENT },
  { "l2_sm_bytes", "Between L2 and multiprocessors, counted", SEAM_NUMBER_BYTES },
  { "registers", "Registers of a thread", SEAM_NUMBER_COUNT },
  { "shared_bytes", "Shared memory of a block", SEAM_NUMBER_BYTES },
  { "n_blocks", "Blocks", SEAM_NUMBER_COUNT },
  { "n_threads", "Threads of a block", SEAM_NUMBER_COUNT },
};

/* 0: unknown. */
static double
multiply (const gint64 sizes[3])
{
  double product = (double)sizes[0] * (double)sizes[1] * (double)sizes[2];

  return product > 0 ? product : NAN;
}

static void
fill_kernel (gconstpointer record, double *values)
{
  const SeamKernel *kernel = record;
  const double all[] = {
    kernel->median_ns,
    kernel->bytes,
    kernel->dram_bytes_read,
    kernel->dram_bytes_written,
    kernel->l2_bytes,
    kernel->dram_percent,
    kernel->sm_percent,
    kernel->tensor_percent,
    kernel->occupancy_percent,
    kernel->l2_percent,
    kernel->l2_sm_bytes,
    kernel->registers >= 0 ? kernel->registers : NAN,
    kernel->shared_bytes >= 0 ? (double)kernel->shared_bytes : NAN,
    multiply (kernel->grid),
    multiply (kernel->block),
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (all) == G_N_ELEMENTS (kernel_entries));
  memcpy (values, all, sizeof all);
}

SeamNumber *
seam_comparison_list_kernel_numbers (const SeamKernel *a, const SeamKernel *b, int *n)
{
  return make_list (kernel_entries, G_N_ELEMENTS (kernel_entries), fill_kernel, a, b, n);
}

/* ---- one number ---- */

double
seam_number_get_change (const SeamNumber *number)
{
  return number->b - number->a;
}

double
seam_number_get_ratio (const SeamNumber *number)
{
  return number->a != 0 ? number->b / number->a : NAN;
}

static SeamUnit
get_unit (const SeamNumber *number)
{
  double largest = fmax (fabs (number->a), fabs (number->b)); /* if one side is unknown, the
                                                               * other */

  switch (number->kind) {
  case SEAM_NUMBER_TIME:
    return seam_unit_for_time (largest);
  case SEAM_NUMBER_BYTES:
    return seam_unit_for_bytes (largest);
  case SEAM_NUMBER_CLOCK:
    return (SeamUnit){ "MHz", 1 };
  default:
    return (SeamUnit){ NULL, 1 };
  }
}

char *
seam_number_format_title (const SeamNumber *number)
{
  SeamUnit unit = get_unit (number);

  return unit.name != NULL ? g_strdup_printf ("%s (%s)", number->title, unit.name)
                           : g_strdup (number->title);
}

char *
seam_number_format (const SeamNumber *number, double value)
{
  SeamUnit unit = get_unit (number);

  if (isnan (value))
    return g_strdup (SEAM_DASH);
  if (value == 0)
    return g_strdup ("0");
  switch (number->kind) {
  case SEAM_NUMBER_TIME:
    return seam_text_fixed (value / unit.scale, 3);
  case SEAM_NUMBER_BYTES:
    return unit.scale > 1 ? seam_text_fixed (value / unit.scale, 3) : seam_text_fixed (value, 0);
  case SEAM_NUMBER_COUNT:
  case SEAM_NUMBER_CLOCK:
    return seam_text_fixed (value, 0);
  case SEAM_NUMBER_ERROR:
    return seam_text_scientific (value);
  default:
    return seam_text_fixed (value, 1);
  }
}

char *
seam_number_format_change (const SeamNumber *number)
{
  double change = seam_number_get_change (number);
  g_autofree char *text = seam_number_format (number, change);

  /* "< 0.001" needs no sign. */
  return change > 0 && text[0] != '<' ? g_strconcat ("+", text, NULL) : g_steal_pointer (&text);
}

char *
seam_number_format_ratio (const SeamNumber *number)
{
  return seam_text_ratio (seam_number_get_ratio (number));
}
