/* SPDX-License-Identifier: MIT
 *
 * Every map of the table of ops after every matrix op on the GPU, against the FP64 reference: as a
 * kernel of its own (compiled ahead, and generated), and fused by a library. Without a GPU every
 * case is skipped with the reason.
 */
#include "tests/core/op-fixture.h"
#include "tests/gpu/gpu-fixture.h"

static void
test_op (gconstpointer data)
{
  static const char *const implementations[] = { NULL, SEAM_IMPLEMENTATION_GENERATED };
  const int types = GPOINTER_TO_INT (data);
  g_autofree double *truth = NULL;
  Fixture *f;

  if (skip_without_gpu ())
    return;
  f = op_fixture_new (types / SEAM_N_OP_TYPES, types % SEAM_N_OP_TYPES);
  truth = fixture_reference (f);
  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    for (guint32 seams = 0; seams < 1u << (f->problem->pipeline->chains[0].n_ops - 1); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
      g_autofree float *output = NULL;

      /* A group that begins with a matrix op is a library's, alone or with the ops that the
       * library fuses. */
      for (int group = 0; group < plan->n_groups; group++)
        plan->groups[group].implementation =
            plan->groups[group].first > 0 ? implementations[i] : SEAM_IMPLEMENTATION_LIBRARY;
      output = run_on_gpu (f, plan, SEAM_MATH_FP32);
      op_fixture_check (implementations[i], plan, output, truth, fixture_n_outputs (f));
    }
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  int status;

  open_gpu (&argc, &argv);
  op_fixture_add_tests ("/gpu-ops", test_op);
  status = g_test_run ();
  close_gpu ();
  return status;
}
