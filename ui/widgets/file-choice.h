/* SPDX-License-Identifier: MIT
 *
 * Asks a person for a file to open or to save: one dialog of a window at a time. The dialog goes
 * with the window, and is not answered then.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *title, *accept; /* "Save session", "_Save" */
  gboolean saves;
  const char *name;           /* suggested name of a file to save */
  const char *const *endings; /* ".seamscope", NULL-ended; NULL: any file. Static */
  /* "Sessions": one filter for all endings; NULL: one for each, and a name that is typed without
   * ending gets the one of the chosen filter. */
  const char *kind;
} SeamFileQuestion;

/* `path`: owned by the caller of this. NULL and no `reason`: the person changed their mind; NULL
 * with one: the place cannot be used, and the reason says why. */
typedef void (*SeamFileAnswer) (const char *path, const char *reason, gpointer data);

/* While a dialog of this window is open, it comes to the front and nothing else is asked. The
 * question's texts are copied; `data` is given to `destroy` (NULL: it lives as long as `parent`)
 * after the answer, or when there will be none. */
void seam_file_choice_ask (GtkWindow *parent, const SeamFileQuestion *question,
                           SeamFileAnswer answer, gpointer data, GDestroyNotify destroy);

G_END_DECLS
