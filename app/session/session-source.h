/* SPDX-License-Identifier: MIT
 *
 * An opened session file. A connection that can only execute SELECT statements on tables reads its
 * pages on demand. If another program replaces the file, the opened one stays readable. Opening
 * reads only keys, and lists which rows belong to which parent, because the file has no indexes.
 *
 * Hold the lock while reading rows. Private to app/session/.
 */
#pragma once

#include "app/session/schema.h"

#include <sys/stat.h>

typedef struct {
  gint64 parent, key;
} SeamRowKey;

typedef struct {
  gatomicrefcount ref_count;
  GMutex lock;
  sqlite3 *db;
  char *name;        /* for messages */
  char *path;        /* NULL: opened from bytes */
  struct stat stamp; /* state of the file when it was opened */
  guint64 size;
  int major, minor;
  /* Sorted by parent, then by key; made on demand. */
  GArray *rows[SEAM_N_TABLES];    /* of SeamRowKey; parent 0 if the table has none */
  GArray *members[SEAM_N_TABLES]; /* of SeamRowKey: rows of `member`, by the row they belong to */
  /* One row by its key, all columns; NULL: an older file does not have the table. */
  sqlite3_stmt *select[SEAM_N_TABLES];
  sqlite3_stmt *select_light[SEAM_N_TABLES]; /* light columns only */
  sqlite3_stmt *select_member;               /* name and type, without the value */
  sqlite3_blob *value;                       /* value of a member; moved from row to row */
  GHashTable *checksums;                     /* of runs and searches: key and value of `meta` */
  gboolean is_verified;
} SeamSource;

/* SEAM_ERROR_FILE with a whole sentence. */
SeamSource *seam_source_open (const char *path, GError **error);
SeamSource *seam_source_open_bytes (GBytes *bytes, const char *name, GError **error);
SeamSource *seam_source_ref (SeamSource *source);
void seam_source_unref (SeamSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSource, seam_source_unref)

/* The rows of `table` that belong to the row `parent` of its parent table (0 for none), or all rows
 * of `member` that belong to the row; NULL and an error. */
const SeamRowKey *seam_source_find_rows (SeamSource *source, SeamTableId table, gint64 parent,
                                         guint *n, GError **error);
const SeamRowKey *seam_source_find_members (SeamSource *source, SeamTableId table, gint64 row,
                                            guint *n, GError **error);
/* Moves `select` or `select_light` to a row; the caller resets it afterwards. */
sqlite3_stmt *seam_source_select (SeamSource *source, SeamTableId table, gint64 key, gboolean light,
                                  GError **error);
/* Moves select_member to a row of `member`, and also `value` if that is wanted. */
gboolean seam_source_select_member (SeamSource *source, gint64 key, const char **name,
                                    const char **type, GError **error);
gboolean seam_source_open_value (SeamSource *source, gint64 key, guint64 *size, GError **error);
/* The checksum of a run or search; NULL if the file has none for it. */
const char *seam_source_get_checksum (SeamSource *source, SeamTableId table, gint64 key);
/* "sha256 run 1" */
char *seam_session_name_checksum (SeamTableId table, gint64 key);

/* Names the file, if it was opened under a temporary name. */
void seam_source_set_path (SeamSource *source, const char *path);
/* Whether the path still leads to the opened file; TRUE without a path. */
gboolean seam_source_is_current (const SeamSource *self);
/* Verifies the whole file's checksum, once. An error is half a sentence. */
gboolean seam_source_verify (SeamSource *source, GError **error);
/* Makes the error "NAME cannot be opened. It is damaged; …" around half a sentence. Takes
 * `problem`. */
void seam_source_set_damaged (const char *what, GError *problem, GError **error);
