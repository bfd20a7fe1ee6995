/* SPDX-License-Identifier: MIT
 *
 * The table of ops: the columns of each op agree, and every map, after every matrix op, gives the
 * result of the FP64 reference, as loops of the program and as generated C.
 */
#include "tests/core/op-fixture.h"

#include <float.h>

#define TEXT(NAME, name, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, ...)                        \
  [SEAM_OP_##NAME] = #EXPRESSION,
static const char *const expressions[SEAM_N_OP_TYPES] = { SEAM_OPS (SEAM_OP_SKIP, TEXT,
                                                                    SEAM_OP_SKIP) };
#undef TEXT

typedef float (*Map) (float x, float v, float t, float a, float b);

#define FUNCTION(NAME, name, ...) [SEAM_OP_##NAME] = seam_op_apply_##name,
static const Map maps[SEAM_N_OP_TYPES] = { SEAM_OPS (SEAM_OP_SKIP, FUNCTION, SEAM_OP_SKIP) };
#undef FUNCTION

/* Whether the expression uses this one-letter name. */
static gboolean
names (const char *expression, const char *letter)
{
  g_auto (GStrv) words = g_strsplit_set (expression, " (),.+-*/?:<>=!&|", -1);

  return g_strv_contains ((const char *const *)words, letter);
}

/* The names that an expression uses are those that a file gives the op and that its loops read. */
static void
test_columns (void)
{
  for (int type = 0; type < SEAM_N_OP_TYPES; type++) {
    const SeamOpInfo *info = seam_op_type_get_info (type);
    const char *expression = expressions[type];

    g_test_message ("%s", info->name);
    g_assert_cmpstr (info->attributes->block, !=, NULL);
    g_assert_true ((expression != NULL) == (info->op_class == SEAM_CLASS_MAP));
    g_assert_true ((info->attributes->infer == NULL) == (info->op_class == SEAM_CLASS_MAP));
    g_assert_true ((info->attributes->need == NULL) == (info->op_class == SEAM_CLASS_MAP));
    if (expression == NULL)
      continue;
    g_assert_true (names (expression, "x"));
    g_assert_true (names (expression, "v") == (info->reads == SEAM_READS_VECTOR));
    g_assert_true (names (expression, "t") == (info->reads == SEAM_READS_TENSOR));
    /* The share of a dropout is in its mask. */
    g_assert_true (names (expression, "a")
                   == (info->attributes->scalars[0].key != NULL
                       && info->attributes->second != SEAM_SECOND_MASK));
    g_assert_true (names (expression, "b") == (info->attributes->scalars[1].key != NULL));
    g_assert_cmpfloat (info->operations, >, 0);
  }
}

/* NaN passes through every map. A map that is said to make no NaN makes none of any number, on
 * which code generated for GPUs relies. Every other map does make one. */
static void
test_numbers (void)
{
  static const float numbers[] = { 0,       -0.0f,    1,           -1,       0.3f,
                                   -7,      100,      -100,        FLT_MAX,  -FLT_MAX,
                                   FLT_MIN, -FLT_MIN, FLT_EPSILON, INFINITY, -INFINITY };

  for (int type = 0; type < SEAM_N_OP_TYPES; type++) {
    gboolean made = FALSE;

    if (maps[type] == NULL)
      continue;
    g_assert_true (isnan (maps[type](NAN, 1, 1, 0.25f, 0.75f)));
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
      for (gsize j = 0; j < G_N_ELEMENTS (numbers); j++)
        made = made || isnan (maps[type](numbers[i], numbers[j], numbers[j], 0.25f, 0.75f))
               || isnan (maps[type](numbers[i], numbers[j], numbers[j], -1e30f, 1e30f));
    g_test_message ("%s", seam_op_type_get_name (type));
    g_assert_true (made == !seam_op_type_get_info (type)->keeps_numbers);
  }
}

/* The second line of an op's block and its formula, with every name in braces replaced. */
static void
test_blocks (gconstpointer data)
{
  const int types = GPOINTER_TO_INT (data);
  g_autoptr (SeamPipeline) pipeline =
      op_fixture_make_pipeline (types / SEAM_N_OP_TYPES, types % SEAM_N_OP_TYPES);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, NULL, NULL, NULL);
  const SeamChain *chain = &pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++) {
    g_autofree char *block = seam_op_describe (problem, chain, i);
    g_autofree char *formula = seam_op_explain (problem, chain, i);

    g_assert_cmpstr (block, !=, "");
    g_assert_null (strpbrk (block, "{}?"));
    /* No field and no number of the op is 0, so that a 0 would be a missing value. */
    g_assert_null (strstr (block, "[0"));
    g_assert_null (strstr (block, "→0"));
    g_assert_true (g_str_has_prefix (formula, chain->ops[i].label));
    g_assert_nonnull (strstr (formula, ": y"));
    g_assert_null (strpbrk (formula, "{}?"));
  }
}

static void
test_cpu (gconstpointer data)
{
  static const char *const implementations[] = { "cpu", SEAM_IMPLEMENTATION_GENERATED };
  const int types = GPOINTER_TO_INT (data);
  Fixture *f = op_fixture_new (types / SEAM_N_OP_TYPES, types % SEAM_N_OP_TYPES);
  const SeamChain *chain = &f->problem->pipeline->chains[0];
  g_autofree double *reference = fixture_reference (f);
  const gint64 n = fixture_n_outputs (f);

  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    for (guint32 seams = 0; seams < 1u << (chain->n_ops - 1); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
      g_autofree float *output = NULL;

      /* A matrix op alone has no generated code. */
      for (int group = 0; group < plan->n_groups; group++)
        if (plan->groups[group].last > 0)
          plan->groups[group].implementation = implementations[i];
      output = fixture_run (f, plan);
      op_fixture_check (implementations[i], plan, output, reference, n);
    }
  fixture_free (f);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/op-table/columns", test_columns);
  g_test_add_func ("/op-table/numbers", test_numbers);
  op_fixture_add_tests ("/op-table/blocks", test_blocks);
  op_fixture_add_tests ("/op-table/cpu", test_cpu);
  return g_test_run ();
}
