/* SPDX-License-Identifier: MIT
 *
 * The texts of a plan's groups as files, with those that they include.
 */
#include "app/cli/code-files.h"

#include "app/base/error.h"
#include "app/base/npy.h"

#include <errno.h>
#include <string.h>

static gboolean
write_text (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  if (g_mkdir_with_parents (parent, 0777) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "The folder %s could not be made: %s. Choose another with --out.", parent,
                 g_strerror (errno));
    return FALSE;
  }
  return seam_file_write (path, text, strlen (text), error);
}

/* "published-2.cu"; "plan1-2.cu" for a plan without a name; "-b" where a group is several texts. */
static char *
name_file (const SeamPlanCode *plan, int plan_index, int group, guint part)
{
  const SeamGroupCode *code = &plan->groups[group];
  const SeamSource *source = code->sources->pdata[part];
  const char *ending = strcmp (source->language, "cuda") == 0 ? "cu"
                       : strcmp (source->language, "c") == 0  ? "c"
                                                              : "txt";
  g_autofree char *name =
      plan->name != NULL ? g_strdup (plan->name) : g_strdup_printf ("plan%d", plan_index + 1);

  if (code->sources->len == 1)
    return g_strdup_printf ("%s-%d.%s", name, group + 1, ending);
  return g_strdup_printf ("%s-%d-%u.%s", name, group + 1, part + 1, ending);
}

gboolean
seam_code_write_group (const SeamPlanCode *plan, int plan_index, int index, const char *folder,
                       FILE *log, GError **error)
{
  const SeamGroupCode *group = &plan->groups[index];

  if (group->sources->len == 0)
    fprintf (stderr, "%s, group %d: %s\n", plan->text, index + 1,
             group->message != NULL ? group->message : "There is no code.");
  for (guint i = 0; i < group->sources->len; i++) {
    const SeamSource *source = group->sources->pdata[i];
    g_autofree char *name = name_file (plan, plan_index, index, i);

    if (!write_text (folder, name, source->text, error))
      return FALSE;
    fprintf (log, "%s: %s\n", name, source->title);
    for (guint f = 0; f < source->includes->len; f++) {
      const SeamSourceFile *file = source->includes->pdata[f];
      if (!write_text (folder, file->name, file->text, error))
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
seam_code_write (const SeamCode *code, const char *folder, FILE *log, GError **error)
{
  for (int i = 0; i < code->n_plans; i++)
    for (int g = 0; g < code->plans[i].n_groups; g++)
      if (!seam_code_write_group (&code->plans[i], i, g, folder, log, error))
        return FALSE;
  return TRUE;
}
