/* SPDX-License-Identifier: MIT
 *
 * --save, --append and --note: the session that keeps what a command measures.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/session/session.h"

G_BEGIN_DECLS

/* --save FILE makes a new session, --append FILE adds to the one that is there. That can be known
 * before a long run, so it is read now. `session` NULL, `path` NULL: nothing is kept. All three are
 * the caller's. SEAM_ERROR_INPUT for what was typed, SEAM_ERROR_FILE for what cannot be read or
 * written. */
gboolean seam_cli_open_session (const SeamArguments *arguments, char **path, char **note,
                                SeamSession **session, GError **error);

G_END_DECLS
