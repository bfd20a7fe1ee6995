/* SPDX-License-Identifier: MIT
 *
 * Where everything of the ceiling stands, and its texts: no colour, no surface. Internal to
 * app/figure/ and its test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/ceiling.h"

G_BEGIN_DECLS

#define SEAM_CEILING_MAX_PLANS 8
#define SEAM_CEILING_MAX_FACTS 3

#define SEAM_CEILING_SUBTITLE "modelled traffic of each plan, and the fewest bytes"

typedef struct {
  char letter;
  char *title;  /* fitted; NULL when compact */
  SeamRect bar; /* true to scale */
  char *label;  /* "4.50 GB · at least 0.800 ms", or without the time where there is no room */
  double label_x;
} SeamCeilingRow;

typedef struct {
  char *caption, *value;
  double x, y, width;
} SeamCeilingFact;

typedef struct {
  double width, height, left;
  gboolean with_subtitle; /* there is room for it */
  SeamAxis axis;          /* of bytes; its mark is the fewest */
  double axis_y;
  int n_rows;
  SeamCeilingRow rows[SEAM_CEILING_MAX_PLANS];
  int n_facts;
  SeamCeilingFact facts[SEAM_CEILING_MAX_FACTS];
  char *note;
  double note_x, note_y, note_width;
} SeamCeilingLayout;

SeamCeilingLayout *seam_ceiling_layout_new (const SeamCeiling *ceiling, const char *rates_source,
                                            const SeamCeilingPlan *plans, int n_plans,
                                            const SeamCeilingOptions *options);
void seam_ceiling_layout_free (SeamCeilingLayout *layout);

G_END_DECLS
