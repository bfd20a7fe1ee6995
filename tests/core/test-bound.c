/* SPDX-License-Identifier: MIT
 *
 * The rules of app/backend/bound.h, one by one, against values that NumPy computed in FP64. What
 * they make of whole chains: tests/cli/bound.py.
 */
#include "app/backend/bound.h"

#include "tests/core/bound-fixture.h"

#define N 5

static const double x[N] = { 1.5, -2, .25, 3, -.5 };
static const double e[N] = { 1e-3, 2e-3, 0, 5e-4, 1e-2 };

static void
assert_close (double found, double expected)
{
  g_assert_cmpfloat (fabs (found - expected), <=, 1e-9 * expected);
}

static void
test_reductions (void)
{
  static const double y[N] = { .16852815752362546, .00508910939019781, .04828412553652843,
                               .7552908016178439, .02280780593180433 };
  static const double expected[N] = { 3.0102179438233742e-04, 1.4183426617439535e-05,
                                      3.7974452304227539e-05, 9.7117057196835662e-04,
                                      2.4601999879873143e-04 };
  double bounds[N];

  assert_close (seam_bound_of_largest (N, x, e), 5e-4);
  assert_close (seam_bound_of_smallest (N, x, e), 2e-3);
  assert_close (seam_bound_of_total (N, x, e), .01026493994597252);
  assert_close (seam_bound_of_mean (N, x, e), .0020529879891945);
  assert_close (seam_bound_of_logsumexp (N, x, e), .00078775149619489);
  seam_bound_of_softmax (N, x, e, y, bounds);
  for (int i = 0; i < N; i++)
    assert_close (bounds[i], expected[i]);
}

/* With weight 1.5 and bias -0.25. */
static void
test_norm (void)
{
  static const double expected[N] = { .0037467108262458633, .0060423004123965479,
                                      .0020076075755323239, .0048244652116693106,
                                      .011559401490422236 };
  double mean = 0, variance = 0;
  SeamBoundNorm norm;

  for (int i = 0; i < N; i++)
    mean += x[i] / N;
  for (int i = 0; i < N; i++)
    variance += (x[i] - mean) * (x[i] - mean) / N;
  double rstd = 1 / sqrt (variance + 1e-5);
  seam_bound_norm_init (&norm, N, x, e, mean, rstd);
  for (int i = 0; i < N; i++)
    assert_close (seam_bound_of_norm (&norm, x[i], e[i], 1.5, (x[i] - mean) * rstd * 1.5 - .25),
                  expected[i]);
}

/* A kink counts where the bound reaches it, and only there. */
static void
test_maps (void)
{
  static const struct {
    SeamOp op;
    double x, e, v, t, f, y, expected;
  } cases[] = {
    { { .type = SEAM_OP_RELU }, -1e-4, 1e-3, 0, 0, 0, 0, .00090000000596046 },
    { { .type = SEAM_OP_RELU }, -2, 1e-3, 0, 0, 0, 0, 0x1p-126 },
    { { .type = SEAM_OP_CLAMP, .scalars = { 0, 1 } },
      .9995,
      1e-3,
      0,
      0,
      0,
      .9995,
      .00100035744905471 },
    { { .type = SEAM_OP_SIGMOID },
      -20,
      0,
      0,
      0,
      0,
      2.0611536181902037e-09,
      5.9604655586595015e-08 }, /* (1 + tanh) / 2 may compute it */
    { { .type = SEAM_OP_SIGMOID }, .5, 1e-2, 0, 0, 0, .6224593312018546, .0023532833578104452 },
    { { .type = SEAM_OP_MULTIPLY_TENSOR }, 3, 1e-3, 0, -2, 1e-2, -6, .03201143241884363 },
    { { .type = SEAM_OP_DIVIDE_SCALAR, .scalars = { 6 } },
      3,
      6e-3,
      0,
      0,
      0,
      .5,
      .00100008940696716 },
    { { .type = SEAM_OP_ADD_CHANNEL }, 3, 6e-3, .75, 0, 0, 3.75, .00600062584876992 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_close (seam_bound_of_map (&cases[i].op, cases[i].x, cases[i].e, cases[i].v, cases[i].t,
                                     cases[i].f, cases[i].y),
                  cases[i].expected);
}

static void
test_sum (void)
{
  const SeamBoundRule rule = { .sums = { { 0x1p-11, 0x1p-22, 0 } }, .least = 0x1p-14 };

  assert_close (seam_bound_sum (&rule.sums[0], -3, 2), 6 * (0x1p-11 * 2 + 0x1p-22 * 5));
  g_assert_cmpfloat (seam_bound_get_size (&rule, -2), ==, 2 + 0x1p-14);
}

static void
test_device (void)
{
  g_autoptr (SeamDevice) device = seam_backend_open ("cpu", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (bound_cases); i++)
    bound_check (device, bound_cases[i].pipeline, bound_cases[i].mode, bound_cases[i].storage);
  fixture_close_device ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bound/device", test_device);
  g_test_add_func ("/bound/sum", test_sum);
  g_test_add_func ("/bound/maps", test_maps);
  g_test_add_func ("/bound/norm", test_norm);
  g_test_add_func ("/bound/reductions", test_reductions);
  return g_test_run ();
}
