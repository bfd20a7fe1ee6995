/* SPDX-License-Identifier: MIT
 *
 * A person's own text in place of the generated code of a group. It goes with a request, stays with
 * the result and in sessions, as text: only a run compiles and executes it.
 */
#pragma once

#include "app/result/variant.h"

G_BEGIN_DECLS

#define SEAM_EDIT_MAX_BYTES (1024 * 1024)

typedef struct {
  int plan, group; /* of the request's plans, and of the plan as the target resolves it; from 0 */
  char *text;
} SeamEdit;

/* Array that owns its SeamEdit. */
GPtrArray *seam_edits_new (void);
GPtrArray *seam_edits_copy (GPtrArray *edits); /* accepts NULL, which is none */
/* The text of the group, borrowed, or NULL; `edits` may be NULL. */
const char *seam_edits_find (GPtrArray *edits, int plan, int group);
/* How long a run with edited code may show no progress before the process that runs it is ended:
 * 30 seconds, or `$SEAMSCOPE_EDIT_LIMIT` of them (at least 1); and the sentence about that. */
double seam_edit_get_limit_s (void);
char *seam_edit_describe_limit (void);
/* Sets or (text NULL) removes the text of the group. */
void seam_edits_set (GPtrArray *edits, int plan, int group, const char *text);

/* The member "edits" of a dictionary: aa{sv}; none where there are none. */
void seam_edits_build (GVariantBuilder *builder, GPtrArray *edits);
/* Newly allocated; an entry that cannot be is the reader's error. */
GPtrArray *seam_edits_read (SeamReader *reader);

G_END_DECLS
