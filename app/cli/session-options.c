/* SPDX-License-Identifier: MIT
 *
 * Reads and checks --save, --append and --note, and writes what was measured.
 */
#include "app/cli/session-options.h"

#include "app/base/error.h"
#include "app/cli/product-files.h"

/* Verifies the whole session: a damaged one must not be added to, and that should be known before a
 * long run. */
static gboolean
check_session (const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autoptr (SeamSession) session = seam_session_load (path, error);
  return session != NULL && seam_session_may_append (session, error)
         && seam_session_verify (session, error);
}

gboolean
seam_session_target_read (const SeamArguments *arguments, SeamSessionTarget *target, GError **error)
{
  const char *save = seam_arguments_get (arguments, "save");
  const char *append = seam_arguments_get (arguments, "append");
  const char *chosen = save != NULL ? save : append;

  *target = (SeamSessionTarget){ .append = append != NULL };
  target->note = g_strdup (seam_arguments_get (arguments, "note"));
  if (save != NULL && append != NULL)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "--save makes a new session and --append adds to one; give one of them.");
  if (chosen == NULL && target->note != NULL)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "--note is kept in a session; add --save FILE" SEAM_SESSION_SUFFIX ".");
  if (chosen == NULL)
    return TRUE;
  if (!g_str_has_suffix (chosen, SEAM_SESSION_SUFFIX))
    return seam_fail (error, SEAM_ERROR_INPUT, "--%s: “%s” has to end in " SEAM_SESSION_SUFFIX ".",
                      save != NULL ? "save" : "append", chosen);
  if (!seam_cli_check_path (chosen, error) || (append != NULL && !check_session (append, error)))
    return FALSE;
  target->path = g_strdup (chosen);
  return TRUE;
}

void
seam_session_target_clear (SeamSessionTarget *target)
{
  g_clear_pointer (&target->path, g_free);
  g_clear_pointer (&target->note, g_free);
}

gboolean
seam_session_target_write (const SeamSessionTarget *target, const SeamSession *session,
                           GError **error)
{
  if (!target->append)
    return seam_session_save (session, target->path, error);
  g_autoptr (SeamSession) whole = seam_session_append (target->path, session, error);
  return whole != NULL;
}
