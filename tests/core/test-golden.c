/* SPDX-License-Identifier: MIT
 *
 * The golden cases (made with PyTorch) against the FP64 reference and against the CPU backend, for
 * every partition of every pipeline into groups, and for every vector width this processor runs.
 */
#include "tests/core/cpu-fixture.h"

static const char *const pipelines[] = {
  "conv-relu-bias",
  "gemm-bias-relu",
  "matmul-swish-bias-groupnorm",
  "conv-bias-scale-sigmoid-groupnorm",
  "conv-relu-hardswish",
};
#define N_CASES 4

/* PyTorch's own FP32 error in this case: its FP32 output against its FP64 output. */
static double
get_usual_error (const char *id, int number, const double *expected)
{
  g_autofree char *path = g_strdup_printf ("%s/%s/case%d/output_f32.npy",
                                           g_getenv ("SEAMSCOPE_TEST_GOLDEN"), id, number);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamNpy) npy = seam_npy_read (path, &error);
  g_assert_no_error (error);
  return fixture_max_difference (npy->data, expected, npy->n_elements);
}

/* The reference and PyTorch's own FP64 differ by the rounding of FP64 only: the FP32 bound scaled
 * by 2^-29, twice, because both sides round. Where a group has one value, PyTorch's form of
 * groupnorm, x rstd + (bias - mean rstd), rounds by rstd (316) times 2^-53 of its own. */
static double
scale_to_double (double bound)
{
  return ldexp (bound, -28) + 1e-12;
}

static void
test_reference (gconstpointer data)
{
  for (int number = 0; number < N_CASES; number++) {
    g_autofree double *expected = NULL;
    Fixture *fixture = fixture_new_golden (data, number, &expected);
    g_assert_nonnull (fixture);
    const SeamChain *chain = &fixture->problem->pipeline->chains[0];
    g_autofree float *before_norm = fixture_before_norm (fixture, 0);
    double bound = fixture_error_bound (fixture, chain, before_norm);
    g_autofree double *output = fixture_reference (fixture);
    double largest = 0;
    for (gint64 i = 0; i < fixture_n_outputs (fixture); i++) {
      double distance = fabs (output[i] - expected[i]);
      if (!(distance <= largest))
        largest = isnan (distance) ? INFINITY : distance;
    }
    g_test_message ("%s case %d: reference off by %.3g, bound %.3g", (char *)data, number, largest,
                    scale_to_double (bound));
    g_assert_cmpfloat (largest, <=, scale_to_double (bound));
    fixture_free (fixture);
  }
}

static void
test_partitions (gconstpointer data)
{
  for (int number = 0; number < N_CASES; number++) {
    g_autofree double *expected = NULL;
    Fixture *fixture = fixture_new_golden (data, number, &expected);
    g_assert_nonnull (fixture);
    const SeamChain *chain = &fixture->problem->pipeline->chains[0];
    g_autofree float *before_norm = fixture_before_norm (fixture, 0);
    /* The bound is rigorous, so far above real errors. The real error must also be as small as
     * in another FP32 implementation: a few units in the last place (2^-24) of values up to 4. */
    double bound = fixture_error_bound (fixture, chain, before_norm);
    bound = MIN (bound, 4 * get_usual_error (data, number, expected) + ldexp (4, -22));
    double largest = 0;
    for (guint32 seams = 0; seams < (1u << (chain->n_ops - 1)); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, 0, seams);
      g_autofree float *output = fixture_run (fixture, plan);
      double distance = fixture_max_difference (output, expected, fixture_n_outputs (fixture));
      if (!(distance <= bound))
        g_error ("%s case %d, plan %s: off by %g, bound %g", (char *)data, number, plan->notation,
                 distance, bound);
      largest = MAX (largest, distance);
    }
    g_test_message ("%s case %d: %d partitions, off by at most %.3g, bound %.3g", (char *)data,
                    number, 1 << (chain->n_ops - 1), largest, bound);
    fixture_free (fixture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autofree char *reference = g_strdup_printf ("/golden/reference/%s", pipelines[i]);
    g_autofree char *partitions = g_strdup_printf ("/golden/cpu/%s", pipelines[i]);
    g_test_add_data_func (reference, pipelines[i], test_reference);
    g_test_add_data_func (partitions, pipelines[i], test_partitions);
  }
  return g_test_run ();
}
