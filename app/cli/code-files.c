/* SPDX-License-Identifier: MIT
 *
 * Writes the texts of a plan's groups as files, with the files that they include. The names of
 * plans and of included files may come from a session; app/base/file-name.h turns them into file
 * names.
 */
#include "app/cli/code-files.h"

#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/cli/print.h"

#include <string.h>

typedef struct {
  const char *folder;
  GHashTable *texts; /* texts that were written: name, owned -> text, borrowed */
  FILE *log;
} Writer;

/* The file's name, newly allocated; NULL with the error. If another text has the name, a number is
 * put before it. */
static char *
write_text (Writer *writer, const char *wanted, const char *text, GError **error)
{
  g_autofree char *name = g_strdup (wanted), *path = NULL;
  const char *there;

  for (int i = 2;
       (there = g_hash_table_lookup (writer->texts, name)) != NULL && strcmp (there, text) != 0;
       i++) {
    g_free (name);
    name = g_strdup_printf ("%d-%s", i, wanted);
  }
  if (there == NULL) {
    path = seam_file_name_place (writer->folder, name, error);
    if (path == NULL || !seam_file_write (path, text, strlen (text), error))
      return NULL;
    g_hash_table_insert (writer->texts, g_strdup (name), (gpointer)text);
  }
  return seam_file_name_make (name);
}

/* "published-2.cu"; "plan1-2.cu" for a plan without a name; with "-b" if a group consists of
 * several texts. */
static char *
name_file (const SeamPlanCode *plan, int plan_index, int group, guint part)
{
  const SeamGroupCode *code = &plan->groups[group];
  const SeamSource *source = code->sources->pdata[part];
  const char *ending = seam_language_find (source->language)->ending;
  g_autofree char *name =
      plan->name != NULL ? g_strdup (plan->name) : g_strdup_printf ("plan%d", plan_index + 1);

  if (code->sources->len == 1)
    return g_strdup_printf ("%s-%d.%s", name, group + 1, ending);
  return g_strdup_printf ("%s-%d-%u.%s", name, group + 1, part + 1, ending);
}

static gboolean
write_group (Writer *writer, const SeamPlanCode *plan, int plan_index, int index, GError **error)
{
  const SeamGroupCode *group = &plan->groups[index];

  if (group->sources->len == 0)
    seam_cli_print (stderr, "%s, group %d: %s\n", plan->text, index + 1,
                    group->message != NULL ? group->message : "There is no code.");
  for (guint i = 0; i < group->sources->len; i++) {
    const SeamSource *source = group->sources->pdata[i];
    g_autofree char *wanted = name_file (plan, plan_index, index, i);
    g_autofree char *name = write_text (writer, wanted, source->text, error);

    if (name == NULL)
      return FALSE;
    seam_cli_print (writer->log, "%s: %s\n", name, source->title);
    for (guint f = 0; f < source->includes->len; f++) {
      const SeamSourceFile *file = source->includes->pdata[f];
      g_autofree char *included = write_text (writer, file->name, file->text, error);
      if (included == NULL)
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
seam_code_write (const SeamCode *code, int group, const char *folder, FILE *log, GError **error)
{
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Writer writer = { folder, texts, log };

  for (int i = 0; i < code->n_plans; i++)
    for (int g = 0; g < code->plans[i].n_groups; g++)
      if ((group < 0 || g == group) && !write_group (&writer, &code->plans[i], i, g, error))
        return FALSE;
  return TRUE;
}
