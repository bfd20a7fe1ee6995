/* SPDX-License-Identifier: MIT
 *
 * The code that executes a group, as texts for a person: a kernel's source, or a library call or
 * the CPU's loops in words. What a backend's get_source() gives; it launches nothing. For reading
 * and keeping: what is compiled comes from the backend itself.
 */
#pragma once

#include "app/backend/listing.h"
#include "app/pipeline/problem.h"

G_BEGIN_DECLS

/* A file that a text includes; GRefStrings, because many texts share one. */
typedef struct {
  char *name; /* as it is included: "kernels/ops.h" */
  char *text;
} SeamSourceFile;

/* What a text is written in. */
typedef struct {
  const char *name;          /* SeamSource.language: "cuda", "c", "text" */
  const char *ending;        /* of a file of it: "cu" */
  gboolean is_words;         /* a line about an op begins with its name and a colon */
  const char *highlights[2]; /* ids of GtkSourceView's languages, the best first; NULL: fewer */
  SeamListingKind listings[SEAM_N_LISTINGS]; /* what a compiler makes of it, in a menu's order */
  int n_listings;
} SeamLanguage;

typedef struct {
  char *title;           /* "generated kernel", "cuDNN convolution" */
  char *language;        /* a SeamLanguage's name */
  int first_op, last_op; /* of the chain */
  char *text;
  GPtrArray *includes; /* of SeamSourceFile, each once, whatever includes it */
} SeamSource;

/* The language of that name. One that is not known, which a session can hold, is plain text without
 * a meaning: never NULL. */
const SeamLanguage *seam_language_find (const char *name);

SeamSource *seam_source_new (const char *title, const char *language, int first_op, int last_op);
void seam_source_free (SeamSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSource, seam_source_free)
/* Array that owns its SeamSource. */
GPtrArray *seam_source_list_new (void);

/* In the first line of a hand-written kernel's text; its name and ")" follow. An edit of such a
 * kernel is known by it. */
#define SEAM_SOURCE_HAND_HEAD "Seamscope's hand-written kernel ("

/* Whether a person's text can take its place (SeamEdit): generated code, a hand-written kernel that
 * is compiled when it is used, or an edited one. */
gboolean seam_source_is_editable (const SeamSource *source);
/* Whether `edit` is a changed version of this very source, where a group has several: a generated
 * and a hand-written kernel. */
gboolean seam_source_takes_edit (const SeamSource *source, const char *edit);
/* Why an edit does not fit how the problem's tensors lie in memory: a sentence; NULL where nothing
 * speaks against it. `generated` is the text that is generated for the same ops now, NULL where it
 * is not known. Newly allocated. */
char *seam_source_describe_other_storage (const char *edit, const char *generated,
                                          const SeamProblem *problem);
/* Adds a file unless one of that name is there. */
void seam_source_add_include (SeamSource *source, const char *name, const char *text);

/* For every line of the text the op that it names, or -1; `n_lines` of them, newly allocated. In
 * code an op is named by its value (`after_relu`) or, a GroupNorm, by the passes that compute it;
 * the first name of a line counts, which is the value that the line makes. In comments, as in
 * words, an op is named by its name and a colon. */
int *seam_source_mark_lines (const SeamSource *source, const SeamChain *chain, int *n_lines);

G_END_DECLS
