/* SPDX-License-Identifier: MIT
 *
 * The ops of a pipeline file: the main chain, exhibits, and their named cuts. The head of
 * pipeline-file.c describes the format.
 */
#include "app/pipeline/key-reader.h"

#include "app/base/owner.h"
#include "app/base/text.h"
#include "app/pipeline/defect.h"

#include <string.h>

#define MAX_CHAINS 8
#define MAX_CUTS   16

/* The key that names an op's operand, the output of an earlier op. */
#define OPERAND_KEY "operand"

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
    seam_key_fail (reader, group, key, "the parameter %s has a role that does not fit the op %s.",
                   name, seam_op_type_get_name (type));
    return -1;
  }
  return index;
}

/* Finds, by name, an earlier op of `chain` that the op at position `op` reads. */
static gboolean
resolve_operand (SeamKeyReader *reader, const char *group, const char *key, SeamChain *chain,
                 int op)
{
  g_autofree char *name = seam_key_get_string (reader, group, key);

  if (name == NULL)
    return FALSE;
  int operand = seam_chain_find_op (chain, name);
  if (operand < 0)
    return seam_key_fail (reader, group, key, "there is no op “%s”.", name);
  if (operand >= op)
    return seam_key_fail (
        reader, group, key,
        "“%s” does not come before “%s”; only an earlier op's output can be read.", name,
        chain->ops[op].name);
  chain->ops[op].operand = operand;
  return TRUE;
}

/* Refuses keys that an op of this type does not have. */
static gboolean
check_op_keys (SeamKeyReader *reader, const char *group, const SeamOpInfo *info)
{
  const char *allowed[4 + SEAM_MAX_OP_PARAMS + SEAM_MAX_OP_SCALARS] = { "type", "label" };
  int n = 2;

  for (int i = 0; i < SEAM_MAX_OP_PARAMS && info->params[i] != NULL; i++)
    allowed[n++] = info->params[i];
  for (int i = 0; i < SEAM_MAX_OP_SCALARS && info->attributes->scalars[i].key != NULL; i++)
    allowed[n++] = info->attributes->scalars[i].key;
  if (info->reads == SEAM_READS_TENSOR)
    allowed[n++] = OPERAND_KEY;
  return seam_key_check (reader, group, allowed);
}

static gboolean
read_scalar (SeamKeyReader *reader, const char *group, SeamOp *op, int which)
{
  const SeamOpScalar *scalar = &seam_op_get_info (op)->attributes->scalars[which];

  if (!seam_key_get_double (reader, group, scalar->key, &op->scalars[which]))
    return FALSE;
  const char *wrong = scalar->check != NULL ? scalar->check (op->scalars) : NULL;
  return wrong == NULL || seam_key_fail (reader, group, scalar->key, "%s", wrong);
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
  if (type < 0 || !check_op_keys (reader, group, seam_op_type_get_info (type)))
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

  if (seam_op_is_matrix (op) && index > 0)
    return seam_key_fail (reader, group, "type", "a %s can only be the first op.", info->name);
  for (int i = 0; i < SEAM_MAX_OP_PARAMS && info->params[i] != NULL; i++) {
    op->params[i] = get_param (reader, group, info->params[i], op->type);
    if (op->params[i] < 0)
      return FALSE;
  }
  for (int i = 0; i < SEAM_MAX_OP_SCALARS && info->attributes->scalars[i].key != NULL; i++)
    if (!read_scalar (reader, group, op, i))
      return FALSE;
  return info->reads != SEAM_READS_TENSOR
         || resolve_operand (reader, group, OPERAND_KEY, chain, index);
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
  int n_norms = 0;

  if (names == NULL)
    return FALSE;
  chain->name = "";
  pipeline->chains = chain;
  pipeline->n_chains = 1;
  pipeline->cuts = seam_keep (pipeline, g_new0 (SeamNamedCut, MAX_CUTS));
  for (int i = 0; names[i]; i++) {
    SeamOp *op = &chain->ops[chain->n_ops++];
    op->name = seam_keep (pipeline, g_strdup (names[i]));
    op->operand = op->params[0] = op->params[1] = -1;
  }
  for (int i = 0; i < chain->n_ops; i++) {
    if (!read_op (reader, chain, i))
      return FALSE;
    n_norms += seam_op_is_normalisation (&chain->ops[i]);
  }
  if (!seam_op_is_matrix (&chain->ops[0]))
    return seam_key_fail (reader, "pipeline", "ops",
                          "the first op has to be a conv2d or a matmul.");
  if (n_norms > 1)
    return seam_key_fail (reader, "pipeline", "ops", "there can be only one groupnorm.");
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
    if (seam_op_get_info (&chain->ops[i])->reads != SEAM_READS_TENSOR)
      continue;
    g_autofree char *key = g_strdup_printf (OPERAND_KEY ".%s", chain->ops[i].name);
    g_autofree char *own_group = g_strdup_printf ("op %s", chain->ops[i].name);
    if (g_key_file_has_key (reader->file, group, key, NULL)) {
      if (!resolve_operand (reader, group, key, chain, i))
        return FALSE;
    } else if (!resolve_operand (reader, own_group, OPERAND_KEY, chain, i)) {
      return FALSE;
    }
    g_ptr_array_add (allowed, g_steal_pointer (&key));
  }
  if (!read_defects (reader, group, chain, allowed))
    return FALSE;
  return seam_key_check (reader, group, (const char *const *)allowed->pdata)
         && seam_pipeline_add_cut (reader, group, "cut", name, pipeline->n_chains - 1);
}
