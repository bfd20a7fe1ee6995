/* SPDX-License-Identifier: MIT
 *
 * Stacked bars of two plans on one shared axis from 0: one segment a kernel, gaps true to scale, a
 * whisker for the interval, the elapsed median at the end, the floor under the axis. A fused
 * kernel's band shows all its ops in equal parts. Hits: SEAM_HIT_KERNEL, SEAM_HIT_GAP; their `plan`
 * is an index into result->plans.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

G_BEGIN_DECLS

typedef struct {
  double width;
  gboolean compact;  /* no plan names beside the badges */
  double least_ns;   /* the axis covers at least this */
  const char *cover; /* NULL, or what lies over every bar except the first: then nothing of their
                      * plans is read, except the name */
  gboolean steady;   /* what a cover hides has a place in any case, so that nothing moves when the
                      * cover   opens; the floor is not marked, because it narrows a prediction */
} SeamBarsOptions;

/* `plans`: indices into result->plans, drawn from top to bottom as A, B, …. A plan that was not
 * traced is one plain segment "elapsed; kernels not traced"; one that was not measured has no bar
 * but a reason. */
SeamFigure *seam_bars_figure_new (SeamResult *result, const int *plans, int n_plans,
                                  const SeamBarsOptions *options);

G_END_DECLS
