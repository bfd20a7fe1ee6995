/* SPDX-License-Identifier: MIT
 *
 * Completes the table of ops (kernels/ops.h) by texts and by facts that need the program.
 */
#include "app/base/text.h"
#include "app/pipeline/hint.h"
#include "app/pipeline/op-shape.h"
#include "app/pipeline/problem.h"

#include <math.h>
#include <string.h>

/* --- The ops, each under its name in the table --- */

#define BIT(number) (1u << SEAM_NUMBER_##number)

#define CONVOLUTION                                                                                \
  .numbers = BIT (KERNEL) | BIT (STRIDE) | BIT (PADDING) | BIT (OUT),                              \
  .weight = SEAM_PARAM_CONV_WEIGHT, .infer = seam_op_infer_convolution,                            \
  .axes = seam_op_get_convolution_axes, .need = seam_op_need_convolution
#define TRANSPOSED                                                                                 \
  .numbers = BIT (KERNEL) | BIT (STRIDE) | BIT (PADDING) | BIT (OUTPUT_PADDING) | BIT (OUT),       \
  .weight = SEAM_PARAM_CONV_WEIGHT, .infer = seam_op_infer_transposed,                             \
  .axes = seam_op_get_transposed_axes, .need = seam_op_need_transposed

static const char *const image_fields[] = { "batch",  "in_channels", "out_channels",
                                            "height", "width",       "kernel_size",
                                            NULL };
static const char *const volume_fields[] = { "batch",  "in_channels", "out_channels", "depth",
                                             "height", "width",       "kernel_size",  NULL };

static const SeamOpAttributes conv2d_attributes = {
  .block = "k {kernel} · {in}→{out}",
  .formula = "y[n,k,p,q] = Σ x[n,c,p+r,q+s] × w[k,c,r,s], over {in} channels c and "
             "{kernel} × {kernel} places r, s",
  .rank = 2,
  .fields = image_fields,
  CONVOLUTION
};

static const SeamOpAttributes conv3d_attributes = {
  .block = "k {kernel} · {in}→{out}",
  .formula = "y[n,k,o,p,q] = Σ x[n,c,o+t,p+r,q+s] × w[k,c,t,r,s], over {in} channels c and "
             "{kernel} × {kernel} × {kernel} places t, r, s",
  .rank = 3,
  .fields = volume_fields,
  CONVOLUTION
};

static const SeamOpAttributes conv_transpose2d_attributes = {
  .block = "k {kernel} · {in}→{out}",
  .formula = "each x[n,c,h,w], times w[c,k,r,s], is added to y[n,k,h×{stride}−{padding}+r,"
             "w×{stride}−{padding}+s], over {in} channels c and {kernel} × {kernel} places r, s",
  .rank = 2,
  .fields = image_fields,
  TRANSPOSED
};

static const SeamOpAttributes conv_transpose3d_attributes = {
  .block = "k {kernel} · {in}→{out}",
  .formula = "each x[n,c,d,h,w], times w[c,k,t,r,s], is added to y[n,k,…], {stride} elements of y "
             "for one of x along each axis less a padding of {padding}, over {in} channels c and "
             "{kernel} × {kernel} × {kernel} places t, r, s",
  .rank = 3,
  .fields = volume_fields,
  TRANSPOSED
};

static const SeamOpAttributes matmul_attributes = {
  .block = "{in}→{out}",
  .formula = "y[n,k] = Σ x[n,c] × w[k,c], over {in} features c",
  .numbers = BIT (OUT),
  .weight = SEAM_PARAM_MATMUL_WEIGHT,
  .infer = seam_op_infer_matmul,
  .axes = seam_op_get_matmul_axes,
  .need = seam_op_need_matmul,
  .fields = (const char *const[]){ "batch", "in_features", "out_features", NULL },
};

static const SeamOpAttributes add_channel_attributes = {
  .block = "+ {v}", .formula = "y = x + v, with one number v for each channel"
};

static const SeamOpAttributes multiply_channel_attributes = {
  .block = SEAM_TIMES " {v}",
  .formula = "y = x × v, with one number v for each channel",
  .alias = "mul_channel"
};

static const SeamOpAttributes add_scalar_attributes = { .block = "{+a}",
                                                        .formula = "y = x {+a}",
                                                        .scalars = { { "value" } } };

static const char *
check_divisor (const double *scalars)
{
  return fabs (scalars[0]) >= 1e-30 && fabs (scalars[0]) <= 1e30
             ? NULL
             : "it divides: use a number from 1e-30 to 1e30, or the negative of one.";
}

static const SeamOpAttributes divide_scalar_attributes = {
  .block = "÷ {a}",
  .alias = "div_scalar",
  .formula = "y = x ÷ {a}",
  .scalars = { { "value", check_divisor } },
};

static const char *
check_high (const double *scalars)
{
  return scalars[1] < scalars[0] ? "it is less than low." : NULL;
}

static const SeamOpAttributes clamp_attributes = {
  .block = "{a} … {b}",
  .formula = "y = min(max(x, {a}), {b})",
  .scalars = { { .key = "low", .alias = "min", .otherwise = -INFINITY, .is_optional = TRUE },
               { "high", check_high, "max", INFINITY, TRUE } },
  .parts = { "lower bound", "upper bound" },
};

static const SeamOpAttributes relu_attributes = { .block = "max(x, 0)",
                                                  .formula = "y = max(x, 0)",
                                                  .parts = { "negative side", "positive side" } };

static const SeamOpAttributes sigmoid_attributes = { .block = "σ(x)",
                                                     .formula = "y = σ(x) = 1 ÷ (1 + exp(−x))" };

static const SeamOpAttributes multiply_tensor_attributes = {
  .alias = "mul_tensor",
  .block = SEAM_TIMES " {t}",
  .formula = "y = x × t, with t the output of {t}"
};

static const SeamOpAttributes sub_channel_attributes = {
  .block = SEAM_MINUS " {v}", .formula = "y = x − v, with one number v for each channel"
};

static const SeamOpAttributes sub_scalar_attributes = { .block = SEAM_MINUS " {a}",
                                                        .formula = "y = x − {a}",
                                                        .scalars = { { "value" } } };

static const SeamOpAttributes mul_scalar_attributes = { .block = SEAM_TIMES " {a}",
                                                        .formula = "y = x × {a}",
                                                        .scalars = { { "value" } } };

static const SeamOpAttributes min_scalar_attributes = {
  .block = "min(x, {a})", .formula = "y = min(x, {a})", .bends = TRUE, .scalars = { { "value" } }
};

static const SeamOpAttributes add_tensor_attributes = { .block = "+ {t}",
                                                        .formula =
                                                            "y = x + t, with t the output of {t}" };

static const SeamOpAttributes tanh_attributes = { .block = "tanh(x)", .formula = "y = tanh(x)" };

static const SeamOpAttributes gelu_attributes = { .block = "x Φ(x)",
                                                  .formula = "y = x ÷ 2 × (1 + erf(x ÷ √2))" };

static const SeamOpAttributes mish_attributes = { .block = "x tanh(ln(1 + eˣ))",
                                                  .formula = "y = x × tanh(ln(1 + exp(x)))" };

static const SeamOpAttributes hardswish_attributes = { .block = "x clamp(x + 3) ÷ 6",
                                                       .formula =
                                                           "y = x × min(max(x + 3, 0), 6) ÷ 6" };

static const char *
check_slope (const double *scalars)
{
  return (float)scalars[0] != 0 ? NULL : "a slope of 0 is relu; use that.";
}

static const SeamOpAttributes leaky_relu_attributes = {
  .block = "x, or {a} x",
  .formula = "y = x where x > 0, else {a} × x",
  .scalars = { { "negative_slope", check_slope } },
};

static const SeamOpAttributes softplus_attributes = {
  .block = "ln(1 + eˣ)",
  .formula = "y = ln(1 + exp({a} × x)) ÷ {a}, and x itself where {a} × x > {b}",
  .scalars = { { "beta", check_divisor }, { "threshold" } },
};

static const SeamOpAttributes sub_tensor_attributes = { .block = SEAM_MINUS " {t}",
                                                        .formula =
                                                            "y = x − t, with t the output of {t}" };

static const SeamOpAttributes add_outer_attributes = {
  .block = "+ {t}",
  .formula = "y = x + {t}, with the axes of both side by side",
  .second = SEAM_SECOND_PARAM
};

static const SeamOpAttributes gelu_tanh_attributes = {
  .block = "x Φ(x), by tanh", .formula = "y = x ÷ 2 × (1 + tanh(√(2 ÷ π) × (x + 0.044715 × x³)))"
};

static const char *
check_share (const double *scalars)
{
  return scalars[0] >= 0 && scalars[0] < 1 ? NULL
                                           : "it is a share: use a number from 0 to below 1.";
}

static const SeamOpAttributes dropout_attributes = {
  .block = "p {a}",
  .formula = "y = x × m, where a random share {a} of the numbers m is 0 and the others are 1 ÷ (1 "
             "− {a})",
  .scalars = { { .key = "p", .check = check_share, .otherwise = 0.5, .is_optional = TRUE } },
  .second = SEAM_SECOND_MASK,
};

static const char *
check_epsilon (const double *scalars)
{
  return scalars[0] > 0 ? NULL : "it keeps a division from 0: use a number over 0.";
}

#define EPSILON                                                                                    \
  .scalars = { { .key = "eps",                                                                     \
                 .check = check_epsilon,                                                           \
                 .otherwise = SEAM_GROUPNORM_EPSILON,                                              \
                 .is_optional = TRUE } }

static const SeamOpAttributes groupnorm_attributes = {
  .block = "{groups} groups",
  .alias = "group_norm",
  .formula =
      "y = (x − mean) ÷ √(variance + ε) × w + b, with mean and variance of each of the {groups} "
      "groups of channels of a sample, and w and b for each channel",
  EPSILON,
  .numbers = BIT (GROUPS),
  .infer = seam_op_infer_groupnorm,
  .axes = seam_op_get_groupnorm_axes,
  .need = seam_op_need_groupnorm,
};

static const SeamOpAttributes batch_norm_attributes = {
  .block = "each channel",
  .formula = "y = (x − mean) ÷ √(variance + ε) × w + b, with mean and variance of each channel of "
             "the whole batch, or its running ones, and w and b for each channel",
  EPSILON,
  .infer = seam_op_infer_batch_norm,
  .axes = seam_op_get_batch_norm_axes,
  .need = seam_op_need_along,
};

static const SeamOpAttributes instance_norm_attributes = {
  .block = "axes {axes}",
  .formula = "y = (x − mean) ÷ √(variance + ε), with mean and variance along the axes {axes}",
  EPSILON,
  .numbers = BIT (AXES),
  .infer = seam_op_infer_instance_norm,
  .axes = seam_op_get_reduction_axes,
  .need = seam_op_need_along,
};

static const SeamOpAttributes layer_norm_attributes = {
  .block = "axes {axes}",
  .formula = "y = (x − mean) ÷ √(variance + ε) × w + b, with mean and variance along the axes "
             "{axes}, and w and b for each of their indices",
  EPSILON,
  .numbers = BIT (AXES),
  .has_affine_axes = TRUE,
  .infer = seam_op_infer_layer_norm,
  .axes = seam_op_get_reduction_axes,
  .need = seam_op_need_along,
};

static const SeamOpAttributes softmax_attributes = {
  .block = "axes {axes}",
  .formula = "y = exp(x − max) ÷ Σ exp(x − max), along the axes {axes}",
  .numbers = BIT (AXES),
  .infer = seam_op_infer_softmax,
  .axes = seam_op_get_reduction_axes,
  .need = seam_op_need_along,
};

#define POOL(RANK)                                                                                 \
  .rank = RANK, .infer = seam_op_infer_window, .axes = seam_op_get_window_axes,                    \
  .need = seam_op_need_window
#define MAX_POOL(RANK)                                                                             \
  .block = "k {kernel}, stride {stride}",                                                          \
  .formula = "y = the largest x of each window of {kernel}, {stride} apart",                       \
  .numbers = BIT (KERNEL) | BIT (STRIDE) | BIT (PADDING) | BIT (CEIL_MODE), POOL (RANK)
#define AVG_POOL(RANK)                                                                             \
  .block = "k {kernel}, stride {stride}",                                                          \
  .formula = "y = the mean x of each window of {kernel}, {stride} apart",                          \
  .numbers =                                                                                       \
      BIT (KERNEL) | BIT (STRIDE) | BIT (PADDING) | BIT (CEIL_MODE) | BIT (COUNT_INCLUDE_PAD),     \
  POOL (RANK)

static const SeamOpAttributes max_pool1d_attributes = { MAX_POOL (1) };
static const SeamOpAttributes max_pool2d_attributes = { MAX_POOL (2) };
static const SeamOpAttributes max_pool3d_attributes = { MAX_POOL (3) };
static const SeamOpAttributes avg_pool1d_attributes = { AVG_POOL (1) };
static const SeamOpAttributes avg_pool2d_attributes = { AVG_POOL (2) };
static const SeamOpAttributes avg_pool3d_attributes = { AVG_POOL (3) };

#define REDUCTION                                                                                  \
  .infer = seam_op_infer_reduction, .axes = seam_op_get_reduction_axes,                            \
  .need = seam_op_need_reduction

static const SeamOpAttributes global_avg_pool_attributes = {
  .block = "mean of space",
  .formula = "y = the mean x of each channel of a sample",
  .numbers = BIT (AXES) | BIT (KEEPDIM),
  .keeps_axes = TRUE,
  REDUCTION
};

#define REDUCE(own, FORMULA)                                                                       \
  static const SeamOpAttributes own##_attributes = { .block = "axes {axes}",                       \
                                                     .formula = FORMULA " along the axes {axes}",  \
                                                     .numbers = BIT (AXES) | BIT (KEEPDIM),        \
                                                     REDUCTION }

REDUCE (reduce_sum, "y = Σ x");
REDUCE (reduce_mean, "y = the mean x");
REDUCE (reduce_max, "y = the largest x");
REDUCE (reduce_min, "y = the smallest x");
REDUCE (logsumexp, "y = ln Σ exp(x)");

/* --- The table --- */

/* Keys of a map's parameters, depending on what it reads. */
#define PARAM_NOTHING "param"
#define PARAM_VECTOR  "vector"
#define PARAM_TENSOR  NULL
#define READS_VECTOR  1
#define READS_NOTHING 0
#define READS_TENSOR  0

#define FUSES_CUDNN       TRUE
#define FUSES_CUBLASLT    TRUE
#define FUSES_CUDNN_ALONE FALSE

#define MATRIX(NAME, own, LIBRARY)                                                                 \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_MATRIX,                                                                 \
    .kind = SEAM_KIND_MATRIX,                                                                      \
    .params = { "weight" },                                                                        \
    .n_required_params = 1,                                                                        \
    .fuses = FUSES_##LIBRARY,                                                                      \
    .attributes = &own##_attributes,                                                               \
  },
#define MAP(NAME, own, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, CUDNN, EPILOGUE, ...)         \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_MAP,                                                                    \
    .kind = SEAM_KIND_##KIND,                                                                      \
    .reads = SEAM_READS_##READS,                                                                   \
    .params = { PARAM_##READS },                                                                   \
    .n_required_params = READS_##READS,                                                            \
    .operations = OPERATIONS,                                                                      \
    .keeps_numbers = NUMBERS,                                                                      \
    .epilogue = SEAM_EPILOGUE_##EPILOGUE,                                                          \
    .attributes = &own##_attributes,                                                               \
  },
#define PARAMS_NONE    NULL
#define PARAMS_AFFINE  "weight", "bias"
#define PARAMS_RUNNING "weight", "bias", "running_mean", "running_var"

#define OTHER(NAME, own, CLASS, KIND, REDUCTION, OPERATIONS, PARAMETERS)                           \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_##CLASS,                                                                \
    .kind = SEAM_KIND_##KIND,                                                                      \
    .params = { PARAMS_##PARAMETERS },                                                             \
    .reduction = SEAM_REDUCTION_##REDUCTION,                                                       \
    .operations = OPERATIONS,                                                                      \
    .attributes = &own##_attributes,                                                               \
  },

static const SeamOpInfo infos[SEAM_N_OP_TYPES] = { SEAM_OPS (MATRIX, MAP, OTHER) };

const SeamOpInfo *
seam_op_type_get_info (SeamOpType type)
{
  g_return_val_if_fail ((guint)type < SEAM_N_OP_TYPES, NULL);
  return &infos[type];
}

const char *
seam_op_type_get_name (SeamOpType type)
{
  return seam_op_type_get_info (type)->name;
}

const SeamOpInfo *
seam_op_get_info (const SeamOp *op)
{
  return seam_op_type_get_info (op->type);
}

static const SeamOpNumberInfo number_infos[SEAM_N_NUMBERS] = {
  [SEAM_NUMBER_KERNEL] = { "kernel", 1, 1000000, 0, FALSE, { "kernel_size" } },
  [SEAM_NUMBER_STRIDE] = { "stride", 1, 1000000, 0, FALSE },
  [SEAM_NUMBER_PADDING] = { "padding", 0, 1000000, 0, FALSE },
  [SEAM_NUMBER_OUTPUT_PADDING] = { "output_padding", 0, 1000000, 0, FALSE },
  [SEAM_NUMBER_OUT] = { "out", 1, G_MAXINT32, 0, FALSE, { "out_channels", "out_features" } },
  [SEAM_NUMBER_GROUPS] = { "groups", 1, G_MAXINT32, 0, FALSE, { "groups" } },
  [SEAM_NUMBER_AXES] = { "axes", 0, 0, 0, FALSE },
  [SEAM_NUMBER_KEEPDIM] = { "keepdim", 0, 1, 0, TRUE },
  [SEAM_NUMBER_CEIL_MODE] = { "ceil_mode", 0, 1, 0, TRUE },
  [SEAM_NUMBER_COUNT_INCLUDE_PAD] = { "count_include_pad", 0, 1, 1, TRUE },
};

const SeamOpNumberInfo *
seam_op_number_get_info (SeamOpNumber number)
{
  return &number_infos[number];
}

SeamOpNumber
seam_op_number_find (const char *key)
{
  int number = 0;

  while (number + 1 < SEAM_N_NUMBERS && strcmp (number_infos[number].key, key) != 0)
    number++;
  return (SeamOpNumber)number;
}

SeamOpKind
seam_op_get_kind (const SeamOp *op)
{
  return seam_op_get_info (op)->kind;
}

gboolean
seam_op_is_matrix (const SeamOp *op)
{
  return seam_op_get_info (op)->op_class == SEAM_CLASS_MATRIX;
}

gboolean
seam_op_is_map (const SeamOp *op)
{
  return seam_op_get_info (op)->op_class == SEAM_CLASS_MAP;
}

gboolean
seam_op_is_normalisation (const SeamOp *op)
{
  return seam_op_get_info (op)->op_class == SEAM_CLASS_NORMALISE;
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
    [SEAM_KIND_WINDOW] = "window",
    [SEAM_KIND_REDUCTION] = "reduction",
    [SEAM_KIND_COPY] = "copy",
  };

  g_return_val_if_fail ((guint)kind < SEAM_N_KINDS, NULL);
  return names[kind];
}

gboolean
seam_op_type_takes (SeamOpType type, SeamParamRole role)
{
  const SeamOpInfo *info = seam_op_type_get_info (type);

  if (info->op_class == SEAM_CLASS_MATRIX)
    return role == info->attributes->weight;
  if (info->op_class == SEAM_CLASS_MAP && info->reads == SEAM_READS_NOTHING)
    return role == SEAM_PARAM_SCALAR;
  return role == SEAM_PARAM_VECTOR || role == SEAM_PARAM_VECTOR_3D;
}

gboolean
seam_op_is_linear (const SeamOp *op)
{
  const SeamOpKind kind = seam_op_get_kind (op);

  return seam_op_is_map (op) && (kind == SEAM_KIND_CHANNEL_ADD || kind == SEAM_KIND_ARITHMETIC)
         && !seam_op_get_info (op)->attributes->bends;
}

gboolean
seam_op_has_number (const SeamOp *op, SeamOpNumber number)
{
  return seam_op_get_info (op)->attributes->numbers >> number & 1;
}

gboolean
seam_op_reads (const SeamOp *op, int tensor)
{
  return op->inputs[0] == tensor || op->inputs[1] == tensor;
}

int
seam_op_get_scalar_param (const SeamOp *op)
{
  const SeamOpInfo *info = seam_op_get_info (op);

  return info->op_class == SEAM_CLASS_MAP && info->reads == SEAM_READS_NOTHING ? op->params[0] : -1;
}

SeamShapeView
seam_shape_view (const SeamShape *shape)
{
  SeamShapeView view = { 1, 1,
                         1, shape->n_dims > 2 ? shape->dims[shape->n_dims - 1] : 1,
                         1, shape->n_dims };

  for (int i = 0; i < shape->n_dims; i++)
    *(i == 0 ? &view.outer : i == 1 ? &view.channels : &view.inner) *= shape->dims[i];
  /* Planes of one element are no planes. */
  if (shape->n_dims == SEAM_MAX_DIMS && view.inner > shape->dims[2])
    view.depth = shape->dims[2];
  return view;
}

void
seam_shape_view_get_area (const SeamShapeView *view, gint64 *height, gint64 *width)
{
  *height = view->inner > 1 ? view->inner / view->width : view->outer;
  *width = view->inner > 1 ? view->width : view->channels;
}

/* --- Second line and tooltip of a block --- */

/* The shortest text of a constant: "3", "0.5", "−1"; or with a space after the sign: "− 1", "+
 * 3". */
static void
append_scalar (GString *text, double value, gboolean is_added)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (value < 0 || is_added)
    g_string_append_printf (text, "%s%s", value < 0 ? SEAM_MINUS : "+", is_added ? " " : "");
  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%g", fabs (value)));
}

/* "[32,1,1]" */
static void
append_vector (GString *text, SeamShape shape)
{
  g_string_append_c (text, '[');
  for (int i = 0; i < shape.n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape.dims[i]);
  g_string_append_c (text, ']');
}

/* "2, 3" */
static void
append_axes (GString *text, const SeamOpCase *c)
{
  const char *between = "";

  for (int i = 0; i < c->in[0].n_dims; i++)
    if (c->axes >> i & 1) {
      g_string_append_printf (text, "%s%d", between, i);
      between = ", ";
    }
}

/* Appends the text for a name in braces. */
static void
append_named (GString *text, const char *name, const SeamProblem *problem, const SeamChain *chain,
              int op)
{
  const SeamOp *o = &chain->ops[op];
  const int scalar = seam_op_get_scalar_param (o);
  SeamOpCase c;

  seam_op_get_case (problem, chain, op, &c);
  seam_op_infer (&c, NULL);
  if ((strcmp (name, "a") == 0 || strcmp (name, "+a") == 0) && scalar >= 0)
    g_string_append_printf (text, "%s%s", *name == '+' ? "+ " : "",
                            problem->pipeline->params[scalar].name);
  else if (strcmp (name, "a") == 0 || strcmp (name, "+a") == 0)
    append_scalar (text, o->scalars[0], *name == '+');
  else if (strcmp (name, "b") == 0)
    append_scalar (text, o->scalars[1], FALSE);
  else if (strcmp (name, "v") == 0)
    append_vector (text, seam_op_get_param_shape (problem, chain, op, 0));
  else if (strcmp (name, "t") == 0)
    g_string_append (text, seam_chain_name_value (problem->pipeline, chain, o->inputs[1]));
  else if (strcmp (name, "axes") == 0)
    append_axes (text, &c);
  else if (strcmp (name, "in") == 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, c.in[0].dims[1]);
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, c.numbers[seam_op_number_find (name)]);
}

/* `p` with the names in braces replaced; newly allocated. */
static char *
fill_in (const char *p, const SeamProblem *problem, const SeamChain *chain, int op)
{
  GString *text = g_string_new (NULL);

  while (*p != '\0') {
    gsize length = strcspn (p, "{");
    const char *end = strchr (p + length, '}');

    g_string_append_len (text, p, (gssize)length);
    p += length;
    if (end != NULL) {
      g_autofree char *name = g_strndup (p + 1, (gsize)(end - p - 1));

      append_named (text, name, problem, chain, op);
      p = end + 1;
    }
  }
  return g_string_free (text, FALSE);
}

char *
seam_op_describe (const SeamProblem *problem, const SeamChain *chain, int op)
{
  return fill_in (seam_op_get_info (&chain->ops[op])->attributes->block, problem, chain, op);
}

char *
seam_op_explain (const SeamProblem *problem, const SeamChain *chain, int op)
{
  const SeamOpAttributes *attributes = seam_op_get_info (&chain->ops[op])->attributes;
  const char *formula = attributes->formula != NULL ? attributes->formula : attributes->block;
  g_autofree char *filled = fill_in (formula, problem, chain, op);
  g_autofree char *hint = seam_op_find_hint (problem, chain, op);

  return g_strdup_printf ("%s: %s%s%s", chain->ops[op].label, filled, hint != NULL ? ". " : "",
                          hint != NULL ? hint : "");
}
