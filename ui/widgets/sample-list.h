/* SPDX-License-Identifier: MIT
 *
 * SeamSampleList: the recorded sessions that come with the program (data/samples), one row each,
 * for the start page: a person without a GPU can start with a GPU's results. Hidden if there are
 * none.
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

/* The run that stands for a file recorded on a GPU. */
typedef struct {
  char *path;
  SeamResult *result;
} SeamSampleRun;

/* Reads the recordings, if that was not done. Showing the list reads them, too. */
void seam_sample_list_read (SeamSampleList *self);
/* An array of SeamSampleRun, for the files of a GPU's runs; empty until "read"; borrowed. */
GPtrArray *seam_sample_list_get_runs (SeamSampleList *self);

G_END_DECLS
