/* SPDX-License-Identifier: MIT
 *
 * The list of what was measured in this window and is in no file: results of runs, explorations,
 * sweeps and pitfall labs.
 *
 * Signals:
 *   "collect"   the list is about to be read: an object that measures in steps adds its results so
 * far
 */
#pragma once

#include "app/session/session.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define SEAM_TYPE_UNSAVED_LIST (seam_unsaved_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamUnsavedList, seam_unsaved_list, SEAM, UNSAVED_LIST, GObject)

typedef enum {
  SEAM_UNSAVED_RUN,    /* of the window's own plans; opening a session removes it */
  SEAM_UNSAVED_SEARCH, /* its tab keeps it when a session is opened */
  SEAM_UNSAVED_LAB,    /* the pitfall lab keeps it when a session is opened */
} SeamUnsavedKind;

typedef struct {
  SeamUnsavedKind kind;
  char *key;        /* an item with the same key replaces the older one */
  char *name;       /* for people: "conv-relu-bias, 3 plans, 20:14" */
  GPtrArray *runs;  /* of SeamSessionRun; may be empty */
  GVariant *search; /* an exploration or a sweep, as app/explore/search-store.h makes it; or NULL */
} SeamUnsaved;

SeamUnsavedList *seam_unsaved_list_new (void);

/* All SeamUnsaved items, the oldest first; free with g_ptr_array_unref(). */
GPtrArray *seam_unsaved_list_read (SeamUnsavedList *self);
/* `what` is its name without the time. `runs` and `search` may be NULL; takes a floating `search`.
 */
void seam_unsaved_list_add (SeamUnsavedList *self, SeamUnsavedKind kind, const char *key,
                            const char *what, GPtrArray *runs, GVariant *search);
/* Adds the result of a run. `key` says what was run: the same run again replaces it, unless the
 * new one was stopped and the older one is complete. */
void seam_unsaved_list_add_result (SeamUnsavedList *self, const char *key, SeamResult *result);
/* Removes items that are in a file now, or were given up; those that have grown since they were
 * listed stay. */
void seam_unsaved_list_drop (SeamUnsavedList *self, GPtrArray *items);
/* Removes all SEAM_UNSAVED_RUN, because a session was opened in their place. */
void seam_unsaved_list_drop_runs (SeamUnsavedList *self);

G_END_DECLS
