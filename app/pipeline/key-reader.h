/* SPDX-License-Identifier: MIT
 *
 * Private to app/pipeline: typed values out of a key file, with errors that name file, group and
 * key. pipeline-file.c and pipeline-ops.c know what the groups mean.
 */
#pragma once

#include "app/pipeline/pipeline.h"

typedef struct {
  SeamPipeline *pipeline; /* being filled */
  GKeyFile *file;
  const char *where; /* path or id: begins every message */
  GError **error;
} SeamKeyReader;

/* Sets SEAM_ERROR_FILE and returns FALSE. `group` and `key` may be NULL. */
gboolean seam_key_fail (SeamKeyReader *reader, const char *group, const char *key,
                        const char *format, ...) G_GNUC_PRINTF (4, 5);
#define seam_key_fail_null(...) (seam_key_fail (__VA_ARGS__), NULL)
/* Refuses what GKeyFile accepts silently: a group or key that appears twice, and lines that are
 * neither. Only here can a message name the line. */
gboolean seam_pipeline_check_lines (SeamKeyReader *reader);
/* Newly allocated, or NULL with the error set; never empty. */
char *seam_key_get_string (SeamKeyReader *reader, const char *group, const char *key);
gboolean seam_key_get_int64 (SeamKeyReader *reader, const char *group, const char *key, gint64 min,
                             gint64 max, gint64 *number);
gboolean seam_key_get_double (SeamKeyReader *reader, const char *group, const char *key,
                              double *number);
/* Index of the value among `words` (NULL-terminated), or -1 with the error set. */
int seam_key_get_word (SeamKeyReader *reader, const char *group, const char *key,
                       const char *const *words);
/* Refuses keys outside `allowed`, so that a misspelt key is not silently ignored. */
gboolean seam_key_check (SeamKeyReader *reader, const char *group, const char *const *allowed);
/* A letter, then letters, digits and `extra`, not too long. */
gboolean seam_pipeline_is_name (const char *text, const char *extra);

/* --- pipeline-ops.c --- */

/* Read [pipeline] ops with its [op …] groups; [chain …]; a named plan. */
gboolean seam_pipeline_read_main_chain (SeamKeyReader *reader);
gboolean seam_pipeline_read_exhibit (SeamKeyReader *reader, const char *group, const char *name);
gboolean seam_pipeline_add_cut (SeamKeyReader *reader, const char *group, const char *key,
                                const char *name, int chain);
/* Index of an op by name, or -1. */
int seam_chain_find_op (const SeamChain *chain, const char *name);
