/* SPDX-License-Identifier: MIT
 *
 * All pipelines, as one looks for them: with their tags and the words that find them. A person's
 * file that cannot be read is an entry, too, with the reason.
 */
#pragma once

#include "app/pipeline/problem.h"

typedef enum { SEAM_TAG_KIND, SEAM_TAG_INPUT, SEAM_TAG_SPECIAL, SEAM_N_TAG_GROUPS } SeamTagGroup;

/* What a pipeline can have. */
typedef struct {
  const char *title; /* "softmax", "4-D", "earlier value" */
  SeamTagGroup group;
  const char *words; /* tooltip: a sentence without its subject, "It reads …" */
  /* Whether the op at this place gives its pipeline the tag. */
  gboolean (*has) (const SeamProblem *problem, const SeamChain *chain, int op, int value);
  int value;
} SeamTag;

const SeamTag *seam_tags_list (int *n_tags);

typedef struct {
  SeamPipeline *pipeline; /* NULL: the file cannot be read */
  char *reason;           /* then: the sentence of its reader */
  guint tags;             /* bit i: it has tag i */
  char *words;            /* case-folded: id, number, title, ops, tags, file */
  char *output;           /* "[128, 16384]", at the last preset; "" unknown */
} SeamCatalogueEntry;

/* The hundred by number, a person's own, and those of `opened` (of SeamPipeline) that are neither;
 * free it with g_ptr_array_unref(). NULL and SEAM_ERROR_FILE for a broken installation. */
GPtrArray *seam_catalogue_new (const GPtrArray *opened, GError **error);

/* Whether the entry has every word of `text`; "" has none. */
gboolean seam_catalogue_entry_matches (const SeamCatalogueEntry *entry, const char *text);
/* Whether `text` is the number of the entry: "66" or "#66". */
gboolean seam_catalogue_entry_has_number (const SeamCatalogueEntry *entry, const char *text);
/* The ops of a chain that a word of `text` names; bit i: op i. */
guint32 seam_chain_find_ops (const SeamChain *chain, const char *text);
/* `text` with the first word that finds nothing replaced by the nearest word that does; NULL: there
 * is none. Newly allocated. */
char *seam_catalogue_suggest (const GPtrArray *entries, const char *text);
