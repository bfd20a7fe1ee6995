/* SPDX-License-Identifier: MIT
 *
 * The parts of generated code that CUDA and C share.
 */
#include "app/backend/generate.h"

#include <math.h>
#include <string.h>

char *
seam_generate_identifier (const char *name)
{
  char *identifier = g_strdup (name);

  for (char *c = identifier; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  return identifier;
}

char *
seam_generate_value_name (const SeamChain *chain, int op)
{
  if (op < 0 || op >= chain->n_ops)
    return op < 0 ? g_strdup ("input") : g_strdup_printf ("input_%d", op - chain->n_ops);
  g_autofree char *identifier = seam_generate_identifier (chain->ops[op].name);
  for (int i = 0; i < chain->n_ops; i++) {
    g_autofree char *other = seam_generate_identifier (chain->ops[i].name);
    if (i != op && g_str_equal (identifier, other))
      return g_strdup_printf ("after_%s_%d", identifier, op);
  }
  return g_strdup_printf ("after_%s", identifier);
}

int
seam_generate_find_or_add (int *list, int *n, int number)
{
  for (int i = 0; i < *n; i++)
    if (list[i] == number)
      return i;
  list[*n] = number;
  return (*n)++;
}

void
seam_generate_append_name (GString *text, const char *name)
{
  for (const char *c = name; *c != '\0'; c++)
    g_string_append_c (text, g_ascii_iscntrl (*c) || *c == '\\' || *c == '*' ? ' ' : *c);
}

void
seam_generate_append_ops (GString *text, const char *pipeline, const SeamChain *chain, int first,
                          int last)
{
  seam_generate_append_name (text, pipeline);
  g_string_append_c (text, ':');
  for (int op = first; op <= last; op++) {
    g_string_append (text, op > first ? " + " : " ");
    seam_generate_append_name (text, chain->ops[op].name);
  }
}

void
seam_generate_append_shape (GString *text, const SeamTensor *tensor)
{
  seam_generate_append_name (text, tensor->name);
  g_string_append (text, " [");
  for (int i = 0; i < tensor->shape.n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", tensor->shape.dims[i]);
  g_string_append_c (text, ']');
}

void
seam_generate_append_literal (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (isinf (value)) {
    g_string_append (text, value < 0 ? "-(float)SEAM_INFINITY" : "(float)SEAM_INFINITY");
    return;
  }
  g_ascii_formatd (number, sizeof number, "%.9g", (double)(float)value);
  g_string_append (text, number);
  if (strpbrk (number, ".e") == NULL)
    g_string_append (text, ".0");
  g_string_append_c (text, 'f');
}

/* The expression of each map, as kernels/ops.h defines it. */
#define TEXT(NAME, name, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, ...)                        \
  [SEAM_OP_##NAME] = #EXPRESSION,
static const char *const expressions[SEAM_N_OP_TYPES] = { SEAM_OPS (SEAM_OP_SKIP, TEXT,
                                                                    SEAM_OP_SKIP) };
#undef TEXT

SeamArithmetic
seam_generate_get_arithmetic (SeamOpType type)
{
  static const struct {
    const char *of_vector, *of_number;
  } words[] = {
    [SEAM_ARITHMETIC_ADD] = { "seam_op_add (x, v)", "seam_op_add (x, a)" },
    [SEAM_ARITHMETIC_MULTIPLY] = { "seam_op_multiply (x, v)", "seam_op_multiply (x, a)" },
    [SEAM_ARITHMETIC_DIVIDE] = { NULL, "seam_op_divide (x, a)" },
  };

  for (int i = SEAM_ARITHMETIC_ADD; i < (int)G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (expressions[type], words[i].of_number) == 0
        || (words[i].of_vector != NULL && g_strcmp0 (expressions[type], words[i].of_vector) == 0))
      return (SeamArithmetic)i;
  return SEAM_ARITHMETIC_NONE;
}

void
seam_generate_append_expression (GString *text, const SeamOp *op, const char *previous,
                                 const char *vector, const char *operand)
{
  const char *expression = expressions[op->type];

  g_return_if_fail (expression != NULL);
  while (*expression != '\0') {
    gsize length = 0;

    while (g_ascii_isalnum (expression[length]) || expression[length] == '_')
      length++;
    /* Names of one letter are placeholders. */
    if (length == 1 && *expression == 'x')
      g_string_append (text, previous);
    else if (length == 1 && *expression == 'v')
      g_string_append (text, vector);
    else if (length == 1 && *expression == 't')
      g_string_append (text, operand);
    else if (length == 1 && *expression == 'a' && seam_op_get_scalar_param (op) >= 0)
      g_string_append (text, vector);
    else if (length == 1 && (*expression == 'a' || *expression == 'b'))
      seam_generate_append_literal (text, op->scalars[*expression - 'a']);
    else
      g_string_append_len (text, expression, (gssize)MAX (length, 1));
    expression += MAX (length, 1);
  }
}
