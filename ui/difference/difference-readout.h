/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceReadout: the panel beside the maps that always shows the element under the
 * pointer: where it is, both values, their difference, the limit, and how much of the slice fails.
 */
#pragma once

#include "app/figure/map.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_READOUT (seam_difference_readout_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceReadout, seam_difference_readout, SEAM, DIFFERENCE_READOUT,
                      GtkWidget)

typedef struct {
  gboolean has_plane;       /* sample, channel, row, column; else row, column of a matrix */
  gint64 sample, channel;   /* of the plane */
  gint64 row, column;       /* in plane or matrix; -1: no pointer yet */
  gint64 group;             /* of GroupNorm; -1: none */
  const char *tested_name;  /* "B", "A" */
  const char *trusted_name; /* "A", "FP64" */
  gboolean has_values;
  double tested, trusted;
  double atol, rtol;
  SeamMapUnit unit;
  double scale;                 /* differences are divided by this when relative, else 1 */
  gint64 n_failing, n_elements; /* of the slice; n_elements 0: no slice */
} SeamReadout;

GtkWidget *seam_difference_readout_new (void);
/* Sample and channel are chosen here too; borrowed, the owner sets range and value. */
void seam_difference_readout_get_spins (SeamDifferenceReadout *self, GtkWidget **sample,
                                        GtkWidget **channel);
void seam_difference_readout_set (SeamDifferenceReadout *self, const SeamReadout *readout);
/* The element in one sentence, for assistive technology; newly allocated. */
char *seam_difference_readout_describe (const SeamReadout *readout);

G_END_DECLS
