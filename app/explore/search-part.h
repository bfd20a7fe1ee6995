/* SPDX-License-Identifier: MIT
 *
 * Plain records of a search for the worker protocol and for session files: its points, what is
 * known about their target, and the fields that a session lists.
 */
#pragma once

#include "app/explore/point.h"

typedef enum { SEAM_SEARCH_EXPLORE, SEAM_SEARCH_SWEEP } SeamSearchKind;

extern const SeamChoice seam_search_kinds[]; /* "explore", "sweep" */

/* The words for a kind of search and its points in texts for people. */
typedef struct {
  const char *search;         /* "exploration" */
  const char *point, *points; /* "partition", "partitions" */
} SeamSearchWords;

extern const SeamSearchWords seam_search_words[]; /* by SeamSearchKind */

/* Some or all points of a search, as worker and window exchange them. */
typedef struct {
  SeamDeviceInfo
      *device; /* NULL: the search is not predicted yet, and the next three fields mean nothing */
  SeamMathMode math_mode; /* that the target really computes in; SEAM_N_MATH_MODES: unknown */
  double floor_ns;        /* of `explore`; NaN: unknown */
  char *floor_source;
  int n_points;
  SeamPoint *points;
  int *places; /* indices of the points in their search; NULL: from 0 on */
} SeamSearchPart;

/* A search in a session file. The request, from which the search is made again, is stored with
 * it. */
typedef struct {
  SeamSearchKind kind;
  char *pipeline; /* the pipeline's id */
  char *varied, *vary_x, *vary_y;
  char *measured_at;
  int n_measured;
  SeamSearchPart part; /* all points */
} SeamStoredSearch;

extern const SeamRecordType seam_search_part_type, seam_stored_search_type;
