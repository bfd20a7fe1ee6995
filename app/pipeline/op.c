/* SPDX-License-Identifier: MIT
 *
 * What is known of an op by its type: kind, name in files, and the small second line of its block.
 */
#include "app/base/text.h"
#include "app/pipeline/pipeline.h"

SeamOpKind
seam_op_get_kind (const SeamOp *op)
{
  switch (op->type) {
  case SEAM_OP_CONV2D:
  case SEAM_OP_MATMUL:
    return SEAM_KIND_MATRIX;
  case SEAM_OP_ADD_CHANNEL:
    return SEAM_KIND_CHANNEL_ADD;
  case SEAM_OP_CLAMP:
  case SEAM_OP_RELU:
  case SEAM_OP_SIGMOID:
    return SEAM_KIND_ACTIVATION;
  case SEAM_OP_GROUPNORM:
    return SEAM_KIND_NORMALISATION;
  case SEAM_OP_MULTIPLY_CHANNEL:
  case SEAM_OP_ADD_SCALAR:
  case SEAM_OP_DIVIDE_SCALAR:
  case SEAM_OP_MULTIPLY_TENSOR:
  case SEAM_N_OP_TYPES:
    break;
  }
  return SEAM_KIND_ARITHMETIC;
}

const char *
seam_op_kind_get_name (SeamOpKind kind)
{
  static const char *const names[SEAM_N_KINDS] = {
    [SEAM_KIND_MATRIX] = "matrix",
    [SEAM_KIND_CHANNEL_ADD] = "channel add",
    [SEAM_KIND_ARITHMETIC] = "arithmetic",
    [SEAM_KIND_ACTIVATION] = "activation",
    [SEAM_KIND_NORMALISATION] = "normalisation",
    [SEAM_KIND_COPY] = "copy",
  };

  g_return_val_if_fail ((guint)kind < SEAM_N_KINDS, NULL);
  return names[kind];
}

const char *
seam_op_type_get_name (SeamOpType type)
{
  static const char *const names[SEAM_N_OP_TYPES] = {
    [SEAM_OP_CONV2D] = "conv2d",
    [SEAM_OP_MATMUL] = "matmul",
    [SEAM_OP_ADD_CHANNEL] = "add_channel",
    [SEAM_OP_MULTIPLY_CHANNEL] = "multiply_channel",
    [SEAM_OP_ADD_SCALAR] = "add_scalar",
    [SEAM_OP_DIVIDE_SCALAR] = "divide_scalar",
    [SEAM_OP_CLAMP] = "clamp",
    [SEAM_OP_RELU] = "relu",
    [SEAM_OP_SIGMOID] = "sigmoid",
    [SEAM_OP_MULTIPLY_TENSOR] = "multiply_tensor",
    [SEAM_OP_GROUPNORM] = "groupnorm",
  };

  g_return_val_if_fail ((guint)type < SEAM_N_OP_TYPES, NULL);
  return names[type];
}

static gint64
get_value (const SeamPipeline *pipeline, const gint64 *values, const char *key)
{
  int field = seam_pipeline_get_field (pipeline, key);

  return field < 0 ? 0 : values[field];
}

/* The shortest text of a constant: "3", "0.5", "−1". */
static char *
format_scalar (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%g", value < 0 ? -value : value);
  return g_strconcat (value < 0 ? SEAM_MINUS : "", buffer, NULL);
}

/* The op of the pipeline's chains that holds `op`, to name its operand. */
static const SeamChain *
find_chain (const SeamPipeline *pipeline, const SeamOp *op)
{
  for (int i = 0; i < pipeline->n_chains; i++) {
    const SeamChain *chain = &pipeline->chains[i];
    if (op >= chain->ops && op < chain->ops + chain->n_ops)
      return chain;
  }
  return &pipeline->chains[0];
}

static char *
describe_vector (const SeamPipeline *pipeline, const SeamOp *op, const gint64 *values,
                 const char *sign)
{
  gboolean is_conv = pipeline->chains[0].ops[0].type == SEAM_OP_CONV2D;
  gint64 k = get_value (pipeline, values, is_conv ? "out_channels" : "out_features");
  gboolean is_3d =
      op->params[0] >= 0 && pipeline->params[op->params[0]].role == SEAM_PARAM_VECTOR_3D;

  return g_strdup_printf ("%s [%" G_GINT64_FORMAT "%s]", sign, k, is_3d ? ",1,1" : "");
}

char *
seam_op_describe (const SeamPipeline *pipeline, const SeamOp *op, const gint64 *values)
{
  g_autofree char *first = NULL, *second = NULL;

  switch (op->type) {
  case SEAM_OP_CONV2D:
    return g_strdup_printf ("k %" G_GINT64_FORMAT " · %" G_GINT64_FORMAT "→%" G_GINT64_FORMAT,
                            get_value (pipeline, values, "kernel_size"),
                            get_value (pipeline, values, "in_channels"),
                            get_value (pipeline, values, "out_channels"));
  case SEAM_OP_MATMUL:
    return g_strdup_printf ("%" G_GINT64_FORMAT "→%" G_GINT64_FORMAT,
                            get_value (pipeline, values, "in_features"),
                            get_value (pipeline, values, "out_features"));
  case SEAM_OP_ADD_CHANNEL:
    return describe_vector (pipeline, op, values, "+");
  case SEAM_OP_MULTIPLY_CHANNEL:
    return describe_vector (pipeline, op, values, SEAM_TIMES);
  case SEAM_OP_ADD_SCALAR:
    first = format_scalar (op->scalars[0] < 0 ? -op->scalars[0] : op->scalars[0]);
    return g_strdup_printf ("%s %s", op->scalars[0] < 0 ? SEAM_MINUS : "+", first);
  case SEAM_OP_DIVIDE_SCALAR:
    first = format_scalar (op->scalars[0]);
    return g_strdup_printf ("÷ %s", first);
  case SEAM_OP_CLAMP:
    first = format_scalar (op->scalars[0]);
    second = format_scalar (op->scalars[1]);
    return g_strdup_printf ("%s … %s", first, second);
  case SEAM_OP_RELU:
    return g_strdup ("max(x, 0)");
  case SEAM_OP_SIGMOID:
    return g_strdup ("σ(x)");
  case SEAM_OP_MULTIPLY_TENSOR:
    return g_strdup_printf (
        "× %s", op->operand < 0 ? "?" : find_chain (pipeline, op)->ops[op->operand].label);
  case SEAM_OP_GROUPNORM:
    return g_strdup_printf ("%" G_GINT64_FORMAT " groups", get_value (pipeline, values, "groups"));
  case SEAM_N_OP_TYPES:
    break;
  }
  return g_strdup ("");
}
