/* SPDX-License-Identifier: MIT
 *
 * What a session kept: see source-kept.h.
 */
#include "ui/source/source-kept.h"

/* Selects the code of the shown plans from all that the file has; FALSE if it lacks one. */
static gboolean
choose_kept (SeamCode *code, const SeamResult *result)
{
  for (int k = 0; k < result->n_plans; k++) {
    int i = k;

    while (i < code->n_plans && g_strcmp0 (code->plans[i].notation, result->plans[k].notation) != 0)
      i++;
    if (i >= code->n_plans)
      return FALSE;
    SeamPlanCode found = code->plans[i];
    code->plans[i] = code->plans[k];
    code->plans[k] = found;
  }
  seam_code_truncate (code, result->n_plans);
  return TRUE;
}

SeamCode *
seam_source_read_kept (const SeamSessionRun *run)
{
  g_autoptr (SeamCode) code = NULL;

  if (run->code == NULL)
    return NULL;
  code = seam_code_from_variant (run->code, NULL);
  if (code == NULL || !choose_kept (code, run->result))
    return NULL;
  return g_steal_pointer (&code);
}
