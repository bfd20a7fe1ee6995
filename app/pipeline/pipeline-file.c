/* SPDX-License-Identifier: MIT
 *
 * The pipeline file: a key file (as read by GKeyFile) with these groups; all others are refused.
 *
 *   [pipeline]      title, description, source; number (optional); ops: names in order, ';' between
 *   [field KEY]     label, unit, min, max: a number of the shape
 *   [input NAME]    shape in fields: a further input; NAME input: the chain's own
 *   [param NAME]    role: conv-weight, matmul-weight, vector ([K]), vector-3d ([K, 1, 1]), scalar;
 *                   or a shape in fields; init: fan-in, normal, ones, zeros or a number; a run
 *                   draws the last three around what they say unless it is told to follow the
 *                   file (SeamInitMode)
 *   [op NAME]       type: a name in the table of ops (kernels/ops.h), with the keys that op.c gives
 *                   it; input and operand name values; label (optional): what is shown in the op's
 *                   block
 *   [chain NAME]    an exhibit, wrong on purpose: the same ops, in another order or with a mistake
 *                   in one of them: note, ops, cut; operand.OP if an op reads another
 *                   op than in the pipeline; defect.OP: missing-tail, index-overflow, lost-update,
 *                   one-pass-variance, half-sums or without-affine, some with “:” and a number
 *                   (kernels/defects.h)
 *   [cut NAME]      notation (groups may end with @implementation): a named plan, such as published
 *   [preset NAME]   a value for every field
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

/* One axis: "3", "batch", "2*height", "height-2", "2*height+1". */
static gboolean
read_term (SeamKeyReader *reader, const char *group, char *text, SeamShapeTerm *term)
{
  char *star = strchr (text, '*'), *sign, *end;

  *term = (SeamShapeTerm){ .field = -1, .factor = 1 };
  if (g_ascii_isdigit (*text)) {
    term->factor = g_ascii_strtoll (text, &end, 10);
    if (*end == '\0')
      return term->factor > 0 && term->factor <= G_MAXINT32;
    text = star != NULL ? star + 1 : text;
  }
  sign = strpbrk (text, "+-");
  if (sign != NULL) {
    term->offset = g_ascii_strtoll (sign, &end, 10);
    if (*end != '\0' || end == sign + 1)
      return FALSE;
    *sign = '\0';
  }
  term->field = seam_pipeline_get_field (reader->pipeline, g_strstrip (text));
  return term->field >= 0 && ABS (term->offset) <= G_MAXINT32 && term->factor > 0
         && term->factor <= G_MAXINT32;
}

/* A shape in fields: "batch;out_channels;2*height;2*width". */
static gboolean
read_shape (SeamKeyReader *reader, const char *group, SeamShapeTerm *terms, int *n_terms)
{
  g_autofree char *text = seam_key_get_string (reader, group, "shape");
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, ";", -1) : NULL;

  if (words == NULL)
    return FALSE;
  for (int i = 0; words[i] != NULL; i++) {
    if (*g_strstrip (words[i]) == '\0' && words[i + 1] == NULL)
      break;
    if (*n_terms == SEAM_MAX_DIMS)
      return seam_key_fail (reader, group, "shape", "a shape has at most %d axes.", SEAM_MAX_DIMS);
    g_autofree char *word = g_strdup (words[i]);
    if (!read_term (reader, group, word, &terms[(*n_terms)++]))
      return seam_key_fail (reader, group, "shape",
                            "“%s” is no size of an axis; write the key of a field, a number, or "
                            "for example 2*height or height-2.",
                            words[i]);
  }
  return *n_terms > 0 || seam_key_fail (reader, group, "shape", "a shape has an axis or more.");
}

/* The name becomes a file name (NAME.npy) beside input.npy. */
static gboolean
check_param_name (SeamKeyReader *reader, const char *group, const char *name)
{
  const SeamPipeline *pipeline = reader->pipeline;

  if (pipeline->n_params == SEAM_MAX_PARAMS)
    return seam_key_fail (reader, group, NULL, "there are more than %d parameters.",
                          SEAM_MAX_PARAMS);
  for (int i = 0; i < pipeline->n_params; i++)
    if (strcmp (pipeline->params[i].name, name) == 0)
      return seam_key_fail (reader, group, NULL, "the name is taken by a parameter.");
  return (seam_pipeline_is_name (name, "_.-") && strcmp (name, "input") != 0)
         || seam_key_fail (
             reader, group, NULL,
             "a parameter's name is made of letters, digits, “_”, “.” and “-”, and is not "
             "“input”.");
}

static gboolean
read_param (SeamKeyReader *reader, const char *group, const char *name)
{
  static const char *const allowed[] = { "role", "init", "shape", NULL };
  static const char *const roles[] = { "conv-weight", "matmul-weight", "vector",
                                       "vector-3d",   "scalar",        NULL };
  static const SeamParamRole role_values[] = { SEAM_PARAM_CONV_WEIGHT, SEAM_PARAM_MATMUL_WEIGHT,
                                               SEAM_PARAM_VECTOR, SEAM_PARAM_VECTOR_3D,
                                               SEAM_PARAM_SCALAR };
  static const char *const inits[] = { "fan-in", "normal", "ones", "zeros", "a number", NULL };
  static const SeamParamInit init_values[] = { SEAM_INIT_FAN_IN, SEAM_INIT_NORMAL, SEAM_INIT_ONES,
                                               SEAM_INIT_ZEROS, SEAM_INIT_NUMBER };
  SeamPipeline *pipeline = reader->pipeline;
  int role, init;

  if (!check_param_name (reader, group, name) || !seam_key_check (reader, group, allowed))
    return FALSE;
  SeamParam *param = &pipeline->params[pipeline->n_params++];
  param->name = seam_keep (pipeline, g_strdup (name));
  param->role = SEAM_PARAM_SHAPED;
  if (g_key_file_has_key (reader->file, group, "shape", NULL)) {
    if (g_key_file_has_key (reader->file, group, "role", NULL))
      return seam_key_fail (reader, group, "shape", "it follows from the role; write one of both.");
    if (!read_shape (reader, group, param->terms, &param->n_terms))
      return FALSE;
  } else {
    role = seam_key_get_word (reader, group, "role", roles);
    if (role < 0)
      return FALSE;
    param->role = role_values[role];
  }
  /* A number stands for all elements. */
  g_autofree char *text = g_key_file_get_string (reader->file, group, "init", NULL);
  if (text != NULL && strchr ("+-.0123456789", *g_strstrip (text)) != NULL && *text != '\0') {
    param->init = SEAM_INIT_NUMBER;
    return seam_key_get_double (reader, group, "init", &param->value);
  }
  init = seam_key_get_word (reader, group, "init", inits);
  if (init < 0)
    return FALSE;
  param->init = init_values[init];
  return param->init != SEAM_INIT_NUMBER
         || seam_key_fail (reader, group, "init", "write the number itself.");
}

/* A further input, or the shape of the chain's own. */
static gboolean
read_input (SeamKeyReader *reader, const char *group, const char *name)
{
  static const char *const allowed[] = { "shape", NULL };
  SeamPipeline *pipeline = reader->pipeline;

  if (!seam_key_check (reader, group, allowed))
    return FALSE;
  if (strcmp (name, "input") == 0)
    return read_shape (reader, group, pipeline->input_terms, &pipeline->n_input_terms);
  if (!check_param_name (reader, group, name))
    return FALSE;
  SeamParam *param = &pipeline->params[pipeline->n_params++];
  param->name = seam_keep (pipeline, g_strdup (name));
  param->role = SEAM_PARAM_INPUT;
  param->init = SEAM_INIT_NORMAL;
  return read_shape (reader, group, param->terms, &param->n_terms);
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

static void
add_name (GPtrArray *fields, const char *key)
{
  if (!g_ptr_array_find_with_equal_func (fields, key, g_str_equal, NULL))
    g_ptr_array_add (fields, (gpointer)key);
}

static void
add_field (GPtrArray *fields, const SeamPipeline *pipeline, gint64 number)
{
  if (number < 0)
    add_name (fields, pipeline->fields[-1 - number].key);
}

static void
add_terms (GPtrArray *fields, const SeamPipeline *pipeline, const SeamShapeTerm *terms, int n)
{
  for (int i = 0; i < n; i++)
    if (terms[i].field >= 0)
      add_field (fields, pipeline, SEAM_NUMBER_OF_FIELD (terms[i].field));
}

/* Whether the op has a number in the file in the place of the field. */
static gboolean
is_written_out (const SeamOp *op, const char *field)
{
  for (int i = 0; i < SEAM_N_NUMBERS; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (seam_op_number_get_info (0)->fields); j++)
      if (g_strcmp0 (seam_op_number_get_info (i)->fields[j], field) == 0 && op->numbers[i] > 0)
        return TRUE;
  return FALSE;
}

/* Fields of the first matrix op, or of an input without one; those that ops have in place of
 * numbers, and those of shapes. */
const char **
seam_pipeline_list_needed_fields (const SeamPipeline *pipeline)
{
  static const char *const input_fields[] = { "batch", "in_channels", "in_features",
                                              "depth", "height",      "width" };
  const SeamChain *chain = &pipeline->chains[0];
  GPtrArray *fields = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  int first = 0;

  while (first < chain->n_ops && !seam_op_is_matrix (&chain->ops[first]))
    first++;
  if (pipeline->n_input_terms == 0 && first < chain->n_ops)
    for (const char *const *own = seam_op_get_info (&chain->ops[first])->attributes->fields;
         *own != NULL; own++)
      if (!is_written_out (&chain->ops[first], *own))
        g_ptr_array_add (fields, (gpointer)*own);
  for (gsize i = 0;
       pipeline->n_input_terms == 0 && first == chain->n_ops && i < G_N_ELEMENTS (input_fields);
       i++)
    if (i == 0 || seam_pipeline_get_field (pipeline, input_fields[i]) >= 0)
      g_ptr_array_add (fields, (gpointer)input_fields[i]);
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOpAttributes *attributes = seam_op_get_info (&chain->ops[i])->attributes;
    const guint numbers = attributes->numbers;
    for (int j = 0; j < SEAM_N_NUMBERS; j++) {
      const char *const *own = seam_op_number_get_info (j)->fields;
      if ((numbers >> j & 1) && chain->ops[i].numbers[j] == 0 && own[0] != NULL)
        add_name (fields, own[j == SEAM_NUMBER_OUT && attributes->rank == 0]);
      else if (numbers >> j & 1)
        add_field (fields, pipeline, chain->ops[i].numbers[j]);
    }
  }
  add_terms (fields, pipeline, pipeline->input_terms, pipeline->n_input_terms);
  for (int i = 0; i < pipeline->n_params; i++)
    add_terms (fields, pipeline, pipeline->params[i].terms, pipeline->params[i].n_terms);
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
                            pipeline->fields[i].key, *list != '\0' ? list : "none");
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
  static const char *const kinds[] = { "field", "param",  "input",    "op", "chain",
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
      || !read_groups (reader, groups, "input", read_input)
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
