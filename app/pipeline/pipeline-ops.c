/* SPDX-License-Identifier: MIT
 *
 * The ops of a pipeline file: the main chain, exhibits, and their named cuts. The head of
 * pipeline-file.c describes the format.
 */
#include "app/pipeline/key-reader.h"

#include "app/base/owner.h"
#include "app/base/text.h"
#include "app/pipeline/defect.h"
#include "app/pipeline/problem.h"

#include <math.h>
#include <string.h>

#define MAX_CHAINS 8
#define MAX_CUTS   16

/* Keys that name the values an op reads: x, if it is not the value before it, and t. */
static const char *const input_keys[SEAM_MAX_OP_INPUTS] = { "input", "operand" };

int
seam_chain_find_op (const SeamChain *chain, const char *name)
{
  for (int i = 0; i < chain->n_ops; i++)
    if (strcmp (chain->ops[i].name, name) == 0)
      return i;
  return -1;
}

static int
find_param (const SeamPipeline *pipeline, const char *name)
{
  for (int i = 0; i < pipeline->n_params; i++)
    if (strcmp (pipeline->params[i].name, name) == 0)
      return i;
  return -1;
}

static const char *
describe_roles (SeamOpType type)
{
  return seam_op_type_takes (type, SEAM_PARAM_CONV_WEIGHT)     ? "conv-weight"
         : seam_op_type_takes (type, SEAM_PARAM_MATMUL_WEIGHT) ? "matmul-weight"
         : seam_op_type_takes (type, SEAM_PARAM_SCALAR)        ? "scalar"
                                                               : "vector";
}

/* The parameter that `key` of an op names, with a role that fits it; -1 with the error set. */
static int
get_param (SeamKeyReader *reader, const char *group, const char *key, SeamOpType type)
{
  g_autofree char *name = seam_key_get_string (reader, group, key);

  if (name == NULL)
    return -1;
  int index = find_param (reader->pipeline, name);
  if (index < 0) {
    seam_key_fail (reader, group, key, "there is no group [param %s].", name);
    return -1;
  }
  if (!seam_op_type_takes (type, reader->pipeline->params[index].role)) {
    seam_key_fail (reader, group, key,
                   "the parameter %s has a role or a shape that does not fit the op %s; it takes "
                   "the role %s.",
                   name, seam_op_type_get_name (type), describe_roles (type));
    return -1;
  }
  return index;
}

/* The tensor number of a further input, or -1. */
static int
find_further_input (const SeamKeyReader *reader, const SeamChain *chain, const char *name)
{
  int param = find_param (reader->pipeline, name);

  return param >= 0 && reader->pipeline->params[param].role == SEAM_PARAM_INPUT
             ? SEAM_TENSOR_PARAM (chain->n_ops, param)
             : -1;
}

/* Finds the value that the op at position `op` reads as input number `which`: by name, the input, a
 * further input, or the output of an earlier op of `chain`. */
static gboolean
resolve_input (SeamKeyReader *reader, const char *group, const char *key, SeamChain *chain, int op,
               int which)
{
  g_autofree char *name = seam_key_get_string (reader, group, key);
  int *tensor = &chain->ops[op].inputs[which];

  if (name == NULL)
    return FALSE;
  int from = seam_chain_find_op (chain, name);
  if (from >= op)
    return seam_key_fail (
        reader, group, key,
        "“%s” does not come before “%s”; only an earlier op's output can be read.", name,
        chain->ops[op].name);
  *tensor = from >= 0                     ? SEAM_TENSOR_OUTPUT (from)
            : strcmp (name, "input") == 0 ? SEAM_TENSOR_INPUT
                                          : find_further_input (reader, chain, name);
  return *tensor >= 0
         || seam_key_fail (reader, group, key,
                           find_param (reader->pipeline, name) >= 0
                               ? "“%s” is a parameter; an add_outer reads one, other ops read an "
                                 "op, “input” or an [input %s]."
                               : "there is no op “%s”, and no group [input %s].",
                           name, name);
}

/* Whether input number `which` is named by a key. */
static gboolean
has_input_key (const SeamOpInfo *info, int which)
{
  return which == 0
         || (info->reads == SEAM_READS_TENSOR && info->attributes->second == SEAM_SECOND_VALUE);
}

/* Refuses keys that an op of this type does not have. */
static gboolean
check_op_keys (SeamKeyReader *reader, const char *group, SeamOpType type)
{
  const SeamOpInfo *info = seam_op_type_get_info (type);
  const char *allowed[8 + SEAM_MAX_OP_INPUTS + SEAM_MAX_OP_PARAMS + 2 * SEAM_MAX_OP_SCALARS
                      + SEAM_N_NUMBERS] = { "type", "label" };
  int n = 2;

  for (int i = 0; i < SEAM_MAX_OP_INPUTS; i++)
    if (has_input_key (info, i))
      allowed[n++] = input_keys[i];
  if (info->attributes->second == SEAM_SECOND_PARAM)
    allowed[n++] = "param";
  for (int i = 0; i < SEAM_MAX_OP_PARAMS && info->params[i] != NULL; i++)
    allowed[n++] = info->params[i];
  for (int i = 0; i < SEAM_MAX_OP_SCALARS && info->attributes->scalars[i].key != NULL; i++) {
    allowed[n++] = info->attributes->scalars[i].key;
    if (info->attributes->scalars[i].alias != NULL)
      allowed[n++] = info->attributes->scalars[i].alias;
  }
  for (int i = 0; i < SEAM_N_NUMBERS; i++)
    if (info->attributes->numbers >> i & 1)
      allowed[n++] = seam_op_number_get_info (i)->key;
  return seam_key_check (reader, group, allowed);
}

static gboolean
has_key (const SeamKeyReader *reader, const char *group, const char *key)
{
  return key != NULL && g_key_file_has_key (reader->file, group, key, NULL);
}

static gboolean
read_scalar (SeamKeyReader *reader, const char *group, SeamOp *op, int which)
{
  const SeamOpScalar *scalar = &seam_op_get_info (op)->attributes->scalars[which];
  const char *key = has_key (reader, group, scalar->alias) ? scalar->alias : scalar->key;

  op->scalars[which] = scalar->otherwise;
  if (!scalar->is_optional || has_key (reader, group, key)) {
    if (!seam_key_get_double (reader, group, key, &op->scalars[which]))
      return FALSE;
    const char *wrong = scalar->check != NULL ? scalar->check (op->scalars) : NULL;
    if (wrong != NULL)
      return seam_key_fail (reader, group, key, "%s", wrong);
  }
  return TRUE;
}

/* "1;2", or "-1" for the last axis. */
static gboolean
read_axes (SeamKeyReader *reader, const char *group, const char *key, gint64 *axes)
{
  g_autofree char *text = seam_key_get_string (reader, group, key);
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, ";", -1) : NULL;

  *axes = 0;
  for (int i = 0; words != NULL && words[i] != NULL; i++) {
    g_autoptr (GError) local = NULL;
    gint64 axis;
    if (*g_strstrip (words[i]) == '\0' && words[i + 1] == NULL)
      break;
    if (!seam_text_parse_int64 (words[i], key, -SEAM_MAX_DIMS, SEAM_MAX_DIMS - 1, &axis, &local))
      return seam_key_fail (reader, group, NULL, "%s Axes have “;” between.", local->message);
    const gint64 bit = (gint64)1 << (axis < 0 ? 8 - 1 - axis : axis);
    if (*axes & bit)
      return seam_key_fail (reader, group, key, "axis %d stands there twice.", (int)axis);
    *axes |= bit;
  }
  return text != NULL;
}

/* A whole number, or the key of a shape field that has it. */
static gboolean
read_number (SeamKeyReader *reader, const char *group, SeamOp *op, SeamOpNumber number)
{
  static const char *const truths[] = { "false", "true", NULL };
  const SeamOpNumberInfo *info = seam_op_number_get_info (number);
  gint64 *value = &op->numbers[number];
  int field = -1, word;

  *value = info->otherwise;
  if (has_key (reader, group, info->key)) {
    g_autofree char *text = g_key_file_get_string (reader->file, group, info->key, NULL);
    field = text != NULL ? seam_pipeline_get_field (reader->pipeline, g_strstrip (text)) : -1;
    if (number == SEAM_NUMBER_AXES)
      return read_axes (reader, group, info->key, value);
    if (info->is_truth) {
      *value = word = seam_key_get_word (reader, group, info->key, truths);
      return word >= 0;
    }
    if (field < 0 && text != NULL && g_ascii_isalpha (*text))
      return seam_key_fail (reader, group, info->key,
                            "“%s” is neither a number nor the key of a group [field %s].", text,
                            text);
    if (field < 0)
      return seam_key_get_int64 (reader, group, info->key, info->min, info->max, value);
  } else if (number == SEAM_NUMBER_KERNEL && !seam_op_is_matrix (op)) {
    return seam_key_fail (reader, group, info->key, "this key is missing.");
  } else if (number == SEAM_NUMBER_KEEPDIM && seam_op_get_info (op)->attributes->keeps_axes) {
    *value = TRUE;
  } else if (number == SEAM_NUMBER_AXES && seam_op_get_info (op)->op_class == SEAM_CLASS_REDUCE
             && !seam_op_get_info (op)->attributes->keeps_axes) {
    return seam_key_fail (reader, group, info->key, "this key is missing.");
  }
  /* Of channels and features, a matmul makes features. */
  const int n_fields = G_N_ELEMENTS (info->fields);
  const gboolean is_last_first = seam_op_get_info (op)->attributes->rank == 0;
  for (int i = 0; i < n_fields && field < 0; i++) {
    const char *key = info->fields[is_last_first ? n_fields - 1 - i : i];
    field = key != NULL ? seam_pipeline_get_field (reader->pipeline, key) : -1;
  }
  if (field >= 0)
    *value = SEAM_NUMBER_OF_FIELD (field);
  return TRUE; /* without a field that it needs, the file is refused later */
}

/* The parameters of an op: those that its type needs, and those that the file names. */
static gboolean
read_op_params (SeamKeyReader *reader, const char *group, SeamOp *op)
{
  const SeamOpInfo *info = seam_op_get_info (op);

  for (int i = 0; i < SEAM_MAX_OP_PARAMS && info->params[i] != NULL; i++) {
    if (i >= info->n_required_params && !has_key (reader, group, info->params[i]))
      continue;
    op->params[i] = get_param (reader, group, info->params[i], op->type);
    if (op->params[i] < 0)
      return FALSE;
  }
  /* A weight comes with a bias, and a mean with a variance. */
  for (int i = 0; i < SEAM_MAX_OP_PARAMS && info->op_class == SEAM_CLASS_NORMALISE; i += 2)
    if ((op->params[i] < 0) != (op->params[i + 1] < 0))
      return seam_key_fail (reader, group, info->params[op->params[i] < 0 ? i : i + 1],
                            "this key is missing; “%s” comes with it.",
                            info->params[op->params[i] < 0 ? i + 1 : i]);
  return TRUE;
}

/* The mask of a dropout is a parameter of its own, with the name of the op. */
static gboolean
add_mask (SeamKeyReader *reader, const char *group, const SeamChain *chain, SeamOp *op)
{
  SeamPipeline *pipeline = reader->pipeline;
  g_autofree char *name = g_strdup_printf ("%s_mask", op->name);

  if (pipeline->n_params == SEAM_MAX_PARAMS)
    return seam_key_fail (reader, group, NULL, "there are more than %d parameters.",
                          SEAM_MAX_PARAMS);
  if (find_param (pipeline, name) >= 0)
    return seam_key_fail (reader, group, NULL, "the name %s is taken; it is that of the mask.",
                          name);
  op->inputs[1] = SEAM_TENSOR_PARAM (chain->n_ops, pipeline->n_params);
  pipeline->params[pipeline->n_params++] =
      (SeamParam){ .name = seam_keep (pipeline, g_steal_pointer (&name)),
                   .role = SEAM_PARAM_MASK,
                   .init = SEAM_INIT_NORMAL };
  return TRUE;
}

/* The values that an op reads. */
static gboolean
read_inputs (SeamKeyReader *reader, const char *group, SeamChain *chain, int index)
{
  SeamOp *op = &chain->ops[index];
  const SeamOpInfo *info = seam_op_get_info (op);

  op->inputs[0] = SEAM_TENSOR_OUTPUT (index - 1);
  if (has_key (reader, group, input_keys[0])
      && !resolve_input (reader, group, input_keys[0], chain, index, 0))
    return FALSE;
  if (info->attributes->second == SEAM_SECOND_MASK)
    return add_mask (reader, group, chain, op);
  if (info->attributes->second == SEAM_SECOND_PARAM) {
    g_autofree char *name = seam_key_get_string (reader, group, "param");
    int param = name != NULL ? find_param (reader->pipeline, name) : -1;
    if (param < 0 || reader->pipeline->params[param].role != SEAM_PARAM_SHAPED)
      return name != NULL
             && seam_key_fail (reader, group, "param",
                               param < 0 ? "there is no group [param %s]."
                                         : "the parameter %s needs a “shape” instead of a role.",
                               name);
    op->inputs[1] = SEAM_TENSOR_PARAM (chain->n_ops, param);
  }
  return !has_input_key (info, 1) || resolve_input (reader, group, input_keys[1], chain, index, 1);
}

/* The type that an op's `type` is another name of; -1: none. */
static int
find_alias (SeamKeyReader *reader, const char *group)
{
  g_autofree char *word = g_key_file_get_string (reader->file, group, "type", NULL);

  for (int i = 0; word != NULL && i < SEAM_N_OP_TYPES; i++)
    if (g_strcmp0 (g_strstrip (word), seam_op_type_get_info (i)->attributes->alias) == 0)
      return i;
  return -1;
}

static gboolean
read_op (SeamKeyReader *reader, SeamChain *chain, int index)
{
  const char *types[SEAM_N_OP_TYPES + 1] = { NULL };
  SeamOp *op = &chain->ops[index];
  g_autofree char *group = g_strdup_printf ("op %s", op->name);
  int type;

  if (!g_key_file_has_group (reader->file, group))
    return seam_key_fail (reader, "pipeline", "ops", "there is no group [op %s].", op->name);
  for (int i = 0; i < SEAM_N_OP_TYPES; i++)
    types[i] = seam_op_type_get_name (i);
  type = find_alias (reader, group);
  if (type < 0)
    type = seam_key_get_word (reader, group, "type", types);
  if (type < 0 || !check_op_keys (reader, group, type))
    return FALSE;
  op->type = type;
  const SeamOpInfo *info = seam_op_get_info (op);
  if (g_key_file_has_key (reader->file, group, "label", NULL)) {
    op->label = seam_keep (reader->pipeline, seam_key_get_string (reader, group, "label"));
    if (op->label == NULL)
      return FALSE;
    if (!seam_pipeline_is_name (op->label, "_"))
      return seam_key_fail (reader, group, "label", "a label is made of letters, digits and “_”.");
  } else {
    op->label = op->name;
  }

  if (!read_op_params (reader, group, op))
    return FALSE;
  for (int i = 0; i < SEAM_MAX_OP_SCALARS && info->attributes->scalars[i].key != NULL; i++) {
    if (i == 0 && seam_op_get_scalar_param (op) >= 0) {
      if (has_key (reader, group, info->attributes->scalars[0].key))
        return seam_key_fail (reader, group, info->params[0], "this op has a %s already.",
                              info->attributes->scalars[0].key);
      continue;
    }
    if (!read_scalar (reader, group, op, i))
      return FALSE;
  }
  if (op->scalars[0] == -INFINITY && op->scalars[1] == INFINITY
      && info->attributes->parts[0] != NULL && info->attributes->scalars[1].key != NULL)
    return seam_key_fail (reader, group, info->attributes->scalars[0].key,
                          "write this key, or %s, or both.", info->attributes->scalars[1].key);
  for (int i = 0; i < SEAM_N_NUMBERS; i++)
    if ((info->attributes->numbers >> i & 1) && !read_number (reader, group, op, (SeamOpNumber)i))
      return FALSE;
  return read_inputs (reader, group, chain, index);
}

/* The names in `key`: at most SEAM_MAX_OPS, valid and without repetition. */
static char **
get_op_names (SeamKeyReader *reader, const char *group)
{
  if (!g_key_file_has_key (reader->file, group, "ops", NULL))
    return seam_key_fail_null (reader, group, "ops", "this key is missing.");
  g_auto (GStrv) names = g_key_file_get_string_list (reader->file, group, "ops", NULL, NULL);
  int n = names ? (int)g_strv_length (names) : 0;
  if (n == 0 || n > SEAM_MAX_OPS)
    return seam_key_fail_null (reader, group, "ops",
                               "a chain has 1 to %d ops, with “;” between them.", SEAM_MAX_OPS);
  for (int i = 0; i < n; i++) {
    g_strstrip (names[i]);
    if (!seam_pipeline_is_name (names[i], "_"))
      return seam_key_fail_null (reader, group, "ops",
                                 "“%s” is not a name: letters, digits and “_”, a letter first.",
                                 names[i]);
    for (int j = 0; j < i; j++)
      if (strcmp (names[i], names[j]) == 0)
        return seam_key_fail_null (reader, group, "ops", "“%s” stands there twice.", names[i]);
  }
  return g_steal_pointer (&names);
}

gboolean
seam_pipeline_read_main_chain (SeamKeyReader *reader)
{
  SeamPipeline *pipeline = reader->pipeline;
  SeamChain *chain = seam_keep (pipeline, g_new0 (SeamChain, MAX_CHAINS));
  g_auto (GStrv) names = get_op_names (reader, "pipeline");

  if (names == NULL)
    return FALSE;
  chain->name = "";
  pipeline->chains = chain;
  pipeline->n_chains = 1;
  pipeline->cuts = seam_keep (pipeline, g_new0 (SeamNamedCut, MAX_CUTS));
  for (int i = 0; names[i]; i++) {
    SeamOp *op = &chain->ops[chain->n_ops++];
    op->name = seam_keep (pipeline, g_strdup (names[i]));
    memset (op->params, -1, sizeof op->params);
    memset (op->inputs, -1, sizeof op->inputs);
    if (strcmp (op->name, "input") == 0 || find_further_input (reader, chain, op->name) >= 0)
      return seam_key_fail (reader, "pipeline", "ops", "“%s” is the name of an input.", op->name);
  }
  for (int i = 0; i < chain->n_ops; i++)
    if (!read_op (reader, chain, i))
      return FALSE;
  for (int i = 0; i + 1 < chain->n_ops; i++)
    if (!seam_chain_reads (chain, i + 1, chain->n_ops - 1, SEAM_TENSOR_OUTPUT (i)))
      return seam_key_fail (reader, "pipeline", "ops",
                            "no op reads the output of “%s”; leave it out, or name it as the "
                            "“input” or “operand” of a later op.",
                            chain->ops[i].name);
  for (int i = 0; i < pipeline->n_params; i++)
    if (pipeline->params[i].role == SEAM_PARAM_INPUT
        && !seam_chain_reads (chain, 0, chain->n_ops - 1, SEAM_TENSOR_PARAM (chain->n_ops, i))) {
      g_autofree char *unread = g_strdup_printf ("input %s", pipeline->params[i].name);
      return seam_key_fail (reader, unread, NULL, "no op reads this input.");
    }
  for (int i = 0; i < chain->n_ops; i++)
    for (int j = 0; j < chain->n_ops; j++)
      if (i != j
          && (strcmp (chain->ops[i].label, chain->ops[j].name) == 0
              || strcmp (chain->ops[i].label, chain->ops[j].label) == 0))
        return seam_key_fail (reader, "pipeline", "ops",
                              "the ops “%s” and “%s” share a name or label.", chain->ops[i].name,
                              chain->ops[j].name);
  return TRUE;
}

/* Checks that a cut's notation names every op of the chain in order, with '+' or '|' between; a
 * group may end with "@implementation". */
static gboolean
check_notation (SeamKeyReader *reader, const char *group, const char *key, const SeamChain *chain,
                const char *notation)
{
  const char *p = notation;

  for (int i = 0; i < chain->n_ops; i++) {
    gsize n = strlen (chain->ops[i].name);
    char after = i + 1 < chain->n_ops ? '+' : '\0';
    gboolean good = strncmp (p, chain->ops[i].name, n) == 0;

    if (good && p[n] == '@') {
      gsize word = strspn (p + n + 1, "abcdefghijklmnopqrstuvwxyz-");
      good = word > 0 && p[n + 1 + word] != '+';
      n += 1 + word;
    }
    if (!good || (p[n] != after && !(after && p[n] == '|')))
      return seam_key_fail (
          reader, group, key,
          "it does not name the op “%s” where it has to; write all ops in order with “+” "
          "(fused) or “|” (cut) between, and “@implementation” only at a group's end.",
          chain->ops[i].name);
    p += n + 1;
  }
  return TRUE;
}

gboolean
seam_pipeline_add_cut (SeamKeyReader *reader, const char *group, const char *key, const char *name,
                       int chain)
{
  SeamPipeline *pipeline = reader->pipeline;
  g_autofree char *notation = seam_key_get_string (reader, group, key);

  if (notation == NULL || !check_notation (reader, group, key, &pipeline->chains[chain], notation))
    return FALSE;
  if (pipeline->n_cuts == MAX_CUTS)
    return seam_key_fail (reader, group, NULL, "there are more than %d named cuts.", MAX_CUTS);
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (strcmp (pipeline->cuts[i].name, name) == 0)
      return seam_key_fail (reader, group, NULL, "the name “%s” is taken already.", name);
  if (!seam_pipeline_is_name (name, "_-") || strcmp (name, "unfused") == 0
      || strcmp (name, "full") == 0 || strcmp (name, "best") == 0 || strcmp (name, "fp64") == 0)
    return seam_key_fail (reader, group, NULL, "“%s” cannot be the name of a plan.", name);
  pipeline->cuts[pipeline->n_cuts++] =
      (SeamNamedCut){ seam_keep (pipeline, g_strdup (name)),
                      seam_keep (pipeline, g_steal_pointer (&notation)), chain };
  return TRUE;
}

/* "missing-tail" or "missing-tail:4": the mistake that an exhibit's op carries. */
static gboolean
read_defect (SeamKeyReader *reader, const char *group, const char *key, SeamOp *op)
{
  g_autofree char *text = seam_key_get_string (reader, group, key);

  if (text == NULL)
    return FALSE;
  char *colon = strchr (text, ':');
  if (colon != NULL)
    *colon++ = '\0';
  const SeamDefectKind *kind = seam_defect_find (text);
  if (kind == NULL) {
    g_autofree const char **names = seam_defect_list_names ();
    g_autofree char *list = seam_text_list (names);
    return seam_key_fail (reader, group, key, "“%s” is no defect; there are %s.", text, list);
  }
  if (!seam_defect_fits (kind, op->type))
    return seam_key_fail (reader, group, key, "“%s” is a defect of %s, not of the op %s.",
                          kind->name, kind->where, seam_op_type_get_name (op->type));
  gint64 parameter = kind->default_parameter;
  if (colon != NULL) {
    g_autoptr (GError) local = NULL;
    if (kind->max == 0)
      return seam_key_fail (reader, group, key, "“%s” takes no number.", kind->name);
    if (!seam_text_parse_int64 (colon, "The number", kind->min, kind->max, &parameter, &local))
      return seam_key_fail (reader, group, key, "%s", local->message);
  }
  op->defect = kind->type;
  op->defect_parameter = (int)parameter;
  return TRUE;
}

/* Reads the keys defect.OP of an exhibit, at most one for each op. */
static gboolean
read_defects (SeamKeyReader *reader, const char *group, SeamChain *chain, GPtrArray *allowed)
{
  for (int i = 0; i < chain->n_ops; i++) {
    char *key = g_strdup_printf ("defect.%s", chain->ops[i].name);
    g_ptr_array_add (allowed, key);
    if (g_key_file_has_key (reader->file, group, key, NULL)
        && !read_defect (reader, group, key, &chain->ops[i]))
      return FALSE;
  }
  return TRUE;
}

gboolean
seam_pipeline_read_exhibit (SeamKeyReader *reader, const char *group, const char *name)
{
  SeamPipeline *pipeline = reader->pipeline;
  const SeamChain *source = &pipeline->chains[0];
  g_autoptr (GPtrArray) allowed = g_ptr_array_new_null_terminated (8, g_free, TRUE);

  if (pipeline->n_chains == MAX_CHAINS)
    return seam_key_fail (reader, group, NULL, "there are more than %d chains.", MAX_CHAINS);
  g_auto (GStrv) names = get_op_names (reader, group);
  if (names == NULL)
    return FALSE;
  SeamChain *chain = &pipeline->chains[pipeline->n_chains++];
  chain->name = seam_keep (pipeline, g_strdup (name));
  chain->note = seam_keep (pipeline, seam_key_get_string (reader, group, "note"));
  if (chain->note == NULL)
    return FALSE;
  if ((int)g_strv_length (names) != source->n_ops)
    return seam_key_fail (reader, group, "ops", "it has to name the same %d ops as [pipeline].",
                          source->n_ops);
  for (int i = 0; names[i]; i++) {
    int from = seam_chain_find_op (source, names[i]);
    if (from < 0)
      return seam_key_fail (reader, group, "ops", "“%s” is not an op of [pipeline].", names[i]);
    chain->ops[chain->n_ops++] = source->ops[from];
  }
  if (chain->ops[0].params[0] != source->ops[0].params[0]
      || chain->ops[0].type != source->ops[0].type)
    return seam_key_fail (reader, group, "ops", "the first op has to be “%s”.",
                          source->ops[0].name);

  for (const char *const *key = (const char *const[]){ "note", "ops", "cut", NULL }; *key; key++)
    g_ptr_array_add (allowed, g_strdup (*key));
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    const char *const key = input_keys[1];
    g_autofree char *own_group = g_strdup_printf ("op %s", op->name);
    chain->ops[i].inputs[0] = SEAM_TENSOR_OUTPUT (i - 1);
    if (has_key (reader, own_group, input_keys[0])
        && !resolve_input (reader, own_group, input_keys[0], chain, i, 0))
      return FALSE;
    if (!has_input_key (seam_op_get_info (op), 1))
      continue;
    g_autofree char *other = g_strdup_printf ("%s.%s", key, op->name);
    const gboolean reads_other = has_key (reader, group, other);
    if (!resolve_input (reader, reads_other ? group : own_group, reads_other ? other : key, chain,
                        i, 1))
      return FALSE;
    g_ptr_array_add (allowed, g_steal_pointer (&other));
  }
  if (!read_defects (reader, group, chain, allowed))
    return FALSE;
  return seam_key_check (reader, group, (const char *const *)allowed->pdata)
         && seam_pipeline_add_cut (reader, group, "cut", name, pipeline->n_chains - 1);
}
