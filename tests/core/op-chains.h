/* SPDX-License-Identifier: MIT
 *
 * Chains of maps behind a matrix op, and their values by NumPy (op-chains.py has both): the tests
 * of a backend run them in every way that it has. Static functions, included by one test program
 * each.
 */
#pragma once

#include "tests/core/extent.h"
#include "tests/core/op-fixture.h"

/* Values of a chain: of two rows of the output, and channels after which they repeat. */
#define OP_CHAINS_ROWS   2
#define OP_CHAINS_PERIOD 10
/* Of so many chains one runs by default. A prime, so that every map has its turn at every place. */
#define OP_CHAINS_STRIDE 53

typedef struct {
  GHashTable *maps; /* name -> its line */
  GPtrArray *chains;
  SeamNpy *npy;
} OpChains;

static inline void
op_chains_init (OpChains *c)
{
  const char *path = g_getenv ("SEAMSCOPE_TEST_CHAINS");
  g_autofree char *npy_path = g_strconcat (path, ".npy", NULL), *text = NULL;
  g_autofree char *text_path = g_strconcat (path, ".txt", NULL);
  g_autoptr (GError) error = NULL;

  c->npy = seam_npy_read (npy_path, &error);
  g_assert_no_error (error);
  g_file_get_contents (text_path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) parts = g_strsplit (text, "\n\n", 2);
  g_auto (GStrv) maps = g_strsplit (parts[0], "\n", -1), chains = g_strsplit (parts[1], "\n", -1);
  c->maps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  c->chains = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; maps[i] != NULL; i++) {
    const char *space = strchr (maps[i], ' ');
    g_hash_table_insert (c->maps, g_strndup (maps[i], (gsize)(space - maps[i])),
                         g_strdup (space + 1));
  }
  for (int i = 0; chains[i] != NULL && chains[i][0] != '\0'; i++)
    g_ptr_array_add (c->chains, g_strdup (chains[i]));
  g_assert_cmpint (c->npy->dims[0], ==, c->chains->len + 2);
  g_assert_cmpint (c->npy->dims[1], ==, OP_CHAINS_ROWS);
  g_assert_cmpint (c->npy->dims[2], ==, OP_CHAINS_PERIOD);
}

static inline void
op_chains_clear (OpChains *c)
{
  g_hash_table_unref (c->maps);
  g_ptr_array_unref (c->chains);
  seam_npy_free (c->npy);
}

/* Whether a map occurs twice in the chain with different constants ("add", "add-2"). */
static inline gboolean
op_chains_has_kind_twice (const OpChains *c, int chain)
{
  g_auto (GStrv) names = g_strsplit (c->chains->pdata[chain], " ", -1);

  for (int i = 0; names[i] != NULL; i++) {
    g_autofree char *other = g_strconcat (names[i], "-2", NULL);

    if (g_strv_contains ((const char *const *)names, other))
      return TRUE;
  }
  return FALSE;
}

/* A sample, and pairs of a map with different constants: what is compiled, since compiling all
 * chains takes much longer than everything else. */
static inline gboolean
op_chains_compiles (const OpChains *c, int chain)
{
  const char *second = strchr (c->chains->pdata[chain], ' ') + 1;

  return chain % OP_CHAINS_STRIDE == 0
         || (strchr (second, ' ') == NULL && op_chains_has_kind_twice (c, chain));
}

static inline gboolean
op_chains_takes (const OpChains *c, int chain)
{
  return extent_is_all () || op_chains_compiles (c, chain);
}

/* The first two entries of the file are the matrix op's output and the vectors. */
static inline float
op_chains_get (const OpChains *c, int entry, gint64 row, gint64 channel)
{
  return ((const float *)
              c->npy->data)[(entry * OP_CHAINS_ROWS + row % OP_CHAINS_ROWS) * OP_CHAINS_PERIOD
                            + channel % OP_CHAINS_PERIOD];
}

/* The pipeline "first; op 1; op 2; …". */
static inline SeamPipeline *
op_chains_make_pipeline (const OpChains *c, SeamOpType first, const char *chain)
{
  const SeamOpInfo *matrix = seam_op_type_get_info (first);
  g_auto (GStrv) names = g_strsplit (chain, " ", -1);
  g_autoptr (GString) text = g_string_new (
      "[pipeline]\ntitle=Chain\ndescription=Maps after a matrix op.\nsource=test\nops=first;");
  g_autoptr (GError) error = NULL;

  for (int i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "op%d;", i);
  g_string_append_printf (text, "\n[op first]\ntype=%s\n%s=w\n[param w]\nrole=%s\ninit=normal\n",
                          matrix->name, matrix->params[0],
                          matrix->attributes->weight == SEAM_PARAM_CONV_WEIGHT ? "conv-weight"
                                                                               : "matmul-weight");
  for (int i = 0; names[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (g_hash_table_lookup (c->maps, names[i]), " ", 2);
    const SeamOpInfo *info = seam_op_type_get_info (0);

    for (int type = 0; !g_str_equal (info->name, words[0]); type++)
      info = seam_op_type_get_info (type);
    g_string_append_printf (text, "[op op%d]\ntype=%s\n", i, words[0]);
    if (info->reads == SEAM_READS_TENSOR)
      g_string_append (text, "operand=first\n");
    else if (info->reads == SEAM_READS_VECTOR)
      g_string_append_printf (text, "%s=v%d\n[param v%d]\nrole=vector\ninit=normal\n",
                              info->params[0], i, i);
    else if (words[1] != NULL)
      g_string_append_printf (text, "%s\n", g_strdelimit (words[1], ";", '\n'));
  }
  for (const char *const *field = matrix->attributes->fields; *field != NULL; field++)
    g_string_append_printf (text, "[field %s]\nlabel=%s\nunit=\nmin=1\nmax=10000\n", *field,
                            *field);
  g_string_append (text, "[preset small]\n");
  for (const char *const *field = matrix->attributes->fields; *field != NULL; field++)
    g_string_append_printf (text, "%s=%d\n", *field, op_fixture_get_value (*field));
  SeamPipeline *pipeline = seam_pipeline_parse (text->str, "chain", &error);
  if (pipeline == NULL)
    g_error ("%s: %s\n%s", chain, error->message, text->str);
  return pipeline;
}

/* Fills the tensors so that the matrix op's outputs are those of the file: the first two inputs of
 * a row are one and zero or zero and one, and the weights of a channel begin with its two values (a
 * filter has them in its middle); all other weights are 0. */
static inline void
op_chains_fill (const OpChains *c, Fixture *f, const char *chain)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  const gint64 middle = d->r / 2 * d->w + d->r / 2;
  const SeamChain *ops = &f->problem->pipeline->chains[0];
  g_auto (GStrv) names = g_strsplit (chain, " ", -1);
  float *input, *weight;

  for (int i = 0; i < f->problem->n_tensors; i++)
    if (!fixture_is_op_output (f, i)) {
      g_free (f->host[i]);
      f->host[i] = g_new0 (float, f->problem->tensors[i].n_elements);
    }
  input = f->host[SEAM_TENSOR_INPUT];
  weight = f->host[SEAM_TENSOR_PARAM (f->n_ops, ops->ops[0].params[0])];
  for (gint64 i = 0; i < f->problem->tensors[SEAM_TENSOR_INPUT].n_elements; i++)
    input[i] = 1; /* met by weights of 0 */
  for (gint64 n = 0; n < d->n; n++)
    for (gint64 i = 0; i < d->p * d->q; i++)
      for (int row = 0; row < OP_CHAINS_ROWS; row++)
        input[(n * d->c + row) * d->h * d->w + i / d->q * d->w + i % d->q + middle] =
            (n + i) % OP_CHAINS_ROWS == row;
  for (gint64 k = 0; k < d->k; k++)
    for (int row = 0; row < OP_CHAINS_ROWS; row++)
      weight[(k * d->c + row) * d->r * d->r + d->r * d->r / 2] = op_chains_get (c, 0, row, k);
  for (int i = 0; names[i] != NULL; i++) {
    const char *line = g_hash_table_lookup (c->maps, names[i]), *vector = strstr (line, "vector=");

    if (vector == NULL)
      continue;
    for (gint64 k = 0; k < d->k; k++)
      f->host[SEAM_TENSOR_PARAM (f->n_ops, ops->ops[i + 1].params[0])][k] =
          op_chains_get (c, 1, vector[strlen ("vector=")] - '0', k);
  }
}

/* The chain behind `first`, with its tensors in the storage. */
static inline Fixture *
op_chains_fixture (const OpChains *c, SeamOpType first, int chain, SeamMathMode mode,
                   SeamStorage storage)
{
  g_autoptr (SeamPipeline) pipeline = op_chains_make_pipeline (c, first, c->chains->pdata[chain]);
  g_autoptr (GError) error = NULL;
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, NULL, NULL, &error));

  g_assert_no_error (error);
  seam_problem_set_storage (f->problem, storage, seam_math_mode_get_operand (mode));
  f->math_mode = mode;
  op_chains_fill (c, f, c->chains->pdata[chain]);
  return f;
}

/* Compares an output in memory, of the problem's type. A wrong constant changes most elements by
 * more than the bound: `unit` is an op's own error, beside that of the largest value. */
static inline void
op_chains_check (const OpChains *c, const Fixture *f, int chain, const SeamPlan *plan,
                 const char *how, double unit, const void *output)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (f->problem, 0), *d = &sizes;
  const SeamTensor *t = &f->problem->tensors[SEAM_TENSOR_OUTPUT (f->n_ops - 1)];
  const gint64 plane = d->p * d->q;
  double largest = 1;

  for (int i = 0; i < OP_CHAINS_ROWS * OP_CHAINS_PERIOD; i++)
    largest = MAX (largest, fabs (op_chains_get (c, chain + 2, i / OP_CHAINS_PERIOD, i)));
  for (gint64 i = 0; i < t->n_elements; i++) {
    const gint64 k = i / plane % d->k;
    const double expected = op_chains_get (c, chain + 2, i / plane / d->k + i % plane, k);
    const double found = t->type == SEAM_OPERAND_FP32
                             ? ((const float *)output)[i]
                             : seam_operand_unpack (t->type, ((const unsigned short *)output)[i]);

    if (!(fabs (found - expected) <= f->n_ops * unit * largest))
      g_error ("%s %s, %s, plan %s, %s: element %" G_GINT64_FORMAT " is %.9g, expected %.9g",
               seam_op_type_get_name (f->problem->pipeline->chains[0].ops[0].type),
               (const char *)c->chains->pdata[chain], seam_math_mode_get_name (f->math_mode),
               plan->notation, how, i, found, expected);
  }
}
