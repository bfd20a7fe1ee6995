/* SPDX-License-Identifier: MIT
 *
 * Plans: every partition survives the way through its notation; names, implementations, the tensors
 * of groups, and the parser's messages for texts that are no plans.
 */
#include "app/base/error.h"
#include "app/plan/plan.h"

#include <string.h>

static SeamPipeline *
find (const char *name)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find (name, &error);

  g_assert_no_error (error);
  return pipeline;
}

static void
assert_notation (SeamPipeline *pipeline, const char *text, const char *notation, const char *name,
                 const char *title)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (plan->notation, ==, notation);
  g_assert_cmpstr (plan->name, ==, name);
  g_assert_cmpstr (seam_plan_get_title (plan), ==, title);
}

static void
test_every_partition (void)
{
  g_autoptr (GPtrArray) list = seam_pipeline_list (NULL);
  g_autoptr (GHashTable) notations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    for (int chain = 0; chain < pipeline->n_chains; chain++) {
      int n_seams = pipeline->chains[chain].n_ops - 1;
      for (guint32 fused = 0; fused < 1u << n_seams; fused++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, fused);
        g_autoptr (GError) error = NULL;
        g_autoptr (SeamPlan) again = seam_plan_parse (pipeline, plan->notation, &error);
        int next = 0;
        g_assert_no_error (error);
        g_assert_true (seam_plan_equal (plan, again));
        g_assert_cmpstr (plan->name, ==, again->name);
        g_assert_cmpint (again->chain, ==, chain);
        g_assert_cmphex (seam_plan_get_fused_seams (again), ==, fused);
        for (int group = 0; group < plan->n_groups; group++) {
          g_assert_cmpint (plan->groups[group].first, ==, next);
          next = plan->groups[group].last + 1;
        }
        g_assert_cmpint (next, ==, n_seams + 1);
        for (int seam = 0; seam < n_seams; seam++) {
          g_autoptr (SeamPlan) toggled = seam_plan_toggle (plan, seam);
          g_assert_cmphex (seam_plan_get_fused_seams (toggled), ==, fused ^ 1u << seam);
        }
        /* No two partitions have the same notation. */
        g_assert_true (
            g_hash_table_add (notations, g_strconcat (pipeline->id, " ", plan->notation, NULL)));
      }
    }
  }
}

static void
test_names (void)
{
  g_autoptr (SeamPipeline) swish = find ("#37");
  g_autoptr (SeamPipeline) conv = find ("#1");
  g_auto (GStrv) names = seam_plan_list_names (swish);
  g_autofree char *joined = g_strjoinv (" ", names);

  g_assert_cmpstr (joined, ==,
                   "unfused published epilogue full as-published one-pass-variance "
                   "race-in-reduction without-affine");
  assert_notation (swish, "unfused", "matmul|matmul_bias|sigmoid|mul|bias|groupnorm", "unfused",
                   "Unfused");
  assert_notation (swish, "Published", "matmul|matmul_bias+sigmoid+mul+bias+groupnorm", "published",
                   "Published");
  assert_notation (swish, "epilogue", "matmul+matmul_bias@library|sigmoid+mul+bias+groupnorm",
                   "epilogue", "Epilogue");
  assert_notation (swish, "matmul+matmul_bias@library|sigmoid+mul+bias+groupnorm",
                   "matmul+matmul_bias@library|sigmoid+mul+bias+groupnorm", "epilogue", "Epilogue");
  assert_notation (swish, "matmul+matmul_bias|sigmoid+mul+bias+groupnorm",
                   "matmul+matmul_bias|sigmoid+mul+bias+groupnorm", NULL,
                   "matmul+matmul_bias|sigmoid+mul+bias+groupnorm");
  assert_notation (swish, "as-published",
                   "as-published:matmul|matmul_bias+bias+sigmoid+mul+groupnorm", "as-published",
                   "As published");
  assert_notation (swish, "as-published:matmul|matmul_bias|bias+sigmoid+mul+groupnorm",
                   "as-published:matmul|matmul_bias|bias+sigmoid+mul+groupnorm", NULL,
                   "as-published:matmul|matmul_bias|bias+sigmoid+mul+groupnorm");
  /* Fused by a library as a whole, and by the best implementation. */
  assert_notation (conv, "epilogue", "conv+conv_bias+relu+bias@library", "epilogue", "Epilogue");
  assert_notation (conv, "full", "conv+conv_bias+relu+bias", "full", "Full");
  assert_notation (conv, " conv2d | conv_bias + relu+bias\n", "conv|conv_bias+relu+bias",
                   "published", "Published");
}

static void
test_implementations (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#1");
  g_autoptr (SeamPlan) plan = NULL, toggled = NULL, chosen = NULL;

  assert_notation (pipeline, "conv@cudnn|conv_bias+relu@generated|bias",
                   "conv@cudnn|conv_bias+relu@generated|bias", NULL,
                   "conv@cudnn|conv_bias+relu@generated|bias");
  /* A named partition with one chosen implementation has a title, and no name. */
  assert_notation (pipeline, "conv+conv_bias+relu+bias@hand-simt",
                   "conv+conv_bias+relu+bias@hand-simt", NULL, "Full @hand-simt");
  assert_notation (pipeline, "conv@cudnn|conv_bias+relu+bias", "conv@cudnn|conv_bias+relu+bias",
                   NULL, "Published @cudnn");
  /* "@auto" means the same as no implementation. */
  assert_notation (pipeline, "conv@auto|conv_bias+relu+bias", "conv|conv_bias+relu+bias",
                   "published", "Published");
  plan = seam_plan_parse (pipeline, "conv@cudnn|conv_bias+relu@generated|bias@hand", NULL);
  g_assert_cmpstr (plan->groups[1].implementation, ==, SEAM_IMPLEMENTATION_GENERATED);
  /* Cutting between conv_bias and relu does not change the groups of conv and bias. */
  toggled = seam_plan_toggle (plan, 1);
  g_assert_cmpstr (toggled->notation, ==, "conv@cudnn|conv_bias|relu|bias@hand");
  chosen = seam_plan_choose (plan, 0, "hand-simt");
  g_assert_cmpstr (chosen->notation, ==, "conv@hand-simt|conv_bias+relu@generated|bias@hand");
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
    { "", "empty" },
    { "  ", "empty" },
    { "publishd", "did you mean “published”" },
    { "zebra", "unfused, published, epilogue, full, relu-after-bias, index-overflow and " },
    { "conv", "After “conv”" },
    { "conv|", "needs “conv_bias”, not the end" },
    { "conv|relu|conv_bias|bias", "needs “conv_bias”, not “relu”" },
    { "conv,conv_bias", "not “,”" },
    { "conv||conv_bias", "not “|”" },
    { "conv+conv_bias|relu+bias|conv", "complete" },
    { "conv+conv_bias|relu+bias+", "complete" },
    { "conv@-|conv_bias|relu|bias", "implementation" },
    { "conv@|conv_bias|relu|bias", "implementation" },
    { "conv@cudnn+conv_bias|relu|bias", "end of a group" },
    { "as-published:conv|conv_bias", "no exhibit" },
    { ":conv", "begin with" },
    { "+", "begin with" },
    { "conv\xff", "" },
    { "conv\x01", "no meaning" },
    { "convconv_bias", "no plan" },
  };
  g_autoptr (SeamPipeline) pipeline = find ("#1");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (seam_plan_parse (pipeline, cases[i].text, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
    g_test_message ("%s", error->message);
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    if (strstr (error->message, cases[i].expected) == NULL)
      g_error ("“%s” does not say “%s”", error->message, cases[i].expected);
  }
}

static void
assert_tensors (const SeamPlan *plan, int group, const char *expected)
{
  SeamGroupTensors tensors;
  g_autoptr (GString) text = g_string_new (NULL);

  seam_plan_get_group_tensors (plan, group, &tensors);
  for (int i = 0; i < tensors.n_inputs; i++)
    g_string_append_printf (text, "%d ", tensors.inputs[i]);
  g_string_append_c (text, '/');
  for (int i = 0; i < tensors.n_params; i++)
    g_string_append_printf (text, " %d", tensors.params[i]);
  g_string_append (text, " ->");
  for (int i = 0; i < tensors.n_outputs; i++) {
    g_string_append_printf (text, " %d", tensors.outputs[i]);
    g_assert_true (seam_plan_is_materialised (plan, tensors.outputs[i]));
  }
  g_assert_cmpstr (text->str, ==, expected);
}

/* #57 has 7 ops: outputs are tensors 1 to 7, parameters 8 (weight) and 9 (conv.bias). */
static void
test_group_tensors (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#57");
  g_autoptr (SeamPlan) unfused = seam_plan_parse (pipeline, "unfused", NULL);
  g_autoptr (SeamPlan) full = seam_plan_parse (pipeline, "full", NULL);
  g_autoptr (SeamPlan) crossing =
      seam_plan_parse (pipeline, "conv|conv_bias+relu+add3|div6+clamp+mul", NULL);
  g_autoptr (SeamPlan) inside =
      seam_plan_parse (pipeline, "conv+conv_bias|relu+add3+div6+clamp+mul", NULL);

  assert_tensors (unfused, 0, "0 / 8 -> 1");
  assert_tensors (unfused, 1, "1 / 9 -> 2");
  assert_tensors (unfused, 6, "6 3 / -> 7");
  assert_tensors (full, 0, "0 / 8 9 -> 7");
  g_assert_false (seam_plan_is_materialised (full, 3));
  g_assert_true (seam_plan_is_materialised (full, 0));
  g_assert_true (seam_plan_is_materialised (full, 9));
  /* The relu output is read again after the cut, so that its group writes two tensors. */
  assert_tensors (crossing, 1, "1 / 9 -> 3 4");
  assert_tensors (crossing, 2, "4 3 / -> 7");
  assert_tensors (inside, 1, "2 / -> 7");
}

/* The menu has a sentence for every named plan, which says of exhibits that they are wrong on
 * purpose. */
static void
test_sentences (void)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#37", NULL);
  g_auto (GStrv) names = seam_plan_list_names (pipeline);
  int n_exhibits = 0;

  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);
    g_autofree char *sentence = seam_plan_describe (plan);

    g_assert_true (g_str_has_suffix (sentence, "."));
    g_assert_cmpint (g_str_has_prefix (sentence, "Wrong on purpose. "), ==, plan->chain > 0);
    n_exhibits += plan->chain > 0;
  }
  g_assert_cmpint (n_exhibits, >, 0);
  g_autoptr (SeamPlan) own = seam_plan_parse (pipeline, "matmul+swish|bias|groupnorm", NULL);
  g_assert_true (own == NULL || seam_plan_describe (own) == NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/every-partition", test_every_partition);
  g_test_add_func ("/plan/names", test_names);
  g_test_add_func ("/plan/implementations", test_implementations);
  g_test_add_func ("/plan/refused", test_refused);
  g_test_add_func ("/plan/group-tensors", test_group_tensors);
  g_test_add_func ("/plan/sentences", test_sentences);
  return g_test_run ();
}
