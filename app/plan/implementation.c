/* SPDX-License-Identifier: MIT
 *
 * The record of an implementation, and the sentence about one that a target does not have.
 */
#include "app/plan/implementation.h"

#include "app/base/text.h"

#include <string.h>

static const SeamField fields[] = {
  { SEAM_FIELD (SeamImplementation, name, TEXT), .flags = SEAM_REQUIRED },
  { SEAM_FIELD (SeamImplementation, title, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamImplementation, groupnorm, BOOLEAN) },
  { NULL },
};

const SeamRecordType seam_implementation_type = {
  .name = "implementation",
  .size = sizeof (SeamImplementation),
  .fields = fields,
  .max = 64,
};

SeamMaker
seam_implementation_get_maker (const char *executed)
{
  static const char hand[] = "hand";

  if (executed == NULL || !g_str_has_prefix (executed, hand))
    return SEAM_MAKER_OTHER;
  return executed[strlen (hand)] == '-' ? SEAM_MAKER_VERSION : SEAM_MAKER_HAND;
}

gboolean
seam_implementations_check (const SeamImplementation *list, int n, const char *target,
                            const char *name, char **reason)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (int i = 0; i < n; i++) {
    if (name == NULL || strcmp (list[i].name, name) == 0)
      return TRUE;
    g_ptr_array_add (names, (gpointer)list[i].name);
  }
  g_autofree char *text = seam_text_list ((const char *const *)names->pdata);
  *reason =
      g_strdup_printf ("“@%s” is no implementation of the target %s, which has %s; choose one "
                       "of these, leave it out, or choose another target.",
                       name, target, text);
  return FALSE;
}
