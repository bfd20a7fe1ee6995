/* SPDX-License-Identifier: MIT
 *
 * SeamSessionFile: the session of a window. Opens files, shows one of their runs through the model,
 * shows entries of the history the same way, saves entries into a file, and keeps the list of
 * recent files.
 *
 * Signals:
 *   "changed"   the file, its runs, or which of them is shown
 *   "opened"    another file is shown now
 */
#pragma once

#include "ui/state/exploration.h"

#include <adwaita.h>

#define SEAM_TYPE_SESSION_FILE (seam_session_file_get_type ())
G_DECLARE_FINAL_TYPE (SeamSessionFile, seam_session_file, SEAM, SESSION_FILE, GObject)

/* Installs win.save, win.save-as, win.open-recent and win.save-to (a path; without a dialog, for
 * tests and scripts) in `window`, which owns it. */
SeamSessionFile *seam_session_file_new (GtkApplicationWindow *window, SeamModel *model);

/* The kind of the first search of the open file that is shown. */
SeamSearchKind seam_session_file_get_shown_kind (SeamSessionFile *self);

/* Whether a file looks like a session by its name and first bytes. */
gboolean seam_session_file_is_session (const char *path);
/* Reads the file in a thread, then shows it. What cannot be opened is told by a message, and what
 * is shown stays. */
void seam_session_file_open (SeamSessionFile *self, const char *path);
/* Shows an entry of the history that is a session. */
void seam_session_file_open_entry (SeamSessionFile *self, gint64 id);
/* The entry that is looked at; 0: none. */
gint64 seam_session_file_get_entry (SeamSessionFile *self);
/* The open file; NULL: none is open. Borrowed. */
SeamSession *seam_session_file_get_session (SeamSessionFile *self);
/* The searches of a kind that can be shown now, as SeamSessionSearch: those of the current
 * pipeline, or all if the file has no runs. Borrowed items; free with g_ptr_array_unref(). */
GPtrArray *seam_session_file_list_searches (SeamSessionFile *self, SeamSearchKind kind);
/* Index of the shown search in that list; -1: none. */
int seam_session_file_get_search (SeamSessionFile *self, SeamSearchKind kind);
void seam_session_file_show_search (SeamSessionFile *self, SeamSearchKind kind, int index);
/* How many explorations and sweeps the open file has. */
guint seam_session_file_get_n_searches (SeamSessionFile *self);
/* Name of the open or saved file or of the entry, for people; NULL: none. Newly allocated. */
char *seam_session_file_get_name (SeamSessionFile *self);
/* Index of the shown run, or -1. */
int seam_session_file_get_run (SeamSessionFile *self);
void seam_session_file_show_run (SeamSessionFile *self, int index);
/* Ends the view: what the person had chosen and measured is there again. */
void seam_session_file_close (SeamSessionFile *self);

/* FALSE when the window has to wait for a run to stop, or when something would be lost and the
 * person is asked: the window is closed after that. */
gboolean seam_session_file_may_close (SeamSessionFile *self);

/* Up to eight recent sessions, newest first, of char * URIs; free with g_ptr_array_unref(). */
GPtrArray *seam_session_file_list_recent (void);
