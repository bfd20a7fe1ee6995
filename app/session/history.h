/* SPDX-License-Identifier: MIT
 *
 * The history: everything that a window has measured, in one SQLite database in the person's state
 * folder. An entry is on disk as soon as seam_history_put() returns, and stays there when the
 * program is killed. Entries are sessions (runs, explorations, sweeps, pitfall labs) or
 * calibrations, packed into bytes.
 *
 * The history keeps at most SEAM_HISTORY_MAX_BYTES. Beyond that it removes the oldest entries that
 * are not pinned. Several programs may use the same history at the same time.
 */
#pragma once

#include "app/session/session.h"

#define SEAM_HISTORY_MAX_BYTES G_GINT64_CONSTANT (1000000000)
#define SEAM_HISTORY_MAX_WORDS "1 GB" /* the same, for people */

typedef enum {
  SEAM_ENTRY_RUN,
  SEAM_ENTRY_EXPLORATION,
  SEAM_ENTRY_SWEEP,
  SEAM_ENTRY_LAB,
  SEAM_ENTRY_CALIBRATION,
  SEAM_N_ENTRY_KINDS
} SeamEntryKind;

/* SAVED: a session file holds the entry now. */
typedef enum {
  SEAM_CHANGE_NAME,
  SEAM_CHANGE_PIN,
  SEAM_CHANGE_UNPIN,
  SEAM_CHANGE_SAVED,
  SEAM_CHANGE_REMOVE
} SeamHistoryChange;

/* What a list shows of an entry. Texts are owned. */
typedef struct {
  gint64 id; /* a newer entry has a larger one */
  SeamEntryKind kind;
  char *pipeline;   /* its id; NULL: the entry belongs to no pipeline */
  char *outcome;    /* "1.56× faster", "5 of 8 partitions" */
  char *detail;     /* plans, shape and math mode, in a line */
  char *device;     /* name of the device */
  char *ended_at;   /* ISO 8601, UTC */
  gboolean partial; /* stopped, or the worker was lost */
  gboolean wrong;   /* an output was wrong */
  gboolean saved;   /* a session file holds it, too */
  gboolean pinned;  /* it is never removed to make room */
  char *name;       /* given by the person; NULL */
  gint64 bytes;     /* of the content; -1: the file states no size that is possible */
} SeamHistoryEntry;

SeamHistoryEntry *seam_history_entry_new (SeamEntryKind kind); /* g_rc_box; ended now */
SeamHistoryEntry *seam_history_entry_copy (const SeamHistoryEntry *entry);
SeamHistoryEntry *seam_history_entry_ref (SeamHistoryEntry *entry);
void seam_history_entry_unref (SeamHistoryEntry *entry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamHistoryEntry, seam_history_entry_unref)

/* The outcome for people: "1.56× faster", "stopped early: 1.49× faster". Newly allocated. */
char *seam_history_entry_describe (const SeamHistoryEntry *entry);
/* One row an entry, with the fields above as columns; newly allocated. */
char *seam_history_to_rows (const GPtrArray *entries, SeamRowsFormat format);

typedef struct SeamHistory SeamHistory;

char *seam_history_get_path (void); /* in the state folder; newly allocated */
/* Opens the history, or creates it; one that cannot be written is opened for reading. Whatever is
 * done with it waits for another program that writes, and calls `tell` after 1 s, which returns
 * whether to wait longer. NULL: nothing waits, for the main thread of a window. SEAM_ERROR_FILE
 * with a sentence that says what a person can do: it is locked, read-only, damaged, of a newer
 * program, another database, or the disk is full. */
SeamHistory *seam_history_open (const char *path, gboolean (*tell) (void), GError **error);
void seam_history_set_tell (SeamHistory *self, gboolean (*tell) (void));
void seam_history_free (SeamHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamHistory, seam_history_free)
/* For tests: a limit other than SEAM_HISTORY_MAX_BYTES. */
void seam_history_set_limit (SeamHistory *self, gint64 bytes);

/* Whether another program has changed the history since it was opened or since the last call. */
gboolean seam_history_has_changed (SeamHistory *self);
/* All entries without their contents, the newest first, as an array of SeamHistoryEntry; free it
 * with g_ptr_array_unref(). NULL and SEAM_ERROR_FILE. */
GPtrArray *seam_history_list (SeamHistory *self, GError **error);
/* "1.2 MB of 1 GB", with a dash where a size is unknown or none that is possible. */
char *seam_history_format_room (const GPtrArray *entries);
/* Adds an entry with its content. If the id of `about` is not 0, replaces the entry with that id,
 * but keeps its name, pin and mark. Sets the id of `about`. `n_removed` (may be NULL) receives how
 * many older entries were removed to make room. SEAM_ERROR_FILE. */
gboolean seam_history_put (SeamHistory *self, SeamHistoryEntry *about, GBytes *content,
                           int *n_removed, GError **error);
/* Content of an entry; a new reference. NULL and SEAM_ERROR_FILE. */
GBytes *seam_history_read (SeamHistory *self, gint64 id, GError **error);
/* Adds the runs and searches in the content of an entry to `session`, with the entry's name as
 * their note. SEAM_ERROR_FILE; SEAM_ERROR_INPUT for a calibration, because no session holds one. */
gboolean seam_history_unpack (const SeamHistoryEntry *entry, GBytes *content, SeamSession *session,
                              GError **error);
/* Changes only this of an entry, if there is one. `value`: the name or the content; no name is
 * NULL. SEAM_ERROR_FILE. */
gboolean seam_history_change (SeamHistory *self, gint64 id, SeamHistoryChange change, GBytes *value,
                              GError **error);
