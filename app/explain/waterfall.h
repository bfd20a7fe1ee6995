/* SPDX-License-Identifier: MIT
 *
 * From the time of plan A to the time of plan B, step by step: kernels that are gone, kernels that
 * do the same or more in another time, gaps, and what is left unexplained. The steps add up
 * exactly.
 */
#pragma once

#include "app/plan/plan.h"
#include "app/result/result.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_STEP_START,     /* elapsed median of A */
  SEAM_STEP_GONE,      /* kernels of a group that B has not */
  SEAM_STEP_ADDED,     /* kernels of a group that A has not */
  SEAM_STEP_CHANGED,   /* groups of both that have the same main op */
  SEAM_STEP_GAPS,      /* time between kernels: span - sum of kernels */
  SEAM_STEP_REMAINDER, /* what the traced pass does not explain of the elapsed times */
  SEAM_STEP_END,       /* elapsed median of B */
} SeamWaterfallKind;

typedef struct {
  SeamWaterfallKind kind;
  SeamOpKind op_kind;    /* of the group's main op; for GONE, ADDED, CHANGED */
  int group_a, group_b;  /* -1: none */
  char *label;           /* "conv_bias", "groupnorm, with 4 ops more", "gaps", "not explained" */
  char *detail;          /* a sentence: what the two times are */
  double from_ns, to_ns; /* running time before and after; START and END begin at 0 */
} SeamWaterfallStep;

typedef struct {
  int n_steps;
  SeamWaterfallStep *steps;
  char letters[2]; /* what the two are called: A, and B or seam_result_get_letter() */
  gboolean traced; /* both plans have kernel records; else all but start and end is remainder */
  int n_gone;      /* kernels of A that B has not, their time and modelled bytes */
  double gone_ns, gone_bytes;
  char *sentence; /* "4 kernels are gone: 2.18 ms. They moved …", or NULL */
} SeamWaterfall;

/* Compares plans `a` and `b` (indices). SEAM_ERROR_INPUT when one of them was not timed,
 * SEAM_ERROR_FILE when the result's pipeline cannot be read. */
SeamWaterfall *seam_waterfall_new (const SeamResult *result, int a, int b, GError **error);
void seam_waterfall_free (SeamWaterfall *waterfall);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamWaterfall, seam_waterfall_free)

G_END_DECLS
