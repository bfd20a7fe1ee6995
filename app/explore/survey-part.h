/* SPDX-License-Identifier: MIT
 *
 * What is sent and kept of a survey, as plain records: points with what is known of their target,
 * and around them what a session lists.
 */
#pragma once

#include "app/explore/point.h"

G_BEGIN_DECLS

typedef enum { SEAM_SURVEY_EXPLORE, SEAM_SURVEY_SWEEP } SeamSurveyKind;

extern const SeamChoice seam_survey_kinds[]; /* "explore", "sweep" */

/* What people call a survey of a kind and its points. */
typedef struct {
  const char *survey;         /* "exploration" */
  const char *point, *points; /* "partition", "partitions" */
} SeamSurveyWords;

extern const SeamSurveyWords seam_survey_words[]; /* by SeamSurveyKind */

/* Some or all of a survey's points, on their way between worker and window. */
typedef struct {
  SeamDeviceInfo
      *device; /* NULL: the survey was not predicted yet, and the next three mean nothing */
  SeamMathMode math_mode; /* that the target really computes in; SEAM_N_MATH_MODES: unknown */
  double floor_ns;        /* of `explore`; NaN: unknown */
  char *floor_source;
  int n_points;
  SeamPoint *points;
  int *places; /* of the points in their survey; NULL: from 0 on */
} SeamSurveyPart;

/* What a session keeps. The request that the survey is made from again lies beside it. */
typedef struct {
  SeamSurveyKind kind;
  char *pipeline; /* its id */
  char *varied, *vary_x, *vary_y;
  char *measured_at;
  int n_measured;
  SeamSurveyPart part; /* all points */
} SeamStoredSurvey;

extern const SeamRecordType seam_survey_part_type, seam_stored_survey_type;

G_END_DECLS
