/* SPDX-License-Identifier: MIT
 *
 * Creates, frees and finds pipelines: in the program's data folder, or in a person's own file.
 * pipeline-file.c reads the text.
 */
#include "app/pipeline/pipeline.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/owner.h"
#include "app/base/read-file.h"
#include "app/base/text.h"
#include "app/pipeline/pipeline-file.h"
#include "app/pipeline/problem.h"
#include "seam-config.h"

#include <string.h>

SeamPipeline *
seam_pipeline_ref (SeamPipeline *pipeline)
{
  g_atomic_ref_count_inc (&pipeline->ref_count);
  return pipeline;
}

void
seam_pipeline_unref (SeamPipeline *pipeline)
{
  if (pipeline != NULL && g_atomic_ref_count_dec (&pipeline->ref_count))
    seam_owner_free (pipeline);
}

/* Takes `text`. `path` may be NULL. */
static SeamPipeline *
new_from_text (char *text, const char *id, const char *path, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_owner_new (SeamPipeline);
  g_autofree char *where = path != NULL ? g_filename_display_name (path) : g_strdup (id);

  g_atomic_ref_count_init (&pipeline->ref_count);
  pipeline->number = -1;
  pipeline->id = seam_keep (pipeline, g_strdup (id));
  pipeline->path = seam_keep (pipeline, g_strdup (path));
  pipeline->text = text;
  if (!seam_pipeline_read (pipeline, where, error))
    return NULL;
  /* A person's copy of a built-in one also has its number, which still means the built-in one. */
  if (seam_pipeline_is_own (pipeline))
    pipeline->number = -1;
  return g_steal_pointer (&pipeline);
}

SeamPipeline *
seam_pipeline_parse (const char *text, const char *id, GError **error)
{
  return new_from_text (g_strdup (text), id, NULL, error);
}

SeamPipeline *
seam_pipeline_load (const char *path, GError **error)
{
  char *text = seam_file_read_text (path, SEAM_PIPELINE_MAX_BYTES, error);
  g_autofree char *base = g_filename_display_basename (path);

  if (g_str_has_suffix (base, ".ini"))
    base[strlen (base) - 4] = '\0';
  return text != NULL ? new_from_text (text, base, path, error) : NULL;
}

static gboolean
has_pipelines (const char *folder)
{
  g_autofree char *pipelines = g_build_filename (folder, "pipelines", NULL);

  return g_file_test (pipelines, G_FILE_TEST_IS_DIR);
}

static char *
find_data_dir (void)
{
  const char *from_environment = g_getenv ("SEAMSCOPE_DATADIR");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  if (from_environment && *from_environment)
    return g_strdup (from_environment);
  if (program) {
    g_autofree char *bin = g_path_get_dirname (program);
    g_autofree char *prefix = g_path_get_dirname (bin);
    g_autofree char *beside = g_build_filename (prefix, "share", "seamscope", NULL);
    /* An installed program finds its own data even if its prefix was moved. */
    if (g_str_has_suffix (bin, "/bin") && has_pipelines (beside))
      return g_steal_pointer (&beside);
    if (strcmp (bin, SEAM_BINDIR) == 0 && has_pipelines (SEAM_DATADIR))
      return g_strdup (SEAM_DATADIR);
  }
  return g_strdup (has_pipelines (SEAM_SOURCE_DATADIR) ? SEAM_SOURCE_DATADIR : SEAM_DATADIR);
}

const char *
seam_data_dir (void)
{
  static gsize once = 0;
  static char *folder;

  if (g_once_init_enter (&once)) {
    folder = find_data_dir ();
    g_once_init_leave (&once, 1);
  }
  return folder;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const SeamPipeline *first = *(SeamPipeline *const *)a;
  const SeamPipeline *second = *(SeamPipeline *const *)b;

  if (first->number != second->number)
    return first->number < second->number ? -1 : 1;
  return strcmp (first->id, second->id);
}

/* Adds the pipelines of a folder by number; FALSE with an error if one is damaged, unless
 * `problems` receives a sentence for each of those. */
static gboolean
list_folder (GPtrArray *all, const char *folder, GPtrArray *problems, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_pipeline_unref);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *name;

  if (dir == NULL)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "The program's pipelines cannot be found: %s; install it again, or set "
                      "SEAMSCOPE_DATADIR to its data folder.",
                      local->message);
  while ((name = g_dir_read_name (dir))) {
    if (!g_str_has_suffix (name, ".ini"))
      continue;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    SeamPipeline *pipeline = seam_pipeline_load (path, &local);
    if (pipeline == NULL && problems == NULL) {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
    if (pipeline != NULL)
      g_ptr_array_add (list, pipeline);
    else
      g_ptr_array_add (problems, g_strdup (local->message));
    g_clear_error (&local);
  }
  g_ptr_array_sort (list, compare_numbers);
  g_ptr_array_extend_and_steal (all, g_steal_pointer (&list));
  return TRUE;
}

static GPtrArray *
list_folders (const char *const *names, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_pipeline_unref);

  for (; *names != NULL; names++) {
    g_autofree char *folder = g_build_filename (seam_data_dir (), *names, NULL);
    if (!list_folder (list, folder, NULL, error))
      return NULL;
  }
  return g_steal_pointer (&list);
}

char *
seam_pipeline_get_own_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "seamscope", "pipelines", NULL);
}

GPtrArray *
seam_pipeline_list_own (GPtrArray *problems)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_pipeline_unref);
  g_autofree char *folder = seam_pipeline_get_own_folder ();
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func (g_free);

  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    list_folder (list, folder, problems != NULL ? problems : ignored, NULL);
  return list;
}

GPtrArray *
seam_pipeline_list (GError **error)
{
  return list_folders ((const char *const[]){ "pipelines", NULL }, error);
}

GPtrArray *
seam_pipeline_list_level (GError **error)
{
  return list_folders ((const char *const[]){ "pipelines", "level2", NULL }, error);
}

#define N_BUILT_IN_PLACES 2

/* All folders with pipelines, those of the program first: its names go before a person's. */
static GStrv
list_places (void)
{
  g_auto (GStrv) places = g_new0 (char *, 4);

  places[0] = g_build_filename (seam_data_dir (), "pipelines", NULL);
  places[1] = g_build_filename (seam_data_dir (), "level2", NULL);
  places[2] = seam_pipeline_get_own_folder ();
  return g_steal_pointer (&places);
}

guint
seam_pipeline_count (void)
{
  g_auto (GStrv) places = list_places ();
  g_autoptr (GPtrArray) own = seam_pipeline_list_own (NULL);
  guint n = own->len;

  for (int i = 0; i < N_BUILT_IN_PLACES; i++) {
    g_autoptr (GPtrArray) names = seam_file_name_list (places[i], ".ini");
    n += names->len;
  }
  return n;
}

gboolean
seam_pipeline_is_own (const SeamPipeline *pipeline)
{
  return pipeline->path != NULL && !g_str_has_prefix (pipeline->path, seam_data_dir ());
}

char *
seam_pipeline_make_name (const SeamPipeline *pipeline)
{
  return seam_pipeline_is_own (pipeline) ? g_canonicalize_filename (pipeline->path, NULL)
                                         : g_strdup (pipeline->id);
}

/* The path of the file that is named after a pipeline; NULL: there is none. */
static char *
find_file (const char *name)
{
  g_auto (GStrv) places = list_places ();
  g_autofree char *file = g_strconcat (name, ".ini", NULL);

  for (int i = 0; places[i] != NULL; i++) {
    char *path = g_build_filename (places[i], file, NULL);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return path;
    g_free (path);
  }
  return NULL;
}

/* The path of the built-in pipeline with this id; NULL: there is none. */
static char *
find_builtin (const char *id)
{
  char *path = find_file (id);

  if (path != NULL && !g_str_has_prefix (path, seam_data_dir ()))
    g_clear_pointer (&path, g_free);
  return path;
}

const char *
seam_pipeline_get_name_note (const SeamPipeline *pipeline)
{
  if (!seam_pipeline_is_own (pipeline))
    return NULL;
  g_autofree char *path = find_builtin (pipeline->id);
  return path != NULL
             ? "This file has the same name as a built-in pipeline; open it by its file, since the "
               "name finds the built-in one."
             : NULL;
}

char *
seam_pipeline_make_heading (const SeamPipeline *pipeline)
{
  const gboolean is_builtin = pipeline->path != NULL && !seam_pipeline_is_own (pipeline);
  g_autofree char *path = is_builtin ? NULL : find_builtin (pipeline->id), *text = NULL;
  const gboolean is_other = path != NULL && g_file_get_contents (path, &text, NULL, NULL)
                            && strcmp (text, pipeline->text) != 0;

  return g_strconcat (pipeline->id, is_other ? " (own)" : "", NULL);
}

SeamPipeline *
seam_pipeline_find (const char *name, GError **error)
{
  const char *digits = *name == '#' ? name + 1 : name;
  gboolean is_number = *digits && strspn (digits, "0123456789") == strlen (digits);
  gint64 number = is_number ? g_ascii_strtoll (digits, NULL, 10) : -1;

  if (strchr (name, '/') || g_str_has_suffix (name, ".ini"))
    return seam_pipeline_load (name, error);
  /* A look at one file instead of all of them; a number may also be a person's file. */
  g_autofree char *path = is_number ? NULL : find_file (name);
  g_autoptr (SeamPipeline) named = path != NULL ? seam_pipeline_load (path, error) : NULL;
  if (path != NULL && named == NULL)
    return NULL;
  if (named != NULL && strcmp (named->id, name) == 0)
    return g_steal_pointer (&named);
  g_autoptr (GPtrArray) list = seam_pipeline_list_level (error);
  if (list == NULL)
    return NULL;
  g_ptr_array_extend_and_steal (list, seam_pipeline_list_own (NULL));
  g_autofree const char **ids = g_new0 (const char *, list->len + 1);
  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    if (strcmp (pipeline->id, name) == 0 || (number > 0 && pipeline->number == number))
      return seam_pipeline_ref (pipeline);
    ids[i] = pipeline->id;
  }
  g_autofree char *end = seam_text_suggest (name, ids);
  g_autoptr (GPtrArray) own = seam_pipeline_list (NULL);
  if (own != NULL && own->len < list->len)
    ids[own->len] = NULL;
  g_autofree char *all = seam_text_list (ids);
  return seam_fail_null (
      error, SEAM_ERROR_INPUT,
      "There is no pipeline “%s”%s There are %s, and what “list --level 2” adds; "
      "a file of your own is given by its path.",
      name, end, all);
}

static gboolean
is_same_op (const SeamOp *a, const SeamOp *b)
{
  return strcmp (a->name, b->name) == 0 && a->type == b->type
         && memcmp (a->scalars, b->scalars, sizeof a->scalars) == 0
         && memcmp (a->numbers, b->numbers, sizeof a->numbers) == 0
         && memcmp (a->params, b->params, sizeof a->params) == 0
         && memcmp (a->inputs, b->inputs, sizeof a->inputs) == 0 && a->defect == b->defect
         && a->defect_parameter == b->defect_parameter;
}

static gboolean
has_chain (const SeamPipeline *pipeline, const SeamChain *wanted)
{
  for (int i = 0; i < pipeline->n_chains; i++) {
    const SeamChain *chain = &pipeline->chains[i];
    int n = 0;

    if (strcmp (chain->name, wanted->name) != 0 || chain->n_ops != wanted->n_ops)
      continue;
    while (n < chain->n_ops && is_same_op (&chain->ops[n], &wanted->ops[n]))
      n++;
    return n == chain->n_ops;
  }
  return FALSE;
}

gboolean
seam_pipeline_covers (const SeamPipeline *pipeline, const SeamPipeline *older)
{
  if (strcmp (pipeline->id, older->id) != 0 || pipeline->n_fields != older->n_fields
      || pipeline->n_params != older->n_params)
    return FALSE;
  for (int i = 0; i < older->n_fields; i++)
    if (strcmp (pipeline->fields[i].key, older->fields[i].key) != 0)
      return FALSE;
  for (int i = 0; i < older->n_params; i++)
    if (strcmp (pipeline->params[i].name, older->params[i].name) != 0
        || pipeline->params[i].role != older->params[i].role)
      return FALSE;
  for (int i = 0; i < older->n_chains; i++)
    if (!has_chain (pipeline, &older->chains[i]))
      return FALSE;
  return TRUE;
}

const SeamPreset *
seam_pipeline_get_preset (const SeamPipeline *pipeline, const char *name, GError **error)
{
  const char *names[32] = { NULL };

  for (int i = 0; i < pipeline->n_presets; i++) {
    if (strcmp (pipeline->presets[i].name, name) == 0)
      return &pipeline->presets[i];
    names[i] = pipeline->presets[i].name;
  }
  g_autofree char *list = seam_text_list (names);
  return seam_fail_null (error, SEAM_ERROR_INPUT, "%s has no preset “%s”; it has %s.", pipeline->id,
                         name, list);
}

const SeamPreset *
seam_pipeline_get_default_preset (const SeamPipeline *pipeline)
{
  for (int i = 0; i < pipeline->n_presets; i++)
    if (strcmp (pipeline->presets[i].name, "laptop") == 0)
      return &pipeline->presets[i];
  return &pipeline->presets[0];
}

int
seam_pipeline_get_field (const SeamPipeline *pipeline, const char *key)
{
  for (int i = 0; i < pipeline->n_fields; i++)
    if (strcmp (pipeline->fields[i].key, key) == 0)
      return i;
  return -1;
}

gboolean
seam_chain_reads (const SeamChain *chain, int first, int last, int tensor)
{
  for (int i = first; i <= last; i++)
    if (seam_op_reads (&chain->ops[i], tensor))
      return TRUE;
  return FALSE;
}

gboolean
seam_chain_reads_earlier (const SeamChain *chain, int op, int which)
{
  const int tensor = chain->ops[op].inputs[which];

  return tensor >= SEAM_TENSOR_INPUT && op > 0 && tensor < SEAM_TENSOR_OUTPUT (op - 1);
}

const char *
seam_chain_name_value (const SeamPipeline *pipeline, const SeamChain *chain, int tensor)
{
  if (tensor <= 0)
    return tensor < 0 ? "?" : "input";
  return tensor <= chain->n_ops ? chain->ops[tensor - 1].label
                                : pipeline->params[tensor - 1 - chain->n_ops].name;
}

char *
seam_chain_name_ops (const SeamChain *chain, int first, int last)
{
  const SeamOp *ops = chain->ops;

  if (first == last)
    return g_strdup (ops[first].label);
  return g_strdup_printf (last - first > 1 ? "%s … %s" : "%s + %s", ops[first].label,
                          ops[last].label);
}
