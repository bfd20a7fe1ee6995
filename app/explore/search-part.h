/* SPDX-License-Identifier: MIT
 *
 * What is sent and kept of a search, as plain records: points with what is known of their target,
 * and around them what a session lists.
 */
#pragma once

#include "app/explore/point.h"

G_BEGIN_DECLS

typedef enum { SEAM_SEARCH_EXPLORE, SEAM_SEARCH_SWEEP } SeamSearchKind;

extern const SeamChoice seam_search_kinds[]; /* "explore", "sweep" */

/* What people call a search of a kind and its points. */
typedef struct {
  const char *search;         /* "exploration" */
  const char *point, *points; /* "partition", "partitions" */
} SeamSearchWords;

extern const SeamSearchWords seam_search_words[]; /* by SeamSearchKind */

/* Some or all of a search's points, on their way between worker and window. */
typedef struct {
  SeamDeviceInfo
      *device; /* NULL: the search was not predicted yet, and the next three mean nothing */
  SeamMathMode math_mode; /* that the target really computes in; SEAM_N_MATH_MODES: unknown */
  double floor_ns;        /* of `explore`; NaN: unknown */
  char *floor_source;
  int n_points;
  SeamPoint *points;
  int *places; /* of the points in their search; NULL: from 0 on */
} SeamSearchPart;

/* What a session keeps. The request that the search is made from again lies beside it. */
typedef struct {
  SeamSearchKind kind;
  char *pipeline; /* its id */
  char *varied, *vary_x, *vary_y;
  char *measured_at;
  int n_measured;
  SeamSearchPart part; /* all points */
} SeamStoredSearch;

extern const SeamRecordType seam_search_part_type, seam_stored_search_type;

G_END_DECLS
