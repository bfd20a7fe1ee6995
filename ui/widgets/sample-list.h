/* SPDX-License-Identifier: MIT
 *
 * SeamSampleList: recorded sessions that come with the program (data/samples), a row each, for the
 * start page: a person without a GPU begins with the results of one. Hidden when there are none.
 *
 * Signals:
 *   "open"  (char *path) a row was activated
 *   "read"  the rows are there
 */
#pragma once

#include "app/result/result.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_SAMPLE_LIST (seam_sample_list_get_type ())
G_DECLARE_FINAL_TYPE (SeamSampleList, seam_sample_list, SEAM, SAMPLE_LIST, AdwBin)

/* The run of a file that stands for it. */
typedef struct {
  char *path;
  SeamResult *result;
} SeamSampleRun;

/* Reads the recordings, unless that was done; it is done when the list is seen, too. */
void seam_sample_list_read (SeamSampleList *self);
/* Of SeamSampleRun, of the files that hold runs; empty until "read"; borrowed. */
GPtrArray *seam_sample_list_get_runs (SeamSampleList *self);

G_END_DECLS
