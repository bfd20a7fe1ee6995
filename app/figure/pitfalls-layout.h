/* SPDX-License-Identifier: MIT
 *
 * Where everything of the pitfall lab's figure stands: no colour, no surface. Internal to
 * app/figure/ and its test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/pitfalls.h"

G_BEGIN_DECLS

typedef struct {
  int index; /* case of the lab */
  SeamRect row;
  double x, low_x, high_x; /* of value and interval; NaN: unknown */
  const char *title;       /* static */
  char *value;             /* "1.84×", "2.571"; NULL unknown */
  char *note;              /* why there is no value, fitted; NULL */
} SeamPitfallsRow;

typedef struct {
  double width, height;
  SeamRect plot;
  double one_x;        /* of a ratio of 1; NaN: times are shown */
  const char *caption; /* of the axis */
  SeamAxis axis;       /* of times; its unit's name NULL: of ratios */
  int n_rows;
  SeamPitfallsRow rows[SEAM_LAB_N_CASES]; /* the first is honest */
} SeamPitfallsLayout;

SeamPitfallsLayout *seam_pitfalls_layout_new (const SeamLab *lab, double width);
void seam_pitfalls_layout_free (SeamPitfallsLayout *layout);

G_END_DECLS
