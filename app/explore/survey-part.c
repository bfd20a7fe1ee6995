/* SPDX-License-Identifier: MIT
 *
 * The fields of what is sent and kept of a survey.
 */
#include "app/explore/survey-part.h"

const SeamChoice seam_survey_kinds[] = {
  [SEAM_SURVEY_EXPLORE] = { "explore" },
  [SEAM_SURVEY_SWEEP] = { "sweep" },
  { NULL },
};

const SeamSurveyWords seam_survey_words[] = {
  [SEAM_SURVEY_EXPLORE] = { "exploration", "partition", "partitions" },
  [SEAM_SURVEY_SWEEP] = { "sweep", "point", "points" },
};

static gsize
count_points (gconstpointer record)
{
  return (gsize)((const SeamSurveyPart *)record)->n_points;
}

static const SeamField part_fields[] = {
  { SEAM_FIELD (SeamSurveyPart, math_mode, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_math_modes, .initial = SEAM_N_MATH_MODES,
    .words = "fp32, tf32; from 1.4 fp16, bf16; from 1.5 tf32x" },
  { SEAM_FIELD (SeamSurveyPart, floor_ns, DOUBLE), .place = 1,
    .words = "no plan can be faster, ns; of explore" },
  { SEAM_FIELD (SeamSurveyPart, floor_source, TEXT), .place = 1,
    .words = "where its rates come from" },
  { SEAM_FIELD (SeamSurveyPart, device, RECORD), .flags = SEAM_LARGE,
    .type = &seam_device_info_type },
  { SEAM_FIELD (SeamSurveyPart, points, RECORDS), SEAM_COUNT (SeamSurveyPart, n_points),
    .type = &seam_point_type },
  { SEAM_FIELD (SeamSurveyPart, places, INTS), .flags = SEAM_AS_MEMBER, .measure = count_points },
  { NULL },
};

const SeamRecordType seam_survey_part_type = {
  .name = "survey",
  .size = sizeof (SeamSurveyPart),
  .fields = part_fields,
};

#define TEXT(m, f, w)                                                                              \
  {                                                                                                \
    SEAM_FIELD (SeamStoredSurvey, m, TEXT), .flags = f, .words = w                                 \
  }

static const SeamField stored_fields[] = {
  { SEAM_FIELD (SeamStoredSurvey, kind, CHOICE), .flags = SEAM_LISTED, .choices = seam_survey_kinds,
    .words = "explore: every partition; sweep: plans over shapes" },
  TEXT (pipeline, SEAM_LISTED, "id of the pipeline"),
  { .name = "part", SEAM_AT (SeamStoredSurvey, part, INLINE), .type = &seam_survey_part_type },
  TEXT (varied, SEAM_LISTED, "of a sweep: which fields, for people"),
  TEXT (vary_x, SEAM_LONG, "of a sweep: field=value,value,..."),
  TEXT (vary_y, SEAM_LONG, "of a sweep over two fields"),
  TEXT (measured_at, SEAM_LISTED, "its latest point, ISO 8601, UTC"),
  { SEAM_FIELD (SeamStoredSurvey, n_measured, INT), .flags = SEAM_LISTED, .max = G_MAXINT,
    .words = "points" },
  { NULL },
};

const SeamRecordType seam_stored_survey_type = {
  .name = "survey",
  .size = sizeof (SeamStoredSurvey),
  .fields = stored_fields,
};
