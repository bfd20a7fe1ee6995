/* SPDX-License-Identifier: MIT
 *
 * --save, --append and --note: the session that keeps what a command measures.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/session/session.h"

G_BEGIN_DECLS

typedef struct {
  char *path; /* NULL: nothing is kept */
  char *note; /* or NULL */
  gboolean append;
} SeamSessionTarget;

/* --save FILE makes a new session, --append FILE adds to the one that is there. Whether that can be
 * done is found out before a long run. SEAM_ERROR_INPUT for what was typed, SEAM_ERROR_FILE for
 * what cannot be read or written. Clear the target in both cases. */
gboolean seam_session_target_read (const SeamArguments *arguments, SeamSessionTarget *target,
                                   GError **error);
void seam_session_target_clear (SeamSessionTarget *target);
/* SEAM_ERROR_FILE. */
gboolean seam_session_target_write (const SeamSessionTarget *target, const SeamSession *session,
                                    GError **error);

G_END_DECLS
