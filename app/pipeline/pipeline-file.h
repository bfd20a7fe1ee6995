/* SPDX-License-Identifier: MIT
 *
 * Private to app/pipeline: makes a SeamPipeline from the text of a pipeline file.
 */
#pragma once

#include "app/pipeline/pipeline.h"

#define SEAM_PIPELINE_MAX_BYTES (1 << 20) /* of a file */

/* Fills an empty pipeline, whose `text` and `id` are set. `where` (a path or id) begins every
 * message. After a failure the caller still has to release the half-filled pipeline. */
gboolean seam_pipeline_read (SeamPipeline *pipeline, const char *where, GError **error);

/* The shape fields that the ops of chain 0 need, NULL-terminated and in canonical order; static
 * strings, free the array only. */
const char **seam_pipeline_list_needed_fields (const SeamPipeline *pipeline);
