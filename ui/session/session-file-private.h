/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamSessionFile, shared by session-file.c (opening), session-save.c (writing),
 * session-question.c (asking) and session-watch.c (changes by others). Nobody else includes this.
 */
#pragma once

#include "ui/session/session-file.h"

G_BEGIN_DECLS

/* The action that waits until everything is saved or given up. */
typedef enum { SEAM_NEXT_NOTHING, SEAM_NEXT_CLOSE, SEAM_NEXT_OPEN } SeamSessionNext;

struct _SeamSessionFile {
  GObject parent_instance;

  GtkApplicationWindow *window; /* owns this; weak */
  SeamModel *model;
  SeamSearchKind shown_kind;
  GVariant *shown[2];   /* by SeamSearchKind: content of the shown search of the file; NULL: none */
  SeamSession *session; /* NULL: none open */
  char *path;           /* path of the open or saved file; NULL: Save asks for one */
  int run;              /* index of the shown run; -1: none */
  GtkWidget *question;  /* weak; NULL: no question is open */
  SeamSessionNext next;
  GCancellable *loading; /* cancels loading; NULL: nothing is being loaded */
  SeamSession *opening;  /* the session that is shown next, with its first run and its path */
  SeamSessionRun *opening_run;
  char *opening_path;
  GFileMonitor *monitor;   /* of the open file */
  GCancellable *reloading; /* cancels the reading of a file that another program changed; NULL:
                            * not reading */
  gboolean agreed;         /* the window closes without another question */
  gboolean waiting;        /* Save waits until the run has stopped */
  gboolean saving;
  guint inhibited; /* cookie of gtk_application_inhibit(); 0: none */
};

void seam_session_file_emit_changed (SeamSessionFile *self);
void seam_session_file_say (SeamSessionFile *self, const char *text); /* Shows a toast. */
/* Adds a file to the recent ones. */
void seam_session_file_remember (const char *path);
/* Recordings that come with the program are read-only. */
gboolean seam_session_file_is_sample (const char *path);
/* Shows `opening`, or the reason why it cannot be shown. */
void seam_session_file_show_opened (SeamSessionFile *self);

/* session-watch.c */

/* Watches the file at `path`. Call after each change of `path` or `session`. */
void seam_session_file_watch (SeamSessionFile *self);

/* session-question.c */

void seam_session_file_connect_question (SeamSessionFile *self);
/* Asks whether to save what `next` would lose, then does `next`. FALSE: nothing would be lost,
 * and nothing is asked. */
gboolean seam_session_file_ask (SeamSessionFile *self, SeamSessionNext next);
/* Does the action that waits, or forgets it. */
void seam_session_file_proceed (SeamSessionFile *self);
void seam_session_file_stay (SeamSessionFile *self);

/* session-save.c */

/* The file that Save writes without asking for a name; NULL: it asks. Borrowed. */
const char *seam_session_file_get_target (SeamSessionFile *self);

/* Whether there is anything that a file could hold. */
gboolean seam_session_file_has_something (SeamSessionFile *self);
/* Writes to the open file, asks for a name if there is none, or says why it can do neither. */
void seam_session_file_save (SeamSessionFile *self);
void seam_session_file_ask_name (SeamSessionFile *self);
void seam_session_file_save_to (SeamSessionFile *self, const char *path);

G_END_DECLS
