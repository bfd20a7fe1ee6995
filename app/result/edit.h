/* SPDX-License-Identifier: MIT
 *
 * A person's own text in place of the generated code of a group. It goes with a request, stays with
 * the result and in sessions, as text: only a run compiles and executes it.
 */
#pragma once

#include "app/record/record.h"

#define SEAM_EDIT_MAX_BYTES (1024 * 1024)

typedef struct {
  int plan, group; /* index of the request's plan, and of the group in the plan as the target
                    * resolves it; from 0 */
  char *text;
} SeamEdit;

typedef struct {
  SeamEdit *list; /* owned */
  int n;
} SeamEdits;

/* Its only field is the list “edits”; without edits there is no such member. */
extern const SeamRecordType seam_edits_type;

/* The text of the group, borrowed, or NULL. */
const char *seam_edits_find (const SeamEdits *edits, int plan, int group);
/* How long a run with edited code may show no progress before its process is ended: 30 seconds, or
 * `$SEAMSCOPE_EDIT_LIMIT` seconds (at least 1); and the sentence about that. */
double seam_edit_get_limit_s (void);
char *seam_edit_describe_limit (void);
/* "Group 2 of conv|relu@edited: ", before what is wrong with the edit. Newly allocated. */
char *seam_edit_name_group (const char *notation, int group);
/* Sets a copy of the text; NULL removes the text of the group. */
void seam_edits_set (SeamEdits *edits, int plan, int group, const char *text);
