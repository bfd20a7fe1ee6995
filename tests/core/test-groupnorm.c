/* SPDX-License-Identifier: MIT
 *
 * GroupNorm on the CPU over the whole range of FP32, in every partition and as loops and generated
 * code, against closed forms.
 */
#include "tests/core/groupnorm-fixture.h"

/* Every partition with each implementation of its groups; those that refuse a group leave it open.
 */
static void
for_each_plan (Fixture *f, void (*check) (Fixture *f, const SeamPlan *plan, gconstpointer data),
               gconstpointer data)
{
  static const char *const implementations[] = { NULL, SEAM_IMPLEMENTATION_GENERATED };

  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    for (guint32 seams = 0; seams < 1u << (f->n_ops - 1); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);

      for (int group = 0; group < plan->n_groups; group++) {
        SeamGroupSpec spec = { f->problem, plan, group, SEAM_MATH_FP32 };
        SeamSupport support = { 0 };

        plan->groups[group].implementation = implementations[i];
        f->device->backend->supports (f->device, &spec, &support);
        if (support.level == SEAM_SUPPORT_NO)
          plan->groups[group].implementation = NULL;
        seam_support_clear (&support);
      }
      check (f, plan, data);
    }
}

static void
check_spread (Fixture *f, const SeamPlan *plan, gconstpointer data)
{
  g_autofree float *output = fixture_run (f, plan);

  groupnorm_fixture_check (f, data, plan, "cpu", output);
}

static void
check_spoilt (Fixture *f, const SeamPlan *plan, gconstpointer data)
{
  g_autofree float *output = fixture_run (f, plan);

  groupnorm_fixture_check_spoilt (f, plan, output);
}

static void
test_range (gconstpointer shape)
{
  static const float numbers[] = { NAN, INFINITY, -INFINITY };
  Fixture *f = groupnorm_fixture_new (strstr (shape, "height") != NULL, shape);

  for (gsize i = 0; i < G_N_ELEMENTS (spreads); i++) {
    groupnorm_fixture_fill (f, &spreads[i]);
    for_each_plan (f, check_spread, &spreads[i]);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
    groupnorm_fixture_spoil (f, numbers[i]);
    for_each_plan (f, check_spoilt, NULL);
  }
  fixture_free (f);
}

static void
check_bias (Fixture *f, const SeamPlan *plan, gconstpointer data)
{
  g_autofree float *output = fixture_run (f, plan);

  for (gint64 i = 0; i < fixture_n_outputs (f); i++)
    g_assert_cmpfloat (output[i], ==, 0.5);
}

/* Of a group of one element nothing remains but the bias, whatever its size. */
static void
test_one_element (void)
{
  Fixture *f = groupnorm_fixture_new (FALSE, "batch=3,in_features=24,out_features=24,groups=24");

  for (gsize i = 0; i < G_N_ELEMENTS (spreads); i++) {
    groupnorm_fixture_fill (f, &spreads[i]);
    for_each_plan (f, check_bias, NULL);
  }
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/groupnorm/convolution", CONVOLVED_SHAPE, test_range);
  g_test_add_data_func ("/groupnorm/matmul", MULTIPLIED_SHAPE, test_range);
  g_test_add_func ("/groupnorm/one-element", test_one_element);
  return g_test_run ();
}
