/* SPDX-License-Identifier: MIT
 *
 * The list of what was measured in this window and is in no file: results of runs, explorations,
 * sweeps and pitfall labs.
 *
 * Signals:
 *   "collect"   the list is about to be read: whoever measures in steps adds what it has so far
 */
#pragma once

#include "app/session/session.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define SEAM_TYPE_UNSAVED_LIST (seam_unsaved_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamUnsavedList, seam_unsaved_list, SEAM, UNSAVED_LIST, GObject)

typedef enum {
  SEAM_UNSAVED_RUN,    /* of the window's own plans; opening a session puts it away */
  SEAM_UNSAVED_SEARCH, /* its page still has it then */
  SEAM_UNSAVED_LAB,    /* and so has the pitfall lab */
} SeamUnsavedKind;

typedef struct {
  SeamUnsavedKind kind;
  char *key;        /* a new one with the same key takes the place of the older one */
  char *name;       /* for people: "conv-relu-bias, 3 plans, 20:14" */
  GPtrArray *runs;  /* of SeamSessionRun; may be empty */
  GVariant *search; /* an exploration or a sweep, as app/explore/search-store.h makes it; or NULL */
} SeamUnsaved;

SeamUnsavedList *seam_unsaved_list_new (void);

/* All of it, of SeamUnsaved, the oldest first; free with g_ptr_array_unref(). */
GPtrArray *seam_unsaved_list_read (SeamUnsavedList *self);
/* `what` is its name without the time. `runs` and `search` may be NULL; takes a floating `search`.
 */
void seam_unsaved_list_add (SeamUnsavedList *self, SeamUnsavedKind kind, const char *key,
                            const char *what, GPtrArray *runs, GVariant *search);
/* The result of a run. `key` says what was run: the same run again takes its place, unless it was
 * stopped and the older one is whole. */
void seam_unsaved_list_add_result (SeamUnsavedList *self, const char *key, SeamResult *result);
/* These are in a file now, or were given up; those that have grown since they were listed stay. */
void seam_unsaved_list_drop (SeamUnsavedList *self, GPtrArray *items);
/* The same for all SEAM_UNSAVED_RUN: a session was opened in their place. */
void seam_unsaved_list_drop_runs (SeamUnsavedList *self);

G_END_DECLS
