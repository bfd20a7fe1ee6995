/* SPDX-License-Identifier: MIT
 *
 * For tests that walk the table of ops (kernels/ops.h): pipelines in which one map follows a matrix
 * op, on numbers that leave nothing but the map's own error. A new op of the table takes part in
 * all these tests. Static functions, included by one test program each.
 */
#pragma once

#include "tests/core/cpu-fixture.h"

/* Scalars for an op that takes some, in order: negative, and not 1; the second is the larger. */
static const char *const op_fixture_scalars[SEAM_MAX_OP_SCALARS] = { "-0.75", "1.25" };

static inline int
op_fixture_get_value (const char *field)
{
  static const struct {
    const char *key;
    int value;
  } values[] = {
    { "batch", 3 },  { "in_channels", 2 }, { "out_channels", 5 }, { "height", 13 },
    { "width", 21 }, { "kernel_size", 3 }, { "in_features", 24 }, { "out_features", 37 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    if (g_str_equal (values[i].key, field))
      return values[i].value;
  g_error ("no value is known for the field %s", field);
}

/* The pipeline "first;op" or, if the op reads an earlier output, "first;between;op". */
static inline SeamPipeline *
op_fixture_make_pipeline (SeamOpType first, SeamOpType type)
{
  const SeamOpInfo *matrix = seam_op_type_get_info (first), *info = seam_op_type_get_info (type);
  gboolean reads_tensor = info->reads == SEAM_READS_TENSOR;
  g_autoptr (GString) text = g_string_new (NULL), preset = g_string_new ("[preset small]\n");
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline;

  g_string_printf (text,
                   "[pipeline]\ntitle=One op\ndescription=One op after another.\nsource=test\n"
                   "ops=first;%sop;\n"
                   "[op first]\ntype=%s\n%s=w\n"
                   "[param w]\nrole=%s\ninit=normal\n"
                   "[op op]\ntype=%s\n",
                   reads_tensor ? "between;" : "", matrix->name, matrix->params[0],
                   matrix->attributes->weight == SEAM_PARAM_CONV_WEIGHT ? "conv-weight"
                                                                        : "matmul-weight",
                   info->name);
  if (reads_tensor)
    g_string_append (text, "operand=first\n[op between]\ntype=add_scalar\nvalue=0.5\n");
  else if (info->reads == SEAM_READS_VECTOR)
    g_string_append_printf (text, "%s=v\n[param v]\nrole=vector\ninit=normal\n", info->params[0]);
  /* The keys of an op follow its group's head. */
  for (int i = 0; i < SEAM_MAX_OP_SCALARS; i++)
    if (info->attributes->scalars[i].key != NULL) {
      g_autofree char *line =
          g_strdup_printf ("%s=%s\n", info->attributes->scalars[i].key, op_fixture_scalars[i]);
      const char *head = strstr (text->str, "[op op]\n") + strlen ("[op op]\n");

      g_string_insert (text, head - text->str, line);
    }
  for (const char *const *field = matrix->attributes->fields; *field != NULL; field++) {
    g_string_append_printf (text, "[field %s]\nlabel=%s\nunit=\nmin=1\nmax=1000\n", *field, *field);
    g_string_append_printf (preset, "%s=%d\n", *field, op_fixture_get_value (*field));
  }
  g_string_append (text, preset->str);
  pipeline = seam_pipeline_parse (text->str, "one-op", &error);
  if (pipeline == NULL)
    g_error ("%s after %s: %s\n%s", info->name, matrix->name, error->message, text->str);
  return pipeline;
}

/* Factors are eighths of at most 1, so that every sum of products is exact in FP32 in any order. */
static inline Fixture *
op_fixture_new (SeamOpType first, SeamOpType type)
{
  g_autoptr (SeamPipeline) pipeline = op_fixture_make_pipeline (first, type);
  g_autoptr (GError) error = NULL;
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, NULL, &error);
  Fixture *fixture;

  g_assert_no_error (error);
  fixture = fixture_new (problem);
  fixture_fill (fixture, 7, SEAM_DISTRIBUTION_NORMAL);
  for (int i = 0; i < 2; i++) {
    int tensor = i == 0 ? SEAM_TENSOR_INPUT : SEAM_TENSOR_PARAM (fixture->n_ops, 0);

    for (gint64 j = 0; j < problem->tensors[tensor].n_elements; j++)
      fixture->host[tensor][j] = rintf (CLAMP (fixture->host[tensor][j], -1.0f, 1.0f) * 8) / 8;
  }
  return fixture;
}

/* Largest error that a map may have: some units in the last place of its output and of its
 * intermediate values. Sums of transformed values (Winograd) have an error that grows with x, too.
 * A wrong op is off by more than a thousand times as much. */
static inline double
op_fixture_get_bound (const double *reference, gint64 n)
{
  double largest = 1;

  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, fabs (reference[i]));
  return 256 * ldexp (1, -24) * largest;
}

static inline void
op_fixture_check (const char *what, const SeamPlan *plan, const float *output,
                  const double *reference, gint64 n)
{
  double off = fixture_max_difference (output, reference, n),
         bound = op_fixture_get_bound (reference, n);

  if (!(off <= bound))
    g_error ("%s, plan %s: off by %g, bound %g", what, plan->notation, off, bound);
}

/* Calls `test` with "PREFIX/matmul/relu" and so on for every matrix op that fuses and every map
 * that reads values and vectors. The data is the two types, first * SEAM_N_OP_TYPES + type. */
static inline void
op_fixture_add_tests (const char *prefix, void (*test) (gconstpointer data))
{
  for (int first = 0; first < SEAM_N_OP_TYPES; first++)
    for (int type = 0; type < SEAM_N_OP_TYPES; type++)
      if (seam_op_type_get_info (first)->fuses
          && seam_op_type_get_info (type)->op_class == SEAM_CLASS_MAP
          && seam_op_type_get_info (type)->attributes->second == SEAM_SECOND_VALUE) {
        g_autofree char *path = g_strdup_printf ("%s/%s/%s", prefix, seam_op_type_get_name (first),
                                                 seam_op_type_get_name (type));
        g_test_add_data_func (path, GINT_TO_POINTER (first * SEAM_N_OP_TYPES + type), test);
      }
}
