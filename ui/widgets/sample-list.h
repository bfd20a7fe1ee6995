/* SPDX-License-Identifier: MIT
 *
 * SeamSampleList: recorded sessions that come with the program (data/samples), a row each, for the
 * start page: a person without a GPU begins with the results of one. Hidden when there are none.
 *
 * Signal "open" (char *path): a row was activated.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_SAMPLE_LIST (seam_sample_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamSampleList, seam_sample_list, SEAM, SAMPLE_LIST, AdwBin)

G_END_DECLS
