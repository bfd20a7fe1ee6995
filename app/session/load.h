/* SPDX-License-Identifier: MIT
 *
 * Reads rows of an opened file as the variants of app/result/. Private to app/session/. The caller
 * holds the source's lock.
 */
#pragma once

#include "app/session/session.h"
#include "app/session/session-source.h"

/* A run or a search with everything that belongs to it, a{sv}, or with `light` only its light
 * columns and members. Checks the whole against its checksum, or against the file's if it has none.
 * A new reference; NULL and half a sentence, SEAM_ERROR_MEMORY if it would take too much memory. */
GVariant *seam_session_read_tree (SeamSource *source, SeamTableId table, gint64 key, gboolean light,
                                  GError **error);
SeamSessionRun *seam_session_read_run (SeamSource *source, gint64 key, GError **error);
