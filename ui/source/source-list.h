/* SPDX-License-Identifier: MIT
 *
 * SeamSourceList: the groups of all plans, and of each group its sources. The one that is selected
 * is the subject's place.
 */
#pragma once

#include "ui/source/source-subject.h"

#include <adwaita.h>

#define SEAM_TYPE_SOURCE_LIST (seam_source_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceList, seam_source_list, SEAM, SOURCE_LIST, AdwBin)

/* Call once, before it is shown. */
void seam_source_list_follow (SeamSourceList *self, SeamSourceSubject *subject);
void seam_source_list_set_narrow (SeamSourceList *self, gboolean narrow);

/* "conv + relu": the ops of a chain; newly allocated. */
char *seam_source_name_ops (const SeamChain *chain, const SeamGroupCode *group,
                            const SeamSource *source);
