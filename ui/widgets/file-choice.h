/* SPDX-License-Identifier: MIT
 *
 * Asks a person for a file or a folder to open, or a file to save. A window has one dialog at a
 * time. The dialog is destroyed with the window, without an answer.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  const char *title, *accept; /* "Save session", "_Save" */
  gboolean saves, folder;     /* opens a folder, not a file */
  const char *name;           /* suggested name of a file to save */
  const char *const *endings; /* ".seamscope", NULL-ended; NULL: any file. Static */
  /* "Sessions": one filter for all endings; NULL: one for each. A name that is typed without an
   * ending gets that of the chosen filter; if there is such a file, the person is asked. */
  const char *kind;
} SeamFileQuestion;

/* `path`: owned by the caller. NULL without `reason`: the person cancelled; NULL with `reason`:
 * the place cannot be used, and `reason` says why. */
typedef void (*SeamFileAnswer) (const char *path, const char *reason, gpointer data);

/* If a dialog of this window is open, it comes to the front, and this question is not asked. The
 * question's texts are copied; `data` is given to `destroy` (NULL: it lives as long as `parent`)
 * after the answer, or when there will be none. */
void seam_file_choice_ask (GtkWindow *parent, const SeamFileQuestion *question,
                           SeamFileAnswer answer, gpointer data, GDestroyNotify destroy);
