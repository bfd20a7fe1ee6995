/* SPDX-License-Identifier: MIT
 *
 * How counters find their kernels: by their order among the launches that have a grid, all of them
 * or none.
 */
#include "app/measure/measure.h"
#include "app/measure/trace-merge.h"

#include <math.h>

/* "kernel", "memset", "kernel" */
static SeamPlanResult
make_result (SeamKernel kernels[3])
{
  for (int i = 0; i < 3; i++) {
    seam_kernel_init (&kernels[i]);
    kernels[i].grid[0] = i == 1 ? 0 : 10;
    kernels[i].grid[1] = kernels[i].grid[2] = 1;
  }
  return (SeamPlanResult){ .n_kernels = 3, .kernels = kernels };
}

static GArray *
make_counters (int n)
{
  GArray *counters = g_array_new (FALSE, FALSE, sizeof (SeamCounters));

  for (int i = 0; i < n; i++) {
    const SeamCounters c = {
      100 + i, 200 + i, 300 + i, 1 + i, 11 + i, NAN, 31 + i, 41 + i, 51 + i
    };
    g_array_append_val (counters, c);
  }
  return counters;
}

static void
test_assigned (void)
{
  SeamKernel kernels[3];
  SeamPlanResult result = make_result (kernels);
  g_autoptr (GArray) counters = make_counters (2);

  g_assert_true (seam_trace_add_counters (&result, counters));
  g_assert_cmpfloat (kernels[0].dram_bytes_read, ==, 100);
  g_assert_true (isnan (kernels[1].dram_bytes_read));
  g_assert_true (isnan (kernels[1].l2_bytes));
  g_assert_cmpfloat (kernels[2].dram_bytes_read, ==, 101);
  g_assert_cmpfloat (kernels[2].dram_bytes_written, ==, 201);
  g_assert_cmpfloat (kernels[2].l2_bytes, ==, 301);
  g_assert_cmpfloat (kernels[2].dram_percent, ==, 2);
  g_assert_cmpfloat (kernels[2].sm_percent, ==, 12);
  g_assert_true (isnan (kernels[2].tensor_percent));
  g_assert_cmpfloat (kernels[2].occupancy_percent, ==, 32);
  g_assert_cmpfloat (kernels[2].l2_percent, ==, 42);
  g_assert_cmpfloat (kernels[2].l2_sm_bytes, ==, 52);
  g_assert_true (isnan (kernels[1].l2_sm_bytes));
}

static void
test_left_out (void)
{
  for (int n = 0; n < 5; n++) {
    SeamKernel kernels[3];
    SeamPlanResult result = make_result (kernels);
    g_autoptr (GArray) counters = make_counters (n);

    if (n == 2)
      continue;
    g_assert_false (seam_trace_add_counters (&result, counters));
    for (int i = 0; i < 3; i++)
      g_assert_true (isnan (kernels[i].dram_bytes_read));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/counters/assigned", test_assigned);
  g_test_add_func ("/counters/left-out", test_left_out);
  return g_test_run ();
}
