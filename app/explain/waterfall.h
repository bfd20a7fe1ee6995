/* SPDX-License-Identifier: MIT
 *
 * The way from the time of plan A to the time of plan B in steps: kernels that are gone, kernels
 * that do the same or more in another time, gaps, and an unexplained remainder. The steps add up
 * exactly.
 */
#pragma once

#include "app/base/owner.h"
#include "app/plan/plan.h"
#include "app/result/result.h"

typedef enum {
  SEAM_STEP_START,     /* elapsed median of A */
  SEAM_STEP_GONE,      /* kernels of a group that B does not have */
  SEAM_STEP_ADDED,     /* kernels of a group that A does not have */
  SEAM_STEP_CHANGED,   /* groups of both plans with the same main op */
  SEAM_STEP_GAPS,      /* time between kernels: span - sum of kernels */
  SEAM_STEP_REMAINDER, /* the part of the elapsed times that the traced pass does not explain */
  SEAM_STEP_END,       /* elapsed median of B */
} SeamWaterfallKind;

typedef struct {
  SeamWaterfallKind kind;
  SeamOpKind op_kind;    /* of the group's main op; for GONE, ADDED, CHANGED */
  int group_a, group_b;  /* -1: none */
  char *label;           /* "conv_bias", "groupnorm, with 4 ops more", "gaps", "not explained" */
  char *detail;          /* a sentence about the two times */
  double from_ns, to_ns; /* running time before and after; START and END begin at 0 */
} SeamWaterfallStep;

typedef struct {
  int n_steps;
  SeamWaterfallStep *steps;
  char letters[2]; /* of the plans: seam_plan_get_letter() */
  gboolean traced; /* both plans have kernel records; else everything between start and end is
                    * remainder */
  int n_gone;      /* kernels of A that B does not have, their time and modelled bytes */
  double gone_ns, gone_bytes;
  char *sentence; /* "4 kernels are gone: 2.18 ms. They moved …", or NULL */
} SeamWaterfall;

/* Compares plans `a` and `b` (indices). SEAM_ERROR_INPUT if one of them was not timed,
 * SEAM_ERROR_FILE if the result's pipeline cannot be read. */
SeamWaterfall *seam_waterfall_new (const SeamResult *result, int a, int b, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamWaterfall, seam_owner_free)
