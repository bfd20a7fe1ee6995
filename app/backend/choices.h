/* SPDX-License-Identifier: MIT
 *
 * Which of several ways to run the same thing is the fastest on a device, as backends found by
 * trying. The choices are kept in the cache folder (choices.ini, a group for each device with its
 * libraries), because trying takes time and a plan should run the same way every time. Deleting
 * the file makes the program try again. A key holds everything that a choice depends on besides
 * the device, and only ways are kept whose output was compared (candidate.h).
 */
#pragma once

#include "app/pipeline/pipeline.h"

typedef struct SeamChoices SeamChoices;

/* The choices of a device: `title` names it with everything that a choice depends on besides its
 * key ("NVIDIA H200, driver 580, CUDA 13.0 …"). */
SeamChoices *seam_choices_new (const char *title);
void seam_choices_free (SeamChoices *choices); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamChoices, seam_choices_free)

/* The number kept under `key`, a text of any length; -1: none. */
int seam_choices_get (SeamChoices *choices, const char *key);
/* Keeps `choice`, which is not negative. If the file cannot be written, the only loss is time. */
void seam_choices_set (SeamChoices *choices, const char *key, int choice);
/* Remembers in memory that `choice` computes something wrong. */
void seam_choices_refuse (SeamChoices *choices, const char *key, int choice);
/* `choice` -1: whether any one under the key is refused. */
gboolean seam_choices_is_refused (SeamChoices *choices, const char *key, int choice);
/* Appends the ops to a key, with their operands, constants and mistakes. */
void seam_choices_append_ops (GString *key, const SeamChain *chain, int first, int last);
