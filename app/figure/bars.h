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
  gboolean compact; /* no plan names beside the badges */
} SeamBarsOptions;

/* `plans`: indices into result->plans, drawn from top to bottom as A, B, …. A plan that was not
 * traced is one plain segment "elapsed; kernels not traced"; one that was not measured has no bar
 * but a reason. */
SeamFigure *seam_bars_figure_new (SeamResult *result, const int *plans, int n_plans,
                                  const SeamBarsOptions *options);

G_END_DECLS
