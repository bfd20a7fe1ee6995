/* SPDX-License-Identifier: MIT
 *
 * Generated C on the CPU: every partition gives the results of the loops, op by op. Compiling and
 * the cache are tested in test-backend-cpu-compile.c.
 */
#include "tests/core/cpu-fixture.h"

static Fixture *
new_fixture (const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem;
  Fixture *fixture;

  g_assert_no_error (error);
  problem = seam_problem_new_from_text (pipeline, pipeline->presets[0].name, NULL, &error);
  g_assert_no_error (error);
  fixture = fixture_new (problem);
  fixture_fill (fixture, 5, SEAM_DISTRIBUTION_NORMAL);
  return fixture;
}

/* The partition whose groups, except those of one library op, are executed by `implementation`. */
static SeamPlan *
choose (const Fixture *fixture, guint32 seams, const char *implementation)
{
  SeamPlan *plan = seam_plan_new (fixture->problem->pipeline, 0, seams);

  for (int i = 0; i < plan->n_groups; i++) {
    SeamPlan *next;
    if (i == 0 && plan->groups[i].last == 0)
      continue;
    next = seam_plan_choose (plan, i, implementation);
    seam_plan_unref (plan);
    plan = next;
  }
  return plan;
}

/* A product and a sum in two ops are two roundings in the loops and one in the code. */
static gboolean
has_product_and_sum (const SeamChain *chain)
{
  for (int i = 1; i < chain->n_ops; i++) {
    SeamOpType before = chain->ops[i - 1].type;
    if ((before == SEAM_OP_MULTIPLY_CHANNEL || before == SEAM_OP_MULTIPLY_TENSOR)
        && (chain->ops[i].type == SEAM_OP_ADD_CHANNEL || chain->ops[i].type == SEAM_OP_ADD_SCALAR))
      return TRUE;
  }
  return FALSE;
}

static void
test_partitions (gconstpointer id)
{
  Fixture *fixture = new_fixture (id);
  const SeamChain *chain = &fixture->problem->pipeline->chains[0];
  double allowed = has_product_and_sum (chain) ? 4e-6 : 0;
  gint64 n = fixture_n_outputs (fixture);

  for (guint32 seams = 0; seams < 1u << (chain->n_ops - 1); seams++) {
    g_autoptr (SeamPlan) loops = choose (fixture, seams, "cpu");
    g_autoptr (SeamPlan) code = choose (fixture, seams, SEAM_IMPLEMENTATION_GENERATED);
    g_autofree float *a = fixture_run (fixture, loops);
    g_autofree float *b = fixture_run (fixture, code);
    double largest = 0;

    for (gint64 i = 0; i < n; i++) {
      double distance = fabs ((double)a[i] - (double)b[i]) / fmax (1, fabs ((double)a[i]));
      if (!(distance <= largest))
        largest = isnan (distance) ? INFINITY : distance;
    }
    if (!(largest <= allowed))
      g_error ("%s: off by %g, allowed %g", code->notation, largest, allowed);
  }
  fixture_free (fixture);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = NULL;

  g_test_init (&argc, &argv, NULL);
  pipelines = seam_pipeline_list (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    g_autofree char *path = g_strconcat ("/generated/", pipeline->id, NULL);
    g_test_add_data_func (path, pipeline->id, test_partitions);
  }
  return g_test_run ();
}
