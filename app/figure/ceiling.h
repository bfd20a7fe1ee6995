/* SPDX-License-Identifier: MIT
 *
 * The ceiling of a problem before running: the bytes of each plan on one axis from 0, with the
 * fewest that any plan can move, and beside them what fusion can give at most, which limit binds
 * and the floor. A picture without hits; it stands under the strips.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/plan/ceiling.h"

G_BEGIN_DECLS

typedef struct {
  char letter;       /* 'A' or 'B' */
  const char *title; /* "Published" */
  SeamPlanLimit limit;
} SeamCeilingPlan;

typedef struct {
  double width;
  double left;      /* left column, as the strips have it (178); its text is drawn here */
  gboolean compact; /* narrow: no plan titles, facts below the bars */
} SeamCeilingOptions;

/* `rates_source` says where the rates come from ("data sheet"); NULL: no rates are known. Copies
 * what it needs. */
SeamFigure *seam_ceiling_figure_new (const SeamCeiling *ceiling, const char *rates_source,
                                     const SeamCeilingPlan *plans, int n_plans,
                                     const SeamCeilingOptions *options);

/* The same in sentences, newly allocated: "Fusing everything would move 9.77× fewer bytes …". */
char *seam_ceiling_describe (const SeamCeiling *ceiling, const char *rates_source);

G_END_DECLS
