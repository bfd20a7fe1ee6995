/* SPDX-License-Identifier: MIT
 *
 * Computes and checks the sizes of all tensors from shape fields, and makes the numbers that fill
 * them.
 */
#include "app/pipeline/problem.h"

#include "app/base/error.h"
#include "app/base/random.h"
#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Bytes of all tensors together stay below this, so that sums of sizes cannot overflow either. */
#define MAX_BYTES ((gint64)1 << 60)

gint64
seam_problem_get_value (const SeamProblem *problem, const char *key, gint64 otherwise)
{
  int field = seam_pipeline_get_field (problem->pipeline, key);

  return field < 0 ? otherwise : problem->values[field];
}

/* Whether the chain works on images, [N, C, H, W], or on rows of features, [N, C]. */
static gboolean
has_images (const SeamProblem *problem)
{
  return seam_pipeline_get_field (problem->pipeline, "height") >= 0;
}

static gboolean
check_range (const SeamProblem *problem, GError **error)
{
  for (int i = 0; i < problem->pipeline->n_fields; i++) {
    const SeamShapeField *field = &problem->pipeline->fields[i];
    gint64 value = problem->values[i];
    g_autofree char *given = NULL, *min = NULL, *max = NULL;
    if (value >= field->min && value <= field->max)
      continue;
    given = seam_text_count (value);
    min = seam_text_count (field->min);
    max = seam_text_count (field->max);
    return seam_fail (error, SEAM_ERROR_INPUT, "%s (%s) is %s; it has to be from %s to %s.",
                      field->label, field->key, given, min, max);
  }
  return TRUE;
}

/* What the shape fields say; a matmul is a 1x1 convolution of a 1x1 image. */
typedef struct {
  gint64 n, c, h, w, k, r, groups;
} Sizes;

static gboolean
read_sizes (const SeamProblem *problem, Sizes *sizes, GError **error)
{
  sizes->n = seam_problem_get_value (problem, "batch", 1);
  sizes->groups = seam_problem_get_value (problem, "groups", 1);
  sizes->c = seam_problem_get_value (problem, "in_channels",
                                     seam_problem_get_value (problem, "in_features", 1));
  sizes->k = seam_problem_get_value (problem, "out_channels",
                                     seam_problem_get_value (problem, "out_features", 1));
  sizes->h = seam_problem_get_value (problem, "height", 1);
  sizes->w = seam_problem_get_value (problem, "width", 1);
  sizes->r = seam_problem_get_value (problem, "kernel_size", 1);
  if (sizes->r > sizes->h || sizes->r > sizes->w)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The kernel (kernel_size %" G_GINT64_FORMAT
                      ") is larger than the image of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT
                      "; use at most %" G_GINT64_FORMAT ", or a larger image.",
                      sizes->r, sizes->h, sizes->w, MIN (sizes->h, sizes->w));
  if (sizes->k % sizes->groups != 0)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The %" G_GINT64_FORMAT " groups do not divide the %" G_GINT64_FORMAT
                      " output %s; use a number of groups that divides them.",
                      sizes->groups, sizes->k, has_images (problem) ? "channels" : "features");
  return TRUE;
}

/* Sets name, shape and sizes; FALSE on overflow. */
static gboolean
set_tensor (SeamTensor *tensor, const char *name, const SeamShape *shape)
{
  g_strlcpy (tensor->name, name, sizeof tensor->name);
  tensor->shape = *shape;
  tensor->n_elements = 1;
  for (int i = 0; i < shape->n_dims; i++)
    if (__builtin_mul_overflow (tensor->n_elements, shape->dims[i], &tensor->n_elements))
      return FALSE;
  return !__builtin_mul_overflow (tensor->n_elements, (gint64)sizeof (float), &tensor->bytes);
}

/* The shape of a parameter of an op that reads x. */
static SeamShape
shape_param (const SeamProblem *problem, SeamParamRole role, const SeamShape *x)
{
  const gint64 k = seam_problem_get_value (problem, "out_channels",
                                           seam_problem_get_value (problem, "out_features", 1));
  const gint64 r = seam_problem_get_value (problem, "kernel_size", 1), c = x->dims[1];
  const SeamShape shapes[] = {
    [SEAM_PARAM_CONV_WEIGHT] = { 4, { k, c, r, r } },
    [SEAM_PARAM_MATMUL_WEIGHT] = { 2, { k, c } },
    [SEAM_PARAM_VECTOR] = { 1, { c } },
    [SEAM_PARAM_VECTOR_3D] = { 3, { c, 1, 1 } },
  };

  return shapes[role];
}

/* The shape of a parameter by the first op that reads it; of one that none reads, as if the last op
 * were followed by one that does. */
static SeamShape
get_read_shape (const SeamProblem *problem, int param)
{
  const SeamChain *chain = &problem->pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++)
    for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
      if (chain->ops[i].params[j] == param)
        return seam_op_get_param_shape (problem, chain, i, j);
  return shape_param (problem, problem->pipeline->params[param].role,
                      seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (chain->n_ops - 1)));
}

static gboolean
fill_tensors (SeamProblem *problem, const Sizes *d, GError **error)
{
  const SeamPipeline *pipeline = problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  const SeamShape x = { has_images (problem) ? 4 : 2, { d->n, d->c, d->h, d->w } };
  gint64 total = 0;

  problem->n_tensors = 1 + chain->n_ops + pipeline->n_params;
  gboolean fits = set_tensor (&problem->tensors[SEAM_TENSOR_INPUT], "input", &x);
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    SeamShape param = { 0 }, y;

    if (op->params[0] >= 0)
      param = seam_op_get_param_shape (problem, chain, i, 0);
    seam_op_infer_shape (op, seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (i - 1)),
                         op->params[0] >= 0 ? &param : NULL, &y);
    fits = set_tensor (&problem->tensors[SEAM_TENSOR_OUTPUT (i)], op->name, &y) && fits;
  }
  for (int i = 0; i < pipeline->n_params; i++) {
    const SeamShape shape = get_read_shape (problem, i);

    fits = set_tensor (&problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, i)],
                       pipeline->params[i].name, &shape)
           && fits;
  }
  for (int i = 0; fits && i < problem->n_tensors; i++)
    fits = !__builtin_add_overflow (total, problem->tensors[i].bytes, &total) && total < MAX_BYTES;
  if (fits)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "These tensors are larger than any memory: their size does not fit a 64-bit "
                    "number of bytes; choose a smaller shape.");
}

SeamProblem *
seam_problem_new (SeamPipeline *pipeline, const gint64 *values, GError **error)
{
  g_autoptr (SeamProblem) problem = g_new0 (SeamProblem, 1);
  Sizes sizes;

  problem->pipeline = seam_pipeline_ref (pipeline);
  memcpy (problem->values, values, sizeof *values * (gsize)pipeline->n_fields);
  if (!check_range (problem, error) || !read_sizes (problem, &sizes, error)
      || !fill_tensors (problem, &sizes, error))
    return NULL;
  return g_steal_pointer (&problem);
}

/* Reads one "key=value" of a shape text. `given` has a bit for each field that was already
 * named. */
static gboolean
parse_pair (const SeamPipeline *pipeline, const char *pair, gint64 *values, guint32 *given,
            GError **error)
{
  const char *equals = strchr (pair, '=');

  if (equals == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” is not a shape; write key=value, with commas between, for example "
                      "%s=8.",
                      pair, pipeline->fields[0].key);
  g_autofree char *key = g_strstrip (g_strndup (pair, equals - pair));
  int index = seam_pipeline_get_field (pipeline, key);
  if (index < 0) {
    const char *keys[SEAM_MAX_FIELDS + 1] = { NULL };
    for (int i = 0; i < pipeline->n_fields; i++)
      keys[i] = pipeline->fields[i].key;
    g_autofree char *end = seam_text_suggest (key, keys), *list = seam_text_list (keys);
    return seam_fail (error, SEAM_ERROR_INPUT, "%s has no shape field “%s”%s It has %s.",
                      pipeline->id, key, end, list);
  }
  const SeamShapeField *field = &pipeline->fields[index];
  if (*given & (1u << index))
    return seam_fail (error, SEAM_ERROR_INPUT, "The shape names %s twice.", field->key);
  *given |= 1u << index;
  return seam_text_parse_int64 (equals + 1, field->key, field->min, field->max, &values[index],
                                error);
}

/* Whether a tensor has 16 bits in this storage: one that one kernel writes and another reads, a
 * factor of the matrix op's products, or the output, but never a vector. */
static gboolean
is_stored (const SeamPipeline *pipeline, int index, SeamStorage storage)
{
  int n_ops = pipeline->chains[0].n_ops;

  if (storage == SEAM_STORAGE_FP32)
    return FALSE;
  if (index == SEAM_TENSOR_INPUT || index == SEAM_TENSOR_OUTPUT (n_ops - 1))
    return storage == SEAM_STORAGE_ALL;
  if (index < SEAM_TENSOR_PARAM (n_ops, 0))
    return TRUE;
  return storage == SEAM_STORAGE_ALL
         && index == SEAM_TENSOR_PARAM (n_ops, pipeline->chains[0].ops[0].params[0]);
}

void
seam_problem_set_storage (SeamProblem *problem, SeamStorage storage, SeamOperandType type)
{
  problem->storage = storage;
  for (int i = 0; i < problem->n_tensors; i++) {
    SeamTensor *tensor = &problem->tensors[i];

    tensor->type = is_stored (problem->pipeline, i, storage) ? type : SEAM_OPERAND_FP32;
    tensor->bytes = tensor->n_elements * seam_storage_get_element_bytes (tensor->type);
  }
}

void
seam_problem_take_samples (SeamProblem *problem, gint64 n)
{
  for (int i = SEAM_TENSOR_INPUT; i < SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);
       i++) {
    SeamTensor *tensor = &problem->tensors[i];

    tensor->n_elements = tensor->n_elements / tensor->shape.dims[0] * n;
    tensor->shape.dims[0] = n;
    tensor->bytes = tensor->n_elements * seam_storage_get_element_bytes (tensor->type);
  }
}

SeamProblem *
seam_problem_new_with_storage (SeamPipeline *pipeline, const gint64 *values,
                               const SeamSettings *settings, GError **error)
{
  const char *why;

  if (seam_settings_find_refused (settings, SEAM_ABILITY_ALL, &why) != NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT, why);
    return NULL;
  }
  SeamProblem *problem = seam_problem_new (pipeline, values, error);
  if (problem != NULL)
    seam_problem_set_storage (problem, settings->storage,
                              seam_math_mode_get_operand (settings->math_mode));
  return problem;
}

SeamProblem *
seam_problem_new_from_text (SeamPipeline *pipeline, const char *preset, const char *shape,
                            GError **error)
{
  const SeamPreset *base = preset ? seam_pipeline_get_preset (pipeline, preset, error)
                                  : seam_pipeline_get_default_preset (pipeline);
  gint64 values[SEAM_MAX_FIELDS];
  guint32 given = 0;

  if (base == NULL)
    return NULL;
  memcpy (values, base->values, sizeof values);
  if (shape && *shape) {
    g_auto (GStrv) pairs = g_strsplit (shape, ",", -1);
    for (int i = 0; pairs[i]; i++)
      if (!parse_pair (pipeline, g_strstrip (pairs[i]), values, &given, error))
        return NULL;
  }
  return seam_problem_new (pipeline, values, error);
}

void
seam_problem_free (SeamProblem *problem)
{
  if (problem == NULL)
    return;
  seam_pipeline_unref (problem->pipeline);
  g_free (problem);
}

char *
seam_problem_format_shape (const SeamProblem *problem)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < problem->pipeline->n_fields; i++)
    g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, i ? "," : "",
                            problem->pipeline->fields[i].key, problem->values[i]);
  return g_string_free (text, FALSE);
}

char *
seam_problem_describe_shape (const SeamProblem *problem)
{
  GString *text = g_string_new (NULL);
  Sizes sizes, *d = &sizes;

  read_sizes (problem, d, NULL);
  g_string_append_printf (text, "N %" G_GINT64_FORMAT ", ", d->n);
  if (has_images (problem))
    g_string_append_printf (text,
                            "C %" G_GINT64_FORMAT "→K %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                            "×%" G_GINT64_FORMAT ", k %" G_GINT64_FORMAT,
                            d->c, d->k, d->h, d->w, d->r);
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT "→%" G_GINT64_FORMAT, d->c, d->k);
  if (seam_pipeline_get_field (problem->pipeline, "groups") >= 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " group%s", d->groups,
                            d->groups == 1 ? "" : "s");
  return g_string_free (text, FALSE);
}

const SeamShape *
seam_problem_get_shape (const SeamProblem *problem, int tensor)
{
  return &problem->tensors[tensor].shape;
}

SeamShapeView
seam_problem_get_output_view (const SeamProblem *problem)
{
  return seam_shape_view (seam_problem_get_shape (
      problem, SEAM_TENSOR_OUTPUT (problem->pipeline->chains[0].n_ops - 1)));
}

gint64
seam_problem_get_n_groups (const SeamProblem *problem)
{
  return MAX (seam_problem_get_value (problem, "groups", 1), 1);
}

SeamShape
seam_op_get_param_shape (const SeamProblem *problem, const SeamChain *chain, int op, int i)
{
  return shape_param (problem, problem->pipeline->params[chain->ops[op].params[i]].role,
                      seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op - 1)));
}

void
seam_op_get_axes (const SeamProblem *problem, const SeamChain *chain, int op,
                  SeamAxisNeed axes[SEAM_MAX_DIMS])
{
  const SeamOpInfo *info = seam_op_get_info (&chain->ops[op]);
  const gboolean has_param = chain->ops[op].params[0] >= 0;
  const SeamShape param =
      has_param ? seam_op_get_param_shape (problem, chain, op, 0) : (SeamShape){ 0 };

  for (int i = 0; i < SEAM_MAX_DIMS; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_SAME, 1 };
  if (info->attributes->axes != NULL)
    info->attributes->axes (seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op - 1)),
                            has_param ? &param : NULL, seam_problem_get_n_groups (problem), axes);
}

gint64
seam_op_get_reach (const SeamProblem *problem, const SeamChain *chain, int op)
{
  SeamAxisNeed axes[SEAM_MAX_DIMS];
  gint64 n = 1;

  seam_op_get_axes (problem, chain, op, axes);
  for (int i = 0; i < SEAM_MAX_DIMS; i++)
    n *= axes[i].size;
  return n;
}

double
seam_op_get_flop (const SeamProblem *problem, const SeamChain *chain, int op)
{
  return seam_op_is_matrix (&chain->ops[op])
             ? 2.0 * (double)problem->tensors[SEAM_TENSOR_OUTPUT (op)].n_elements
                   * (double)seam_op_get_reach (problem, chain, op)
             : 0;
}

/* Half the width of the range from which a spread parameter is drawn. So a weight is far enough
 * from 0 not to hide an error, and on average far enough from 1 that leaving it out shows. */
#define SPREAD 0.5f

/* Whether an op adds the parameter to every element of its channel. */
static gboolean
is_added (const SeamPipeline *pipeline, int param)
{
  const SeamChain *chain = &pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++)
    if (seam_op_get_kind (&chain->ops[i]) == SEAM_KIND_CHANNEL_ADD
        && chain->ops[i].params[0] == param)
      return TRUE;
  return FALSE;
}

/* The products in a sum of the matrix op that has the parameter, or behind which an op has it. */
static gint64
get_param_fan_in (const SeamProblem *problem, int param)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  gint64 fan_in = 1;

  for (int i = 0; i < chain->n_ops; i++) {
    if (seam_op_is_matrix (&chain->ops[i]))
      fan_in = seam_op_get_reach (problem, chain, i);
    for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
      if (chain->ops[i].params[j] == param)
        return fan_in;
  }
  return fan_in;
}

/* The distribution from which a parameter is drawn. */
static SeamParamInit
get_init (const SeamProblem *problem, int param, SeamInitMode init_mode)
{
  const SeamParam *p = &problem->pipeline->params[param];
  gboolean is_matrix = p->role == SEAM_PARAM_CONV_WEIGHT || p->role == SEAM_PARAM_MATMUL_WEIGHT;

  /* A wide range around 0 would make the sums of many products large. */
  if (init_mode == SEAM_INIT_MODE_SPREAD && p->init == SEAM_INIT_ZEROS && is_matrix)
    return SEAM_INIT_FAN_IN;
  return p->init;
}

gboolean
seam_problem_is_constant (const SeamProblem *problem, int index)
{
  int param = index - SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);

  if (param < 0)
    return FALSE;
  SeamParamInit init = problem->pipeline->params[param].init;
  return init == SEAM_INIT_ONES || init == SEAM_INIT_ZEROS;
}

double
seam_problem_get_norm_scale (const SeamProblem *problem, SeamInitMode init_mode)
{
  const SeamPipeline *pipeline = problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++)
    if (seam_op_is_normalisation (&chain->ops[i]))
      return init_mode == SEAM_INIT_MODE_SPREAD
                     && pipeline->params[chain->ops[i].params[0]].init == SEAM_INIT_ONES
                 ? 1 + SPREAD
                 : 1;
  return 0;
}

void
seam_problem_fill_part (const SeamProblem *problem, int index, guint64 seed,
                        SeamDistribution distribution, SeamInitMode init_mode, gint64 first,
                        gint64 n, float *data)
{
  const SeamPipeline *pipeline = problem->pipeline;
  guint32 stream = seam_random_stream (problem->tensors[index].name);
  int param = index - SEAM_TENSOR_PARAM (pipeline->chains[0].n_ops, 0);
  float bound, mean;

  if (index == SEAM_TENSOR_INPUT) {
    if (distribution == SEAM_DISTRIBUTION_NORMAL)
      seam_random_normal_part (data, first, n, seed, stream, 0, 1);
    else
      seam_random_uniform_part (data, first, n, seed, stream, 0, 1);
    return;
  }
  g_return_if_fail (param >= 0 && param < pipeline->n_params);
  SeamParamInit init = get_init (problem, param, init_mode);
  switch (init) {
  case SEAM_INIT_FAN_IN:
    bound = (float)(1 / sqrt ((double)get_param_fan_in (problem, param)));
    seam_random_uniform_part (data, first, n, seed, stream, -bound, bound);
    break;
  case SEAM_INIT_NORMAL:
    mean = distribution == SEAM_DISTRIBUTION_OFFSET && is_added (pipeline, param)
               ? SEAM_DISTRIBUTION_MEAN
               : 0;
    seam_random_normal_part (data, first, n, seed, stream, mean, 1);
    break;
  case SEAM_INIT_ONES:
  case SEAM_INIT_ZEROS:
    mean = init == SEAM_INIT_ONES ? 1 : 0;
    if (init_mode == SEAM_INIT_MODE_SPREAD)
      seam_random_uniform_part (data, first, n, seed, stream, mean - SPREAD, mean + SPREAD);
    else
      for (gint64 i = 0; i < n; i++)
        data[i] = mean;
    break;
  }
}

void
seam_problem_fill_tensor (const SeamProblem *problem, int index, guint64 seed,
                          SeamDistribution distribution, SeamInitMode init_mode, float *data)
{
  seam_problem_fill_part (problem, index, seed, distribution, init_mode, 0,
                          problem->tensors[index].n_elements, data);
}
