/* SPDX-License-Identifier: MIT
 *
 * The function in kernels/ops.h that replaces a division, for which a GPU has no instruction, and
 * the CPU's own functions of kernels/cpu/exp.h against the C library's in FP64.
 */
#include "kernels/cpu/exp.h"

#include <glib.h>
#include <math.h>

/* Tests all mantissas. The exponents make no difference as long as no number is subnormal. */
static void
test_divide (void)
{
  static const float divisors[] = {
    6.0f, 3.0f, 1.0f, 2.0f, 7.0f, 10.0f, -6.0f, 0.1f, 1e-20f, 1e20f
  };

  for (gsize i = 0; i < G_N_ELEMENTS (divisors); i++) {
    const float y = divisors[i];
    float high, low;
    seam_op_invert (y, &high, &low);
    g_assert_cmpint (signbit (high), ==, signbit (y));
    g_assert_cmpint (signbit (low), ==, signbit (y));
    g_assert_true (low != 0.0f);
    for (guint32 mantissa = 0; mantissa < 1u << 23; mantissa++) {
      const union {
        guint32 bits;
        float number;
      } x = { 127u << 23 | mantissa };
      if (seam_op_divide_by (x.number, high, low) != x.number / y) {
        g_test_message ("%.9g / %.9g", (double)x.number, (double)y);
        g_test_fail ();
        return;
      }
    }
    g_assert_true (seam_op_divide_by (INFINITY, high, low) == INFINITY / y);
    g_assert_true (seam_op_divide_by (-INFINITY, high, low) == -INFINITY / y);
    g_assert_true (isnan (seam_op_divide_by (NAN, high, low)));
    g_assert_true (seam_op_divide_by (0.0f, high, low) == 0.0f);
    g_assert_cmpint (signbit (seam_op_divide_by (-0.0f, high, low)), ==, signbit (-0.0f / y));
  }
}

/* Every 1,009th float. */
static void
test_functions (void)
{
  static const struct {
    const char *name;
    float (*function) (float);
    double (*exact) (double);
    double low, high, most; /* of x, and the relative error */
  } cases[] = {
    { "tanh", vector_tanh, tanh, -INFINITY, INFINITY, 1.5e-7 },
    { "erf", vector_erf, erf, -INFINITY, INFINITY, 2e-7 },
    { "log1p", vector_log1p, log1p, 0, 1, 2.2e-7 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    double largest = 0;
    for (guint64 bits = 0; bits <= G_MAXUINT32; bits += 1009) {
      const float x = from_bits ((uint32_t)bits);
      if (isnan (x)) {
        g_assert_true (isnan (cases[i].function (x)));
        continue;
      }
      /* Subnormal numbers lose bits. */
      if (!(x >= cases[i].low && x <= cases[i].high) || fabsf (x) < 0x1p-120f)
        continue;
      const double exact = cases[i].exact (x), error = fabs (cases[i].function (x) / exact - 1);
      largest = MAX (largest, error);
    }
    g_test_message ("%s: %.3g", cases[i].name, largest);
    g_assert_cmpfloat (largest, <=, cases[i].most);
    g_assert_cmpfloat (cases[i].function (0), ==, 0);
  }
  g_assert_cmpfloat (vector_tanh (-INFINITY), ==, -1);
  g_assert_cmpfloat (vector_erf (INFINITY), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/functions", test_functions);
  g_test_add_func ("/ops/divide", test_divide);
  return g_test_run ();
}
