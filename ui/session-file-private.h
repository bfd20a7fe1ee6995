/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamSessionFile, shared by session-file.c (opening, asking) and session-save.c
 * (writing). Nobody else includes this.
 */
#pragma once

#include "ui/session-file.h"

G_BEGIN_DECLS

struct _SeamSessionFile {
  GObject parent_instance;

  GtkApplicationWindow *window; /* owns this; weak */
  SeamModel *model;
  SeamExploration *explorations[2]; /* by SeamSurveyKind; may be NULL */
  SeamSurveyKind shown_kind;
  GVariant *shown[2];   /* by SeamSurveyKind; content of a survey of a file; NULL: none */
  SeamSession *session; /* NULL: none open */
  char *path;           /* of the open or saved file; NULL: Save asks for one */
  int run;              /* shown; -1 */
  GtkFileChooserNative *chooser;
  gboolean closing; /* the window closes when the save is done */
};

void seam_session_file_emit_changed (SeamSessionFile *self);
void seam_session_file_say (SeamSessionFile *self, const char *text); /* a toast */
/* Adds a file to the recent ones. */
void seam_session_file_remember (const char *path);
/* Recordings that come with the program are looked at, never written to. */
gboolean seam_session_file_is_sample (const char *path);
/* Later: the dialog goes with its window, and may be in the middle of its answer. */
void seam_session_file_close_window (SeamSessionFile *self);

/* session-save.c */

/* Whether there is anything that a file could hold. */
gboolean seam_session_file_has_something (SeamSessionFile *self);
/* Writes to the open file, asks for a name where there is none, or says why neither. */
void seam_session_file_save (SeamSessionFile *self);
void seam_session_file_ask_name (SeamSessionFile *self);
void seam_session_file_save_to (SeamSessionFile *self, const char *path);

G_END_DECLS
