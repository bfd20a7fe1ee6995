/* SPDX-License-Identifier: MIT
 *
 * --save, --append and --note: the session that keeps what a command measures.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/session/session.h"

typedef struct {
  char *path; /* NULL: nothing is kept */
  char *note; /* or NULL */
  gboolean append;
} SeamSessionTarget;

/* Reads the options: --save FILE makes a new session, --append FILE adds to an existing one. Checks
 * before a long run whether that is possible. SEAM_ERROR_INPUT for wrong options, SEAM_ERROR_FILE
 * for a file that cannot be read or written. Clear the target in any case. */
gboolean seam_session_target_read (const SeamArguments *arguments, SeamSessionTarget *target,
                                   GError **error);
void seam_session_target_clear (SeamSessionTarget *target);
/* SEAM_ERROR_FILE. */
gboolean seam_session_target_write (const SeamSessionTarget *target, const SeamSession *session,
                                    GError **error);
