/* SPDX-License-Identifier: MIT
 *
 * Texts of code, and the ops that their lines are about.
 */
#include "app/backend/source.h"

#include "app/settings/settings.h"

#include <string.h>

const SeamLanguage *
seam_language_find (const char *name)
{
  static const SeamLanguage languages[] = {
    /* GtkSourceView highlights CUDA from 5.0 on; before that, C++ is close enough. */
    { .name = "cuda",
      .ending = "cu",
      .highlights = { "cuda", "cpp" },
      .listings = { SEAM_LISTING_PTX, SEAM_LISTING_SASS },
      .n_listings = 2 },
    { .name = "c",
      .ending = "c",
      .highlights = { "c" },
      .listings = { SEAM_LISTING_NATIVE },
      .n_listings = 1 },
    { .name = "text", .ending = "txt", .is_words = TRUE },
  };
  static const SeamLanguage unknown = { .name = "", .ending = "txt" };

  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++)
    if (strcmp (languages[i].name, name) == 0)
      return &languages[i];
  return &unknown;
}

static void
file_free (gpointer data)
{
  SeamSourceFile *file = data;

  g_ref_string_release (file->name);
  g_ref_string_release (file->text);
  g_free (file);
}

SeamSource *
seam_source_new (const char *title, const char *language, int first_op, int last_op)
{
  SeamSource *source = g_new0 (SeamSource, 1);

  source->title = g_strdup (title);
  source->language = g_strdup (language);
  source->first_op = first_op;
  source->last_op = last_op;
  source->includes = g_ptr_array_new_with_free_func (file_free);
  return source;
}

void
seam_source_free (SeamSource *source)
{
  if (source == NULL)
    return;
  g_free (source->title);
  g_free (source->language);
  g_free (source->text);
  g_ptr_array_unref (source->includes);
  g_free (source);
}

GPtrArray *
seam_source_list_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)seam_source_free);
}

/* Whether a source is a hand-written kernel that NVRTC compiles; those that nvcc compiled ahead
 * cannot be edited. */
static gboolean
is_hand_written (const SeamSource *source)
{
  return strstr (source->title, "hand-written kernel (") != NULL
         && strstr (source->title, "(compiled ahead)") == NULL;
}

gboolean
seam_source_is_editable (const SeamSource *source)
{
  return g_str_has_prefix (source->title, "generated ")
         || g_str_has_prefix (source->title, "edited ") || is_hand_written (source);
}

gboolean
seam_source_takes_edit (const SeamSource *source, const char *edit)
{
  return seam_source_is_editable (source)
         && is_hand_written (source) == (strstr (edit, SEAM_SOURCE_HAND_HEAD) != NULL);
}

/* The 16-bit type in which generated code reads and writes tensors, found by the functions that it
 * calls; FP32 if it has no such tensor. */
static SeamOperandType
find_stored_type (const char *text)
{
  static const struct {
    const char *words;
    SeamOperandType type;
  } marks[] = {
    /* Marks in code for a CPU. */
    { "seam_operand_pack_fp16 (", SEAM_OPERAND_FP16 },
    { "seam_operand_unpack_fp16 (", SEAM_OPERAND_FP16 },
    { "seam_operand_pack_bf16 (", SEAM_OPERAND_BF16 },
    { "seam_operand_unpack_bf16 (", SEAM_OPERAND_BF16 },
    /* Marks in code for a GPU. */
    { "SeamOperandType stored = SEAM_OPERAND_FP16", SEAM_OPERAND_FP16 },
    { "SeamOperandType stored = SEAM_OPERAND_BF16", SEAM_OPERAND_BF16 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (strstr (text, marks[i].words) != NULL)
      return marks[i].type;
  return SEAM_OPERAND_FP32;
}

/* The type of the tensors that are not FP32; FP32 if all are. */
static SeamOperandType
get_stored_type (const SeamProblem *problem)
{
  for (int i = 0; i < problem->n_tensors; i++)
    if (problem->tensors[i].type != SEAM_OPERAND_FP32)
      return problem->tensors[i].type;
  return SEAM_OPERAND_FP32;
}

char *
seam_source_describe_other_storage (const char *edit, const char *generated,
                                    const SeamProblem *problem)
{
  SeamOperandType own = find_stored_type (edit), now = get_stored_type (problem);

  if (strstr (edit, SEAM_SOURCE_HAND_HEAD) != NULL)
    return NULL;
  if (own != SEAM_OPERAND_FP32 && own != now)
    return g_strdup_printf ("This text is for tensors that are stored in %s, and here they are "
                            "stored in %s: it would read other numbers. Choose the math mode and "
                            "storage that it was made with, or start again from the generated "
                            "text.",
                            seam_storage_get_type_title (own), seam_storage_get_type_title (now));
  if (own == SEAM_OPERAND_FP32 && generated != NULL
      && find_stored_type (generated) != SEAM_OPERAND_FP32)
    return g_strdup_printf ("This text is for tensors that are stored in FP32, and here some that "
                            "it reads or writes are stored in %s: it would read other numbers. "
                            "Choose FP32 storage, or start again from the generated text.",
                            seam_storage_get_type_title (now));
  return NULL;
}

void
seam_source_add_include (SeamSource *source, const char *name, const char *text)
{
  for (guint i = 0; i < source->includes->len; i++)
    if (strcmp (((SeamSourceFile *)source->includes->pdata[i])->name, name) == 0)
      return;
  SeamSourceFile *file = g_new0 (SeamSourceFile, 1);
  file->name = g_ref_string_new_intern (name);
  file->text = g_ref_string_new_intern (text);
  g_ptr_array_add (source->includes, file);
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Whether the word of `length` at `word` is the op's name as a C identifier, with or without the
 * op's number, which distinguishes ops of the same name. */
static gboolean
is_op_word (const SeamChain *chain, int op, const char *word, gsize length)
{
  const char *name = chain->ops[op].name;
  gsize n = strlen (name);
  g_autofree char *number = g_strdup_printf ("_%d", op);

  if (length < n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (word[i] != (g_ascii_isalnum (name[i]) ? name[i] : '_'))
      return FALSE;
  return length == n
         || (length == n + strlen (number) && strncmp (word + n, number, length - n) == 0);
}

static int
find_op (const SeamChain *chain, const char *word, gsize length)
{
  for (int op = 0; op < chain->n_ops; op++)
    if (is_op_word (chain, op, word, length))
      return op;
  return -1;
}

static int
find_groupnorm (const SeamSource *source, const SeamChain *chain)
{
  for (int op = MAX (source->first_op, 0); op <= source->last_op && op < chain->n_ops; op++)
    if (seam_op_is_normalisation (&chain->ops[op]))
      return op;
  return -1;
}

static int
mark_words (const SeamChain *chain, const char *line, gsize length)
{
  while (length > 0 && *line == ' ') {
    line++;
    length--;
  }
  for (int op = 0; op < chain->n_ops; op++) {
    gsize n = strlen (chain->ops[op].name);
    if (length > n && strncmp (line, chain->ops[op].name, n) == 0 && line[n] == ':')
      return op;
  }
  return -1;
}

#define VALUE_PREFIX "after_"

static int
mark_code (const SeamSource *source, const SeamChain *chain, const char *line, gsize length)
{
  const char *end = line + length;

  if (g_str_has_prefix (line, "//"))
    return mark_words (chain, line + 2, length - 2);
  if (g_str_has_prefix (line, "#"))
    return -1;
  for (const char *c = line; c < end;) {
    const char *word = c;

    if (!is_word (*c)) {
      c++;
      continue;
    }
    while (c < end && is_word (*c))
      c++;
    if (strncmp (word, VALUE_PREFIX, strlen (VALUE_PREFIX)) == 0) {
      const char *name = word + strlen (VALUE_PREFIX);
      int op = find_op (chain, name, (gsize)(c - name));
      if (op >= 0)
        return op;
    }
    if (strncmp (word, "seam_groupnorm_", strlen ("seam_groupnorm_")) == 0)
      return find_groupnorm (source, chain);
    /* The line launches a kernel that has a single op. */
    if (source->first_op == source->last_op
        && (strncmp (word, "seam_cuda_elementwise", strlen ("seam_cuda_elementwise")) == 0
            || strncmp (word, "seam_cuda_groupnorm", strlen ("seam_cuda_groupnorm")) == 0))
      return source->first_op;
  }
  return -1;
}

int *
seam_source_mark_lines (const SeamSource *source, const SeamChain *chain, int *n_lines)
{
  gboolean words = seam_language_find (source->language)->is_words;
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (int));
  const char *line = source->text;

  while (*line != '\0') {
    const char *end = strchr (line, '\n');
    gsize length = end != NULL ? (gsize)(end - line) : strlen (line);
    int op = words ? mark_words (chain, line, length) : mark_code (source, chain, line, length);

    g_array_append_val (marks, op);
    line += length + (end != NULL ? 1 : 0);
  }
  *n_lines = (int)marks->len;
  return (int *)(void *)g_array_free (g_steal_pointer (&marks), FALSE);
}
