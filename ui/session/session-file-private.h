/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamSessionFile, shared by session-file.c (opening), session-save.c (writing),
 * session-question.c (asking) and session-watch.c (changes by others). Nobody else includes this.
 */
#pragma once

#include "ui/session/session-file.h"

struct _SeamSessionFile {
  GObject parent_instance;

  GtkApplicationWindow *window; /* owns this; weak */
  SeamModel *model;
  SeamSearchKind shown_kind;
  GVariant *shown[2];    /* by SeamSearchKind; content of a search of a file; NULL: none */
  SeamSession *session;  /* NULL: none open */
  char *path;            /* of the open or saved file; NULL: Save asks for one */
  int run;               /* shown; -1 */
  gint64 entry;          /* of the history, that is looked at; 0: none. `path` is NULL then */
  char *name;            /* of it, for people */
  gboolean is_view;      /* the session is what is looked at, and goes when the view ends */
  GArray *chosen;        /* gint64, of the history: to be saved under the name that is asked for */
  GtkWidget *question;   /* weak; NULL: nothing is asked */
  GCancellable *loading; /* of the file that is opened; NULL: none */
  char *loading_path;
  GFileMonitor *monitor;   /* of the open file */
  GCancellable *reloading; /* of the open file, which another program changed; NULL: it is not */
  gboolean closes;         /* the window, when what it waits for is done */
  gboolean waits;          /* for the run to stop */
  gboolean saving;
  guint inhibited; /* cookie of gtk_application_inhibit(); 0: none */
};

void seam_session_file_emit_changed (SeamSessionFile *self);
void seam_session_file_say (SeamSessionFile *self, const char *text); /* Shows a toast. */
/* Adds a file to the recent ones. */
void seam_session_file_remember (const char *path);
/* Recordings that come with the program are read-only. */
gboolean seam_session_file_is_sample (const char *path);
/* session-watch.c */

/* Watches the file at `path`. Call after each change of `path` or `session`. */
void seam_session_file_watch (SeamSessionFile *self);

/* session-question.c */

void seam_session_file_connect_question (SeamSessionFile *self);
/* Closes the window if it was to be closed after this. */
void seam_session_file_proceed (SeamSessionFile *self);
/* The window stays open, and nothing is being loaded any more. */
void seam_session_file_stay (SeamSessionFile *self);

/* session-save.c */

/* The file that Save writes without asking for a name; NULL: it asks. Borrowed. */
const char *seam_session_file_get_target (SeamSessionFile *self);

/* Whether there is anything that a file could hold. */
gboolean seam_session_file_has_something (SeamSessionFile *self);
/* Writes to the open file, asks for a name if there is none, or says why it can do neither. */
void seam_session_file_save (SeamSessionFile *self);
/* Asks which results, and for a name. */
void seam_session_file_save_as (SeamSessionFile *self);
void seam_session_file_save_to (SeamSessionFile *self, const char *path);
