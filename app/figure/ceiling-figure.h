/* SPDX-License-Identifier: MIT
 *
 * The ceiling of a problem before running: the bytes of each plan on one axis from 0, with the
 * fewest that any plan can move and the guess of its time, and beside them how many bytes fusion
 * can save at most, which limit binds and the floor. A picture without hits; it stands under the
 * strips.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/figure.h"
#include "app/plan/ceiling.h"

typedef struct {
  char letter;       /* 'A' or 'B' */
  const char *title; /* "Published" */
  SeamPlanLimit limit;
  double guess_ns, guess_low_ns, guess_high_ns; /* as in SeamGuess; not over 0: unknown */
} SeamCeilingPlan;

typedef struct {
  double width;
  double left;      /* left column, as wide as in the strips (178); its text is drawn here */
  gboolean compact; /* narrow: no plan titles, facts are below the bars */
} SeamCeilingOptions;

/* `rates_source` says where the rates come from ("data sheet"); NULL: no rates are known. Copies
 * what it needs. */
SeamFigure *seam_ceiling_figure_new (const SeamCeiling *ceiling, const char *rates_source,
                                     const SeamCeilingPlan *plans, int n_plans,
                                     const SeamCeilingOptions *options);

/* The same in sentences, newly allocated: "With every seam cut 13.0 GB move, at least …". */
char *seam_ceiling_describe (const SeamCeiling *ceiling, const char *rates_source);

/* In one line: "A about 16.2 ms (15.1 to 17.5), B about 15 ms (14.8 to 16) · floor 14.8 ms
 * (arithmetic)", with the bytes of a plan without a guess. Newly allocated. */
char *seam_ceiling_summarize (const SeamCeiling *ceiling, const SeamCeilingPlan *plans,
                              int n_plans);

/* ---- the layout: where everything stands, without colour or surface; for the test ---- */

#define SEAM_CEILING_MAX_PLANS 8
#define SEAM_CEILING_MAX_FACTS 3

#define SEAM_CEILING_SUBTITLE "modelled traffic of each plan, and the fewest bytes"

typedef struct {
  char letter;
  char *title;  /* fitted; NULL when compact */
  SeamRect bar; /* true to scale */
  char *label; /* "4.50 GB · about 2.60 ms (2.36 to 3.08)", "4.50 GB · at least 0.800 ms" without a
                * guess, or less if there is no room */
  double label_x;
} SeamCeilingRow;

typedef struct {
  char *caption, *value;
  double x, y, width;
} SeamCeilingFact;

typedef struct {
  double width, height;
  SeamRect plot;
  gboolean with_subtitle; /* there is room for it */
  SeamAxis axis;          /* bytes; its mark is the fewest */
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
