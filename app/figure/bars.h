/* SPDX-License-Identifier: MIT
 *
 * Stacked bars of two plans on one shared axis from 0: one segment a kernel and the gaps as they
 * were traced, unscaled; a mark at the elapsed median, with its interval as whisker; between trace
 * and mark a hatched piece, or what the trace took past the mark, with the reason under the bar
 * (app/explain/pieces.h); the first guess over it; the floor under the axis. A fused kernel's band
 * shows all its ops in equal parts. Hits, whose `plan` is an index into result->plans:
 * SEAM_HIT_KERNEL, of which index n_kernels is the hatched piece; SEAM_HIT_GAP; SEAM_HIT_SAMPLE,
 * the guess.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/figure.h"
#include "app/result/result.h"

typedef struct {
  double width;
  gboolean compact;  /* no plan names beside the badges */
  double least_ns;   /* the axis covers at least this */
  const char *cover; /* NULL, or what lies over every bar except the first: then nothing of their
                      * plans is read, except the name */
  gboolean plain;    /* the first look at two plans: letters in their order here; no captions, no
                      * floor */
  gboolean steady;   /* what a cover hides has a place in any case, so that nothing moves when the
                      * cover   opens; the floor is not marked, because it narrows a prediction */
} SeamBarsOptions;

/* `plans`: indices into result->plans, drawn from top to bottom as A, B, …. A plan that was not
 * traced is one plain segment "elapsed; kernels not traced"; one that was not measured has no bar
 * but a reason. */
SeamFigure *seam_bars_figure_new (SeamResult *result, const int *plans, int n_plans,
                                  const SeamBarsOptions *options);
/* "guess 0.78, 8 % low", of a plan that has a first guess; newly allocated. */
char *seam_bars_score_guess (const SeamPlanResult *plan, SeamUnit unit);
