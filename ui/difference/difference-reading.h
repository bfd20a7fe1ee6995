/* SPDX-License-Identifier: MIT
 *
 * What is known about the element under the pointer, in numbers and as text. Knows no widget.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

typedef struct {
  gboolean has_planes;    /* sample, channel, row, column; else row, column of a matrix */
  gint64 sample, channel; /* which plane of the output */
  gint64 row, column;     /* in plane or matrix; -1: no pointer yet */
  gint64 group;           /* of GroupNorm; -1: none */
  int n_axes;
  SeamPlaceAxis axes[SEAM_PLACE_AXES]; /* the place by the axes of the output */
  SeamSideNames names;                 /* of the sides */
  gboolean has_values;                 /* whether the four values below are known */
  double tested, against, bound;
  double difference, limit; /* in the unit of the maps where that is absolute or relative */
  gboolean fails, by_bound;
  const char *verdict; /* "within the bound", "outside tolerance"; static */
  SeamMapUnit unit;
} SeamDifferenceReading;

/* Index of the pointed element in the list of the worst elements; -1: another element, or none. */
int seam_difference_find_pointed (SeamDifferenceNavigator *navigator);
SeamDifferenceReading seam_difference_reading_take (SeamDifferenceNavigator *navigator,
                                                    SeamMapUnit unit);

/* The functions below return newly allocated text; NULL if there is no such number. */
/* Both values, in so many digits that they differ if they do. */
void seam_difference_reading_format_values (const SeamDifferenceReading *reading, char **against,
                                            char **tested);
char *seam_difference_reading_format_difference (const SeamDifferenceReading *reading);
char *seam_difference_reading_format_limit (const SeamDifferenceReading *reading);
/* By how much the difference exceeds the limit. */
char *seam_difference_reading_format_ratio (const SeamDifferenceReading *reading);
/* The element in one sentence. */
char *seam_difference_reading_describe (const SeamDifferenceReading *reading);
