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

/* Along each axis `factor` times a field plus `offset`; the factor alone without a field. */
static gboolean
evaluate_shape (const SeamProblem *problem, const char *name, const SeamShapeTerm *terms, int n,
                SeamShape *shape, GError **error)
{
  shape->n_dims = n;
  for (int i = 0; i < n; i++) {
    gint64 value = terms[i].field < 0 ? 1 : problem->values[terms[i].field];

    if (__builtin_mul_overflow (value, terms[i].factor, &value)
        || __builtin_add_overflow (value, terms[i].offset, &value) || value < 1)
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "Axis %d of “%s” would have no size; choose a larger shape.", i, name);
    shape->dims[i] = value;
  }
  return TRUE;
}

/* The chain's input: its own shape if the file gives it one, else samples, channels or features,
 * and the axes of space that there are fields for. */
static gboolean
shape_input (const SeamProblem *problem, SeamShape *shape, GError **error)
{
  static const char *const keys[] = { "batch", "in_channels", "in_features",
                                      "depth", "height",      "width" };
  const SeamPipeline *pipeline = problem->pipeline;

  if (pipeline->n_input_terms > 0)
    return evaluate_shape (problem, "input", pipeline->input_terms, pipeline->n_input_terms, shape,
                           error);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (seam_pipeline_get_field (pipeline, keys[i]) >= 0)
      shape->dims[shape->n_dims++] = seam_problem_get_value (problem, keys[i], 1);
  return TRUE;
}

void
seam_op_get_case (const SeamProblem *problem, const SeamChain *chain, int op, SeamOpCase *c)
{
  const SeamOp *o = &chain->ops[op];
  gint64 *numbers = c->numbers;

  *c = (SeamOpCase){ .op = o,
                     .info = seam_op_get_info (o),
                     .is_open = problem->is_open,
                     .running_statistics =
                         seam_op_get_info (o)->params[2] != NULL && problem->running_statistics };
  for (int i = 0; i < SEAM_MAX_OP_INPUTS; i++)
    if (o->inputs[i] >= 0)
      c->in[i] = problem->tensors[o->inputs[i]].shape;
  for (int i = 0; i < SEAM_N_NUMBERS; i++)
    numbers[i] = o->numbers[i] < 0 ? problem->values[-1 - o->numbers[i]] : o->numbers[i];
  if (numbers[SEAM_NUMBER_STRIDE] == 0)
    numbers[SEAM_NUMBER_STRIDE] =
        c->info->op_class == SEAM_CLASS_WINDOW ? numbers[SEAM_NUMBER_KERNEL] : 1;
  c->out = problem->tensors[SEAM_TENSOR_OUTPUT (op)].shape;
}

/* Completes a case whose output is known, too. */
static void
get_whole_case (const SeamProblem *problem, const SeamChain *chain, int op, SeamOpCase *c)
{
  seam_op_get_case (problem, chain, op, c);
  seam_op_infer (c, NULL);
}

/* The shape of a parameter that op `c` reads. */
static SeamShape
shape_param (const SeamParam *param, const SeamOpCase *c, int which)
{
  SeamShape shape = seam_op_shape_param (c, which);

  if (param->role == SEAM_PARAM_VECTOR_3D)
    shape = (SeamShape){ 3, { shape.dims[0], 1, 1 } };
  else if (param->role == SEAM_PARAM_SCALAR)
    shape.n_dims = 0;
  return shape;
}

static gboolean
fill_ops (SeamProblem *problem, gboolean *fits, GError **error)
{
  const SeamPipeline *pipeline = problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  SeamOpCase c;

  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    if (seam_op_get_info (op)->attributes->second == SEAM_SECOND_MASK)
      *fits = set_tensor (&problem->tensors[op->inputs[1]],
                          pipeline->params[op->inputs[1] - 1 - chain->n_ops].name,
                          seam_problem_get_shape (problem, op->inputs[0]))
              && *fits;
    seam_op_get_case (problem, chain, i, &c);
    if (!seam_op_infer (&c, error))
      return FALSE;
    *fits =
        set_tensor (&problem->tensors[SEAM_TENSOR_OUTPUT (i)], chain->ops[i].name, &c.out) && *fits;
    for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++) {
      const int param = chain->ops[i].params[j];
      SeamTensor *tensor;

      if (param < 0)
        continue;
      const SeamShape shape = shape_param (&pipeline->params[param], &c, j);
      tensor = &problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, param)];
      if (tensor->name[0] != '\0' && !seam_shape_equal (&tensor->shape, &shape)) {
        g_autofree char *one = seam_shape_format (&tensor->shape);
        g_autofree char *other = seam_shape_format (&shape);
        return seam_fail (error, SEAM_ERROR_INPUT,
                          "“%s” would read the parameter %s with the shape %s, and an earlier op "
                          "reads it with %s; give it one of its own.",
                          chain->ops[i].name, tensor->name, other, one);
      }
      *fits = set_tensor (tensor, pipeline->params[param].name, &shape) && *fits;
    }
  }
  /* A parameter that no op reads has the shape for one behind the last op. */
  for (int i = 0; i < pipeline->n_params; i++) {
    SeamTensor *tensor = &problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, i)];
    if (tensor->name[0] == '\0') {
      const SeamOp vector = { .type = SEAM_OP_ADD_CHANNEL };
      const SeamOpCase last = { .op = &vector,
                                .info = seam_op_get_info (&vector),
                                .in = { c.out } };
      const SeamShape shape = shape_param (&pipeline->params[i], &last, 0);
      *fits = set_tensor (tensor, pipeline->params[i].name, &shape) && *fits;
    }
  }
  return TRUE;
}

/* The exhibits' ops fit each other as those of the main chain do: they have its values. */
static gboolean
check_exhibits (const SeamProblem *problem, GError **error)
{
  for (int i = 1; i < problem->pipeline->n_chains; i++) {
    const SeamChain *chain = &problem->pipeline->chains[i];
    for (int op = 0; op < chain->n_ops; op++) {
      SeamOpCase c;
      seam_op_get_case (problem, chain, op, &c);
      const SeamShape expected = c.out;
      if (!seam_op_infer (&c, error))
        return FALSE;
      if (!seam_shape_equal (&expected, &c.out))
        return seam_fail (error, SEAM_ERROR_INPUT,
                          "The exhibit “%s” changes the shape of a value: an exhibit may exchange "
                          "ops only where all shapes stay.",
                          chain->name);
    }
  }
  return TRUE;
}

static gboolean
fill_tensors (SeamProblem *problem, GError **error)
{
  const SeamPipeline *pipeline = problem->pipeline;
  const int n_ops = pipeline->chains[0].n_ops;
  SeamShape shape = { 0 };
  gboolean fits = TRUE;
  gint64 total = 0;

  problem->n_tensors = 1 + n_ops + pipeline->n_params;
  if (!shape_input (problem, &shape, error))
    return FALSE;
  fits = set_tensor (&problem->tensors[SEAM_TENSOR_INPUT], "input", &shape);
  for (int i = 0; i < pipeline->n_params; i++) {
    const SeamParam *param = &pipeline->params[i];
    if (param->n_terms == 0)
      continue;
    if (!evaluate_shape (problem, param->name, param->terms, param->n_terms, &shape, error))
      return FALSE;
    fits =
        set_tensor (&problem->tensors[SEAM_TENSOR_PARAM (n_ops, i)], param->name, &shape) && fits;
  }
  if (!fill_ops (problem, &fits, error))
    return FALSE;
  for (int i = 0; fits && i < problem->n_tensors; i++)
    fits = !__builtin_add_overflow (total, problem->tensors[i].bytes, &total) && total < MAX_BYTES;
  if (!fits)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "These tensors are larger than any memory: their size does not fit a 64-bit "
                      "number of bytes; choose a smaller shape.");
  return check_exhibits (problem, error);
}

/* `settings` may be NULL: the modes of a pipeline file. */
static SeamProblem *
new_problem (SeamPipeline *pipeline, const gint64 *values, const SeamSettings *settings,
             GError **error)
{
  g_autoptr (SeamProblem) problem = g_new0 (SeamProblem, 1);

  problem->pipeline = seam_pipeline_ref (pipeline);
  problem->is_open = settings == NULL;
  problem->running_statistics = settings != NULL && settings->statistics == SEAM_STATISTICS_RUNNING;
  problem->dropout = settings != NULL ? settings->dropout : NAN;
  memcpy (problem->values, values, sizeof *values * (gsize)pipeline->n_fields);
  if (!check_range (problem, error) || !fill_tensors (problem, error))
    return NULL;
  return g_steal_pointer (&problem);
}

SeamProblem *
seam_problem_new (SeamPipeline *pipeline, const gint64 *values, GError **error)
{
  return new_problem (pipeline, values, NULL, error);
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

/* Whether a matrix op multiplies by the tensor. */
static gboolean
is_factor (const SeamPipeline *pipeline, int index)
{
  const SeamChain *chain = &pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++)
    if (seam_op_is_matrix (&chain->ops[i])
        && index == SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[i].params[0]))
      return TRUE;
  return FALSE;
}

/* Whether a tensor has 16 bits in this storage: one that one kernel writes and another reads, a
 * factor of a matrix op's products, an input, or the output, but never a vector. */
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
         && (is_factor (pipeline, index)
             || pipeline->params[index - SEAM_TENSOR_PARAM (n_ops, 0)].role == SEAM_PARAM_INPUT);
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
  SeamProblem *problem = new_problem (pipeline, values, settings, error);
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
  /* What stands before a field, and between it and the field before it of the same group. */
  static const struct {
    const char *key, *before, *between;
    int group; /* 0: alone */
  } words[] = {
    { "batch", "N ", NULL, 0 },
    { "in_channels", "C ", "", 1 },
    { "in_features", "", "", 1 },
    { "hidden_features", "", "→", 1 },
    { "out_channels", "K ", "→K ", 1 },
    { "out_features", "", "→", 1 },
    { "depth", "", "", 2 },
    { "height", "", "×", 2 },
    { "width", "", "×", 2 },
    { "kernel_size", "k ", NULL, 0 },
  };
  const SeamPipeline *pipeline = problem->pipeline;
  GString *text = g_string_new (NULL);
  int group = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
    const gboolean is_joined = words[i].group != 0 && words[i].group == group;
    if (seam_pipeline_get_field (pipeline, words[i].key) < 0)
      continue;
    g_string_append (text, text->len > 0 && !is_joined ? ", " : "");
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT,
                            is_joined ? words[i].between : words[i].before,
                            seam_problem_get_value (problem, words[i].key, 0));
    group = words[i].group;
  }
  for (int i = 0; i < pipeline->n_fields; i++) {
    gboolean is_known = FALSE;
    for (gsize j = 0; j < G_N_ELEMENTS (words) && !is_known; j++)
      is_known = g_str_equal (pipeline->fields[i].key, words[j].key);
    if (is_known)
      continue;
    g_string_append (text, text->len > 0 ? ", " : "");
    if (g_str_equal (pipeline->fields[i].key, "groups"))
      g_string_append_printf (text, "%" G_GINT64_FORMAT " group%s", problem->values[i],
                              problem->values[i] == 1 ? "" : "s");
    else
      g_string_append_printf (text, "%s %" G_GINT64_FORMAT, pipeline->fields[i].key,
                              problem->values[i]);
  }
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
seam_chain_get_n_groups (const SeamProblem *problem, const SeamChain *chain, int first, int last)
{
  for (int i = first; i <= last; i++)
    if (seam_op_has_number (&chain->ops[i], SEAM_NUMBER_GROUPS)) {
      SeamOpCase c;
      seam_op_get_case (problem, chain, i, &c);
      return c.numbers[SEAM_NUMBER_GROUPS];
    }
  return 1;
}

gint64
seam_problem_get_n_groups (const SeamProblem *problem)
{
  const SeamChain *chain = &problem->pipeline->chains[0];

  for (int i = chain->n_ops - 1; i >= 0; i--) {
    SeamOpCase c;
    seam_op_get_case (problem, chain, i, &c);
    if (seam_op_has_number (c.op, SEAM_NUMBER_GROUPS)
        && c.out.dims[1] == seam_problem_get_output_view (problem).channels)
      return c.numbers[SEAM_NUMBER_GROUPS];
  }
  return 1;
}

SeamShape
seam_op_get_param_shape (const SeamProblem *problem, const SeamChain *chain, int op, int i)
{
  return problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[op].params[i])].shape;
}

void
seam_op_get_axes (const SeamProblem *problem, const SeamChain *chain, int op,
                  SeamAxisNeed axes[SEAM_MAX_DIMS])
{
  SeamOpCase c;

  for (int i = 0; i < SEAM_MAX_DIMS; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_SAME, 1 };
  get_whole_case (problem, chain, op, &c);
  if (c.info->attributes->axes != NULL)
    c.info->attributes->axes (&c, axes);
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
  SeamOpCase c;
  double n_products = 1;

  if (!seam_op_is_matrix (&chain->ops[op]))
    return 0;
  seam_op_get_case (problem, chain, op, &c);
  /* Each input of a transposed convolution is multiplied by its whole kernel. */
  for (int i = 0; i < c.info->attributes->rank; i++)
    n_products *= (double)c.numbers[SEAM_NUMBER_KERNEL];
  if (seam_op_is_transposed (&c))
    return 2.0 * (double)seam_shape_count (&c.in[0]) * n_products * (double)c.out.dims[1];
  return 2.0 * (double)seam_shape_count (&c.out) * n_products * (double)c.in[0].dims[1];
}

double
seam_op_count_operations (const SeamProblem *problem, const SeamChain *chain, int op)
{
  const SeamOp *o = &chain->ops[op];
  const int tensor = seam_op_is_map (o) ? SEAM_TENSOR_OUTPUT (op) : o->inputs[0];

  return seam_op_get_info (o)->operations * (double)problem->tensors[tensor].n_elements;
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

/* The numbers of a weight's row, as PyTorch counts them: of the matrix op that has the parameter,
 * or behind which an op has it. */
static gint64
get_param_fan_in (const SeamProblem *problem, int param)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  gint64 fan_in = 1;

  for (int i = 0; i < chain->n_ops; i++) {
    if (seam_op_is_matrix (&chain->ops[i])) {
      const SeamShape weight = seam_op_get_param_shape (problem, chain, i, 0);
      fan_in = seam_shape_count (&weight) / weight.dims[0];
    }
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

double
seam_problem_get_dropout (const SeamProblem *problem, int param)
{
  const SeamChain *chain = &problem->pipeline->chains[0];

  for (int i = 0; isnan (problem->dropout) && i < chain->n_ops; i++)
    if (chain->ops[i].inputs[1] == SEAM_TENSOR_PARAM (chain->n_ops, param))
      return chain->ops[i].scalars[0];
  return problem->dropout;
}

gboolean
seam_problem_is_constant (const SeamProblem *problem, int index)
{
  int param = index - SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);

  if (param < 0)
    return FALSE;
  SeamParamInit init = problem->pipeline->params[param].init;
  return init == SEAM_INIT_ONES || init == SEAM_INIT_ZEROS || init == SEAM_INIT_NUMBER;
}

double
seam_problem_get_norm_scale (const SeamProblem *problem, SeamInitMode init_mode)
{
  const SeamPipeline *pipeline = problem->pipeline;
  const SeamChain *chain = &pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++)
    if (seam_op_is_normalisation (&chain->ops[i]) && chain->ops[i].params[0] >= 0)
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

  if (index == SEAM_TENSOR_INPUT
      || (param >= 0 && pipeline->params[param].role == SEAM_PARAM_INPUT)) {
    if (distribution == SEAM_DISTRIBUTION_NORMAL)
      seam_random_normal_part (data, first, n, seed, stream, 0, 1);
    else
      seam_random_uniform_part (data, first, n, seed, stream, 0, 1);
    return;
  }
  g_return_if_fail (param >= 0 && param < pipeline->n_params);
  if (pipeline->params[param].role == SEAM_PARAM_MASK) {
    seam_random_uniform_part (data, first, n, seed, stream, 0, 1);
    mean = (float)seam_problem_get_dropout (problem, param);
    for (gint64 i = 0; i < n; i++)
      data[i] = data[i] < mean ? 0 : 1 / (1 - mean);
    return;
  }
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
  case SEAM_INIT_NUMBER:
    mean = init == SEAM_INIT_NUMBER ? (float)pipeline->params[param].value
                                    : (float)(init == SEAM_INIT_ONES);
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
