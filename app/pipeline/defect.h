/* SPDX-License-Identifier: MIT
 *
 * Exhibits: which mistakes of kernels/defects.h a pipeline file can give to which ops, and what a
 * mistake does at a shape, in words. A backend asks an op for its mistake; no other code
 * distinguishes them.
 */
#pragma once

#include "app/pipeline/problem.h"

/* A mistake of an op. kernels/defects.h says what `parameter` means. */
typedef struct {
  const char *name; /* in files: "missing-tail" */
  SeamDefectType type;
  int default_parameter, min, max; /* all 0: the mistake has none */
  gboolean in_stores; /* it leaves elements unwritten, so it fits any op except conv2d and matmul */
  const char *where;  /* the ops that can have it, in words: "an op other than conv2d and matmul" */
} SeamDefectKind;

/* Find a mistake by its name in files, or NULL; or by type (not NONE). Static. */
const SeamDefectKind *seam_defect_find (const char *name);
const SeamDefectKind *seam_defect_get_kind (SeamDefectType type);
/* Whether an op of this type can have the mistake. */
gboolean seam_defect_fits (const SeamDefectKind *kind, SeamOpType type);
/* The names, for messages; NULL-terminated, free with g_free(). */
const char **seam_defect_list_names (void);

/* The first op first…last of the chain that carries a mistake, or -1. */
int seam_chain_find_defect (const SeamChain *chain, int first, int last);
/* Whether an op of the chain leaves elements of its output unwritten. */
gboolean seam_chain_has_store_defect (const SeamChain *chain);

/* Whether the mistake of an exhibit (`chain` > 0) is visible in the output at this shape with these
 * settings (NULL: input and parameters are from files, so nothing is known of them). `sentence`
 * (may be NULL) says where, in numbers, or why not; newly allocated, NULL if there is nothing to
 * add to the exhibit's note. */
gboolean seam_exhibit_shows (const SeamProblem *problem, int chain, const SeamSettings *settings,
                             char **sentence);
