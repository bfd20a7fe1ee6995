/* SPDX-License-Identifier: MIT
 *
 * The record fields of search-part.h.
 */
#include "app/explore/search-part.h"

const SeamChoice seam_search_kinds[] = {
  [SEAM_SEARCH_EXPLORE] = { "explore" },
  [SEAM_SEARCH_SWEEP] = { "sweep" },
  { NULL },
};

const SeamSearchWords seam_search_words[] = {
  [SEAM_SEARCH_EXPLORE] = { "exploration", "partition", "partitions" },
  [SEAM_SEARCH_SWEEP] = { "sweep", "point", "points" },
};

static gsize
count_points (gconstpointer record)
{
  return (gsize)((const SeamSearchPart *)record)->n_points;
}

static const SeamField part_fields[] = {
  { SEAM_FIELD (SeamSearchPart, math_mode, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_math_modes, .initial = SEAM_N_MATH_MODES,
    .words = "fp32, tf32; from 1.4 fp16, bf16; from 1.5 tf32x" },
  { SEAM_FIELD (SeamSearchPart, floor_ns, DOUBLE), .place = 1,
    .words = "no plan can be faster, ns; of explore" },
  { SEAM_FIELD (SeamSearchPart, floor_source, TEXT), .place = 1,
    .words = "where its rates come from" },
  { SEAM_FIELD (SeamSearchPart, device, RECORD), .flags = SEAM_LARGE,
    .type = &seam_device_info_type },
  { SEAM_FIELD (SeamSearchPart, points, RECORDS), SEAM_COUNT (SeamSearchPart, n_points),
    .type = &seam_point_type },
  { SEAM_FIELD (SeamSearchPart, places, INTS), .flags = SEAM_AS_MEMBER, .measure = count_points },
  { NULL },
};

const SeamRecordType seam_search_part_type = {
  .name = "survey",
  .size = sizeof (SeamSearchPart),
  .fields = part_fields,
};

#define TEXT(m, f, w)                                                                              \
  {                                                                                                \
    SEAM_FIELD (SeamStoredSearch, m, TEXT), .flags = f, .words = w                                 \
  }

static const SeamField stored_fields[] = {
  { SEAM_FIELD (SeamStoredSearch, kind, CHOICE), .flags = SEAM_LISTED, .choices = seam_search_kinds,
    .words = "explore: every partition; sweep: plans over shapes" },
  TEXT (pipeline, SEAM_LISTED, "id of the pipeline"),
  { .name = "part", SEAM_AT (SeamStoredSearch, part, INLINE), .type = &seam_search_part_type },
  TEXT (varied, SEAM_LISTED, "of a sweep: which fields, for people"),
  TEXT (vary_x, SEAM_LONG, "of a sweep: field=value,value,..."),
  TEXT (vary_y, SEAM_LONG, "of a sweep over two fields"),
  TEXT (measured_at, SEAM_LISTED, "its latest point, ISO 8601, UTC"),
  { SEAM_FIELD (SeamStoredSearch, n_measured, INT), .flags = SEAM_LISTED, .max = G_MAXINT,
    .words = "points" },
  { NULL },
};

const SeamRecordType seam_stored_search_type = {
  .name = "survey",
  .size = sizeof (SeamStoredSearch),
  .fields = stored_fields,
};
