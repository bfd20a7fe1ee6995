/* SPDX-License-Identifier: MIT
 *
 * The parts of generated code that CUDA and C share.
 */
#include "app/backend/generate.h"

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
  g_autofree char *identifier = NULL;

  if (op < 0)
    return g_strdup ("input");
  identifier = seam_generate_identifier (chain->ops[op].name);
  for (int i = 0; i < chain->n_ops; i++) {
    g_autofree char *other = seam_generate_identifier (chain->ops[i].name);
    if (i != op && g_str_equal (identifier, other))
      return g_strdup_printf ("after_%s_%d", identifier, op);
  }
  return g_strdup_printf ("after_%s", identifier);
}

void
seam_generate_append_name (GString *text, const char *name)
{
  for (const char *c = name; *c != '\0'; c++)
    g_string_append_c (text, g_ascii_iscntrl (*c) || *c == '\\' || *c == '*' ? ' ' : *c);
}

void
seam_generate_append_shape (GString *text, const SeamTensor *tensor)
{
  seam_generate_append_name (text, tensor->name);
  g_string_append (text, " [");
  for (int i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", tensor->dims[i]);
  g_string_append_c (text, ']');
}

void
seam_generate_append_literal (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.9g", (double)(float)value);
  g_string_append (text, number);
  if (strpbrk (number, ".e") == NULL)
    g_string_append (text, ".0");
  g_string_append_c (text, 'f');
}

void
seam_generate_append_expression (GString *text, const SeamOp *op, const char *previous,
                                 const char *vector, const char *operand)
{
  switch (op->type) {
  case SEAM_OP_ADD_CHANNEL:
    g_string_append_printf (text, "seam_op_add (%s, %s)", previous, vector);
    break;
  case SEAM_OP_MULTIPLY_CHANNEL:
    g_string_append_printf (text, "seam_op_multiply (%s, %s)", previous, vector);
    break;
  case SEAM_OP_ADD_SCALAR:
  case SEAM_OP_DIVIDE_SCALAR:
    g_string_append_printf (text, "seam_op_%s (%s, ",
                            op->type == SEAM_OP_ADD_SCALAR ? "add" : "divide", previous);
    seam_generate_append_literal (text, op->scalars[0]);
    g_string_append_c (text, ')');
    break;
  case SEAM_OP_CLAMP:
    g_string_append_printf (text, "seam_op_clamp (%s, ", previous);
    seam_generate_append_literal (text, op->scalars[0]);
    g_string_append (text, ", ");
    seam_generate_append_literal (text, op->scalars[1]);
    g_string_append_c (text, ')');
    break;
  case SEAM_OP_RELU:
    g_string_append_printf (text, "seam_op_relu (%s)", previous);
    break;
  case SEAM_OP_SIGMOID:
    g_string_append_printf (text, "seam_op_sigmoid (%s)", previous);
    break;
  case SEAM_OP_MULTIPLY_TENSOR:
    g_string_append_printf (text, "seam_op_multiply (%s, %s)", previous, operand);
    break;
  default: /* library ops and GroupNorm are not written here */
    g_assert_not_reached ();
  }
}
