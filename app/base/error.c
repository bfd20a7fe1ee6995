/* SPDX-License-Identifier: MIT
 *
 * The error domain, and the check of the cancel flag.
 */
#include "app/base/error.h"

G_DEFINE_QUARK (seam - error - quark, seam_error)

gboolean
seam_cancel_check (SeamCancel *cancel, GError **error)
{
  if (cancel == NULL || !g_atomic_int_get (&cancel->raised))
    return FALSE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_CANCELLED, "Stopped at your request.");
  return TRUE;
}
