/* SPDX-License-Identifier: MIT
 *
 * Completes the table of ops (kernels/ops.h) by texts and by facts that need the program.
 */
#include "app/base/text.h"
#include "app/pipeline/problem.h"

#include <math.h>
#include <string.h>

/* --- The ops, each under its name in the table --- */

static void
infer_conv2d (const SeamShape *x, const SeamShape *weight, SeamShape *y)
{
  *y = (SeamShape){ 4,
                    { x->dims[0], weight->dims[0], x->dims[2] - weight->dims[2] + 1,
                      x->dims[3] - weight->dims[3] + 1 } };
}

static void
get_conv2d_axes (const SeamShape *x, const SeamShape *weight, gint64 n_groups, SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_ALL, x->dims[1] };
  for (int i = 2; i < x->n_dims; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_WINDOW, weight->dims[i] };
}

static const SeamOpAttributes conv2d_attributes = {
  .block = "k {kernel_size} · {in_channels}→{out_channels}",
  .formula = "y[n,k,p,q] = Σ x[n,c,p+r,q+s] × w[k,c,r,s], over {in_channels} channels c and "
             "{kernel_size} × {kernel_size} places r, s",
  .weight = SEAM_PARAM_CONV_WEIGHT,
  .infer = infer_conv2d,
  .axes = get_conv2d_axes,
  .fields = (const char *const[]){ "batch", "in_channels", "out_channels", "height", "width",
                                   "kernel_size", NULL },
};

static void
infer_matmul (const SeamShape *x, const SeamShape *weight, SeamShape *y)
{
  *y = (SeamShape){ 2, { x->dims[0], weight->dims[0] } };
}

static void
get_matmul_axes (const SeamShape *x, const SeamShape *weight, gint64 n_groups, SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_ALL, x->dims[1] };
}

static const SeamOpAttributes matmul_attributes = {
  .block = "{in_features}→{out_features}",
  .formula = "y[n,k] = Σ x[n,c] × w[k,c], over {in_features} features c",
  .weight = SEAM_PARAM_MATMUL_WEIGHT,
  .infer = infer_matmul,
  .axes = get_matmul_axes,
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
  .scalars = { { "low" }, { "high", check_high } },
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

static const SeamOpAttributes min_scalar_attributes = { .block = "min(x, {a})",
                                                        .formula = "y = min(x, {a})",
                                                        .scalars = { { "value" } } };

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

static void
get_groupnorm_axes (const SeamShape *x, const SeamShape *weight, gint64 n_groups,
                    SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_BLOCK, x->dims[1] / n_groups };
  for (int i = 2; i < x->n_dims; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_ALL, x->dims[i] };
}

static const SeamOpAttributes groupnorm_attributes = {
  .axes = get_groupnorm_axes,
  .block = "{groups} groups",
  .alias = "group_norm",
  .formula =
      "y = (x − mean) ÷ √(variance + ε) × w + b, with mean and variance of each of the {groups} "
      "groups of channels of a sample, and w and b for each channel",
  .fields = (const char *const[]){ "groups", NULL },
};

/* --- The table --- */

/* Keys of an op's parameters, depending on what its map reads. */
#define PARAMS_NOTHING                                                                             \
  {                                                                                                \
    NULL                                                                                           \
  }
#define PARAMS_VECTOR                                                                              \
  {                                                                                                \
    "vector"                                                                                       \
  }
#define PARAMS_TENSOR                                                                              \
  {                                                                                                \
    NULL                                                                                           \
  }

#define MATRIX(NAME, own, LIBRARY)                                                                 \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_MATRIX,                                                                 \
    .kind = SEAM_KIND_MATRIX,                                                                      \
    .params = { "weight" },                                                                        \
    .attributes = &own##_attributes,                                                               \
  },
#define MAP(NAME, own, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, CUDNN, EPILOGUE, ...)         \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_MAP,                                                                    \
    .kind = SEAM_KIND_##KIND,                                                                      \
    .reads = SEAM_READS_##READS,                                                                   \
    .params = PARAMS_##READS,                                                                      \
    .operations = OPERATIONS,                                                                      \
    .keeps_numbers = NUMBERS,                                                                      \
    .epilogue = SEAM_EPILOGUE_##EPILOGUE,                                                          \
    .attributes = &own##_attributes,                                                               \
  },
#define NORMALISE(NAME, own, OPERATIONS)                                                           \
  [SEAM_OP_##NAME] = {                                                                             \
    .name = #own,                                                                                  \
    .op_class = SEAM_CLASS_NORMALISE,                                                              \
    .kind = SEAM_KIND_NORMALISATION,                                                               \
    .params = { "weight", "bias" },                                                                \
    .operations = OPERATIONS,                                                                      \
    .attributes = &own##_attributes,                                                               \
  },

static const SeamOpInfo infos[SEAM_N_OP_TYPES] = { SEAM_OPS (MATRIX, MAP, NORMALISE) };

static const SeamOpInfo *extra;

void
seam_op_set_extra (const SeamOpInfo *info)
{
  extra = info;
}

const SeamOpInfo *
seam_op_type_get_info (SeamOpType type)
{
  if (type == SEAM_N_OP_TYPES && extra != NULL)
    return extra;
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
  return role == SEAM_PARAM_VECTOR || role == SEAM_PARAM_VECTOR_3D;
}

void
seam_op_infer_shape (const SeamOp *op, const SeamShape *x, const SeamShape *param, SeamShape *y)
{
  const SeamOpInfo *info = seam_op_get_info (op);

  if (info->attributes->infer != NULL)
    info->attributes->infer (x, param, y);
  else
    *y = *x;
}

SeamShapeView
seam_shape_view (const SeamShape *shape)
{
  SeamShapeView view = { 1, 1, 1, shape->n_dims > 2 ? shape->dims[shape->n_dims - 1] : 1 };

  for (int i = 0; i < shape->n_dims; i++)
    *(i == 0 ? &view.outer : i == 1 ? &view.channels : &view.inner) *= shape->dims[i];
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
  for (int i = 0; i < shape.n_dims; i++)
    g_string_append_printf (text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', shape.dims[i]);
  g_string_append_c (text, ']');
}

/* Appends the text for a name in braces. */
static void
append_named (GString *text, const char *name, const SeamProblem *problem, const SeamChain *chain,
              int op)
{
  const SeamOp *o = &chain->ops[op];

  if (strcmp (name, "a") == 0 || strcmp (name, "+a") == 0)
    append_scalar (text, o->scalars[0], *name == '+');
  else if (strcmp (name, "b") == 0)
    append_scalar (text, o->scalars[1], FALSE);
  else if (strcmp (name, "v") == 0)
    append_vector (text, seam_op_get_param_shape (problem, chain, op, 0));
  else if (strcmp (name, "t") == 0)
    g_string_append (text, o->operand < 0 ? "?" : chain->ops[o->operand].label);
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, seam_problem_get_value (problem, name, 0));
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

  return g_strdup_printf ("%s: %s", chain->ops[op].label, filled);
}
