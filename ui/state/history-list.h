/* SPDX-License-Identifier: MIT
 *
 * The history as the window has it: everything that was measured, the newest first
 * (app/session/history.h). A thread packs and writes, one after the other, in the order of the
 * calls; an entry is in the list once it is on disk. One that could not be written stays in memory,
 * and each later write tries it again.
 *
 * Properties:
 *   "entries"   notify only: the entries or their marks have changed
 * Signals:
 *   "collect"   the list has to be complete now: unfinished measurements add their results so far
 */
#pragma once

#include "app/session/history.h"
#include "app/session/session.h"
#include "ui/state/notices.h"

#define SEAM_TYPE_HISTORY_LIST (seam_history_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamHistoryList, seam_history_list, SEAM, HISTORY_LIST, GObject)

SeamHistoryList *seam_history_list_new (SeamNotices *notices);

/* All entries, of SeamHistoryEntry, the newest first; borrowed until the next change. */
GPtrArray *seam_history_list_get (SeamHistoryList *self);
const SeamHistoryEntry *seam_history_list_find (SeamHistoryList *self, gint64 id); /* or NULL */
/* The newest run of a pipeline (NULL: of any), or NULL. */
const SeamHistoryEntry *seam_history_list_find_run (SeamHistoryList *self,
                                                    const SeamPipeline *pipeline);
/* Reads the list again if another window has changed the history; opens one that was locked, and
 * writes what is not on disk. The list does this by itself every SEAM_HISTORY_LIST_SECONDS. */
void seam_history_list_refresh (SeamHistoryList *self);
#define SEAM_HISTORY_LIST_SECONDS 3
/* Lets everything that measures in steps add what it has so far, and waits until it is written. */
void seam_history_list_collect (SeamHistoryList *self);
/* Waits until everything is on disk, or in memory because it could not be written. */
void seam_history_list_flush (SeamHistoryList *self);

/* Adds a run, to which nothing is added any more, and returns its entry, which has its id once it
 * is written. */
SeamHistoryEntry *seam_history_list_add_run (SeamHistoryList *self, SeamSessionRun *run);
/* Adds a session, to which nothing is added any more; if `about` was added before, replaces the
 * content of that entry. `about` receives the id once it is written. */
void seam_history_list_add (SeamHistoryList *self, SeamHistoryEntry *about, SeamSession *session);
/* The same with a calibration or what else an entry holds. */
void seam_history_list_add_bytes (SeamHistoryList *self, SeamHistoryEntry *about, GBytes *content);

/* NULL and SEAM_ERROR_FILE with a sentence. */
GBytes *seam_history_list_read (SeamHistoryList *self, gint64 id, GError **error);
SeamSession *seam_history_list_load (SeamHistoryList *self, gint64 id, GError **error);

/* Changes a mark of an entry, or removes it. An empty name is none. */
void seam_history_list_change (SeamHistoryList *self, gint64 id, SeamHistoryChange change,
                               const char *name);

/* What a person calls an entry: its name, or "conv-relu-bias, 24 Nov 17:31"; newly allocated. */
char *seam_history_list_describe (const SeamHistoryEntry *entry);

/* Whether the entry was measured by this window, rather than before it was opened. */
gboolean seam_history_list_is_fresh (SeamHistoryList *self, gint64 id);
/* How many entries could not be written and would be lost with the window. */
guint seam_history_list_count_lost (SeamHistoryList *self);
gboolean seam_history_list_is_lost (SeamHistoryList *self, gint64 id);
/* Gives the lost ones up. */
void seam_history_list_drop_lost (SeamHistoryList *self);
