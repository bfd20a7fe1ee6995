/* SPDX-License-Identifier: MIT
 *
 * Rows of an opened file become the variants of app/result/. Private to app/session/. The caller
 * holds the source's lock.
 */
#pragma once

#include "app/session/session.h"
#include "app/session/session-source.h"

G_BEGIN_DECLS

/* A run or a search with all that belongs to it, a{sv}, or only its light columns and members.
 * All of it is checked against its checksum, or the file's where it has none. A new reference; NULL
 * and half a sentence, SEAM_ERROR_MEMORY for what would take too much. */
GVariant *seam_session_read_tree (SeamSource *source, SeamTableId table, gint64 key, gboolean light,
                                  GError **error);
SeamSessionRun *seam_session_read_run (SeamSource *source, gint64 key, GError **error);

G_END_DECLS
