/* SPDX-License-Identifier: MIT
 *
 * The pipeline file: a key file (as read by GKeyFile) with these groups; all others are refused.
 *
 *   [pipeline]      title, description, source; number (optional); ops: names in order, ';' between
 *   [field KEY]     label, unit, min, max; KEY is batch, in_channels, out_channels, height, width,
 *                   kernel_size (convolution) or batch, in_features, out_features (matrix product),
 *                   and groups if there is a groupnorm
 *   [param NAME]    role: conv-weight, matmul-weight, vector ([K]), vector-3d ([K, 1, 1]);
 *                   init: fan-in, normal, ones, zeros; a run draws the last two around 1 and 0
 *                   unless it is told to follow the file (SeamInitMode)
 *   [op NAME]       type: a name in the table of ops (kernels/ops.h), with the keys that op.c gives
 *                   it: weight, bias or vector name a param; value, or low and high, are numbers;
 *                   operand names an earlier op; label (optional): what is shown in the op's block
 *   [chain NAME]    an exhibit, wrong on purpose: the same ops, in another order or with a mistake
 *                   in one of them: note, ops, cut; operand.OP if an op reads another
 *                   op than in the pipeline; defect.OP: missing-tail, index-overflow, lost-update,
 *                   one-pass-variance, half-sums or without-affine, some with “:” and a number
 *                   (kernels/defects.h)
 *   [cut NAME]      notation (groups may end with @implementation): a named plan, such as published
 *   [preset NAME]   a value for every field
 *
 * The first op is the only conv2d or matmul, and there is at most one groupnorm.
 */
#include "app/pipeline/pipeline-file.h"

#include "app/base/owner.h"
#include "app/base/read-file.h"
#include "app/base/text.h"
#include "app/pipeline/key-reader.h"
#include "app/pipeline/problem.h"

#include <string.h>

#define MAX_PRESETS 16

/* The part of a group's name after its kind: "NAME" of "kind NAME". */
static const char *
get_group_name (const char *group, const char *kind)
{
  gsize n = strlen (kind);

  return strncmp (group, kind, n) == 0 && group[n] == ' ' ? group + n + 1 : NULL;
}

static gboolean
read_field (SeamKeyReader *reader, const char *group, const char *key)
{
  static const char *const allowed[] = { "label", "unit", "min", "max", NULL };
  SeamPipeline *pipeline = reader->pipeline;

  if (pipeline->n_fields == SEAM_MAX_FIELDS)
    return seam_key_fail (reader, group, NULL, "there are more than %d fields.", SEAM_MAX_FIELDS);
  if (!seam_key_check (reader, group, allowed))
    return FALSE;
  SeamShapeField *field = &pipeline->fields[pipeline->n_fields++];
  field->key = seam_keep (pipeline, g_strdup (key));
  field->label = seam_keep (pipeline, seam_key_get_string (reader, group, "label"));
  if (field->label == NULL)
    return FALSE;
  field->unit = seam_keep (pipeline, g_key_file_get_string (reader->file, group, "unit", NULL));
  if (field->unit == NULL)
    field->unit = "";
  if (!seam_key_get_int64 (reader, group, "min", 1, G_MAXINT32, &field->min)
      || !seam_key_get_int64 (reader, group, "max", 1, G_MAXINT32, &field->max))
    return FALSE;
  if (field->max < field->min)
    return seam_key_fail (reader, group, "max", "it is less than min.");
  return TRUE;
}

static gboolean
read_param (SeamKeyReader *reader, const char *group, const char *name)
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
  int role, init;

  if (pipeline->n_params == SEAM_MAX_PARAMS)
    return seam_key_fail (reader, group, NULL, "there are more than %d parameters.",
                          SEAM_MAX_PARAMS);
  /* The name becomes a file name (NAME.npy) beside input.npy. */
  if (!seam_pipeline_is_name (name, "_.-") || strcmp (name, "input") == 0)
    return seam_key_fail (
        reader, group, NULL,
        "a parameter's name is made of letters, digits, “_”, “.” and “-”, and is not "
        "“input”.");
  if (!seam_key_check (reader, group, allowed))
    return FALSE;
  SeamParam *param = &pipeline->params[pipeline->n_params++];
  param->name = seam_keep (pipeline, g_strdup (name));
  role = seam_key_get_word (reader, group, "role", roles);
  if (role < 0)
    return FALSE;
  init = seam_key_get_word (reader, group, "init", inits);
  if (init < 0)
    return FALSE;
  param->role = role_values[role];
  param->init = init_values[init];
  return TRUE;
}

static gboolean
read_preset (SeamKeyReader *reader, const char *group, const char *name)
{
  SeamPipeline *pipeline = reader->pipeline;
  const char *allowed[SEAM_MAX_FIELDS + 1] = { NULL };

  if (pipeline->n_presets == MAX_PRESETS)
    return seam_key_fail (reader, group, NULL, "there are more than %d presets.", MAX_PRESETS);
  if (!seam_pipeline_is_name (name, "_-"))
    return seam_key_fail (reader, group, NULL, "“%s” cannot be the name of a preset.", name);
  for (int i = 0; i < pipeline->n_fields; i++)
    allowed[i] = pipeline->fields[i].key;
  if (!seam_key_check (reader, group, allowed))
    return FALSE;
  SeamPreset *preset = &pipeline->presets[pipeline->n_presets++];
  preset->name = seam_keep (pipeline, g_strdup (name));
  for (int i = 0; i < pipeline->n_fields; i++)
    if (!seam_key_get_int64 (reader, group, pipeline->fields[i].key, pipeline->fields[i].min,
                             pipeline->fields[i].max, &preset->values[i]))
      return FALSE;
  return TRUE;
}

const char **
seam_pipeline_list_needed_fields (const SeamPipeline *pipeline)
{
  const SeamChain *chain = &pipeline->chains[0];
  GPtrArray *fields = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (int i = 0; i < chain->n_ops; i++) {
    const char *const *own = seam_op_get_info (&chain->ops[i])->attributes->fields;

    for (; own != NULL && *own != NULL; own++)
      g_ptr_array_add (fields, (gpointer)*own);
  }
  return (const char **)g_ptr_array_free (fields, FALSE);
}

static gboolean
check_fields (SeamKeyReader *reader)
{
  SeamPipeline *pipeline = reader->pipeline;
  g_autofree const char **needed = seam_pipeline_list_needed_fields (pipeline);
  g_autofree char *list = seam_text_list (needed);

  for (int i = 0; needed[i]; i++)
    if (seam_pipeline_get_field (pipeline, needed[i]) < 0)
      return seam_key_fail (reader, NULL, NULL,
                            "the group [field %s] is missing; these ops need %s.", needed[i], list);
  for (int i = 0; i < pipeline->n_fields; i++)
    if (!g_strv_contains (needed, pipeline->fields[i].key))
      return seam_key_fail (reader, NULL, NULL,
                            "[field %s] is not a field of these ops; they need %s.",
                            pipeline->fields[i].key, list);
  return TRUE;
}

/* Reads all groups of a kind, in the order of the file. */
static gboolean
read_groups (SeamKeyReader *reader, char **groups, const char *kind,
             gboolean (*read) (SeamKeyReader *reader, const char *group, const char *name))
{
  for (int i = 0; groups[i]; i++) {
    const char *name = get_group_name (groups[i], kind);
    if (name && !read (reader, groups[i], name))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_cut (SeamKeyReader *reader, const char *group, const char *name)
{
  static const char *const allowed[] = { "notation", NULL };

  return seam_key_check (reader, group, allowed)
         && seam_pipeline_add_cut (reader, group, "notation", name, 0);
}

/* Checks that every group is of a known kind, and that every [op] is used. */
static gboolean
check_groups (SeamKeyReader *reader, char **groups)
{
  static const char *const kinds[] = { "field", "param",  "op",       "chain",
                                       "cut",   "preset", "pipeline", NULL };

  for (int i = 0; groups[i]; i++) {
    g_autofree char *kind = g_strndup (groups[i], strcspn (groups[i], " "));
    if (!g_strv_contains (kinds, kind)
        || (strcmp (kind, "pipeline") == 0) != (strchr (groups[i], ' ') == NULL)) {
      g_autofree char *list = seam_text_list (kinds);
      return seam_key_fail (reader, groups[i], NULL, "this group is not known; the kinds are %s.",
                            list);
    }
    const char *name = get_group_name (groups[i], "op");
    if (name && seam_chain_find_op (&reader->pipeline->chains[0], name) < 0)
      return seam_key_fail (reader, groups[i], NULL,
                            "this op is not named by “ops” of [pipeline].");
  }
  return TRUE;
}

static gboolean
read_all (SeamKeyReader *reader)
{
  static const char *const allowed[] = { "title", "description", "source", "number", "ops", NULL };
  SeamPipeline *pipeline = reader->pipeline;
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);
  gint64 number = -1;

  if (!g_key_file_has_group (reader->file, "pipeline"))
    return seam_key_fail (reader, NULL, NULL,
                          "the group [pipeline] is missing; this is no pipeline file.");
  if (!seam_key_check (reader, "pipeline", allowed))
    return FALSE;
  pipeline->title = seam_keep (pipeline, seam_key_get_string (reader, "pipeline", "title"));
  if (pipeline->title == NULL)
    return FALSE;
  pipeline->description =
      seam_keep (pipeline, seam_key_get_string (reader, "pipeline", "description"));
  if (pipeline->description == NULL)
    return FALSE;
  pipeline->source = seam_keep (pipeline, seam_key_get_string (reader, "pipeline", "source"));
  if (pipeline->source == NULL)
    return FALSE;
  if (g_key_file_has_key (reader->file, "pipeline", "number", NULL)
      && !seam_key_get_int64 (reader, "pipeline", "number", 1, 100000, &number))
    return FALSE;
  pipeline->number = (int)number;

  pipeline->presets = seam_keep (pipeline, g_new0 (SeamPreset, MAX_PRESETS));
  if (!read_groups (reader, groups, "field", read_field)
      || !read_groups (reader, groups, "param", read_param)
      || !seam_pipeline_read_main_chain (reader) || !check_groups (reader, groups)
      || !check_fields (reader) || !read_groups (reader, groups, "cut", read_cut)
      || !read_groups (reader, groups, "chain", seam_pipeline_read_exhibit)
      || !read_groups (reader, groups, "preset", read_preset))
    return FALSE;
  if (pipeline->n_presets == 0)
    return seam_key_fail (reader, NULL, NULL,
                          "there is no group [preset …]; at least one is needed.");
  for (int i = 0; i < pipeline->n_presets; i++) {
    g_autoptr (GError) local = NULL;
    g_autoptr (SeamProblem) problem =
        seam_problem_new (pipeline, pipeline->presets[i].values, &local);
    if (problem == NULL)
      return seam_key_fail (reader, NULL, NULL, "[preset %s]: %s", pipeline->presets[i].name,
                            local->message);
  }
  return TRUE;
}

gboolean
seam_pipeline_read (SeamPipeline *pipeline, const char *where, GError **error)
{
  g_autofree char *text = g_steal_pointer (&pipeline->text);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  SeamKeyReader reader = { pipeline, file, where, error };

  if (strlen (text) > SEAM_PIPELINE_MAX_BYTES)
    return seam_key_fail (&reader, NULL, NULL, "it is larger than 1 MB; this is no pipeline file.");
  if (!g_utf8_validate (text, -1, NULL))
    return seam_key_fail (&reader, NULL, NULL, "it is not UTF-8 text.");
  pipeline->text = seam_keep (pipeline, seam_file_clean_text (text, " \t\r\f\v"));
  if (!seam_pipeline_check_lines (&reader))
    return FALSE;
  if (!g_key_file_load_from_data (file, pipeline->text, (gsize)-1, G_KEY_FILE_NONE, &local))
    return seam_key_fail (&reader, NULL, NULL, "it cannot be read: %s.", local->message);
  return read_all (&reader);
}
