/* SPDX-License-Identifier: MIT
 *
 * The pipeline file: a key file (as read by GKeyFile) with these groups, everything else refused.
 *
 *   [pipeline]      title, description, source; number (optional); ops: names in order, ';' between
 *   [field KEY]     label, unit, min, max; KEY is batch, in_channels, out_channels, height, width,
 *                   kernel_size (convolution) or batch, in_features, out_features (matrix product),
 *                   and groups where there is a groupnorm
 *   [param NAME]    role: conv-weight, matmul-weight, vector ([K]), vector-3d ([K, 1, 1]);
 *                   init: fan-in, normal, ones, zeros
 *   [op NAME]       type: conv2d, matmul (weight); add_channel, multiply_channel (vector);
 *                   add_scalar, divide_scalar (value); clamp (low, high); relu; sigmoid;
 *                   multiply_tensor (operand: name of an earlier op); groupnorm (weight, bias);
 *                   label (optional): what is shown in the op's block
 *   [chain NAME]    an exhibit, the same ops in another order: note, ops, cut, and operand.OP where
 *                   a multiply_tensor reads another op than in the pipeline
 *   [cut NAME]      notation: a named plan, such as published or epilogue
 *   [preset NAME]   a value for every field
 *
 * The first op is the only conv2d or matmul, and there is at most one groupnorm.
 */
#include "app/pipeline/pipeline-file.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/pipeline/problem.h"

#include <string.h>

#define MAX_PRESETS   16
#define MAX_CHAINS    4
#define MAX_CUTS      16
#define MAX_NAME      40
#define MAX_FILE_SIZE (1 << 20)

typedef struct {
  SeamPipeline *pipeline;
  GKeyFile *file;
  const char *where;
  GError **error;
} Reader;

static gboolean fail (Reader *reader, const char *group, const char *key, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Always FALSE. `group` and `key` may be NULL. */
static gboolean
fail (Reader *reader, const char *group, const char *key, const char *format, ...)
{
  g_autoptr (GString) message = g_string_new (reader->where);
  va_list arguments;

  g_string_append (message, ": ");
  if (group)
    g_string_append_printf (message, "[%s]%s%s: ", group, key ? " " : "", key ? key : "");
  va_start (arguments, format);
  g_string_append_vprintf (message, format, arguments);
  va_end (arguments);
  g_set_error_literal (reader->error, SEAM_ERROR, SEAM_ERROR_FILE, message->str);
  return FALSE;
}

static gboolean
is_name (const char *text, const char *extra)
{
  if (!g_ascii_isalpha (*text) || strlen (text) > MAX_NAME)
    return FALSE;
  for (const char *p = text; *p; p++)
    if (!g_ascii_isalnum (*p) && !strchr (extra, *p))
      return FALSE;
  return TRUE;
}

/* What GKeyFile forgives silently: a group or key that appears twice, and lines that are neither.
 * Here is also where a message can name the line. */
static gboolean
check_lines (Reader *reader)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = g_strsplit (reader->pipeline->text, "\n", -1);
  g_autofree char *group = NULL;

  for (int i = 0; lines[i]; i++) {
    char *line = g_strstrip (lines[i]);
    char *name;
    if (*line == '\0' || *line == '#')
      continue;
    if (*line == '[') {
      char *end = strchr (line, ']');
      if (end == NULL || end[1] != '\0')
        return fail (reader, NULL, NULL, "line %d: a group begins with “[” and ends with “]”.",
                     i + 1);
      g_free (group);
      group = g_strndup (line + 1, end - line - 1);
      name = g_strdup (group);
    } else {
      char *equals = strchr (line, '=');
      g_autofree char *key = NULL;
      if (equals == NULL || equals == line)
        return fail (reader, NULL, NULL,
                     "line %d is neither a group in brackets, a “key=value” nor a comment.", i + 1);
      if (group == NULL)
        return fail (reader, NULL, NULL, "line %d stands before the first group.", i + 1);
      key = g_strstrip (g_strndup (line, equals - line));
      name = g_strdup_printf ("%s\n%s", group, key);
    }
    if (!g_hash_table_add (seen, name))
      return fail (reader, group, NULL, "line %d repeats “%s”; each may stand only once.", i + 1,
                   strchr (name, '\n') ? strchr (name, '\n') + 1 : name);
  }
  return TRUE;
}

/* Newly allocated, or NULL with the error set; never empty. */
static char *
get_string (Reader *reader, const char *group, const char *key)
{
  g_autofree char *value = NULL;

  if (!g_key_file_has_key (reader->file, group, key, NULL)) {
    fail (reader, group, key, "this key is missing.");
    return NULL;
  }
  value = g_key_file_get_string (reader->file, group, key, NULL);
  if (value == NULL || *g_strstrip (value) == '\0') {
    fail (reader, group, key, "the value is empty or cannot be read.");
    return NULL;
  }
  return g_steal_pointer (&value);
}

static gboolean
get_int64 (Reader *reader, const char *group, const char *key, gint64 min, gint64 max,
           gint64 *number)
{
  g_autofree char *text = get_string (reader, group, key);
  g_autoptr (GError) local = NULL;

  if (text == NULL)
    return FALSE;
  if (!seam_text_parse_int64 (text, key, min, max, number, &local))
    return fail (reader, group, NULL, "%s", local->message);
  return TRUE;
}

static gboolean
get_double (Reader *reader, const char *group, const char *key, double *number)
{
  g_autofree char *text = get_string (reader, group, key);
  g_autoptr (GError) local = NULL;

  if (text == NULL)
    return FALSE;
  if (!seam_text_parse_double (text, key, -1e30, 1e30, number, &local))
    return fail (reader, group, NULL, "%s", local->message);
  return TRUE;
}

/* Index of the value among `words` (NULL-terminated), or -1 with the error set. */
static int
get_word (Reader *reader, const char *group, const char *key, const char *const *words)
{
  g_autofree char *text = get_string (reader, group, key);
  g_autofree char *list = NULL;

  if (text == NULL)
    return -1;
  for (int i = 0; words[i]; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  list = seam_text_list (words);
  fail (reader, group, key, "“%s” is not known; it can be %s.", text, list);
  return -1;
}

/* Refuses keys outside `allowed`, so that a misspelt key is not silently without effect. */
static gboolean
check_keys (Reader *reader, const char *group, const char *const *allowed)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL);

  for (int i = 0; keys && keys[i]; i++) {
    const char *nearest;
    if (g_strv_contains (allowed, keys[i]))
      continue;
    nearest = seam_text_nearest (keys[i], allowed);
    return fail (reader, group, keys[i], "this key is not known here%s%s%s.",
                 nearest ? "; did you mean “" : "", nearest ? nearest : "", nearest ? "”?" : "");
  }
  return TRUE;
}

static int
find_op (const SeamChain *chain, const char *name)
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

/* The part of a group's name after "kind ". */
static const char *
get_group_name (const char *group, const char *kind)
{
  gsize n = strlen (kind);

  return strncmp (group, kind, n) == 0 && group[n] == ' ' ? group + n + 1 : NULL;
}

static gboolean
read_field (Reader *reader, const char *group, const char *key)
{
  static const char *const allowed[] = { "label", "unit", "min", "max", NULL };
  SeamPipeline *pipeline = reader->pipeline;
  SeamField *field;

  if (pipeline->n_fields == SEAM_MAX_FIELDS)
    return fail (reader, group, NULL, "there are more than %d fields.", SEAM_MAX_FIELDS);
  if (!check_keys (reader, group, allowed))
    return FALSE;
  field = &pipeline->fields[pipeline->n_fields++];
  field->key = g_strdup (key);
  field->label = get_string (reader, group, "label");
  if (field->label == NULL)
    return FALSE;
  field->unit = g_key_file_get_string (reader->file, group, "unit", NULL);
  if (field->unit == NULL)
    field->unit = g_strdup ("");
  if (!get_int64 (reader, group, "min", 1, G_MAXINT32, &field->min)
      || !get_int64 (reader, group, "max", 1, G_MAXINT32, &field->max))
    return FALSE;
  if (field->max < field->min)
    return fail (reader, group, "max", "it is less than min.");
  return TRUE;
}

static gboolean
read_param (Reader *reader, const char *group, const char *name)
{
  static const char *const allowed[] = { "role", "init", NULL };
  static const char *const roles[] = { "conv-weight", "matmul-weight", "vector", "vector-3d",
                                       NULL };
  static const SeamParamRole role_values[] = { SEAM_PARAM_CONV_WEIGHT, SEAM_PARAM_MATMUL_WEIGHT,
                                               SEAM_PARAM_VECTOR, SEAM_PARAM_VECTOR_3D };
  static const char *const inits[] = { "fan-in", "normal", "ones", "zeros", NULL };
  static const SeamParamInit init_values[] = { SEAM_INIT_FAN_IN, SEAM_INIT_NORMAL, SEAM_INIT_ONES,
                                               SEAM_INIT_ZEROS };
  SeamPipeline *pipeline = reader->pipeline;
  SeamParam *param;
  int role, init;

  if (pipeline->n_params == SEAM_MAX_PARAMS)
    return fail (reader, group, NULL, "there are more than %d parameters.", SEAM_MAX_PARAMS);
  /* The name becomes a file name (NAME.npy) beside input.npy. */
  if (!is_name (name, "_.-") || strcmp (name, "input") == 0)
    return fail (reader, group, NULL,
                 "a parameter's name is made of letters, digits, “_”, “.” and “-”, and is not "
                 "“input”.");
  if (!check_keys (reader, group, allowed))
    return FALSE;
  param = &pipeline->params[pipeline->n_params++];
  param->name = g_strdup (name);
  role = get_word (reader, group, "role", roles);
  if (role < 0)
    return FALSE;
  init = get_word (reader, group, "init", inits);
  if (init < 0)
    return FALSE;
  param->role = role_values[role];
  param->init = init_values[init];
  return TRUE;
}

/* The parameter that `key` of an op names, with a role that fits it; -1 with the error set. */
static int
get_param (Reader *reader, const char *group, const char *key, SeamOpType type)
{
  g_autofree char *name = get_string (reader, group, key);
  int index;
  SeamParamRole role;
  gboolean fits;

  if (name == NULL)
    return -1;
  index = find_param (reader->pipeline, name);
  if (index < 0) {
    fail (reader, group, key, "there is no group [param %s].", name);
    return -1;
  }
  role = reader->pipeline->params[index].role;
  if (type == SEAM_OP_CONV2D)
    fits = role == SEAM_PARAM_CONV_WEIGHT;
  else if (type == SEAM_OP_MATMUL)
    fits = role == SEAM_PARAM_MATMUL_WEIGHT;
  else
    fits = role == SEAM_PARAM_VECTOR || role == SEAM_PARAM_VECTOR_3D;
  if (!fits) {
    fail (reader, group, key, "the parameter %s has a role that does not fit a %s.", name,
          seam_op_type_get_name (type));
    return -1;
  }
  return index;
}

/* Finds an earlier op of `chain` by name for a multiply_tensor at position `op`. */
static gboolean
resolve_operand (Reader *reader, const char *group, const char *key, SeamChain *chain, int op)
{
  g_autofree char *name = get_string (reader, group, key);
  int operand;

  if (name == NULL)
    return FALSE;
  operand = find_op (chain, name);
  if (operand < 0)
    return fail (reader, group, key, "there is no op “%s”.", name);
  if (operand >= op)
    return fail (reader, group, key,
                 "“%s” does not come before “%s”; only an earlier op's output can be read.", name,
                 chain->ops[op].name);
  chain->ops[op].operand = operand;
  return TRUE;
}

static gboolean
read_op (Reader *reader, SeamChain *chain, int index)
{
  static const char *const allowed[SEAM_N_OP_TYPES][5] = {
    [SEAM_OP_CONV2D] = { "type", "label", "weight" },
    [SEAM_OP_MATMUL] = { "type", "label", "weight" },
    [SEAM_OP_ADD_CHANNEL] = { "type", "label", "vector" },
    [SEAM_OP_MULTIPLY_CHANNEL] = { "type", "label", "vector" },
    [SEAM_OP_ADD_SCALAR] = { "type", "label", "value" },
    [SEAM_OP_DIVIDE_SCALAR] = { "type", "label", "value" },
    [SEAM_OP_CLAMP] = { "type", "label", "low", "high" },
    [SEAM_OP_RELU] = { "type", "label" },
    [SEAM_OP_SIGMOID] = { "type", "label" },
    [SEAM_OP_MULTIPLY_TENSOR] = { "type", "label", "operand" },
    [SEAM_OP_GROUPNORM] = { "type", "label", "weight", "bias" },
  };
  const char *types[SEAM_N_OP_TYPES + 1] = { NULL };
  SeamOp *op = &chain->ops[index];
  g_autofree char *group = g_strdup_printf ("op %s", op->name);
  int type;

  if (!g_key_file_has_group (reader->file, group))
    return fail (reader, "pipeline", "ops", "there is no group [op %s].", op->name);
  for (int i = 0; i < SEAM_N_OP_TYPES; i++)
    types[i] = seam_op_type_get_name (i);
  type = get_word (reader, group, "type", types);
  if (type < 0 || !check_keys (reader, group, allowed[type]))
    return FALSE;
  op->type = type;
  if (g_key_file_has_key (reader->file, group, "label", NULL)) {
    op->label = get_string (reader, group, "label");
    if (op->label == NULL)
      return FALSE;
    if (!is_name (op->label, "_"))
      return fail (reader, group, "label", "a label is made of letters, digits and “_”.");
  } else {
    op->label = g_strdup (op->name);
  }

  switch (op->type) {
  case SEAM_OP_CONV2D:
  case SEAM_OP_MATMUL:
    if (index > 0)
      return fail (reader, group, "type", "a %s can only be the first op.",
                   seam_op_type_get_name (op->type));
    op->params[0] = get_param (reader, group, "weight", op->type);
    return op->params[0] >= 0;
  case SEAM_OP_ADD_CHANNEL:
  case SEAM_OP_MULTIPLY_CHANNEL:
    op->params[0] = get_param (reader, group, "vector", op->type);
    return op->params[0] >= 0;
  case SEAM_OP_ADD_SCALAR:
    return get_double (reader, group, "value", &op->scalars[0]);
  case SEAM_OP_DIVIDE_SCALAR:
    if (!get_double (reader, group, "value", &op->scalars[0]))
      return FALSE;
    if (op->scalars[0] == 0)
      return fail (reader, group, "value", "nothing can be divided by 0.");
    return TRUE;
  case SEAM_OP_CLAMP:
    if (!get_double (reader, group, "low", &op->scalars[0])
        || !get_double (reader, group, "high", &op->scalars[1]))
      return FALSE;
    if (op->scalars[1] < op->scalars[0])
      return fail (reader, group, "high", "it is less than low.");
    return TRUE;
  case SEAM_OP_GROUPNORM:
    op->params[0] = get_param (reader, group, "weight", op->type);
    if (op->params[0] < 0)
      return FALSE;
    op->params[1] = get_param (reader, group, "bias", op->type);
    return op->params[1] >= 0;
  case SEAM_OP_MULTIPLY_TENSOR:
    return resolve_operand (reader, group, "operand", chain, index);
  case SEAM_OP_RELU:
  case SEAM_OP_SIGMOID:
  case SEAM_N_OP_TYPES:
    break;
  }
  return TRUE;
}

/* The names of `key`, at most SEAM_MAX_OPS, each a name and none twice. */
static char **
get_op_names (Reader *reader, const char *group)
{
  g_auto (GStrv) names = NULL;
  int n;

  if (!g_key_file_has_key (reader->file, group, "ops", NULL)) {
    fail (reader, group, "ops", "this key is missing.");
    return NULL;
  }
  names = g_key_file_get_string_list (reader->file, group, "ops", NULL, NULL);
  n = names ? (int)g_strv_length (names) : 0;
  if (n == 0 || n > SEAM_MAX_OPS) {
    fail (reader, group, "ops", "a chain has 1 to %d ops, with “;” between them.", SEAM_MAX_OPS);
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    g_strstrip (names[i]);
    if (!is_name (names[i], "_")) {
      fail (reader, group, "ops", "“%s” is not a name: letters, digits and “_”, a letter first.",
            names[i]);
      return NULL;
    }
    for (int j = 0; j < i; j++)
      if (strcmp (names[i], names[j]) == 0) {
        fail (reader, group, "ops", "“%s” stands there twice.", names[i]);
        return NULL;
      }
  }
  return g_steal_pointer (&names);
}

static gboolean
read_main_chain (Reader *reader)
{
  SeamPipeline *pipeline = reader->pipeline;
  SeamChain *chain = &pipeline->chains[0];
  g_auto (GStrv) names = get_op_names (reader, "pipeline");
  int n_norms = 0;

  if (names == NULL)
    return FALSE;
  for (int i = 0; names[i]; i++) {
    SeamOp *op = &chain->ops[chain->n_ops++];
    op->name = g_strdup (names[i]);
    op->operand = op->params[0] = op->params[1] = -1;
  }
  for (int i = 0; i < chain->n_ops; i++) {
    if (!read_op (reader, chain, i))
      return FALSE;
    n_norms += chain->ops[i].type == SEAM_OP_GROUPNORM;
  }
  if (chain->ops[0].type != SEAM_OP_CONV2D && chain->ops[0].type != SEAM_OP_MATMUL)
    return fail (reader, "pipeline", "ops", "the first op has to be a conv2d or a matmul.");
  if (n_norms > 1)
    return fail (reader, "pipeline", "ops", "there can be only one groupnorm.");
  for (int i = 0; i < chain->n_ops; i++)
    for (int j = 0; j < chain->n_ops; j++)
      if (i != j
          && (strcmp (chain->ops[i].label, chain->ops[j].name) == 0
              || strcmp (chain->ops[i].label, chain->ops[j].label) == 0))
        return fail (reader, "pipeline", "ops", "the ops “%s” and “%s” share a name or label.",
                     chain->ops[i].name, chain->ops[j].name);
  return TRUE;
}

/* A cut's notation names every op of the chain in order, with '+' or '|' between. */
static gboolean
check_notation (Reader *reader, const char *group, const char *key, const SeamChain *chain,
                const char *notation)
{
  const char *p = notation;

  for (int i = 0; i < chain->n_ops; i++) {
    gsize n = strlen (chain->ops[i].name);
    char after = i + 1 < chain->n_ops ? '+' : '\0';
    if (strncmp (p, chain->ops[i].name, n) != 0 || (p[n] != after && !(after && p[n] == '|')))
      return fail (reader, group, key,
                   "it does not name the op “%s” where it has to; write all ops in order with “+” "
                   "(fused) or “|” (cut) between.",
                   chain->ops[i].name);
    p += n + 1;
  }
  return TRUE;
}

static gboolean
add_cut (Reader *reader, const char *group, const char *key, const char *name, int chain)
{
  SeamPipeline *pipeline = reader->pipeline;
  g_autofree char *notation = get_string (reader, group, key);

  if (notation == NULL || !check_notation (reader, group, key, &pipeline->chains[chain], notation))
    return FALSE;
  if (pipeline->n_cuts == MAX_CUTS)
    return fail (reader, group, NULL, "there are more than %d named cuts.", MAX_CUTS);
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (strcmp (pipeline->cuts[i].name, name) == 0)
      return fail (reader, group, NULL, "the name “%s” is taken already.", name);
  if (!is_name (name, "_-") || strcmp (name, "unfused") == 0 || strcmp (name, "full") == 0
      || strcmp (name, "best") == 0 || strcmp (name, "fp64") == 0)
    return fail (reader, group, NULL, "“%s” cannot be the name of a plan.", name);
  pipeline->cuts = g_renew (SeamNamedCut, pipeline->cuts, pipeline->n_cuts + 1);
  pipeline->cuts[pipeline->n_cuts].name = g_strdup (name);
  pipeline->cuts[pipeline->n_cuts].notation = g_steal_pointer (&notation);
  pipeline->cuts[pipeline->n_cuts].chain = chain;
  pipeline->n_cuts++;
  return TRUE;
}

static gboolean
read_exhibit (Reader *reader, const char *group, const char *name)
{
  SeamPipeline *pipeline = reader->pipeline;
  const SeamChain *source = &pipeline->chains[0];
  g_autoptr (GPtrArray) allowed = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) names = NULL;
  SeamChain *chain;

  if (pipeline->n_chains == MAX_CHAINS)
    return fail (reader, group, NULL, "there are more than %d chains.", MAX_CHAINS);
  names = get_op_names (reader, group);
  if (names == NULL)
    return FALSE;
  pipeline->chains = g_renew (SeamChain, pipeline->chains, pipeline->n_chains + 1);
  source = &pipeline->chains[0];
  chain = &pipeline->chains[pipeline->n_chains++];
  memset (chain, 0, sizeof *chain);
  chain->name = g_strdup (name);
  chain->note = get_string (reader, group, "note");
  if (chain->note == NULL)
    return FALSE;
  if ((int)g_strv_length (names) != source->n_ops)
    return fail (reader, group, "ops", "it has to name the same %d ops as [pipeline].",
                 source->n_ops);
  for (int i = 0; names[i]; i++) {
    int from = find_op (source, names[i]);
    if (from < 0)
      return fail (reader, group, "ops", "“%s” is not an op of [pipeline].", names[i]);
    chain->ops[chain->n_ops++] = source->ops[from];
  }
  if (chain->ops[0].params[0] != source->ops[0].params[0]
      || chain->ops[0].type != source->ops[0].type)
    return fail (reader, group, "ops", "the first op has to be “%s”.", source->ops[0].name);

  for (const char *const *key = (const char *const[]){ "note", "ops", "cut", NULL }; *key; key++)
    g_ptr_array_add (allowed, g_strdup (*key));
  for (int i = 0; i < chain->n_ops; i++) {
    g_autofree char *key = NULL;
    g_autofree char *own_group = NULL;
    if (chain->ops[i].type != SEAM_OP_MULTIPLY_TENSOR)
      continue;
    key = g_strdup_printf ("operand.%s", chain->ops[i].name);
    own_group = g_strdup_printf ("op %s", chain->ops[i].name);
    if (g_key_file_has_key (reader->file, group, key, NULL)) {
      if (!resolve_operand (reader, group, key, chain, i))
        return FALSE;
    } else if (!resolve_operand (reader, own_group, "operand", chain, i)) {
      return FALSE;
    }
    g_ptr_array_add (allowed, g_steal_pointer (&key));
  }
  g_ptr_array_add (allowed, NULL);
  return check_keys (reader, group, (const char *const *)allowed->pdata)
         && add_cut (reader, group, "cut", name, pipeline->n_chains - 1);
}

static gboolean
read_preset (Reader *reader, const char *group, const char *name)
{
  SeamPipeline *pipeline = reader->pipeline;
  const char *allowed[SEAM_MAX_FIELDS + 1] = { NULL };
  SeamPreset *preset;

  if (pipeline->n_presets == MAX_PRESETS)
    return fail (reader, group, NULL, "there are more than %d presets.", MAX_PRESETS);
  if (!is_name (name, "_-"))
    return fail (reader, group, NULL, "“%s” cannot be the name of a preset.", name);
  for (int i = 0; i < pipeline->n_fields; i++)
    allowed[i] = pipeline->fields[i].key;
  if (!check_keys (reader, group, allowed))
    return FALSE;
  pipeline->presets = g_renew (SeamPreset, pipeline->presets, pipeline->n_presets + 1);
  preset = &pipeline->presets[pipeline->n_presets++];
  memset (preset, 0, sizeof *preset);
  preset->name = g_strdup (name);
  for (int i = 0; i < pipeline->n_fields; i++)
    if (!get_int64 (reader, group, pipeline->fields[i].key, pipeline->fields[i].min,
                    pipeline->fields[i].max, &preset->values[i]))
      return FALSE;
  return TRUE;
}

const char **
seam_pipeline_list_needed_fields (const SeamPipeline *pipeline)
{
  static const char *const conv_fields[] = { "batch",  "in_channels", "out_channels",
                                             "height", "width",       "kernel_size",
                                             NULL };
  static const char *const matmul_fields[] = { "batch", "in_features", "out_features", NULL };
  const SeamChain *chain = &pipeline->chains[0];
  const char *const *base = chain->ops[0].type == SEAM_OP_CONV2D ? conv_fields : matmul_fields;
  GPtrArray *fields = g_ptr_array_new ();

  for (; *base; base++)
    g_ptr_array_add (fields, (gpointer)*base);
  for (int i = 0; i < chain->n_ops; i++)
    if (chain->ops[i].type == SEAM_OP_GROUPNORM)
      g_ptr_array_add (fields, (gpointer) "groups");
  g_ptr_array_add (fields, NULL);
  return (const char **)g_ptr_array_free (fields, FALSE);
}

static gboolean
check_fields (Reader *reader)
{
  SeamPipeline *pipeline = reader->pipeline;
  g_autofree const char **needed = seam_pipeline_list_needed_fields (pipeline);
  g_autofree char *list = seam_text_list (needed);

  for (int i = 0; needed[i]; i++)
    if (seam_pipeline_get_field (pipeline, needed[i]) < 0)
      return fail (reader, NULL, NULL, "the group [field %s] is missing; these ops need %s.",
                   needed[i], list);
  for (int i = 0; i < pipeline->n_fields; i++)
    if (!g_strv_contains (needed, pipeline->fields[i].key))
      return fail (reader, NULL, NULL, "[field %s] is not a field of these ops; they need %s.",
                   pipeline->fields[i].key, list);
  return TRUE;
}

/* One pass over the groups of a kind, in the order of the file. */
static gboolean
read_groups (Reader *reader, char **groups, const char *kind,
             gboolean (*read) (Reader *reader, const char *group, const char *name))
{
  for (int i = 0; groups[i]; i++) {
    const char *name = get_group_name (groups[i], kind);
    if (name && !read (reader, groups[i], name))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_cut (Reader *reader, const char *group, const char *name)
{
  static const char *const allowed[] = { "notation", NULL };

  return check_keys (reader, group, allowed) && add_cut (reader, group, "notation", name, 0);
}

/* Every group is of a known kind, and every [op] is used. */
static gboolean
check_groups (Reader *reader, char **groups)
{
  static const char *const kinds[] = { "field", "param",  "op",       "chain",
                                       "cut",   "preset", "pipeline", NULL };

  for (int i = 0; groups[i]; i++) {
    g_autofree char *kind = g_strndup (groups[i], strcspn (groups[i], " "));
    const char *name;
    if (!g_strv_contains (kinds, kind)
        || (strcmp (kind, "pipeline") == 0) != (strchr (groups[i], ' ') == NULL)) {
      g_autofree char *list = seam_text_list (kinds);
      return fail (reader, groups[i], NULL, "this group is not known; the kinds are %s.", list);
    }
    name = get_group_name (groups[i], "op");
    if (name && find_op (&reader->pipeline->chains[0], name) < 0)
      return fail (reader, groups[i], NULL, "this op is not named by “ops” of [pipeline].");
  }
  return TRUE;
}

static gboolean
read_all (Reader *reader)
{
  static const char *const allowed[] = { "title", "description", "source", "number", "ops", NULL };
  SeamPipeline *pipeline = reader->pipeline;
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);
  gint64 number = -1;

  if (!g_key_file_has_group (reader->file, "pipeline"))
    return fail (reader, NULL, NULL, "the group [pipeline] is missing; this is no pipeline file.");
  if (!check_keys (reader, "pipeline", allowed))
    return FALSE;
  pipeline->title = get_string (reader, "pipeline", "title");
  if (pipeline->title == NULL)
    return FALSE;
  pipeline->description = get_string (reader, "pipeline", "description");
  if (pipeline->description == NULL)
    return FALSE;
  pipeline->source = get_string (reader, "pipeline", "source");
  if (pipeline->source == NULL)
    return FALSE;
  if (g_key_file_has_key (reader->file, "pipeline", "number", NULL)
      && !get_int64 (reader, "pipeline", "number", 1, 100000, &number))
    return FALSE;
  pipeline->number = (int)number;

  pipeline->chains = g_new0 (SeamChain, 1);
  pipeline->n_chains = 1;
  pipeline->chains[0].name = g_strdup ("");
  if (!read_groups (reader, groups, "field", read_field)
      || !read_groups (reader, groups, "param", read_param) || !read_main_chain (reader)
      || !check_groups (reader, groups) || !check_fields (reader)
      || !read_groups (reader, groups, "cut", read_cut)
      || !read_groups (reader, groups, "chain", read_exhibit)
      || !read_groups (reader, groups, "preset", read_preset))
    return FALSE;
  if (pipeline->n_presets == 0)
    return fail (reader, NULL, NULL, "there is no group [preset …]; at least one is needed.");
  for (int i = 0; i < pipeline->n_presets; i++) {
    g_autoptr (GError) local = NULL;
    g_autoptr (SeamProblem) problem =
        seam_problem_new (pipeline, pipeline->presets[i].values, &local);
    if (problem == NULL)
      return fail (reader, NULL, NULL, "[preset %s]: %s", pipeline->presets[i].name,
                   local->message);
  }
  return TRUE;
}

gboolean
seam_pipeline_read (SeamPipeline *pipeline, const char *where, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  Reader reader = { pipeline, file, where, error };

  if (strlen (pipeline->text) > MAX_FILE_SIZE)
    return fail (&reader, NULL, NULL, "it is larger than 1 MB; this is no pipeline file.");
  if (!g_utf8_validate (pipeline->text, -1, NULL))
    return fail (&reader, NULL, NULL, "it is not UTF-8 text.");
  if (!check_lines (&reader))
    return FALSE;
  if (!g_key_file_load_from_data (file, pipeline->text, (gsize)-1, G_KEY_FILE_NONE, &local))
    return fail (&reader, NULL, NULL, "it cannot be read: %s.", local->message);
  return read_all (&reader);
}
