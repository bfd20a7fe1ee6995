/* SPDX-License-Identifier: MIT
 *
 * Reads and checks --save, --append and --note.
 */
#include "app/cli/session-options.h"

#include "app/base/error.h"
#include "app/cli/result-files.h"

static SeamSession *
load (const char *path, GError **error)
{
  g_autoptr (SeamSession) session = seam_session_load (path, error);

  if (session == NULL || !session->partial)
    return g_steal_pointer (&session);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
               "%s was written by a newer Seamscope; adding to it would lose what this program "
               "does not know. Give another file.",
               path);
  return NULL;
}

gboolean
seam_cli_open_session (const SeamArguments *arguments, char **path, char **note,
                       SeamSession **session, GError **error)
{
  const char *save = seam_arguments_get (arguments, "save");
  const char *append = seam_arguments_get (arguments, "append");
  const char *chosen = save != NULL ? save : append;

  *path = NULL;
  *session = NULL;
  *note = g_strdup (seam_arguments_get (arguments, "note"));
  if (save != NULL && append != NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--save makes a new session and --append adds to one; give one of them.");
    return FALSE;
  }
  if (chosen == NULL && *note != NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--note is kept in a session; add --save FILE" SEAM_SESSION_SUFFIX ".");
    return FALSE;
  }
  if (chosen == NULL)
    return TRUE;
  if (!g_str_has_suffix (chosen, SEAM_SESSION_SUFFIX)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--%s: “%s” has to end in " SEAM_SESSION_SUFFIX ".",
                 save != NULL ? "save" : "append", chosen);
    return FALSE;
  }
  if (!seam_cli_check_path (chosen, error))
    return FALSE;
  *session = append != NULL && g_file_test (append, G_FILE_TEST_EXISTS) ? load (append, error)
                                                                        : seam_session_new ();
  *path = g_strdup (chosen);
  return *session != NULL;
}
