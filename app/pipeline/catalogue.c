/* SPDX-License-Identifier: MIT
 *
 * Tags follow from the ops at the last preset, which is the shape of the problem in the hundred.
 */
#include "app/pipeline/catalogue.h"

#include "app/base/file-name.h"
#include "app/base/owner.h"
#include "app/base/text.h"
#include "app/pipeline/hint.h"

#include <string.h>

/* --- tags --- */

static gboolean
has_kind (const SeamProblem *problem, const SeamChain *chain, int op, int kind)
{
  return seam_op_get_kind (&chain->ops[op]) == (SeamOpKind)kind
         && seam_op_get_info (&chain->ops[op])->reduction != SEAM_REDUCTION_SOFTMAX;
}

static gboolean
has_reduction (const SeamProblem *problem, const SeamChain *chain, int op, int reduction)
{
  return seam_op_get_info (&chain->ops[op])->reduction == (SeamReduction)reduction;
}

static gboolean
has_rank (const SeamProblem *problem, const SeamChain *chain, int op, int rank)
{
  return op == 0 && seam_problem_get_shape (problem, SEAM_TENSOR_INPUT)->n_dims == rank;
}

static gboolean
has_earlier_value (const SeamProblem *problem, const SeamChain *chain, int op, int value)
{
  return seam_chain_reads_earlier (chain, op, 0) || seam_chain_reads_earlier (chain, op, 1);
}

/* Whether the op reads a parameter as a value, and what it is for. */
static gboolean
has_param (const SeamProblem *problem, const SeamChain *chain, int op, int role)
{
  int param = chain->ops[op].inputs[1] - SEAM_TENSOR_PARAM (chain->n_ops, 0);

  return param >= 0 && problem->pipeline->params[param].role == (SeamParamRole)role;
}

static gboolean
has_statistics (const SeamProblem *problem, const SeamChain *chain, int op, int value)
{
  return seam_op_get_info (&chain->ops[op])->params[2] != NULL;
}

static gboolean
has_second_matrix (const SeamProblem *problem, const SeamChain *chain, int op, int value)
{
  int n = 0;

  for (int i = 0; i <= op; i++)
    n += seam_op_is_matrix (&chain->ops[i]);
  return n > 1;
}

static gboolean
is_void (const SeamProblem *problem, const SeamChain *chain, int op, int value)
{
  return seam_op_is_void (problem, chain, op);
}

static const SeamTag tags[] = {
  { "normalisation", SEAM_TAG_KIND, "It has a BatchNorm, GroupNorm or the like", has_kind,
    SEAM_KIND_NORMALISATION },
  { "softmax", SEAM_TAG_KIND, "It has a softmax", has_reduction, SEAM_REDUCTION_SOFTMAX },
  { "reduction", SEAM_TAG_KIND, "It has a sum, a mean or the like along whole axes", has_kind,
    SEAM_KIND_REDUCTION },
  { "window", SEAM_TAG_KIND, "It has a pool over neighbouring elements", has_kind,
    SEAM_KIND_WINDOW },
  { "2-D", SEAM_TAG_INPUT, "Its input has two axes: rows and features", has_rank, 2 },
  { "4-D", SEAM_TAG_INPUT, "Its input is images: samples, channels, height and width", has_rank,
    4 },
  { "5-D", SEAM_TAG_INPUT, "Its input is volumes: samples, channels, depth, height and width",
    has_rank, 5 },
  { "earlier value", SEAM_TAG_SPECIAL, "An op reads a value from before its neighbour",
    has_earlier_value, 0 },
  { "further input", SEAM_TAG_SPECIAL, "An op reads a further input", has_param, SEAM_PARAM_INPUT },
  { "random", SEAM_TAG_SPECIAL, "A dropout sets elements at random", has_param, SEAM_PARAM_MASK },
  { "two matrix ops", SEAM_TAG_SPECIAL, "It has two convolutions or matrix products",
    has_second_matrix, 0 },
  { "batch statistics", SEAM_TAG_SPECIAL, "A BatchNorm takes means over the whole batch",
    has_statistics, 0 },
  { "void op", SEAM_TAG_SPECIAL, "By mathematics an op has no effect", is_void, 0 },
};

const SeamTag *
seam_tags_list (int *n_tags)
{
  *n_tags = G_N_ELEMENTS (tags);
  return tags;
}

/* --- entries --- */

static void
append_op_words (GString *words, const SeamOp *op)
{
  const SeamOpInfo *info = seam_op_get_info (op);

  g_string_append_printf (words, " %s %s %s %s", op->name, op->label, info->name,
                          info->attributes->alias != NULL ? info->attributes->alias : "");
}

/* Takes the text. */
static char *
fold (GString *text)
{
  g_autofree char *plain = g_string_free (text, FALSE);

  return g_utf8_casefold (plain, -1);
}

static void
describe (SeamCatalogueEntry *entry)
{
  SeamPipeline *pipeline = entry->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  g_autoptr (SeamProblem) problem =
      seam_problem_new (pipeline, pipeline->presets[pipeline->n_presets - 1].values, NULL);
  g_autofree char *file = g_path_get_basename (pipeline->path != NULL ? pipeline->path : "");
  GString *words = g_string_new (pipeline->id);

  g_string_append_printf (words, " #%d %s %s", pipeline->number, pipeline->title, file);
  for (int op = 0; op < chain->n_ops; op++) {
    append_op_words (words, &chain->ops[op]);
    for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
      if (problem != NULL && (entry->tags & 1u << i) == 0
          && tags[i].has (problem, chain, op, tags[i].value)) {
        entry->tags |= 1u << i;
        g_string_append_printf (words, " %s", tags[i].title);
      }
  }
  entry->words = seam_keep (entry, fold (words));
  entry->output = seam_keep (entry, problem != NULL ? seam_shape_format (seam_problem_get_shape (
                                        problem, SEAM_TENSOR_OUTPUT (chain->n_ops - 1)))
                                                    : g_strdup (""));
}

static void
add (GPtrArray *entries, SeamPipeline *pipeline)
{
  SeamCatalogueEntry *entry = seam_owner_new (SeamCatalogueEntry);

  entry->pipeline =
      seam_keep_full (entry, seam_pipeline_ref (pipeline), (GDestroyNotify)seam_pipeline_unref);
  describe (entry);
  g_ptr_array_add (entries, entry);
}

static gboolean
has_path (gconstpointer pipeline, gconstpointer other)
{
  return g_strcmp0 (((const SeamPipeline *)pipeline)->path, ((const SeamPipeline *)other)->path)
         == 0;
}

GPtrArray *
seam_catalogue_new (const GPtrArray *opened, GError **error)
{
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) list = seam_pipeline_list_level (error);
  GPtrArray *entries;

  if (list == NULL)
    return NULL;
  g_ptr_array_extend_and_steal (list, seam_pipeline_list_own (reasons));
  for (guint i = 0; i < opened->len; i++)
    if (!g_ptr_array_find_with_equal_func (list, opened->pdata[i], has_path, NULL))
      g_ptr_array_add (list, seam_pipeline_ref (opened->pdata[i]));
  entries = g_ptr_array_new_with_free_func (seam_owner_free);
  for (guint i = 0; i < list->len; i++)
    add (entries, list->pdata[i]);
  g_ptr_array_sort (reasons, seam_file_name_compare);
  for (guint i = 0; i < reasons->len; i++) {
    SeamCatalogueEntry *entry = seam_owner_new (SeamCatalogueEntry);

    entry->reason = seam_keep (entry, g_strdup (reasons->pdata[i]));
    entry->words = seam_keep (entry, g_utf8_casefold (entry->reason, -1));
    entry->output = "";
    g_ptr_array_add (entries, entry);
  }
  return entries;
}

/* --- searching --- */

/* Whether the case-folded `words` contain every word of `text`, or any. */
static gboolean
contain (const char *words, const char *text, gboolean every)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_auto (GStrv) sought = g_strsplit (folded, " ", -1);

  for (int i = 0; sought[i] != NULL; i++)
    if (sought[i][0] != '\0' && (strstr (words, sought[i]) != NULL) != every)
      return !every;
  return every;
}

gboolean
seam_catalogue_entry_matches (const SeamCatalogueEntry *entry, const char *text)
{
  return contain (entry->words, text, TRUE);
}

gboolean
seam_catalogue_entry_has_number (const SeamCatalogueEntry *entry, const char *text)
{
  g_autofree char *number = g_strdup_printf (
      "#%d", entry->pipeline != NULL && entry->pipeline->number > 0 ? entry->pipeline->number : 0);

  return entry->pipeline != NULL && strcmp (text, number + (text[0] != '#')) == 0;
}

guint32
seam_chain_find_ops (const SeamChain *chain, const char *text)
{
  guint32 found = 0;

  for (int i = 0; i < chain->n_ops; i++) {
    GString *words = g_string_new (NULL);

    append_op_words (words, &chain->ops[i]);
    g_autofree char *folded = fold (words);
    found |= contain (folded, text, FALSE) ? 1u << i : 0;
  }
  return found;
}

static gboolean
finds_nothing (const GPtrArray *entries, const char *word)
{
  for (guint i = 0; i < entries->len; i++)
    if (seam_catalogue_entry_matches (entries->pdata[i], word))
      return FALSE;
  return TRUE;
}

char *
seam_catalogue_suggest (const GPtrArray *entries, const char *text)
{
  g_auto (GStrv) sought = g_strsplit (text, " ", -1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *nearest;

  /* Ids and titles are made of words that name ops. */
  for (guint i = 0; i < entries->len; i++) {
    const SeamCatalogueEntry *entry = entries->pdata[i];
    g_auto (GStrv) words = g_strsplit_set (entry->words, " -,.", -1);

    for (int k = 0; entry->pipeline != NULL && words[k] != NULL; k++)
      if (strlen (words[k]) > 2)
        g_hash_table_add (known, g_strdup (words[k]));
  }
  g_autofree const char **candidates = (const char **)g_hash_table_get_keys_as_array (known, NULL);
  for (int i = 0; sought[i] != NULL; i++) {
    if (!finds_nothing (entries, sought[i]))
      continue;
    g_autofree char *word = g_utf8_casefold (sought[i], -1);
    if ((nearest = seam_text_nearest (word, candidates)) == NULL)
      return NULL;
    g_free (sought[i]);
    sought[i] = g_strdup (nearest);
    return g_strjoinv (" ", sought);
  }
  return NULL;
}
