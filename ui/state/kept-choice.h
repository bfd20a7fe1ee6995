/* SPDX-License-Identifier: MIT
 *
 * What a person had chosen before a recorded run was shown: pipeline, shape, plans, settings, and
 * edited code. It is restored when the recorded run is put away.
 */
#pragma once

#include "ui/state/setup.h"

typedef struct SeamKeptChoice SeamKeptChoice;

SeamKeptChoice *seam_kept_choice_new (SeamSetup *setup);
void seam_kept_choice_free (SeamKeptChoice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamKeptChoice, seam_kept_choice_free)

/* Chooses all of it again; shape and plans only where the pipeline is chosen that they belong to,
 * or with `chooses_pipeline`, which chooses it. */
void seam_kept_choice_restore (SeamKeptChoice *self, SeamSetup *setup, gboolean chooses_pipeline);
