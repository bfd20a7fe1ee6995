/* SPDX-License-Identifier: MIT
 *
 * The code that executes a group, as texts for a person: a kernel's source, or a library call or
 * the CPU's loops in words. A backend's get_source() makes them and launches nothing. They are for
 * reading and keeping; the backend itself provides the code that is compiled.
 */
#pragma once

#include "app/backend/listing.h"
#include "app/pipeline/problem.h"

/* A file that a text includes; GRefStrings, because many texts share it. */
typedef struct {
  char *name; /* as in the #include: "kernels/ops.h" */
  char *text;
} SeamSourceFile;

/* The language of a text. */
typedef struct {
  const char *name;          /* SeamSource.language: "cuda", "c", "text" */
  const char *ending;        /* of its files: "cu" */
  gboolean is_words;         /* a line about an op begins with the op's name and a colon */
  const char *highlights[2]; /* ids of GtkSourceView's languages, the best first; NULL: fewer */
  SeamListingKind listings[SEAM_N_LISTINGS]; /* listings that a compiler can make of it, in the
                                              * order of the menu */
  int n_listings;
} SeamLanguage;

typedef struct {
  char *title;           /* "generated kernel", "cuDNN convolution" */
  char *language;        /* a SeamLanguage's name */
  int first_op, last_op; /* of the chain */
  char *text;
  GPtrArray *includes; /* of SeamSourceFile, without duplicates, including indirect ones */
} SeamSource;

/* The language with that name. An unknown name, which a session can contain, gives plain text
 * without meaning, never NULL. */
const SeamLanguage *seam_language_find (const char *name);

SeamSource *seam_source_new (const char *title, const char *language, int first_op, int last_op);
void seam_source_free (SeamSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSource, seam_source_free)
/* Array that owns its SeamSource. */
GPtrArray *seam_source_list_new (void);

/* Part of the first line of a hand-written kernel's text, followed by its name and ")". It
 * identifies edits of such a kernel. */
#define SEAM_SOURCE_HAND_HEAD "Seamscope's hand-written kernel ("

/* Whether a person's text can replace it (SeamEdit): generated code, a hand-written kernel that is
 * compiled when it is used, or an edited one. */
gboolean seam_source_is_editable (const SeamSource *source);
/* Whether `edit` is a changed version of this very source, for a group with several: a generated
 * and a hand-written kernel. */
gboolean seam_source_takes_edit (const SeamSource *source, const char *edit);
/* A sentence that says why an edit does not fit the storage of the problem's tensors; NULL: no
 * objection. `generated` is the text that is generated for the same ops now, NULL if unknown. Newly
 * allocated. */
char *seam_source_describe_other_storage (const char *edit, const char *generated,
                                          const SeamProblem *problem);
/* Adds a file unless there is one with that name. */
void seam_source_add_include (SeamSource *source, const char *name, const char *text);

/* For every line of the text, the op that it names, or -1; `n_lines` entries, newly allocated. Code
 * names an op by its value (`after_relu`) or, for a GroupNorm, by the passes that compute it; the
 * first name in a line counts, which is the value that the line computes. Comments, and texts in
 * words, name an op by its name and a colon. */
int *seam_source_mark_lines (const SeamSource *source, const SeamChain *chain, int *n_lines);
