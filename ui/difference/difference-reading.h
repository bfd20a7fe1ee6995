/* SPDX-License-Identifier: MIT
 *
 * What is known of the element under the pointer, and how it is written. Knows no widget.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_planes;    /* sample, channel, row, column; else row, column of a matrix */
  gint64 sample, channel; /* of the plane */
  gint64 row, column;     /* in plane or matrix; -1: no pointer yet */
  gint64 group;           /* of GroupNorm; -1: none */
  SeamSideNames names;    /* of the sides */
  gboolean has_values;    /* those below */
  double tested, trusted;
  double difference, limit; /* in the unit of the maps where that is absolute or relative */
  gboolean fails;
  SeamMapUnit unit;
} SeamDifferenceReading;

/* Of the worst elements, the one that is pointed at; -1: another, or none. */
int seam_difference_find_pointed (SeamDifferenceNavigator *navigator);
SeamDifferenceReading seam_difference_reading_take (SeamDifferenceNavigator *navigator,
                                                    SeamMapUnit unit);

/* Newly allocated, as are all; NULL where there is no such number. */
char *seam_difference_reading_format_value (double value);
char *seam_difference_reading_format_difference (const SeamDifferenceReading *reading);
char *seam_difference_reading_format_limit (const SeamDifferenceReading *reading);
/* How far over the limit. */
char *seam_difference_reading_format_ratio (const SeamDifferenceReading *reading);
/* The element in one sentence. */
char *seam_difference_reading_describe (const SeamDifferenceReading *reading);

G_END_DECLS
