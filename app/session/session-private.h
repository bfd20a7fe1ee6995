/* SPDX-License-Identifier: MIT
 *
 * The structs of a session, for the files of app/session/ that fill and write it.
 */
#pragma once

#include "app/session/session.h"
#include "app/session/session-source.h"

/* A run in memory or in a file; shared by sessions that extend each other (g_atomic_rc_box). */
typedef struct {
  SeamResult *heading;
  char *note;
  SeamSessionRun *run; /* NULL: in the file */
  SeamSource *source;  /* NULL: in memory */
  gint64 key;
} SeamSessionEntry;

struct SeamSessionSearch { /* g_atomic_rc_box */
  GVariant *light;         /* a{sv}: the columns that the list shows */
  GVariant *content;       /* NULL: not read yet; protected by the source's lock */
  SeamSource *source;      /* NULL: in memory */
  gint64 key;
  gboolean replaces; /* bool: replaces searches that ask the same */
};

struct SeamSession {
  gatomicrefcount ref_count;
  GPtrArray *runs;     /* of SeamSessionEntry */
  GPtrArray *searches; /* of SeamSessionSearch */
  SeamSource *source;  /* the file that it was loaded from; NULL: none */
  gboolean partial;
};

/* Reads the lists of an opened file. An error is half a sentence. */
SeamSession *seam_session_new_from_source (SeamSource *source, GError **error);
