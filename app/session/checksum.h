/* SPDX-License-Identifier: MIT
 *
 * The checksums of a session file: one over everything in it, and one over each run and each
 * search, so that one of them is verified without reading the rest. The checksum of a run or search
 * covers the row itself and then each of its children (table by table as in SeamTableId, in the
 * order of their keys): the table's name, names and values of the columns that are not NULL, then
 * the members in the order of their keys. It leaves out the keys, so that rows may be copied to
 * another file, and it does not change when a later version adds columns.
 */
#pragma once

#include "app/session/schema.h"

/* SHA-256 in hexadecimal over schema and rows of a file of `size` bytes; NULL and an error if
 * something cannot be read. */
char *seam_session_make_checksum (sqlite3 *db, guint64 size, GError **error);

/* Adds the current row of `statement`, a SELECT of all columns. */
void seam_checksum_add_row (GChecksum *checksum, const SeamTable *table, sqlite3_stmt *statement);
/* Begins a member whose value has `size` bytes; the caller then adds them by
 * g_checksum_update(). */
void seam_checksum_add_member (GChecksum *checksum, const char *name, const char *type,
                               guint64 size);
